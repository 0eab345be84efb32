"""`renege arena`, run as a person or a program would run it."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from renege.agents import Random
from renege.arena import run
from renege.cli import output
from renege.cli.main import app
from renege.core.arbiter import Arbiter
from renege.core.position import View
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.strategy import Advice
from support.command import renege

ENTRY = [sys.executable, "-m", "renege", "arena"]
MATCH = ("42", "rulebook", "random", "--seed", "3", "--workers", "1")


def arena(*arguments: str | int | Path, where: Path, **other: Any) -> subprocess.CompletedProcess[str]:
    if not other:
        return renege("arena", *arguments, where=where)
    command = [*ENTRY, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False, cwd=where, **other)


def refused(done: subprocess.CompletedProcess[str], says: str) -> None:
    """One clear line on standard error, after the bar if there was one, and the status 2."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    *_, last = done.stderr.splitlines()
    assert last.startswith("renege: ")
    assert says in last


def played(log: Path) -> list[dict[str, Any]]:
    """The pairs of a log in order, without what the clock said."""
    pairs = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    return sorted(
        ({**pair, "a": len(pair["a"]), "b": len(pair["b"]), "cores": None} for pair in pairs),
        key=lambda pair: pair["pair"],
    )


def test_a_match_is_played_logged_drawn_and_carried_on(tmp_path: Path):
    done = arena(*MATCH, "--pairs", 6, "--plot", "match.svg", where=tmp_path)
    assert done.returncode == 0, done.stderr
    log = tmp_path / "arena-texas42-rulebook-random-seed-3.jsonl"
    header = json.loads(log.read_text().splitlines()[0])
    assert (header["game"], header["a"], header["b"], header["seed"]) == ("texas42", "rulebook", "random", 3)
    assert [pair["pair"] for pair in played(log)] == list(range(6))
    first, *_, verdict, where = done.stdout.splitlines()
    assert first == "rulebook against random, texas42, 6 pairs of deals, seed 3"
    assert verdict.startswith("Too few pairs")
    assert where == f"log: {log.name}"
    assert (tmp_path / "match.svg").read_text().startswith("<?xml")

    # cut off in the middle of its fifth pair, and carried on by two workers: as if nothing had happened
    whole = played(log)
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:5]) + lines[5][:60])
    again = arena(*MATCH[:-1], 2, "--pairs", 6, "--json", where=tmp_path)
    assert again.returncode == 0, again.stderr
    assert played(log) == whole
    answer = json.loads(again.stdout)
    assert answer["pairs"] == 6
    assert answer["mean"] == sum(pair["score"] for pair in whole) / 6
    assert log.read_bytes().splitlines(keepends=True)[:5] == lines[:5]

    # nothing left to do; another match does not touch it
    before = log.read_bytes()
    assert arena(*MATCH, "--pairs", 6, where=tmp_path).returncode == 0
    refused(arena("42", "random", "random", "--out", log, where=tmp_path), "another match: its a is 'rulebook'")
    assert log.read_bytes() == before


def test_ctrl_c_loses_nothing(tmp_path: Path):
    command = [*ENTRY, *MATCH[:-1], "2", "--pairs", "100000", "--out", "log.jsonl"]
    log = tmp_path / "log.jsonl"
    with subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as match:
        while not log.exists() or log.read_bytes().count(b"\n") < 5:
            assert match.poll() is None
            time.sleep(0.05)
        os.kill(match.pid, signal.SIGINT)
        out, errors = match.communicate(timeout=60)
    assert match.returncode == 130
    assert "Traceback" not in errors
    assert "the same command goes on from there" in " ".join(errors.split())
    pairs = played(log)
    assert f", {len(pairs)} pairs of deals" in out
    assert log.read_bytes().endswith(b"\n")


