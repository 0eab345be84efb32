"""A hand as it is held: by effective suit, trumps first, each from the top down; and which of it may be played.

Before there is a contract a hand is sorted as a player would: in 42 without trumps, in Schafkopf as for a Rufspiel,
in Tractor by the trumps that were shown last, in a game that was added as its cards are numbered.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from renege.core.cards import Card, Cards, Deck, kinds_in
from renege.core.game import Turn
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.games import schafkopf, texas42, tractor
from renege.games.tractor.declare import Drawing
from renege.games.tractor.legal import TractorPlays
from renege.games.tractor.order import printed_suit


@dataclass(frozen=True, slots=True)
class Sorting:
    """An order as a hand is held by it: the place of each card, its step in its suit, and the suit that is trump."""

    place: tuple[int, ...]  # [card] the lowest stands first
    step: tuple[int, ...]  # [card] counted from the bottom of its suit
    trump: int | None


@cache
def sorting(order: Order) -> Sorting:
    """How a hand is held under an order."""
    trump = _trump(order)
    down = range(len(order.deck.names))
    suits = sorted(range(len(order.suits)), key=lambda suit: (suit != trump, *_suit_place(order, suit)))
    held = sorted(
        down,
        key=lambda card: (
            suits.index(order.led_suit[card]),
            -order.strength[order.led_suit[card]][card],
            -card,
        ),
    )
    step = {card: i for steps in order.steps for i, mask in enumerate(steps) for card in kinds_in(mask)}
    return Sorting(tuple(held.index(card) for card in down), tuple(step[card] for card in down), trump)


def _trump(order: Order) -> int | None:
    """The suit that wins where another is led."""
    for suit, leads in enumerate(order.leads):
        for led, strength in enumerate(order.strength):
            if led != suit and any(strength[card] for card in kinds_in(leads & ~order.follow[led])):
                return suit
    return None


def _suit_place(order: Order, suit: int) -> tuple[int]:
    """Pips from six to blank, doubles before them; the suits of cards as their order lists them."""
    return (-suit if order.deck == texas42.DECK else suit,)


def order_of(position: Position) -> Order:
    """The order that a hand is sorted by: the one in force, or what a player would take it for."""
    if position.order is not None:
        return position.order
    if isinstance(position.talk, Drawing):
        named, rules = position.talk.named, position.game.rules
        suit = None if named is None else printed_suit(next(iter(named)))
        return tractor.order(f"{suit or 'NT'}{position.talk.level}", rules.level_gap, rules.no_trump)
    if position.game.deck == texas42.DECK:
        return texas42.order("follow-me")
    if isinstance(position.game.rules, schafkopf.Rules):
        return schafkopf.order("rufspiel E", position.game.rules.deck)
    return _as_numbered(position.game.deck)


@cache
def _as_numbered(deck: Deck) -> Order:
    """One suit, the last card the highest: how a hand is held before anybody knows more."""
    cards = range(len(deck.names))
    strength = tuple(card + 1 for card in cards)
    return Order(deck, ("",), ("",), tuple(0 for _ in cards), (deck.kinds,), (strength,), tuple(0 for _ in cards))


def held(order: Order, cards: Cards) -> list[Card]:
    """The cards of a hand in the order in which it is held."""
    return sorted(cards, key=sorting(order).place.__getitem__)


def held_text(order: Order, cards: Cards) -> list[str]:
    return [order.deck.names[card] for card in held(order, cards)]


# -- what may be played


def barred(position: Position, turn: Turn) -> dict[Card, str]:
    """The cards of a hand that are in no legal play, each with the reason."""
    lead = turn.trick.lead
    if lead is None or len(lead.cards) == 1:  # whatever else may be led, each card alone may
        objections = ((card, position.game.objection(turn, Play(_one(turn, card)))) for card in _kinds(turn))
        return {card: no.why for card, no in objections if no is not None}
    plays = AnswerKinds(position.game, turn)
    out = turn.hand.kinds & ~plays.kinds()
    if not out:
        return {}
    model = next(iter(plays)).cards
    return {card: _why(position, turn, model, card) for card in kinds_in(out)}


def _kinds(turn: Turn) -> Iterator[Card]:
    return kinds_in(turn.hand.kinds)


def _one(turn: Turn, card: Card) -> Cards:
    return turn.hand.deck.of(1 << card)


def _why(position: Position, turn: Turn, model: Cards, card: Card) -> str:
    """What a legal play is refused for when one of its cards, the lowest, is this one instead."""
    lowest = min(model, key=lambda other: turn.order.strength[turn.led or 0][other])
    no = position.game.objection(turn, Play(model - _one(turn, lowest) + _one(turn, card)))
    assert no is not None
    return no.why


class AnswerKinds(TractorPlays):
    """The answers to a lead of several cards, asked which cards are in any of them."""

    def kinds(self) -> int:
        if self._fills is not None:
            must, rest, size = self._fills
            return must.kinds | (rest.kinds if size else 0)
        found = 0
        for whole, others, size in self._find_classes():
            if size <= len(others):
                found |= whole
                found |= sum(1 << card for card in others) if size else 0
            if found == self._held.kinds:
                break
        return found
