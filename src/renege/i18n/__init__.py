"""What Renege says, in English, German and Chinese.

The engine speaks English. A `Speech` turns its finished sentences into the language of who listens and puts the
players' names in; texts that are no sentences of the engine (of the page, house rules, cards, games) have keys. Each
language is one JSON file of sections, which the page reads too; `told` are the engine's sentences as templates.

>>> Speech("de", ("Anna", "Ben", "Clara", "David")).say("6-5 is a trump, sixes were led")
'6-5 ist Trumpf, Sechser wurden angespielt'
>>> Speech("zh").say("seat 2 has no hearts since trick 3 (tractor.follow-suit)")
'2号座位从第3轮起没有红桃（tractor.follow-suit）'
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from renege.i18n.phrases import Phrasebook, Spot, Told, Unnamed, as_it_is

__all__ = ["LANGUAGES", "Speech", "speech_in", "text", "texts"]

LANGUAGES = ("en", "de", "zh")
_SLOT = re.compile(r"\{(\w+)\}")


@cache
def texts(language: str) -> Mapping[str, Mapping[str, str]]:
    """All texts of a language, by section and key."""
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is no language here: {' '.join(LANGUAGES)}")
    return json.loads((files("renege.i18n") / f"{language}.json").read_text("utf-8"))


def text(language: str, key: str, **slots: object) -> str:
    """The text of a key with its slots filled in; where a language lacks it, in English."""
    found = _keyed(language).get(key) or _keyed("en")[key]
    return _SLOT.sub(lambda slot: str(slots.get(slot[1], slot[0])), found)


@cache
def _keyed(language: str) -> dict[str, str]:
    sections = texts(language).items()
    return {key: found for name, section in sections if name != "told" for key, found in section.items()}


@dataclass(frozen=True, slots=True)
class Speech:
    """How a listener is spoken to: the language, and the names of the players by seat, if they have names."""

    language: str
    names: Sequence[str] = ()

    def say(self, english: str) -> str:
        """A sentence of the engine in the listener's language; one that is unknown stays English."""
        return "".join(
            piece if isinstance(piece, str) else self._named(piece)
            for piece in _told(self.language, english) or as_it_is(english)
        )

    def knows(self, english: str) -> bool:
        """Is there a translation of this sentence?"""
        return _told(self.language, english) is not None

    def _named(self, spot: Spot) -> str:
        if max(spot.seats) >= len(self.names):
            return spot.unnamed
        return " & ".join(self.names[seat] for seat in spot.seats)


def speech_in(language: str, names: Sequence[str] = ()) -> Speech:
    """How somebody is spoken to in a language."""
    return Speech(language, tuple(names))


@lru_cache(maxsize=1 << 14)
def _told(language: str, english: str) -> Told | None:
    return _phrasebook(language).tell(english)


@cache
def _phrasebook(language: str) -> Phrasebook:
    if language == "en":  # every sentence stays what it is; the templates say where names belong
        return Phrasebook({template: template for template in texts("de")["told"]}, Unnamed())
    return Phrasebook(texts(language)["told"], Unnamed(text(language, "seat.unnamed"), text(language, "side.unnamed")))
