"""A network on a small game: its likelihoods are those of its views, and its exploitability is that of the tree."""

import random
from functools import cache

import numpy as np
import pytest

from renege.agents import Random
from renege.arena.match import play_deal
from renege.core.game import SEATS, Game
from renege.core.position import Course
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.view import view_of
from renege.games.encoding import Moment, encoding_of, moment_of
from renege.games.rows import Rows
from renege.native.arrays import F64
from renege.nets import NetFile
from renege.nets.file import Layer
from renege.search.regret.cfr import Curve, Tables, exploitability, uniform
from renege.search.regret.expand import every_deal
from renege.search.regret.strategy import StrategySource, TrainedStrategy
from renege.train.exact import SmallGame
from support.random_nets import random_network

# as small as each game gets with choices left, so that its tree is grown in seconds
RULES = {
    "schafkopf-small": {"suits": "EG", "ranks": "UOZA", "called": "EG", "solos": "E"},
    "tractor-small": {"ranks": "5T", "hand": "1"},
}


@cache
def small(name: str) -> SmallGame:
    return SmallGame.of(find_game(name, RULES[name]))


def net_of(game: Game) -> NetFile:
    encoding = encoding_of(game, Rows(1))
    net = random_network(encoding.width, 16, 1, len(encoding.actions))
    net.card.update(game=game.name, rules={})
    return net


def learnt(laid: SmallGame, strategy: F64) -> TrainedStrategy:
    """The strategy as one that is asked view by view."""
    made, info = StrategySource.of(laid.game, "cfr+"), laid.tree.info
    return TrainedStrategy(made, info, Tables(strategy, strategy), Curve(), 0, 0, 1.0, {})


@pytest.mark.parametrize("name", sorted(RULES))
def test_likelihoods_are_those_of_the_views(name: str):
    """Deals by chance: at every decision the strategy says what the network says of the row that is seen there."""
    laid = small(name)
    net = net_of(laid.game)
    asked, found, compared = learnt(laid, laid.strategy(net)), set[int](), 0
    for seed in range(60):
        streams = [random.Random(f"{seed}:{seat}") for seat in SEATS]
        record = play_deal(laid.game, [Random()] * 4, seed, streams, laid.game.opening).record
        for i, (act, position) in enumerate(record.steps()):
            view = view_of(Course(record.start, record.acts[:i]), act.seat)
            options = view.legal_calls if position.talking else tuple(view.legal_plays)
            if len(options) < 2 or (not position.talking and len(position.hand) < 2):
                continue
            chances = asked.chances(view)
            moment = moment_of(laid.encoding, view)
            if laid.encoding.several and not all(isinstance(moment.step(a), str) for a in moment.legal):
                continue  # picks branch: the next test
            likes = net.logits(moment.observe(act.seat)[None])[0][list(moment.legal)]
            shares = np.exp(likes - likes.max()) / np.exp(likes - likes.max()).sum()
            whole = [moment.step(action) for action in moment.legal]
            texts = [position.spell(one) if isinstance(one, Play) else str(one) for one in whole]
            assert chances == pytest.approx(dict(zip(texts, shares.tolist(), strict=True)), abs=1e-6)
            compared += 1
            found.add(len(options))
    assert compared > 20 or name == "tractor-small"


def test_a_play_of_several_cards_is_as_likely_as_all_ways_to_pick_it():
    """Counted by hand: deals of the small Tractor in which the banker buries are picked through by chance."""
    laid = small("tractor-small")
    net = net_of(laid.game)
    strategy, info, rng = laid.strategy(net), laid.tree.info, random.Random(3)
    number = next(i for i in range(len(info)) if info.first_slots[i + 1] - info.first_slots[i] > 3)
    moment = laid.moment([start for start, _ in every_deal(laid.game)], number)
    slots = range(info.first_slots[number], info.first_slots[number + 1])
    counts, tries = dict.fromkeys((info.acts[info.slot_acts[slot]] for slot in slots), 0), 3_000
    for _ in range(tries):
        at: Moment | str | Play = moment
        while isinstance(at, Moment):
            likes = net.logits(at.observe(at.turn)[None])[0][list(at.legal)].astype(float)
            at = at.step(rng.choices(list(at.legal), np.exp(likes - likes.max()).tolist())[0])
        counts[str(at)] += 1
    for slot in slots:
        share = counts[info.acts[info.slot_acts[slot]]] / tries
        assert share == pytest.approx(strategy[slot], abs=0.04)


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_network_that_likes_everything_alike_is_exploited_as_such(name: str):
    laid = small(name)
    net = net_of(laid.game)
    *others, last = net.layers
    flat = NetFile(net.card, (*others, Layer(np.zeros_like(last.weights), last.scale, np.zeros_like(last.bias))))
    strategy = laid.strategy(flat)
    expected = exploitability(laid.engine, uniform(laid.tree.info))
    if not laid.encoding.several:
        np.testing.assert_allclose(strategy, uniform(laid.tree.info))
        assert laid.exploited(flat).gains == pytest.approx(expected.gains)
    sums = np.add.reduceat(strategy, laid.tree.info.first_slots[:-1])
    np.testing.assert_allclose(sums, 1)
    assert laid.exploited(net).largest > 0


def test_a_network_of_another_game_is_refused():
    net = random_network(40, 16, 1, 9)
    with pytest.raises(ValueError, match="plays texas42, not schafkopf-small"):
        small("schafkopf-small").strategy(net)
