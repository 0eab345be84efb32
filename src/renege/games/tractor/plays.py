"""Every legal play where units are of any width: counted without listing, listed once each, drawn, picked card by card.

A follow gives one of a few lists of units (`duties`). The hand is swept from its lowest step up; at each step it is
chosen how many cards of each kind go, and what is kept in mind is which lists can still be given, and how. Choices that
leave the same to be done are counted together, for all numbers of cards at once, so that there are at most as many
things to count as steps, times the sets of what may be left to do, which are few; not as many as there are plays. What
the rest of the hand cannot do is forgotten, and so is what asks for more than something else that is left. For 39 trumps
of three packs in one hand, 15 of them led, that is 10 ms. Where the first format that fits is owed and tuples protected,
every format of the chain is kept in mind, and how often kinds come and stay: then it is 0.1 s for such a hand, and 0.5 s
for the worst of some hundred leads of tractors of triples.

Any cards of one suit are a lead, unless the table restricts throws. Then leads fall into classes by which kinds come
twice and more, and how often: at most the product of the copies held of each kind, 3^12 for a whole suit of three
packs, and a few dozen for a hand as it is dealt.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import comb, prod
from typing import Generic, NamedTuple, TypeVar

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Turn
from renege.core.order import Order
from renege.core.trick import Play
from renege.games.tractor import legal
from renege.games.tractor.bombs import (
    bombs_in,
    goes_on,
    leads_rainbow,
    more_leads,
    rainbow_picks,
    rainbows_in,
    ranks_held,
)
from renege.games.tractor.duties import Owed, dodges, follow_wide, owed_by, wide_shape
from renege.games.tractor.follow import follow_suit
from renege.games.tractor.legal import TractorPlays, choices
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import StoppedThrow, ThrowTest, TrumpThrows
from renege.games.tractor.throws import beater, may_beat, others
from renege.games.tractor.tuples import DONE, Column, State, Unit, step_on, sweep
from renege.games.tractor.units import is_unit, units_of

Taken = tuple[int, ...]  # how many cards of each kind of a step go
Class = tuple[Cards, list[Card], int]  # all cards of kinds that come twice or more, kinds for others, how many of those


class Mind(NamedTuple):
    """What is kept in mind: by a number what is left to do of the lists of units; where tuples are protected, how often
    kinds came and stay that do so twice or more."""

    lists: int
    came: Column = ()
    stay: Column = ()


NEVER, ALL = 0, 1  # of one list: it cannot be given any more, and it is given
Asked = tuple[tuple[int, int], ...]  # widths, and how many tuples of each


@dataclass(frozen=True, slots=True)
class Move:
    """Ways to take cards of a step that are alike: how many, how often kinds come and stay, and each of the ways."""

    cards: int
    column: Column
    stay: Column
    ways: tuple[Taken, ...]


Thing = TypeVar("Thing")


class Numbers(Generic[Thing]):
    """Things by number, each once, in the order in which they came."""

    def __init__(self) -> None:
        self._things: list[Thing] = []
        self._numbers: dict[Thing, int] = {}

    def __getitem__(self, number: int) -> Thing:
        return self._things[number]

    def of(self, thing: Thing) -> int:
        number = self._numbers.setdefault(thing, len(self._things))
        if number == len(self._things):
            self._things.append(thing)
        return number


class Follows:
    """The follows of so many cards of a suit, at least some cards among them, that give what is owed."""

    def __init__(self, order: Order, suit: int, held: Cards, size: int, owed: Owed, least: Cards | None = None) -> None:
        self.held, self.size, self.owed = held, size, owed
        self.least = held.deck.none if least is None else least
        self.kinds = [sorted(kinds_in(held.kinds & step)) for step in order.steps[suit]]
        self.moves = [self._moves(kinds) for kinds in self.kinds]
        self.slot = prod(held.count(card) + 1 for card in kinds_in(held.kinds)).bit_length()  # no count needs more bits
        self.limit = (1 << self.slot * (size + 1)) - 1
        self.spreads = [self._spread(moves) for moves in self.moves]
        self.columns = [_several([held.count(card) for card in kinds]) for kinds in self.kinds]
        self.widths = [_widths(units) if owed.strict else () for units in owed.ways]
        self._left = Numbers[frozenset[State]]()  # what may be left to do of one list
        assert (self._left.of(frozenset()), self._left.of(frozenset([DONE]))) == (NEVER, ALL)
        self._lists = Numbers[tuple[int, ...]]()  # and of all of them
        self._hopes: dict[tuple[int, State], bool] = {}
        self._swept: dict[tuple[int, int, Column], int] = {}
        self._then: dict[tuple[int, int, Column], tuple[int, Asked]] = {}
        self._counts: dict[tuple[int, Mind], int] = {}

    def _moves(self, kinds: list[Card]) -> list[Move]:
        alike: dict[tuple[int, Column, Column], list[Taken]] = {}
        copies = [self.held.count(card) for card in kinds]
        least = [self.least.count(card) for card in kinds]
        ranges = [range(most, few - 1, -1) for most, few in zip(copies, least, strict=True)]
        for taken in product(*ranges):
            left = [have - took for have, took in zip(copies, taken, strict=True)] if self.owed.strict else []
            alike.setdefault((sum(taken), _several(taken), _several(left)), []).append(taken)
        return [Move(*key, tuple(ways)) for key, ways in alike.items()]

    def _spread(self, moves: list[Move]) -> dict[tuple[Column, Column], int]:
        """How many ways there are to take each number of cards from a step, a slot each, by what comes of it."""
        found: dict[tuple[Column, Column], int] = {}
        for move in moves:
            key = move.column, move.stay
            found[key] = found.get(key, 0) + (len(move.ways) << move.cards * self.slot)
        return found

    @property
    def start(self) -> Mind:
        lists = [frozenset([(units, ())]) for units in self.owed.ways]
        lists = lists if self.owed.strict else [frozenset[State]().union(*lists)]
        return Mind(self._lists.of(tuple(map(self._left.of, lists))))

    def _sweep(self, step: int, number: int, column: Column) -> int:
        """What may be left to do of a list after a step: what the rest of the hand can do, and no more than must be."""
        key = step, number, column
        if key not in self._swept:
            left = sweep(self._left[number], column)
            self._swept[key] = self._left.of(_least([state for state in left if self._hope(step + 1, state)]))
        return self._swept[key]

    def _hope(self, step: int, state: State) -> bool:
        """Can this be done with all cards from a step on?"""
        if state == DONE or step == len(self.columns):
            return state == DONE
        key = step, state
        if key not in self._hopes:
            self._hopes[key] = any(self._hope(step + 1, then) for then in step_on(state, self.columns[step]))
        return self._hopes[key]

    def _after(self, step: int, number: int, column: Column) -> tuple[int, Asked]:
        """What may be left to do of the lists after a step, and of each width the most tuples that one of them asks for
        which may still be given."""
        key = step, number, column
        if key not in self._then:
            lists: list[int] = []
            asked: dict[int, int] = {}
            for left, widths in zip(self._lists[number], self.widths, strict=False):
                then = left and self._sweep(step, left, column)
                lists.append(then)
                for width, most in widths if then else ():
                    if most > asked.get(width, 0):
                        asked[width] = most
                if then == ALL:
                    break  # what comes after a list that can be given is never asked
            self._then[key] = self._lists.of(tuple(lists)), tuple(sorted(asked.items()))
        return self._then[key]

    def after(self, step: int, mind: Mind, column: Column, stay: Column) -> Mind:
        """What is kept in mind after a step."""
        lists, asked = self._after(step, mind.lists, column)
        return Mind(lists, *_tally(mind.came + column, mind.stay + stay, asked)) if asked else Mind(lists)

    def allowed(self, mind: Mind) -> bool:
        lists = self._lists[mind.lists]
        if ALL not in lists:
            return False
        given = self.owed.ways[lists.index(ALL)]
        return not self.owed.strict or not dodges(given, Counter(mind.came), Counter(mind.stay))

    def count(self, step: int = 0, left: int | None = None, mind: Mind | None = None) -> int:
        """How many ways there are to go on from a step with so many cards still to go."""
        left, mind = self.size if left is None else left, self.start if mind is None else mind
        return 0 if left < 0 else self._count(step, mind) >> left * self.slot & (1 << self.slot) - 1

    def _count(self, step: int, mind: Mind) -> int:
        """The same for every number of cards still to go, a slot each."""
        if step == len(self.moves):
            return int(self.allowed(mind))
        key = step, mind
        if key not in self._counts:
            found = 0
            if not any(self._lists[mind.lists]):
                return 0
            for (column, stay), ways in self.spreads[step].items():
                found += ways * self._count(step + 1, self.after(step, mind, column, stay))
            self._counts[key] = found & self.limit
        return self._counts[key]

    def choose(self, rng: random.Random) -> Cards:
        """One of them, each as likely."""
        left, mind, taken = self.size, self.start, list[Card]()
        for step, moves in enumerate(self.moves):
            after = [self.after(step, mind, move.column, move.stay) for move in moves]
            weights = [
                len(move.ways) * self.count(step + 1, left - move.cards, then)
                for move, then in zip(moves, after, strict=True)
            ]
            at = rng.choices(range(len(moves)), weights)[0]
            taken += _cards(self.kinds[step], rng.choice(moves[at].ways))
            left, mind = left - moves[at].cards, after[at]
        return self.held.deck.cards(taken)

    def __iter__(self) -> Iterator[Cards]:
        return self._from(0, self.size, self.start, [])

    def _from(self, step: int, left: int, mind: Mind, taken: list[Card]) -> Iterator[Cards]:
        if not self.count(step, left, mind):
            return
        if step == len(self.moves):
            yield self.held.deck.cards(taken)
            return
        for move in self.moves[step]:
            after = self.after(step, mind, move.column, move.stay)
            for way in move.ways:
                yield from self._from(step + 1, left - move.cards, after, taken + _cards(self.kinds[step], way))


def _least(states: list[State]) -> frozenset[State]:
    """Of what may be left to do that which asks for nothing more than another."""
    if len(states) < 2:
        return frozenset(states)
    found: list[State] = []
    for state in sorted(states, key=_units):
        if not any(_within(less[0], state[0]) and _within(less[1], state[1]) for less in found):
            found.append(state)
    return frozenset(found)


def _units(state: State) -> int:
    return len(state[0]) + len(state[1])


def _within(some: tuple[Unit, ...], units: tuple[Unit, ...]) -> bool:
    """Are some units among others? Both are sorted."""
    rest = iter(units)
    return len(some) <= len(units) and all(unit in rest for unit in some)


def _widths(units: tuple[Unit, ...]) -> Asked:
    """How many tuples of each width a list of units asks for."""
    return tuple(Counter(unit[0][0] for unit in units if len(unit) == 1).items())


@lru_cache(maxsize=1 << 16)
def _tally(came: Column, stay: Column, asked: Asked) -> tuple[Column, Column]:
    """How often kinds come and stay, as far as it matters: no more than are asked for and, once as many came as are,
    not how many stay."""
    kept: tuple[list[int], list[int]] = [], []
    for width, most in asked:
        there = min(came.count(width), most)
        kept[0].extend([width] * there)
        kept[1].extend([width] * (min(stay.count(width), most) if there < most else 0))
    return tuple(kept[0]), tuple(kept[1])


def _several(counts: tuple[int, ...] | list[int]) -> Column:
    return tuple(sorted((count for count in counts if count > 1), reverse=True))


def _cards(kinds: list[Card], taken: Taken) -> list[Card]:
    return [card for card, count in zip(kinds, taken, strict=True) for _ in range(count)]


def follows(turn: Turn, held: Cards, least: Cards | None = None) -> Follows:
    """The follows of a hand that has more of the led suit than were led."""
    assert turn.trick.lead is not None and turn.led is not None
    return Follows(turn.order, turn.led, held, len(turn.trick.lead.cards), _owed(turn, held), least)


def _owed(turn: Turn, held: Cards) -> Owed:
    assert turn.trick.lead is not None and turn.led is not None
    return owed_by(turn.rules, turn.order, turn.led, held, wide_shape(turn.order, turn.trick.lead))


class WidePlays(TractorPlays):
    """The plays open to a seat; a play is its cards, however its leader would group them."""

    @cached_property
    def _source(self) -> "Follows | Leads | FreeLeads | None":
        """Where the plays come from; None where the led suit runs out."""
        if self._fills is not None:
            return None
        if self.turn.trick.lead is not None:
            return follows(self.turn, self._held)
        return Leads(self.turn) if restricts(self.turn) else FreeLeads(self.turn)

    def count(self) -> int:
        return super().count() if self._source is None else self._source.count()

    def choose(self, rng: random.Random) -> Play:
        return super().choose(rng) if self._source is None else Play(self._source.choose(rng))

    def _piles(self) -> Iterator[Cards]:
        return super()._piles() if self._source is None else iter(self._source)

    def kinds(self) -> int:
        if self._source is None:
            return super().kinds()
        if self.turn.trick.lead is None:
            return self.turn.hand.kinds  # each card may be led by itself
        return _open(self.turn, self._held, self._held.deck.none)


class BombPlays(WidePlays):
    """The same where bombs and rainbows are played too: what they open comes after the rest."""

    @cached_property
    def _more(self) -> list[Cards]:
        turn, lead = self.turn, self.turn.trick.lead
        if lead is None:
            return list(more_leads(turn))
        size = len(lead.cards)
        if leads_rainbow(turn):
            return [pile for held in ranks_held(turn.hand, size) for pile in choices(held, size)]
        duties = follow_suit, follow_wide
        found = () if turn.led is None else bombs_in(turn, size)
        return [pile for pile in found if any(duty(turn, Play(pile)) is not None for duty in duties)]

    @property
    def _alone(self) -> bool:
        """Is nothing open but these?"""
        return bool(self._more) and leads_rainbow(self.turn)

    def count(self) -> int:
        return len(self._more) + (0 if self._alone else super().count())

    def choose(self, rng: random.Random) -> Play:
        if rng.randrange(self.count()) < len(self._more):
            return Play(rng.choice(self._more))
        return super().choose(rng)

    def _piles(self) -> Iterator[Cards]:
        if not self._alone:
            yield from super()._piles()
        yield from self._more

    def kinds(self) -> int:
        found = 0 if self._alone else super().kinds()
        return found | goes_on(self._more, self.turn.hand.deck.none)


# -- leading


def restricts(turn: Turn) -> bool:
    """Does the table restrict what may be thrown?"""
    rules = turn.rules
    return (
        rules.trump_throws is TrumpThrows.FORBIDDEN
        or rules.stopped_throw is StoppedThrow.REFUSED
        or rules.throw_test is ThrowTest.PUBLIC_INFO
    )


class FreeLeads:
    """All leads where any cards of one suit may be led."""

    def __init__(self, turn: Turn) -> None:
        held = (turn.order.in_suit(turn.hand, suit) for suit in range(len(turn.order.suits)))
        self.piles = [pile for pile in held if pile]

    def count(self) -> int:
        return sum(map(_parts, self.piles))

    def choose(self, rng: random.Random) -> Cards:
        pile = rng.choices(self.piles, [_parts(pile) for pile in self.piles])[0]
        while True:  # nothing at all is the only choice that is no lead
            chosen = [card for card in kinds_in(pile.kinds) for _ in range(rng.randint(0, pile.count(card)))]
            if chosen:
                return pile.deck.cards(chosen)

    def __iter__(self) -> Iterator[Cards]:
        for pile in self.piles:
            kinds = list(kinds_in(pile.kinds))
            for taken in product(*[range(pile.count(card) + 1) for card in kinds]):
                if any(taken):
                    yield pile.deck.cards(_cards(kinds, taken))


def _parts(pile: Cards) -> int:
    return prod(pile.count(card) + 1 for card in kinds_in(pile.kinds)) - 1


class Leads:
    """The leads where throws are restricted, by classes."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        rules = turn.rules
        self.refused = rules.stopped_throw is StoppedThrow.REFUSED or rules.throw_test is ThrowTest.PUBLIC_INFO

    @cached_property
    def classes(self) -> list[Class]:
        return list(self._find())

    def count(self) -> int:
        return sum(comb(len(kinds), size) for _, kinds, size in self.classes)

    def choose(self, rng: random.Random) -> Cards:
        weights = [comb(len(kinds), size) for _, kinds, size in self.classes]
        pile, kinds, size = rng.choices(self.classes, weights)[0]
        return pile + pile.deck.cards(rng.sample(kinds, size))

    def __iter__(self) -> Iterator[Cards]:
        for pile, kinds, size in self._find():
            for chosen in combinations(kinds, size):
                yield pile + pile.deck.cards(chosen)

    def _find(self) -> Iterator[Class]:
        turn = self.turn
        for suit in range(len(turn.order.suits)):
            held = turn.order.in_suit(turn.hand, suit)
            forbidden = suit == TRUMP and turn.rules.trump_throws is TrumpThrows.FORBIDDEN
            safe = held.kinds
            if self.refused:
                safe = sum(1 << card for card in kinds_in(safe) if not self._beatable(suit, held.deck.of(1 << card)))
            for pile in _tuples_of(held):
                alone = is_unit(turn.order, suit, pile)
                if alone:
                    yield pile, [], 0
                elif not pile:
                    yield pile, list(kinds_in(held.kinds)), 1
                if not forbidden:
                    yield from self._throws(suit, pile, held.kinds & safe & ~pile.kinds, 1 if alone else 0)

    def _throws(self, suit: int, pile: Cards, singles: int, first: int) -> Iterator[Class]:
        """Throws with these tuples, if those are safe, and with each number of singles."""
        if self.refused and pile and any(self._beatable(suit, unit) for unit in units_of(self.turn.order, suit, pile)):
            return
        kinds = list(kinds_in(singles))
        for size in range(first if pile else 2, len(kinds) + 1):
            yield pile, kinds, size

    def _beatable(self, suit: int, unit: Cards) -> bool:
        turn = self.turn
        if turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
            return bool(may_beat(turn, suit, unit))
        return any(beater(turn.order, suit, unit, hand) is not None for _, hand in others(turn))


