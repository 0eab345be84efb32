"""Where tables are kept: numbered events, committed before anybody hears of them.

One thread writes. All appends that wait while it is busy share the next transaction, so that a hundred tables cost
hardly more disk time than one; an append that cannot be done fails alone. Reads go through other threads, so the event
loop never waits for a disk. The key (table, number) is what keeps two servers on one database from mixing their events.
"""

import asyncio
import json
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, ParamSpec, TypeVar

from alembic.util import CommandError
from sqlalchemy import URL, Connection, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from renege.core.message import say
from renege.server.store import housekeeping, schema

P = ParamSpec("P")
Answer = TypeVar("Answer")
MOST_AT_ONCE = 500  # appends in one transaction
RECORD_ID = 16  # letters
GONE = "the file of the database has gone"


class StoreError(Exception):
    """Something could not be kept or read; the text is for a person."""


class NumberTaken(StoreError):
    """There is an event of that number already: somebody else has this table open."""


class BrokenTable(StoreError):
    """What is kept of a table does not make a table; the text says what is wrong, and quotes no card."""


class QuotaReached(Exception):
    """No more is kept of what is pasted: by this address, or by all."""

    def __init__(self, *, of_all: bool) -> None:
        super().__init__(of_all)
        self.of_all = of_all


class Quota(NamedTuple):
    """Bytes that are kept of what one address has pasted, and of what all have."""

    of_one: int
    of_all: int


class StoredEvent(NamedTuple):
    """An event as it is kept: its number, when it was committed, and what happened, as JSON."""

    number: int
    at: float
    text: str


class StoredRecovery(NamedTuple):
    """A recovery link as it is kept: the digest of its secret, and when it was made."""

    digest: str
    created: float


def unbroken(kept: Sequence[StoredEvent], after: int = 0) -> Sequence[StoredEvent]:
    """Events that follow each other from a number on; `BrokenTable` names the first that is missing."""
    for number, event in enumerate(kept, start=after + 1):
        if event.number != number:
            raise BrokenTable(
                say("event {n} of this table is missing in the database, so it cannot be played on", number)
            )
    return kept


@dataclass(slots=True)
class _Append:
    """Rows that go in together or not at all, and who waits for them."""

    table: dict[str, Any] | None
    events: list[dict[str, Any]]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]
    failure: StoreError | None = None

    def put(self, connection: Connection) -> None:
        if self.table is not None:
            connection.execute(insert(schema.tables), self.table)
        connection.execute(insert(schema.events), self.events)


