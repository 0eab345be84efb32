"""Does the kernel step Tractor as the rules do: showings, burying, plays picked card by card, throws, levels?"""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from renege._kernel import EnvTractor, EnvTractorSmall
from renege.core.cards import Cards
from renege.core.game import Game, Standing
from renege.core.order import Order
from renege.envs import BatchEnv, lane_seeds
from renege.envs.moments import MomentEnv
from renege.games import tractor
from renege.games.encoding import Moment, encoding_of
from renege.games.rows import Rows
from renege.games.tractor.declare import Bank
from renege.games.tractor.encoding import setting
from renege.games.tractor.order import DECK
from renege.games.tractor.rules import (
    FollowDuty,
    MustDefend,
    RenegeFound,
    Rules,
    ShorterRuns,
    StoppedThrow,
    ThrowComparison,
)
from support.env_lanes import FULL, begun, check_row, full_encoding, laid_one, tables
from support.steering import SOAK
from support.tractor_lanes import house_rules, likes, said

# No renege gets into an environment, so that what one costs makes no difference.
HOUSES = [rules for rules in house_rules() if rules.renege_found is RenegeFound.CANNOT_WIN]
# Packs of few kinds, so that pairs and runs are the rule: trumps with the level cards on one step, and two suits.
SPADES = [f"S{rank}" for rank in "23456789TJQKA"]
DENSE = {
    "trumps": [*SPADES, "C2", "D2", "H2", "LJ", "BJ"],
    "top trumps": ["SJ", "SQ", "SK", "SA", "S2", "C2", "D2", "H2", "LJ", "BJ", "H8", "H9"],
    "two suits": [*(f"S{rank}" for rank in "3456789T"), *(f"H{rank}" for rank in "3456789TJ"), "H2", "LJ", "BJ"],
    "four hearts": [*SPADES, "LJ", "BJ", "C2", "HK", "HA"],
}


def dense(pack: str, rules: Rules | None = None, standing: Standing | None = None) -> Game:
    """The game with such a pack; its kitty is as large as ever."""
    game = tractor.game(rules)
    kinds = sum(1 << DECK.names.index(name) for name in DENSE[pack])
    size = (2 * len(DENSE[pack]) - game.kitty_size) // 4
    deck = DECK.stripped(DECK.kinds & ~kinds)

    def order(rules: Rules, contract: Bank) -> Order:
        return replace(game.order(rules, contract), deck=deck)

    opening = standing or game.opening
    return replace(game, name=f"tractor {pack}", deck=deck, hand_size=size, opening=opening, order=order)


def eventful_seeds(game: Game, rng: random.Random, count: int) -> list[int]:
    """Seeds of deals in which somebody holds many pairs, or many side by side: the best of thousands."""
    lanes = 1500
    encoding = encoding_of(game)
    env, seeds = tables(encoding, lanes), np.array([rng.getrandbits(63) for _ in range(lanes)], np.uint64)
    mask, mover = np.empty((lanes, len(encoding.actions)), np.uint8), np.empty(lanes, np.uint8)
    env.reset(seeds, None, None, mask, mover, 1)
    piles = np.empty((lanes, 5, 2), np.uint64)
    env.dealt(piles)
    pairs = piles[:, :4, 1]
    beside = np.bitwise_count(pairs & pairs >> np.uint64(1)).max(axis=1)
    many = np.bitwise_count(pairs).max(axis=1)
    best = [*np.argsort(-beside.astype(int))[:count], *np.argsort(-many.astype(int))[:count]]
    return [int(seed) for seed in seeds[rng.sample(best, count)]]


