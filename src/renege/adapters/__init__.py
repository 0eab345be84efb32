"""Adapters for OpenSpiel, PettingZoo and Gymnasium; each module needs its framework, this package needs none.

    import renege.adapters.openspiel     registers `renege_texas42`, `renege_texas42_v1` and so on with OpenSpiel
    import renege.adapters.pettingzoo    registers `renege/texas42-v0`, `renege/texas42-v1` and so on with PettingZoo
    import renege.adapters.gymnasium     registers `renege/texas42-seat-v0`, `-v1` and so on with Gymnasium

Version 1 has rows that forget nothing, and the dealer is drawn with the seed. All of them know games through
`renege.games.encoding` alone, and show a seat what `Moment.observe` shows it. A game that an installed package adds is
there like the others; one that a program adds later is brought by `register(name)`.
"""

import random
from importlib import import_module
from typing import Any

from renege.core.game import Game
from renege.core.registry import GAMES, small_games
from renege.envs import find
from renege.envs.moments import Terms
from renege.envs.registry import VERSION, version_of
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.rows import Rows

RENDER_MODES = ["human", "ansi"]


def encoded_games() -> list[str]:
    """The names of the games that have an encoding."""
    found: list[str] = []
    for name in (*GAMES, *small_games()):
        try:
            if encoding_of(find(name)).deal(0).legal:
                found.append(name)
        except ValueError:  # it talks, and does not say what its calls are
            continue
    return found


def framework(module: str, called: str) -> Any:
    """A module of a framework; where it is missing, what to install."""
    try:
        return import_module(module)
    except ImportError as missing:
        raise ImportError(f"{called} is not installed: pip install 'renege[rl]'", name=module) from missing


def game_of(game: Game | str, rules: dict[str, Any] | None) -> Game:
    """A game, or one by its name or id under house rules as text: `{"nello": "off"}`."""
    if isinstance(game, str):
        return find(game, rules)
    if rules:
        raise ValueError(f"{game.name} is given with its rules, and these besides: {rules}")
    return game


def encoding_for(
    game: Game | str, rules: dict[str, Any] | None, version: int | None = None, *, history: bool = False
) -> Encoding:
    """The encoding of such a game; its rows are of the version that is asked for, or of that which its id ends in."""
    if version is None:
        version = version_of(game) if isinstance(game, str) else VERSION
    return encoding_of(game_of(game, rules), Rows(version, history))


def dealt(encoding: Encoding, seed: int) -> Moment:
    """The deal of a seed; from version 1 on it also says who deals, and at which levels."""
    standing = encoding.standing(random.Random(f"standing {seed}")) if encoding.rows.version else None
    return encoding.deal(seed, standing)


def least_worth(encoding: Encoding, terms: Terms) -> int:
    """The least that a deal can be worth to a seat."""
    low, high = encoding.worth()
    return low - high if terms.difference and low >= 0 else low


def checked_mode(mode: str | None) -> str | None:
    """How an environment is shown; refuses what it cannot do."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {mode!r}; it is {' or '.join(map(repr, RENDER_MODES))} or None")
    return mode


def rendered(mode: str | None, text: str) -> str | None:
    """Text for who asked for it: `ansi` gives it back, `human` prints it."""
    if mode == "human":
        print(text)
    return text if mode == "ansi" else None
