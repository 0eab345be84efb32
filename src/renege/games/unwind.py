"""Undo face-down swaps: from the hands at the first lead back to the hands as dealt.

Who was not part of a swap saw that cards went over, and not which. Given where all cards lie now, any two that could
have been it will do: the resulting record looks the same to all who watched.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from renege.core.cards import Card, Cards, kinds_in
from renege.core.deal_state import Act, replaced
from renege.core.facts import Holds
from renege.core.game import Move
from renege.core.position import Course
from renege.core.record import Record
from renege.core.verdict import Rule

Candidates = Callable[[Cards], Iterable[Card]]


def every(hand: Cards) -> Iterable[Card]:
    """Each kind of a hand, the lowest first."""
    return sorted(kinds_in(hand.kinds))


def gifts(course: Course) -> list[tuple[Act, Move]]:
    """The cards that went over, in order, as far as they were seen."""
    return [
        (act, move)
        for act, position in course.steps()
        if isinstance(act.what, str) and act.what.startswith("give ")
        for move in position.floor(act.seat).moves(act.what)
    ]


def swapped(course: Course, rule: Rule) -> Iterator[Holds]:
    """What a seat that was part of a swap knows: the card that came over is there, if it did not come back."""
    given = [move for _, move in gifts(course)]
    for i, move in enumerate(given):
        if isinstance(move.cards, Cards) and move.cards not in [later.cards for later in given[i + 1 :]]:
            yield Holds(move.taker, 0, rule, move.cards, len(move.cards))


def undo_swap(
    course: Course,
    hands: tuple[Cards, ...],
    kitty: Cards,
    hidden: str,
    first: Candidates = every,
    second: Candidates = every,
    *,
    allowed: Callable[[Record], bool] | None = None,
) -> Record:
    """The record of a deal where a giver and a taker swap a card each; `hidden` is what others heard of each call.

    `first` names, out of the taker's hand after the first gift, the cards that may have gone over; `second`, out of the
    giver's after the second, those that may have come back. The first two that are `allowed` are taken, and any if none
    are. Two more may swap after them.
    """
    given, deck = gifts(course), course.game.deck
    if not given:
        return Record(replace(course.start, hands=hands, kitty=kitty), course.acts)

    def back(number: int, held: tuple[Cards, ...], told: dict[int, Act]) -> Iterator[Record]:
        if number < 0:
            acts = tuple(told.get(id(act), act) for act in course.acts)
            yield Record(replace(course.start, hands=held, kitty=kitty), acts)
            return
        act, taker = given[number][0], given[number][1].taker
        named = str(act.what).removeprefix("give ").upper()
        for card in (first, second)[number % 2](held[taker]) if act.what == hidden else (deck.spellings[named],):
            gift = deck.of(1 << card)
            before = replaced(replaced(held, taker, held[taker] - gift), act.seat, held[act.seat] + gift)
            yield from back(number - 1, before, {**told, id(act): Act(act.seat, f"give {gift}")})

    found = None
    for record in back(len(given) - 1, hands, {}):
        found = found or record
        if allowed is None or allowed(record):
            return record
    if found is None:
        raise ValueError(f"there is no card that could have come over: {' | '.join(map(str, hands))}")
    return found
