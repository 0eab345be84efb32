"""Positions: what may be done in them, what they refuse, and that their text reads back to the same thing."""

import random
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renege import IllegalPlay, NotationError, Position, WrongPhase, parse_position, texas42
from renege.core.cards import Cards, Hidden
from renege.core.game import Standing
from renege.core.house_rules import read_rules
from renege.core.trick import Play
from renege.core.verdict import Ruling
from renege.games.texas42.rules import Rules
from support.steering import CONTRACTS, SOAK, deals_for, play_out, steer

FIVES = "trump 5 | led 6-4 | hand 6-6 6-5 3-1"


def rules(**choices: str) -> Rules:
    return read_rules(Rules(), choices)


# -- what may be done


def test_the_legal_plays_are_listed_counted_and_asked_for():
    legal = texas42.position(FIVES).legal_plays
    assert repr(legal) == "<LegalPlays 1: 6-6>"
    assert [str(play) for play in legal] == ["6-6"]
    assert legal.count() == 1
    assert legal
    assert "6-6" in legal
    assert texas42.DECK.of(1 << texas42.tile(6, 6)) in legal
    assert "6-5" not in legal
    assert "5-5" not in legal  # not in the hand
    assert 27 not in legal


def test_a_verdict_is_a_value_with_rule_reason_and_advice():
    verdict = texas42.position(FIVES).judge("6-5")
    assert repr(verdict) == "<Verdict renege texas42.follow-suit: 6-5 is a trump, sixes were led; play 6-6>"
    assert verdict.legal is False
    assert not verdict
    assert verdict.instead == "6-6"


def test_an_illegal_play_raises_with_the_same_verdict_and_the_position():
    position = texas42.position(FIVES)
    with pytest.raises(IllegalPlay) as raised:
        position.play("3-1")
    assert raised.value.verdict == position.judge("3-1")
    assert str(position) in str(raised.value)
    assert "would do: 6-6" in str(raised.value)


def test_an_illegal_call_raises_with_the_same_verdict():
    position = texas42.position("said 35")
    with pytest.raises(IllegalPlay, match=r"30 breaks texas42\.bid-higher") as raised:
        position.call("30")
    assert raised.value.verdict == position.judge("30")


def test_a_play_leaves_the_position_as_it_was():
    position = texas42.position(FIVES)
    before = str(position)
    after = position.play("6-6")
    assert str(position) == before
    assert str(after) == "trump 5 bid 30 by 0 | led 6-4, 6-6 | 0: ?2 | 1: 6-5 3-1 | 2: ?3 | 3: ?3 | 0 leads"
    with pytest.raises(FrozenInstanceError):
        position.points = (1, 1, 1, 1)  # type: ignore[misc]


def test_a_play_from_a_hidden_hand_is_pending_and_taken_on_trust():
    position = texas42.position("trump 5 | led 6-4")
    verdict = position.judge("3-1")
    assert verdict.ruling is Ruling.PENDING
    assert verdict.legal is None
    assert len(position.play("3-1").hands[1]) == 6


@pytest.mark.parametrize("said", ["5-5", "6-4", "6-6 5-5"])
def test_a_tile_that_is_not_in_the_hand_is_no_play(said: str):
    with pytest.raises(NotationError, match="is not in the hand"):
        texas42.position(FIVES).judge(said)


def test_a_trick_goes_to_its_winner_who_leads_next():
    position = texas42.position(
        "trump 5 | 0: 6-4 5-5 3-1 | 1: 6-6 6-5 2-1 | 2: 4-4 3-3 5-0 | 3: 6-2 4-1 0-0", rules(early_end="play-on")
    )
    for tile in ("6-4", "6-6", "5-0", "6-2"):
        position = position.play(tile)
    assert position.points == (0, 0, 16, 0)
    assert position.tricks == (0, 0, 1, 0)
    assert position.turn == 2


@pytest.mark.parametrize(
    ("text", "does"),
    [
        (FIVES, lambda position: position.call("pass")),
        (FIVES, lambda position: position.legal_calls),
        (FIVES, lambda position: position.result),
        ("said pass", lambda position: position.play("6-4")),
        ("said pass", lambda position: position.legal_plays),
        ("said pass", lambda position: position.result),
        ("said pass, pass, pass, pass", lambda position: position.judge("pass")),
        ("said pass, pass, pass, pass", lambda position: position.hand),
        ("said pass, pass, pass, pass", lambda position: position.act("pass")),
        ("said pass, pass, pass, pass", lambda position: position.read("pass")),
        ("trump 5 | led 6-4", lambda position: list(position.legal_plays)),
        ("trump 5 | 0: | 1: | 2: | 3: | tricks 7 0 0 0 | points 42 0 0 0", lambda position: position.judge("6-4")),
        ("trump 5 | 0: | 1: | 2: | 3: | tricks 7 0 0 0 | points 42 0 0 0", lambda position: position.legal_plays),
    ],
)
def test_an_act_out_of_its_time_is_refused(text: str, does):
    with pytest.raises(WrongPhase):
        does(texas42.position(text))


