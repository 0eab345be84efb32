"""Deals from outside, where deals begin, what is hidden and what is paid, in the kernel and by Python's rules."""

import random
from typing import Any

import numpy as np
import pytest

from renege.core.game import Standing
from renege.core.registry import find_game
from renege.envs import BatchEnv, Env, lane_seeds
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.games.small import gains
from renege.native.arrays import I32
from support.env_lanes import FULL, all_begun, check_lane, full_encoding
from support.steering import SOAK

WHOLE = ["texas42", "schafkopf", "tractor"]
GAMES = [*WHOLE, *(f"{name}-small" for name in WHOLE)]
SHOWN = ("observation", "hidden", "mask", "mover")
STOCK = (0, 0, 0, 0, 60)
LANES = 6


def table(name: str, *, kernel: bool = True, lanes: int = LANES, **options: Any) -> BatchEnv:
    return BatchEnv(name, lanes, version=1, history=True, hidden=True, kernel=kernel, **options)


def shown(env: BatchEnv) -> dict[str, bytes]:
    return {name: getattr(env, name).tobytes() for name in SHOWN}


def advanced(env: BatchEnv, steps: int) -> I32:
    """Play by chance; the actions of the deals under way, `int32[lanes, most]`."""
    taken = [list[int]() for _ in range(env.lanes)]
    for _ in range(steps):
        actions = env.choose()
        env.step(actions)
        taken = [
            [] if done else [*before, action]
            for before, action, done in zip(taken, actions.tolist(), env.done, strict=True)
        ]
    out = np.full((env.lanes, max(map(len, taken))), -1, np.int32)
    for lane, actions in enumerate(taken):
        out[lane, : len(actions)] = actions
    return out


# -- deals from outside


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_laid_and_played_up_to_a_point(name: str):
    for steps in (0, 3, 20):
        env = table(name, seed=1)
        actions = advanced(env, steps) if steps else None
        for kernel in (True, False):
            other = table(name, seed=2, kernel=kernel)
            other.begin(env.dealt(), env.standings, actions)
            assert shown(other) == shown(env)
            assert other.standings == env.standings
            assert (other.dealt() == env.dealt()).all()
            assert not other.reward.any() and not other.done.any()


@pytest.mark.parametrize("name", GAMES)
def test_one_deal_is_laid_on_all_lanes(name: str):
    env, one = table(name, seed=1), table(name, seed=4, lanes=1)
    actions = advanced(one, 9)
    env.begin(one.dealt()[0], one.standings[0], actions[0])
    for array in SHOWN:
        assert (getattr(env, array) == getattr(one, array)).all()
    assert set(env.standings) == set(one.standings)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", WHOLE)
def test_where_a_deal_stands_stays_where_nothing_is_said(name: str, kernel: bool):
    env = table(name, seed=1, kernel=kernel, lanes=20)
    before = env.standings
    assert len({standing.dealer for standing in before}) > 1
    env.begin(table(name, seed=2, kernel=kernel, lanes=20).dealt())
    assert env.standings == before
    for lane, moment in enumerate(all_begun(env)):
        check_lane(env, lane, moment)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", ["texas42", "tractor-small"])
def test_the_deal_after_it_is_the_lanes_own(name: str, kernel: bool):
    env, other = table(name, seed=1, kernel=kernel), table(name, seed=1, kernel=kernel)
    own = np.empty((LANES, 5, 2), np.uint64)
    waiting = np.ones(LANES, bool)
    while waiting.any():
        other.step(other.choose())
        new = waiting & other.done.astype(bool)
        own[new] = other.dealt()[new]
        waiting &= ~new
    env.begin(table(name, seed=9, kernel=kernel).dealt())
    waiting[:] = True
    while waiting.any():
        env.step(env.choose(salt=5))
        new = waiting & env.done.astype(bool)
        assert (env.dealt()[new] == own[new]).all()
        waiting &= ~new


