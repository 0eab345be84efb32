"""What is each play worth? The same worlds are tried for all of them, and what is paid is averaged.

Worlds come from the belief of the seat to move, so nothing enters that it could not know; what a play comes to in a
world is the game's to say (`Game.search`). Within one world all cards lie open, and so this way of searching credits
everybody with knowing them: it never pays for a guess, and it sees no worth in hiding or in finding out.

It ends when the time or the worlds are used up, or before that when one option is clearly ahead of every other.
Options that are clearly behind are tried in no further worlds.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renege.belief import Belief
from renege.engine import CPU, FIRST, Engine
from renege.game import Game, Option, Search, World
from renege.search.intervals import t_quantile
from renege.verdict import WrongPhase
from renege.view import View

BEHIND = 4.0  # standard errors by which an option is clearly behind
DOUBT = 1.0  # standard errors by which another option must be ahead of the usual one to be put before it
SPARE = 0.0015  # seconds kept back for the sums at the end


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an option pays on average over its worlds, the 95 % interval of that, and how far it is behind the best.

    `behind` is over the worlds in which both were tried.
    """

    option: Option
    mean: float
    low: float
    high: float
    worlds: int
    behind: float


@dataclass(frozen=True, slots=True)
class Findings:
    """All options, the best first; the usual one comes before what is hardly better.

    `stopped` says why the search ended, and `unit` what is counted.
    """

    estimates: tuple[Estimate, ...]
    worlds: int
    seconds: float
    unit: str
    stopped: str

    @property
    def best(self) -> Estimate:
        return self.estimates[0]


def search_of(game: Game) -> Search:
    """How a game is searched; refused by name where it is not, or not under its house rules."""
    if game.search is None:
        raise ValueError(f"{game.name} cannot be searched")
    if (rule := game.search.refuses(game.rules)) is not None:
        raise ValueError(f"{game.name} is not searched under {rule}")
    return game.search


def weigh(
    view: View,
    *,
    ms: float | None = None,
    worlds: int | None = None,
    seed: int = 0,
    engine: Engine = CPU,
    remember: bool = False,
) -> Findings:
    """What each option of the seat to move is worth, within so much time or over so many worlds.

    With `worlds` alone the same seed gives the same answer, whatever the engine; a limit in time depends on the
    machine. `remember` lets what the game remembers of such positions speak too when options are compared, beside the
    worlds of this one; what is told of an option is from its own worlds.
    """
    began = time.perf_counter()
    if ms is None and worlds is None:
        raise ValueError("say how long to search (ms) or how many worlds to try")
    if (ms is not None and not ms > 0) or (worlds is not None and worlds < 1):
        raise ValueError(f"there is nothing to try in {ms} ms and {worlds} worlds")
    search = search_of(view.game)
    if not view.my_turn:
        raise WrongPhase(f"it is not the turn of seat {view.seat}: {view.position}")
    options = search.options(view)
    if len(options) == 1:
        alone = Estimate(options[0], math.nan, math.nan, math.nan, 0, 0.0)
        return Findings((alone,), 0, time.perf_counter() - began, search.unit, "there is only one")
    until = math.inf if ms is None else began + ms / 1e3 - SPARE
    trial = _Trial(view, search, options, engine)
    if remember and search.remembered is not None:
        trial.worth = search.remembered(view, options)
    stopped = trial.run(Belief(view), seed, worlds or engine.most_worlds, until)
    return Findings(trial.estimates(), trial.tried, time.perf_counter() - began, search.unit, stopped)


