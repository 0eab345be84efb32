"""The published algebra fails where we say it does.

Its formulas are written out here as printed, errors and all, over tiles `(i, j)` with i <= j as it has them,
and each error is shown by one counterexample and by the number of cases in which it fails. Beside it stands
what ours does there. The list in words is in `docs/rules/texas42.md`, under the same numbers.
"""

from collections.abc import Callable
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from reference import texas42 as reference
from renege.games.texas42.order import (
    CALLED,
    DOUBLES,
    EFFECTIVE_SUIT,
    NOTHING,
    RANK,
    SUIT_MASK,
    TABLE_BYTES,
    order,
)
from renege.games.texas42.rules import Doubles

Tile = tuple[int, int]
Ranking = Callable[[Tile, int, str], int]

PIPS = range(7)
TILES: list[Tile] = [(low, high) for high in PIPS for low in range(high + 1)]
DOUBLE_TILES = {(pip, pip) for pip in PIPS}
PIP_TRUMPS = [str(pip) for pip in PIPS]
DECLARATIONS = [*PIP_TRUMPS, "doubles", "nello", "notrump"]
OURS = {declaration: declaration for declaration in DECLARATIONS} | {"notrump": "follow-me"}


# --- as printed -------------------------------------------------------------------------------------


def natural(pip: int) -> set[Tile]:
    return {d for d in TILES if pip in d}


def called(declaration: str) -> set[Tile]:
    if declaration in PIP_TRUMPS:
        return natural(int(declaration))
    return set() if declaration == "notrump" else DOUBLE_TILES


def with_power(declaration: str) -> set[Tile]:
    return set() if declaration in ("nello", "notrump") else called(declaration)


def effective(suit: int, declaration: str) -> set[Tile]:
    """The suit with a hat. For suit 7 none is printed; here it is read as the called set, which is meant."""
    return called(declaration) if suit == 7 else natural(suit) - called(declaration)


def effective_as_defined(suit: int, declaration: str) -> set[Tile]:
    """The suit with a hat by the one definition there is: the plain suit, less the called tiles."""
    plain = called(declaration) if suit == 7 else natural(suit)
    return plain - called(declaration)


def follows_equivalently(d: Tile, led: int, declaration: str) -> bool:
    return led in d and d not in called(declaration)


def lead_of(d: Tile, declaration: str) -> int:
    return 7 if d in called(declaration) else max(d)


def printed_ranking(d: Tile, led: int, declaration: str, suit_of_hat: Callable = effective) -> int:
    if d in with_power(declaration):
        tier = 2
    elif d in suit_of_hat(led, declaration):
        tier = 1
    else:
        tier = 0
    if declaration == "doubles" and d in DOUBLE_TILES:
        rank = d[0]
    elif d in DOUBLE_TILES and tier > 0:
        rank = 14
    elif tier > 0:
        rank = sum(d)
    else:
        rank = 0
    return (tier << 4) + rank


def hatless_ranking(d: Tile, led: int, declaration: str) -> int:
    return printed_ranking(d, led, declaration, effective_as_defined)


def branchless_ranking(d: Tile, led: int, declaration: str) -> int:
    tier = 2 if d in with_power(declaration) else 1 if d in effective(led, declaration) else 0
    rank = (14 if d in DOUBLE_TILES else sum(d)) if tier > 0 else 0
    return tier << 4 | rank


# --- every trick ------------------------------------------------------------------------------------


def lead_and_followers(size: int) -> np.ndarray:
    """[tricks, size] every lead with every set of followers."""
    sets = np.array(list(combinations(range(28), size)))
    return np.concatenate([np.column_stack([sets[:, [i]], np.delete(sets, i, axis=1)]) for i in range(size)])


FOURS = lead_and_followers(4)
THREES = lead_and_followers(3)


