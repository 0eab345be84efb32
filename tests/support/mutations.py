"""Real inputs with something wrong in them: what a slip, a bad copy, another program or an enemy makes of a text.

Everything comes from a seeded generator, so that a failure is found again by its seed.
"""

import json
import random
import signal
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

SECONDS = 20  # what takes longer hangs, even on a busy machine

STRANGE = (
    "", " ", "\t", "\n", "\r\n", "\0", "\u2028", "\ufeff", "\u200b", "\u3164", "٣", "９", "²", "ſ", "İ", "é", "牌",
    "😀", "\ud800",
    "-1", "0", "00", "4", "9" * 20, "9" * 5000, "1e309", "NaN", "1_000", "+1", "0x10", "1.5", "-0", "²²",
    "|", "=>", ":", ",", ";", "#", "'", '"', "\\", "{", "}", "[" * 2000, "{" * 2000, "(" * 50, "<a>" * 3000,
    "&#x110000;", "%s", "%n", "{0}", "../..", "null", "true", "?", "?7", "?999", "of", "as 9", "+ + +", " by 9",
    "doubles", "target=1",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 4, 255, 1 << 31, 1 << 63, 1 << 64, 10**400, 0.5, -0.0, 1e308, "", " ", "x",
    "9" * 5000, "\0", "\ud800", [], [[]], {}, [None], [""], ["x"] * 300, {"": ""}, {"x": {"y": [{}]}},
    [[[[[[[[]]]]]]]], ["6-6"], "6-6", "HA HA", "EO", [0, 1, 2, 3],
)  # fmt: skip


def mutated(rng: random.Random, text: str, others: Sequence[str]) -> str:
    """A text with one to four things wrong in it."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        text = rng.choice(_WAYS)(rng, text, rng.choice(others))
    return text[:200_000]


def _cut(rng: random.Random, text: str) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.choice((0, 1, 1, 2, 3, 8, 40, 400)))


def _drop(rng: random.Random, text: str, other: str) -> str:
    start, end = _cut(rng, text)
    return text[:start] + text[end:]


def _put(rng: random.Random, text: str, other: str) -> str:
    start, end = _cut(rng, text)
    return text[:start] + rng.choice(STRANGE) + text[end:]


def _repeat(rng: random.Random, text: str, other: str) -> str:
    start, end = _cut(rng, text)
    return text[:start] + text[start:end] * rng.choice((2, 3, 10, 300)) + text[end:]


def _swap(rng: random.Random, text: str, other: str) -> str:
    words = text.split(" ")
    i, j = rng.randrange(len(words)), rng.randrange(len(words))
    words[i], words[j] = words[j], words[i]
    return " ".join(words)


def _graft(rng: random.Random, text: str, other: str) -> str:
    start, end = _cut(rng, text)
    theirs, until = _cut(rng, other)
    return text[:start] + other[theirs:until] + text[end:]


def _word(rng: random.Random, text: str, other: str) -> str:
    words, theirs = text.split(" "), other.split()
    words[rng.randrange(len(words))] = rng.choice(theirs) if theirs else ""
    return " ".join(words)


def _lines(rng: random.Random, text: str, other: str) -> str:
    lines = text.split("\n")
    rng.shuffle(lines) if rng.random() < 0.3 else lines.pop(rng.randrange(len(lines)))
    return "\n".join(lines)


def _end(rng: random.Random, text: str, other: str) -> str:
    return text[: rng.randint(0, len(text))]


def _case(rng: random.Random, text: str, other: str) -> str:
    return rng.choice((text.lower(), text.upper(), text.swapcase(), text[::-1]))


_WAYS = (_drop, _drop, _put, _put, _put, _repeat, _swap, _graft, _graft, _word, _word, _lines, _end, _case)


def mutated_json(rng: random.Random, value: Any, others: Sequence[Any]) -> Any:
    """A JSON value with something of it changed: a part replaced, dropped, doubled, or taken from another."""
    value = json.loads(json.dumps(value))
    places = list(_places(value))
    if not places or rng.random() < 0.03:
        return rng.choice(VALUES)
    where, key = rng.choice(places)
    way = rng.randrange(6)
    if way == 0:
        del where[key]
    elif way == 1 and isinstance(where[key], str):
        where[key] = mutated(rng, where[key], [_some_text(rng, others)])
    elif way == 2 and isinstance(where, dict):
        where[rng.choice(("x", "rules", "ask", "id", "seat", "", "hand", "cards"))] = rng.choice(VALUES)
    elif way == 3 and isinstance(where, list):
        where.extend(where[:] * rng.choice((1, 3)))
    else:
        where[key] = rng.choice(VALUES)
    return value


def _places(value: Any) -> Generator[tuple[Any, Any], None, None]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in list(items):
        yield value, key
        yield from _places(inside)


def _some_text(rng: random.Random, others: Sequence[Any]) -> str:
    texts = [part[key] for part, key in _places(rng.choice(others)) if isinstance(part[key], str)]
    return rng.choice(texts) if texts else ""


class Hang(BaseException):
    """Something took so long that nobody would wait for it."""


@contextmanager
def patience(seconds: int = SECONDS) -> Generator[None, None, None]:
    """`Hang` in the middle of what does not come to an end."""

    def give_up(number: int, frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
