"""What a follow proves of a hand where units are of any width.

Who follows suit gives the best that the hand has, so that it has nothing better: no longer or wider tractor than it
gave, and of tuples no more than it gave. Where those facts are not all, a last one asks of each hand whether the play
was legal from it: with several tractors led, with protected units, under the duty of formats, or with so many packs
that one kind gives two tuples.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.facts import Fact, FewPairs, NoRun, Permits
from renege.core.game import Turn
from renege.core.trick import Play
from renege.games.tractor.duties import NOTHING, Answer, Duty, answer, duty_of, owed_by, wide_shape
from renege.games.tractor.order import WideOrder
from renege.games.tractor.rules import (
    FOLLOW_FORMAT,
    FOLLOW_LONGER_RUN,
    FOLLOW_RUN,
    FOLLOW_TUPLE,
    DutyFamily,
    Rules,
    ShorterRuns,
)
from renege.games.tractor.tuples import Form, WideShape, can_cut, columns, rank

ONE_EACH = 3  # packs at most with which a kind gives one tuple


@dataclass(frozen=True)
class Followed:
    """Might a hand with these cards of the suit have followed so?"""

    rules: Rules
    order: WideOrder
    suit: int
    led: WideShape
    play: Cards

    def __call__(self, held: Cards) -> bool:
        if len(held) <= len(self.play):
            return True  # all of it went
        return owed_by(self.rules, self.order, self.suit, held, self.led).allows(self.order, self.suit, held, self.play)


def follow_facts(turn: Turn, suit: int, lead: Play, play: Play) -> Iterator[Fact]:
    """What a follow of the led suit alone says of the hand."""
    order, duty, led = turn.order, duty_of(turn.rules), wide_shape(turn.order, lead)
    assert isinstance(order, WideOrder)
    pile = columns(order, suit, play.cards)
    protects = duty.tuples_protected or duty.tractors_protected
    if not led.units or (can_cut(pile, led.units) and not duty.tuples_protected):
        return  # it gave all that was asked
    graded = duty.family is DutyFamily.GRADED
    if graded and not protects:
        given = answer(pile, led.forms, duty)
        yield from _better_runs(turn, suit, given, duty)
        yield from _more_tuples(turn, suit, given)
        if _is_all(given, order.deck.copies):
            return
    kinds = order.deck.of(order.follow[suit])
    rule = FOLLOW_TUPLE if graded else FOLLOW_FORMAT
    yield Permits(turn.seat, turn.number, rule, kinds, Followed(turn.rules, order, suit, led, play.cards))


def _is_all(given: Answer, packs: int) -> bool:
    """Do the facts about the first tractor and the tuples say all that there is to say?

    They do for a hand without a pair, and where one tuple was led. With up to three packs a kind gives one tuple. Where
    a tractor was given, which kinds it was taken from matters if what is left may still be wider than a pair.
    """
    gave_runs = any(run[0] for run in given.runs)
    if not gave_runs and (not any(given.tuples) or (not given.asked and len(given.widths) == 1)):
        return True
    if len(given.asked) > 1:
        return False
    pairs = max((*given.widths, *(run[0] for run in given.runs)), default=2) <= 2
    return packs <= ONE_EACH and (pairs or not gave_runs)


def _better_runs(turn: Turn, suit: int, given: Answer, duty: Duty) -> Iterator[Fact]:
    """No tractor that answers the greatest led one better than what was given."""
    if not given.asked or given.runs[0] == given.asked[0]:
        return
    (width, length), run = given.asked[0], given.runs[0]
    rule = FOLLOW_LONGER_RUN if run is not NOTHING and run[0] else FOLLOW_RUN
    if duty.shorter_runs is ShorterRuns.NOT_OWED:
        yield NoRun(turn.seat, turn.number, rule, suit, length, width=width)
        return
    shortest: dict[int, int] = {}  # by width the shortest that would have been better
    for each in range(duty.least[0], width + 1):
        lengths = [n for n in range(duty.least[1], length + 1) if rank((each, n)) > _rank(run)]
        if lengths and all(lengths[0] < other for other in shortest.values()):  # a wider one has a narrower in it
            shortest[each] = lengths[0]
    for each, steps in shortest.items():
        yield NoRun(turn.seat, turn.number, rule, suit, steps, width=each)


def _rank(run: Form) -> tuple[int, int]:
    return rank(run) if run[0] else (0, 0)


def _more_tuples(turn: Turn, suit: int, given: Answer) -> Iterator[Fact]:
    """No more tuples than were given.

    What was given lies on so many kinds at most. If one more had as many equal cards as would have been better than
    what came to a demand, it would have come.
    """
    kinds, base = turn.order.deck.of(turn.order.follow[suit]), sum(length for _, length in given.runs)
    found: dict[int, int] = {}  # by width the most kinds that have so many cards
    for i, (asked, got) in enumerate(zip(given.widths, given.tuples, strict=True)):
        better = max(got, 1) + 1
        if better <= asked and not any(width <= better and most <= base + i for width, most in found.items()):
            found[better] = base + i
    for width, most in found.items():
        yield FewPairs(turn.seat, turn.number, FOLLOW_TUPLE, kinds, most, width=width)
