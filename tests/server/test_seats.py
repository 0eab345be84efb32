"""Who sits where: people come and go, bots take over, and nobody sees two hands of a deal."""

import asyncio
import random

from renege.server.tables.registry import TableRegistry
from support.table_registry import (
    SLOW,
    Scene,
    four_people,
    new,
    play_deal,
    refused,
    until,
)


def test_a_table_waits_for_people(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, seat = await registry.make(new("tractor", seats=["open", "me", "simple", "open"]), "g")
        assert (seat, table.phase, table.deal_number) == (1, "waiting", 0)
        assert [place.kind for place in table.places] == ["open", "person", "bot", "open"]
        assert table.state(1, "en").phase == "waiting" and table.state(None, "zh").hand == []
        assert (await refused(table.act(1, "pass", table.number))).code == "turn"
        assert (await refused(table.sit(1, "h", "Max"))).code == "seat"
        assert (await refused(table.sit(0, "g", "Zoë"))).code == "seat"  # one seat each
        number = table.number
        await table.sit(1, "g", "Zoë")  # sits there already
        assert table.number == number
        await table.sit(0, "h", "Max")
        assert table.phase == "waiting" and table.owner(0) == "h"
        assert (await refused(table.leave(0, "g"))).code == "seat"
        await table.leave(0, "h")
        assert table.places[0].kind == "open"
        await table.fill(table.number)
        assert table.phase == "talk" and table.deal_number == 1
        assert [place.kind for place in table.places] == ["bot", "person", "bot", "bot"]

    scene.play(play)


def test_a_bot_goes_on_for_who_leaves(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "schafkopf")
        await table.leave(2, "g2")
        assert table.places[2].kind == "bot" and table.places[2].level == "simple"
        assert (await refused(table.act(2, "pass", table.number))).code == "seat"
        await play_deal(table, {seat: random.Random(seat) for seat in (0, 1, 3)})
        assert table.phase == "over"
        await table.sit(2, "new", "Neu")
        assert table.owner(2) == "new"

    scene.play(play)


def test_nobody_sees_two_hands_of_a_deal(scene: Scene) -> None:
    """While cards are held, a seat is only for who had it in this deal."""

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=SLOW, seats=["me", "open", "simple", "simple"]), "g")
        await table.sit(1, "h", "Max")
        await table.leave(0, "g")
        for seat, guest in ((2, "g"), (0, "new"), (3, "new")):
            no = await refused(table.sit(seat, guest, "Zoë"))
            assert no.code == "seat" and "come back" in no.text
        await table.sit(0, "g", "Zoë")
        await table.leave(0, "g")
        registry.forget(0)
        table = await registry.find(table.id)  # it follows from the events
        assert (await refused(table.sit(2, "g", "Zoë"))).code == "seat"
        await table.sit(0, "g", "Zoë")

    scene.play(play)


def test_a_table_that_all_have_left_is_for_them_alone_while_a_deal_is_played(scene: Scene) -> None:
    """Whoever seems new may be one of them with another cookie, and would see a second hand."""

    async def state(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=5000), "ann")
        await table.leave(0, "ann")
        assert (await refused(table.sit(2, "ann", "Ann"))).code == "seat"  # she has seen a hand
        for seat in range(4):
            assert (await refused(table.sit(seat, "bob", "Bob"))).code == "seat"
        await table.sit(0, "ann", "Ann")

    scene.play(state)


def test_a_table_that_all_have_left_stops(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=30, seats=["simple", "simple", "simple", "me"]), "g")
        await table.leave(3, "g")
        await until(lambda: table.idle)
        number = table.number
        await asyncio.sleep(0.2)
        assert table.number == number and table.phase == "talk"
        await table.sit(3, "g", "Zoë")
        await until(lambda: table.number > number + 1)

    scene.play(play)


def test_the_tables_of_a_guest(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        first, _ = await registry.make(new("texas42", pace=SLOW), "g")
        second, _ = await registry.make(new("tractor", pace=SLOW, seats=["me", "open", "simple", "simple"]), "h")
        await second.sit(2, "g", "Zoë")  # a bot's seat, while the table still waits
        assert await registry.tables_of("g") == [second, first]
        await first.leave(0, "g")
        assert await registry.tables_of("g") == [second]
        assert await registry.tables_of("x") == []

    scene.play(play)
