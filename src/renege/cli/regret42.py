"""The command `renege regret42`: train a strategy on an abstraction of Texas 42."""

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated

from typer import Option

from renege.cli.main import group, plain_errors
from renege.cli.output import progress_bar, stop
from renege.core.registry import find_game
from renege.search.regret.train import BATCH, Training, load_training

SAVE_EVERY = 120.0  # seconds


class Device(StrEnum):
    CPU = "cpu"
    GPU = "gpu"


regret42 = group("Train a strategy on an abstraction of Texas 42.")
regret42.callback()(lambda: None)


@regret42.command()
@plain_errors()
def train(
    out: Annotated[Path, Option(metavar="FILE", help="the strategy file, .npz")],
    iterations: Annotated[
        int, Option(min=1, help="total traversals: deals in which one seat tries every action")
    ] = 1_000_000,
    seed: Annotated[int, Option(min=0, help="seed of the deals")] = 1,
    batch: Annotated[int, Option(min=1, help="iterations between two updates of the strategy")] = BATCH,
    threads: Annotated[int, Option(min=1, max=1024, help="number of CPU threads")] = 1,
    device: Annotated[Device, Option(help="where to compute: cpu, or gpu with the same result")] = Device.CPU,
) -> None:
    """Train a strategy for the play of straight 42, and write it to a file that `regret42:FILE` plays by.

    Beside it lie its training, FILE.training, from which the same command goes on, also to more iterations, and
    FILE.jsonl with a line for each look at it. docs/regret42.md says what is trained.

    \b
    Examples:
      renege regret42 train --iterations 2000000 --out mine.npz
      renege arena 42 regret42:mine.npz rulebook
    """
    if out.suffix != ".npz":
        raise ValueError(f"a strategy is a .npz file; {out} is not named like one")
    game, state, log = find_game("42"), out.with_name(out.name + ".training"), out.with_name(out.name + ".jsonl")
    training = load_training(game, state) if state.exists() else Training(game, seed, batch)
    if (training.seed, training.batch) != (seed, batch):
        raise ValueError(f"{state} was begun with --seed {training.seed} --batch {training.batch}")
    begun = saved = perf_counter()
    try:
        with progress_bar(iterations, training.iterations) as tell, open(log, "a", encoding="utf-8") as lines:
            for at in training.run(iterations, threads, device.value):
                tell(at.iterations, f"{at.keys:,} keys, regret {at.regret:.4f}, declarers {at.paid:+.3f}")
                lines.write(json.dumps({**asdict(at), "seconds": round(perf_counter() - begun, 1)}) + "\n")
                lines.flush()
                if perf_counter() - saved > SAVE_EVERY and training.due():
                    training.save(state)
                    saved = perf_counter()
    except KeyboardInterrupt:
        stop(f"stopped; what was saved in {state} goes on with the same command")
    training.save(state)
    strategy = training.strategy()
    strategy.save(out)
    print(f"{out}: {len(strategy):,} keys of {training.ledger.used:,}, {out.stat().st_size:,} bytes")
    if training.dropped:
        print(f"{training.dropped:,} of {training.nodes:,} turns found the table full and taught nothing")
