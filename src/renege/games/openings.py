"""The facet of games whose opening hands can be surveyed: their declarations, and the features of a hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.core.game import Game
from renege.core.notation import NotationError
from renege.native.cards import Tables


@dataclass(frozen=True, slots=True)
class Counted:
    """A hand under a declaration; tiles are those of the hand."""

    trumps: int
    tops: int  # the highest trumps down to the first that is missing: 2 are the double and the next
    doubles: int  # that are no trumps
    offs: int  # tiles, no trumps, that some other tile of their suit beats
    count: int  # points on all its tiles
    losers: float  # about how many tricks the hand loses, by the rulebook


@dataclass(frozen=True, slots=True)
class Call:
    """A declaration as it is solved: its name, the kernel's tables, and whose points are counted.

    `count` counts a hand, where a player does so under this declaration; `usual` are those that the rulebook names.
    """

    text: str
    name: str
    tables: Tables
    seats: int
    takers: int
    maximisers: int
    duty: int
    count: Callable[[int], Counted] | None
    usual: bool
    has_trumps: bool
    in_marks: bool
    """Is it bid in marks alone? Then it is made whole or not at all."""
    made: int
    """The points with which a bid in marks is made: all, or in nello none."""


@dataclass(frozen=True, slots=True)
class Openings:
    """The declarations of a game, how one is solved under house rules, and which the rulebook names for a hand.

    `fit` makes the table that the game's bidder looks hands up in, as text: from hands as they are counted, their
    worlds by points, `int64[H, 43]`, and what is to be kept about the survey.
    """

    declarations: tuple[str, ...]
    call: Callable[[Any, str], Call]
    usual: Callable[[Any, int], str]
    fit: Callable[[Sequence[Counted], NDArray[np.int64], Mapping[str, Any]], str]


def openings_of(game: Game) -> Openings:
    """The facet of a game; one that has none is refused."""
    found = game.facet(Openings)
    if found is None:
        raise NotationError(f"there is no survey of {game.name}")
    return found
