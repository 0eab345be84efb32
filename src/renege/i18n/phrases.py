"""A finished English sentence in another language, by templates.

A template is a sentence with slots: `{cards} does not follow {suit}`. The name of a slot says what may stand there (a
number behind it tells two of a kind apart): cards, numbers, rule ids and quoted text stay as they are; `seat 2` is a
place for a player's name; whatever else stands in a slot must itself be a sentence or word that is known.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

LONGEST = 1_500  # letters; nothing that the engine says to a person is longer, and what others paste may be

_CARD = r"(?:[0-6]-[0-6]|[CDHSEG](?:[2-9TJQKAZOU]|10)|LJ|BJ)"
_KEPT = {
    "cards": rf"{_CARD}(?: (?:\+ )?{_CARD})*",
    "n": r"[+-]?\d+(?:[.,]\d+)*%?",
    "numbers": r"[+-]?\d+(?:[ -][+-]?\d+)*",
    "rank": r"[2-9TJQKA]",
    "rule": r"[a-z0-9]+\.[a-z0-9-]+",
    "node": r"[ABL]\d[abc]?",
    "name": r"[a-z_]+",
    "player": r"[A-Z][a-z]+",
    "quoted": r"'.*'|\".*\"",
    "rest": r".+?",
}
_SEATS = {
    "seat": r"seat [0-3]",
    "who": r"[0-3]",  # a seat that is told by its number alone, as scores tell it
    "whos": r"[0-3](?: [0-3])*",
    "side": r"side [01]",
}
_SLOT = re.compile(r"\{([a-z]+)(\d*)\}")
_WORD = re.compile(r"\b[A-Za-z]+\b")
_SEAT = re.compile(r"\bseat ([0-3])\b")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for the names of players, and what stands there if they have none."""

    seats: tuple[int, ...]
    unnamed: str


Told = tuple[str | Spot, ...]
"""A sentence, with places for names."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """What seats and sides are called where nobody's name is known: templates with `{n}`; None leaves the text."""

    seat: str | None = None
    side: str | None = None

    def spots(self, kind: str, text: str) -> Told:
        """The spots for what stands in a slot of seats."""
        if kind == "side":
            number = int(text[-1])
            return (Spot((number, number + 2), text if self.side is None else self.side.replace("{n}", text[-1])),)
        if kind != "whos":
            return (self._spot(text),)
        first, *more = (self._spot(who) for who in text.split())
        return (first, *(piece for spot in more for piece in (", ", spot)))

    def _spot(self, text: str) -> Spot:
        return Spot((int(text[-1]),), text if self.seat is None else self.seat.replace("{n}", text[-1]))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A template and what it becomes: literal text and slots in turn, a literal first."""

    slots: tuple[str, ...]
    pattern: re.Pattern[str]
    translation: tuple[str, ...]


def slots_of(text: str) -> list[str]:
    """The slots of a template, in order: `cards`, `cards2`."""
    return [kind + number for kind, number in _SLOT.findall(text)]


def words_of(text: str) -> list[str]:
    """The words of a sentence, or of a template besides its slots."""
    return _WORD.findall(_SLOT.sub("_", text))


class Phrasebook:
    """All templates of a language, found by a word that each has in it."""

    def __init__(self, told: Mapping[str, str], unnamed: Unnamed) -> None:
        self.unnamed = unnamed
        self.exact = {text: translation for text, translation in told.items() if not slots_of(text)}
        # what has most letters of its own is asked first, since what has few fits almost anything
        slotted = sorted((text for text in told if slots_of(text)), key=lambda text: -len(_SLOT.sub("", text)))
        self.phrases = [_phrase(text, told[text]) for text in slotted]
        often = Counter(word for text in slotted for word in set(words_of(text)))
        self.by_word: dict[str, list[int]] = {}
        for number, text in enumerate(slotted):
            rarest = min(words_of(text), key=lambda word: (often[word], word), default="")
            self.by_word.setdefault(rarest, []).append(number)

    def tell(self, text: str) -> Told | None:
        """A text that may have several lines; None where one is unknown."""
        told: list[str | Spot] = []
        for line in text.split("\n"):
            found = self._tell(line) if len(line) <= LONGEST else None
            if found is None:
                return None
            told += ["\n", *found] if told else found
        return tuple(told)

    def _tell(self, text: str) -> Told | None:
        if text in self.exact:
            return (self.exact[text],)
        for phrase in self._candidates(text):
            if (match := phrase.pattern.fullmatch(text)) and (told := self._filled(phrase, match)) is not None:
                return told
        return None

    def _candidates(self, text: str) -> Iterator[Phrase]:
        words = {"", *_WORD.findall(text)} & self.by_word.keys()
        return (self.phrases[number] for number in sorted(n for word in words for n in self.by_word[word]))

    def _filled(self, phrase: Phrase, match: re.Match[str]) -> Told | None:
        filling: dict[str, Told] = {}
        for slot in phrase.slots:
            told = self._slot(slot.rstrip("0123456789"), match[slot])
            if told is None:
                return None
            filling[slot] = told
        pieces: list[str | Spot] = []
        for i, piece in enumerate(phrase.translation):
            pieces += filling[piece] if i % 2 else (piece,)
        return tuple(pieces)

    def _slot(self, kind: str, text: str) -> Told | None:
        if kind in _KEPT:
            return (text,)
        return self.unnamed.spots(kind, text) if kind in _SEATS else self._tell(text)


def _phrase(text: str, translation: str) -> Phrase:
    pattern = "".join(
        f"(?P<{part}>{_regex(part)})" if i % 2 else re.escape(part) for i, part in enumerate(_parts(text))
    )
    return Phrase(tuple(slots_of(text)), re.compile(pattern, re.DOTALL), _parts(translation))


def _parts(template: str) -> tuple[str, ...]:
    """Literal text and the names of slots, in turn."""
    return tuple(re.split(r"\{(\w+)\}", template))


def _regex(slot: str) -> str:
    kind = slot.rstrip("0123456789")
    return _KEPT.get(kind) or _SEATS.get(kind) or r".+?"


def as_it_is(text: str) -> Told:
    """A sentence that no template fits, with places for names where it says `seat 2`."""
    parts = _SEAT.split(text)
    return tuple(Spot((int(part),), f"seat {part}") if i % 2 else part for i, part in enumerate(parts))
