"""The searching player: over sampled worlds with open hands, or on a network."""

import math
import random
import time
from dataclasses import dataclass
from decimal import Decimal

from renege.agents.net import Net
from renege.core.game import Game
from renege.core.message import join, say
from renege.core.position import View
from renege.core.trick import Play
from renege.games.strategy import Advice, Search, strategy_of
from renege.search import Findings, engine_named, search_of, weigh
from renege.search.devices import DEVICES
from renege.search.on_network import NetworkSearch, read_settings

LEAST_MS = 0.1  # that are left to a search where making ready has taken all of its time


@dataclass(frozen=True, slots=True)
class Searcher:
    """A player that weighs every option over sampled worlds, for `ms` milliseconds a move or over `worlds` of them.

    Where both limits are given, the first to be reached ends the search. Where no option is clearly better than what
    the game's rulebook would do (on a network, what the network would), it does that. `device` is "cpu" or "gpu": the
    same moves for as many worlds, more worlds in the same time. With `net` the search stands on a network: that of the
    package, "", or a file of one's own; `settings` are those of `NetworkSearch`, as text.
    """

    ms: float | None = None
    worlds: int | None = None
    device: str = "cpu"
    net: str | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if self.ms is None and self.worlds is None:
            raise ValueError("a searcher needs a limit: milliseconds a move, or worlds")
        if self.ms is not None and not 0 < self.ms < math.inf:
            raise ValueError(f"a searcher cannot think for {self.ms} ms a move")
        if self.worlds is not None and self.worlds < 1:
            raise ValueError(f"a searcher cannot choose over {self.worlds} worlds")
        if self.device not in DEVICES:
            raise ValueError(f"a searcher works on {' or '.join(DEVICES)}, not on {self.device!r}")
        if self.net is not None and self.device != "cpu":
            raise ValueError("a search on a network works on the CPU: searcher:net,50ms")
        if self.settings and self.net is None:
            raise ValueError("only a search on a network has settings: searcher:net,50ms,ahead=8")
        read_settings(self.settings)

    @property
    def name(self) -> str:
        """The player as `renege arena` spells it: `searcher:50ms`."""
        limits = [] if self.net is None else [f"net:{self.net}" if self.net else "net"]
        limits += [f"{_plain(self.ms)}ms"] if self.ms is not None else []
        limits += [f"{self.worlds}w"] if self.worlds is not None else []
        limits += [self.device] if self.device != "cpu" else []
        limits += [f"{name}={value}" for name, value in self.settings]
        return f"searcher:{','.join(limits)}"

    def choose(self, view: View, rng: random.Random | None = None) -> Advice:
        """Choose a call or play for the seat to move, with the reason; without `rng` and `ms` always the same."""
        return self.advise(self.search(view, rng))

    def search(self, view: View, rng: random.Random | None = None) -> Findings:
        """Return the estimate of every option, before one is chosen."""
        began = time.perf_counter()
        seed, engine = 0 if rng is None else rng.getrandbits(63), engine_named(self.device)
        search = self.search_of(view)
        spent = (time.perf_counter() - began) * 1e3
        ms = None if self.ms is None else max(self.ms - spent, LEAST_MS)
        return weigh(view, ms=ms, worlds=self.worlds, seed=seed, engine=engine, search=search)

    def search_of(self, view: View) -> Search:
        """How a position is searched: as its game is, or on the network."""
        return search_of(view.game) if self.net is None else self.network(view.game).for_view(view)

    def network(self, game: Game) -> NetworkSearch:
        """What the search goes by where it stands on a network."""
        return NetworkSearch(Net(self.net or None).network(game.name), **read_settings(self.settings))

    def advise(self, found: Findings) -> Advice:
        """Choose by the findings of a search."""
        if len(found.estimates) == 1:
            return Advice(found.best.option, found.stopped)
        if math.isnan(found.best.mean):
            return Advice(found.best.option, "no time for a single world")
        return Advice(found.best.option, describe_option(found, found.best.option))

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        """Choose a call out of turn, where the game lets a seat break in; None to stay silent."""
        if self.net is not None:
            return Net(self.net or None).interject(view, rng)
        return strategy_of(view.game).interject(view)


def _plain(number: float) -> str:
    """A number that reads back as the same one, without an exponent: `50`, `7.5`, `0.00001`."""
    return f"{Decimal(repr(float(number))):f}".removesuffix(".0")


def describe_option(found: Findings, option: str | Play) -> str:
    """What the search says of an option in a few words."""
    mine = next(estimate for estimate in found.estimates if estimate.option == option)
    second = next((estimate for estimate in found.estimates if estimate.option != option), None)
    mean, low, high = (f"{value:+.2f}" for value in (mine.mean, mine.low, mine.high))
    if math.isfinite(mine.high - mine.low):
        words = say("{n} {unit} ({n2} to {n3}) over {n4} worlds", mean, found.unit, low, high, mine.worlds)
    elif mine.worlds == 1:
        words = say("{n} {unit} over 1 world", mean, found.unit)
    else:
        words = say("{n} {unit} over {n2} worlds", mean, found.unit, mine.worlds)
    if second is None or math.isnan(second.mean):
        return words
    if mine == found.best and found.rival is not None:
        return join("; ", (words, describe_doubt(found, str(found.rival.option))))
    return say("{words}; next {option} {n}", words, second.option, f"{second.mean:+.2f}")


def describe_doubt(found: Findings, rival: str) -> str:
    """Why the best is put before an option with a higher mean, whose name is given; that one is not clearly better."""
    why = "the usual" if found.best.option == found.usual else "ahead by points"
    return say(f"{why}, and not clearly worse than {{option}}", rival)
