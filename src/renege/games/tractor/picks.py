"""Which cards may be picked next so that the pick can still become a legal play, without listing plays.

Any cards of one suit are a lead, unless the table restricts throws: then what is picked must lie in one unit, or in a
throw that is proved safe. A follow has the length of the lead. Where the hand has more of the suit than that, a few of
its pairs are owed; the cheapest set of pairs that keeps to the duties says how many cards are spoken for, and only
when all that are left are spoken for is anything closed.
"""

from collections.abc import Iterator
from functools import lru_cache

from renege.core.cards import Cards, kinds_in
from renege.core.game import Turn
from renege.core.trick import Play
from renege.games.tractor.follow import owed
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import ThrowTest, TrumpThrows
from renege.games.tractor.throws import LEAD, could_beat, unseen
from renege.games.tractor.units import Runs, led_shape

Weights = tuple[int, ...]  # the pairs on a step by the copies that are still to be picked, fewest first
Cost = tuple[int, int]  # pairs of which one copy is picked, pairs of which none is


def picks(turn: Turn, chosen: Cards) -> tuple[int, bool]:
    """The kinds that may be picked next, as a mask, and whether what is chosen may be led as it is."""
    if turn.trick.lead is not None:
        return _follow_picks(turn, chosen), False
    whole = bool(chosen) and all(check(turn, Play(chosen)) is None for check in LEAD)
    return _lead_picks(turn, chosen), whole


# -- leading


def _lead_picks(turn: Turn, chosen: Cards) -> int:
    rest, suit = (turn.hand - chosen).kinds, turn.order.suit_of(chosen)
    if suit is None:
        return rest  # any card may be led by itself
    rest &= turn.order.leads[suit]
    if _throws_freely(turn, suit):
        return rest
    deck = turn.hand.deck
    return sum(1 << card for card in kinds_in(rest) if _becomes_lead(turn, suit, chosen + deck.of(1 << card)))


def _may_throw(turn: Turn, suit: int) -> bool:
    return suit != TRUMP or turn.rules.trump_throws is TrumpThrows.ALLOWED


def _throws_freely(turn: Turn, suit: int) -> bool:
    """May any cards of a suit be tried? Whether they stand is seen afterwards."""
    return _may_throw(turn, suit) and turn.rules.throw_test is not ThrowTest.PUBLIC_INFO


def _becomes_lead(turn: Turn, suit: int, chosen: Cards) -> bool:
    if _in_unit(turn, suit, chosen):
        return True
    return _may_throw(turn, suit) and _in_safe_throw(turn, suit, chosen)


def _in_unit(turn: Turn, suit: int, chosen: Cards) -> bool:
    """Does the hand have a single, a pair or a tractor with these cards in it?"""
    kinds, pairs = chosen.kinds, turn.hand.at_least(2)
    if kinds & (kinds - 1) == 0:
        return True
    if kinds & ~pairs:
        return False
    steps = turn.order.steps[suit]
    on = [i for i, step in enumerate(steps) if kinds & step]
    return len(on) == kinds.bit_count() and all(pairs & step for step in steps[on[0] : on[-1] + 1])


def _in_safe_throw(turn: Turn, suit: int, chosen: Cards) -> bool:
    """Does the hand have a throw with these cards in it that is proved safe?

    A longer run and a higher one is safer, so pairs that are needed go with all the pairs beside them. Of pairs on one
    step but one goes with the run, and each other stands alone.
    """
    pairs = turn.order.in_suit(turn.hand, suit).at_least(2)
    lone = chosen.kinds & ~chosen.at_least(2)
    needed = chosen.at_least(2) | sum(1 << card for card in kinds_in(lone) if not _safe(turn, suit, 1 << card, 1))
    if needed & ~pairs:
        return False
    steps = turn.order.steps[suit]
    for stretch in _stretches(pairs, steps):
        if not any(needed & step for step in stretch):
            continue
        if not _safe(turn, suit, sum(_first(pairs & step) for step in stretch), 2):
            return False
        crowd = next((step for step in stretch if (needed & step).bit_count() > 1), 0)
        if crowd and not _safe(turn, suit, _first(pairs & crowd), 2):
            return False
    return True


