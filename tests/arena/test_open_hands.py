"""The ceiling: it plays and calls by what is dealt, wins by it, and sits nowhere but in the arena."""

import random

import pytest

from renege.agents import Rulebook, parse_agent
from renege.arena.match import PlayedDeal, play_deal, terms
from renege.arena.open_hands import OpenHandPlayer, Player, parse_player
from renege.arena.run import make_plan, play_pairs, scores
from renege.arena.stats import estimate
from renege.core.game import SEATS, Standing
from renege.core.registry import find_game
from renege.games.texas42.contract import Hand42
from renege.games.texas42.solve import solve
from support.steering import SOAK


def played(name: str, agents: list[Player], seed: int) -> PlayedDeal:
    game = find_game(name)
    streams = [random.Random(seat) for seat in SEATS]
    return play_deal(game, agents, seed, streams, Standing(seed % 4, terms(game).score))


@pytest.mark.parametrize("name", ["texas42", "schafkopf", "tractor"])
def test_it_plays_by_the_rules_and_leaves_nothing_to_chance(name: str):
    for seed in range(2):
        deal = played(name, [OpenHandPlayer()] * 4, seed)
        assert deal.record.position.over
        assert deal.record.acts == played(name, [OpenHandPlayer()] * 4, seed).record.acts


@pytest.mark.parametrize(("name", "pairs"), [("texas42", 24), ("schafkopf", 24), ("tractor", 6)])
def test_seeing_all_hands_wins(name: str, pairs: int):
    plan = make_plan(find_game(name), "open-hands", "rulebook", seed=2, pairs=pairs)
    assert estimate(scores(play_pairs(plan, range(pairs * SOAK)))).mean > 0


def test_a_bid_is_made_as_often_as_the_solver_says():
    """Among four who see all, a points contract of 42 comes out as open hands are solved before the first lead."""
    met: set[bool] = set()
    for seed in range(30):
        record = played("texas42", [OpenHandPlayer()] * 4, seed).record
        contract, result = record.position.contract, record.position.result
        if not isinstance(contract, Hand42) or not contract.bid.points:
            continue
        first = next(position for act, position in record.steps() if not isinstance(act.what, str))
        value = solve(first).value
        assert value is not None and result is not None
        points = int(value) if contract.declarer % 2 == 0 else 42 - int(value)
        assert result.made == (points >= contract.bid.points)
        met.add(points >= contract.bid.points)
    assert met


def test_only_the_arena_knows_it():
    assert parse_player("open-hands") == OpenHandPlayer() and parse_player("rulebook") == Rulebook()
    with pytest.raises(ValueError, match="is no agent"):
        parse_agent("open-hands")
    assert not hasattr(OpenHandPlayer(), "choose")  # what a table asks an agent
    with pytest.raises(ValueError, match="cannot be searched"):
        make_plan(find_game("texas42-small"), "open-hands", "random", seed=1, pairs=1)