@settings(max_examples=25 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.data())
def test_a_play_is_legal_when_it_is_judged_so_and_what_is_offered_instead_is_legal(seed, contract, data):
    game = texas42.game()
    seed = next(deals_for(contract[0], game, seed))
    record = play_out(game, seed, steer(*contract))
    cut = data.draw(st.integers(0, len(record.acts)))
    position = list(record.positions())[cut]
    if position.turn is None:
        return
    assert isinstance(position.hand, Cards)
    if position.talking:
        for call in ("pass", "30", "35", "41", "1 mark", "2 marks", "3 marks", "4 marks", "splash", "plunge"):
            if len(position.talk.said) < 4:  # type: ignore[union-attr]
                _agrees(position, call, call in position.legal_calls)
    else:
        listed = {play.cards for play in position.legal_plays}
        for tile in position.hand:
            cards = texas42.DECK.of(1 << tile)
            assert (cards in position.legal_plays) == (cards in listed)
            _agrees(position, str(cards), cards in listed)


def _agrees(position: Position, act: str, legal: bool) -> None:
    verdict = position.judge(act)
    assert verdict.legal is legal
    if legal:
        position.act(act)
    else:
        assert verdict.instead is not None
        assert position.judge(verdict.instead).legal
        with pytest.raises(IllegalPlay):
            position.act(act)


# -- text


HOUSES = [
    {},
    {"early_end": "play-on"},
    {"nello_exchange": "one-tile"},
    {"opening_lead": "small-end"},
    {"all_pass": "force-30", "forced_sweep": "two-marks"},
    {"mark_raise": "one-or-two", "partner_lead": "declarer"},
]


@settings(max_examples=40 * SOAK)
@given(
    st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.sampled_from(HOUSES), st.integers(0, 3),
    st.tuples(st.integers(0, 6), st.integers(0, 6)),
)  # fmt: skip
def test_every_position_of_a_deal_reads_back_from_its_text(seed, contract, house, dealer, score):
    game = texas42.game(rules(**house))
    seed = next(deals_for(contract[0], game, seed))
    record = play_out(game, seed, steer(*contract), Standing(dealer, score))
    for position in record.positions():
        assert parse_position(game, str(position)) == position


@settings(max_examples=15 * SOAK)
@given(st.integers(0, 10**6), st.sampled_from(CONTRACTS), st.sampled_from(HOUSES))
def test_every_position_that_a_seat_sees_reads_back_from_its_text(seed, contract, house):
    game = texas42.game(rules(**house))
    seed = next(deals_for(contract[0], game, seed))
    record = play_out(game, seed, steer(*contract))
    for seat in range(4):
        for position in record.view(seat).positions():
            again = parse_position(game, str(position))
            assert str(again) == str(position)
            assert again == position


def test_random_talk_reads_back_from_its_text_whatever_was_said():
    game = texas42.game(rules(mark_raise="one-or-two"))
    for seed in range(60 * SOAK):
        rng = random.Random(seed)
        hands, _ = game.deal(next(deals_for("plunge", game, 50 * seed)))
        position = replace(parse_position(game, f"dealer {seed % 4}"), hands=hands)
        while position.talking:
            assert parse_position(game, str(position)) == position
            calls = position.legal_calls
            position = position.call(rng.choice([rng.choice(calls), calls[-1]]))
        assert parse_position(game, str(position)) == position


def test_fields_may_come_in_any_order_and_spacing():
    plain = texas42.position("trump 5 bid 31 by 2 | led 6-4, 6-2 | hand 6-6 6-5 3-1 | 1 leads")
    assert texas42.position("hand 3-1,5-6   6-6|1 leads|  led 4-6,2-6 |TRUMP 5  bid 31 by 2|") == plain
    assert plain.turn == 3


