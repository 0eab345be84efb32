"""What the auction of 42 fixes: bids, declarations and contracts, and how they are written."""

import re
from dataclasses import dataclass, replace
from enum import Enum

from renege.core.cards import Card
from renege.core.game import SEATS, Contract
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.games.texas42.order import DECK, DECLARATIONS, TRUMPS, doubles_policy, pips
from renege.games.texas42.rules import (
    Doubles,
    ExposedTile,
    PartnerLead,
    Rules,
    UnsaidTrump,
)  # fmt: skip

LEAST_MARKS = {"two-marks": 2, "three-marks": 3, "four-marks": 4, "one-mark": 1, "two-or-three": 2, "forced-only": 1}
LEADS = "lead "  # how a call begins that leads and names nothing
NEEDED_DOUBLES = {"plunge": 4, "splash": 3}


class Kind(Enum):
    """What the declarers undertake."""

    POINTS = "points"  # as many points as they bid
    MARKS = "marks"  # every trick
    NELLO = "nello"  # the declarer alone, and no trick
    PLUNGE = "plunge"  # every trick, trumps named by the partner
    SPLASH = "splash"
    SEVENS = "sevens"  # every trick, nearest to seven wins


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid above pass: 30 to 41 points, or marks; a plunge or splash is a bid in marks."""

    word: str  # "bid", "plunge" or "splash"
    points: int = 0
    marks: int = 0

    @property
    def height(self) -> int:
        """The place on the ladder: one mark stands where 42 points would."""
        return self.points if self.points else 41 + self.marks

    @property
    def amount(self) -> str:
        return str(self.points) if self.points else format_marks(self.marks)

    def __str__(self) -> str:
        return self.amount if self.word == "bid" else self.word


@dataclass(frozen=True, slots=True)
class Hand42(Contract):
    """The contract of a hand: who plays what, for how much, and how doubles stand."""

    declarer: int
    bid: Bid
    doubles: Doubles
    forced: bool = False
    opening: Card | None = None  # the tile that must be led first, trumps having been left unsaid
    exposed: tuple[tuple[int, Card], ...] = ()  # tiles that were shown too early, each with its seat

    @property
    def kind(self) -> Kind:
        if self.declaration in ("nello", "sevens"):
            return Kind(self.declaration)
        if self.bid.word != "bid":
            return Kind(self.bid.word)
        return Kind.POINTS if self.bid.points else Kind.MARKS

    @property
    def seats(self) -> tuple[int, ...]:
        """Who takes part: in nello the declarer's partner lays the hand face down."""
        idle = partner(self.declarer) if self.kind is Kind.NELLO else None
        return tuple(seat for seat in SEATS if seat != idle)


def partner(seat: int) -> int:
    return (seat + 2) % len(SEATS)


def format_marks(marks: int) -> str:
    return f"{marks} mark" if marks == 1 else f"{marks} marks"


def say_marks(marks: int) -> str:
    """So many marks, in a sentence."""
    return "1 mark" if marks == 1 else say("{n} marks", marks)


# -- declarations as text


def parse_declaration(text: str) -> tuple[str, Doubles]:
    """`trump 5`, or just `5`; `nello doubles low`. The declaration and how doubles stand."""
    words = text.strip().lower()
    if words.removeprefix("trump ") in TRUMPS:
        words = words.removeprefix("trump ")
    name, _, policy = words.partition(" doubles ")
    if name not in DECLARATIONS:
        raise NotationError(say("{quoted} is no declaration: {rest}", repr(text.strip()), " ".join(DECLARATIONS)))
    choices = {doubles.value: doubles for doubles in Doubles}
    if policy and policy not in choices:
        raise NotationError(say("{quoted} says nothing about doubles: {rest}", repr(policy), " ".join(choices)))
    try:
        return name, doubles_policy(name, choices[policy] if policy else None)
    except ValueError as no_choice:
        raise NotationError(str(no_choice)) from None


def parse_named(text: str) -> tuple[str, Doubles, Card | None]:
    """A declaration, or `lead 6-4` where trumps are left unsaid: what is declared, and the tile that is led for it."""
    if not text.startswith(LEADS):
        return *parse_declaration(text), None
    tile = parse_cards(DECK, text.removeprefix(LEADS)).single()
    if tile is None:
        raise NotationError(say("{quoted} leads no tile; write it like 'lead 6-4'", repr(text)))
    name = str(pips(tile)[0])
    return name, doubles_policy(name), tile