def refused(env: BatchEnv, why: str, *arguments: Any) -> None:
    before, saved = shown(env), env.save()
    with pytest.raises(ValueError, match=why):
        env.begin(*arguments)
    assert shown(env) == before
    assert env.save() == saved


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_no_deal_is_refused_and_nothing_changes(name: str, kernel: bool):
    env = table(name, seed=1, kernel=kernel)
    advanced(env, 2)
    good = env.dealt()
    twice, few, strange = good.copy(), good.copy(), good.copy()
    twice[3, 0] = good[3, 1]
    few[3, 2, 0] &= few[3, 2, 0] - np.uint64(1)
    few[3, 2, 1] &= few[3, 2, 0]
    strange[3, 1, 0] |= np.uint64(1 << 60)
    for bad in (twice, few, strange):
        refused(env, "lane 3: ", bad)
    refused(env, r"lane 0: the dealer is a seat, 0\.\.3", good, Standing(4, env.game.opening.score))
    standings = [*env.standings[:2], Standing(-1, env.game.opening.score), *env.standings[3:]]
    refused(env, r"lane 2: the dealer is a seat, 0\.\.3", good, standings)
    env.begin(good, env.game.opening)
    closed = np.full((LANES, 2), -1, np.int32)
    for wrong in (int(env.mask[4].argmin()), len(env.encoding.actions), 2**31 - 1):
        closed[4, 0] = wrong
        refused(env, f"lane 4: action {wrong} is not open", good, env.game.opening, closed)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_an_action_that_ends_the_deal_is_refused(name: str, kernel: bool):
    env = table(name, seed=1, kernel=kernel, lanes=1)
    piles, standings, taken = env.dealt(), env.standings, list[int]()
    while not env.done[0]:
        taken.append(int(env.choose()[0]))
        env.step(np.array(taken[-1:], np.int32))
    refused(env, f"lane 0: action {taken[-1]} ends the deal", piles, standings, np.array(taken, np.int32))
    env.begin(piles, standings, np.array(taken[:-1], np.int32))
    env.step(np.array(taken[-1:], np.int32))
    assert env.done[0]


@pytest.mark.parametrize("kernel", [True, False])
def test_arrays_of_another_type_are_refused(kernel: bool):
    env = table("texas42", seed=1, kernel=kernel)
    refused(env, "piles must be uint64, not int64", env.dealt().astype(np.int64))
    refused(env, "actions must be int32, not int64", env.dealt(), None, np.array([2**32 + 28]))
    refused(env, "broadcast", env.dealt()[:2])
    refused(env, "broadcast", env.dealt(), env.standings[:2])


@pytest.mark.parametrize("kernel", [True, False])
def test_a_level_that_there_is_not_is_refused(kernel: bool):
    env = table("tractor", seed=1, kernel=kernel)
    for levels in ((1, 2), (2, 15), (258, 2), (-1, 2)):
        refused(env, r"lane 0: a level is 2\.\.14", env.dealt(), Standing(0, (*levels, 1)))


@pytest.mark.parametrize("kernel", [True, False])
def test_the_stock_is_that_of_the_tables(kernel: bool):
    env = table("schafkopf", seed=1, kernel=kernel, score=STOCK)
    assert {standing.score for standing in env.standings} == {STOCK}
    env.begin(env.dealt())
    assert {standing.score for standing in env.standings} == {STOCK}
    assert (env.observation[:, env.encoding.sections["stock"]] == 3).all()
    refused(env, "lane 0: a stock of 0, and at these tables `score` has one of 60", env.dealt(), env.game.opening)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_what_was_begun_is_saved(name: str, kernel: bool):
    env, other = table(name, seed=1, kernel=kernel), table(name, seed=2, kernel=kernel)
    actions = advanced(other, 4)
    env.begin(other.dealt(), other.standings, actions)
    env.step(env.choose())
    again = table(name, seed=3, kernel=kernel)
    again.load(env.save())
    assert shown(again) == shown(env) and again.standings == env.standings
    for _ in range(12):
        for tables in (env, again):
            tables.step(tables.choose())
        assert shown(again) == shown(env)
    with pytest.raises(ValueError, match="saved"):
        BatchEnv(name, LANES, kernel=kernel).load(env.save())  # of version 0
    if "texas42" not in name:  # where no score is felt in a deal
        with pytest.raises(ValueError, match="saved"):
            table(name, kernel=kernel, score=OTHER[name]).load(env.save())


