"""Texas 42: dominoes played in tricks, with trumps that are called.

>>> from renege import texas42
>>> pos = texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1")
>>> pos.legal_plays
<LegalPlays 1: 6-6>
>>> pos.judge("6-5")
<Verdict renege texas42.follow-suit: 6-5 is a trump, sixes were led; play 6-6>
"""

from functools import cache, partial
from typing import Any

from renege.core.cards import Cards
from renege.core.game import Game, Standing
from renege.core.house_rules import house_of
from renege.core.order import Order
from renege.core.position import Evidence, Position
from renege.core.position_text import parse_position
from renege.core.record import Record
from renege.games.texas42.claim import claim
from renege.games.texas42.contract import NEEDED_DOUBLES, Hand42, Kind, read_contract, write_contract
from renege.games.texas42.declare import auction, exposing
from renege.games.texas42.evidence import evidence, leaning
from renege.games.texas42.follow import FOLLOW, LEAD, LegalTiles, beats, lands
from renege.games.texas42.order import (
    ALL_DOUBLES,
    DECK,
    DECLARATIONS,
    EFFECTIVE_SUIT,
    HAS_POWER,
    RANK,
    SUIT_MASK,
    TABLE_BYTES,
    order,
    order_of,
    pips,
    tau,
    tile,
)  # fmt: skip
from renege.games.texas42.rules import PRESETS, RULES, Doubles, ExposedTile, Rules
from renege.games.texas42.score import advance, over, penalty, score, winner
from renege.games.texas42.small import Small, shrunk
from renege.games.unwind import undo_swap

__all__ = [
    "DECK", "DECLARATIONS", "EFFECTIVE_SUIT", "HAS_POWER", "PRESETS", "RANK", "RULES", "SUIT_MASK", "TABLE_BYTES",
    "Doubles", "Hand42", "Kind", "Rules", "Small", "game", "order", "pips", "position", "small", "tau", "tile",
]  # fmt: skip


def _order(rules: Rules, contract: Hand42) -> Order:
    return order_of(rules, contract.declaration, contract.doubles)


def _seats(contract: Hand42) -> tuple[int, ...]:
    return contract.seats


def _jumped_rightly(record: Record) -> bool:
    """Did all who plunged or splashed have the doubles for it?"""
    for act in record.acts:
        hand, needed = record.start.hands[act.seat], NEEDED_DOUBLES.get(str(act.what), 0)
        if isinstance(hand, Cards) and len(hand.only(ALL_DOUBLES)) < needed:
            return False
    return True


def game(rules: Rules | str | None = None, **choices: Any) -> Game:
    """Texas 42 under these house rules or a preset, or with some choices by name: `game(all_pass="force-30")`."""
    return _game(house_of(PRESETS, rules, choices))


@cache
def _game(rules: Rules) -> Game:
    return Game(
        "texas42",
        version=1,
        deck=DECK,
        rules=rules,
        rule_list=RULES,
        hand_size=7,
        talk=auction,
        aside=None if rules.exposed_tile is ExposedTile.OFF else exposing,
        order=_order,
        lead=LEAD,
        follow=FOLLOW,
        legal=LegalTiles,
        beats=beats,
        lands=lands,
        seats=_seats,
        over=over,
        score=score,
        read_contract=read_contract,
        write_contract=write_contract,
        opening=Standing(dealer=3, score=(0, 0)),
        advance=advance,
        winner=winner,
        penalty=penalty,
        claim=claim,
        facets={
            "Evidence": Evidence(
                evidence, leaning=leaning, unwind=partial(undo_swap, hidden="give a tile", allowed=_jumped_rightly)
            ),
            "Strategy": "renege.games.texas42.search:strategy",
            "OpenHands": "renege.games.texas42.solve:OPEN_HANDS",
            "Encoding": "renege.games.texas42.encoding:Encoding42",
            "Training": "renege.games.texas42.training:TRAINING",
            "Wire": "renege.games.texas42.wire:WIRE",
            "Openings": "renege.games.texas42.openings:OPENINGS",
            "Words": "renege.games.texas42.words:WORDS",
        },
    )


@cache
def small(rules: Small | None = None) -> Game:
    """The shrunk game: `small(Small(pips=3, hand=2))`."""
    return shrunk(_game(rules or Small()))


def position(text: str, rules: Rules | str | None = None, **choices: Any) -> Position:
    """A position from one line of text."""
    return parse_position(game(rules, **choices), text)