def _tuples_of(held: Cards) -> Iterator[Cards]:
    """Every way to take two or more of some kinds."""
    kinds = list(kinds_in(held.at_least(2)))
    for taken in product(*[(0, *range(2, held.count(card) + 1)) for card in kinds]):
        yield held.deck.cards(_cards(kinds, taken))


# -- card by card


def picks(turn: Turn, chosen: Cards) -> tuple[int, bool]:
    """The kinds that may be picked next, as a mask, and whether what is chosen may be led as it is."""
    if turn.rules.is_usual:
        return legal.picks(turn, chosen)
    if turn.rules.has_bombs or turn.rules.rainbows:
        return legal.picks_by(turn, chosen, _more_lead_picks, _more_follow_picks)
    return legal.picks_by(turn, chosen, _lead_picks, _follow_picks)


def _lead_picks(turn: Turn, chosen: Cards) -> int:
    """What goes on to a lead: any card of the suit or, where throws are restricted, what a legal lead goes on with."""
    rest, suit = (turn.hand - chosen).kinds, turn.order.suit_of(chosen)
    if suit is None:
        return rest
    if turn.rules.throw_test is not ThrowTest.PUBLIC_INFO and (
        suit != TRUMP or turn.rules.trump_throws is TrumpThrows.ALLOWED
    ):
        return rest & turn.order.leads[suit]
    found = 0
    lone = chosen.kinds & ~chosen.at_least(2)
    for pile, kinds, size in Leads(turn).classes:
        missing = chosen - (chosen & pile)
        singles = sum(1 << card for card in kinds) if size else 0
        if missing.at_least(2) or missing.kinds & ~(singles & lone) or len(missing) > size:
            continue
        found |= (pile - (chosen & pile)).kinds
        if size > len(missing):
            found |= singles & ~missing.kinds
    return found