def play_side_by_side(game: Game, seeds: list[int], rng: random.Random) -> int:
    """Deals played by the kernel and by the rules; how many actions were taken."""
    encoding, actions = full_encoding(game), 0
    dealer, piles = tables(encoding_of(game)).one(), np.empty((5, 2), np.uint64)
    for seed in seeds:
        dealer.deal(seed, 0)
        dealer.dealt(piles)
        table = laid_one(encoding, piles)
        moment, eager = begun(encoding, piles), rng.choice([0.2, 0.9, 0.9])
        while True:
            assert table.turn == (4 if moment.turn is None else moment.turn), moment
            assert table.legal() == list(moment.legal), (seed, moment)
            assert table.rewards() == moment.rewards, (seed, moment)
            seats = range(4) if moment.over or rng.random() < 0.1 else [moment.turn or 0]
            picking = len(moment.chosen) > 0 and rng.random() < 0.7  # there is little to see between two picks
            for seat in () if picking else seats:
                check_row(table.observe(seat), moment, seat)
                assert table.hidden(seat) == moment.hidden(seat).tobytes(), (seed, moment)
            if moment.over:
                break
            action = likes(encoding, moment, rng) if rng.random() < eager else rng.choice(moment.legal)
            table.act(action)
            moment, actions = moment.after(action), actions + 1
    return actions


@pytest.mark.parametrize("rules", HOUSES, ids=said)
def test_whole_deals_under_every_house_rule(rules: Rules):
    rng = random.Random(said(rules))
    standing = Standing(rng.randrange(4), (rng.randint(2, 14), rng.randint(2, 14), rng.randrange(2)))
    for game in (tractor.game(rules), replace(tractor.game(rules), opening=standing)):
        assert play_side_by_side(game, eventful_seeds(game, rng, SOAK), rng) > 50 * SOAK


@pytest.mark.parametrize("pack", list(DENSE)[:3])
@pytest.mark.parametrize("rules", HOUSES, ids=said)
def test_deals_full_of_runs(pack: str, rules: Rules):
    rng = random.Random(f"{pack} {said(rules)}")
    for _ in range(SOAK):
        standing = Standing(rng.randrange(4), (rng.choice([2, 2, 9, 14]), rng.choice([2, 2, 9, 14]), rng.randrange(2)))
        game = dense(pack, rules, standing)
        play_side_by_side(game, eventful_seeds(game, rng, 2), rng)


# --- where a house rule matters -------------------------------------------------------------------------


def likely(env: BatchEnv, rng: np.random.Generator) -> NDArray[np.int32]:
    """An open action on every lane by chance, the other copy and pairs beside those picked before anything else."""
    hand, chosen = env.observation[:, :54], env.observation[:, 54:108]
    want = rng.random(env.mask.shape)
    want[:, :54] += 3.0 * (chosen == 1) + 0.5 * (hand == 2)
    beside = np.zeros(chosen.shape, bool)
    beside[:, 1:] |= chosen[:, :-1] == 2
    beside[:, :-1] |= chosen[:, 1:] == 2
    want[:, :54] += 1.0 * (beside & (hand == 2) & (chosen == 0))
    return np.where(env.mask, want, -1.0).argmax(axis=1).astype(np.int32)


def deals_that_differ(game: Game, other: Game, lanes: int, steps: int) -> list[tuple[int, list[int]]]:
    """Deals by chance that come out otherwise under other rules: their seeds, and the actions up to there."""
    seeds, alive, taken = lane_seeds(9, lanes), np.ones(lanes, bool), []
    usual, here = (BatchEnv(table, lanes, seed=seeds) for table in (game, other))
    found: list[tuple[int, list[int]]] = []
    rng = np.random.default_rng(lanes)
    for _ in range(steps):
        actions = likely(here, rng)
        usual.step(np.where(alive, actions, usual.choose()))
        here.step(actions)
        taken.append(actions)
        differ = (usual.observation != here.observation).any(axis=1) | (usual.mask != here.mask).any(axis=1)
        differ |= (usual.reward != here.reward).any(axis=1)
        found += [(int(seeds[lane]), [int(row[lane]) for row in taken]) for lane in np.flatnonzero(alive & differ)]
        alive &= ~differ & (here.done == 0)
        if len(found) >= 4 * SOAK:
            break
    return found


# what turns up by chance; the others have tests of their own, here and in test_picks.py
OFTEN = [
    rules
    for rules in HOUSES[1:]
    if rules.shorter_runs is ShorterRuns.OWED
    and rules.throw_comparison is ThrowComparison.LONGEST_UNIT
    and rules.follow_duty is not FollowDuty.TUPLES_PROTECTED  # with two packs the usual duty
]


