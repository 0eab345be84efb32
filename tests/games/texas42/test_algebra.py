"""The suit algebra, proved by exhaustion: every tile, every suit, every trick under every declaration.

A trick is here a lead and the *set* of its followers, lead first: 28 x C(27, 3) = 81,900 tricks of four
tiles, so 819,000 over the ten declarations. `docs/rules/texas42.md` states what is proved.
"""

from itertools import combinations, permutations

import numpy as np
import pytest

from reference import texas42 as reference
from renege.core.order import Order
from renege.games.texas42.order import (
    CALLED,
    COUNT,
    DECK,
    DOUBLES,
    EFFECTIVE_SUIT,
    HAS_POWER,
    NOTHING,
    RANK,
    SUIT_MASK,
    TABLE_BYTES,
    order,
    pips,
    tau,
    tile,
)
from renege.games.texas42.rules import Doubles, DoublesTrump

PIPS = range(7)
TILES = range(28)
DOUBLE_TILES = [tile(pip, pip) for pip in PIPS]
TRUMPS = ("0", "1", "2", "3", "4", "5", "6", "doubles")
DECLARATIONS = (*TRUMPS, "follow-me", "nello")

# declaration: what is called, and what of it has power
CLASSES = {
    **{str(pip): (pip, pip) for pip in PIPS},
    "doubles": (DOUBLES, DOUBLES),
    "nello": (DOUBLES, NOTHING),
    "follow-me": (NOTHING, NOTHING),
}
# Every order there is: the ten declarations, and each other way to treat doubles.
VARIANTS = [
    *((declaration, None) for declaration in DECLARATIONS),
    ("follow-me", Doubles.LOW),
    ("follow-me", Doubles.OWN),
    ("nello", Doubles.HIGH),
    ("nello", Doubles.LOW),
    ("nello", Doubles.OWN_INVERTED),
]
VARIANT_NAMES = [declaration + (f" {doubles.value}" if doubles else "") for declaration, doubles in VARIANTS]

each_declaration = pytest.mark.parametrize("declaration", DECLARATIONS)
each_variant = pytest.mark.parametrize(("declaration", "doubles"), VARIANTS, ids=VARIANT_NAMES)
each_nello_policy = pytest.mark.parametrize("doubles", list(Doubles), ids=lambda doubles: doubles.value)


def lead_and_followers(size: int) -> np.ndarray:
    """[tricks, size] every lead with every set of followers."""
    sets = np.array(list(combinations(TILES, size)))
    return np.concatenate([np.column_stack([sets[:, [i]], np.delete(sets, i, axis=1)]) for i in range(size)])


FOURS = lead_and_followers(4)
THREES = lead_and_followers(3)


def strengths(table: Order, tricks: np.ndarray) -> np.ndarray:
    """[tricks, size] how strong each tile is in its trick."""
    led = np.array(table.led_suit)[tricks[:, 0]]
    return np.array(table.strength)[led[:, None], tricks]


def winners(table: Order, tricks: np.ndarray) -> np.ndarray:
    """[tricks] the tile that wins each."""
    return tricks[np.arange(len(tricks)), strengths(table, tricks).argmax(axis=1)]


def tiles_in(mask: int) -> set[int]:
    return {t for t in TILES if int(mask) >> t & 1}


def spelled(doubles: Doubles | None) -> str | None:
    return doubles.value if doubles else None


def suits_of(card: int, declaration: str) -> list[int]:
    return [suit for suit in range(8) if order(declaration).follow[suit] >> card & 1]


# --- the tiles and their natural suits ------------------------------------------------------------


def test_there_are_28_tiles_numbered_along_the_triangle():
    assert len(DECK.names) == 28
    assert [pips(t) for t in TILES] == reference.TILES
    assert [DECK.names[t] for t in (0, 1, 2, 26, 27)] == ["0-0", "1-0", "1-1", "6-5", "6-6"]
    assert all(tile(*pips(t)) == tile(*reversed(pips(t))) == t for t in TILES)


