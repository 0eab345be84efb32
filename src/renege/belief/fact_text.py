"""Facts as sentences."""

from renege.core.facts import TALK, Among, AtMost, Beats, Came, Fact, FewPairs, Holds, Lacks, NoRun, OneOf, Void, Way
from renege.core.message import join, say
from renege.core.order import Order


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
        case FewPairs():
            why = "{seat} had at most {n} pairs of {cards} {when} ({rule})"
            return say(why, seat, fact.most, fact.cards, when, rule)
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
            unit = "a card" if fact.each == 1 else "a pair"
            unit = unit if fact.each == 1 or fact.length == 1 else say("a run of {n} pairs", fact.length)
            seats, noun = " ".join(map(str, fact.seats)), _noun(fact.suit, order)
            why = "one of seats {whos} had {unit} above step {n} in {suit} {when} ({rule})"
            return say(why, seats, unit, fact.above + 1, noun, when, rule)
        case _:
            return say("{seat} did what not every hand allows {when} ({rule})", seat, when, rule)


def _noun(suit: int, order: Order | None) -> str:
    return order.nouns[suit] if order else str(suit)


def _format_way(way: Way) -> str:
    lacks = [say("no {cards}", way.lacks)] if way.lacks else []
    return join(" but ", [*lacks, *([say("at least {n} of {cards}", way.least, way.holds)] if way.least else [])])
