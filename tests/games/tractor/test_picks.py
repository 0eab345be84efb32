"""Card by card: is open what some legal play goes on with, and nothing else? The brute force tries every subset."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from reference import tractor as reference
from reference import tractor_round
from renege import _kernel
from renege.core.cards import kinds_in
from renege.core.game import Turn
from renege.core.trick import Play
from renege.games.tractor.legal import cheapest_cuts, picks
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import DECK, SUITS
from renege.games.tractor.rules import FollowDuty, ThrowTest, TrumpThrows
from renege.games.tractor.solve import house as house_of
from renege.games.tractor.solve import kernel_order, words
from renege.games.tractor.units import shape_of
from renege.native.tractor import PACKING, U64, USUAL, KernelRules, TractorOrder
from support.tractor_turns import (
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


def follow_picks(order: TractorOrder, leads: U64, hands: U64, chosen: U64, *, house: KernelRules = USUAL) -> U64:
    """`leads`, `hands`, `chosen`, `uint64[B, 2]` each -> `uint64[B]`: the kinds that may be picked next.

    A hand still holds what is chosen from it, which must be part of a legal follow. Nothing is open once as many cards
    are chosen as were led.
    """
    out = np.empty(len(leads), np.uint64)
    _kernel.tractor_follow_picks(order, PACKING, leads, hands, chosen, out, house.word)
    return out


def walk(rng: random.Random, now: Turn, legal: set[reference.Pile], *, tables: TractorOrder | None = None) -> None:
    """Pick cards by chance to the end; each time the brute force says what is open, and the kernel if it is asked."""
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
        if tables is not None and now.trick.lead is not None:
            lead = words(now.trick.lead.cards)
            assert follow_picks(tables, lead, words(now.hand), words(cards(chosen)))[0] == mask, (now, chosen)
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
    for rng, at in cases("picks of a follow", 140):
        lead = random_lead(rng, at, 8)
        hand = random_hand(rng, at, lead, 10)
        grouping = random_grouping(rng, at, lead)
        legal = reference.legal_follows(lead, hand, at.declaration, at.shorter_runs, at.gap, grouping, at.follow)
        units = () if grouping is None else tuple(map(cards, grouping))
        now = turn(at, hand, [Play(cards(lead), units=units)])
        for _ in range(3):
            walk(rng, now, legal)


# Around the level step, where several pairs lie: leads, and the kinds of which every hand is tried.
LITTLE_DECKS = [
    ("S2", "S3 S3 S4 S4", "SK SA H2 D2 S2 LJ"),
    ("S2", "S3 S3 S4 S4 S5 S5", "SK SA H2 D2 S2 LJ"),
    ("S2", "S3 S3 S4 S4 S6 S6 S7 S7", "SA H2 C2 D2 S2 LJ"),
    ("S2", "S3 S3 S4 S4 S6 S6 S7 S7", "SK SA H2 D2 S2 LJ"),
    ("NT2", "S2 S2 LJ LJ", "H2 C2 D2 BJ"),
]


@pytest.mark.parametrize(("declaration", "lead", "kinds"), LITTLE_DECKS)
def test_every_hand_of_a_little_deck(declaration: str, lead: str, kinds: str):
    at, rng = Setting(declaration), random.Random(kinds)
    for copies in product(range(3), repeat=len(kinds.split())):
        hand = reference.pile(kind for kind, n in zip(kinds.split(), copies, strict=True) for _ in range(n))
        if len(hand) > len(lead.split()):
            legal = reference.legal_follows(reference.parse(lead), hand, declaration)
            for _ in range(4 if len(lead.split()) > 6 else 1):
                walk(rng, turn(at, hand, [Play(cards(lead))]), legal, tables=kernel_order(at.order))


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
        house = house_of(at.rules)
        runs += bool(shape_of(at.order, now.led or 0, cards(lead)).runs)
        crowded += any(len(step) > 1 for step in at.steps(SUITS[now.led or 0]))
        while True:
            mask, _ = picks(now, chosen)
            found = follow_picks(tables, words(cards(lead)), words(now.hand), words(chosen), house=house)
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
    """A hand to lead from: two suits, with pairs side by side, often trumps."""
    suits = ["T", rng.choice(at.suits()[1:])]
    return reference.pile(
        [card for suit, most in zip(suits, (7, 1), strict=True) for card in random_pile(rng, at, suit, most)]
    )


def test_a_lead_is_open_as_far_as_it_can_be_completed():
    for forbidden in (False, True):
        for rng, at in cases(f"picks of a lead {forbidden}", 66):
            hand = random_holding(rng, at)
            if not hand:
                continue
            throws = TrumpThrows.FORBIDDEN if forbidden else TrumpThrows.ALLOWED
            legal = {
                play
                for play in subsets(hand)
                if tractor_round.legal_lead(play, at.declaration, None, None, at.gap, throws.value)[0] is not False
            }
            walk(rng, turn(at, hand, rules=with_rules(at, trump_throws=throws)), legal)


def test_a_lead_that_must_be_proved_safe_is_open_as_far_as_it_can_be_completed():
    closed = 0
    for rng, at in cases("picks of a safe lead", 130):
        hand = random_holding(rng, at)
        if not hand:
            continue
        others = reference.without([card for card in reference.CARDS for _ in range(2)], hand)
        out = list(rng.sample(others, rng.choice([108 - len(hand), 50, 20, 12])))
        if rng.random() < 0.5:  # a few pairs are out, and little else
            pairs = [kind for kind in reference.pair_kinds(others) if reference.suit(kind, at.declaration) == "T"]
            out = [kind for kind in rng.sample(pairs, rng.randint(0, min(3, len(pairs)))) for _ in range(2)]
            out += rng.sample(reference.without(others, out), 9)
        seen = reference.without(others, out)
        voids = [0] + [rng.choice([0, 0, 0, rng.randrange(32)]) for _ in range(3)]
        kitty = reference.pile(rng.sample(out, 8))
        banker = rng.randrange(2)
        told = [[name for suit, name in enumerate(SUITS) if void >> suit & 1] for void in voids[1:]]
        throws = rng.choice(list(TrumpThrows))
        unseen = reference.without(out, kitty) if banker == 0 else out
        legal: set[reference.Pile] = set()
        for play in subsets(hand):
            suits = {reference.suit(card, at.declaration) for card in play}
            if len(suits) > 1:
                continue
            units = reference.natural_cutting(play, at.declaration, at.gap)
            forbidden = throws is TrumpThrows.FORBIDDEN and suits == {"T"}
            held = [] if all(suits <= set(void) for void in told) else unseen
            safe = not any(tractor_round.beaters(unit, held, at.declaration, at.gap) for unit in units)
            if len(units) == 1 or (safe and not forbidden):
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


def test_of_pairs_side_by_side_one_runs_and_the_other_must_be_safe_by_itself():
    at = Setting("S2")
    hand = reference.parse("SA SA D2 D2 H2 H2")
    out = reference.parse("LJ LJ C3 C3 C4 C4 C5 C5 C6 C6")  # a pair beats the second pair of twos, no run the first
    seen = reference.without([card for card in reference.CARDS for _ in range(2)], [*hand, *out])
    now = turn(
        at,
        hand,
        rules=with_rules(at, throw_test=ThrowTest.PUBLIC_INFO),
        memory=replace(Memory(), seen=cards(seen)),
        banker=1,
    )
    assert picks(now, cards("SA SA")) == (cards("D2 H2").kinds, True)
    assert picks(now, cards("SA SA D2 D2")) == (0, True)
