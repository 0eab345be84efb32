"""Counts of legal sequences in small endings, against an enumeration that reads the rules literally."""

import random

from reference import schafkopf as reference
from renege.games import schafkopf
from renege.games.testing import perft
from support.schafkopf_deals import SOAK


def literal(
    hands: list[list[str]], trick: list[str], leader: int, declaration: str, called: reference.Called | None, depth: int
) -> int:
    if depth == 0 or not any(hands):
        return 1
    seat = (leader + len(trick)) % 4
    count = 0
    for card in reference.legal(hands[seat], trick, declaration, called):
        after = None if called is None else reference.called_after(called, hands[seat], trick, card)
        left = [[held for held in hand if held != card] for hand in hands]
        laid = [*trick, card]
        if len(laid) == 4:
            taker = (leader + reference.winner(laid, declaration)) % 4
            count += literal(left, [], taker, declaration, after, depth - 1)
        else:
            count += literal(left, laid, leader, declaration, after, depth - 1)
    return count


def test_small_endings_have_as_many_sequences_as_the_rules_allow():
    kept = 0
    for number in range(40 * SOAK):
        rng = random.Random(f"perft {number}")
        declaration = rng.choice([f"rufspiel {rng.choice('EGS')}", rng.choice(reference.DECLARATIONS)])
        pack = reference.deck(short=False)
        called = reference.called_at_first(declaration)
        suit = "" if called is None else called.suit  # it is in it, its ace above all
        pack.sort(key=lambda card: rng.random() + 0.5 * (card[0] != suit) - 0.4 * (card == f"{suit}A"))
        size = rng.choice([2, 3, 3])
        pack = rng.sample(pack[: 4 * size], 4 * size)
        hands = [pack[seat * size : (seat + 1) * size] for seat in range(4)]
        declarer = next((seat for seat in range(4) if called is None or called.ace not in hands[seat]), 0)
        by = f" by {declarer}" + (f" with {(declarer + 1) % 4}" if declaration == "hochzeit" else "")
        contract = declaration if declaration == "ramsch" else declaration + by
        told = " | ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(hands))
        position = schafkopf.position(f"{contract} | {told} | 0 leads")
        for depth in (1, 4, 5, 4 * size):
            expected = literal(hands, [], 0, declaration, called, depth)
            assert perft(position, depth) == expected, (depth, str(position))
        kept += called is not None and any(called.ace in hand for hand in hands)
    assert kept > 10
