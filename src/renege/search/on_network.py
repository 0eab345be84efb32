"""Search that stands on a network: it says what is worth trying, how likely a world is, and how all seats play on.

Worlds are drawn exactly from the belief of the seat, and those are preferred in which the network would have called and
played as the others did. In each world every option is tried, and the network plays on at all seats, each of which
sees its own cards alone; so nobody is credited with knowing what is hidden, as open-hand search does. The last tricks
may be left to the exact solver, where little is hidden any more.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.belief import Belief
from renege.core.position import View
from renege.core.world import Drawn, World
from renege.envs import BatchEnv
from renege.games.encoding import Encoding, moment_of
from renege.games.strategy import Option, Search, Worth, strategy_of
from renege.native.arrays import F32, F64, I32, U8
from renege.native.engine import CPU, Engine
from renege.nets import NetFile
from renege.nets.policy import Considered, considered
from renege.search.lanes import Laid, Layout


@dataclass(frozen=True, slots=True)
class NetworkSearch:
    """What a search on a network goes by; docs/search.md has the matches behind the numbers."""

    net: NetFile
    most: int = 12
    """Options that are tried, at most."""
    least: float = 0.0
    """The share of the network's likelihood that an option must have to be tried."""
    doubt: float = 0.1
    """How much of what others did is put down to chance when worlds are weighed: they are no networks."""
    spread: int = 4
    """Worlds drawn for each that is tried."""
    solved: int = 0
    """Cards in hand from which on the exact solver plays out the deal."""
    confirm: int = 0
    """1 to let fresh worlds decide between the network's choice and what the first worlds say is better."""
    ahead: int | None = 4
    """Actions after which the critic tells what a deal is worth; None to play all deals to their end."""

    def for_view(self, view: View) -> Search:
        """The search of a position; `ValueError` where the network does not know its house rules."""
        position = _Position(self, view)
        search = strategy_of(view.game).search
        unit = "" if search is None else search.unit
        return Search(
            unit,
            position.options,
            position.weigh,
            likely=position.likely,
            spread=self.spread,
            confirm=bool(self.confirm),
            unweighed=position.unweighed,
            alone="by the network alone",
        )


SETTINGS: dict[str, tuple[type, float, float]] = {  # their type, and the least and most that they may be
    "most": (int, 1, 1000),
    "least": (float, 0, 1),
    "doubt": (float, 0, 1),
    "spread": (int, 1, 1000),
    "solved": (int, 0, 1000),
    "confirm": (int, 0, 1),
    "ahead": (int, 0, 10_000),
}


