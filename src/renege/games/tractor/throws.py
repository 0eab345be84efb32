"""Throws: leads of several units, and who stops them.

A throw stands if no other hand can beat any one of its units in its suit. What a leader can know of that is another
question: `could_beat` answers it from the cards that are still out and the seats that may hold them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from renege.core.cards import Cards, Hidden, kinds_in
from renege.core.facts import Fact, NoRun
from renege.core.game import Turn
from renege.core.message import join, say
from renege.core.order import Order
from renege.core.trick import Play
from renege.core.verdict import Objection
from renege.games.tractor.bombs import is_rainbow, why_no_rainbow
from renege.games.tractor.order import TRUMP, WideOrder
from renege.games.tractor.rules import (
    GROUPING,
    LEAD_ONE_SUIT,
    THROW_STOPPED,
    TRUMP_THROW,
    Rules,
    StoppedThrow,
    ThrowTest,
    TrumpThrows,
)
from renege.games.tractor.units import counts, led_form, led_units, named_units, only_suit
from renege.games.units import Units, name_of


@dataclass(frozen=True, slots=True)
class Stop:
    """A unit of a throw that another hand beats: which, who, and with what."""

    unit: Cards
    seat: int
    by: Cards


def one_suit(turn: Turn, play: Play) -> Objection | None:
    if not play.cards:
        return Objection(LEAD_ONE_SUIT, "nothing is no lead")
    if turn.order.suit_of(play.cards) is None and not is_rainbow(turn.rules, turn.order, play.cards):
        if (why := why_no_rainbow(turn, play.cards)) is not None:
            return Objection(LEAD_ONE_SUIT, why)
        suits = {turn.order.nouns[turn.order.led_suit[card]] for card in play.cards}
        return Objection(LEAD_ONE_SUIT, say("{cards} is of {suits}", play.cards, join(" and ", sorted(suits))))
    return None


def grouping(turn: Turn, play: Play) -> Objection | None:
    if play.units and named_units(turn.order, play) is None:
        groups = " + ".join(map(str, play.units))
        return Objection(GROUPING, say("{cards} are not units, or not all of {cards2}", groups, play.cards))
    return None


def trump_throw(turn: Turn, play: Play) -> Objection | None:
    if turn.rules.trump_throws is TrumpThrows.ALLOWED or turn.order.suit_of(play.cards) != TRUMP:
        return None
    if not led_form(turn.order, play).is_throw:
        return None
    return Objection(TRUMP_THROW, say("{cards} is a throw of trumps, which this table forbids", play.cards))


def throw_stopped(turn: Turn, play: Play) -> Objection | None:
    """Where a stopped throw is refused: the unit that can be beaten, and by what."""
    if play.tried is not None:
        return _wrongly_stopped(turn, play, play.tried)
    if turn.order.suit_of(play.cards) is None or not led_form(turn.order, play).is_throw:
        return None  # a rainbow is one unit
    if turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
        return _unproved(turn, play)
    if turn.rules.stopped_throw is not StoppedThrow.REFUSED:
        return None
    stop = smallest_stop(turn.order, play, others(turn))
    if stop is None:
        return None
    return Objection(THROW_STOPPED, say("{cards} is beaten by {cards2} of {seat}", stop.unit, stop.by, stop.seat))


def _wrongly_stopped(turn: Turn, play: Play, tried: Cards) -> Objection | None:
    """A throw that is said to have been stopped comes to what the hands say, as far as they are told."""
    if turn.rules.stopped_throw is StoppedThrow.REFUSED or turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
        return Objection(THROW_STOPPED, say("{cards} was stopped, and this table refuses such a throw", tried))
    if len(others(turn)) < len(rivals(turn)):
        return None
    true = lands(turn, Play(tried, units=play.units))
    if true is None or true.cards == play.cards:
        return None
    why = say("{cards} comes to {cards2} here, not to {cards3}", tried, true.cards, play.cards)
    return Objection(THROW_STOPPED, why)


LEAD = (one_suit, grouping, trump_throw, throw_stopped)


def lands(turn: Turn, play: Play) -> Play | None:
    """What a lead comes to: itself, or the unit that is led in place of a stopped throw; None if hands are missing."""
    if play.tried is not None or turn.order.suit_of(play.cards) is None:  # in a record anything may lie
        return play
    if not led_form(turn.order, play).is_throw:
        return play
    if turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
        return play  # it was proved safe, or refused
    stop = counted_stop(turn.rules, turn.order, play, others(turn))
    if stop is not None:
        return Play(stop.unit, tried=play.cards, units=play.units)
    hidden = any(isinstance(turn.hands[seat], Hidden) for seat in rivals(turn))
    return None if hidden else play


def rivals(turn: Turn) -> list[int]:
    """The seats that may stop a throw, from the next on."""
    seats = len(turn.hands)
    ways = range(1, seats, 2 if turn.rules.throw_test is ThrowTest.OPPONENTS else 1)
    return [(turn.seat + way) % seats for way in ways]


def others(turn: Turn) -> list[tuple[int, Cards]]:
    """The hands that may stop a throw, as far as they are told."""
    return [(seat, hand) for seat in rivals(turn) if isinstance(hand := turn.hands[seat], Cards)]


def stops(order: Order, lead: Play, hands: Iterable[tuple[int, Cards]]) -> Iterator[Stop]:
    """Every unit of a throw that a hand beats, seat by seat in the order given."""
    suit = only_suit(order, lead.cards)
    units = led_units(order, lead)
    for seat, hand in hands:
        for unit in units:
            by = beater(order, suit, unit, hand)
            if by is not None:
                yield Stop(unit, seat, by)


def counted_stop(rules: Rules, order: Order, lead: Play, hands: list[tuple[int, Cards]]) -> Stop | None:
    """The stop that counts at a table: the smallest, or the smallest of the first seat that has one."""
    if rules.stopped_throw is StoppedThrow.FIRST_FOUND:
        first = next((stop.seat for stop in stops(order, lead, hands)), None)
        hands = [(seat, hand) for seat, hand in hands if first in (None, seat)]
    return smallest_stop(order, lead, hands)


def smallest_stop(order: Order, lead: Play, hands: Iterable[tuple[int, Cards]]) -> Stop | None:
    """The stop that counts: fewest cards, then lowest top step, then card order; the first seat that beats it."""
    suit = only_suit(order, lead.cards)
    found = list(stops(order, lead, hands))
    return min(found, key=lambda stop: smallness(order, suit, stop.unit), default=None)


def smallness(order: Order, suit: int, unit: Cards) -> tuple[int, int, tuple[int, ...]]:
    """By which the smallest unit is found: fewest cards, then lowest top step, then card order."""
    return len(unit), top_of(order, suit, unit), tuple(unit)


def beater(order: Order, suit: int, unit: Cards, hand: Cards) -> Cards | None:
    """The lowest unit of the same kind in a hand that beats this one, or None."""
    copies = width_of(order, suit, unit)
    for window in _windows_above(order, suit, unit, copies, hand.at_least(copies)):
        if all(window):
            mask = sum(1 << next(kinds_in(kinds)) for kinds in window)
            return Cards(hand.deck, (mask,) * copies)
    return None


def width_of(order: Order, suit: int, unit: Cards) -> int:
    """How many equal cards a unit has on each of its steps."""
    return len(unit.layers) if isinstance(order, WideOrder) else min(len(unit), 2)


def _windows_above(order: Order, suit: int, unit: Cards, width: int, kinds: int) -> Iterator[list[int]]:
    """Of these kinds those on the steps, one by one, of each unit that would beat this one; the lowest unit first."""
    steps, length = order.steps[suit], len(unit) // width
    for step in range(top_of(order, suit, unit) + 1, len(steps)):
        yield [kinds & steps[i] for i in range(step - length + 1, step + 1)]


def top_of(order: Order, suit: int, unit: Cards) -> int:
    """The highest step that a unit reaches."""
    return max(i for i, step in enumerate(order.steps[suit]) if unit.kinds & step)


# -- what can be known without the other hands


def could_beat(order: Order, suit: int, unit: Cards, unseen: Cards, voids: Iterable[int]) -> int:
    """The kinds that could beat a unit, for all that is known: cards still out, if a seat may have the suit."""
    if all(void >> suit & 1 for void in voids):
        return 0
    beating = 0
    width = width_of(order, suit, unit)
    for window in _windows_above(order, suit, unit, width, unseen.at_least(width)):
        if all(window):
            for kinds in window:
                beating |= kinds
    return beating


def may_beat(turn: Turn, suit: int, unit: Cards) -> int:
    """The same, for all that the seat to play knows."""
    voids = [void for seat, void in enumerate(turn.memory.voids) if seat != turn.seat]
    return could_beat(turn.order, suit, unit, unseen(turn), voids)


def unseen(turn: Turn) -> Cards:
    """What the seat to play has not seen: not in its hand, not played, and not in the kitty if it buried that."""
    known = turn.hand + turn.memory.seen
    if turn.seat == turn.contract.knows_kitty and isinstance(turn.kitty, Cards):
        known = known + turn.kitty
    return turn.order.deck.all - known


def _unproved(turn: Turn, play: Play) -> Objection | None:
    suit = only_suit(turn.order, play.cards)
    out = unseen(turn)
    voids = [turn.memory.voids[seat] for seat in rivals(turn)]
    for unit in led_units(turn.order, play):
        beating = could_beat(turn.order, suit, unit, out, voids)
        if beating:
            kinds = turn.order.deck.of(beating)
            why = say("{cards} is not proved safe: {cards2} may still be in one hand", unit, kinds)
            return Objection(THROW_STOPPED, why)
    return None


def holders(turn: Turn, lead: Play) -> list[int]:
    """The seats that may hold the suit of a lead."""
    suit = only_suit(turn.order, lead.cards)
    return [seat for seat, void in enumerate(turn.memory.voids) if seat and not void >> suit & 1]


def surely_stopped(turn: Turn, lead: Play, aside: int = 0) -> bool:
    """Is a throw beaten however the unseen cards lie? How many cards a hand may hold is not asked.

    Two hands that may hold the suit can always share its pairs between them, so that only singles are in danger; one
    hand alone holds all that is not in the kitty. Cards of the suits that are `aside` may lie where they stop nothing.
    With more packs than two only single cards are asked about, whoever holds the suit.
    """
    order, suit = turn.order, only_suit(turn.order, lead.cards)
    hands = len(holders(turn, lead))
    if not hands or aside >> suit & 1:
        return False
    out = order.in_suit(unseen(turn), suit)
    buried: int = turn.rules.buried
    room = buried - len(turn.kitty) if isinstance(turn.kitty, Cards) else buried
    # of each unit the length in pairs, 0 for a single, and its top step
    units = [(len(unit) // 2, top_of(order, suit, unit)) for unit in led_units(order, lead)]
    singles = min((top for length, top in units if not length), default=len(order.steps[suit]))
    bury = sum(out.count(card) for step in order.steps[suit][singles + 1 :] for card in kinds_in(step))
    if hands == 1 and not isinstance(order, WideOrder):
        # above a single all copies are buried; below, one copy of a pair is enough
        pairs = counts(order, suit, out)
        bury += _fewest([pairs[i] for i in range(min(singles + 1, len(pairs)))], [unit for unit in units if unit[0]])
    return bury > room


def _fewest(pairs: list[int], units: list[tuple[int, int]]) -> int:
    """The fewest pairs to break so that no run is left that beats a unit (its length, its top step)."""
    windows = {
        (top - length + 1, top)
        for length, least in units
        for top in range(least + 1, len(pairs))
        if top - length + 1 >= 0
    }
    cost = {-1: 0}  # by the highest step that is broken: the fewest pairs so far
    for step, there in enumerate(pairs):
        cost[step] = min(cost.values()) + there
        for low, top in windows:
            if top == step:
                cost = {last: pairs_broken for last, pairs_broken in cost.items() if last >= low}
    return min(cost.values())


def surely_led(rules: Rules, turn: Turn, lead: Play, holders: int) -> Cards | None:
    """The unit that is led instead, where it is the same however the unseen cards lie.

    It is the smallest unit that is not proved safe, if that is beaten for certain; else a greater one may be. Where the
    first seat that stops anything decides, no other unit may fall to a hand that does not beat this one: of several
    hands only singles are beaten for certain, so it is a single, and who beats a higher unit beats it.
    """
    if rules.stopped_throw is StoppedThrow.REFUSED or rules.throw_test is ThrowTest.PUBLIC_INFO:
        return None
    order, suit, out, voids = turn.order, only_suit(turn.order, lead.cards), unseen(turn), turn.memory.voids[1:]
    doubtful = [unit for unit in led_units(order, lead) if could_beat(order, suit, unit, out, voids)]
    smallest = min(doubtful, key=lambda unit: smallness(order, suit, unit))
    if not surely_stopped(turn, Play(smallest)):
        return None
    lowest = min(top_of(order, suit, unit) for unit in doubtful)
    first_decides = rules.stopped_throw is StoppedThrow.FIRST_FOUND and holders > 1
    return None if first_decides and lowest < top_of(order, suit, smallest) else smallest


def _cut(order: Order, play: Play) -> tuple[Cards, ...]:
    named = replace(play, units=()) if play.units and named_units(order, play) is None else play
    return tuple(led_units(order, named))


def _unbeaten(turn: Turn, unit: Cards) -> str | None:
    suit = only_suit(turn.order, unit)
    noun = turn.order.nouns[suit]
    if all(void >> suit & 1 for seat, void in enumerate(turn.memory.voids) if seat != turn.seat):
        return say("no other seat has {suit}", noun)
    if not may_beat(turn, suit, unit):
        return say(f"no higher {name_of(unit)} of {{suit}} is left", noun)
    return None


def _above(order: Order, unit: Cards, kinds: int) -> Iterator[int]:
    suit = only_suit(order, unit)
    for window in _windows_above(order, suit, unit, width_of(order, suit, unit), kinds):
        for chosen in product(*map(kinds_in, window)):
            yield sum(1 << kind for kind in chosen)


def _no_run(turn: Turn, unit: Cards, seat: int) -> Fact:
    suit = only_suit(turn.order, unit)
    return NoRun(seat, turn.number, THROW_STOPPED, suit, len(unit) // 2, above=top_of(turn.order, suit, unit))


UNITS = Units(_cut, _unbeaten, _above, _no_run, THROW_STOPPED)
