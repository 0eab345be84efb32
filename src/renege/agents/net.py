"""The player that taught itself: a network that came with the package, without any search."""

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from renege.core.message import say
from renege.core.position import View
from renege.games.encoding import moment_of
from renege.games.strategy import Advice, strategy_of
from renege.nets import Likes, NetFile, find_net, read_net
from renege.nets.policy import greedy, shares


@dataclass(frozen=True)
class Net:
    """Takes the action that its network likes best; a play of several cards it picks card by card.

    `file` is a network of one's own; without it the one that came with the package plays.
    """

    file: str | None = None

    @property
    def name(self) -> str:
        return "net" if self.file is None else f"net:{self.file}"

    def network(self, game: str) -> NetFile:
        """The network that plays a game."""
        return find_net(game) if self.file is None else _read(self.file)

    def likes(self, view: View) -> Likes:
        """How likely the network makes each call or play of the seat to move."""
        return Likes(self.network(view.game.name), view)

    def choose(self, view: View, rng: random.Random) -> Advice:
        """The call or play that the network likes best; a call beside the play is `interject`'s."""
        net = self.network(view.game.name)
        best = greedy(net, moment_of(net.encoding(view.game), view))
        return Advice(best.option, say("the network is {n} sure", f"{best.share:.0%}"))

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        """Speaks beside the play where it is to play and would rather; out of turn as the rulebook does."""
        if not view.my_turn:
            return None if view.position.talking else strategy_of(view.game).interject(view)
        if view.position.talking:
            return None
        net = self.network(view.game.name)
        moment = moment_of(net.encoding(view.game), view)
        open_now, likely = shares(net, moment, calls=True)
        best = int(likely.argmax())
        if open_now[best] < moment.encoding.first_call:
            return None
        return Advice(str(moment.step(open_now[best])), say("the network is {n} sure", f"{likely[best]:.0%}"))


@cache
def _read(path: str) -> NetFile:
    return read_net(Path(path).read_bytes())
