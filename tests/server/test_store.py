"""Is what was kept there, is it there once, and does one failure stay alone?"""

import asyncio
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, select

from renege.server.store import schema
from renege.server.store.store import NumberTaken, Store, StoreError, _Append
from support.postgres import Cluster

MADE = {"kind": "made", "game": "texas42", "rules": {"target": "3"}, "guest": "g1"}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.db'}"
    return request.getfixturevalue("cluster").new_database()


def with_store(url: str, use: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = Store(url)
        try:
            await use(store)
        finally:
            await store.close()

    asyncio.run(run())


def act(seat: int, what: str = "pass") -> dict[str, Any]:
    return {"kind": "act", "seat": seat, "what": what}


def test_events_come_back_in_order(url: str) -> None:
    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE, {"kind": "sat", "seat": 0, "guest": "g1", "name": "Zoë 王"}])
        await store.append("t1", 3, [act(0)])
        await store.append("t1", 4, [act(1), act(2)])
        kept = await store.events("t1")
        assert [event.number for event in kept] == [1, 2, 3, 4, 5]
        assert json.loads(kept[0].text) == MADE
        assert json.loads(kept[1].text)["name"] == "Zoë 王"
        assert [json.loads(event.text)["seat"] for event in await store.events("t1", after=3)] == [1, 2]
        assert abs(kept[0].at - time.time()) < 60

    with_store(url, use)


def test_a_table_is_there_as_it_was_made(url: str) -> None:
    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE])
        with store._engine.connect() as connection:
            row = connection.execute(select(schema.tables)).one()
        assert (row.id, row.game, row.rules) == ("t1", "texas42", '{"target": "3"}')
        assert await store.events("t2") == []

    with_store(url, use)


def test_it_is_all_there_when_it_is_opened_again(url: str) -> None:
    async def write(store: Store) -> None:
        await store.append("t1", 1, [MADE, act(0)])

    async def read(store: Store) -> None:
        assert len(await store.events("t1")) == 2
        await store.append("t1", 3, [act(1)])

    with_store(url, write)
    with_store(url, read)


def test_waiting_appends_share_a_transaction(url: str) -> None:
    async def use(store: Store) -> None:
        commits: list[object] = []
        event.listen(store._writing, "commit", commits.append)
        tables = [f"t{i}" for i in range(200)]
        await asyncio.gather(*(store.append(table, 1, [MADE]) for table in tables))
        assert 1 <= len(commits) < 100
        for table in tables:
            assert len(await store.events(table)) == 1

    with_store(url, use)


def test_one_failure_stays_alone(url: str) -> None:
    async def use(store: Store) -> None:
        await store.append("t0", 1, [MADE, act(0)])
        others = [store.append(f"t{i}", 1, [MADE]) for i in range(1, 30)]
        twice = store.append("t0", 2, [act(1)])
        nowhere = store.append("nowhere", 5, [act(1)])
        results = await asyncio.gather(
            *others[:10], twice, *others[10:20], nowhere, *others[20:], return_exceptions=True
        )
        failures = [result for result in results if result is not None]
        assert [type(failure) for failure in failures] == [NumberTaken, StoreError]
        assert "somebody else has this table open" in str(failures[0])
        assert "no such table" in str(failures[1])
        for i in range(1, 30):
            assert len(await store.events(f"t{i}")) == 1
        assert [json.loads(kept.text)["seat"] for kept in await store.events("t0", after=1)] == [0]

    with_store(url, use)


def test_events_that_come_together_are_kept_together_or_not_at_all(url: str) -> None:
    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE, act(0), act(1)])
        with pytest.raises(NumberTaken):
            await store.append("t1", 3, [act(2), act(3)])
        assert len(await store.events("t1")) == 3
        await store.append("t1", 4, [act(2), act(3)])
        assert len(await store.events("t1")) == 5

    with_store(url, use)


def test_a_commit_that_we_did_not_hear_of_is_no_failure(url: str) -> None:
    """The connection may be lost between the commit and the answer; tried again, the rows are there already."""

    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE])
        loop = asyncio.get_running_loop()
        row = {"table_id": "t1", "number": 2, "body": "{}", "at": 12345.678901, "guest": None}
        ours, other = (_Append(None, [row | {"at": at}], loop, loop.create_future()) for at in (12345.678901, 99.5))
        await asyncio.to_thread(store._commit, [ours])
        await asyncio.to_thread(store._commit, [ours])
        await asyncio.to_thread(store._commit, [other])
        assert ours.failure is None
        assert isinstance(other.failure, NumberTaken)
        assert len(await store.events("t1")) == 2

    with_store(url, use)


def test_two_servers_do_not_mix_their_events(url: str) -> None:
    async def use(store: Store) -> None:
        second = Store(url)
        await store.append("t1", 1, [MADE])

        async def write(mine: Store, seat: int) -> int:
            done = 0
            for number in range(2, 60):
                try:
                    await mine.append("t1", number, [act(seat)])
                    done += 1
                except NumberTaken:
                    pass
            return done

        done = await asyncio.gather(write(store, 0), write(second, 1))
        kept = await second.events("t1", after=1)
        assert [event.number for event in kept] == list(range(2, 60))
        assert [sum(json.loads(event.text)["seat"] == seat for event in kept) for seat in (0, 1)] == done
        await second.close()

    with_store(url, use)