def values(ranking: Ranking, declaration: str, tricks: np.ndarray) -> np.ndarray:
    """[tricks, size] what a ranking makes of each tile."""
    table = np.array([[ranking(d, led, declaration) for d in TILES] for led in range(8)])
    led = np.array([lead_of(d, declaration) for d in TILES])[tricks[:, 0]]
    return table[led[:, None], tricks]


def our_values(declaration: str, tricks: np.ndarray, doubles: Doubles | None = None) -> np.ndarray:
    table = order(OURS[declaration], doubles)
    led = np.array(table.led_suit)[tricks[:, 0]]
    return np.array(table.strength)[led[:, None], tricks]


def ties(scores: np.ndarray) -> int:
    """In how many tricks the highest score is not alone."""
    return int(((scores == scores.max(axis=1, keepdims=True)).sum(axis=1) > 1).sum())


def masks(tiles: set[Tile]) -> int:
    return sum(1 << TILES.index(d) for d in tiles)


def test_what_is_printed_and_ours_number_the_tiles_alike():
    assert [(high, low) for low, high in TILES] == reference.TILES


def test_away_from_doubles_as_a_suit_without_power_what_is_printed_is_ours():
    for declaration in [*PIP_TRUMPS, "doubles", "notrump"]:
        assert (values(printed_ranking, declaration, FOURS) == our_values(declaration, FOURS)).all()


# --- the errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("declaration", ["nello", "notrump"])
def test_error_1_without_power_it_is_tier_2_that_is_empty_and_not_tier_1(declaration: str):
    for scores in (values(printed_ranking, declaration, FOURS), our_values(declaration, FOURS)):
        assert (scores >> 4 < 2).all()
        assert (scores >> 4 == 1).any(axis=1).all()  # all 81,900: the lead at least


def test_error_2_in_nello_two_doubles_are_equal_in_11165_of_81900_tricks_of_four():
    assert printed_ranking((6, 6), 7, "nello") == printed_ranking((0, 0), 7, "nello") == 16 + 14
    assert ties(values(printed_ranking, "nello", FOURS)) == 7 * (comb(27, 3) - comb(21, 3)) == 11_165
    assert ties(our_values("nello", FOURS)) == 0


def test_error_2_in_nello_two_doubles_are_equal_in_987_of_9828_tricks_of_three():
    assert ties(values(printed_ranking, "nello", THREES)) == 7 * (comb(27, 2) - comb(21, 2)) == 987
    assert ties(our_values("nello", THREES)) == 0


def test_error_2_is_the_only_failure_of_what_is_printed_in_819000_tricks():
    failing = {declaration: ties(values(printed_ranking, declaration, FOURS)) for declaration in DECLARATIONS}
    assert len(FOURS) * len(failing) == 819_000
    assert {declaration: n for declaration, n in failing.items() if n} == {"nello": 11_165}
    assert sum(ties(our_values(declaration, FOURS)) for declaration in DECLARATIONS) == 0


def test_error_3_tier_1_can_hold_seven_doubles_at_once():
    doubles_in_tier_1 = {
        (declaration, led): sum(printed_ranking(d, led, declaration) >> 4 == 1 for d in DOUBLE_TILES)
        for declaration in DECLARATIONS
        for led in range(8)
    }
    assert {case for case, n in doubles_in_tier_1.items() if n > 1} == {("nello", 7)}
    assert doubles_in_tier_1["nello", 7] == 7


def test_error_4_suit_7_by_the_definition_printed_is_always_empty():
    assert all(effective_as_defined(7, declaration) == set() for declaration in DECLARATIONS)
    for declaration in DECLARATIONS:
        assert order(OURS[declaration]).follow[CALLED] == masks(called(declaration))


def test_error_4_then_20475_nello_tricks_have_no_tile_above_tier_0():
    scores = values(hatless_ranking, "nello", FOURS)
    assert hatless_ranking((6, 6), 7, "nello") == 0  # led, and does not follow itself
    assert int((scores.max(axis=1) == 0).sum()) == 7 * comb(27, 3) == 20_475
    assert (our_values("nello", FOURS).max(axis=1) > 0).all()


