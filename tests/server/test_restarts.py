"""Is a table found again as it was: after a restart, by another server, and when the store fails?"""

import asyncio
import random
from contextlib import suppress
from typing import Any

import pytest

from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.trick import Play
from renege.server.store.store import Store, StoreError
from renege.server.tables.events import ActEvent, read_event
from renege.server.tables.registry import Declined, NoTable, Table, TableRegistry
from renege.server.workers.pool import Workers
from support.postgres import Cluster
from support.table_registry import (
    GAMES,
    SLOW,
    Scene,
    any_act,
    four_people,
    is_asked,
    new,
    play_deal,
    record_of,
    refused,
    seen,
    until,
)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_found_again_as_it_was(scene: Scene, game: str) -> None:
    """Stopped at random moments, a table is built from its events to the same thing for everybody."""
    rng = random.Random(11)
    known: dict[str, Any] = {}

    async def begin(registry: TableRegistry) -> None:
        table = await four_people(registry, game)
        known["id"], known["seen"] = table.id, seen(table)

    async def go_on(registry: TableRegistry) -> None:
        table = await registry.find(known["id"])
        assert seen(table) == known["seen"]
        for _ in range(rng.randint(1, 25)):
            if table.phase in ("over", "won"):
                await table.next(0, table.number)
                continue
            turn = table.view(0).position.turn
            assert turn is not None
            with suppress(Declined):
                await table.act(turn, any_act(table, turn, rng), table.number)
        if rng.random() < 0.3:
            guest = table.owner(3) or ""
            await table.leave(3, guest)
            await table.sit(3, f"new{table.number}" if table.phase in ("over", "won") else guest, "New")
        known["seen"] = seen(table)

    scene.play(begin)
    for _ in range(8):
        scene.play(go_on)


def test_bots_go_on_by_themselves_after_a_restart(scene: Scene) -> None:
    known: dict[str, Any] = {}

    async def begin(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=SLOW, seats=["simple", "simple", "simple", "me"]), "g")
        known["id"], known["number"] = table.id, table.number

    async def go_on(registry: TableRegistry) -> None:
        table = await registry.find(known["id"])
        assert table.number == known["number"] and table.idle  # nobody has come
        await registry.resume()
        await until(lambda: not table.idle)

    scene.play(begin)
    scene.play(go_on)


