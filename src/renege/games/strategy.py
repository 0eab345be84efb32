"""How a game is played well: rules of thumb, and what a search tries and what each option is worth.

A game offers them as its facet `Strategy`; `strategy_of(game)` finds it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege.core.game import Game
from renege.core.position import View
from renege.core.trick import Play
from renege.core.world import Drawn, World
from renege.native.engine import Engine

Option: TypeAlias = str | Play  # what a seat may do: a call, which is a text, or a play


@dataclass(frozen=True, slots=True)
class Advice:
    """What a player would call or play, and why, in a few words."""

    what: Option
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


@dataclass(frozen=True, slots=True)
class Worth:
    """What options come to in some worlds, `float64[worlds, options]` each.

    `paid` is what the seat wins in all; a world that was not reached in time is NaN throughout, so that the options
    compared have been tried in the same worlds. `tie_break` decides between options of equal payoff (points that pay
    nothing); it is added when options are compared, and never told as pay.
    """

    paid: NDArray[np.float64]
    tie_break: NDArray[np.float64]


class Weigh(Protocol):
    """What each option comes to in each world, by an engine that works it out; `Search` says more."""

    def __call__(
        self, view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = ..., /
    ) -> Worth: ...


@dataclass(frozen=True, slots=True)
class Search:
    """How a game is searched: what is worth trying, and what each comes to if the cards lie so and so.

    `options` are the calls or plays of the seat to move that are worth telling apart, one for each of a kind, and the
    usual one first: what is no better than that is not preferred to it.
    `weigh(view, worlds, options, until, engine)` says what each option is worth in each world, in `unit`, as far as it
    gets before `until` (of `time.perf_counter`); without an engine the CPU works it out.
    `likely(view)` judges worlds by what the others have done: it says how likely they would have done so in each, and
    worlds are then chosen by that; None where nothing was done that tells anything. `spread` worlds are judged
    for each that is tried. With `confirm` the first half of the worlds nominates an option, and the other half decides
    between that and the usual one.
    `unweighed(view)` says in a few words why the usual stands alone here, where other calls or plays would be legal,
    and `alone` whose choice that is.
    """

    unit: str
    options: Callable[[View], tuple[Option, ...]]
    weigh: Weigh
    likely: Callable[[View], Callable[[Drawn], NDArray[np.float64]] | None] | None = None
    spread: int = 48
    confirm: bool = False
    unweighed: Callable[[View], str] | None = None
    alone: str = "by rules of thumb"


def nothing_to_say(view: View) -> None:
    """Breaks in nowhere."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """The facet of a game that has players: rules of thumb for the seat to move, and for one that may break in; how a
    strong player works it out."""

    policy: Callable[[View], Advice] | None = None
    interject: Callable[[View], Advice | None] = nothing_to_say
    search: Search | None = None


NONE = Strategy()


def policy_of(game: Game) -> Callable[[View], Advice]:
    """The rules of thumb of a game; refused by name where it has none."""
    policy = strategy_of(game).policy
    if policy is None:
        raise ValueError(f"{game.name} has no policy: no such agent plays it")
    return policy


def strategy_of(game: Game) -> Strategy:
    """The strategy of a game; nothing is in it where the game offers none."""
    return game.facet(Strategy) or NONE
