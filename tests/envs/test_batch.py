"""Do many tables at once behave as each would alone, whoever steps them?"""

import random
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from renege import _kernel, envs, texas42
from renege.core.registry import find_game
from renege.core.world import Drawn
from renege.envs import BatchEnv, Env, lane_seeds
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.games.texas42.encoding import setting
from support.steering import SOAK

ARRAYS = ("observation", "mask", "mover", "reward", "done")
SMALL = "texas42-small"


def arrays(env: BatchEnv) -> dict[str, Any]:
    return {name: getattr(env, name).copy() for name in ARRAYS}


def assert_equal(a: dict[str, Any], b: dict[str, Any]) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def played(env: BatchEnv, steps: int) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    for _ in range(steps):
        env.step(env.choose())
        seen.append(arrays(env))
    return seen


# -- the same numbers, however they are made


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(threads: int):
    one, many = BatchEnv("texas42", 100, seed=5), BatchEnv("texas42", 100, seed=5, threads=threads)
    for a, b in zip(played(one, 60), played(many, 60), strict=True):
        assert_equal(a, b)
    assert one.save() == many.save()
    assert one.run(50) == many.run(50)
    assert_equal(arrays(one), arrays(many))


@pytest.mark.parametrize("kernel", [True, False])
def test_a_lane_does_not_know_of_the_others(kernel: bool):
    steps = 40 if kernel else 12
    few, many = BatchEnv("texas42", 3, seed=5, kernel=kernel), BatchEnv("texas42", 9, seed=5, kernel=kernel)
    alone = BatchEnv("texas42", 1, seed=lane_seeds(5, 1, first_lane=2), kernel=kernel)
    for a, b, c in zip(played(few, steps), played(many, steps), played(alone, steps), strict=True):
        assert_equal(a, {name: rows[:3] for name, rows in b.items()})
        assert_equal(c, {name: rows[2:3] for name, rows in b.items()})


def test_the_portable_path_plays_the_same(monkeypatch: pytest.MonkeyPatch):
    fast = BatchEnv("texas42", 200, seed=2)
    monkeypatch.setenv("RENEGE_PORTABLE", "1")
    portable = BatchEnv("texas42", 200, seed=2)
    for a, b in zip(played(fast, 40), played(portable, 40), strict=True):
        assert_equal(a, b)


def test_a_run_is_steps_by_chance():
    one, other = BatchEnv("texas42", 50, seed=3), BatchEnv("texas42", 50, seed=3)
    over = sum(int(seen["done"].sum()) for seen in played(one, 100))
    other.mask[:] = 0  # a run looks at the tables, not at what was left here
    assert other.run(100) == over
    assert_equal(arrays(one), arrays(other))


def test_seeds_make_the_deals():
    env = BatchEnv("texas42", 20, seed=3)
    first = env.dealt()
    env.reset(4)
    assert (env.dealt() != first).any(axis=(1, 2)).all()
    env.reset(3)
    np.testing.assert_array_equal(env.dealt(), first)
    env.reset(lane_seeds(3, 20)[::-1].copy())
    np.testing.assert_array_equal(env.dealt(), first[::-1])
    env.reset(np.full(20, 7, np.uint64))
    assert len(np.unique(env.dealt()[:, 0, 0])) == 1


def test_lane_seeds_are_the_kernels_own_numbers():
    for seed in (0, 1, 2**64 - 1):
        golden = 0x9E3779B97F4A7C15
        for lane in (0, 1, 1000):
            family = _kernel.mix64((seed + golden) % 2**64)
            expected = _kernel.mix64((family + golden * (lane + 1)) % 2**64)
            assert lane_seeds(seed, 1, lane)[0] == expected
    with pytest.raises(ValueError, match="seed is -1"):
        lane_seeds(-1, 1)


# -- what a step shows


@pytest.mark.parametrize(("game", "kernel"), [("texas42", True), ("texas42", False), (SMALL, True)])
def test_a_deal_that_ends_shows_the_next_one(game: str, kernel: bool):
    env = BatchEnv(game, 6, seed=1, kernel=kernel)
    ended = 0
    for _ in range(30):
        before = env.dealt()
        env.step(env.choose())
        after = env.dealt()
        new = (before != after).any(axis=(1, 2))
        np.testing.assert_array_equal(new, env.done.astype(bool))
        assert not env.reward[~new].any()
        said = env.observation[:, env.encoding.sections["said"]]
        assert not said[new].any()
        assert (env.mask.sum(axis=1) > 0).all()
        ended += int(new.sum())
    assert ended > 3


