"""Rounds of Tractor on a device: do they come to what the CPU comes to, with noise and without, solved and played?"""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from renege.core.position import Position
from renege.games.tractor.solve import order_of, pack, scene_of, words
from renege.native import rollouts as native
from renege.native.gpu import rollouts
from renege.native.rollouts import RolloutQuery
from renege.native.tractor_solve import solve_plays
from support.tractor_moments import (
    buried_in,
    dealt_again,
    lawful_in_all,
    moments,
    rules_of,
    some_candidates,
    some_round,
    worlds_of,
)


def batches(seed: int, count: int, worlds: int, cards: tuple[int, ...] = (25, 12, 6)) -> list[tuple[Any, ...]]:
    """Moments of rounds, each with worlds that its seat to move cannot tell apart, and candidates."""
    found: list[tuple[Any, ...]] = []
    for position, rng in moments(seed, count, cards):
        drawn = [position, *(dealt_again(position, rng) for _ in range(worlds - 1))]
        hands, kitties = worlds_of(drawn)
        candidates = words(*lawful_in_all(drawn, list(dict.fromkeys(some_candidates(position, rng, 4)))))
        asked = order_of(position), scene_of(position), hands, kitties, candidates, rules_of(position)
        found.append((asked, buried_in(drawn)))
    return found


@pytest.mark.parametrize("solve_from", [0, 3])
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_rollouts_are_the_cpus(gpu, many: int, noise: float, solve_from: int):
    for asked, buried in batches(int(10 * noise) + solve_from, 25 if many == 1 else 100, 3 if many == 1 else 60):
        more = {"buried": buried, "noise": noise, "seed": 5, "first_lane": 2**40, "solve_from": solve_from}
        query = RolloutQuery(*asked, **more)
        assert (rollouts.rollouts(gpu, query) == native.rollouts(query)).all()


def test_every_thread_solves_with_a_desk_of_its_own(gpu, many: int):
    """More rounds than threads, all of them solved at once: what is remembered of one must not serve another."""
    position, rng = next(iter(moments(8, 1, (4,))))
    hands, kitties = worlds_of([dealt_again(position, rng) for _ in range(700 if many == 1 else 50_000)])
    asked = order_of(position), scene_of(position), hands, kitties, np.zeros((1, 2), np.uint64), rules_of(position)
    query = RolloutQuery(*asked, solve_from=4)
    assert (rollouts.rollouts(gpu, query) == native.rollouts(query)).all()


def test_few_cards_are_solved_as_on_the_cpu(gpu, many: int):
    for position, rng in moments(11, 40 if many == 1 else 200, (2, 3, 4)):
        worlds = [position, *(dealt_again(position, rng) for _ in range(2))]
        hands, kitties = worlds_of(worlds)
        solved = [solved_by_cpu(world) for world in worlds]
        plays = [pile for pile in solved[0] if all(pile in points for points in solved)]  # a throw may be refused
        candidates = np.array(plays, np.uint64)
        asked = order_of(position), scene_of(position), hands, kitties, candidates, rules_of(position)
        expected = [[points[pile] for pile in plays] for points in solved]
        assert rollouts.solve_candidates(gpu, RolloutQuery(*asked, buried=buried_in(worlds))).tolist() == expected


def solved_by_cpu(position: Position) -> dict[tuple[int, ...], int]:
    """The attackers' points after each legal play."""
    solved = solve_plays(order_of(position), pack(position), rules_of(position))
    had = scene_of(position).attackers
    return {tuple(pile): had + int(value) for pile, value in zip(solved.plays.tolist(), solved.lower, strict=True)}


def test_what_the_cpu_refuses_is_refused_in_its_words(gpu):
    query = RolloutQuery(*batches(3, 1, 5)[0][0])
    hands, kitties, candidates = query.worlds, query.kitties, query.candidates
    assert rollouts.rollouts(gpu, replace(query, candidates=candidates[:0])).shape == (5, 0)
    assert rollouts.rollouts(gpu, query.some(slice(0, 0))).shape == (0, len(candidates))
    with pytest.raises(ValueError, match="kitties"):
        replace(query, kitties=kitties[:2])
    with pytest.raises(ValueError, match="noise is 2"):
        replace(query, noise=2.0)
    odd = np.where(np.arange(5) == 3, 7, kitties).astype(np.int32)
    with pytest.raises(ValueError, match="worlds row 3: a kitty has"):
        rollouts.rollouts(gpu, replace(query, kitties=odd))
    with pytest.raises(ValueError, match="candidates row 0"):
        rollouts.rollouts(gpu, replace(query, candidates=hands[0, :1] ^ hands[0, 1:2]))
    with pytest.raises(ValueError, match=r"a seat is 0\.\.3"):
        replace(query.scene, leader=4)
    whole = some_round(Random(1), 5)
    hands, kitties = worlds_of([whole])
    with pytest.raises(ValueError, match="more than 4 cards"):
        rollouts.solve_candidates(gpu, RolloutQuery(order_of(whole), scene_of(whole), hands, kitties, candidates[:0]))
