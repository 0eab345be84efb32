"""The talk of Schafkopf: doubling, bidding from forehand, the game that is named, and what follows when all pass.

A bid is a kind of game (`rufspiel`, `wenz`, `solo tout`), at some tables with the points that are promised (`wenz 71`);
who is left with the highest names it in full (`solo G tout`). A Hochzeit is then offered around and two cards change
hands; at some tables the other two may do the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from renege.core.cards import Cards, Hand, Hidden
from renege.core.game import SEATS, Move, Standing, Talk
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.verdict import Objection
from renege.games.schafkopf.contract import RAISES, Bargain
from renege.games.schafkopf.order import (
    CALLED_SUITS,
    DECKS,
    DECLARATIONS,
    RENONCES,
    SOLOS,
    TRUMP,
    Declaration,
    is_by_points,
    order,
    parse_declaration,
    say_game,
    trumps,
)
from renege.games.schafkopf.rules import (
    BID,
    CALL_ACE,
    DECLARE,
    HOCHZEIT,
    OLD_MUST,
    SIE,
    AllPass,
    Doubling,
    HerzSolo,
    HochzeitCards,
    HochzeitCouples,
    HochzeitReturn,
    PackSize,
    Played,
    Precedence,
    Rules,
)

_ALONE = SOLOS[::-1]  # the lowest first
_TOUTS = tuple(f"{kind} tout" for kind in _ALONE)
# The kinds of bid, the lowest first; a Herz-Solo is one by itself only where it goes before the others.
LADDER = ("rufspiel", "hochzeit", "bettel", *_ALONE, "solo H", *_TOUTS, "solo H tout", "sie")
RAISED = tuple(f"{kind} {points}" for points in RAISES for kind in _ALONE)
OLD = "EO"  # the Eichel-Ober, "der Alte"


Step = Literal["double", "bid", "declare", "accept", "offer", "give", "second", "old", "done", "thrown in"]


@dataclass(frozen=True)
class Bidding(Talk):
    """The talk so far: the step it is at, and the seats that are still to be asked there."""

    rules: Rules
    dealer: int
    step: Step
    queue: tuple[int, ...]
    calls_made: tuple[str, ...] = ()
    doubled: int = 0
    high: tuple[str, int] | None = None  # the highest bid, and whose it is
    declaration: str = ""
    declarer: int | None = None
    partner: int | None = None
    second: tuple[int, int] | None = None  # who offers a trump once the first two have swapped, and to whom

    @property
    def said(self) -> tuple[str, ...]:
        return self.calls_made

    @property
    def turn(self) -> int | None:
        return self.queue[0] if self.queue else None

    @property
    def contract(self) -> Bargain | None:
        if self.step != "done":
            return None
        need = need_of(self.declaration, points_of(self.bid))
        return Bargain(self.declaration, self.declarer, self.forehand, self.partner, self.doubled, need=need)

    @property
    def forehand(self) -> int:
        """The seat that leads first."""
        return (self.dealer + 1) % len(SEATS)

    @property
    def bid(self) -> str:
        """The highest bid so far."""
        return "" if self.high is None else self.high[0]

    @property
    def couple(self) -> tuple[int | None, int | None]:
        """Who offers a trump, and who takes it: the declarer and its partner, or the two after them."""
        return self.second or (self.declarer, self.partner)

    @property
    def must(self) -> bool:
        """Did all pass, so that the old one must play?"""
        return "old" in self.calls_made

    # -- what may be said

    def read(self, text: str) -> str:
        words = " ".join(text.split()).lower()
        if words in ("pass", "double", "accept", "offer", "old", "no", "give a card"):
            return words
        if words.upper() in _SPELLED:
            return _SPELLED[words.upper()]
        if words == "tout":
            raise NotationError("'tout' does not say which: a Tout is bid by its name, like 'wenz tout' or 'solo tout'")
        if is_by_points(words):
            why = "{quoted} is no bid: a solo is bid by its kind for 61 points, and with 71, 81, 91, 101 or 111"
            raise NotationError(say(why, repr(text.strip())))
        verb, _, card = words.partition(" ")
        if verb == "give" and card:
            return f"give {parse_cards(DECKS[self.rules.deck], card)}"
        try:
            return str(parse_declaration(text))
        except NotationError as unknown:
            raise NotationError(say("{quoted} is no call, and {error}", repr(text.strip()), unknown)) from None

    def calls(self, hand: Hand) -> Iterator[str]:
        return (call for call in self._candidates(hand) if self.objection(call, hand) is None)

    def _candidates(self, hand: Hand) -> Iterator[str]:
        if self.step == "bid":
            yield from ("pass", *bids_of(self.rules))
        elif self.step == "declare":
            yield from (*(RENONCES if self.must else ()), *DECLARATIONS)
        elif self.step in ("offer", "give"):
            known = isinstance(hand, Cards)
            yield from (f"give {hand.deck.names[card]}" for card in hand) if known else ("give a card",)
        else:
            yield from _ANSWERS[self.step]

    def objection(self, call: str, hand: Hand) -> Objection | None:
        if self.step == "double":
            return None if call in ("pass", "double") else Objection(BID, "first each seat doubles or passes")
        if self.step == "bid":
            return self._object_to_bid(call, hand)
        if self.step == "declare":
            return self._object_to_declaration(call, hand)
        if self.step == "old":
            return self._object_to_old(call, hand)
        if self.step == "second":
            asked = Objection(HOCHZEIT, "a second Hochzeit is offered or passed by")
            return None if call == "pass" else self._object_to_kind("hochzeit", hand) if call == "offer" else asked
        return self._object_to_marriage(call, hand)

    def _object_to_bid(self, call: str, hand: Hand) -> Objection | None:
        if call == "pass":
            return None
        if call not in bids_of(self.rules):
            if call in LADDER and "H" not in call:
                return Objection(BID, say("this table does not play {game}", say_game(call)))
            why = say("{quoted} is no bid: pass, {rest}", repr(call), ", ".join(kinds_played(self.rules)))
            return Objection(BID, why)
        if self.high is not None:
            kind, seat = self.high
            around = from_forehand(self.dealer)
            earlier = self.turn is not None and around.index(self.turn) < around.index(seat)
            mine, highest = rank_of(self.rules, call), rank_of(self.rules, kind)
            if mine < highest or (mine == highest and not earlier):
                word = "match" if earlier else "go before"
                why = say(f"{{game}} does not {word} the {{game2}} of {{seat}}", say_game(call), say_game(kind), seat)
                return Objection(BID, why)
        return self._object_to_kind(kind_of(call), hand)

    def _object_to_kind(self, kind: str, hand: Hand) -> Objection | None:
        """What some kinds of game ask of a hand."""
        if isinstance(hand, Hidden):
            return None
        if kind == "rufspiel" and all(_why_not_called(suit, hand, self.rules.deck) for suit in CALLED_SUITS):
            return Objection(CALL_ACE, say("{cards} has no ace to call", hand))
        if kind == "sie":
            needed = hand.deck.of(sum(1 << card for card in trumps("sie", self.rules.deck)[: len(hand)]))
            if hand != needed:
                return Objection(SIE, say("a Sie is {cards}, and the hand has {cards2}", needed, hand))
        if kind == "hochzeit":
            held = order("hochzeit", self.rules.deck).in_suit(hand, TRUMP)
            if len(held) != 1:
                why = "one trump alone is offered, and the hand has none"
                why = say("one trump alone is offered, and the hand has {cards}", held) if held else why
                return Objection(HOCHZEIT, why)
        return None

    def _object_to_declaration(self, call: str, hand: Hand) -> Objection | None:
        if call not in (*DECLARATIONS, *RENONCES) or call == "ramsch":
            return Objection(DECLARE, say("{quoted} names no game", repr(call)))
        named = parse_declaration(call)
        bid = bid_of(self.rules, named)
        if bid not in kinds_played(self.rules):
            return Objection(DECLARE, say("this table does not play {game}", say_game(call)))
        assert self.high is not None
        if rank_of(self.rules, bid) < rank_of(self.rules, kind_of(self.high[0])):
            why = say("{game} does not keep the bid of {game2}", say_game(call), say_game(self.high[0]))
            return Objection(DECLARE, why)
        if named.renonce or (self.must and named.kind in ("rufspiel", "bettel")):
            return self._object_to_must(named, hand)
        if named.kind == "hochzeit" and self.high[0] != "hochzeit":
            return Objection(DECLARE, "a Hochzeit is bid as one")
        if named.kind == "rufspiel" and isinstance(hand, Cards):
            assert named.suit is not None
            why = _why_not_called(named.suit, hand, self.rules.deck)
            if why is not None:
                return Objection(CALL_ACE, why)
        return self._object_to_kind(named.kind, hand) if named.kind != "rufspiel" else None

    def _object_to_must(self, named: Declaration, hand: Hand) -> Objection | None:
        """What the old one may call. A Renonce is for him alone, and only where no ace can be called by the rules."""
        if not self.must:
            return Objection(OLD_MUST, "a Renonce is played by the old one alone, who must play")
        if named.kind == "bettel":
            return Objection(OLD_MUST, "who must play does not escape into a Bettel")
        if isinstance(hand, Hidden):
            return None
        assert named.suit is not None
        may = [f"{suit}A" for suit in CALLED_SUITS if _why_not_called(suit, hand, self.rules.deck) is None]
        if not named.renonce:
            why = _why_not_called(named.suit, hand, self.rules.deck)
            return None if why is None else Objection(CALL_ACE, why)
        if may:
            return Objection(OLD_MUST, say("the hand can call {cards}, so it plays no Renonce", may[0]))
        names, ace = hand.deck.spellings, f"{named.suit}A"
        aces = [f"{suit}A" for suit in CALLED_SUITS if names[f"{suit}A"] not in hand]
        if not named.ten:
            return None if ace in aces else Objection(OLD_MUST, say("the hand holds {cards} itself", ace))
        if aces:
            why = say("a ten is called by who holds all aces, and the hand lacks {cards}", aces[0])
            return Objection(OLD_MUST, why)
        ten = f"{named.suit}Z"
        return Objection(OLD_MUST, say("the hand holds {cards} itself", ten)) if names[ten] in hand else None

    def _object_to_old(self, call: str, hand: Hand) -> Objection | None:
        if call not in ("no", "old"):
            return Objection(OLD_MUST, "all have passed: each seat says 'old' if it has the Eichel-Ober, else 'no'")
        if isinstance(hand, Hidden):
            return None
        holds = hand.deck.spellings[OLD] in hand
        if holds == (call == "old"):
            return None
        return Objection(OLD_MUST, say("the hand has {cards}" if holds else "the hand does not have {cards}", OLD))

    def _object_to_marriage(self, call: str, hand: Hand) -> Objection | None:
        table = order("hochzeit", self.rules.deck)
        if self.step == "accept":
            plain = self.rules.hochzeit_return is HochzeitReturn.PLAIN
            if call == "accept" and plain and isinstance(hand, Cards) and not hand.only(~table.follow[TRUMP]):
                return Objection(HOCHZEIT, say("a plain card is given for the trump, and {cards} has none", hand))
            return None if call in ("pass", "accept") else Objection(HOCHZEIT, "a Hochzeit is accepted or passed by")
        if not call.startswith("give "):
            return Objection(HOCHZEIT, "a card is to be given")
        if call == "give a card":
            if isinstance(hand, Cards):
                raise NotationError(say("{quoted} does not say which card of {cards}", repr(call), hand))
            return None
        given = parse_cards(DECKS[self.rules.deck], call.removeprefix("give "))
        if isinstance(hand, Cards) and not given <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", given, hand))
        is_trump = not given.kinds & ~table.follow[TRUMP]
        may = is_trump if self.step == "offer" else not is_trump or self.rules.hochzeit_return is HochzeitReturn.ANY
        if given.single() is None or not may:
            why = say(f"{{cards}} is not one {'trump' if self.step == 'offer' else 'plain card'}", given)
            return Objection(HOCHZEIT, why)
        return None

    # -- what follows

    def after(self, call: str) -> "Bidding":
        seat = self.turn
        assert seat is not None
        said = replace(self, calls_made=(*self.calls_made, call), queue=self.queue[1:])
        if self.step == "double":
            said = replace(said, doubled=self.doubled + (call == "double"))
            ended = {Doubling.CHAIN: "pass", Doubling.ONE: "double"}.get(self.rules.doubling)
            more = said.queue and call != ended
            return said if more else replace(said, step="bid", queue=from_forehand(self.dealer))
        if self.step == "bid":
            return said._after_bid(call, seat)
        if self.step == "declare":
            declarer = None if call == "ramsch" else seat  # in a record, where anything may be said
            said = replace(said, declaration=call, declarer=declarer, step="done")
            return replace(said, step="accept", queue=from_forehand(seat)[:-1]) if call == "hochzeit" else said
        if self.step == "old":
            return replace(said, step="declare", queue=(seat,), high=(LADDER[0], seat)) if call == "old" else said
        return said._after_marriage(self.step, call, seat)

    def _after_marriage(self, step: Step, call: str, seat: int) -> "Bidding":
        """What follows when a trump was offered, accepted, given, or another was given for it."""
        first, (giver, taker) = self.second is None, self.couple
        if step == "accept" and call == "accept":
            return replace(self, partner=seat if first else self.partner, step="offer", queue=(giver,))
        if step == "accept" and first:
            return self if self.queue else self._all_passed()
        if step == "offer":
            return replace(self, step="give", queue=(taker,))
        if step == "give" and first and self.rules.hochzeit_couples is HochzeitCouples.TWO and giver is not None:
            return replace(
                self, step="second", queue=tuple(other for other in from_forehand(giver)[:-1] if other != taker)
            )
        if step == "second" and call == "offer":
            fourth = next(other for other in SEATS if other not in (seat, giver, taker))
            return replace(self, second=(seat, fourth), step="accept", queue=(fourth,))
        return self if step == "second" and self.queue else replace(self, step="done", queue=())

    def _after_bid(self, call: str, seat: int) -> "Bidding":
        said = self
        if call != "pass":
            overbid = () if self.high is None else (self.high[1],)  # who is asked once more
            said = replace(self, high=(call, seat), queue=(*self.queue, *overbid))
        if said.queue:
            return said
        return replace(said, step="declare", queue=(said.high[1],)) if said.high else said._all_passed()

    def _all_passed(self) -> "Bidding":
        if self.rules.all_pass is AllPass.OLD_MUST:
            return replace(self, step="old", queue=from_forehand(self.dealer))
        if self.rules.all_pass is AllPass.RAMSCH:
            return replace(self, step="done", declaration="ramsch", declarer=None, partner=None)
        return replace(self, step="thrown in")

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        hidden = self.rules.hochzeit_cards is HochzeitCards.FACE_DOWN
        gives = hidden and call.startswith("give ") and listener not in self.couple
        return "give a card" if gives else call

    def moves(self, call: str) -> tuple[Move, ...]:
        giver, taker = self.couple
        if not call.startswith("give ") or self.step not in ("offer", "give") or giver is None or taker is None:
            return ()
        told = call != "give a card"
        cards: Hand = parse_cards(DECKS[self.rules.deck], call.removeprefix("give ")) if told else Hidden(1)
        pair = (giver, taker) if self.step == "offer" else (taker, giver)
        return (Move(*pair, cards, shown=self.rules.hochzeit_cards is HochzeitCards.FACE_UP),)


@lru_cache
def kinds_played(rules: Rules) -> tuple[str, ...]:
    """The kinds of game that a table plays, as they are bid."""
    return tuple(kind for kind in LADDER if _is_played(rules, kind))


def _is_played(rules: Rules, kind: str) -> bool:
    if kind.startswith("solo H") and not _herz_first(rules, tout=kind.endswith("tout")):
        return False
    return all(getattr(rules, word, None) is not Played.NO for word in kind.split())


def _herz_first(rules: Rules, *, tout: bool) -> bool:
    """Is a solo in Herz, or its Tout, a kind of its own? Where solos are raised by points, only the Tout is."""
    return rules.herz_solo is HerzSolo.FIRST and (tout or rules.precedence is not Precedence.RAISING)


def bids_of(rules: Rules) -> tuple[str, ...]:
    """All that may be bid at a table besides a pass."""
    kinds = kinds_played(rules)
    raised = RAISED if rules.precedence is Precedence.RAISING else ()
    return (*kinds, *(bid for bid in raised if kind_of(bid) in kinds))


def bid_of(rules: Rules, named: Declaration) -> str:
    """The kind of bid under which a game is named."""
    herz = (named.kind, named.suit) == ("solo", "H") and _herz_first(rules, tout=named.tout)
    return " ".join(filter(None, (named.kind, "H" if herz else "", "tout" if named.tout else "")))


def kind_of(bid: str) -> str:
    """A bid without the points that it promises."""
    return bid.rstrip("0123456789 ")


def points_of(bid: str) -> int:
    """The points above 61 that a bid promises; 0 for none."""
    return int(bid[len(kind_of(bid)) :] or 0)


def need_of(declaration: str, points: int) -> int:
    """The points above 61 that a game needs, if so many were promised: all solos but a Tout do."""
    named = parse_declaration(declaration)
    return points if named.kind in SOLOS and not named.tout else 0


def rank_of(rules: Rules, bid: str) -> tuple[int, int]:
    """How high a bid is: its kind, and then its points."""
    kind = kind_of(bid)
    if kind == "hochzeit":
        kind = "rufspiel"
    if kind in SOLOS and rules.precedence is not Precedence.RANKED:
        kind = "solo"
    if kind in _TOUTS and rules.precedence is Precedence.EQUAL:
        kind = "solo tout"
    return LADDER.index(kind), points_of(bid)


_ANSWERS = {
    "double": ("pass", "double"), "accept": ("pass", "accept"), "second": ("pass", "offer"), "old": ("no", "old"),
}  # fmt: skip
_SPELLED = {bid.upper(): bid for bid in (*LADDER, *RAISED)}


def _why_not_called(suit: str, hand: Cards, deck: PackSize) -> str | None:
    """Why a hand may not call an ace; None if it may."""
    ace = hand.deck.spellings[f"{suit}A"]
    if ace in hand:
        return say("the hand holds {cards} itself", hand.deck.names[ace])
    table = order("rufspiel E", deck)  # the plain suits are the same whichever ace is called
    if not table.in_suit(hand, table.suits.index(suit)):
        return say("the hand holds no plain card of {suit}", table.nouns[table.suits.index(suit)])
    return None


def from_forehand(dealer: int) -> tuple[int, ...]:
    """The seats from forehand on, the dealer last."""
    return tuple((dealer + i) % len(SEATS) for i in range(1, len(SEATS) + 1))


def bidding(rules: Rules, standing: Standing) -> Bidding:
    around = from_forehand(standing.dealer)
    if rules.doubling is Doubling.NONE:
        return Bidding(rules, standing.dealer, "bid", around)
    return Bidding(rules, standing.dealer, "double", around[:1] if rules.doubling is Doubling.FOREHAND else around)
