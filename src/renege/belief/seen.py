"""The cards that were played, and the order in which watches read kinds."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from renege.core.cards import Card, Cards, kinds_in
from renege.core.order import Order


@dataclass
class PlayedCards:
    """All cards played so far, by seat and trick."""

    plays: list[tuple[int, int, Cards]] = field(default_factory=list[tuple[int, int, Cards]])  # seat, trick, cards

    def since(self, seat: int, trick: int, none: Cards) -> Cards:
        """The cards that a seat has played from a trick on."""
        pile = none
        for who, when, cards in self.plays:
            if who == seat and when >= trick:
                pile = pile + cards
        return pile


def in_order(order: Order, kinds: int) -> Iterable[Card]:
    """Kinds by the suit that they lead, from the lowest step; those on one step by number."""
    for steps in order.steps:
        for mask in steps:
            yield from reversed(list(kinds_in(mask & kinds)))
