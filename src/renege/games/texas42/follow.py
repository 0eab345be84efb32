"""What may be led and what must be followed, a rule each, in the order in which a referee would ask."""

from collections.abc import Iterator
from dataclasses import replace

from renege.core.cards import Cards, kinds_in
from renege.core.game import SuitFollowed, Turn, by_strength
from renege.core.message import say
from renege.core.trick import Play
from renege.core.verdict import Objection, Ruling
from renege.games.texas42.contract import Kind
from renege.games.texas42.order import CALLED, DECK, PLURALS, TRUMPS, pips
from renege.games.texas42.rules import (
    EXPOSED_TILE,
    FOLLOW_SUIT,
    NEAREST_SEVEN,
    ONE_TILE,
    OPENING_TRUMP,
    SMALL_END,
    UNSAID_TRUMP,
    OpeningLead,
    SevensTie,
)


def one_tile(turn: Turn, play: Play) -> Objection | None:
    if play.tried is not None or play.units:
        return Objection(ONE_TILE, "nothing is thrown or grouped in 42")
    if play.cards.single() is None:
        why = say("{cards} is {n} tiles, and a play is one", play.cards, len(play.cards))
        return Objection(ONE_TILE, why if play.cards else "nothing is 0 tiles, and a play is one")
    return None


def follow_suit(turn: Turn, play: Play) -> Objection | None:
    card, led = play.cards.single(), turn.led
    if card is None or led is None:
        return None
    held = turn.order.in_suit(turn.hand, led)
    if not held or card in held:
        return None
    suit, led_noun = turn.order.led_suit[card], turn.order.nouns[led]
    if suit == CALLED:
        why = say(f"{{cards}} is a {turn.order.nouns[CALLED].removesuffix('s')}, {{suit}} were led", play, led_noun)
    else:
        why = say("{cards} does not follow {suit}, and the hand holds {cards2}", play, led_noun, held)
    return Objection(FOLLOW_SUIT, why, Ruling.RENEGE)


def nearest_seven(turn: Turn, play: Play) -> Objection | None:
    card = play.cards.single()
    if turn.contract.kind is not Kind.SEVENS or card is None:
        return None
    nearness = turn.order.strength[CALLED]
    best = max(nearness[held] for held in turn.hand)
    if nearness[card] == best:
        return None
    near = DECK.cards(held for held in turn.hand if nearness[held] == best)
    verb = "is" if len(near) == 1 else "are"
    why = say(f"{{cards}} has {{n}} pips, and {{cards2}} {verb} nearer to seven", play, sum(pips(card)), near)
    return Objection(NEAREST_SEVEN, why, Ruling.ILLEGAL if turn.trick.lead is None else Ruling.RENEGE)


def led_unsaid(turn: Turn, play: Play) -> Objection | None:
    opening: int | None = turn.contract.opening
    if opening is None or turn.number or play.cards.single() == opening:
        return None
    held = turn.hands[turn.seat]
    if isinstance(held, Cards) and opening not in held:  # only in a text: whoever said it had the tile
        return None
    return Objection(UNSAID_TRUMP, say("trumps were left unsaid, and {cards} was led", DECK.names[opening]))


def opening_trump(turn: Turn, play: Play) -> Objection | None:
    asked = turn.rules.opening_lead is OpeningLead.TRUMP and turn.contract.declaration in TRUMPS
    if not asked or turn.number:
        return None
    trumps = turn.order.in_suit(turn.hand, CALLED)
    if not trumps or play.cards <= trumps:
        return None
    return Objection(OPENING_TRUMP, say("the first lead is a trump at this table, and the hand holds {cards}", trumps))


def small_end(turn: Turn, play: Play) -> Objection | None:
    card = play.cards.single()
    if play.suit is None or card is None or (turn.trick.lead is None and play.suit == turn.order.led_suit[card]):
        return None
    if turn.trick.lead is not None:
        return Objection(SMALL_END, say("{cards} follows; only the lead of a hand names its suit", play))
    if turn.rules.opening_lead is not OpeningLead.SMALL_END or turn.number:
        return Objection(SMALL_END, say("{cards} leads its high end here", play))
    if not turn.order.follow[play.suit] >> card & 1:
        return Objection(SMALL_END, say("{cards} is not one of the {suit}", play, turn.order.nouns[play.suit]))
    return None


FREE_LEAD = (one_tile, led_unsaid, nearest_seven, opening_trump, small_end)
FREE_FOLLOW = (one_tile, follow_suit, nearest_seven, small_end)


def exposed_tile(turn: Turn, play: Play) -> Objection | None:
    shown = [tile for seat, tile in turn.contract.exposed if seat == turn.seat and tile in turn.hand]
    if not shown or play.cards.single() in shown:
        return None
    follows = turn.trick.lead is not None
    for tile in shown:
        lay = Play(DECK.of(1 << tile))
        if all(rule(turn, lay) is None for rule in (FREE_FOLLOW if follows else FREE_LEAD)):
            why = say("{cards} lies face up and must be played now", lay)
            return Objection(EXPOSED_TILE, why, Ruling.RENEGE if follows else Ruling.ILLEGAL)
    return None


LEAD = (*FREE_LEAD, exposed_tile)
FOLLOW = (*FREE_FOLLOW, exposed_tile)


def lands(turn: Turn, play: Play) -> Play:
    """A lead that names the suit it leads anyway is the plain one."""
    card = play.cards.single()
    plain = card is not None and play.suit == turn.order.led_suit[card]
    return replace(play, suit=None) if plain else play


class LegalTiles(SuitFollowed):
    """Each tile by itself; on the first lead also for its small end, where the table allows that."""

    def candidates(self) -> Iterator[Play]:
        yield from super().candidates()
        turn = self.turn
        if turn.rules.opening_lead is OpeningLead.SMALL_END and turn.trick.lead is None and not turn.number:
            for card in kinds_in(turn.hand.kinds):
                for suit in range(len(PLURALS)):
                    if turn.order.follow[suit] >> card & 1 and suit != turn.order.led_suit[card]:
                        yield Play(DECK.of(1 << card), suit=suit)


def beats(turn: Turn, best: Play, play: Play) -> bool:
    """Highest strength, the earlier of equals; in sevens some tables give ties to the declarers."""
    if by_strength(turn, best, play):
        return True
    if turn.contract.kind is not Kind.SEVENS or turn.rules.sevens_tie is not SevensTie.DECLARERS:
        return False
    ours = turn.seat % 2 == turn.contract.declarer % 2
    theirs = turn.trick.winner % 2 != turn.contract.declarer % 2
    return ours and theirs and not by_strength(turn, play, best)
