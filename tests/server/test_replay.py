"""Deals looked at again: every step, unfinished and half-known ones, what each act cost, and pasted texts."""

import os
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from renege.core.cards import Hidden
from renege.core.game import Standing
from renege.core.judge import judge
from renege.core.notation import NotationError
from renege.core.position import View, deal_position
from renege.core.record import GameRecord, Record
from renege.core.registry import find_game, parse_game_record
from renege.core.trick import Play
from renege.server.present import pasted
from renege.server.present.pasted import deals_of, recognise
from renege.server.present.replay import pick, replay, review
from renege.server.present.state import last_trick_shown, trick_shown
from support.server_deals import NAMES, TABLES, cut, play_at_random
from support.steering import SOAK

EVERY = pytest.mark.parametrize("name", TABLES)
DATA = Path(__file__).parent.parent / "data"
VECTORS = os.environ.get("RENEGE_VECTORS")


def whole(record: Record):
    return replay(pick([record], 1), NAMES, "en")


# --- step by step ----------------------------------------------------------------------------------


@EVERY
def test_a_replay_goes_from_the_deal_to_the_result(name: str):
    for seed in range(2 * SOAK):
        record = play_at_random(TABLES[name], seed, dull=0.4)
        shown = whole(record)
        assert [step.number for step in shown.steps] == list(range(len(record.acts) + 1))
        assert shown.steps[-1].turn is None
        assert shown.result and shown.result == shown.score.lines[-1].text
        assert (shown.steps[0].seat, shown.steps[0].text) == (None, "")
        played: Counter[str] = Counter()
        deck = Counter(str(record.game.deck.all).split())
        for step, position in zip(shown.steps, record.positions(), strict=True):
            act = None if not step.number else record.acts[step.number - 1]
            if act is not None:
                assert step.seat == act.seat and step.text
                played.update(str(act.what.cards).split() if isinstance(act.what, Play) else [])
            held = Counter(card for hand in (*step.hands, step.kitty) for card in hand)
            assert held + played == deck
            assert (step.turn, step.points, step.tricks) == (
                position.turn, list(position.points), list(position.tricks),
            )  # fmt: skip
            assert step.trick == trick_shown(position)
            assert step.last_trick == last_trick_shown(cut(record, step.number))
            assert (step.contract is None) == (position.contract is None)


def test_a_deal_that_is_not_over_has_no_result():
    record = play_at_random(TABLES["schafkopf"], 1)
    shown = whole(cut(record, 7))
    assert (shown.result, shown.score.lines, len(shown.steps)) == ("", [], 8)
    assert shown.steps[-1].turn is not None


@EVERY
def test_what_is_not_told_stays_open(name: str):
    """A record of what one seat saw: the other hands are as many question marks as they have cards."""
    record = play_at_random(TABLES[name], 3, dull=0.4)
    view = record.view(2)
    shown = whole(parse_game_record(str(Record(view.start, view.acts))).deals[0])
    for step, true in zip(shown.steps, whole(record).steps, strict=True):
        assert sorted(step.hands[2]) == sorted(true.hands[2])
        assert [len(hand) for hand in step.hands] == [len(hand) for hand in true.hands]
        for seat in (0, 1, 3):
            assert set(step.hands[seat]) <= {"?"}


def test_the_sheet_of_a_game_grows_with_its_deals():
    game = TABLES["texas42"]
    deals: list[Record] = []
    standing = game.opening
    for seed in range(5):
        record = play_at_random(game, seed)
        record = replace(record, start=deal_position(game, standing, record.start.hands, record.start.kitty))
        record = replay_acts(record, standing)
        deals.append(record)
        standing = game.advance(record.position, record.position.result)
    for number in range(1, 6):
        shown = replay(pick(deals, number), NAMES, "en")
        assert (shown.deal, shown.deals, len(shown.score.lines)) == (number, 5, number)
        assert shown.score.score == list(GameRecord(game, tuple(deals[:number])).standing.score)
    with pytest.raises(ValueError, match="there is no deal 6"):
        pick(deals, 6)


def replay_acts(record: Record, standing: Standing) -> Record:
    """The same hands with another dealer: the talk and the play from there, the first thing that is legal."""
    position, acts = record.start, []
    assert position.standing == standing
    while position.turn is not None:
        what = position.legal_calls[-1] if position.talking else next(iter(position.legal_plays))
        acts.append(position.read(what))
        position = position.then(acts[-1])
    return replace(record, acts=tuple(acts))


