"""Perfect-information Monte Carlo (PIMC): the mean payoff of each option over worlds sampled from the belief.

Worlds come from the belief of the seat to move, so nothing enters that it could not know; what a play comes to in a
world is the game's to say (its `Strategy`). Within one world all cards lie open, and so this way of searching credits
everybody with knowing them: it never pays for a guess, and it sees no worth in hiding or in finding out.

It ends when the time or the worlds are used up, or before that when one option is clearly ahead of every other.
Options that are clearly behind are tried in no further worlds.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from renege.belief import Belief
from renege.core.game import Game
from renege.core.message import join, say
from renege.core.position import Position, View
from renege.core.verdict import WrongPhase
from renege.core.world import Drawn, World
from renege.games.strategy import Option, Search, strategy_of
from renege.native.engine import CPU, FIRST, Engine
from renege.search.intervals import t_quantile

BEHIND = 4.0  # standard errors by which an option is clearly behind
DOUBT = 1.0  # standard errors by which another option must be ahead of the usual one to be put before it
ALIKE = 1e-9  # means that differ by no more are the same
MOST_JUDGED = 2048  # worlds that are judged by what the others did, at most at a time
SPARE = 0.0015  # seconds kept back for the sums at the end
ONLY = "there is no other choice"


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean payoff of an option over its worlds, the 95 % interval, and how far it is behind the best.

    `behind` is over the worlds in which both were tried. An option that was given up has seen fewer worlds than the
    best: its mean is that of the best less `behind`.
    """

    option: Option
    mean: float
    low: float
    high: float
    worlds: int
    behind: float


@dataclass(frozen=True, slots=True)
class Findings:
    """The estimates of a search, the best first; the usual choice comes before what is not clearly better.

    `stopped` says why the search ended, `unit` is the unit of the payoffs, and `usual` is the choice of the rulebook,
    or of the network where the search stands on one.
    """

    estimates: tuple[Estimate, ...]
    worlds: int
    seconds: float
    unit: str
    stopped: str
    usual: Option

    @property
    def best(self) -> Estimate:
        """The option to choose."""
        return self.estimates[0]

    @property
    def rival(self) -> Estimate | None:
        """What has the highest mean, where that is another option than the one put first; it is not clearly better."""
        highest = max(self.estimates, key=lambda one: _or_low(one.mean))
        return highest if highest.mean > self.best.mean + ALIKE else None


def search_of(game: Game) -> Search:
    """How a game is searched; refused by name where it is not."""
    search = strategy_of(game).search
    if search is None:
        raise ValueError(f"{game.name} cannot be searched")
    return search


def weigh(
    view: View,
    *,
    ms: float | None = None,
    worlds: int | None = None,
    seed: int = 0,
    engine: Engine = CPU,
    search: Search | None = None,
) -> Findings:
    """Estimate every option of the seat to move, within a time or over a number of worlds.

    `search` says how, in place of the game's own search.

    With `worlds` alone the same seed gives the same answer, whatever the engine; a limit in time depends on the
    machine.
    """
    if isinstance(view, Position):
        raise TypeError("a search knows what a seat has seen: give it position.view(seat)")
    began = time.perf_counter()
    if ms is None and worlds is None:
        raise ValueError("say how long to search (ms) or how many worlds to try")
    if (ms is not None and not ms > 0) or (worlds is not None and worlds < 1):
        raise ValueError(f"there is nothing to try in {ms} ms and {worlds} worlds")
    search = search or search_of(view.game)
    if not view.my_turn:
        raise WrongPhase(say("it is not the turn of {seat}", view.seat), view.position)
    options = search.options(view)
    if len(options) == 1:
        alone = Estimate(options[0], math.nan, math.nan, math.nan, 0, 0.0)
        choices = view.legal_calls if view.position.talking else list(islice(view.legal_plays, 2))
        why = _alone(view, search) if len(choices) > 1 else ONLY
        return Findings((alone,), 0, time.perf_counter() - began, search.unit, why, options[0])
    until = math.inf if ms is None else began + ms / 1e3 - SPARE
    trial = _Trial(view, search, options, engine)
    stopped = trial.run(Belief(view, quick=True), seed, worlds or engine.most_worlds, until)
    return Findings(trial.estimates(), trial.tried, time.perf_counter() - began, search.unit, stopped, options[0])


def _alone(view: View, search: Search) -> str:
    """Why the usual stands alone where the seat could do something else."""
    if search.unweighed is None:
        return join("; ", (search.alone, "nothing else is weighed here"))
    return join(": ", (search.alone, search.unweighed(view)))


