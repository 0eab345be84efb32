"""Renege: the arbiter, the belief engine and the player for trick-taking games whose trumps move."""

from renege.core.arbiter import Arbiter, Breach, Judgement, judge
from renege.core.cards import Cards, Deck, Hidden
from renege.core.game import Contract, Game, Result, Standing
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.core.position import Act, Position
from renege.core.position_text import parse_position
from renege.core.record import GameRecord, Record, new_record
from renege.core.registry import find_game, parse_game_record, parse_record
from renege.core.trick import Play, Trick
from renege.core.verdict import IllegalPlay, Rule, Ruling, Verdict, WrongPhase
from renege.core.view import View
from renege.games import schafkopf, texas42, tractor

__all__ = [
    "Act",
    "Arbiter",
    "Breach",
    "Cards",
    "Contract",
    "Deck",
    "Game",
    "GameRecord",
    "Hidden",
    "IllegalPlay",
    "Judgement",
    "NotationError",
    "Order",
    "Play",
    "Position",
    "Record",
    "Result",
    "Rule",
    "Ruling",
    "Standing",
    "Trick",
    "Verdict",
    "View",
    "WrongPhase",
    "find_game",
    "judge",
    "new_record",
    "parse_game_record",
    "parse_position",
    "parse_record",
    "schafkopf",
    "texas42",
    "tractor",
]