def test_error_5_the_equivalent_of_following_is_none_for_63_called_tiles():
    wrong = [
        (declaration, led, d)
        for declaration in DECLARATIONS
        for led in range(8)
        for d in TILES
        if follows_equivalently(d, led, declaration) != (d in effective(led, declaration))
    ]
    assert ("5", 7, (5, 6)) in wrong
    assert len(wrong) == 63
    assert {led for _, led, _ in wrong} == {7}


def test_error_6_the_effective_suits_are_no_partition_under_any_declaration():
    in_two = {
        declaration: sum(sum(d in effective(suit, declaration) for suit in range(8)) == 2 for d in TILES)
        for declaration in DECLARATIONS
    }
    assert in_two == dict.fromkeys(PIP_TRUMPS, 15) | {"doubles": 21, "nello": 21, "notrump": 21}


@pytest.mark.parametrize("declaration", DECLARATIONS)
def test_no_error_7_a_tile_is_in_one_suit_just_if_it_is_called_or_a_double_and_else_in_two(declaration: str):
    for d in TILES:
        suits = sum(d in effective(suit, declaration) for suit in range(8))
        assert suits == (1 if d in called(declaration) or d in DOUBLE_TILES else 2)


def test_error_8_the_double_is_not_the_highest_of_its_suit_where_doubles_are_low():
    lead, double = TILES.index((3, 6)), TILES.index((6, 6))
    trick = np.array([[lead, double, TILES.index((0, 0)), TILES.index((1, 1))]])
    assert values(printed_ranking, "notrump", trick).argmax() == 1
    assert our_values("notrump", trick, Doubles.LOW).argmax() == 0
    high = values(printed_ranking, "notrump", FOURS).argmax(axis=1)
    low = our_values("notrump", FOURS, Doubles.LOW).argmax(axis=1)
    # the double is led and another follows it, or it follows one of the 21 others
    assert 7 * (comb(27, 3) - comb(21, 3)) + 21 * comb(26, 2) == 17_990
    assert int((high != low).sum()) == 17_990
    assert ties(our_values("notrump", FOURS, Doubles.LOW)) == 0


@pytest.mark.parametrize("doubles", list(Doubles))
def test_error_8_each_of_four_ways_to_treat_doubles_leaves_one_winner_in_every_nello_trick(doubles: Doubles):
    assert ties(our_values("nello", THREES, doubles)) == 0


def test_error_9_nello_is_no_way_to_rank_tiles_but_a_contract():
    # The same mechanics without the contract: follow-me with doubles as a suit.
    assert order("nello").strength == order("follow-me", Doubles.OWN).strength
    # And the mechanics alone do not give its tricks: a fourth tile, the partner's, would win one in nine.
    partner_wins = our_values("nello", np.array(list(permutations(range(28), 4)))).argmax(axis=1) == 3
    lead_wins = sum(comb(27 - b, 3) for b in range(7)) + sum((6 - k) * comb(22 + k, 3) for k in range(6))
    assert 3 * int(partner_wins.sum()) == 6 * (81_900 - lead_wins) == 3 * 52_388  # of 491,400


def test_error_10_distinct_tiles_are_enough_for_one_winner_be_they_four_three_or_two():
    for size, tricks in ((4, FOURS), (3, THREES), (2, lead_and_followers(2))):
        assert tricks.shape == (28 * comb(27, size - 1), size)
        assert all(ties(our_values(declaration, tricks)) == 0 for declaration in DECLARATIONS)


SWAP = (6, 1, 2, 3, 4, 5, 0)  # 0 and 6 change places


def image(d: Tile, relabelling: tuple[int, ...] = SWAP) -> Tile:
    one, other = (relabelling[pip] for pip in d)
    return (min(one, other), max(one, other))