def declared_at(rules: Rules, text: str) -> tuple[str, Doubles]:
    """A declaration at a table: where it does not say how doubles stand, they stand as the table has them."""
    name, doubles = parse_declaration(text)
    fixed = table_doubles(rules, name)
    return (name, doubles) if fixed is None or " doubles " in text else (name, fixed)


def table_doubles(rules: Rules, name: str) -> Doubles | None:
    """How a table has doubles stand under a declaration; None where the declarer says, or nothing is to be said."""
    fixed = {"nello": rules.nello_doubles.value, "follow-me": rules.follow_me_doubles.value}.get(name, "any")
    return None if fixed == "any" else Doubles(fixed)


def format_declaration(name: str, doubles: Doubles) -> str:
    if name in TRUMPS:
        return f"trump {name}"
    return name if doubles is doubles_policy(name) else f"{name} doubles {doubles.value}"


_CONTRACT = re.compile(
    r"(?P<declared>.+?)"
    r"(?: (?P<word>bid|plunge|splash) (?P<amount>[0-9]{1,3})(?P<marks> marks?)?)?"
    r"(?: by (?P<seat>[0-3]))?(?P<forced> forced)?(?P<exposed>(?: exposed [0-3] [0-6]-[0-6])*)"
)


def read_contract(rules: Rules, text: str) -> Hand42:
    """`trump 5 bid 31 by 2`; without a bid it is 30, or one mark where the declaration needs marks, by seat 0."""
    found = _CONTRACT.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise NotationError(say("{quoted} is no contract; write it like 'trump 5 bid 31 by 2'", repr(text)))
    name, doubles, opening = _read_named(rules, found["declared"])
    word, amount = found["word"] or "bid", int(found["amount"] or 0)
    if found["amount"] and not amount:
        raise NotationError(say("{quoted} bids nothing", repr(text)))
    if word != "bid" and name in ("nello", "sevens"):
        raise NotationError(say("{quoted}: the partner of a {jump} names trumps, not {game}", repr(text), word, name))
    in_marks = bool(found["marks"]) or word != "bid" or name in ("nello", "sevens")
    if not amount:
        bid = Bid("bid", marks=1) if in_marks else Bid("bid", points=min(rules.bids))
    elif not in_marks:
        bid = read_points(rules, amount)
    elif amount < 30:
        bid = Bid(word, marks=amount)
    else:
        raise NotationError(say("{quoted}: this contract is bid in marks", repr(text)))
    seat, forced = int(found["seat"] or 0), bool(found["forced"])
    if found["exposed"] and rules.exposed_tile is ExposedTile.OFF:
        shown = repr(found["exposed"].strip())
        raise NotationError(say("{quoted}: at this table exposed tiles are not written down", shown))
    told = re.findall(r"exposed (\d) (\d-\d)", found["exposed"])
    exposed = tuple((int(by), DECK.spellings[tile]) for by, tile in told)
    return replace(contract_of(rules, name, doubles, bid, seat, forced=forced), opening=opening, exposed=exposed)


def _read_named(rules: Rules, text: str) -> tuple[str, Doubles, Card | None]:
    if not text.startswith(LEADS):
        return *declared_at(rules, text), None
    if rules.unsaid_trump is UnsaidTrump.NOT_ALLOWED:
        raise NotationError(say("{quoted}: at this table trumps are named before the first lead", repr(text)))
    return parse_named(text)


def write_contract(contract: Hand42) -> str:
    text = format_declaration(contract.declaration, contract.doubles)
    if contract.opening is not None:
        text = f"{LEADS}{DECK.names[contract.opening]}"
    forced = " forced" if contract.forced else ""
    exposed = "".join(f" exposed {seat} {DECK.names[tile]}" for seat, tile in contract.exposed)
    return f"{text} {contract.bid.word} {contract.bid.amount} by {contract.declarer}{forced}{exposed}"


def contract_of(rules: Rules, name: str, doubles: Doubles, bid: Bid, declarer: int, *, forced: bool) -> Hand42:
    partner_leads = bid.word != "bid" and rules.partner_lead is PartnerLead.PARTNER
    leader = partner(declarer) if partner_leads else declarer
    return Hand42(name, declarer, leader, bid, doubles, forced)


def read_points(rules: Rules, amount: int) -> Bid:
    if amount in rules.bids:
        return Bid("bid", points=amount)
    if amount >= 42 and amount % 42 == 0:
        return Bid("bid", marks=amount // 42)
    raise NotationError(say("{n} is no bid: 30 to 41 points, then marks (42 is one mark)", amount))
