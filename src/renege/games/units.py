"""The facet of games whose leads have several units (single cards, pairs, runs), so that each can be judged."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.facts import Fact
from renege.core.game import Turn
from renege.core.order import Order
from renege.core.trick import Play
from renege.core.verdict import Rule


@dataclass(frozen=True, slots=True)
class Units:
    """The facet of a game whose leads may be throws.

    `cut(order, play)` are the units of a lead of one suit. `unbeaten(turn, unit)` says why no other hand can beat a
    unit, as one counts at the table; None where counting does not show it. `above(order, unit, kinds)` are the kinds of
    each unit like this one that beats it, the lowest first, of kinds in a mask. `no_run(turn, unit, seat)` is the fact
    that a seat has no run that beats this one. `rule` is the one that a throw is judged by.
    """

    cut: Callable[[Order, Play], tuple[Cards, ...]]
    unbeaten: Callable[[Turn, Cards], str | None]
    above: Callable[[Order, Cards, int], Iterator[int]]
    no_run: Callable[[Turn, Cards, int], Fact]
    rule: Rule


def name_of(unit: Cards) -> str:
    """What a unit is called: a card, a pair or a run."""
    return {1: "card", 2: "pair"}.get(len(unit), "run")