def playing(match: int) -> list[int]:
    """The processes that play the pairs of a match."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == match and b"renege.jobs.process" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path):
    match = ["42", "searcher:2w", "random", "--seed", "3", "--pairs", "24"]
    log = tmp_path / "log.jsonl"
    command = [*ENTRY, *match, "--workers", "2", "--out", "log.jsonl"]
    with subprocess.Popen(command, cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while not log.exists() or log.read_bytes().count(b"\n") < 4:
            assert running.poll() is None
            time.sleep(0.02)
        os.kill(playing(running.pid)[0], signal.SIGKILL)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert re.search(r"renege: pair \d+ is given to another: its process ended \(SIGKILL\)", errors)
    assert arena(*match, "--workers", 1, "--out", "alone.jsonl", where=tmp_path).returncode == 0
    assert played(log) == played(tmp_path / "alone.jsonl")


def test_a_null_match_says_what_it_should_show(tmp_path: Path):
    done = arena("42", "random", "--null", "--pairs", 30, "--rules", "target=5", "--workers", 1, where=tmp_path)
    assert done.returncode == 0
    assert "house rules: target=5" in done.stdout
    assert "random against itself" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("42", "bob", "random"), "'bob' is no agent"),
        (("43", "random", "random"), "unknown game '43'"),
        (("42", "random"), "two agents, or one and --null"),
        (("42", "random", "random", "--null"), "two agents, or one and --null"),
        (("42", "random", "random", "--rules", "target"), "'target' is no house rule; write it like"),
        (("42", "random", "random", "--out", "no/such/folder.jsonl"), "no/such/folder.jsonl: No such file"),
        (("42", "random", "random", "--out", "/dev/null"), "no plain file"),
        (("42", "random", "random", "--plot", "match.txt"), "should end in .png"),
        (("42", "random", "random", "--plot", "no/such/match.png"), "no folder no/such"),
        (("42", "random", "random", "--plot", "/proc/match.png"), "/proc/match.png cannot be drawn: "),
        (("42", "searcher:0ms", "random"), "cannot think for 0.0 ms"),
        (("42", "searcher:0w", "random"), "cannot choose over 0 worlds"),
        (("schafkopf", "random", "random", "--whole-games"), "nobody ever wins"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["arena", *arguments])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("renege: ")
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", [("--pairs", "0"), ("--pairs", "many"), ("--workers", "0"), ("--seed", "-1")])
def test_bad_counts_are_refused(option: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["arena", "42", "random", "random", *option])
    assert done.exit_code == 2
    assert f"'{option[0]}'" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_plot_without_matplotlib_is_refused_before_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(output, "find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["arena", "42", "random", "random", "--plot", "match.png"])
    assert done.exit_code == 2
    assert done.stderr == "renege: a plot needs matplotlib: pip install 'renege[report]'\n"
    assert list(tmp_path.iterdir()) == []


class Reneger(Random):
    """Follows with whatever tile comes first."""

    def choose(self, view: View, rng: random.Random) -> Advice:
        if view.position.talking or not (view.position.trick and view.position.trick.plays):
            return super().choose(view, rng)
        return Advice(Play(view.game.deck.of(1 << max(view.hand))), "whatever")


def test_a_fault_is_told_in_a_line_without_the_other_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "parse_player", lambda name: Reneger(name))
    done = CliRunner().invoke(app, ["arena", "42", "reneger", "--null", "--pairs", "9", "--workers", "1"])
    assert done.exit_code == 2
    *_, last = done.stderr.splitlines()
    found = re.fullmatch(
        r"renege: pair \d+: reneger, seat (\d), deal (\d+): (\S+) breaks texas42.follow-suit: "
        r"(.+) \(texas42, act \d+, holding (.+)\)",
        last,
    )
    assert found, last
    seat, seed, tile, why, held = found.groups()
    hand = str(Arbiter(find_game("texas42"), int(seed)).view(int(seat)).hand).split()
    assert why and tile in held.split()
    assert set(re.findall(r"\d-\d", last)) <= {*hand, *re.findall(r"\d-\d", why)}
    assert len(last) < 250


def test_a_full_disk_is_told_and_the_match_goes_on_from_there(tmp_path: Path):
    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    arguments = (*MATCH, "--pairs", 8, "--out", "log.jsonl")
    done = arena(*arguments, where=tmp_path, preexec_fn=little_room)
    refused(done, "log.jsonl: ")
    assert (tmp_path / "log.jsonl").stat().st_size == 1500  # the last line is torn
    assert arena(*arguments, where=tmp_path).returncode == 0
    assert [pair["pair"] for pair in played(tmp_path / "log.jsonl")] == list(range(8))
