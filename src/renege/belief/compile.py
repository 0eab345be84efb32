"""Compile a view into a counting problem: the hidden cards, the hands that hold them, and the constraints on them.

A fact is about a hand at some trick. What that hand has played since is known, so a fact comes down to the cards that
are still hidden: a void is a cap of none, "at most k pairs" counts the copies that were seen. Where cards changed hands
face down, a deal counts as often as there are dealt hands that led to it. A fact that would need too large a table is
left out and named, `loose`; those that `checks` ask about are asked of every deal that is drawn.
"""

from dataclasses import replace
from math import comb, gcd

from renege.belief.checks import AnyCheck, CardsCheck, Check, KindsCheck, StopCheck, SwapCheck, swap_ways
from renege.belief.compiled import Compiled, capped
from renege.belief.problem import (
    MOST_WEIGHT,
    Back,
    Group,
    Pick,
    Problem,
    Run,
    Watch,
    any_watch,
    count_watch,
    has_steps,
    pair_watch,
    run_watch,
    watch_by,
    ways_watch,
)
from renege.belief.seen import GONE, NOBODY, NoWorldLeft, SeenCards, stale_facts
from renege.core.cards import Card, Cards, kinds_in
from renege.core.facts import (
    TALK,
    Allows,
    Among,
    AtMost,
    Beats,
    Came,
    Fact,
    FewPairs,
    Holds,
    Lacks,
    NoRun,
    OneOf,
    Permits,
    Stopped,
    Unproved,
    Void,
    format_fact,
)
from renege.core.game import KITTY
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Course, Position

MOST_PICKED = 5  # hands with what was picked from them: more are no part of the count


def compile_facts(course: Course, facts: tuple[Fact, ...]) -> Compiled:
    """Compile a course with these facts alone; known hands are no part of the problem."""
    return _Compiler(course, facts).compiled()


