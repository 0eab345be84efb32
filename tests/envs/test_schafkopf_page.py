"""Does docs/environments-schafkopf.md say where everything is?"""

import doctest
import re
from pathlib import Path

from renege.core.registry import find_game
from renege.games.encoding import Encoding
from renege.games.rows import Rows
from support.env_lanes import full_encoding

PAGE = Path(__file__).parents[2] / "docs" / "environments-schafkopf.md"
LONG, SHORT = (full_encoding(find_game("schafkopf", {"deck": deck})) for deck in ("long", "short"))
SMALL = full_encoding(find_game("schafkopf-small"))


def tables() -> list[list[list[str]]]:
    """The tables of the page: rows of cells, their heads first."""
    blocks = re.findall(r"(?:^\|.*\n)+", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [
        [[cell.strip() for cell in line.strip("|\n").split("|")] for line in block.splitlines()] for block in blocks
    ]


def numbers(cell: str) -> list[int]:
    first, _, last = cell.partition("..")
    return list(range(int(first), int(last or first) + 1))


def check_sections(old: list[list[str]], more: list[list[str]], encoding: Encoding, column: int) -> None:
    """The sections of version 0, and then what version 1 has more."""
    for rows, layout in ((old, encoding.with_rows(Rows())), (old + more, encoding)):
        said = {row[0].strip("`"): numbers(row[column]) for row in rows}
        assert said == {name: list(range(part.start, part.stop)) for name, part in layout.sections.items()}


def test_the_page_lists_every_action():
    long, _, _, small, _, _ = tables()
    for column, encoding in enumerate((LONG, SHORT)):
        said = [number for row in long[2:] for number in numbers(row[column])]
        assert said == list(range(len(encoding.actions)))
        names = [name for row in long[2:] for name in re.findall("`(.+?)`", row[2])]
        assert [name for name in names if name in encoding.actions] == list(encoding.actions)
    for row in small[3:]:
        assert re.findall("`(.+?)`", row[1]) == [SMALL.actions[number] for number in numbers(row[0])]
    assert [number for row in small[2:] for number in numbers(row[0])] == list(range(len(SMALL.actions)))


def test_the_page_lists_every_index():
    _, long, more, _, small, small_more = tables()
    check_sections(long[2:], more[2:], LONG, 1)
    check_sections(long[2:], more[2:], SHORT, 2)
    check_sections(small[2:], small_more[2:], SMALL, 1)
    raising = full_encoding(find_game("schafkopf", {"precedence": "raising"}))
    assert f"room for {raising.acts} actions" in PAGE.read_text(encoding="utf-8")


def test_the_example_of_the_page():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
