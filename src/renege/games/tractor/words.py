"""Tractor at a table: what is said, and how it looks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renege.core.cards import Cards
from renege.core.game import Game, Result
from renege.core.message import say
from renege.core.order import Order
from renege.core.position import Position
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.order import NOUNS, SUITS, order_of, parse_declaration, printed_suit
from renege.games.tractor.score import ACE, ENOUGH, attackers_points, multiplier
from renege.games.words import Asks, Button, Look, Sheet, Terms, Words

_END = re.compile(
    r"attackers ([0-9]+)(?: of ([0-9]+))?, levels (\S+) (\S+), next banker ([0-9])(?:, side ([01]) has won)?"
)


class TractorWords(Words):
    look = Look(clockwise=False, several=True, dealt_slowly=True, review="known")
    picture = ("BJ", "LJ", "S2")
    calls: Mapping[str, tuple[str, str]] = {
        "take": ("take up the kitty", "{seat} takes up the kitty"),
        "redeal": ("ask for a new deal", "{seat} asks for a new deal"),
    }
    verbs: Mapping[str, tuple[str, str]] = {**Words.verbs, "turn": ("turn {cards}", "the kitty shows {cards}")}

    def called(self, position: Position, seat: int, call: str) -> tuple[str, ...]:
        if call.startswith("turn "):
            return (say("the kitty shows {cards}", call.removeprefix("turn ")),)  # nobody's choice
        return super().called(position, seat, call)

    def call_group(self, position: Position, call: str) -> str:
        return "a showing" if call.startswith("show ") else super().call_group(position, call)

    def button(self, call: str) -> Button:
        if call == "redeal":
            return Button("say")
        verb, _, cards = call.partition(" ")
        return Button(verb if verb in ("show", "turn") else "pass", cards=tuple(cards.split()))

    def asks(self, calls: Sequence[str]) -> Asks:
        return "take" if "take" in calls else "call" if "redeal" in calls else "show"

    def so_far(self, position: Position) -> Sequence[str]:
        talk = position.talk
        if not isinstance(talk, Drawing) or position.contract is not None:
            return ()
        level = say("level {rank}", talk.level)
        if talk.shown is not None:
            seat, cards = talk.shown
            return level, say("{cards} shown by {seat}", cards, seat)
        return (level,) if talk.named is None else (level, say("the kitty shows {cards}", talk.named))

    def contract(self, contract: Bank, rules: Any) -> tuple[list[str], str]:
        suit, level = parse_declaration(contract.declaration)
        noun = "" if suit is None else NOUNS[SUITS.index(suit)]
        named = say("no trump suit at level {rank}", level)
        named = say("{suit} are trumps at level {rank}", noun, level) if noun else named
        return [named, say("{seat} has the bank", contract.declarer)], noun

    def roles(self, position: Position) -> Iterator[tuple[str, int | None]]:
        talk = position.talk
        declarer = None if position.contract is None else position.contract.declarer
        if isinstance(talk, Drawing) and not (talk.first and talk.shown is None):
            declarer = talk.banker
        yield "banker", declarer

    def hand_order(self, position: Position) -> Order:
        """By the trumps that were shown last."""
        talk, rules = position.talk, position.game.rules
        if not isinstance(talk, Drawing):
            return super().hand_order(position)
        suit = None if talk.named is None else printed_suit(next(iter(talk.named)))
        return order_of(rules, f"{suit or 'NT'}{talk.level}")

    def result_parts(self, text: str, gained: Sequence[int]) -> list[str]:
        found = _END.fullmatch(text)
        if found is None:
            return super().result_parts(text, gained)
        points, enough, banker, won = int(found[1]), int(found[2] or ENOUGH), int(found[5]), found[6]
        side = _side(banker)  # the next banker is of the side that won the deal
        if points < enough:
            bank = say("{side} keep the bank, the attackers have {n} of {n2} points", side, points, enough)
        else:
            bank = say("the attackers {side} take the bank with {n} points", side, points)
        if won is not None:  # who has won goes past the ace
            return [bank, say("{side} win the game", _side(int(won)))]
        risen = next((side for side in (0, 1) if gained[side] > 0), None)
        up = "nobody goes up"
        up = up if risen is None else say("{side} go up to level {rank}", _side(risen), found[3 + risen])
        return [bank, up, say("{seat} has the bank next", banker)]

    def kitty(self, position: Position) -> str:
        """What the buried cards were worth, and how often that counted: only if the attackers took the last trick."""
        contract, kitty, trick = position.contract, position.kitty, position.trick
        if not isinstance(contract, Bank) or position.order is None or trick is None or not isinstance(kitty, Cards):
            return ""
        worth, memory = position.order.worth(kitty), position.memory
        if trick.leader % 2 == contract.declarer % 2:  # who takes the last trick would lead the next
            return say("{n} points", worth)
        times = multiplier(position.game.rules, memory.last, memory.last_pairs, memory.last_lead)
        return say("{n} points, {n2} times for the attackers", worth, times)

    def attackers(self, position: Position) -> int | None:
        return attackers_points(position) if isinstance(position.contract, Bank) else None

    def attackers_at_end(self, result: Result) -> int | None:
        found = _END.search(result.text)
        return None if found is None else int(found[1])

    def sheet(self, game: Game) -> Sheet:
        return Sheet("levels", ACE, 2)  # the score counts the deals besides

    def terms(self, game: Game) -> Terms:
        # both sides at level 2 and not the first deal of a game, so that nobody has to race for the bank
        return Terms("levels", "round", (2, 2, 1))


def _side(seat: int) -> str:
    return say("{seat} and {seat2}", seat % 2, seat % 2 + 2)


WORDS = TractorWords()
