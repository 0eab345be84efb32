"""House rules: named choices between the ways in which tables play a game, each choice with its sentence.

A game's `Rules` is a frozen dataclass of them. A rule is either a `Choice`, an enum named for the question that it
answers, or a number or a text made by `asking`, or a number made by `asking_own`, which is that of another rule unless
it is given. A choice may be given by its name (`Rules(all_pass="force-30")`) and a number by its digits; what is no
choice of the rule is refused when the rules are made, never stored.
"""

from collections.abc import Mapping
from dataclasses import Field, field, fields, replace
from enum import Enum
from typing import Any, ClassVar, TypeVar, cast

from renege.core.message import say
from renege.core.notation import NotationError

Table = TypeVar("Table")
MOST = 1_000_000  # a number among the house rules is at most this, unless the rule says otherwise


class Choice(Enum):
    """The answers to one question on which tables differ: each has a name and says in one sentence what it means."""

    sentence: str
    _value_: str

    def __new__(cls, name: str, sentence: str) -> "Choice":
        choice = object.__new__(cls)
        choice._value_ = name
        choice.sentence = sentence
        return choice

    __hash__ = object.__hash__  # tables are found by their house rules, dozens of choices each


class HouseRules:
    """The base of every game's `Rules`: reads choices by name, and refuses what is none of a rule's choices."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        for rule in fields(self):
            value = getattr(self, rule.name)
            read = _read(rule, value)
            if read is not value:
                object.__setattr__(self, rule.name, read)  # frozen for everybody else
        self.check()

    def check(self) -> None:
        """Refuses, by a `ValueError`, choices that cannot go together."""

    def number(self, name: str) -> int:
        """The number of a house rule; where it is as another rule has it, that rule's."""
        value = getattr(self, name)
        return value if isinstance(value, int) else self.number(value)


def asking(
    question: str, default: Any, *, least: int = 0, most: int = MOST, answers: dict[str, str] | None = None
) -> Any:
    """A house rule with the question it answers, where no `Choice` of its own asks that.

    Either a number between `least` and `most`, a text, or a choice that several rules share; then `answers` says by
    the choice's name what it means here.
    """
    told = {"question": question, "least": least, "most": most, "answers": answers or {}}
    return field(default=default, metadata=told)


def asking_own(question: str, otherwise: str, *, least: int = 0, most: int = MOST) -> Any:
    """A number of its own where the table has one, else that of another house rule: the name of that rule says so."""
    return field(default=otherwise, metadata={"question": question, "least": least, "most": most, "own": True})


def question_of(rule: Field[Any]) -> str:
    """The question that a house rule answers."""
    return rule.metadata.get("question") or (type(rule.default).__doc__ or "").strip()


def choices_of(rule: Field[Any]) -> dict[str, str]:
    """The choices of a house rule by name, each with its sentence; none for a number or a text."""
    if not isinstance(rule.default, Enum):
        return {}
    answers: dict[str, str] = rule.metadata.get("answers", {})
    return {
        str(choice.value): answers.get(str(choice.value)) or getattr(choice, "sentence", "")
        for choice in type(rule.default)
    }


def read_rules(rules: Any, choices: dict[str, Any]) -> Any:
    """House rules from names and values as text: `{"all_pass": "force-30"}`; unknown ones are refused."""
    known = {rule.name: rule for rule in fields(rules)}
    for name in choices:
        if name not in known:
            raise NotationError(say("{quoted} is no house rule here: {rest}", repr(name), " ".join(known)))
    read = {name: _read(known[name], value) for name, value in choices.items()}
    try:
        return replace(rules, **read)
    except NotationError:
        raise
    except ValueError as clash:
        raise NotationError(str(clash)) from None


def write_all_rules(rules: Any) -> dict[str, str]:
    """All house rules, as text."""
    return {rule.name: _write(getattr(rules, rule.name)) for rule in fields(rules)}


def write_rules(rules: Any) -> dict[str, str]:
    """The house rules that differ from the default, as text."""
    default = write_all_rules(type(rules)())
    return {name: text for name, text in write_all_rules(rules).items() if text != default[name]}


def format_rules(rules: Any) -> str:
    """The rules that differ from the usual, on one line: `all_pass=force-30 nello=off`, or `default`."""
    return " ".join(f"{name}={value}" for name, value in write_rules(rules).items()) or "default"


def _write(choice: Any) -> str:
    return str(choice.value if isinstance(choice, Enum) else choice)


def _read(rule: Field[Any], value: Any) -> Any:
    """A value for a house rule as it is stored, or a `NotationError` that says what the rule takes."""
    default = rule.default
    if isinstance(default, Enum):
        if isinstance(value, type(default)):
            return value
        answers = {str(choice.value): choice for choice in type(default)}
        if not isinstance(value, str) or value not in answers:
            raise NotationError(
                say("{name} is one of {rest}; {quoted} is not", rule.name, " ".join(answers), _quoted(value))
            )
        return answers[value]
    if rule.metadata.get("own"):
        return default if value == default else _read_number(rule, value, repr(default))
    if isinstance(default, str):
        if not isinstance(value, str):
            raise NotationError(say("{name} is a text; {quoted} is not", rule.name, _quoted(value)))
        return value
    return _read_number(rule, value)


def _read_number(rule: Field[Any], value: Any, *also: str) -> int:
    text = value if isinstance(value, str) else str(value) if type(value) is int else ""
    least, most = cast(int, rule.metadata.get("least", 0)), cast(int, rule.metadata.get("most", MOST))
    if not (text.isascii() and text.isdigit()):
        why = "{name} is a number or {quoted}; {quoted2} is not" if also else "{name} is a number; {quoted} is not"
        raise NotationError(say(why, rule.name, *also, _quoted(value)))
    number = int(text) if len(text) <= len(str(most)) + 1 else most + 1  # int() refuses thousands of digits
    if not least <= number <= most:
        raise NotationError(say("{name} is {rest}; it may be {n} to {n2}", rule.name, _quoted(value), least, most))
    return value if type(value) is int else number


def _quoted(value: Any) -> str:
    """A value as it was given, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]}... ({len(text)} characters)"


def house_of(presets: Mapping[str, Table], rules: Table | str | None, choices: dict[str, Any]) -> Table:
    """The rules of a table: as they are, a preset by its name, or the default ones; with some choices by name."""
    if isinstance(rules, str) and rules not in presets:
        raise NotationError(say("unknown preset {quoted}; there are {rest}", repr(rules), " ".join(presets)))
    house: Table = presets[rules] if isinstance(rules, str) else presets["default"] if rules is None else rules
    if getattr(house, "__dataclass_fields__", None) is None:
        raise TypeError(f"house rules are a `Rules`, the name of a preset, or choices by name; {house!r} is none")
    return read_rules(house, choices) if choices else house
