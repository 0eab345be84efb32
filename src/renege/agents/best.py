"""Who the best player of a game is under its house rules, and who stands in for a player that fails.

This is the one place that knows: the strong bots of the table, hints and reviews all go by it.
"""

import random
from dataclasses import dataclass

from renege.agents.net import Net
from renege.agents.searcher import Searcher
from renege.agents.simple import Agent, Random, Rulebook
from renege.core.game import Game
from renege.core.message import Message, join, say
from renege.core.position import View
from renege.games.strategy import strategy_of
from renege.nets import NoNetwork
from renege.search.study import Study


@dataclass(frozen=True, slots=True)
class Adviser:
    """A player, and what it can be asked: what its search finds, and what its network likes.

    `lacking` says why it stands on no network; empty where it does, or where that was not asked.
    """

    agent: Agent
    searcher: Searcher | None = None
    net: Net | None = None
    lacking: str = ""

    def study(self, view: View, rng: random.Random) -> Study:
        """What the player makes of the decision of the seat to move: one search at most, one look of the network."""
        likes = None if self.net is None else self.net.likes(view)
        if self.searcher is None:
            return Study(self.agent.choose(view, rng), likes=likes)
        found = self.searcher.search(view, rng)
        return Study(self.searcher.advise(found), found, self.searcher.search_of(view), likes)

    def describe(self, template: str) -> str:
        """Who it is, in a sentence with a place for how it plays, and why by no network where that was asked."""
        if self.net is not None:
            how = "by the network" if self.agent == self.net else "by a search that stands on the network"
        else:
            how = "by search, without a network" if self.agent == self.searcher else "by rules of thumb"
        told = say(template, how)
        return join(": ", (told, self.lacking)) if self.lacking else told


def best_player(
    game: Game,
    ms: float | None = None,
    worlds: int | None = None,
    *,
    device: str = "cpu",
    net: str | None = None,
) -> Adviser:
    """The best player of a game under its house rules, with so much time or so many worlds for a move.

    That is the search, on the network where there is one for these rules; rules of thumb where a game has neither.
    `net` is the file of a network, where it is not the one that comes with the package.
    """
    network, lacking = _network(game, net)
    if network is not None:
        searcher = Searcher(ms, worlds, net=net or "")
    else:
        searcher = None if strategy_of(game).search is None else Searcher(ms, worlds, device)
    agent = searcher or network or _plain(game)  # by matches: docs/strength.md
    return Adviser(agent, searcher, network, lacking)


def advised_by(agent: Agent) -> Adviser:
    """A player of one's own choice, to be asked as the best one is."""
    if isinstance(agent, Searcher):
        return Adviser(agent, agent, None if agent.net is None else Net(agent.net or None))
    return Adviser(agent, net=agent if isinstance(agent, Net) else None)


def stand_ins(game: Game) -> tuple[Agent, ...]:
    """Who answers at once for a player that fails, the best first: the network alone, then rules of thumb."""
    network, _ = _network(game)
    return (_plain(game),) if network is None else (network, _plain(game))


def _network(game: Game, file: str | None = None) -> tuple[Net | None, str]:
    """The network for a game under its house rules, or why there is none."""
    net = Net(file)
    try:
        network = net.network(game.name)
        network.encoding(game)
    except NoNetwork:
        return None, "there is no network for this game"
    except ValueError as wrong:
        lacking = str(wrong)  # one of rules that have no rows at all is no message
        known = isinstance(lacking, Message)
        return None, lacking if known else say("the network of {quoted} has no rows here: {rest}", game.name, lacking)
    return net, ""


def _plain(game: Game) -> Agent:
    return Random() if strategy_of(game).policy is None else Rulebook()
