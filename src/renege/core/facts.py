"""Facts: what calls and plays prove of a hand, each with the trick and the rule that prove it.

A fact is about the hand with which a seat came to a trick (0 is the first), what it played there and later included;
`TALK` is the hand as dealt, before cards changed hands. It holds if the seat kept to the rules. `Unproved` marks an act
that says more than these facts can: worlds are then asked whether it was legal in them. `Beats` and `Stopped` are
about several hands: their `seat` is the one that led.
"""

from collections.abc import Callable
from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.message import join, say
from renege.core.order import Order
from renege.core.verdict import Rule

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
class Among(Fact):
    """At least so many cards of these kinds with the seat and another one together."""

    other: int
    cards: Cards
    least: int


@dataclass(frozen=True, slots=True)
class AtMost(Fact):
    """No more than so many cards of these kinds."""

    cards: Cards
    most: int


@dataclass(frozen=True, slots=True)
class FewPairs(Fact):
    """No more than so many pairs of these kinds: two copies or more, or as many as `width` says."""

    cards: Cards
    most: int
    width: int = 2


@dataclass(frozen=True, slots=True)
class NoRun(Fact):
    """No run of so many pairs in a suit whose top step is above this one (-1: none at all); with another `width`, of
    triples and so on.
    """

    suit: int
    length: int
    above: int = -1
    width: int = 2


@dataclass(frozen=True, slots=True)
class Way:
    """None of some kinds, and at least so many cards of others."""

    lacks: Cards
    holds: Cards
    least: int = 0


@dataclass(frozen=True, slots=True)
class OneOf(Fact):
    """At least one of these is so of the hand."""

    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Came(Fact):
    """One of these cards came to the hand face down before the first trick, and it did not go on from there.

    It says nothing of where cards lie. But each that it may have been is another deal that led here. Where it is said
    who was the `giver`, who had no other of them, any card went back to that seat, face down too: if the giver has one
    of these cards again it is that, and may be the same one; if not, it is any that the giver was left with.
    """

    cards: Cards
    giver: int | None = None


@dataclass(frozen=True, slots=True)
class Beats(Fact):
    """One of `seats` has, in a suit and above a step, so many consecutive steps of `each` equal cards: 1, 2
    for pairs, 3 for triples, ...
    """

    seats: tuple[int, ...]
    suit: int
    length: int
    above: int
    each: int


@dataclass(frozen=True, slots=True)
class Stopped(Fact):
    """The first of `seats`, asked in turn, that has what beats one of some units has it for `led`, and for none of
    `smaller`; a unit is its length in steps, its top step, and the cards on each.
    """

    seats: tuple[int, ...]
    suit: int
    led: tuple[int, int, int]
    smaller: tuple[tuple[int, int, int], ...]
    larger: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Allows(Fact):
    """The cards of these kinds are such that a rule allows what was done: `allowed` tells, by the kinds of which the
    hand (and where `or_buried`, what it buried) had so many copies.
    """

    cards: Cards
    copies: int
    allowed: Callable[[int], bool]
    or_buried: bool = False


@dataclass(frozen=True, slots=True)
class Permits(Fact):
    """The cards of these kinds in the hand, and where `or_buried`, those that it buried, are such that a rule allows
    what was done: `permitted` tells.
    """

    cards: Cards
    permitted: Callable[[Cards], bool]
    or_buried: bool = False


@dataclass(frozen=True, slots=True)
class Unproved(Fact):
    """What this seat did is legal in some worlds only, and no fact here tells which."""


# -- as sentences


def format_fact(fact: Fact, order: Order | None) -> str:
    """A fact as a sentence: `seat 2 has no hearts since trick 3 (tractor.follow-suit)`."""
    when = "as dealt" if fact.trick == TALK else say("since trick {n}", fact.trick + 1)
    rule, seat = fact.rule, fact.seat
    match fact:
        case Void():
            return say("{seat} has no {suit} {when} ({rule})", seat, _noun(fact.suit, order), when, rule)
        case Lacks():
            return say("{seat} does not have {cards} {when} ({rule})", seat, fact.cards, when, rule)
        case Holds():
            return say("{seat} had at least {n} of {cards} {when} ({rule})", seat, fact.least, fact.cards, when, rule)
        case Among():
            why = "{seat} and {seat2} together had at least {n} of {cards} {when} ({rule})"
            return say(why, seat, fact.other, fact.least, fact.cards, when, rule)
        case AtMost():
            return say("{seat} had at most {n} of {cards} {when} ({rule})", seat, fact.most, fact.cards, when, rule)
        case FewPairs() if fact.width != 2:
            why = "{seat} had at most {n} sets of {n2} equal cards among {cards} {when} ({rule})"
            return say(why, seat, fact.most, fact.width, fact.cards, when, rule)
        case FewPairs():
            why = "{seat} had at most {n} pairs of {cards} {when} ({rule})"
            return say(why, seat, fact.most, fact.cards, when, rule)
        case NoRun() if fact.width != 2:
            why = "{seat} had no run of {n} sets of {n2} equal cards above step {n3} in {suit} {when} ({rule})"
            return say(why, seat, fact.length, fact.width, fact.above + 1, _noun(fact.suit, order), when, rule)
        case NoRun() if fact.above < 0:
            why = "{seat} had no run of {n} pairs in {suit} {when} ({rule})"
            return say(why, seat, fact.length, _noun(fact.suit, order), when, rule)
        case NoRun():
            why = "{seat} had no run of {n} pairs above step {n2} in {suit} {when} ({rule})"
            return say(why, seat, fact.length, fact.above + 1, _noun(fact.suit, order), when, rule)
        case Came():
            return say("{seat} got one of {cards} face down {when} ({rule})", seat, fact.cards, when, rule)
        case OneOf():
            return say("{seat}: {ways}, {when} ({rule})", seat, join(", or ", map(_format_way, fact.ways)), when, rule)
        case Beats():
            unit = _format_unit(fact.length, fact.each)
            seats, noun = " ".join(map(str, fact.seats)), _noun(fact.suit, order)
            why = "one of seats {whos} had {unit} above step {n} in {suit} {when} ({rule})"
            return say(why, seats, unit, fact.above + 1, noun, when, rule)
        case _:
            return say("{seat} did what not every hand allows {when} ({rule})", seat, when, rule)


def _noun(suit: int, order: Order | None) -> str:
    return order.nouns[suit] if order else str(suit)


def _format_unit(length: int, each: int) -> str:
    if each == 1:
        return "a card"
    if each == 2:
        return "a pair" if length == 1 else say("a run of {n} pairs", length)
    sets = "{n} equal cards" if length == 1 else "a run of {n} sets of {n2} equal cards"
    return say(sets, each) if length == 1 else say(sets, length, each)


def _format_way(way: Way) -> str:
    lacks = [say("no {cards}", way.lacks)] if way.lacks else []
    return join(" but ", [*lacks, *([say("at least {n} of {cards}", way.least, way.holds)] if way.least else [])])
