"""Is the solver's value that of a plain minimax over the engine's own plays, and do its bounds hold when cut off?"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from renege.core.cards import Cards, Hidden
from renege.core.position import Position, begin
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games import tractor
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK, NAMES, POINTS, TRUMP
from renege.games.tractor.rules import LevelGap, NoTrump, ThrowTest
from renege.games.tractor.score import multiplier
from renege.games.tractor.solve import house, pack
from renege.native import tractor as native_tractor
from renege.native import tractor_solve as native_tractor_solve
from renege.native.tractor import KernelRules
from renege.native.tractor_solve import Rounds
from support.tractor_moments import some_rules

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
RANKS, TRUMPS = "23456789TJQKA", ("C", "D", "H", "S", "NT")


@cache
def kernel_order(declaration: str) -> native_tractor.TractorOrder:
    return native_tractor.order(tractor.order(declaration), TRUMP)


def near_cards(rng: Random, declaration: str, count: int) -> list[int]:
    """Cards of few suits and few steps, so that pairs, runs and throws come up."""
    order = tractor.order(declaration)
    suits = rng.sample(range(5), rng.choice([1, 2, 2, 3]))
    steps = [step for suit in suits for step in order.steps[suit] if step]
    rng.shuffle(steps)
    keep = sum(sorted(steps, reverse=True)[: rng.choice([5, 8, 12])]) if rng.random() < 0.6 else sum(steps)
    cards = [card for card in range(len(NAMES)) if keep >> card & 1 for _ in range(2)]
    others = [card for card in range(len(NAMES)) if not keep >> card & 1 for _ in range(2)]
    rng.shuffle(others)
    cards += others[: max(0, count - len(cards))]
    rng.shuffle(cards)
    return cards[:count]


def deal(rng: Random, held: int) -> Position:
    """A round near its end: every seat has so many cards."""
    declaration = rng.choice(TRUMPS) + rng.choice(RANKS)
    cards = near_cards(rng, declaration, 4 * held)
    if rng.random() < 0.5:  # more pairs in one hand
        cards.sort(key=lambda card: (card * 7919) % 53)
    hands = tuple(DECK.cards(cards[held * seat : held * (seat + 1)]) for seat in range(4))
    banker = rng.randrange(4)
    position = begin(
        tractor.game(replace(some_rules(rng), level_gap=LevelGap.CLOSES, no_trump=NoTrump.LEVEL_CARDS)),
        Bank(declaration, banker, banker),
        hands,
        rng.randrange(4),
    )
    left = [card for card in range(len(NAMES)) for _ in range(2 - cards.count(card))]
    kitty = DECK.cards(rng.sample(left, 8)) if rng.random() < 0.7 else DECK.none
    return replace(position, kitty=kitty)


def endgames(seed: int, sizes: list[int], count: int) -> Iterator[Position]:
    """Rounds of few cards, some of them in the middle of a trick."""
    rng = Random(seed)
    for i in range(count):
        position = deal(rng, sizes[i % len(sizes)])
        for _ in range(rng.choice([0, 0, 1, 2, 3])):
            play = position.legal_plays.choose(rng)
            position = position.play(play)
        yield position


# --- the reference: every line to its end -------------------------------------------------------------------------


def attackers(position: Position) -> int:
    """What the attackers have, with what throws brought or cost them, and the kitty once the round is over."""
    contract, rules, memory = position.contract, position.game.rules, position.memory
    assert isinstance(contract, Bank)
    assert position.trick is not None
    assert position.order is not None
    side = 1 - contract.declarer % 2
    points = sum(position.points[side::2]) + rules.throw_penalty * (memory.stopped[1 - side] - memory.stopped[side])
    if not position.over:
        return points
    points = max(points, 0)
    if position.trick.leader % 2 == side:
        assert isinstance(position.kitty, Cards)
        times = multiplier(rules, memory.last, memory.last_pairs, memory.last_lead)
        points += position.order.worth(position.kitty) * times
    return points


def minimax(position: Position, known: dict[object, int]) -> int:
    """What the attackers come to; nothing is left out, only what was found between two tricks is kept."""
    if position.over:
        return attackers(position)
    assert position.trick is not None
    had = attackers(position)
    past = position.memory.voids if position.game.rules.throw_test is ThrowTest.PUBLIC_INFO else ()
    fined = had if position.game.rules.throw_penalty else 0
    key = None if position.trick.plays else (position.hands, position.trick.leader, past, fined)
    if key in known:
        return known[key] + had
    contract = position.contract
    assert isinstance(contract, Bank)
    values = [minimax(position.play(play), known) for play in position.legal_plays]
    assert position.turn is not None
    value = max(values) if (position.turn - contract.declarer) % 2 else min(values)
    if key is not None:
        known[key] = value - had
    return value


def true_plays(position: Position) -> dict[tuple[int, ...], int]:
    known: dict[object, int] = {}
    had = attackers(position)
    return {words(play.cards): minimax(position.play(play), known) - had for play in position.legal_plays}


def words(pile: Cards) -> tuple[int, ...]:
    return tuple(native_tractor.pile(list(pile)).tolist())


@dataclass(frozen=True)
class Case:
    position: Position
    order: native_tractor.TractorOrder
    house: KernelRules
    round: Rounds

    @property
    def attacks(self) -> bool:
        turn, contract = self.position.turn, self.position.contract
        assert turn is not None
        assert isinstance(contract, Bank)
        return (turn - contract.declarer) % 2 == 1


def case(position: Position) -> Case:
    contract = position.contract
    assert isinstance(contract, Bank)
    return Case(position, kernel_order(contract.declaration), house(position.game.rules), pack(position))


def found_plays(case: Case, **limits: Any) -> dict[tuple[int, ...], tuple[int, int]]:
    solved = native_tractor_solve.solve_plays(case.order, case.round, case.house, **limits)
    rows = zip(solved.plays.tolist(), solved.lower.tolist(), solved.upper.tolist(), strict=True)
    found = {tuple(play): (lower, upper) for play, lower, upper in rows}
    assert len(found) == len(solved.plays), "a play is listed twice"
    return found


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_a_plain_minimax(seed: int) -> None:
    for position in endgames(seed, [2, 2, 2, 3], 24 * min(SOAK, 25)):
        this = case(position)
        true = true_plays(position)
        assert found_plays(this) == {play: (value, value) for play, value in true.items()}, str(position)
        solved = native_tractor_solve.solve(this.order, this.round, this.house)
        best = max(true.values()) if this.attacks else min(true.values())
        assert (solved.lower[0], solved.upper[0]) == (best, best), str(position)


def test_bounds_hold_when_a_search_is_cut_off() -> None:
    open_ends = 0
    for position in endgames(50, [3, 4, 5], 30 * SOAK):
        this = case(position)
        true = native_tractor_solve.solve(this.order, this.round, this.house, slots=0).lower[0]
        plays = found_plays(this)
        best = (max if this.attacks else min)(plays.values())
        assert best == (true, true), str(position)  # found without memory, and without a list of all plays
        for most in (0, 1, 7, 40, 200):
            cut = native_tractor_solve.solve(this.order, this.round, this.house, most_nodes=most)
            assert cut.lower[0] <= true <= cut.upper[0], (most, str(position))
            assert cut.nodes[0] <= most
            open_ends += int(cut.lower[0] < cut.upper[0])
            for play, (lower, upper) in found_plays(this, most_nodes=most).items():
                assert lower <= plays[play][0] <= upper, (most, str(position))
    assert open_ends > 20
    late = native_tractor_solve.solve(this.order, this.round, this.house, most_seconds=0.0)
    assert late.lower[0] <= true <= late.upper[0]


def test_every_legal_play_is_listed_and_no_other() -> None:
    throws = 0
    for position in endgames(7, [4, 5, 6], 300 * SOAK):
        plays = {words(play.cards) for play in position.legal_plays}
        found = found_plays(case(position), most_nodes=0)
        assert set(found) == plays, str(position)
        throws += position.trick is not None and position.trick.lead is None and len(plays) > 15
    assert throws > 20


def test_memory_threads_and_old_machines_change_no_value() -> None:
    rng = Random(3)
    positions = [replace_contract(deal(rng, 5), "H7") for _ in range(12)]
    rounds, order = pack(*positions), kernel_order("H7")
    values = native_tractor_solve.solve(order, rounds)
    assert (values.lower == values.upper).all()
    choices: list[dict[str, Any]] = [{"threads": 3}, {"slots": 0}, {"slots": 16}, {"portable": True}]
    for options in choices:
        again = native_tractor_solve.solve(order, rounds, **options)
        np.testing.assert_array_equal(again.lower, values.lower)
        np.testing.assert_array_equal(again.upper, values.upper)


def replace_contract(position: Position, declaration: str) -> Position:
    hands = position.hands
    fresh = begin(tractor.game(), Bank(declaration, 1, 1), hands, 2)
    return replace(fresh, kitty=position.kitty)


def test_points_stand_where_the_kernel_has_them() -> None:
    """One trick of one card that counts, or none: what it brings one side or the other."""
    order = kernel_order("NT2")
    for card, points in enumerate(POINTS):
        low = [kind for kind in (1, 2, 14, 15) if kind != card][:3]
        hands = np.array([[native_tractor.pile([kind]) for kind in (card, *low)]], np.uint64)
        rounds = [at_the_start(hands, banker, 0) for banker in (0, 1)]
        assert sum(native_tractor_solve.solve(order, one).lower[0] for one in rounds) == points


def u8(value: int) -> np.ndarray:
    return np.array([value], np.uint8)


def at_the_start(hands: np.ndarray, banker: int, kitty: int) -> Rounds:
    """One round of `hands [1, 4, 2]` before its first lead, which is seat 0's."""
    table, pile = np.zeros((1, 4, 2), np.uint64), np.zeros((1, 2), np.uint64)
    kitties, nothing = np.array([kitty], np.uint16), np.zeros(1, np.int32)
    return Rounds(hands, table, u8(0), u8(banker), kitties, nothing, pile, np.zeros((1, 4), np.uint8), pile)


