"""Is every play weighed as a plain minimax over what the hand pays would have it, in every world?"""

import math
import random
import time
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from renege import texas42
from renege.agents import Rulebook, Searcher
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.notation import parse_cards
from renege.core.position import Position, View, deal_position
from renege.core.record import Record
from renege.core.world import World
from renege.games.strategy import strategy_of
from renege.games.texas42.bidders import finished, likely, losers
from renege.games.texas42.contract import read_contract
from renege.games.texas42.declare import Auction
from renege.games.texas42.openings import count_hand
from renege.games.texas42.rulebook import USUAL, limit_of
from renege.games.texas42.rules import (
    AllPass,
    DoublesTrump,
    EarlyEnd,
    ForcedSweep,
    Nello,
    Plunge,
    Rules,
    Scoring,
    Sevens,
    SevensTie,
)
from renege.games.texas42.search import _Stakes
from renege.search import weigh
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer


def minimax(position: Position, seat: int) -> float:
    """What the side of a seat wins more than the other, with best play by both from here on."""
    if position.over:
        result = position.result
        assert result is not None
        return result.score[seat] - result.score[(seat + 1) % 4]
    assert position.turn is not None
    values = [minimax(position.play(play), seat) for play in position.legal_plays if play.suit is None]
    return max(values) if position.turn % 2 == seat % 2 else min(values)


def late(record: Record, left: int, rng: random.Random) -> Record | None:
    """The record up to a random moment when the hands have so many tiles or fewer; None if it never gets there."""
    places = [
        place
        for place, position in enumerate(record.positions())
        if not position.talking and not position.over and position.turn is not None and len(position.hand) <= left
    ]
    return replace(record, acts=record.acts[: rng.choice(places)]) if places else None


def worlds_of(view: View, n: int) -> list[World]:
    return Belief(view).draw(n, seed=5)


def weighed(view: View, worlds: list[World], until: float = math.inf) -> tuple[list[str], np.ndarray]:
    search = strategy_of(view.game).search
    assert search is not None
    options = search.options(view)
    return [str(option) for option in options], search.weigh(view, worlds, options, until).paid


def check_against_minimax(game: Game, bid: str, declared: str, enough: int) -> None:
    rng = random.Random(f"{bid} {declared}")
    seen = 0
    for seed in islice(deals_for(bid, game), 400 * SOAK):
        if seen >= enough:
            break
        cut = late(play_out(game, seed, steer(bid, declared)), 3, rng)
        if cut is None:
            continue
        seat = cut.position.turn
        assert seat is not None
        view = cut.view(seat)
        worlds = worlds_of(view, 3)
        names, paid = weighed(view, worlds)
        for row, world in zip(paid, worlds, strict=True):
            there = replace(view.position, hands=world.hands)
            wanted = [minimax(there.play(name), seat) for name in names]
            assert np.abs(row - wanted).max() <= 1e-9, (str(view), names, row, wanted)
            seen += len(names) > 1
    assert seen >= enough


@pytest.mark.parametrize(("bid", "declared"), CONTRACTS)
def test_a_play_is_worth_what_the_hand_pays(bid: str, declared: str):
    check_against_minimax(texas42.game(), bid, declared, 9 * SOAK)


@pytest.mark.parametrize("bid", ["30", "34", "2 marks"])
@pytest.mark.parametrize("rules", [Rules(scoring=Scoring.POINTS), Rules(forced_sweep=ForcedSweep.TWO_MARKS)])
def test_it_is_paid_as_the_table_scores(rules: Rules, bid: str):
    check_against_minimax(texas42.game(rules), bid, "trump 5", 6 * SOAK)


