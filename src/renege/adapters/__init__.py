"""Adapters for OpenSpiel, PettingZoo and Gymnasium; each module needs its framework, this package needs none.

    import renege.adapters.openspiel     registers `renege_texas42`, `renege_texas42_small` and so on with OpenSpiel
    import renege.adapters.pettingzoo    registers `renege/texas42-v0` and so on with PettingZoo
    import renege.adapters.gymnasium     registers `renege/texas42-seat-v0` and so on with Gymnasium

All of them know games through `renege.games.encoding` alone, and show a seat what `Moment.observe` shows it. A game
that an installed package adds is there like the others; one that a program adds later is brought by `register(name)`.
"""

from importlib import import_module
from typing import Any

from renege.core.game import Game
from renege.core.registry import GAMES, small_games
from renege.envs import find
from renege.games.encoding import encoding_of

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
