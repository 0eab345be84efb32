"""Does docs/environments-larger-tables.md say where everything is, and do its examples run?

`RENEGE_GOLDEN=write pytest tests/envs/test_larger_tables_page.py` writes the sizes, where a house rule is new.
"""

import doctest
import os
import re
from math import prod
from pathlib import Path

import pytest

from renege.games import tractor
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from support.tractor_larger import TABLES

PAGE = Path(__file__).parents[2] / "docs" / "environments-larger-tables.md"


def tables() -> list[list[list[str]]]:
    """The tables of the page: rows of cells, without their heads."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    rows = [
        [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()] for block in blocks
    ]
    return [table[2:] for table in rows]


def sizes() -> str:
    """The table of sizes, as the page has it."""
    lines = list[str]()
    for preset in TABLES:
        game = tractor.game(preset)
        row, long = (encoding_of(game, Rows(1, history)) for history in (False, True))
        numbers = [game.rules.seats, game.rules.packs, game.rules.friend_count, len(row.actions)]
        numbers += [row.width, long.width, row.hidden_width]
        lines.append(f"| `{preset}` | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)


def rules_line() -> str:
    return f"| `rules` | `[{len(encoding_of(tractor.game('friends-six'), Rows(1)).rule_names)}]` |"


def test_the_page_tells_the_size_of_every_preset():
    page = PAGE.read_text(encoding="utf-8")
    if os.environ.get("RENEGE_GOLDEN") == "write":
        page = re.sub(r"(?:^\| `[a-z-]+` \| \d.*\n)+", f"{sizes()}\n", page, count=1, flags=re.MULTILINE)
        page = re.sub(r"^\| `rules` \| `\[\d+\]` \|", rules_line(), page, flags=re.MULTILINE)
        PAGE.write_text(page, encoding="utf-8")
    assert sizes() in page
    assert rules_line() in page


@pytest.mark.parametrize("preset", TABLES)
def test_the_page_lists_every_section(preset: str):
    _, _, sections, with_friends, more = tables()
    encoding = encoding_of(tractor.game(preset), Rows(1, history=True))
    rules = encoding.game.rules
    listed = [*sections, *(with_friends if rules.friend_count else []), *more]
    assert [row[0].strip("`") for row in listed] == list(encoding.sections)
    known = {"packs": rules.packs, "seats": rules.seats, "friends": rules.friend_count, "sides": rules.sides}
    known["length"] = encoding.acts
    for name, shape, _ in listed:
        sizes = [eval(size, {}, known) for size in shape.strip("`[]").split(",")]
        part = encoding.sections[name.strip("`")]
        assert prod(sizes) == part.stop - part.start, name


def test_the_page_lists_every_action():
    _, actions, *_ = tables()
    encoding = encoding_of(tractor.game("friends-six"))
    told = [name for row in actions for name in re.findall("`(.+?)`", row[0])]
    assert set(told) <= set(encoding.actions)
    kinds = {re.sub(r"(LJ|BJ|[CDHS])( ?\1)*$", "X", re.sub(r"\d$", "N", name)) for name in encoding.actions[54:]}
    assert kinds == {re.sub(r"(LJ|BJ|[CDHS])( ?\1)*$", "X", re.sub(r"\d$", "N", name)) for name in told[4:]}


def test_the_examples_of_the_page():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
