"""Whole deals against the reference: dealt, bid, declared and played at random, then settled by replay."""

import random

import pytest

from reference import texas42 as reference
from renege import texas42
from renege.core.cards import Cards, Hand
from renege.core.game import Standing
from renege.core.position import Position, deal_position
from renege.games.texas42.contract import Hand42
from renege.games.texas42.order import DECK
from renege.games.texas42.rules import EarlyEnd, Rules

CONTRACTS = [
    *(f"trump {trump}" for trump in ("0", "1", "2", "3", "4", "5", "6", "doubles")),
    *("follow-me", "follow-me doubles low", "follow-me doubles own"),
    *("nello", "nello doubles high", "nello doubles low", "nello doubles own-inverted"),
    *("sevens", "plunge", "splash"),
]


def ends(cards: Hand) -> list[reference.Tile]:
    assert isinstance(cards, Cards)
    return [reference.TILES[card] for card in cards]


def tiles(text: str) -> list[reference.Tile]:
    return [reference.parse_tile(word) for word in text.split()]


def deal_out(rng: random.Random, rules: Rules) -> Position:
    hands = DECK.deal([7] * 4, rng.getrandbits(32))
    return deal_position(texas42.game(rules), Standing(rng.randrange(4), (0, 0)), hands)


def bid_at_random(rng: random.Random, position: Position) -> tuple[Position, list[str]]:
    bids: list[str] = []
    for _ in range(4):
        calls = position.legal_calls
        jumps = [call for call in calls if call in ("plunge", "splash")]
        bids.append(rng.choice([rng.choice(calls), "pass", *jumps]))
        position = position.call(bids[-1])
    return position, bids


def contract_at_random(rng: random.Random, contract: str, rules: Rules):
    """A deal whose auction ends in this contract: the deal, the bids, and the position at the first lead."""
    for _ in range(3_000):
        dealt = deal_out(rng, rules)
        position, bids = bid_at_random(rng, dealt)
        if not position.talking:
            continue  # all passed
        declared = contract
        if contract in ("plunge", "splash"):
            declared = rng.choice([call for call in position.legal_calls if call.startswith("trump")])
        if declared not in position.legal_calls:
            continue
        position = position.call(declared)
        assert isinstance(position.contract, Hand42)
        if contract not in ("plunge", "splash") or position.contract.bid.word == contract:
            return dealt, bids, position
    raise AssertionError(f"3,000 deals, and in none could anyone play {contract}")


@pytest.mark.parametrize("early_end", list(EarlyEnd), ids=lambda choice: choice.value)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_random_deal_is_played_and_settled_as_the_rules_say(contract: str, early_end: EarlyEnd):
    rng = random.Random(f"{contract} {early_end}")
    for _ in range(20):
        dealt, bids, position = contract_at_random(rng, contract, Rules(early_end=early_end))
        terms = position.contract
        assert isinstance(terms, Hand42)
        declaration = terms.declaration
        doubles = terms.doubles.value if declaration in ("follow-me", "nello") else None
        hands = [ends(hand) for hand in dealt.hands]
        plays: list[reference.Tile] = []
        while not position.over:
            trick = position.trick
            assert trick is not None
            lead = ends(trick.lead.cards)[0] if trick.lead else None
            allowed = list(position.legal_plays)
            assert {ends(play.cards)[0] for play in allowed} == set(
                reference.legal_plays(ends(position.hand), lead, declaration, doubles)
            )
            play = rng.choice(allowed)
            plays += ends(play.cards)
            position = position.play(play)
        settled = reference.replay(hands, dealt.standing.dealer, bids, declaration, plays, doubles)
        assert settled.points == (sum(position.points[0::2]), sum(position.points[1::2]))
        assert [settled.tricks.count(seat) for seat in range(4)] == list(position.tricks)
        result = position.result
        assert result is not None
        assert settled.made is result.made
        assert settled.marks == result.score[:2]
        seats = 3 if declaration == "nello" else 4
        if early_end is EarlyEnd.STOP:  # and not a trick too late
            before = reference.replay(hands, dealt.standing.dealer, bids, declaration, plays[:-seats], doubles)
            assert before.made is None
        else:
            assert len(plays) == 7 * seats


# --- the reference itself, on deals that need no computer ------------------------------------------


