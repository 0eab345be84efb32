"""Tractor in numbers: whole deals under every house rule, showings without the level, what is told and what is not."""

import random

import pytest

from renege.core.game import Standing
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.games import tractor
from renege.games.encoding import encoding_of
from renege.games.tractor.encoding_wide import EncodingWide
from renege.games.tractor.rules import NoCall, Rules, StoppedThrow, ThrowTest
from support.steering import SOAK
from support.tractor_lanes import eventful, house_rules, rigged, said


@pytest.mark.parametrize("rules", house_rules(), ids=said)
def test_every_completion_is_legal_and_every_legal_play_can_be_reached(rules: Rules):
    encoding = encoding_of(tractor.game(rules))
    for seed in range(4 * SOAK):
        rng = random.Random(f"{seed} {rules}")
        standing = Standing(rng.randrange(4), (rng.randint(2, 14), rng.randint(2, 14), rng.randrange(2)))
        hands, kitty = rigged(rng) if seed % 2 else encoding.game.deal(seed)
        for moment, action in eventful(encoding, encoding.begin(hands, kitty, standing), rng):
            after, position = moment.after(action), moment.position
            if len(after.acts) > len(moment.acts):
                what = after.acts[-1].what
                assert position.judge(what if isinstance(what, str) else what.tried or what.cards)
            if not moment.chosen and not position.talking:
                play, at = position.legal_plays.choose(rng), moment
                for number in moment.numbers(play):
                    assert number in at.legal
                    at = at.after(number)
                assert at == moment.act(play)


@pytest.mark.parametrize("level", [2, 10, 11, 14])
def test_a_showing_has_the_same_number_at_every_level(level: int):
    encoding = encoding_of(find_game("tractor"))
    shown: set[str] = set()
    for seed in range(30):
        moment = encoding.deal(seed, Standing(1, (2, level, 4)))
        for action in moment.legal:
            shown.add(encoding.actions[action])
            after = moment.after(action)
            if encoding.actions[action].startswith("show"):
                rank = "23456789TJQKA"[level - 2]
                call = after.position.talk.said[0] if after.position.talk else ""
                wanted = encoding.actions[action].removeprefix("show ")
                assert call == f"1: show {wanted if 'J' in wanted else ' '.join(suit + rank for suit in wanted)}"
    assert {"pass", "show C", "show D", "show H", "show S"} <= shown


def test_what_the_row_adds():
    encoding = encoding_of(find_game("tractor"))
    at = encoding.sections
    moment = encoding.deal(3, Standing(2, (5, 9, 7)))
    while not moment.position.talking or "show" in encoding.actions[moment.legal[-1]] or moment.legal == (55,):
        moment = moment.after(moment.legal[-1])
        if moment.position.talk and any("show" in said for said in moment.position.talk.said):
            break
    row = moment.observe(3)
    assert row[at["level"]].tolist() == [0, 0, 0, 1] + [0] * 9  # fives: the side of the dealer
    assert row[at["levels"]].tolist() == [9, 5]
    assert row[at["banker"]].sum() == 0
    while moment.position.talking:
        moment = moment.after(moment.legal[0])
    row = moment.observe(3)
    assert row[at["banker"]].tolist() == [0, 0, 0, 1]  # seat 2, as seat 3 counts
    assert row[at["named"]].sum() == 1
    assert moment.observe(2)[at["gave"]].sum() == 8
    assert row[at["gave"]].sum() == 0


def test_what_is_picked_is_seen_by_nobody_else():
    encoding = encoding_of(find_game("tractor"))
    moment = encoding.deal(1)
    while moment.position.talking:
        moment = moment.after(moment.legal[0])
    picked = moment.after(moment.legal[0])
    assert picked.turn == moment.turn is not None
    for seat in (*range(4), None):
        changed = (picked.observe(seat) != moment.observe(seat)).nonzero()[0].tolist()
        assert changed == ([encoding.sections["chosen"].start + moment.legal[0]] if seat == moment.turn else [])


def test_what_a_stopped_throw_showed_is_seen_by_all():
    encoding = encoding_of(find_game("tractor"))
    rng = random.Random(5)
    for seed in range(20):
        moment = encoding.deal(seed)
        while moment.position.talking:
            moment = moment.after(moment.legal[0])
        while not moment.over:
            moment = moment.act(moment.position.legal_plays.choose(rng))
            play = moment.acts[-1].what
            if isinstance(play, Play) and play.tried is not None:
                back = moment.observe(0)[encoding.sections["returned"]].reshape(4, -1)[moment.acts[-1].seat]
                assert back.nonzero()[0].tolist() == sorted(set(play.tried - play.cards))
                return
    raise AssertionError("no throw was stopped")


@pytest.mark.parametrize("game", [tractor.game, lambda rules: tractor.small(tractor.Small(no_call=rules.no_call))])
def test_a_card_turned_by_chance_is_refused(game):
    with pytest.raises(ValueError, match="not put into numbers under no_call=turn-kitty: a card that is turned up"):
        encoding_of(game(Rules(no_call=NoCall.TURN_KITTY)))


@pytest.mark.parametrize("rules", [{"dead_zone": 0}, {"jokers_shown": "any"}, {"new_deal": "either"}, {"kitty": 12}])
def test_what_came_after_the_rows_of_two_packs_is_told_by_those_of_larger_tables(rules):
    """The small game has rows of two packs alone, and refuses such rules by name."""
    assert isinstance(encoding_of(tractor.game(**rules)), EncodingWide)
    assert not isinstance(encoding_of(tractor.game(kitty=8, few_points=10)), EncodingWide)
    if "kitty" not in rules:
        name = next(iter(rules))
        with pytest.raises(ValueError, match=f"not put into numbers under {name}={rules[name]}: "):
            encoding_of(tractor.small(tractor.Small(**rules)))


def test_throws_that_would_tell_the_other_hands_are_refused():
    with pytest.raises(ValueError, match="under stopped_throw=refused: the throws that are open would tell"):
        encoding_of(tractor.game(Rules(stopped_throw=StoppedThrow.REFUSED)))
    encoding_of(tractor.game(Rules(stopped_throw=StoppedThrow.REFUSED, throw_test=ThrowTest.PUBLIC_INFO)))
