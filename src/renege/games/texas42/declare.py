"""The auction of Texas 42: one round of bids, the declaration, and the contract.

A bid is `pass`, `30` to `41`, `1 mark` and up, `splash` or `plunge`; a declaration is `trump 5`, `trump doubles`,
`follow-me`, `nello` or `sevens`, and the two without trumps may say how doubles stand (`nello doubles low`). Where
trumps may be left unsaid, `lead 6-4` makes sixes trumps, and 6-4 is the first lead.

A tile shown too early is written down as `expose 6-4`. No table of ours shows one by accident; a record of another may
have to say so. It is said beside the play, by the seat whose tile it is; before the first lead, if the tile fell in the
auction. Nobody is asked for it, so no seat is among the speakers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from renege.core.cards import Card, Cards, Hand, Hidden
from renege.core.game import SEATS, Move, Standing, Talk
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position
from renege.core.verdict import Objection, Rule
from renege.games.texas42.contract import (
    LEADS,
    LEAST_MARKS,
    NEEDED_DOUBLES,
    Bid,
    Hand42,
    contract_of,
    declared_at,
    format_declaration,
    format_marks,
    parse_named,
    partner,
    read_points,
    say_marks,
    table_doubles,
)
from renege.games.texas42.order import ALL_DOUBLES, CHOICES, DECK, DECLARATIONS, doubles_policy, pips
from renege.games.texas42.rules import (
    BID_HIGHER,
    BID_LADDER,
    DECLARE,
    DECLARE_NELLO,
    DECLARE_SEVENS,
    EXCHANGE,
    FORCED_BID,
    PLUNGE,
    SPLASH,
    UNSAID_TRUMP,
    AllPass,
    Doubles,
    MarkRaise,
    Nello,
    NelloExchange,
    PartnerLead,
    Plunge,
    Rules,
    Sevens,
    Splash,
    UnsaidTrump,
)  # fmt: skip


@dataclass(frozen=True)
class Auction(Talk):
    """One round of bids from the shaker's left, then the declaration, then the swap of tiles where nello has one."""

    rules: Rules
    dealer: int
    _said: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        return self._said

    @property
    def turn(self) -> int | None:
        spoken = len(self._said)
        if spoken < len(SEATS):
            return (self.dealer + 1 + spoken) % len(SEATS)
        if self.high is None:
            return None
        bid, bidder = self.high
        if spoken == len(SEATS):
            return bidder if bid.word == "bid" else partner(bidder)
        swaps = self.rules.nello_exchange is not NelloExchange.OFF and self._said[len(SEATS)].startswith("nello")
        if swaps and spoken < len(SEATS) + 3:
            return bidder if spoken == len(SEATS) + 1 else partner(bidder)
        return None

    @property
    def contract(self) -> Hand42 | None:
        if self.turn is not None or self.high is None:
            return None
        name, doubles, opening = parse_named(self._said[len(SEATS)])
        bid, bidder = self.high
        return replace(contract_of(self.rules, name, doubles, bid, bidder, forced=self.forced), opening=opening)

    @property
    def high(self) -> tuple[Bid, int] | None:
        """The highest bid so far and who made it."""
        high: tuple[Bid, int] | None = None
        for i, text in enumerate(self._said[: len(SEATS)]):
            if text != "pass":
                high = self._bid(text, high[0] if high else None), (self.dealer + 1 + i) % len(SEATS)
        return high

    @property
    def forced(self) -> bool:
        """Three passes before a shaker who may not pass."""
        return self.rules.all_pass is not AllPass.RESHAKE and self._said[:3] == ("pass",) * 3

    def bid(self, text: str) -> Bid:
        """What a bid made now would come to."""
        return self._bid(text, self.high[0] if self.high else None)

    def _bid(self, text: str, high: Bid | None) -> Bid:
        marks = high.marks if high else 0
        if text == "plunge":
            return Bid(text, marks=max(LEAST_MARKS.get(self.rules.plunge.value, 4), marks + 1))
        if text == "splash":
            least = LEAST_MARKS.get(self.rules.splash.value, 2)
            rises = self.rules.splash is Splash.TWO_OR_THREE and marks == 2
            return Bid(text, marks=3 if rises else least)
        if "mark" in text:
            return Bid("bid", marks=int(text.split()[0]))
        return Bid("bid", points=int(text))

    def read(self, text: str) -> str:
        words = " ".join(text.lower().split())
        if len(self._said) == len(SEATS) and words.startswith(LEADS):
            _, _, tile = parse_named(words)
            return f"{LEADS}{DECK.names[tile or 0]}"
        if len(self._said) == len(SEATS):
            return format_declaration(*declared_at(self.rules, words))
        if len(self._said) > len(SEATS):
            if words == "give a tile":
                return words
            if not words.startswith("give "):
                raise NotationError(say("{quoted} passes no tile; write it like 'give 6-4'", repr(words)))
            return f"give {parse_cards(DECK, words.removeprefix('give '))}"
        if words in ("pass", "plunge", "splash"):
            return words
        if in_marks := re.fullmatch(r"([1-9][0-9]?) marks?", words):
            return format_marks(int(in_marks[1]))
        if re.fullmatch(r"[0-9]{1,3}", words):
            return str(read_points(self.rules, int(words)))
        why = say("{quoted} is no bid: pass, 30 to 41, 1 mark and up, splash, plunge", repr(text.strip()))
        raise NotationError(why)

    def calls(self, hand: Hand) -> Iterator[str]:
        if len(self._said) < len(SEATS):
            top = (self.high[0].marks if self.high else 0) + 2
            ladder = [str(points) for points in range(30, 42)] + [
                format_marks(marks) for marks in range(1, max(top, 2) + 1)
            ]
            options = ["pass", *ladder, "splash", "plunge"]
        elif len(self._said) == len(SEATS):
            options = [format_declaration(name, doubles_policy(name)) for name in DECLARATIONS]
            choices = [format_declaration(name, doubles) for name, may in CHOICES.items() for doubles in may]
            options += [call for call in choices if call not in options]
            options += [f"{LEADS}{DECK.names[card]}" for card in hand] if isinstance(hand, Cards) else []
        else:
            options = [f"give {DECK.names[card]}" for card in hand] if isinstance(hand, Cards) else ["give a tile"]
        return (call for call in options if self.objection(call, hand) is None)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        if len(self._said) < len(SEATS):
            return self._object_to_bid(call, hand)
        if len(self._said) == len(SEATS):
            return self._object_to_declaration(call, hand)
        tiles = call.removeprefix("give ")
        if tiles == "a tile" and isinstance(hand, Cards):
            raise NotationError(say("{quoted} does not say which tile of {cards}", repr(call), hand))
        if tiles != "a tile":
            given = parse_cards(DECK, tiles)
            if len(given) != 1:
                return Objection(EXCHANGE, say("{cards} is {n} tiles, and one is passed", given, len(given)))
            if isinstance(hand, Cards) and not given <= hand:
                raise NotationError(say("{cards} is not in the hand {cards2}", given, hand))
        return None

    def _object_to_bid(self, call: str, hand: Hand) -> Objection | None:
        if call == "pass":
            if self.forced:
                return Objection(FORCED_BID, "three seats have passed, and at this table the shaker must bid")
            return None
        high = self.high[0] if self.high else None
        bid = self._bid(call, high)
        if self.forced and (no := self._object_to_forced(bid)):
            return no
        if bid.word != "bid" and (no := self._object_to_jump(bid, hand)):
            return no
        if high and bid.height <= high.height:
            return Objection(BID_HIGHER, say("{bid} is not above {bid2}", _said(bid), _said(high)))
        marks = high.marks if high else 0
        limit = max(2, marks + (2 if marks >= 2 and self.rules.mark_raise is MarkRaise.ONE_OR_TWO else 1))
        if bid.word == "bid" and bid.marks > limit:
            if high is None:
                why = say("{bid} is too high as the first bid: at most {amount}", _said(bid), say_marks(limit))
            else:
                why = say("{bid} is too high over {bid2}: at most {amount}", _said(bid), _said(high), say_marks(limit))
            return Objection(BID_LADDER, why)
        return None

    def _object_to_forced(self, bid: Bid) -> Objection | None:
        least = {AllPass.FORCE_31: Bid("bid", points=31), AllPass.FORCE_MARK: Bid("bid", marks=1)}.get(
            self.rules.all_pass, Bid("bid", points=30)
        )
        if self.rules.all_pass is AllPass.FORCE_NELLO:
            least = Bid("bid", marks=LEAST_MARKS.get(self.rules.nello.value, 1))
            if bid != least:
                return Objection(FORCED_BID, say("the forced shaker plays nello for {bid}", _said(least)))
        if bid.height < least.height:
            return Objection(FORCED_BID, say("the forced shaker bids {bid} or more", _said(least)))
        return None

    def _object_to_jump(self, bid: Bid, hand: Hand) -> Objection | None:
        rule, off = {
            "plunge": (PLUNGE, self.rules.plunge is Plunge.OFF),
            "splash": (SPLASH, self.rules.splash is Splash.OFF),
        }[bid.word]
        if off:
            return Objection(rule, say("this table does not play {game}", bid.word))
        needed = NEEDED_DOUBLES[bid.word]
        if isinstance(hand, Cards) and (held := hand.only(ALL_DOUBLES)).kinds.bit_count() < needed:
            if held:
                why = say(f"a {bid.word} needs {{n}} doubles and the hand holds {{cards}}", needed, held)
            else:
                why = say(f"a {bid.word} needs {{n}} doubles and the hand holds none", needed)
            return Objection(rule, why)
        return None

    def _object_to_declaration(self, call: str, hand: Hand) -> Objection | None:
        assert self.high is not None
        bid, _ = self.high
        name, doubles, opening = parse_named(call)
        if opening is not None and (no := self._object_to_unsaid(bid, opening, hand)):
            return no
        if self.forced and self.rules.all_pass is AllPass.FORCE_NELLO and name != "nello":
            return Objection(FORCED_BID, say("the forced shaker plays nello, not {call}", call))
        if name in ("nello", "sevens") and bid.word != "bid":
            return Objection(DECLARE, say("the partner of a {jump} names trumps, not {game}", bid.word, name))
        if name == "nello":
            return self._object_to_nello(bid, doubles)
        if name == "sevens":
            return self._object_to_sevens(bid, hand)
        return self._object_to_doubles(DECLARE, name, doubles)

    def _object_to_unsaid(self, bid: Bid, tile: Card, hand: Hand) -> Objection | None:
        if isinstance(hand, Cards) and tile not in hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", DECK.names[tile], hand))
        if self.rules.unsaid_trump is UnsaidTrump.NOT_ALLOWED:
            return Objection(UNSAID_TRUMP, "at this table trumps are named before the first lead")
        if bid.word != "bid" and self.rules.partner_lead is PartnerLead.DECLARER:
            return Objection(UNSAID_TRUMP, "the declarer leads, so the partner must name trumps")
        return None

    def _object_to_doubles(self, rule: Rule, name: str, doubles: Doubles) -> Objection | None:
        fixed = table_doubles(self.rules, name)
        if fixed in (None, doubles):
            return None
        why = say("at this table doubles are {stand} in {game}, not {stand2}", fixed.value, name, doubles.value)
        return Objection(rule, why)

    def _object_to_nello(self, bid: Bid, doubles: Doubles) -> Objection | None:
        rules = self.rules
        forced_nello = self.forced and rules.all_pass is AllPass.FORCE_NELLO
        if rules.nello is Nello.OFF and not forced_nello:
            return Objection(DECLARE_NELLO, say("this table does not play {game}", "nello"))
        if rules.nello is Nello.FORCED_ONLY and not self.forced:
            return Objection(DECLARE_NELLO, "at this table only a shaker who was forced to bid may play nello")
        least = LEAST_MARKS.get(rules.nello.value, 1)
        if bid.marks < least:
            why = say("nello needs a bid of {amount}, and the bid was {bid}", say_marks(least), _said(bid))
            return Objection(DECLARE_NELLO, why)
        return self._object_to_doubles(DECLARE_NELLO, "nello", doubles)

    def _object_to_sevens(self, bid: Bid, hand: Hand) -> Objection | None:
        if self.rules.sevens is Sevens.OFF:
            return Objection(DECLARE_SEVENS, say("this table does not play {game}", "sevens"))
        if not bid.marks:
            return Objection(DECLARE_SEVENS, say("sevens needs a bid in marks, and the bid was {bid}", _said(bid)))
        if self.rules.sevens is Sevens.ON or isinstance(hand, Hidden):
            return None
        if not any(sum(pips(card)) == 7 for card in hand):
            return Objection(DECLARE_SEVENS, "at this table sevens needs a tile of seven pips, and the hand has none")
        return None

    def after(self, call: str) -> "Auction":
        return replace(self, _said=(*self._said, call))

    def heard(self, call: str, listener: int, *, over: bool = False) -> str:
        return "give a tile" if call.startswith("give") and listener % 2 != (self.turn or 0) % 2 else call

    def moves(self, call: str) -> tuple[Move, ...]:
        if not call.startswith("give") or self.turn is None:
            return ()
        tiles = call.removeprefix("give ")
        given: Hand = Hidden(1) if tiles == "a tile" else parse_cards(DECK, tiles)
        return (Move(self.turn, partner(self.turn), given),)


