"""Positions of Tractor as the kernel's rollouts want them, and the play that its rules of thumb choose."""

from functools import cache

import numpy as np

from renege import native_tractor
from renege.cards import Cards, Hand
from renege.game import SEATS
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK
from renege.games.tractor.rules import (
    FollowDuty,
    KittyMultiplier,
    Rules,
    ShorterRuns,
    StoppedThrow,
    ThrowComparison,
    ThrowTest,
    TrumpThrows,
)
from renege.native_tractor import U64, House, Kitty, TractorOrder
from renege.native_tractor_rollout import Scene, Scenes, policy_plays
from renege.order import Order
from renege.position import Position
from renege.trick import Play

_KITTIES = {
    KittyMultiplier.TWO_TO_CARDS: Kitty.TWO_TO_CARDS,
    KittyMultiplier.TWICE_CARDS: Kitty.TWICE_CARDS,
    KittyMultiplier.TWO_TO_PAIRS_PLUS_1: Kitty.TWO_TO_PAIRS_PLUS_1,
}


def house_of(rules: Rules) -> House | None:
    """The house as the kernel knows it; None if it has a rule that the kernel does not play."""
    played = (
        rules.throw_comparison is ThrowComparison.LONGEST_UNIT
        and rules.follow_duty is FollowDuty.SHAPE
        and rules.throw_test is ThrowTest.TRUE_HANDS
        and rules.stopped_throw is StoppedThrow.LEAD_SMALLEST
        and rules.throw_penalty == 0
    )
    if not played:
        return None
    return House(
        rules.shorter_runs is ShorterRuns.OWED,
        rules.trump_throws is TrumpThrows.ALLOWED,
        _KITTIES[rules.kitty_multiplier],
    )


@cache
def _order(order: Order) -> TractorOrder:
    return native_tractor.order(order)


def order_of(position: Position) -> TractorOrder:
    """The order of a position in play."""
    assert position.order is not None
    return _order(position.order)


def words(*piles: Hand) -> U64:
    """`uint64[B, 2]` of piles that are told."""
    rows = [[pile.at_least(1), pile.at_least(2)] for pile in piles if isinstance(pile, Cards)]
    if len(rows) < len(piles):
        raise ValueError("a hand is hidden")
    return np.array(rows, np.uint64).reshape(-1, 2)


def cards_of(pile: U64) -> Cards:
    """The cards of one row."""
    once, twice = int(pile[0]), int(pile[1])
    return Cards(DECK, (once, twice) if twice else (once,))


def scene_of(position: Position) -> Scene:
    """What everybody sees of a position in play."""
    trick, contract = position.trick, position.contract
    assert trick is not None
    assert isinstance(contract, Bank)
    table = np.zeros((len(SEATS), 2), np.uint64)
    table[: len(trick.plays)] = words(*(play.cards for play in trick.plays))
    return Scene(
        leader=trick.leader,
        banker=contract.declarer,
        attackers=sum(position.points[1 - contract.declarer % 2 :: 2]),
        table=table,
        played=words(position.memory.seen)[0],
        voids=np.array(position.memory.voids, np.uint8),
    )


def policy_play(position: Position, whim: int = 0) -> Play:
    """What the seat to move plays by the rules of thumb; a whim, 32 bits, makes it play otherwise."""
    scene = scene_of(position)
    one = Scenes(
        hands=words(position.hand),
        tables=scene.table[None],
        leaders=np.array([scene.leader], np.uint8),
        bankers=np.array([scene.banker], np.uint8),
        played=scene.played[None],
        voids=scene.voids[None],
    )
    whims = np.array([whim], np.uint32)
    return Play(cards_of(policy_plays(order_of(position), one, house_of(position.game.rules), whims=whims)[0]))