@pytest.mark.parametrize(
    ("text", "leader"),
    [
        ("trump 5 by 2", 2),
        ("trump 5 bid 1 mark by 3", 3),
        ("trump 5 plunge 4 marks by 1", 3),
        ("follow-me splash 2 marks by 0", 2),
        ("nello by 1", 1),
        ("sevens by 2", 2),
        ("trump 5 by 2 | 1 leads", 1),
    ],
)
def test_without_leads_the_leader_of_the_contract_leads(text: str, leader: int):
    assert texas42.position(text).turn == leader


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("5", "trump 5 bid 30 by 0"),
        ("trump 5 bid 42", "trump 5 bid 1 mark by 0"),
        ("trump 5 bid 84 by 1", "trump 5 bid 2 marks by 1"),
        ("doubles", "trump doubles bid 30 by 0"),
        ("nello", "nello bid 1 mark by 0"),
        ("nello doubles own", "nello bid 1 mark by 0"),
        ("nello doubles high bid 2", "nello doubles high bid 2 marks by 0"),
        ("follow-me doubles high", "follow-me bid 30 by 0"),
        ("sevens bid 3 marks by 1", "sevens bid 3 marks by 1"),
        ("trump 3 splash 2 by 1", "trump 3 splash 2 marks by 1"),
        ("trump 3 bid 30 by 1 forced", "trump 3 bid 30 by 1 forced"),
    ],
)
def test_a_contract_has_one_spelling(text: str, same: str):
    assert str(texas42.position(text)).split(" | ")[0] == same


def test_hidden_hands_have_the_size_that_the_told_ones_imply():
    hands = texas42.position("trump 5 | led 6-4, 6-2 | hand 6-6 6-5 3-1").hands
    assert [len(hand) for hand in hands] == [2, 2, 3, 3]
    assert isinstance(hands[0], Hidden)
    assert [len(hand) for hand in texas42.position("nello by 1 | 1: 6-6 5-5").hands] == [2, 2, 2, 7]
    assert [len(hand) for hand in texas42.position("trump 5 | tricks 1 1 0 0 | points 6 11 0 0").hands] == [5] * 4


MALFORMED = [
    # tiles and hands
    ("trump 5 | led 6-7 | hand 6-6", "'6-7'"),
    ("trump 5 | led 6-4 | hand 6-6 six", "'six'"),
    ("trump 5 | hand 6-6 6-6", "6-6 6-6"),
    ("trump 5 | led 6-4 | hand 6-4 6-6", "6-4"),
    ("trump 5 | 0: 6-4 5-5 | 1: 5-5 4-4", "5-5"),
    ("said pass | 0: 6-4 | 2: 6-4", "6-4"),
    ("trump 5 | led 6-4, 6-4", "6-4"),
    ("trump 5 | 0: 6-4 5-5 | 1: 3-3", "seat 0 had 2, seat 1 had 1"),
    ("trump 5 | led 6-4 | 0: 5-5 5-4 | 1: 3-3 3-2", "seat 0 had 3, seat 1 had 2"),
    ("said 30 | 0: 6-4 5-5 | 1: 3-3", "6-4 5-5"),  # before the first lead every hand is whole
    ("trump 5 | 0: ?99", "99"),
    ("trump 5 | 0: 6-4 | 0: 6-4", "0 is given twice"),
    ("trump 5 | hand 6-4 | hand 6-6", "hand is given twice"),
    ("trump 5 | 0: 6-4 | hand 6-6", "hand of seat 0 is given twice"),
    ("said pass, pass, pass, pass | hand 6-4", "hand"),  # nobody is to act, so it is nobody's
    ("nello by 0 | 0: 6-6 6-5 | 2: 1-1", "1-1"),  # the partner lays down seven tiles
    # the table
    ("trump 5 | led 6-4, 6-2, 6-1, 6-0", "6-4, 6-2, 6-1, 6-0"),
    ("nello by 0 | led 6-4, 6-2, 6-1", "6-4, 6-2, 6-1"),
    ("trump 5 | led 6-4 6-2 | hand 6-6 6-5", "6-4 6-2"),  # one play of two tiles
    ("trump 5 | led 6-4 as 2", "6-4 as 2"),  # it has no such end
    ("trump 5 | led 6-4, 6-2 as 2", "6-2 as 2"),  # only a lead names its suit
    ("trump 5 | led 6-4 as 9", "'9'"),
    ("trump 5 | led 6-4 of 6-5 6-4", "6-4 of 6-5 6-4"),  # nothing is thrown in 42
    ("nello by 0 | 2 leads", "seat 2"),
    ("trump 5 | 4 leads", "4 leads"),
    ("trump 5 | 0 leads | 1 leads", "leads is given twice"),
    ("trump 5 | points 1 2 3 | tricks 1 0 0 0", "1 2 3"),
    ("trump 5 | points a b c d", "a b c d"),
    ("trump 5 | tricks 1 0 0 0 0", "1 0 0 0 0"),
    ("trump 5 | hand 6-6 | points -5 0 0 0 | tricks 1 0 0 0", "-5"),
    ("trump 5 | hand 6-6 | points 5 0 0 0", "5 0 0 0"),  # points without a trick
    ("trump 5 | hand 6-6 | points 9 9 9 9 | tricks 9 9 9 9", "9 9 9 9"),
    ("trump 5 | memory searched", "searched"),
    # the contract and the talk
    ("trump 7", "trump 7"),
    ("trump", "trump"),
    ("trumps 5", "trumps 5"),
    ("rufspiel E", "rufspiel E"),
    ("4: 6-4", "4: 6-4"),
    ("trump 5 | trump 6", "twice"),
    ("trump 5 bid 29", "29"),
    ("trump 5 bid 43", "43"),
    ("trump 5 bid 0", "0"),
    ("trump 5 plunge 0 marks", "0 marks"),
    ("trump 5 bid 31 by 4", "by 4"),
    ("nello bid 31", "31"),
    ("nello plunge 4 marks by 0 | 0 leads", "nello plunge"),  # partner would name trumps
    ("sevens plunge 4 marks by 0", "sevens plunge"),
    ("trump 5 doubles low", "doubles"),
    ("follow-me doubles own-inverted", "own-inverted"),
    ("nello doubles middling", "middling"),
    ("trump 5 | said pass", "said"),
    ("said pass | led 6-4", "led"),
    ("said pass | 0 leads", "leads"),
    ("said pass | points 0 0 0 0", "points"),
    ("said hello", "hello"),
    ("said 29", "29"),
    ("said 43", "43"),
    ("said pass, pass, pass, 30, trump 9", "trump 9"),
    ("dealer 4", "4"),
    ("dealer x", "x"),
    ("dealer 1 2", "1 2"),
    ("score 1", "1"),
    ("score 1 2 3", "1 2 3"),
    ("dealer 1 | dealer 1", "dealer is given twice"),
    ("kitty 6-4 | trump 5", "kitty"),  # 42 has none
]


