"""The kitty of Tractor as it was seen: what may have lain in one that names trumps, who took it up, and a whole deal
made of the hands at the first lead, where some of that went on face down.

Where the kitty may be taken from who has buried it, it is taken up and laid away several times. Each time what the
next seat takes up is what the one before has buried.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from renege.core.cards import Cards, kinds_in
from renege.core.deal_state import Act
from renege.core.message import say
from renege.core.notation import parse_cards
from renege.core.position import Course, KittyTaken
from renege.core.record import Record
from renege.games.tractor.deck import LITTLE, RANKS
from renege.games.tractor.declare import Drawing
from renege.games.tractor.order import rank_of
from renege.games.tractor.rules import NoCall, Rules


def beside(rules: Rules, turned: Cards, level: str) -> int:
    """The kinds that may lie in a kitty that names trumps by this card."""
    kinds, card = rules.deck.kinds, next(kinds_in(turned.kinds))
    jokers_too = rules.no_call is NoCall.LEVEL_OR_JOKER
    if rules.no_call is NoCall.FIRST_CARD or rank_of(card) == level or card >= LITTLE:
        return kinds
    highest = card % len(RANKS)
    return sum(
        1 << other
        for other in kinds_in(kinds)
        if (other >= LITTLE and not jokers_too)
        or (other < LITTLE and rank_of(other) != level and other % len(RANKS) <= highest)
    )


@dataclass(frozen=True, slots=True)
class Taking:
    """One time that the kitty was taken up: by whom and by which act, what the seat had shown since it last buried,
    and by which act it buried then."""

    seat: int
    act: int
    held: Cards
    buried: int | None


def takings(course: Course) -> Iterator[Taking]:
    """Every time that the kitty was taken up, in order."""
    acts, deck = course.acts, course.game.deck
    for number, act in enumerate(acts):
        if act.what == "take":
            held = deck.none
            for before in acts[:number]:
                verb, _, named = str(before.what).partition(" ")
                if before.seat == act.seat and verb in ("show", "bury"):
                    held = held | parse_cards(deck, named) if verb == "show" else deck.none
            after = (i for i, one in enumerate(acts[number:], number) if str(one.what).startswith("bury "))
            yield Taking(act.seat, number, held, next(after, None))


def told_burial(course: Course, taking: Taking) -> Cards | None:
    """What a seat has buried, where that is told."""
    call = "" if taking.buried is None else str(course.acts[taking.buried].what)
    if not call or call == f"bury {course.game.kitty_size} cards":
        return None
    return parse_cards(course.game.deck, call.removeprefix("bury "))


def kitty_taken(course: Course) -> KittyTaken | None:
    """What was seen of the kitty that the banker took up: not what it had shown lay there, but what was turned up."""
    first = next(takings(course), None)
    if first is None:
        return None
    deck, rules = course.game.deck, course.game.rules
    turned = deck.none
    for act in course.acts:
        if isinstance(act.what, str) and act.what.startswith("turn "):
            turned = parse_cards(deck, act.what.removeprefix("turn "))
    kinds = deck.kinds
    if turned:
        assert isinstance(course.start.talk, Drawing)
        kinds = beside(rules, turned, course.start.talk.level)
    return KittyTaken(first.seat, turned, first.held, kinds)


def unwind(course: Course, hands: tuple[Cards, ...], kitty: Cards) -> Record:
    """The record in which this kitty is buried in the end; what was taken up is any cards that the talk allows."""
    acts, start, piles = list(course.acts), course.start, list(hands)
    every = list(takings(course))
    told = [start.kitty if isinstance(start.kitty, Cards) else None, *(told_burial(course, one) for one in every[:-1])]
    for number in reversed(range(len(every))):
        taking = every[number]
        if taking.buried is not None:
            acts[taking.buried] = Act(taking.seat, f"bury {kitty}")
        both = piles[taking.seat] + kitty
        if number == 0:
            took = kitty_taken(course)
            assert took is not None
            dealt = start.hands[taking.seat]
            if isinstance(dealt, Cards) and told[0] is not None:
                piles[taking.seat], kitty = dealt, told[0]
                continue
        else:
            needed = _needed(every[:number], told[:number], piles, course.game.deck.none)
            took = KittyTaken(taking.seat, needed, taking.held, course.game.deck.kinds)
        taken = told[number] or _any_kitty(took, both, kitty, course.game.kitty_size)
        if not taken <= both:
            raise ValueError(say("{cards} is not in the hand {cards2}", taken, both))
        piles[taking.seat], kitty = both - taken, taken
    return Record(replace(start, hands=tuple(piles), kitty=kitty), tuple(acts))


def _needed(before: Sequence[Taking], told: Sequence[Cards | None], piles: Sequence[Cards], none: Cards) -> Cards:
    """What a kitty must have had in it that the last of these seats buried: what they had and have no more."""
    needed = none
    for number, one in enumerate(before):
        had, took = one.held, told[number]
        had = had if took is None else had + took
        later = {other.seat for other in before[number:]}  # where it may have stayed on its way
        for kind in kinds_in(had.kinds):
            missing = had.count(kind) - sum(piles[seat].count(kind) for seat in later) - needed.count(kind)
            if missing > 0:
                needed = needed + none.deck.cards([kind] * missing)
    return needed


def _any_kitty(took: KittyTaken, both: Cards, buried: Cards, size: int) -> Cards:
    """Cards that may have been in the kitty, out of what the seat had with it; what is buried comes first."""
    if not took.held + took.seen <= both:
        raise ValueError(say("{cards} is not in the hand {cards2}", took.held + took.seen, both))
    free = (both - took.held - took.seen).only(took.kinds)
    taken = list(took.seen)
    for pile in (buried & free, free - (buried & free)):
        taken += list(pile)[: size - len(taken)]
    if len(taken) < size:
        raise ValueError(say("{cards} leaves no kitty in which {cards2} names trumps", both, took.seen))
    return both.deck.cards(taken)
