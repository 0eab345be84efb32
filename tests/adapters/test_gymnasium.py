"""Gymnasium's own checker on our environments, and what they promise besides."""

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from renege.adapters import encoded_games
from renege.adapters.gymnasium import IDS, SeatEnv, TablesEnv, table_id
from renege.agents import Random, Rulebook
from renege.envs import BatchEnv, find
from renege.games.encoding import encoding_of
from support.steering import SOAK

GAMES = encoded_games()
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date")  # so it says of ids that have a later version


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [0, 2, None])
def test_check_env(name: str, seat: int | None, capsys: pytest.CaptureFixture[str]):
    check_env(gymnasium.make(IDS[name], seat=seat).unwrapped)


def played(env: Any, seed: int, rng: random.Random, **options: Any) -> list[Any]:
    """A deal by chance, all that was seen of it."""
    row, info = env.reset(seed=seed, options=options)
    seen: list[Any] = [row.tolist(), info["action_mask"].tolist()]
    while True:
        mask = env.unwrapped.action_masks()
        assert (mask == info["action_mask"]).all()
        row, reward, ended, cut, info = env.step(rng.choice(np.flatnonzero(mask).tolist()))
        seen += [row.tolist(), info["action_mask"].tolist(), reward]
        assert not cut
        if ended:
            assert not info["action_mask"].any()
            return seen
        assert reward == 0


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_seen_from_one_seat(name: str):
    env = SeatEnv(name, seat=1, opponents="random")
    for seed in range(4 * SOAK):
        one = played(env, seed, random.Random(seed))
        assert env.moment.over and one[-1] == env.moment.rewards[1]
        assert one[-3] == env.moment.observe(1).tolist()
        assert one == played(env, seed, random.Random(seed)), "a seed gives the same deal and the same opponents"


def test_seats_and_opponents():
    env = SeatEnv("texas42", seat=None, opponents=["random", Rulebook(), "searcher:2w"])
    seats = set[int]()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        seats.add(info["seat"])
        assert env.moment.turn == info["seat"] == env.seat
    assert seats == {0, 1, 2, 3}
    played(env, 1, random.Random(1), seat=3)
    assert env.seat == 3
    with pytest.raises(ValueError, match="seat is 4"):
        SeatEnv("texas42", seat=4)
    with pytest.raises(ValueError, match="2 opponents are named, and there are three"):
        SeatEnv("texas42", opponents=["random", "random"])
    with pytest.raises(ValueError, match="is no agent"):
        SeatEnv("texas42", opponents="somebody").reset(seed=1)


def test_an_action_that_is_not_open_costs_more_than_any_loss():
    env = SeatEnv("texas42", opponents=Random())
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(0)  # a tile, where bids are asked for
    assert ended and reward == -1 and info["illegal"]


def test_a_given_moment():
    encoding = encoding_of(find("texas42"))
    moment = encoding.deal(3).act("30")
    env = SeatEnv("texas42", seat=1, opponents="random")
    row, _ = env.reset(seed=1, options={"moment": moment})
    assert row.tolist() == moment.observe(1).tolist()
    over = encoding.deal(3)
    while not over.over:
        over = over.after(over.legal[0])
    with pytest.raises(ValueError, match="has nothing to do any more"):
        env.reset(seed=1, options={"moment": over})


@pytest.mark.parametrize("name", GAMES)
def test_many_tables_are_the_batch_s(name: str):
    lanes = 7
    envs = gymnasium.make_vec(table_id(name), num_envs=lanes)
    assert isinstance(envs.unwrapped, TablesEnv)
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    batch = BatchEnv(find(name), lanes, seed=5)
    row, info = envs.reset(seed=5)
    ended = 0
    for salt in range(60 * SOAK):
        assert (row == batch.observation).all() and row in envs.observation_space
        assert (info["action_mask"] == batch.mask).all() and (info["seat"] == batch.mover).all()
        actions, acted = batch.choose(salt), batch.mover.copy()
        batch.step(actions)
        row, reward, done, cut, info = envs.step(actions)
        assert not cut.any() and (done == batch.done).all()
        assert (info["rewards"] == batch.reward).all()
        assert reward.tolist() == [batch.reward[lane, seat] for lane, seat in enumerate(acted)]
        ended += int(done.sum())
    assert ended or name == "tractor"
    with pytest.raises(ValueError, match="lane 0"):
        envs.step(np.full(lanes, -1))
    with pytest.raises(ValueError, match="whole numbers"):
        envs.step(batch.choose(0) + 0.5)
    with pytest.raises(ValueError, match="whole numbers"):
        envs.step(batch.choose(0).astype(np.int64) + 2**32)


def test_after_the_end_a_deal_must_be_begun_anew():
    env = gymnasium.make("renege/texas42-seat-v0", disable_env_checker=True).unwrapped
    for ends in ("by its last tile", "by an action that is not open"):
        _, info = env.reset(seed=3)
        over = False
        while not over:
            action = int(info["action_mask"].argmax()) if ends == "by its last tile" else -1
            _, _, over, _, info = env.step(action)
        with pytest.raises(ValueError, match="the deal is over: call reset"):
            env.step(0)
