"""Renege: the arbiter, the belief engine and the player for trick-taking games whose trumps move."""

from renege.cards import Cards, Deck
from renege.game import Game
from renege.games import texas42
from renege.line import parse_position
from renege.notation import NotationError
from renege.order import Order
from renege.position import Position
from renege.trick import Play, Trick
from renege.verdict import IllegalPlay, Rule, Verdict, WrongPhase

__all__ = [
    "Cards", "Deck", "Game", "IllegalPlay", "NotationError", "Order", "Play", "Position", "Rule", "Trick", "Verdict",
    "WrongPhase", "parse_position", "texas42",
]  # fmt: skip
