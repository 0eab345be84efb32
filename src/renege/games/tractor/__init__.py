"""Tractor (Sheng Ji): two packs or more, plays of many cards, trumps that move with the level.

>>> from renege import tractor
>>> pos = tractor.position("trump S4 | led H9 H9 | hand HK HK HQ H8 S2")
>>> pos.judge("HQ H8")
<Verdict renege tractor.follow-pair: a pair of hearts was led and the hand holds one; play HK HK>
"""

from functools import cache, partial
from typing import Any

from renege.core.game import Game, Standing, opposite
from renege.core.house_rules import house_of
from renege.core.order import Order
from renege.core.position import Evidence, Position
from renege.core.position_text import parse_position
from renege.games.tractor.declare import Bank, drawing, kitty_taken, read_contract, unwind, write_contract
from renege.games.tractor.evidence import evidence, standing
from renege.games.tractor.follow import FOLLOW, FOLLOW_ANY_WIDTH, beats
from renege.games.tractor.friends import side
from renege.games.tractor.legal import TractorPlays
from renege.games.tractor.memory import Memory, read_memory, recall, remember
from renege.games.tractor.order import DECK, deck_of, order, order_of, phi
from renege.games.tractor.plays import WidePlays
from renege.games.tractor.rules import PRESETS, RULES, THROW_STOPPED, Mode, Rules
from renege.games.tractor.score import advance, penalty, score, winner
from renege.games.tractor.small import Small, shrunk
from renege.games.tractor.throws import LEAD, lands

__all__ = ["DECK", "PRESETS", "RULES", "Bank", "Rules", "Small", "deck_of", "game", "order", "phi", "position", "small"]


def _order(rules: Rules, contract: Bank) -> Order:
    return order_of(rules, contract.declaration)


def game(rules: Rules | str | None = None, **choices: Any) -> Game:
    """Tractor under these house rules or a preset, or with some choices by name: `game(stopped_throw="refused")`."""
    return _game(house_of(PRESETS, rules, choices))


@cache
def _game(rules: Rules) -> Game:
    return Game(
        "tractor",
        version=2,
        deck=rules.deck,
        rules=rules,
        rule_list=RULES,
        players=rules.seats,
        hand_size=rules.hand_size,
        kitty_size=rules.buried,
        talk=drawing,
        order=_order,
        lead=LEAD,
        follow=FOLLOW if rules.is_usual else FOLLOW_ANY_WIDTH,
        legal=TractorPlays if rules.is_usual else WidePlays,
        beats=beats,
        lands=lands,
        landing=THROW_STOPPED,
        memory=Memory(rules.deck.none, (0,) * rules.seats, stopped=(0,) * rules.sides),
        read_memory=partial(read_memory, rules=rules),
        remember=remember,
        score=score,
        read_contract=read_contract,
        write_contract=write_contract,
        opening=Standing(dealer=0, score=(*(2,) * rules.sides, 0)),
        side=opposite if rules.mode is Mode.TEAMS else side,
        advance=advance,
        winner=winner,
        penalty=penalty,
        facets=_FACETS if rules.is_for_four else _FACETS_ANY_WIDTH,
    )


# What every table offers, and what only one that the kernel knows.
_FACETS_ANY_WIDTH: dict[str, object] = {
    "Evidence": Evidence(evidence, recall, stands=standing, unwind=unwind, taken=kitty_taken),
    "Strategy": "renege.games.tractor.search_wide:STRATEGY",
    "Encoding": "renege.games.tractor.encoding:EncodingTractor",  # says what it does not know
    "Wire": "renege.games.tractor.wire:WIRE",
    "Words": "renege.games.tractor.words:WORDS",
}
_FACETS: dict[str, object] = {
    **_FACETS_ANY_WIDTH,
    "Strategy": "renege.games.tractor.search:STRATEGY",
    "OpenHands": "renege.games.tractor.solve:OPEN_HANDS",
    "Training": "renege.games.tractor.training:TRAINING",
    "Units": "renege.games.tractor.throws:UNITS",
    "Formats": "renege.games.tractor.spoj:FORMATS",
}


@cache
def small(rules: Small | None = None) -> Game:
    """The shrunk game: `small(Small(ranks="5TK", hand=2))`."""
    return shrunk(_game(rules or Small()))


def position(text: str, rules: Rules | str | None = None, **choices: Any) -> Position:
    """A position from one line of text."""
    return parse_position(game(rules, **choices), text)