def test_positions_that_cannot_be_packed_are_refused() -> None:
    position = deal(Random(1), 3)
    with pytest.raises(WrongPhase, match="a hand is not told"):
        pack(replace(position, hands=(*position.hands[:2], Hidden(3), position.hands[3])))
    hands = tuple(DECK.cards(cards) for cards in ([1, 1, 2, 2], [14, 15, 16, 17], [27, 28, 29, 30], [40, 41, 42, 43]))
    grouped = begin(tractor.game(), Bank("NTA", 0, 0), hands, 0)
    lead = Play(DECK.cards([1, 1, 2, 2]), units=(DECK.cards([1, 1]), DECK.cards([2, 2])))
    with pytest.raises(WrongPhase, match="grouped"):
        pack(grouped.play(lead))


def bad_rounds() -> Iterator[tuple[str, Rounds]]:
    hands = np.array([[native_tractor.pile(cards) for cards in ([1, 1], [2, 3], [4, 5], [6, 7])]], np.uint64)
    empty, good = np.zeros((1, 4, 2), np.uint64), at_the_start(hands, 0, 0)
    three, longer, beyond, led = hands.copy(), hands.copy(), hands.copy(), empty.copy()
    three[0, 1] = native_tractor.pile([1, 2])
    longer[0, 1] = native_tractor.pile([2, 3, 8])
    beyond[0, 3, 0] = 1 << 54 | 1
    yield "three times", replace(good, hands=three)
    yield "shorter by the lead", replace(good, hands=longer)
    yield "does not have", replace(good, hands=beyond)
    yield "a seat is 0..3", replace(good, leaders=u8(4))
    yield "0 to 200 points", replace(good, kitties=np.array([205], np.uint16))
    yield "in fives", replace(good, kitties=np.array([7], np.uint16))
    led[0, [0, 2], 0] = 1 << 9
    yield "missing", replace(good, table=led)
    led = empty.copy()
    led[0] = [native_tractor.pile([card]) for card in (9, 10, 11, 12)]
    yield "four plays", replace(good, table=led)
    many = np.array([[native_tractor.pile(range(13 * seat, 13 * seat + 13)) for seat in range(4)]], np.uint64)
    yield "at most 12", replace(good, hands=many)


