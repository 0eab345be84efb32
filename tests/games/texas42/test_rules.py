"""House rules: by name and as text, what is refused among them, and the tables people know."""

from dataclasses import fields
from enum import Enum
from itertools import product

import pytest

from renege import NotationError, texas42
from renege.core.house_rules import read_rules, write_rules
from renege.core.registry import find_game
from renege.core.verdict import Rule
from renege.games.texas42 import rules as rules_module
from renege.games.texas42.rules import PRESETS, RULES, Rules

CHOICES = [
    (field.name, str(choice.value))
    for field in fields(Rules)
    if isinstance(default := getattr(Rules(), field.name), Enum)
    for choice in type(default)
]


@pytest.mark.parametrize(("name", "value"), [*CHOICES, ("target", "5"), ("target", "250")])
def test_every_choice_reads_from_its_name_and_writes_back(name: str, value: str):
    if (name, value) == ("follow_me_doubles", "own-inverted"):
        with pytest.raises(NotationError, match="own-inverted"):
            read_rules(Rules(), {name: value})
        return
    rules = read_rules(Rules(), {name: value})
    assert read_rules(Rules(), write_rules(rules)) == rules
    assert write_rules(rules) in ({name: value}, {})
    assert (write_rules(rules) == {}) == (rules == Rules())
    assert find_game("texas42", {name: value}).rules == rules


def test_choices_are_independent():
    for (one, a), (other, b) in product(CHOICES[::3], CHOICES[1::4]):
        if one == other or "own-inverted" in (a, b):
            continue
        rules = read_rules(Rules(), {one: a, other: b})
        assert read_rules(Rules(), write_rules(rules)) == rules


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"jokers": "wild"}, "'jokers' is no house rule"),
        ({"nello": "sometimes"}, "'sometimes'"),
        ({"nello": ""}, "''"),
        ({"nello": "OFF"}, "'OFF'"),
        ({"target": "seven"}, "'seven'"),
        ({"target": "-1"}, "'-1'"),
        ({"target": ""}, "''"),
        ({"target": "²"}, "'²'"),
        ({"target": "1001"}, "1001"),
        ({"target": "0"}, "0"),
        ({"target": True}, "True"),
    ],
)
def test_a_choice_that_is_none_is_refused_and_quoted(choices, said: str):
    with pytest.raises(NotationError) as raised:
        read_rules(Rules(), choices)
    assert said in str(raised.value)


def test_a_number_may_be_given_as_one():
    assert read_rules(Rules(), {"target": 5}).target == 5


def test_no_game_of_another_name():
    with pytest.raises(NotationError, match="'bridge'"):
        find_game("bridge")


def test_one_set_of_rules_is_one_game():
    assert texas42.game() is texas42.game()
    assert texas42.game(Rules()) == texas42.game()
    assert hash(texas42.game(Rules())) == hash(texas42.game())
    assert texas42.game(PRESETS["tournament"]) != texas42.game()


def test_the_rules_of_the_module_are_the_rules_of_the_game_each_once():
    defined = [value for value in vars(rules_module).values() if isinstance(value, Rule)]
    assert set(defined) == set(RULES)
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert texas42.game().rule_list == RULES
    for rule in RULES:
        assert rule.id.startswith("texas42.")
        assert rule.sentence.endswith(".")
        assert rule.source


def test_the_tournament_plays_straight_42():
    game = texas42.game(PRESETS["tournament"])
    position = texas42.position("hand 0-0 1-1 2-2 3-3 4-4 5-5 6-6", game.rules)
    assert set(position.legal_calls) == {"pass", *map(str, range(30, 42)), "1 mark", "2 marks"}
    for _ in range(3):
        position = position.call("pass")
    declared = position.call("2 marks").legal_calls
    assert set(declared) == {*(f"trump {trump}" for trump in [*range(7), "doubles"]), "follow-me"}
    assert "pass" in position.legal_calls


@pytest.mark.parametrize(
    ("name", "forced"), [("default", False), ("tournament", False), ("family", True), ("a-and-m", True)]
)
def test_who_must_bid_at_the_tables_people_know(name: str, forced: bool):
    position = texas42.position("said pass, pass, pass", PRESETS[name])
    assert ("pass" not in position.legal_calls) == forced


@pytest.mark.parametrize(
    ("name", "score", "winner"),
    [
        ("default", (7, 6), 0),
        ("default", (6, 6), None),
        ("default", (3, 9), 1),
        ("a-and-m", (7, 6), None),
        ("a-and-m", (8, 6), 0),
        ("a-and-m", (7, 9), 1),
        ("a-and-m", (6, 2), None),
        ("points-250", (249, 100), None),
        ("points-250", (250, 249), 0),
        ("points-250", (252, 260), 1),
        ("points-250", (250, 250), None),
    ],
)
def test_when_a_game_is_won_at_the_tables_people_know(name: str, score: tuple[int, int], winner: int | None):
    game = texas42.game(PRESETS[name])
    assert game.winner(game.rules, type(game.opening)(0, score)) == winner
