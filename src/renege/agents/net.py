"""The player that taught itself: a network that came with the package, without any search."""

import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from renege.core.message import say
from renege.core.position import View
from renege.core.trick import Play
from renege.games.encoding import Moment, moment_of
from renege.games.strategy import Advice, strategy_of
from renege.nets import Likes, NetFile, find_net, read_net


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
        moment: Moment | str | Play = moment_of(net.encoding(view.game), view)
        sure = 1.0
        while isinstance(moment, Moment):
            action, share = _best(net, moment, calls=moment.position.talking)
            moment, sure = moment.step(action), min(sure, share)
        return Advice(moment, say("the network is {n} sure", f"{sure:.0%}"))

    def interject(self, view: View, rng: random.Random) -> Advice | None:
        """Speaks beside the play where it is to play and would rather; out of turn as the rulebook does."""
        if not view.my_turn:
            return None if view.position.talking else strategy_of(view.game).interject(view)
        if view.position.talking:
            return None
        net = self.network(view.game.name)
        moment = moment_of(net.encoding(view.game), view)
        action, share = _best(net, moment, calls=True)
        if action < moment.encoding.first_call:
            return None
        said = moment.step(action)
        return Advice(str(said), say("the network is {n} sure", f"{share:.0%}"))


@cache
def _read(path: str) -> NetFile:
    return read_net(Path(path).read_bytes())


def _best(net: NetFile, moment: Moment, *, calls: bool) -> tuple[int, float]:
    """The action that a network likes best, and its share of the likelihood of those that are open."""
    open_now = [action for action in moment.legal if calls or action < moment.encoding.first_call]
    if len(open_now) == 1:
        return open_now[0], 1.0
    assert moment.turn is not None
    logits = net.logits(moment.observe(moment.turn)[None])[0][open_now]
    best = int(logits.argmax())
    return open_now[best], float(1 / np.exp(logits - logits[best]).sum())
