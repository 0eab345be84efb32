"""Nodes of a Ray cluster, started on this machine for the tests, with a token of their own and their files apart."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from support import pieces

RAY = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--disable-usage-stats"]
PATIENCE = 90.0  # seconds: the machine may be busy


@dataclass
class Nodes:
    """Ray nodes that were started here, by address, with all their processes."""

    folder: Path
    address: str = ""
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What a command needs to be one of them: where Ray keeps its files, and the token."""
        return {
            **os.environ,
            "PYTHONPATH": str(Path(pieces.__file__).parents[1]),
            "HOME": str(self.folder),
            "RAY_TMPDIR": str(self.folder),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": self.token,
        }

    token: str = field(default_factory=lambda: secrets.token_hex(32))

    def start(self, *options: str) -> subprocess.Popen[bytes]:
        with open(self.log(len(self.started)), "wb") as log:
            node = subprocess.Popen(
                [*RAY, *options], env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.started.append(node)
        return node

    def log(self, node: int) -> Path:
        return self.folder / f"node-{node}.log"

    def ready(self, node: int = -1) -> bool:
        """Is a node up? The last one if unsaid."""
        text = self.log(node % len(self.started)).read_text()
        assert self.started[node].poll() is None, text
        return "Ray runtime started" in text

    def processes(self) -> list[int]:
        """All that runs by our files: raylets, their helpers and their workers."""
        found: list[int] = []
        for entry in Path("/proc").iterdir():
            try:
                if entry.name.isdecimal() and os.fsencode(self.token) in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:  # it has ended, or is another's
                continue
        return found

    def workers(self) -> list[int]:
        """The processes that are at a piece just now."""
        return [process for process in self.processes() if title(process).startswith("ray::_attempt_there")]

    def stop(self) -> None:
        for node in self.started:
            node.terminate()
        for node in self.started:
            try:
                node.wait(20)
            except subprocess.TimeoutExpired:
                node.kill()
                node.wait()
        for process in self.processes():
            if process != os.getpid():
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    continue


def title(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def until(happens: Callable[[], object], what: str) -> None:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.05)