@pytest.mark.parametrize("rules", OFTEN, ids=said)
def test_a_house_rule_is_kept_where_it_matters(rules: Rules):
    """Most deals go the same way at any table; those that do not are played by the rules themselves too."""
    opening = Standing(1, (13, 4, 0)) if rules.must_defend is not MustDefend.NONE else Standing(0, (8, 8, 0))
    pack = "two suits"
    found = deals_that_differ(dense(pack, None, opening), dense(pack, rules, opening), 6000, 70)
    game, piles = dense(pack, rules, opening), np.empty((5, 2), np.uint64)
    encoding, dealer = full_encoding(game), tables(encoding_of(game)).one()
    assert found
    for seed, actions in found[: 4 * SOAK]:  # the earliest
        dealer.deal(seed, 0)
        dealer.dealt(piles)
        table, moment = laid_one(encoding, piles), begun(encoding, piles)
        for action in actions:
            assert table.legal() == list(moment.legal), (seed, moment)
            table.act(action)
            moment = moment.after(action)
        assert table.legal() == list(moment.legal), (seed, moment)
        assert table.rewards() == moment.rewards, (seed, moment)
        for seat in range(4):
            check_row(table.observe(seat), moment, seat)


def test_two_ruffs_of_a_throw_are_compared_as_the_house_does():
    """Seat 0 throws a pair and a single of hearts, and those who have none ruff it, with pairs if they can."""
    opening, usual = Standing(0, (2, 2, 1)), encoding_of(dense("four hearts", None, Standing(0, (2, 2, 1))))
    encoding = encoding_of(dense("four hearts", Rules(throw_comparison=ThrowComparison.HIGHEST_CARD), opening))
    high, king = DECK.names.index("HA"), DECK.names.index("HK")
    lanes, rng = 20_000, random.Random(3)
    env, seeds, piles = tables(encoding, lanes), lane_seeds(4, lanes), np.empty((lanes, 5, 2), np.uint64)
    env.reset(seeds, None, None, np.empty((lanes, len(encoding.actions)), np.uint8), np.empty(lanes, np.uint8), 1)
    env.dealt(piles)
    has = [(piles[:, 0, layer] >> np.uint64(card)) & np.uint64(1) for card, layer in ((high, 1), (king, 0))]
    table, otherwise = env.one(), 0
    for lane in np.flatnonzero(has[0] & has[1])[: 60 * SOAK]:
        table.deal(int(seeds[lane]), 0)
        moments = [begun(rules, piles[lane]) for rules in (encoding, usual)]
        wanted = [high, high, king, 54]
        while not moments[0].over and sum(moments[0].position.tricks) == 0:
            legal = list(moments[0].legal)
            if moments[0].position.talking:
                shows = [action for action in legal if encoding.actions[action].startswith("show S")]
                action = rng.choice(shows or [card for card in legal if card not in (high, king)])
            elif wanted:
                action = wanted.pop(0)
            else:
                hand = moments[0].position.hand
                assert isinstance(hand, Cards)
                twin = [card for card in legal if card in moments[0].chosen]
                paired = [card for card in legal if hand.count(card) == 2 and not moments[0].chosen]
                action = rng.choice(twin or paired or legal)
            table.act(action)
            moments = [moment.after(action) for moment in moments]
            assert table.turn == (4 if moments[0].turn is None else moments[0].turn)
        otherwise += moments[0].turn != moments[1].turn
    assert otherwise


@pytest.mark.parametrize(("ranks", "hand"), [("5TK", 2), ("23456789TJQKA", 7), ("3456789TJQKA", 5)])
def test_shrunk_games(ranks: str, hand: int):
    game = tractor.small(tractor.Small(ranks=ranks, hand=hand))
    rng = random.Random(ranks)
    play_side_by_side(game, eventful_seeds(game, rng, 15 * SOAK), rng)


