"""Every legal play of Tractor, counted without listing, listed without a repeat, or one drawn at random.

Duties speak of pairs alone, so the plays fall into classes by which pairs they hold whole: a class is legal or not as
one, and has as many plays as there are ways to choose its other cards from kinds of which no second copy comes along.
"""

import random
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from math import comb

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import Game, LegalPlays, Turn
from renege.core.trick import Play
from renege.games.tractor.follow import match, owed
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import StoppedThrow, ThrowTest, TrumpThrows
from renege.games.tractor.throws import beater, could_beat, others, unseen
from renege.games.tractor.units import Counts, cut, led_shape, shape_of

Class = tuple[int, list[Card], int]  # mask of the whole pairs, kinds for the other cards, how many of those


class TractorPlays(LegalPlays):
    """The plays open to a seat; a play is its cards, however its leader would group them."""

    def __init__(self, game: Game, turn: Turn) -> None:
        super().__init__(game, turn)
        self._held = turn.hand.deck.none if turn.led is None else turn.order.in_suit(turn.hand, turn.led)
        self._fills = self._find_fills()

    def __iter__(self) -> Iterator[Play]:
        return map(Play, self._piles())

    def __len__(self) -> int:
        return self.count()

    def count(self) -> int:
        if self._fills is not None:
            _, rest, size = self._fills
            return _ways(rest, size)
        return sum(comb(len(kinds), size) for _, kinds, size in self._classes)

    def choose(self, rng: random.Random) -> Play:
        if self._fills is not None:
            must, rest, size = self._fills
            return Play(must + _draw(rest, size, rng))
        weights = [comb(len(kinds), size) for _, kinds, size in self._classes]
        pairs, kinds, size = rng.choices(self._classes, weights)[0]
        return Play(self._pile(pairs, rng.sample(kinds, size)))

    def _piles(self) -> Iterator[Cards]:
        if self._fills is not None:
            must, rest, size = self._fills
            for chosen in choices(rest, size):
                yield must + chosen
            return
        for pairs, kinds, size in self._find_classes():  # as far as one asks
            for chosen in combinations(kinds, size):
                yield self._pile(pairs, chosen)

    def _pile(self, pairs: int, singles: tuple[Card, ...] | list[Card]) -> Cards:
        once = pairs
        for card in singles:  # kinds that are in no pair
            once |= 1 << card
        return Cards(self.turn.hand.deck, (once, pairs) if pairs else (once,))

    def kinds(self) -> int:
        if self._fills is not None:
            must, rest, size = self._fills
            return must.kinds | (rest.kinds if size else 0)
        found = 0
        for whole, single, size in self._find_classes():
            if size <= len(single):
                found |= whole
                found |= sum(1 << card for card in single) if size else 0
            if found == self._held.kinds:
                break
        return found

    # -- following

    def _find_fills(self) -> tuple[Cards, Cards, int] | None:
        """Where the led suit runs out: the cards that must go, and how many of which others fill up."""
        turn, lead = self.turn, self.turn.trick.lead
        if lead is None:
            return None
        held = self._held
        if turn.led is not None and len(held) > len(lead.cards):
            return None
        return held, turn.hand - held, len(lead.cards) - len(held)

    @cached_property
    def _classes(self) -> list[Class]:
        return list(self._find_classes())

    def _find_classes(self) -> Iterator[Class]:
        return self._leads() if self.turn.trick.lead is None else self._follows()

    def _follows(self) -> Iterator[Class]:
        turn, lead = self.turn, self.turn.trick.lead
        assert lead is not None
        assert turn.led is not None
        held, shape = self._held, led_shape(turn.order, lead)
        pairs, runs = owed(turn.rules, turn.order, turn.led, held, shape)
        for whole in _subsets(held.at_least(2), pairs, shape.cards // 2):
            size = shape.cards - 2 * whole.bit_count()
            if any(runs):
                given: Counts = tuple([(whole & step).bit_count() for step in turn.order.steps[turn.led]])
                if match(turn.rules, given, shape.runs) != runs:
                    continue
            yield whole, list(kinds_in(held.kinds & ~whole)), size

    # -- leading

    def _leads(self) -> Iterator[Class]:
        turn = self.turn
        refused = turn.rules.stopped_throw is StoppedThrow.REFUSED or turn.rules.throw_test is ThrowTest.PUBLIC_INFO
        for suit in range(len(turn.order.suits)):
            held = turn.order.in_suit(turn.hand, suit)
            forbidden = suit == TRUMP and turn.rules.trump_throws is TrumpThrows.FORBIDDEN
            safe = self._safe_singles(suit, held) if refused else held.kinds
            for whole in _subsets(held.at_least(2), 0, len(held)):
                yield from self._leads_with(suit, held, whole, safe, forbidden=forbidden, refused=refused)

    def _leads_with(
        self, suit: int, held: Cards, whole: int, safe: int, *, forbidden: bool, refused: bool
    ) -> Iterator[Class]:
        """The leads that hold just these pairs whole: alone, and with each number of singles."""
        pile = Cards(held.deck, (whole, whole) if whole else ())
        others_kinds = held.kinds & ~whole
        alone = bool(whole) and not shape_of(self.turn.order, suit, pile).is_throw
        if alone:
            yield whole, [], 0
        if not whole:
            yield 0, list(kinds_in(others_kinds)), 1
        if forbidden or (refused and whole and not self._all_safe(suit, pile)):
            return
        kinds = list(kinds_in(others_kinds & safe))
        first = (1 if alone else 0) if whole else 2
        for size in range(first, len(kinds) + 1):
            yield whole, kinds, size

    def _all_safe(self, suit: int, pile: Cards) -> bool:
        return not any(self._beatable(suit, unit) for unit in cut(self.turn.order, suit, pile))

    def _safe_singles(self, suit: int, held: Cards) -> int:
        return sum(1 << card for card in kinds_in(held.kinds) if not self._beatable(suit, held.deck.of(1 << card)))

    def _beatable(self, suit: int, unit: Cards) -> bool:
        turn = self.turn
        if turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
            voids = [void for seat, void in enumerate(turn.memory.voids) if seat != turn.seat]
            return bool(could_beat(turn.order, suit, unit, unseen(turn), voids))
        return any(beater(turn.order, suit, unit, hand) is not None for _, hand in others(turn))


def _subsets(mask: int, least: int, most: int) -> Iterator[int]:
    """Every subset of a mask with so many kinds, the greatest first."""
    if not mask:
        yield from () if least else (0,)
        return
    bits = [1 << card for card in kinds_in(mask)]
    for size in range(min(most, len(bits)), least - 1, -1):
        yield from map(sum, combinations(bits, size))


def _ways(pile: Cards, size: int) -> int:
    """How many piles of this size can be taken out of a pile, copies being alike."""
    ways = [1] + [0] * size
    for card in kinds_in(pile.kinds):
        copies = pile.count(card)
        ways = [sum(ways[total - taken] for taken in range(min(copies, total) + 1)) for total in range(size + 1)]
    return ways[size]


def choices(pile: Cards, size: int) -> Iterator[Cards]:
    """Every pile of this size that can be taken out of a pile, once each."""
    kinds = list(kinds_in(pile.kinds))

    def take(i: int, left: int, taken: list[Card]) -> Iterator[Cards]:
        if not left:
            yield pile.deck.cards(taken)
        elif i < len(kinds):
            for copies in range(min(pile.count(kinds[i]), left), -1, -1):
                yield from take(i + 1, left - copies, taken + [kinds[i]] * copies)

    return take(0, size, [])


def _draw(pile: Cards, size: int, rng: random.Random) -> Cards:
    """One of those piles, each as likely."""
    taken: list[Card] = []
    rest = pile
    for card in kinds_in(pile.kinds):
        rest = rest.only(~(1 << card))
        most = min(pile.count(card), size - len(taken))
        weights = [_ways(rest, size - len(taken) - copies) for copies in range(most + 1)]
        taken += [card] * rng.choices(range(most + 1), weights)[0]
    return pile.deck.cards(taken)
