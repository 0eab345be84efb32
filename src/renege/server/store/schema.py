"""What the database holds: tables, their numbered events, pasted records, and recovery links of guests.

`migrations/` builds this; here it is as the queries name it. The body of an event is JSON. Whose it is stands beside
it, so that the tables of a guest are found; but for recovery links nothing else names a person.
"""

import os
import time
from pathlib import Path
from sqlite3 import OperationalError

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.pool import ConnectionPoolEntry

MIGRATIONS = Path(__file__).parent / "migrations"
MOST_WAIT = 10.0  # seconds, for other servers that open the same SQLite file
UPGRADING = 7_244_517  # the advisory lock of a server that upgrades a PostgreSQL database

metadata = sa.MetaData()
tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("asker", sa.Text),  # on whose share it was made, as a keyed hash of the address
)
sa.Index("tables_by_asker", tables.c.asker)
events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("guest", sa.Text),
)
sa.Index("events_by_guest", events.c.guest, sqlite_where=events.c.guest.is_not(None))
sa.Index("events_by_time", events.c.at)
records = sa.Table(
    "records",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("asker", sa.Text),
    sa.Column("used", sa.Double),  # when somebody last looked at it
)
sa.Index("records_by_asker", records.c.asker)
recoveries = sa.Table(
    "recoveries",
    metadata,
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)


def open_database(url: str | sa.URL) -> sa.Engine:
    """The database behind a URL, made and upgraded as needed; `postgresql://` means psycopg."""
    address = sa.make_url(url)
    if address.drivername in ("postgres", "postgresql"):
        address = address.set(drivername="postgresql+psycopg")
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError(f"{address.get_backend_name()} is no database for tables: use SQLite or PostgreSQL")
    engine = sa.create_engine(address, pool_pre_ping=address.get_backend_name() == "postgresql")
    if address.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _tune_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    _upgrade(engine)
    return engine


def writing(engine: sa.Engine) -> sa.Engine:
    """The same database for somebody who is going to write: SQLite then waits for its turn before the first word."""
    return engine.execution_options(writes=True)


def file_of(engine: sa.Engine) -> tuple[int, int] | None:
    """Which file a database is in, as the system knows it; None where there is none, or no longer."""
    name = engine.url.database
    if engine.dialect.name != "sqlite" or not name or name == ":memory:":
        return None
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _upgrade(engine: sa.Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with writing(engine).begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADING})")  # one server at a time
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _tune_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # the driver's own idea of when a transaction begins leaves out tables being made, and begins too late
    connection.isolation_level = None
    cursor = connection.cursor()
    for setting in (f"busy_timeout = {MOST_WAIT * 1000:.0f}", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {setting}")
    _use_write_ahead_log(cursor)
    cursor.close()


def _use_write_ahead_log(cursor: DBAPICursor) -> None:
    """Turn on the write-ahead log. While another server does so SQLite says at once that the file is locked."""
    until = time.monotonic() + MOST_WAIT
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
            return
        except OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
