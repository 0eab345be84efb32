"""A Ray cluster of several processes: the same results for any number of workers, and whoever is killed over them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import pieces
from support.ray_nodes import Nodes, free_port, until

RENEGE = [sys.executable, "-m", "renege"]
MATCH = ["arena", "42", "searcher:6w", "rulebook", "--seed", "3", "--pairs", "10"]
SURVEY = ["survey", "42", "--hands", "12", "--worlds", "12", "--piece", "2", "--declarations", "5, doubles, nello"]
PLAY = ["selfplay", "42", "--agent", "searcher:8w", "--values", "--odds", "--deals", "16", "--piece", "2"]


def renege(head: Nodes | None, *arguments: str | Path, where: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ if head is None else head.environment
    return subprocess.run(
        [*RENEGE, *map(str, arguments)],
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def ran(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


def pairs(log: Path) -> list[dict[str, Any]]:
    """The pairs of a log in order, without what the clock said; each may be there once."""
    found = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    assert len({pair["pair"] for pair in found}) == len(found)
    return sorted(
        ({**pair, "a": len(pair["a"]), "b": len(pair["b"]), "cores": None} for pair in found),
        key=lambda pair: pair["pair"],
    )


def summed_up(told: str) -> dict[str, Any]:
    """What a match came to, but for the time it took and where its log is."""
    return {name: what for name, what in json.loads(told).items() if name not in ("ms_per_move", "log")}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the cluster does, done by this machine without one."""
    where = tmp_path_factory.mktemp("alone")
    told = ran(renege(None, *MATCH, "--workers", "1", "--out", "log.jsonl", "--json", where=where))
    (where / "told.json").write_text(told)
    ran(renege(None, *SURVEY, "--device", "cpu", "--out", "hands", where=where))
    ran(renege(None, *PLAY, "--workers", "1", "--out", "deals", where=where))
    return where


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_match_is_the_same_for_any_number_of_workers(head: Nodes, alone: Path, workers: int, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    told = ran(
        renege(
            head, *MATCH, "--cluster", head.address, "--workers", str(workers), "--out", log, "--json", where=tmp_path
        )
    )
    assert pairs(log) == pairs(alone / "log.jsonl")
    assert summed_up(told) == summed_up((alone / "told.json").read_text())


# -- killed


def killing(head: Nodes, arguments: list[str], where: Path, ripe: Callable[[], bool], kills: int = 2) -> str:
    """Run a command on the cluster, and kill workers of it in the middle; what it said on standard error."""
    command = [*RENEGE, *arguments, "--cluster", head.address]
    killed: set[int] = set()
    with subprocess.Popen(
        command, cwd=where, env=head.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as running:

        def strikes() -> bool:
            assert running.poll() is None, "it was over before anybody was killed"
            for process in set(head.workers()) - killed:
                if ripe():
                    os.kill(process, signal.SIGKILL)
                    killed.add(process)
                    return True
            return False

        for _ in range(kills):
            until(strikes, "a worker to kill")
        _, errors = running.communicate(timeout=180)
    assert running.returncode == 0, errors
    return errors


def test_a_match_loses_nothing_when_workers_are_killed(head: Nodes, alone: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    errors = killing(
        head, [*MATCH, "--out", "log.jsonl"], tmp_path, lambda: log.exists() and log.read_bytes().count(b"\n") > 2
    )
    assert "is given to another" in errors
    assert pairs(log) == pairs(alone / "log.jsonl")


def test_self_play_is_the_same_and_loses_nothing_when_workers_are_killed(
    head: Nodes, alone: Path, tmp_path: Path
) -> None:
    data = tmp_path / "deals" / "data"
    errors = killing(head, [*PLAY, "--out", "deals"], tmp_path, lambda: data.exists() and len(list(data.iterdir())) > 0)
    assert "is given to another" in errors
    assert files(tmp_path / "deals") == files(alone / "deals")


def test_a_survey_is_the_same_and_loses_nothing_when_workers_are_killed(
    head: Nodes, alone: Path, tmp_path: Path
) -> None:
    errors = killing(head, [*SURVEY, "--out", "hands"], tmp_path, lambda: True, kills=1)
    assert "is given to another" in errors
    assert files(tmp_path / "hands") == files(alone / "hands")


def test_whoever_gathers_may_be_killed_too(head: Nodes, alone: Path, tmp_path: Path) -> None:
    """The match goes on from its log; the workers end with the one who was killed, and the cluster stays as it was."""
    log = tmp_path / "log.jsonl"
    command = [*RENEGE, *MATCH, "--cluster", head.address, "--workers", "2", "--out", "log.jsonl"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=head.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        until(lambda: log.exists() and log.read_bytes().count(b"\n") > 2, "the first pairs")
        running.send_signal(signal.SIGKILL)
    before = log.read_bytes()
    whole = before[: before.rfind(b"\n") + 1]
    until(lambda: not head.workers(), "the workers to end")
    ran(renege(head, *MATCH, "--cluster", head.address, "--out", log, where=tmp_path))
    assert log.read_bytes().startswith(whole)
    assert pairs(log) == pairs(alone / "log.jsonl")


def test_a_node_that_dies_loses_nothing(head: Nodes, tmp_path: Path) -> None:
    """A second node joins, is given pieces and dies with all its processes at once."""
    work = tmp_path / "work"
    work.mkdir()
    other = head.start(f"--address={head.address}", "--num-cpus=2")
    script = """
import sys
from functools import partial
from pathlib import Path
from support import pieces
from renege.jobs import run_pieces
found = sorted(run_pieces(partial(pieces.noted, Path(sys.argv[1]), 0.6), range(60), cluster=sys.argv[2]))
assert found == [(piece, piece * piece) for piece in range(60)], found
print("all there")
"""
    until(head.ready, "a second node")
    with subprocess.Popen(
        [sys.executable, "-c", script, str(work), head.address],
        env=head.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip

        def theirs() -> list[int]:
            """The pieces' processes that are children of the second node's raylet."""
            raylets = children(other.pid)
            return [process for process in head.workers() if parent(process) in raylets]

        def at_work() -> bool:
            begun = {who for piece in range(60) for who in pieces.begun(work, piece)}
            return running.poll() is not None or not begun.isdisjoint(theirs())

        until(at_work, "pieces on the second node")
        assert running.poll() is None, running.communicate()
        for process in [*theirs(), *children(other.pid), other.pid]:
            os.kill(process, signal.SIGKILL)
        out, errors = running.communicate(timeout=180)
    assert running.returncode == 0, errors
    assert out.endswith("all there\n")  # after what Ray has to say
    assert "is given to another" in errors
    assert max(len(pieces.begun(work, piece)) for piece in range(60)) > 1


def parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def children(process: int) -> list[int]:
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdecimal() and parent(int(entry.name)) == process
    ]


# -- a cluster for the time, and none


def test_auto_starts_a_cluster_and_leaves_nothing_of_it(apart: Nodes, alone: Path, tmp_path: Path) -> None:
    environment = {name: text for name, text in apart.environment.items() if not name.startswith("RAY_AUTH")}
    environment["RENEGE_TEST"] = apart.token  # to know its processes by
    command = [*RENEGE, *MATCH, "--cluster", "auto", "--workers", "2", "--out", "log.jsonl"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180, check=False
    )
    ran(done)
    assert pairs(tmp_path / "log.jsonl") == pairs(alone / "log.jsonl")
    until(lambda: not apart.processes(), "the cluster to end")
    assert not (apart.folder / ".ray").exists()  # no token of it is kept


def test_ctrl_c_ends_the_cluster_that_was_started(apart: Nodes, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [*RENEGE, "arena", "42", "rulebook", "random", "--pairs", "100000", "--cluster", "auto", "--workers", "2"]
    with subprocess.Popen(
        [*command, "--out", "log.jsonl"], cwd=tmp_path, env=apart.environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    ) as running:  # fmt: skip
        until(lambda: log.exists() and log.read_bytes().count(b"\n") > 5, "the first pairs")
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: all processes hear it
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    assert "the same command goes on from there" in " ".join(errors.split())
    until(lambda: not apart.processes(), "the cluster to end")


def test_an_address_that_does_not_answer_is_refused_in_a_line(apart: Nodes, tmp_path: Path) -> None:
    address = f"127.0.0.1:{free_port()}"
    began = time.monotonic()
    for command in (MATCH, SURVEY, PLAY):
        done = renege(apart, *command, "--cluster", address, "--out", "there", where=tmp_path)
        assert done.returncode == 2
        assert done.stderr == f"renege: no Ray cluster at {address}: Connection refused\n"
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - began < 60


def test_a_piece_that_fails_is_named(head: Nodes, tmp_path: Path) -> None:
    script = """
import sys
from support import pieces
from renege.jobs import PieceFailed, run_pieces
for work, kind in ((pieces.fails, PieceFailed), (pieces.falters, RuntimeError), (pieces.dies, ChildProcessError)):
    try:
        list(run_pieces(work, range(6), cluster=sys.argv[1], noun="deal"))
    except kind as wrong:
        with open(sys.argv[2], "a") as told:
            print(type(wrong).__name__, wrong, file=told)
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, head.address, str(tmp_path / "told")],
        env=head.environment, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    ran(done)
    first, second, third = (tmp_path / "told").read_text().splitlines()
    assert first == "PieceFailed deal 3: three is too much"
    assert second == "RuntimeError deal 3: KeyError: 'no such card'"
    assert third.startswith("ChildProcessError deal 2: 4 workers ended over it; of the last: ")
