"""Open hands of Tractor: what each play of the last tricks is worth."""

from dataclasses import replace
from math import inf

from renege.core.cards import Cards
from renege.core.game import SEATS
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Position
from renege.core.solution import UNLIMITED, Bounds, Limits, OpenHands, Solution
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games.tractor.declare import Bank
from renege.games.tractor.packed import cards_of, house, order_of, pack
from renege.games.tractor.rules import Rules
from renege.native import tractor_solve as native_tractor_solve
from renege.native.tractor_solve import MOST_HELD

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
    found = native_tractor_solve.solve_plays(
        order_of(position),
        pack(_as_solved(position)),
        house(_rules(position.game.rules)),
        most_nodes=limits.nodes,
        most_seconds=inf if limits.seconds is None else limits.seconds,
    )
    everything = _points(position, order)
    attack = contract.declarer % 2 != 0
    plays: list[tuple[Play, Bounds]] = []
    for pile, low, high in zip(found.plays, found.lower.tolist(), found.upper.tolist(), strict=True):
        play = Play(cards_of(pile))
        if _stands(position, play):
            plays.append((play, Bounds(low, high) if attack else Bounds(everything - high, everything - low)))
    return Solution(SIDE_OF_0, tuple(plays), position.turn in SIDE_OF_0, found.nodes, target)


def _rules(rules: Rules) -> Rules:
    """What was paid for throws before counts no more, and a throw that is stopped is no answer."""
    return replace(rules, throw_penalty=0)


def _as_solved(position: Position) -> Position:
    return replace(position, game=replace(position.game, rules=_rules(position.game.rules)))


def _points(position: Position, order: Order) -> int:
    """The points in the hands and on the table."""
    piles = [position.hands[seat] for seat in SEATS]
    held = sum(order.worth(pile) for pile in piles if isinstance(pile, Cards))
    assert position.trick is not None
    return held + (order.worth(position.trick.cards) if position.trick.plays else 0)


def _stands(position: Position, play: Play) -> bool:
    """Is this what really lies on the table then? A throw that is stopped is not."""
    assert position.trick is not None
    return bool(position.trick.plays) or position.game.lands(position.turn_to_play(), play) == play


OPEN_HANDS = OpenHands(solve)
