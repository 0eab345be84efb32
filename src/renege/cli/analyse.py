"""The command `renege analyse`: find the mistakes of a finished deal, play by play."""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from typer import Option

from renege.cli.adviser import AgentOption, adviser
from renege.cli.arguments import (
    DealOption,
    JsonOption,
    RecordArgument,
    SeedOption,
    WorldsOption,
    record_of,
)
from renege.cli.output import check_picture, show_table
from renege.cli.solve import asked, say_value
from renege.core.solution import Limits
from renege.games.strategy import strategy_of
from renege.search.review import Known, Open, ReviewedMove, review

MOST_SECONDS = 2.0  # for the open hands of each play


def analyse(
    file: RecordArgument,
    ms: Annotated[float, Option(min=0, help="milliseconds of search per decision; 0 for open hands only")] = 100,
    worlds: WorldsOption = None,
    agent: AgentOption = None,
    deal: DealOption = None,
    seed: SeedOption = 0,
    plot: Annotated[Path | None, Option(metavar="FILE", help="plot the value play by play, .png or .svg")] = None,
    as_json: JsonOption = False,
) -> None:
    """Find where a deal was won and lost: what each play cost with open hands, and given what its player knew.

    By the open hands a play costs what the best one would still have brought. By what the seat could know a call or a
    play costs how far it is behind what the best player would have done, on average over worlds that fit its view, so a
    loss there is a mistake and not bad luck, as far as that player can see. The costliest decisions are marked with a
    star. Where there is a network for these house rules, it is shown how likely it would have done the same, and what
    else it would rather have done.

    \b
    Examples:
      renege analyse game.txt
      renege analyse game.txt --ms 1000 --plot game.png
      renege analyse game.txt --ms 0
    """
    check_picture(plot)
    record = record_of(file, deal)
    limit = ms if ms and worlds is None and agent is None else None  # a named agent has limits of its own
    by = adviser(agent, record.game, ms, worlds) if ms or worlds is not None else None
    moves: list[ReviewedMove] = []
    with Progress(
        BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=len(record.acts))
        for move in review(record, by, ms=limit, seed=seed, limits=Limits(seconds=MOST_SECONDS)):
            moves.append(move)
            bar.update(task, advance=1, description=f"seat {move.seat} {move.what}")
    search = strategy_of(record.game).search
    unit = "" if search is None else search.unit
    if as_json:
        print(json.dumps({"unit": unit, "moves": [_move_json(move) for move in moves]}))
    else:
        _show_review(moves, unit)
    if plot is not None:
        from renege.figures.evaluation import draw  # here: it needs matplotlib

        draw(moves, plot, unit)
        typer.echo(plot, err=True)


def _show_review(moves: list[ReviewedMove], unit: str) -> None:
    opened = next((move.open for move in moves if isinstance(move.open, Open)), None)
    searched = any(isinstance(move.known, Known) for move in moves)
    worst_open, worst_known = _costliest(move.cost_open for move in moves), _costliest(m.cost_known for m in moves)
    columns, totals = ["trick", "seat", "act"], [""]
    rows = [["" if move.trick is None else str(move.trick), str(move.seat), move.what] for move in moves]
    seats = sorted({move.seat for move in moves})
    sums = [[f"seat {seat}"] for seat in seats]
    if opened is not None:
        print(f"open hands: {asked(opened.solution)}")
        columns += ["before", "after", "cost", "best, hands open"]
        totals += ["hands open"]
        rows = [[*row, *_open_cells(move, worst_open)] for row, move in zip(rows, moves, strict=True)]
        sums = [[*row, str(_sum(moves, seat, "cost_open"))] for row, seat in zip(sums, seats, strict=True)]
    if searched:
        columns += [f"cost ({unit})", "best, as seen"]
        totals += [f"as seen ({unit})"]
        rows = [[*row, *_known_cells(move, worst_known)] for row, move in zip(rows, moves, strict=True)]
        sums = [[*row, f"{_sum(moves, seat, 'cost_known'):.2f}"] for row, seat in zip(sums, seats, strict=True)]
    if any(move.liked is not None for move in moves):
        columns += ["network", "it would"]
        rows = [[*row, *_liked_cells(move)] for row, move in zip(rows, moves, strict=True)]
    show_table(columns, rows)
    if opened is not None or searched:
        print("in all:")
        show_table(totals, sums)
    for why in dict.fromkeys(_skipped(moves)):
        print(why)


def _sum(moves: list[ReviewedMove], seat: int, cost: str) -> float:
    return sum(getattr(move, cost) for move in moves if move.seat == seat)


def _costliest(costs: Iterable[float]) -> float:
    """The greatest cost, which is marked with a star; None without one."""
    return max((cost for cost in costs if cost > 0), default=math.inf)


def _open_cells(move: ReviewedMove, worst: float) -> tuple[str, str, str, str]:
    found = move.open
    if isinstance(found, str):
        return "", "", "", ""
    cost = "open" if found.cost is None else f"{found.cost}{' *' * (found.cost >= worst)}" if found.cost else ""
    return say_value(found.before), say_value(found.after), cost, " / ".join(found.best[:3]) if found.cost else ""


def _known_cells(move: ReviewedMove, worst: float) -> tuple[str, str]:
    found = move.known
    if isinstance(found, str) or round(found.cost, 2) == 0:
        return "", ""
    return f"{found.cost:.2f}{' *' * (found.cost >= worst)}", found.best


def _liked_cells(move: ReviewedMove) -> tuple[str, str]:
    """How likely the network would have done what was done, and what it would rather have done."""
    found = move.liked
    if found is None:
        return "", ""
    done = "" if found.done is None else f"{100 * found.done:.0f} %"
    return done, "" if found.best == move.what else f"{found.best} {100 * found.share:.0f} %"


def _skipped(moves: list[ReviewedMove]) -> Iterable[str]:
    """Why something was left out, each reason once."""
    for what, found in ((m, f) for m in moves for f in (m.open, m.known)):
        if isinstance(found, str) and found not in ("a call", "not asked for"):
            kind = "open hands" if found is what.open else "as seen"
            yield f"left out, {kind}: {found}"


def _move_json(move: ReviewedMove) -> dict[str, Any]:
    found: dict[str, Any] = {"number": move.number, "trick": move.trick, "seat": move.seat, "what": move.what}
    for name, fields in (("open", ("before", "after", "cost", "best")), ("known", ("cost", "best", "worlds"))):
        cost = getattr(move, name)
        found[name] = cost if isinstance(cost, str) else {field: getattr(cost, field) for field in fields}
    if (liked := move.liked) is not None:
        found["network"] = {"best": liked.best, "share": liked.share, "done": liked.done}
    return found
