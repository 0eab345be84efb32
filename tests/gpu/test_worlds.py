"""Deals of hidden cards on a device: the CPU's, lane by lane, alike and by weight."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from renege.belief import Problem, Run, Worlds, run_watch
from renege.belief.gpu_worlds import DeviceWorlds
from support.steering import SOAK


def plain(copies: Sequence[int], sizes: Sequence[int]) -> Problem:
    most, least = tuple((n,) * len(sizes) for n in copies), ((0,) * len(sizes),) * len(copies)
    return Problem(tuple(range(len(copies))), tuple(copies), tuple(sizes), most, least)


def random_problem(rng: random.Random) -> Problem:
    """Kinds with up to four copies, hands of any size, voids and caps here and there, and sometimes no run of pairs."""
    most_copies, hands = rng.choice([1, 1, 2, 2, 4]), rng.randint(2, 5)
    copies = [rng.randint(1, most_copies) for _ in range(rng.randint(1, 24))]
    cuts = sorted(rng.randint(0, sum(copies)) for _ in range(hands - 1))
    sizes = [high - low for low, high in zip([0, *cuts], [*cuts, sum(copies)], strict=True)]
    whole = plain(copies, sizes)
    most = tuple(tuple(rng.choice([n, n, n, n, 0, 1]) for _ in sizes) for n in copies)
    problem = replace(whole, most=most)
    if most_copies == 2 and len(copies) > 3 and rng.random() < 0.5:
        watch = run_watch(0, 0, [0] * len(copies), range(len(copies)), copies, Run(2, -1, forbidden=True))
        problem = replace(problem, watches=(watch,))
    return problem


def problems(n: int, seed: int) -> Iterator[Worlds]:
    rng = random.Random(seed)
    while n:
        worlds = Worlds(random_problem(rng))
        if worlds.count():
            n -= 1
            yield worlds


HIDDEN = [2, 2, 1, 2, 1, 2, 2, 1, 2, 2] * 5  # of two decks, to a seat that has 25 cards
GAMES = {
    "42": plain([1] * 21, [7, 7, 7]),
    "Schafkopf": plain([1] * 24, [8, 8, 8]),
    "bridge": plain([1] * 39, [13, 13, 13]),
    "Tractor": plain(HIDDEN, [25, 25, 25, 10]),
}


@pytest.mark.parametrize("weighted", [False, True])
def test_random_problems_are_drawn_as_on_the_cpu(gpu, many: int, weighted: bool):
    rng = np.random.default_rng(4)
    for number, worlds in enumerate(problems(60 * SOAK, 5)):
        shape = len(worlds.problem.kinds), len(worlds.problem.sizes)
        weights = rng.random(shape) ** 3 + 1e-9 if weighted else None
        there, n = DeviceWorlds(gpu, worlds), 40 * many
        for lane in (0, 2**50 + 3):
            expected = worlds.draw(n, number, weights=weights, first_lane=lane)
            assert (there.draw(n, number, weights=weights, first_lane=lane) == expected).all()


@pytest.mark.parametrize("name", GAMES)
def test_games_are_drawn_as_on_the_cpu(gpu, many: int, name: str):
    worlds = Worlds(GAMES[name])
    weights = np.linspace(0.5, 2.0, len(GAMES[name].kinds) * len(GAMES[name].sizes)).reshape(len(GAMES[name].kinds), -1)
    for given in (None, weights, weights[::-1]):
        expected = worlds.draw(200 * many, 2**64 - 1, weights=given, first_lane=7)
        assert (DeviceWorlds(gpu, worlds).draw(200 * many, 2**64 - 1, weights=given, first_lane=7) == expected).all()


def test_weights_are_not_those_of_the_draw_before(gpu):
    worlds = Worlds(GAMES["42"])
    there, heavy = DeviceWorlds(gpu, worlds), np.ones((21, 3))
    for weight in (1.0, 9.0, 1.0):
        heavy[:7, 0] = weight
        assert (there.draw(50, 3, weights=heavy) == worlds.draw(50, 3, weights=heavy)).all()


def test_what_the_cpu_refuses_is_refused_in_its_words(gpu):
    there = DeviceWorlds(gpu, Worlds(GAMES["42"]))
    assert there.draw(0, 1).shape == (0, 3, 2)
    with pytest.raises(ValueError, match="no such draw: n=-1"):
        there.draw(-1, 1)
    with pytest.raises(ValueError, match="leave no deal"):
        there.draw(5, 1, weights=np.zeros((21, 3)))
    with pytest.raises(ValueError, match=r"must be \[place, hand\]"):
        there.draw(5, 1, weights=np.ones((21, 4)))
    nothing = Worlds(replace(plain([1, 1], [1, 1]), most=((0, 0), (1, 1))))
    with pytest.raises(ValueError, match="there is no deal"):
        DeviceWorlds(gpu, nothing).draw(5, 1)
