"""The units of a lead of Tractor: what they are, and which others would beat them."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from renege.core.cards import Cards, kinds_in
from renege.core.facts import Fact, NoRun
from renege.core.game import Turn
from renege.core.message import say
from renege.core.order import Order
from renege.core.trick import Play
from renege.games.tractor.rules import THROW_STOPPED
from renege.games.tractor.throws import could_beat, top_of, unseen
from renege.games.tractor.units import led_units, named_units, shape_of
from renege.games.units import Units, name_of


def _cut(order: Order, play: Play) -> tuple[Cards, ...]:
    named = replace(play, units=()) if play.units and named_units(order, play) is None else play
    return tuple(led_units(order, named))


def _unbeaten(turn: Turn, unit: Cards) -> str | None:
    suit = _suit(turn.order, unit)
    noun = turn.order.nouns[suit]
    voids = [void for seat, void in enumerate(turn.memory.voids) if seat != turn.seat]
    if all(void >> suit & 1 for void in voids):
        return say("no other seat has {suit}", noun)
    if not could_beat(turn.order, suit, unit, unseen(turn), voids):
        return say(f"no higher {name_of(unit)} of {{suit}} is left", noun)
    return None


def _above(order: Order, unit: Cards, kinds: int) -> Iterator[int]:
    suit = _suit(order, unit)
    steps, top = order.steps[suit], top_of(order, suit, unit)
    length = shape_of(order, suit, unit).longest or 1
    for step in range(top + 1, len(steps)):
        for chosen in product(*(kinds_in(kinds & steps[i]) for i in range(step - length + 1, step + 1))):
            yield sum(1 << kind for kind in chosen)


def _no_run(turn: Turn, unit: Cards, seat: int) -> Fact:
    suit = _suit(turn.order, unit)
    return NoRun(seat, turn.number, THROW_STOPPED, suit, len(unit) // 2, above=top_of(turn.order, suit, unit))


def _suit(order: Order, unit: Cards) -> int:
    suit = order.suit_of(unit)
    assert suit is not None
    return suit


UNITS = Units(_cut, _unbeaten, _above, _no_run, THROW_STOPPED)
