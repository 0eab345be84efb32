"""Random cases by the hundred where `RENEGE_SOAK` asks for them, and programs that hear an interruption."""

import os
import shutil
import signal
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

try:
    from hypothesis import settings
except ImportError:  # the tests of the GPU do without: they run where nothing can be installed
    settings = None

if settings is not None:
    settings.register_profile("renege", deadline=None, max_examples=60 * int(os.environ.get("RENEGE_SOAK", "1")))
    settings.load_profile("renege")

# A shell lets what it runs in the background ignore ctrl-C, and so would every program that is started and interrupted
# here: such a test would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def vane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The worked example of a game that another package adds, as if it were installed: here and for what is started."""
    return _installed("vane", "vane", tmp_path, monkeypatch)


@pytest.fixture
def vane_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The same game with every facet that it can have."""
    return _installed("vane", "vane_full", tmp_path, monkeypatch)


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The example of a game for any number of seats, as if it were installed."""
    return _installed("ring", "ring", tmp_path, monkeypatch)


def _installed(game: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    from renege.ask import serve
    from renege.core.registry import ADDED, add_game

    site = tmp_path / "site"
    about = site / f"renege_{game}-0.1.dist-info"
    about.mkdir(parents=True)
    parts = list((EXAMPLES / game).glob("*.py"))
    for part in parts:
        shutil.copy(part, site)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: renege-{game}\nVersion: 0.1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[renege.games]\n{game} = {name}\n", "utf-8")
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))
    for part in parts:
        monkeypatch.delitem(sys.modules, part.stem, raising=False)
    monkeypatch.setattr(serve, "_wires", {})  # the other's, if it was asked before
    module = import_module(name)
    monkeypatch.setitem(ADDED, game, module)
    add_game(module)  # again, which changes nothing
    return module
