"""The rules of thumb: always legal, the same from the same view, and better than chance."""

import random
from dataclasses import fields, replace
from enum import Enum

import pytest

from renege import texas42
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import View, deal_position
from renege.core.record import Record
from renege.core.trick import Play
from renege.games.strategy import strategy_of
from renege.games.texas42.contract import Hand42
from renege.games.texas42.rules import AllPass, Nello, NelloExchange, Rules
from support.steering import CONTRACTS, SOAK, deals_for, steer


def rulebook(view: View) -> str | Play:
    policy = strategy_of(view.game).policy
    assert policy is not None
    return policy(view).what


def at_random(view: View, rng: random.Random) -> str | Play:
    return rng.choice(view.legal_calls) if view.position.talking else view.legal_plays.choose(rng)


def play_hand(game: Game, seed: int, clever: set[int]) -> Record:
    """A hand in which these seats play by the rulebook and the others at random."""
    table, rng = Arbiter(game, seed), random.Random(seed)
    while (seat := table.position.turn) is not None:
        view = table.view(seat)
        verdict = table.act(seat, rulebook(view) if seat in clever else at_random(view, rng))
        assert verdict, verdict
    return table.record


def any_rules(rng: random.Random) -> Rules:
    chosen = Rules()
    for field in fields(Rules):
        default = getattr(chosen, field.name)
        if isinstance(default, Enum):
            choices = list(type(default))
            chosen = replace(chosen, **{field.name: rng.choice(choices)})
    return chosen


@pytest.mark.parametrize("seed", range(60 * SOAK))
def test_it_is_always_legal_under_any_house_rules(seed: int):
    rng = random.Random(seed)
    play_hand(texas42.game(any_rules(rng)), seed, set(rng.sample(range(4), 2)))


@pytest.mark.parametrize(("bid", "declared"), CONTRACTS)
def test_it_plays_every_contract_legally(bid: str, declared: str):
    game, choose = texas42.game(), steer(bid, declared)
    table, rng = Arbiter(game, seed := next(deals_for(bid))), random.Random(0)
    while (seat := table.position.turn) is not None:
        talking = table.position.talking
        act = choose(table.position, rng) if talking else rulebook(table.view(seat))
        assert table.act(seat, act), f"seed {seed}"


def test_it_plays_the_nello_exchange_and_forced_nello():
    rules = Rules(all_pass=AllPass.FORCE_NELLO, nello=Nello.TWO_MARKS, nello_exchange=NelloExchange.ONE_TILE)
    table = Arbiter(texas42.game(rules), 1)
    for seat in range(3):
        assert table.act(seat, "pass")
    said = [str(act.what).split()[0] for act in finish(table).acts if isinstance(act.what, str)]
    assert said[3:] == ["2", "nello", "give", "give"]


def finish(table: Arbiter) -> Record:
    while (seat := table.position.turn) is not None:
        assert table.act(seat, rulebook(table.view(seat)))
    return table.record


def test_the_same_view_gets_the_same_answer_again():
    for seed in range(20 * SOAK):
        record = play_hand(texas42.game(), seed, {0, 1, 2, 3})
        for length in range(len(record.acts)):
            before = replace(record, acts=record.acts[:length])
            seat = before.position.turn
            assert seat is not None
            assert rulebook(before.view(seat)) == record.acts[length].what


def test_it_beats_chance_by_far():
    clever = chance = 0
    for seed in range(120):  # each deal twice, with the sides changed
        side = seed % 2
        result = play_hand(texas42.game(), seed // 2, {side, side + 2}).position.result
        if result is not None:
            clever += result.score[side]
            chance += result.score[1 - side]
    assert clever > 5 * chance


def hands_with(first: str) -> tuple[Cards, ...]:
    """A deal in which seat 0 holds these tiles and the others what is left, in order."""
    deck = texas42.DECK
    mine = deck.cards(deck.spellings[name] for name in first.split())
    rest = list(deck.all - mine)
    return (mine, *(deck.cards(rest[i : i + 7]) for i in (0, 7, 14)))


@pytest.mark.parametrize(
    ("hand", "bid", "declared"),
    [
        ("5-5 6-5 5-4 5-3 6-6 4-4 3-3", "2 marks", "trump 5"),
        ("4-4 6-4 5-4 4-0 6-6 3-3 2-1", "36", "trump 4"),
        ("6-1 6-0 5-0 5-1 4-1 4-0 3-1", "pass", None),
        ("6-1 5-2 4-3 6-2 5-3 4-2 6-0", "1 mark", "sevens"),
        ("6-0 5-0 4-0 3-0 2-0 1-0 0-0", "1 mark", "nello"),
        ("6-4 5-2 4-1 3-2 6-1 2-0 1-1", "pass", None),
    ],
)
def test_it_bids_a_strong_hand_and_passes_a_weak_one(hand: str, bid: str, declared: str | None):
    game = texas42.game()
    record = Record(deal_position(game, game.opening, hands_with(hand)))
    assert rulebook(record.view(0)) == bid
    if declared is not None:
        for seat, said in enumerate([bid, "pass", "pass", "pass"]):
            record = record.with_act(Act(seat, said))
        assert rulebook(record.view(0)) == declared


@pytest.mark.parametrize(
    ("position", "play"),
    [
        # pulls trumps from the top
        ("trump 5 by 0 | 0: 5-5 6-5 3-1 | 0 leads", "5-5"),
        # throws count to the partner's double
        ("trump 6 by 0 | led 5-5, 5-4 | 0: 5-0 5-1 3-1 | 2 leads", "5-0"),
        # takes an opponent's trick as the last to play, and no more dearly than it must
        ("trump 6 by 0 | led 4-3, 4-2, 4-0 | 0: 5-4 4-4 3-1 | 1 leads", "5-4"),
        # gives no count to opponents who will win
        ("trump 6 by 0 | led 5-5, 5-4, 5-3 | 0: 5-0 5-1 3-1 | 1 leads", "5-1"),
        # in nello, as high as it can without taking the trick
        ("nello bid 1 mark by 0 | led 6-5, 6-4 | 0: 6-3 6-0 1-0 | 1 leads", "6-3"),
    ],
)
def test_it_plays_as_a_table_would_advise(position: str, play: str):
    view = View(texas42.position(position), (), 0)
    assert str(rulebook(view)) == play


def test_contracts_it_chooses_are_made_more_often_than_not():
    results = [play_hand(texas42.game(), seed, {0, 1, 2, 3}).position for seed in range(150)]
    made = [p.result.made for p in results if isinstance(p.contract, Hand42) and p.result is not None]
    assert len(made) > 100
    assert sum(map(bool, made)) / len(made) > 0.55
