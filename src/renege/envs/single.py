"""A single-table environment: integer actions, one a call; for a search or a framework of single tables."""

from collections.abc import Callable, Iterable

import numpy as np

from renege.core.game import Game, Standing
from renege.envs.batch import lane_seeds
from renege.envs.moments import MomentTable, terms_of
from renege.envs.registry import find, version_of
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.native.arrays import U8, U64


class Env:
    """A table. A deal that is over stays so until `deal` brings the next.

    >>> env = Env("renege/texas42-v0", seed=1)
    >>> while not env.over:
    ...     env.act(env.legal[0])
    >>> env.rewards
    (0.0, 0.0, 0.0, 0.0)
    """

    def __init__(
        self,
        game: Game | str,
        *,
        seed: int = 0,
        kernel: bool = True,
        version: int | None = None,
        history: bool = False,
        reward: str = "score",
        score: tuple[int, ...] | None = None,
    ) -> None:
        if version is None:
            version = version_of(game) if isinstance(game, str) else 0
        self.game = find(game) if isinstance(game, str) else game
        self.encoding = encoding_of(self.game, Rows(version, history))
        terms, self._score = terms_of(self.encoding, score, reward), score
        tables = self.encoding.kernel(difference=terms.difference, score=score) if kernel else None
        self.in_kernel = tables is not None
        self._table = MomentTable(self.encoding, terms) if tables is None else tables.make(1).one()
        self.act = self._table.act
        """Does an action; `ValueError` if it is not open. (Bound here and not a method: that saves half the call.)"""
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """The first deal by this seed: that of lane 0 of a `BatchEnv`."""
        self._seed, self._number = int(lane_seeds(seed, 1)[0]), -1
        self.deal()

    def deal(self) -> None:
        """The next deal."""
        self._number += 1
        self._table.deal(self._seed, self._number)

    @property
    def turn(self) -> int | None:
        """The seat to act; None when the deal is over."""
        turn = self._table.turn
        return None if turn == self.game.players else turn

    @property
    def over(self) -> bool:
        return self._table.turn == self.game.players

    @property
    def legal(self) -> list[int]:
        """The actions that are open, in order."""
        return self._table.legal()

    @property
    def rewards(self) -> tuple[float, ...]:
        """What the deal is worth to each seat once it is over; 0 before."""
        return self._table.rewards()

    def observe(self, seat: int) -> U8:
        """`uint8[width]`: what a seat sees; `ValueError` if the table has no such seat."""
        self._check_seat(seat)
        return np.frombuffer(self._table.observe(seat), np.uint8)

    def hidden(self, seat: int) -> U8:
        """`uint8[hidden_width]`: what a seat does not see, the other hands and the kitty."""
        self._check_seat(seat)
        return np.frombuffer(self._table.hidden(seat), np.uint8)

    def _check_seat(self, seat: int) -> None:
        if seat not in self.game.all_seats:
            raise ValueError(f"a seat is 0..{self.game.players - 1}")

    @property
    def standing(self) -> Standing:
        """Where the deal stood when it began: the dealer, and the score as far as it counts in play."""
        return self.encoding.standing_of(self._table.standing, self._score)

    def begin(self, piles: U64, standing: Standing | None = None, actions: Iterable[int] = ()) -> None:
        """Lay a deal from outside, piles as `dealt` has them, and play it up to a point.

        `ValueError` where that is no deal or an action is not open; nothing has changed then.
        """
        told = self._table.standing if standing is None else self.encoding.told_standing(standing, self._score)
        dealt, taken = np.ascontiguousarray(piles, np.uint64), tuple(actions)
        for table in (self._table.copy(), self._table):  # tried first where nothing is lost
            begin: Callable[..., None] = table.begin  # the kernel's tables take four numbers, Python's any
            begin(*told, dealt)
            for action in taken:
                table.act(action)

    def dealt(self) -> U64:
        """`uint64[seats + 1, packs]`: the hands and the kitty as they were dealt."""
        piles = np.empty((self.game.players + 1, self.game.deck.layers), np.uint64)
        self._table.dealt(piles)
        return piles

    def copy(self) -> "Env":
        """The same table, to be played on by itself."""
        other = Env.__new__(Env)
        other.game, other.encoding, other.in_kernel = self.game, self.encoding, self.in_kernel
        other._seed, other._number, other._score = self._seed, self._number, self._score
        other._table = self._table.copy()
        other.act = other._table.act
        return other
