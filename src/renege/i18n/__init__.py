"""What Renege says, in English, German and Chinese.

The engine speaks English, in messages that know their template (`renege.core.message`). A `Speech` says them in the
language of who listens and puts the players' names in; texts that are no messages of the engine (of the page, house
rules, cards, games) have keys. Each language is one JSON file of sections, which the page reads too; `told` has the
templates of the engine's messages.

>>> speech = Speech("de", ("Anna", "Ben", "Clara", "David"))
>>> speech.say(say("{cards} is a trump, {suit} were led", "6-5", "sixes"))
'6-5 ist Trumpf, Sechser wurden angespielt'
>>> Speech("zh").say(say("{seat} passes", 2))
'2号座位过'
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from renege.core.message import SLOT, Message, join, say

__all__ = ["LANGUAGES", "Message", "Speech", "join", "say", "text", "texts"]

LANGUAGES = ("en", "de", "zh")
_KEY_SLOT = re.compile(r"\{(\w+)\}")
_SEAT = re.compile(r"\bseat ([0-7])\b")
_KEPT = ("name", "player", "quoted", "rest")  # slots that hold no words of the engine


@cache
def texts(language: str) -> Mapping[str, Mapping[str, str]]:
    """All texts of a language, by section and key."""
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is no language here: {' '.join(LANGUAGES)}")
    return json.loads((files("renege.i18n") / f"{language}.json").read_text("utf-8"))


def text(language: str, key: str, **slots: object) -> str:
    """The text of a key with its slots filled in; where a language lacks it, in English."""
    found = _keyed(language).get(key) or _keyed("en")[key]
    return _KEY_SLOT.sub(lambda slot: str(slots.get(slot[1], slot[0])), found)


@cache
def _keyed(language: str) -> dict[str, str]:
    sections = texts(language).items()
    return {key: found for name, section in sections if name != "told" for key, found in section.items()}


@dataclass(frozen=True, slots=True)
class Speech:
    """How a listener is spoken to: the language, and the names of the players by seat, if they have names."""

    language: str
    names: Sequence[str] = ()

    def say(self, said: str) -> str:
        """A message, or a word of the engine, in the listener's language; any other text stays, but for names."""
        told = texts(self.language).get("told", {})
        if isinstance(said, Message):
            template = told.get(said.template, said.template)
            return SLOT.sub(lambda slot: self._fill(slot[1], said.slots[slot[1] + slot[2]]), template)
        return told.get(said) or _SEAT.sub(lambda seat: self._seat(int(seat[1]), seat[0]), said)

    def _fill(self, kind: str, fill: str | int) -> str:
        """What stands in a slot of this kind, for the listener."""
        if kind in ("seat", "who", "whos"):
            english = "seat {}" if kind == "seat" else "{}"
            return ", ".join(self._seat(int(seat), english.format(seat)) for seat in str(fill).split())
        return str(fill) if kind in _KEPT or isinstance(fill, int) else self.say(fill)

    def _seat(self, seat: int, english: str) -> str:
        if seat < len(self.names):
            return self.names[seat]
        return english if self.language == "en" else text(self.language, "seat.unnamed", n=seat)