OTHER = {name: {"texas42": (1, 0), "schafkopf": STOCK, "tractor": (3, 5, 1)}[name.split("-")[0]] for name in GAMES}


@pytest.mark.parametrize("name", [name for name in GAMES if name != "texas42-small"])
def test_the_same_rules_make_the_same_bytes(name: str):
    """Tables are loaded only under the setting that they were saved under."""
    encoding, found = full_encoding(find_game(name)), set[bytes]()
    for byte in range(20):
        made = encoding.kernel()
        assert made is not None
        found.add(made.setting)
        for size in (len(made.setting), len(made.setting) - 184):
            np.full(size, byte, np.uint8)  # what lies in memory where the next is made
    assert len(found) == 1


def test_threads_change_nothing():
    for name in WHOLE:
        one, many = table(name, seed=5, lanes=200), table(name, seed=5, lanes=200, threads=3)
        deals = table(name, seed=6, lanes=200)
        for env in (one, many):
            env.run(30)
        assert shown(one) == shown(many) and one.standings == many.standings
        for env in (one, many):
            env.begin(deals.dealt(), deals.standings)
            env.run(250)
        assert shown(one) == shown(many) and one.standings == many.standings
        assert one.save() == many.save()


# -- where deals begin


def even(counts: Any) -> bool:
    """Chi-square of counts that should be alike."""
    counts = np.asarray(counts, float)
    free, expected = len(counts) - 1, counts.sum() / len(counts)
    return ((counts - expected) ** 2 / expected).sum() < free + 6 * np.sqrt(2 * free)


@pytest.mark.parametrize(
    ("name", "kernel"), [*((name, True) for name in WHOLE), ("texas42", False), ("tractor", False)]
)
def test_every_dealer_and_level_is_drawn_as_often(name: str, kernel: bool):
    lanes = (8000 if kernel else 800) * SOAK
    env = BatchEnv(name, lanes, version=1, seed=3, kernel=kernel)
    assert even(np.bincount([standing.dealer for standing in env.standings], minlength=4))
    if name != "tractor":
        assert {standing.score for standing in env.standings} == {env.game.opening.score}
        return
    scores = [standing.score for standing in env.standings]
    first = [levels for *levels, deals in scores if not deals]
    assert all(levels == [2, 2] for levels in first)
    assert abs(len(first) - lanes / 16) < 5 * np.sqrt(lanes / 16)
    later = np.array([levels for *levels, deals in scores if deals])
    for side in (0, 1):
        assert even(np.bincount(later[:, side], minlength=15)[2:])
    if kernel:  # and neither tells the other
        assert even(np.bincount(13 * (later[:, 0] - 2) + later[:, 1] - 2, minlength=169))
        dealers = np.array([standing.dealer for standing in env.standings if standing.score[2]])
        assert even(np.bincount(4 * (later[:, 0] - 2) + dealers, minlength=52))


@pytest.mark.parametrize("kernel", [True, False])
def test_a_score_that_is_given_is_that_of_every_deal(kernel: bool):
    for name, score in (("tractor", (5, 14, 1)), ("tractor", (2, 9, 0)), ("tractor-small", (3, 5, 1))):
        env = BatchEnv(name, 40, version=1, seed=3, kernel=kernel, score=score)
        assert {standing.score for standing in env.standings} == {score}
        assert len({standing.dealer for standing in env.standings}) == 4
    for lane, moment in enumerate(all_begun(env)):
        check_lane(env, lane, moment)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize(
    ("name", "version", "score", "why"),
    [
        ("tractor", 0, (5, 5, 1), "deals of version 0 begin as a new game does"),
        ("schafkopf", 0, STOCK, "deals of version 0 begin as a new game does"),
        ("tractor", 1, (5, 5), r"score is \(5, 5\); that of tractor has 3 numbers"),
        ("tractor", 1, (0, 0, 1), r"a level is 2\.\.14"),
        ("texas42", 1, (0, 0, 0), "that of texas42 has 2 numbers"),
    ],
)
def test_a_score_that_makes_no_sense_is_refused(
    name: str, version: int, score: tuple[int, ...], why: str, kernel: bool
):
    with pytest.raises(ValueError, match=why):
        BatchEnv(name, 2, version=version, score=score, kernel=kernel)
    with pytest.raises(ValueError, match=why):
        Env(name, version=version, score=score, kernel=kernel)