def _said(bid: Bid) -> str:
    amount = say_marks(bid.marks) if bid.marks else str(bid.points)
    return amount if bid.word == "bid" else say(f"a {bid.word} for {{amount}}", amount)


def auction(rules: Rules, standing: Standing) -> Auction:
    return Auction(rules, standing.dealer)


SAYS = "expose "


@dataclass(frozen=True)
class Exposing(Talk):
    """What may be written beside the play: that a seat has shown a tile."""

    terms: Hand42
    hands: tuple[Hand, ...]
    seat: int | None = None

    @property
    def said(self) -> tuple[str, ...]:
        return ()

    @property
    def turn(self) -> int | None:
        return self.seat

    @property
    def contract(self) -> Hand42:
        return self.terms

    @property
    def speakers(self) -> tuple[int, ...]:
        return ()

    def by(self, seat: int) -> "Exposing":
        return replace(self, seat=seat)

    def read(self, text: str) -> str:
        tile = exposed_in(" ".join(text.lower().split()))
        hand = None if self.seat is None else self.hands[self.seat]
        if isinstance(hand, Cards) and tile not in hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", DECK.names[tile], hand))
        return f"{SAYS}{DECK.names[tile]}"

    def calls(self, hand: Hand) -> Iterator[str]:
        return iter(())

    def objection(self, call: str, hand: Hand) -> Objection | None:
        return None

    def after(self, call: str) -> "Exposing":
        assert self.seat is not None
        shown = (self.seat, exposed_in(call))
        return replace(self, terms=replace(self.terms, exposed=(*self.terms.exposed, shown)))


def exposed_in(call: str) -> Card:
    """The tile that a call exposes."""
    tile = parse_cards(DECK, call.removeprefix(SAYS)).single() if call.startswith(SAYS) else None
    if tile is None:
        raise NotationError(say("{quoted} exposes no tile; write it like 'expose 6-4'", repr(call)))
    return tile


def exposing(position: Position) -> Exposing | None:
    """The talk beside the play, where exposed tiles are written down."""
    return Exposing(position.contract, position.hands) if isinstance(position.contract, Hand42) else None
