"""A PostgreSQL of our own for as long as a test needs it, where the programs for one are installed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is; Debian keeps most of them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or (str(found[0]) if found else None)


def installed() -> bool:
    """Is there a PostgreSQL here, and a driver for it?"""
    return bool(program("initdb") and program("pg_ctl") and find_spec("psycopg"))


def _as_whom() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then as somebody else."""
    if os.name != "posix" or os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            other = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": other.pw_uid, "group": other.pw_gid, "extra_groups": []}
    return {}


@dataclass(frozen=True)
class Cluster:
    """A server that listens on a socket in its own folder and nowhere else."""

    folder: Path

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"renege_{uuid4().hex}"
        import psycopg
        from psycopg.sql import SQL, Identifier

        with psycopg.connect(f"host={self.folder} user=renege dbname=postgres", autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        return f"postgresql://renege@/{name}?host={self.folder}"

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._control("-o", options, "-l", str(self.folder / "log"), "-w", "start")

    def stop(self) -> None:
        """At once, as in a power cut."""
        self._control("-m", "immediate", "-w", "stop")

    def _control(self, *words: str) -> None:
        command = [str(program("pg_ctl")), "-D", str(self.folder / "data"), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, timeout=60, **_as_whom())


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A cluster that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="renege-pg-"))
    whom = _as_whom()
    if whom:
        os.chown(folder, whom["user"], whom["group"])
    init = [str(program("initdb")), "-D", str(folder / "data"), "-U", "renege", "-A", "trust", "-E", "UTF8", "-N"]
    cluster = Cluster(folder)
    try:
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd=folder, timeout=120, **whom)
        cluster.start()
        try:
            yield cluster
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