@pytest.mark.parametrize(("text", "quoted"), MALFORMED)
def test_text_that_is_no_position_says_so_and_quotes_what_is_wrong(text: str, quoted: str):
    with pytest.raises(NotationError) as raised:
        texas42.position(text)
    assert quoted.lower() in str(raised.value).lower()


@pytest.mark.parametrize("text", ["said 35, 30", "said 1 mark, 41", "said 3 marks", "said 30, pass, pass, pass, nello"])
def test_talk_that_broke_a_rule_is_refused_with_it(text: str):
    with pytest.raises(IllegalPlay):
        texas42.position(text)


@pytest.mark.parametrize("text", ["said pass, pass, pass, pass, pass", "said 30, pass, pass, pass, trump 5, trump 5"])
def test_talk_that_goes_on_after_its_end_is_refused(text: str):
    with pytest.raises(ValueError, match=r"nobody is to call|is over|talk"):
        texas42.position(text)


def test_talk_that_is_complete_leads_to_its_contract():
    position = texas42.position("said pass, 31, pass, pass, trump 5 | 1: 6-6 6-5 3-1 2-1 2-0 1-0 0-0")
    assert position.contract is not None
    assert position.turn == 1
    assert not position.over


@pytest.mark.parametrize("said", ["6-6 of 6-6 6-5", "6-6 +", "6-6 as 6"])
def test_a_play_has_one_spelling_and_says_nothing_that_42_does_not_know(said: str):
    """Nothing is thrown or grouped in 42, and only a lead names its suit."""
    position = texas42.position(FIVES)
    try:
        verdict = position.judge(said)
    except NotationError:
        return
    assert not verdict


def test_a_lead_that_names_the_suit_it_leads_anyway_is_the_same_play():
    position = texas42.position("trump 5 | hand 6-4 3-1", rules(opening_lead="small-end"))
    assert position.play("6-4 as 6") == position.play("6-4")


@given(st.text(alphabet="0123456-|: ,?abdehilmnoprstu", max_size=60))
def test_no_text_does_anything_but_parse_or_say_what_is_wrong(text: str):
    try:
        position = texas42.position(text)
    except ValueError:  # all our errors are
        return
    assert texas42.position(str(position)) == position


def test_a_play_may_be_given_as_text_cards_or_play():
    position = texas42.position(FIVES)
    cards = texas42.DECK.of(1 << texas42.tile(6, 6))
    assert position.play("6-6") == position.play(cards) == position.play(Play(cards)) == position.act(cards)
