"""Facts as sentences."""

from renege.core.facts import TALK, Among, AtMost, Beats, Came, Fact, FewPairs, Holds, Lacks, NoRun, OneOf, Void, Way
from renege.core.order import Order


def format_fact(fact: Fact, order: Order | None) -> str:
    """A fact as a sentence: `seat 2 has no hearts since trick 3 (tractor.follow-suit)`."""
    when = "as dealt" if fact.trick == TALK else f"since trick {fact.trick + 1}"
    what = "did what not every hand allows"
    if isinstance(fact, Void):
        what = f"has no {order.nouns[fact.suit] if order else fact.suit}"
    elif isinstance(fact, Lacks):
        what = f"does not have {fact.cards}"
    elif isinstance(fact, Holds):
        what = f"had at least {fact.least} of {fact.cards}"
    elif isinstance(fact, Among):
        what = f"and seat {fact.other} together had at least {fact.least} of {fact.cards}"
    elif isinstance(fact, AtMost):
        what = f"had at most {fact.most} of {fact.cards}"
    elif isinstance(fact, FewPairs):
        what = f"had at most {fact.most} pairs of {fact.cards}"
    elif isinstance(fact, NoRun):
        where = "" if fact.above < 0 else f" above step {fact.above + 1}"
        what = f"had no run of {fact.length} pairs{where} in {order.nouns[fact.suit] if order else fact.suit}"
    elif isinstance(fact, Came):
        what = f"got one of {fact.cards} face down"
    elif isinstance(fact, OneOf):
        return f"seat {fact.seat}: {', or '.join(map(_format_way, fact.ways))}, {when} ({fact.rule})"
    elif isinstance(fact, Beats):
        unit = "a card" if fact.each == 1 else "a pair" if fact.length == 1 else f"a run of {fact.length} pairs"
        where = f"above step {fact.above + 1} in {order.nouns[fact.suit] if order else fact.suit}"
        return f"one of seats {' '.join(map(str, fact.seats))} had {unit} {where} {when} ({fact.rule})"
    return f"seat {fact.seat} {what} {when} ({fact.rule})"


def _format_way(way: Way) -> str:
    lacks, holds = f"no {way.lacks}" if way.lacks else "", f"at least {way.least} of {way.holds}" if way.least else ""
    return " but ".join(filter(None, (lacks, holds)))
