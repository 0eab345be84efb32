"""What a game says and shows at a table: its name, calls, contracts and results in words, and how it looks.

`words_of(game)` finds it. A game that differs from a plain one offers a subclass of `Words` as its facet of that name.
Sentences are messages in English, about seats and cards; `renege.i18n` turns them into other languages.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from renege.core.cards import Deck
from renege.core.game import Contract, Game, Result, Standing, Talk
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play

Suits: TypeAlias = Literal["french", "german", "dominoes"]
Form: TypeAlias = Literal["marks", "points", "levels", "money"]
Asks: TypeAlias = Literal["show", "take", "bid", "trump", "wish", "declare", "call"]


@dataclass(frozen=True, slots=True)
class Look:
    """What a page needs to draw a game: which cards it has, which way play goes, how a play is picked."""

    suits: Suits = "french"
    clockwise: bool = True
    several: bool = False  # may a play have several cards?
    dealt_slowly: bool = False  # do the cards come one after the other, while trumps are named?
    review: Literal["open", "known"] = "open"  # by what a review counts losses first
    declarers_value: bool = False  # is an open-hand value that of the declarer's side, and not of seats 0 and 2?
    whole_costs: bool = False  # are what plays cost whole numbers?


@dataclass(frozen=True, slots=True)
class Button:
    """How a call is offered: the group that it stands in, whether that is seldom used, cards or a suit that show it."""

    group: str
    seldom: bool = False
    cards: tuple[str, ...] = ()
    suit: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """A call that is put together: the verb, then so many parts, each a card and which of its copies: `HA 2, SK 1`."""

    verb: str
    count: int
    cards: tuple[str, ...]  # that may be named
    copies: int  # of each card
    what: str  # what is to be done, as a message


@dataclass(frozen=True, slots=True)
class Named:
    """A card that a call has named, of which everybody waits for one copy: how many have come, and who played that."""

    card: str
    nth: int
    played: int
    copies: int
    seat: int | None
    is_open: bool  # may that copy still come?


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played for: the unit, what one result is called, the score before each deal; the prices."""

    unit: str
    per: str
    score: tuple[int, ...]
    prices: str = ""
    endless: bool = False  # does nobody ever win?


@dataclass(frozen=True, slots=True)
class Sheet:
    """How the score sheet is kept: its form, the score that wins, and how many columns it has."""

    form: Form
    target: int | None
    columns: int


