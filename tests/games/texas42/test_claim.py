"""Does a laydown hold? The kernel's search against a brute force over every legal line."""

import os
import random

import numpy as np
import pytest

from renege import texas42
from renege.core.arbiter import Arbiter
from renege.core.position import Position, begin
from renege.core.record import new_record
from renege.core.verdict import Ruling, WrongPhase
from renege.games.texas42.claim import claim
from renege.games.texas42.contract import Hand42, Kind, read_contract
from renege.games.texas42.rules import EarlyEnd, Rules
from renege.native import cards as native

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
GAME = texas42.game(Rules(early_end=EarlyEnd.PLAY_ON))


def holds(position: Position, seat: int, takers: set[int]) -> bool:
    """The words of the rule: the claimer has a play, or whatever the others play, all tricks fall to the takers."""
    if position.over:
        return True
    outcomes = (_after(position, play, seat, takers) for play in position.legal_plays)
    return any(outcomes) if position.turn == seat else all(outcomes)


def _after(position: Position, play, seat: int, takers: set[int]) -> bool:
    after = position.put(play)
    assert after.trick is not None
    lost = after.tricks_played > position.tricks_played and after.trick.leader not in takers
    return not lost and holds(after, seat, takers)


def claims_in(position: Position) -> list[tuple[int, set[int]]]:
    contract = position.contract
    assert isinstance(contract, Hand42)
    if contract.kind is Kind.NELLO:
        return [(contract.declarer, {(contract.declarer + 1) % 4, (contract.declarer + 3) % 4})]
    return [(seat, {seat, (seat + 2) % 4}) for seat in range(4)]


def test_claims_late_in_random_deals_agree_with_brute_force() -> None:
    good = bad = 0
    for seed in range(60 * SOAK):
        position, rng = new_record(GAME, seed).position, random.Random(seed)
        while not position.over:
            if position.contract and position.tricks_played >= 4:
                for seat, takers in claims_in(position):
                    verdict, line = claim(position, seat)
                    expected = holds(position, seat, takers)
                    assert bool(verdict) is expected, (str(position), seat)
                    check_line(position, line, takers, expected)
                    good, bad = good + expected, bad + (not expected)
            acts = position.legal_calls if position.talking else list(position.legal_plays)
            position = position.act(rng.choice(acts))
    assert good > 100
    assert bad > 100


def check_line(position: Position, line, takers: set[int], good: bool) -> None:
    """A good claim is played out to the end, a bad one to the trick that spoils it; every play legal."""
    lost = False
    for act in line:
        assert not lost
        after = position.play(act.what)
        assert after.trick is not None
        lost = after.tricks_played > position.tricks_played and after.trick.leader not in takers
        position = after
    assert lost is not good
    assert position.over or lost


def test_a_claim_without_the_other_hands_is_pending() -> None:
    verdict, line = claim(texas42.position("trump 6 | hand 6-6 6-5 6-4"), 0)
    assert verdict.ruling is Ruling.PENDING
    assert not line


def test_a_refused_claim_says_how_it_is_spoiled() -> None:
    text = "trump 6 | 0: 6-6 6-5 5-4 | 1: 6-4 5-5 1-1 | 2: 4-4 3-3 2-2 | 3: 5-3 2-1 0-0"
    verdict, line = claim(texas42.position(text), 0)
    assert verdict.legal is False
    assert verdict.rule is not None
    assert verdict.rule.id == "texas42.claim"
    assert not any(name in verdict.why for name in texas42.DECK.names)  # all seats hear it
    assert str(line[-4].what) == "5-4"


def test_a_partner_may_spoil_a_claim_too() -> None:
    # Seat 2 is on lead and may lead the ace, which seat 1 can beat; a trump in seat 0 makes up for it.
    text = "trump 6 | 0: {} 5-5 | 1: 1-1 0-0 | 2: 4-4 1-0 | 3: 3-3 2-2 | 2 leads"
    assert claim(texas42.position(text.format("6-6")), 0)[0]
    assert claim(texas42.position(text.format("3-1")), 0)[0].legal is False


