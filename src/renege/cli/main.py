"""The command `renege`: one thin command for each thing a person does."""

import os
import re
import sys
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import Field, fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from renege.ask import serve as referee
from renege.belief.belief import Belief, name_pile
from renege.cli import arena as cli_arena
from renege.cli import regret as cli_regret
from renege.cli import regret42 as cli_regret42
from renege.cli import review as cli_review
from renege.cli import search as cli_search
from renege.cli import selfplay as cli_selfplay
from renege.cli import survey as cli_survey
from renege.cli import table as cli_table
from renege.cli.arguments import RulesOption, choices, opened, text_of
from renege.core.arbiter import judge as judge_record
from renege.core.game import Game
from renege.core.house_rules import choices_of, question_of, write_rules
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.position_text import parse_position
from renege.core.registry import GAMES, find_game, parse_game_record
from renege.core.version import version
from renege.games.formats import game_records, not_read
from renege.games.schafkopf import netschafkopf, sauspiel
from renege.games.testing import perft as count_sequences
from renege.games.testing import perft_split
from renege.games.tractor.spoj import judge as judge_rounds
from renege.games.wire import Wire

app = typer.Typer(
    help="Arbiter, belief engine and player for trick-taking games whose trumps move.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="a file, or - for standard input")]
GameOption = Annotated[str, typer.Option("--game", help="the game")]


def main() -> None:
    """The console script."""
    warnings.formatwarning = _warn
    app(prog_name="renege")


def _warn(message: Warning | str, *_: object, **__: object) -> str:
    """A warning is one line, and not the place in the source that gave it."""
    return f"renege: {message}\n"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"renege {version()}")
        raise typer.Exit


@app.callback()
def renege(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


# -- commands


@app.command()
def ask(file: FileArgument = "-") -> None:
    """Answer questions, one JSON object a line, with one JSON object a line.

    The exit status is 1 if any line was a bad question, else 0.

    \b
    Examples:
      echo '{"ask": "version"}' | renege ask
      renege ask questions.jsonl > answers.jsonl
    """
    with _plain_errors(), opened(file) as source:
        raise typer.Exit(0 if referee.serve(source, sys.stdout.buffer) else 1)


@app.command()
def rules(game: Annotated[str, typer.Argument(metavar="GAME", help=f"one of: {' '.join(GAMES)}")]) -> None:
    """List the house rules of a game with their choices, and every rule that a verdict may name.

    \b
    Example:
      renege rules texas42
    """
    with _plain_errors():
        table = find_game(game)
        presets: dict[str, Any] = GAMES[game].PRESETS if game in GAMES else {}  # a shrunk game has none
        wire = table.facet(Wire)
        _show_rules(table, presets, wire.extras if wire else {})


@app.command()
def perft(
    position: Annotated[str, typer.Argument(help="a position as text; with --check a file of them, or -")],
    depth: Annotated[int, typer.Option(min=0, help="the longest sequences to count")] = 4,
    split: Annotated[bool, typer.Option("--split", help="divide the last count by the first play")] = False,
    check: Annotated[bool, typer.Option("--check", help="compare the counts in a file with ours")] = False,
    game: GameOption = "texas42",
    rules: RulesOption = None,
) -> None:
    """Count the legal sequences of calls and plays from a position, by length.

    A file for --check has 'position ...' lines, each followed by its 'perft 1 3 | 2 5 | ...' lines, and may change
    the house rules by a line 'rules name=choice ...'. Where a count differs, ours is shown divided by the first
    play, and the exit status is 1.

    \b
    Examples:
      renege perft --depth 3 'trump 5 | 0: 6-4 5-5 | 1: 6-6 6-5 | 2: 4-4 3-3 | 3: 6-2 4-1'
      renege perft --check counts.txt
    """
    with _plain_errors():
        table = find_game(game, choices(rules))
        if check:
            raise typer.Exit(0 if _check_counts(table, text_of(position)) else 1)
        start = parse_position(table, position)
        counts = " | ".join(f"{length} {count_sequences(start, length)}" for length in range(1, depth + 1))
        print(f"perft {counts}".rstrip())
        if split:
            _print_split(start, depth)


@app.command()
def judge(file: FileArgument) -> None:
    """Judge a record: every breach of a rule, and what each deal comes to. The exit status is 1 if there is one.

    \b
    Example:
      renege judge game.txt
    """
    with _plain_errors():
        record = parse_game_record(text_of(file))
        clean = True
        for number, deal in enumerate(record.deals, start=1):
            judgement = judge_record(deal)
            clean &= bool(judgement)
            for breach in judgement.breaches:
                print(f"deal {number}: {breach}")
            thrown_in = deal.position.over and deal.position.contract is None
            open_end = "thrown in" if thrown_in else "not decided"
            print(f"deal {number}: {judgement.result.text if judgement.result else open_end}")
        raise typer.Exit(0 if clean else 1)


@app.command()
def spoj(file: FileArgument = "-") -> None:
    """Judge rounds of Tractor in the text of the SPOJ problem TRACTOR: points, levels and the next leader.

    Every play is taken as legal, as the problem says. Text that cannot be read is refused with its line and column.

    \b
    Example:
      renege spoj rounds.txt
    """
    with _plain_errors(), opened(file) as source:
        for line in judge_rounds(row.decode(errors="replace") for row in source):
            print(line)


@app.command()
def read(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="files, or - for standard input")],
    check: Annotated[bool, typer.Option("--check", help="say of each deal whether it agrees with itself")] = False,
    rules: RulesOption = None,
) -> None:
    """Read Schafkopf that others recorded: protocols of NetSchafkopf, and saved game pages of sauspiel.de.

    The deals are written as records, with a number for each player's name. With --check there is a line for each deal:
    it agrees with what its writer states, it differs, or it is unsupported; the exit status is 1 if one differs. Of the
    house rules the prices and the pack are in the text; what is not, such as from how many on runners count, is as
    usual there unless --rules says otherwise. A deal of Schieber, one that was thrown in and one for a stock are not
    read, and a line says so.

    \b
    Examples:
      renege read protocol.txt > games.txt
      renege read --check protocol.txt page.html
      renege read --check protocol.txt --rules runners_from_wenz=2 --rules runners_from_farbwenz=15
    """
    with _plain_errors():
        agree = True
        for file in files:
            for line, differs in _read(file, check, choices(rules)):
                print(line)
                agree &= not differs
        raise typer.Exit(0 if agree else 1)


