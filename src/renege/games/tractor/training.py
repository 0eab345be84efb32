"""How a network learns Tractor: under the default rules or those that it is asked to learn, at all levels."""

from renege.core.game import Game
from renege.games.training import House, Training

USUAL = 170  # actions of a deal of two packs


def training(game: Game) -> Training:
    """How it is learnt at a table: a deal is as long as the cards that it has, a pick each, and some more."""
    length = USUAL if game.rules.is_for_four else len(game.deck) + 2 * game.hand_size + 2 * game.players
    return Training((House((), 1, unit=2.0),), trace=0.97, deal_length=length)
