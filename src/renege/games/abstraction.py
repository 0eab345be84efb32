"""The facet of a game that is played through an abstraction: so few kinds of views that a strategy lists them all."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from renege.core.game import Game
from renege.core.position import View
from renege.games.strategy import Advice
from renege.native.abstraction42 import Sheets42


@dataclass(frozen=True, slots=True)
class Seen:
    """A view through an abstraction: the key of what the seat sees, and by each way that is open what it would do.

    Seats with equal keys have the same ways open, and a strategy says of each key how often to take which.
    """

    key: int
    ways: dict[int, Advice]


@dataclass(frozen=True, slots=True)
class Abstraction:
    """How a game is seen (None where it says nothing), its tables for the kernel, and a trained strategy's file."""

    see: Callable[[View], Seen | None]
    sheets: Callable[[], Sheets42]
    strategy: Path


def abstraction_of(game: Game) -> Abstraction:
    """The abstraction of a game; one that has none is refused."""
    found = game.facet(Abstraction)
    if found is None:
        raise ValueError(f"{game.name} has no abstraction: no such agent plays it")
    return found