class _Trial:
    """The options, and what each came to in the worlds tried so far: NaN where an option had been given up."""

    def __init__(self, view: View, search: Search, options: Sequence[Option], engine: Engine) -> None:
        self.view, self.search, self.options, self.engine = view, search, options, engine
        self.paid: NDArray[np.float64] = np.empty((0, len(options)))
        self.worth: NDArray[np.float64] = np.empty((0, len(options)))  # with what speaks for an option besides its pay
        self.alive = list(range(len(options)))

    @property
    def tried(self) -> int:
        return len(self.paid)

    def run(self, belief: Belief, seed: int, most: int, until: float) -> str:
        """Try worlds until something ends it; says what."""
        supply = belief.supply(seed, until=until, draw=self.engine.draw)
        size = FIRST if math.isinf(until) else self.engine.first_worlds
        while self.tried < most:
            began = time.perf_counter()
            drawn = supply(min(size, most - self.tried))
            if not drawn or (not self._try(drawn, until) and math.isinf(until)):
                return "the time is over" if math.isfinite(until) else "no world can be weighed"
            if self.tried >= FIRST:
                self._give_up()
            if len(self.alive) == 1:
                return "one is clearly ahead"
            if math.isinf(until):  # so that the same options are given up after the same worlds
                size = min(2 * size, 4 * FIRST)
                continue
            took, left = time.perf_counter() - began, until - time.perf_counter()
            if left < took / len(drawn):
                return "the time is over"
            size = self.engine.next_batch(len(drawn), took, left)
        return "that is enough worlds"

    def _try(self, worlds: Sequence[World], until: float) -> bool:
        """Was any of the worlds reached?"""
        found = self.search.weigh(self.view, worlds, [self.options[i] for i in self.alive], until, self.engine)
        reached = ~np.isnan(found.paid).any(axis=1)
        rows = np.full((2, int(reached.sum()), len(self.options)), np.nan)
        rows[0][:, self.alive] = found.paid[reached]
        rows[1][:, self.alive] = found.paid[reached] + found.besides[reached]
        self.paid = np.concatenate([self.paid, rows[0]])
        self.worth = np.concatenate([self.worth, rows[1]])
        return bool(reached.any())

    def _give_up(self) -> None:
        """Try no further what is clearly behind the best."""
        best = self.alive[int(np.argmax(self.worth[:, self.alive].mean(axis=0)))]
        self.alive = [i for i in self.alive if i == best or not self._behind(i, best, BEHIND)]

    def _behind(self, option: int, best: int, errors: float) -> bool:
        """Is an option behind the best by so many standard errors, world by world?

        Worlds that agree leave no error, and yet the next may differ: one is counted in which it is the other way
        round, by as much as in any.
        """
        lead = self.worth[:, best] - self.worth[:, option]
        if not len(lead):
            return False
        lead = np.append(lead, -np.abs(lead).max())
        return bool(lead.mean() > errors * lead.std(ddof=1) / math.sqrt(len(lead)))

    def estimates(self) -> tuple[Estimate, ...]:
        """The best first; what was given up comes after what was not, and the usual one before what hardly beats it."""
        means = [_mean(self.worth[:, i]) for i in range(len(self.options))]
        lasting = set(self.alive)
        ranks = sorted(range(len(means)), key=lambda i: (i not in lasting, -_or_low(means[i])))
        if 0 in lasting and not self._behind(0, ranks[0], DOUBT):
            ranks = [0, *(i for i in ranks if i)]
        return tuple(self._estimate(i, ranks[0]) for i in ranks)

    def _estimate(self, option: int, best: int) -> Estimate:
        paid = self.paid[:, option]
        paid = paid[~np.isnan(paid)]
        mean, reach = _mean(paid), math.inf
        if len(paid) > 1:
            reach = t_quantile(len(paid) - 1) * float(paid.std(ddof=1)) / math.sqrt(len(paid))
        behind = _mean(self.paid[:, best] - self.paid[:, option])
        return Estimate(self.options[option], mean, mean - reach, mean + reach, len(paid), behind)


def _mean(column: NDArray[np.float64]) -> float:
    known = column[~np.isnan(column)]
    return float(known.mean()) if len(known) else math.nan


def _or_low(mean: float) -> float:
    return -math.inf if math.isnan(mean) else mean
