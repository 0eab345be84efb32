"""Whole deals with two to four packs: the talk, the kitty, plays of bots, records, scores, and what is not offered."""

import json
import random
from dataclasses import replace

import pytest

from renege.ask.serve import reply
from renege.core.arbiter import Arbiter
from renege.core.cards import known_cards
from renege.core.game import Game, Standing
from renege.core.judge import judge
from renege.core.notation import NotationError
from renege.core.position import Position, View
from renege.core.registry import parse_record
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.games import tractor
from renege.games.strategy import policy_of
from renege.games.testing import check_game
from renege.games.tractor.declare import Drawing
from renege.games.tractor.rules import Rules
from renege.games.tractor.score import enough, step_of, steps_up
from support.steering import SOAK

PACKS = [2, 3, 4]
DEALS = 5 if SOAK == 1 else 10 * SOAK  # 1,000 each under soak


@pytest.mark.parametrize("packs", PACKS)
@pytest.mark.parametrize("family", ["graded", "first-format"])
def test_what_must_hold_of_any_game(packs: int, family: str):
    """Throws that fall are refused here: else large ones are led, and every answer of a void hand is listed."""
    game = tractor.game(packs=packs, duty_family=family, stopped_throw="refused")
    assert check_game(game, deals=SOAK, seed=packs).acts > 50


def glimpse(position: Position, seat: int) -> View:
    """What a seat sees of a deal, as one position."""
    hidden = position.game.deck.hidden
    hands = tuple(hand if i == seat else hidden(len(hand)) for i, hand in enumerate(position.hands))
    mine = position.contract is not None and position.contract.declarer == seat
    kitty = position.kitty if mine else hidden(len(position.kitty))
    return View(replace(position, hands=hands, kitty=kitty), (), seat)


