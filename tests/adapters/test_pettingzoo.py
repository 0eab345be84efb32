"""PettingZoo's own suites on our games, and what the environment promises besides."""

import random

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from renege.adapters import encoded_games
from renege.adapters.pettingzoo import IDS, TableEnv, env
from renege.envs import find
from renege.games.encoding import encoding_of
from support.steering import SOAK

GAMES = encoded_games()
# it would like arrays best, and has a list of environments whose observations may be dictionaries
DICTIONARIES = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
pytestmark = DICTIONARIES


@pytest.mark.parametrize("name", GAMES)
def test_api(name: str, capsys: pytest.CaptureFixture[str]):
    api_test(pettingzoo.make("aec", IDS[name]), num_cycles=200 * SOAK)
    api_test(TableEnv(name), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_seeds(name: str):
    seed_test(lambda: pettingzoo.make("aec", IDS[name]), num_cycles=40 * SOAK)


@pytest.mark.parametrize("name", GAMES)
def test_render(name: str, capsys: pytest.CaptureFixture[str]):
    render_test(lambda render_mode=None: env(name, render_mode=render_mode))
    assert "deal dealer" in capsys.readouterr().out


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_the_coding_s(name: str):
    """Rows, masks, movers and rewards at every step, against a `Moment` stepped beside it."""
    encoding, table = encoding_of(find(name)), env(name)
    for seed in range(3 * SOAK):
        moment, rng = encoding.deal(seed), random.Random(seed)
        table.reset(seed=seed, options={"moment": moment})
        for agent in table.agent_iter():
            row, reward, terminated, _, _ = table.last()
            seat = table.possible_agents.index(agent)
            assert (row["observation"] == moment.observe(seat)).all()
            assert terminated == moment.over
            if terminated:
                assert reward == moment.rewards[seat]
                table.step(None)
                continue
            assert seat == moment.turn and row["action_mask"].nonzero()[0].tolist() == list(moment.legal)
            idle = table.observe(table.possible_agents[(seat + 1) % 4])
            assert not idle["action_mask"].any()
            assert (idle["observation"] == moment.observe((seat + 1) % 4)).all()
            action = rng.choice(moment.legal)
            moment = moment.after(action)
            table.step(action)
        assert not table.agents


def test_an_action_that_is_not_open_ends_the_deal(caplog: pytest.LogCaptureFixture):
    table = env("texas42")
    table.reset(seed=1)
    table.observe(table.agent_selection)
    table.step(0)  # a tile, where bids are asked for
    assert all(table.terminations.values())
    assert table.rewards["player_0"] == -1 and table.rewards["player_1"] == 0
    raw = TableEnv("texas42")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="0-0 is not open here"):
        raw.step(0)


def test_seeds_and_house_rules():
    def dealt(seed: int | None, table: TableEnv) -> list[int]:
        table.reset(seed=seed)
        return table.observe("player_0")["observation"].tolist()

    table = TableEnv("texas42", rules={"nello": "off"})
    assert table.game.rules.nello.value == "off"
    assert dealt(1, table) == dealt(1, table) != dealt(2, table)
    first = [dealt(1, table), dealt(None, table), dealt(None, table)]
    assert first == [dealt(1, table), dealt(None, table), dealt(None, table)] and first[1] != first[2]
    assert table.observation_space("player_0") is table.observation_space("player_3")
    with pytest.raises(ValueError, match="is given with its rules"):
        TableEnv(find("texas42"), rules={"nello": "off"})
    with pytest.raises(ValueError, match="render_mode is 'rgb_array'"):
        TableEnv("texas42", render_mode="rgb_array")


def test_text_of_a_deal():
    table = TableEnv("texas42", render_mode="ansi")
    table.reset(seed=1)
    assert str(table.render()).startswith("deal dealer 3 score 0 0\n0: ")
    assert np.asarray(table.observe("player_0")["observation"]).dtype == np.uint8