@pytest.mark.parametrize(
    ("why", "rounds"), list(bad_rounds()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_bad_rounds_are_refused(why: str, rounds: Rounds) -> None:
    with pytest.raises(ValueError, match=why):
        native_tractor_solve.solve(kernel_order("NT2"), rounds)
    with pytest.raises(ValueError, match=why):
        native_tractor_solve.solve_plays(kernel_order("NT2"), rounds)


def test_bad_limits_are_refused() -> None:
    position = case(deal(Random(1), 2))
    choices: list[dict[str, Any]] = [{"most_nodes": -1}, {"most_seconds": -1.0}, {"slots": 3}, {"threads": 0}]
    for options in choices:
        with pytest.raises(ValueError, match=r"most_nodes|most_seconds|slots|threads"):
            native_tractor_solve.solve(position.order, position.round, **options)


def test_without_time_no_play_is_made_for_any_of_the_plays() -> None:
    """A search that was stopped stays stopped, however many plays are still to be asked for."""
    for position in endgames(51, [5, 6], 6):
        this = case(position)
        assert native_tractor_solve.solve(this.order, this.round, this.house, most_seconds=0.0).nodes[0] == 0
        late = native_tractor_solve.solve_plays(this.order, this.round, this.house, most_seconds=0.0)
        assert late.nodes == 0
        assert len(late.plays)


def test_pairs_that_are_left_side_by_side_are_not_those_with_a_gap_between() -> None:
    """After the threes a run is left, which ends the round: 16 times the kitty. After another pair it is 4 times."""
    three, six, seven = (RANKS.index(rank) for rank in "367")
    idle = [[13 * suit + RANKS.index(rank) for rank in "234678"] for suit in (1, 2, 3)]  # nothing that counts
    hands = np.array([[native_tractor.pile(cards) for cards in ([three, six, seven] * 2, *idle)]], np.uint64)
    found = native_tractor_solve.solve_plays(kernel_order("NTA"), at_the_start(hands, 1, 10))
    assert np.array_equal(found.lower, found.upper)
    worth = {tuple(play): value for play, value in zip(found.plays.tolist(), found.lower.tolist(), strict=True)}
    pairs = [worth[tuple(native_tractor.pile([rank, rank]).tolist())] for rank in (three, six, seven)]
    assert pairs == [160, 40, 40]
