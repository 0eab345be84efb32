"""What the plays of a deal tell, in the order in which they were made: tricks, suits led and suits missing."""

from collections.abc import Iterator, Sequence

from renege.core.deal_state import Act
from renege.core.order import Order
from renege.core.trick import Play


def tricks_of(acts: Sequence[Act]) -> Iterator[list[tuple[Act, Play]]]:
    """The plays so far, a list for each trick."""
    plays = [(act, act.what) for act in acts if isinstance(act.what, Play)]
    size = len({act.seat for act, _ in plays})  # a seat may sit out
    return (plays[first : first + size] for first in range(0, len(plays), size or 1))


def suits_shown(acts: Sequence[Act], order: Order) -> Iterator[tuple[str, int, int]]:
    """`led` or `voids`, a seat and a suit: what it has led, and what it could not follow with as many cards."""
    for (lead, led), *follows in tricks_of(acts):
        suit = order.suit_of(led.cards)
        if suit is None:
            continue
        yield "led", lead.seat, suit
        for act, play in follows:
            if len(play.cards.only(order.follow[suit])) < len(led.cards):
                yield "voids", act.seat, suit
