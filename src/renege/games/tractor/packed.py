"""Positions of Tractor as the kernel's solver and rollouts take them, where the kernel plays by the same rules."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Hand
from renege.core.game import SEATS
from renege.core.order import Order
from renege.core.position import Position
from renege.core.verdict import WrongPhase
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK
from renege.games.tractor.rules import Rules
from renege.native import tractor as native_tractor
from renege.native.arrays import U64
from renege.native.rollouts import PublicState
from renege.native.tractor import CHOICES, KernelRules, TractorOrder
from renege.native.tractor_solve import Rounds


def house(rules: Rules) -> KernelRules:
    """The house rules as the kernel has them: it plays them all."""
    chosen = {name: getattr(rules, name).value for name in CHOICES}
    return KernelRules(**chosen, penalty=rules.throw_penalty)


def pack(*positions: Position) -> Rounds:
    """Positions in the play, a row each; every hand must be told, and the kitty, or it counts as worth nothing."""
    for position in positions:
        _check(position)
    scenes = [scene_of(position) for position in positions]
    return Rounds(
        np.array([words(*position.hands) for position in positions], np.uint64).reshape(-1, 4, 2),
        np.array([scene.table for scene in scenes], np.uint64).reshape(-1, 4, 2),
        np.array([scene.leader for scene in scenes], np.uint8),
        np.array([scene.banker for scene in scenes], np.uint8),
        np.array([_in_kitty(position) for position in positions], np.uint16),
        np.array([scene.attackers for scene in scenes], np.int32),
        np.array([scene.played for scene in scenes], np.uint64).reshape(-1, 2),
        np.array([scene.voids for scene in scenes], np.uint8).reshape(-1, 4),
        np.array([_buried(position) for position in positions], np.uint64).reshape(-1, 2),
    )


def _check(position: Position) -> None:
    """Refuse what the kernel does not play."""
    trick, order = position.trick, position.order
    if not isinstance(position.contract, Bank) or trick is None or order is None:
        raise WrongPhase("only play is packed, not the naming of trumps")
    if trick.lead is not None and trick.lead.units and trick.lead.tried is None:
        raise WrongPhase("a trick whose leader grouped the lead must be over first")
    if trick.lead is not None and order.suit_of(trick.lead.cards) is None:
        raise WrongPhase("a trick led with several suits must be over first")


def _in_kitty(position: Position) -> int:
    assert position.order is not None
    return position.order.worth(position.kitty) if isinstance(position.kitty, Cards) else 0


def _buried(position: Position) -> U64:
    """The kitty, which the banker knows; nothing if it is not told."""
    return words(position.kitty if isinstance(position.kitty, Cards) else DECK.none)[0]


@cache
def kernel_order(order: Order) -> TractorOrder:
    """An order as the kernel keeps it."""
    return native_tractor.order(order)


def order_of(position: Position) -> TractorOrder:
    """The order of a position in play."""
    assert position.order is not None
    return kernel_order(position.order)


def words(*piles: Hand) -> U64:
    """`uint64[B, 2]` of piles that are told."""
    rows = [[pile.at_least(1), pile.at_least(2)] for pile in piles if isinstance(pile, Cards)]
    if len(rows) < len(piles):
        raise WrongPhase("a hand is not told")
    return np.array(rows, np.uint64).reshape(-1, 2)


def worths(order: Order, piles: U64) -> NDArray[np.int32]:
    """`uint64[B, 2]` -> `int32[B]`: the points in each pile."""
    found = np.zeros(len(piles), np.int32)
    for points in set(order.points) - {0}:
        kinds = np.uint64(sum(1 << card for card, worth in enumerate(order.points) if worth == points))
        found += points * np.bitwise_count(piles & kinds).sum(axis=1, dtype=np.int32)
    return found


def cards_of(pile: U64) -> Cards:
    """The cards of one row."""
    once, twice = int(pile[0]), int(pile[1])
    return Cards(DECK, (once, twice) if twice else (once,))


def scene_of(position: Position) -> PublicState:
    """What everybody sees of a position in play."""
    trick, contract = position.trick, position.contract
    assert trick is not None
    assert isinstance(contract, Bank)
    attackers, rules = 1 - contract.declarer % 2, position.game.rules
    failed = position.memory.stopped[1 - attackers] - position.memory.stopped[attackers]
    table = np.zeros((len(SEATS), 2), np.uint64)
    table[: len(trick.plays)] = words(*(play.cards for play in trick.plays))
    return PublicState(
        leader=trick.leader,
        banker=contract.declarer,
        attackers=sum(position.points[attackers::2]) + rules.throw_penalty * failed,
        table=table,
        played=words(position.memory.seen)[0],
        voids=np.array(position.memory.voids, np.uint8),
    )
