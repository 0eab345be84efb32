"""Undo the burying of the kitty: what the banker may have been dealt, and what lay in the kitty."""

from dataclasses import replace

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.message import say
from renege.core.notation import parse_cards
from renege.core.position import Course
from renege.core.record import Record
from renege.games.tractor.declare import Drawing, beside
from renege.games.tractor.order import DECK


def unwind(course: Course, hands: tuple[Cards, ...], kitty: Cards) -> Record:
    """The record in which the banker buried this kitty; what it took up is any cards that the talk allows."""
    banker = next((act.seat for act in course.acts if act.what == "take"), None)
    if banker is None:
        return Record(replace(course.start, hands=hands, kitty=kitty), course.acts)
    acts = tuple(
        Act(act.seat, f"bury {kitty}") if isinstance(act.what, str) and act.what.startswith("bury") else act
        for act in course.acts
    )
    dealt, taken = course.start.hands[banker], course.start.kitty
    if not (isinstance(dealt, Cards) and isinstance(taken, Cards)):
        both = hands[banker] + kitty
        taken = _taken(course, banker, both, kitty)
        dealt = both - taken
    told = tuple(dealt if seat == banker else hand for seat, hand in enumerate(hands))
    return Record(replace(course.start, hands=told, kitty=taken), acts)


def _taken(course: Course, banker: int, both: Cards, buried: Cards) -> Cards:
    """Cards that may have been in the kitty: not what the banker had shown, but what was turned up."""
    calls = [(act.seat, act.what.partition(" ")) for act in course.acts if isinstance(act.what, str)]
    shown = DECK.none
    for seat, (verb, _, cards) in calls:
        if verb == "show" and seat == banker:
            shown = shown | parse_cards(DECK, cards)
    turned = next((parse_cards(DECK, cards) for _, (verb, _, cards) in calls if verb == "turn"), DECK.none)
    free = both - shown - turned
    if turned:
        free = free.only(beside(turned, _level(course)))
    taken, size = list(turned), course.game.kitty_size
    for pile in (buried & free, free - (buried & free)):
        taken += list(pile)[: size - len(taken)]
    if len(taken) < size:
        raise ValueError(say("{cards} leaves no kitty in which {cards2} names trumps", both, turned))
    return DECK.cards(taken)


def _level(course: Course) -> str:
    assert isinstance(course.start.talk, Drawing)
    return course.start.talk.level
