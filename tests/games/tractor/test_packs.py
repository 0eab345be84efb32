"""Tractor with two to four packs against the brute force: units, duties of both families, winners and throws.

Under each duty and protection, with each number of packs, 2,000 random follows are judged, and with `RENEGE_SOAK=100`
200,000; as many tricks are won and throws tested. Legal plays are held against all parts of a hand that are as large as
the lead.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import pytest

from reference import tractor_packs as reference
from renege.core.cards import kinds_in
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.follow import beats, why_not
from renege.games.tractor.memory import Memory
from renege.games.tractor.plays import WidePlays, picks
from renege.games.tractor.rules import ShorterRuns, StoppedThrow, ThrowComparison, ThrowTest, TrumpThrows
from renege.games.tractor.throws import lands
from renege.games.tractor.units import led_form, led_units, units_of
from support.tractor_packs import (
    PackSetting,
    fitting,
    pack_cases,
    pile,
    random_grouping,
    random_hand,
    random_lead,
    random_pile,
    random_play,
    suit_id,
    turn,
)

PROTECTIONS = ["shape", "tractors-protected", "tuples-protected", "both-protected"]
FAMILIES = "graded", "first-format"
DUTIES = [reference.Duty(family, follow) for family in FAMILIES for follow in PROTECTIONS]
EVERY_DUTY = [*DUTIES, *(reference.Duty(family, "suit-only") for family in FAMILIES)]
PACKS = 2, 3, 4
FOLLOWS = 2000


def named(duty: reference.Duty) -> str:
    return f"{duty.family} {duty.follow}"


@pytest.mark.parametrize("packs", PACKS)
@pytest.mark.parametrize("duty", EVERY_DUTY, ids=named)
def test_a_follow_breaks_the_duty_that_the_brute_force_names(duty: reference.Duty, packs: int):
    seen: Counter[str | None] = Counter()
    for rng, at in pack_cases(f"duty {named(duty)} {packs}", FOLLOWS, duty, packs=(packs,)):
        lead = random_lead(rng, at, rng.choice([2, 3, 3, 4, 4, 5, 6, 7]))
        grouping = random_grouping(rng, at, lead)
        hand = random_hand(rng, at, lead, 11)
        play = random_play(rng, at, lead, hand)
        led, forms = reference.led_suit(lead, at.table), reference.led_forms(lead, grouping, at.table)
        told = reference.follow_duty(led, forms, hand, play, at.table, at.duty)
        first = Play(at.cards(lead), units=tuple(map(at.cards, grouping or ())))
        objection = tractor.game(at.rules).objection(turn(at, hand, [first]), Play(at.cards(play)))
        said = None if objection is None else objection.rule.id.removeprefix("tractor.")
        if at.rules.is_usual:  # with two packs pairs are asked for first, by a rule of their own
            assert (said is None) == (told is None), (at, lead, grouping, hand, play)
        else:
            assert said == told, (at, lead, grouping, hand, play)
        seen[told] += 1
    assert seen[None] >= 500, seen
    of_shape = sum(seen[rule] for rule in seen if rule not in (None, "follow-suit"))
    assert of_shape >= 50 or duty.follow == "suit-only", seen


def test_a_lead_has_the_shape_and_the_units_of_the_brute_force():
    for rng, at in pack_cases("shape", 1500):
        lead = random_lead(rng, at, 9)
        suit = suit_id(reference.led_suit(lead, at.table))
        forms = reference.shape(lead, at.table)
        shape = led_form(at.order, Play(at.cards(lead)))
        if not at.rules.is_usual:
            assert shape.forms == forms, (at, lead)  # pyright: ignore[reportAttributeAccessIssue]
        assert shape.cards == len(lead)
        assert shape.is_throw == (len(forms) > 1)
        assert shape.longest_cards == forms[0][0] * forms[0][1]
        assert shape.led_pairs == sum(length for width, length in forms if width > 1)
        units = sorted(pile(unit) for unit in units_of(at.order, suit, at.cards(lead)))
        best = reference.cuttings_into(forms, lead, at.table)
        assert units in [sorted(tuple(sorted(unit)) for unit in way) for way in best], (at, lead)


def test_a_leader_may_name_any_cutting_and_nothing_else():
    for rng, at in pack_cases("grouping", 400):
        lead = random_lead(rng, at, 7)
        named = rng.choice(sorted(set(reference.cut(lead, at.table))))
        play = Play(at.cards(lead), units=tuple(map(at.cards, named)))
        assert tractor.game(at.rules).objection(turn(at, lead), play) is None, (at, named)
        assert [len(unit) for unit in led_units(at.order, play)] == [len(unit) for unit in named]
        cuts = {tuple(sorted(tuple(sorted(unit)) for unit in way)) for way in reference.cut(lead, at.table)}
        parts = [lead[: len(lead) // 2], lead[len(lead) // 2 :]]
        other = tuple(sorted(filter(None, parts)))
        objection = tractor.game(at.rules).objection(
            turn(at, lead), Play(at.cards(lead), units=tuple(map(at.cards, other)))
        )
        assert (objection is None) == (other in cuts), (at, lead, other)


def test_long_tractors_are_answered_as_the_brute_force_answers_them():
    """Four or five steps are led to hands of several shorter runs: there further runs can be owed."""
    seen: Counter[str | None] = Counter()
    for rng, at in pack_cases("long runs", 200, packs=(3, 4)):
        at = replace(at, duty=at.duty._replace(shorter_runs="all-owed"), table=at.table._replace(least=(2, 2)))
        suit = rng.choice([suit for suit, steps in at.steps.items() if len(steps) > 10])
        steps = at.steps[suit]
        width, length = rng.choice([(2, 4), (2, 4), (2, 5), (3, 4)])
        lead = reference.pile(kind for step in steps[:length] for kind in step[:1] * width)
        hand = reference.pile(
            kind for i, step in enumerate(steps) for kind in step[:1] * (rng.choice([1, 2, 2, 3]) if i % 3 else 1)
        )
        if len(hand) <= len(lead):
            continue
        now = turn(at, hand, [Play(at.cards(lead))])
        as_one_run = replace(at.rules, shorter_runs=ShorterRuns.OWED)
        game, loose = tractor.game(at.rules), tractor.game(as_one_run)
        play = pile(WidePlays(loose, replace(now, rules=as_one_run)).choose(rng).cards)
        objection = game.objection(now, Play(at.cards(play)))
        forms = reference.shape(lead, at.table)
        told = reference.follow_duty(suit, forms, hand, play, at.table, at.duty)
        said = None if objection is None else objection.rule.id.removeprefix("tractor.")
        assert said == told, (at, lead, hand, play)
        seen[told] += 1
    assert min(seen[None], seen["follow-run"]) >= 10, seen


@pytest.mark.parametrize("packs", PACKS)
@pytest.mark.parametrize("duty", EVERY_DUTY, ids=named)
def test_the_legal_follows_are_those_of_the_brute_force(duty: reference.Duty, packs: int):
    several = 0
    for rng, at in pack_cases(f"follows {named(duty)} {packs}", 40, duty, packs=(packs,)):
        lead = random_lead(rng, at, rng.choice([2, 3, 3, 4, 5, 6]))
        grouping = random_grouping(rng, at, lead)
        hand = random_hand(rng, at, lead, 9)
        told = reference.legal_follows(lead, hand, at.table, at.duty, grouping)
        first = Play(at.cards(lead), units=tuple(map(at.cards, grouping or ())))
        now = turn(at, hand, [first])
        plays = tractor.game(at.rules).legal(tractor.game(at.rules), now)
        found = [pile(play.cards) for play in plays]
        assert len(found) == len(set(found)) == plays.count(), (at, lead, grouping, hand)
        assert set(found) == told, (at, lead, grouping, hand)
        assert pile(plays.choose(rng).cards) in told
        assert {at.order.deck.names[card] for card in kinds_in(plays.kinds())} == {
            card for play in told for card in play
        }
        several += len(told) > 1
        chosen: reference.Pile = ()
        while len(chosen) < len(lead):
            goes_on = {c for play in told if Counter(chosen) <= Counter(play) for c in reference.without(play, chosen)}
            mask, _ = picks(now, at.cards(chosen))
            assert {at.order.deck.names[card] for card in kinds_in(mask)} == goes_on, (at, lead, hand, chosen)
            chosen = reference.pile([*chosen, rng.choice(sorted(goes_on))])
    assert several >= 12


# Around the level step, where several kinds lie: leads, the kinds of which every hand is tried, and how many of each.
LITTLE_DECKS = [
    ("S2", "S3 S3 S4 S4", "SA H2 D2 S2", 3),
    ("S2", "S3 S3 S3 S4", "SA H2 D2 S2", 3),
    ("S2", "S3 S3 S3 S4 S4 S4", "SA H2 D2 S2", 3),
    ("S2", "S3 S3 S3 S5 S5", "SK SA H2", 4),
    ("NT2", "S2 S2 LJ LJ", "H2 D2 LJ BJ", 3),
    ("S7", "H3 H3 H3 H3", "H5 H6 H8", 4),
]


@pytest.mark.parametrize(("declaration", "lead", "kinds", "packs"), LITTLE_DECKS)
@pytest.mark.parametrize("duty", DUTIES, ids=named)
def test_every_hand_of_a_little_deck(declaration: str, lead: str, kinds: str, packs: int, duty: reference.Duty):
    at, led = PackSetting(reference.Table(declaration), duty, packs), reference.parse(lead)
    game = tractor.game(at.rules)
    for copies in product(range(packs + 1), repeat=len(kinds.split())):
        hand = reference.pile(kind for kind, n in zip(kinds.split(), copies, strict=True) for _ in range(n))
        if len(hand) <= len(led):
            continue
        told = reference.legal_follows(led, hand, at.table, duty)
        now = turn(at, hand, [Play(at.cards(led))])
        assert {pile(play.cards) for play in WidePlays(game, now)} == told, hand
        for play in set(combinations(hand, len(led))):
            assert (game.objection(now, Play(at.cards(play))) is None) == (play in told), (hand, play)


@pytest.mark.parametrize("packs", PACKS)
def test_the_winner_is_that_of_the_brute_force_under_every_comparison(packs: int):
    won: Counter[int] = Counter()
    for rng, at in pack_cases(f"winner {packs}", FOLLOWS // 3, packs=(packs,)):  # three comparisons each
        lead = random_lead(rng, at, rng.choice([1, 2, 3, 4, 5, 6, 7]))
        grouping = random_grouping(rng, at, lead)
        forms = reference.led_forms(lead, grouping, at.table)
        follows: list[reference.Pile] = []
        while len(follows) < 3:
            suit = rng.choice(["T", "T", reference.led_suit(lead, at.table)])
            play = fitting(rng, at, suit, forms) if rng.random() < 0.8 else random_pile(rng, at, suit, len(lead))
            follows += [play] if play is not None and len(play) == len(lead) else []
        first = Play(at.cards(lead), units=tuple(map(at.cards, grouping or ())))
        plays = [first, *(Play(at.cards(play)) for play in follows)]
        for comparison in ThrowComparison:
            told, out = reference.winner([lead, *follows], at.table, comparison.value, grouping)
            rules, best = replace(at.rules, throw_comparison=comparison), 0
            for place in (1, 2, 3):
                now = turn(at, follows[place - 1], plays[:place], rules=rules)
                assert (why_not(at.order, first, plays[place]) is not None) == out[place], (at, lead, follows)
                if beats(now, plays[best], plays[place]):
                    best = place
            assert best == told, (at, comparison, lead, grouping, follows)
            won[told] += 1
    assert min(won[place] for place in range(4)) >= 100, won


@pytest.mark.parametrize("packs", PACKS)
def test_a_throw_falls_to_the_unit_and_the_seat_of_the_brute_force(packs: int):
    seen: Counter[bool] = Counter()
    for rng, at in pack_cases(f"throw {packs}", FOLLOWS // 2, packs=(packs,)):  # by two rules each
        lead = random_lead(rng, at, rng.choice([3, 4, 5, 6, 8]))
        suit = reference.led_suit(lead, at.table)
        grouping = random_grouping(rng, at, lead)
        others = [random_pile(rng, at, suit, rng.randint(0, 7)) for _ in range(3)]
        if rng.random() < 0.6:
            highest = max(reference.step(card, at.table) for card in lead)
            others = [tuple(c for c in hand if reference.step(c, at.table) <= highest) for hand in others]
        play = Play(at.cards(lead), units=tuple(map(at.cards, grouping or ())))
        hands = (at.cards(lead), *map(at.cards, others))
        for choice in (StoppedThrow.LEAD_SMALLEST, StoppedThrow.FIRST_FOUND):
            told, _ = reference.thrown(lead, others, at.table, grouping, choice.value)
            landed = lands(turn(at, lead, rules=replace(at.rules, stopped_throw=choice), hands=hands), play)
            assert landed is not None
            assert (landed.tried is None) == (told is None), (at, lead, grouping, others)
            # which of the level cards on one step a unit takes is the same to all that beats it
            assert [steps(at, pile(landed.cards))] == [steps(at, told or lead)], (at, lead, grouping, others)
            seen[told is None] += 1
        refused = replace(at.rules, stopped_throw=StoppedThrow.REFUSED)
        objection = tractor.game(refused).objection(turn(at, lead, rules=refused, hands=hands), play)
        assert (objection is None) == (reference.thrown(lead, others, at.table, grouping)[0] is None)
    assert min(seen.values()) >= 300, seen


def steps(at: PackSetting, cards: Sequence[str]) -> list[int]:
    return sorted(reference.step(card, at.table) for card in cards)


@pytest.mark.parametrize("choice", ["free", "refused", "forbidden", "public"])
def test_the_leads_are_those_that_the_rules_let_pass(choice: str):
    """Every part of a hand of one suit is judged by itself; that the judge is right is seen above."""
    rules = {
        "free": {},
        "refused": {"stopped_throw": StoppedThrow.REFUSED},
        "forbidden": {"trump_throws": TrumpThrows.FORBIDDEN},
        "public": {"throw_test": ThrowTest.PUBLIC_INFO},
    }[choice]
    closed = 0
    for rng, at in pack_cases(f"leads {choice}", 60, packs=(3, 4)):
        house = replace(at.rules, **rules)
        suits = rng.sample(list(at.steps), min(2, len(at.steps)))
        hand = reference.pile([card for suit in {"T", *suits} for card in random_pile(rng, at, suit, 5)])
        others = [random_pile(rng, at, rng.choice(list(at.steps)), 6) for _ in range(3)]
        if not hand:
            continue
        deck, game = at.order.deck, tractor.game(house)
        all_cards = [card for card in reference.CARDS for _ in range(at.packs)]
        out = rng.sample(reference.without(all_cards, hand), rng.choice([6, 20, 60]))
        seen = at.cards(reference.without(reference.without(all_cards, hand), out))
        now = turn(at, hand, rules=house, hands=(at.cards(hand), *map(at.cards, others)), memory=Memory(seen))
        parts = {part for size in range(1, len(hand) + 1) for part in combinations(hand, size)}
        told = {part for part in parts if game.objection(now, Play(at.cards(part))) is None}
        plays = WidePlays(game, now)
        found = [pile(play.cards) for play in plays]
        assert len(found) == len(set(found)) == plays.count(), (at, hand)
        assert set(found) == told, (at, hand)
        assert pile(plays.choose(rng).cards) in told
        one_suit = {part for part in parts if len({reference.suit(card, at.table) for card in part}) == 1}
        closed += told != one_suit
        if choice == "refused":  # what would be stopped is open to be tried, and refused when it is whole
            continue
        chosen: reference.Pile = ()
        while True:
            goes_on = {c for part in told if Counter(chosen) <= Counter(part) for c in reference.without(part, chosen)}
            mask, whole = picks(now, at.cards(chosen))
            assert {deck.names[card] for card in kinds_in(mask)} == goes_on, (at, hand, chosen)
            assert whole == (chosen in told)
            if not goes_on:
                break
            chosen = reference.pile([*chosen, rng.choice(sorted(goes_on))])
    assert closed >= 5 or choice == "free"
