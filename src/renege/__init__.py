"""Renege: the arbiter, the belief engine and the player for trick-taking games whose trumps move."""

from renege.arbiter import Arbiter, Breach, Judgement, judge
from renege.cards import Cards, Deck, Hidden
from renege.game import Contract, Game, Result, Standing
from renege.games import find_game, parse_game_record, parse_record, schafkopf, texas42, tractor
from renege.line import parse_position
from renege.notation import NotationError
from renege.order import Order
from renege.position import Act, Position
from renege.record import GameRecord, Record, new_record
from renege.trick import Play, Trick
from renege.verdict import IllegalPlay, Rule, Ruling, Verdict, WrongPhase
from renege.view import View

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
