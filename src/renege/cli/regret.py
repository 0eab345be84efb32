"""The command `renege regret`: train a strategy for a small game by CFR, and compute its exploitability."""

import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from typer import Argument, Option

from renege.cli.arguments import choices
from renege.cli.output import check_picture, progress_bar, stop
from renege.core.game import Game
from renege.core.registry import NICKNAMES, SMALL, find_game
from renege.native.cards import MAX_THREADS
from renege.search.devices import DEVICES, gpu_or_none
from renege.search.regret.cfr import BATCH, Point, TreeEngine, exploitability, open_handed, solve, uniform
from renege.search.regret.gpu import OnGpu
from renege.search.regret.strategy import StrategySource, TrainedStrategy
from renege.search.regret.trees import Tree, tree_of

METHODS = ("cfr+", "mccfr")
_AT_ONCE = 50  # iterations of a GPU before its tables are fetched


def regret(
    game: Annotated[str, Argument(metavar="GAME", help="the small game: 42, tractor or schafkopf; see docs/regret.md")],
    iterations: Annotated[int, Option(min=1, max=10**9, help="total iterations, those in the file included")],
    out: Annotated[Path, Option(metavar="FILE", help="the strategy file, .npz; an existing one is resumed")],
    method: Annotated[str, Option(help=f"the algorithm, one of: {' '.join(METHODS)}")] = "cfr+",
    batch: Annotated[int, Option(min=1, max=10**8, help="mccfr: traversals per seat and iteration")] = BATCH,
    seed: Annotated[int, Option(min=0, help="mccfr: seed of the traversals")] = 1,
    rules: Annotated[
        list[str] | None,
        Option("--rules", metavar="NAME=CHOICE", help="set a rule of the small game; may be repeated"),
    ] = None,
    device: Annotated[str, Option(help="where to compute: cpu or gpu")] = "cpu",
    threads: Annotated[int, Option(min=1, max=MAX_THREADS, help="number of CPU threads, for cfr+")] = 1,
    plot: Annotated[Path | None, Option(metavar="FILE", help="plot exploitability by iteration, .png or .svg")] = None,
    json: Annotated[bool, Option("--json", help="print the result as one JSON object")] = False,
) -> None:
    """Train a strategy for a small game by regret minimisation (CFR), and compute its exploitability.

    The tree of the game is grown first, which takes up to a minute or two. The strategy is saved whenever it has been
    looked at, after 1, 2, 5, 10, 20, 50 iterations and so on; the same command with more iterations goes on from there.
    An agent plays it: regret:FILE.

    \b
    Examples:
      renege regret 42 --iterations 100 --out 42.npz
      renege regret tractor --method mccfr --iterations 1000 --out tractor.npz --plot tractor.svg
      renege regret schafkopf --rules called=G --iterations 50 --out schafkopf.npz
    """
    if method not in METHODS:
        raise ValueError(f"{method!r} is no method: {' '.join(METHODS)}")
    check_picture(plot)
    table = shrunk_called(game, rules)
    made = StrategySource.of(table, method, *((batch, seed) if method == "mccfr" else ()))
    console = Console(stderr=True)
    began = TrainedStrategy.load(out) if out.exists() else None
    if device not in DEVICES:
        raise ValueError(f"{device!r} is no device: cpu or gpu")
    gpu = gpu_or_none() if device == "gpu" else None  # where there is none, it warns and the CPU does the work
    console.print(f"growing the tree of {table.name}")
    tree = tree_of(table)
    console.print(str(tree))
    engine = TreeEngine(tree, threads) if gpu is None else OnGpu(gpu, tree)
    if began is not None:
        began.goes_on(made, tree)
    learnt = began or TrainedStrategy.blank(made, tree, _beside(tree))
    whole = _learn(engine, learnt, iterations, out)
    _show(learnt, out, json)
    if plot is not None:
        from renege.figures.plots import draw_regret  # here: it needs matplotlib

        draw_regret([learnt], plot)
        typer.echo(plot, err=True)
    if not whole:
        kept = learnt.curve.points[-1].iterations if learnt.curve.points else 0
        stop(f"stopped: {kept} of {iterations} iterations are saved; the same command goes on from there")


def shrunk_called(name: str, rules: list[str] | None) -> Game:
    """A small game by its name or that of the full game."""
    name = NICKNAMES.get(name, name)
    return find_game(name.removesuffix(SMALL) + SMALL, choices(rules))


def _beside(tree: Tree) -> dict[str, float]:
    """The exploitability of strategies that need no training, to compare with."""
    cpu = TreeEngine(tree)
    return {
        "open hands": exploitability(cpu, open_handed(cpu)).largest,
        "uniform": exploitability(cpu, uniform(tree.info)).largest,
    }


def _learn(engine: TreeEngine, learnt: TrainedStrategy, until: int, out: Path) -> bool:
    """Iterate and save; returns whether it was not interrupted."""
    tables, made = learnt.tables, learnt.made
    words = ""
    with progress_bar(until, min(until, tables.iterations)) as tell:

        def met(point: Point) -> None:
            nonlocal words
            words = f"exploitability {point.largest:.5g} ({point.largest / learnt.payoff_range:.3%})"
            tell(point.iterations, words)
            learnt.save(out)

        def step(more: int) -> None:
            until = tables.iterations + more
            while tables.iterations < until:  # a few at a time, so that the bar moves and Ctrl-C is heard
                few = min(until - tables.iterations, _AT_ONCE if isinstance(engine, OnGpu) else 1)
                if made.method == "cfr+":
                    engine.plus(tables, few)
                else:
                    engine.sample(tables, few, made.batch, made.seed)
                tell(tables.iterations, words)

        try:
            solve(engine, tables, learnt.curve, until, step, time.perf_counter, met)
        except KeyboardInterrupt:
            return False
    return True


def _show(learnt: TrainedStrategy, out: Path, json: bool) -> None:
    if json:
        print(msgspec.json.encode(answer(learnt) | {"strategy": str(out)}).decode())
        return
    print(f"{learnt.made}: {learnt.deals:,} deals, {learnt.nodes:,} nodes, {len(learnt.info):,} information sets")
    print("iterations  seconds  exploitability  of the payoff range  gain of each seat")
    for point in learnt.curve.points:
        gains = " ".join(f"{gain:.6f}" for gain in point.gains)
        share = point.largest / learnt.payoff_range
        print(f"{point.iterations:10,}  {point.seconds:7.1f}  {point.largest:14.6f}  {share:19.4%}  {gains}")
    for name, gain in learnt.beside.items():
        print(f"{name}: {gain:.6f}, {gain / learnt.payoff_range:.4%} of the payoff range")
    print(f"strategy: {out}")


def answer(learnt: TrainedStrategy) -> dict[str, Any]:
    """The same for programs."""
    return {
        "made": msgspec.to_builtins(learnt.made),
        "deals": learnt.deals,
        "nodes": learnt.nodes,
        "information_sets": len(learnt.info),
        "slots": learnt.info.slots,
        "payoff_range": learnt.payoff_range,
        "beside": learnt.beside,
        "curve": [msgspec.to_builtins(point) for point in learnt.curve.points],
    }
