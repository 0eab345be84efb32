"""The wire: answers written out by hand, answers of the literal reference, and lines that are no question at all."""

import io
import json
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import texas42 as reference
from renege import texas42
from renege.ask.serve import LONGEST_LINE, reply, serve, wire_of
from renege.belief import Count
from renege.core.record import Record
from renege.core.trick import Play
from renege.games.texas42.contract import Hand42
from renege.games.texas42.rules import Rules
from renege.games.wire import Question
from support import answers
from support.cases import each
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

PAIRS = answers.pairs("texas42_*.jsonl")
STANDS = {"nello": ["high", "low", "own", "own-inverted"], "follow-me": ["high", "low", "own"]}
TABLES = [(name, doubles) for name in reference.DECLARATIONS for doubles in [None, *STANDS.get(name, [])]]


def ask(**question: Any) -> dict[str, Any]:
    answer, _ = reply(json.dumps(question).encode())
    return json.loads(answer)


def serve_text(text: bytes) -> tuple[list[dict[str, Any]], bool]:
    sink = io.BytesIO()
    good = serve(io.BytesIO(text), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()], good


def name(tile: reference.Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


# --- answers written out by hand ------------------------------------------------------------------


@each(PAIRS, answers.name)
def test_the_answer_is_the_one_that_the_rules_give(pair: answers.Pair):
    answers.check(pair)


# --- answers of the literal reference -------------------------------------------------------------


@pytest.mark.parametrize(("declaration", "doubles"), TABLES)
def test_legal_plays_and_verdicts_are_those_of_the_reference(declaration: str, doubles: str | None):
    rng = random.Random(f"{declaration} {doubles}")
    said = {"rules": {"doubles": doubles}} if doubles else {}
    for _ in range(40 * SOAK):
        lead, *hand = rng.sample(reference.TILES, rng.randint(2, 8))
        led = lead if rng.random() < 0.8 else None
        legal = [name(tile) for tile in reference.legal_plays(hand, led, declaration, doubles)]
        about = {"game": "texas42", "declaration": declaration, "hand": " ".join(map(name, hand)), **said}
        about |= {"lead": name(led)} if led else {}
        assert ask(ask="legal_plays", **about) == {"count": len(legal), "plays": sorted(legal)}
        for tile in map(name, hand):
            answer = ask(ask="legal", play=tile, **about)
            assert answer["legal"] is (tile in legal)
            assert answer["why"]
            assert answer["legal"] or (answer["rule"] and answer["instead"] in legal)


@pytest.mark.parametrize(("declaration", "doubles"), TABLES)
def test_the_winner_is_that_of_the_reference(declaration: str, doubles: str | None):
    rng = random.Random(f"{declaration} {doubles}")
    said = {"rules": {"doubles": doubles}} if doubles else {}
    for _ in range(60 * SOAK):
        trick = rng.sample(reference.TILES, 3 if declaration == "nello" else 4)
        answer = ask(ask="winner", game="texas42", declaration=declaration, plays=list(map(name, trick)), **said)
        assert answer["winner"] == reference.winner(trick, declaration, doubles)
        assert answer["points"] == reference.trick_points(trick)
        suit = reference.led_suit(trick[0], declaration, doubles)
        may_win = [
            reference.is_trump(tile, declaration) or reference.can_follow(tile, suit, declaration, doubles)
            for tile in trick
        ]
        assert [why is None for why in answer["excluded"]] == may_win


def score_question(record: Record, rules: dict[str, str]) -> dict[str, Any]:
    contract = record.position.contract
    assert isinstance(contract, Hand42)
    doubles = {"doubles": contract.doubles.value} if contract.declaration in STANDS else {}
    return {
        "ask": "score",
        "game": "texas42",
        "rules": rules | doubles,
        "hands": [str(hand) for hand in record.start.hands],
        "dealer": record.start.standing.dealer,
        "bids": [str(act.what) for act in record.acts[:4]],
        "declaration": contract.declaration,
        "plays": [str(act.what) for act in record.acts if isinstance(act.what, Play)],
    }


@pytest.mark.parametrize("early_end", ["stop", "play-on"])
@pytest.mark.parametrize(("bid", "declared"), CONTRACTS)
def test_score_is_what_the_table_came_to(bid: str, declared: str, early_end: str):
    game = texas42.game(texas42.PRESETS["default"] if early_end == "stop" else play_on())
    for _, seed in zip(range(2 * SOAK), deals_for(bid, game), strict=False):
        record = play_out(game, seed, steer(bid, declared))
        result, position = record.position.result, record.position
        if result is None:
            continue
        answer = ask(**score_question(record, {"early_end": early_end}))
        assert answer == {
            "points": [sum(position.points[::2]), sum(position.points[1::2])],
            "made": result.made,
            "marks": list(result.score[:2]),
            "renege": None,
        }


def play_on() -> Rules:
    return Rules(early_end=texas42.PRESETS["points-250"].early_end)


# --- lines ----------------------------------------------------------------------------------------

GOOD = b'{"ask": "legal_plays", "game": "texas42", "declaration": "5", "hand": "6-6", "id": %d}'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "{"),
        (b'{"ask": "version"} extra', "malformed"),
        (b"[]", "JSON object"),
        (b'"version"', "JSON object"),
        (b"null", "JSON object"),
        (b"\xff\xfe", "byte 1 of the line is not UTF-8"),
        (b'{"ask": "version", "id": "\xff"}', "not UTF-8"),
        (b'{"ask": "version", "id": "\\ud800"}', "ud800"),
        (b'{"ask": ' + b"[" * 5000 + b"]" * 5000 + b"}", "too deep"),
        (b'{"ask": "version", "id": "' + b"x" * LONGEST_LINE + b'"}', "longer than"),
        (b'{"ask": ["version"]}', "'ask' says which question"),
        (b'{"ask": "legal", "game": {"texas42": 1}}', "texas42"),
    ],
)
def test_a_line_that_is_no_question_is_an_error_and_the_run_goes_on(line: bytes, says: str):
    answers, good = serve_text(b"\n".join([GOOD % 1, line, GOOD % 2]))
    assert not good
    assert [answer.get("id") for answer in answers[::2]] == [1, 2]
    assert set(answers[1]) == {"error"}
    assert says in answers[1]["error"]


