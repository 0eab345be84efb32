"""A player by a trained strategy from a file: CFR on a small game."""

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from renege.core.position import View
from renege.games.strategy import Advice
from renege.search.regret.strategy import TrainedStrategy


@lru_cache(maxsize=4)
def _learnt(path: str) -> TrainedStrategy:
    try:
        return TrainedStrategy.load(Path(path))
    except OSError as missing:
        raise ValueError(f"regret:{path} names no strategy ({missing.strerror}): `renege regret` writes one") from None


@dataclass(frozen=True, slots=True)
class Regret:
    """A player that draws each call and play from its strategy, which must be of the game that is played."""

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
        order = view.position.order
        what = act if order is None else view.game.read_play(act, order)
        return Advice(what, f"{chances[act]:.0%} of the time")

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None
