"""What is backed up is there again, what has expired goes, and what was played stays until its people delete it."""

import asyncio
import gzip
import os
import random
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed

from renege.server.http.rate_limits import ServerLimits
from renege.server.http.settings import Settings
from renege.server.store import housekeeping, schema
from renege.server.store.backup import read_backup, write_backup
from renege.server.store.store import Store
from renege.server.tables.registry import TableRegistry, is_played
from support.postgres import Cluster
from support.served import WAIT, Served, refused, serve
from support.table_registry import FOUR_PEOPLE, SLOW, Scene, four_people, new, play_deal

DAY = 24 * 3600
KEY = b"k" * 32


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()


def rows(engine: sa.Engine) -> list[list[tuple[object, ...]]]:
    with engine.connect() as connection:
        return [
            [tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key.columns))]
            for table in (schema.tables, schema.events, schema.records)
        ]


def aged(url: str, days: float) -> None:
    """All that is kept is so much older now."""
    engine, of = schema.open_database(url), schema.records.c
    with schema.writing(engine).begin() as connection:
        connection.execute(sa.update(schema.events).values(at=schema.events.c.at - days * DAY))
        connection.execute(sa.update(schema.records).values(created=of.created - days * DAY, used=of.used - days * DAY))
    engine.dispose()


def one_of_each(scene: Scene) -> dict[str, str]:
    """A table where a deal was finished, one where two were dealt, one in the middle, and one that was never full."""
    ids: dict[str, str] = {}

    async def play(registry: TableRegistry) -> None:
        finished, _ = await registry.make(new("texas42"), "anna")
        await play_deal(finished, {0: random.Random(1)})
        two, _ = await registry.make(new("texas42"), "anna")
        await play_deal(two, {0: random.Random(2)})
        await two.next(0, two.number)
        half = await four_people(registry, "texas42")
        waiting, _ = await registry.make(new("schafkopf", pace=SLOW, **FOUR_PEOPLE), "berta")
        ids.update(finished=finished.id, two=two.id, half=half.id, waiting=waiting.id)
        await registry._services.store.put_record("a record ä", "address")

    scene.play(play)
    return ids


def test_a_backup_comes_back_row_by_row(url: str, scene: Scene, tmp_path: Path) -> None:
    one_of_each(Scene(url, scene.workers))
    engine = schema.open_database(url)
    kept = rows(engine)
    for name in ("plain.jsonl", "packed.gz"):
        file = tmp_path / name
        contents = write_backup(engine, KEY, file)
        assert (contents.table, contents.event, contents.record) == tuple(map(len, kept))
        assert os.name != "posix" or stat.S_IMODE(os.stat(file).st_mode) == 0o600
        again, keys = schema.open_database(f"sqlite:///{tmp_path / name}.db"), list[bytes]()
        assert read_backup(file, again, keys.append) == contents
        assert rows(again) == kept and keys == [KEY]
        with pytest.raises(ValueError, match="games in this database already"):
            read_backup(file, again, keys.append)
        again.dispose()
    engine.dispose()


def test_a_backup_goes_into_postgresql_too(scene: Scene, cluster: Cluster, tmp_path: Path) -> None:
    one_of_each(scene)
    engine, other = schema.open_database(scene.url), schema.open_database(cluster.new_database())
    write_backup(engine, KEY, tmp_path / "backup")
    read_backup(tmp_path / "backup", other, lambda _: None)
    assert rows(other) == rows(engine)
    engine.dispose()
    other.dispose()