def _stretches(pairs: int, steps: tuple[int, ...]) -> Iterator[list[int]]:
    """Neighbouring steps with a pair on each, as far as they go."""
    stretch: list[int] = []
    for step in (*steps, 0):
        if pairs & step:
            stretch.append(step)
        elif stretch:
            yield stretch
            stretch = []


def _first(kinds: int) -> int:
    return 1 << kinds.bit_length() - 1


def _safe(turn: Turn, suit: int, kinds: int, copies: int) -> bool:
    voids = [void for seat, void in enumerate(turn.memory.voids) if seat != turn.seat]
    return not could_beat(turn.order, suit, Cards(turn.hand.deck, (kinds,) * copies), unseen(turn), voids)


# -- following


def _follow_picks(turn: Turn, chosen: Cards) -> int:
    assert turn.trick.lead is not None
    led = len(turn.trick.lead.cards)
    if len(chosen) == led:
        return 0
    own = 0 if turn.led is None else turn.order.follow[turn.led]
    held, rest = turn.hand.only(own), turn.hand - chosen
    if len(held) <= led:  # all of it goes, and anything else with it
        others = len(chosen.only(~own))
        return rest.kinds if others < led - len(held) else rest.kinds & own
    if least(turn, held, chosen) < led:
        return rest.kinds & own
    deck = turn.hand.deck
    pairs = kinds_in(held.at_least(2) & rest.kinds)
    return sum(1 << card for card in pairs if least(turn, held, chosen + deck.of(1 << card)) <= led)


def least(turn: Turn, held: Cards, chosen: Cards) -> int:
    """The fewest cards of the led suit that hold what is chosen and all that is owed.

    Whatever fills them up to the length of the lead makes a legal follow.
    """
    assert turn.led is not None and turn.trick.lead is not None
    due, runs = owed(turn.rules, turn.order, turn.led, held, led_shape(turn.order, turn.trick.lead))
    if not due:
        return len(chosen)
    pairs = held.at_least(2)
    whole, once = chosen.at_least(2), chosen.kinds & ~chosen.at_least(2) & pairs
    weights = tuple(
        tuple(sorted(2 - chosen.count(card) for card in kinds_in(pairs & step))) for step in turn.order.steps[turn.led]
    )
    costs = cheapest_cuts(weights, tuple(filter(None, runs)))
    return len(chosen) + min(_still_to_pick(cost, due - whole.bit_count(), once.bit_count()) for cost in costs)


def _still_to_pick(cost: Cost, owed: int, once: int) -> int:
    """The cards that complete the pairs of some runs, and as many pairs besides as are owed: those begun come first."""
    begun, fresh = cost
    pairs = max(owed, begun + fresh)
    begun = min(once, pairs - fresh)
    return begun + 2 * (pairs - begun)


@lru_cache(maxsize=1 << 14)
def cheapest_cuts(steps: tuple[Weights, ...], units: Runs) -> frozenset[Cost]:
    """What it costs to cut these runs out of the pairs on some steps; of all ways those that no other undercuts."""
    if not units:
        return frozenset([(0, 0)])
    if not steps:
        return frozenset()
    found = set(cheapest_cuts(steps[1:], units))  # none begins on the lowest step
    for length in set(units):
        window = steps[:length]
        if len(window) < length or not all(window):
            continue
        i = units.index(length)
        taken = [step[0] for step in window]
        after = (window[-1][1:], *steps[length:])  # another run may begin where this one ends, if pairs lie there
        for begun, fresh in cheapest_cuts(after, units[:i] + units[i + 1 :]):
            found.add((begun + taken.count(1), fresh + taken.count(2)))
    return frozenset(
        cost for cost in found if not any(a <= cost[0] and b <= cost[1] for a, b in found if (a, b) != cost)
    )
