"""The abstraction of a game, as a facet: a map from views to so few keys that a strategy can list them all."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from renege.core.game import Game
from renege.core.position import View
from renege.games.strategy import Advice
from renege.native.abstraction42 import Sheets42


@dataclass(frozen=True, slots=True)
class AbstractView:
    """A view in an abstraction: its key (abstract information set), and the advice of each legal way (abstract action).

    Seats with equal keys have the same ways open, and a strategy says of each key how often to take which.
    """

    key: int
    ways: dict[int, Advice]


@dataclass(frozen=True, slots=True)
class Abstraction:
    """The map from views to keys (None outside of it), its tables for the kernel, and a trained strategy's file."""

    see: Callable[[View], AbstractView | None]
    sheets: Callable[[], Sheets42]
    strategy: Path


def abstraction_of(game: Game) -> Abstraction:
    """The abstraction of a game; one that has none is refused."""
    found = game.facet(Abstraction)
    if found is None:
        raise ValueError(f"{game.name} has no abstraction: no such agent plays it")
    return found
