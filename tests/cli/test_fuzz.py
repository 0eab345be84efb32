"""Whatever is typed or piped in, there is an answer or a sentence: no traceback, and nothing that does not end."""

import io
import json
import random
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from renege.ask.serve import reply
from renege.cli.main import app
from renege.core.house_rules import choices_of
from renege.core.notation import parse_play
from renege.core.position_text import parse_position
from renege.core.registry import GAMES, find_game, parse_game_record
from study.draws import rounds
from support.mutations import Hang, mutated, mutated_json, patience
from support.steering import SOAK

COMMAND = get_command(app)  # once, since to build it takes longer than most of what is asked
DATA = Path(__file__).parents[1] / "data"
GOLDEN = sorted((DATA / "golden").glob("*.txt"))
RECORDS = [file.read_text("utf-8") for file in GOLDEN if file.stat().st_size < 8_000]
DEALS = [text for text in RECORDS if text.count("deal") < 8]
FOREIGN = [file.read_text("utf-8") for file in sorted((DATA / "read").iterdir())]
CONTEST = ["\n".join(rounds(1, seed)) for seed in range(3)]
PERFT = [file.read_text("utf-8")[:600].rpartition("\n")[0] for file in sorted((DATA / "perft").glob("texas42-*.txt"))]
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line)["q"]
    for file in sorted((DATA / "answers").glob("*_*.jsonl"))
    if "solved" not in file.name
    for line in file.read_text("utf-8").splitlines()
]


def positions(game: str) -> list[str]:
    """The positions of all cases of a game."""
    lines = [
        part.strip()
        for file in sorted((DATA / "cases").glob(f"{game}.*.txt"))
        for line in file.read_text("utf-8").splitlines()
        if not line.startswith("#")
        for part in line.split("=>")[:2]
    ]
    return [line for line in lines if "|" in line]


POSITIONS = {game: positions(game) for game in ("texas42", "tractor", "schafkopf")}
PLAYS = ("6-4", "6-4 as 4", "SA SK + SA", "SK of SA SK", "EO", "HA HA", "bury S2", "show S2", "solo E tout", "1 mark")


@dataclass(frozen=True)
class Entry:
    """A way in: how often it is tried, what is typed there, and who reads it."""

    cases: int
    make: Callable[[random.Random], Any]
    read: Callable[[Any], None]


def command(*arguments: str) -> Callable[[str], None]:
    """A command that reads a text from standard input."""

    def read(text: str) -> None:
        run([*arguments], text)

    return read


def positioned(*arguments: str) -> Callable[[tuple[str, str]], None]:
    """A command about a position of a game."""

    def read(given: tuple[str, str]) -> None:
        game, text = given
        run([*arguments, "--game", game, "--", text.replace("\0", "")], "")

    return read


