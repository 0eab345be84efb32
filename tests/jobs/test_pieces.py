"""Is every piece done once, whoever does it and whoever is killed over it?"""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from renege.jobs import LostWorker, NoCluster, Pace, PieceFailed, check_cluster, run_pieces
from renege.jobs import ray as cluster
from renege.jobs.outcome import TRIES
from support import pieces as chores

posix = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def ended(process: int) -> bool:
    """Does it end within some seconds?"""
    until = time.monotonic() + 20
    while lives(process) and time.monotonic() < until:
        time.sleep(0.05)
    return not lives(process)


def test_results_are_the_same_from_any_number_of_workers() -> None:
    pieces = random.Random(1).sample(range(1000), 20)
    alone = list(run_pieces(chores.square, pieces, workers=1))
    assert alone == [(piece, piece * piece) for piece in pieces]
    for workers in (2, 3):
        assert sorted(run_pieces(chores.square, pieces, workers=workers)) == sorted(alone)


def test_one_worker_or_one_piece_needs_no_other_process() -> None:
    assert {who for _, who in run_pieces(chores.whose, range(3), workers=1)} == {os.getpid()}
    assert {who for _, who in run_pieces(chores.whose, [7], workers=4)} == {os.getpid()}
    assert os.getpid() not in {who for _, who in run_pieces(chores.whose, range(2), workers=2)}
    assert list(run_pieces(chores.whose, [], workers=2)) == []
    with pytest.raises(ValueError, match="0 workers"):
        list(run_pieces(chores.whose, [1], workers=0))


@posix
def test_a_worker_that_is_killed_loses_nothing_and_nothing_is_done_twice(tmp_path: Path) -> None:
    with pytest.warns(LostWorker, match=r"piece 2 is given to another: its process ended \(SIGKILL\)"):
        found = list(run_pieces(partial(chores.dies_once, tmp_path), range(8), workers=2))
    assert sorted(found) == [(piece, piece * piece) for piece in range(8)]
    assert [len(chores.begun(tmp_path, piece)) for piece in range(8)] == [1, 1, 2, 1, 1, 1, 1, 1]


@posix
def test_a_piece_that_kills_every_worker_is_given_up_and_named() -> None:
    with (
        pytest.warns(LostWorker),
        pytest.raises(
            ChildProcessError, match=f"^piece 2: {TRIES} workers ended over it; of the last: its process ended .SIGKILL"
        ),
    ):
        list(run_pieces(chores.dies, range(6), workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_is_told_with_the_piece(workers: int) -> None:
    with pytest.raises(PieceFailed, match=r"^deal 3: three is too much$") as wrong:
        list(run_pieces(chores.fails, range(6), workers=workers, noun="deal"))
    assert wrong.value.piece == 3
    with pytest.raises(RuntimeError, match="piece 3: KeyError: 'no such card'") as fault:
        list(run_pieces(chores.falters, range(6), workers=workers))
    assert "pieces.py" in fault.value.__notes__[0]


def test_what_cannot_be_sent_is_told_with_the_piece() -> None:
    with pytest.raises(RuntimeError, match=r"piece [01]: .*lambda"):
        list(run_pieces(chores.keeps, range(2), workers=2))


def test_no_more_is_taken_on_than_there_are_workers() -> None:
    taken = 0

    def pieces() -> Iterator[int]:
        nonlocal taken
        for piece in range(10):
            taken += 1
            yield piece

    with closing(run_pieces(chores.square, pieces(), workers=2)) as found:
        for told, _ in enumerate(found, start=1):
            assert taken <= told + 2


@posix
def test_who_stops_early_leaves_nobody_behind(tmp_path: Path) -> None:
    processes: set[int] = set()
    with closing(run_pieces(partial(chores.noted, tmp_path, 0.2), range(1000), workers=2)) as found:
        for piece, _ in found:
            processes.update(chores.begun(tmp_path, piece))
            if len(processes) == 2:
                break
    assert len(processes) == 2
    assert all(map(ended, processes))


@posix
def test_workers_end_with_whoever_was_killed_over_them(tmp_path: Path) -> None:
    script = """
import sys
from functools import partial
from pathlib import Path

from support import pieces as chores
from renege.jobs import run_pieces

if __name__ == "__main__":
    list(run_pieces(partial(chores.noted, Path(sys.argv[1]), 0.3), range(999), workers=2))
"""
    (tmp_path / "driver.py").write_text(script)
    work = tmp_path / "work"
    work.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(Path(chores.__file__).parents[1])}
    with subprocess.Popen([sys.executable, str(tmp_path / "driver.py"), str(work)], env=environment) as driver:
        until = time.monotonic() + 60
        while len(list(work.iterdir())) < 3:
            assert driver.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        driver.send_signal(signal.SIGKILL)
    processes = {who for piece in range(999) for who in chores.begun(work, piece)}
    assert processes and all(map(ended, processes))


# -- a cluster that is not there


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for ask in (lambda: check_cluster("auto"), lambda: list(run_pieces(chores.square, [1], cluster="auto"))):
        with pytest.raises(NoCluster, match=r"pip install 'renege\[cluster\]'"):
            ask()
    check_cluster(None)


@pytest.mark.parametrize("address", ["", "head", "head:", ":6379", "head:port", "head:0", "head:65536", "ray://head:1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(NoCluster, match="is no address of a cluster"):
        cluster.check_answers(address)


def test_an_address_where_nobody_answers_is_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(NoCluster, match=f"no Ray cluster at {address}: Connection refused"):
            cluster.check_answers(address)


@pytest.mark.parametrize(
    ("answer", "says"),
    [(b"HTTP/1.0 400 Bad Request\r\n", "something else answers"), (b"", "something else"), (None, "timed out")],
)
def test_an_address_where_something_else_answers_is_refused(
    answer: bytes | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                heard.append(line.recv(64))
                if answer is None:
                    time.sleep(1)
                else:
                    line.sendall(answer)

        other = threading.Thread(target=serve)
        other.start()
        with pytest.raises(NoCluster, match=says):
            cluster.check_answers(f"127.0.0.1:{server.getsockname()[1]}")
        other.join()
    assert heard[0].startswith(b"PRI * HTTP/2.0\r\n\r\n")


def test_the_cluster_of_this_machine_is_that_of_its_last_start_and_nobody_elses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    assert cluster.of_this_machine() is None
    note = tmp_path / "ray" / "ray_current_cluster"
    note.parent.mkdir()
    note.write_text("127.0.0.1:6379\n")
    answers: list[str] = []
    monkeypatch.setattr(cluster, "check_answers", answers.append)
    assert cluster.of_this_machine() == "127.0.0.1:6379" and answers == ["127.0.0.1:6379"]

    def nobody(address: str) -> None:
        raise NoCluster("nobody there")

    monkeypatch.setattr(cluster, "check_answers", nobody)  # it has ended since
    assert cluster.of_this_machine() is None
    monkeypatch.setenv("RAY_ADDRESS", "head:1")
    assert cluster.of_this_machine() == "head:1"


# -- how fast


def test_a_pace_counts_and_divides(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Pace()
    assert str(pace) == ""
    pace.add(pieces=1, decisions=400)
    pace.add(pieces=1, decisions=600)
    monkeypatch.setattr("renege.jobs.run.monotonic", lambda: pace.began + 0.5)
    assert str(pace) == "4 pieces/s, 2,000 decisions/s"
