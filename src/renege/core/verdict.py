"""Verdicts: the rule, the reason, and a play that would be legal.

A `Verdict` is a value. The errors that carry one are raised only by those who insist on playing.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from renege.core.message import join, say


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a game, findable by its id in code, verdicts, docs and test tables."""

    id: str
    sentence: str
    source: str = ""
    excusable: bool = False  # could more cards in hand make the play legal? then only the whole hand proves a breach

    def __str__(self) -> str:
        return self.id


class Ruling(Enum):
    """The kinds of verdict."""

    LEGAL = "legal"
    RENEGE = "renege"  # a follow that broke a duty which the hand could have kept
    ILLEGAL = "illegal"  # any other breach
    PENDING = "pending"  # what is given does not decide it


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a rule does not allow a play; a chain of rules stops at the first."""

    rule: Rule
    why: str
    ruling: Ruling = Ruling.ILLEGAL


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer about one play or call: the ruling and, where a rule is broken, which and why. True if legal.

    `said` is the play as text, `instead` a legal play, or None where any other would do.
    """

    ruling: Ruling
    said: str
    rule: Rule | None = None
    why: str = ""
    instead: str | None = None

    @property
    def legal(self) -> bool | None:
        """True or False; None where what is known does not decide (`pending`)."""
        return None if self.ruling is Ruling.PENDING else self.ruling is Ruling.LEGAL

    def __bool__(self) -> bool:
        return self.ruling is Ruling.LEGAL

    def __repr__(self) -> str:
        if self.rule is None:
            return f"<Verdict {self.ruling.value}: {self.said}>"
        advice = f"; play {self.instead}" if self.instead else ""
        return f"<Verdict {self.ruling.value} {self.rule}: {self.why}{advice}>"


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule in a record: by whom, in which trick, and the trick that proves it (None: the hand does)."""

    trick: int | None  # counted from 0; None in the talk
    seat: int
    said: str
    rule: Rule
    why: str
    proved_in: int | None = None

    def __str__(self) -> str:
        broken = (self.said, self.rule, self.why)
        if self.trick is None:
            breach = say("{seat} in the talk: {play} breaks {rule}: {why}", self.seat, *broken)
        else:
            breach = say("{seat} in trick {n}: {play} breaks {rule}: {why}", self.seat, self.trick + 1, *broken)
        return breach if self.proved_in is None else say("{breach} (proved in trick {n})", breach, self.proved_in + 1)


class WrongPhase(ValueError):
    """An act out of its time: a play during the auction, a call by a seat whose turn it is not.

    The position that it may quote shows all hands; `why` alone is for everybody to hear.
    """

    def __init__(self, why: str, position: object = "") -> None:
        self.why = why
        super().__init__(why, str(position))

    def __str__(self) -> str:
        return f"{self.why}: {self.args[1]}" if self.args[1] else self.why


class IllegalPlay(ValueError):
    """A play or call that breaks a rule. `verdict` has the rule, the reason and what would do."""

    def __init__(self, verdict: Verdict, position: object = "") -> None:
        self.verdict = verdict
        super().__init__(verdict, position)

    @property
    def position(self) -> str:
        """The position as text; written only where somebody asks."""
        return str(self.args[1])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.verdict, self.position), self.__dict__

    def __str__(self) -> str:
        lines = [say("{play} breaks {rule}: {why}.", self.verdict.said, self.verdict.rule, self.verdict.why)]
        if self.verdict.instead:
            lines.append(say("  would do: {play}", self.verdict.instead))
        if self.position:
            lines.append(say("  position: {rest}", self.position))
        return join("\n", lines)
