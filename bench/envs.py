"""How many steps a second does an environment make on one core, beside OpenSpiel and pgx in the same run?

A step is a decision of a player; deals are in the time and not in the count. All play at random.

Renege steps whole deals of Texas 42 from the first bid to the marks. `batch` is what a trainer calls: a choice for
every lane and a step of every lane, two calls from Python, the observation of the mover and the mask of open actions
written for each. `run` is the same with the loop in the kernel. `one table` is an action a call.
OpenSpiel plays whole games with bots of C++ (`evaluate_bots`, one call a game; no observation is made), and from Python
(legal_actions and apply_action; with the information state where that is said).
pgx plays the auction of bridge: jit, vmap and scan with its own auto reset, the observation always made. Its table of
solved deals is not downloaded: random deals with made-up results take as long.

Machines drift, so the jobs take turns in short slots and a ratio is taken within each round.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playouts import Job, measure, pin, ratios, repeat
from rich.console import Console
from rich.table import Table

from renege.envs import BatchEnv, Env
from renege.native import cards as native

BATCH = "Renege 42, batch of {} lanes"
RUN = "Renege 42, run of 1024 lanes"
ONE, ONE_SEEN = "Renege 42, one table", "Renege 42, one table, observed"
FULL, PYTHON, SEEN = "OpenSpiel {}, C++ bots", "OpenSpiel {}, Python", "OpenSpiel {}, Python, observed"
PGX = "pgx bridge_bidding, {} lanes"
LANES = (1, 64, 1024, 8192)
MAIN = BATCH.format(1024)
GAMES = {
    "bridge": "bridge(use_double_dummy_result=false)",
    "spades": "spades",
    "skat": "skat",
    "euchre": "euchre",
}
CHANCE = -1  # OpenSpiel's number for the dealer
STEPS = 32  # of all lanes in one scan of pgx


# -- Renege


def renege_jobs() -> dict[str, Job]:
    jobs = {BATCH.format(lanes): batch(lanes) for lanes in LANES}
    env = BatchEnv("renege/texas42-v0", 1024, seed=1)

    def run(turn: int) -> int:
        env.run(100)
        return 100 * env.lanes

    return jobs | {RUN: repeat(run), ONE: one_table(observed=False), ONE_SEEN: one_table(observed=True)}


def batch(lanes: int) -> Job:
    env = BatchEnv("renege/texas42-v0", lanes, seed=1)
    actions = np.empty(lanes, np.int32)
    steps = max(1, 8192 // lanes)

    def once(turn: int) -> int:
        for _ in range(steps):
            env.choose(out=actions)
            env.step(actions)
        return steps * lanes

    return repeat(once)


def one_table(*, observed: bool) -> Job:
    env, rng = Env("renege/texas42-v0", seed=1), random.Random(1)

    def once(turn: int) -> int:
        env.deal()
        steps = 0
        while (seat := env.turn) is not None:
            if observed:
                env.observe(seat)
            env.act(rng.choice(env.legal))
            steps += 1
        return steps

    return repeat(once)


# -- OpenSpiel


def openspiel_jobs() -> dict[str, Job]:
    try:
        import pyspiel  # pyright: ignore[reportMissingImports]
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel (the [bench] extra)", file=sys.stderr)
        return {}
    jobs: dict[str, Job] = {}
    for name, parameters in GAMES.items():
        game = pyspiel.load_game(parameters)
        jobs[FULL.format(name)] = with_bots(pyspiel, game)
        if name in ("bridge", "skat"):
            jobs[PYTHON.format(name)] = from_python(game, observed=False)
            jobs[SEEN.format(name)] = from_python(game, observed=True)
    return jobs


def dealt_moves(game: Any, rng: random.Random) -> int:
    """How many moves of a game are the dealer's; always as many."""
    found: set[int] = set()
    for _ in range(50):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        found.add(sum(step.player == CHANCE for step in state.full_history()))
    if len(found) != 1:
        raise SystemExit(f"{game.get_type().short_name} deals {sorted(found)} times; the count of steps is off")
    return found.pop()


