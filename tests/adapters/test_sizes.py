"""A game for more than four seats plays in every framework."""

import random
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import renege.adapters.gymnasium
import renege.adapters.openspiel
import renege.adapters.pettingzoo
from renege.adapters.deal_state import GameSetup
from renege.adapters.efg import efg
from renege.adapters.gymnasium import SeatEnv
from renege.adapters.spiel_observer import Observer
from renege.games.encoding import encoding_of
from renege.games.rows import Rows


@pytest.fixture
def name(ring: ModuleType) -> str:
    """The game, brought to the frameworks."""
    for adapter in (renege.adapters.openspiel, renege.adapters.pettingzoo, renege.adapters.gymnasium):
        adapter.register("ring")
    return "ring"


@pytest.mark.parametrize("players", [4, 5, 8])
def test_in_openspiel(name: str, players: int, capfd: pytest.CaptureFixture[str]):
    game: Any = pyspiel.load_game(f"renege_ring(seats={players})")
    assert game.num_players() == players
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    state, rng = game.new_initial_state(), random.Random(players)
    while not state.is_terminal():
        chances = state.chance_outcomes() if state.is_chance_node() else [(one, 1) for one in state.legal_actions()]
        if not state.is_chance_node():
            seat = state.current_player()
            assert f"seat {seat}: {state.place.hand(seat)}" in state.information_state_string(seat)
            assert len(state.observation_tensor(seat)) == game.observation_tensor_shape()[0]
            if players <= 5:
                other = state.resample_from_infostate(seat, rng.random)
                assert other.information_state_string(seat) == state.information_state_string(seat)
        state.apply_action(rng.choice(chances)[0])
    assert len(state.returns()) == players and sum(state.returns()) == pytest.approx(0)


def test_all_hear_of_no_card_that_is_laid_away(ring: ModuleType):
    """Whoever lays it away, in versions in which chance says who deals."""
    setup = GameSetup(encoding_of(ring.game(ring.Rules(seats=6)), Rows(1)))
    everybody = Observer(setup, recall=True, public=True, private="none")
    for dealer in range(6):
        place, rng = setup.start().after(dealer), random.Random(dealer)
        while place.moment is None:
            place = place.after(rng.choice(place.chances)[0])
        for _ in range(2):
            assert place.moment is not None
            place = place.after(place.moment.legal[0])
        assert place.told[1].seat == (dealer + 1) % 6
        assert everybody.text(place, 0).endswith(f"{(dealer + 1) % 6} {ring.UNSEEN}")


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_in_pettingzoo(name: str):
    env = renege.adapters.pettingzoo.env(name, rules={"seats": "7"})
    assert env.possible_agents == [f"player_{seat}" for seat in range(7)]
    api_test(env, num_cycles=60)


@pytest.mark.filterwarnings("ignore:.*is out of date")
def test_in_gymnasium(name: str):
    check_env(gymnasium.make("renege/ring-seat-v0", rules={"seats": "6"}, seat=5).unwrapped)
    envs = gymnasium.make_vec("renege/ring-v1", num_envs=3, rules={"seats": "8"})
    _, info = envs.reset(seed=1)
    _, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
    assert info["rewards"].shape == (3, 8)
    with pytest.raises(ValueError, match=r"seat is 6; it is 0\.\.5"):
        SeatEnv("ring", {"seats": "6"}, seat=6)
    with pytest.raises(ValueError, match="3 opponents are named, and there are five"):
        SeatEnv("ring", {"seats": "6"}, opponents=["random"] * 3)
    named = SeatEnv("ring", {"seats": "6"}, opponents=["random"] * 5, seat=None)
    assert {named.reset(seed=seed)[1]["seat"] for seed in range(40)} == set(range(6))
    assert np.flatnonzero(named.action_masks()).tolist() == list(named.moment.legal)


def test_a_tree_is_written_of_tables_that_deal_at_once(name: str, ring: ModuleType):
    with pytest.raises(ValueError, match="deals or more"):
        GameSetup(encoding_of(ring.game(ring.Rules(seats=8))), "whole")
    with pytest.raises(ValueError, match="deal=whole"):
        efg(GameSetup(encoding_of(ring.game())))
