"""The ids of the environments: `renege/texas42-v1` and its like, for every game there is.

The number rises when an action, an index of the observation or a reward comes to mean something else, so that what was
trained on an id can be played under it later. Version 0 hides who is void, and its deals all begin alike; it stays
as it is for what was trained on it.
"""

import re
from typing import Any

from renege.core.game import Game
from renege.core.registry import GAMES, find_game, small_games
from renege.games.rows import VERSIONS

VERSION = 0  # of a game that is given by its plain name
_ID = re.compile(r"renege/(?P<name>.+)-v(?P<version>[0-9]+)")


def env_id(name: str, version: int = VERSION) -> str:
    """The id of a game: `renege/texas42-v0`."""
    return f"renege/{name}-v{version}"


def ids() -> tuple[str, ...]:
    """All environments: the games, those that other packages add among them, and the shrunk ones."""
    return tuple(env_id(name, version) for version in VERSIONS for name in (*GAMES, *small_games()))


def find(name: str, rules: dict[str, Any] | None = None) -> Game:
    """The game of an id, or of a plain name, under house rules given as text: `{"all_pass": "force-30"}`."""
    found = _ID.fullmatch(name)
    short = name if found is None else found["name"]
    if short not in GAMES and short not in small_games():
        raise ValueError(f"{name!r} is no environment: {' '.join(ids())}")
    if found is not None and int(found["version"]) not in VERSIONS:
        raise ValueError(f"{name!r} is of another version: {' '.join(ids())}")
    return find_game(short, rules)


def version_of(name: str) -> int:
    """The version that an id ends in; that of plain names for a plain name."""
    found = _ID.fullmatch(name)
    return VERSION if found is None else int(found["version"])
