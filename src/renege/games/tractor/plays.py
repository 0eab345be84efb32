"""Every legal play where units are of any width: counted without listing, listed once each, drawn, picked card by card.

What follows there are `follow_plays` knows.

Any cards of one suit are a lead, unless the table restricts throws. Then leads fall into classes by which kinds come
twice and more, and how often: at most the product of the copies held of each kind, 3^12 for a whole suit of three
packs, and a few dozen for a hand as it is dealt.
"""

import random
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Turn
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
from renege.games.tractor.duties import Owed, follow_wide, owed_by, wide_shape
from renege.games.tractor.follow import follow_suit
from renege.games.tractor.follow_plays import Follows, cards_of
from renege.games.tractor.legal import TractorPlays, choices
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import StoppedThrow, ThrowTest, TrumpThrows
from renege.games.tractor.throws import beater, may_beat, others
from renege.games.tractor.units import is_unit, units_of

Class = tuple[Cards, list[Card], int]  # all cards of kinds that come twice or more, kinds for others, how many of those


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
                    yield pile.deck.cards(cards_of(kinds, taken))


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
        yield held.deck.cards(cards_of(kinds, taken))


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
