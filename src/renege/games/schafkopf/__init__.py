"""Schafkopf: trumps that every contract redraws, a partner who says nothing, and money at the end.

>>> from renege import schafkopf
>>> pos = schafkopf.position("rufspiel E by 0 | led E9 | hand EA EK H7 GO")
>>> pos.judge("EK")
<Verdict renege schafkopf.answer-search: Eichel was led, and the called EA answers; play EA>
"""

from functools import cache
from typing import Any

from renege.core.cards import Cards
from renege.core.game import Game, Standing, SuitFollowed
from renege.core.house_rules import house_of
from renege.core.order import Order
from renege.core.position import Course, Evidence, Position
from renege.core.position_text import parse_position
from renege.core.record import Record
from renege.games.schafkopf.contract import Bargain, read_contract, write_contract
from renege.games.schafkopf.declare import bidding
from renege.games.schafkopf.evidence import evidence, leaning
from renege.games.schafkopf.follow import FOLLOW, LEAD
from renege.games.schafkopf.memory import Memory, Team, partners, read_memory, recall, remember, side, team
from renege.games.schafkopf.order import (
    DECKS,
    DECLARATIONS,
    LONG,
    SHORT,
    Declaration,
    in_words,
    order,
    order_of,
    parse_declaration,
    trumps,
)
from renege.games.schafkopf.rules import PRESETS, RULES, PackSize, Rules
from renege.games.schafkopf.score import advance, penalty, score, winner
from renege.games.schafkopf.small import Small, shrunk
from renege.games.schafkopf.stakes import stakes
from renege.games.unwind import every, undo_swap

__all__ = [
    "DECLARATIONS", "LONG", "PRESETS", "RULES", "SHORT", "Bargain", "Declaration", "PackSize", "Rules", "Small",
    "Team", "game", "in_words", "order", "parse_declaration", "partners", "position", "small", "team", "trumps",
]  # fmt: skip


def _order(rules: Rules, contract: Bargain) -> Order:
    return order_of(rules, contract.declaration)


def _unwind(course: Course, hands: tuple[Cards, ...], kitty: Cards) -> Record:
    """Back to the deal, where a Hochzeit moved a trump one way and a card the other: a trump, if he has one again."""
    high = order("hochzeit", course.game.rules.deck).follow[0]
    return undo_swap(
        course,
        hands,
        kitty,
        "give a card",
        lambda hand: every(hand.only(high)),
        lambda hand: every(hand.only(high) or hand.only(~high)),
    )


def game(rules: Rules | str | None = None, **choices: Any) -> Game:
    """Schafkopf under these house rules or a preset, or with some choices by name: `game(deck="short")`."""
    return _game(house_of(PRESETS, rules, choices))


@cache
def _game(rules: Rules) -> Game:
    deck = DECKS[rules.deck]
    return Game(
        "schafkopf",
        version=2,
        deck=deck,
        rules=rules,
        rule_list=RULES,
        hand_size=len(deck) // 4,
        talk=bidding,
        aside=stakes,
        order=_order,
        lead=LEAD,
        follow=FOLLOW,
        legal=SuitFollowed,
        memory=Memory(),
        read_memory=read_memory,
        remember=remember,
        score=score,
        side=side,
        read_contract=read_contract,
        write_contract=write_contract,
        opening=Standing(dealer=3, score=(0, 0, 0, 0, 0)),
        advance=advance,
        winner=winner,
        penalty=penalty,
        facets={
            "Evidence": Evidence(evidence, recall, leaning, unwind=_unwind),
            "Strategy": "renege.games.schafkopf.search:STRATEGY",
            "OpenHands": "renege.games.schafkopf.solve:OPEN_HANDS",
            "Encoding": "renege.games.schafkopf.encoding:EncodingSchafkopf",
            "Training": "renege.games.schafkopf.training:TRAINING",
            "Wire": "renege.games.schafkopf.wire:WIRE",
            "Words": "renege.games.schafkopf.words:WORDS",
            "Formats": "renege.games.schafkopf.formats:FORMATS",
        },
    )


@cache
def small(rules: Small | None = None) -> Game:
    """The shrunk game: `small(Small(suits="EGH", ranks="OKZA"))`."""
    return shrunk(_game(rules or Small()))


def position(text: str, rules: Rules | str | None = None, **choices: Any) -> Position:
    """A position from one line of text."""
    return parse_position(game(rules, **choices), text)
