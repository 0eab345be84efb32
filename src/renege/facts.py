"""What calls and plays prove of a hand, for all who watched: each fact with the trick and the rule behind it.

A fact is about the hand with which a seat came to a trick (0 is the first), what it played there and later included;
`TALK` is the hand as dealt, before cards changed hands. It holds if the seat kept to the rules. `Unproved` marks an act
that says more than these facts can: worlds are then asked whether it was legal in them.
"""

from dataclasses import dataclass

from renege.cards import Cards
from renege.verdict import Rule

TALK = -1


@dataclass(frozen=True, slots=True)
class Fact:
    """Something proved of a seat's hand at a trick."""

    seat: int
    trick: int
    rule: Rule


@dataclass(frozen=True, slots=True)
class Void(Fact):
    """No card of an effective suit."""

    suit: int


@dataclass(frozen=True, slots=True)
class Lacks(Fact):
    """None of these kinds."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Holds(Fact):
    """At least so many cards of these kinds; where `or_buried`, those that the seat buried count too."""

    cards: Cards
    least: int
    or_buried: bool = False


@dataclass(frozen=True, slots=True)
class AtMost(Fact):
    """No more than so many cards of these kinds."""

    cards: Cards
    most: int


@dataclass(frozen=True, slots=True)
class FewPairs(Fact):
    """No more than so many pairs of these kinds."""

    cards: Cards
    most: int


@dataclass(frozen=True, slots=True)
class NoRun(Fact):
    """No run of so many pairs in a suit whose top step is above this one (-1: none at all)."""

    suit: int
    length: int
    above: int = -1


@dataclass(frozen=True, slots=True)
class Unproved(Fact):
    """What this seat did is legal in some worlds only, and no fact here tells which."""