@pytest.mark.parametrize(("game", "kernel"), [("texas42", True), ("texas42", False), (SMALL, True)])
def test_what_is_not_open_changes_nothing(game: str, kernel: bool):
    env = BatchEnv(game, 5, seed=1, kernel=kernel)
    env.step(env.choose())
    before, saved = arrays(env), env.save()
    for wrong in (-1, int(env.mask[3].argmin()), len(env.encoding.actions), 2**31 - 1, -(2**31)):
        actions = env.choose()
        actions[3] = wrong
        with pytest.raises(ValueError, match=f"lane 3: action {wrong} is not open"):
            env.step(actions)
        assert_equal(before, arrays(env))
        assert env.save() == saved
    env.step(env.choose())


def test_any_seat_may_be_asked():
    env = BatchEnv("texas42", 4, seed=1)
    env.run(7)
    rows = [env.observe(seat) for seat in range(4)]
    np.testing.assert_array_equal(env.observe(env.mover), env.observation)
    np.testing.assert_array_equal(env.observe([0, 1, 2, 3]), [rows[seat][seat] for seat in range(4)])
    out = np.empty_like(env.observation)
    assert env.observe(2, out) is out
    for wrong in (4, -1, [0, 1, 2, 9]):
        with pytest.raises(ValueError, match=r"a seat is 0\.\.3"):
            env.observe(wrong)


# -- chance


def test_every_tile_is_dealt_to_every_seat_as_often():
    """Chi-square of 28 tiles over four seats; as every hand has seven, the last tile is where it must be."""
    lanes = 40_000 * SOAK
    env = BatchEnv("texas42", lanes, seed=11)
    hands = env.dealt()[:, :4, 0]
    counts = np.array([(hands >> np.uint64(tile) & np.uint64(1)).sum(axis=0) for tile in range(28)], float)
    assert counts.sum() == 28 * lanes
    free = 27 * 3
    chi = ((counts - lanes / 4) ** 2 / (lanes / 4)).sum() * 27 / 28
    assert abs(chi - free) < 6 * np.sqrt(2 * free), chi
    everything = np.bitwise_or.reduce(hands, axis=1)
    assert (everything == 2**28 - 1).all()
    # and the deals of one lane are as different as those of many
    repeated = BatchEnv("texas42", 1, seed=11)
    seen = set()
    for _ in range(2000):
        repeated.step(repeated.choose())
        seen.add(int(repeated.dealt()[0, 0, 0]))
    assert len(seen) > 100


@pytest.mark.parametrize("kernel", [True, False])
def test_choices_are_open_and_even(kernel: bool):
    lanes = 3000 if kernel else 200
    env = BatchEnv("texas42", lanes, seed=1, kernel=kernel)
    is_open = np.flatnonzero(env.mask.all(axis=0))  # to every first bidder
    found = np.zeros(len(env.encoding.actions), int)
    for salt in range(5):
        actions = env.choose(salt)
        assert env.mask[np.arange(lanes), actions].all()
        found += np.bincount(actions, minlength=len(found))
    expected = (5 / env.mask.sum(axis=1)).sum()
    chi = ((found[is_open] - expected) ** 2 / expected).sum()
    assert chi < len(is_open) + 8 * np.sqrt(2 * len(is_open)), chi
    assert (env.choose(0) != env.choose(1)).any()
    np.testing.assert_array_equal(env.choose(3), env.choose(3))
    env.mask[0] = 0
    assert env.choose()[0] == -1


# -- arrays of the caller


def test_the_callers_arrays_are_written():
    own = {
        "observation": np.full((3, 468), 9, np.uint8),
        "mask": np.full((3, 70), 9, np.uint8),
        "mover": np.full(3, 9, np.uint8),
        "reward": np.full((3, 4), 9, np.float32),
        "done": np.full(3, 9, np.uint8),
    }
    env = BatchEnv("texas42", 3, **own)
    other = BatchEnv("texas42", 3)
    for name, array in own.items():
        assert getattr(env, name) is array
    assert_equal(own, arrays(other))
    env.step(env.choose())
    other.step(other.choose())
    assert_equal(own, arrays(other))


