"""Is what a hint puts first best by the numbers that it shows, in every game, or does it say why it stands there?"""

import random
from collections.abc import Iterator
from itertools import takewhile

import pytest

from renege.agents import Rulebook
from renege.agents.searcher import describe_option
from renege.core.arbiter import Arbiter
from renege.core.game import Standing
from renege.core.position import View
from renege.core.registry import GAMES, find_game
from renege.search import Findings, weigh
from support.steering import SOAK

WORLDS = 10
STANDINGS = {"texas42": (0, 0), "tractor": (2, 2, 1), "schafkopf": (0, 0, 0, 0, 0)}


def views(game: str, seed: int) -> Iterator[View]:
    """Every view of a seat to move in a deal by the rulebook."""
    table, agent = Arbiter(find_game(game), seed, Standing(seed % 4, STANDINGS[game])), Rulebook()
    while (seat := table.position.turn) is not None:
        view = table.view(seat)
        yield view
        assert table.act(seat, agent.choose(view, random.Random(0)).what)


def check(found: Findings) -> bool:
    """Best by the mean that is shown, or within the interval and marked so; was it marked?"""
    best, highest = found.best, max(found.estimates, key=lambda one: one.mean)
    if best.mean >= highest.mean - 1e-9:
        assert "not clearly worse" not in describe_option(found, best.option)
        return False
    assert highest.mean <= best.high or best.mean >= highest.low, found
    assert f"not clearly worse than {highest.option}" in describe_option(found, best.option)
    return True


@pytest.mark.parametrize("game", GAMES)
def test_what_is_put_first_is_best_by_the_numbers_or_says_why_not(game: str):
    rng = random.Random(game)
    for seed in range(SOAK):
        every = list(views(game, seed))
        talk = [view for view in every if view.position.talking]
        play = [view for view in every if not view.position.talking and len(view.hand) < 8]
        for view in (*rng.sample(talk, min(5, len(talk))), *rng.sample(play, 8)):
            found = weigh(view, worlds=WORLDS, seed=seed)
            if len(found.estimates) > 1 and found.worlds:
                check(found)


def test_twelve_tractor_hands_that_may_show_trumps():
    seen = 0
    for seed in range(100):
        talk = takewhile(lambda view: view.position.talking, views("tractor", seed))
        view = next((view for view in talk if any(call.startswith("show") for call in view.legal_calls)), None)
        if view is not None:
            found = weigh(view, worlds=WORLDS, seed=seed)
            assert len(found.estimates) > 1
            check(found)
            seen += 1
        if seen == 12 * SOAK:
            break
    assert seen >= 12


def test_to_pass_in_42_is_weighed_by_what_follows():
    """Others bid and play on: passing may lose, and is not shown as if it were certain."""
    view = next(views("texas42", 3))
    found = weigh(view, worlds=WORLDS, seed=1)
    passing = next(one for one in found.estimates if one.option == "pass")
    assert passing.low < passing.mean < passing.high