def test_rows_that_there_are_not_are_refused():
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"version": 0, "history": True}, "rows of version 0 have no history"),
        ({"version": 2}, "rows are of version 0 or 1, not 2"),
        ({"version": 1, "reward": "money"}, "reward is 'money'; it may be score or difference"),
    ]
    for options, why in wrong:
        with pytest.raises(ValueError, match=why):
            BatchEnv("texas42", 2, **options)
        with pytest.raises(ValueError, match=why):
            Env("texas42", **options)


def test_rows_may_be_changed_back_and_forth():
    game = find_game("texas42")
    old, new = encoding_of(game), encoding_of(game, FULL)
    assert new.with_rows(Rows()).sections == old.sections
    assert new.with_rows(Rows(1)).with_rows(FULL).sections == new.sections
    swaps = find_game("texas42", {"nello_exchange": "one-tile"})
    assert full_encoding(swaps).with_rows(Rows()).sections == encoding_of(swaps).sections != old.sections


# -- what is hidden


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", WHOLE)
def test_the_hidden_cards_are_those_of_the_others_and_the_kitty(name: str, kernel: bool):
    env = table(name, seed=1, kernel=kernel, lanes=3)
    assert env.hidden is not None
    cards, piles = env.encoding.cards, env.dealt()
    for lane in range(env.lanes):
        hidden = env.hidden[lane].reshape(-1, cards)
        assert len(hidden) == (4 if name == "tractor" else 3)
        order = [(int(env.mover[lane]) + i) % 4 for i in (1, 2, 3)] + [4] * (name == "tractor")
        for row, pile in zip(hidden, order, strict=True):
            copies = [sum(int(layer) >> card & 1 for layer in piles[lane, pile]) for card in range(cards)]
            assert row.tolist() == copies


def test_nobody_need_ask_for_what_is_hidden():
    assert BatchEnv("texas42", 2).hidden is None
    own = np.full((2, 84), 9, np.uint8)
    env = BatchEnv("texas42", 2, hidden=own)
    assert env.hidden is own and own.sum() == 2 * 21
    with pytest.raises(ValueError, match=r"hidden must be uint8\[2, 84\], not uint8\[2, 28\]"):
        BatchEnv("texas42", 2, hidden=np.zeros((2, 28), np.uint8))


# -- what is paid


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_the_difference_is_what_a_side_has_more(name: str, kernel: bool):
    lanes, steps = (300, 400) if kernel and name != "texas42-small" else (2, 400) if name == "tractor" else (6, 130)
    score, differ = (
        BatchEnv(name, lanes, version=1, seed=2, kernel=kernel, reward=reward) for reward in ("score", "difference")
    )
    paid = set[tuple[float, ...]]()
    for _ in range(steps):
        actions = score.choose()
        score.step(actions)
        differ.step(actions)
        assert (score.observation == differ.observation).all()
        expected = [gains(tuple(map(int, row))) for row in score.reward]
        assert differ.reward.tolist() == [list(row) for row in expected]
        paid |= set(expected)
    assert len(paid) > 1
    assert all(sum(row) == 0 for row in paid)


