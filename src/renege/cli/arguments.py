"""What a command is given: a file or standard input, a record, a game, house rules as `name=choice`; and where its
work is done, by many processes or on a cluster."""

import sys
from collections.abc import Generator
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from typing import Annotated, Any, BinaryIO

from typer import Argument, Option

from renege.core.game import Game
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError
from renege.core.record import Record
from renege.core.registry import GAMES, find_game, parse_game_record

RulesOption = Annotated[
    list[str] | None, Option("--rules", metavar="NAME=CHOICE", help="set a house rule; may be repeated")
]
FileArgument = Annotated[str, Argument(metavar="FILE", help="a file, or - for standard input")]
RecordArgument = Annotated[str, Argument(metavar="RECORD", help="the file of a record, or - for standard input")]
DealOption = Annotated[int | None, Option(min=1, help="which deal of the record (default: the last)")]
JsonOption = Annotated[bool, Option("--json", help="print one JSON object")]
ActsOption = Annotated[int | None, Option(min=0, help="stop after this many calls and plays (default: all)")]
WorldsOption = Annotated[int | None, Option(min=1, help="search this many worlds instead, however long it takes")]
MOST_WORKERS = 1 << 16
WorkersOption = Annotated[
    int | None, Option(min=1, max=MOST_WORKERS, help="number of worker processes (default: one per core)")
]
ClusterOption = Annotated[
    str | None, Option(metavar="auto|ADDRESS", help="run on a Ray cluster: auto for this machine's, or HOST:PORT")
]
GameArgument = Annotated[str, Argument(metavar="GAME", help=f"42, or one of: {' '.join(GAMES)}")]
SeedOption = Annotated[int, Option(min=0, help="seed of the sampled worlds")]


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


def record_of(file: str, deal: int | None, acts: int | None = None) -> Record:
    """One deal of a record, by its number; up to so many calls and plays."""
    deals = parse_game_record(text_of(file)).deals
    if not deals or (deal is not None and deal > len(deals)):
        raise NotationError(f"the record has {len(deals)} deal{'s' * (len(deals) != 1)}, not {deal or 1}")
    record = deals[-1 if deal is None else deal - 1]
    if acts is not None and acts > len(record.acts):
        raise NotationError(f"the deal has {len(record.acts)} calls and plays, not {acts}")
    return replace(record, acts=record.acts[:acts])


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


def table_called(name: str, preset: str | None, rules: list[str] | None = None) -> Game:
    """A game by its name under a preset of its house rules, and under rules besides."""
    game = game_called(name)
    if preset is None:
        return game_called(name, rules)
    presets: dict[str, Any] = GAMES[game.name].PRESETS if game.name in GAMES else {}  # a shrunk game has none
    if preset not in presets:
        raise NotationError(f"{preset!r} is no preset of {game.name}; it has {' '.join(presets) or 'none'}")
    return GAMES[game.name].game(read_rules(presets[preset], choices(rules)))


@contextmanager
def aside(cluster: str | None) -> Generator[None, None, None]:
    """While a cluster works: Ray tells of nodes that die on standard output, which is for the answer alone."""
    with nullcontext() if cluster is None else redirect_stdout(sys.stderr):
        yield
