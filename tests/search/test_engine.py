"""Does a search find the same on a device as on the CPU, and does the CPU step in where there is none?"""

import gc
import math
import random
import time
import warnings
import weakref
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from renege.agents import Random, Rulebook, Searcher
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import View
from renege.core.record import Record
from renege.core.world import Drawn, piles_of
from renege.games import schafkopf, texas42, tractor
from renege.games.strategy import Option, strategy_of
from renege.games.texas42.rules import EarlyEnd, Rules, Scoring
from renege.games.tractor.rules import StoppedThrow
from renege.native.engine import CPU
from renege.native.gpu import NoGpu
from renege.search import Findings, NoGpuWarning, devices, engine_named, weigh
from renege.search.devices import GpuEngine
from renege.search.pimc import search_of
from support.emulated import EmulatedGpu
from support.schafkopf_deals import begin_deal
from support.steering import SOAK, play_out, steer

GAME_42 = texas42.game(Rules(early_end=EarlyEnd.PLAY_ON))
DEVICE = GpuEngine(EmulatedGpu())  # pyright: ignore[reportArgumentType]


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch):
    """The emulated device is slow: whole tables are made of the smallest hands alone."""
    monkeypatch.setattr(devices, "TABLE_FROM", 3)
    monkeypatch.setattr(devices, "MOST_TILES", 4)
    monkeypatch.setattr(devices.whole, "FIRST_BATCH", 4)


def views(game: Game, seed: int) -> Iterator[View]:
    """What the seats to move see in a deal where two go by the rulebook and two play anything."""
    table, rng = Arbiter(game, seed), random.Random(seed)
    players = [Rulebook(), Random(), Rulebook(), Random()]
    while (seat := table.position.turn) is not None:
        view = table.view(seat)
        yield view
        assert table.act(seat, players[seat].choose(view, rng).what)


def found(view: View, worlds: int, engine: object) -> tuple[object, ...]:
    """All that a search finds, but for the time it took."""
    findings: Findings = weigh(view, worlds=worlds, seed=11, engine=engine)  # pyright: ignore[reportArgumentType]
    rows = [(str(one.option), one.mean, one.low, one.high, one.worlds, one.behind) for one in findings.estimates]
    return findings.worlds, findings.stopped, [tuple(map(repr, row)) for row in rows]


def check(chosen: list[View], worlds: int) -> None:
    for view in chosen:
        assert found(view, worlds, DEVICE) == found(view, worlds, CPU), str(view)


@pytest.mark.parametrize("seed", range(2 * SOAK))
def test_42_is_searched_alike(seed: int):
    rng = random.Random(seed)
    chosen = list(views(GAME_42, seed))
    late = [view for view in chosen if not view.position.talking and 1 < len(view.hand) <= 5]
    early = [view for view in chosen if view.position.talking or len(view.hand) > 5]
    check(rng.sample(late, 4), 40)
    check(rng.sample(early, 2), 8)


@pytest.mark.parametrize(("bid", "declared"), [("1 mark", "nello"), ("2 marks", "trump 5"), ("1 mark", "sevens")])
def test_42_is_searched_alike_under_every_duty(bid: str, declared: str):
    for game in (GAME_42, texas42.game(Rules(scoring=Scoring.POINTS))):
        record = play_out(game, 4, steer(bid, declared))
        cut = [replace(record, acts=record.acts[:n]) for n in (16, 19, 22)]
        check([one.view(one.position.turn) for one in cut if one.position.turn is not None], 20)


@pytest.mark.parametrize("declaration", ["rufspiel E", "solo G", "wenz", "bettel"])
def test_schafkopf_is_searched_alike(declaration: str):
    rng = random.Random(declaration)
    for seed in range(SOAK):
        record = begin_deal(schafkopf.game(), declaration, random.Random(f"{declaration} {seed}"))
        check(rng.sample([view for view in schafkopf_views(record) if 2 <= len(view.hand) <= 6], 4), 24)


