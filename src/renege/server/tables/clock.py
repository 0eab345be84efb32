"""The clock of a table: how long the person has taken for whom it waits.

It runs while somebody is connected to a seat and stands still while the others are asked whether an act may be taken
back. What was used up of a deal's time is kept with the acts; the time of the present act begins anew after a restart.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import structlog

from renege.server.logs import where
from renege.server.people import ClockShown
from renege.server.tables.live import Declined
from renege.server.tables.state import TableState

PATIENCE = 30.0  # seconds before the others may ask for a bot for who is connected
GRACE = 10.0  # seconds for each act when those of the deal are used up
RETRY = 2.0  # seconds until something is tried again that could not be kept

log = structlog.get_logger()


class Timer:
    """Does something after a while, unless it is set anew or stopped before."""

    def __init__(self, act: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._act = act
        self._handle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        return self._handle is not None or (self._task is not None and not self._task.done())

    def set(self, seconds: float) -> None:
        self.stop()
        self._handle = asyncio.get_running_loop().call_later(max(0.0, seconds), self._ring)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _ring(self) -> None:
        self._handle = None
        self._task = asyncio.create_task(self._do())

    async def _do(self) -> None:
        try:
            await self._act()
        except Declined:  # another server was first
            return
        except Exception as wrong:
            log.error("a clock cannot ring", **where(wrong))
            self.set(RETRY)


@dataclass(slots=True)
class _Turn:
    """Whose time it is, after which event, and since when; how much went by before it last began to run, and when."""

    seat: int
    moved: int
    since: float
    gone: float = 0.0
    running: float | None = None  # by the monotonic watch


class TurnClock:
    """Counts the time of who is to act. `ring` is called when it is up."""

    def __init__(self, state: TableState, ring: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._state = state
        self._turn: _Turn | None = None
        self._timer = Timer(ring)
        self.stop = self._timer.stop

    def update(self, somebody_here: bool) -> None:
        """Look again whose time it is, and whether it runs."""
        state, now = self._state, time.monotonic()
        seat = state.waits_for
        if seat is None:
            self._turn = None
            self.stop()
            return
        if self._turn is None or (self._turn.seat, self._turn.moved) != (seat, state.moved):
            self._turn = _Turn(seat, state.moved, time.time())
        turn, pending = self._turn, state.pending
        runs = somebody_here and (pending is None or pending.asked.what != "undo")
        if turn.running is not None and not runs:
            turn.gone, turn.running = self.gone, None
        elif turn.running is None and runs:
            turn.running = now
        if runs and state.made.clock != "none":
            self._timer.set(self.left)
        else:
            self.stop()

    @property
    def gone(self) -> float:
        """Seconds that the present act has taken so far."""
        turn = self._turn
        if turn is None:
            return 0.0
        return turn.gone + (0.0 if turn.running is None else time.monotonic() - turn.running)

    def took(self, seat: int) -> float:
        """What an act of a seat takes off the time of the deal."""
        mine = self._turn is not None and self._turn.seat == seat
        return round(self.gone, 2) if mine and self._state.made.clock == "deal" else 0.0

    @property
    def left(self) -> float:
        """Seconds until the time is up."""
        made, turn = self._state.made, self._turn
        if turn is None:
            return 0.0
        if made.clock == "act":
            return made.seconds - self.gone
        spare = made.seconds - self._state.used.get(turn.seat, 0.0)
        return max(spare, min(GRACE, made.seconds)) - self.gone

    def is_up(self, seat: int) -> bool:
        return self._turn is not None and self._turn.seat == seat and self.left <= 0

    def may_be_asked_for(self, seat: int) -> bool:
        """Has somebody who is connected let the table wait for so long that the others may ask for a bot?"""
        return self._turn is not None and self._turn.seat == seat and self.gone >= PATIENCE

    def shown(self) -> ClockShown | None:
        made, turn = self._state.made, self._turn
        if self._state.phase not in ("talk", "play"):
            return None
        if turn is None:
            return ClockShown(kind=made.clock, seconds=made.seconds, patience=PATIENCE)
        counts, runs = made.clock != "none", turn.running is not None
        left = max(0.0, round(self.left, 2))
        return ClockShown(
            kind=made.clock,
            seconds=made.seconds,
            seat=turn.seat,
            since=turn.since,
            until=time.time() + left if counts and runs else None,
            left=left if counts and not runs else None,
            patience=PATIENCE,
        )
