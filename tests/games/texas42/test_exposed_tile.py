"""Tiles shown too early: the duty to play them against the reference, and who else must know of it."""

import json
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from reference import texas42 as reference
from renege import NotationError, judge, parse_record, texas42
from renege.agents import Rulebook, Searcher
from renege.ask.serve import reply
from renege.belief import Belief
from renege.core.cards import Cards, Hand
from renege.core.deal_state import Act
from renege.core.position import Position
from renege.core.record import Record, new_record
from renege.core.verdict import WrongPhase
from renege.games.texas42.claim import claim
from renege.games.texas42.contract import Hand42
from renege.games.texas42.rules import EarlyEnd, ExposedTile, Rules
from renege.games.texas42.small import Small
from renege.games.texas42.solve import solve
from support.steering import CONTRACTS, SOAK, deals_for, steer
from support.texas42_scores import score_question

RULES = Rules(exposed_tile=ExposedTile.MUST_PLAY, early_end=EarlyEnd.PLAY_ON)
GAME = texas42.game(RULES)


def ends(hand: Hand) -> list[reference.Tile]:
    assert isinstance(hand, Cards)
    return [reference.TILES[card] for card in hand]


def begun(contract: tuple[str, str], seed: int) -> Record:
    """A deal whose auction is over."""
    record, rng = new_record(GAME, next(deals_for(contract[0], GAME, seed))), random.Random(seed)
    position, choose = record.position, steer(*contract)
    while position.talking:
        act = position.read(choose(position, rng))
        position, record = position.then(act), record.with_act(act)
    return record


def a_tile_falls(position: Position, rng: random.Random) -> Act | None:
    """Some seat that plays shows one of its tiles."""
    seat = rng.choice(position.active)
    hand = position.hands[seat]
    assert isinstance(hand, Cards)
    return (
        position.read(f"expose {rng.choice(list(map(texas42.DECK.names.__getitem__, hand)))}", seat) if hand else None
    )


def test_a_tile_that_lies_face_up_is_played_when_the_reference_says():
    rng, found = random.Random(6), Counter[bool]()
    for number in range(40 * SOAK):
        contract = CONTRACTS[number % len(CONTRACTS)]
        record = begun(contract, number)
        position, shown = record.position, dict[int, list[reference.Tile]]()
        terms = position.contract
        assert isinstance(terms, Hand42)
        while not position.over:
            if rng.random() < 0.15 and (fell := a_tile_falls(position, rng)):
                shown.setdefault(fell.seat, []).append(reference.parse_tile(str(fell.what).removeprefix("expose ")))
                position, record = position.then(fell), record.with_act(fell)
                assert texas42.position(str(position), RULES) == position
            assert position.trick is not None and position.turn is not None
            trick = [ends(play.cards)[0] for play in position.trick.plays]
            allowed = reference.legal_plays(
                ends(position.hand), trick[0] if trick else None, terms.declaration, terms.doubles.value
            )
            expected = reference.with_face_up(allowed, shown.get(position.turn, []))
            choices = list(position.legal_plays)
            assert sorted(ends(play.cards)[0] for play in choices) == sorted(expected), str(position)
            found[len(expected) < len(allowed)] += 1
            act = position.read(rng.choice(choices))
            position, record = position.then(act), record.with_act(act)
        if number % 10 == 0:
            assert judge(record)
            assert parse_record(str(record)) == record
            check_ask(record)
    assert min(found.values()) > 50 * SOAK


def check_ask(record: Record) -> None:
    question = score_question(record, exposed_tile="must-play")
    told = json.loads(reply(json.dumps(question).encode())[0])
    assert record.position.result is not None
    assert (told["marks"], told["renege"]) == (list(record.position.result.score[:2]), None)


def ask(**fields: object) -> dict[str, object]:
    question = {"ask": "legal_plays", "game": "texas42", "declaration": "5", "hand": "6-6 6-1 3-1", "lead": "6-4"}
    return json.loads(reply(json.dumps(question | fields).encode())[0])


def test_the_wire_is_told_what_lies_face_up():
    house = {"rules": {"exposed_tile": "must-play"}}
    assert ask(**house, exposed="6-1")["plays"] == ["6-1"]
    assert ask(**house, exposed="3-1")["plays"] == ["6-1", "6-6"]
    only = ask(**house, ask="legal", lead="4-4", play="6-1", exposed="6-1")
    assert (only["legal"], only["why"]) == (True, "6-1 lies face up and is to be played")
    assert "not written down" in str(ask(exposed="6-1")["error"])
    assert "not in the hand" in str(ask(**house, exposed="6-2")["error"])


