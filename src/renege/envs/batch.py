"""Vectorized environments: thousands of tables of one game, stepped by one call on arrays that the caller owns.

Every lane is a table with a seed of its own. A step takes one action a lane; a deal that ends shows `done` and `reward`
beside the first observation of the next one, which is dealt in the same step. Nothing depends on the number of lanes or
threads. The kernel does the work where it plays the game, on the CPU or on a GPU; other games, and rules that it does
not play, are stepped by Python behind the same class.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

import numpy as np

from renege.core.game import Game, Standing
from renege.envs.memory import DeviceMemory, HostMemory, find_memory
from renege.envs.moments import PAYOFFS, MomentEnv, Terms, terms_of, told_standings
from renege.envs.registry import find, version_of
from renege.games.encoding import Encoding, encoding_of
from renege.games.rows import KernelTables, Rows
from renege.native.arrays import F32, I32, U8, U64
from renege.native.cards import check_threads, mixed
from renege.native.gpu.device import Gpu
from renege.native.gpu.envs import EnvTables

if TYPE_CHECKING:
    from renege._kernel import Env, EnvSeveral

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


def lane_seeds(seed: int, lanes: int, first_lane: int = 0) -> U64:
    """`uint64[lanes]`: the seed of each lane, which depends on `seed` and on the lane's own number alone."""
    if not 0 <= seed <= _WORD:
        raise ValueError(f"seed is {seed}; it must be 0..2**64-1")
    with np.errstate(over="ignore"):
        words = np.arange(first_lane + 1, first_lane + lanes + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
        return mixed(words + mixed(np.full(lanes, seed, np.uint64) + np.uint64(_GOLDEN)))


class Options(TypedDict, total=False):
    """What tables show and pay, and where they lie; `BatchEnv` says what each is. Arrays are the caller's, to be
    written to; those that are not given are made."""

    version: int | None
    history: bool
    hidden: bool | U8
    reward: str | F32 | tuple[str, F32]
    score: tuple[int, ...] | None
    device: str | Gpu
    stream: Any
    observation: U8
    mask: U8
    mover: U8
    done: U8


class BatchEnv:
    """A vectorized environment: `lanes` tables of a game, which is given as such, by name or by id.

    Rows are of the id's version, or of `version`; a plain name means version 0. `history` adds the list of all that was
    done, `hidden` the array of what the seat to act does not see. `reward` is the game's own `"score"`, or the
    `"difference"` to the others'; with an array of the caller's, `("difference", mine)`. Deals of version 1 begin with
    any dealer and, where the game has levels, at any levels; `score` says at which.

    With `device="gpu"`, or a `Gpu` that was found, tables and arrays lie there, and arrays are `OnDevice`: PyTorch, JAX
    and CuPy take them by DLPack, once and without a copy. `stream` is the stream that such a library works in; without
    it every call waits for all work on the device, and returns when its own is done.

    >>> env = BatchEnv("renege/texas42-v1", lanes=1000, seed=1)
    >>> env.step(env.choose())
    >>> env.observation.shape, env.mask.shape
    ((1000, 612), (1000, 70))
    """

    observation: U8
    """`uint8[lanes, width]`: what the seat to act sees; `renege.games.encoding` says what is where."""
    hidden: U8 | None
    """`uint8[lanes, hidden_width]`: what it does not see, the other hands and the kitty; None where nobody asked."""
    mask: U8
    """`uint8[lanes, actions]`: 1 for each action that is open to it."""
    mover: U8
    """`uint8[lanes]`: that seat."""
    reward: F32
    """`float32[lanes, seats]`: what the deal that has just ended is worth to each seat; 0 where none has."""
    done: U8
    """`uint8[lanes]`: 1 where a deal has just ended."""

    def __init__(
        self,
        game: Game | str,
        lanes: int,
        *,
        seed: int | Sequence[int] | U64 = 0,
        threads: int = 1,
        kernel: bool = True,
        **options: Unpack[Options],
    ) -> None:
        version, score = options.pop("version", None), options.pop("score", None)
        hidden, device = options.pop("hidden", False), options.pop("device", "cpu")
        if isinstance(game, str):
            game, version = find(game), version_of(game) if version is None else version
        if lanes < 1:
            raise ValueError(f"lanes is {lanes}; there must be at least one")
        check_threads(threads)
        self.game, self.lanes, self.threads = game, lanes, threads
        self.encoding: Encoding = encoding_of(game, Rows(version or 0, options.pop("history", False)))
        self.payoff, paid = _payoff(options.pop("reward", PAYOFFS[0]))
        self.terms = terms = terms_of(self.encoding, score, self.payoff)
        tables = self.encoding.kernel(difference=terms.difference, score=score) if kernel else None
        if device != "cpu" and tables is None:
            why = "under these rules, which the kernel does not know" if kernel else "for kernel is False"
            raise ValueError(f"a GPU does not play {game.name}, {why}")
        self.in_kernel = tables is not None
        """Are the tables the kernel's, and not Python's?"""
        self.memory = memory = find_memory(device, options.pop("stream", None))
        width, actions = self.encoding.width, len(self.encoding.actions)
        self.observation = memory.owned("observation", options.pop("observation", None), np.uint8, (lanes, width))
        self.mask = memory.owned("mask", options.pop("mask", None), np.uint8, (lanes, actions))
        self.mover = memory.owned("mover", options.pop("mover", None), np.uint8, (lanes,))
        self.reward = memory.owned("reward", paid, np.float32, (lanes, game.players))
        self.done = memory.owned("done", options.pop("done", None), np.uint8, (lanes,))
        unseen = None if isinstance(hidden, bool) else hidden
        shape = (lanes, self.encoding.hidden_width)
        self.hidden = None if hidden is False else memory.owned("hidden", unseen, np.uint8, shape)
        if options:
            raise TypeError(f"BatchEnv has no {', '.join(options)}")
        self.tables = _make_tables(self.encoding, lanes, terms, tables, memory)
        self.reset(seed)

    @property
    def _shown(self) -> tuple[U8, U8 | None, U8, U8]:
        return self.observation, self.hidden, self.mask, self.mover

    @property
    def _arrays(self) -> tuple[U8, U8 | None, U8, U8, F32, U8]:
        return *self._shown, self.reward, self.done

    @property
    def _dealt(self) -> tuple[int, int, int]:
        """The shape of what is dealt: a pile for each seat and the kitty, on every lane."""
        return self.lanes, self.game.players + 1, self.game.deck.layers

    def reset(self, seed: int | Sequence[int] | U64) -> None:
        """The first deal of every lane: by one seed for all, from which each lane has its own, or by one a lane."""
        if isinstance(seed, int | np.integer):
            seeds = lane_seeds(int(seed), self.lanes)
        else:
            seeds = np.ascontiguousarray(seed, np.uint64)
            if seeds.shape != (self.lanes,):
                raise ValueError(f"seed must be one number or uint64[{self.lanes}], not {list(seeds.shape)}")
        self.memory.clear(self.reward, self.done)
        self.tables.reset(seeds, *self._shown, self.threads)

    def begin(
        self, piles: U64, standings: Sequence[Standing] | Standing | None = None, actions: I32 | None = None
    ) -> None:
        """Lay deals from outside and play them up to a point: for a search, or to train on chosen contracts.

        `piles` are as `dealt` has them, for one deal or one a lane; `standings` the dealer and the score, if they
        are other than now; `actions` is `int32[n]` or `int32[lanes, n]`, what was said and played so far, ended by -1
        where lanes have fewer. `ValueError` names the lane with a deal that is none or an action that is not open or
        ends the deal; nothing has changed on any lane then. The deal after it is the lane's own.
        """
        dealt = np.broadcast_to(self.memory.given_on_host("piles", piles, np.uint64), self._dealt)
        told = np.zeros((self.lanes, self.encoding.told_numbers), np.uint8)
        if standings is None:
            self.tables.standings(told)
        else:
            each = [standings] if isinstance(standings, Standing) else standings
            told[:] = told_standings(self.encoding, each, self.terms.score)
        none = np.zeros((1, 0), np.int32)
        acts = none if actions is None else self.memory.given_on_host("actions", actions, np.int32)
        asked = np.broadcast_to(np.atleast_2d(acts), (self.lanes, np.atleast_2d(acts).shape[1]))
        self.tables.begin(told, np.ascontiguousarray(dealt), np.ascontiguousarray(asked), *self._shown)
        self.memory.clear(self.reward, self.done)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Where the deal of each lane stood when it began: the dealer, and the score as far as it counts in play."""
        told = np.zeros((self.lanes, self.encoding.told_numbers), np.uint8)
        self.tables.standings(told)
        return tuple(self.encoding.standing_of(row, self.terms.score) for row in told.tolist())

    def step(self, actions: I32, *, check: bool = True) -> None:
        """Step every lane by one action, `int32[lanes]`; the arrays then show the new state.

        `ValueError` names the lane and the action that is not open; nothing has changed on any lane then. With
        `check=False` a GPU is not asked, so that nobody waits for its answer: a lane whose action is not open stays as
        it is.
        """
        wanted = self.memory.given("actions", actions, np.int32, (self.lanes,))
        if isinstance(self.tables, EnvTables):
            self.tables.step(wanted, *self._arrays, self.threads, check=check)
        else:
            self.tables.step(wanted, *self._arrays, self.threads)

    def play(self, piles: U64, actions: I32 | None = None) -> None:
        """Step every lane by a play of several cards, `uint64[lanes, packs]`: the kinds in it, those in it twice, ...

        What a banker buries is such a pile too. Where a pile is empty the action of that lane is taken, as `step` does;
        what was picked card by card before is put back. `ValueError` names the lane whose cards are no legal play;
        nothing has changed on any lane then. Only for games whose plays have several cards.
        """
        if not self.encoding.several:
            raise ValueError(f"plays of {self.game.name} are single cards: step takes them")
        wanted = self.memory.given("piles", piles, np.uint64, (self.lanes, self.game.deck.layers))
        acts = np.full(self.lanes, -1, np.int32) if actions is None else actions
        others = self.memory.given("actions", acts, np.int32, (self.lanes,))
        tables = cast("EnvSeveral | MomentEnv | EnvTables", self.tables)
        tables.play(wanted, others, *self._arrays, self.threads)

    def choose(self, salt: int = 0, out: I32 | None = None) -> I32:
        """`int32[lanes]`: a uniformly random legal action for each lane; another `salt` makes other choices."""
        actions = self.memory.owned("out", out, np.int32, (self.lanes,))
        self.tables.choose(self.mask, actions, salt, self.threads)
        return actions

    def run(self, steps: int, salt: int = 0) -> int:
        """Run this many random steps (`choose`); returns the number of deals finished."""
        return self.tables.run(steps, salt, *self._arrays, self.threads)

    def observe(self, seats: int | Sequence[int] | U8, out: U8 | None = None) -> U8:
        """`uint8[lanes, width]`: what a seat sees, the same on all lanes or one a lane, whoever is to move."""
        rows = self.memory.owned("out", out, np.uint8, self.observation.shape)
        asked = self.memory.on_host(seats)
        if asked.size and not (asked.min() >= 0 and asked.max() < self.game.players):
            raise ValueError(f"seats: a seat is 0..{self.game.players - 1}")
        self.tables.observe(np.ascontiguousarray(np.broadcast_to(asked, self.lanes), np.uint8), rows)
        return rows

    def dealt(self) -> U64:
        """`uint64[lanes, seats + 1, packs]`: hands and kitty as dealt, as `renege.core.world.Drawn` has them."""
        piles = self.memory.owned("piles", None, np.uint64, self._dealt)
        self.tables.dealt(piles)
        return piles

    def save(self) -> bytes:
        """The state of all tables."""
        return self.tables.save()

    def load(self, saved: bytes) -> None:
        """Restore a saved state, under the same rules and with as many lanes."""
        self.tables.load(saved, *self._shown)
        self.memory.clear(self.reward, self.done)

    def __repr__(self) -> str:
        where = "gpu" if isinstance(self.memory, DeviceMemory) else "kernel" if self.in_kernel else "python"
        return f"<BatchEnv {self.game.name}, {self.lanes} lanes, {self.threads} threads, {where}>"


def _payoff(reward: str | F32 | tuple[str, F32]) -> tuple[str, F32 | None]:
    """What is paid, and the array that it is written to."""
    payoff, array = reward if isinstance(reward, tuple) else (reward, None)
    return (payoff, array) if isinstance(payoff, str) else (PAYOFFS[0], payoff)


def _make_tables(
    encoding: Encoding, lanes: int, terms: Terms, kernel: KernelTables | None, memory: HostMemory | DeviceMemory
) -> "Env | MomentEnv | EnvTables":
    """The tables of the kernel, where the arrays lie; where it has none, Python's."""
    if kernel is None:
        return MomentEnv(encoding, lanes, terms)
    return memory.tables(kernel, lanes) if isinstance(memory, DeviceMemory) else kernel.make(lanes)


def make(name: str, lanes: int, *, rules: dict[str, Any] | None = None, **options: Any) -> BatchEnv:
    """Many tables of a game by its id, under house rules given as text; `options` are those of `BatchEnv`."""
    options.setdefault("version", version_of(name))
    return BatchEnv(find(name, rules), lanes, **options)
