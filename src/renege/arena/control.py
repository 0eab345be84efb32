"""Control variates: numbers that a deal has whoever plays the match, and whose mean over deals is nought.

They come from a value function that is frozen before the match: what two stand-ins, cheap players that leave nothing to
chance, make of the deal. Each number is that of the deal less its mean over other deals that nobody plays, drawn in the
same way; so its mean is nought whatever the agents do, and taking a multiple of it off a score shifts nothing. Once
deterministic agents are dealt their cards nothing is left to chance, so what can be corrected for is the deal alone.

In a pair the cards of a side cancel. What is left is on which deals one way to play does better than the other, and
that the match between the stand-ins tells; where there is no such match, how lopsided a deal is, which tells little.
"""

import random
from collections.abc import Callable, Sequence
from functools import cache

from renege.agents import Net, Random, Searcher, parse_agent
from renege.arena.match import PlayedDeal, lead_of, play_deal
from renege.arena.open_hands import parse_player
from renege.core.game import Game, Standing

ELSEWHERE = 4  # other deals beside which the luck of a pair is seen
Control = Callable[[Game, int, Standing], tuple[float, ...]]


def stand_in(agent: str) -> str:
    """Who stands in for an agent: a network for what searches on it, the rulebook for other searchers."""
    player = parse_player(agent)
    if isinstance(player, Searcher) and player.net is not None:
        return Net(player.net or None).name
    return agent if isinstance(player, Net | Random) else "rulebook"


@cache
def controls(a: str, b: str) -> tuple[Control, ...]:
    """The control variates of a match: how a deal comes out between the stand-ins or, where that is no match of its
    own, how one-sided it is for each of them.

    Between stand-ins that are the agents themselves the match is the one that is played: more pairs do the same.
    """
    ours, theirs = stand_in(a), stand_in(b)
    if ours != theirs and (ours, theirs) != (a, b):
        return (_match(ours, theirs),)
    return tuple(_one_sided(each) for each in dict.fromkeys((ours, theirs)))


def luck(
    game: Game, agents: tuple[str, str], deal: tuple[int, Standing], elsewhere: Sequence[tuple[int, Standing]]
) -> tuple[float, ...]:
    """The control variates of a deal, less their means over other deals."""

    def numbers(seed: int, standing: Standing) -> list[float]:
        return [number for control in controls(*agents) for number in control(game, seed, standing)]

    others = [numbers(*other) for other in elsewhere]
    return tuple(here - sum(there) / len(there) for here, *there in zip(numbers(*deal), *others, strict=True))


def _one_sided(name: str) -> Control:
    """How far the sides are apart when copies of one player play a deal, in card points and in what is paid."""

    def control(game: Game, seed: int, standing: Standing) -> tuple[float, ...]:
        deal = _played(game, (name, name), seed, standing)
        return abs(lead_of(deal.record.position.points, 0)), abs(lead_of(deal.gains, 0))

    return control


def _match(ours: str, theirs: str) -> Control:
    """The score of the pair that the stand-ins make of a deal."""

    def control(game: Game, seed: int, standing: Standing) -> tuple[float, ...]:
        first = _played(game, (ours, theirs), seed, standing)
        second = _played(game, (theirs, ours), seed, standing)
        return ((lead_of(first.gains, 0) + lead_of(second.gains, 1)) / 2,)

    return control


def _played(game: Game, sides: tuple[str, str], seed: int, standing: Standing) -> PlayedDeal:
    agents = [parse_agent(sides[seat % 2]) for seat in game.all_seats]
    streams = [random.Random(f"luck:{seed}:{seat}") for seat in game.all_seats]
    return play_deal(game, agents, seed, streams, standing)