def test_a_forced_thirty_that_sweeps_is_worth_two_marks():
    rules = Rules(all_pass=AllPass.FORCE_30, forced_sweep=ForcedSweep.TWO_MARKS)
    contract = read_contract(rules, "trump 5 bid 30 by 0 forced")
    for seat, paid in ((0, [2.0, 1.0]), (1, [-2.0, -1.0])):
        assert _Stakes(rules, contract, seat, taken=40).pays(np.array([2, 1], np.int16)).tolist() == paid


def test_worlds_that_were_not_reached_in_time_are_left_open():
    record = play_out(texas42.game(), 7, steer("30", "trump 5"))
    view = replace(record, acts=record.acts[:5]).view(record.acts[5].seat)
    worlds = worlds_of(view, 4)
    _, paid = weighed(view, worlds, until=time.perf_counter() - 1)
    assert np.isnan(paid).any(axis=1).tolist() == np.isnan(paid).all(axis=1).tolist()
    assert np.isnan(paid).any()
    assert not np.isnan(weighed(view, worlds)[1]).any()


def test_every_call_of_a_hand_is_weighed():
    game = texas42.game()
    for seed in range(6):
        table = Arbiter(game, seed)
        while table.position.talking:
            seat = table.position.turn
            assert seat is not None
            view = table.view(seat)
            names, paid = weighed(view, worlds_of(view, 2))
            assert paid.shape == (2, len(names)) and not np.isnan(paid).any()
            assert set(names) <= set(view.legal_calls)
            assert table.act(seat, names[-1] if len(view.acts) == 2 else names[0])


def test_a_bid_that_open_hands_always_make_is_worth_more_than_one_they_never_make():
    strong = start_with("6-6 5-5 6-5 6-4 6-3 6-2 6-1")
    names, paid = weighed(strong, worlds_of(strong, 6))
    mean = dict(zip(names, paid.mean(axis=0), strict=True))
    assert mean["2 marks"] > mean["1 mark"] >= mean["30"] > mean["pass"]
    weak = start_with("4-0 3-0 2-1 5-2 4-3 6-2 6-3")
    names, paid = weighed(weak, worlds_of(weak, 6))
    mean = dict(zip(names, paid.mean(axis=0), strict=True))
    assert mean["pass"] > mean["30"]


def test_nello_that_is_already_lost_stays_lost_where_it_is_played_on():
    check_against_minimax(texas42.game(Rules(early_end=EarlyEnd.PLAY_ON)), "1 mark", "nello", 20 * SOAK)


def test_hands_for_nello_and_plunges_are_bid_by_the_rulebook():
    search = strategy_of(texas42.game()).search
    assert search is not None
    assert search.options(start_with("6-6 6-0 5-5 4-4 3-3 2-2 0-0")) == ("plunge",)
    assert search.options(start_with("1-0 2-0 2-1 3-0 3-1 4-0 0-0")) == ("1 mark",)


def test_a_points_table_bids_for_points():
    view = start_with("6-6 5-5 6-5 6-4 6-3 6-2 6-1", Rules(scoring=Scoring.POINTS))
    names, paid = weighed(view, worlds_of(view, 4))
    assert dict(zip(names, paid.mean(axis=0), strict=True))["30"] > 10


@pytest.mark.parametrize("seed", [57, 146])
def test_what_the_kernel_does_not_play_is_not_weighed(seed: int):
    game = texas42.game(Rules(sevens_tie=SevensTie.DECLARERS, all_pass=AllPass.FORCE_MARK))
    table, agent, rng = Arbiter(game, seed), Searcher(worlds=2), random.Random(seed)
    while (seat := table.position.turn) is not None:
        assert table.act(seat, agent.choose(table.view(seat), rng).what)


def start_with(tiles: str, rules: Rules | None = None) -> View:
    """The first bidder's view with this hand."""
    game = texas42.game(rules)
    mine = parse_cards(game.deck, tiles)
    rest = sorted(game.deck.all - mine)
    hands = [mine] + [game.deck.of(sum(1 << card for card in rest[i::3])) for i in range(3)]
    return Record(deal_position(game, game.opening, tuple(hands))).view(0)


