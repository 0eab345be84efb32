"""A Ray cluster of this machine for the tests; nothing of it is left afterwards."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.ray_nodes import Nodes, free_port, until


@pytest.fixture
def apart() -> Iterator[Nodes]:
    """A place where no cluster is."""
    folder = Path(tempfile.mkdtemp(prefix="rn", dir="/tmp"))  # short: Ray's sockets have long names
    yield Nodes(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def head() -> Iterator[Nodes]:
    """A cluster with room for four pieces at once."""
    folder = Path(tempfile.mkdtemp(prefix="rn", dir="/tmp"))
    nodes, port = Nodes(folder), free_port()
    try:
        nodes.start(
            "--head", f"--port={port}", "--num-cpus=4", "--include-dashboard=false", "--node-ip-address=127.0.0.1"
        )
        until(nodes.ready, "the cluster")
        found = re.search(r"--address='?([^'\s]+)'?", nodes.log(0).read_text())
        nodes.address = found[1] if found else f"127.0.0.1:{port}"
        yield nodes
    finally:
        nodes.stop()
        shutil.rmtree(folder, ignore_errors=True)
