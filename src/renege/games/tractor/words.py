"""Tractor at a table: what is said, and how it looks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renege.core.cards import Cards
from renege.core.game import Game, Result
from renege.core.order import Order
from renege.core.position import Position
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.order import NOUNS, SUITS, order, parse_declaration, printed_suit
from renege.games.tractor.score import ACE, ENOUGH, attackers_points, multiplier
from renege.games.words import Asks, Button, Look, Sheet, Terms, Words

_END = re.compile(r"attackers ([0-9]+), levels (\S+) (\S+), next banker ([0-3])(?:, side ([01]) has won)?")


class TractorWords(Words):
    look = Look(clockwise=False, several=True, dealt_slowly=True, picture=("BJ", "LJ", "S2"), review="known")
    calls: Mapping[str, tuple[str, str]] = {
        "take": ("take up the kitty", "takes up the kitty"),
        "redeal": ("ask for a new deal", "asks for a new deal"),
    }
    verbs: Mapping[str, str] = {"show": "shows", "bury": "buries"}
    sentences = (
        "Tractor", "banker", "show {cards}", "turn {cards}", "bury {cards}", "bury {n} cards",
        "{seat} shows {cards}", "the kitty shows {cards}", "{seat} buries {cards}", "{seat} buries {n} cards",
        "{seat} shows {cards} and may lead only {cards2}",
        "{suit} are trumps at level {rank}", "no trump suit at level {rank}", "{seat} has the bank",
        "level {rank}", "{cards} shown by {seat}",
        "{seat} and {seat2} keep the bank, the attackers have {n} of 80 points",
        "the attackers {seat} and {seat2} take the bank with {n} points",
        "{seat} and {seat2} go up to level {rank}", "nobody goes up", "{seat} has the bank next",
        "{seat} and {seat2} win the game", "{n} points", "{n} points, {n2} times for the attackers",
    )  # fmt: skip

    def called(self, position: Position, seat: int, call: str) -> tuple[str, ...]:
        if call.startswith("turn "):
            return (f"the kitty shows {call.removeprefix('turn ')}",)  # nobody's choice
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
        level = f"level {talk.level}"
        if talk.shown is not None:
            seat, cards = talk.shown
            return level, f"{cards} shown by seat {seat}"
        return (level,) if talk.named is None else (level, f"the kitty shows {talk.named}")

    def contract(self, contract: Bank, rules: Any) -> tuple[list[str], str]:
        suit, level = parse_declaration(contract.declaration)
        noun = "" if suit is None else NOUNS[SUITS.index(suit)]
        named = f"{noun} are trumps" if noun else "no trump suit"
        return [f"{named} at level {level}", f"seat {contract.declarer} has the bank"], noun

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
        return order(f"{suit or 'NT'}{talk.level}", rules.level_gap, rules.no_trump)

    def result_parts(self, text: str, gained: Sequence[int]) -> list[str]:
        found = _END.fullmatch(text)
        if found is None:
            return super().result_parts(text, gained)
        points, levels, banker, won = int(found[1]), (found[2], found[3]), int(found[4]), found[5]
        following = [] if won else [f"seat {banker} has the bank next"]
        return [_bank_end(points, banker), _levels_end(levels, gained, won), *following]

    def kitty(self, position: Position) -> str:
        """What the buried cards were worth, and how often that counted: only if the attackers took the last trick."""
        contract, kitty, trick = position.contract, position.kitty, position.trick
        if not isinstance(contract, Bank) or position.order is None or trick is None or not isinstance(kitty, Cards):
            return ""
        worth, memory = position.order.worth(kitty), position.memory
        if trick.leader % 2 == contract.declarer % 2:  # who takes the last trick would lead the next
            return f"{worth} points"
        times = multiplier(position.game.rules, memory.last, memory.last_pairs, memory.last_lead)
        return f"{worth} points, {times} times for the attackers"

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


def _bank_end(points: int, banker: int) -> str:
    """Who won the deal: the next banker is of that side."""
    side = _side(banker)
    if points < ENOUGH:
        return f"{side} keep the bank, the attackers have {points} of {ENOUGH} points"
    return f"the attackers {side} take the bank with {points} points"


def _levels_end(levels: tuple[str, str], gained: Sequence[int], won: str | None) -> str:
    """Who goes up to which level; who has won goes past the ace."""
    if won is not None:
        return f"{_side(int(won))} win the game"
    risen = next((side for side in (0, 1) if gained[side] > 0), None)
    return "nobody goes up" if risen is None else f"{_side(risen)} go up to level {levels[risen]}"


def _side(seat: int) -> str:
    return f"seat {seat % 2} and seat {seat % 2 + 2}"


WORDS = TractorWords()
