"""Made and set, what each pays, and that a hand ends exactly when it is decided."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from reference import texas42 as reference
from renege import Position, texas42
from renege.core.game import Standing
from renege.core.house_rules import read_rules
from renege.core.record import Record
from renege.games.texas42.contract import Hand42
from renege.games.texas42.rules import PRESETS, Rules
from renege.games.texas42.score import punished
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

# with trumps 5 and seat 0 declaring: what a side may have taken at the end, by tricks and points
OVER = "| 0: | 1: | 2: | 3: "


def ended(contract: str, points: str, tricks: str, **choices: str) -> Position:
    return texas42.position(f"{contract} {OVER} | points {points} | tricks {tricks}", read_rules(Rules(), choices))


def score(position: Position) -> tuple[int, int]:
    assert position.result is not None
    pays = position.result.score
    assert pays[:2] == pays[2:]
    return pays[0], pays[1]


# -- made or set


@pytest.mark.parametrize("bid", range(30, 42))
def test_a_bid_in_points_is_set_exactly_when_the_defenders_take_43_less_the_bid(bid: int):
    for against in range(43):
        lost = max(against - 35, min(1, against))  # a trick is worth a point at least
        result = ended(f"trump 5 bid {bid} by 0", f"{42 - against} {against} 0 0", f"{7 - lost} {lost} 0 0").result
        assert result is not None
        assert result.made == (against < 43 - bid)
        assert result.score[:2] == ((1, 0) if result.made else (0, 1))


@pytest.mark.parametrize(
    ("contract", "stake"),
    [
        ("trump 5 bid 1 mark by 0", 1),
        ("trump 5 bid 2 marks by 0", 2),
        ("follow-me bid 5 marks by 0", 5),
        ("trump 5 plunge 4 marks by 0", 4),
        ("trump 5 plunge 5 marks by 0", 5),
        ("trump 5 splash 2 marks by 0", 2),
        ("trump 5 splash 3 marks by 0", 3),
        ("sevens bid 1 mark by 0", 1),
        ("sevens bid 3 marks by 0", 3),
    ],
)
def test_a_bid_in_marks_needs_every_trick(contract: str, stake: int):
    assert score(ended(contract, "30 0 12 0", "5 0 2 0")) == (stake, 0)
    # 41 points are not enough, nor would 42 be with a trick lost: there is none without a point
    assert score(ended(contract, "41 1 0 0", "6 1 0 0")) == (0, stake)
    assert score(ended(contract, "0 41 1 0", "0 6 1 0")) == (0, stake)
    theirs = contract.replace("by 0", "by 1")
    assert score(ended(theirs, "0 30 0 12", "0 5 0 2")) == (0, stake)
    assert score(ended(theirs, "1 41 0 0", "1 6 0 0")) == (stake, 0)


@pytest.mark.parametrize("doubles", ["", " doubles high", " doubles low", " doubles own-inverted"])
@pytest.mark.parametrize("stake", [1, 2, 3])
def test_nello_is_made_by_taking_no_trick(doubles: str, stake: int):
    plural = "mark" if stake == 1 else "marks"
    contract = f"nello{doubles} bid {stake} {plural} by 0"
    lost = f"{contract} | 0: | 1: | 2: 6-6 6-5 6-4 6-3 6-2 6-1 6-0 | 3: | points 0 20 0 10 | tricks 0 4 0 3"
    assert score(texas42.position(lost)) == (stake, 0)
    won = f"{contract} | 0: 5-5 | 1: 5-4 | 2: 6-6 6-5 6-4 6-3 6-2 6-1 6-0 | 3: 5-3 | points 1 20 0 10 | tricks 1 4 0 1"
    assert score(texas42.position(won)) == (0, stake)


def test_the_result_says_who_made_what_and_what_it_pays():
    results = [
        (ended("trump 5 bid 31 by 1", "0 31 11 0", "0 5 2 0"), "31 by 1 made with 31 points, 0-1"),
        (ended("trump 5 bid 2 marks by 1", "0 31 11 0", "0 5 2 0"), "2 marks by 1 set with 31 points, 2-0"),
        (ended("trump 5 plunge 4 marks by 2", "30 0 12 0", "5 0 2 0"), "plunge by 2 made with 42 points, 4-0"),
        (ended("sevens by 2", "30 0 12 0", "5 0 2 0"), "sevens by 2 made with 42 points, 1-0"),
    ]
    for position, text in results:
        assert position.result is not None
        assert position.result.text == text


# -- what it pays


@pytest.mark.parametrize(
    ("contract", "points", "tricks", "choices", "pays"),
    [
        ("trump 5 bid 30 by 0 forced", "42 0 0 0", "7 0 0 0", {"forced_sweep": "two-marks"}, (2, 0)),
        ("trump 5 bid 30 by 0 forced", "20 0 22 0", "3 0 4 0", {"forced_sweep": "two-marks"}, (2, 0)),
        ("trump 5 bid 30 by 0 forced", "41 1 0 0", "6 1 0 0", {"forced_sweep": "two-marks"}, (1, 0)),
        ("trump 5 bid 30 by 0 forced", "42 0 0 0", "7 0 0 0", {}, (1, 0)),
        ("trump 5 bid 30 by 0", "42 0 0 0", "7 0 0 0", {"forced_sweep": "two-marks"}, (1, 0)),
        ("trump 5 bid 31 by 0 forced", "42 0 0 0", "7 0 0 0", {"forced_sweep": "two-marks"}, (1, 0)),
        ("trump 5 bid 30 by 0 forced", "0 42 0 0", "0 7 0 0", {"forced_sweep": "two-marks"}, (0, 1)),
        ("trump 5 bid 3 marks by 0 forced", "42 0 0 0", "7 0 0 0", {"forced_sweep": "two-marks"}, (3, 0)),
    ],
)
def test_a_forced_thirty_that_sweeps_may_earn_two_marks(contract, points, tricks, choices, pays):
    assert score(ended(contract, points, tricks, **choices)) == pays


@pytest.mark.parametrize(
    ("contract", "points", "tricks", "pays"),
    [
        # under 42: made, both sides score what they took; set, the defenders take theirs and the bid
        ("trump 5 bid 30 by 0", "30 12 0 0", "4 3 0 0", (30, 12)),
        ("trump 5 bid 30 by 0", "20 2 20 0", "3 1 3 0", (40, 2)),
        ("trump 5 bid 30 by 0", "42 0 0 0", "7 0 0 0", (42, 0)),
        ("trump 5 bid 35 by 1", "7 20 0 15", "2 3 0 2", (7, 35)),
        ("trump 5 bid 30 by 0", "29 13 0 0", "4 3 0 0", (0, 13 + 30)),
        ("trump 5 bid 41 by 0", "40 2 0 0", "6 1 0 0", (0, 2 + 41)),
        ("trump 5 bid 35 by 1", "42 0 0 0", "7 0 0 0", (42 + 35, 0)),
        ("follow-me bid 30 by 3", "10 0 3 29", "2 0 1 4", (13 + 30, 0)),
        # marks pay only the bid, made or set
        ("trump 5 bid 1 mark by 0", "42 0 0 0", "7 0 0 0", (42, 0)),
        ("trump 5 bid 1 mark by 0", "41 1 0 0", "6 1 0 0", (0, 42)),
        ("trump 5 bid 2 marks by 1", "0 42 0 0", "0 7 0 0", (0, 84)),
        ("trump 5 bid 2 marks by 1", "11 31 0 0", "2 5 0 0", (84, 0)),
        ("trump 5 plunge 4 marks by 0", "42 0 0 0", "7 0 0 0", (168, 0)),
        ("sevens bid 1 mark by 0", "5 37 0 0", "1 6 0 0", (0, 42)),
    ],
)
def test_a_points_game_pays_points(contract, points, tricks, pays):
    assert score(ended(contract, points, tricks, scoring="points", target="250", early_end="play-on")) == pays


def test_a_nello_in_a_points_game_pays_its_bid():
    text = "nello bid 2 marks by 0 | 0: | 1: | 2: ?7 | 3: | points 0 20 0 10 | tricks 0 4 0 3"
    assert score(texas42.position(text, PRESETS["points-250"])) == (84, 0)


@pytest.mark.parametrize(
    ("choices", "scores", "winner"),
    [
        ({}, (7, 0), 0),
        ({}, (6, 0), None),
        ({}, (6, 8), 1),
        ({"target": "5"}, (5, 4), 0),
        ({"win_by": "two"}, (7, 6), None),
        ({"win_by": "two"}, (8, 6), 0),
        ({"win_by": "two"}, (9, 10), None),
        ({"win_by": "two"}, (9, 11), 1),
        ({"scoring": "points", "target": "250"}, (251, 255), 1),
        ({"scoring": "points", "target": "250"}, (255, 255), None),
    ],
)
def test_the_side_that_reaches_the_target_far_enough_ahead_wins(choices, scores, winner):
    game = texas42.game(read_rules(Rules(), choices))
    assert game.winner(game.rules, Standing(2, scores)) == winner


def test_the_score_is_carried_on_and_the_shake_passes_to_the_left():
    end = replace(ended("trump 5 plunge 4 marks by 1", "0 42 0 0", "0 7 0 0"), standing=Standing(3, (2, 3)))
    assert end.game.advance(end, end.result) == Standing(0, (2, 7))


# -- the end comes exactly when the hand is decided


def outcomes(position: Position) -> set[tuple[bool, int]]:
    """Every result still open, made and stake, whoever wins each trick to come and whichever tiles fall in it."""
    contract = position.contract
    assert isinstance(contract, Hand42)
    left = 7 - position.tricks_played
    counters = {tile for tile in reference.TILES if reference.count(tile)}
    held = [reference.TILES[card] for seat in position.active for card in position.hands[seat]]  # type: ignore[union-attr]
    worth = [reference.count(tile) for tile in held if tile in counters]
    rules = position.game.rules
    found: set[tuple[bool, int]] = set()
    side = contract.declarer % 2
    for winners in product((0, 1), repeat=left):
        for takers in product(sorted(set(winners)), repeat=len(worth) if left else 0):
            points = [sum(position.points[s::2]) for s in (0, 1)]
            tricks = [sum(position.tricks[s::2]) for s in (0, 1)]
            for winner in winners:
                points[winner] += 1
                tricks[winner] += 1
            for taker, value in zip(takers, worth, strict=False):
                points[taker] += value
            made = _made(contract, points, tricks)
            swept = contract.forced and contract.bid.points == 30 and tricks[side] == 7
            stake = contract.bid.marks or (2 if swept and rules.forced_sweep.value == "two-marks" else 1)
            found.add((made, stake))
    return found


def _made(contract: Hand42, points: list[int], tricks: list[int]) -> bool:
    side = contract.declarer % 2
    if contract.kind.value == "nello":
        return tricks[side] == 0
    if contract.bid.points:
        return points[side] >= contract.bid.points
    return tricks[side] == 7


def lead_positions(record: Record) -> Iterator[Position]:
    for position in record.positions():
        if position.trick is not None and not position.trick.plays:
            yield position


@pytest.mark.parametrize("contract", CONTRACTS, ids=" ".join)
def test_a_hand_ends_exactly_when_no_remaining_trick_can_change_it(contract: tuple[str, str]):
    game = texas42.game()
    for number in range(2 * SOAK):
        record = play_out(game, next(deals_for(contract[0], game, 31 * number)), steer(*contract))
        for position in lead_positions(record):
            if (
                position.tricks_played >= 2 or position.over
            ):  # before that the enumeration is long and nothing is decided
                assert position.over == (len(outcomes(position)) == 1), position
        assert record.position.result is not None
        assert {record.position.result.made} == {made for made, _ in outcomes(record.position)}


def test_a_forced_thirty_that_may_still_sweep_for_two_marks_is_not_decided():
    rules = read_rules(Rules(), {"all_pass": "force-30", "forced_sweep": "two-marks"})
    hands = "0: 5-3 5-4 | 1: 6-6 6-5 | 2: 4-4 3-3 | 3: 6-2 2-2"
    text = f"trump 5 bid 30 by 0 forced | {hands} | points 40 0 0 0 | tricks 5 0 0 0"
    position = texas42.position(text, rules)
    assert len(outcomes(position)) == 2
    assert not position.over
    # with a trick lost there is nothing left to play for
    lost = text.replace("40 0 0 0", "39 1 0 0").replace("5 0 0 0", "4 1 0 0")
    assert texas42.position(lost, rules).over
    # and where a sweep earns no more, thirty points end it
    assert texas42.position(text, read_rules(Rules(), {"all_pass": "force-30"})).over


@pytest.mark.parametrize("contract", CONTRACTS[::3], ids=" ".join)
def test_a_table_that_plays_on_comes_to_the_same_result(contract: tuple[str, str]):
    on = texas42.game(read_rules(Rules(), {"early_end": "play-on"}))
    for number in range(2 * SOAK):
        seed = next(deals_for(contract[0], on, 17 * number))
        record = play_out(on, seed, steer(*contract))
        assert record.position.tricks_played == 7
        stopping = texas42.game()
        position = play_out(stopping, seed, steer(*contract)).position
        assert position.result is not None
        assert record.position.result is not None
        assert position.result.score == record.position.result.score
        assert position.result.made == record.position.result.made


def test_a_points_game_plays_bids_in_points_to_the_last_tile_and_stops_those_in_marks():
    game = texas42.game(read_rules(Rules(), {"scoring": "points", "target": "250"}))
    for seed in range(3):
        assert sum(play_out(game, seed, steer("30", "trump 5")).position.tricks) == 7
    rng = random.Random(0)
    lengths = {sum(play_out(game, rng.randrange(999), steer("1 mark", "trump 5")).position.tricks) for _ in range(5)}
    assert min(lengths) < 7


def paid(position: Position, offender: int) -> tuple[int, ...]:
    result = punished(position, offender)
    assert result is not None
    return result.score


def ahead(position: Position) -> int:
    assert position.trick is not None
    return position.trick.winner


def test_a_renege_in_the_points_game_gives_the_innocent_side_every_point():
    points = read_rules(Rules(), {"scoring": "points", "target": "250", "early_end": "play-on"})
    at_stake = texas42.position("trump 5 bid 31 by 0 | points 20 3 0 0 | tricks 2 1 0 0 | hand 6-6 6-5 3-1 0-0", points)
    assert paid(at_stake, 0) == (0, 73, 0, 73)
    assert paid(at_stake, 2) == (0, 73, 0, 73)
    assert paid(at_stake, 1) == (42, 0, 42, 0)


def test_two_marks_for_a_renege_are_paid_in_a_game_for_marks_alone():
    text = "trump 5 bid 31 by 0 | points 20 3 0 0 | tricks 2 1 0 0 | hand 6-6 6-5 3-1 0-0"
    marks = read_rules(Rules(), {"renege_penalty": "two-marks"})
    assert paid(texas42.position(text, marks), 1) == (2, 0, 2, 0)
    points = read_rules(Rules(), {"renege_penalty": "two-marks", "scoring": "points", "target": "250"})
    assert paid(texas42.position(text, points), 1) == (42, 0, 42, 0)


def test_a_tie_in_sevens_goes_to_the_declarers_and_not_from_them():
    declarers = read_rules(Rules(), {"sevens_tie": "declarers"})
    for led, follows, leader in [("6-1", "5-2", 0), ("5-2", "6-1", 1)]:
        position = texas42.position(f"sevens by 0 | led {led} | hand {follows} | {leader} leads", declarers)
        assert ahead(position.play(follows)) % 2 == 0
        position = texas42.position(f"sevens by 0 | led {led} | hand {follows} | {leader} leads")
        assert ahead(position.play(follows)) == leader
