"""The ceiling: a player that sees all hands, for matches alone.

It is no `Agent`: agents are given a view, and this one is given the arbiter's position too. So nothing but the arena
can seat it, which alone has that position; a table, an environment or a hint takes agents, and its name is none there.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from renege.agents import Agent, check_agent, parse_agent
from renege.core.cards import known_cards
from renege.core.game import Game
from renege.core.position import Position, View
from renege.core.world import World
from renege.games.strategy import Advice, strategy_of
from renege.search import search_of


@dataclass(frozen=True, slots=True)
class OpenHandPlayer:
    """Weighs every option in the true deal, as a searcher does in the worlds that it draws, calls among them.

    Where the game's search is by an exact solver this is best play with open hands on all sides: it credits the others
    with seeing too, so it leaves something to win from those who do not.
    """

    name: str = "open-hands"

    def choose_seeing(self, position: Position, view: View) -> Advice:
        """What the seat to move would do that has seen this, and sees all there is."""
        search = search_of(view.game)
        options = search.options(view)
        if len(options) == 1:
            return Advice(options[0], "there is no other choice")
        world = World(tuple(map(known_cards, position.hands)), known_cards(position.kitty))
        found = search.weigh(view, [world], options, math.inf)
        worth = np.nan_to_num(found.paid[0] + found.tie_break[0], nan=-math.inf)
        best = int(np.argmax(worth))  # the usual comes first, and stays where nothing is better
        return Advice(options[best], f"{found.paid[0][best]:+.2f} {search.unit} in this deal")

    def interject(self, view: View) -> Advice | None:
        """Speaks out of turn as a searcher does."""
        return strategy_of(view.game).interject(view)


Player: TypeAlias = Agent | OpenHandPlayer


def parse_player(text: str) -> Player:
    """An agent, or `open-hands`."""
    return OpenHandPlayer() if text == OpenHandPlayer().name else parse_agent(text)


def check_player(player: Player, game: Game) -> None:
    """Refuse a player that does not play this game."""
    if isinstance(player, OpenHandPlayer):
        search_of(game)
    else:
        check_agent(player, game)
