"""Claims against the reference, which plays every legal line: all contracts, ties, first leads and small ends."""

import random
from collections import Counter
from collections.abc import Callable

import pytest

from reference import texas42 as reference
from renege import texas42
from renege.core.cards import Cards, Hand
from renege.core.house_rules import read_rules
from renege.core.position import Position, begin
from renege.games.texas42.claim import claim
from renege.games.texas42.contract import Hand42, read_contract
from renege.games.texas42.rules import EarlyEnd, Rules
from support.steering import SOAK

DECLARED = ("trump 5", "trump doubles", "follow-me", "nello", "nello doubles low")


def test_claims_in_sevens_with_either_rule_for_ties():
    found = differences(
        "sevens", lambda rng: ({"sevens_tie": rng.choice(["first-played", "declarers"])}, "sevens"), 220
    )
    assert min(found.values()) > 10 * SOAK


def test_claims_before_and_after_a_first_lead_for_the_small_end():
    found = differences("small", lambda rng: ({"opening_lead": "small-end"}, rng.choice(DECLARED)), 120)
    assert min(found.values()) > 10 * SOAK


def test_claims_where_the_first_lead_must_be_a_trump():
    found = differences("trump", lambda rng: ({"opening_lead": "trump"}, rng.choice(DECLARED[:2])), 60)
    assert min(found.values()) > 10 * SOAK


def differences(seed: str, choose: Callable[[random.Random], tuple[dict[str, str], str]], cases: int) -> Counter[bool]:
    """How many claims of each kind there were; the first that is judged otherwise than by the reference fails."""
    rng, found = random.Random(seed), Counter[bool]()
    for _ in range(cases * SOAK):
        house, declared = choose(rng)
        position = position_at_random(rng, house, declared)
        terms = terms_of(position)
        seats = [terms.declarer] if terms.declaration == "nello" else range(4)
        for seat in seats:
            good, _ = claim(position, seat)
            assert bool(good) is judged_by_reference(position, seat, house), (house, str(position), seat)
            found[bool(good)] += 1
    return found


def position_at_random(rng: random.Random, house: dict[str, str], declared: str) -> Position:
    """A few tiles a hand, at the first lead or later, some of a trick on the table."""
    rules = read_rules(Rules(early_end=EarlyEnd.PLAY_ON), house)
    size, first = rng.choice([1, 2, 2, 3]), rng.random() < 0.7
    if declared == "sevens":
        size = rng.randint(2, 4)
    contract = read_contract(rules, f"{declared} bid 1 mark by {rng.randrange(4)}")
    tiles = rng.sample(range(28), 4 * size)
    hands = tuple(
        texas42.DECK.cards(tiles[size * seat : size * (seat + 1)]) if seat in contract.seats else texas42.DECK.none
        for seat in range(4)
    )
    leader = contract.leader if first else rng.choice(contract.seats)
    position = begin(texas42.game(rules), contract, hands, leader).resume(
        tricks=(0, 0, 0, 0) if first else (1, 0, 0, 0)
    )
    for _ in range(rng.randrange(len(contract.seats))):
        position = position.put(rng.choice(list(position.legal_plays)))
    return position


def terms_of(position: Position) -> Hand42:
    assert isinstance(position.contract, Hand42)
    return position.contract


def told(hand: Hand) -> Cards:
    assert isinstance(hand, Cards)
    return hand


def judged_by_reference(position: Position, seat: int, house: dict[str, str]) -> bool:
    terms, trick = terms_of(position), position.trick
    assert trick is not None
    asked = reference.Claim(
        seat,
        terms.declarer,
        terms.declaration,
        terms.doubles.value if terms.declaration == "nello" else None,
        house.get("sevens_tie", "first-played"),
        None if position.tricks_played or trick.plays else house.get("opening_lead", "any"),
    )
    hands = {who: [reference.TILES[card] for card in told(hand)] for who, hand in enumerate(position.hands)}
    lying = [
        (who, reference.TILES[next(iter(play.cards))]) for who, play in zip(trick.seats, trick.plays, strict=False)
    ]
    suit = ""
    if lying:
        named = trick.plays[0].suit
        suit = (
            reference.led_suit(lying[0][1], asked.declaration, asked.doubles)
            if named is None
            else reference.SUITS[named]
        )
    return reference.claim_holds(asked, hands, trick.leader, lying, suit)


@pytest.mark.parametrize("ties", ["first-played", "declarers"])
def test_reference_a_tie_is_the_declarers_or_the_first_players(ties: str):
    asked = reference.Claim(claimer=0, declarer=0, declaration="sevens", ties=ties)
    hands = {0: [(5, 2)], 1: [(6, 1)], 2: [(0, 0)], 3: [(1, 0)]}
    assert reference.claim_holds(asked, hands, leader=0)
    assert reference.claim_holds(asked, hands, leader=1) is (ties == "declarers")
