"""The games, by name: the three that come with Renege, and those that other packages add.

A game is a module with `game(rules)`, a dataclass `Rules` of house rules, and `PRESETS`. A package adds one by an entry
point of the group `renege.games`, or a program by `add_game`; `docs/add-a-game.md` shows both. A game that comes with
Renege is imported when it is asked for.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from renege.core.game import Game
from renege.core.house_rules import read_rules
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.record import GameRecord, Record
from renege.core.record import parse_game_record as _parse_game_record
from renege.core.record import parse_record as _parse_record

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN = ("texas42", "tractor", "schafkopf")
NICKNAMES = {"42": "texas42"}
SMALL = "-small"
ADDED_BY = "renege.games"  # the group of entry points

ADDED: dict[str, ModuleType] = {}
_waiting: list["EntryPoint"] = []


def add_game(package: ModuleType) -> Game:
    """Add a game for as long as this program runs; the game under its default rules is returned."""
    missing = [name for name in ("game", "Rules", "PRESETS") if not hasattr(package, name)]
    if missing:
        raise ValueError(f"{package.__name__} is no game: it has no {', no '.join(missing)}")
    game: Game = package.game(package.Rules())
    if game.name.endswith(SMALL):
        raise ValueError(f"{game.name} is no name for a game: those that end in {SMALL} are reduced games")
    if game.name in BUILT_IN or ADDED.get(game.name, package) is not package:
        raise ValueError(f"there is a game {game.name} already")
    ADDED[game.name] = package
    return game


def _add_installed(points: Iterable["EntryPoint"]) -> None:
    """Games of packages that are installed. One that cannot be used is told of, and the others are there.

    A module that is being imported, and so imports this one, is not whole yet: it is asked again later.
    """
    for point in points:
        try:
            package = point.load()
            if getattr(package.__spec__, "_initializing", False):
                _waiting.append(point)
            else:
                add_game(package)
        except Exception as wrong:  # a stranger's module: anything may be wrong with it
            warnings.warn(f"the game {point.name!r} ({point.value}) cannot be used: {wrong}", stacklevel=2)


@cache
def _look_once() -> None:
    from importlib.metadata import entry_points  # here: games that come with Renege do without it

    _add_installed(entry_points(group=ADDED_BY))


def game_names() -> tuple[str, ...]:
    """The names of all games, those included that could not be added before because they were being imported."""
    _look_once()
    if _waiting:
        later, _waiting[:] = list(_waiting), []
        _add_installed(later)
    return (*BUILT_IN, *ADDED)


class _Games(Mapping[str, ModuleType]):
    """The packages of all games by name; one that comes with Renege is imported when it is looked up."""

    def __getitem__(self, name: str) -> ModuleType:
        if name in BUILT_IN:
            return import_module(f"renege.games.{name}")
        if name not in ADDED:
            game_names()
        return ADDED[name]

    def __contains__(self, name: object) -> bool:
        return name in BUILT_IN or name in game_names()

    def __iter__(self) -> Iterator[str]:
        return iter(game_names())

    def __len__(self) -> int:
        return len(game_names())


GAMES = _Games()


def small_games() -> tuple[str, ...]:
    """The names of the reduced games."""
    return tuple(name + SMALL for name in GAMES if name in BUILT_IN or _has_small(ADDED[name]))


def _has_small(package: ModuleType) -> bool:
    return hasattr(package, "small") and hasattr(package, "Small")


def find_game(name: str, choices: dict[str, Any] | None = None) -> Game:
    """Return a game by its name, with house rules given as text: `find_game("42", {"all_pass": "force-30"})`.

    `texas42-small` and its like are the reduced games. `NotationError` if there is no such game or rule.
    """
    name = NICKNAMES.get(name, name)
    if name.endswith(SMALL) and name in small_games():
        package = GAMES[name.removesuffix(SMALL)]
        return package.small(read_rules(package.Small(), choices or {}))
    if name not in GAMES:
        raise NotationError(say("unknown game {quoted}; known: {rest}", repr(name), " ".join(GAMES)))
    package = GAMES[name]
    return package.game(read_rules(package.Rules(), choices or {}))


def parse_record(text: str) -> Record:
    """Read the record of one deal, of any game; `NotationError` names the line that is wrong."""
    return _parse_record(text, find_game)


def parse_game_record(text: str) -> GameRecord:
    """Read the record of a game of several deals, of any game."""
    return _parse_game_record(text, find_game)
