"""The games, by name."""

from types import ModuleType
from typing import Any

from renege.game import Game, read_rules
from renege.games import texas42
from renege.notation import NotationError

GAMES: dict[str, ModuleType] = {"texas42": texas42}


def find_game(name: str, choices: dict[str, Any] | None = None) -> Game:
    """A game by its name, under house rules given as text."""
    if name not in GAMES:
        raise NotationError(f"{name!r} is no game here: {' '.join(GAMES)}")
    package = GAMES[name]
    return package.game(read_rules(package.Rules(), choices or {}))