def test_python_steps_the_tables_where_the_kernel_is_not_wanted():
    env = BatchEnv(tractor.game(Rules(stopped_throw=StoppedThrow.FIRST_FOUND)), 2, seed=1, kernel=False)
    env.run(20)
    assert not env.in_kernel
    assert env.mask.any(axis=1).all()


# --- whole plays -------------------------------------------------------------------------------------


def words(pile: Cards) -> list[int]:
    return [pile.at_least(1), pile.at_least(2)]


def random_pile(moment: Moment, rng: random.Random) -> Cards:
    """Cards that might be a play: a legal one, or some of the hand, or what is not in it."""
    hand = moment.position.hand
    assert isinstance(hand, Cards)
    if rng.random() < 0.1:
        return moment.encoding.game.deck.cards(rng.sample(sorted(moment.encoding.game.deck.all), 2))
    if not moment.position.talking and rng.random() < 0.4:
        return moment.position.legal_plays.choose(rng).cards
    size = len(moment.position.trick.plays[0].cards) if moment.position.trick and moment.position.trick.plays else 8
    if not moment.position.talking and moment.position.trick and not moment.position.trick.plays:
        size = rng.randint(1, 3)
    return moment.encoding.game.deck.cards(rng.sample(sorted(hand), min(len(hand), size)))


def is_legal(moment: Moment, pile: Cards) -> bool:
    hand = moment.position.hand
    assert isinstance(hand, Cards)
    if not pile or not pile <= hand:
        return False
    if not moment.position.talking:
        return bool(moment.position.judge(pile))
    return moment.encoding.asked(moment.position) is not None and len(pile) == 8


@pytest.mark.parametrize("in_kernel", [True, False])
def test_a_whole_play_is_laid_down_at_once_if_it_is_legal(in_kernel: bool):
    game, rng = dense("two suits"), random.Random(4)
    env = BatchEnv(game, 1, seed=3, kernel=in_kernel)
    taken, refused = 0, 0
    for _ in range(15 * SOAK):
        moment = begun(env.encoding, env.dealt()[0])
        while True:
            pile = random_pile(moment, rng)
            if is_legal(moment, pile):
                what = pile if not moment.position.talking else f"bury {pile}"
                env.play(np.array([words(pile)], np.uint64))
                moment, taken = moment.act(what), taken + 1
            else:
                before = env.save()
                with pytest.raises(ValueError, match="lane 0: these cards are no legal play"):
                    env.play(np.array([words(pile)], np.uint64))
                assert env.save() == before
                refused += 1
                action = rng.choice(moment.legal)
                env.play(np.zeros((1, 2), np.uint64), np.array([action], np.int32))
                moment = moment.after(action)
            if moment.over:
                assert env.done[0]
                assert tuple(env.reward[0]) == moment.rewards
                break
            assert env.mover[0] == moment.turn
            assert (env.mask[0] == moment.mask).all()
            assert (env.observation[0] == moment.observe(moment.turn)).all()
    assert taken > 50
    assert refused > 50


def test_python_replays_whole_plays_that_were_saved():
    env, again = (BatchEnv(dense("trumps"), 3, seed=2, kernel=False) for _ in range(2))
    rng = random.Random(1)
    for _ in range(60):
        assert isinstance(env.tables, MomentEnv)
        moments = env.tables.moments
        piles = [random_pile(moment, rng) for moment in moments]
        legal = [is_legal(moment, pile) for moment, pile in zip(moments, piles, strict=True)]
        rows = np.array([words(pile) if yes else [0, 0] for pile, yes in zip(piles, legal, strict=True)], np.uint64)
        env.play(rows, env.choose())
    again.load(env.save())
    assert (again.observation == env.observation).all()
    assert (again.mask == env.mask).all()


