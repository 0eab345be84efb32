"""Does the network's player see what the environments show, and play by it, in every game?"""

import random
from pathlib import Path

import numpy as np
import pytest

from renege.agents import Net, check_agent, parse_agent
from renege.core.arbiter import Arbiter
from renege.core.cards import known_cards
from renege.core.registry import find_game
from renege.core.world import World, piles_of
from renege.envs import Env
from renege.games.encoding import moment_of
from renege.nets import NetFile
from support.random_nets import GAMES, write_random_net


def random_net(game: str, path: Path) -> Net:
    """A small network of chance for a game, as a player."""
    return Net(str(write_random_net(game, path)))


def favourite(net: NetFile, table: Env) -> int:
    """Takes the open action that the network likes best."""
    assert table.turn is not None
    logits = net.logits(table.observe(table.turn)[None])[0]
    best = max(table.legal, key=lambda action: logits[action])
    table.act(best)
    return best


@pytest.mark.parametrize("game", GAMES)
def test_it_sees_what_the_environment_shows_and_takes_what_it_likes_best(game: str, tmp_path: Path):
    agent, rng = random_net(game, tmp_path / "a.net"), random.Random(1)
    net = agent.network(game)
    for seed in range(4):
        arbiter, table = Arbiter(find_game(game), seed), Env(f"renege/{game}-v1")
        start = arbiter.position
        world = World(tuple(map(known_cards, start.hands)), known_cards(start.kitty))
        table.begin(piles_of([world])[0], start.standing)
        while (turn := arbiter.position.turn) is not None:
            assert table.turn == turn
            view = arbiter.view(turn)
            moment = moment_of(net.encoding(view.game), view)
            np.testing.assert_array_equal(moment.observe(turn), table.observe(turn))
            assert list(moment.legal) == table.legal
            advice = agent.interject(view, rng) or agent.choose(view, rng)
            numbers = moment.numbers(advice.what)
            assert sorted(favourite(net, table) for _ in numbers) == sorted(numbers)
            arbiter.act(turn, advice.what)
        assert table.over


def test_it_says_what_it_cannot_play(tmp_path: Path):
    agent = random_net("texas42", tmp_path / "a.net")
    check_agent(agent, find_game("texas42"))
    with pytest.raises(ValueError, match="plays texas42, not tractor"):
        check_agent(agent, find_game("tractor"))
    with pytest.raises(ValueError, match="no network for texas42-small"):
        check_agent(Net(), find_game("texas42-small"))


def test_names():
    assert parse_agent("net") == Net()
    assert parse_agent("net:a.net").name == "net:a.net"
    with pytest.raises(ValueError, match="no agent"):
        parse_agent("net:")
