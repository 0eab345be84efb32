"""A PostgreSQL of our own for a test, where one is installed."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from whole.clients import free_port


def _found(program: str) -> str | None:
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(program, path=os.pathsep.join([*map(str, places), os.environ.get("PATH", "")]))


@contextmanager
def postgres_cluster(folder: Path) -> Iterator[str]:
    """A fresh cluster on a port of its own, and its URL; the test is skipped where there is no PostgreSQL."""
    initdb, pg_ctl = _found("initdb"), _found("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed")
    as_postgres: list[str] = []
    folder.mkdir(parents=True)
    if os.geteuid() == 0:  # it refuses to run as root
        if shutil.which("setpriv") is None:
            pytest.skip("PostgreSQL does not run as root")
        as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        shutil.chown(folder, "postgres", "postgres")
        for parent in folder.parents:  # pytest keeps its folders to their owner
            with contextlib.suppress(PermissionError):
                parent.chmod(parent.stat().st_mode | 0o011)
    port = free_port()
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"

    def run(*command: str) -> None:
        subprocess.run([*as_postgres, *command], check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=120)

    run(initdb, "-D", str(folder / "db"), "-U", "renege", "--auth=trust", "-E", "UTF8")
    run(pg_ctl, "-D", str(folder / "db"), "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql://renege@127.0.0.1:{port}/postgres"
    finally:
        run(pg_ctl, "-D", str(folder / "db"), "-m", "immediate", "stop")
