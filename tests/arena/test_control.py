"""Control variates: nought on the whole whatever is played, and what they take off leaves the mean where it was."""

import math
import random
from pathlib import Path

import numpy as np
import pytest

from renege.arena import control
from renege.arena.control import controls, luck, stand_in
from renege.arena.match import terms
from renege.arena.run import luck_left, make_plan, play_pairs, scores
from renege.arena.stats import estimate
from renege.arena.summary import summarise
from renege.core.game import Standing
from renege.core.registry import find_game
from support.steering import SOAK


def test_who_stands_in_for_whom():
    assert [stand_in(name) for name in ("rulebook", "searcher:50ms", "random", "searcher:net,50ms")] == [
        "rulebook",
        "rulebook",
        "random",
        "net",
    ]
    assert stand_in("searcher:50ms,net:mine.net") == "net:mine.net"
    assert len(controls("rulebook", "searcher:10w")) == 1  # one stand-in, and no match between two of it
    assert len(controls("rulebook", "random")) == 2  # their match is the one that is played
    assert len(controls("searcher:10w", "random")) == 1


def test_a_networks_stand_in_is_itself(tmp_path: Path):
    assert stand_in(f"net:{tmp_path}/a.net") == f"net:{tmp_path}/a.net"


@pytest.mark.parametrize("name", ["texas42", "schafkopf"])
@pytest.mark.parametrize("a", ["searcher:10w", "rulebook"])
def test_the_mean_of_every_control_variate_is_nought(name: str, a: str):
    """Over many deals, within its error; the number of a deal by itself is far from nought."""
    game, rng, found = find_game(name), random.Random(7), []
    for number in range(40 * SOAK):
        standing = Standing(number % 4, terms(game).score)
        deal, *others = ((rng.getrandbits(40), standing) for _ in range(1 + control.ELSEWHERE))
        found.append(luck(game, (a, "random"), deal, others))
    numbers = np.array(found)
    assert numbers.shape[1] == (1 if a == "searcher:10w" else 4)
    errors = numbers.std(axis=0, ddof=1) / math.sqrt(len(numbers))
    assert (np.abs(numbers.mean(axis=0)) < 3.5 * errors).all()
    assert (numbers.std(axis=0) > 0).all()


def test_a_number_that_is_not_taken_beside_other_deals_would_shift_the_mean():
    """What the test above would not let pass: how one-sided a deal is has no mean of nought by itself."""
    game, rng = find_game("texas42"), random.Random(7)
    (one_sided,) = controls("rulebook", "rulebook")
    raw = [one_sided(game, rng.getrandbits(40), Standing(0, terms(game).score))[0] for _ in range(40)]
    assert estimate(raw).low > 5


@pytest.mark.parametrize("name", ["texas42", "schafkopf"])
def test_the_mean_stays_where_it_is_known_to_be(name: str):
    """A player of chance wins nothing from itself; and what is won from it is the same with the luck and without."""
    null = make_plan(find_game(name), "random", "random", seed=3, pairs=40, control=True)
    found = summarise(null, list(play_pairs(null, range(40))), 40)
    assert abs(found.estimate.mean) < 3 * found.estimate.error
    match = make_plan(find_game(name), "rulebook", "random", seed=3, pairs=40, control=True)
    pairs = list(play_pairs(match, range(40)))
    off = np.array(scores(pairs)) - np.array(scores(pairs, control=True))
    assert abs(off.mean()) < 3 * off.std(ddof=1) / math.sqrt(len(off))
    lines = list(summarise(match, pairs, 40).lines())
    assert any("of the variance is left" in line for line in lines)
    assert f"with the luck: {estimate(scores(pairs))}" in lines


def test_of_one_pair_no_share_of_the_variance_is_told():
    plan = make_plan(find_game("texas42"), "random", "rulebook", seed=3, pairs=1, control=True)
    assert luck_left(list(play_pairs(plan, range(1)))) == 1