def test_a_renege_in_a_record_is_told_in_its_result():
    text = (DATA / "golden" / "texas42-30-trump-0.txt").read_text()
    record = parse_game_record(text).deals[0]
    plays = [i for i, act in enumerate(record.acts) if isinstance(act.what, Play)]
    found = next(other for i in plays for other in _reneges(record, i))
    shown = whole(found)
    assert shown.result.startswith("renege by ")
    assert shown.score.lines[-1].gained == list(judge(found).result.score)  # type: ignore[union-attr]


def _reneges(record: Record, number: int):
    """The record with one play changed for a later one of the same seat, where that breaks a rule."""
    seat = record.acts[number].seat
    for later in range(number + 1, len(record.acts)):
        if record.acts[later].seat == seat:
            acts = list(record.acts)
            acts[number], acts[later] = acts[later], acts[number]
            other = replace(record, acts=tuple(acts))
            try:
                if other.position.over and judge(other).breaches:
                    yield other
            except ValueError:  # another seat is to play then
                continue


# --- what each act cost ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["texas42", "schafkopf"])
def test_a_review_has_a_line_for_every_act(name: str):
    record = play_at_random(TABLES[name], 4, dull=0.5)
    lines = list(review(record, "en", NAMES, 5))
    assert [line.number for line in lines] == list(range(len(record.acts)))
    for line, act in zip(lines, record.acts, strict=True):
        assert line.seat == act.seat and line.text and line.unit
        if isinstance(act.what, str):
            assert (line.value, line.cost, line.best, line.trick) == (None, None, [], None)
        elif line.cost is not None:
            assert line.taken is not None and line.cost >= 0
            assert line.best and (line.cost > 0 or line.what in line.best)
        assert line.known_cost is None or line.known_cost >= 0
        assert line.cost is not None or line.trick is None or line.note


def test_the_value_moves_by_the_cost():
    """By the open hands: what was taken and is still to come changes by what a play gave away, and by nothing else."""
    record = play_at_random(find_game("texas42", {"early_end": "play-on"}), 1, dull=0.5)
    lines = [line for line in review(record, "en", NAMES, 0) if line.value is not None]
    assert len(lines) == 28
    for line, after in pairwise(lines):
        assert line.value is not None and line.taken is not None and line.cost is not None
        assert after.value is not None and after.taken is not None
        sign = -1 if line.seat % 2 == 0 else 1
        assert after.value + after.taken == line.value + line.taken + sign * line.cost
    assert any(line.cost for line in lines)
    assert all(line.known_cost is None for line in lines)


def test_a_stoss_beside_the_play_is_not_held_against_plays():
    record = parse_game_record((DATA / "golden" / "schafkopf-solo-G.txt").read_text()).deals[0]
    said = [line for line in review(record, "en", NAMES, 5) if line.what == "stoss"]
    assert len(said) == 3 and all(line.known_cost is None and line.note for line in said)


def test_a_nello_is_reviewed_by_whether_it_is_lost():
    record = parse_game_record((DATA / "golden" / "texas42-1-mark-nello.txt").read_text()).deals[0]
    plays = [line for line in review(record, "en", NAMES, 0) if line.trick is not None]
    assert all(line.value is None and "every trick" in line.note for line in plays)


def test_early_tricks_of_tractor_are_too_large():
    record = cut(play_at_random(TABLES["tractor"], 1), 12)
    notes = {line.note for line in review(record, "en", NAMES, 0) if line.trick is not None}
    assert notes == {"open hands are solved once 12 cards or fewer are left in each hand"}


def test_a_review_of_what_one_seat_saw():
    view: View = play_at_random(TABLES["texas42"], 2).view(0)
    lines = list(review(Record(view.start, view.acts), "en", NAMES, 5))
    assert all(line.cost is None and line.known_cost is None for line in lines)
    assert {line.note for line in lines if line.trick is not None} == {"not all hands are told"}
    assert any(isinstance(hand, Hidden) for hand in view.start.hands)


