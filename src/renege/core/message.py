"""Messages: English sentences that know the template they were made from, so that a translation is a look-up.

>>> said = say("{seat} has no {suit}", 2, "hearts")
>>> said, said.template, said.slots
('seat 2 has no hearts', '{seat} has no {suit}', {'seat': 2, 'suit': 'hearts'})

The name of a slot tells what stands in it (a number behind it tells two of a kind apart). A `seat`, or a `who` that is
written as a number alone, gives way to the player's name, and several seats (`whos`, "1 3") to their names; what is
`quoted`, a `name`, a `player` or a `rest` stays as it is. Whatever else stands in a slot is a message or a word that
may be translated itself; cards and numbers are in no catalogue and so stay, too.
"""

import re
from collections.abc import Iterable
from functools import cache

SLOT = re.compile(r"\{([a-z]+)(\d*)\}")
_KEPT = (str, int)  # any other fill is kept as its text


class Message(str):
    """An English sentence with its template and what fills the slots; made by `say` and `join`."""

    template: str
    slots: dict[str, str | int]

    def __new__(cls, template: str, *fills: str | int) -> "Message":
        english, names = _parsed(template)
        self = super().__new__(cls, english.format(*fills))
        self.template, self.slots = template, dict(zip(names, fills, strict=True))
        return self

    def __str__(self) -> "Message":
        """This message itself, so that the text of an error is one."""
        return self

    def __reduce__(self) -> tuple[type["Message"], tuple[str | int, ...]]:
        return Message, (self.template, *self.slots.values())


def say(template: str, *fills: object) -> Message:
    """The message of a template, with what fills its slots in turn."""
    return Message(template, *[fill if isinstance(fill, _KEPT) else str(fill) for fill in fills])


def join(separator: str, parts: Iterable[str]) -> str:
    """Messages in a row; what stands between two of them has a translation, too."""
    joined, *more = list(parts) or [""]
    for part in more:
        joined = say(f"{{a}}{separator}{{b}}", joined, part)
    return joined


@cache
def _parsed(template: str) -> tuple[str, tuple[str, ...]]:
    """The template as `str.format` reads it, and the names of its slots."""
    literals = SLOT.sub("\0", template).replace("{", "{{").replace("}", "}}").split("\0")
    slots = SLOT.findall(template)
    english = "".join(
        f"{text}{'seat ' * (kind == 'seat')}{{}}" for text, (kind, _) in zip(literals[:-1], slots, strict=True)
    )
    return english + literals[-1], tuple(kind + number for kind, number in slots)
