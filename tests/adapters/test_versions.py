"""Version 1 in the three frameworks: rows that forget nothing, any dealer, and the difference as a reward."""

import random
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from renege.adapters import encoded_games
from renege.adapters.gymnasium import SeatEnv, seat_id
from renege.adapters.openspiel import NAMES, spiel_name
from renege.adapters.pettingzoo import TableEnv
from renege.core.game import SEATS
from renege.envs import BatchEnv, find
from renege.envs.registry import env_id
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.games.small import gains
from support.adapter_points import points, replayed
from support.steering import SOAK

GAMES = encoded_games()
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def dealers(moments: list[Any]) -> set[int]:
    return {moment.start.standing.dealer for moment in moments}


# -- Gymnasium


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_in_gymnasium(name: str, capsys: pytest.CaptureFixture[str]):
    check_env(gymnasium.make(seat_id(name, 1), reward="difference", history=True).unwrapped)
    env = gymnasium.make(seat_id(name, 1), opponents="random", disable_env_checker=True).unwrapped
    assert isinstance(env, SeatEnv)
    begun = list[Any]()
    for seed in range(12):
        row, _ = env.reset(seed=seed)
        assert row.tolist() == env.moment.observe(env.seat).tolist()
        assert len(row) == encoding_of(find(name), Rows(1)).width
        begun.append(env.moment)
    assert len(dealers(begun)) > 1


@pytest.mark.parametrize("reward", ["score", "difference"])
def test_what_is_paid_in_gymnasium(reward: str):
    env, rng = SeatEnv("renege/texas42-v1", seat=1, opponents="random", reward=reward), random.Random(1)
    for seed in range(20 * SOAK):
        env.reset(seed=seed)
        ended, paid = False, 0.0
        while not ended:
            _, paid, ended, _, _ = env.step(rng.choice(env.moment.legal))
        score = env.moment.rewards
        assert paid == (gains(score) if reward == "difference" else score)[1]
    env.reset(seed=1)
    worst = -11 if reward == "difference" else -1
    assert env.step(0)[1] == worst - (env.encoding.worth()[1] - 10 if reward == "difference" else 0)
    with pytest.raises(ValueError, match="reward is 'money'"):
        SeatEnv("texas42", reward="money")


@pytest.mark.parametrize("name", GAMES)
def test_many_tables_in_gymnasium(name: str):
    lanes = 7
    envs = gymnasium.make_vec(env_id(name, 1), num_envs=lanes, reward="difference", history=True)
    batch = BatchEnv(name, lanes, seed=5, version=1, history=True, reward="difference")
    row, _ = envs.reset(seed=5)
    for salt in range(40 * SOAK):
        assert (row == batch.observation).all() and row in envs.observation_space
        actions = batch.choose(salt)
        batch.step(actions)
        row, _, done, _, info = envs.step(actions)
        assert (done == batch.done).all() and (info["rewards"] == batch.reward).all()


# -- PettingZoo


@pytest.mark.parametrize("name", GAMES)
def test_in_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]):
    table = pettingzoo.make("aec", env_id(name, 1), reward="difference")
    assert table.metadata["name"] == env_id(name, 1)
    api_test(table, num_cycles=60 * SOAK)
    seed_test(lambda: pettingzoo.make("aec", env_id(name, 1)), num_cycles=20 * SOAK)
    raw, begun = TableEnv(env_id(name, 1), reward="difference"), list[Any]()
    for seed in range(12):
        raw.reset(seed=seed)
        begun.append(raw.moment)
        row = raw.observe("player_2")["observation"]
        assert row.tolist() == raw.moment.observe(2).tolist()
    assert len(dealers(begun)) > 1
    while raw.moment.turn is not None:
        raw.step(raw.moment.legal[-1])
    assert raw.rewards == dict(zip(raw.possible_agents, raw.terms.paid(raw.moment), strict=True))
    assert raw.terms.difference


def test_old_ids_deal_as_they_did():
    table = TableEnv("renege/texas42-v0")
    table.reset(seed=3)
    assert table.moment == table.encoding.deal(random.Random(3).getrandbits(62))
    assert table.encoding.rows == Rows() and table.moment.start.standing == table.game.opening


# -- OpenSpiel


@pytest.mark.parametrize("name", GAMES)
def test_in_openspiel(name: str, capfd: pytest.CaptureFixture[str]):
    game = pyspiel.load_game(spiel_name(name, 1))
    assert str(game).startswith(f"{NAMES[name]}_v1")
    pyspiel.random_sim_test(game, num_sims=2 * SOAK, serialize=True, verbose=False)
    state, standings = game.new_initial_state(), encoding_of(find(name), Rows(1)).standings()
    chances = state.chance_outcomes()
    assert len(chances) == len(standings) and sum(chance for _, chance in chances) == pytest.approx(1)
    dealer = standings[-1][0].dealer
    assert state.action_to_string(len(standings) - 1).startswith(f"dealer {dealer} score")
    with pytest.raises(ValueError, match="no deal stands at"):
        game.table.start().after(len(standings))


@pytest.mark.parametrize("name", GAMES)
def test_states_of_openspiel_are_moments_and_look_alike_when_they_are_resampled(name: str):
    game, rng, begun = pyspiel.load_game(spiel_name(name, 1)), random.Random(3), list[Any]()
    for place in points(game.table, 8 * SOAK, seed=3):
        state, moment = game.state_at(place), place.moment
        assert moment is not None
        begun.append(moment)
        assert replayed(game, state.history()).history() == state.history()
        for seat in SEATS:
            assert state.observation_tensor(seat) == moment.observe(seat).tolist()
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.place.standing == place.standing
            again = replayed(game, other.history())
            assert str(again) == str(other) and again.place.moment == other.place.moment
    assert len(dealers(begun)) > 1


def test_while_cards_are_dealt_the_dealer_stays():
    game, rng = pyspiel.load_game("renege_texas42_v1"), random.Random(1)
    state = game.new_initial_state()
    for action in (2, 5, 6, 7, 8, 9, 10, 11, 27):
        state.apply_action(action)
    other = state.resample_from_infostate(1, rng.random)
    assert other.history()[0] == 2 and other.place.standing == state.place.standing
    assert other.place.hand(1) == state.place.hand(1) and str(other).count("dealer 2") == 1


def test_all_deals_at_one_chance_node():
    game = pyspiel.load_game("renege_tractor_small_v1(deal=whole)")
    state = game.new_initial_state()
    state.apply_action(1)
    state.apply_action(4)
    assert state.place.standing.dealer == 1
    assert state.current_player() == 1  # who takes up the kitty
    assert np.array_equal(state.observation_tensor(1), state.place.moment.observe(1))