@pytest.mark.parametrize(
    ("trump", "led_otherwise", "won_otherwise"),
    [(0, 5, 11_155), (6, 5, 11_155), *((pip, 9, 18_764) for pip in (1, 2, 3, 4, 5))],
)
def test_error_11_swapping_blanks_and_sixes_changes_what_is_led_and_who_wins(
    trump: int, led_otherwise: int, won_otherwise: int
):
    before, after = order(str(trump)), order(str(SWAP[trump]))
    to = np.array([TILES.index(image(d)) for d in TILES])
    suits = np.array([*SWAP, CALLED])
    changed = suits[np.array(before.led_suit)] != np.array(after.led_suit)[to]
    assert int(changed.sum()) == led_otherwise
    here = our_values(str(trump), FOURS).argmax(axis=1)
    there = our_values(str(SWAP[trump]), to[FOURS]).argmax(axis=1)
    assert int((here != there).sum()) == won_otherwise  # of 81,900: 13.6 % and 22.9 %


def test_error_11_the_image_of_a_led_suit_is_not_the_suit_the_image_leads():
    assert (lead_of((1, 6), "0"), SWAP[6]) == (6, 0)
    assert lead_of(image((1, 6)), "6") == 1  # 1-0 leads aces and not blanks
    # 6-1 led, 5-1 thrown away: 6-1 wins. Swapped, 1-0 is led and 5-1 follows and wins.
    assert reference.winner([(6, 1), (5, 1)], "0") == 0
    assert reference.winner([(1, 0), (5, 1)], "6") == 1


def test_error_11_a_relabelling_as_printed_leaves_the_set_of_tiles_unless_it_is_the_identity():
    # A tile is printed as (i, j) with i <= j, its image as the pair of images, in that order.
    inside = [
        relabelling
        for relabelling in permutations(PIPS)
        if all((relabelling[i], relabelling[j]) in TILES for i, j in TILES)
    ]
    assert inside == [tuple(PIPS)]
    assert sum((SWAP[i], SWAP[j]) not in TILES for i, j in TILES) == 11
    # So with "(p, q)" for the tile that two suits share.
    assert sum((p, q) not in TILES for p, q in permutations(PIPS, 2)) == 21


def test_error_12_the_branchless_snippet_ties_in_20720_doubles_and_11165_nello_tricks():
    found = {declaration: ties(values(branchless_ranking, declaration, FOURS)) for declaration in DECLARATIONS}
    assert branchless_ranking((6, 6), 6, "doubles") == branchless_ranking((0, 0), 6, "doubles") == 46
    assert 4 * (comb(28, 4) - comb(21, 4) - 7 * comb(21, 3)) == 20_720  # two doubles or more
    assert {declaration: n for declaration, n in found.items() if n} == {"doubles": 20_720, "nello": 11_165}


def test_error_13_the_tables_printed_as_under_1_kb_take_1044_bytes():
    printed = {"EFFECTIVE_SUIT": 28 * 9, "SUIT_MASK": 9 * 8 * 4, "HAS_POWER": 28 * 9, "RANK": 28 * 9}
    assert printed == {name: theirs for name, (_, theirs) in TABLE_BYTES.items()}
    assert sum(printed.values()) == 1_044 > 1_024
    assert sum(ours for ours, _ in TABLE_BYTES.values()) == 688