def test_the_judge_finds_a_tile_that_was_held_back():
    record = begun(("30", "trump 5"), 1)
    seat = record.position.turn
    assert seat is not None
    hand = record.position.hands[seat]
    assert isinstance(hand, Cards)
    first, second, *_ = hand
    names = texas42.DECK.names
    for what in (f"expose {names[first]}", names[second]):
        record = record.with_act(record.position.read(what, seat))
    (breach,) = judge(record).breaches
    assert (breach.seat, breach.rule.id) == (seat, "texas42.exposed-tile")
    seen = judge(Record(record.view((seat + 1) % 4).start, record.view((seat + 1) % 4).acts))
    assert not seen.breaches  # from outside the tile that was held back is not among those played yet


def test_everybody_has_seen_it():
    record = begun(("30", "trump 5"), 4)
    seat = (record.position.turn or 0) ^ 1
    hand = record.position.hands[seat]
    assert isinstance(hand, Cards)
    tile = next(iter(hand))
    record = record.with_act(record.position.read(f"expose {texas42.DECK.names[tile]}", seat))
    for other in range(4):
        if other != seat:
            belief = Belief(record.view(other))
            assert belief.odds(tile)[seat] == 1
            assert all(tile in world.hands[seat] for world in belief.draw(10, seed=1))


@pytest.mark.parametrize("player", [Rulebook(), Searcher(worlds=4)], ids=["rulebook", "searcher"])
def test_players_keep_the_duty(player: Rulebook | Searcher):
    rng = random.Random(8)
    for seed in range(4):
        record = begun(("31", "trump 5"), seed)
        while (seat := record.position.turn) is not None:
            if rng.random() < 0.2 and (fell := a_tile_falls(record.position, rng)):
                record = record.with_act(fell)
            record = record.with_act(record.position.read(player.choose(record.view(seat), rng).what))
        assert judge(record)


def test_where_it_is_not_worked_out_it_is_refused_by_name():
    text = "trump 5 exposed 0 3-1 | 0: 5-5 3-1 | 1: 6-6 6-5 | 2: 4-4 2-2 | 3: 0-0 1-1"
    position = texas42.position(text, RULES)
    with pytest.raises(WrongPhase, match="a tile lies face up"):
        solve(position)
    with pytest.raises(WrongPhase, match="nothing is claimed"):
        claim(position, 0)
    played = texas42.position(text.replace("0: 5-5 3-1", "0: 5-5 2-1"), RULES)  # it has gone, and nothing is owed
    never = texas42.position(text.replace(" exposed 0 3-1", "").replace("0: 5-5 3-1", "0: 5-5 2-1"), RULES)
    assert (solve(played), claim(played, 0)) == (solve(never), claim(never, 0))
    with pytest.raises(ValueError, match="exposed_tile is must-play"):
        Small(exposed_tile=ExposedTile.MUST_PLAY)


@pytest.mark.parametrize("said", ["expose 6-6", "expose", "expose 5-5 3-1", "show 5-5"])
def test_what_is_no_exposure_is_refused(said: str):
    position = texas42.position("trump 5 | 0: 5-5 3-1 | 1: 6-6 6-5 | 2: 4-4 2-2 | 3: 0-0 1-1", RULES)
    with pytest.raises(NotationError):
        position.floor(0).read(said)
    with pytest.raises(WrongPhase):
        texas42.position("trump 5 | 0: 5-5 3-1").floor(0)
    with pytest.raises(NotationError, match="not written down"):
        texas42.position("trump 5 exposed 0 3-1 | 0: 5-5 3-1")


@pytest.mark.parametrize(
    ("allowed", "face_up", "left"),
    [(["6-6", "6-1"], ["6-1"], ["6-1"]), (["6-6", "6-1"], ["3-1"], ["6-6", "6-1"]), (["6-6"], [], ["6-6"])],
)
def test_reference_a_face_up_tile_goes_first(allowed: Sequence[str], face_up: Sequence[str], left: Sequence[str]):
    tiles = [[reference.parse_tile(text) for text in part] for part in (allowed, face_up, left)]
    assert reference.with_face_up(tiles[0], tiles[1]) == tiles[2]
