"""The strong player: it weighs every option over the worlds that its view allows."""

import math
import random
from dataclasses import dataclass

from renege.agents.agent import check_game
from renege.game import Advice
from renege.search import Findings, weigh
from renege.trick import Play
from renege.view import View


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches for so many milliseconds a move, or over so many worlds; what comes first ends it.

    Where it has found nothing better, or had no time to, it does what the game has as the usual.
    """

    ms: float | None = None
    worlds: int | None = None

    def __post_init__(self) -> None:
        if self.ms is None and self.worlds is None:
            raise ValueError("a searcher needs a limit: milliseconds a move, or worlds")

    @property
    def name(self) -> str:
        limits = [f"{self.ms:g}ms"] if self.ms is not None else []
        limits += [f"{self.worlds}w"] if self.worlds is not None else []
        return f"searcher:{','.join(limits)}"

    def choose(self, view: View, rng: random.Random) -> Advice:
        check_game(view.game, "search")
        found = weigh(view, ms=self.ms, worlds=self.worlds, seed=rng.getrandbits(63))
        if len(found.estimates) == 1:
            return Advice(found.best.option, found.stopped)
        if math.isnan(found.best.mean):
            return Advice(found.best.option, "no time for a single world")
        return Advice(found.best.option, told(found, found.best.option))

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None if view.game.interject is None else view.game.interject(view)


def told(found: Findings, option: str | Play) -> str:
    """What the search says of an option in a few words."""
    mine = next(estimate for estimate in found.estimates if estimate.option == option)
    second = next((estimate for estimate in found.estimates if estimate.option != option), None)
    words = f"{mine.mean:+.2f} {found.unit} ({mine.low:+.2f} to {mine.high:+.2f}) over {mine.worlds} worlds"
    if second is None or math.isnan(second.mean):
        return words
    return f"{words}; next {second.option} {second.mean:+.2f}"
