"""Is a hand counted as a player would count it, tile by tile?"""

import random

import pytest

from reference import texas42 as table
from renege import texas42
from renege.core.arbiter import Arbiter
from renege.games.texas42.contract import parse_declaration
from renege.games.texas42.openings import count_hand, usual_call
from renege.games.texas42.order import DECK
from renege.games.texas42.rulebook import USUAL, by_cost
from renege.games.texas42.rules import Doubles, DoublesTrump, Rules
from support.steering import SOAK


def mask(tiles: str) -> int:
    return sum(1 << DECK.spellings[tile] for tile in tiles.split())


@pytest.mark.parametrize(
    ("hand", "declaration", "trumps", "tops", "doubles", "offs", "count"),
    [
        ("6-6 6-5 6-4 6-2 5-5 3-1 2-0", "6", 4, 3, 1, 2, 20),
        ("6-5 6-4 6-2 5-5 5-4 3-1 2-0", "6", 3, 0, 1, 2, 20),  # 5-4 is no off: nobody else has a higher five
        ("6-6 6-5 5-4 4-4 4-3 3-3 0-0", "follow-me", 0, 0, 4, 2, 0),  # 5-5 and 6-4 are out
        ("6-6 5-5 3-3 2-2 6-5 1-0 2-0", "doubles", 4, 2, 0, 2, 10),  # 6-5 leads sixes, and 6-6 is a trump
    ],
)
def test_hands_counted_by_hand(
    hand: str, declaration: str, trumps: int, tops: int, doubles: int, offs: int, count: int
):
    found = count_hand(mask(hand), declaration)
    assert (found.trumps, found.tops, found.doubles, found.offs, found.count) == (trumps, tops, doubles, offs, count)


def by_the_words(hand: list[table.Tile], declaration: str, doubles: str | None) -> tuple[int, int, int, int, int]:
    trumps = [tile for tile in table.TILES if table.is_trump(tile, declaration)]
    above = {
        tile: [other for other in trumps if other != tile and table.beats(other, tile, "called", declaration, doubles)]
        for tile in trumps
    }
    tops = [tile for tile in trumps if tile in hand and all(other in hand for other in above[tile])]
    plain = [tile for tile in hand if tile not in trumps]
    offs = 0
    for tile in plain:
        suit = table.led_suit(tile, declaration, doubles)
        unseen = [other for other in table.TILES if other not in hand and other not in trumps]
        unseen = [other for other in unseen if table.can_follow(other, suit, declaration, doubles)]
        offs += any(table.beats(other, tile, suit, declaration, doubles) for other in unseen)
    held = sum(map(table.count, hand))
    return len(hand) - len(plain), len(tops), sum(map(table.is_double, plain)), offs, held


@pytest.mark.parametrize("seed", range(40 * SOAK))
def test_random_hands_against_the_words_of_the_rules(seed: int):
    rng = random.Random(seed)
    tiles = rng.sample(table.TILES, 7)
    hand = mask(" ".join(f"{high}-{low}" for high, low in tiles))
    asked = [(declaration, None, DoublesTrump.SIX_HIGH) for declaration in USUAL]
    asked += [("follow-me", doubles, DoublesTrump.SIX_HIGH) for doubles in (Doubles.LOW, Doubles.OWN)]
    asked += [("doubles", None, DoublesTrump.INVERTED)]
    for declaration, doubles, ranked in asked:
        found = count_hand(hand, declaration, doubles, ranked)
        said = "own-inverted" if ranked is DoublesTrump.INVERTED else None if doubles is None else doubles.value
        wanted = by_the_words(tiles, declaration, said)
        assert (found.trumps, found.tops, found.doubles, found.offs, found.count) == wanted, (tiles, declaration, said)


@pytest.mark.parametrize("ranked", DoublesTrump)
def test_the_usual_call_is_the_rulebook_s(ranked: DoublesTrump):
    game = texas42.game(Rules(doubles_trump=ranked))
    for seed in range(30 * SOAK):
        arbiter = Arbiter(game, seed)
        seat = arbiter.position.turn
        assert seat is not None
        view = arbiter.view(seat)
        assert usual_call(view.hand.kinds, ranked) == parse_declaration(by_cost(view, trumps_alone=True)[0])[0]


def test_nothing_is_counted_in_nello():
    with pytest.raises(ValueError, match="nothing is counted under 'nello'"):
        count_hand(mask("6-6 6-5"), "nello")
