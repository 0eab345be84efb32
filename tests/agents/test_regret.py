"""A player by a strategy from a file: does it play what the file says, and the rulebook where it says nothing?"""

import random
from collections import Counter
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from renege import texas42
from renege.agents import RegretPlayer, parse_agent
from renege.agents.regret import Taking
from renege.core.arbiter import Arbiter
from renege.core.position import View
from renege.games import schafkopf
from renege.games.strategy import policy_of
from renege.games.texas42.abstraction import see
from renege.search.regret.abstract_strategy import AbstractStrategy, from_weights, load_strategy


def first_choice() -> View:
    """A turn to play with several ways open."""
    game = texas42.game()
    for seed in range(100):
        table = Arbiter(game, seed)
        while (seat := table.position.turn) is not None:
            view = table.record.view(seat)
            if see(view) is not None:
                return view
            table.act(seat, policy_of(game)(view).what)
    raise AssertionError("nobody had a choice")


def saved(folder: Path, keys: list[int], shares: list[list[int]], game: str = "texas42") -> str:
    file = folder / "strategy.npz"
    AbstractStrategy(game, np.array(keys, np.uint64), np.array(shares, np.uint8)).save(file)
    return str(file)


def test_it_plays_by_the_shares(tmp_path: Path):
    view = first_choice()
    seen = see(view)
    assert seen is not None
    one, two, *_ = seen.ways
    row = [0] * 6
    row[one], row[two] = 51, 204
    file = saved(tmp_path, [1, seen.key, seen.key + 9], [[0] * 6, row, [0] * 6])
    mixed, pure = RegretPlayer(file), RegretPlayer(file, Taking.LIKELIEST)
    drawn = Counter(str(mixed.choose(view, random.Random(i)).what) for i in range(400))
    assert set(drawn) == {str(seen.ways[one].what), str(seen.ways[two].what)}
    assert 50 < drawn[str(seen.ways[one].what)] < 115
    assert {str(pure.choose(view, random.Random(i)).what) for i in range(20)} == {str(seen.ways[two].what)}
    assert mixed.choose(view, random.Random(3)) == mixed.choose(view, random.Random(3))


def test_it_plays_by_the_rulebook_where_the_strategy_is_silent(tmp_path: Path):
    view = first_choice()
    player = RegretPlayer(saved(tmp_path, [1], [[255, 0, 0, 0, 0, 0]]))
    assert player.choose(view, random.Random(1)) == policy_of(view.game)(view)
    talk = Arbiter(texas42.game(), 3).record.view(0)
    assert player.choose(talk, random.Random(1)) == policy_of(view.game)(talk)


def test_it_is_spelt():
    kept = files("renege") / "games" / "texas42" / "regret42.npz"
    for text in ("regret42", f"regret42:{kept}", "regret42-pure", f"regret42-pure:{kept}"):
        assert parse_agent(text).name == text


def test_what_is_no_strategy_is_refused_by_name(tmp_path: Path):
    other = tmp_path / "other.npz"
    other.write_bytes(b"nothing of the kind")
    np.savez(tmp_path / "arrays.npz", format="something", steps=np.zeros(1))
    for file in (other, tmp_path / "arrays.npz"):
        with pytest.raises(ValueError, match=f"{file.name} is no strategy"):
            RegretPlayer(str(file))
    with pytest.raises(FileNotFoundError):
        RegretPlayer(str(tmp_path / "none.npz"))
    foreign = RegretPlayer(saved(tmp_path, [1], [[0]], game="tractor"))
    with pytest.raises(ValueError, match="a strategy for tractor"):
        foreign.choose(first_choice(), random.Random(1))
    seat = Arbiter(schafkopf.game(), 1).record.view(0)
    with pytest.raises(ValueError, match="schafkopf has no abstract"):
        foreign.choose(seat, random.Random(1))


def test_weights_become_shares(tmp_path: Path):
    keys = np.array([0, 7, 3, 5], np.uint64)
    weights = np.array([[0, 0], [1, 3], [20, 0], [0.2, 0.1]], np.float32)
    strategy = from_weights("texas42", keys, weights, 0.5)
    assert strategy.keys.tolist() == [3, 7] and strategy.shares.tolist() == [[255, 0], [64, 191]]
    strategy.save(tmp_path / "it.npz")
    again = load_strategy(tmp_path / "it.npz")
    assert (again.keys == strategy.keys).all() and (again.shares == strategy.shares).all()
    assert again.shares_of(7) == (64, 191) and again.shares_of(4) is None and again.shares_of(99) is None


def test_the_strategy_of_the_package_plays_a_hand_to_its_end():
    game, player = texas42.game(), RegretPlayer()
    told = Counter[bool]()
    for seed in range(12):
        table, rng = Arbiter(game, seed), random.Random(seed)
        while (seat := table.position.turn) is not None:
            advice = player.choose(table.record.view(seat), rng)
            told["% of the time" in advice.why] += 1
            assert table.act(seat, advice.what)
    assert told[True] > 50
