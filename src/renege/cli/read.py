"""The command `renege read`: deals that other programs recorded."""

import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from typer import Argument, Option

from renege.cli.arguments import RulesOption, choices, opened
from renege.core.notation import NotationError
from renege.games.formats import all_formats, game_records


def read(
    files: Annotated[list[str], Argument(metavar="FILE", help="files, or - for standard input")],
    check: Annotated[bool, Option("--check", help="say of each deal whether it agrees with itself")] = False,
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
    agree = True
    for file in files:
        for line, differs in _read(file, check, choices(rules)):
            print(line)
            agree &= not differs
    raise typer.Exit(0 if agree else 1)


def _read(file: str, check: bool, rules: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """The lines to print for a file of foreign deals, each with whether it tells of a difference that was asked for."""
    with opened(file) as source:
        raw = source.read()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")  # as older Windows programs write
    readers = [reader for formats in all_formats() for reader in formats.readers]
    reader = next((reader for reader in readers if reader.recognises(text)), None)
    try:
        if reader is None:
            raise NotationError("nothing that is read here: " + "; ".join(reader.about for reader in readers))
        readings = reader.read(text, rules)
    except NotationError as wrong:
        raise NotationError(f"{file}: {wrong}") from None
    if left_out := [deal.unsupported for deal in readings if deal.unsupported]:
        why = "; ".join(dict.fromkeys(left_out))
        print(f"renege: {file}: {len(left_out)} of {len(readings)} deals are not read: {why}", file=sys.stderr)
    if check:
        yield from ((f"{file}: deal {deal.number}: {deal}", bool(deal.differences)) for deal in readings)
        return
    for deal in readings:
        if not deal.agrees:
            yield f"# {file}: deal {deal.number}, line {deal.line}: {deal}", False
    yield from ((str(game), False) for game in game_records(readings))