def read_settings(told: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Settings of a `NetworkSearch` that are given as text, `("ahead", "8")`; `ValueError` names one that is none."""
    found: dict[str, Any] = {}
    for name, text in told:
        if name not in SETTINGS:
            raise ValueError(f"a search on a network has no setting {name!r}: {', '.join(SETTINGS)}")
        if name in found:
            raise ValueError(f"the setting {name} is given twice")
        if (name, text) == ("ahead", "none"):
            found[name] = None
            continue
        kind, least, most = SETTINGS[name]
        try:
            found[name] = kind(text)
        except ValueError:
            found[name] = math.nan
        if not least <= found[name] <= most:
            noun = "a whole number" if kind is int else "a number"
            raise ValueError(f"{name} is {noun} from {least} to {most}, not {text!r}")
    return found


class _Position:
    """One position of a search: its options, and its worlds on the lanes of environments."""

    def __init__(self, search: NetworkSearch, view: View) -> None:
        self.search, self.net = search, search.net
        self.encoding = search.net.encoding(view.game)
        self.layout = Layout(view, Belief(view), self.encoding)
        self.tried: dict[str, Considered] = {}
        self.ahead = search.ahead if search.net.unit(view.game) is not None else None
        self.in_turn = all(act.seat == position.turn for act, position in view.steps())

    def options(self, view: View) -> tuple[Option, ...]:
        """What the network considers, its own choice first; that alone where no world can be laid."""
        most = self.search.most if self.in_turn else 1
        found = considered(self.net, moment_of(self.encoding, view), most, self.search.least)
        self.tried = {_name(one.option): one for one in found}
        return tuple(one.option for one in found)

    def weigh(
        self, view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU
    ) -> Worth:
        """What each option comes to in each world, the network at all seats; the last tricks by the exact solver."""
        exact = strategy_of(view.game).search
        if exact is not None and not view.position.talking and len(view.hand) <= self.search.solved:
            return exact.weigh(view, worlds, options, until, engine)
        tables = Tables(self.net, self.encoding, view, len(worlds) * len(options), ahead=self.ahead)
        tables.begin(self.layout.lay(worlds).each(len(options)))
        ways = [self._actions(view, option) for option in options]
        first = np.full((len(ways), max(map(len, ways))), -1, np.int32)
        for row, way in zip(first, ways, strict=True):
            row[: len(way)] = way
        paid = tables.play_on(np.tile(first, (len(worlds), 1)), until)[:, view.seat]
        rows = paid.reshape(len(worlds), len(options)).astype(np.float64)
        return Worth(rows, np.zeros_like(rows))

    def unweighed(self, view: View) -> str:
        if not self.in_turn:
            return "somebody spoke out of turn, and no world can be played on after that"
        return "nothing else is likely enough to be tried"

    def _actions(self, view: View, option: Option) -> tuple[int, ...]:
        known = self.tried.get(_name(option))
        return moment_of(self.encoding, view).numbers(option) if known is None else known.actions

    def likely(self, view: View) -> Callable[[Drawn], NDArray[np.float64]] | None:
        """How likely the others would have done in a world what they did; nothing where nobody did anything."""
        if not any(act.seat != view.seat for act in view.acts):
            return None
        return lambda drawn: self._likely(view, drawn)

    def _likely(self, view: View, drawn: Drawn) -> F64:
        laid = self.layout.lay(drawn)
        tables = Tables(self.net, self.encoding, view, len(drawn))
        logs = tables.likelihood(laid, view.seat, self.search.doubt)
        return np.exp(logs - logs.max())


def _name(option: Option) -> str:
    return option if isinstance(option, str) else f"play {option.cards}"


class Tables:
    """Tables at which a network sits at all seats."""

    def __init__(self, net: NetFile, encoding: Encoding, view: View, lanes: int, *, ahead: int | None = None) -> None:
        self.net, self.standing, self.ahead = net, view.start.standing, ahead
        self.unit = net.unit(encoding.game) or 0.0
        self.env = BatchEnv(
            encoding.game,
            lanes,
            version=encoding.rows.version,
            reward="difference",
            score=self.standing.score,
            hidden=ahead is not None,
        )

    def begin(self, laid: Laid) -> None:
        """Lay deals, and play them up to where they stand."""
        self.env.begin(laid.piles, self.standing, np.ascontiguousarray(laid.rows()))

    def play_on(self, first: I32, until: float) -> F32:
        """`float32[lanes, seats]`: what deals come to that go on with these actions, `int32[lanes, k]` ended by -1.

        NaN on all lanes if the time is over before they are.
        """
        env, paid = self.env, np.full(self.env.reward.shape, np.nan, np.float32)
        going, step = np.ones(env.lanes, bool), 0
        while going.any():
            if time.perf_counter() > until:
                return np.full_like(paid, np.nan)
            given = first[:, step] if step < first.shape[1] else np.full(env.lanes, -1)
            action = np.where(given < 0, self._choice(going & (given < 0)), given)
            env.step(np.where(going, action, env.mask.argmax(axis=1)).astype(np.int32))
            over = going & env.done.astype(bool)
            paid[over] = env.reward[over]
            going &= ~over
            step += 1
            if self.ahead is not None and step >= first.shape[1] + self.ahead:
                going = self._judge(going, paid)
        return paid

    def _judge(self, going: NDArray[np.bool_], paid: F32) -> NDArray[np.bool_]:
        """What the critic says of deals where somebody has a choice, since it knows no others; those that go on."""
        env = self.env
        (at,) = np.nonzero(going & (env.mask.sum(axis=1, dtype=np.int32) > 1))
        if not len(at):
            return going
        assert env.hidden is not None
        told = self.net.values(env.observation[at], env.hidden[at]) * self.unit
        players = env.game.players
        seats = (np.arange(players) - env.mover[at, None].astype(np.intp)) % players
        paid[at] = np.take_along_axis(told, seats, axis=1)
        left = going.copy()
        left[at] = False
        return left

    def _choice(self, asked: NDArray[np.bool_]) -> NDArray[np.intp]:
        """An open action for every lane; where it is asked for, the one that the network likes best."""
        mask = self.env.mask
        action = mask.argmax(axis=1)
        (at,) = np.nonzero(asked & (mask.sum(axis=1, dtype=np.int32) > 1))
        if len(at):
            action[at] = np.where(mask[at], self.net.logits(self.env.observation[at]), -np.inf).argmax(axis=1)
        return action

    def likelihood(self, laid: Laid, seat: int, doubt: float) -> F64:
        """`float64[lanes]`: the logarithm of how likely the network is to do in each deal what the others did there.

        `doubt` is the share of what they do by chance.
        """
        env, actions = self.env, laid.rows()
        env.begin(laid.piles, self.standing)
        logs = np.zeros(env.lanes)
        for step in range(actions.shape[1]):
            taken = actions[:, step]
            here = taken >= 0
            choices = env.mask.sum(axis=1, dtype=np.int32)
            (at,) = np.nonzero(here & (env.mover != seat) & (choices > 1))
            if len(at):
                logs[at] += np.log((1 - doubt) * self._shares(at)[np.arange(len(at)), taken[at]] + doubt / choices[at])
            if step + 1 < actions.shape[1]:
                env.step(np.where(here, taken, env.mask.argmax(axis=1)).astype(np.int32))
        return logs

    def _shares(self, at: NDArray[np.intp]) -> F64:
        mask: U8 = self.env.mask[at]
        logits = np.where(mask, self.net.logits(self.env.observation[at]), -np.inf).astype(np.float64)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return likely / likely.sum(axis=1, keepdims=True)
