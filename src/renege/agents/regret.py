"""A player of a shrunk game that goes by a strategy out of a file, learnt by regret minimisation."""

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from renege.core.game import Advice
from renege.core.view import View
from renege.search.regret.strategy import Learnt


@lru_cache(maxsize=4)
def _learnt(path: str) -> Learnt:
    return Learnt.load(Path(path))


@dataclass(frozen=True, slots=True)
class Regret:
    """Draws each call and play by the chances of its strategy, which must be of the game that is played."""

    path: str

    def __post_init__(self) -> None:
        _learnt(self.path)  # a file that is none is refused here, not at the first move

    @property
    def name(self) -> str:
        return f"regret:{self.path}"

    def choose(self, view: View, rng: random.Random) -> Advice:
        learnt = _learnt(self.path)
        learnt.fits(view.game)
        options = view.legal_calls if view.position.talking else tuple(view.legal_plays)
        if len(options) == 1:
            return Advice(options[0], "nothing else is legal")
        chances = learnt.chances(view)
        act = rng.choices(list(chances), list(chances.values()))[0]
        what = act if view.position.talking else self._read(view, act)
        return Advice(what, f"{chances[act]:.0%} of the time")

    def _read(self, view: View, act: str):
        assert view.position.order is not None
        return view.game.read_play(act, view.position.order)

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None
