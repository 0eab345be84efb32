"""Are rows what they were when they were frozen? What was trained on an id must be playable under it later.

Rows of version 0 are those from before there was a version 1. The layout of version 1 and a hash of its rows are in
`tests/data/rows-v1.json`; `RENEGE_GOLDEN=write pytest tests/envs/test_frozen.py` writes them, where a game is new.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renege.core.registry import find_game
from renege.envs import BatchEnv
from support.env_lanes import FULL, full_encoding

FILE = Path(__file__).parents[1] / "data" / "rows-v1.json"
WRITE = os.environ.get("RENEGE_GOLDEN") == "write"
GAMES = ["texas42", "schafkopf", "tractor", "texas42-small", "schafkopf-small", "tractor-small"]
FROZEN = "rows of version 1 are frozen: what changes them needs a version 2"
BEFORE = {  # sha256 of rows of version 0, from before there was another
    "texas42": "076472fdaa5126ed3889822f9e34d3eec678734072acca49c843770a1687433c",
    "texas42 nello_exchange=one-tile": "8375565c12d6cfe3b1c6c2c5cad157f58860a966a717dd06a2107e840a099d78",
    "schafkopf": "616bad0caeddfecbebf46c36042a1c2dc81c5c430ba6d681cd3316cbb43258bc",
    "schafkopf deck=short": "6a5fcc5ccc42f0bde0a12bfa7fc4a2e48334dda803c538ab7a15f4257b905a4c",
    "tractor": "add859d48c6de812ee5ec3cbfbd8c25003541ef045c213930569124d60cd6633",
    "texas42-small": "0a346f23ca1193119207f8abd5977f2c80c6da7b54e93f06101decb2a9ab44c4",
    "schafkopf-small": "9140799c1915f75a4f2c76601a319c8f580fd0d938a941ef97559e8d75b336cd",
    "tractor-small": "1597c1ec6d3a68a2f2d8a905b612250355d76baf56b408e4324e310c92ac0221",
}


def played(env: BatchEnv) -> str:
    """A hash of all that an environment shows in some hundred steps by chance."""
    found = hashlib.sha256()
    for _ in range(300 if env.in_kernel else 40):
        env.step(env.choose())
        for array in (env.observation, env.hidden, env.mask, env.mover, env.reward, env.done):
            found.update(b"" if array is None else array.tobytes())
    return found.hexdigest()


def frozen(name: str) -> dict[str, Any]:
    """The layout of a game's rows of version 1, and the hash of some."""
    encoding = full_encoding(find_game(name))
    env = BatchEnv(name, 24, seed=7, version=1, history=FULL.history, hidden=True)
    return {
        "sections": {name: [part.start, part.stop] for name, part in encoding.sections.items()},
        "hidden": encoding.hidden_width,
        "actions": list(encoding.actions),
        "rules": list(encoding.rule_names),
        "rows": played(env),
    }


def in_lines(kept: dict[str, dict[str, Any]]) -> str:
    """JSON with a line for each part of each game."""
    games = []
    for name, parts in kept.items():
        lines = ",\n".join(f"  {json.dumps(part)}: {json.dumps(value)}" for part, value in parts.items())
        games.append(f" {json.dumps(name)}: {{\n{lines}\n }}")
    return "{\n" + ",\n".join(games) + "\n}\n"


@pytest.mark.parametrize("name", GAMES)
def test_rows_of_version_1_are_frozen(name: str):
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    found = frozen(name)
    if WRITE:
        FILE.write_text(in_lines(kept | {name: found}))
        return
    for part, value in found.items():
        assert kept[name][part] == value, f"{name}, {part}: {FROZEN}"


@pytest.mark.parametrize("case", BEFORE)
def test_rows_of_version_0_are_what_they_were(case: str):
    name, *rules = case.split()
    env = BatchEnv(find_game(name, dict(rule.split("=") for rule in rules)), 24, seed=7)
    assert played(env) == BEFORE[case], "rows of version 0 are frozen"


@pytest.mark.parametrize("case", BEFORE)
def test_rows_of_version_1_have_those_of_version_0_in_them(case: str):
    name, *rules = case.split()
    game = find_game(name, dict(rule.split("=") for rule in rules))
    old, new = BatchEnv(game, 24, seed=7), BatchEnv(game, 24, seed=7, version=1)
    new.begin(old.dealt(), game.opening)
    before, now = old.encoding.sections, new.encoding.sections
    shared = [part for part in now if part in before]
    assert shared == list(before)
    alive = np.ones(old.lanes, bool)
    for _ in range(300 if old.in_kernel else 12):
        for part in shared:
            rows, wider = old.observation[:, before[part]], new.observation[:, now[part]]
            assert (rows[alive] == wider[alive]).all(), part
        actions = old.choose()
        old.step(actions)
        new.step(np.where(alive, actions, new.choose()))
        assert (old.reward[alive] == new.reward[alive]).all()
        alive &= old.done == 0
    assert not alive.all()
