"""A hand as it is held: by effective suit, trumps first, each from the top down; and which of it may be played.

Before there is a contract a hand is sorted as the words of its game say.
"""

from dataclasses import dataclass
from functools import cache

from renege.core.cards import Card, Cards, Hand, Hidden, kinds_in
from renege.core.game import Turn
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.games.words import words_of


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
    suits = sorted(range(len(order.suits)), key=lambda suit: (suit != trump, -suit if order.last_suit_first else suit))
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


def order_of(position: Position) -> Order:
    """The order that a hand is sorted by: the one in force, or what a player would take it for."""
    return words_of(position.game).hand_order(position) if position.order is None else position.order


def held(order: Order, cards: Cards) -> list[Card]:
    """The cards of a hand in the order in which it is held."""
    return sorted(cards, key=sorting(order).place.__getitem__)


def held_text(order: Order, cards: Hand) -> list[str]:
    """The cards as they are held; one that is not told is "?"."""
    if isinstance(cards, Hidden):
        return ["?"] * len(cards)
    return [order.deck.names[card] for card in held(order, cards)]


# -- what may be played


def barred(position: Position, turn: Turn) -> dict[Card, str]:
    """The cards of a hand that are in no legal play, each with the reason."""
    lead = turn.trick.lead
    if lead is None or len(lead.cards) == 1:  # whatever else may be led, each card alone may
        alone = ((card, Play(turn.hand.deck.of(1 << card))) for card in kinds_in(turn.hand.kinds))
        objections = ((card, position.game.objection(turn, play)) for card, play in alone)
        return {card: no.why for card, no in objections if no is not None}
    plays = position.game.legal(position.game, turn)
    out = turn.hand.kinds & ~plays.kinds()
    if not out:
        return {}
    model = next(iter(plays)).cards
    return {card: _why(position, turn, model, card) for card in kinds_in(out)}


def _why(position: Position, turn: Turn, model: Cards, card: Card) -> str:
    """What a legal play is refused for when one of its cards, the lowest, is this one instead."""
    lowest = min(model, key=lambda other: turn.order.strength[turn.led or 0][other])
    tried = model - turn.hand.deck.of(1 << lowest) + turn.hand.deck.of(1 << card)
    no = position.game.objection(turn, Play(tried))
    assert no is not None
    return no.why
