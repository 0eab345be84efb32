"""Foreign text formats that a game reads: recorded deals of other programs, and contest problems.

A game offers them as its facet `Formats`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from renege.core.game import Standing
from renege.core.judge import judge
from renege.core.record import GameRecord, Record
from renege.core.registry import GAMES

NO_CHOICES: Mapping[str, str] = {}  # house rules, by name: those of the text itself


@dataclass(frozen=True)
class Reading:
    """One deal of a foreign text: the line it starts on, its record, and how the two compare."""

    number: int
    line: int
    record: Record | None = None
    differences: tuple[str, ...] = ()
    unsupported: str = ""  # why there is no record

    @property
    def agrees(self) -> bool:
        return self.record is not None and not self.differences

    def __str__(self) -> str:
        if self.unsupported:
            return f"unsupported ({self.unsupported})"
        return f"differs ({'; '.join(self.differences)})" if self.differences else "agrees"


def game_records(readings: Iterable[Reading]) -> list[GameRecord]:
    """The deals as game records: those of a game from its opening on together, all others by themselves."""
    runs: list[list[Record]] = []
    after: Standing | None = None  # the standing that would continue the last run
    for record in (reading.record for reading in readings if reading.record is not None):
        start, game = record.start.standing, record.game
        if after is not None and after == start and game == runs[-1][0].game:
            runs[-1].append(record)
        else:
            runs.append([record])
        from_opening = runs[-1][0].start.standing == game.opening and record.position.over
        after = game.advance(record.position, judge(record).result) if from_opening else None
    return [GameRecord(run[0].game, tuple(run)) for run in runs]


@dataclass(frozen=True, slots=True)
class Reader:
    """A text with recorded deals: what it is, how it is recognised, and its deals, under house rules of one's own."""

    about: str
    recognises: Callable[[str], bool]
    read: Callable[[str, Mapping[str, str]], list[Reading]]


@dataclass(frozen=True, slots=True)
class ContestProblem:
    """A text of a contest: what it is, how it is recognised, and its answer; each case has so many lines of it."""

    about: str
    recognises: Callable[[str], bool]
    judge: Callable[[Iterable[str]], Iterator[str]]
    lines: int


@dataclass(frozen=True, slots=True)
class Formats:
    """What a game reads besides its own records."""

    readers: tuple[Reader, ...] = ()
    problems: Mapping[str, ContestProblem] = field(default_factory=dict[str, ContestProblem])  # by name


def all_formats() -> list[Formats]:
    """What is read of each game, in the order of the games."""
    found = (GAMES[name].game().facet(Formats) for name in GAMES)
    return [formats for formats in found if formats is not None]
