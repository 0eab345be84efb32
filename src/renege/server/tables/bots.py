"""The bots of one table at play: asked after every event, they act in their own time.

There is a task as long as a bot has something to do. What happens while it thinks makes its answer stale: it is
dropped, and the bots are asked again.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import structlog

from renege.agents import Net
from renege.agents.best import stand_ins
from renege.core.cards import known_cards
from renege.core.position import Position, View
from renege.games.strategy import nothing_to_say, strategy_of
from renege.server.levels import Level
from renege.server.logs import where
from renege.server.store.store import Store
from renege.server.tables.chance import Chance
from renege.server.tables.events import Event, StandIn, in_place_of
from renege.server.tables.live import Declined, LiveDeal
from renege.server.tables.state import TableState
from renege.server.workers.pool import NOBODY, Busy, Workers
from renege.server.workers.shares import Asker
from renege.server.workers.thinking import stand_in, think

RETRY = 2.0  # seconds until a bot tries again what has failed
SLOWED = 1.0  # seconds that a bot without time waits before it acts: else what is short of time would ask the faster

log = structlog.get_logger()

Thought: TypeAlias = Callable[[Level, float], None]  # a bot's level, and its seconds


@dataclass(slots=True)
class TableServices:
    """The event store, the workers in which bots think, where deals come from, and who hears how long a bot thinks."""

    store: Store
    workers: Workers
    chance: Chance
    thought: Thought | None = None


class BotAct(NamedTuple):
    """What a bot does, and who has chosen it in its place; nothing, if nobody has found anything."""

    seat: int
    what: str
    chosen: StandIn = ""


Decide: TypeAlias = Callable[[LiveDeal], Sequence[Event]]
Act: TypeAlias = Callable[[int, Decide], Awaitable[None]]  # unless something has happened since an event


class BotPlay:
    def __init__(self, table_id: str, state: TableState, services: TableServices, act: Act) -> None:
        self._id = table_id
        self._state = state
        self._services = services
        self._act = act
        self._task: asyncio.Task[None] | None = None
        self._something = asyncio.Event()  # has happened since the bots were asked
        self._moved_at = time.monotonic()
        self._stopped = False
        self._slowed = 0.0
        self.asker = NOBODY  # on whose share the bots think

    def charge(self, asker: Asker) -> None:
        """Let the bots think on the share of whoever made the table; after a restart, of who first comes back to it."""
        if self.asker == NOBODY:
            self.asker = asker

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def moved(self) -> None:
        self._moved_at = time.monotonic()
        self._something.set()
        self.rouse()

    def rouse(self) -> None:
        if not self.busy and self._playing is not None:
            self._task = asyncio.create_task(self._play())
            self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (wrong := task.exception()) is not None:
            log.error("the bots have stopped", table=self._id, **where(wrong))

    async def stop(self) -> None:
        """For good."""
        self._stopped = True
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])

    @property
    def _playing(self) -> LiveDeal | None:
        """The deal, while it goes on and somebody sits there."""
        deal = self._state.deal
        if self._stopped or deal is None or deal.position.over:
            return None
        pending = self._state.pending
        if pending is not None and pending.asked.what == "undo":  # a bot's act would answer for the people
            return None
        return deal if self._state.seating.people else None

    async def _play(self) -> None:
        while (deal := self._playing) is not None:
            try:
                if not await self._step(deal):
                    return
            except Exception as wrong:
                log.error("a bot cannot act", table=self._id, **where(wrong))
                await asyncio.sleep(RETRY)

    async def _step(self, deal: LiveDeal) -> bool:
        """Ask the bots, and let one act; False if it is for people to act."""
        number, due = self._state.number, self._moved_at + self._state.made.pace / 1000
        self._something.clear()
        answer = await self._answer(deal)
        if answer is not None and answer.chosen:
            due = max(due, self._moved_at + self._slowed)
        if number != self._state.number:
            return True
        if answer is None:
            return False
        if await self._quiet_until(due):
            await self._act(number, lambda deal: self._lawful(deal, answer))
        return True

    async def _answer(self, deal: LiveDeal) -> BotAct | None:
        """What a bot does; None if it is for people to act."""
        position = deal.position
        if position.turn is not None and (turned := kitty_call(deal)) is not None:
            return BotAct(position.turn, turned)
        bots = self._state.seating.played
        breaking = [deal.view(seat) for seat in _may_break_in(position) if seat in bots]
        moving = deal.view(position.turn) if position.turn in bots else None
        if moving is None and not breaking:
            return None
        begun, number = time.perf_counter(), self._state.number
        level: Level = "simple" if moving is None else bots[moving.seat]
        try:
            lane = "simple" if level == "simple" else "search"
            answer = await self._services.workers.run_for(self.asker, lane, think, breaking, moving, level)
            if answer is not None and number == self._state.number:
                deal.attempt(*answer)  # is it lawful? It is done in its time
        except Exception as wrong:
            self._log_failure(wrong)
            self._slowed = SLOWED if isinstance(wrong, Busy) else 0.0
            return None if moving is None else await self._instead(deal, moving)
        if self._services.thought is not None:
            self._services.thought(level, time.perf_counter() - begun)
        return None if answer is None else BotAct(*answer)

    def _log_failure(self, wrong: Exception) -> None:
        if isinstance(wrong, Busy):  # as it should be when too much is asked for; the table is told
            log.info("a bot gets no time", table=self._id)
        else:
            notes = getattr(wrong, "__notes__", [])  # where in the worker
            log.error("a bot has failed", table=self._id, notes=notes, **where(wrong))

    async def _instead(self, deal: LiveDeal, moving: View) -> BotAct:
        """What is done for a bot that has failed or gets no time; nothing, if all fail who stand in for it.

        They answer in a few milliseconds. Where no worker does that either, they do it in a thread of this process.
        """
        try:
            chosen = await self._services.workers.run_for(self.asker, "simple", stand_in, moving)
            deal.attempt(moving.seat, chosen[0])
        except Exception as wrong:
            self._log_failure(wrong)
        else:
            return BotAct(moving.seat, *chosen)
        for player in await asyncio.to_thread(stand_ins, moving.game):
            try:
                advice = await asyncio.to_thread(player.choose, moving, random.Random())
                what = moving.position.spell(advice.what)
                deal.attempt(moving.seat, what)
            except Exception as wrong:
                log.error("a bot's stand-in has failed", table=self._id, player=player.name, **where(wrong))
            else:
                return BotAct(moving.seat, what, "network" if isinstance(player, Net) else "rulebook")
        return BotAct(moving.seat, "", "first")

    async def _quiet_until(self, due: float) -> bool:
        """Wait until a moment; False as soon as something else happens."""
        try:
            async with asyncio.timeout(max(0.0, due - time.monotonic())):  # wait_for may swallow a cancellation
                await self._something.wait()
        except TimeoutError:
            return True
        return False

    def _lawful(self, deal: LiveDeal, act: BotAct) -> Sequence[Event]:
        """What the bot does; if even its stand-ins find nothing lawful, the first thing that is: the table plays on."""
        if act.what:
            try:
                return in_place_of(deal.attempt(act.seat, act.what), act.chosen)
            except Declined as wrong:
                log.error("a bot was refused", table=self._id, code=wrong.refusal.code, rule=wrong.refusal.rule)
        turn = deal.position.turn
        return () if turn is None else in_place_of(deal.attempt(turn, first_legal(deal.position)), "first")


# -- whom to ask, and what is done without asking anybody


def _may_break_in(position: Position) -> list[int]:
    """The seats that have something lawful to say out of turn; beside the play also the one to move."""
    if strategy_of(position.game).interject is nothing_to_say:
        return []
    others = [seat for seat in position.speakers if not (position.talking and seat == position.turn)]
    return [seat for seat in others if any(True for _ in position.floor(seat).calls(position.hands[seat]))]


def first_legal(position: Position) -> str:
    """What is done where a bot fails and all who stand in for it: the first thing that is legal."""
    return position.legal_calls[0] if position.talking else position.spell(next(iter(position.legal_plays)))


def kitty_call(deal: LiveDeal) -> str | None:
    """The call that is nobody's choice, since the kitty decides it; the table makes it.

    Where several cards could be the first it is chance which one is, as at a table: were it always the same one, all
    would know which others are not there. The chance is the deal's own, so that a deal dealt again comes to the same.
    """
    position, talk = deal.position, deal.position.talk
    if not position.talking or talk is None or not talk.on_kitty:
        return None
    return talk.chance(known_cards(position.kitty), random.Random(f"{deal.fair or deal.seed} kitty"))
