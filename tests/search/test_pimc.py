"""Are the same worlds tried for all options, is the arithmetic right, and does the search end when it should?"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import pytest

from renege import texas42
from renege.agents import Rulebook
from renege.agents.searcher import describe_doubt
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.game import Game
from renege.core.position import View
from renege.core.verdict import WrongPhase
from renege.core.world import Drawn, World
from renege.games.strategy import Option, Search, Strategy, Worth, policy_of
from renege.native.engine import CPU, Engine
from renege.search import weigh

Paid = Callable[[World, Option], float]


@dataclass
class Scripted:
    """A search whose payments are a formula, and which writes down what it was asked."""

    names: tuple[str, ...]
    paid: Paid
    asked: list[tuple[tuple[World, ...], tuple[Option, ...]]] = field(default_factory=list)
    seconds: float = 0.0  # that each world takes
    tie_break: float = 0.0  # what speaks for option c

    def options(self, view: View) -> tuple[Option, ...]:
        return self.names

    def weigh(
        self, view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU, /
    ) -> Worth:
        self.asked.append((tuple(worlds), tuple(options)))
        rows = np.full((len(worlds), len(options)), np.nan)
        for row, world in zip(rows, worlds, strict=True):
            if self.seconds:
                if time.perf_counter() + self.seconds > until:
                    break
                time.sleep(self.seconds)
            row[:] = [self.paid(world, option) for option in options]
        return Worth(rows, self.tie_break * np.array([[option == "c" for option in options]] * len(worlds)))

    def view(self) -> View:
        """The first bidder's view in a game that is searched so."""
        game = searched(Search("beans", self.options, self.weigh))
        return Arbiter(game, 5).view(0)


def searched(search: Search) -> Game:
    """42, searched so."""
    return texas42.game().offering(Strategy=Strategy(policy_of(texas42.game()), search=search))


def hash_of(world: World) -> int:
    return sum(hand.kinds * (seat + 1) for seat, hand in enumerate(world.hands)) % 1009


def test_an_estimate_is_the_mean_over_the_worlds_with_its_interval():
    script = Scripted(("a", "b"), lambda world, option: float(hash_of(world) % (5 if option == "a" else 3)))
    view = script.view()
    found = weigh(view, worlds=40, seed=9)
    worlds = Belief(view).draw(40, seed=9)
    for estimate in found.estimates:
        paid = np.array([script.paid(world, estimate.option) for world in worlds])
        reach = 2.0227 * paid.std(ddof=1) / math.sqrt(40)  # Student's t with 39 degrees of freedom
        assert estimate.mean == pytest.approx(paid.mean())
        assert (estimate.low, estimate.high) == pytest.approx((paid.mean() - reach, paid.mean() + reach), rel=1e-4)
    assert (found.worlds, found.unit, found.stopped) == (40, "beans", "that is enough worlds")
    assert found.best.option == "a"


def test_all_options_are_tried_in_the_same_worlds():
    script = Scripted(("a", "b", "c"), lambda world, option: float(hash_of(world) % 5))
    weigh(script.view(), worlds=30, seed=1)
    assert all(options == ("a", "b", "c") for _, options in script.asked)
    tried = [world for worlds, _ in script.asked for world in worlds]
    assert tried == Belief(script.view()).draw(30, seed=1)


def test_what_is_clearly_behind_is_given_up_and_what_is_ahead_ends_the_search():
    better = {"a": 0.0, "b": 3.0, "c": 2.9}
    script = Scripted(
        tuple(better), lambda world, option: better[str(option)] + hash_of(world) % (5 + (option == "b")) / 9
    )
    found = weigh(script.view(), worlds=500, seed=2)
    assert script.asked[0][1] == ("a", "b", "c") and "a" not in script.asked[-1][1]
    assert found.best.option == "b"
    assert found.estimates[-1].option == "a" and found.estimates[-1].worlds < found.best.worlds