class _Compiler:
    def __init__(self, course: Course, facts: tuple[Fact, ...]) -> None:
        self.start: Position = course.start
        self.position: Position = course.position
        self.facts = facts
        self.deck = course.game.deck
        self.seen = SeenCards(course)
        self.told, self.hidden = self.seen.told, self.seen.hidden
        self.of_swapped: list[Holds] = []  # what is known of hands before cards changed hands
        self.stale = stale_facts(course) if self.seen.gone else set[Fact]()
        self.piles = tuple(self.hidden)
        self.kinds, self.copies = self._hidden_kinds()
        self.place = {kind: place for place, kind in enumerate(self.kinds)}
        self.most = [[copies] * len(self.piles) for copies in self.copies]
        self.least = [[0] * len(self.piles) for _ in self.kinds]
        for kind in self.seen.unplayed(self.kinds):
            self.most[self.place[kind]][self.piles.index(GONE)] = 0
        self.groups: list[Group] = []
        self.watches: list[Watch] = []
        self.no_pairs: list[Watch] = []  # each a cap for every kind
        self.picks: list[Pick] = []
        self.loose: list[Fact] = []
        self.checks: list[Check] = []
        self.used: list[tuple[Fact, tuple[Card, ...]]] = []

    def _hidden_kinds(self) -> tuple[tuple[Card, ...], tuple[int, ...]]:
        """The kinds that nobody has shown, suit by suit from the lowest step, with their copies."""
        left = self.seen.unseen
        order = self.position.order
        if order is None:
            kinds = sorted(kinds_in(left.kinds))
        else:
            # where runs are asked about, a step that nobody hides a card of still counts
            asked = left.kinds
            for fact in self.facts:
                if isinstance(fact, NoRun | Stopped) or (isinstance(fact, Beats) and fact.length > 1):
                    asked |= order.leads[fact.suit]
            # by the suit that they lead, from the lowest step; those on one step by number
            kinds = [kind for steps in order.steps for mask in steps for kind in sorted(kinds_in(mask & asked))]
        return tuple(kinds), tuple(left.count(kind) for kind in kinds)

    def compiled(self) -> Compiled:
        for fact in self.facts:
            self._take(fact)
        self._check_swap()
        problem = Problem(
            self.kinds,
            self.copies,
            tuple(self.hidden.values()),
            capped(self.most, self.no_pairs),
            tuple(map(tuple, self.least)),
            tuple(self.groups),
            tuple(self.watches),
            tuple(self.picks),
        )
        told = tuple(self.loose), tuple(self.used), tuple(self.checks)
        return Compiled(problem, self.piles, *told, tuple(self.no_pairs), tuple(map(tuple, self.most)))

    # -- one fact

    def _take(self, fact: Fact) -> None:
        if fact in self.stale and fact.seat in self.told:
            return  # it is about a hand that is known
        if isinstance(fact, Unproved) or fact in self.stale:
            self.loose.append(fact)
        elif isinstance(fact, Beats):
            self._beats(fact)
        elif isinstance(fact, Among):
            self._among(fact)
        elif isinstance(fact, Stopped):
            self._stopped(fact)
        elif fact.trick == TALK and isinstance(dealt := self.start.hands[fact.seat], Cards):
            self._apply(fact, dealt, None)
        elif isinstance(fact, Holds) and (fact.or_buried or (fact.trick == TALK and fact.seat in self.seen.bankers)):
            self._hold_together(fact)
        elif fact.trick == TALK and any(fact.seat in (move.giver, move.taker) for move in self.seen.swaps):
            self._take_swapped(fact)
        elif fact.trick == TALK and fact.seat in self.seen.bankers:
            self.loose.append(fact)  # its hand has changed since, and that may have ended it
        else:
            hand = None if fact.seat in self.told else self.piles.index(fact.seat)
            self._apply(fact, self.seen.known(fact.seat, fact.trick), hand)

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
            pairs = known.only(fact.cards.kinds).at_least(fact.width).bit_count()
            self._check(fact, pairs <= fact.most, known.only(fact.cards.kinds))
            self._few_pairs(fact, known, hand)
        elif isinstance(fact, NoRun):
            self._no_run(fact, known, hand)
        elif isinstance(fact, Allows):
            self._allows(fact, known, hand)
        elif isinstance(fact, Permits):
            self._permits(fact, known.only(fact.cards.kinds), hand)
        elif isinstance(fact, OneOf):
            self._one_of(fact, known, hand)
        elif isinstance(fact, Came):
            self._came(fact, known, hand)
        else:
            raise TypeError(f"{fact} is no fact that is known here")

    def _check(self, fact: Fact, holds: bool, cards: Cards) -> None:
        if not holds:
            raise self._clash("{fact}, and yet it showed {cards}", fact, cards or "nothing of the kind")

    def _clash(self, why: str, fact: Fact, *shown: object) -> NoWorldLeft:
        return NoWorldLeft(say(why, format_fact(fact, self.position.order), *shown), (fact,))

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
                raise self._clash("{fact}, and too few of it are hidden", fact)
            self.least[place][hand] = max(self.least[place][hand], least)
            if most is not None:
                self.most[place][hand] = min(self.most[place][hand], most)
        elif not places and least:
            raise self._clash("{fact}, and no such card is hidden", fact)
        elif places:
            first, last = min(places), max(places)
            counted = [place in places for place in range(first, last + 1)]
            copies = self.copies[first : last + 1]
            self.watches.append(count_watch(hand, first, counted, copies, least, most, facts=(fact,)))

    def _few_pairs(self, fact: FewPairs, known: Cards, hand: int | None) -> None:
        if hand is None:
            return
        places = [self.place[kind] for kind in kinds_in(fact.cards.kinds) if kind in self.place]
        seen, width = {place: known.count(self.kinds[place]) for place in places}, fact.width
        could = [place for place in places if seen[place] < width <= seen[place] + self.copies[place]]
        left = fact.most - known.only(fact.cards.kinds).at_least(width).bit_count()
        if len(could) > left:
            first, last = min(could), max(could)
            counted = [place in could for place in range(first, last + 1)]
            had = [seen.get(place, 0) for place in range(first, last + 1)]
            copies = self.copies[first : last + 1]
            watch = pair_watch(hand, first, had, counted, copies, left, (fact,), width)
            (self.watches if left else self.no_pairs).append(watch)  # none at all: no second copy comes to a first

    def _no_run(self, fact: NoRun, known: Cards, hand: int | None) -> None:
        run = Run(fact.length, fact.above, forbidden=True, each=fact.width)
        self._check(fact, not self._has_run(known, fact.suit, run), known)
        if hand is not None and (watch := self._run_watch(fact, hand, known, run)):
            self.watches.append(watch)

    def _has_run(self, known: Cards, suit: int, run: Run) -> bool:
        steps = [known.at_least(run.each) & mask for mask in self._order().steps[suit]]
        return has_steps(steps, run.length, run.above)

    def _run_watch(self, fact: NoRun | Beats | Stopped, hand: int, known: Cards, run: Run) -> Watch | None:
        """A watch over the kinds of a suit, which lie together; None where there are none."""
        step_of = {kind: i for i, mask in enumerate(self._order().steps[fact.suit]) for kind in kinds_in(mask)}
        places = [place for place, kind in enumerate(self.kinds) if kind in step_of]
        if not places:
            return None
        kinds, copies = [self.kinds[place] for place in places], [self.copies[place] for place in places]
        seen, steps = [known.count(kind) for kind in kinds], [step_of[kind] for kind in kinds]
        return run_watch(hand, places[0], seen, steps, copies, run, (fact,))

    def _one_of(self, fact: OneOf, known: Cards, hand: int | None) -> None:
        """What is left of each way, and a watch over those that may be."""
        open_ways: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []  # places it lacks, places it holds, how many
        for way in fact.ways:
            missing = max(0, way.least - len(known.only(way.holds.kinds)))
            if known.only(way.lacks.kinds) or (hand is None and missing):
                continue
            lacks, holds = self._places(way.lacks.kinds), self._places(way.holds.kinds)
            if hand is None or (not missing and not lacks):
                return
            open_ways.append((lacks, holds if missing else (), missing))
        self._check(fact, bool(open_ways), known)
        assert hand is not None
        places = [place for lacks, holds, _ in open_ways for place in (*lacks, *holds)]
        if not places:
            raise self._clash("{fact}, and no such card is hidden", fact)
        first, last = min(places), max(places) + 1
        watch = ways_watch(first, self.copies[first:last], tuple(open_ways))
        if watch is None:
            self.loose.append(fact)
        else:
            self.watches.append(replace(watch, hand=hand, facts=(fact,)))

    def _places(self, kinds: int) -> tuple[int, ...]:
        """Where the hidden cards of these kinds are."""
        places = (self.place[kind] for kind in kinds_in(kinds) if kind in self.place)
        return tuple(sorted(place for place in places if self.copies[place]))

    def _came(self, fact: Came, known: Cards, hand: int | None) -> None:
        if hand is None and fact.giver is None:
            return
        if hand is None or fact.giver in self.told or len(self.piles) + len(self.picks) >= MOST_PICKED:
            self.loose.append(fact)
            self.checks.append(Check((fact,)))
            return
        shown, places = known.only(fact.cards.kinds), self._places(fact.cards.kinds)
        back = None
        if fact.giver is not None:
            again = self.seen.since(fact.giver, 0).only(fact.cards.kinds)
            back = Back(self.piles.index(fact.giver), len(self.start.hands[fact.giver]), shown=bool(again))
        elif not shown and not (places and self.hidden[fact.seat]):
            raise self._clash("{fact}, and no such card is hidden", fact)
        self.picks.append(Pick(hand, places, tuple(kinds_in(shown.kinds)), back))

    def _allows(self, fact: Allows, known: Cards, hand: int | None) -> None:
        """Each deal that is drawn is asked."""
        hands = [] if hand is None else [hand]
        if fact.or_buried:
            known = known + self.told.get(KITTY, self.deck.none)
            hands += [self.piles.index(KITTY)] if KITTY in self.piles else []
        if hands:
            self.loose.append(fact)
            self.checks.append(KindsCheck((fact,), tuple(hands), known, fact.cards.kinds, fact.copies, fact.allowed))

    def _permits(self, fact: Permits, known: Cards, hand: int | None) -> None:
        """The same, by the cards themselves."""
        hands = [] if hand is None else [hand]
        if fact.or_buried:
            known = known + self.told.get(KITTY, self.deck.none).only(fact.cards.kinds)
            hands += [self.piles.index(KITTY)] if KITTY in self.piles else []
        if not hands:
            self._check(fact, fact.permitted(known), known)
            return
        self.loose.append(fact)
        self.checks.append(CardsCheck((fact,), tuple(hands), known, fact.cards.kinds, fact.permitted))

    def _beats(self, fact: Beats) -> None:
        """One of several hands has what beats a unit."""
        found = [self._beaten(fact, seat, (fact.length, fact.above, fact.each)) for seat in fact.seats]
        watches = sorted((watch for watch in found if isinstance(watch, Watch)), key=lambda watch: watch.hand)
        if True in found:
            return
        if not watches:
            raise self._clash("{fact}, and no such card is hidden", fact)
        joined = watches[0] if len(watches) == 1 else any_watch(watches, self.copies)
        if joined is None:  # too many hands for a table
            self.loose.append(fact)
            self.checks.append(AnyCheck((fact,), tuple(watches), self.kinds, self.copies))
        else:
            self.watches.append(joined)

    def _stopped(self, fact: Stopped) -> None:
        """Who was the first to beat a unit is asked of each deal that is drawn."""
        asked = tuple(
            (
                (self._beaten(fact, seat, fact.led),),
                tuple(self._beaten(fact, seat, unit) for unit in fact.smaller),
                tuple(self._beaten(fact, seat, unit) for unit in fact.larger),
            )
            for seat in fact.seats
        )
        self.loose.append(fact)
        self.checks.append(StopCheck((fact,), asked, self.kinds, self.copies))

    def _beaten(self, fact: Beats | Stopped, seat: int, unit: tuple[int, int, int]) -> Watch | bool:
        """What a seat must get to beat a unit; True if it is known to, False if it cannot."""
        length, above, each = unit
        run, known = Run(length, above, forbidden=False, each=each), self.seen.known(seat, fact.trick)
        if self._has_run(known, fact.suit, run):
            return True
        if seat in self.told:
            return False
        watch = self._run_watch(fact, self.piles.index(seat), known, run)
        return watch if watch is not None and watch.moves else False

    def _take_swapped(self, fact: Fact) -> None:
        """A fact about a hand as dealt that has swapped a card since."""
        if not isinstance(fact, Holds) or len(self.seen.swaps) > 2:
            self.loose.append(fact)
            return
        came = [move.cards for move in self.seen.swaps if move.taker == fact.seat]
        went = [move.cards for move in self.seen.swaps if move.giver == fact.seat]
        if all(isinstance(cards, Cards) for cards in (*came, *went)):  # who swapped knows what: so much is there now
            more, less = (
                sum(len(cards.only(fact.cards.kinds)) for cards in moved if isinstance(cards, Cards))
                for moved in (came, went)
            )
            self._take(replace(fact, trick=0, least=fact.least + more - less))
        else:
            self.of_swapped.append(fact)

    def _check_swap(self) -> None:
        """What was dealt to two hands that have swapped a card since, face down: deals that could have come about in
        more ways are drawn more often. It is asked of each, and so the count is a bound.
        """
        if not self.of_swapped:
            return
        self.loose += self.of_swapped
        kinds = {fact.cards.kinds for fact in self.of_swapped}
        giver, taker = self.seen.swaps[0].giver, self.seen.swaps[0].taker
        if len(kinds) > 1 or len({move.cards for move in self.seen.swaps if isinstance(move.cards, Cards)}):
            return
        mask = kinds.pop()
        piles = giver, taker
        known = [self.seen.known(seat, 0) for seat in piles]
        sizes = [len(cards) + self.hidden.get(seat, 0) for seat, cards in zip(piles, known, strict=True)]
        least = [max([0, *(f.least for f in self.of_swapped if f.seat == seat)]) for seat in piles]
        ways = swap_ways((sizes[0], sizes[1]), (least[0], least[1]), back=len(self.seen.swaps) == 2)
        shown = [len(cards.only(mask)) for cards in known]
        hands = [self.piles.index(seat) if seat in self.piles else NOBODY for seat in piles]
        self.checks.append(SwapCheck(tuple(self.of_swapped), (hands[0], hands[1]), (shown[0], shown[1]), mask, ways))

    def _among(self, fact: Among) -> None:
        """Cards that two seats have together."""
        seats = fact.seat, fact.other
        known = self.seen.known(fact.seat, fact.trick) + self.seen.known(fact.other, fact.trick)
        missing = fact.least - len(known.only(fact.cards.kinds))
        hands = sorted(self.piles.index(seat) for seat in seats if seat in self.piles)
        places = self._places(fact.cards.kinds)
        self._check(fact, missing <= 0 or bool(places and hands), known)
        if missing > 0 and not self._watch_together(fact, hands, places, missing):
            self.loose.append(fact)

    def _hold_together(self, fact: Holds) -> None:
        """Cards that are in a seat's hand or in the kitty that it buried."""
        hands = [self.piles.index(pile) for pile in (fact.seat, KITTY) if pile in self.piles]
        known = self.seen.known(fact.seat, fact.trick) + self.told.get(KITTY, self.deck.none)
        here = len(known.only(fact.cards.kinds))
        missing = max(0, fact.least - here)
        places = self._places(fact.cards.kinds)
        self._check(fact, not missing or bool(places and hands), known)
        if not places or not hands:
            return
        if fact.cards.kinds.bit_count() > 1:
            self.loose.append(fact)  # in how many ways they were dealt is not known to the count
            if missing:
                self._watch_together(fact, sorted(hands), places, missing)
            return
        place = self.place[next(kinds_in(fact.cards.kinds))]
        copies = self.copies[place]
        if missing > copies:
            raise self._clash("{fact}, and too few of it are hidden", fact)
        weights = self._ways_dealt(fact, here, copies)
        if max(weights, default=0) > MOST_WEIGHT:  # with five packs and more: as near as the table can have it
            weights = tuple(max(way * MOST_WEIGHT // max(weights), way > 0) for way in weights)
            self.loose.append(fact)
            self.checks.append(Check((fact,)))
        self.groups.append(Group(place, sum(1 << hand for hand in hands), missing, copies, (fact,), weights))

    def _ways_dealt(self, fact: Holds, here: int, copies: int) -> tuple[int, ...]:
        """For so many hidden copies with the banker and the kitty, in how many ways that many could have been dealt so
        that the fact holds: to its hand, where it showed the card, or to the kitty, where it was turned up.
        """
        if isinstance(self.start.kitty, Cards) or isinstance(self.start.hands[fact.seat], Cards):
            return ()
        kitty, hand = len(self.start.kitty), len(self.start.hands[fact.seat])
        in_hand = fact.trick == TALK
        size, other = (hand, kitty) if in_hand else (kitty, hand)
        size -= sum(  # the rest of what is known to have been dealt there
            one.least
            for one in {one for one in self.facts if isinstance(one, Holds) and one.seat == fact.seat}
            if one.trick == fact.trick and one.cards != fact.cards and one.least == self.deck.copies and in_hand
        )
        both, numbers = size + other, range(here, here + copies + 1)  # of copies in the two together
        ways = [sum(comb(n, j) * comb(both - n, size - j) for j in range(fact.least, n + 1)) for n in numbers]
        return tuple(way // (gcd(*ways) or 1) for way in ways)  # without common factors

    def _watch_together(self, fact: Fact, hands: list[int], places: tuple[int, ...], missing: int) -> bool:
        """So many more cards at these places go to these hands; False if that would be too large a watch."""
        first, last = places[0], places[-1] + 1

        def move(k: int, state: int, given: tuple[int, ...]) -> int:
            return max(0, state - sum(given)) if first + k in places else state

        watch = watch_by(hands, first, self.copies[first:last], missing, move, lambda state: not state, (fact,))
        if watch is not None:
            self.watches.append(watch)
        return watch is not None

    def _order(self) -> Order:
        assert self.position.order is not None
        return self.position.order