def test_error_13_nine_called_sets_cannot_index_a_whole_ranking_so_2016_bytes_are_2240():
    tables = {
        declaration: tuple(printed_ranking(d, led, declaration) for led in range(8) for d in TILES)
        for declaration in DECLARATIONS
    }
    assert len({frozenset(called(declaration)) for declaration in DECLARATIONS}) == 9
    assert len(set(tables.values())) == 10
    assert sum(a != b for a, b in zip(tables["doubles"], tables["nello"], strict=True)) == 8 * 7
    assert (28 * 9 * 8, 28 * 10 * 8) == (2_016, 2_240)
    assert (48 * 1024 // 2_016, 48 * 1024 // 2_240) == (24, 21)  # how often 48 KB hold it


def test_error_14_the_mask_of_legal_moves_is_empty_for_a_hand_that_cannot_follow():
    hand, lead = masks({(1, 3)}), (4, 6)
    assert hand & masks(effective(lead_of(lead, "5"), "5")) == 0
    assert reference.legal_plays([(3, 1)], (6, 4), "5") == [(3, 1)]
    stuck = sum(
        d not in effective(lead_of(lead, declaration), declaration)
        for declaration in DECLARATIONS
        for lead, d in permutations(TILES, 2)
    )
    # of 7,560: a lead, and one other tile as the whole hand; the rest are tiles that follow
    assert stuck == 7_560 - (7 * 147 + 2 * 147 + 168) == 6_069


def test_error_14_rank_does_not_depend_on_what_has_power():
    # Nello and no trumps have the same power, none, and need different ranks ...
    nello, notrump = order("nello").strength, order("follow-me").strength
    ranks = {d: (nello[7][t] & 15, notrump[max(d)][t] & 15) for t, d in enumerate(TILES) if d in DOUBLE_TILES}
    assert ranks == {(pip, pip): (pip, 14) for pip in PIPS}
    # ... while the seven pips have seven powers and rank alike.
    in_play = {
        (t, order(trump).strength[led][t] & 15)
        for trump in PIP_TRUMPS
        for led in range(8)
        for t in range(28)
        if order(trump).strength[led][t]
    }
    assert len(in_play) == 28
    assert in_play == {(t, int(rank)) for t, rank in enumerate(RANK[0])}


def test_error_15_a_state_of_182_bits_is_30_once_the_deal_is_known():
    hands, played, declaration, trick, winning, score = 4 * 28, 28, 4, 4 * 5, 2, 2 * 8
    assert hands + played + declaration + trick + winning + score == 182
    # What was played is what no hand holds. With the deal known, a mask of what is left and the leader do:
    # every hand is the deal's less what is gone, and no rule looks further back.
    assert 28 + 2 == 30
    assert 4 * sum(comb(7, k) ** 4 for k in range(8)) == 13_580_064 < 2**30  # states between tricks, at most


def test_error_16_sevens_has_no_ranking_with_one_winner():
    scores = np.array([8 - reference.from_seven((j, i)) for i, j in TILES])[FOURS]
    assert ties(scores) == 4 * 6_123  # of 81,900, 29.9 %


def test_error_17_who_does_not_follow_may_still_hold_called_tiles_of_the_led_pip():
    # Fives are trumps, 6-4 is led, 3-1 is played: no sixes, but the 6-5 may be there.
    assert reference.legal_plays([(3, 1), (6, 5)], (6, 4), "5") == [(3, 1), (6, 5)]
    excluded_by_mistake = [
        (declaration, pip, natural(pip) - effective(pip, declaration))
        for declaration in DECLARATIONS
        for pip in PIPS
        if any(lead_of(d, declaration) == pip for d in TILES) and natural(pip) != effective(pip, declaration)
    ]
    assert ("5", 6, {(5, 6)}) in excluded_by_mistake
    assert all(len(tiles) == 1 for _, _, tiles in excluded_by_mistake)
    assert len(excluded_by_mistake) == 7 * 6 + 2 * 6 == 54  # no one leads blanks where doubles are called
    for declaration, pip, tiles in excluded_by_mistake:
        assert order(OURS[declaration]).follow[pip] & masks(tiles) == 0


def test_our_tables_are_what_is_printed_where_that_is_right():
    for column, declaration in enumerate([*PIP_TRUMPS, "doubles", "notrump"]):
        assert [lead_of(d, declaration) for d in TILES] == EFFECTIVE_SUIT[:, column].tolist()
        assert [masks(effective(suit, declaration)) for suit in range(8)] == SUIT_MASK[column].tolist()
    assert (DOUBLES, NOTHING) == (7, 8)