def test_one_that_is_far_ahead_ends_it_early():
    script = Scripted(
        ("a", "b"), lambda world, option: (option == "b") * 5 + hash_of(world) % (3 if option == "a" else 4)
    )
    found = weigh(script.view(), worlds=500, seed=3)
    assert found.stopped == "one is clearly ahead" and found.worlds < 100
    assert found.best.option == "b"


def test_the_usual_option_stays_first_unless_another_is_better():
    level = {"a": 1.0, "b": 1.0, "c": 0.5}
    found = weigh(Scripted(tuple(level), lambda world, option: level[str(option)]).view(), worlds=20)
    assert [estimate.option for estimate in found.estimates] == ["a", "b", "c"]
    worse = weigh(Scripted(("c", "b", "a"), lambda world, option: level[str(option)]).view(), worlds=20)
    assert [estimate.option for estimate in worse.estimates] == ["b", "a", "c"]


def test_what_speaks_for_an_option_decides_among_equals_and_is_no_pay():
    script = Scripted(("a", "b", "c"), lambda world, option: 1.0, tie_break=0.01)
    found = weigh(script.view(), worlds=20)
    assert (found.best.option, found.best.mean) == ("c", 1.0)
    assert all(estimate.behind == 0 for estimate in found.estimates)


def test_the_first_worlds_prove_nothing_even_if_they_agree():
    script = Scripted(("a", "b"), lambda world, option: float(option == "b"))
    weigh(script.view(), worlds=100)
    assert len(script.asked) == 2 and script.asked[1][1] == ("a", "b")


def test_behind_is_over_the_worlds_that_both_were_tried_in():
    pays = {"a": 0.0, "b": 3.0, "c": 2.9}
    noise = {"a": 5, "b": 6, "c": 7}
    script = Scripted(tuple(pays), lambda world, option: pays[str(option)] + hash_of(world) % noise[str(option)] / 9)
    view = script.view()
    found = weigh(view, worlds=500, seed=2)
    worlds = Belief(view).draw(found.worlds, seed=2)
    for estimate in found.estimates:
        both = worlds[: estimate.worlds]
        lead = [script.paid(world, found.best.option) - script.paid(world, estimate.option) for world in both]
        assert estimate.behind == pytest.approx(np.mean(lead))


def test_equal_options_are_never_separated():
    found = weigh(Scripted(("a", "b"), lambda world, option: 1.0).view(), worlds=100, seed=4)
    assert (found.worlds, found.stopped) == (100, "that is enough worlds")


def test_time_ends_it_and_worlds_not_reached_do_not_count():
    script = Scripted(("a", "b"), lambda world, option: float(hash_of(world) % 5), seconds=0.004)
    found = weigh(script.view(), ms=60, seed=5)
    assert found.stopped == "the time is over"
    assert 0 < found.worlds < 20
    assert all(estimate.worlds == found.worlds for estimate in found.estimates)


def test_without_time_for_one_world_nothing_is_claimed():
    script = Scripted(("a", "b"), lambda world, option: 1.0, seconds=1.0)
    found = weigh(script.view(), ms=1)
    assert found.worlds == 0 and math.isnan(found.best.mean)


def test_worlds_that_nobody_can_weigh_end_it():
    found = weigh(Scripted(("a", "b"), lambda world, option: math.nan).view(), worlds=50)
    assert (found.worlds, found.stopped) == (0, "no world can be weighed")
    assert found.best.option == "a"


def test_a_single_option_needs_no_search():
    found = weigh(Scripted(("a",), lambda world, option: 1.0).view(), ms=1000)
    assert (found.best.option, found.worlds) == ("a", 0)
    assert found.stopped == "by rules of thumb; nothing else is weighed here"  # the seat could say other things too


def test_where_there_is_no_choice_that_is_said():
    table, rulebook, rng = Arbiter(texas42.game(), 7), Rulebook(), random.Random(7)
    while table.position.talking or table.position.legal_plays.count() > 1:
        assert table.position.turn is not None
        view = table.view(table.position.turn)
        table.act(view.seat, rulebook.choose(view, rng).what)
    assert table.position.turn is not None
    found = weigh(table.view(table.position.turn), worlds=3)
    assert (found.worlds, found.stopped) == (0, "there is no other choice")


