"""Rounds of the kernel at larger tables against the rules of Python: every play is legal, and ends are scored alike."""

import math
import random

import numpy as np
import pytest

from renege.core.position import Position
from renege.core.trick import Play
from renege.core.verdict import Ruling
from renege.core.world import World
from renege.games.tractor.rollouts_wide import in_kernel, kernel_order, play_on, points_of, scene_of
from renege.games.tractor.score import bankers_team
from renege.native.engine import CPU
from renege.native.tractor_wide import WideQuery, wide_rollouts
from support.steering import SOAK
from support.tractor_wide import WideRound, kernel_play, world_of

ROUNDS = 100 * SOAK
THROWN = 0.15  # of the leads are anything that may be led


def end_of(position: Position) -> tuple[int, int]:
    """The attackers' points and the banker's team, as Python counts them."""
    return points_of(position), sum(1 << seat for seat in bankers_team(position))


def rolled(position: Position, *plays: Play | None) -> list[tuple[int, int]]:
    """The same of the kernel, where it plays on."""
    world = World(position.hands, position.kitty)  # pyright: ignore[reportArgumentType] (all hands are told)
    ends = play_on(position, [world], plays, math.inf, CPU)
    return list(zip(ends.points[0].tolist(), ends.teams[0].tolist(), strict=True))


@pytest.mark.parametrize("part", range(5))
def test_the_kernel_plays_by_the_rules_and_scores_like_python(part: int) -> None:
    for number in range(part, ROUNDS, 5):
        one, rng = WideRound(number), random.Random(f"throws {number}")
        position, asked = one.start, rng.randrange(40)
        expected: list[tuple[int, int]] = []
        assert in_kernel(one.rules)
        for n in range(1_000):
            if position.over:
                break
            assert position.trick is not None
            if n >= asked and not expected:
                expected = rolled(position, None)
            play = Play(kernel_play(position))
            if not expected and not position.trick.plays and rng.random() < THROWN:
                play = position.legal_plays.choose(rng)
            verdict = position.judge(play)
            assert verdict.ruling is Ruling.LEGAL, (number, str(position), str(play), verdict)
            position = position.play(play)
        assert position.over, number
        assert expected in ([], [end_of(position)]), number


def test_a_play_is_tried_and_a_stopped_throw_costs_what_it_does_at_the_table() -> None:
    tried = stopped = 0
    for number in range(0, ROUNDS, 4):
        one, rng = WideRound(number), random.Random(f"tried {number}")
        position = one.start
        for _ in range(rng.randrange(30)):
            position = position.play(Play(kernel_play(position)))
        if position.over:
            continue
        plays = [position.legal_plays.choose(rng) for _ in range(3)]
        ends = rolled(position, *plays)
        for play, end in zip(plays, ends, strict=True):
            after = position.play(play)
            lead = None if after.trick is None else after.trick.lead
            stopped += lead is not None and lead.tried is not None
            while not after.over:
                after = after.play(Play(kernel_play(after)))
            assert end == end_of(after), (number, str(position), str(play))
            tried += 1
    assert tried > 50 and stopped


def test_rounds_that_were_not_reached_say_so_and_entry_points_agree() -> None:
    one = WideRound(33)
    position, none = one.start, np.zeros((1, 1, one.rules.packs), np.uint64)
    assert position.order is not None
    query = WideQuery(
        kernel_order(position.order), scene_of(position), world_of(position), none, np.zeros((1, 1), np.int32)
    )
    ends, portable = wide_rollouts(query), wide_rollouts(query, portable=True)
    assert (ends.points[0, 0], ends.teams[0, 0]) == (portable.points[0, 0], portable.teams[0, 0])
    late = WideQuery(query.order, query.scene, query.worlds, none, query.fined, most_seconds=0.0)
    assert wide_rollouts(late).points.tolist() == [[-1]]


def test_what_is_no_round_is_refused() -> None:
    one = WideRound(34)
    position, fined = one.start, np.zeros((1, 1), np.int32)
    assert position.order is not None
    order, scene, worlds = kernel_order(position.order), scene_of(position), world_of(position)
    none = np.zeros((1, 1, one.rules.packs), np.uint64)
    twice = worlds.copy()
    twice[0, 0] = twice[0, 1]
    with pytest.raises(ValueError, match="worlds row 0: a card is there more often than there are packs"):
        wide_rollouts(WideQuery(order, scene, twice, none, fined))
    short = worlds.copy()
    short[0, 1] = 0
    with pytest.raises(ValueError, match="all others alike"):
        wide_rollouts(WideQuery(order, scene, short, none, fined))
    other = none.copy()
    other[0, 0] = worlds[0, (one.bank.declarer + 1) % one.rules.seats]
    with pytest.raises(ValueError, match="the play is not in the hand"):
        wide_rollouts(WideQuery(order, scene, worlds, other, fined))
    mixed = none.copy()
    mixed[0, 0] = worlds[0, one.bank.declarer]
    with pytest.raises(ValueError, match="the lead is of several suits"):
        wide_rollouts(WideQuery(order, scene, worlds, mixed, fined))