def _in_thread(query: Callable[P, Answer]) -> Callable[P, Coroutine[Any, Any, Answer]]:
    """Let a method wait for the database in a thread of its own."""

    @wraps(query)
    async def asked(*args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return await asyncio.to_thread(query, *args, **kwargs)
        except SQLAlchemyError as wrong:
            raise StoreError(f"the database does not answer: {_told(wrong)}") from wrong

    return asked


class Store:
    """A database of tables. `close()` it when the last table is put away."""

    def __init__(self, url: str | URL) -> None:
        try:
            self._engine = schema.open_database(url)
        except CommandError:  # it names a step that is not among ours
            raise StoreError(
                "the database was made by a newer Renege: update this one, or use another by --data"
            ) from None
        except (SQLAlchemyError, OSError) as wrong:
            raise StoreError(f"the database cannot be opened: {_told(wrong)}") from wrong
        self._file = schema.file_of(self._engine)
        self._failing = False  # was the last thing not kept, through no fault of its own?
        self._writing = schema.writing(self._engine)
        self._waiting: SimpleQueue[_Append | None] = SimpleQueue()
        self._closed = False
        self._writer = Thread(target=self._write, name="renege-store", daemon=True)
        self._writer.start()

    async def close(self) -> None:
        """Write what is waiting, and let go of the database."""
        self._closed = True
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        self._engine.dispose()

    # -- writing

    async def append(
        self, table_id: str, first_number: int, events: Sequence[dict[str, Any]], asker: str | None = None
    ) -> None:
        """Add events to a table; returns when they are on disk. Number 1 makes the table and names its game.

        `asker` is on whose share it is made.
        """
        if self._closed:
            raise StoreError("the database is closed")
        now = time.time()
        table: dict[str, Any] | None = None
        if first_number == 1:
            made = events[0]
            rules = json.dumps(made["rules"])
            table = {"id": table_id, "game": made["game"], "rules": rules, "created": now, "asker": asker}
        rows = [
            {
                "table_id": table_id,
                "number": number,
                "body": json.dumps(body, ensure_ascii=False),
                "at": now,
                "guest": body.get("guest"),
            }
            for number, body in enumerate(events, start=first_number)
        ]
        loop = asyncio.get_running_loop()
        job = _Append(table, rows, loop, loop.create_future())
        self._waiting.put(job)
        await job.done

    def _write(self) -> None:
        while (first := self._waiting.get()) is not None:
            jobs, last = [first], False
            while len(jobs) < MOST_AT_ONCE and not self._waiting.empty():
                job = self._waiting.get()
                if job is None:
                    last = True
                    break
                jobs.append(job)
            self._commit(jobs)
            _tell(jobs)
            if last:
                return

    def _commit(self, jobs: list[_Append]) -> None:
        """All in one transaction; if that fails, each in its own, so that what is wrong with one harms no other."""
        if self._gone:
            for job in jobs:
                job.failure = StoreError(GONE)
            return
        try:
            with self._writing.begin() as connection:
                for job in jobs:
                    job.put(connection)
            self._failing = False
        except Exception:
            for job in jobs:
                job.failure = self._commit_alone(job)

    def _commit_alone(self, job: _Append) -> StoreError | None:
        try:
            with self._writing.begin() as connection:
                job.put(connection)
        except IntegrityError as wrong:
            if self._is_there(job):
                return None
            if "foreign key" in str(wrong.orig).lower():
                return StoreError("there is no such table")
            return NumberTaken("somebody else has this table open")
        except Exception as wrong:  # whatever it is, it must reach the one who waits and not end the thread
            self._failing = True
            return StoreError(f"the database cannot be written: {_told(wrong)}")
        self._failing = False
        return None

    def _is_there(self, job: _Append) -> bool:
        """Are these very rows there already? A connection may be lost after a commit, before we hear of it."""
        of, numbers = schema.events.c, [row["number"] for row in job.events]
        there = select(of.number, of.body, of.at).where(
            of.table_id == job.events[0]["table_id"], of.number.between(numbers[0], numbers[-1])
        )
        try:
            with self._engine.connect() as connection:
                found = {(row.number, row.body, row.at) for row in connection.execute(there)}
        except SQLAlchemyError:
            return False
        return found == {(row["number"], row["body"], row["at"]) for row in job.events}

    async def put_record(self, text: str, asker: str = "", quota: Quota | None = None) -> str:
        """Keep a pasted record; the same text has the same id. `QuotaReached` where that would be too much."""
        key = sha256(text.encode()).hexdigest()[:RECORD_ID]
        if await self.record(key) is None:
            await self._put_record(key, text, asker, quota)
        return key

    @_in_thread
    def _put_record(self, key: str, text: str, asker: str, quota: Quota | None) -> None:
        if self._gone:
            raise StoreError(GONE)
        row = {"id": key, "text": text, "created": time.time(), "asker": asker}
        try:
            with self._writing.begin() as connection:
                if quota is not None:
                    size = len(text.encode())
                    if housekeeping.kept_records(connection, asker) + size > quota.of_one:
                        raise QuotaReached(of_all=False)
                    if housekeeping.all_records(connection) + size > quota.of_all:
                        raise QuotaReached(of_all=True)
                connection.execute(insert(schema.records), row)
        except IntegrityError:
            pass  # somebody pasted the same in this moment

    # -- what is kept, and what goes

    @_in_thread
    def hardly_begun(self, asker: str) -> int:
        """How many tables somebody has made at which next to nothing was played."""
        return housekeeping.hardly_begun(self._engine, asker)

    @_in_thread
    def forget(self, table_id: str, guest: str) -> bool | None:
        """A guest has a table no longer among theirs; has it gone altogether? None if it was not theirs."""
        return housekeeping.forget(self._engine, table_id, guest)

    @_in_thread
    def prune(self, is_played: housekeeping.IsPlayed, spared: Collection[str]) -> housekeeping.Pruned:
        """Delete what has expired, but for some tables."""
        return housekeeping.prune(self._engine, is_played, spared=spared)

    # -- reading

    @_in_thread
    def events(self, table_id: str, after: int = 0) -> list[StoredEvent]:
        """The events of a table, in order; those after a number, if one is given."""
        of = schema.events.c
        wanted = select(of.number, of.at, of.body).where(of.table_id == table_id, of.number > after)
        with self._engine.connect() as connection:
            return [StoredEvent(*row) for row in connection.execute(wanted.order_by(of.number))]

    @_in_thread
    def tables_of(self, guest: str, most: int = 50) -> list[str]:
        """The tables where a guest has sat, the one touched last first."""
        of = schema.events.c
        mine = select(of.table_id).where(of.guest == guest).group_by(of.table_id).subquery()
        last = (
            select(of.table_id)
            .join(mine, mine.c.table_id == of.table_id)
            .group_by(of.table_id)
            .order_by(func.max(of.at).desc())
            .limit(most)
        )
        with self._engine.connect() as connection:
            return list(connection.execute(last).scalars())

    @_in_thread
    def touched_since(self, moment: float) -> list[str]:
        of = schema.events.c
        with self._engine.connect() as connection:
            return list(connection.execute(select(of.table_id).where(of.at >= moment).distinct()).scalars())

    @_in_thread
    def record(self, key: str) -> str | None:
        of, now = schema.records.c, time.time()
        wanted = select(of.text, func.coalesce(of.used, of.created)).where(of.id == key)
        with self._engine.connect() as connection:
            found = connection.execute(wanted).one_or_none()
        if found is None:
            return None
        if now - found[1] > housekeeping.DAY:  # somebody looks at it still
            with self._writing.begin() as connection:
                connection.execute(update(schema.records).where(of.id == key).values(used=now))
        return found[0]

    # -- recovery links

    @_in_thread
    def recovery(self, guest: str) -> StoredRecovery | None:
        """The recovery link of a guest."""
        of = schema.recoveries.c
        with self._engine.connect() as connection:
            row = connection.execute(select(of.digest, of.created).where(of.guest == guest)).one_or_none()
        return None if row is None else StoredRecovery(*row)

    @_in_thread
    def put_recovery(self, guest: str, digest: str) -> None:
        """Keep the digest of a new link in the place of the old one."""
        if self._gone:
            raise StoreError(GONE)
        with self._writing.begin() as connection:
            connection.execute(delete(schema.recoveries).where(schema.recoveries.c.guest == guest))
            connection.execute(insert(schema.recoveries), {"guest": guest, "digest": digest, "created": time.time()})

    @_in_thread
    def drop_recovery(self, guest: str) -> None:
        if self._gone:
            raise StoreError(GONE)
        with self._writing.begin() as connection:
            connection.execute(delete(schema.recoveries).where(schema.recoveries.c.guest == guest))

    @_in_thread
    def ping(self) -> None:
        """Does the database answer, and has it kept what was last given to it? `StoreError` if not."""
        if self._gone:
            raise StoreError(GONE)
        if self._failing:  # see whether it can be written again
            with self._writing.begin() as connection:  # changes nothing, but a full disk says so
                connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
            self._failing = False
        with self._engine.connect() as connection:
            connection.execute(select(schema.events.c.number).limit(1))

    @property
    def _gone(self) -> bool:
        """Is the file no longer where it was? What is written then still lands in it, where nobody will look."""
        return self._file is not None and schema.file_of(self._engine) != self._file


def _tell(jobs: list[_Append]) -> None:
    """Wake those who wait: one call for each loop, since a call from another thread is dear."""
    for loop in {job.loop for job in jobs}:
        mine = [job for job in jobs if job.loop is loop]
        try:
            loop.call_soon_threadsafe(_settle, mine)
        except RuntimeError:  # the loop has ended, and nobody waits any more
            continue


def _settle(jobs: list[_Append]) -> None:
    for job in jobs:
        if job.done.done():  # given up
            continue
        if job.failure is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(job.failure)


def _told(wrong: BaseException) -> str:
    """What the database says, without the statement and what was in it."""
    said = wrong.orig if isinstance(wrong, DBAPIError) else wrong
    return " ".join(str(said).split()) or type(wrong).__name__
