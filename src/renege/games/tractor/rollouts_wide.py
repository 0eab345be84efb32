"""Rounds of Tractor at larger tables played on to the end in many worlds, all seats by rules of thumb.

The kernel plays them (`renege.native.tractor_wide`) under the house rules that it knows; under others the rulebook
does, in Python, a thousand times slower. Either way a round comes to the attackers' points, the kitty included, and to
the banker's team, which in Finding Friends is another in every world.
"""

import time
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import lru_cache

import numpy as np

from renege.core.cards import Cards
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.core.world import World, piles_of
from renege.games.tractor.declare import Bank
from renege.games.tractor.rulebook_wide import advise
from renege.games.tractor.rules import DoubleFriend, DutyFamily, Rules, ThrowComparison
from renege.games.tractor.score import attackers_points, bankers_team, multiplier
from renege.games.tractor.throws import lands
from renege.games.tractor.tuples import Form, WideShape
from renege.games.tractor.units import led_form
from renege.native import tractor_packs
from renege.native.arrays import U8
from renege.native.engine import Engine
from renege.native.tractor_packs import PackDuty, TractorPackOrder
from renege.native.tractor_wide import NOBODY, NOT_REACHED, WideEnds, WideQuery, WideRules, WideScene, wide_rollouts

# House rules under which the kernel plays as the rules say, whatever is chosen; any other it knows as it is by default.
PLAYED = {
    *("throw_comparison", "shorter_runs", "follow_duty", "trump_throws", "throw_test", "stopped_throw"),
    *("throw_penalty", "kitty_multiplier", "level_gap", "no_trump", "no_call", "new_deal", "few_points", "few_trumps"),
    *("must_defend", "renege_found", "packs", "kitty", "tractor_width", "tractor_length", "seats", "mode", "friends"),
    *("friend_cards", "double_friend", "level_step", "turnover", "dead_zone", "nothing_taken", "small_team"),
    *("overruling", "jokers_shown", "own_showing", "first_banker", "take_back", "kitty_theft", "last_level"),
}
MOST_HELD = 80  # cards in a hand


def in_kernel(rules: Rules) -> bool:
    """Does the kernel play by these house rules?"""
    if rules.throw_comparison is ThrowComparison.ALL_UNITS or rules.duty_family is not DutyFamily.GRADED:
        return False
    usual = all(getattr(rules, one.name) == one.default for one in fields(rules) if one.name not in PLAYED)
    return usual and rules.hand_size <= MOST_HELD


@lru_cache(maxsize=64)
def wide_rules(rules: Rules) -> WideRules:
    """House rules as the kernel reads them."""
    duty = PackDuty(rules.follow_duty.value, rules.shorter_runs.value, rules.tractor_width, rules.tractor_length)
    return WideRules(
        rules.seats,
        rules.packs,
        rules.friend_count,
        duty,
        rules.throw_comparison.value,
        rules.kitty_multiplier.value,
        rules.double_friend is DoubleFriend.ALLOWED,
    )


_orders: dict[int, tuple[Order, TractorPackOrder]] = {}  # orders are made once for each declaration of a table


def kernel_order(order: Order) -> TractorPackOrder:
    """An order as the kernel keeps it, made once."""
    if id(order) not in _orders:
        _orders[id(order)] = order, tractor_packs.order(order)
    return _orders[id(order)][1]


def layers(pile: Cards, packs: int) -> list[int]:
    """A pile as the kernel reads it."""
    return [pile.at_least(n) for n in range(1, packs + 1)]


def units_led(order: Order, lead: Play) -> list[Form]:
    """The units of a lead of two cards and more, the greatest first."""
    shape = led_form(order, lead)
    if isinstance(shape, WideShape):
        return [form for form in shape.forms if form[0] > 1]
    return [(2, length) for length in shape.units]


def friends_of(contract: Bank, joined: Sequence[int | None]) -> U8:
    """`uint8[friends, 3]`: the card and copy of each, and who has joined by it."""
    places = joined or (None,) * len(contract.friends)
    rows = [
        (friend.card, friend.nth, NOBODY if seat is None else seat)
        for friend, seat in zip(contract.friends, places, strict=True)
    ]
    return np.array(rows, np.uint8).reshape(-1, 3)


