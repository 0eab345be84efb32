"""What a play or a contract proves of a hand, for all who watched: each fact with the trick and the rule behind it.

A fact is about the hand with which a seat came to a trick (0 is the first), the card it played there included. It holds
if the seat kept to the rules.
"""

from dataclasses import dataclass

from renege.cards import Cards
from renege.verdict import Rule


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
    """At least so many of these kinds."""

    cards: Cards
    least: int
