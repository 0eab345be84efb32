"""Card by card: is open what some legal play goes on with, and nothing else? The brute force tries every subset."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from reference import tractor as reference
from renege.cards import kinds_in
from renege.game import Turn
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import DECK, SUITS
from renege.games.tractor.packed import kernel_order, words
from renege.games.tractor.picks import cheapest_cuts, picks
from renege.games.tractor.rules import FollowDuty, ThrowTest, TrumpThrows
from renege.games.tractor.units import shape_of
from renege.native_tractor import follow_picks
from renege.trick import Play
from tractor_turns import (
    Setting,
    cards,
    cases,
    random_grouping,
    random_hand,
    random_lead,
    random_pile,
    turn,
    with_rules,
)


def walk(rng: random.Random, now: Turn, legal: set[reference.Pile]) -> None:
    """Pick cards by chance to the end; each time the brute force says what is open."""
    chosen: reference.Pile = ()
    leads = now.trick.lead is None
    assert legal
    while True:
        mask, whole = picks(now, cards(chosen))
        goes_on = {
            card for play in legal if Counter(chosen) <= Counter(play) for card in reference.without(play, chosen)
        }
        assert {DECK.names[card] for card in kinds_in(mask)} == goes_on, (now, chosen)
        assert whole == (leads and chosen in legal)
        if not goes_on or (whole and rng.random() < 0.15):
            assert chosen in legal
            return
        chosen = reference.pile([*chosen, rng.choice(sorted(goes_on))])


def subsets(hand: reference.Pile) -> set[reference.Pile]:
    found: set[reference.Pile] = {()}
    for card in hand:
        found |= {(*less, card) for less in found}
    return found - {()}


def test_a_follow_is_open_as_far_as_it_can_be_completed():
    for rng, at in cases("picks of a follow", 300):
        lead = random_lead(rng, at, 8)
        hand = random_hand(rng, at, lead, 10)
        grouping = random_grouping(rng, at, lead)
        legal = reference.legal_follows(lead, hand, at.declaration, at.shorter_runs, at.gap, grouping)
        units = () if grouping is None else tuple(map(cards, grouping))
        now = turn(at, hand, [Play(cards(lead), units=units)])
        for _ in range(3):
            walk(rng, now, legal)


def test_the_kernel_opens_the_same_cards_of_a_follow():
    """On hands far too large for the brute force, full of runs and of pairs side by side."""
    tight = runs = crowded = 0
    for rng, at in cases("kernel picks", 800):
        lead = random_lead(rng, at, 12)
        held = random_hand(rng, at, lead, 20)
        hand = reference.pile(card for card in set(held) for _ in range(min(held.count(card), 2 - lead.count(card))))
        if len(hand) < len(lead):
            continue
        now, chosen, tables = turn(at, hand, [Play(cards(lead))]), cards(()), kernel_order(at.order)
        shorter = at.shorter_runs == "owed"
        runs += bool(shape_of(at.order, now.led or 0, cards(lead)).runs)
        crowded += any(len(step) > 1 for step in at.steps(SUITS[now.led or 0]))
        while True:
            mask, _ = picks(now, chosen)
            found = follow_picks(tables, words(cards(lead)), words(now.hand), words(chosen), shorter=shorter)
            assert int(found[0]) == mask, (at, lead, hand, chosen)
            tight += bool(mask) and mask != (now.hand - chosen).kinds & at.order.follow[now.led or 0]
            if not mask:
                break
            chosen += DECK.of(1 << rng.choice(list(kinds_in(mask))))
    assert min(tight, runs, crowded) > 50


def test_a_follow_that_owes_the_suit_alone_is_open_as_far_as_it_can_be_completed():
    for rng, at in cases("picks where the suit is owed", 150):
        lead = random_lead(rng, at, 6)
        hand = random_hand(rng, at, lead, 8)
        led, singles = reference.led_suit(lead, at.declaration), reference.Shape((), 0, len(lead))
        legal = {
            play for play in subsets(hand) if reference.follow_duty(led, singles, hand, play, at.declaration) is None
        }
        rules = with_rules(at, follow_duty=FollowDuty.SUIT_ONLY)
        walk(rng, turn(at, hand, [Play(cards(lead))], rules=rules), legal)


def random_holding(rng: random.Random, at: Setting) -> reference.Pile:
    """A hand to lead from: two suits, with pairs side by side."""
    suits = rng.sample(at.suits(), 2)
    return reference.pile([card for suit in suits for card in random_pile(rng, at, suit, 6)])


def test_a_lead_is_open_as_far_as_it_can_be_completed():
    for forbidden in (False, True):
        for rng, at in cases(f"picks of a lead {forbidden}", 200):
            hand = random_holding(rng, at)
            if not hand:
                continue
            throws = TrumpThrows.FORBIDDEN if forbidden else TrumpThrows.ALLOWED
            legal = {
                play
                for play in subsets(hand)
                if reference.legal_lead(play, at.declaration, None, None, at.gap, throws.value)[0] is not False
            }
            walk(rng, turn(at, hand, rules=with_rules(at, trump_throws=throws)), legal)


def test_a_lead_that_must_be_proved_safe_is_open_as_far_as_it_can_be_completed():
    closed = 0
    for rng, at in cases("picks of a safe lead", 200):
        hand = random_holding(rng, at)
        if not hand:
            continue
        others = reference.without([card for card in reference.CARDS for _ in range(2)], hand)
        seen = reference.pile(rng.sample(others, rng.choice([0, 40, 70, 80])))
        voids = [0] + [rng.choice([0, 0, rng.randrange(32)]) for _ in range(3)]
        kitty = reference.pile(rng.sample(reference.without(others, seen), 8))
        banker = rng.randrange(2)
        told = [[name for suit, name in enumerate(SUITS) if void >> suit & 1] for void in voids[1:]]
        throws = rng.choice(list(TrumpThrows))
        legal: set[reference.Pile] = set()
        for play in subsets(hand):
            if reference.legal_lead(play, at.declaration, None, None, at.gap, throws.value)[0] is False:
                continue
            known = kitty if banker == 0 else None
            if reference.throw_public(play, hand, seen, told, known, at.declaration, None, at.gap).stands:
                legal.add(play)
        now = turn(
            at,
            hand,
            rules=with_rules(at, trump_throws=throws, throw_test=ThrowTest.PUBLIC_INFO),
            memory=replace(Memory(), seen=cards(seen), voids=tuple(voids)),
            kitty=cards(kitty),
            banker=banker,
        )
        closed += len(legal) < len(subsets(hand))
        for _ in range(2):
            walk(rng, now, legal)
    assert closed


@pytest.mark.parametrize(
    ("steps", "units", "costs"),
    [
        ([(0,), (1,), (2,)], (2,), {(1, 0)}),
        ([(2,), (2,), (), (1,), (1,)], (2,), {(2, 0), (0, 2)}),  # neither undercuts the other
        ([(0,), (2,), (), (1,), (1,), (1,)], (3,), {(3, 0)}),
        ([(0,), (2,), (), (1,), (1,)], (2,), {(0, 1), (2, 0)}),
        ([(2,), (0, 1), (2,)], (2, 2), {(1, 2)}),  # one run ends on the shared step, another begins there
        ([(2,), (0,), (2,)], (2, 2), set()),
    ],
)
def test_runs_are_cut_where_they_cost_least(
    steps: list[tuple[int, ...]], units: tuple[int, ...], costs: set[tuple[int, int]]
):
    assert cheapest_cuts(tuple(steps), units) == costs