@pytest.mark.parametrize(
    ("name", "array", "why"),
    [
        ("observation", np.zeros((3, 467), np.uint8), r"observation must be uint8\[3, 468\], not uint8\[3, 467\]"),
        ("mask", np.zeros((2, 70), np.uint8), r"mask must be uint8\[3, 70\], not uint8\[2, 70\]"),
        ("mask", np.zeros((3, 70), bool), r"mask must be uint8\[3, 70\], not bool\[3, 70\]"),
        ("mover", np.zeros((3, 1), np.uint8), r"mover must be uint8\[3\], not uint8\[3, 1\]"),
        ("reward", np.zeros((3, 4)), r"reward must be float32\[3, 4\], not float64\[3, 4\]"),
        ("done", np.zeros(3, np.int8), r"done must be uint8\[3\], not int8\[3\]"),
        ("mask", np.zeros((3, 140), np.uint8)[:, ::2], "mask must be contiguous"),
        ("done", np.frombuffer(bytes(3), np.uint8), "done must be contiguous, aligned and writable"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name: str, array: Any, why: str):
    with pytest.raises(ValueError, match=why):
        BatchEnv("texas42", 3, **{name: array})


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        (np.zeros(3, np.int64), r"actions must be int32\[3\], not int64\[3\]"),
        (np.zeros(2, np.int32), r"actions must be int32\[3\], not int32\[2\]"),
        (np.zeros((3, 1), np.int32), r"actions must be int32\[3\], not int32\[3, 1\]"),
    ],
)
def test_actions_that_do_not_fit_are_refused(actions: Any, why: str):
    with pytest.raises(ValueError, match=why):
        BatchEnv("texas42", 3).step(actions)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"lanes": 0}, "lanes is 0"),
        ({"lanes": 2, "threads": 0}, "threads is 0"),
        ({"lanes": 2, "threads": 5000}, r"threads is 5000; it must be 1\.\.1024"),
        ({"lanes": 2, "seed": [1, 2, 3]}, r"seed must be one number or uint64\[2\], not \[3\]"),
        ({"lanes": 2, "seed": -5}, "seed is -5"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], why: str):
    with pytest.raises(ValueError, match=why):
        BatchEnv("texas42", **options)


# -- the kernel's own border


def kernel_call(change: Callable[[dict[str, Any]], object]) -> None:
    tables = _kernel.Env42(setting(texas42.Rules(), 3).tobytes(), 2, False)
    arguments: dict[str, Any] = {
        "observation": np.zeros((2, 468), np.uint8),
        "hidden": np.zeros((2, 84), np.uint8),
        "mask": np.zeros((2, 70), np.uint8),
        "mover": np.zeros(2, np.uint8),
        "threads": 1,
    }
    tables.reset(seeds=np.zeros(2, np.uint64), **arguments)
    arguments |= {
        "actions": np.full(2, 28, np.int32),
        "reward": np.zeros((2, 4), np.float32),
        "done": np.zeros(2, np.uint8),
    }
    change(arguments)
    tables.step(**arguments)


@pytest.mark.parametrize(
    ("name", "array", "why"),
    [
        ("observation", np.zeros((2, 400), np.uint8), "observation: 2 rows of 400, and there are 2 lanes of 468"),
        ("observation", np.zeros((1, 468), np.uint8), "observation: 1 rows of 468"),
        ("hidden", np.zeros((2, 112), np.uint8), "hidden: 2 rows of 112, and there are 2 lanes of 84"),
        ("mask", np.zeros((2, 71), np.uint8), "mask: 2 rows of 71, and there are 2 lanes of 70"),
        ("mover", np.zeros(3, np.uint8), "mover: 3 rows, and there are 2 lanes"),
        ("done", np.zeros(1, np.uint8), "done: 1 rows"),
        ("reward", np.zeros((3, 4), np.float32), "reward: 3 rows"),
        ("actions", np.zeros(3, np.int32), "actions: 3 rows"),
    ],
)
def test_the_kernel_checks_its_arrays(name: str, array: Any, why: str):
    kernel_call(lambda arguments: None)
    with pytest.raises(ValueError, match=why):
        kernel_call(lambda arguments: arguments.update({name: array}))