def test_the_same_seed_gives_the_same_findings():
    view = Arbiter(texas42.game(), 8).view(0)
    once, again, other = (weigh(view, worlds=12, seed=seed) for seed in (1, 1, 2))
    assert once.estimates == again.estimates
    assert once.estimates != other.estimates


def test_limits_that_leave_nothing_are_refused():
    view = Arbiter(texas42.game(), 8).view(0)
    for ms, worlds in ((None, None), (0, None), (None, 0), (-1.0, None), (math.nan, 5)):
        with pytest.raises(ValueError, match=r"say how long|nothing to try"):
            weigh(view, ms=ms, worlds=worlds)
    with pytest.raises(WrongPhase, match="not the turn of seat 1"):
        weigh(Arbiter(texas42.game(), 8).view(1), worlds=1)
    with pytest.raises(ValueError, match="cannot be searched"):
        weigh(replace_search(view), worlds=1)


def replace_search(view: View) -> View:
    game = view.game.offering(Strategy=Strategy())
    return Arbiter(game, 8).view(view.seat)


def test_what_speaks_besides_never_outweighs_a_clear_difference_in_pay():
    wobble = {"a": 3, "b": 7, "c": 5}
    script = Scripted(
        tuple(wobble), lambda world, option: (option == "b") + hash_of(world) % wobble[str(option)] / 9, tie_break=1.3
    )
    found = weigh(script.view(), worlds=12)
    assert [one.option for one in found.estimates][:2] == ["b", "c"]
    assert found.rival is None


def test_what_is_ahead_of_the_first_is_named_and_not_clearly_ahead():
    script = Scripted(("a", "b"), lambda world, option: float(hash_of(world) % (5 if option == "a" else 7)) / 4)
    rivals = 0
    for seed in range(30):
        found = weigh(script.view(), worlds=10, seed=seed)
        highest = max(found.estimates, key=lambda one: one.mean)
        assert (found.rival is None) == (highest == found.best)
        if found.rival is not None:
            rivals += 1
            assert found.rival.mean <= found.best.high or found.best.mean >= found.rival.low
            assert found.usual == "a" and "not clearly worse than" in describe_doubt(found, "b")
    assert rivals


def test_an_option_that_was_given_up_is_shown_beside_the_best_of_the_same_worlds():
    """The first worlds are lucky ones: by its own worlds alone the one given up would look better than the best."""
    count = iter(range(10**6))
    luck = cache(lambda world: 9.0 if next(count) < 8 else 0.0)
    script = Scripted(
        ("a", "b", "c"),
        lambda world, option: (
            luck(hash_of(world)) + (option != "a") * 4 + hash_of(world) % (7 - 2 * (option == "b")) / 9
        ),
    )
    found = weigh(script.view(), worlds=400, seed=2)
    last = found.estimates[-1]
    assert (last.option, found.best.option in ("b", "c")) == ("a", True) and last.worlds < found.best.worlds
    assert last.mean == pytest.approx(found.best.mean - last.behind) and last.mean < found.best.mean
    assert last.low < last.mean < last.high


def test_worlds_are_chosen_by_how_likely_the_calls_are_in_them():
    """Worlds of one kind are nine times as likely as those of the other, and are tried that often."""
    script = Scripted(("a", "b"), lambda world, option: float(hash_of(world) % 2))

    def likely(view: View) -> Callable[[Drawn], np.ndarray]:
        return lambda worlds: np.array([9.0 if hash_of(world) % 2 else 1.0 for world in worlds])

    plain = Search("beans", script.options, script.weigh)
    told = replace(plain, likely=likely)
    means = [weigh(Arbiter(searched(search), 5).view(0), worlds=200, seed=1).best.mean for search in (plain, told)]
    assert means[0] == pytest.approx(0.5, abs=0.12) and means[1] == pytest.approx(0.9, abs=0.07)
