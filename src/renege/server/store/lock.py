"""One server for each SQLite file: two would not hear of each other's events.

The lock is the system's own and goes with the process that holds it, however that ends. PostgreSQL needs none.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError


class InUse(ValueError):
    """Another server has this database open."""


def lock_of(url: str | URL) -> Path | None:
    """The file that stands for a database; None where there is none to lock."""
    try:
        address = make_url(url)
    except ArgumentError:  # which the database says
        return None
    name = address.database
    if address.get_backend_name() != "sqlite" or not name or name == ":memory:":
        return None
    return Path(f"{name}.lock").absolute()


@contextmanager
def locked(url: str | URL) -> Generator[None, None, None]:
    """Hold a database for oneself; `InUse` where somebody else does."""
    file = lock_of(url)
    if file is None or not file.parent.is_dir():  # what is wrong with that the database says
        yield
        return
    handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not _take(handle):
            raise InUse(
                f"another server plays with {file.with_suffix('')}: use the one that runs, or another folder by --data"
            )
        yield
    finally:
        os.close(handle)


def _take(handle: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # pyright: ignore
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
