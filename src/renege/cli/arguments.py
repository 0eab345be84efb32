"""Arguments that commands share: a file or standard input, a game, house rules as `name=choice`, workers, a cluster."""

import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, BinaryIO

import typer

from renege.core.game import Game
from renege.core.notation import NotationError
from renege.core.registry import GAMES, find_game

PICTURES = (".png", ".svg", ".pdf")
MOST_WORKERS = 1 << 16
WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=MOST_WORKERS, help="number of worker processes (default: one per core)")
]
ClusterOption = Annotated[
    str | None, typer.Option(metavar="auto|ADDRESS", help="run on a Ray cluster: auto for this machine's, or HOST:PORT")
]

RulesOption = Annotated[
    list[str] | None, typer.Option("--rules", metavar="NAME=CHOICE", help="set a house rule; may be repeated")
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"42, or one of: {' '.join(GAMES)}")]


@contextmanager
def opened(file: str) -> Generator[BinaryIO, None, None]:
    """A file, or standard input for `-`."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with open(file, "rb") as source:
            yield source


def text_of(file: str) -> str:
    """All of it, which must be text."""
    with opened(file) as source:
        try:
            return source.read().decode()
        except UnicodeDecodeError as wrong:
            raise NotationError(f"{file} is no text: byte {wrong.start + 1} is not UTF-8") from None


def choices(pairs: list[str] | None) -> dict[str, str]:
    """House rules by name."""
    found: dict[str, str] = {}
    for pair in pairs or []:
        name, _, choice = pair.partition("=")
        if not choice:
            raise NotationError(f"{pair!r} is no house rule; write it like all_pass=force-30")
        found[name] = choice
    return found


def game_called(name: str, rules: list[str] | None = None) -> Game:
    """A game by its name, or by what players call it, under house rules."""
    return find_game(name, choices(rules))


@contextmanager
def aside(cluster: str | None) -> Generator[None, None, None]:
    """While a cluster works: Ray tells of nodes that die on standard output, which is for the answer alone."""
    with nullcontext() if cluster is None else redirect_stdout(sys.stderr):
        yield


def check_picture(file: Path) -> None:
    """Refuse what could not be drawn: said before the work, not after."""
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
