"""What a seat owes, a rule each, in the order a referee would ask: the led suit, the trick, and the called ace."""

from renege.core.cards import Card, kinds_in
from renege.core.game import Turn
from renege.core.message import say
from renege.core.trick import Play
from renege.core.verdict import Objection, Ruling
from renege.games.schafkopf.memory import Called, called_ace
from renege.games.schafkopf.order import TRUMP
from renege.games.schafkopf.rules import (
    ACE_STAYS,
    ANSWER_SEARCH,
    FOLLOW_SUIT,
    HEAD_TRICK,
    NO_RUNNING,
    ONE_CARD,
    HeadTrick,
    Rules,
)

HEADED: dict[HeadTrick, tuple[str, ...]] = {
    HeadTrick.NOWHERE: (),
    HeadTrick.BETTEL: ("bettel",),
    HeadTrick.RAMSCH: ("ramsch",),
    HeadTrick.BOTH: ("bettel", "ramsch"),
}


def one_card(turn: Turn, play: Play) -> Objection | None:
    if play.tried is not None or play.units or play.suit is not None:
        return Objection(ONE_CARD, "nothing is thrown, grouped or named in Schafkopf")
    if play.cards.single() is None:
        why = say("{cards} is {n} cards, and a play is one", play.cards, len(play.cards))
        return Objection(ONE_CARD, why if play.cards else "nothing is 0 cards, and a play is one")
    return None


def follow_suit(turn: Turn, play: Play) -> Objection | None:
    if turn.led is None or not play.cards.kinds & ~turn.order.follow[turn.led]:
        return None
    held = turn.order.in_suit(turn.hand, turn.led)
    if not held:
        return None
    led = turn.order.nouns[turn.led]
    verb = "were" if led == "trumps" else "was"
    return Objection(FOLLOW_SUIT, say(f"{{suit}} {verb} led and the hand holds {{cards}}", led, held), Ruling.RENEGE)


def head_trick(turn: Turn, play: Play) -> Objection | None:
    if turn.led is None or not heads(turn.rules, turn.contract.declaration):
        return None
    above = turn.hand.only(above_the_trick(turn, follows=bool(turn.order.in_suit(turn.hand, turn.led))))
    if not above or play.cards <= above:
        return None
    best = turn.order.deck.names[_best(turn, turn.led)]
    why = say("{cards} is to be beaten, and the hand holds {cards2}", best, above)
    return Objection(HEAD_TRICK, why, Ruling.RENEGE)


def heads(rules: Rules, declaration: str) -> bool:
    """Must the trick be beaten by who can, in this game?"""
    return declaration in HEADED[rules.head_trick]


def above_the_trick(turn: Turn, *, follows: bool) -> int:
    """The cards that would beat the trick: of the led suit for who follows it, trumps for who cannot."""
    if turn.led is None:
        return 0
    strength = turn.order.strength[turn.led]
    among, best = turn.order.follow[turn.led if follows else TRUMP], strength[_best(turn, turn.led)]
    return sum(1 << card for card in kinds_in(among) if strength[card] > best)


def _best(turn: Turn, led: int) -> Card:
    """The card that takes the trick so far."""
    return max((card for play in turn.trick.plays for card in play.cards), key=turn.order.strength[led].__getitem__)


def answer_search(turn: Turn, play: Play) -> Objection | None:
    called = _held_ace(turn)
    if called is None or turn.led != called.suit or called.ace in play.cards or turn.memory.leaders >> turn.seat & 1:
        return None  # who ran need not answer
    suit, ace = turn.order.nouns[called.suit], turn.order.deck.names[called.ace]
    return Objection(ANSWER_SEARCH, say("{suit} was led, and the called {cards} answers", suit, ace), Ruling.RENEGE)


def ace_stays(turn: Turn, play: Play) -> Objection | None:
    called = _held_ace(turn)
    if called is None or turn.led == called.suit or called.ace not in play.cards:
        return None
    if turn.memory.leaders or len(turn.hand) == 1:  # the suit has been led, by whomever
        return None
    suit, ace = turn.order.nouns[called.suit], turn.order.deck.names[called.ace]
    why = say("the called {cards} is not thrown away before {suit} is led", ace, suit)
    return Objection(ACE_STAYS, why, Ruling.RENEGE)


def no_running(turn: Turn, play: Play) -> Objection | None:
    called = _held_ace(turn)
    if called is None or called.ace in play.cards or not play.cards.kinds & called.plain or turn.memory.leaders:
        return None
    held = turn.order.in_suit(turn.hand, called.suit)
    fewest = turn.rules.run_from
    if len(held) >= fewest:
        return None
    ace = turn.order.deck.names[called.ace]
    why = "{cards} is led from under the called {cards2}, and {cards3} are fewer than {n} of the suit"
    return Objection(NO_RUNNING, say(why, play, ace, held, fewest))


def _held_ace(turn: Turn) -> Called | None:
    """The called ace, if it is in this hand."""
    called = called_ace(turn)
    return called if called is not None and called.ace in turn.hand else None


LEAD = (one_card, no_running)
FOLLOW = (one_card, follow_suit, head_trick, answer_search, ace_stays)
