"""A hall without a server: tables that are made, played at and found again, and the people who do that."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from renege.core.record import Record
from renege.core.registry import find_game
from renege.server.messages import NewTable
from renege.server.store.store import Store
from renege.server.tables.chance import Source
from renege.server.tables.events import Made, Sat, write_event
from renege.server.tables.live import deal_event
from renege.server.tables.registry import Declined, Table, TableRegistry
from renege.server.tables.state import TableState
from renege.server.workers.pool import Workers

GAMES = ("texas42", "tractor", "schafkopf")
PATIENCE = 60  # seconds


class Scene:
    """A database and those who come to play there."""

    def __init__(self, url: str, workers: Workers) -> None:
        self.url = url
        self.workers = workers

    def play(self, scene: Callable[[TableRegistry], Awaitable[None]], *, seed: int | None = 1) -> None:
        """Open a hall, play the scene, close the hall."""

        async def run() -> None:
            store = Store(self.url)
            registry = TableRegistry(store, self.workers, seed=seed)
            try:
                await asyncio.wait_for(scene(registry), PATIENCE)
            finally:
                await registry.close()
                await store.close()

        asyncio.run(run())


def new(game: Any, *, pace: int = 0, **more: Any) -> NewTable:
    """A form as a client sends it: whether the game is one is for the form to say."""
    return NewTable(game=game, name="Zoë", pace=pace, **more)


FOUR_PEOPLE = {"seats": ["me", "open", "open", "open"]}
SLOW = 5000  # bots that do not act while a test looks


async def four_people(registry: TableRegistry, game: str, **more: Any) -> Table:
    """A table without bots, where all that happens is what the test does."""
    table, _ = await registry.make(new(game, **FOUR_PEOPLE, **more), "g0")
    for seat in (1, 2, 3):
        await table.sit(seat, f"g{seat}", f"P{seat}")
    return table


def is_asked(table: Table, seat: int) -> bool:
    position = table.view(seat).position
    return position.turn == seat and not (position.talking and position.talk is not None and position.talk.on_kitty)


def record_of(table: Table) -> Record:
    """The deal that is played, with all hands."""
    assert table.deal is not None
    return table.deal.record


def may_undo(table: Table, seat: int) -> bool:
    return table.undo_to(seat) is not None


def any_act(table: Table, seat: int, rng: random.Random) -> str:
    """Something lawful, as far as the seat can know."""
    view = table.view(seat)
    if view.position.talking:
        return rng.choice(view.legal_calls)
    assert view.position.order is not None
    return view.game.write_play(view.legal_plays.choose(rng), view.position.order)


async def play_deal(table: Table, people: dict[int, random.Random], watch: Callable[[], None] = lambda: None) -> None:
    """People who do anything lawful, until the deal is over."""
    async with table.subscribe(min(people)) as news:
        while table.phase in ("talk", "play"):
            seat = next((seat for seat in people if is_asked(table, seat)), None)
            if seat is None:
                await news.next()
                continue
            with suppress(Declined):  # a lead that other hands refuse
                await table.act(seat, any_act(table, seat, people[seat]), table.number)
            watch()


async def until(ready: Callable[[], bool]) -> None:
    while not ready():
        await asyncio.sleep(0.01)


async def refused(doing: Awaitable[None]) -> Any:
    with pytest.raises(Declined) as no:
        await doing
    return no.value.refusal


def seen(table: Table) -> list[Any]:
    """All that anybody is shown, in every way there is."""
    seats = [0, 1, 2, 3, None]
    views = [table.public() if seat is None else table.view(seat) for seat in seats]
    told = [[event.model_dump() for event in table.events(seat, 0, "en")()] for seat in seats]
    states = [without_watch(table.state(seat, "de").model_dump()) for seat in seats]
    return [table.number, table.deal_number, table.phase, views, [view.position for view in views], told, states]


def without_watch(state: dict[str, Any]) -> dict[str, Any]:
    """A state without what the watch says: since when somebody is away, and how long the table has waited."""
    state["people"]["clock"] = None
    for seat in state["seats"]:
        seat["place"]["away_since"] = None
    return state


async def at_the_first_lead(registry: TableRegistry, seed: int = 4, **rules: str) -> Table:
    """Tractor, seat 0 has the bank and has buried; all others are slow bots."""
    story = TableState(
        Made("tractor", find_game("tractor").version, rules, ("open", "simple", "simple", "simple"), SLOW, "g")
    )
    events: list[Any] = [story.made]
    for event in (Sat(0, "g", "Zoë"), deal_event(story.game, 1, Source(seed), story.game.opening, opens=True)):
        story.go_on(event)
        events.append(event)
    assert story.deal is not None
    while story.deal.position.talking:
        position = story.deal.position
        assert position.turn is not None
        acts = story.deal.attempt(position.turn, position.legal_calls[0])
        for act in acts:
            story.go_on(act)
            events.append(act)
    await registry._services.store.append(f"first{seed}", 1, [write_event(event) for event in events])
    return await registry.find(f"first{seed}")
