"""What is kept and what goes: how much there is, and what expires.

A table in which a deal was finished stays until its people delete it. One in which none was goes when nobody has
touched it for a while, and so does a pasted record that nobody has looked at. Nothing else is kept of a guest.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from renege.server.store import schema

DAY = 24 * 3600.0
TABLE_DAYS = 30.0  # without a finished deal
RECORD_DAYS = 90.0  # not looked at
AT_ONCE = 500
PLAYED = 40  # events after which a table counts as played: about a deal
DEALT = '{"kind": "dealt"%'

IsPlayed = Callable[[Sequence[str]], bool]
"""Was a deal finished, by the events of a table?"""


@dataclass(frozen=True, slots=True)
class Usage:
    """How much is kept, in bytes of text; `disk` is the size of the database."""

    tables: int
    events: int
    event_bytes: int
    records: int
    record_bytes: int
    disk: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """What expired."""

    tables: int = 0
    events: int = 0
    event_bytes: int = 0
    records: int = 0
    record_bytes: int = 0


def usage(engine: sa.Engine) -> Usage:
    with engine.connect() as connection:
        tables = connection.execute(sa.select(sa.func.count()).select_from(schema.tables)).scalar_one()
        events, event_bytes = _size(connection, schema.events.c.body)
        records, record_bytes = _size(connection, schema.records.c.text)
        return Usage(tables, events, event_bytes, records, record_bytes, _disk(connection))


def _size(connection: sa.Connection, text: sa.Column[str], *only: sa.ColumnElement[bool]) -> tuple[int, int]:
    """How many rows, and how many bytes of text."""
    length = sa.func.octet_length(text) if connection.dialect.name == "postgresql" else _bytes_of(text)
    row = connection.execute(sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(length), 0)).where(*only)).one()
    return int(row[0]), int(row[1])


def _bytes_of(text: sa.ColumnElement[str]) -> sa.ColumnElement[int]:
    return sa.func.length(sa.cast(text, sa.LargeBinary))


def _disk(connection: sa.Connection) -> int:
    if connection.dialect.name == "postgresql":
        return int(connection.execute(sa.text("SELECT pg_database_size(current_database())")).scalar_one())
    name = connection.engine.url.database or ""
    files = [Path(f"{name}{ending}") for ending in ("", "-wal", "-shm")]
    return sum(file.stat().st_size for file in files if file.is_file())


def prune(
    engine: sa.Engine,
    is_played: IsPlayed,
    *,
    table_days: float = TABLE_DAYS,
    record_days: float = RECORD_DAYS,
    spared: Collection[str] = (),
    dry_run: bool = False,
) -> Pruned:
    """Delete what has expired, or only say what that would be; tables are spared where somebody is there."""
    now = time.time()
    gone = [table for table in _untouched(engine, now - table_days * DAY, is_played) if table not in spared]
    of = schema.records.c
    old = sa.func.coalesce(of.used, of.created) < now - record_days * DAY
    found = Pruned()
    with (engine if dry_run else schema.writing(engine)).begin() as connection:
        for start in range(0, len(gone), AT_ONCE):
            some = gone[start : start + AT_ONCE]
            rows, size = _size(connection, schema.events.c.body, schema.events.c.table_id.in_(some))
            found = Pruned(found.tables + len(some), found.events + rows, found.event_bytes + size)
            if not dry_run:
                _delete(connection, some)
        records, size = _size(connection, of.text, old)
        if not dry_run:
            connection.execute(sa.delete(schema.records).where(old))
    return Pruned(found.tables, found.events, found.event_bytes, records, size)


def _untouched(engine: sa.Engine, before: float, is_played: IsPlayed) -> list[str]:
    """Tables without a finished deal that nobody has touched since. A second deal is dealt when the first is over."""
    of = schema.events.c
    deals = sa.func.sum(sa.case((of.body.like(DEALT), 1), else_=0))
    old = sa.select(of.table_id, deals).group_by(of.table_id).having(sa.func.max(of.at) < before, deals < 2)
    gone: list[str] = []
    with engine.connect() as connection:
        for table, dealt in connection.execute(old).all():
            bodies = sa.select(of.body).where(of.table_id == table).order_by(of.number)
            if not dealt or not is_played(connection.execute(bodies).scalars().all()):
                gone.append(table)
    return gone


def _delete(connection: sa.Connection, tables: Sequence[str]) -> None:
    connection.execute(sa.delete(schema.events).where(schema.events.c.table_id.in_(tables)))
    connection.execute(sa.delete(schema.tables).where(schema.tables.c.id.in_(tables)))


def forget(engine: sa.Engine, table: str, guest: str) -> bool | None:
    """A guest has a table no longer among theirs; it goes with the last who has. Has it gone? None if it was not."""
    of = schema.events.c
    with schema.writing(engine).begin() as connection:
        mine = sa.update(schema.events).where(of.table_id == table, of.guest == guest).values(guest=None)
        if not connection.execute(mine).rowcount:
            return None
        left = sa.select(of.number).where(of.table_id == table, of.guest.is_not(None)).limit(1)
        if connection.execute(left).first() is not None:
            return False
        _delete(connection, [table])
        return True


def shrink(engine: sa.Engine) -> None:
    """Give the room of what was deleted back to the disk."""
    if engine.dialect.name != "sqlite":
        return  # PostgreSQL does so by itself
    raw = engine.raw_connection()
    try:
        raw.cursor().execute("VACUUM")
        raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        raw.close()


# -- quotas


def hardly_begun(engine: sa.Engine, asker: str) -> int:
    """How many tables somebody has made at which next to nothing was played."""
    of, table = schema.events.c, schema.tables.c
    played = sa.exists().where(of.table_id == table.id, of.number >= PLAYED)
    with engine.connect() as connection:
        return connection.execute(sa.select(sa.func.count()).where(table.asker == asker, ~played)).scalar_one()


def kept_records(connection: sa.Connection, asker: str) -> int:
    """Bytes of the records that somebody has pasted."""
    return _size(connection, schema.records.c.text, schema.records.c.asker == asker)[1]


def all_records(connection: sa.Connection) -> int:
    return _size(connection, schema.records.c.text)[1]
