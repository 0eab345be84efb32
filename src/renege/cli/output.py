"""How a command shows things: a table, a picture, a bar on standard error for long work, and the end after Ctrl-C."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from renege.core.notation import NotationError

PICTURES = (".png", ".svg", ".pdf")
INTERRUPTED = 130  # as a shell says it of Ctrl-C


@contextmanager
def progress_bar(total: int, done: int = 0) -> Generator[Callable[[float, str], None], None, None]:
    """A bar, moved by telling it how much is done and a few words."""
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda done, words: bar.update(task, completed=done, description=words)


def stop(words: str) -> NoReturn:
    """End a command after Ctrl-C; the words say what is kept."""
    Console(stderr=True).print(words, soft_wrap=True)
    raise typer.Exit(INTERRUPTED) from None


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: with lines on a terminal, in plain columns elsewhere."""
    console = Console()
    if console.is_terminal:
        table = Table(*columns)
        for row in rows:
            table.add_row(*row)
        console.print(table)
        return
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in (columns, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def check_picture(file: Path | None) -> None:
    """Refuse what could not be drawn, if a picture is wanted: said before the work, not after."""
    if file is None:
        return
    if file.suffix not in PICTURES:
        raise NotationError(f"{file} cannot be drawn: its name should end in {' or '.join(PICTURES)}")
    if not file.parent.is_dir():
        raise NotationError(f"{file} cannot be drawn: there is no folder {file.parent}")
    try:
        with open(file, "ab") if file.exists() else TemporaryFile(dir=file.parent):
            pass
    except OSError as wrong:
        raise NotationError(f"{file} cannot be drawn: {wrong.strerror}") from None
    if find_spec("matplotlib") is None:
        raise NotationError("a plot needs matplotlib: pip install 'renege[report]'")