class Words:
    """A plain game in words. A method that is given a position says what everybody at the table knows."""

    look = Look()
    picture: tuple[str, ...] = ("SA", "HK", "DQ")  # the cards that stand for the game
    # a call: as one says it, and as others tell it of a seat
    calls: Mapping[str, tuple[str, str]] = {}
    # calls that begin so and name cards
    verbs: Mapping[str, tuple[str, str]] = {
        "show": ("show {cards}", "{seat} shows {cards}"),
        "bury": ("bury {cards}", "{seat} buries {cards}"),
        "give": ("give {cards}", "{seat} gives {cards}"),
    }

    def title(self, game: Game) -> str:
        return game.name.title()

    # -- the talk

    def call(self, call: str) -> str:
        """A call in table words: `31`, `fives are trumps`, `show S2`."""
        verb, _, rest = call.partition(" ")
        if call in self.calls:
            return self.calls[call][0]
        if hidden := _HIDDEN.fullmatch(rest):
            return say("bury {n} cards", hidden[1]) if hidden[1] else call
        return say(self.verbs[verb][0], rest) if verb in self.verbs else call

    def called(self, position: Position, seat: int, call: str) -> tuple[str, ...]:
        """A call as one who heard it would tell it, in one or two clauses."""
        verb, _, rest = call.partition(" ")
        if call == "pass":
            return (say("{seat} passes", seat),)
        if call in self.calls:
            return (say(self.calls[call][1], seat),)
        if hidden := _HIDDEN.fullmatch(rest):
            return (
                say("{seat} buries {n} cards", seat, hidden[1]) if hidden[1] else say(f"{{seat}} gives {rest}", seat),
            )
        if verb in self.verbs:
            return (say(self.verbs[verb][1], seat, rest),)
        if self.is_bid(position, call):
            return (say("{seat} bids {bid}", seat, self.call(call)),)
        return (say("{seat} declares", seat), self.call(call))

    def is_bid(self, position: Position, call: str) -> bool:
        return call[:1].isdigit()

    def call_group(self, position: Position, call: str) -> str:
        """What kind of a call it is, for a hint that says no more yet."""
        if call == "pass":
            return "pass"
        if call in self.calls:
            return "a call"
        return "a bid" if self.is_bid(position, call) else "a declaration"

    def button(self, call: str) -> Button:
        return Button("pass" if call == "pass" else "kind")

    def asks(self, calls: Sequence[str]) -> Asks:
        """What a seat is asked for that may make these calls."""
        return "wish" if "pass" in calls else "declare"

    def naming(self, talk: Talk, calls: Sequence[str]) -> Naming | None:
        """How the call is put together where the seat whose turn it is names cards; `calls` are some of its ways."""
        return None

    def so_far(self, position: Position) -> Sequence[str]:
        """What stands before there is a contract."""
        return ()

    # -- the contract

    def contract(self, contract: Any, rules: Any) -> tuple[list[str], str]:
        """A contract in clauses, and what is trump, if that has a name."""
        by = [] if contract.declarer is None else [say("by {seat}", contract.declarer)]
        return [self.call(contract.declaration), *by], ""

    def contract_names(self, contract: Any) -> list[str]:
        """The cards that a contract names, in clauses that stand after the others."""
        return []

    def named(self, position: Position) -> Sequence[Named]:
        """The cards that were named with the contract, and what has become of them."""
        return ()

    def roles(self, position: Position) -> Iterator[tuple[str, int | None]]:
        """Who has which part in the deal."""
        contract: Contract | None = position.contract
        yield "dealer", position.standing.dealer
        yield "player", None if contract is None else contract.declarer

    def may_claim(self, position: Position, seat: int) -> bool:
        """May this seat say that it takes the rest, as far as the contract goes?"""
        return position.game.claim is not None

    def shows(self, position: Position, seat: int, play: Play) -> Sequence[str]:
        """What a play that is made now shows beyond its cards, in clauses."""
        return ()

    # -- the hand

    def hand_order(self, position: Position) -> Order:
        """The order by which a hand is sorted before there is a contract."""
        return as_numbered(position.game.deck)

    # -- the end

    def result(self, result: Result) -> list[str]:
        """How a deal ended, in clauses, from the words of the score."""
        return self.result_parts(result.text, result.score)

    def result_parts(self, text: str, gained: Sequence[int]) -> list[str]:
        renege = _RENEGE.fullmatch(text)
        if renege is None:
            return [text]
        seat, rest = renege[1], renege[2]
        if not rest.startswith(":"):
            return [say("renege by {seat}{rest}", seat, rest)]
        inner = rest.removeprefix(": ")
        paid = re.fullmatch(r"[-+0-9 ]+", inner) is not None
        return [say("renege by {seat}", seat), *([] if paid else self.result_parts(inner, gained))]

    def kitty(self, position: Position) -> str:
        """What the kitty was worth at the end, where it counts."""
        return ""

    def attackers(self, position: Position) -> int | None:
        """The points of the side against the declarer, where a table counts them as they come."""
        return None

    def enough(self, game: Game) -> int | None:
        """The points with which that side has won."""
        return None

    def attackers_at_end(self, result: Result) -> int | None:
        return None

    def sheet(self, game: Game) -> Sheet:
        return Sheet("points", getattr(game.rules, "target", None), len(game.opening.score))

    def columns(self, game: Game, standing: Standing) -> list[int]:
        return list(standing.score[: self.sheet(game).columns])

    def terms(self, game: Game) -> Terms:
        return Terms("points", "deal", game.opening.score)


_HIDDEN = re.compile(r"a tile|a card|([0-9]+) cards")  # what others hear of cards that they do not see
_RENEGE = re.compile(r"renege by ([0-7])(.*)")
PLAIN = Words()


@cache
def as_numbered(deck: Deck) -> Order:
    """One suit, the last card the highest: how a hand is held before anybody knows more."""
    cards = range(len(deck.names))
    strength = tuple(card + 1 for card in cards)
    return Order(deck, ("",), ("",), tuple(0 for _ in cards), (deck.kinds,), (strength,), tuple(0 for _ in cards))


def words_of(game: Game) -> Words:
    """The words of a game, or those of a plain one."""
    return game.facet(Words) or PLAIN
