"""A server and a database that many tests share, and a page that is built."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from renege.server.http.settings import Settings
from renege.server.workers.pool import Workers
from support.postgres import Cluster, installed, running_cluster
from support.served import Person, Served, serve
from support.table_registry import Scene


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that many tests share."""
    with serve(Settings(data=tmp_path_factory.mktemp("table"), seed=7)) as running:
        yield running


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL, where there is one."""
    if not installed():
        pytest.skip("PostgreSQL is not installed")
    with running_cluster() as running:
        yield running


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A folder with a built page in it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Renege</title>", "utf-8")
    (folder / "assets" / "app.js").write_text("'use strict';\n" * 200, "utf-8")
    (folder / "icon.svg").write_text("<svg/>", "utf-8")
    return folder


@pytest.fixture(scope="session")
def workers() -> Iterator[Workers]:
    """They outlive the loops of the single tests."""
    team = Workers(1)
    yield team
    asyncio.run(team.close())


@pytest.fixture
def scene(tmp_path: Path, workers: Workers) -> Scene:
    return Scene(f"sqlite:///{tmp_path / 'tables.db'}", workers)


@pytest.fixture(scope="session")
def played(served: Served) -> Person:
    """Somebody who has played a deal of Texas 42."""
    person = served.person(name="Anna")
    person.play_out()
    return person
