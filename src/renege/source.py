"""What a command is given: a file or standard input, and house rules as `name=choice`."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import BinaryIO

from renege.notation import NotationError


@contextmanager
def opened(file: str) -> Generator[BinaryIO, None, None]:
    """A file, or standard input for `-`."""
    if file == "-":
        yield sys.stdin.buffer
    else:
        with open(file, "rb") as source:
            yield source


def text_of(file: str) -> str:
    """All of it, which must be text."""
    with opened(file) as source:
        try:
            return source.read().decode()
        except UnicodeDecodeError as wrong:
            raise NotationError(f"{file} is no text: byte {wrong.start + 1} is not UTF-8") from None


def choices(pairs: list[str] | None) -> dict[str, str]:
    """House rules by name."""
    found: dict[str, str] = {}
    for pair in pairs or []:
        name, _, choice = pair.partition("=")
        if not choice:
            raise NotationError(f"{pair!r} is no house rule; write it like all_pass=force-30")
        found[name] = choice
    return found
