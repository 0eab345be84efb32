"""The learner of `renege train` on the shrunk games, and what is left to gain against it, beside CFR+.

    python bench/small_games.py tractor --out FOLDER
    python bench/small_games.py 42 --rounds 20 --out FOLDER --plot curve.svg

The learner teaches itself the small game as it does the whole one, without lessons. After 1, 2, 5, 10 .. rounds its
policy, each act as likely as the network makes it, is put into the game's tree, and exact best responses say what a
single seat could gain. CFR+ works on the same tree. Both go on from the folder when they were stopped.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from renege.cli.regret import shrunk_called
from renege.core.atomic_file import write_atomically
from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.envs import BatchEnv
from renege.games.training import House
from renege.search.regret.cfr import Curve, Tables, exploitability, next_look, open_handed, solve, uniform
from renege.train.exact import SmallGame
from renege.train.folder import find_plan, write_plan
from renege.train.network import Size
from renege.train.plan import TrainPlan, make_plan
from renege.train.run import Training, pick_device

ITERATIONS = {"texas42-small": 200, "schafkopf-small": 50, "tractor-small": 1000}  # of CFR+
FAST: dict[str, Any] = {"lanes": 1024, "steps": 32, "updates": 20, "batch": 4096}
SLOW: dict[str, Any] = {"lanes": 256, "steps": 16, "updates": 20, "batch": 1024}  # where Python steps the tables
Line = dict[str, Any]


def plan_of(game: Game, rounds: int, seed: int) -> TrainPlan:
    """The plan of the learner: smaller networks, no lessons (there is no rulebook), more often dealt anew."""
    sizes = FAST if BatchEnv(game, 1, version=1).in_kernel else SLOW
    house = House(tuple(write_rules(game.rules).items()))
    learns = {"size": Size(128, 2), "critic": Size(128, 2), "lessons": 0, "deal_length": 12, "houses": (house,)}
    return make_plan(game.name, **sizes, **learns, rounds=rounds, seed=seed)


def learner(laid: SmallGame, folder: Path, rounds: int, seed: int) -> Iterator[Line]:
    """The learner's curve, point by point; what is in the folder is not learnt again."""
    plan = find_plan(folder)
    if plan is None:
        plan = plan_of(laid.game, rounds, seed)
        write_plan(folder, plan)
    known = {line["rounds"]: line for line in read(folder / "exact.json")}
    training = Training(plan, folder, pick_device("cpu"))
    while True:
        done = training.kept.rounds
        if done in known:
            yield known[done]
        elif done:
            line = {"rounds": done, "decisions": training.kept.decisions, "seconds": training.kept.seconds}
            line |= told(laid, laid.exploited(training.export()).gains)
            known[done] = line
            write(folder / "exact.json", list(known.values()))
            yield line
        if done >= rounds:
            return
        list(training.run(min(next_look(done), rounds), None, lambda progress: None))


def cfr(laid: SmallGame, file: Path, iterations: int) -> list[Line]:
    """CFR+'s curve on the same tree."""
    if file.exists():
        return read(file)
    tables, curve = Tables.blank(laid.tree), Curve()
    solve(laid.engine, tables, curve, iterations, lambda more: laid.engine.plus(tables, more), time.perf_counter)
    lines = [
        {"iterations": point.iterations, "seconds": point.seconds, **told(laid, point.gains)} for point in curve.points
    ]
    write(file, lines)
    return lines


def told(laid: SmallGame, gains: tuple[float, ...]) -> Line:
    return {"exploitability": max(gains), "share": max(gains) / laid.tree.payoff_range}


def read(file: Path) -> list[Line]:
    return json.loads(file.read_text("utf-8")) if file.exists() else []


def write(file: Path, lines: list[Line]) -> None:
    with write_atomically(file) as out:
        out.write(json.dumps(lines, indent=1).encode())


def rows(laid: SmallGame, ours: list[Line], theirs: list[Line]) -> Iterator[str]:
    yield "| | after | seconds | exploitability | of the payoff range |"
    yield "|---|---|---|---|---|"
    for line in ours:
        yield _row("the learner", f"{line['decisions']:,} decisions", line)
    for line in theirs:
        yield _row("CFR+", f"{line['iterations']:,} iterations", line)
    for name, strategy in (("open hands", open_handed(laid.engine)), ("every act alike", uniform(laid.tree.info))):
        yield _row(name, "", {"seconds": 0.0, **told(laid, exploitability(laid.engine, strategy).gains)})


def _row(name: str, after: str, line: Line) -> str:
    return f"| {name} | {after} | {line['seconds']:.1f} | {line['exploitability']:.6f} | {line['share']:.4%} |"


def draw(path: Path, name: str, ours: list[Line], theirs: list[Line]) -> None:
    """Both curves by seconds."""
    from renege.figures.plots import drawing, label  # here: it needs matplotlib

    with drawing(path) as figure:
        axes = figure.subplots()
        label(axes, f"Exploitability of {name}", "seconds", "% of the payoff range")
        for who, lines in (("the learner", ours), ("CFR+", theirs)):
            shown = [line for line in lines if line["share"] > 0]
            axes.plot(
                [line["seconds"] for line in shown], [100 * line["share"] for line in shown], marker="o", label=who
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.legend()


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("game", help="the small game: 42, tractor or schafkopf")
    reader.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="of the training and the curves")
    reader.add_argument("--rounds", type=int, default=20, help="of the learner")
    reader.add_argument("--iterations", type=int, help="of CFR+")
    reader.add_argument("--rules", action="append", metavar="NAME=CHOICE", help="of the small game; may be repeated")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--plot", type=Path, metavar="FILE", help="both curves, .svg or .png")
    asked = reader.parse_args()
    torch.set_num_threads(1)
    game = shrunk_called(asked.game, asked.rules)
    asked.out.mkdir(parents=True, exist_ok=True)
    laid = SmallGame.of(game)
    print(laid.tree, file=sys.stderr, flush=True)
    iterations = asked.iterations or ITERATIONS.get(game.name, 100)
    theirs = cfr(laid, asked.out / f"cfr-{iterations}.json", iterations)
    ours: list[Line] = []
    for line in learner(laid, asked.out, asked.rounds, asked.seed):
        ours.append(line)
        print(_row("the learner", f"{line['decisions']:,} decisions", line), file=sys.stderr, flush=True)
    whole = sorted({line["rounds"]: line for line in [*read(asked.out / "exact.json"), *ours]}.values(), key=_rounds)
    print(*rows(laid, whole, theirs), sep="\n")
    if asked.plot is not None:
        draw(asked.plot, game.name, whole, theirs)


def _rounds(line: Line) -> int:
    return line["rounds"]


if __name__ == "__main__":
    main()
