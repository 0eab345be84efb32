"""Open-hand solutions: the value of every play of a position in which all hands are known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from renege.core.notation import NotationError
from renege.core.trick import Play

NO_LIMIT = (1 << 64) - 1
Value: TypeAlias = int | bool | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """A lower and an upper bound of a value; it is exact where they are equal."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search: nodes visited, or seconds. Beyond them the answer is bounds."""

    nodes: int = NO_LIMIT
    seconds: float | None = None


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of every legal play: the points that the seats `takers` still win, those on the table included.

    With a `target` the value is whether they reach it. Where a declarer plays to lose every trick (`loses`), the tricks
    that he still takes are counted, and the value is whether there are none.
    """

    takers: tuple[int, ...]
    plays: tuple[tuple[Play, Bounds], ...]
    wants_more: bool  # does the seat to move want the number large?
    nodes: int = 0
    target: int | None = None
    loses: bool = False

    @property
    def bounds(self) -> Bounds:
        """Bounds of the value under best play."""
        if not self.plays:
            return Bounds(0, 0)
        best = max if self.wants_more else min
        return Bounds(best(found.low for _, found in self.plays), best(found.high for _, found in self.plays))

    @property
    def value(self) -> Value:
        """The value under best play: points, or True or False; None where the limits left it open."""
        return self.say(self.bounds)

    def say(self, found: Bounds) -> Value:
        """Turn bounds into a value; None where they leave it open."""
        if self.loses:
            return True if found.high == 0 else False if found.low > 0 else None
        if self.target is not None:
            return True if found.low >= self.target else False if found.high < self.target else None
        return found.low if found.low == found.high else None

    @property
    def best(self) -> tuple[Play, ...]:
        """The plays that are known to be optimal."""
        return tuple(play for play, found in self.plays if self.cost(found) == 0)

    def cost(self, found: Bounds) -> int | None:
        """Return what a play loses against the best: points, or 1 for a missed target; None where that is open."""
        best, value = self.value, self.say(found)
        if best is None or value is None:
            return None
        return abs(int(best) - int(value))

    def answer(self, spell: Callable[[Play], str]) -> dict[str, Any]:
        """Return the answer of `renege ask solve`; `NotationError` where the limits left it open."""
        if self.value is None or any(self.say(found) is None for _, found in self.plays):
            raise NotationError(f"'hands': {self.nodes:,} plays were tried and it is still open; try fewer cards")
        spelled = {spell(play): self.say(found) for play, found in self.plays}
        return {"value": self.value, "plays": spelled}


class Solver(Protocol):
    """A game's way to work out what each play of a position is worth if all hands lie open."""

    def __call__(self, position: Any, target: int | None = None, limits: Limits = ..., /) -> Solution: ...


@dataclass(frozen=True, slots=True)
class OpenHands:
    """The facet of a game whose open hands can be solved."""

    solve: Solver
