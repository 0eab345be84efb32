"""Does docs/environments-tractor.md say where everything is?"""

import doctest
import re
from pathlib import Path

import numpy as np

from renege.core.registry import find_game
from renege.games.rows import Rows
from support.env_lanes import full_encoding

PAGE = Path(__file__).parents[2] / "docs" / "environments-tractor.md"
WHOLE, SMALL = full_encoding(find_game("tractor")), full_encoding(find_game("tractor-small"))


def tables() -> list[list[list[str]]]:
    """The tables of the page: rows of cells, without their heads."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    rows = [
        [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()] for block in blocks
    ]
    return [table[2:] for table in rows]


def numbers(cell: str) -> list[int]:
    first, _, last = cell.partition("..")
    return list(range(int(first), int(last or first) + 1))


def test_the_page_lists_every_action():
    actions, *_ = tables()
    assert [number for row in actions for number in numbers(row[0])] == list(range(len(WHOLE.actions)))
    for row in actions:
        assert re.findall("`(.+?)`", row[1]) == [WHOLE.actions[number] for number in numbers(row[0])]
    assert SMALL.actions[54:] == ("done", "take")
    assert "`done` is 54, and 55 is `take`" in PAGE.read_text(encoding="utf-8")


def test_the_page_lists_every_index():
    _, sections, more = tables()
    for column, encoding in ((1, WHOLE), (2, SMALL)):
        for rows, layout in ((sections, encoding.with_rows(Rows())), (sections + more, encoding)):
            told = {row[0].strip("`"): numbers(row[column]) for row in rows}
            assert told == {name: list(range(part.start, part.stop)) for name, part in layout.sections.items()}
    for name, index, _, shape, _ in sections + more:
        assert np.prod([int(size) for size in re.findall("[0-9]+", shape)]) == len(numbers(index)), name


def test_the_example_of_the_page():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
