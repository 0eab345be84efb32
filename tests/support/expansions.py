"""All deals of a shrunk game at once, as the game's own kernel has them."""

from renege.core.game import Game
from renege.games.small import Expansion


def expansion_of(game: Game) -> Expansion:
    found = game.facet(Expansion)
    assert found is not None, f"{game.name} is grown from positions"
    return found