NATURAL = [tiles_in(SUIT_MASK[NOTHING, pip]) for pip in PIPS]


def test_covering_every_natural_suit_has_seven_tiles():
    assert [len(suit) for suit in NATURAL] == [7] * 7


def test_covering_a_double_is_in_one_natural_suit():
    assert all(sum(t in suit for suit in NATURAL) == 1 for t in DOUBLE_TILES)


def test_covering_any_other_tile_is_in_two_natural_suits():
    mixed = set(TILES) - set(DOUBLE_TILES)
    assert len(mixed) == 21
    assert all(sum(t in suit for suit in NATURAL) == 2 for t in mixed)


def test_covering_two_natural_suits_share_one_tile():
    for p, q in combinations(PIPS, 2):
        assert NATURAL[p] & NATURAL[q] == {tile(p, q)}


def test_covering_is_no_partition_but_covers_all():
    assert set().union(*NATURAL) == set(TILES)
    assert sum(len(suit) for suit in NATURAL) == 49  # 28 tiles, 21 of them twice


# --- ten classes, and the suits under each --------------------------------------------------------


def test_a_declaration_is_one_of_ten_classes_of_called_set_and_power():
    classes = {
        declaration: (int(SUIT_MASK[called, CALLED]), int(HAS_POWER[power]))
        for declaration, (called, power) in CLASSES.items()
    }
    assert set(classes) == set(DECLARATIONS)
    assert len(set(classes.values())) == 10
    assert len({called for called, _ in classes.values()}) == 9  # doubles and nello call the same tiles
    assert classes["doubles"][0] == classes["nello"][0] != 0
    assert (classes["nello"][1], classes["follow-me"]) == (0, (0, 0))


def test_no_two_of_the_ten_classes_rank_alike():
    assert len({order(declaration).strength for declaration in DECLARATIONS}) == 10


@each_declaration
def test_the_tables_are_the_class_of_the_declaration(declaration: str):
    called, power = CLASSES[declaration]
    table = order(declaration)
    assert table.led_suit == tuple(EFFECTIVE_SUIT[:, called])
    assert table.follow == tuple(SUIT_MASK[called])
    for led in range(8):
        tier_two = {t for t in TILES if table.strength[led][t] >> 4 == 2}
        assert tier_two == tiles_in(HAS_POWER[power])


@each_declaration
def test_every_tile_is_in_one_or_two_suits_and_in_one_if_it_is_called_or_a_double(declaration: str):
    called = order(declaration).follow[CALLED]
    for t in TILES:
        alone = called >> t & 1 or t in DOUBLE_TILES
        assert len(suits_of(t, declaration)) == (1 if alone else 2)


@pytest.mark.parametrize(
    ("declaration", "in_one", "in_two"),
    [*((str(pip), 13, 15) for pip in PIPS), ("doubles", 7, 21), ("nello", 7, 21), ("follow-me", 7, 21)],
)
def test_so_many_tiles_are_in_one_suit_and_so_many_in_two(declaration: str, in_one: int, in_two: int):
    sizes = [len(suits_of(t, declaration)) for t in TILES]
    assert (sizes.count(1), sizes.count(2)) == (in_one, in_two)


@each_variant
def test_a_tile_follows_the_suit_it_leads(declaration: str, doubles: Doubles | None):
    table = order(declaration, doubles)
    assert all(table.follow[table.led_suit[t]] >> t & 1 for t in TILES)


@each_variant
def test_a_called_tile_follows_the_called_suit_alone(declaration: str, doubles: Doubles | None):
    table = order(declaration, doubles)
    assert all(table.follow[pip] & table.follow[CALLED] == 0 for pip in PIPS)


# --- the trick ranking, lemma by lemma ------------------------------------------------------------


@each_variant
def test_lemma_9_0_the_lead_is_never_in_tier_0(declaration: str, doubles: Doubles | None):
    led = order(declaration, doubles).led_suit
    tiers = {tau(t, led[t], declaration, doubles) >> 4 for t in TILES}
    assert 0 not in tiers
    assert tiers == ({1, 2} if declaration in TRUMPS else {1})  # without power it is tier 2 that is empty


