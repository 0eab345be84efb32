"""What a course shows of the cards: plays, hands that are told, the sizes of the others, and what went unseen."""

from collections.abc import Iterable, Iterator

from renege.core.cards import Card, Cards
from renege.core.facts import AtMost, Fact, FewPairs, Lacks, NoRun, Void
from renege.core.game import KITTY, Move
from renege.core.message import say
from renege.core.position import Course
from renege.core.trick import Play

NOBODY = -2  # and below: hands without cards, where a problem would have too few
GONE = -9  # the pile of cards that went in tricks which were not seen
ONLY_LACKS = (Void, Lacks, AtMost, FewPairs, NoRun)  # facts that stay true of a hand as it gets smaller


class NoWorldLeft(ValueError):
    """No deal is consistent with what was seen. `facts` are those that contradict each other."""

    def __init__(self, why: str, facts: tuple[Fact, ...] = ()) -> None:
        self.facts = facts
        super().__init__(why)


class SeenCards:
    """The cards of a course, as whoever saw it knows them. Piles are seats, KITTY, NOBODY's and GONE."""

    def __init__(self, course: Course) -> None:
        self.plays: list[tuple[int, int, Cards]] = []  # seat, trick, cards
        self.swaps: list[Move] = []  # cards that changed hands in the talk, the kitty aside
        self.bankers: set[int] = set()  # that took the kitty up
        for act, position in course.steps():
            if isinstance(act.what, Play):
                self.plays.append((act.seat, position.tricks_played, act.what.cards))
            elif position.contract is None:
                for move in position.floor(act.seat).moves(act.what):
                    if move.giver == KITTY:
                        self.bankers.add(move.taker)
                    elif move.taker != KITTY:
                        self.swaps.append(move)
        self.recalled, self.none = course.recalled, course.game.deck.none
        piles = (*enumerate(course.position.hands), (KITTY, course.position.kitty))
        self.told = {pile: hand for pile, hand in piles if isinstance(hand, Cards)}
        self.hidden = {pile: len(hand) for pile, hand in piles if not isinstance(hand, Cards)}  # their sizes
        for empty in range(NOBODY, NOBODY - 2 + len(self.hidden), -1):  # a problem has two hands at least
            self.hidden[empty] = 0
        known = self.none if self.recalled is None else self.recalled.gone
        for cards in (*self.told.values(), *(cards for _, _, cards in self.plays)):
            known = known + cards
        self.unseen = course.game.deck.all - known
        left, room = len(self.unseen), sum(self.hidden.values())
        if left < room or (left > room and course.start.contract is None):
            raise NoWorldLeft(say("{n} cards are hidden, and the hands that hold them have {n2}", left, room))
        self.gone = left - room  # cards of tricks that were not seen, where the deal is told from a later one on
        if self.gone:
            self.hidden[GONE] = self.gone

    def since(self, seat: int, trick: int) -> Cards:
        """What a seat has played from a trick on."""
        pile = self.none
        for who, when, cards in self.plays:
            if who == seat and when >= trick:
                pile = pile + cards
        return pile

    def known(self, seat: int, trick: int) -> Cards:
        """What a seat is known to have had from a trick on: what it played, and its hand where that is told."""
        return self.since(seat, trick) + self.told.get(seat, self.none)

    def unplayed(self, kinds: Iterable[Card]) -> Iterator[Card]:
        """Of these kinds those that cannot have gone unseen."""
        if self.gone and self.recalled is not None:
            yield from (kind for kind in kinds if self.recalled.unplayed >> kind & 1)


def stale_facts(course: Course) -> set[Fact]:
    """What is known of hands at the first trick, in a deal that is told from a later one on: it may have gone since."""
    remembered = () if course.recalled is None else course.recalled.facts
    first = Course(course.start).facts()
    return {fact for fact in first if not isinstance(fact, ONLY_LACKS)}.difference(remembered)