def test_blank_lines_are_skipped_and_a_byte_order_mark_is_no_fault():
    answers, good = serve_text(b"\xef\xbb\xbf" + GOOD % 1 + b"\r\n\n  \n" + GOOD % 2)
    assert good
    assert [answer["id"] for answer in answers] == [1, 2]


@pytest.mark.parametrize("mark", ['"a"', "0", "-1.50", "null", "1e400", "123456789012345678901", '[1, {"a": []}]'])
def test_an_id_comes_back_as_it_was(mark: str):
    line, _ = reply(f'{{"ask": "version", "id": {mark}}}'.encode())
    assert line.startswith(f'{{"id":{mark},'.encode())
    line, _ = reply(f'{{"ask": "nothing", "game": "texas42", "id":\r{mark} }}'.encode())
    assert line.startswith(f'{{"id":{mark},"error":'.encode())


def test_the_same_question_with_and_without_an_id_has_the_same_answer():
    with_id, _ = reply(GOOD % 7)
    without, _ = reply((GOOD % 7).replace(b', "id": 7', b""))
    assert json.loads(with_id) == json.loads(without) | {"id": 7}


FIELDS = sorted({key for pair in PAIRS for key in pair["q"]})
VALUES = [value for pair in PAIRS for value in pair["q"].values()]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(PAIRS), st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(VALUES) | JSON, max_size=2))
def test_whatever_is_asked_there_is_one_line_of_json_and_no_fault(pair: dict[str, Any], changed: dict[str, Any]):
    line, good = reply(json.dumps(pair["q"] | changed).encode())
    answer = json.loads(line)
    assert b"\n" not in line
    assert b"\r" not in line
    assert ("error" in answer) is not good
    assert "a fault of renege" not in answer.get("error", "")


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_are_answered(line: bytes):
    answer, _ = reply(line)
    assert isinstance(json.loads(answer), dict)


def test_each_answer_comes_before_the_next_question_is_asked():
    question = b'{"ask": "legal", "game": "texas42", "declaration": "5", "lead": "6-4", "hand": "6-6", "play": "6-6"}\n'
    command = [sys.executable, "-m", "renege", "ask"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as referee:
        assert referee.stdin is not None
        assert referee.stdout is not None
        for _ in range(3):
            referee.stdin.write(question)
            referee.stdin.flush()
            assert b'"legal":true' in referee.stdout.readline()
        referee.stdin.close()
        assert referee.wait(20) == 0


@pytest.mark.parametrize("doubles", [["low"], {"a": 1}, None, 7, "middle"])
def test_doubles_must_be_one_of_the_words_for_them(doubles):
    answer = ask(ask="legal_plays", game="texas42", declaration="nello", rules={"doubles": doubles}, hand="6-6")
    assert "doubles is one of" in answer["error"]


def test_a_count_of_a_belief_is_a_number_in_an_answer(monkeypatch: pytest.MonkeyPatch):
    def counted(question: Question) -> dict[str, Any]:
        return {"deals": Count(1200), "most": [Count(5, exact=False)]}

    monkeypatch.setitem(wire_of("texas42").questions, "counted", (Question, counted))
    assert ask(ask="counted", game="texas42") == {"deals": 1200, "most": [5]}