def auction(hand: str, *bids: str) -> View:
    """The view of the seat that is to bid next, after these bids; the shaker is seat 3."""
    game, seat = texas42.game(), len(bids)
    mine = parse_cards(game.deck, hand)
    hands = tuple(mine if other == seat else game.deck.hidden(7) for other in range(4))
    start = replace(Arbiter(game, 1, Standing(3, (0, 0))).record.start, hands=hands)
    return View(start, tuple(Act(i, bid) for i, bid in enumerate(bids)), seat)


def test_many_hands_have_the_losers_that_the_rulebook_counts():
    rng = random.Random(5)
    hands = [sum(1 << tile for tile in rng.sample(range(28), 7)) for _ in range(60 * SOAK)]
    for ranked in DoublesTrump:
        found = losers(np.array(hands, np.uint64), ranked)
        for row, hand in zip(found, hands, strict=True):
            wanted = [count_hand(hand, name, None, ranked).losers for name in USUAL]
            assert np.abs(row - wanted).max() < 1e-9


def test_an_auction_is_finished_as_the_rulebook_bids():
    game, agent, seen = texas42.game(Rules(nello=Nello.OFF, sevens=Sevens.OFF, plunge=Plunge.OFF)), Rulebook(), 0
    for seed in range(60 * SOAK):
        table = Arbiter(game, seed, Standing(seed % 4, (0, 0)))
        talk = table.position.talk
        hands = np.array([hand.at_least(1) for hand in game.deal(seed)[0]], np.uint64)
        limits = [limit_of(fewest) for fewest in losers(hands).min(axis=1).tolist()]
        assert isinstance(talk, Auction)
        around = [(seed + i) % 4 for i in range(1, 5)]
        ends = [finished(talk, tuple(limits[seat] for seat in around))]
        for number, seat in enumerate(around):
            said = agent.choose(table.view(seat), random.Random(0)).what
            talk = talk.after(str(said))
            ends.append(finished(talk, tuple(limits[seat] for seat in around[number + 1 :])))
            assert table.act(seat, said)
        assert all(end == talk for end in ends)
        seen += talk.high is not None
    assert seen > 20


def test_bids_make_worlds_likely_in_which_they_would_be_made():
    view = auction("6-5 5-2 4-1 4-0 2-1 2-0 0-0", "31", "32")
    judge = likely(view)
    assert judge is not None and likely(auction("6-5 5-2 4-1 4-0 2-1 2-0 0-0")) is None
    worlds = Belief(view).supply(3)(2000)
    weights, hands = judge(worlds), worlds.piles[:, :, 0]
    for seat in (0, 1):
        fewest = losers(hands[:, seat]).min(axis=1)
        assert np.average(fewest, weights=weights) < fewest.mean() - 0.5
    fewest = losers(hands[:, 3]).min(axis=1)  # has said nothing yet, and gets what is left
    assert np.average(fewest, weights=weights) > fewest.mean()


@pytest.mark.parametrize("seed", range(4 * SOAK))
def test_it_does_not_bid_on_nothing_after_the_partner_and_an_opponent_have_bid(seed: int):
    """It once bid 36 here, and took one point."""
    found = weigh(auction("6-5 5-2 4-1 4-0 2-1 2-0 0-0", "31", "32"), worlds=30, seed=seed)
    assert found.best.option == "pass"
    mean = {str(one.option): one.mean for one in found.estimates}
    assert mean["pass"] > mean["36"] + 0.2


@pytest.mark.parametrize("hand", ["6-6 6-4 6-2 6-0 5-4 3-2 0-0", "5-5 5-4 4-3 3-3 3-0 1-1 1-0"])
def test_it_does_not_jump_where_a_lower_bid_would_do(hand: str):
    found = weigh(auction(hand), worlds=20, seed=1)
    assert found.best.option in ("30", "31")
