"""Pieces done by a Ray cluster, an existing one or one that is started for this job.

Ray is asked for nothing but to run a function somewhere: pieces are given out, counted and given out again here, as
with processes. It reports to nobody, and a cluster that is started here asks for a token that nobody else knows.
"""

import os
import secrets
import socket
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from renege.core.version import version
from renege.jobs.outcome import Queue, Told, Trouble, Work, attempt

AUTO = "auto"
PATIENCE = 5.0  # seconds for an address to answer
LOOK = 1.0  # seconds between looks at how large the cluster is
HERE = "127.0.0.1"
SETTINGS = b"\x04"  # a frame of HTTP/2; its head has nine bytes, the fourth is its kind
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + SETTINGS + bytes(5)
TOKEN = "If it asks for a token, set RAY_AUTH_MODE=token and have the token where Ray looks for it"
OWN_TOKEN = secrets.token_hex(32)  # of the clusters that this process starts
QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}


class NoCluster(ValueError):
    """There is no cluster to work on; the message says why."""


def find_ray() -> Any:
    """Ray, which is no dependency of renege and tells nobody that it is used."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        return import_module("ray")
    except ImportError:
        raise NoCluster("a cluster needs ray: pip install 'renege[cluster]'") from None


def check_cluster(address: str | None) -> None:
    """Refuse what cannot be worked on: said before anything is begun."""
    if address is not None:
        find_ray()
        told = os.environ.get("RAY_ADDRESS") if address == AUTO else address
        if told is not None:
            check_answers(told)


def on_cluster(work: Work[Any], queue: Queue, workers: int | None, address: str, gpus: float) -> Told[Any]:
    """Do the pieces on a cluster, and yield each result as it comes. Stopping early cancels what is running."""
    ray = find_ray()
    with _joined(ray, address, workers):
        if gpus and ray.cluster_resources().get("GPU", 0) < gpus:
            raise NoCluster("the cluster has no GPU: take --device cpu, or an agent that needs none")
        there = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=0)(_attempt_there)
        shared, ours = ray.put(work), version()
        lost = (
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.ObjectLostError,
            ray.exceptions.OutOfMemoryError,
        )
        at: dict[Any, int] = {}
        while True:
            # two for each core, so that none waits for us; never more than are wanted at once
            most = workers or max(1, 2 * int(ray.cluster_resources().get("CPU", 1)))
            while len(at) < most and (piece := queue.take()) is not None:
                at[there.remote(shared, piece, ours)] = piece
            if not at:
                return
            for done in ray.wait(list(at), num_returns=1, timeout=LOOK)[0]:
                piece = at.pop(done)
                try:
                    found = ray.get(done)
                except lost as wrong:
                    queue.give_back(piece, _why(wrong))
                    continue
                except ray.exceptions.RayError as wrong:
                    found = Trouble.of(NoCluster(_why(wrong)))
                yield queue.result(piece, found)


def _attempt_there(work: Work[Any], piece: int, theirs: str) -> Any:
    """Do a piece somewhere else, where the same renege must be installed."""
    if version() != theirs:
        name = socket.gethostname()
        return Trouble.of(NoCluster(f"{name} has renege {version()}, and {theirs} gives out the work"))
    return attempt(work, piece)


@contextmanager
def _joined(ray: Any, address: str, workers: int | None) -> Generator[None, None, None]:
    """A cluster for the time; what was joined is left as it was, and what was started here is ended."""
    if ray.is_initialized():  # by whoever called us
        yield
        return
    before = dict(os.environ)
    try:
        there = of_this_machine() if address == AUTO else address
        if there is not None:
            check_answers(there)
            failed = f"the Ray cluster at {there} cannot be joined: {{}}. {TOKEN}"
            # without an address Ray takes the token of this machine
            _init(ray, failed, address=None if address == AUTO else address)
        else:  # a cluster of this machine alone, which asks for a token that is known to this process only
            os.environ.setdefault("RAY_AUTH_TOKEN", OWN_TOKEN)
            alone = {"num_cpus": workers, "include_dashboard": False, "_node_ip_address": HERE}
            _init(ray, "no Ray cluster can be started here: {}", address="local", **alone)
        yield
    finally:
        ray.shutdown()
        for name in {name for name in os.environ if name.startswith("RAY_")} - set(before):
            del os.environ[name]


def of_this_machine() -> str | None:
    """The cluster that this machine is a node of: as RAY_ADDRESS says, or the last `ray start`, if it still answers.

    Ray itself would join anybody's that runs here.
    """
    if told := os.environ.get("RAY_ADDRESS"):
        return told
    place = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
    try:
        address = (Path(place) / "ray" / "ray_current_cluster").read_text("utf-8").strip()
        check_answers(address)
    except (OSError, NoCluster):
        return None
    return address


def _init(ray: Any, otherwise: str, **where: Any) -> None:
    try:
        ray.init(**where, **QUIET)
    except (ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError, OSError) as wrong:
        raise NoCluster(otherwise.format(_why(wrong))) from None


def check_answers(address: str) -> None:
    """Refuse an address where no cluster answers: Ray itself would try for minutes, and then end the whole process.

    Ray speaks gRPC, which is HTTP/2: to a greeting the other side answers with its settings.
    """
    host, found, port = address.rpartition(":")
    if "://" in address or not found or not host or not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise NoCluster(f"{address!r} is no address of a cluster: auto, or HOST:PORT as 'ray start --head' tells it")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as line:
            line.settimeout(PATIENCE)
            line.sendall(GREETING)
            answer = line.recv(9)
    except (OSError, UnicodeError) as wrong:  # a name that cannot be one of a machine is the latter
        why = wrong.strerror if isinstance(wrong, OSError) else None
        raise NoCluster(f"no Ray cluster at {address}: {why or wrong}") from None
    if os.environ.get("RAY_USE_TLS", "0") != "1" and answer[3:4] != SETTINGS:
        raise NoCluster(f"no Ray cluster at {address}: something else answers there")


def _why(wrong: Exception) -> str:
    """The first line of what Ray says: it goes on for many."""
    lines = str(wrong).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(wrong).__name__