def _follow_picks(turn: Turn, chosen: Cards) -> int:
    assert turn.trick.lead is not None
    led = len(turn.trick.lead.cards)
    if len(chosen) == led:
        return 0
    own = 0 if turn.led is None else turn.order.follow[turn.led]
    held, rest = turn.hand.only(own), turn.hand - chosen
    if len(held) <= led:  # all of it goes, and anything else with it
        others = len(chosen.only(~own))
        return rest.kinds if others < led - len(held) else rest.kinds & own
    return _open(turn, held, chosen)


def _open(turn: Turn, held: Cards, chosen: Cards) -> int:
    """The kinds of the led suit that some legal follow with these cards in it goes on with."""
    rest, deck, owed = held - chosen, held.deck, _owed(turn, held)
    assert turn.trick.lead is not None
    room = len(turn.trick.lead.cards) - len(chosen)
    if not owed.strict and any(sum(need[0] for unit in way for need in unit) < room for way in owed.ways):
        return rest.kinds  # all that is owed still goes beside any card
    return sum(1 << card for card in kinds_in(rest.kinds) if follows(turn, held, chosen + deck.of(1 << card)).count())


# -- card by card, with bombs and rainbows


def _more_lead_picks(turn: Turn, chosen: Cards) -> int:
    of_one = not chosen or turn.order.suit_of(chosen) is not None
    found = rainbows_in(turn.rules, turn.order, turn.hand) if turn.rules.rainbows else ()
    return (_lead_picks(turn, chosen) if of_one else 0) | goes_on(found, chosen)


def _more_follow_picks(turn: Turn, chosen: Cards) -> int:
    assert turn.trick.lead is not None
    if leads_rainbow(turn):
        return rainbow_picks(turn, chosen)
    if turn.led is None:
        return _follow_picks(turn, chosen)
    size, own = len(turn.trick.lead.cards), turn.order.follow[turn.led]
    others, held = len(chosen.only(~own)), len(turn.hand.only(own))
    usual = _follow_picks(turn, chosen) if others <= max(size - held, 0) else 0  # else a bomb was begun
    return usual | goes_on(bombs_in(turn, size), chosen)