class _Trial:
    """The options and their payoffs in the worlds tried so far: NaN where an option had been given up."""

    def __init__(self, view: View, search: Search, options: Sequence[Option], engine: Engine) -> None:
        self.view, self.search, self.options, self.engine = view, search, options, engine
        self.paid: NDArray[np.float64] = np.empty((0, len(options)))
        self.worth: NDArray[np.float64] = np.empty((0, len(options)))  # payoffs plus tie-breaks
        self.alive = list(range(len(options)))
        self.fresh: int | None = None  # the first world of those that decide, once one option is nominated

    @property
    def tried(self) -> int:
        return len(self.paid)

    def run(self, belief: Belief, seed: int, most: int, until: float) -> str:
        """Try worlds until something ends it; says what."""
        supply = self._likely(belief.supply(seed, until=until, draw=self.engine.draw), seed)
        halfway = (time.perf_counter() + until) / 2
        size = FIRST if math.isinf(until) else self.engine.first_worlds
        while self.tried < most:
            began = time.perf_counter()
            drawn = supply(min(size, most - self.tried))
            if not drawn or (not self._try(drawn, until) and math.isinf(until)):
                return "the time is over" if math.isfinite(until) else "no world can be weighed"
            if self.tried >= FIRST:
                self._give_up()
            if self.search.confirm and self.tried and (2 * self.tried >= most or time.perf_counter() > halfway):
                self._nominate()
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

    def _likely(self, supply: Callable[[int], Drawn], seed: int) -> Callable[[int], Drawn]:
        """The worlds as they come or, where the others' calls tell something, of more worlds those that fit them."""
        likely = None if self.search.likely is None else self.search.likely(self.view)
        if likely is None:
            return supply
        rng = np.random.default_rng(seed)

        def take(n: int) -> Drawn:
            drawn = supply(n * self.search.spread)
            if len(drawn) <= n:
                return drawn
            # each comes when its turn does, the likelier the sooner, and the first n are taken: none comes twice
            turns = rng.exponential(size=len(drawn)) / likely(drawn)
            return Drawn(drawn.deck, drawn.piles[np.sort(np.argpartition(turns, n)[:n])])

        most = max(1, MOST_JUDGED // self.search.spread)

        def in_parts(n: int) -> Drawn:
            parts = [take(min(most, n - done)) for done in range(0, n, most)]
            return Drawn(parts[0].deck, np.concatenate([part.piles for part in parts]))

        return in_parts

    def _try(self, worlds: Sequence[World], until: float) -> bool:
        """Was any of the worlds reached?"""
        found = self.search.weigh(self.view, worlds, [self.options[i] for i in self.alive], until, self.engine)
        reached = ~np.isnan(found.paid).any(axis=1)
        rows = np.full((2, int(reached.sum()), len(self.options)), np.nan)
        rows[0][:, self.alive] = found.paid[reached]
        rows[1][:, self.alive] = found.paid[reached] + found.tie_break[reached]
        self.paid = np.concatenate([self.paid, rows[0]])
        self.worth = np.concatenate([self.worth, rows[1]])
        return bool(reached.any())

    def _give_up(self) -> None:
        """Try no further what is clearly behind the best."""
        best = self.alive[int(np.argmax(self.worth[:, self.alive].mean(axis=0)))]
        self.alive = [i for i in self.alive if i == best or not self._behind(i, best, BEHIND)]

    def _nominate(self) -> None:
        """Try no further but the usual option and the best so far: worlds that have not chosen it decide about it."""
        if self.fresh is None:
            best = self.alive[int(np.argmax(self.worth[:, self.alive].mean(axis=0)))]
            self.alive, self.fresh = [i for i in self.alive if i in (0, best)], self.tried

    def _behind(self, option: int, best: int, errors: float, first: int = 0) -> bool:
        """Is an option behind the best by so many standard errors, world by world, from a world on?

        Worlds that agree leave no error, and yet the next may differ: one is counted in which it is the other way
        round, by as much as in any.
        """
        lead = self.worth[first:, best] - self.worth[first:, option]
        if not len(lead):
            return False
        lead = np.append(lead, -np.abs(lead).max())
        return bool(lead.mean() > errors * lead.std(ddof=1) / math.sqrt(len(lead)))

    def estimates(self) -> tuple[Estimate, ...]:
        """The best first; what was given up comes after what was not, and the usual one before what hardly beats it."""
        means = [_mean(self.worth[:, i]) for i in range(len(self.options))]
        lasting = set(self.alive)
        ranks = sorted(range(len(means)), key=lambda i: (i not in lasting, -_or_low(means[i])))
        first = self.fresh or 0
        if 0 in lasting and not self._behind(0, ranks[0], DOUBT, first):
            ranks = [0, *(i for i in ranks if i)]
        paying = max(self.alive, key=lambda i: (_or_low(_mean(self.paid[first:, i])), i == ranks[0]))
        more, less = self._over_its_worlds(paying, first), self._over_its_worlds(ranks[0], first)
        if more.mean > less.high and less.mean < more.low:  # it clearly pays more, whatever else speaks for the other
            ranks = [paying, *(i for i in ranks if i != paying)]
        best = self._over_its_worlds(ranks[0])
        return (best, *(self._beside(best, ranks[0], i) for i in ranks[1:]))

    def _over_its_worlds(self, option: int, first: int = 0) -> Estimate:
        mean, reach, worlds = _average(self.paid[first:, option])
        return Estimate(self.options[option], mean, mean - reach, mean + reach, worlds, 0.0)

    def _beside(self, best: Estimate, place: int, option: int) -> Estimate:
        """An option beside the best: where it has fewer worlds, by how far it was behind in those."""
        own = self._over_its_worlds(option)
        behind, doubt, both = _average(self.paid[:, place] - self.paid[:, option])
        if not both or own.worlds == best.worlds:
            return replace(own, behind=behind)
        mean, reach = best.mean - behind, math.hypot(best.high - best.mean, doubt)
        return Estimate(own.option, mean, mean - reach, mean + reach, own.worlds, behind)


def _average(column: NDArray[np.float64]) -> tuple[float, float, int]:
    """The mean of what is known, how far its interval reaches, and of how many that is."""
    known = column[~np.isnan(column)]
    if len(known) < 2:
        return _mean(known), math.inf, len(known)
    return _mean(known), t_quantile(len(known) - 1) * float(known.std(ddof=1)) / math.sqrt(len(known)), len(known)


def _mean(column: NDArray[np.float64]) -> float:
    known = column[~np.isnan(column)]
    return float(known.mean()) if len(known) else math.nan


def _or_low(mean: float) -> float:
    return -math.inf if math.isnan(mean) else mean
