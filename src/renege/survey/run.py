"""Run a survey: draw hands, deal their worlds, and solve every declaration of every world with open hands.

It needs no package beyond numpy and the kernel, so that it runs where nothing else can be installed:

    from pathlib import Path
    from renege import texas42
    from renege.survey.plan import make_plan
    from renege.survey.run import find_solver, run

    plan = make_plan(texas42.game(), worlds=100, seed=1, piece=512)
    run(plan, Path("survey"), 20_000, find_solver("gpu"), tell=lambda hands: print(hands, "hands"))
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from renege.games.openings import Call
from renege.native import solve as native_solve
from renege.native.arrays import I64, U32
from renege.native.gpu import NoGpu, find_gpu
from renege.native.gpu.state_tables import solve_values
from renege.native.solve import Solved, SolveQuery
from renege.search.devices import gpu_or_none
from renege.survey.chances import POINTS, Survey
from renege.survey.folder import SurveyFolder, SurveyPiece
from renege.survey.plan import SurveyPlan, draw_hands, draw_worlds, make_states

Solve: TypeAlias = Callable[[SolveQuery], Solved]  # positions -> their values; `native.solve.solve` is one
Tell: TypeAlias = Callable[[float], None]

ON_CPU = 256  # worlds a call and thread: few enough that Ctrl-C is heard soon
ON_GPU = 1 << 16


@dataclass(frozen=True, slots=True)
class HandSolver:
    """The solver of a survey, and its batch size in worlds."""

    name: str
    solve: Solve
    rows: int
    device: str = "cpu"


def find_solver(device: str = "auto", threads: int = 1) -> HandSolver:
    """`cpu`, `gpu`, or `auto`: the GPU where there is one. The answers are the same.

    Where a GPU is asked for and none is found the CPU does the work, and one warning says why.
    """
    if device not in ("cpu", "gpu", "auto"):
        raise ValueError(f"there is no device {device!r}: cpu, gpu or auto")
    if device != "cpu":
        try:
            gpu = find_gpu() if device == "auto" else gpu_or_none()
        except NoGpu:
            gpu = None
        if gpu is not None:
            return HandSolver(gpu.name, partial(solve_values, gpu), ON_GPU, "gpu")
    threaded = partial(native_solve.solve, threads=threads)
    return HandSolver(f"cpu, {threads} thread{'s' * (threads != 1)}", threaded, ON_CPU * threads)


def run(
    plan: SurveyPlan,
    folder: Path,
    hands: int,
    solver: HandSolver,
    *,
    given: Sequence[int] | None = None,
    cluster: str | None = None,
    workers: int | None = None,
    tell: Tell = lambda _: None,
) -> None:
    """Solve the first so many hands of a survey into its folder, but for those that are there already.

    `tell` hears how many hands are done, in parts of a hand too. Without `given` the hands are drawn. `cluster` names a
    Ray cluster to solve them on, `workers` pieces at once; then the solver only says by its device where: on a core
    each, or on a GPU each. The files are written here.
    """
    kept = SurveyFolder(folder, plan)
    kept.open()
    there = kept.pieces(hands)
    done = sum(min(len(piece), hands - piece.first) for piece in there.values())
    tell(done)
    if cluster is None:
        work = partial(_solve_part, plan, given, solver, tell=lambda more: tell(done + more))
        found = kept.fill(hands, there, work, workers=1)
    else:
        away, gpus = partial(_solve_away, plan, given, solver.device), float(solver.device == "gpu")
        found = kept.fill(hands, there, away, workers=workers, cluster=cluster, gpus=gpus)
    with closing(found):
        for piece in found:
            done += len(piece)
            if cluster is not None:  # here it has been heard in parts
                tell(done)


def _solve_part(
    plan: SurveyPlan, given: Sequence[int] | None, solver: HandSolver, part: range, *, tell: Tell = lambda _: None
) -> SurveyPiece:
    hands = given[part.start : part.stop] if given is not None else draw_hands(plan.seed, part.start, len(part))
    return solve_hands(plan, hands, solver, part.start, tell=tell)


def _solve_away(plan: SurveyPlan, given: Sequence[int] | None, device: str, part: range) -> SurveyPiece:
    """The same on another machine, with its own solver: a solver cannot be pickled."""
    return _solve_part(plan, given, _found_once(device), part)


_found_once = cache(find_solver)


def solve_hands(
    plan: SurveyPlan, hands: Sequence[int], solver: HandSolver, first: int = 0, *, tell: Tell = lambda _: None
) -> SurveyPiece:
    """Solve some hands, which are numbers `first` and on of the survey."""
    worlds = np.concatenate([draw_worlds(plan, first + i, hand) for i, hand in enumerate(hands)])
    calls = plan.calls()
    counts = np.empty((len(hands), len(calls), POINTS), np.int64)
    for i, call in enumerate(calls):
        part = len(hands) / len(calls)
        points = _points(solver, call, worlds, lambda share, i=i, part=part: tell((i + share) * part))
        counts[:, i] = _tally(points.reshape(len(hands), plan.worlds))
    return SurveyPiece(first, np.array(hands, np.int64), counts)


def survey_of(plan: SurveyPlan, hands: Sequence[int], solver: HandSolver, *, tell: Tell = lambda _: None) -> Survey:
    """A survey of a few hands, kept in no folder."""
    found = solve_hands(plan, hands, solver, tell=tell)
    return Survey(plan, np.arange(len(hands)), found.hands, found.counts)


def _points(solver: HandSolver, call: Call, worlds: U32, tell: Tell) -> I64:
    """What the takers get in each world, with best play by all."""
    found = np.empty(len(worlds), np.int64)
    for start in range(0, len(worlds), solver.rows):
        rows = slice(start, start + solver.rows)
        solved = solver.solve(SolveQuery(call.tables, make_states(call, worlds[rows]), call.takers, call.maximisers))
        if (solved.lower != solved.upper).any():
            raise RuntimeError(f"{solver.name} left a world of {call.text} open")
        found[rows] = solved.lower
        tell(min(1.0, (start + solver.rows) / len(worlds)))
    return found


def _tally(points: I64) -> I64:
    """`[H, worlds]` -> `[H, 43]`: in how many worlds each number of points was made."""
    rows = np.arange(len(points))[:, None] * POINTS
    return np.bincount((rows + points).ravel(), minlength=len(points) * POINTS).reshape(len(points), POINTS)