# --- pasted texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted((DATA / "golden").glob("*.txt")), ids=lambda file: file.stem)
def test_records_are_recognised(file: Path):
    found = recognise(file.read_text())
    deals = parse_game_record(file.read_text()).deals
    assert (found.kind, found.answers, found.deals) == ("record", [], len(deals))
    assert deals_of("\ufeff\n# a comment\n" + file.read_text()) == deals_of(file.read_text()) == deals


@EVERY
def test_any_record_comes_back(name: str):
    record = play_at_random(TABLES[name], 6, dull=0.5)
    assert deals_of(str(record)) == (record,)
    assert whole(deals_of(whole(record).record)[0]) == whole(record)


@pytest.mark.parametrize("file", ["texas42_ask.jsonl", "tractor_ask.jsonl", "schafkopf_ask.jsonl"])
def test_protocol_lines_are_answered(file: str):
    lines = (DATA / "answers" / file).read_text().splitlines()[:20]
    questions = [line for line in lines if line.strip()]
    found = recognise("\n".join(questions))
    assert found.kind == "protocol"
    assert [answer.asked for answer in found.answers] == questions
    assert all(answer.answer.startswith("{") for answer in found.answers)


def test_protocol_lines_are_answered_up_to_a_limit():
    found = recognise('{"ask":"version"}\n' * 300)
    assert len(found.answers) == pasted.MOST_ANSWERS + 1
    assert "that is enough, after 200 of 300 lines" in found.answers[-1].answer


def test_a_bad_line_of_the_protocol_is_answered_too():
    found = recognise('{"ask":"version"}\n{"ask":\nnonsense')
    assert [answer.answer.startswith('{"error"') for answer in found.answers] == [False, True, True]


def spoj_case() -> str:
    """A case in which four hands of clubs and more are played one by one: it need not be legal to be judged."""
    deck = [suit + rank for suit in "SHCD" for rank in "23456789TJQKA"] * 2
    rows = [" ".join(deck[4 * i : 4 * i + 4]) for i in range(25)]
    return "S Alice 2 2\n" + "\n".join(rows)


def test_spoj_files_are_judged():
    found = recognise(f"2\n{spoj_case()}\n{spoj_case()}\n")
    assert (found.kind, [answer.asked for answer in found.answers]) == ("spoj", ["Case #1:", "Case #2:"])
    points, teams = found.answers[0].answer.split("\n")
    assert points.isdigit() and len(teams.split()) in (3, 4)
    many = recognise(f"250\n{(spoj_case() + chr(10)) * 250}")
    assert len(many.answers) == pasted.MOST_ANSWERS + 1
    assert "that is enough" in many.answers[-1].answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "line 1: '' starts nothing that is known here", id="nothing"),
        pytest.param("\n\nhello there", "line 3: 'hello there' starts nothing", id="garbage"),
        pytest.param("x" * 500, "a SPOJ file with the number of its cases", id="long"),
        pytest.param("renege record 2\ngame x\nrules y\n", "line 1: 'renege record 2' is not", id="another format"),
        pytest.param("renege record 1\ngame texas42 version 1\nrules default\n", "0 deals", id="no deal"),
        pytest.param(
            "renege record 1\ngame bridge version 1\nrules default\n",
            "line 2: unknown game 'bridge'",
            id="another game",
        ),
        pytest.param("3\nS Alice 2 2\nS2 S3", "line 3, column", id="a SPOJ file that ends"),
        pytest.param("1\nX Alice 2 2", "line 2, column 1: 'X' is no trump suit", id="a SPOJ file with a fault"),
        pytest.param("<html></html>", "", id="a page of something else"),
        pytest.param("a\ngespielt von Gast am 1.1.", "Spiel Preis", id="a protocol without a table"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, words: str):
    with pytest.raises(NotationError) as wrong:
        recognise(text)
    assert words in str(wrong.value)


@pytest.mark.skipif(VECTORS is None, reason="RENEGE_VECTORS names no folder")
def test_protocols_of_others_are_read():
    for file in sorted(Path(VECTORS or "").glob("schafkopf/*.txt")):
        deals = deals_of(file.read_text())
        assert deals
        assert replay(pick(deals, len(deals)), NAMES, "en").result


def test_a_file_that_cannot_be_read_names_no_traceback():
    text = str(play_at_random(find_game("tractor"), 1)).replace("takes", "robs")
    with pytest.raises(NotationError, match=r"line \d+: "):
        recognise(text)
