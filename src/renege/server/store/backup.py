"""Backup and restore: tables, events, pasted records and recovery links as lines of JSON, for any database.

A backup is one reading of the database: what is written meanwhile is not in it, and what is in it belongs together, so
a server may play on. It ends with how much there is and a digest of all lines before. The key that signs cookies comes
along: without it nobody would have their seats back. So whoever has the file has all hands and all seats.
"""

import base64
import contextlib
import gzip
import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import sqlalchemy as sa

from renege.core.atomic_file import write_atomically
from renege.server.store import schema

FORMAT, VERSION = "renege backup", 1
KEPT = {"table": schema.tables, "event": schema.events, "record": schema.records, "recovery": schema.recoveries}
AT_ONCE = 1000  # rows


class Written(Protocol):
    def write(self, data: bytes, /) -> int: ...


@dataclass(frozen=True, slots=True)
class Contents:
    """How much is in a backup."""

    table: int = 0
    event: int = 0
    record: int = 0
    recovery: int = 0

    def __str__(self) -> str:
        return f"{self.table} tables, {self.event} events, {self.record} pasted records"


def write_backup(engine: sa.Engine, secret: bytes, file: Path) -> Contents:
    """Write all that is kept to a file, compressed where its name ends in `.gz`."""
    before = os.umask(0o077)  # hands, and whose they are
    try:
        with write_atomically(file) as raw, _packed(raw, file) as out:
            return _write(engine, secret, out)
    finally:
        os.umask(before)


@contextlib.contextmanager
def _packed(raw: BinaryIO, file: Path) -> "Generator[Written, None, None]":
    if file.suffix != ".gz":
        yield raw
        return
    with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as out:
        yield out


def _write(engine: sa.Engine, secret: bytes, out: "Written") -> Contents:
    digest, count = hashlib.sha256(), dict.fromkeys(KEPT, 0)

    def put(line: dict[str, Any]) -> None:
        text = f"{json.dumps(line, ensure_ascii=False)}\n".encode()
        digest.update(text)
        out.write(text)

    put({"format": FORMAT, "version": VERSION, "made": time.time(), "secret": base64.b64encode(secret).decode()})
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            for kind, table in KEPT.items():
                ordered = sa.select(table).order_by(*table.primary_key.columns)
                for row in connection.execution_options(yield_per=AT_ONCE).execute(ordered).mappings():
                    put({kind: dict(row)})
                    count[kind] += 1
    contents = Contents(**count)
    out.write(f"{json.dumps({'end': count, 'sha256': digest.hexdigest()})}\n".encode())
    return contents


def read_backup(file: Path, engine: sa.Engine, take_key: Callable[[bytes], None]) -> Contents:
    """Put what a backup holds into an empty database, all of it or nothing; how much that is.

    The key of its server is taken over by `take_key`, which may refuse it.
    """
    with schema.writing(engine).begin() as connection:
        for table in KEPT.values():
            if connection.execute(sa.select(table).limit(1)).first() is not None:
                raise ValueError("there are games in this database already: restore into an empty one, by --data")
        lines = _lines(file)
        secret = _secret(file, next(lines, None))
        count = dict.fromkeys(KEPT, 0)
        while some := list(islice(lines, AT_ONCE)):
            for kind, table in KEPT.items():  # a table comes before its events
                rows = [line[kind] for line in some if kind in line]
                if rows:
                    connection.execute(sa.insert(table), [_known(table, row) for row in rows])
                    count[kind] += len(rows)
        take_key(secret)
        return Contents(**count)


def _known(table: sa.Table, row: dict[str, Any]) -> dict[str, Any]:
    """A row with all columns of today: a backup may be older than one of them."""
    return {column.name: row.get(column.name) for column in table.columns}


def _secret(file: Path, head: dict[str, Any] | None) -> bytes:
    if head is None or head.get("format") != FORMAT:
        raise ValueError(f"{file} is no backup of the table")
    if head.get("version") != VERSION:
        raise ValueError(f"{file} was written by a newer Renege: update this one")
    return base64.b64decode(head["secret"])


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    """The lines but the last, which has to tell how many there were and what they come to."""
    damaged = ValueError(f"{file} is damaged or not complete: nothing was restored")
    digest, count = hashlib.sha256(), dict.fromkeys(KEPT, 0)
    with (gzip.open if _is_packed(file) else open)(file, "rb") as source:
        try:
            for text in source:
                line = json.loads(text)
                if not isinstance(line, dict):
                    break
                if "end" in line:
                    if line != {"end": count, "sha256": digest.hexdigest()} or source.readline():
                        break
                    return
                digest.update(text)
                for kind in KEPT:
                    count[kind] += kind in line
                yield line  # pyright: ignore[reportUnknownVariableType]
        except (ValueError, EOFError, gzip.BadGzipFile):
            raise damaged from None
    raise damaged


def _is_packed(file: Path) -> bool:
    with open(file, "rb") as source:
        return source.read(2) == b"\x1f\x8b"
