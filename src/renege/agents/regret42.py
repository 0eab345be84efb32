"""A player by a strategy that was worked out beforehand, by regret minimisation over a game made small."""

import random
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from renege.agents.agent import check_game
from renege.core.game import Advice
from renege.core.view import View
from renege.search.regret.abstract_strategy import WHOLE, Strategy, load_strategy


class Taking(Enum):
    """Which of the ways that a strategy mixes is taken."""

    BY_SHARES = "by-shares"  # at random, each as often as the strategy says
    LIKELIEST = "likeliest"


@cache
def _strategy(file: str | None) -> Strategy:
    if file is not None:
        return load_strategy(Path(file))
    with as_file(files("renege") / "games" / "texas42" / "regret42.npz") as kept:
        return load_strategy(kept)


@dataclass(frozen=True, slots=True)
class RegretPlayer:
    """Plays Texas 42 by a strategy: its file, or the one that comes with the package.

    It bids and declares by the rules of thumb. It plays by them, too, where the strategy has nothing to say: in nello,
    sevens, plunge and splash, and where what it sees was hardly met in training.
    """

    file: str | None = None
    taking: Taking = Taking.BY_SHARES

    def __post_init__(self) -> None:
        _strategy(self.file)  # a file that is none is refused here, not at the first move

    @property
    def name(self) -> str:
        kind = "regret42" if self.taking is Taking.BY_SHARES else "regret42-pure"
        return kind if self.file is None else f"{kind}:{self.file}"

    def choose(self, view: View, rng: random.Random) -> Advice:
        check_game(view.game, "abstract")
        assert view.game.abstract is not None and view.game.policy is not None
        strategy = _strategy(self.file)
        if strategy.game != view.game.name:
            raise ValueError(f"this is a strategy for {strategy.game}, and {view.game.name} is played")
        seen = view.game.abstract(view)
        shares = None if seen is None else strategy.shares_of(seen.key)
        if seen is None or shares is None:
            return view.game.policy(view)
        ways = list(seen.ways)
        if self.taking is Taking.LIKELIEST:
            way = max(ways, key=lambda way: shares[way])
        else:
            way = rng.choices(ways, [shares[way] for way in ways])[0]
        return Advice(seen.ways[way].what, f"{seen.ways[way].why}, {100 * shares[way] // WHOLE} % of the time")

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        return None
