"""Vane: eight tricks, and the seven turns with the wind.

`vane.py` is enough to be played, judged, searched and learned. This module has the same names, and a facet for each
thing that Vane has of its own: words for the table, questions, a text format, a small game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import vane
from vane import DECK, NOUNS, PRESETS, SUITS, Rules

from renege.core.cards import Cards
from renege.core.game import Contract, Game, Standing, Turn
from renege.core.house_rules import asking, read_rules
from renege.core.judge import judge
from renege.core.message import say
from renege.core.notation import NotationError, on_line
from renege.core.position import deal_position
from renege.core.record import Record
from renege.core.trick import Play
from renege.games.encoding import Encoding
from renege.games.formats import Formats, Reader, Reading
from renege.games.small import CardExpansion, seat_bytes, shrink
from renege.games.wire import (
    Answer,
    LegalQuestion,
    PlainSolveQuestion,
    PlaysQuestion,
    Question,
    WinnerQuestion,
    Wire,
    broken,
    read_deal,
)
from renege.games.words import Asks, Button, Words
from renege.native import cards as native
from renege.native.arrays import I64, U32

__all__ = ["PRESETS", "Rules", "Small", "game", "small"]


def vane_of(contract: Contract) -> str:
    """The seven of trumps."""
    return SUITS[NOUNS.index(contract.declaration)] + "7"


# -- words at the table


class VaneWords(Words):
    """A suit that is named is a trump, and its seven has a name."""

    picture = ("S7", "SA", "SK")
    calls: Mapping[str, tuple[str, str]] = {noun: (f"{noun} are trumps", f"{{seat}} names {noun}") for noun in NOUNS}

    def button(self, call: str) -> Button:
        return Button("trump", suit=SUITS[NOUNS.index(call)])

    def asks(self, calls: Sequence[str]) -> Asks:
        return "trump"

    def contract(self, contract: Contract, rules: Rules) -> tuple[list[str], str]:
        clauses, _ = super().contract(contract, rules)
        return [*clauses, say("the vane is {card}", vane_of(contract))], contract.declaration


# -- a whole deal, from text


def played(game: Game, contract: Contract, hands: tuple[Cards, ...], plays: str) -> Record:
    """A deal as it was played; plays need not be legal, and each seat plays what it has."""
    assert contract.declarer is not None
    position = start = deal_position(game, Standing((contract.declarer - 1) % 4, game.opening.score), hands)
    acts = [position.read(contract.declaration)]
    position = position.then(acts[0])
    for card in plays.split():
        if position.turn is None or card not in str(position.hand).split():
            who = "all is played" if position.turn is None else f"seat {position.turn} has {position.hand}"
            raise NotationError(f"{card} cannot be played: {who}")
        acts.append(position.read(card))
        position = position.then(acts[-1])
    if not position.over:
        raise NotationError(f"the deal is not over after {len(acts) - 1} cards")
    return Record(start, tuple(acts))


# -- questions of `renege ask`


class ScoreQuestion(Question, kw_only=True):
    declaration: str
    hands: list[str]
    plays: str


class VaneWire(Wire):
    """One question more, `score`, and a reason of its own why a play is legal."""

    def fine(self, question: Any, turn: Turn, play: Play) -> str:
        if turn.trick.lead is None and str(play) == vane_of(turn.contract):
            return f"{play} is the vane: it leads trumps, and nothing beats it"
        return super().fine(question, turn, play)

    def score(self, question: ScoreQuestion) -> Answer:
        game = self.house(bytes(question.rules))
        contract = game.read_contract(game.rules, question.declaration)
        judged = judge(record := played(game, contract, read_deal(game, question.hands), question.plays))
        assert judged.result is not None
        breach = judged.breaches[0] if judged.breaches else None
        return {"points": list(record.position.points), "score": list(judged.result.score), "renege": broken(breach)}


WIRE = VaneWire(
    "vane",
    legal=LegalQuestion,
    legal_plays=PlaysQuestion,
    winner=WinnerQuestion,
    solve=PlainSolveQuestion,
    score=ScoreQuestion,
)


# -- notes of deals: `vane notes`, then for each deal its contract, four hands, the plays, and what the namers won


def read_notes(text: str, choices: Mapping[str, str]) -> list[Reading]:
    """The deals of some notes, each compared with what they say it came to."""
    return list(_read_notes(text, game(read_rules(Rules(), dict(choices)))))


def _read_notes(text: str, table: Game) -> Iterator[Reading]:
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()][1:]
    for deal, at in enumerate(range(0, len(lines), 7), 1):
        number, told = lines[at][0], [line for _, line in lines[at : at + 7]]
        try:
            if len(told) < 7:
                raise NotationError(f"a deal has 7 lines: contract, four hands, plays, score; here are {len(told)}")
            contract = table.read_contract(table.rules, told[0])
            record = played(table, contract, read_deal(table, told[1:5]), told[5])
        except NotationError as wrong:
            raise on_line(number, str(wrong)) from None
        judged = judge(record)
        assert judged.result is not None and contract.declarer is not None
        found = f"{judged.result.score[contract.declarer]:+d}"
        differences = [str(breach) for breach in judged.breaches]
        differences += [f"score: stated {told[6].strip()}, found {found}"] if told[6].strip() != found else []
        yield Reading(deal, number, record, tuple(differences))


NOTES = Reader("notes of Vane start with 'vane notes'", lambda text: text.lstrip().startswith("vane notes"), read_notes)
FORMATS = Formats(readers=(NOTES,))


# -- a small game, which can be solved: sevens and the highest cards alone


@dataclass(frozen=True, slots=True)
class Small(Rules):
    """How small the game is; the house rules stay what they are."""

    ranks: int = asking("The ranks of a suit: the seven, and the highest of the others.", 2)

    def check(self) -> None:
        if self.ranks not in (1, 2, 3):
            raise ValueError(f"ranks is {self.ranks}; a small game has 1 to 3")


def expansion(game: Game) -> CardExpansion:
    """All deals of the small game at once, by the kernel."""

    def taken(contract: Contract, dealt: U32, states: U32) -> I64:
        points = seat_bytes(states[:, 6]).astype(np.int64)
        return (points[:, 0] + points[:, 2]) << 8 | points[:, 1] + points[:, 3]

    def tables(contract: Contract) -> native.Tables:
        return native.tables(game.order(game.rules, contract))

    return CardExpansion(game, tables, taken, early=False)


@cache
def small(rules: Small | None = None) -> Game:
    rules = rules or Small()
    left_out = sum(1 << card for card in range(len(DECK.names)) if 0 < card % 8 <= 8 - rules.ranks)
    facets = {"Encoding": lambda game: Encoding(game, NOUNS), "Expansion": expansion}
    deck = DECK.stripped(left_out)
    return shrink(game(rules), "vane-small", deck, facets, hand_size=len(deck) // 4)


@cache
def game(rules: Rules | None = None) -> Game:
    return vane.game(rules).offering(Words=VaneWords(), Wire=WIRE, Formats=FORMATS)