def test_lemma_9_1_pip_sums_differ_within_a_natural_suit():
    for suit in NATURAL:
        assert len({sum(pips(t)) for t in suit}) == 7
    for t in set(TILES) - set(DOUBLE_TILES):
        assert {int(row[t]) for row in RANK} == {sum(pips(t))}  # whatever is said of doubles


@pytest.mark.parametrize("declaration", TRUMPS)
def test_lemma_9_2_no_two_trumps_are_equal_whatever_is_led(declaration: str):
    table = order(declaration)
    for led in range(8):
        assert len({table.strength[led][t] for t in tiles_in(table.follow[CALLED])}) == 7


def test_lemma_9_2_no_two_trumps_are_equal_when_doubles_are_trumps_and_inverted():
    strength = order("doubles", doubles_trump=DoublesTrump.INVERTED).strength
    for led in range(8):
        assert [strength[led][t] for t in DOUBLE_TILES] == [38, 37, 36, 35, 34, 33, 32]


@each_variant
def test_lemma_9_3_no_two_tiles_that_follow_a_pip_are_equal(declaration: str, doubles: Doubles | None):
    table = order(declaration, doubles)
    for led in PIPS:
        followers = tiles_in(table.follow[led])
        assert len({table.strength[led][t] for t in followers}) == len(followers)
        assert followers & set(DOUBLE_TILES) <= {tile(led, led)}


