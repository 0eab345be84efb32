"""Beliefs at tables of four to eight, in deals that bots play: the true deal is always a world, what is drawn replays,
the odds of a card add up to its copies, and where few cards are left all of it equals trying everything.
"""

import math
import random
import time
from dataclasses import replace
from itertools import islice
from math import factorial, prod

import pytest

from renege.belief import Belief
from renege.core.cards import Cards
from renege.core.game import KITTY
from renege.core.position import View
from renege.core.trick import Play
from renege.core.world import World
from renege.games.tractor.declare import Bank
from support.steering import SOAK
from support.tractor_crowd import (
    DUTIES,
    SIZES,
    Size,
    bots_deal,
    bots_moments,
    broken,
    copies_in,
    game_of,
    labelled,
    splits,
    true_world,
    world_of,
)

DEALS = 1 if SOAK == 1 else 80  # of each size
SHARE = 0.35  # of the decision points of a deal, about 110 to 220
DRAWN = 40 if SOAK == 1 else 10  # of so many points one has worlds drawn, each of which is replayed
MOST_TRIED = 3000  # deals
LOOK_FOR = 1.0  # seconds


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_true_deal_is_a_world_and_what_is_drawn_replays(size: Size):
    """About 1,000 decision points, and 100,000 with `RENEGE_SOAK=100`."""
    points = 0
    for seed in range(DEALS):
        points += check_deal(size, seed, DRAWN)
    assert points >= 20 * DEALS


def check_deal(size: Size, seed: int, drawn: int, share: float = SHARE) -> int:
    """Check some decision points of a deal; say how many."""
    rng, points = random.Random(f"{size} {seed}"), 0
    for table, onlookers in bots_moments(game_of(size, rng.choice(DUTIES)), seed):
        if table.position.over or rng.random() > share:
            continue
        belief = Belief(rng.choice(onlookers).view)
        check_point(belief, true_world(table.position), rng)
        if points % drawn == 0:
            check_draws(belief, seed)
        points += 1
    return points


def check_point(belief: Belief, true: World, rng: random.Random) -> None:
    assert belief.count() > 0
    assert belief.allows(true), belief.view
    wrong = broken(belief.compiled.problem, copies_in(belief, true))
    assert wrong is None, f"{wrong}:\n{belief.view}"
    kinds, copies, position = belief.compiled.problem.kinds, belief.compiled.problem.copies, belief.view.position
    for kind in rng.sample(kinds, min(5, len(kinds))):
        odds = belief.odds(kind)
        told = sum(hand.count(kind) for hand in (*position.hands, position.kitty) if isinstance(hand, Cards))
        assert sum(odds.values()) == pytest.approx(copies[kinds.index(kind)] + told, abs=1e-9)
        assert all(odds[pile] > 0 for pile, hand in enumerate(true.hands) if kind in hand)
        assert kind not in true.kitty or odds[KITTY] > 0


def check_draws(belief: Belief, seed: int) -> None:
    """What is drawn replays from its first card, and looks the same to the seat."""
    # where little is proved of what was done, few of the worlds that fit the facts are legal, and none may be found
    until = math.inf if belief.exact else time.perf_counter() + LOOK_FOR
    worlds = list(islice(belief.stream(seed, until=until), 2))
    assert len(worlds) == 2 or not belief.exact
    view = belief.view
    assert isinstance(view, View)
    for world in worlds:
        record = belief.record(world)
        assert len(list(record.replay())) == len(view.acts) + 1
        assert record.view(view.seat) == view


@pytest.mark.parametrize("size", SIZES if SOAK > 1 else SIZES[1::4], ids=str)
def test_near_the_end_all_of_it_equals_trying_everything(size: Size):
    tried = 0
    for seed in range(SOAK):
        record = bots_deal(game_of(size), 50 + seed).record
        contract = record.position.contract
        assert isinstance(contract, Bank)
        for cut in range(len(record.acts) - 1, 0, -1):
            at = replace(record, acts=record.acts[:cut])
            belief = Belief(at.view(contract.declarer))
            sizes = belief.compiled.problem.sizes
            if factorial(sum(sizes)) // prod(map(factorial, sizes)) > MOST_TRIED or tried >= 3 * (seed + 1):
                break
            if isinstance(at.acts[-1].what, Play):
                check_everything(belief)
                tried += 1
    assert tried > 0


def check_everything(belief: Belief) -> None:
    """Of all ways to deal the hidden cards those are worlds in which everything that was done is legal."""
    problem = belief.compiled.problem
    copies, sizes = list(problem.copies), list(problem.sizes)
    found = [rows for rows in splits(copies, sizes) if belief.allows(world_of(belief, rows))]
    assert sorted(copies_in(belief, world) for world in belief.listed()) == sorted(found)
    if belief.exact:
        ways = [labelled(copies, rows) for rows in found]
        assert belief.count() == sum(ways)
        expected = belief.worlds.expected()
        for place in range(len(copies)):
            for hand in range(len(sizes)):
                mean = sum(n * rows[place][hand] for n, rows in zip(ways, found, strict=True)) / sum(ways)
                assert expected[place, hand] == pytest.approx(mean, abs=1e-12)
