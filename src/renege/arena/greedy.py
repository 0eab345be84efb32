"""Deals that a network plays at all seats, many tables at once: in a fraction of the time that an agent takes.

They are those of the agent `net`, but that nobody speaks out of turn: a network is asked only when its seat is to act.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from renege.core.cards import known_cards
from renege.core.game import Game, Standing
from renege.core.world import World, piles_of
from renege.envs import BatchEnv
from renege.games.encoding import Encoding, Moment
from renege.nets import NetFile

LANES = 512


def play_greedily(
    game: Game, net: NetFile, deals: Sequence[tuple[int, Standing]], threads: int = 1
) -> Iterator[Moment]:
    """Each deal, by its seed and where it begins, as it stands at its end."""
    encoding = net.encoding(game)
    for first in range(0, len(deals), LANES):
        starts = [encoding.deal(seed, standing) for seed, standing in deals[first : first + LANES]]
        for start, actions in zip(starts, _actions(game, encoding, net, starts, threads), strict=True):
            moment = start
            for action in actions:
                moment = moment.after(action)
            yield moment


def _actions(game: Game, encoding: Encoding, net: NetFile, starts: Sequence[Moment], threads: int) -> list[list[int]]:
    """The actions of each deal: of those that are open, the one that the network likes best."""
    env = BatchEnv(game, len(starts), version=encoding.rows.version, threads=threads)
    worlds = [World(tuple(map(known_cards, at.start.hands)), known_cards(at.start.kitty)) for at in starts]
    env.begin(piles_of(worlds), [at.start.standing for at in starts])
    taken: list[list[int]] = [[] for _ in starts]
    playing = np.ones(len(starts), bool)
    while playing.any():
        likes = np.where(env.mask.astype(bool), net.logits(env.observation, threads), -np.inf)
        actions = likes.argmax(axis=1).astype(np.int32)
        for lane in np.flatnonzero(playing).tolist():
            taken[lane].append(int(actions[lane]))
        env.step(actions)
        playing &= env.done == 0  # a lane that is over plays on, and nobody looks
    return taken
