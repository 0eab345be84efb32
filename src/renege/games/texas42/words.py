"""Texas 42 at a table: what is said, and how it looks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Position
from renege.games.texas42.contract import Hand42, Kind, parse_declaration, say_marks
from renege.games.texas42.order import PLURALS, order
from renege.games.texas42.rules import Doubles
from renege.games.words import Asks, Button, Look, Sheet, Terms, Words

DOUBLES = {
    Doubles.HIGH: "doubles high",
    Doubles.LOW: "doubles low",
    Doubles.OWN: "doubles a suit of their own",
    Doubles.OWN_INVERTED: "doubles a suit of their own, the blank high",
}
DECLARED = ("trump ", "follow-me", "nello", "sevens")
JUMPS = ("splash", "plunge")
BIDS = ("pass", "points", "marks", "jump")  # groups of calls
_END = re.compile(r"(?:renege by ([0-3]): )?(.+) by ([0-3]) (made|set) with ([0-9]+) points?, (.+)")
_PUNISHED = re.compile(r"renege by ([0-3]), (two marks|the hand and a mark|the hand and two marks), (.+)")
_BID_LOST = re.compile(r"renege by ([0-3]) against a bid of (.+), (.+)")


class Words42(Words):
    picture = ("5-5", "6-5", "5-4")
    look = Look("dominoes")
    verbs: Mapping[str, tuple[str, str]] = {
        "give": ("give {cards}", "{seat} gives {cards}"),
        "expose": ("expose {cards}", "{seat} exposes {cards}"),
        "lead": ("lead {cards}, trumps unsaid", "{seat} names no trumps and leads {cards}"),
    }

    def title(self, game: Game) -> str:
        return "Texas 42"

    def call(self, call: str) -> str:
        if call.startswith(DECLARED):
            return _declared(*parse_declaration(call))
        return _bid_said(super().call(call))

    def is_bid(self, position: Position, call: str) -> bool:
        return call[:1].isdigit() or call in JUMPS

    def button(self, call: str) -> Button:
        if call == "pass" or call in JUMPS:
            return Button("pass" if call == "pass" else "jump")
        if call[:1].isdigit():
            return Button("points" if call.isdigit() else "marks")
        if call.startswith("trump "):
            suit = call.removeprefix("trump ")
            return Button("trump", cards=(f"{suit}-{suit}",) if suit.isdigit() else ())
        if call.startswith("lead "):
            return Button("lead", cards=(call.removeprefix("lead "),))
        return Button("doubles", seldom=True) if " doubles " in call else Button("untrumped")

    def asks(self, calls: Sequence[str]) -> Asks:
        return "bid" if any(self.button(call).group in BIDS for call in calls) else "trump"

    def contract(self, contract: Hand42, rules: Any) -> tuple[list[str], str]:
        bid, name = contract.bid, contract.declaration
        amount = _bid_said(bid.amount)
        amount = amount if bid.word == "bid" else say(f"{bid.word} for {{amount}}", amount)
        trump = PLURALS[int(name)] if name.isdigit() else name if name == "doubles" else ""
        return [_declared(name, contract.doubles), say("{bid} by {seat}", amount, contract.declarer)], trump

    def roles(self, position: Position) -> Iterator[tuple[str, int | None]]:
        yield "shaker", position.standing.dealer
        yield "declarer", None if position.contract is None else position.contract.declarer

    def may_claim(self, position: Position, seat: int) -> bool:
        contract = position.contract
        return isinstance(contract, Hand42) and (contract.kind is not Kind.NELLO or seat == contract.declarer)

    def hand_order(self, position: Position) -> Order:
        return order("follow-me")

    def result_parts(self, text: str, gained: Sequence[int]) -> list[str]:
        if found := _END.fullmatch(text):
            bid, who, end, points, pays = _bid_said(found[2]), found[3], found[4], found[5], found[6]
            if points == "1":
                told = say(f"{{bid}} by {{seat}} {end} with 1 point, {{numbers}}", bid, who, pays)
            else:
                told = say(f"{{bid}} by {{seat}} {end} with {{n}} points, {{numbers}}", bid, who, points, pays)
            return [told if found[1] is None else say("renege by {who}: {result}", found[1], told)]
        if found := _PUNISHED.fullmatch(text):
            return [say(f"renege by {{seat}}, {found[2]}, {{numbers}}", found[1], found[3])]
        if found := _BID_LOST.fullmatch(text):
            return [say("renege by {seat} against a bid of {bid}, {numbers}", found[1], _bid_said(found[2]), found[3])]
        return super().result_parts(text, gained)

    def sheet(self, game: Game) -> Sheet:
        return Sheet("points" if _by_points(game) else "marks", getattr(game.rules, "target", None), 2)

    def terms(self, game: Game) -> Terms:
        return Terms("points" if _by_points(game) else "marks", "hand", (0, 0))


def _by_points(game: Game) -> bool:
    return write_rules(game.rules).get("scoring") == "points"


def _declared(name: str, doubles: Doubles) -> str:
    if name.isdigit():
        return say("{suit} are trumps", PLURALS[int(name)])
    if name in ("follow-me", "nello"):  # doubles stand in different ways
        return say(f"{name.replace('-', ' ')}, {{doubles}}", DOUBLES[doubles])
    return say("{suit} are trumps", name) if name == "doubles" else name


def _bid_said(bid: str) -> str:
    return say_marks(int(bid.split()[0])) if bid.endswith((" mark", " marks")) else bid


WORDS = Words42()