SIXES = tiles("6-6 6-5 6-4 6-3 6-2 6-1 6-0")
REST = [tile for tile in reference.TILES if tile not in SIXES]


def test_reference_all_sixes_take_every_trick_for_two_marks():
    hands = [SIXES, REST[0:7], REST[7:14], REST[14:21]]
    plays = [hands[seat][turn] for turn in range(7) for seat in range(4)]
    settled = reference.replay(hands, 3, ["2 marks", "pass", "pass", "pass"], "6", plays)
    assert settled == reference.Result((42, 0), True, (2, 0), (0,) * 7)


def test_reference_one_trump_of_the_other_side_sets_a_mark():
    hands = [REST[0:7], SIXES, REST[7:14], REST[14:21]]
    trick = tiles("0-0 6-6 4-0 5-0")
    settled = reference.replay(hands, 3, ["1 mark", "pass", "pass", "pass"], "6", trick)
    assert (settled.made, settled.marks, settled.tricks) == (False, (0, 1), (1,))


def test_reference_thirty_is_made_at_thirty_points_and_open_before():
    hands = [SIXES, REST[0:7], REST[7:14], REST[14:21]]
    plays = [hands[seat][turn] for turn in range(7) for seat in range(4)]
    bids = ["30", "pass", "pass", "pass"]
    for tricks in range(8):
        settled = reference.replay(hands, 3, bids, "6", plays[: 4 * tricks])
        assert settled.made is (True if settled.points[0] >= 30 else None)


def test_reference_nello_has_three_tiles_a_trick_and_ends_when_the_declarer_wins():
    hands = [SIXES, REST[0:7], REST[7:14], REST[14:21]]
    bids = ["1 mark", "pass", "pass", "pass"]
    settled = reference.replay(hands, 3, bids, "nello", [(6, 5), REST[0], REST[14]])
    assert settled == reference.Result((settled.points[0], 0), False, (0, 1), (0,))
    with pytest.raises(ValueError, match="seat 3 may not play"):  # the partner's tile: seat 3 is next
        reference.replay(hands, 3, bids, "nello", [(6, 5), REST[0], REST[7]])


def test_reference_in_sevens_the_first_of_equals_wins():
    nearest = tiles("6-1 5-2 4-3 6-2 5-3 4-4 6-0")
    others = [tile for tile in reference.TILES if tile not in nearest]
    others.sort(key=reference.from_seven)
    hands = [nearest, others[0::3], others[1::3], others[2::3]]  # nearest first, as they must be played
    plays = [hands[seat][turn] for turn in range(7) for seat in range(4)]
    settled = reference.replay(hands, 3, ["1 mark", "pass", "pass", "pass"], "sevens", plays)
    assert (settled.made, settled.marks, settled.tricks) == (True, (1, 0), (0,) * 7)
    assert reference.winner(tiles("6-2 5-3 6-0 4-4"), "sevens") == 0
    with pytest.raises(ValueError, match="may not play"):  # the duty binds the lead too
        reference.replay(hands, 3, ["1 mark", "pass", "pass", "pass"], "sevens", [(6, 0)])


def test_reference_a_plunge_is_led_by_the_partner():
    plunger = tiles("6-6 5-5 4-4 3-3 2-2 1-1 0-0")
    partner = tiles("6-5 6-4 6-3 6-2 6-1 6-0 5-4")
    rest = [tile for tile in reference.TILES if tile not in plunger + partner]
    hands = [plunger, rest[:7], partner, rest[7:]]
    bids = ["plunge", "pass", "pass", "pass"]
    settled = reference.replay(hands, 3, bids, "6", [(6, 5), rest[7], (6, 6), rest[0]])
    assert (settled.tricks, settled.made) == ((0,), None)
    with pytest.raises(ValueError, match="seat 2 may not play"):
        reference.replay(hands, 3, bids, "6", [(6, 6)])


def test_reference_refuses_a_renege():
    hands = [tiles("6-4 1-0"), tiles("6-6 6-5"), tiles("2-0 2-1"), tiles("3-0 3-1")]
    bids = ["30", "pass", "pass", "pass"]
    with pytest.raises(ValueError, match="seat 1 may not play"):  # 6-5 is a trump and does not follow sixes
        reference.replay(hands, 3, bids, "5", [(6, 4), (6, 5)])
    assert reference.replay(hands, 3, bids, "5", [(6, 4), (6, 6)]).made is None
