"""What the tests of added games share."""

from dataclasses import dataclass

from renege.core.game import Game
from renege.core.record import Record


@dataclass(frozen=True, slots=True)
class NoChoices:
    """House rules of a game that has none."""


def the_game(game: Game):
    return lambda name, choices: game


def led(record: Record, text: str) -> Record:
    return record.with_act(record.position.read(text))
