"""Two brute forces: the one for any number of packs says of two packs what the one for two packs says."""

from collections import Counter

import pytest

from reference import tractor as two
from reference import tractor_packs as many
from reference import tractor_round
from renege.games.tractor import formats
from support.tractor_turns import (
    cases,
    fitting,
    random_grouping,
    random_hand,
    random_lead,
    random_pile,
    random_play,
)


def test_shapes_duties_and_legal_follows_are_the_same():
    seen: Counter[bool] = Counter()
    for rng, at in cases("two references", 2000):
        lead = random_lead(rng, at)
        grouping = random_grouping(rng, at, lead)
        hand = random_hand(rng, at, lead, 12)
        play = random_play(rng, at, lead, hand)
        table = many.Table(at.declaration, at.gap)
        shape, forms = two.shape(lead, at.declaration, at.gap), many.shape(lead, table)
        runs, pairs = [(2, run) for run in shape.runs], [(2, 1)] * shape.pairs
        assert forms == (*runs, *pairs, *[(1, 1)] * shape.singles)
        told, _ = two.legal_follow(lead, hand, play, at.declaration, at.shorter_runs, at.gap, grouping, at.follow)
        led, forms = two.led_suit(lead, at.declaration), many.led_forms(lead, grouping, table)
        protected = {"shape": "tuples-protected", "tractors-protected": "both-protected"}[at.follow]
        for follow in (at.follow, protected):  # nobody has three equal cards to protect
            duty = many.Duty("graded", follow, at.shorter_runs)
            assert (many.follow_duty(led, forms, hand, play, table, duty) is None) == told, (at, lead, hand, play)
        seen[told] += 1
    assert min(seen.values()) >= 300, seen


def test_winners_and_throws_are_the_same():
    won: Counter[int] = Counter()
    for rng, at in cases("two references win", 600):
        lead = random_lead(rng, at, 6)
        grouping = random_grouping(rng, at, lead)
        table, led = many.Table(at.declaration, at.gap), two.led_shape_of(lead, grouping, at.declaration, at.gap)
        plays = [lead]
        while len(plays) < 4:
            suit = rng.choice(["T", "T", two.led_suit(lead, at.declaration)])
            play = fitting(rng, at, suit, led)
            plays += [play] if play is not None else []
        for comparison in ("longest-unit", "all-units", "highest-card"):
            told, excluded = two.winner(plays, at.declaration, comparison, grouping, at.gap)
            found, out = many.winner(plays, table, comparison, grouping)
            assert (found, out) == (told, [why is not None for why in excluded]), (at, plays)
            won[told] += 1
        others = [random_pile(rng, at, two.led_suit(lead, at.declaration), rng.randint(0, 6)) for _ in range(3)]
        for stopped in ("lead-smallest", "first-found"):
            throw = tractor_round.throw(lead, others, at.declaration, grouping, at.gap, stopped)
            unit, _ = many.thrown(lead, others, table, grouping, stopped)
            assert (unit is None) == throw.stands
            if unit is not None:
                assert [many.step(card, table) for card in unit] == [many.step(card, table) for card in throw.led or ()]
    assert min(won[place] for place in range(4)) >= 50, won


@pytest.mark.parametrize("cards", range(1, 15))
def test_the_formats_of_the_engine_are_those_of_the_brute_force(cards: int):
    assert formats.formats(cards) == many.formats(cards)


def test_the_chains_of_the_engine_are_those_of_the_brute_force():
    known = [(width, length) for width in range(2, 5) for length in range(1, 5) if width * length <= 12] + [(1, 1)]
    for rng, _ in cases("chains", 200):
        led = tuple(rng.choices(known, k=rng.randint(1, 4)))
        for new_tractors in (True, False):
            told = [sorted(group for group in one if group[0] > 1) for one in many.chain(led, new_tractors)]
            assert [sorted(one) for one in formats.chain(led, new_tractors=new_tractors)] == told, led


def test_a_format_that_comes_again_is_left_out_where_lists_are_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(formats, "COUNTED", 0)
    for cards in range(1, 14):
        assert formats.formats.__wrapped__(cards) == tuple(dict.fromkeys(many.formats(cards)))