def test_servers_that_start_together_make_the_database_once(url: str) -> None:
    program = f"from renege.server.store.store import Store; print('ready', flush=True); input(); Store({url!r})"
    command, pipe = [sys.executable, "-c", program], subprocess.PIPE
    started = [subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(4)]
    for process in started:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in started:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said


def test_the_migrations_make_what_the_queries_name(url: str) -> None:
    async def use(store: Store) -> None:
        with store._engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []

    with_store(url, use)


def test_the_tables_of_a_guest_come_last_touched_first(url: str) -> None:
    async def use(store: Store) -> None:
        for table in ("t1", "t2", "t3"):
            await store.append(table, 1, [MADE | {"guest": "g1" if table != "t2" else "g2"}])
            await asyncio.sleep(0.01)
        await store.append("t2", 2, [{"kind": "sat", "seat": 1, "guest": "g1", "name": "x"}])
        await asyncio.sleep(0.01)
        before = time.time()
        await asyncio.sleep(0.01)
        await store.append("t1", 2, [act(0)])
        assert await store.tables_of("g1") == ["t1", "t2", "t3"]
        assert await store.tables_of("g1", most=1) == ["t1"]
        assert await store.tables_of("g2") == ["t2"]
        assert await store.tables_of("nobody") == []
        assert await store.touched_since(before) == ["t1"]
        assert sorted(await store.touched_since(0)) == ["t1", "t2", "t3"]

    with_store(url, use)


def test_a_pasted_record_has_one_id(url: str) -> None:
    async def use(store: Store) -> None:
        first, again, other = await asyncio.gather(
            store.put_record("renege record 1\n"), store.put_record("renege record 1\n"), store.put_record("another")
        )
        assert first == again != other
        assert await store.record(first) == "renege record 1\n"
        assert await store.record("0" * 16) is None

    with_store(url, use)


def test_a_closed_store_says_so(url: str) -> None:
    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE])
        await store.ping()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.append("t1", 2, [act(0)])

    with_store(url, use)


def test_what_is_waiting_is_written_before_it_closes(url: str) -> None:
    async def write(store: Store) -> None:
        waiting = [asyncio.ensure_future(store.append(f"t{i}", 1, [MADE])) for i in range(20)]
        await asyncio.sleep(0)
        await store.close()
        await asyncio.gather(*waiting)

    async def read(store: Store) -> None:
        assert len(await store.touched_since(0)) == 20

    with_store(url, write)
    with_store(url, read)


def test_a_full_disk_fails_what_does_not_fit(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        await store.append("t0", 1, [MADE])

        @event.listens_for(store._engine, "connect")
        def bound(connection: sqlite3.Connection, _: object) -> None:
            connection.execute("PRAGMA max_page_count = 100")

        store._engine.dispose()
        big = store.append("t0", 2, [act(0, "x" * 2_000_000)])
        small = [store.append(f"t{i}", 1, [MADE]) for i in range(1, 20)]
        results = await asyncio.gather(*small[:10], big, *small[10:], return_exceptions=True)
        failures = [result for result in results if result is not None]
        assert len(failures) == 1
        assert type(failures[0]) is StoreError and "full" in str(failures[0])
        assert "INSERT" not in str(failures[0])
        for i in range(20):
            assert len(await store.events(f"t{i}")) == 1

    with_store(f"sqlite:///{tmp_path / 'tables.db'}", use)


def test_a_commit_is_on_disk_and_readers_do_not_wait(tmp_path: Path) -> None:
    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE])
        with store._engine.connect() as connection:
            settings = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")
            ]
            assert settings == ["wal", 2]  # FULL
            assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        with store._writing.begin():  # somebody writes for long
            waiting = asyncio.ensure_future(store.append("t1", 2, [act(0)]))
            assert len(await asyncio.wait_for(store.events("t1"), 2)) == 1
            assert not waiting.done()
        await waiting

    with_store(f"sqlite:///{tmp_path / 'tables.db'}", use)


def test_a_database_that_was_gone_is_used_again(cluster: Cluster) -> None:
    async def use(store: Store) -> None:
        await store.append("t1", 1, [MADE])
        cluster.stop()
        try:
            with pytest.raises(StoreError, match="cannot be written") as wrong:
                await store.append("t1", 2, [act(0)])
            assert "INSERT" not in str(wrong.value)
            with pytest.raises(StoreError):
                await store.events("t1")
        finally:
            cluster.start()
        await store.append("t1", 2, [act(1)])
        assert [json.loads(kept.text).get("seat") for kept in await store.events("t1")] == [None, 1]

    with_store(cluster.new_database(), use)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("sqlite:////no/such/folder/tables.db", "cannot be opened"),
        ("postgresql://nobody@/x?host=/no/such/folder", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened_says_why(url: str, why: str) -> None:
    with pytest.raises(StoreError, match=why):
        Store(url)


def test_only_databases_that_we_know_are_used() -> None:
    with pytest.raises(ValueError, match="mysql is no database for tables"):
        Store("mysql://x/y")
