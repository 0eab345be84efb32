"""Fair deals: the commitment binds game, pack and secret, and the cards are those that anybody can work out."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import fair as literal
from renege import NotationError, schafkopf, texas42, tractor
from renege.core.deal_state import Act
from renege.core.fair import FairDeal, new_secret, parse_fair, terms
from renege.core.game import Game
from renege.core.record import GameRecord, Record, new_record
from renege.core.registry import parse_game_record, parse_record
from renege.core.trick import Play
from support.steering import SOAK

GAMES = [
    texas42.game(),
    texas42.game(all_pass="force-30"),
    schafkopf.game(),
    tractor.game(),
    tractor.game(seats=6, packs=3, mode="friends"),
]
SECRETS = st.binary(min_size=32, max_size=32).map(bytes.hex)
SALTS = st.dictionaries(st.integers(0, 3), st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True), max_size=4)


@given(st.sampled_from(GAMES), SECRETS, SALTS)
def test_the_deal_is_the_one_that_the_words_give(game: Game, secret: str, salts: dict[int, str]):
    fair = FairDeal(secret, tuple(sorted(salts.items())))
    told = terms(game)
    pack = literal.shuffled(told, secret, salts)
    hands, kitty = fair.deal(game)
    for pile in (*hands, kitty):
        assert pile == game.deck.cards(pack[: len(pile)])
        pack = pack[len(pile) :]
    assert not pack
    assert fair.commitment(game) == literal.commitment(told, secret)


def test_a_commitment_that_is_worked_out_by_hand():
    """As `printf ... | sha256sum` gives it."""
    game, secret = texas42.game(), "00" * 32
    tiles = " ".join(f"{high}-{low}" for high in range(7) for low in range(high + 1))
    assert terms(game) == (
        f"renege deal 1\ngame texas42 version {game.version}\nrules default\nsizes 7 7 7 7 0\npack {tiles}\n"
    )
    assert FairDeal(secret).commitment(game) == literal.commitment(terms(game), secret)


@given(st.sampled_from(GAMES), SECRETS)
def test_another_game_secret_or_salt_is_another_deal(game: Game, secret: str):
    fair, other = FairDeal(secret), FairDeal(secret[1:] + ("0" if secret[0] != "0" else "1"))
    assert fair.commitment(game) != other.commitment(game)
    assert fair.deal(game) != other.deal(game)
    assert fair.deal(game) != FairDeal(secret, ((1, "mine"),)).deal(game)
    assert FairDeal(secret, ((0, "mine"),)).deal(game) != FairDeal(secret, ((1, "mine"),)).deal(game)
    assert len({FairDeal(secret).commitment(one) for one in GAMES}) == len(GAMES)


def test_a_salt_changes_the_deal_and_not_the_commitment():
    game, secret = texas42.game(), new_secret()
    assert FairDeal(secret, ((2, "x"),)).commitment(game) == FairDeal(secret).commitment(game)


def test_every_tile_is_in_every_hand_equally_often():
    """Chi-square over 28 tiles and 4 hands, 81 degrees of freedom: beyond 160 once in millions."""
    game, rng, deals = texas42.game(), random.Random(5), 400 * SOAK
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(deals):
        hands, _ = FairDeal(rng.randbytes(32).hex()).deal(game)
        found.update((seat, tile) for seat, hand in enumerate(hands) for tile in hand)
    expected = deals / 4
    assert sum((found[seat, tile] - expected) ** 2 / expected for seat in range(4) for tile in range(28)) < 160
    assert math.isclose(sum(found.values()), deals * 28)


@given(st.sampled_from(GAMES), st.integers(0, 2**20))
def test_records_keep_what_they_were_drawn_from(game: Game, seed: int):
    rng = random.Random(seed)
    fair = FairDeal(rng.randbytes(32).hex(), ((0, "a-b"), (3, "Z_9")) if seed % 2 else ())
    hands, kitty = fair.deal(game)
    start = new_record(game, 1).start
    record = Record(replace(start, hands=hands, kitty=kitty), (), fair)
    for _ in range(rng.randrange(12)):
        position = record.position
        if position.turn is None:  # all have passed
            break
        if position.talking:
            what: str | Play = position.legal_calls[0]
        else:  # no throw, which other hands might stop
            follows = position.trick is not None and position.trick.plays
            what = next(play for play in position.legal_plays if follows or len(play.cards) == 1)
        record = record.with_act(Act(position.turn, what))
    assert parse_record(str(record)) == record
    assert f"\ndrawn from {fair}\n" in str(record)
    assert parse_game_record(str(GameRecord(game, (record,)))).deals == (record,)


def test_a_record_with_other_hands_is_refused():
    fair = FairDeal("ab" * 32)
    game = tractor.game()
    record = new_record(game, 1)
    with pytest.raises(NotationError, match="by the secret seat 0 gets"):
        parse_record(str(replace(record, fair=fair)))
    hands, kitty = fair.deal(game)
    swapped = replace(record.start, hands=(hands[1], hands[0], *hands[2:]), kitty=kitty)
    with pytest.raises(NotationError, match="by the secret seat 0 gets"):
        parse_record(str(Record(swapped, (), fair)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("abc", "64 hexadecimal digits"),
        ("AB" * 32, "64 hexadecimal digits"),
        (f"{'ab' * 32} 4:x", "SEAT:TEXT"),
        (f"{'ab' * 32} 1:x 0:y", "in order"),
        (f"{'ab' * 32} 1:x 1:y", "in order"),
        (f"{'ab' * 32} 1:ä", "SEAT:TEXT"),
    ],
)
def test_what_is_no_secret_is_refused(text: str, why: str):
    with pytest.raises(NotationError, match=why):
        parse_fair(text, texas42.game())
