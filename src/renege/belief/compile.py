"""From what a seat has seen to a problem: which cards are hidden, in which hands, and what is proved of them.

A fact is about a hand at some trick. What that hand has played since is known, so a fact comes down to the cards that
are still hidden: a void is a cap of none, "at most k pairs" counts the copies that were seen. A fact about several
hands at once, or one that would need too large a table, is left out and named: `loose`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from renege.belief.problem import Group, Problem, Watch, count_watch, pair_watch, run_watch
from renege.cards import Card, Cards, kinds_in
from renege.facts import TALK, AtMost, Fact, FewPairs, Holds, Lacks, NoRun, Unproved, Void
from renege.game import KITTY
from renege.order import Order
from renege.position import Position
from renege.trick import Play
from renege.view import Course

NOBODY = -1


class NoWorldLeft(ValueError):
    """What was seen contradicts itself: no deal fits. `facts` are those that clash."""

    def __init__(self, why: str, facts: tuple[Fact, ...] = ()) -> None:
        self.facts = facts
        super().__init__(why)


@dataclass(frozen=True)
class Compiled:
    """A problem, the pile that each of its hands is (a seat, or KITTY), and the facts that it does not hold."""

    problem: Problem
    piles: tuple[int, ...]
    loose: tuple[Fact, ...]
    used: tuple[tuple[Fact, tuple[Card, ...]], ...]  # facts that bar kinds from a hand, for explanations


@dataclass
class _Seen:
    """What has been played: by whom, and when."""

    plays: list[tuple[int, int, Cards]] = field(default_factory=list[tuple[int, int, Cards]])  # seat, trick, cards

    def since(self, seat: int, trick: int, none: Cards) -> Cards:
        """What a seat has played from a trick on."""
        pile = none
        for who, when, cards in self.plays:
            if who == seat and when >= trick:
                pile = pile + cards
        return pile


def compile_course(course: Course, more: tuple[Fact, ...] = ()) -> Compiled:
    """The problem of whoever saw this, with more facts if there are; hands that are told are no part of it."""
    return compile_facts(course, (*course.facts(), *more))


def compile_facts(course: Course, facts: tuple[Fact, ...]) -> Compiled:
    """The problem of whoever saw this, if these facts are all that is proved."""
    return _Compiler(course, facts).compiled()


class _Compiler:
    def __init__(self, course: Course, facts: tuple[Fact, ...]) -> None:
        self.position: Position = course.position
        self.facts = facts
        self.deck = course.game.deck
        self.seen = _Seen()
        self.gave: set[int] = set()  # seats that gave cards away in the talk, and that took some
        self.took: set[int] = set()
        self.buriers: set[int] = set()
        for act, position in zip(course.acts, course.positions(), strict=False):
            if isinstance(act.what, Play):
                self.seen.plays.append((act.seat, sum(position.tricks), act.what.cards))
            elif position.contract is None:
                for move in position.floor(act.seat).moves(act.what):
                    self.gave.add(move.giver)
                    self.took.add(move.taker)
                    self.buriers |= {move.giver} if move.taker == KITTY else set()
        piles = (*enumerate(self.position.hands), (KITTY, self.position.kitty))
        self.told = {pile: hand for pile, hand in piles if isinstance(hand, Cards)}
        self.hidden = {pile: len(hand) for pile, hand in piles if not isinstance(hand, Cards)}
        for empty in range(NOBODY, NOBODY - 2 + len(self.hidden), -1):  # a problem has two hands at least
            self.hidden[empty] = 0
        self.piles = tuple(self.hidden)
        self.kinds, self.copies = self._hidden_kinds()
        self.place = {kind: place for place, kind in enumerate(self.kinds)}
        self.most = [[copies] * len(self.piles) for copies in self.copies]
        self.least = [[0] * len(self.piles) for _ in self.kinds]
        self.groups: list[Group] = []
        self.watches: list[Watch] = []
        self.loose: list[Fact] = []
        self.used: list[tuple[Fact, tuple[Card, ...]]] = []

    def _hidden_kinds(self) -> tuple[tuple[Card, ...], tuple[int, ...]]:
        """The kinds that nobody has shown, suit by suit from the lowest step, with their copies."""
        known = self.deck.none
        for cards in (*self.told.values(), *(cards for _, _, cards in self.seen.plays)):
            known = known + cards
        left, room = self.deck.all - known, sum(self.hidden.values())
        if len(left) != room:
            raise NoWorldLeft(f"{len(left)} cards are hidden, and the hands that hold them have {room}")
        order = self.position.order
        if order is None:
            kinds = sorted(kinds_in(left.kinds))
        else:
            # where runs are asked about, a step that nobody hides a card of still counts
            runs = {fact.suit for fact in self.facts if isinstance(fact, NoRun)}
            asked = left.kinds
            for suit in runs:
                asked |= order.leads[suit]
            kinds = list(_in_order(order, asked))
        return tuple(kinds), tuple(left.count(kind) for kind in kinds)

    def compiled(self) -> Compiled:
        for fact in self.facts:
            self._take(fact)
        problem = Problem(
            self.kinds,
            self.copies,
            tuple(self.hidden.values()),
            tuple(map(tuple, self.most)),
            tuple(map(tuple, self.least)),
            tuple(self.groups),
            tuple(self.watches),
        )
        return Compiled(problem, self.piles, tuple(self.loose), tuple(self.used))

    # -- one fact

    def _take(self, fact: Fact) -> None:
        in_talk = fact.trick == TALK
        if isinstance(fact, Unproved):
            self.loose.append(fact)
            return
        with_kitty = isinstance(fact, Holds) and (fact.or_buried or (in_talk and fact.seat in self.buriers))
        # What a hand lacked it may have got since; what it held it may have given, or hold only since it got a card.
        changed = self.gave | self.took if isinstance(fact, Holds) else self.took
        if in_talk and fact.seat in changed and not with_kitty:
            self.loose.append(fact)  # its hand has changed since, and that may have ended it
            return
        known = self.seen.since(fact.seat, fact.trick, self.deck.none)
        if with_kitty:
            assert isinstance(fact, Holds)
            self._hold_together(fact, known)
            return
        told = self.told.get(fact.seat)
        hand = None if told is not None else self.piles.index(fact.seat)
        self._apply(fact, known if told is None else known + told, hand)

    def _apply(self, fact: Fact, known: Cards, hand: int | None) -> None:
        """A fact about one hand: `known` is what it is seen to have had; None for a hand that is wholly told."""
        if isinstance(fact, Void | Lacks):
            kinds = self._order().follow[fact.suit] if isinstance(fact, Void) else fact.cards.kinds
            self._check(fact, not known.only(kinds), known.only(kinds))
            self._bar(fact, kinds, hand)
        elif isinstance(fact, AtMost):
            count = len(known.only(fact.cards.kinds))
            self._check(fact, count <= fact.most, known.only(fact.cards.kinds))
            self._count(fact, fact.cards.kinds, hand, 0, fact.most - count)
        elif isinstance(fact, Holds):
            missing = fact.least - len(known.only(fact.cards.kinds))
            self._check(fact, hand is not None or missing <= 0, known)
            if missing > 0:
                self._count(fact, fact.cards.kinds, hand, missing, None)
        elif isinstance(fact, FewPairs):
            pairs = known.only(fact.cards.kinds).at_least(2).bit_count()
            self._check(fact, pairs <= fact.most, known.only(fact.cards.kinds))
            self._few_pairs(fact, known, hand)
        elif isinstance(fact, NoRun):
            self._no_run(fact, known, hand)
        else:
            raise TypeError(f"{fact} is no fact that is known here")

    def _check(self, fact: Fact, holds: bool, cards: Cards) -> None:
        if not holds:
            shown = cards or "nothing of the kind"
            raise NoWorldLeft(f"{told(fact, self.position.order)}, and yet it showed {shown}", (fact,))

    def _bar(self, fact: Fact, kinds: int, hand: int | None) -> None:
        if hand is None:
            return
        barred = [kind for kind in kinds_in(kinds) if kind in self.place]
        for kind in barred:
            self.most[self.place[kind]][hand] = 0
        self.used.append((fact, tuple(barred)))

    def _count(self, fact: Fact, kinds: int, hand: int | None, least: int, most: int | None) -> None:
        """So many cards of these kinds: a bound on one kind, or a watch over several."""
        if hand is None:
            return
        places = [self.place[kind] for kind in kinds_in(kinds) if kind in self.place]
        if most == 0:
            self._bar(fact, kinds, hand)
        elif len(places) == 1:
            place = places[0]
            if least > self.copies[place]:
                raise NoWorldLeft(f"{told(fact, self.position.order)}, and too few of it are hidden", (fact,))
            self.least[place][hand] = max(self.least[place][hand], least)
            if most is not None:
                self.most[place][hand] = min(self.most[place][hand], most)
        elif not places and least:
            raise NoWorldLeft(f"{told(fact, self.position.order)}, and no such card is hidden", (fact,))
        elif places:
            first, last = min(places), max(places)
            counted = [place in places for place in range(first, last + 1)]
            copies = self.copies[first : last + 1]
            self.watches.append(count_watch(hand, first, counted, copies, least, most, facts=(fact,)))

    def _few_pairs(self, fact: FewPairs, known: Cards, hand: int | None) -> None:
        if hand is None:
            return
        places = [self.place[kind] for kind in kinds_in(fact.cards.kinds) if kind in self.place]
        left = fact.most - known.only(fact.cards.kinds).at_least(2).bit_count()
        if left == 0:  # none at all: no second copy comes to a first
            for place in places:
                room = max(0, 1 - known.count(self.kinds[place]))
                self.most[place][hand] = min(self.most[place][hand], room)
            return
        could = [place for place in places if known.count(self.kinds[place]) + self.copies[place] >= 2]
        if len(could) <= left:
            return
        first, last = min(could), max(could)
        counted = [place in could for place in range(first, last + 1)]
        seen = [known.count(self.kinds[place]) for place in range(first, last + 1)]
        copies = self.copies[first : last + 1]
        self.watches.append(pair_watch(hand, first, seen, counted, copies, left, facts=(fact,)))

    def _no_run(self, fact: NoRun, known: Cards, hand: int | None) -> None:
        order = self._order()
        steps = order.steps[fact.suit]
        step_of = {kind: i for i, mask in enumerate(steps) for kind in kinds_in(mask)}
        self._check(fact, not _has_run([known.at_least(2) & mask for mask in steps], fact), known)
        if hand is None:
            return
        first = self.place[next(iter(_in_order(order, order.leads[fact.suit])))]
        places = range(first, first + len(step_of))  # a suit lies together
        self.watches.append(
            run_watch(
                hand,
                first,
                [known.count(self.kinds[place]) for place in places],
                [step_of[self.kinds[place]] for place in places],
                self.copies[first : first + len(step_of)],
                fact.length,
                fact.above,
                forbidden=True,
                facts=(fact,),
            )
        )

    def _hold_together(self, fact: Holds, known: Cards) -> None:
        """Cards that are in a seat's hand or in the kitty that it buried."""
        piles = [pile for pile in (fact.seat, KITTY) if pile in self.piles]
        for pile in (fact.seat, KITTY):
            known = known + self.told.get(pile, self.deck.none)
        missing = fact.least - len(known.only(fact.cards.kinds))
        if missing <= 0:
            return
        kind = fact.cards.kinds.bit_length() - 1
        if fact.cards.kinds != 1 << kind:
            self.loose.append(fact)  # several kinds in two hands together
            return
        if kind not in self.place or not piles:
            raise NoWorldLeft(f"{told(fact, self.position.order)}, and it is nowhere to be found", (fact,))
        if missing > self.copies[self.place[kind]]:
            raise NoWorldLeft(f"{told(fact, self.position.order)}, and too few of it are hidden", (fact,))
        hands = sum(1 << self.piles.index(pile) for pile in piles)
        self.groups.append(Group(self.place[kind], hands, missing, self.copies[self.place[kind]], (fact,)))

    def _order(self) -> Order:
        assert self.position.order is not None
        return self.position.order


