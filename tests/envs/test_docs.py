"""Does the page say what the numbers are, and do its examples run?"""

import doctest
from pathlib import Path

from renege.core.registry import find_game
from renege.games.encoding import encoding_of
from support.env_lanes import full_encoding
from support.env_tables import action_table, observation_table

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_examples_run():
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted > 8
    assert not found.failed


def test_the_page_says_what_each_number_is():
    game, page = find_game("texas42"), PAGE.read_text("utf-8")
    assert observation_table(encoding_of(game), full_encoding(game)) in page
    assert action_table(encoding_of(game)) in page


def test_every_index_is_told_once():
    for name in ("texas42", "texas42-small"):
        encodings = encoding_of(find_game(name)), full_encoding(find_game(name))
        lines = observation_table(*encodings).splitlines()[2:]
        for column, encoding in enumerate(encodings, 2):
            spans = [span.split("..") for line in lines if (span := line.split("|")[column].strip())]
            told = [index for first, last in spans for index in range(int(first), int(last) + 1)]
            assert told == list(range(encoding.width))
