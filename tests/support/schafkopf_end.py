"""The end of a deal of Schafkopf from what each seat has, without a deal that leads there."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from renege.core.game import SEATS
from renege.core.position import begin
from renege.games import schafkopf
from renege.games.schafkopf.memory import Memory
from renege.games.schafkopf.rules import Rules
from renege.games.schafkopf.score import Outcome, outcome


class Taken(NamedTuple):
    """The points and tricks that each seat took, the trumps it held, and those in its tricks as `memory` has them."""

    points: Sequence[int]
    tricks: Sequence[int]
    held: Sequence[Collection[str]]
    trumps: Sequence[int] = (0, 0, 0, 0)


def settle(rules: Rules, contract: schafkopf.Bargain, partner: int | None, taken: Taken) -> Outcome:
    """Who pays whom how much, where this seat has played the called ace."""
    game = schafkopf.game(rules)
    memory = Memory(ace=partner, trumps=tuple(map(tuple, taken.held)), taken=tuple(taken.trumps))
    start = begin(game, contract, (game.deck.none,) * len(SEATS))
    return outcome(replace(start, points=tuple(taken.points), tricks=tuple(taken.tricks), memory=memory))
