"""A game that another package adds plays in every framework, and no module here knows of it."""

import random
from types import ModuleType

import gymnasium
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import renege.adapters.gymnasium
import renege.adapters.openspiel
import renege.adapters.pettingzoo
from renege.adapters import encoded_games
from support.adapter_points import points, replayed, table_of


@pytest.fixture
def name(vane: ModuleType) -> str:
    """The added game, brought to the frameworks."""
    assert "vane" in encoded_games()
    for adapter in (renege.adapters.openspiel, renege.adapters.pettingzoo, renege.adapters.gymnasium):
        adapter.register("vane")
    return "vane"


def test_in_openspiel(name: str, capfd: pytest.CaptureFixture[str]):
    game = pyspiel.load_game("renege_vane(target=7)")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    rng = random.Random(1)
    for place in points(table_of(name), 4, seed=1):
        state = game.state_at(place)
        seat = state.current_player()
        for _ in range(5):
            other = state.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert str(replayed(game, other.history())) == str(other)


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_in_pettingzoo(name: str):
    api_test(renege.adapters.pettingzoo.env(name), num_cycles=100)
    seed_test(lambda: renege.adapters.pettingzoo.env(name), num_cycles=40)


@pytest.mark.filterwarnings("ignore:.*is out of date")
@pytest.mark.parametrize("version", [0, 1])
def test_in_gymnasium(name: str, version: int):
    check_env(gymnasium.make(f"renege/vane-seat-v{version}", opponents="rulebook").unwrapped)
    envs = gymnasium.make_vec(f"renege/vane-v{version}", num_envs=3)
    _, info = envs.reset(seed=1)
    _, _, done, _, _ = envs.step(info["action_mask"].argmax(axis=1))
    assert done.tolist() == [False] * 3
