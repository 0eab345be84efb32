"""What a command imports: no more than it needs, so that it starts fast and stays small."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from study.draws import rounds

PROGRAM = """
import sys
from renege.cli.main import main
sys.argv = ["renege", *sys.argv[1:]]
try:
    main()
finally:
    sys.stderr.write("\\n".join(sys.modules))
"""
HEAVY = {"numpy", "msgspec", "rich", "matplotlib", "fastapi", "uvicorn", "pyarrow", "renege._kernel", "renege.native"}
FOLDERS = {f"renege.{folder}" for folder in ("belief", "search", "agents", "envs", "arena", "ask", "server", "survey")}


def imported(*arguments: str | Path) -> set[str]:
    """The modules that a command has imported when it ends; those that come by themselves are left out."""
    place = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=True, env=place)
    return set(done.stderr.split("\n"))


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_the_list_of_commands_imports_none_of_them(argument: str):
    found = imported(argument)
    assert not found & (HEAVY | FOLDERS | {"renege.games", "renege.core.game"})


def test_spoj_imports_the_rules_of_tractor_alone(tmp_path: Path):
    file = tmp_path / "round.txt"
    file.write_text("\n".join(rounds(1, 0)), "utf-8")
    found = imported("spoj", file)
    assert "renege.games.tractor.spoj" in found
    assert not found & (HEAVY | FOLDERS)
    assert not found & {"renege.games.texas42", "renege.games.schafkopf", "renege.games.wire", "renege.games.encoding"}
    tractor = {name.rpartition(".")[2] for name in found if name.startswith("renege.games.tractor.")}
    assert not tractor & {"encoding", "env", "packed", "rulebook", "search", "solve", "wire", "words"}


def test_a_command_imports_no_other(tmp_path: Path):
    file = tmp_path / "none.txt"
    file.write_text("")
    found = {name.removeprefix("renege.cli.") for name in imported("ask", file) if name.startswith("renege.cli.")}
    assert found == {"main", "ask", "arguments"}