@app.command()
def odds(
    file: FileArgument,
    seat: Annotated[int, typer.Option(min=0, max=3, help="whose view it is")] = 0,
    acts: Annotated[int | None, typer.Option(min=0, help="stop after this many calls and plays (default: all)")] = None,
    cards: Annotated[str | None, typer.Option(help="explain these cards too")] = None,
    heat: Annotated[Path | None, typer.Option(metavar="FILE", help="draw them as a picture, .svg or .png")] = None,
) -> None:
    """Count the deals consistent with what a seat saw in a record, and show where each hidden card may be.

    \b
    Examples:
      renege odds game.txt --seat 2 --acts 20
      renege odds game.txt --seat 1 --cards "SA HK" --heat odds.svg
    """
    with _plain_errors():
        deal = parse_game_record(text_of(file)).deals[-1]
        if acts is not None and acts > len(deal.acts):
            raise NotationError(f"the deal has {len(deal.acts)} calls and plays, not {acts}")
        view = replace(deal, acts=deal.acts[:acts]).view(seat)
        belief = Belief(view)
        _show_odds(belief)
        for card in (cards or "").replace(",", " ").split():
            print(belief.explain(card))
        if heat is not None:
            from renege.figures.heat import heat_map  # here: it needs matplotlib

            heat_map(belief, heat, f"What seat {seat} may believe after {len(view.acts)} acts")
            print(heat)


# -- what they share


@contextmanager
def _plain_errors() -> Generator[None, None, None]:
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


for command in (
    cli_table.play, cli_search.solve, cli_search.hint, cli_review.analyse, cli_arena.arena, cli_regret.regret,
    cli_selfplay.selfplay,
):  # fmt: skip
    app.command()(_plain_errors()(command))
app.add_typer(cli_survey.group(_plain_errors()), name="survey")
regret42 = typer.Typer(
    help="Train a strategy on an abstraction of Texas 42.", no_args_is_help=True, rich_markup_mode=None
)
regret42.command()(_plain_errors()(cli_regret42.train))
regret42.callback()(lambda: None)
app.add_typer(regret42, name="regret42")


