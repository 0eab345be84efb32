"""Texas 42 at a table: what is said, and how it looks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.order import Order
from renege.core.position import Position
from renege.games.texas42.declare import Hand42, Kind, parse_declaration
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
_END = re.compile(r"(.+) by ([0-3]) (made|set) with (.+)")


class Words42(Words):
    look = Look("dominoes", picture=("5-5", "6-5", "5-4"))
    verbs: Mapping[str, str] = {"give": "gives", "expose": "exposes"}
    sentences = (
        "Texas 42", "shaker", "declarer", *DOUBLES.values(),
        "1 mark", "{n} marks", *JUMPS, "nello", "sevens", "{suit} are trumps",
        *(f"{how}, {doubles}" for how in ("follow me", "nello") for doubles in DOUBLES.values()),
        "{seat} exposes {cards}", "lead {cards}, trumps unsaid", "{seat} names no trumps and leads {cards}",
        "{bid} by {seat}", "plunge for {n} marks by {seat}", "splash for {n} marks by {seat}",
        *(f"{{bid}} by {{seat}} {end} with {taken}, {{numbers}}"
          for end in ("made", "set") for taken in ("1 point", "{n} points")),
        "renege by {seat}, two marks, {numbers}", "renege by {seat} against a bid of {bid}, {numbers}",
        "renege by {seat}, the hand and a mark, {numbers}", "renege by {seat}, the hand and two marks, {numbers}",
    )  # fmt: skip

    def title(self, game: Game) -> str:
        return "Texas 42"

    def call(self, call: str) -> str:
        if call.startswith(DECLARED):
            return _declared(*parse_declaration(call))
        return f"{call}, trumps unsaid" if call.startswith("lead ") else call

    def called(self, position: Position, seat: int, call: str) -> tuple[str, ...]:
        if call.startswith("lead "):
            return (f"seat {seat} names no trumps and leads {call.removeprefix('lead ')}",)
        return super().called(position, seat, call)

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
        amount = bid.amount if bid.word == "bid" else f"{bid.word} for {bid.amount}"
        trump = PLURALS[int(name)] if name.isdigit() else name if name == "doubles" else ""
        return [_declared(name, contract.doubles), f"{amount} by seat {contract.declarer}"], trump

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
            return [f"{found[1]} by seat {found[2]} {found[3]} with {found[4]}"]
        return super().result_parts(text, gained)

    def sheet(self, game: Game) -> Sheet:
        return Sheet("points" if _by_points(game) else "marks", getattr(game.rules, "target", None), 2)

    def terms(self, game: Game) -> Terms:
        return Terms("points" if _by_points(game) else "marks", "hand", (0, 0))


def _by_points(game: Game) -> bool:
    return write_rules(game.rules).get("scoring") == "points"


def _declared(name: str, doubles: Doubles) -> str:
    if name.isdigit():
        return f"{PLURALS[int(name)]} are trumps"
    if name in ("follow-me", "nello"):  # doubles stand in different ways
        return f"{name.replace('-', ' ')}, {DOUBLES[doubles]}"
    return "doubles are trumps" if name == "doubles" else name


WORDS = Words42()