def test_a_damaged_backup_restores_nothing(scene: Scene, tmp_path: Path) -> None:
    one_of_each(scene)
    engine = schema.open_database(scene.url)
    write_backup(engine, KEY, tmp_path / "good")
    good = (tmp_path / "good").read_bytes()
    lines = good.splitlines(keepends=True)
    wrong = {
        "cut": good[: len(good) // 2],
        "without its end": b"".join(lines[:-1]),
        "a line less": b"".join(lines[:3] + lines[4:]),
        "a card changed": good.replace(b"6-4", b"6-5", 1),
        "more after its end": good + lines[1],
        "packed and cut": gzip.compress(good)[:-20],
        "something else": b'{"format": "shopping"}\n',
        "empty": b"",
        "newer": good.replace(b'"version": 1', b'"version": 2', 1),
        "a list": b"[]\n",
    }
    for name, text in wrong.items():
        assert text != good
        (tmp_path / name).write_bytes(text)
        fresh = schema.open_database(f"sqlite:///{tmp_path / name}.db")
        with pytest.raises(ValueError, match=r"damaged|no backup|newer"):
            read_backup(tmp_path / name, fresh, lambda _: None)
        assert rows(fresh) == [[], [], []]
        fresh.dispose()
    engine.dispose()


def test_what_nobody_finished_goes_and_what_was_played_stays(url: str, scene: Scene) -> None:
    ids = one_of_each(Scene(url, scene.workers))
    engine = schema.open_database(url)
    assert housekeeping.prune(engine, is_played) == housekeeping.Pruned()
    aged(url, 31)
    before = housekeeping.usage(engine)
    dry = housekeeping.prune(engine, is_played, dry_run=True)
    assert dry.tables == 2 and dry.events and dry.event_bytes > 500 and dry.records == 0
    assert rows(engine)[0] and housekeeping.usage(engine).events == before.events
    assert housekeeping.prune(engine, is_played, spared={ids["half"], ids["waiting"]}).tables == 0
    assert housekeeping.prune(engine, is_played) == dry
    assert {row[0] for row in rows(engine)[0]} == {ids["finished"], ids["two"]}
    after = housekeeping.usage(engine)
    assert after.tables == 2 and after.events == before.events - dry.events and after.records == 1
    assert after.event_bytes == before.event_bytes - dry.event_bytes and after.disk > 0
    aged(url, 60)
    gone = housekeeping.prune(engine, is_played)
    assert (gone.tables, gone.records, gone.record_bytes) == (0, 1, len("a record ä".encode()))
    housekeeping.shrink(engine)
    engine.dispose()


def test_a_record_that_somebody_looks_at_stays(scene: Scene) -> None:
    async def looked(key: str | None) -> str:
        store = Store(scene.url)
        try:
            key = await store.put_record("text") if key is None else key
            assert await store.record(key) == "text"
            return key
        finally:
            await store.close()

    key = asyncio.run(looked(None))
    aged(scene.url, 80)
    asyncio.run(looked(key))
    aged(scene.url, 20)  # pasted 100 days ago, looked at 20 days ago
    engine = schema.open_database(scene.url)
    assert housekeeping.prune(engine, is_played).records == 0
    aged(scene.url, 71)
    assert housekeeping.prune(engine, is_played).records == 1
    engine.dispose()


# -- over HTTP


def test_people_delete_their_tables(served: Served) -> None:
    person, other = served.person(), served.client()
    at = f"/api/tables/{person.table}"
    assert other.post("/api/tables", json={"game": "texas42"}).is_success
    refused(other.delete(at), 403, "not yours")
    refused(served.client().delete(at), 403, "not yours")
    with person.socket() as line:
        assert person.client.delete(at).status_code == 204
        with suppress(ConnectionClosed):
            while True:  # it may have been told of bots before
                line.recv(timeout=WAIT)
        assert line.close_code == 4003
    refused(person.client.get(at), 404)
    refused(person.client.delete(at), 404)


def test_a_table_goes_with_the_last_who_has_it(served: Served) -> None:
    host, guest = served.person(seats=["me", "open", "simple", "simple"]), served.client()
    at = f"/api/tables/{host.table}"
    assert guest.post(f"{at}/seats/1", json={"name": "Bert"}).is_success
    assert host.client.delete(at).status_code == 204
    assert all(card["table"] != host.table for card in host.client.get("/api/tables").json())
    assert [place["kind"] for place in guest.get(at).json()["places"]] == ["bot", "person", "bot", "bot"]
    refused(host.client.delete(at), 403, "not yours")
    assert guest.delete(at).status_code == 204
    refused(guest.get(at), 404)


def test_tables_that_were_only_begun_are_counted(tmp_path: Path) -> None:
    with serve(Settings(data=tmp_path, limits=ServerLimits(unplayed=3))) as running:
        client = running.client()
        made = [client.post("/api/tables", json={"game": "texas42", "pace": SLOW}) for _ in range(4)]
        assert [answer.status_code for answer in made] == [201] * 3 + [429]
        refused(made[3], 429, "delete some")
        assert client.delete(f"/api/tables/{made[0].json()['table']}").status_code == 204
        assert client.post("/api/tables", json={"game": "texas42"}).status_code == 201


def test_pasted_records_stop_at_the_quota(served: Served, tmp_path: Path) -> None:
    text = played_record(served)
    limits = ServerLimits(pasted=3 * len(text) + 100, all_pasted=10 * len(text))
    with serve(Settings(data=tmp_path, limits=limits)) as running:
        web = running.client()
        padded = [f"# {i}\n{text}" for i in range(5)]
        pasted = [web.post("/api/records", json={"text": one}) for one in padded]
        assert [answer.status_code for answer in pasted] == [200] * 3 + [429] * 2
        refused(pasted[4], 429, "from your address")
        assert web.post("/api/records", json={"text": padded[0]}).status_code == 200  # is there already


def played_record(served: Served) -> str:
    person = served.person()
    person.play_out()
    return person.get("/record").text


# -- the commands


def renege(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "renege", "table", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_commands_say_what_they_do(tmp_path: Path) -> None:
    data, other, file = tmp_path / "data", tmp_path / "other", tmp_path / "backup.gz"
    with serve(Settings(data=data)) as running:
        person = running.person()
        backed = renege("backup", file, "--data", data)
        assert backed.returncode == 0 and backed.stdout.startswith(f"{file}: 1 tables, "), backed.stderr
        again = renege("restore", file, "--data", data)
        assert again.returncode == 2 and "another server plays" in again.stderr
    assert renege("restore", file, "--data", other).stdout.startswith("restored 1 tables, ")
    assert (other / "secret").read_bytes() == (data / "secret").read_bytes()
    again = renege("restore", file, "--data", other)
    assert again.returncode == 2 and "already" in again.stderr and again.stderr.count("\n") == 1
    with serve(Settings(data=other)) as running:
        seat = {"x-seat-token": person.token}
        shown = running.client().get(f"/api/tables/{person.table}/state?seat=0", headers=seat)
        assert shown.status_code == 200 and shown.json()["me"] == 0
    would = renege("prune", "--data", other, "--table-days", "0", "--dry-run")
    assert would.stdout.startswith("would delete: 1 tables with ") and "kept: 1 tables" in would.stdout
    done = renege("prune", "--data", other, "--table-days", "0")
    assert done.stdout.startswith("deleted: 1 tables with ") and "kept: 0 tables" in done.stdout
    none = renege("backup", file, "--data", tmp_path / "nowhere")
    assert none.returncode == 2 and "there are no games in" in none.stderr and not (tmp_path / "nowhere").exists()