def with_bots(pyspiel: Any, game: Any) -> Job:
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]
    dealt = dealt_moves(game, random.Random(1))

    def once(turn: int) -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, turn)
        return state.move_number() - dealt

    return repeat(once)


def from_python(game: Any, *, observed: bool) -> Job:
    rng = random.Random(1)
    by_information = game.get_type().provides_information_state_tensor

    def tensor(state: Any) -> Any:
        return state.information_state_tensor() if by_information else state.observation_tensor()

    def once(turn: int) -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            if observed:
                tensor(state)
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return repeat(once)


# -- pgx


def pgx_jobs() -> dict[str, Job]:
    try:
        import jax
        from pgx.bridge_bidding import BridgeBidding
    except ImportError:
        print("pgx is not installed: pip install pgx jax (the [bench] extra)", file=sys.stderr)
        return {}
    jax.config.update("jax_platforms", "cpu")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "results.npy"
        np.save(table, made_up_results(20_000))
        env = BridgeBidding(str(table))
    return {PGX.format(lanes): scanned(jax, env, lanes) for lanes in (64, 1024)}


def made_up_results(deals: int) -> Any:
    """`int32[2, deals, 4]`: random deals as pgx writes them, two bits a card, and their tricks by hex digit."""
    rng = np.random.default_rng(1)
    holders = rng.permuted(np.tile(np.repeat(np.arange(4), 13), (deals, 1)), axis=1).reshape(deals, 4, 13)
    keys = (holders << np.arange(24, -1, -2)).sum(axis=2)
    tricks = rng.integers(0, 14, (deals, 4, 5))
    return np.stack([keys, (tricks << np.arange(16, -1, -4)).sum(axis=2)]).astype(np.int32)


def scanned(jax: Any, env: Any, lanes: int) -> Job:
    from pgx.experimental import auto_reset

    jnp = jax.numpy
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choice, dealing = jax.random.split(key, 3)
        odds = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(choice, odds, axis=1)
        return (step(state, action, jax.random.split(dealing, lanes)), key), state.observation.sum()

    run = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=STEPS))
    key = jax.random.PRNGKey(1)
    carry = (jax.jit(jax.vmap(env.init))(jax.random.split(key, lanes)), key)

    def once(turn: int) -> int:
        nonlocal carry
        carry, seen = run(carry)
        seen.block_until_ready()
        return STEPS * lanes

    once(0)  # to compile it
    return repeat(once)


# -- what came out


def show(speeds: dict[str, list[float]], core: int | None) -> None:
    table = Table(title="steps a second, one core", caption="median, and the range of the middle half")
    for column in ("", "k steps/s", "middle half", f"{MAIN} is"):
        table.add_column(column, justify="left" if not column else "right")
    for name, values in speeds.items():
        low, _, high = statistics.quantiles(values, n=4)
        times = statistics.median(ratios(speeds, MAIN, name))
        span = f"{low / 1e3:.0f} - {high / 1e3:.0f}"
        table.add_row(name, f"{statistics.median(values) / 1e3:.0f}", span, f"{times:.2f}x")
    console = Console()
    console.print(table)
    for ours, theirs in ((ONE, PYTHON), (ONE_SEEN, SEEN)):
        for name in GAMES:
            if theirs.format(name) in speeds:
                times = statistics.median(ratios(speeds, ours, theirs.format(name)))
                console.print(f"{ours} is {times:.1f}x {theirs.format(name)}")
    where = "not pinned" if core is None else f"pinned to core {core}"
    console.print(f"{native.features().path} path, {where}, {time.strftime('%Y-%m-%d')}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11, help="turns of each job (at least 2)")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of a turn")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every round's numbers here")
    asked = parser.parse_args()
    core = pin()  # before anybody starts threads
    jobs = renege_jobs() | openspiel_jobs() | pgx_jobs()
    speeds = measure(jobs, max(2, asked.rounds), asked.seconds)
    show(speeds, core)
    if asked.json:
        report = {
            "steps_per_second": speeds,
            "median": {name: statistics.median(values) for name, values in speeds.items()},
            "ratio": {name: statistics.median(ratios(speeds, MAIN, name)) for name in speeds},
            "pinned": core is not None,
        }
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
