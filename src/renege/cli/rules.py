"""The command `renege rules`: the house rules of a game, and the rules that a verdict may name."""

from dataclasses import Field, fields
from typing import Annotated, Any

from rich.console import Console
from rich.table import Table
from typer import Argument

from renege.core.game import Game
from renege.core.house_rules import choices_of, question_of, write_rules
from renege.core.registry import GAMES, find_game
from renege.games.wire import Wire


def rules(game: Annotated[str, Argument(metavar="GAME", help=f"one of: {' '.join(GAMES)}")]) -> None:
    """List the house rules of a game with their choices, and every rule that a verdict may name.

    \b
    Example:
      renege rules texas42
    """
    table = find_game(game)
    presets: dict[str, Any] = GAMES[game].PRESETS if game in GAMES else {}  # a shrunk game has none
    wire = table.facet(Wire)
    written = {name: write_rules(preset).items() for name, preset in presets.items()}
    differing = [(name, ", ".join(map("=".join, rules)) or "the default") for name, rules in written.items()]
    house = [_house_rule(table, field) for field in fields(table.rules)]
    sections: list[tuple[str, list[str], list[tuple[str, ...]]]] = [
        ("House rules", ["name", "question", "choices, the default first"], house),
        ("In renege ask, rules may also say", ["name", "question"], list(wire.extras.items()) if wire else []),
        ("Presets", ["name", "what differs from the default"], differing),
        ("Rules", ["id", "sentence"], [(rule.id, rule.sentence) for rule in table.rule_list]),
    ]
    console = Console()
    for title, columns, rows in sections:
        if not rows:
            continue
        if console.is_terminal:
            console.print(_table(title, columns, rows))
        else:
            print(f"{title}:", *("  " + "\n".join(row).replace("\n", "\n    ") for row in rows), "", sep="\n")


def _table(title: str, columns: list[str], rows: list[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", show_lines=True, expand=True)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _house_rule(game: Game, field: Field[Any]) -> tuple[str, ...]:
    """A house rule's name, its question, and a line for each choice, the default first."""
    default, choices = getattr(game.rules, field.name), choices_of(field)
    if not choices:
        return field.name, question_of(field), str(default)
    usual = str(default.value)
    names = [usual, *(name for name in choices if name != usual)]
    return field.name, question_of(field), "\n".join(f"{name}: {choices[name]}" for name in names)