def run(arguments: list[str], given: str) -> tuple[object, str]:
    """The exit status of a command in this process, and all that it prints."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    typed, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given.encode("utf-8", "replace")), encoding="utf-8")
    try:
        with redirect_stdout(printed), redirect_stderr(printed), pytest.raises(SystemExit) as end:
            COMMAND.main(arguments, prog_name="renege")
    finally:
        sys.stdin = typed
    printed.seek(0)
    told = printed.read()
    assert end.value.code in (None, 0, 1, 2), told
    assert "Traceback" not in told and "fault of renege" not in told, told
    return end.value.code or 0, told


def text_of(seeds: list[str]) -> Callable[[random.Random], str]:
    return lambda rng: mutated(rng, rng.choice(seeds), seeds)


def position_of(rng: random.Random) -> tuple[str, str]:
    game = rng.choice(list(POSITIONS))
    return game, mutated(rng, rng.choice(POSITIONS[game]), POSITIONS[game])


def question(rng: random.Random) -> bytes:
    asked = rng.choice(QUESTIONS)
    if rng.random() < 0.7:
        return json.dumps(mutated_json(rng, asked, QUESTIONS)).encode()
    texts = [json.dumps(other) for other in rng.sample(QUESTIONS, 3)]
    return mutated(rng, json.dumps(asked), texts).encode("utf-8", "replace")


def answered(line: bytes) -> None:
    for part in line.splitlines():
        answer = json.loads(reply(part)[0])
        assert "fault of renege" not in str(answer.get("error", "")), answer


def refused_or_read(read: Callable[[Any], Any]) -> Callable[[Any], None]:
    """A parser: it may refuse with a `ValueError` and with nothing else."""

    def attempt(given: Any) -> None:
        with suppress(ValueError):
            read(given)

    return attempt


def house_rules(rng: random.Random) -> tuple[str, dict[str, Any]]:
    game = rng.choice(list(GAMES))
    names = [field.name for field in fields(GAMES[game].Rules)]
    chosen: dict[str, Any] = {}
    for name in rng.sample(names, rng.randint(1, 4)):
        field = next(field for field in fields(GAMES[game].Rules) if field.name == name)
        chosen[name] = rng.choice([*choices_of(field), "7", "250"])
    return game, mutated_json(rng, chosen, [chosen])


def set_up(given: tuple[str, Any]) -> None:
    game, rules = given
    if isinstance(rules, dict):
        find_game(game, rules)


def played(given: tuple[str, str]) -> None:
    game, text = given
    table = find_game(game)
    order = parse_position(table, POSITIONS[game][0]).order
    parse_play(table.deck, () if order is None else order.suits, text)


ENTRIES = {
    "ask": Entry(400, question, answered),
    "judge": Entry(80, text_of(RECORDS), command("judge", "-")),
    "read": Entry(60, text_of(FOREIGN), command("read", "-")),
    "read --check": Entry(30, text_of(FOREIGN), command("read", "--check", "-")),
    "spoj": Entry(80, text_of(CONTEST), command("spoj", "-")),
    "odds": Entry(20, text_of(DEALS), command("odds", "-", "--acts", "9")),
    "hint": Entry(12, text_of(DEALS), command("hint", "-", "--worlds", "2")),
    "analyse": Entry(6, text_of(DEALS), command("analyse", "-", "--ms", "0")),
    "solve": Entry(60, position_of, positioned("solve", "--nodes", "2000")),
    "perft": Entry(60, position_of, positioned("perft", "--depth", "1")),
    "perft --check": Entry(6, text_of(PERFT), command("perft", "--check", "-")),
    "position": Entry(150, position_of, refused_or_read(lambda given: parse_position(find_game(given[0]), given[1]))),
    "record": Entry(100, text_of(RECORDS), refused_or_read(parse_game_record)),
    "play": Entry(
        100,
        lambda rng: (rng.choice(list(POSITIONS)), mutated(rng, rng.choice(PLAYS), PLAYS)),
        refused_or_read(played),
    ),
    "house rules": Entry(150, house_rules, refused_or_read(set_up)),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_nothing_that_is_typed_brings_down(name: str):
    """A failure names the input: give it to the same reader again."""
    entry = ENTRIES[name]
    for number in range(entry.cases * SOAK):
        rng = random.Random(f"{name} {number}")
        given = entry.make(rng)
        try:
            with patience():
                entry.read(given)
        except (Exception, Hang) as fault:
            raise AssertionError(f"{name}, case {number}: {type(fault).__name__}: {fault}\ngiven: {given!r}") from fault


@pytest.mark.parametrize("name", ["judge", "read", "spoj", "odds", "perft --check"])
def test_without_a_mutation_they_are_read(name: str):
    seeds = {"read": FOREIGN, "spoj": CONTEST, "odds": DEALS, "perft --check": PERFT[1:]}.get(name, RECORDS)
    arguments = [*name.split(), "-"]
    code, told = run(arguments, seeds[0])
    assert code == 0 and told, told
