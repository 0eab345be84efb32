"""How a command fails: one line on standard error."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import typer


@contextmanager
def plain_errors() -> Generator[None, None, None]:
    """What went wrong is one line on standard error and the status 2."""
    try:
        yield
    except BrokenPipeError:
        _stop_output()  # nobody listens any more
    except OSError as wrong:
        _stop_output()
        where = f"{wrong.filename}: " if wrong.filename else ""
        print(f"renege: {where}{wrong.strerror or wrong}", file=sys.stderr)
        raise typer.Exit(2) from None
    except ValueError as wrong:
        print(f"renege: {' '.join(str(wrong).split())}", file=sys.stderr)
        raise typer.Exit(2) from None


def _stop_output() -> None:
    """Send what is still to be written nowhere, unless it can be written now."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