@pytest.mark.parametrize(
    ("declaration", "doubles", "lowest_first"),
    [
        ("doubles", None, [0, 1, 2, 3, 4, 5, 6]),
        ("nello", Doubles.OWN, [0, 1, 2, 3, 4, 5, 6]),
        ("nello", Doubles.OWN_INVERTED, [6, 5, 4, 3, 2, 1, 0]),
        ("follow-me", Doubles.OWN, [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_lemma_9_3_doubles_led_as_a_suit_rank_by_their_pip(
    declaration: str, doubles: Doubles | None, lowest_first: list[int]
):
    table = order(declaration, doubles)
    assert tiles_in(table.follow[CALLED]) == set(DOUBLE_TILES)
    by_strength = sorted(DOUBLE_TILES, key=lambda t: table.strength[CALLED][t])
    assert [pips(t)[0] for t in by_strength] == lowest_first
    assert len({table.strength[CALLED][t] for t in DOUBLE_TILES}) == 7


@each_variant
def test_lemma_9_4_tiers_lie_apart(declaration: str, doubles: Doubles | None):
    table = order(declaration, doubles)
    for led in range(8):
        for t in TILES:
            value = tau(t, led, declaration, doubles)
            assert value == table.strength[led][t]
            trump = declaration in TRUMPS and table.follow[CALLED] >> t & 1
            if trump:
                assert 32 <= value <= 46
            elif table.follow[led] >> t & 1:
                assert 16 <= value <= 30
            else:
                assert value == 0


# --- unique winner --------------------------------------------------------------------------------


def test_there_are_81900_tricks_of_four_and_9828_of_three():
    assert len(FOURS) * len(DECLARATIONS) == 819_000
    assert len(THREES) == 9_828
    assert len({(row[0], frozenset(row)) for row in FOURS.tolist()}) == 81_900


@each_variant
def test_every_trick_of_four_has_one_winner(declaration: str, doubles: Doubles | None):
    values = strengths(order(declaration, doubles), FOURS)
    best = values.max(axis=1)
    assert (best > 0).all()
    assert ((values == best[:, None]).sum(axis=1) == 1).all()


def test_every_trick_of_four_has_one_winner_when_doubles_are_trumps_and_inverted():
    values = strengths(order("doubles", doubles_trump=DoublesTrump.INVERTED), FOURS)
    assert ((values == values.max(axis=1, keepdims=True)).sum(axis=1) == 1).all()


@each_variant
def test_every_trick_of_four_is_won_by_the_tile_the_rules_name(declaration: str, doubles: Doubles | None):
    # [suit, late, early] by the words of the rules, tile against tile; then every trick, tile after tile
    beats = np.zeros((8, 28, 28), bool)
    for led, suit in enumerate(reference.SUITS):
        for late, early in permutations(TILES, 2):
            beats[led, late, early] = reference.beats(pips(late), pips(early), suit, declaration, spelled(doubles))
    led = np.array([
        reference.SUITS.index(reference.led_suit(pips(t), declaration, spelled(doubles))) for t in TILES
    ])[FOURS[:, 0]]  # fmt: skip
    best = FOURS[:, 0]
    for late in FOURS[:, 1:].T:
        best = np.where(beats[led, late, best], late, best)
    assert (best == winners(order(declaration, doubles), FOURS)).all()


@each_variant
def test_a_random_trick_played_out_by_the_rules_has_that_winner(declaration: str, doubles: Doubles | None):
    table = order(declaration, doubles)
    rng = np.random.default_rng(42)
    tricks = np.array([rng.permutation(28)[:4] for _ in range(4_000)])
    for trick, won in zip(tricks.tolist(), winners(table, tricks).tolist(), strict=True):
        place = reference.winner([pips(t) for t in trick], declaration, spelled(doubles))
        assert trick[place] == won


@each_nello_policy
def test_every_nello_trick_of_three_in_any_order_has_one_winner_the_one_the_rules_name(doubles: Doubles):
    tricks = np.array(list(permutations(TILES, 3)))
    assert len(tricks) == 19_656
    values = strengths(order("nello", doubles), tricks)
    assert ((values == values.max(axis=1, keepdims=True)).sum(axis=1) == 1).all()
    for trick, won in zip(tricks.tolist(), winners(order("nello", doubles), tricks).tolist(), strict=True):
        assert trick[reference.winner([pips(t) for t in trick], "nello", doubles.value)] == won


@pytest.mark.parametrize("doubles", [Doubles.HIGH, Doubles.LOW, Doubles.OWN])
def test_nello_and_follow_me_with_the_same_doubles_are_one_order(doubles: Doubles):
    assert order("nello", doubles).strength == order("follow-me", doubles).strength
    assert order("nello", doubles).led_suit == order("follow-me", doubles).led_suit


def test_doubles_ranked_seven_plus_pip_would_serve_every_declaration_of_the_ten():
    # (p, p) then stands above p + 6 and no two doubles are equal: one row of ranks, no exception.
    one_row = np.array([pips(t)[0] + 7 if t in DOUBLE_TILES else sum(pips(t)) for t in TILES])
    for declaration in DECLARATIONS:
        table = order(declaration)
        values = strengths(table, FOURS)
        simpler = np.where(values > 0, values >> 4 << 4 | one_row[FOURS], 0)
        assert (simpler.argmax(axis=1) == values.argmax(axis=1)).all()
        assert ((simpler == simpler.max(axis=1, keepdims=True)).sum(axis=1) == 1).all()


# --- sevens, which has no suits -------------------------------------------------------------------


def test_sevens_distances_are_so_many_tiles_each():
    strength = order("sevens").strength[CALLED]
    assert [strength.count(8 - distance) for distance in range(8)] == [3, 7, 5, 5, 3, 3, 1, 1]
    assert all(order("sevens").led_suit[t] == CALLED for t in TILES)


def test_sevens_ties_in_6123_of_20475_sets_so_the_first_played_must_win():
    values = strengths(order("sevens"), FOURS)
    ties = (values == values.max(axis=1, keepdims=True)).sum(axis=1) > 1
    assert int(ties.sum()) == 4 * 6_123  # 29.9 %
    rng = np.random.default_rng(7)
    for trick in [rng.permutation(28)[:4].tolist() for _ in range(2_000)]:
        place = reference.winner([pips(t) for t in trick], "sevens")
        assert place == int(strengths(order("sevens"), np.array([trick])).argmax())


# --- symmetry -------------------------------------------------------------------------------------


ENDS = np.array([pips(t) for t in TILES])
NUMBER = np.array([[tile(p, q) for q in PIPS] for p in PIPS])


def moved(relabelling: tuple[int, ...]) -> np.ndarray:
    """[tile] where a relabelling of the pips takes each tile."""
    one, other = np.array(relabelling)[ENDS.T]
    return NUMBER[one, other]


def keeping_order(start: int, end: int) -> tuple[int, ...]:
    """The relabelling that takes one pip to another and leaves the six others in their order."""
    places = iter(pip for pip in PIPS if pip != end)
    return tuple(end if pip == start else next(places) for pip in PIPS)


def keeps_led_suits(relabelling: tuple[int, ...], start: int, end: int) -> bool:
    suits = np.array([*relabelling, CALLED])
    led, led_after = np.array(order(str(start)).led_suit), np.array(order(str(end)).led_suit)
    return bool((suits[led] == led_after[moved(relabelling)]).all())


PAIRS = list(permutations(PIPS, 2))


@pytest.mark.parametrize(("start", "end"), PAIRS)
def test_the_relabelling_that_keeps_order_takes_one_pip_trump_to_another(start: int, end: int):
    relabelling = keeping_order(start, end)
    to = moved(relabelling)
    before, after = order(str(start)), order(str(end))
    assert keeps_led_suits(relabelling, start, end)
    for suit, suit_after in enumerate([*relabelling, CALLED]):
        assert {int(to[t]) for t in tiles_in(before.follow[suit])} == tiles_in(after.follow[suit_after])
    assert (to[winners(before, FOURS)] == winners(after, to[FOURS])).all()


def test_there_are_42_pairs_and_no_other_relabelling_keeps_what_is_led():
    assert len(PAIRS) == 42
    for start, end in [*PAIRS, *((pip, pip) for pip in PIPS)]:
        relabellings = (
            (*others[:start], end, *others[start:]) for others in permutations([pip for pip in PIPS if pip != end])
        )
        kept = [relabelling for relabelling in relabellings if keeps_led_suits(relabelling, start, end)]
        assert kept == [keeping_order(start, end)]


def test_any_of_5040_relabellings_keeps_which_tiles_follow_a_suit():
    # What is true of all of them: a suit under one pip trump becomes a suit under the other. No order in it.
    in_suit = SUIT_MASK[:7, :, None] >> np.arange(28, dtype=np.uint32) & 1  # [trump, suit, tile]
    relabellings = list(permutations(PIPS))
    assert len(relabellings) == 5_040
    for relabelling in relabellings:
        after = SUIT_MASK[np.ix_(relabelling, [*relabelling, CALLED])]
        assert (in_suit @ (1 << moved(relabelling)) == after).all()


def test_two_of_5040_relabellings_keep_the_count():
    count = np.array(COUNT)
    kept = [relabelling for relabelling in permutations(PIPS) if (count[moved(relabelling)] == count).all()]
    assert kept == [(0, 1, 2, 3, 4, 5, 6), (0, 1, 3, 2, 4, 5, 6)]


def test_the_count_breaks_the_symmetry_for_all_pip_trumps_but_deuces_and_treys():
    count = np.array(COUNT)
    kept = [(p, q) for p, q in PAIRS if (count[moved(keeping_order(p, q))] == count).all()]
    assert kept == [(2, 3), (3, 2)]  # swapping 2 and 3 is itself the relabelling that keeps order


# --- the tables' sizes ----------------------------------------------------------------------------


def test_the_tables_take_688_bytes():
    assert {name: ours for name, (ours, _) in TABLE_BYTES.items()} == {
        "EFFECTIVE_SUIT": 28 * 9,
        "SUIT_MASK": 9 * 8 * 4,
        "HAS_POWER": 9 * 4,
        "RANK": 4 * 28,
    }
    assert EFFECTIVE_SUIT.shape == (28, 9)
    assert SUIT_MASK.shape == (9, 8)
    assert HAS_POWER.shape == (9,)
    assert RANK.shape == (4, 28)
    assert sum(ours for ours, _ in TABLE_BYTES.values()) == 688
