"""What follows prove where units are of any width, against verdicts on other hands from which they may have come."""

import random
from collections import Counter
from typing import Any

import pytest

from renege import tractor
from renege.core.cards import Cards, kinds_in
from renege.core.facts import Fact, FewPairs, NoRun, Permits
from renege.core.order import Order
from renege.core.position import Position, begin
from renege.core.trick import Play
from renege.games.tractor.declare import Bank
from renege.games.tractor.evidence_wide import follow_facts
from support.steering import SOAK

HOUSES: list[dict[str, Any]] = [
    {"packs": 3},
    {"packs": 3, "shorter_runs": "not-owed"},
    {"packs": 3, "shorter_runs": "all-owed"},
    {"packs": 3, "tractor_width": 3},
    {"packs": 4},
    {"packs": 4, "tractor_length": 3},
    {"packs": 3, "follow_duty": "tuples-protected"},
    {"packs": 4, "follow_duty": "both-protected"},
    {"packs": 3, "follow_duty": "tractors-protected"},
    {"packs": 3, "duty_family": "first-format"},
    {"packs": 3, "duty_family": "first-format", "follow_duty": "tuples-protected"},
]
HEARTS, CASES, HANDS = 2, 80 * SOAK, 30


def holds(fact: Fact, order: Order, hand: Cards) -> bool:
    """Is a fact true of a hand? Read from what the facts say of themselves."""
    if isinstance(fact, Permits):
        return fact.permitted(hand.only(fact.cards.kinds))
    assert isinstance(fact, FewPairs | NoRun)
    wide = {card for card in set(hand) if hand.count(card) >= fact.width}
    if isinstance(fact, FewPairs):
        return len(wide & set(fact.cards)) <= fact.most
    steps = [bool(wide & set(kinds_in(step))) for step in order.steps[fact.suit]]
    return not any(all(steps[i : i + fact.length]) for i in range(len(steps) - fact.length + 1))


def some(pool: list[int], size: int, rng: random.Random) -> list[int]:
    """Cards that often lie side by side."""
    kinds = sorted(set(pool))
    first, many = rng.randrange(len(kinds)), rng.choice([1, 2, 3, 5])
    near = [card for card in pool if card in kinds[first : first + many]]
    return rng.sample(near if len(near) >= size and rng.random() < 0.8 else pool, size)


def after_lead(house: dict[str, Any], lead: Cards, hand: Cards) -> Position:
    """A lead of seat 0, and seat 1 with a hand."""
    game = tractor.game(**house)
    hidden = game.deck.hidden
    hands = (lead, hand, *(hidden(len(hand)) for _ in range(game.players - 2)))
    return begin(game, Bank("S2", 0, 0), hands).put(Play(lead))


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: "-".join(map(str, house.values())))
def test_follows_prove_just_that_they_were_legal(house: dict[str, Any]) -> None:
    deck, found, legal = tractor.game(**house).deck, Counter[str](), Counter[bool]()
    for case in range(CASES):
        rng = random.Random(f"{sorted(house)} {case}")
        hearts = [card for card in deck.all if deck.names[card][0] == "H" and deck.names[card] != "H2"]
        led = some(hearts, rng.choice([2, 2, 3, 4, 4, 5, 6]), rng)
        left = list(deck.cards(hearts) - deck.cards(led))
        held = deck.cards(some(left, min(len(led) + rng.randrange(5), len(left)), rng))
        position = after_lead(house, deck.cards(led), held)
        play = position.legal_plays.choose(rng)
        turn = position.turn_to_play(play.cards)
        assert turn.led == HEARTS and turn.trick.lead is not None
        facts = list(follow_facts(turn, HEARTS, turn.trick.lead, play))
        found.update(type(fact).__name__ for fact in facts)
        assert all(holds(fact, turn.order, held) for fact in facts), (case, facts)
        rest = list(deck.cards(left) - play.cards)
        for _ in range(HANDS):
            other = play.cards + deck.cards(some(rest, min(rng.randrange(6), len(rest)), rng))
            verdict = after_lead(house, deck.cards(led), other).judge(play)
            legal[bool(verdict.legal)] += 1
            proved = all(holds(fact, turn.order, other) for fact in facts)
            assert proved == verdict.legal, (case, str(play), str(other), verdict, facts)
    assert min(legal[False], legal[True]) > CASES
    graded = "duty_family" not in house and "follow_duty" not in house
    expected = {"FewPairs"} if "tractor_length" in house else {"FewPairs", "NoRun"}  # such long tractors are rare
    assert set(found) >= (expected if graded else {"Permits"}), found
