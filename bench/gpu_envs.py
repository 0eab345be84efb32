"""Steps of the environments on a GPU, beside one core of the CPU.

    python bench/gpu_envs.py [--lanes 262144] [--repeats 5] [--peak 4800] [--games 42 schafkopf tractor]

A step is a decision of a player on one lane, chosen by chance; deals are in the time. `rows` is what a trainer calls: a
choice for every lane and a step of every lane, two launches, the observation and the mask written each time; `no rows`
the same without the observation; `run` as many steps in one launch, nothing written but the last. Each number is the
median of several runs, timed by the device's own events after one to warm up. The first lanes are held against the
CPU's, byte for byte, before anything is timed.

Bytes of a step are those of the caller's arrays: rows, mask, mover, reward and done written, the mask read by the
choice, the action written and read. The tables come on top. `--block` and `--staged` try other launches than the usual.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from renege.envs import BatchEnv
from renege.native import cards as native
from renege.native.gpu import NoGpu, envs, find_gpu
from renege.native.gpu.device import Gpu

GAMES = {"42": "renege/texas42-v1", "schafkopf": "renege/schafkopf-v1", "tractor": "renege/tractor-v1"}
SHOWN = ("observation", "mask", "mover", "reward", "done")
CHECKED = 2000  # lanes, for so many steps
CHECKED_STEPS = 40
CPU_LANES, CPU_SECONDS = 1024, 0.4
STEPS, RUN = 40, 200  # of one measurement


class Ways(NamedTuple):
    """The ways to step that are measured: each makes so many steps of all lanes."""

    rows: Callable[[], int]
    no_rows: Callable[[], int]
    run: Callable[[], int]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lanes", type=int, default=1 << 18)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--peak", type=float, default=4800.0, help="GB/s of the device's memory, by its data sheet")
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--history", action="store_true", help="rows end in the history")
    parser.add_argument("--block", type=int, default=envs.BLOCK, help="threads of a block")
    parser.add_argument("--staged", type=int, default=envs.ROWS, help="lanes whose rows are put together at a time")
    asked = parser.parse_args()
    envs.BLOCK, envs.ROWS = asked.block, asked.staged
    try:
        gpu = find_gpu()
    except NoGpu as missing:
        raise SystemExit(f"nothing to measure: {missing}") from None
    print(f"{gpu.name}, {asked.lanes:,} lanes, blocks of {envs.BLOCK}; one CPU core ({native.features().path} path)\n")
    print("| game | what | on the GPU | bytes a step | of the memory's speed | one core | GPU : core |")
    print("|---|---|---|---|---|---|---|")
    for name in asked.games:
        began = time.perf_counter()
        check(gpu, GAMES[name], history=asked.history)
        report(gpu, name, asked)
        print(f"<!-- {name}: {time.perf_counter() - began:.0f} s, the compiler's among them -->", flush=True)


def report(gpu: Gpu, name: str, asked: argparse.Namespace) -> None:
    env = BatchEnv(GAMES[name], asked.lanes, seed=1, history=asked.history, device=gpu, stream=gpu.stream)
    ways = ways_of(env, env.choose())
    bytes_each = moved(env)
    for way, work in ways._asdict().items():
        rate = measure(gpu, work, asked.repeats) * env.lanes
        core = cpu_rate(GAMES[name], way, history=asked.history)
        size = bytes_each[way]
        told = f"{size:,} | {size * rate / (asked.peak * 1e9):.1%}" if size else "| "
        print(f"| {name} | {way.replace('_', ' ')} | {rate:.3g}/s | {told} | {core:.3g}/s | {rate / core:,.0f} |")


def ways_of(env: BatchEnv, actions: Any) -> Ways:
    """On the device no answer is waited for; on the CPU it is the same calls."""
    tables: Any = env.tables
    more = {"check": False} if isinstance(tables, envs.EnvTables) else {}

    def by_steps(observation: Any) -> Callable[[], int]:
        def work() -> int:
            for _ in range(STEPS):
                tables.choose(env.mask, actions, 0, 1)
                tables.step(actions, observation, None, env.mask, env.mover, env.reward, env.done, 1, **more)
            return STEPS

        return work

    def run() -> int:
        env.run(RUN)
        return RUN

    return Ways(by_steps(env.observation), by_steps(None), run)


def moved(env: BatchEnv) -> dict[str, int]:
    """Bytes of one step on one lane, for each way; a run moves next to none."""
    mask, mover, reward, done, action = len(env.encoding.actions), 1, 4 * 4, 1, 4
    bare = 2 * mask + mover + reward + done + 2 * action
    return {"rows": bare + env.encoding.width, "no_rows": bare, "run": 0}


def measure(gpu: Gpu, work: Callable[[], int], repeats: int) -> float:
    """Steps a second of one lane."""
    steps = work()
    return steps / statistics.median(gpu.seconds(work) for _ in range(repeats))


def cpu_rate(game: str, way: str, *, history: bool) -> float:
    env = BatchEnv(game, CPU_LANES, seed=1, history=history)
    work = getattr(ways_of(env, env.choose()), way)
    work()
    began, steps = time.perf_counter(), 0
    while (taken := time.perf_counter() - began) < CPU_SECONDS:
        steps += work() * CPU_LANES
    return steps / taken


def check(gpu: Gpu, game: str, *, history: bool) -> None:
    cpu, there = (BatchEnv(game, CHECKED, seed=2, history=history, device=device) for device in ("cpu", gpu))
    if cpu.run(RUN) != there.run(RUN):
        raise SystemExit(f"{game}: the device ends other deals than the CPU")
    for _ in range(CHECKED_STEPS):
        cpu.step(cpu.choose())
        there.step(there.choose())
    for name in SHOWN:
        found: Any = getattr(there, name)
        np.testing.assert_array_equal(getattr(cpu, name), found.numpy(), err_msg=f"{game}: {name}")


if __name__ == "__main__":
    main()
