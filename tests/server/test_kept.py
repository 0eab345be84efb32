"""What a table must not forget, and what it says when its events are damaged or their database has gone."""

import asyncio
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets.sync.client as sync
from sqlalchemy import select, update
from websockets.exceptions import InvalidStatus

from renege.core.position import View
from renege.core.registry import find_game
from renege.server.http.settings import Settings
from renege.server.store import schema
from renege.server.store.store import BrokenTable, Store, StoreError
from renege.server.tables.events import ActEvent, Refused, read_event, write_event
from renege.server.tables.registry import Table, TableRegistry
from support.served import Served, serve
from support.table_registry import SLOW, Scene, at_the_first_lead, four_people, record_of, refused

RECORD = next((Path(__file__).parents[1] / "data" / "golden").glob("texas42*"))
SPELLED = "another hand beats one of its units, and what it holds is not told"
ASKED = "a throw was refused at this lead, and now one unit alone may be led"


def stopped_throw(table: Table) -> str:
    """A throw from seat 0 that others stop, and of which it cannot know that; none: ''."""
    view, record = table.view(0), record_of(table)
    assert view.position.order is not None
    for play in view.legal_plays:
        if view.position.judge(play).legal is None and not record.position.judge(play):
            return view.game.write_play(play, view.position.order)
    return ""


def test_a_refused_throw_is_remembered_after_a_restart(scene: Scene) -> None:
    known: dict[str, Any] = {}

    async def begin(registry: TableRegistry) -> None:
        for seed in range(100):
            table = await at_the_first_lead(registry, seed, stopped_throw="refused")
            if what := stopped_throw(table):
                break
        else:
            raise LookupError("no such deal")
        at = table.number
        assert (await refused(table.act(0, what, at))).text == SPELLED
        assert table.number == at + 1
        told = table.events(1, at, "en")()
        assert [event.kind for event in told] == ["refused"] and told[0].what == ""
        assert told[0].text == "Zoë tries a throw, and another hand stops it"
        known.update(id=table.id, what=what)

    async def go_on(registry: TableRegistry) -> None:
        table = await registry.find(known["id"])
        no = await refused(table.act(0, known["what"], table.number))
        assert no.text == ASKED
        await table.act(0, no.instead, table.number)

    scene.play(begin)
    scene.play(go_on)


