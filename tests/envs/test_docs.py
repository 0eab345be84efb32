"""Does the page say what the numbers are, and do its examples run?"""

import doctest
from pathlib import Path

from renege.core.registry import find_game
from renege.games.encoding import encoding_of
from support.env_tables import action_table, observation_table

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_examples_run():
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 8
    assert not found.failed


def test_the_page_says_what_each_number_is():
    encoding, page = encoding_of(find_game("texas42")), PAGE.read_text("utf-8")
    assert observation_table(encoding) in page
    assert action_table(encoding) in page


def test_every_index_is_told_once():
    for name in ("texas42", "texas42-small"):
        encoding = encoding_of(find_game(name))
        spans = [line.split("|")[1].strip() for line in observation_table(encoding).splitlines()[2:]]
        told = [index for span in spans for index in range(int(span.split(" - ")[0]), int(span.split(" - ")[-1]) + 1)]
        assert told == list(range(encoding.width))