def test_what_is_wrong_with_piles_is_said():
    env = BatchEnv("tractor", 2)
    signed: Any = np.zeros((2, 2), np.int64)
    with pytest.raises(ValueError, match=r"piles must be uint64\[2, 2\], not int64\[2, 2\]"):
        env.play(signed)
    with pytest.raises(ValueError, match=r"actions must be int32\[2\]"):
        env.play(np.zeros((2, 2), np.uint64), np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="lane 0: action -1 is not open"):
        env.play(np.zeros((2, 2), np.uint64))
    with pytest.raises(ValueError, match="lane 0: these cards are no legal play"):
        env.play(np.full((2, 2), 1 << 60, np.uint64))
    with pytest.raises(ValueError, match="plays of texas42 are single cards: step takes them"):
        BatchEnv("texas42", 2).play(np.zeros((2, 2), np.uint64))


# --- many tables ----------------------------------------------------------------------------------------


def test_all_deals_are_equally_likely():
    lanes = 20_000
    env = BatchEnv("tractor", lanes, seed=5)
    piles = env.dealt()
    assert (piles[:, :, 1] & ~piles[:, :, 0] == 0).all()
    sizes = np.bitwise_count(piles).sum(axis=2)
    assert (sizes == [25, 25, 25, 25, 8]).all()
    for card in range(54):
        copies = ((piles >> np.uint64(card)) & np.uint64(1)).sum(axis=2)
        assert (copies.sum(axis=1) == 2).all()
        for pile, size in enumerate([25, 25, 25, 25, 8]):
            both = size * (size - 1) / (108 * 107)
            once = 2 * size * (108 - size) / (108 * 107)
            for count, chance in ((1, once), (2, both)):
                found, deviation = (copies[:, pile] == count).sum(), (lanes * chance * (1 - chance)) ** 0.5
                assert abs(found - lanes * chance) < 5.5 * deviation


def test_neither_threads_nor_other_lanes_change_a_table():
    one, many = BatchEnv("tractor", 300, seed=7), BatchEnv("tractor", 300, seed=7, threads=3)
    few = BatchEnv("tractor", 5, seed=lane_seeds(7, 300)[100:105])
    for env in (one, many, few):
        env.run(400)
    for name in ("observation", "mask", "mover", "reward", "done"):
        assert (getattr(one, name) == getattr(many, name)).all()
        assert (getattr(one, name)[100:105] == getattr(few, name)).all()


def test_tables_that_were_saved_play_on_alike():
    env, again = BatchEnv("tractor", 50, seed=1), BatchEnv("tractor", 50, seed=2)
    env.run(77)
    again.load(env.save())
    for table in (env, again):
        table.run(200)
    assert (env.observation == again.observation).all()
    saved = bytearray(env.save())
    saved[100] ^= 1
    with pytest.raises(ValueError, match="saved"):
        env.load(bytes(saved))


def test_a_setting_that_makes_no_sense_is_refused():
    opening = tractor.game().opening
    good = setting(tractor.game(), opening.dealer, opening.score)
    assert len(good.tobytes()) == EnvTractor.SETTING_BYTES

    def broken(field: str, value: int) -> bytes:
        out = good.copy()
        out[field] = value
        return out.tobytes()

    for field, value, why in (
        ("deck", 1 << 60, "a card that the deck does not have"),
        ("hand", 26, "not as many as are dealt"),
        ("kitty", 7, "not as many as are dealt"),
        ("dealer", 4, "the dealer is a seat"),
        ("ours", 15, "a level is 2..14"),
        ("house", 7 << 10, "multiplied"),
        ("house", 3 << 4, "no such comparison"),
        ("house", 1 << 20, "has no meaning"),
        ("step", 0, "no points"),
        ("stops", 1 << 15, "defended"),
        ("orders", 255, "suit"),
        ("packing", 255, "does not exist"),
    ):
        with pytest.raises(ValueError, match=f"setting: .*{why}"):
            EnvTractor(broken(field, value), 1, False)


def test_the_coding_and_the_kernel_have_the_same_size():
    for game, env in ((tractor.game(), EnvTractor), (tractor.small(), EnvTractorSmall)):
        for rows in (Rows(), Rows(1), FULL):
            encoding = encoding_of(game, rows)
            assert (len(encoding.actions), encoding.hidden_width) == (env.ACTIONS, env.HIDDEN)
            assert encoding.width == tables(encoding).width