def test_bots_act_when_somebody_comes_back(scene: Scene) -> None:
    known: dict[str, Any] = {}

    async def begin(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", seats=["simple", "simple", "simple", "me"]), "g")
        known["id"] = table.id
        await until(lambda: is_asked(table, 3))
        await table.act(3, "pass", table.number)
        known["number"] = table.number

    async def go_on(registry: TableRegistry) -> None:
        table = await registry.find(known["id"])
        async with table.subscribe(3) as news:
            while table.number <= known["number"]:
                await news.next()

    scene.play(begin)
    scene.play(go_on)


def test_a_forgotten_table_is_found_again(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        busy = await four_people(registry, "texas42")
        assert len(registry) == 2
        before = seen(table)
        async with busy.subscribe(0):
            registry.forget(3600)
            assert len(registry) == 2
            registry.forget(0)
            assert len(registry) == 1 and await registry.find(busy.id) is busy
        again, same = await asyncio.gather(registry.find(table.id), registry.find(table.id))
        assert again is same is not table
        assert seen(again) == before
        with pytest.raises(NoTable):
            await registry.find("nowhere")

    scene.play(play)


def test_on_postgresql_too(cluster: Cluster, workers: Workers) -> None:
    there = Scene(cluster.new_database(), workers)
    known: dict[str, Any] = {}

    async def begin(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("schafkopf"), "g")
        await play_deal(table, {0: random.Random(2)})
        known["id"], known["seen"] = table.id, seen(table)

    async def go_on(registry: TableRegistry) -> None:
        table = await registry.find(known["id"])
        assert seen(table) == known["seen"]
        assert [found.id for found in await registry.tables_of("g")] == [table.id]
        await table.next(0, table.number)
        await play_deal(table, {0: random.Random(2)})

    there.play(begin)
    there.play(go_on)


def test_a_hall_closes_in_the_middle_of_everything(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        await scene.workers.run_in("simple", abs, 1)
        rng = random.Random(1)
        for _ in range(40):
            busy = TableRegistry(registry._services.store, scene.workers, seed=1)
            for _ in range(4):
                await busy.make(new("schafkopf", seats=["simple", "simple", "simple", "me"]), "g")
            await asyncio.sleep(rng.random() / 50)
            await asyncio.wait_for(busy.close(), 5)

    scene.play(play)


def test_two_servers_at_one_table(scene: Scene) -> None:
    """The second to act is told so, and catches up; nothing is mixed."""

    async def play(registry: TableRegistry) -> None:
        second_store = Store(scene.url)
        second = TableRegistry(second_store, scene.workers, seed=1)
        here = await four_people(registry, "texas42")
        there = await second.find(here.id)
        turn = here.view(0).position.turn
        assert turn is not None
        await here.act(turn, "30", here.number)
        async with there.subscribe(0) as news:
            with pytest.raises(Declined, match="the table has moved on"):
                await there.act(turn, "pass", there.number)
            assert await news.next() == here.number
        assert seen(there) == seen(here)
        assert (await refused(there.act(turn, "pass", there.number - 1))).code == "stale"
        await there.act((turn + 1) % 4, "pass", there.number)
        with pytest.raises(Declined, match="the table has moved on"):
            await here.act((turn + 1) % 4, "31", here.number)
        assert seen(there) == seen(here)
        await second.close()
        await second_store.close()

    scene.play(play)


def test_what_cannot_be_kept_did_not_happen(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        before = seen(table)
        turn = table.view(0).position.turn
        assert turn is not None
        await registry._services.store.close()
        with pytest.raises(StoreError):
            await table.act(turn, "pass", table.number)
        assert seen(table) == before
        with pytest.raises(StoreError):
            await registry.make(new("texas42"), "g")
        assert len(registry) == 1

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_any_order_of_acts_leaves_a_log_that_reads_back(scene: Scene, game: str) -> None:
    """People who try everything at once, out of turn and too late: the log has what was accepted and nothing else."""

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new(game, pace=1, seats=["me", "open", "simple", "simple"]), "g0")
        await table.sit(1, "g1", "Max")
        accepted: list[int] = []

        async def pester(seat: int, rng: random.Random) -> None:
            while table.phase in ("talk", "play"):
                view, at = table.view(seat), table.number - (rng.random() < 0.2)
                speaks = view.position.talking and seat in view.position.speakers
                calls = (view.legal_calls if speaks else ()) or ("pass",)
                what = any_act(table, seat, rng) if is_asked(table, seat) else rng.choice(calls)
                with suppress(Declined):
                    await table.act(seat, what, at)
                    accepted.append(seat)
                await asyncio.sleep(0)

        await asyncio.gather(*(pester(seat, random.Random(i)) for i, seat in enumerate((0, 1, 0, 1))))
        kept = [read_event(event.text) for event in await registry._services.store.events(table.id)]
        acts = [event for event in kept if isinstance(event, ActEvent)]
        assert sorted(act.seat for act in acts if act.seat < 2 and not act.what.startswith("turn")) == sorted(accepted)
        record = record_of(table)
        assert [(act.seat, act.what) for act in acts] == [
            (act.seat, act.what if isinstance(act.what, str) else _spelled(table, act.what)) for act in record.acts
        ]
        Arbiter.resume(record)
        assert all(isinstance(hand, Cards) for hand in record.start.hands)

    def _spelled(table: Table, what: Play) -> str:
        order = table.view(0).position.order
        assert order is not None
        return table.game.write_play(what, order)

    scene.play(play)
