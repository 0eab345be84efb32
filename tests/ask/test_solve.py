"""Is what `renege ask` solves what a plain minimax over the engine's own plays finds?

The questions are written from random endgames, the values found by trying every line of play. Endgames that can be
worked out by hand are in `data/answers/*_solve.jsonl`.
"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from renege import texas42
from renege.ask.serve import reply
from renege.core.cards import Cards
from renege.core.position import Position, begin
from renege.games import schafkopf, tractor
from renege.games.schafkopf.memory import Memory
from renege.games.texas42.contract import read_contract as read_42
from renege.games.texas42.rules import EarlyEnd, SevensTie
from renege.games.texas42.rules import Rules as Rules42
from renege.games.tractor.declare import Bank
from renege.games.tractor.rules import Rules as RulesTractor
from renege.games.tractor.rules import StoppedThrow

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
Question = dict[str, Any]
Count = Callable[[Position], int]  # what the takers have

ENDGAMES_42 = [
    ("0", None), ("5", None), ("doubles", None), ("follow-me", "high"), ("follow-me", "low"), ("follow-me", "own"),
    ("nello", "high"), ("nello", "low"), ("nello", "own"), ("nello", "own-inverted"), ("sevens", None),
]  # fmt: skip
ENDGAMES_SCHAFKOPF = [
    "hochzeit", "wenz", "geier", "solo H", "solo E tout", "farbwenz G", "farbgeier S", "sie", "bettel",
]  # fmt: skip


def ask(question: Question) -> Question:
    answer, good = reply(json.dumps(question).encode())
    assert good, answer
    return json.loads(answer)


Known = dict[tuple[object, ...], int]


def minimax(position: Position, count: Count, wants: set[int], known: Known) -> int:
    """What the takers still get, those in `wants` wanting it large and the others small; every line is tried."""
    if position.over:
        return 0
    assert position.trick is not None
    key = (
        position.hands,
        position.trick,
        getattr(position.memory, "leaders", None),
        getattr(position.memory, "last", None),
    )
    if key not in known:
        values = each_play(position, count, wants, known).values()
        known[key] = max(values) if position.turn in wants else min(values)
    return known[key]


def each_play(position: Position, count: Count, wants: set[int], known: Known) -> dict[str, int]:
    now, found = count(position), dict[str, int]()
    for play in position.legal_plays:
        then = position.play(play)
        found[str(play)] = count(then) - now + minimax(then, count, wants, known)
    return found


def points_of(seats: set[int]) -> Count:
    return lambda position: sum(position.points[seat] for seat in seats)


def check(
    question: Question, position: Position, takers: set[int], loser: int | None, count: Count | None = None
) -> None:
    """Points and three targets or, where a declarer is to lose every trick, whether he does."""
    if loser is not None:
        others = set(position.active) - {loser}
        plays = each_play(position, lambda then: then.tricks[loser], others, {})
        kept = {play: not tricks for play, tricks in plays.items()}
        value = all(kept.values()) if position.turn in others else any(kept.values())
        assert ask(question) == {"value": value, "plays": kept}
        return
    plays = each_play(position, count or points_of(takers), takers, {})
    value = max(plays.values()) if position.turn in takers else min(plays.values())
    assert ask(question) == {"value": value, "plays": plays}
    assert ask(question | {"objective": "points"}) == {"value": value, "plays": plays}
    for target in (0, max(value, 0), max(value, 0) + 1):
        made = {play: found >= target for play, found in plays.items()}
        assert ask(question | {"objective": f"make:{target}"}) == {"value": value >= target, "plays": made}


def told(position: Position) -> Question:
    assert position.trick is not None
    return {
        "ask": "solve",
        "game": position.game.name,
        "hands": [str(hand) for hand in position.hands],
        "leader": position.trick.leader,
        "trick": [str(play) for play in position.trick.plays],
    }


def play_on(rng: Random, position: Position) -> Position:
    """The position after up to four legal plays."""
    for _ in range(rng.choice([0, 0, 1, 2, 3, 4])):
        position = position.play(position.legal_plays.choose(rng))
    return position


@pytest.mark.parametrize(("declaration", "doubles"), ENDGAMES_42)
def test_42_is_solved_as_by_a_plain_minimax(declaration: str, doubles: str | None):
    rules = Rules42(early_end=EarlyEnd.PLAY_ON)
    game, rng = texas42.game(rules), Random(f"{declaration} {doubles}")
    nello, size = declaration == "nello", 3
    for _ in range(6 * SOAK):
        declarer = rng.randrange(4)
        contract = read_42(rules, f"{declaration}{f' doubles {doubles}' if doubles else ''} by {declarer}")
        seats = game.seats(contract)
        tiles = rng.sample(range(28), 4 * size)
        piles = [tiles[seat * size : (seat + 1) * size] if seat in seats else [] for seat in range(4)]
        position = play_on(rng, begin(game, contract, tuple(map(game.deck.cards, piles)), rng.choice(seats)))
        question = told(position) | {"declaration": declaration, "rules": {"doubles": doubles} if doubles else {}}
        check(question | ({"declarer": declarer} if nello else {}), position, {0, 2}, declarer if nello else None)


def test_sevens_with_ties_to_the_declarers_is_solved_as_by_a_plain_minimax():
    house = {"sevens_tie": "declarers"}
    rules, rng = Rules42(early_end=EarlyEnd.PLAY_ON, sevens_tie=SevensTie.DECLARERS), Random(7)
    game, size = texas42.game(rules), 4
    for _ in range(12 * SOAK):
        declarer = rng.randrange(4)
        tiles = rng.sample(range(28), 4 * size)
        piles = [tiles[seat * size : (seat + 1) * size] for seat in range(4)]
        contract = read_42(rules, f"sevens by {declarer}")
        position = play_on(rng, begin(game, contract, tuple(map(game.deck.cards, piles)), rng.randrange(4)))
        question = told(position) | {"declaration": "sevens", "rules": house, "declarer": declarer}
        check(question, position, {0, 2}, None)
    refused, good = reply(json.dumps({key: question[key] for key in question if key != "declarer"}).encode())
    assert not good
    assert b"who wins ties in sevens" in refused


@pytest.mark.parametrize("declaration", ENDGAMES_SCHAFKOPF)
def test_schafkopf_is_solved_as_by_a_plain_minimax(declaration: str):
    game, rng = schafkopf.game(), Random(declaration)
    size = 3
    for _ in range(6 * SOAK):
        declarer, partner = rng.sample(range(4), 2)
        named = f"{declaration} by {declarer}{f' with {partner}' if declaration == 'hochzeit' else ''}"
        contract = schafkopf.read_contract(game.rules, named)
        cards = rng.sample(range(32), 4 * size)
        piles = [cards[seat * size : (seat + 1) * size] for seat in range(4)]
        start = begin(game, contract, tuple(map(game.deck.cards, piles)), rng.randrange(4))
        position = play_on(rng, start.resume(tricks=(game.hand_size - size, 0, 0, 0)))
        question = told(position) | {"declaration": declaration, "declarer": declarer}
        if declaration == "hochzeit":
            check(question | {"partner": partner}, position, {declarer, partner}, None)
        else:
            check(question, position, {declarer}, declarer if declaration == "bettel" else None)


@pytest.mark.parametrize("named", ["E", "G", "S", "G renonce", "SZ"])
@pytest.mark.parametrize("state", ["nothing", "searched", "ran", "gone"])
def test_a_rufspiel_is_solved_as_by_a_plain_minimax(named: str, state: str):
    """The partner holds the called ace and two more of its suit at most, or has played it before."""
    game, rng = schafkopf.game(), Random(f"{named} {state}")
    suit, ten = named[0], named.endswith("Z")
    ace = game.deck.spellings[f"{suit}{'Z' if ten else 'A'}"]
    plain = "AK987" if ten else "ZK987"
    called = [card for card, name in enumerate(game.deck.names) if name[0] == suit and name[1] in plain]
    for _ in range(6 * SOAK):
        declarer, partner = rng.sample(range(4), 2)
        contract = schafkopf.read_contract(game.rules, f"rufspiel {named} by {declarer}")
        first = [] if state == "gone" else [ace, *rng.sample(called, rng.choice([0, 1, 2, 2]))]
        size = 3
        rest = rng.sample([card for card in range(32) if card not in (ace, *first)], 4 * size - len(first))
        piles = [[], [], [], []]
        piles[partner] = list(first)
        for seat in range(4):
            while len(piles[seat]) < size:
                piles[seat].append(rest.pop())
        leaders = {"searched": 1 << declarer, "ran": 1 << partner}.get(state, 0)
        start = begin(game, contract, tuple(map(game.deck.cards, piles)), rng.randrange(4))
        memory = Memory(leaders=leaders, ace=partner if state == "gone" else None)
        start = start.resume(tricks=(game.hand_size - size, 0, 0, 0), memory=memory)
        position = start
        for _ in range(rng.choice([0, 0, 1, 2, 3])):  # within the first trick: later ones would change the state
            position = position.play(position.legal_plays.choose(rng))
        question = told(position) | {"declaration": f"rufspiel {named}", "declarer": declarer}
        question |= {"called": {state: True}} if leaders else {}
        question |= {"partner": partner} if state == "gone" else {}
        check(question, position, {declarer, partner}, None)


def test_the_first_lead_is_bound_by_the_house():
    """With seven tiles in hand the table may ask for a trump."""
    deal = ["5-5 4-4 3-3 2-2 1-1 0-0 6-6", "5-4 5-3 5-2 5-1 5-0 6-5 6-0", "4-3 4-2 4-1 4-0 6-4 6-3 6-2"]
    deal.append("3-2 3-1 3-0 2-1 2-0 1-0 6-1")
    question = {"ask": "solve", "game": "texas42", "declaration": "5", "hands": deal, "leader": 0}
    free = ask(question)
    bound = ask(question | {"rules": {"opening_lead": "trump"}})
    assert len(free["plays"]) == 7
    assert bound["plays"] == {"5-5": free["plays"]["5-5"]}
    refused, good = reply(json.dumps(question | {"leader": 1, "rules": {"opening_lead": "small-end"}}).encode())
    assert not good
    assert b"cannot be worked out" in refused


@pytest.mark.parametrize("declaration", ["S2", "H5", "NT7"])
def test_tractor_is_solved_as_by_a_plain_minimax(declaration: str):
    """Throws that are stopped are no plays here: they come to a unit that can be led by itself."""
    game, rng = tractor.game(RulesTractor(stopped_throw=StoppedThrow.REFUSED)), Random(declaration)
    for _ in range(12 * SOAK):
        size, banker = rng.choice([1, 2, 3]), rng.randrange(4)
        near = [card for card in range(54) for _ in range(2) if rng.random() < 0.35]
        cards = rng.sample(near, 4 * size)
        kitty = game.deck.cards(rng.sample(list(game.deck.all - game.deck.cards(cards)), 8))
        piles = [cards[seat * size : (seat + 1) * size] for seat in range(4)]
        contract = Bank(declaration, banker, banker)
        start = begin(game, contract, tuple(map(game.deck.cards, piles)), rng.randrange(4))
        position = play_on(rng, replace(start, kitty=kitty))
        if position.over:
            continue
        question = told(position) | {"declaration": declaration, "banker": banker, "kitty": str(kitty)}
        check(question, position, {0, 2}, None, kitty_counted)


def kitty_counted(position: Position) -> int:
    """What the side of seat 0 has: its tricks, and the kitty for it or against it once the round is over."""
    assert position.contract is not None
    assert position.contract.declarer is not None
    assert position.order is not None
    assert position.trick is not None
    assert isinstance(position.kitty, Cards)
    attackers = 1 - position.contract.declarer % 2
    won = position.over and position.trick.leader % 2 == attackers
    buried = position.order.worth(position.kitty) * 2**position.memory.last if won else 0
    return sum(position.points[::2]) + (buried if attackers == 0 else -buried)