@pytest.mark.parametrize("kernel", [True, False])
def test_a_stock_is_no_difference(kernel: bool):
    """Seats pay each other, and what lies in the stock comes on top: each has what it has."""
    envs = [
        BatchEnv("schafkopf", 4, version=1, seed=2, kernel=kernel, reward=reward, score=STOCK)
        for reward in ("score", "difference")
    ]
    wishes = [envs[0].encoding.actions.index(name) for name in ("rufspiel E", "rufspiel", "pass")]
    odd = 0
    for _ in range(90):
        actions = envs[0].choose()
        for wish in wishes[::-1]:
            actions = np.where(envs[0].mask[:, wish], wish, actions).astype(np.int32)
        for env in envs:
            env.step(actions)
        assert (envs[0].reward == envs[1].reward).all()
        odd += int((envs[0].reward.sum(axis=1) != 0).sum())
    assert odd


def test_the_reward_may_be_the_callers_array():
    mine = np.full((3, 4), 9, np.float32)
    env = BatchEnv("texas42", 3, reward=("difference", mine))
    assert env.reward is mine and env.payoff == "difference" and not mine.any()
    assert BatchEnv("texas42", 3, reward=mine).payoff == "score"
    with pytest.raises(ValueError, match="reward is 'money'"):
        BatchEnv("texas42", 3, reward=("money", mine))


# -- one table


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_one_table_is_laid_as_one_of_many(name: str, kernel: bool):
    options: dict[str, Any] = {"version": 1, "history": True, "reward": "difference", "kernel": kernel}
    many, one = BatchEnv(name, 1, seed=6, hidden=True, **options), Env(name, seed=8, **options)
    first = many.dealt()[0]
    one.begin(first, many.standings[0])
    for _ in range(60 if kernel else 30):
        assert (one.dealt() == many.dealt()[0]).all() and one.standing == many.standings[0]
        assert one.turn is not None and one.turn == many.mover[0] and many.hidden is not None
        assert (one.hidden(one.turn) == many.hidden[0]).all()
        assert all((one.observe(seat) == many.observe(seat)[0]).all() for seat in range(4))
        action = many.choose()
        many.step(action)
        one.act(int(action[0]))
        assert one.over == many.done[0] and one.rewards == tuple(many.reward[0])
        if one.over:
            one.begin(many.dealt()[0], many.standings[0])


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize("name", WHOLE)
def test_one_table_plays_a_deal_up_to_a_point_or_stays_as_it_is(name: str, kernel: bool):
    env, rng, taken = Env(name, seed=1, version=1, kernel=kernel, score=OTHER[name]), random.Random(1), list[int]()
    piles, standing, act = env.dealt(), env.standing, env.act
    for _ in range(9):
        taken.append(rng.choice(env.legal))
        env.act(taken[-1])
    seen = [env.observe(seat).tobytes() for seat in range(4)]
    other = env.copy()
    other.deal()
    other.begin(piles, standing, taken)
    assert [other.observe(seat).tobytes() for seat in range(4)] == seen
    assert other.standing == standing == env.standing
    closed = next(action for action in range(len(env.encoding.actions)) if action not in env.legal)
    few = piles.copy()
    few[0] = few[1]
    wrong: list[tuple[Any, ...]] = [(few,), (piles, Standing(4, OTHER[name])), (piles, standing, [*taken, closed])]
    for arguments in wrong:
        with pytest.raises(ValueError):  # noqa: PT011
            env.begin(*arguments)
        assert [env.observe(seat).tobytes() for seat in range(4)] == seen
    env.begin(piles, standing, taken[:-1])
    act(taken[-1])  # which was bound before the deal was laid
    assert [env.observe(seat).tobytes() for seat in range(4)] == seen


@pytest.mark.parametrize("kernel", [True, False])
def test_one_table_hides_from_four_seats_alone(kernel: bool):
    for seat in (-1, 4, 1 << 70):
        with pytest.raises(ValueError, match=r"a seat is 0\.\.3"):
            Env("texas42", kernel=kernel).hidden(seat)


def test_deals_of_a_lane_are_those_of_its_seed():
    env = BatchEnv("tractor", 3, version=1, seed=lane_seeds(4, 9)[3:6])
    many = BatchEnv("tractor", 9, version=1, seed=4)
    assert env.standings == many.standings[3:6]
    assert (env.dealt() == many.dealt()[3:6]).all()
    one = Env("tractor", version=1, seed=4)
    assert one.standing == many.standings[0]
