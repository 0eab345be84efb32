"""A game that another package adds works everywhere, and no shared module knows of it."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from renege.ask.serve import reply
from renege.belief import Belief
from renege.core import registry as games
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.position_text import parse_position
from renege.core.registry import add_game, find_game, parse_record
from renege.games.encoding import encoding_of
from renege.games.testing import check_game
from support.steering import SOAK

ROOT = Path(__file__).parents[2]


def renege(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "renege", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_short(vane: ModuleType):
    assert len((ROOT / "examples" / "vane" / "vane.py").read_text("utf-8").splitlines()) < 100


def test_no_shared_module_knows_of_it():
    sources = [path for folder in ("src", "kernel", "web/src") for path in (ROOT / folder).rglob("*") if path.is_file()]
    assert len(sources) > 200
    read = [path.read_text("utf-8") for path in sources if path.suffix in (".py", ".hpp", ".ts", ".svelte")]
    assert not [text for text in read if "vane" in text]


def test_it_conforms(vane: ModuleType):
    assert check_game(vane.game(), deals=10).acts == 330


def test_it_is_found_by_name_with_its_rules(vane: ModuleType):
    game = find_game("vane", {"target": "7"})
    assert game.rules.target == 7
    position = parse_position(game, "spades | led HA, H9 | hand H7 S7 C8")
    assert [str(play) for play in position.legal_plays] == ["H7"]
    why = "S7 does not follow hearts, and the hand holds H7; play H7"
    assert repr(position.judge("S7")) == f"<Verdict renege vane.follow-suit: {why}>"


def test_the_vane_beats_the_ace_of_trumps(vane: ModuleType):
    position = parse_position(vane.game(), "spades | led HA, SA, S7 | hand S8 | 0 leads")
    assert position.trick is not None
    assert position.trick.winner == 2


def test_worlds_keep_to_the_voids(vane: ModuleType):
    """What belief draws replays without a renege, and looks the same from the seat."""
    encoding, rng = encoding_of(vane.game()), random.Random(4)
    moment = encoding.deal(4)
    while not moment.over:
        assert moment.turn is not None
        seat, belief = moment.turn, Belief(moment.view(moment.turn))
        for world in belief.draw(3, 1):
            record = belief.record(world)
            list(record.replay())
            start = record.start
            assert isinstance(start.kitty, Cards)
            other = encoding.begin(
                [hand for hand in start.hands if isinstance(hand, Cards)], start.kitty, start.standing
            )
            for act in record.acts:
                other = other.act(act.what)
            assert (other.observe(seat) == moment.observe(seat)).all()
        moment = moment.after(rng.choice(moment.legal))
    assert sum(moment.rewards) == 0


def test_the_commands_know_it(vane: ModuleType, tmp_path: Path):
    assert "vane.follow-suit" in renege(tmp_path, "rules", "vane")
    told = renege(tmp_path, "arena", "vane", "rulebook", "random", "--pairs", "40", "--seed", "3", "--workers", "2")
    assert "vane" in told and "rulebook" in told


# -- on the wire


def ask(**question: Any) -> dict[str, Any]:
    return json.loads(reply(json.dumps(question).encode())[0])


def test_the_wire_lists_it_after_the_three(vane: ModuleType, tmp_path: Path):
    command = [sys.executable, "-m", "renege", "ask"]
    done = subprocess.run(
        command, input='{"ask": "version"}', capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert json.loads(done.stdout)["games"] == ["texas42", "tractor", "schafkopf", "vane"]


def test_the_wire_judges_and_lists_as_the_position_does(vane: ModuleType):
    rng = random.Random(17)
    for _ in range(60 * SOAK):
        trump = rng.choice(vane.NOUNS)
        *table, hand = _piles(vane, rng, rng.randint(0, 3), rng.randint(1, 5))
        position = parse_position(vane.game(), f"{trump} | led {', '.join(table)} | hand {hand} | 0 leads")
        said = {"game": "vane", "declaration": trump, "trick": table, "hand": hand}
        assert ask(ask="legal_plays", **said)["plays"] == sorted(map(str, position.legal_plays))
        for card in hand.split():
            answer, verdict = ask(ask="legal", play=card, **said), position.judge(card)
            assert (answer["legal"], answer.get("instead")) == (verdict.legal, verdict.instead)
            assert answer["rule"] == (verdict.rule and verdict.rule.id) and answer["why"]


def test_the_wire_names_the_winner(vane: ModuleType):
    said = {"ask": "winner", "game": "vane", "declaration": "spades"}
    assert ask(plays=["HA", "SA", "S7", "CA"], **said) == {
        "winner": 2,
        "points": 2,
        "excluded": [None, None, None, "CA does not follow hearts and is no trump"],
    }
    assert ask(plays=["HA", "H7", "CA", "H8"], **said) == {
        "winner": 0,
        "points": 1,
        "excluded": [None, None, "CA does not follow hearts and is no trump", None],
    }


def test_the_wire_deals_its_cards_under_its_suits(vane: ModuleType):
    said = {"ask": "deals", "game": "vane", "declaration": "spades", "cards": "HA S7 C8"}
    answer = ask(hands=[{"size": 1, "void": ["S"]}, {"size": 2}], **said)
    assert answer == {"deals": "2", "distinct": "2"}


def test_the_wire_solves_open_hands_as_trying_every_line_does(vane: ModuleType):
    rng = random.Random(23)
    for _ in range(12 * SOAK):
        trump, leader, laid = rng.choice(vane.NOUNS), rng.randrange(4), rng.randint(0, 3)
        position = parse_position(vane.game(), f"{trump} | {_open(vane, rng, 3)} | {leader} leads | {TAKEN}")
        for _ in range(laid):
            position = position.put(position.legal_plays.choose(rng))
        assert position.trick is not None
        said = {"declaration": trump, "leader": leader, "trick": [str(play) for play in position.trick.plays]}
        answer = ask(ask="solve", game="vane", hands=[str(hand) for hand in position.hands], **said)
        each = {str(play): _most(position.put(play)) - _ours(position) for play in position.legal_plays}
        assert answer == {"value": (min if position.turn in (1, 3) else max)(each.values()), "plays": each}
        assert position.solve().value == answer["value"]


TAKEN = "points 0 5 0 0 | tricks 0 5 0 0"


def _open(vane: ModuleType, rng: random.Random, size: int) -> str:
    cards = rng.sample(vane.DECK.names, 4 * size)
    return " | ".join(f"{seat}: {' '.join(cards[seat * size : (seat + 1) * size])}" for seat in range(4))


def _ours(position: Position) -> int:
    return sum(position.points[::2])


def _most(position: Position) -> int:
    """What seats 0 and 2 have in the end, if everybody plays as well as possible; every line is tried."""
    if position.over:
        return _ours(position)
    best = min if position.turn in (1, 3) else max
    return best(_most(position.put(play)) for play in position.legal_plays)


def test_solve_and_hint_know_it(vane: ModuleType, tmp_path: Path):
    hands = "0: HA S7 | 1: HK H9 | 2: C8 C9 | 3: D8 SA"
    told = renege(tmp_path, "solve", "--game", "vane", f"spades | {hands} | 0 leads | points 0 6 0 0 | tricks 0 6 0 0")
    assert "points that seats 0 and 2 still win" in told and "value 3" in told
    table, rng = Arbiter(vane.game(), 5), random.Random(5)
    for _ in range(14):
        seat, position = table.position.turn, table.position
        assert seat is not None
        table.act(seat, rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng))
    (tmp_path / "game.txt").write_text(str(table.record), "utf-8")
    told = renege(tmp_path, "hint", "game.txt", "--worlds", "20")
    assert f"seat {table.position.turn} to play" in told and "best" in told and "20 worlds" in told


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"ask": "score"}, "'score' is answered for texas42 tractor schafkopf, not for vane, of which one may ask"),
        ({"ask": "phi"}, "'phi' is answered for tractor, not for vane, of which one may ask version deals legal"),
        ({"ask": "weather"}, "'ask' is one of version deals legal legal_plays winner solve; 'weather' is not"),
        (
            {"ask": "legal", "declaration": "stars", "hand": "HA", "play": "HA"},
            "'stars' is no call here: clubs, ",
        ),
        ({"ask": "legal", "declaration": "clubs", "hand": "H9", "play": "HA"}, "'HA' is not in the hand 'H9'"),
        ({"ask": "legal", "declaration": "clubs", "hand": "H9", "lead": "H9", "play": "H9"}, "H9 comes 2 times"),
        ({"ask": "legal_plays", "declaration": "clubs", "hand": "H9", "memory": "x"}, "this game remembers nothing"),
        ({"ask": "legal_plays", "declaration": "clubs", "hand": "H9", "trick": ["HA"], "lead": "HA"}, "one of them is"),
        (
            {"ask": "legal_plays", "declaration": "clubs", "hand": "H9", "trick": ["HA", "HK", "HQ", "HJ"]},
            "4 plays lie on the table, and the trick is over with them",
        ),
        ({"ask": "winner", "declaration": "clubs", "plays": ["HA"]}, "a trick here has 4 plays, and 'HA' has 1"),
        (
            {"ask": "winner", "declaration": "clubs", "plays": ["HA", "SA", "S7 S9", "C8"]},
            "'S7 S9' is no play in a trick: each has as many cards as the lead",
        ),
        (
            {"ask": "winner", "declaration": "clubs", "plays": ["HA", "SA", "S7", ""]},
            "'' is no play in a trick: each has as many cards as the lead",
        ),
        ({"ask": "legal_plays", "declaration": "clubs", "hand": "H9", "rules": {"wind": "west"}}, "wind"),
    ],
)
def test_what_the_wire_does_not_know_of_it_is_refused_in_a_sentence(
    vane: ModuleType, question: dict[str, Any], says: str
):
    answer = ask(game="vane", **question)
    assert says in answer["error"] and "fault" not in answer["error"]


def _piles(vane: ModuleType, rng: random.Random, table: int, hand: int) -> list[str]:
    cards = rng.sample(vane.DECK.names, table + hand)
    return [*cards[:table], " ".join(cards[table:])]


def test_a_record_reads_back(vane: ModuleType):
    table, rng = Arbiter(vane.game(), 5), random.Random(5)
    while (seat := table.position.turn) is not None:
        position = table.position
        what = rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
        assert table.act(seat, what)
    assert parse_record(str(table.record)) == table.record


def test_its_own_module_may_be_imported_first(vane: ModuleType, tmp_path: Path):
    """Then it is half there while Renege looks for games, and is found once it is whole."""
    script = "import vane; from renege.core.registry import find_game; assert find_game('vane').deck is vane.DECK"
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


# -- what cannot be added


def test_a_module_that_is_no_game_is_refused(vane: ModuleType):
    with pytest.raises(ValueError, match="random is no game: it has no game, no Rules, no PRESETS"):
        add_game(random)
    other = ModuleType("other")
    other.__dict__.update(game=vane.game, Rules=vane.Rules, PRESETS={})
    with pytest.raises(ValueError, match="there is a game vane already"):
        add_game(other)
    other.__dict__["game"] = lambda rules: replace(vane.game(rules), name="vane-small")
    with pytest.raises(ValueError, match="vane-small is no name for a game: those that end in -small are reduced"):
        add_game(other)


def test_a_small_game_needs_rules_of_its_own(vane: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vane, "small", 3, raising=False)  # some other thing of that name
    assert "vane-small" not in games.small_games()
    with pytest.raises(NotationError, match="unknown game 'vane-small'"):
        find_game("vane-small")


def test_an_installed_game_that_is_broken_is_told_of_and_left_out():
    broken = EntryPoint("broken", "no_such_module_anywhere", games.ADDED_BY)
    with pytest.warns(UserWarning, match="the game 'broken' .* cannot be used: No module named"):
        games._add_installed([broken])
    assert "broken" not in games.GAMES
