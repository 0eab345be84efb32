"""Finding Friends with six seats and three packs in every framework, as their own suites test it."""

import random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import renege.adapters.gymnasium
import renege.adapters.openspiel
import renege.adapters.pettingzoo
from renege.adapters.openspiel import AgentBot, RenegeGame
from renege.adapters.seated import Seated
from renege.games import tractor
from renege.games.encoding import Moment
from renege.games.small import gains
from renege.games.tractor.declare import Bank

SIX = {"seats": "6", "packs": "3", "mode": "friends"}
IN_SPIEL = ",".join(f"{name}={value}" for name, value in SIX.items())
FIVE = "seats=5,mode=friends"


def acted(state: Any, rng: random.Random, until: str | None = None) -> None:
    """Plays a deal on by chance, to its end or until an action is open."""
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(numbers, weights)[0])
            continue
        names = [state.action_to_string(action) for action in state.legal_actions()]
        if until is not None and until in names:
            return
        state.apply_action(rng.choice(state.legal_actions()))


# -- OpenSpiel


@pytest.mark.parametrize("name", [f"renege_tractor({IN_SPIEL})", f"renege_tractor_v1({FIVE})"])
def test_openspiel_tests_it(name: str, capfd: pytest.CaptureFixture[str]):
    game: Any = pyspiel.load_game(name)
    assert game.num_players() == (6 if IN_SPIEL in name else 5)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    state: Any = game.new_initial_state()
    acted(state, random.Random(2))
    assert sum(state.returns()) == pytest.approx(0)
    assert len(state.history()) <= game.max_game_length() + game.max_chance_nodes_in_history()
    assert tuple(state.returns()) == pytest.approx(gains(state.place.moment.rewards, sides=False))


def test_chance_says_who_deals_and_at_which_level_each_is():
    game: Any = pyspiel.load_game(f"renege_tractor_v1({IN_SPIEL})")
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / 6)) for seat in range(6)]
    assert state.action_to_string(4) == "draw 1: 4"
    state.apply_action(4)
    assert state.chance_outcomes() == [(0, pytest.approx(1 / 16)), (1, pytest.approx(15 / 16))]
    first = state.clone()
    assert first.action_to_string(0) == "dealer 4 score 2 2 2 2 2 2 0"
    first.apply_action(0)
    assert len(first.chance_outcomes()) == 54  # cards are dealt
    state.apply_action(1)
    for level in range(5):
        assert len(state.chance_outcomes()) == 13
        state.apply_action(2 * level)
    assert state.action_to_string(12) == "dealer 4 score 2 4 6 8 10 14 1"
    state.apply_action(12)
    assert state.place.standing.score == (2, 4, 6, 8, 10, 14, 1)
    with pytest.raises(ValueError, match="no deal stands at 6: they run from 0 to 5"):
        game.table.start().after(6)


def test_states_are_resampled_by_the_belief_of_a_seat():
    """Also in the middle of naming friends: of what the banker has picked, others know nothing."""
    game: Any = pyspiel.load_game(f"renege_tractor_v1({IN_SPIEL})")
    assert isinstance(game, RenegeGame)
    rng = random.Random(4)
    state: Any = game.new_initial_state()
    acted(state, rng, until="copy 2")
    stages = [state.clone()]
    for _ in range(40):
        acted(state, rng, until="done")
        stages.append(state.clone())
        state.apply_action(state.legal_actions()[0])
    for place in (*stages[:1], *stages[1::13]):
        mover = place.current_player()
        for seat in (mover, (mover + 1) % 6):
            other = place.resample_from_infostate(seat, rng.random)
            assert other.information_state_string(seat) == place.information_state_string(seat)
            assert other.observation_string(seat) == place.observation_string(seat)
            np.testing.assert_array_equal(other.information_state_tensor(seat), place.information_state_tensor(seat))
            replayed: Any = game.new_initial_state()
            for action in other.history():
                replayed.apply_action(action)
            assert str(replayed) == str(other)
            if seat == mover:
                assert other.legal_actions() == place.legal_actions()


def test_what_a_banker_picks_is_heard_when_it_is_said():
    game: Any = pyspiel.load_game(f"renege_tractor({IN_SPIEL})")
    state = game.new_initial_state()
    acted(state, random.Random(9), until="copy 2")
    banker, other = state.current_player(), (state.current_player() + 1) % 6
    picks = "picks"
    assert picks in state.information_state_string(banker)
    assert picks not in state.information_state_string(other)
    while state.place.moment.position.talking:
        state.apply_action(state.legal_actions()[0])
    contract = state.place.moment.position.contract
    assert isinstance(contract, Bank)
    said = f"{banker} friends {', '.join(map(str, contract.friends))}"
    assert said in state.information_state_string(other)
    # the tensor tells each friend as its card and then its copy
    step = state.place.table.encoding.first_step
    assert state.place.told[-1].shown == tuple(
        number for friend in contract.friends for number in (friend.card, step + friend.nth - 1)
    )


def test_agents_of_ours_play_as_bots():
    game: Any = pyspiel.load_game(f"renege_tractor({FIVE})")
    state: Any = game.new_initial_state()
    rng = random.Random(3)
    bots = [AgentBot("rulebook", seat) for seat in range(5)]
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            seat: int = state.current_player()
            state.apply_action(bots[seat].step(state))
    assert len(state.returns()) == 5


# -- PettingZoo


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_pettingzoo_tests_it():
    env = renege.adapters.pettingzoo.env("renege/tractor-v1", rules=SIX, reward="difference")
    assert env.possible_agents == [f"player_{seat}" for seat in range(6)]
    api_test(env, num_cycles=300)
    seed_test(lambda: renege.adapters.pettingzoo.env("renege/tractor-v1", rules=SIX), num_cycles=30)


def test_pettingzoo_pays_each_seat_at_the_end():
    env = renege.adapters.pettingzoo.TableEnv("renege/tractor-v1", rules=SIX)
    env.reset(seed=5)
    rng = np.random.default_rng(1)
    while not all(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))
    assert list(env.rewards.values()) == list(map(float, env.moment.rewards))
    assert env.moment.position.result is not None


# -- Gymnasium


@pytest.mark.filterwarnings("ignore:.*is out of date")
def test_gymnasium_tests_it():
    check_env(gymnasium.make("renege/tractor-seat-v1", rules=SIX, seat=4, opponents="random").unwrapped)
    envs = gymnasium.make_vec("renege/tractor-v1", num_envs=2, rules=SIX, reward="difference")
    _, info = envs.reset(seed=1)
    for _ in range(5):
        _, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
    assert info["rewards"].shape == (2, 6)


def test_a_learner_sits_among_five_rulebooks():
    env: Any = gymnasium.make("renege/tractor-seat-v1", rules=SIX, seat=None).unwrapped
    _, info = env.reset(seed=2)
    over, rng = False, np.random.default_rng(2)
    while not over:
        _, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    assert reward == env.moment.rewards[env.seat]


def test_an_agent_names_friends_step_by_step():
    game = tractor.game("friends-six")
    env = renege.adapters.pettingzoo.TableEnv(game, version=1)
    env.reset(seed=7)
    seated, named = Seated("rulebook"), list[Moment]()
    while env.moment.position.talking:
        if env.moment.begun:
            named.append(env.moment)
        env.step(seated.action(env.moment))
    assert [len(moment.begun) for moment in named] == [1, 2, 3]
