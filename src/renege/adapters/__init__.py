"""The games in other people's frameworks: each module here needs its framework, and this package needs none.

    import renege.adapters.openspiel     registers `renege_texas42`, `renege_texas42_small` and so on with OpenSpiel
    import renege.adapters.pettingzoo    registers `renege/texas42-v0` and so on with PettingZoo
    import renege.adapters.gymnasium     registers `renege/texas42-seat-v0` and so on with Gymnasium

All of them know games through `renege.coding` alone, and show a seat what `Moment.observe` shows it.
"""

from importlib import import_module
from typing import Any

from renege.coding import coding_of
from renege.games import GAMES, SHRUNK, find_game

RENDER_MODES = ["human", "ansi"]
VERSION = 0  # of the environments: it rises when a row, an action or a reward changes its meaning


def coded_games() -> list[str]:
    """The names of the games that are put into numbers."""
    found: list[str] = []
    for name in (*GAMES, *SHRUNK):
        try:
            if coding_of(find_game(name)).deal(0).legal:
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