def scene_of(position: Position) -> WideScene:
    """What everybody sees of a round, as the kernel reads it."""
    rules, contract, trick, order = position.game.rules, position.contract, position.trick, position.order
    assert isinstance(contract, Bank) and trick is not None and order is not None
    seats, packs, memory = rules.seats, rules.packs, position.memory
    plays = np.zeros((seats, packs), np.uint64)
    for i, play in enumerate(trick.plays):
        plays[i] = layers(play.cards, packs)
    units = [] if trick.lead is None else units_led(order, trick.lead)
    fines = np.zeros(seats, np.int32)
    fines[: len(memory.stopped)] = np.array(memory.stopped) * rules.throw_penalty
    return WideScene(
        wide_rules(rules),
        trick.leader,
        contract.declarer,
        plays,
        np.array(units, np.uint8).reshape(-1, 2),
        np.array(layers(memory.seen, packs), np.uint64),
        np.array(position.points, np.int32),
        fines,
        np.array(memory.voids, np.uint8),
        friends_of(contract, memory.joined),
    )


def in_world(position: Position, world: World) -> Position:
    """The position with all cards told."""
    return replace(position, hands=world.hands, kitty=world.kitty)


def landed(position: Position, worlds: Sequence[World], plays: Sequence[Play | None]) -> list[list[Play | None]]:
    """What each play comes to in each world: a throw may be stopped."""
    rows: list[list[Play | None]] = [list(plays) for _ in worlds]
    if position.trick is None or position.trick.lead is not None:
        return rows
    assert position.order is not None
    thrown = [k for k, play in enumerate(plays) if play is not None and led_form(position.order, play).is_throw]
    for row, world in zip(rows, worlds, strict=True) if thrown else ():
        turn = in_world(position, world).turn_to_play()
        for k in thrown:
            play = plays[k]
            assert play is not None
            row[k] = lands(turn, play) or play
    return rows


def play_on(
    position: Position, worlds: Sequence[World], plays: Sequence[Play | None], until: float, engine: Engine
) -> WideEnds:
    """How rounds end where the seat to move makes each play, or what it would by rules of thumb (None)."""
    tried = landed(position, worlds, plays)
    grouped = any(play is not None and play.units and play.tried is None for play in plays)  # by their leader
    if in_kernel(position.game.rules) and not grouped:
        return _by_kernel(position, worlds, tried, until, engine)
    points = np.full((len(worlds), len(plays)), NOT_REACHED, np.int32)
    teams = np.zeros(points.shape, np.uint16)
    for row, world in enumerate(worlds):
        for column, play in enumerate(tried[row]):
            end = _by_rulebook(in_world(position, world), play, until)
            if end is None:
                points[row] = NOT_REACHED
                return WideEnds(points, teams)
            points[row, column], teams[row, column] = end
    return WideEnds(points, teams)


def _by_kernel(
    position: Position, worlds: Sequence[World], tried: list[list[Play | None]], until: float, engine: Engine
) -> WideEnds:
    assert position.order is not None
    rules = position.game.rules
    rows = [
        [[0] * rules.packs if play is None else layers(play.cards, rules.packs) for play in plays] for plays in tried
    ]
    fined = [[rules.throw_penalty * (play is not None and play.tried is not None) for play in plays] for plays in tried]
    query = WideQuery(
        kernel_order(position.order),
        scene_of(position),
        np.ascontiguousarray(piles_of(worlds)[:, :, : rules.packs]),
        np.array(rows, np.uint64),
        np.array(fined, np.int32),
        most_seconds=max(0.0, until - time.perf_counter()),
    )
    return engine.run(wide_rollouts, query)


def _by_rulebook(position: Position, play: Play | None, until: float) -> tuple[int, int] | None:
    """The attackers' points and a mask of the banker's team; None where the time is over."""
    if play is not None:
        position = position.put(play)
    while not position.over:
        if time.perf_counter() >= until:
            return None
        what = advise(position.turn_to_play()).what
        assert isinstance(what, Play)
        position = position.put(what)
    return points_of(position), sum(1 << seat for seat in bankers_team(position))


def points_of(position: Position) -> int:
    """The attackers' points of a round that is over, the kitty included."""
    assert position.trick is not None and position.order is not None and isinstance(position.kitty, Cards)
    points, memory = attackers_points(position), position.memory
    if position.trick.leader in bankers_team(position):
        return points
    times = multiplier(position.game.rules, memory.last, memory.last_pairs, memory.last_lead)
    return min(points + position.order.worth(position.kitty) * times, np.iinfo(np.int32).max)
