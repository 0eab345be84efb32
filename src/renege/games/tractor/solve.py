"""Open hands of Tractor: positions as the kernel's solver and rollouts take them, and what each play is worth.

The kernel plays by the same rules, all of them; open hands are solved for the last tricks.
"""

from dataclasses import replace
from functools import cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Hand
from renege.core.game import SEATS
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Position
from renege.core.solution import UNLIMITED, Bounds, Limits, OpenHands, Solution
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK, POINTS
from renege.games.tractor.rules import Rules
from renege.native import tractor as native_tractor
from renege.native import tractor_solve as native_tractor_solve
from renege.native.arrays import U64
from renege.native.rollouts import PublicState
from renege.native.tractor import CHOICES, KernelRules, TractorOrder
from renege.native.tractor_solve import MOST_HELD, Rounds

kernel_order = cache(native_tractor.order)  # an order as the kernel keeps it


def house(rules: Rules) -> KernelRules:
    """The house rules as the kernel has them: it plays them all."""
    chosen = {name: getattr(rules, name).value for name in CHOICES} | {"follow_duty": rules.pair_duty.value}
    return KernelRules(**chosen, penalty=rules.throw_penalty)


def pack(*positions: Position) -> Rounds:
    """Positions in the play, a row each; every hand must be told, and the kitty, or it counts as worth nothing."""
    for position in positions:
        _check(position)
    scenes = [scene_of(position) for position in positions]
    kitties = [position.kitty if isinstance(position.kitty, Cards) else DECK.none for position in positions]
    return Rounds(
        np.array([words(*position.hands) for position in positions], np.uint64).reshape(-1, 4, 2),
        np.array([scene.table for scene in scenes], np.uint64).reshape(-1, 4, 2),
        np.array([scene.leader for scene in scenes], np.uint8),
        np.array([scene.banker for scene in scenes], np.uint8),
        np.array([sum(POINTS[card] for card in kitty) for kitty in kitties], np.uint16),
        np.array([scene.attackers for scene in scenes], np.int32),
        np.array([scene.played for scene in scenes], np.uint64).reshape(-1, 2),
        np.array([scene.voids for scene in scenes], np.uint8).reshape(-1, 4),
        words(*kitties),
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


def order_of(position: Position) -> TractorOrder:
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
    assert trick is not None and isinstance(contract, Bank)
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


SIDE_OF_0 = (0, 2)


def solve(position: Position, target: int | None = None, limits: Limits = UNLIMITED) -> Solution:
    """What each play brings the side of seat 0, with what the kitty comes to.

    If that side attacks, the kitty is counted for it, times its multiplier, when it takes the last trick. If it holds
    the bank it gets all points in the hands and on the table but those that the attackers get, and so may lose by it.
    """
    contract, order, trick = position.contract, position.order, position.trick
    if not isinstance(contract, Bank) or order is None or trick is None:
        raise WrongPhase("nobody is to play yet")
    if not isinstance(position.kitty, Cards):
        raise WrongPhase("the kitty is not told, and the last trick wins it")
    held = max(map(len, position.hands))
    if held > MOST_HELD:
        raise WrongPhase(say("open hands are solved once {n} cards or fewer are left in each hand", MOST_HELD))
    if position.turn is None:
        return Solution(SIDE_OF_0, (), wants_more=True, target=target)
    # what was paid for throws before counts no more, and a throw that is stopped is no answer
    rules = replace(position.game.rules, throw_penalty=0)
    found = native_tractor_solve.solve_plays(
        order_of(position),
        pack(replace(position, game=replace(position.game, rules=rules))),
        house(rules),
        most_nodes=limits.nodes,
        most_seconds=inf if limits.seconds is None else limits.seconds,
    )
    piles = [*position.hands, *(play.cards for play in trick.plays)]
    everything = sum(order.worth(pile) for pile in piles if isinstance(pile, Cards))
    attack = contract.declarer % 2 != 0
    plays: list[tuple[Play, Bounds]] = []
    for pile, low, high in zip(found.plays, found.lower.tolist(), found.upper.tolist(), strict=True):
        play = Play(cards_of(pile))
        if trick.plays or position.game.lands(position.turn_to_play(), play) == play:  # a stopped throw does not lie
            plays.append((play, Bounds(low, high) if attack else Bounds(everything - high, everything - low)))
    return Solution(SIDE_OF_0, tuple(plays), position.turn in SIDE_OF_0, found.nodes, target)


OPEN_HANDS = OpenHands(solve)
