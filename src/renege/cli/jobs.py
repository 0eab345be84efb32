"""What commands have in common whose work is done by many: the game, the processes, the cluster."""

import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, redirect_stdout
from typing import Annotated

import typer

from renege.core.registry import GAMES

MOST_WORKERS = 1 << 16
WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=MOST_WORKERS, help="number of worker processes (default: one per core)")
]
ClusterOption = Annotated[
    str | None, typer.Option(metavar="auto|ADDRESS", help="run on a Ray cluster: auto for this machine's, or HOST:PORT")
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=f"42, or one of: {' '.join(GAMES)}")]


@contextmanager
def aside(cluster: str | None) -> Generator[None, None, None]:
    """While a cluster works: Ray tells of nodes that die on standard output, which is for the answer alone."""
    with nullcontext() if cluster is None else redirect_stdout(sys.stderr):
        yield
