"""The games, by name."""

from types import ModuleType
from typing import Any

from renege.game import Game, read_rules
from renege.games import schafkopf, texas42, tractor
from renege.notation import NotationError
from renege.record import GameRecord, Record
from renege.record import parse_game_record as _parse_game_record
from renege.record import parse_record as _parse_record

GAMES: dict[str, ModuleType] = {"texas42": texas42, "tractor": tractor, "schafkopf": schafkopf}
SHRUNK: dict[str, ModuleType] = {f"{name}-small": package for name, package in GAMES.items()}


def find_game(name: str, choices: dict[str, Any] | None = None) -> Game:
    """A game by its name, under house rules given as text; `texas42-small` and its like are the shrunk ones."""
    if name in SHRUNK:
        package = SHRUNK[name]
        return package.small(read_rules(package.Small(), choices or {}))
    if name not in GAMES:
        raise NotationError(f"{name!r} is no game here: {' '.join(GAMES)}")
    package = GAMES[name]
    return package.game(read_rules(package.Rules(), choices or {}))


def parse_record(text: str) -> Record:
    """The record of one deal of any of the games."""
    return _parse_record(text, find_game)


def parse_game_record(text: str) -> GameRecord:
    """The record of a whole game of any of the games."""
    return _parse_game_record(text, find_game)
