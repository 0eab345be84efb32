"""The games in Gymnasium: one seat for the learner and agents of ours in the others, or many tables at once.

    import gymnasium, renege.adapters.gymnasium
    env = gymnasium.make("renege/texas42-seat-v0", opponents="rulebook", seat=0)
    envs = gymnasium.make_vec("renege/texas42-v1", num_envs=1024, reward="difference")

Both show the rows of `renege.games.encoding`, of the version that the id ends in, and have the open actions in
`info["action_mask"]` and from `action_masks()`. `reward` is `"score"`, the game's own, or `"difference"`, less that of
the others; `history` adds to rows of version 1 all that was done.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from renege.adapters import (
    RENDER_MODES,
    checked_mode,
    dealt,
    encoded_games,
    encoding_for,
    framework,
    least_worth,
    rendered,
)
from renege.adapters.seated import Seated
from renege.agents import Agent
from renege.core.game import NUMBERS, Game
from renege.core.verdict import WrongPhase
from renege.envs import BatchEnv, find
from renege.envs.moments import terms_of
from renege.envs.registry import VERSION
from renege.envs.registry import env_id as table_id
from renege.games.encoding import Moment
from renege.games.rows import VERSIONS
from renege.games.strategy import strategy_of
from renege.native.arrays import F64, U8, Bools

gym: Any = framework("gymnasium", "Gymnasium")
spaces: Any = framework("gymnasium.spaces", "Gymnasium")


class SeatEnv(gym.Env):
    """One seat of a table, a deal an episode. An action that is not open ends it, and costs more than any loss."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}
    moment: Moment

    def __init__(
        self,
        game: Game | str = "texas42",
        rules: dict[str, Any] | None = None,
        seat: int | None = 0,
        opponents: str | Agent | Sequence[str | Agent] = "rulebook",
        render_mode: str | None = None,
        version: int | None = None,
        history: bool = False,
        reward: str = "score",
    ) -> None:
        """`seat` None is another one each deal, by chance. `opponents` sit in all other seats, or one each from the
        learner's left: `"rulebook"`, `["random", "searcher:30w", "random"]`.
        """
        self.encoding = encoding_for(game, rules, version, history=history)
        self.game, self.terms = self.encoding.game, terms_of(self.encoding, None, reward)
        others = self.game.players - 1
        alike = isinstance(opponents, str) or not isinstance(opponents, Sequence)
        named: Sequence[str | Agent] = [opponents] * others if alike else opponents  # pyright: ignore
        if len(named) != others:
            raise ValueError(f"{len(named)} opponents are named, and there are {NUMBERS[others]}")
        self.opponents = list(named)
        self.seat_wanted = _checked(seat, self.game)
        self.seat = seat or 0
        self.render_mode = checked_mode(render_mode)
        self.observation_space = spaces.Box(0, 255, (self.encoding.width,), np.uint8)
        self.action_space = spaces.Discrete(len(self.encoding.actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[U8, dict[str, Any]]:
        """A new deal in which the seat has something to do. `options={"seat": 2}` is for this deal alone."""
        gym.Env.reset(self, seed=seed)
        given = options or {}
        while True:
            wanted = _checked(given.get("seat", self.seat_wanted), self.game)
            self.seat = int(self.np_random.integers(self.game.players)) if wanted is None else wanted
            seeds: list[int] = self.np_random.integers(2**62, size=self.game.players).tolist()
            self._seated = [Seated(agent, number) for agent, number in zip(self.opponents, seeds, strict=False)]
            self.moment = given.get("moment", dealt(self.encoding, seeds[-1]))
            self._others()
            self._ended = self.moment.over
            if not self._ended:
                return self._seen()
            if "moment" in given:
                raise ValueError(f"seat {self.seat} has nothing to do any more: {self.moment.position}")

    def step(self, action: int) -> tuple[U8, float, bool, bool, dict[str, Any]]:
        if self._ended:
            raise WrongPhase("the deal is over: call reset")
        if int(action) not in self.moment.legal:
            self._ended = True
            row, info = self._seen()
            return row, float(least_worth(self.encoding, self.terms) - 1), True, False, info | {"illegal": True}
        self.moment = self.moment.after(int(action))
        self._others()
        self._ended = self.moment.over
        row, info = self._seen()
        return row, self.terms.paid(self.moment)[self.seat], self.moment.over, False, info

    def _others(self) -> None:
        """The other seats act until it is the learner's turn, or the deal is over."""
        while self.moment.turn not in (None, self.seat):
            place = (self.moment.turn - self.seat) % self.game.players - 1
            self.moment = self.moment.act(self._seated[place].choose(self.moment))

    def _seen(self) -> tuple[U8, dict[str, Any]]:
        return self.moment.observe(self.seat), {"action_mask": self.action_masks(), "seat": self.seat}

    def action_masks(self) -> NDArray[np.int8]:
        """`int8[actions]`: 1 for each that is open; `MaskablePPO` asks for it by this name."""
        return self.moment.mask.astype(np.int8)

    def render(self) -> str | None:
        """What the learner's seat has seen, as text."""
        return rendered(self.render_mode, str(self.moment.view(self.seat)))


def _checked(seat: int | None, game: Game) -> int | None:
    if seat is not None and seat not in game.all_seats:
        raise ValueError(f"seat is {seat}; it is 0..{game.players - 1}, or None for another each deal")
    return seat


class TablesEnv(gym.vector.VectorEnv):
    """Many tables at once over `renege.envs.BatchEnv`: the learner acts for every seat, each table's in its turn.

    An observation is that of the seat to act, `info["seat"]`. The reward of a step is what the deal, where it ended, is
    worth to the seat that acted; `info["rewards"]` has it for all. The next deal is dealt in the same step and its
    first observation shown: a finished deal has nothing left to see.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": gym.vector.AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        game: Game | str = "texas42",
        rules: dict[str, Any] | None = None,
        threads: int = 1,
        version: int | None = None,
        history: bool = False,
        reward: str = "score",
    ) -> None:
        rows = encoding_for(game, rules, version, history=history)
        options: dict[str, Any] = {"version": rows.rows.version, "history": history, "reward": reward}
        self.tables = BatchEnv(rows.game, num_envs, threads=threads, **options)
        self.num_envs = num_envs
        encoding = self.tables.encoding
        self.single_observation_space = spaces.Box(0, 255, (encoding.width,), np.uint8)
        self.single_action_space = spaces.Discrete(len(encoding.actions))
        self.observation_space = gym.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gym.vector.utils.batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[U8, dict[str, Any]]:
        """New deals on all tables; without a seed, by one that comes from the last one that was given."""
        gym.vector.VectorEnv.reset(self, seed=seed)
        self.tables.reset(int(self.np_random.integers(2**62)) if seed is None else seed)
        return self._seen()

    def step(self, actions: Any) -> tuple[U8, F64, Bools, Bools, dict[str, Any]]:
        """One action on every table; `ValueError` names the table where it is not open."""
        acted = self.tables.mover.copy()
        wanted = np.asarray(actions)
        if wanted.dtype.kind not in "iu" or (wanted != wanted.astype(np.int32)).any():
            raise ValueError("actions must be whole numbers, one for each table")
        self.tables.step(wanted.astype(np.int32))
        row, info = self._seen()
        paid = self.tables.reward[np.arange(self.num_envs), acted].astype(np.float64)
        ended = self.tables.done.astype(bool)
        return row, paid, ended, np.zeros(self.num_envs, bool), info | {"rewards": self.tables.reward.copy()}

    def _seen(self) -> tuple[U8, dict[str, Any]]:
        return self.tables.observation.copy(), {"action_mask": self.action_masks(), "seat": self.tables.mover.copy()}

    def action_masks(self) -> NDArray[np.int8]:
        """`int8[num_envs, actions]`: 1 for each that is open."""
        return self.tables.mask.astype(np.int8)


def seat_id(name: str, version: int = VERSION) -> str:
    """The id of one seat of a game: `renege/texas42-seat-v0`."""
    return f"renege/{name}-seat-v{version}"


def register(name: str) -> str:
    """Makes a game known to `gymnasium.make`, one seat of it, and to `make_vec`, many tables, in all versions.

    The id of the seat in version 0.
    """
    usual = "random" if strategy_of(find(name)).policy is None else "rulebook"
    for version in VERSIONS:
        rows: dict[str, Any] = {"game": name} | ({"version": version} if version else {})
        if (seat := seat_id(name, version)) not in gym.registry:
            gym.register(seat, f"{__name__}:SeatEnv", kwargs=rows | {"opponents": usual})
        if (tables := table_id(name, version)) not in gym.registry:
            gym.register(tables, vector_entry_point=f"{__name__}:TablesEnv", kwargs=rows)
    return seat_id(name)


IDS = {name: register(name) for name in encoded_games()}
"""The environments of one seat in version 0, by the names of the games."""
