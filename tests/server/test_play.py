"""`renege play` as a person starts it: the address, the end by Ctrl-C, and what is said when it cannot be."""

import faulthandler
import json
import logging
import os
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import structlog

from renege.server.http.launch import PORT, address_of, bind, has_display
from support.command import renege


def renege_play(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "renege", "play", "--no-browser", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )


def refused(done: subprocess.CompletedProcess[str], says: str) -> None:
    """One clear line on standard error, and the status 2."""
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("renege: "), done.stderr
    assert says in done.stderr


@contextmanager
def playing(*arguments: str | Path, **environment: str) -> Generator[tuple[subprocess.Popen[str], str], None, None]:
    """The running command, and the address that it gives."""
    command = [sys.executable, "-m", "renege", "play", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    # a group of its own, as a terminal gives it one: Ctrl-C goes to all of it
    with subprocess.Popen(command, start_new_session=True, env={**os.environ, **environment}, **pipes) as table:  # type: ignore[call-overload]
        try:
            assert table.stdout is not None
            found = re.search(r"http://\S+", table.stdout.readline())
            assert found is not None, table.communicate(timeout=30)
            assert "Ctrl-C" in table.stdout.readline()
            yield table, found[0]
        finally:
            if table.poll() is None:
                os.killpg(table.pid, signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_ends_cleanly(tmp_path: Path, sign: signal.Signals):
    data = tmp_path / "data"
    with playing("tractor", "--no-browser", "--port", "0", "--data", data, "--log", "info") as (table, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?game=tractor", address)
        base = address.partition("?")[0]
        new = urllib.request.Request(f"{base}api/tables", b'{"game": "tractor"}', {"content-type": "application/json"})
        with urllib.request.urlopen(new) as made:
            seated = json.load(made)
        os.killpg(table.pid, sign)
        _, told = table.communicate(timeout=60)
    assert table.returncode == 0
    assert "Traceback" not in told
    lines = [json.loads(line) for line in told.splitlines()]
    assert {line["event"] for line in lines} >= {"listening", "asked"}
    assert all(line["level"] == "info" and line["timestamp"] for line in lines)
    assert seated["token"] not in told and seated["table"] not in told
    files = {path.name for path in data.iterdir()}
    assert files == {"secret", "tables.sqlite", "tables.sqlite.lock"}  # nothing is left to be written
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in data.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="a script is the browser")
def test_a_browser_is_opened_where_there_is_a_screen(tmp_path: Path):
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n', "utf-8")
    browser.chmod(0o755)
    screen = {"DISPLAY": ":99", "BROWSER": str(browser)}
    with playing("--port", "0", "--data", tmp_path / "data", **screen) as (_, address):
        until = time.monotonic() + 30
        while not (seen.exists() and seen.read_text("utf-8")) and time.monotonic() < until:
            time.sleep(0.05)
        assert seen.read_text("utf-8").strip() == address


def cannot(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command where it cannot listen, so that it need not be a process of its own; if it does listen, this ends."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    faulthandler.dump_traceback_later(60, exit=True)
    try:
        return renege("play", "--no-browser", *arguments)
    finally:
        faulthandler.cancel_dump_traceback_later()
        structlog.reset_defaults()  # the log of a server goes to its standard error, which was one for this call alone
        root.handlers[:] = handlers
        root.setLevel(level)


def test_what_cannot_be_is_said_in_one_line(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for start in (renege_play, cannot):  # as a process, and in this one: both say the same
            refused(start("--port", port, "--data", tmp_path), f"port {port} is taken")
    refused(cannot("--host", "nowhere.invalid", "--data", tmp_path), "nowhere.invalid")
    file = tmp_path / "file"
    file.write_text("no folder")
    refused(cannot("--data", file), "is no folder")
    refused(cannot("--data", file / "deeper"), "file/deeper")
    nobody = "postgresql://nobody@127.0.0.1:1/none"
    refused(cannot("--port", "0", "--data", tmp_path, "--database", nobody), "the database cannot be opened")
    refused(cannot("--port", "0", "--data", tmp_path, "--database", "mysql://x/y"), "PostgreSQL")
    refused(cannot("--port", "0", "--data", tmp_path, "--database", "what"), "database")
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as newer, newer:
        newer.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        newer.execute("INSERT INTO alembic_version VALUES ('9999')")
    refused(cannot("--port", "0", "--data", tmp_path), "a newer Renege")
    (tmp_path / "secret").write_bytes(b"short")
    refused(cannot("--port", "0", "--data", tmp_path), "damaged")


def test_what_is_no_game_or_belongs_to_the_terminal_is_refused():
    refused(renege("play", "--no-browser", "pinochle"), "'pinochle'")
    for option in (["--preset", "tournament"], ["--rules", "target=5"], ["--save", "game.txt"]):
        refused(renege("play", "--no-browser", *option), "--terminal")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is open to root")
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path):
    tmp_path.chmod(0o500)
    refused(renege_play("--data", tmp_path), "cannot be written")


def test_without_the_packages_it_says_how_to_get_them(tmp_path: Path):
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError('No module named fastapi', name='fastapi')")
    refused(renege_play(PYTHONPATH=str(tmp_path)), "pip install 'renege[web]'")


def test_without_the_driver_of_postgresql_it_says_how_to_get_it(tmp_path: Path):
    (tmp_path / "psycopg.py").write_text("raise ModuleNotFoundError('No module named psycopg', name='psycopg')")
    asked = ("--port", "0", "--data", tmp_path / "data", "--database", "postgresql://127.0.0.1/x")
    refused(renege_play(*asked, PYTHONPATH=str(tmp_path)), "pip install 'renege[postgres]'")


def test_the_next_free_port_is_taken_unless_one_was_asked_for():
    with bind("127.0.0.1", None) as one, bind("127.0.0.1", None) as two:
        ports = [one.getsockname()[1], two.getsockname()[1]]
        assert PORT <= ports[0] < ports[1]
        with pytest.raises(OSError, match=f"port {ports[0]} is taken"):
            bind("127.0.0.1", ports[0])


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8042/"),
        ("0.0.0.0", "http://127.0.0.1:8042/"),
        ("::", "http://[::1]:8042/"),
        ("localhost", "http://localhost:8042/"),
    ],
)
def test_the_address_is_one_for_a_browser_here(host: str, address: str):
    assert address_of(host, 8042) == address


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_a_screen_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()