def test_nobody_need_look():
    kernel_call(lambda arguments: arguments.update({"observation": None, "hidden": None}))


def test_a_setting_that_cannot_be_is_refused():
    good = np.frombuffer(setting(texas42.Rules(), 3).tobytes(), np.uint8)
    with pytest.raises(ValueError, match=f"setting: 3 bytes, and it has {len(good)}"):
        _kernel.Env42(b"abc", 1, False)
    rng = random.Random(1)
    refused = 0
    for _ in range(200 * SOAK):  # whatever is in it, it is refused or it can be played
        bad = good.copy()
        for _ in range(20):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try:
            tables = _kernel.Env42(bad.tobytes(), 4, False)
        except ValueError:
            refused += 1
            continue
        mask, mover = np.zeros((4, 70), np.uint8), np.zeros(4, np.uint8)
        tables.reset(np.arange(4, dtype=np.uint64), None, None, mask, mover, 1)
        actions, reward, done = np.zeros(4, np.int32), np.zeros((4, 4), np.float32), np.zeros(4, np.uint8)
        for _ in range(40):
            tables.choose(mask, actions, 0, 1)
            if (actions < 0).any():
                break
            tables.step(actions, None, None, mask, mover, reward, done, 1)
    assert refused


def test_nothing_is_stepped_before_it_is_dealt():
    tables = _kernel.Env42(setting(texas42.Rules(), 3).tobytes(), 1, False)
    with pytest.raises(ValueError, match="reset first"):
        tables.save()
    with pytest.raises(ValueError, match="reset first"):
        tables.dealt(np.zeros((1, 5, 2), np.uint64))


# -- tables kept for later


@pytest.mark.parametrize(("game", "kernel"), [("texas42", True), ("texas42", False), (SMALL, True)])
def test_tables_go_on_where_they_were_saved(game: str, kernel: bool):
    env = BatchEnv(game, 4, seed=1, kernel=kernel)
    played(env, 7)
    saved, seen = env.save(), arrays(env)
    on = played(env, 12)
    other = BatchEnv(game, 4, seed=99, kernel=kernel)
    other.load(saved)
    for name in ("observation", "mask", "mover"):
        np.testing.assert_array_equal(getattr(other, name), seen[name])
    for a, b in zip(on, played(other, 12), strict=True):
        assert_equal(a, b)
    with pytest.raises(ValueError, match="saved"):
        BatchEnv(game, 5, kernel=kernel).load(saved)
    for changed in (saved[:-1], bytes([saved[0] ^ 1]) + saved[1:], b"", saved[:-3] + b"abc"):
        with pytest.raises(ValueError, match="saved"):
            other.load(changed)


def test_tables_are_not_loaded_under_other_rules():
    saved = BatchEnv("texas42", 2).save()
    family = BatchEnv(texas42.game(texas42.PRESETS["family"]), 2)
    with pytest.raises(ValueError, match="other rules"):
        family.load(saved)


# -- by the rules of Python where the kernel does not play


@pytest.mark.parametrize(("game", "steps"), [("texas42", 40), (SMALL, 60)])
def test_tables_of_python_are_moments(game: str, steps: int):
    env = BatchEnv(game, 3, seed=4, kernel=False)
    assert not env.in_kernel
    encoding, found = encoding_of(env.game), find_game(game)
    moments = [encoding.begin(world.hands, world.kitty) for world in Drawn(found.deck, env.dealt())]
    for _ in range(steps):
        actions = env.choose()
        moments = [moment.after(int(action)) for moment, action in zip(moments, actions, strict=True)]
        env.step(actions)
        worlds = Drawn(found.deck, env.dealt())
        for lane, moment in enumerate(moments):
            assert env.done[lane] == moment.over
            assert env.reward[lane].tolist() == list(moment.rewards)
            if moment.over:
                moments[lane] = moment = encoding.begin(worlds[lane].hands, worlds[lane].kitty)
            assert env.mover[lane] == moment.turn
            assert env.mask[lane].tolist() == moment.mask.tolist()
            assert env.observation[lane].tolist() == moment.observe(moment.turn).tolist()