def test_a_refused_claim_is_remembered_after_a_restart(scene: Scene) -> None:
    known: dict[str, Any] = {}

    async def begin(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        while table.phase == "talk":
            view: View = table.view(0)
            turn = view.position.turn
            assert turn is not None
            await table.act(turn, table.view(turn).legal_calls[-1 if table.number > 8 else 0], table.number)
        seat = table.view(0).position.turn
        assert seat is not None
        at = table.number
        no = await refused(table.claim(seat, at))
        assert no.text.endswith("this seat cannot claim again in this deal") and no.rule
        assert table.number == at + 1 and not table.state(seat, "en").may_claim
        known.update(id=table.id, seat=seat, name=table.places[seat].name)

    async def go_on(registry: TableRegistry) -> None:
        table = await registry.find(known["id"])
        seat = known["seat"]
        assert not table.state(seat, "en").may_claim
        assert (await refused(table.claim(seat, table.number))).text == "this seat cannot claim again in this deal"
        last = table.events(None, table.number - 1, "en")()[-1]
        assert last.text == f"{known['name']} claims the rest, and the claim does not hold"

    scene.play(begin)
    scene.play(go_on)


def test_a_refusal_is_kept_as_json() -> None:
    event = read_event('{"kind": "refused", "seat": 1, "what": "throw", "rule": "tractor.throw-stopped"}')
    assert event == Refused(1, "throw", "tractor.throw-stopped")
    assert write_event(Refused(2, "claim")) == {"kind": "refused", "seat": 2, "what": "claim", "rule": ""}


# -- events that are missing or cannot be read


def damaged(served: Served, data: Path, statement: str) -> str:
    """A table of which the server has forgotten everything, after something was done to its rows."""
    person = served.person(pace=SLOW, seats=["me", "open", "open", "open"])
    for seat in (1, 2, 3):
        served.client().post(f"/api/tables/{person.table}/seats/{seat}", json={"name": f"P{seat}"})
    with closing(sqlite3.connect(data / "tables.sqlite")) as database:
        database.execute(statement, (person.table,))
        database.commit()
    return person.table


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM events WHERE table_id = ? AND number = 3", "event 3 of this table is missing in the database"),
        ("DELETE FROM events WHERE table_id = ? AND number = 1", "event 1 of this table is missing in the database"),
        ("UPDATE events SET body = '{' WHERE table_id = ? AND number = 2", "event 2 of this table cannot be read"),
        (
            "UPDATE events SET body = json_set(body, '$.game', 'gone') WHERE table_id = ? AND number = 1",
            "this table plays gone, which is not installed here; its events are kept",
        ),
        (
            "UPDATE events SET body = json_set(body, '$.version', 77) WHERE table_id = ? AND number = 1",
            f"this table is of version 77 of texas42, and we play version {find_game('texas42').version}",
        ),
        (
            """UPDATE events SET body = '{"kind": "undone", "seat": 0, "to": 1}' WHERE table_id = ? AND number = 1""",
            "the events of this table do not follow from each other",
        ),
    ],
)
def test_a_table_whose_events_are_damaged_says_so_and_no_other_table_suffers(
    tmp_path: Path, statement: str, says: str
) -> None:
    with serve(Settings(data=tmp_path)) as running:
        table = damaged(running, tmp_path, statement)
    with serve(Settings(data=tmp_path)) as running:
        for path in ("", "/state"):
            answer = running.client().get(f"/api/tables/{table}{path}")
            assert answer.status_code == 503 and says in answer.json()["detail"]
        german = running.client().get(f"/api/tables/{table}?lang=de").json()["detail"]
        assert any(words in german for words in ("dieses Tischs", "dieser Tisch", "diesem Tisch"))
        with pytest.raises(InvalidStatus) as denied:
            sync.connect(f"{running.url.replace('http', 'ws')}/api/tables/{table}/ws", open_timeout=20)
        assert denied.value.response.status_code == 503
        assert running.person().get("/state").status_code == 200
        assert running.client().get("/health").status_code == 200


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
@pytest.mark.parametrize("theirs", [1, 99])
def test_a_table_of_another_version_of_its_game_is_not_played_on(
    request: pytest.FixtureRequest, scene: Scene, database: str, theirs: int
) -> None:
    """It is refused with both versions, nothing of it is lost, and no other table suffers."""
    if database == "postgresql":
        scene = Scene(request.getfixturevalue("cluster").new_database(), scene.workers)
    ours, known = find_game("tractor").version, dict[str, str]()
    says = f"this table is of version {theirs} of tractor, and we play version {ours}; its events are kept, "

    async def begin(registry: TableRegistry) -> None:
        table, other = await four_people(registry, "tractor"), await four_people(registry, "texas42")
        known.update(old=table.id, other=other.id)

    def as_of_then() -> None:
        engine = schema.open_database(scene.url)
        first = (schema.events.c.table_id == known["old"]) & (schema.events.c.number == 1)
        with schema.writing(engine).begin() as connection:
            body = json.loads(connection.execute(select(schema.events.c.body).where(first)).scalar_one())
            assert body["version"] == ours
            connection.execute(update(schema.events).where(first).values(body=json.dumps(body | {"version": theirs})))
        engine.dispose()

    async def come_back(registry: TableRegistry) -> None:
        store = registry._services.store
        kept = await store.events(known["old"])
        for _ in range(2):
            with pytest.raises(BrokenTable) as wrong:
                await registry.find(known["old"])
            assert str(wrong.value).startswith(says)
        assert [table.id for table in await registry.tables_of("g0")] == [known["other"]]
        await registry.resume()
        assert (await registry.find(known["other"])).phase == "talk"
        assert await store.events(known["old"]) == kept

    scene.play(begin)
    as_of_then()
    scene.play(come_back)


def test_events_of_another_server_with_a_gap_are_not_taken_over(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        store = Store(scene.url)
        turn = table.view(0).position.turn
        assert turn is not None
        await store.append(table.id, table.number + 1, [write_event(ActEvent(turn, "pass"))])
        await store.append(table.id, table.number + 3, [write_event(ActEvent((turn + 2) % 4, "pass"))])
        await store.close()
        at = table.number
        with pytest.raises(BrokenTable, match=f"event {at + 2} of this table is missing"):
            await table.act(turn, "pass", at)
        assert table.number == at

    scene.play(play)


# -- a database that has gone


def test_nothing_is_acknowledged_once_the_file_of_the_database_has_gone(tmp_path: Path) -> None:
    with serve(Settings(data=tmp_path)) as running:
        person = running.person(pace=SLOW)
        file, away = tmp_path / "tables.sqlite", tmp_path / "away.sqlite"
        os.rename(file, away)
        answers: list[httpx.Response] = [
            running.client().post("/api/tables", json={"game": "texas42"}),
            person.client.delete(f"/api/tables/{person.table}/seats/0"),
            running.client().post("/api/records", json={"text": RECORD.read_text("utf-8")}),
            running.client().get("/health"),
        ]
        for answer in answers:
            assert answer.status_code == 503, answer.text
            assert answer.json()["detail"].lower().startswith("the games cannot be kept or read just now")
        os.rename(away, file)
        assert running.client().post("/api/tables", json={"game": "texas42"}).status_code == 201
        assert running.client().get("/health").status_code == 200


def test_a_store_whose_file_was_replaced_refuses_too(tmp_path: Path) -> None:
    async def run() -> None:
        file = tmp_path / "a.sqlite"
        store = Store(f"sqlite:///{file}")
        made = {"kind": "made", "game": "texas42", "rules": {}}
        await store.append("one", 1, [made])
        file.rename(tmp_path / "b.sqlite")
        file.write_bytes((tmp_path / "b.sqlite").read_bytes())  # a backup put in its place
        with pytest.raises(StoreError, match="the file of the database has gone"):
            await store.append("two", 1, [made])
        await store.close()

    asyncio.run(run())
