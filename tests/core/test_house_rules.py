"""House rules: choices by name or as they are, numbers in their bounds, and nothing else is ever stored."""

from dataclasses import fields, replace
from enum import Enum
from typing import Any

import pytest

from renege import NotationError
from renege.core.house_rules import Choice, choices_of, question_of, read_rules, write_rules
from renege.core.registry import GAMES

RULES = [(GAMES[game].Rules, field) for game in GAMES for field in fields(GAMES[game].Rules)]
CHOICES = [(rules, field) for rules, field in RULES if isinstance(field.default, Enum)]
NUMBERS = [(rules, field) for rules, field in RULES if isinstance(field.default, int)]


OWN = [(rules, field) for rules, field in RULES if field.metadata.get("own")]


def name(part: Any) -> str:
    return part.__module__.split(".")[-2] if isinstance(part, type) else part.name


@pytest.mark.parametrize(("rules", "field"), CHOICES, ids=name)
def test_a_choice_is_understood_by_its_name_and_nothing_else_is_stored(rules: Any, field: Any):
    assert isinstance(field.default, Choice)
    for choice in type(field.default):
        assert getattr(rules(**{field.name: choice.value}), field.name) is choice
        assert rules(**{field.name: choice.value}) == rules(**{field.name: choice})
        assert replace(rules(), **{field.name: choice.value}) == rules(**{field.name: choice})
    for nonsense in ("nonsense", "", 3, None, True, ("no",), field.default.name + "!"):
        with pytest.raises(NotationError, match=f"{field.name} is one of "):
            rules(**{field.name: nonsense})


@pytest.mark.parametrize(("rules", "field"), NUMBERS, ids=name)
def test_a_number_is_read_from_its_digits_and_kept_in_its_bounds(rules: Any, field: Any):
    least, most = field.metadata["least"], field.metadata["most"]
    for number in (least, most):
        assert getattr(rules(**{field.name: number}), field.name) == number
        assert getattr(rules(**{field.name: str(number)}), field.name) == number
    for wrong in (most + 1, str(most + 1), "9" * 5000, 2**63 - 1):
        with pytest.raises(NotationError, match=f"{field.name} is .*; it may be {least} to {most}$"):
            rules(**{field.name: wrong})
    for wrong in ("x", "-1", -1, 1.5, "", "1.5", None, True, "¹"):
        with pytest.raises(NotationError, match=f"{field.name} is a number"):
            rules(**{field.name: wrong})
        with pytest.raises(NotationError):
            read_rules(rules(), {field.name: wrong})


@pytest.mark.parametrize(("rules", "field"), OWN, ids=name)
def test_a_number_is_that_of_another_rule_unless_it_is_given(rules: Any, field: Any):
    least, most, other = field.metadata["least"], field.metadata["most"], field.default
    assert rules().number(field.name) == rules().number(other)
    assert rules(**{other: 17}).number(field.name) == 17
    given = read_rules(rules(), {field.name: "5"})
    assert given.number(field.name) == 5 and write_rules(given) == {field.name: "5"}
    assert read_rules(given, {field.name: other}) == rules()
    assert replace(rules(), **{field.name: least}).number(field.name) == least
    with pytest.raises(NotationError, match=f"{field.name} is .*; it may be {least} to {most}$"):
        rules(**{field.name: most + 1})
    for wrong in ("x", "", -1, None, True, field.name):
        with pytest.raises(NotationError, match=f"{field.name} is a number or '{other}'; "):
            rules(**{field.name: wrong})


@pytest.mark.parametrize(("rules", "field"), RULES, ids=name)
def test_a_rule_has_a_question_and_each_choice_a_sentence(rules: Any, field: Any):
    assert question_of(field).endswith(".")
    assert bool(choices_of(field)) == isinstance(field.default, Enum)
    assert all(sentence.endswith(".") for sentence in choices_of(field).values())