# -- one table by plain numbers


@pytest.mark.parametrize("kernel", [True, False])
def test_one_table_plays_as_one_of_many(kernel: bool):
    many, one = BatchEnv("texas42", 1, seed=6, kernel=kernel), Env("texas42", seed=6, kernel=kernel)
    for _ in range(60 if kernel else 25):
        np.testing.assert_array_equal(one.dealt(), many.dealt()[0])
        assert one.turn == many.mover[0]
        assert one.legal == np.flatnonzero(many.mask[0]).tolist()
        for seat in range(4):
            np.testing.assert_array_equal(one.observe(seat), many.observe(seat)[0])
        action = many.choose()
        aside = one.copy()
        many.step(action)
        one.act(int(action[0]))
        aside.act(aside.legal[-1])  # which leaves the other alone
        assert one.over == many.done[0]
        assert one.rewards == tuple(many.reward[0])
        if one.over:
            assert one.turn is None
            assert one.legal == []
            one.deal()


def test_one_table_refuses_what_is_not_open():
    for kernel in (True, False):
        env = Env("texas42", seed=1, kernel=kernel)
        for wrong in (-1, 0, 70, 2**40):
            with pytest.raises(ValueError, match=f"action {wrong} is not open"):
                env.act(wrong)


# -- ids


def test_ids_name_the_games():
    names = [name for game in ("texas42", "tractor", "schafkopf") for name in (game, f"{game}-small")]
    assert {f"renege/{name}-v{version}" for name in names for version in (0, 1)} <= set(envs.ids())
    assert len(set(envs.ids())) == len(envs.ids())
    env = envs.make("renege/texas42-v0", lanes=2, rules={"all_pass": "force-30"}, seed=3)
    assert env.game == texas42.game(texas42.PRESETS["family"])
    assert repr(env) == "<BatchEnv texas42, 2 lanes, 1 threads, kernel>"
    assert envs.find("texas42-small").name == "texas42-small"
    for wrong in ("renege/texas42-v2", "renege/whist-v0", "whist", "texas42-v0"):
        with pytest.raises(ValueError, match=wrong):
            envs.find(wrong)


@pytest.mark.parametrize("name", [*envs.ids(), "texas42"])
def test_an_id_ends_in_the_version_of_its_rows(name: str):
    version = int(name[-1]) if "-v" in name else 0
    for env in (BatchEnv(name, 2), envs.make(name, 2), Env(name)):
        assert env.encoding.rows == Rows(version)
        other = type(env)(name, 2, version=1 - version) if isinstance(env, BatchEnv) else Env(name, version=1 - version)
        assert other.encoding.rows == Rows(1 - version)


def test_an_added_game_is_an_environment(vane: ModuleType):
    assert {"renege/vane-v0", "renege/vane-v1"} <= set(envs.ids())
    env = envs.make("renege/vane-v0", lanes=2, seed=1)
    assert env.game == vane.game()
    over = sum(int(seen["done"].sum()) for seen in played(env, 70))
    assert over == 2 * (70 // 33)  # a call and 32 cards each
    one = Env("renege/vane-v1", seed=1, history=True)
    while not one.over:
        one.act(one.legal[0])
    assert sum(one.rewards) == 0


@pytest.mark.parametrize("game", ["renege/texas42-v0", "renege/texas42-small-v0"])
@pytest.mark.parametrize("seat", [-1, 4, 255, 1 << 70])
def test_one_table_shows_itself_to_four_seats_alone(game: str, seat: int):
    with pytest.raises(ValueError, match=r"a seat is 0\.\.3"):
        Env(game).observe(seat)


def test_a_daemon_thread_at_the_end_leaves_no_complaint():
    script = (
        "import threading, time\nfrom renege.envs import BatchEnv, Env\n"
        "def hold():\n    kept = Env('renege/texas42-v0'), BatchEnv('tractor', 3)\n    time.sleep(600)\n"
        "threading.Thread(target=hold, daemon=True).start()\ntime.sleep(1)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
