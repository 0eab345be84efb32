"""The ids of the environments: `renege/texas42-v0` and its like.

The number rises when an action, an index of the observation or a reward comes to mean something else, so that what was
trained on an id can be played under it later.
"""

import re
from collections.abc import Callable
from typing import Any

from renege.game import Game
from renege.games import GAMES, SHRUNK, find_game

VERSION = 0
_ID = re.compile(r"renege/(?P<name>[a-z0-9-]+)-v(?P<version>[0-9]+)")
_ADDED: dict[str, Callable[..., Game]] = {}


def ids() -> tuple[str, ...]:
    """All that `make` knows."""
    return tuple(f"renege/{name}-v{VERSION}" for name in (*GAMES, *SHRUNK, *_ADDED))


def register(name: str, game: Callable[..., Game]) -> str:
    """Gives a game of one's own an id; `game(**rules)` makes it under house rules. The id."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is no name for an id: small letters, digits and dashes")
    if name in GAMES or name in SHRUNK:
        raise ValueError(f"{name} is a game of renege's own")
    _ADDED[name] = game
    return f"renege/{name}-v{VERSION}"


def find(name: str, rules: dict[str, Any] | None = None) -> Game:
    """The game of an id, or of a plain name, under house rules given as text: `{"all_pass": "force-30"}`."""
    found = _ID.fullmatch(name)
    if found is not None and int(found["version"]) != VERSION:
        raise ValueError(f"{name!r} is of another version; there are {' '.join(ids())}")
    short = name if found is None else found["name"]
    if short in _ADDED:
        return _ADDED[short](**(rules or {}))
    if short not in GAMES and short not in SHRUNK:
        raise ValueError(f"{name!r} is no environment: {' '.join(ids())}")
    return find_game(short, rules)
