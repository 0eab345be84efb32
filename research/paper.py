"""Measure the study of the paper behind TRACTOR again, and write a report with figures.

python research/paper.py --out report --quick
"""

import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from study.report import PAGE, prepare, write_report
from study.run import STEPS, Plan


def paper(
    out: Annotated[Path, typer.Option(metavar="DIR", help="folder to write")] = Path("study"),
    leads: Annotated[int, typer.Option(help="number of leads to draw")] = 20_000,
    seed: Annotated[int, typer.Option(help="seed of the draws")] = 2026,
    quick: Annotated[bool, typer.Option("--quick", help="time and compare fewer rows: seconds, not minutes")] = False,
) -> None:
    """Measure the study of the paper behind TRACTOR again, and write a report with figures."""
    try:
        plan = Plan(leads, seed, quick)
        prepare(out)
        with Progress(
            BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"), console=Console(stderr=True)
        ) as bar:
            task = bar.add_task("", total=STEPS + 2)
            write_report(out, plan, lambda step: bar.update(task, advance=1, description=step))
            bar.update(task, completed=STEPS + 2, description="done")
    except OSError as wrong:
        where = f"{wrong.filename}: " if wrong.filename else ""
        refuse(f"{where}{wrong.strerror or wrong}")
    except ValueError as wrong:
        refuse(str(wrong))
    print(out / PAGE)


def refuse(why: str) -> NoReturn:
    """End with one line on standard error and the status 2, as every command of renege does."""
    print(f"paper: {why}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    typer.run(paper)
