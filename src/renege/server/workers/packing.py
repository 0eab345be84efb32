"""Compact pickling of views for workers: games, decks and orders by name, cards as plain numbers.

Pickle would send the tables of a game with every view; a view takes a third of the time this way.
"""

import io
import pickle
from collections.abc import Callable
from copyreg import dispatch_table
from functools import cache
from operator import attrgetter
from typing import Any

from renege.core.cards import Cards, Deck, Hidden
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.position import Position
from renege.core.registry import GAMES, find_game
from renege.core.trick import Play, Trick


def pack(what: Any) -> bytes:
    """As bytes that `pickle.loads` reads."""
    packed = io.BytesIO()
    pickler = pickle.Pickler(packed, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _SHORT
    pickler.dump(what)
    return packed.getvalue()


@cache
def _decks(names: tuple[str, ...]) -> dict[str, Deck]:
    packages = [GAMES[name] for name in names]
    games = (package.game(rules) for package in packages for rules in package.PRESETS.values())
    return {game.deck.name: game.deck for game in games}


@cache
def _find_game(name: str, rules: tuple[tuple[str, str], ...]) -> Game:
    return find_game(name, dict(rules))


def _find_deck(name: str) -> Deck:
    return _decks(tuple(GAMES))[name]


@cache
def _game(game: Game) -> Any:
    return _find_game, (game.name, tuple(write_rules(game.rules).items()))


def _deck(deck: Deck) -> Any:
    known = _decks(tuple(GAMES)).get(deck.name) == deck
    return (_find_deck, (deck.name,)) if known else deck.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


def _make_position(*told: Any) -> Position:
    given = dict(zip(_TOLD, told, strict=True))
    game, contract = given["game"], given["contract"]
    return Position(**given, order=None if contract is None else game.order(game.rules, contract))


def _by(make: Callable[..., Any], *fields: str) -> Callable[[Any], Any]:
    """How a thing is told by several of its fields, of which it can be made."""
    told = attrgetter(*fields)
    return lambda thing: (make, told(thing))


_TOLD = ("game", "standing", "hands", "kitty", "talk", "contract", "trick", "points", "tricks", "memory")
_SHORT: dict[type, Callable[[Any], Any]] = {
    **dispatch_table,
    Game: _game,
    Deck: _deck,
    Position: _by(_make_position, *_TOLD),
    Cards: _by(Cards, "deck", "layers"),
    Hidden: lambda hand: (Hidden, (hand.size,)),
    Play: _by(Play, "cards", "tried", "units", "suit"),
    Act: _by(Act, "seat", "what"),
    Trick: _by(Trick, "seats", "plays", "best"),
}