def schafkopf_views(record: Record) -> Iterator[View]:
    """What the seats to move see from here on, if anything is played."""
    rng = random.Random(str(record.position.contract))
    while (seat := record.position.turn) is not None:
        yield record.view(seat)
        record = record.with_act(Act(seat, record.position.legal_plays.choose(rng)))


def test_a_bid_of_schafkopf_is_weighed_alike():
    chosen = [view for seed in range(12) for view in views(schafkopf.game(), seed) if view.position.talking]
    searched = [
        view for view in chosen if strategy_of(view.game).search and len(search_of(view.game).options(view)) > 1
    ]
    check(searched[:1], 4)


@pytest.mark.parametrize("seed", range(2 * SOAK))
def test_tractor_is_searched_alike(seed: int):
    rng = random.Random(seed)
    chosen = list(views(tractor.game(), seed))
    check([view for view in chosen if view.position.talking][-1:], 12)
    check(rng.sample([view for view in chosen if not view.position.talking and len(view.hand) > 4], 3), 12)
    check(rng.sample([view for view in chosen if not view.position.talking and 1 < len(view.hand) <= 4], 3), 12)


def test_a_searcher_plays_the_same_on_either_device(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("renege.agents.searcher.engine_named", {"cpu": CPU, "gpu": DEVICE}.__getitem__)
    view = next(view for view in views(GAME_42, 3) if not view.position.talking and len(view.hand) == 4)
    both = [Searcher(worlds=30, device=device).choose(view, random.Random(2)) for device in ("cpu", "gpu")]
    assert both[0] == both[1]


def test_with_a_limit_in_time_a_device_ends_in_time():
    """The emulated one is slow, so little is asked: that it ends, and that what it says holds."""
    for view in [list(views(tractor.game(), 1))[-60], list(views(GAME_42, 1))[-9]]:
        began = time.perf_counter()
        findings = weigh(view, ms=60, seed=1, engine=DEVICE)
        assert time.perf_counter() - began < 10 and findings.best.option in search_options(view)


def search_options(view: View) -> tuple[Option, ...]:
    return search_of(view.game).options(view)


def test_what_takes_a_thread_too_long_the_cpu_does(monkeypatch: pytest.MonkeyPatch):
    view = next(view for view in views(GAME_42, 2) if not view.position.talking)
    monkeypatch.setattr(devices.solve, "solve_plays", lambda *_, **__: pytest.fail("a thread was set to it"))
    assert weigh(view, ms=50, seed=1, engine=DEVICE).worlds
    with pytest.raises(pytest.fail.Exception, match="a thread was set to it"):
        weigh(view, ms=1e6, worlds=8, seed=1, engine=DEVICE)


def test_rounds_that_there_is_no_time_for_are_not_reached(monkeypatch: pytest.MonkeyPatch):
    view = [view for view in views(tractor.game(), 2) if not view.position.talking][7]
    search = strategy_of(view.game).search
    assert search is not None
    worlds, options = Belief(view).draw(6, 1), search.options(view)
    monkeypatch.setattr(devices, "FIRST_ROUNDS", 2 * len(options))
    clock = iter(range(100))
    ticking = type("", (), {"perf_counter": staticmethod(lambda: float(next(clock)))})
    monkeypatch.setattr(devices, "time", ticking)  # every look takes a second
    first = search.weigh(view, worlds, options, time.perf_counter() + 4.5, DEVICE).paid
    whole = search.weigh(view, worlds, options, math.inf).paid
    reached = np.asarray(~np.isnan(first).any(axis=1))
    count = int(reached.sum())
    assert 2 <= count < 6 and reached[:count].all()
    assert np.array_equal(first[reached], whole[reached])


# -- worlds as arrays


@pytest.mark.parametrize("game", [texas42.game(), schafkopf.game(), tractor.game()], ids=lambda game: game.name)
def test_batches_are_the_worlds_of_the_stream(game: Game):
    rng = random.Random(game.name)
    for view in rng.sample(list(views(game, 5)), 4):
        belief = Belief(view)
        supply, expected = belief.supply(9), belief.draw(14, 9)
        batches = [supply(n) for n in (3, 1, 10)]
        assert [world for batch in batches for world in batch] == expected
        assert np.array_equal(np.concatenate([batch.piles[:, :, :2] for batch in batches]), piles_of(expected))
        assert list(batches[2][2:4]) == expected[6:8]


def test_what_is_not_counted_is_asked_one_by_one():
    """A throw stopped by the first seat says more than the count holds: such beliefs are not exact."""
    for seed in range(40):
        for view in views(tractor.game(tractor.Rules(stopped_throw=StoppedThrow.FIRST_FOUND)), seed):
            belief = Belief(view)
            if not belief.exact:
                supply = belief.supply(4)
                assert [*supply(2), *supply(3)] == belief.draw(5, 4)
                return
    pytest.fail("every belief was exact")


def test_no_batch_is_drawn_when_the_time_is_over():
    view = next(views(GAME_42, 1))
    assert len(Belief(view).supply(1, until=time.perf_counter() - 1)(5)) == 0
    assert list(Drawn(view.game.deck, np.zeros((0, 5, 2), np.uint64))) == []


def test_many_worlds_are_drawn_on_the_device(monkeypatch: pytest.MonkeyPatch):
    worlds = Belief(next(views(GAME_42, 1))).worlds
    expected = worlds.draw(50, 3, first_lane=8)
    monkeypatch.setattr(devices, "FROM_DEVICE", 50)
    for draw in (DEVICE.draw, CPU.draw):
        assert (draw(worlds, 50, 3, first_lane=8) == expected).all()
    assert (DEVICE.draw(worlds, 49, 3, first_lane=8) == expected[:49]).all()


def test_a_device_keeps_the_worlds_of_one_belief_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(devices, "FROM_DEVICE", 1)
    engine, one, other = GpuEngine(DEVICE.gpu), *(Belief(view).worlds for view in list(views(GAME_42, 1))[:2])
    engine.draw(one, 4, 3, first_lane=0)
    kept = weakref.ref(engine._drawn)
    engine.draw(one, 4, 3, first_lane=4)
    assert engine._drawn is kept()
    engine.draw(other, 4, 3, first_lane=0)
    gc.collect()
    assert kept() is None


def test_whole_tables_are_for_the_first_tricks_of_42(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(devices.whole, "solve_plays", lambda *_, **__: pytest.fail("a table was made"))
    view = next(view for view in views(GAME_42, 2) if len(view.hand) == 4 and not view.position.talking)
    with pytest.raises(pytest.fail.Exception, match="a table was made"):
        weigh(view, worlds=8, seed=1, engine=DEVICE)
    later = next(view for view in views(GAME_42, 2) if len(view.hand) == 2)
    weigh(later, worlds=8, seed=1, engine=DEVICE)
    record = begin_deal(schafkopf.game(), "solo G", random.Random(1))
    plain = next(view for view in schafkopf_views(record) if len(view.hand) == 4)
    weigh(plain, worlds=8, seed=1, engine=DEVICE)


# -- where there is no GPU


def test_without_a_gpu_the_cpu_does_the_work_and_one_warning_says_so(monkeypatch: pytest.MonkeyPatch):
    def missing() -> None:
        raise NoGpu("no NVIDIA driver answers on this machine")

    monkeypatch.setattr(devices, "find_gpu", missing)
    engine_named.cache_clear()
    devices.gpu_or_none.cache_clear()
    view = next(view for view in views(GAME_42, 3) if not view.position.talking and len(view.hand) == 3)
    searcher, expected = Searcher(worlds=20, device="gpu"), Searcher(worlds=20).choose(view, random.Random(1))
    with pytest.warns(NoGpuWarning, match="no NVIDIA driver answers on this machine; the CPU does the work"):
        assert searcher.choose(view, random.Random(1)) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert searcher.choose(view, random.Random(1)) == expected
    engine_named.cache_clear()
    devices.gpu_or_none.cache_clear()


def test_other_devices_are_refused():
    with pytest.raises(ValueError, match="'tpu' is no device: cpu or gpu"):
        engine_named("tpu")
    with pytest.raises(ValueError, match="works on cpu or gpu, not on 'tpu'"):
        Searcher(ms=5, device="tpu")
