"""A position of Texas 42 in 256 bits, as the kernel plays it.

The layout is that of `renege/core/cards.hpp` in the kernel: eight words of 32 bits, four hands, the table, the terms,
the points and the tricks. It holds what the published state of 182 bits holds and what that one forgets (who leads,
what is undertaken, how doubles stand); the tiles already played need no mask, being those in no hand. Between two
tricks of a known deal 30 bits are enough: the tiles still held and the leader.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Hand
from renege.core.deal_state import replaced
from renege.core.position import Position
from renege.core.verdict import WrongPhase
from renege.games.texas42.contract import Hand42, Kind
from renege.games.texas42.order import CALLED, DECLARATIONS
from renege.games.texas42.rules import Doubles, SevensTie
from renege.native import cards as native

KINDS = tuple(Kind)
POLICIES = tuple(Doubles)


tables = cache(native.tables)  # an order as the kernel keeps it


def pack(position: Position) -> NDArray[np.uint32]:
    """The position as a row of `states [8]`; every hand must be told, but for one that sits out (packed as empty).

    What one order cannot say of all deals is refused; where the hands lie open, `pack_open` knows it too.
    """
    contract, trick = position.contract, position.trick
    if trick is not None and any(play.suit is not None for play in trick.plays):
        raise WrongPhase("a trick led for its small end must be over first")
    if isinstance(contract, Hand42) and _ties_to_declarers(position, contract):
        raise WrongPhase("sevens with ties to the declarers cannot be worked out yet")
    return _row(position)


def pack_open(position: Position) -> tuple[native.Tables, NDArray[np.uint32]]:
    """A position with open hands as a row, and its order with all that a seat or a lead adds to it.

    The kernel asks a tile what it leads and how strong it is, and never who holds it. In an open deal the holder is
    known: a declarer's tile stands above an equally near one of the others where ties are the declarers', and a tile
    that was led for its small end leads that suit.
    """
    row, order, trick = _row(position), position.order, position.trick
    assert order is not None and trick is not None and isinstance(position.contract, Hand42)
    if trick.lead is not None and trick.lead.suit is not None:
        led = next(iter(trick.lead.cards))
        order = replace(order, led_suit=replaced(order.led_suit, led, trick.lead.suit))
    if _ties_to_declarers(position, position.contract):
        ours = sum(cards.kinds for seat, cards in _owned(position) if seat % 2 == position.contract.declarer % 2)
        nearness = tuple(2 * near + (ours >> tile & 1) for tile, near in enumerate(order.strength[CALLED]))
        order = replace(order, strength=replaced(order.strength, CALLED, nearness))
    return tables(order) if order is position.order else native.tables(order), row


def _ties_to_declarers(position: Position, contract: Hand42) -> bool:
    return contract.kind is Kind.SEVENS and position.game.rules.sevens_tie is SevensTie.DECLARERS


def _owned(position: Position) -> Iterator[tuple[int, Cards]]:
    """The tiles of each seat: in hand, and on the table."""
    assert position.trick is not None
    yield from ((seat, hand) for seat, hand in enumerate(position.hands) if isinstance(hand, Cards))
    yield from ((seat, play.cards) for seat, play in zip(position.trick.seats, position.trick.plays, strict=False))


def lies_open(position: Position) -> bool:
    """Is a tile that was exposed still to be played, or may it be?"""
    shown = position.contract.exposed if isinstance(position.contract, Hand42) else ()
    hands = [(position.hands[seat], tile) for seat, tile in shown]
    return any(not isinstance(hand, Cards) or tile in hand for hand, tile in hands)


def _row(position: Position) -> NDArray[np.uint32]:
    contract, trick = position.contract, position.trick
    if not isinstance(contract, Hand42) or trick is None:
        raise WrongPhase("only play is packed, not the auction")
    if lies_open(position):
        raise WrongPhase("a tile lies face up, and the kernel does not know when it must be played")
    return native.state(
        [_mask(hand, idle=seat not in contract.seats) for seat, hand in enumerate(position.hands)],
        trick.leader,
        table=[card for play in trick.plays for card in play.cards],
        seats=sum(1 << seat for seat in contract.seats),
        duty=native.Duty.STRONGEST if contract.kind is Kind.SEVENS else native.Duty.FOLLOW_SUIT,
        declarer=contract.declarer,
        doubles=POLICIES.index(contract.doubles),
        declaration=DECLARATIONS.index(contract.declaration),
        contract=KINDS.index(contract.kind),
        bid=contract.bid.points - 30 if contract.bid.points else contract.bid.marks,
        forced=contract.forced,
        points=position.points,
        tricks=position.tricks,
    )


def _mask(hand: Hand, *, idle: bool) -> int:
    if isinstance(hand, Cards):
        return hand.kinds
    if not idle:
        raise WrongPhase("a hand that is not told cannot be packed")
    return 0