def played(game: Game, seed: int, clever: frozenset[int]) -> Arbiter:
    """A deal in which these seats play by the rulebook and the others at random; nothing is refused."""
    table, rng = (
        Arbiter(game, seed, Standing(seed % 4, (2 + seed % 13, 2 + seed // 13 % 13, seed % 2))),
        random.Random(seed),
    )
    while (seat := table.position.turn) is not None:
        position = table.position
        if seat in clever and not (isinstance(position.talk, Drawing) and position.talk.on_kitty):
            what = policy_of(game)(glimpse(position, seat)).what
        else:
            what = rng.choice(position.legal_calls) if position.talking else position.legal_plays.choose(rng)
        verdict = table.act(seat, what)
        assert verdict, f"seed {seed}, {position}: {verdict}"
    return table


@pytest.mark.parametrize("packs", PACKS)
@pytest.mark.parametrize("clever", [frozenset[int](), frozenset({0, 1, 2, 3})], ids=["random", "rulebook"])
def test_whole_deals_are_played_without_a_refusal(packs: int, clever: frozenset[int]):
    game = tractor.game(packs=packs)
    for seed in range(DEALS):
        table = played(game, seed, clever)
        position = table.position
        assert not any(map(len, position.hands)) and position.result is not None
        assert position.order is not None
        left = position.order.worth(known_cards(position.kitty))
        assert position.order.worth(game.deck.all) == game.rules.points == sum(position.points) + left
        if seed < 3:
            again = parse_record(str(table.record))
            assert again.game == game and str(again) == str(table.record)
            assert judge(again)


@pytest.mark.parametrize(
    ("packs", "kitty", "hand", "turn_over", "step"),
    [(2, 8, 25, 80, 40), (3, 6, 39, 120, 60), (4, 8, 52, 160, 80), (5, 6, 66, 200, 100), (6, 8, 79, 240, 120)],
)
def test_sizes_and_thresholds_follow_from_the_packs(packs: int, kitty: int, hand: int, turn_over: int, step: int):
    rules = Rules(packs=packs)
    game = tractor.game(rules)
    assert (rules.buried, rules.hand_size, game.kitty_size, game.hand_size) == (kitty, hand, kitty, hand)
    assert len(game.deck) == 4 * hand + kitty == 54 * packs
    assert (enough(rules), step_of(rules)) == (turn_over, step)
    assert [steps_up(points, rules) for points in (0, step - 5, step, turn_over - 5, turn_over, turn_over + step)] == [
        (3, 0), (2, 0), (1, 0), (1, 0), (0, 0), (0, 1)
    ]  # fmt: skip
    hands, buried = game.deal(1)
    assert [len(pile) for pile in (*hands, buried)] == [hand] * 4 + [kitty]


def test_a_kitty_must_leave_equal_hands():
    assert Rules(packs=3, kitty=10).hand_size == 38
    assert Rules(kitty=12).hand_size == 24
    with pytest.raises(ValueError, match="kitty is 8; with 3 packs it may be 2, and every 4 more, so that"):
        Rules(packs=3, kitty=8)
    with pytest.raises(NotationError, match="packs is 7; it may be 2 to 6"):
        Rules(packs=7)
    table = played(tractor.game(kitty=12), 3, frozenset({0, 1, 2, 3}))
    assert len(table.position.kitty) == 12


def talk_of(game: Game, *calls: tuple[int, str]) -> Drawing:
    talk = game.talk(game.rules, Standing(0, (2, 2, 0)))
    for seat, call in calls:
        assert isinstance(talk, Drawing)
        talk = talk.by(seat).after(talk.read(call))
    assert isinstance(talk, Drawing)
    return talk


def test_more_equal_cards_overrule_fewer_and_jokers_as_many():
    game = tractor.game(packs=3)
    ladder = ["S2", "H2 H2", "LJ LJ", "BJ BJ", "D2 D2 D2", "LJ LJ LJ", "BJ BJ BJ"]
    hand = game.deck.cards(" ".join(dict.fromkeys(" ".join(ladder).split())).split() * 3)
    for i, before in enumerate(ladder):
        talk = talk_of(game, (1, f"show {before}")).by(2)
        for j, after in enumerate(ladder):
            assert (talk.objection(f"show {after}", hand) is None) == (j > i), (before, after)
    first = talk_of(game).by(1)
    assert {"show S2", "show S2 S2", "show S2 S2 S2", "show LJ LJ"} <= set(first.calls(hand))
    assert "show LJ" not in set(first.calls(hand))
    refused = first.objection("show LJ", hand)
    assert refused is not None and "more alike" in refused.why
    assert talk_of(game, (1, "show S2")).by(1).objection("show S2 S2 S2", hand) is None


def test_what_is_not_played_with_more_packs_is_refused_by_name():
    position = tractor.position("trump S2 | 0: H3 | 1: H4 | 2: H5 | 3: H6 | kitty S3", packs=3)
    with pytest.raises(WrongPhase, match="open hands of tractor cannot be solved"):
        position.solve()
    with pytest.raises(ValueError, match="two packs"):
        tractor.small(tractor.Small(packs=3))


def test_a_verdict_on_three_packs_reads_like_one_on_two():
    position = tractor.position("trump S4 | led H9 H9 H9 | hand HK HK HK HQ H8 S2", packs=3)
    assert repr(position.judge("HQ H8 HK")) == (
        "<Verdict renege tractor.follow-tuple: 3 equal cards of hearts were led, none alike are given, "
        "and the hand holds HK HK HK; play HK HK HK>"
    )
    assert [str(play) for play in position.legal_plays] == ["HK HK HK"]


def ask(**question: object) -> dict[str, object]:
    answer, _ = reply(json.dumps({"game": "tractor", "declaration": "S4"} | question).encode())
    return json.loads(answer)


def test_questions_name_the_packs_beside_the_declaration():
    hand = "HK HK HK HQ H8"
    refused = ask(ask="legal", packs=3, lead="H9 H9 H9", hand=hand, play="HQ H8 HK")
    assert (refused["legal"], refused["rule"], refused["instead"]) == (False, "tractor.follow-tuple", "HK HK HK")
    assert ask(ask="legal", rules={"packs": 3}, lead="H9 H9 H9", hand=hand, play="HK HK HK")["legal"] is True
    assert ask(ask="legal_plays", packs=3, lead="H9 H9 H9", hand=hand)["plays"] == ["HK HK HK"]
    assert "HK comes 3 times" in str(ask(ask="legal", lead="H9 H9", hand=hand, play="HQ H8")["error"])
    clash = ask(ask="legal", packs=3, rules={"packs": 4}, lead="H9", hand=hand, play="HQ")
    assert clash["error"] == "'packs' is 3, and 'rules' says 4"
    assert "packs is 7; it may be 2 to 6" in str(ask(ask="shape", packs=7, cards="H9")["error"])


def test_shapes_have_their_tuples():
    shape = ask(ask="shape", packs=3, cards="H5 H5 H5 H6 H6 H6 H8 H8 HT")
    assert shape == {"suit": "H", "tuples": [[3, 2, 1], [2, 1, 1], [1, 1, 1]]}
    usual = ask(ask="shape", packs=2, cards="H5 H5 H6 H6 H8 H8 HT HJ")
    assert usual == {"suit": "H", "runs": [2], "pairs": 1, "singles": 2, "tuples": [[2, 2, 1], [2, 1, 1], [1, 1, 2]]}
    assert "tuples" not in ask(ask="shape", cards="H5 H5")


def test_winners_matches_throws_and_scores_of_three_packs():
    plays = ["H9 H9 H9", "HK HK HK", "S3 S3 S3", "HA HA HQ"]
    assert ask(ask="winner", packs=3, plays=plays)["winner"] == 2
    match = ask(ask="match", packs=3, lead="H9 H9 H9 H3", play="HK HK HK HA")
    assert match["units"] == ["HK HK HK", "HA"]
    others = ["HA HA HA", "D3", "D5"]
    throw = ask(ask="throw", packs=3, cards="HK HK HK HQ", others=others)
    assert (throw["stands"], throw["led"], throw["stopped_by"]) == (False, "HQ", 1)
    assert ask(ask="throw", packs=3, cards="HK HK HK HQ", others=["HA", "D3", "D5"])["led"] == "HQ"
    assert ask(ask="throw", packs=3, cards="HA HK HK HK", others=["HA HA", "D3", "D5"])["stands"] is True
    record = played(tractor.game(packs=3), 2, frozenset()).record
    start, contract = record.start, record.position.contract
    assert contract is not None
    tricks, trick = list[list[str]](), list[str]()
    for act in record.acts:
        if isinstance(act.what, Play):
            trick.append(str(act.what.cards))
            if len(trick) == 4:
                tricks, trick = [*tricks, trick], []
    ranks = "23456789TJQKA"
    levels = [ranks[level - 2] for level in start.standing.score[:2]]
    scored = ask(
        ask="score",
        packs=3,
        declaration=contract.declaration,
        banker=contract.declarer,
        levels=levels,
        kitty=str(record.position.kitty),
        leader=contract.leader,
        tricks=tricks,
    )
    result = record.position.result
    assert result is not None
    assert result.text.startswith(f"attackers {scored['attackers']} of 120,") and scored["renege"] is None


def test_open_hands_are_not_solved_with_three_packs():
    hands = ["H3", "H5", "H6", "H7"]
    found = ask(ask="solve", packs=3, hands=hands, leader=0, banker=0, kitty="")
    known = "two packs, four seats, a kitty of eight and the usual units"
    assert found["error"] == f"open hands of tractor are solved with {known}"
