"""Showing cards to name trumps: what is shown and not taken back, how strong it is, and what may be shown over it.

Showings lie one on the other, and the last is ahead: it overruled the one before it or, where the table allows it, its
owner had shown some of these cards before and has now as many as were ahead. One that is taken back lets the one
before it be ahead again, and the same cards are not shown again by that seat, so that every talk comes to an end.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renege.core.cards import Cards, Deck, kinds_in
from renege.core.message import say
from renege.core.notation import parse_cards
from renege.games.tractor.deck import BIG, LITTLE
from renege.games.tractor.order import printed_suit, rank_of
from renege.games.tractor.rules import Overruling, OwnShowing, Rules

BY_SUIT = "DCHS"  # the lowest suit first, where suits overrule
Said = Sequence[tuple[int, str]]  # calls, each with its seat


class Showing(NamedTuple):
    """What a seat has shown, and by which call of the talk."""

    seat: int
    cards: Cards
    call: int


def shown_cards(deck: Deck, call: str) -> Cards:
    """The cards of the call that shows them."""
    return parse_cards(deck, call.removeprefix("show "))


def showings(deck: Deck, said: Said) -> tuple[Showing, ...]:
    """What has been shown and not taken back, the one that is ahead last."""
    found: list[Showing] = []
    for number, (seat, call) in enumerate(said):
        if call.startswith("show "):
            found.append(Showing(seat, shown_cards(deck, call), number))
        elif call == "withdraw" and found:
            found.pop()
    return tuple(found)


def taken_back(deck: Deck, said: Said, seat: int) -> Iterator[Cards]:
    """What a seat has shown and taken back."""
    for number, (who, call) in enumerate(said):
        if who == seat and call == "withdraw" and (before := showings(deck, said[:number])):
            yield before[-1].cards


def strength(rules: Rules, level: str, cards: Cards) -> tuple[int, ...]:
    """How strong a showing is: by its cards; of as many by jokers or suit, as the table says. Else nothing."""
    if cards.kinds.bit_count() != 1:
        return ()
    card, size = next(kinds_in(cards.kinds)), len(cards)
    joker = (card >= LITTLE) + (card == BIG)
    if joker and size < (rules.fewest_big_jokers if card == BIG else rules.fewest_jokers):
        return ()
    if not joker and rank_of(card) != level:
        return ()
    if rules.overruling is Overruling.LENGTH_ALONE:
        return (size,)
    suit = BY_SUIT.index(printed_suit(card) or BY_SUIT[0])
    return size, joker, suit if rules.overruling is Overruling.JOKERS_OR_SUIT and size > 1 and not joker else 0


def why_not_over(rules: Rules, level: str, lies: Sequence[Showing], seat: int, cards: Cards) -> str | None:
    """Why a seat may not show these cards over what lies there, all of which name trumps; None where it may."""
    if not lies:
        return None
    ahead = lies[-1]
    stronger = strength(rules, level, cards) > strength(rules, level, ahead.cards)
    if not stronger and not _is_drawn_level(rules, lies, seat, cards):
        return say("{cards} does not overrule {cards2}", cards, ahead.cards)
    overturns = rules.own_showing is OwnShowing.OVERTURN
    if ahead.seat == seat and cards.kinds != ahead.cards.kinds and not overturns:
        return say("{seat} has shown {cards} and may strengthen that alone", seat, ahead.cards)
    return None


def _is_drawn_level(rules: Rules, lies: Sequence[Showing], seat: int, cards: Cards) -> bool:
    """Are these more of what the seat has shown last, and as many as are ahead? Against jokers that is not enough."""
    own, ahead = next((one for one in reversed(lies) if one.seat == seat), None), lies[-1]
    if rules.own_showing is not OwnShowing.EQUAL or own is None or ahead.seat == seat:
        return False
    more_of_own = cards.kinds == own.cards.kinds and len(cards) > len(own.cards)
    return more_of_own and len(cards) == len(ahead.cards) and next(iter(ahead.cards)) < LITTLE


def names_nothing(rules: Rules, level: str, cards: Cards) -> str:
    """Why these cards name no trumps, and what would."""
    fewest, packs = rules.fewest_jokers, rules.packs
    if rules.fewest_big_jokers < fewest:
        why = (
            "{cards} names no trumps at level {rank}: show one of it, more alike, little jokers, at least {n}, "
            "or big ones, at least {n2}"
        )
        return say(why, cards, level, fewest, fewest - 1)
    if fewest > packs:
        why = "{cards} names no trumps at level {rank}: show one of it, or more alike; jokers name nothing here"
    elif fewest != 2:
        why = "{cards} names no trumps at level {rank}: show one of it, more alike, or like jokers, at least {n}"
        return say(why, cards, level, fewest)
    elif packs > 2:
        why = "{cards} names no trumps at level {rank}: show one of it, more alike, or like jokers from two on"
    else:
        why = "{cards} names no trumps at level {rank}: show one of it, two alike, or two jokers"
    return say(why, cards, level)