def test_nothing_is_claimed_in_the_auction_or_by_a_seat_that_sits_out() -> None:
    with pytest.raises(WrongPhase):
        claim(texas42.position("dealer 3"), 0)
    with pytest.raises(WrongPhase):
        claim(texas42.position("nello bid 1 mark by 0 | hand 0-0"), 2)
    with pytest.raises(WrongPhase):
        claim(texas42.position("nello bid 1 mark by 0 | hand 0-0"), 1)


def test_the_arbiter_plays_a_good_claim_out_and_leaves_a_bad_one() -> None:
    outcomes: set[bool] = set()
    for seed in range(300):
        table, rng = Arbiter(GAME, seed), random.Random(seed)
        while (seat := table.position.turn) is not None and table.position.tricks_played < 5:
            position = table.position
            acts = position.legal_calls if position.talking else list(position.legal_plays)
            table.act(seat, rng.choice(acts))
        if not isinstance(table.position.contract, Hand42):
            continue
        before, seat = table.record, table.position.turn
        if seat is None or seat not in [claimer for claimer, _ in claims_in(table.position)]:
            continue
        verdict = table.claim(seat)
        outcomes.add(bool(verdict))
        assert table.position.over is bool(verdict)
        assert (table.record == before) is not bool(verdict)
        assert list(table.record.replay())[-1] == table.position
    assert outcomes == {True, False}


def test_a_claim_is_checked_to_the_last_trick_also_where_the_table_would_stop() -> None:
    text = (
        "trump 3 bid 30 by 3 | 0: 6-5 4-4 | 1: 5-0 4-1 | 2: 6-4 5-5 | 3: 4-2 3-1 | 1 leads"
        " | points 0 2 0 8 | tricks 0 2 0 3"
    )
    stopping, to_the_end = texas42.position(text), texas42.position(text, Rules(early_end=EarlyEnd.PLAY_ON))
    for seat in range(4):
        assert claim(stopping, seat)[0] == claim(to_the_end, seat)[0]


@pytest.mark.parametrize(
    ("contract", "hands", "leader", "takers"),
    [
        ("trump 1 bid 30 by 0", [4720673, 16818434, 67256464, 168825344], 0, {0, 2}),
        ("nello bid 1 mark by 0", [82068, 88080960, 0, 42237953], 1, {1, 3}),
    ],
)
def test_what_was_found_out_once_is_kept_apart_by_leader_and_answer(contract, hands, leader, takers) -> None:
    """Two claims that look good to a search that mixes up what it has already found out."""
    cards = tuple(texas42.DECK.of(mask) for mask in hands)
    position = begin(GAME, read_contract(GAME.rules, contract), cards, leader)
    assert not claim(position, 0)[0]
    assert not holds(position, 0, takers)


def test_a_claim_takes_no_more_plays_than_it_is_given() -> None:
    """Sevens with free plays, which no contract has: some of these claims would take minutes."""
    tables, rng = native.tables(texas42.order("sevens")), random.Random(5)
    for _ in range(20):
        tiles = rng.sample(range(28), 28)
        hands = [sum(1 << tile for tile in tiles[7 * seat : 7 * seat + 7]) for seat in range(4)]
        row = native.state(hands, 0, duty=native.Duty.FOLLOW_SUIT)[None], np.array([0], np.uint8)
        assert native.claims(tables, *row, np.array([0b1111], np.uint8), most_plays=0).all()  # nobody can take a trick
        with pytest.raises(native.ClaimLeftOpen, match="row 0: 3 plays were tried"):
            native.claims(tables, *row, np.array([0b0101], np.uint8), most_plays=3)


def test_a_claim_that_is_too_much_work_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_: object) -> None:
        raise native.ClaimLeftOpen

    monkeypatch.setattr(native, "claims", too_much)
    verdict, line = claim(texas42.position("trump 6 | 0: 6-6 | 1: 6-4 | 2: 4-4 | 3: 5-3"), 0)
    assert (verdict.ruling, line) == (Ruling.PENDING, ())


def test_a_claim_is_made_in_turn() -> None:
    table = Arbiter(GAME, 7)
    for call in ("30", "pass", "pass", "31", "trump 5"):
        table.act(table.position.turn or 0, call)
    with pytest.raises(WrongPhase, match="out of turn"):
        table.claim(1)
