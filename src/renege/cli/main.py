"""The command `renege`: its commands by name, each imported when it is asked for, and how a command fails."""

import os
import sys
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from renege.core.version import version

# Each command lies in the module of its name, and says there what it says here.
COMMANDS = {
    "ask": "Answer questions, one JSON object a line, with one JSON object a line.",
    "rules": "List the house rules of a game with their choices, and every rule that a verdict may name.",
    "perft": "Count the legal sequences of calls and plays from a position, by length.",
    "judge": "Judge a record: every breach of a rule, and what each deal comes to.",
    "verify": "Check that the deals of a record come of the secrets that its table committed itself to.",
    "spoj": "Judge rounds of Tractor in the text of the SPOJ problem TRACTOR: points, levels and the next leader.",
    "read": "Read Schafkopf that others recorded: protocols of NetSchafkopf, and saved game pages of sauspiel.de.",
    "odds": "Count the deals consistent with what a seat saw in a record, and show where each hidden card may be.",
    "play": "Play Tractor, Texas 42 or Schafkopf in the browser, with bots or with others by a link.",
    "table": "Back up the games of the table in the browser, restore them, and delete what has expired.",
    "solve": "Solve a position with all hands known: the value of every play under best play by everybody.",
    "hint": "Advise the seat to move, from what it has seen alone, and say why.",
    "analyse": "Find where a deal was won and lost: what each play cost with open hands, and given what "
    "its player knew.",
    "arena": "Play two agents against each other on duplicate deals: each deal twice, with the sides swapped.",
    "regret": "Train a strategy for a small game by regret minimisation (CFR), and compute its exploitability.",
    "train": "Train a network by self-play (PPO with a critic that sees all hands), and write it as a file that plays.",
    "selfplay": "Play deals with one agent at all seats, and write every decision as a row of parquet.",
    "survey": "Measure how often opening hands make each bid with each declaration.",
}


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


def group(text: str) -> typer.Typer:
    """A command that has others below it."""
    return typer.Typer(help=text, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


class Commands(TyperGroup):
    """The commands, listed without importing them."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands.update((name, TyperCommand(name, help=summary)) for name, summary in COMMANDS.items())

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | TyperGroup | None:
        return load(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        TyperGroup(commands=dict(self.commands)).format_commands(ctx, formatter)


def load(name: str) -> TyperCommand | TyperGroup:
    """A command, or a group of them, from its module."""
    found = getattr(import_module(f"renege.cli.{name}"), name)
    if not isinstance(found, typer.Typer):
        command, found = found, typer.Typer(add_completion=False, rich_markup_mode=None)
        found.command(name)(plain_errors()(command))
    made: Any = get_command(found)
    made.name = name
    return made


app = typer.Typer(
    cls=Commands,
    help="Arbiter, belief engine and player for trick-taking games whose trumps move.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def main() -> None:
    # a warning is one line, and not the place in the source that gave it
    warnings.formatwarning = lambda message, category, filename, lineno, line=None: f"renege: {message}\n"
    app(prog_name="renege")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"renege {version()}")
        raise typer.Exit


@app.callback()
def renege(
    version: Annotated[
        bool, Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass
