"""From the hands at the first lead back to the deal: cards that changed hands face down are given back.

Who was not part of a swap saw that cards went over, and not which. Given where all cards lie now, any two that could
have been it will do: the record that comes of it looks the same to all who watched.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from renege.cards import Card, Cards, kinds_in
from renege.facts import Holds
from renege.position import Act
from renege.record import Record
from renege.verdict import Rule
from renege.view import Course

Choose = Callable[[Cards], Card | None]


def lowest(hand: Cards) -> Card | None:
    """The lowest card of a hand."""
    return min(kinds_in(hand.kinds), default=None)


def swapped(course: Course, rule: Rule) -> Iterator[Holds]:
    """What a seat that was part of a swap knows: the card that came over is there, if it did not come back."""
    gifts = [(act, position) for act, position in zip(course.acts, course.positions(), strict=False) if _is_gift(act)]
    given = [move.cards for act, position in gifts for move in position.floor(act.seat).moves(str(act.what))]
    for i, (act, position) in enumerate(gifts):
        cards = given[i]
        if isinstance(cards, Cards) and cards not in given[i + 1 :]:
            taker = position.floor(act.seat).moves(str(act.what))[0].taker
            yield Holds(taker, 0, rule, cards, len(cards))


def _is_gift(act: Act) -> bool:
    return isinstance(act.what, str) and act.what.startswith("give ")


def undo_swap(
    course: Course, hands: tuple[Cards, ...], kitty: Cards, hidden: str, first: Choose = lowest, second: Choose = lowest
) -> Record:
    """The record of a deal where a giver and a taker swap a card each; `hidden` is what others heard of each call.

    `first` picks, out of the taker's hand after the first gift, the card that had gone over; `second`, out of the
    giver's after the second, the one that came back.
    """
    gifts = [(act, position) for act, position in zip(course.acts, course.positions(), strict=False) if _is_gift(act)]
    deck, held, told = course.game.deck, list(hands), dict[int, Act]()
    for (act, position), pick in reversed(list(zip(gifts, (first, second), strict=False))):
        move = position.floor(act.seat).moves(str(act.what))[0]
        named = str(act.what).removeprefix("give ").upper()
        card = pick(held[move.taker]) if act.what == hidden else deck.spellings[named]
        if card is None:
            raise ValueError(f"seat {move.taker} has no card that could have come over: {held[move.taker]}")
        gift = deck.of(1 << card)
        held[move.taker] = held[move.taker] - gift
        held[act.seat] = held[act.seat] + gift
        told[id(act)] = Act(act.seat, f"give {gift}")
    acts = tuple(told.get(id(act), act) for act in course.acts)
    return Record(replace(course.start, hands=tuple(held), kitty=kitty), acts)
