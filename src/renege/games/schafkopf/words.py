"""Schafkopf at a table: what is said, and how it looks."""

import re
from collections.abc import Iterator, Mapping, Sequence

from renege.core.game import Game
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Position
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.memory import public_partners
from renege.games.schafkopf.order import SUIT_WORDS, TRUMPS, order
from renege.games.schafkopf.rules import Rules
from renege.games.schafkopf.score import times_raised
from renege.games.words import Asks, Button, Look, Sheet, Terms, Words

KINDS = {  # of games, as they are bid and named
    "rufspiel": "Rufspiel", "hochzeit": "Hochzeit", "bettel": "Bettel", "farbgeier": "Farbgeier", "geier": "Geier",
    "farbwenz": "Farbwenz", "wenz": "Wenz", "solo": "Solo", "sie": "Sie", "ramsch": "Ramsch",
}  # fmt: skip
_END = re.compile(r"(.+?) by ([0-3])(?: with ([0-3]))? (won|lost) with ([0-9]+)((?:, [^:]+)*): .*")
_RAMSCH_END = re.compile(r"ramsch, points ([0-9 ]+): .*")
_SUIT = re.compile(r" ([EGHS])(?: tout)?$")


class SchafkopfWords(Words):
    picture = ("EO", "GU", "HA")
    look = Look("german", declarers_value=True, whole_costs=True)
    calls: Mapping[str, tuple[str, str]] = {
        "double": ("double the stakes", "{seat} doubles the stakes"),
        "accept": ("accept the Hochzeit", "{seat} accepts the Hochzeit"),
        "offer": ("offer a second Hochzeit", "{seat} offers a second Hochzeit"),
        "old": ("I have the Eichel-Ober", "{seat} has the Eichel-Ober"),
        "no": ("I do not have the Eichel-Ober", "{seat} does not have the Eichel-Ober"),
        "stoss": ("raise the stakes", "{seat} raises the stakes"),
    }
    verbs: Mapping[str, tuple[str, str]] = {"give": ("give {cards}", "{seat} gives {cards}")}

    def call(self, call: str) -> str:
        return _named(call) if call.split()[0] in KINDS else super().call(call)

    def is_bid(self, position: Position, call: str) -> bool:
        return getattr(position.talk, "step", "") == "bid"

    def call_group(self, position: Position, call: str) -> str:
        return "pass" if call == "no" else super().call_group(position, call)

    def button(self, call: str) -> Button:
        if call in ("pass", "no") or call in self.calls:
            return Button("pass" if call in ("pass", "no") else "say")
        tout, suit = call.endswith(" tout"), _SUIT.search(call)
        if suit is None:
            return Button("tout" if tout else "kind", seldom=tout)
        return Button(f"{call.split()[0]} tout" if tout else call.split()[0], seldom=tout, suit=suit[1])

    def asks(self, calls: Sequence[str]) -> Asks:
        if any(call in self.calls for call in calls):
            return "call"
        return super().asks(calls)

    def contract(self, contract: Bargain, rules: Rules) -> tuple[list[str], str]:
        parts = [_named(contract.declaration)]
        parts += [say("{n} points are promised", contract.need)] if contract.need else []
        parts += [] if contract.declarer is None else [say("by {seat}", contract.declarer)]
        parts += [] if contract.partner is None else [say("with {seat}", contract.partner)]
        times = times_raised(rules, contract)
        parts += [say("the stakes are {n} times as high", times)] if times > 1 else []
        ranks, suit = TRUMPS[contract.named.kind]
        suit = contract.named.suit if suit is None else suit
        return parts, SUIT_WORDS[suit] if suit else {"U": "Unter", "O": "Ober"}.get(ranks, "")

    def roles(self, position: Position) -> Iterator[tuple[str, int | None]]:
        yield from super().roles(position)
        contract = position.contract
        if isinstance(contract, Bargain):
            if len(could := public_partners(contract, position.memory)) == 1:
                yield "partner", could[0]
            yield from (("Stoss", seat) for seat in dict.fromkeys(contract.raised))

    def hand_order(self, position: Position) -> Order:
        return order("rufspiel E", position.game.rules.deck)

    def result_parts(self, text: str, gained: Sequence[int]) -> list[str]:
        if found := _END.fullmatch(text):
            who = say("{seat}", found[2]) if found[3] is None else say("{seat} and {seat2}", found[2], found[3])
            extras = [extra for extra in found[6].split(", ") if extra]
            extras = [say("{n} runners", each.split()[0]) if each.endswith(" runners") else each for each in extras]
            return [_named(found[1]), say(f"{found[4]} by {{side}} with {{n}} points", who, found[5]), *extras]
        if found := _RAMSCH_END.fullmatch(text):
            return ["Ramsch", say("points {numbers}", found[1])]
        return super().result_parts(text, gained)

    def sheet(self, game: Game) -> Sheet:
        return Sheet("money", None, len(game.opening.score))

    def terms(self, game: Game) -> Terms:
        rules: Rules = game.rules
        prices = f"tariff in cents: Rufspiel {rules.base}, solo {rules.solo}, each extra {rules.extra}"
        return Terms("cents", "deal", (0, 0, 0, 0, 0), prices, endless=True)


def _named(call: str) -> str:
    """A game, or the kind of one."""
    kind, *more = call.split()
    suit = next((SUIT_WORDS[word[0]] for word in more if word[0] in SUIT_WORDS), None)
    if kind == "rufspiel" and suit:
        game, card = "Renonce" if "renonce" in more or "Z" in call else "Rufspiel", "ten" if "Z" in call else "ace"
        return say(f"{game} on the {{suit}} {card}", suit)
    if more and more[0].isdigit():
        return say("{game} for {n} points", KINDS[kind], more[0])
    named = KINDS[kind] if suit is None else say(f"{{suit}} {KINDS[kind]}", suit)
    return say("{game} Tout", named) if "tout" in more else named


WORDS = SchafkopfWords()