def _stop_output() -> None:
    """Send what is still to be written nowhere, unless it can be written now."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _read(file: str, check: bool, rules: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """The lines to print for a file of foreign deals, each with whether it tells of a difference that was asked for."""
    with opened(file) as source:
        raw = source.read()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")  # as older Windows programs write
    reader = sauspiel if text.lstrip().startswith("<") else netschafkopf
    try:
        readings = reader.read(text, rules)
    except NotationError as wrong:
        raise NotationError(f"{file}: {wrong}") from None
    if left_out := not_read(readings):
        print(f"renege: {file}: {left_out}", file=sys.stderr)
    if check:
        yield from ((f"{file}: deal {deal.number}: {deal}", bool(deal.differences)) for deal in readings)
        return
    for deal in readings:
        if not deal.agrees:
            yield f"# {file}: deal {deal.number}, line {deal.line}: {deal}", False
    yield from ((str(game), False) for game in game_records(readings))


def _print_split(start: Position, depth: int) -> None:
    if depth and not start.over:
        for act, count in sorted(perft_split(start, depth).items()):
            print(f"  {act}: {count}")


def _check_counts(game: Game, text: str) -> bool:
    """Compare the counts in a perft file with ours."""
    good, start, checked = True, None, 0
    for number, line in enumerate(text.splitlines(), start=1):
        key, _, rest = line.strip().partition(" ")
        try:
            if key == "rules":
                game = find_game(game.name, choices([pair for pair in rest.split() if pair != "default"]))
            elif key == "position":
                start = parse_position(game, rest)
            elif key == "perft" and start is not None:
                for pair in rest.split("|"):
                    good &= _same_count(number, start, pair)
                    checked += 1
            elif key and not key.startswith("#"):
                raise NotationError(f"{line.strip()!r} is no 'rules ...', 'position ...' or, after one, 'perft ...'")
        except ValueError as wrong:
            raise NotationError(f"line {number}: {wrong}") from None
    print(f"{checked} counts, {'all' if good else 'not all'} the same")
    return good


def _same_count(number: int, start: Position, pair: str) -> bool:
    found = re.fullmatch(r"\s*(\d+)\s+(\d+)\s*", pair, re.ASCII)
    if found is None:
        raise NotationError(f"{pair.strip()!r} is no depth and count; write it like '2 5'")
    depth, expected = int(found[1]), int(found[2])
    count = count_sequences(start, depth)
    if count != expected:
        print(f"line {number}: depth {depth} has {count} sequences, not {expected}: {start}")
        _print_split(start, depth)
    return count == expected


def _show_odds(belief: Belief) -> None:
    problem, deck = belief.compiled.problem, belief.view.game.deck
    print(f"{belief.count():,} deals, {belief.distinct():,} that can be told apart")
    piles = [(i, pile) for i, pile in enumerate(belief.compiled.piles) if pile >= 0]
    expected = belief.worlds.expected()
    table = Table("card", *(name_pile(pile) for _, pile in piles))
    for place, (kind, copies) in enumerate(zip(problem.kinds, problem.copies, strict=True)):
        if copies:
            table.add_row(deck.names[kind], *(f"{expected[place, i]:.3f}" for i, _ in piles))
    console = Console()
    if console.is_terminal:
        console.print(table)
        return
    print("card", *(name_pile(pile).replace(" ", "-") for _, pile in piles))
    for place, (kind, copies) in enumerate(zip(problem.kinds, problem.copies, strict=True)):
        if copies:
            print(deck.names[kind], *(f"{expected[place, i]:.6f}" for i, _ in piles))


def _show_rules(game: Game, presets: dict[str, Any], extras: dict[str, str]) -> None:
    house = [_house_rule(game, field) for field in fields(game.rules)]
    tables = [(name, _differences(table)) for name, table in presets.items()]
    sections: list[tuple[str, list[str], list[tuple[str, ...]]]] = [
        ("House rules", ["name", "question", "choices, the default first"], house),
        ("In renege ask, rules may also say", ["name", "question"], list(extras.items())),
        ("Presets", ["name", "what differs from the default"], tables),
        ("Rules", ["id", "sentence"], [(rule.id, rule.sentence) for rule in game.rule_list]),
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


def _differences(rules: Any) -> str:
    return ", ".join(f"{name}={choice}" for name, choice in write_rules(rules).items()) or "the default"


def _house_rule(game: Game, field: Field[Any]) -> tuple[str, ...]:
    """A house rule's name, its question, and a line for each choice, the default first."""
    default, choices = getattr(game.rules, field.name), choices_of(field)
    if not choices:
        return field.name, question_of(field), str(default)
    usual = str(default.value)
    names = [usual, *(name for name in choices if name != usual)]
    return field.name, question_of(field), "\n".join(f"{name}: {choices[name]}" for name in names)
