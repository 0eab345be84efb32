"""Players by a trained strategy from a file: CFR on a small game, or MCCFR on an abstraction."""

import random
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path

from renege.agents.simple import Rulebook
from renege.core.position import View
from renege.games.abstraction import abstraction_of
from renege.games.strategy import Advice
from renege.search.regret.abstract_strategy import WHOLE, load_strategy
from renege.search.regret.strategy import TrainedStrategy


@lru_cache(maxsize=4)
def _learnt(path: str) -> TrainedStrategy:
    return TrainedStrategy.load(Path(path))


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


class Taking(Enum):
    """Which of the ways that a strategy mixes is taken."""

    BY_SHARES = "by-shares"  # at random, each as often as the strategy says
    LIKELIEST = "likeliest"


_strategy = cache(load_strategy)


@dataclass(frozen=True, slots=True)
class RegretPlayer:
    """Plays a game through its abstraction, by a strategy: its file, or the one that comes with the package.

    It bids and declares by the rules of thumb. It plays by them, too, where the strategy has nothing to say: in nello,
    sevens, plunge and splash, and where what it sees was hardly met in training.
    """

    file: str | None = None
    taking: Taking = Taking.BY_SHARES

    def __post_init__(self) -> None:
        if self.file is not None:
            _strategy(Path(self.file))  # a file that is none is refused here, not at the first move

    @property
    def name(self) -> str:
        kind = "regret42" if self.taking is Taking.BY_SHARES else "regret42-pure"
        return kind if self.file is None else f"{kind}:{self.file}"

    def choose(self, view: View, rng: random.Random) -> Advice:
        abstraction = abstraction_of(view.game)
        strategy = _strategy(abstraction.strategy if self.file is None else Path(self.file))
        if strategy.game != view.game.name:
            raise ValueError(f"this is a strategy for {strategy.game}, and {view.game.name} is played")
        seen = abstraction.see(view)
        shares = None if seen is None else strategy.shares_of(seen.key)
        if seen is None or shares is None:
            return Rulebook().choose(view, rng)
        ways = list(seen.ways)
        if self.taking is Taking.LIKELIEST:
            way = max(ways, key=lambda way: shares[way])
        else:
            way = rng.choices(ways, [shares[way] for way in ways])[0]
        return Advice(seen.ways[way].what, f"{seen.ways[way].why}, {100 * shares[way] // WHOLE} % of the time")

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None
