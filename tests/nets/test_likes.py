"""Is what a network is said to like what it would do, in every game, whatever the order of picks?"""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from renege.agents import Net, Random
from renege.core.arbiter import Arbiter
from renege.core.position import View
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games.encoding import Moment, moment_of
from renege.games.strategy import Option
from renege.nets import NetFile
from renege.nets.likes import ALL_ORDERS
from support.random_nets import GAMES, write_random_net
from support.steering import SOAK


def views(game: str, seed: int) -> Iterator[View]:
    """What the seat to move sees, all through a deal by chance."""
    table, rng = Arbiter(find_game(game), seed), random.Random(seed)
    while (turn := table.position.turn) is not None:
        yield table.view(turn)
        assert table.act(turn, Random().choose(table.view(turn), rng).what)


def ways(net: NetFile, moment: Moment, calls: bool) -> Iterator[tuple[Option, float]]:
    """Every order in which something can be picked to its end, and how likely each is."""
    open_now = [action for action in moment.legal if calls or action < moment.encoding.first_call]
    assert moment.turn is not None
    logits = net.logits(moment.observe(moment.turn)[None])[0][open_now].astype(float)
    for action, weight in zip(open_now, np.exp(logits) / np.exp(logits).sum(), strict=True):
        step = moment.step(action)
        if isinstance(step, Moment):
            yield from ((option, weight * share) for option, share in ways(net, step, calls=False))
        else:
            yield step, float(weight)


def size(option: Option) -> int:
    return len(option.cards) if isinstance(option, Play) else len(option.split()) - 1


@pytest.mark.parametrize("game", GAMES)
def test_a_share_is_the_sum_over_all_orders(game: str, tmp_path: Path):
    agent, rng, several = Net(str(write_random_net(game, tmp_path / "a.net"))), random.Random(1), 0
    net = agent.network(game)
    for seed in range(3 * SOAK):
        for view in views(game, seed):
            moment = moment_of(net.encoding(view.game), view)
            if len(moment.legal) > 1 and _many(view):
                continue
            shares: dict[Option, float] = {}
            for option, share in ways(net, moment, calls=view.position.talking):
                shares[option] = shares.get(option, 0.0) + share
            assert sum(shares.values()) == pytest.approx(1)
            likes = agent.likes(view)
            for option, share in shares.items():
                if size(option) <= ALL_ORDERS:
                    assert likes.of(option) == pytest.approx(share, abs=1e-6)
                    several += size(option) > 1
            assert likes.best == agent.choose(view, rng).what
    assert several or game != "tractor"


def _many(view: View) -> bool:
    """Are there too many ways to pick a play or call, one by one?"""
    trick = view.position.trick
    if view.game.deck.copies == 1:
        return False
    if view.position.talking or trick is None:
        return view.legal_calls[0].startswith("bury")
    return len(view.hand) > 4 if trick.lead is None else len(trick.lead.cards) > 2


def test_of_many_cards_the_favourite_order_is_followed(tmp_path: Path):
    """What the network would bury is likelier than the same with one card changed for one that it likes to keep."""
    agent = Net(str(write_random_net("tractor", tmp_path / "a.net")))
    view = next(
        view for view in views("tractor", 2) if view.position.talking and view.legal_calls[0].startswith("bury")
    )
    likes = agent.likes(view)
    best = str(likes.best).split()
    share = likes.of(str(likes.best))
    assert share is not None and 0 < share <= 1 and len(best) == 9
    kept = next(card for card in reversed(str(view.hand).split()) if card not in best)
    other = likes.of(" ".join([*best[:-1], kept]))
    assert other is not None and other < share
    assert likes.likeliest(4) == [(likes.best, share)]


def test_a_call_beside_the_play_has_its_share_of_all_that_is_open(tmp_path: Path):
    agent = Net(str(write_random_net("schafkopf", tmp_path / "a.net")))
    found = 0
    for view in (view for seed in range(20) for view in views("schafkopf", seed)):
        position = view.position
        if position.talking or view.seat not in position.speakers:
            continue
        net, moment = agent.network("schafkopf"), moment_of(agent.network("schafkopf").encoding(view.game), view)
        said = {option: share for option, share in ways(net, moment, calls=True) if isinstance(option, str)}
        for call, share in said.items():
            assert agent.likes(view).of(call) == pytest.approx(share, abs=1e-6)
            found += 1
        assert isinstance(agent.likes(view).best, Play)
    assert found


def test_the_likeliest_come_first_and_sum_to_one(tmp_path: Path):
    agent = Net(str(write_random_net("texas42", tmp_path / "a.net")))
    for view in views("texas42", 1):
        likely = agent.likes(view).likeliest(100)
        shares = [share for _, share in likely]
        assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(1)
        assert likely[0][0] == agent.likes(view).best
        assert agent.likes(view).likeliest(2, at_least=0.05) == [one for one in likely[:2] if one[1] >= 0.05]


def test_what_it_has_no_number_for_has_no_share(tmp_path: Path):
    agent = Net(str(write_random_net("texas42", tmp_path / "a.net")))
    view = next(views("texas42", 1))
    assert agent.likes(view).of("expose 6-4") is None
    assert agent.likes(view).of("trump 5") == 0.0  # not open: it is still bid