def _in_order(order: Order, kinds: int) -> Iterable[Card]:
    """Kinds by the suit that they lead, from the lowest step; those on one step by number."""
    for steps in order.steps:
        for mask in steps:
            yield from reversed(list(kinds_in(mask & kinds)))


def _has_run(pairs: Sequence[int], fact: NoRun) -> bool:
    """Is there a run of so many pairs whose top is above the step?"""
    length = 0
    for step, here in enumerate(pairs):
        length = length + 1 if here else 0
        if length >= fact.length and step > fact.above:
            return True
    return False


def told(fact: Fact, order: Order | None) -> str:
    """A fact as a sentence: `seat 2 has no hearts since trick 3 (tractor.follow-suit)`."""
    when = "as dealt" if fact.trick == TALK else f"since trick {fact.trick + 1}"
    what = "did what not every hand allows"
    if isinstance(fact, Void):
        what = f"has no {order.nouns[fact.suit] if order else fact.suit}"
    elif isinstance(fact, Lacks):
        what = f"does not have {fact.cards}"
    elif isinstance(fact, Holds):
        what = f"had at least {fact.least} of {fact.cards}"
    elif isinstance(fact, AtMost):
        what = f"had at most {fact.most} of {fact.cards}"
    elif isinstance(fact, FewPairs):
        what = f"had at most {fact.most} pairs of {fact.cards}"
    elif isinstance(fact, NoRun):
        where = "" if fact.above < 0 else f" above step {fact.above + 1}"
        what = f"had no run of {fact.length} pairs{where} in {order.nouns[fact.suit] if order else fact.suit}"
    return f"seat {fact.seat} {what} {when} ({fact.rule})"
