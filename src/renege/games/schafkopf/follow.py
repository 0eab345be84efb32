"""What a seat owes, a rule each, in the order in which a referee would ask: the led suit, and the called ace."""

from renege.game import Turn
from renege.games.schafkopf.memory import RUN_FROM, Called, called_ace
from renege.games.schafkopf.rules import ACE_STAYS, ANSWER_SEARCH, FOLLOW_SUIT, NO_RUNNING, ONE_CARD
from renege.trick import Play
from renege.verdict import Objection, Ruling


def one_card(turn: Turn, play: Play) -> Objection | None:
    if play.tried is not None or play.units or play.suit is not None:
        return Objection(ONE_CARD, "nothing is thrown, grouped or named in Schafkopf")
    if play.cards.single() is None:
        return Objection(ONE_CARD, f"{play.cards or 'nothing'} is {len(play.cards)} cards, and a play is one")
    return None


def follow_suit(turn: Turn, play: Play) -> Objection | None:
    if turn.led is None or not play.cards.kinds & ~turn.order.follow[turn.led]:
        return None
    held = turn.order.in_suit(turn.hand, turn.led)
    if not held:
        return None
    led = turn.order.nouns[turn.led]
    verb = "were" if led == "trumps" else "was"
    return Objection(FOLLOW_SUIT, f"{led} {verb} led and the hand holds {held}", Ruling.RENEGE)


def answer_search(turn: Turn, play: Play) -> Objection | None:
    called = _held_ace(turn)
    if called is None or turn.led != called.suit or called.ace in play.cards or _ran(turn):
        return None
    suit, ace = turn.order.nouns[called.suit], turn.order.deck.names[called.ace]
    return Objection(ANSWER_SEARCH, f"{suit} was led, and the called {ace} answers", Ruling.RENEGE)


def ace_stays(turn: Turn, play: Play) -> Objection | None:
    called = _held_ace(turn)
    if called is None or turn.led == called.suit or called.ace not in play.cards or _free(turn):
        return None
    if len(turn.hand) == 1:
        return None
    suit, ace = turn.order.nouns[called.suit], turn.order.deck.names[called.ace]
    return Objection(ACE_STAYS, f"the called {ace} is not thrown away before {suit} is led", Ruling.RENEGE)


def no_running(turn: Turn, play: Play) -> Objection | None:
    called = _held_ace(turn)
    if called is None or called.ace in play.cards or not play.cards.kinds & called.plain or _free(turn):
        return None
    held = turn.order.in_suit(turn.hand, called.suit)
    if len(held) >= RUN_FROM:
        return None
    ace = turn.order.deck.names[called.ace]
    return Objection(
        NO_RUNNING, f"{play} is led from under the called {ace}, and {held} are fewer than {RUN_FROM} of the suit"
    )


def _held_ace(turn: Turn) -> Called | None:
    """The called ace, if it is in this hand."""
    called = called_ace(turn)
    return called if called is not None and called.ace in turn.hand else None


def _ran(turn: Turn) -> bool:
    """Has this seat, which holds the ace, led its suit from under it?"""
    return bool(turn.memory.leaders >> turn.seat & 1)


def _free(turn: Turn) -> bool:
    """Has the called suit been led, by whomever?"""
    return bool(turn.memory.leaders)


LEAD = (one_card, no_running)
FOLLOW = (one_card, follow_suit, answer_search, ace_stays)
