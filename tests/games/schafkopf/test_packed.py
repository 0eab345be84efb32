"""Does the kernel play Schafkopf as the Python rules do, from any moment of a deal?"""

import random

import numpy as np
import pytest

from reference import schafkopf as reference
from renege import native
from renege.games import schafkopf
from renege.games.schafkopf.packed import pack, tables, takers
from renege.position import Position
from renege.verdict import WrongPhase
from schafkopf_deals import SOAK, begin_deal

GAMES = [schafkopf.game(), schafkopf.game(schafkopf.PRESETS["short"])]


def starts(declaration: str, count: int) -> list[Position]:
    return [
        begin_deal(game, declaration, random.Random(f"packed {declaration} {number}")).position
        for game in GAMES
        for number in range(count * SOAK)
    ]


@pytest.mark.parametrize("declaration", reference.DECLARATIONS)
def test_the_packed_state_and_the_position_agree_at_every_play(declaration: str) -> None:
    for start in starts(declaration, 2):
        position, rng = start, random.Random(str(start))
        table = tables(declaration, start.game.rules.deck)
        while not position.over:
            state = pack(position)[None]
            legal = sum(play.cards.kinds for play in position.legal_plays)
            assert int(native.legal_masks(table, state)[0]) == legal, position
            play = position.legal_plays.choose(rng)
            position = position.put(play)
            (card,) = play.cards
            after = native.step(table, state, np.array([card], np.uint8))[0]
            assert after.tolist() == pack(position).tolist(), position


@pytest.mark.parametrize("declaration", ["rufspiel G", "ramsch", "farbwenz H", "bettel"])
def test_a_deal_played_out_from_the_middle_of_a_trick_ends_alike(declaration: str) -> None:
    for start in starts(declaration, 3):
        position, rng = start, random.Random(str(start))
        table = tables(declaration, start.game.rules.deck)
        for _ in range(rng.randrange(1, 20)):
            position = position.put(position.legal_plays.choose(rng))
        played = native.playouts(table, pack(position)[None], seed=5, plays=True)
        assert played.plays is not None
        for card in played.plays[0][played.plays[0] != native.NO_CARD].tolist():
            position = position.play(start.game.deck.of(1 << card))
        assert position.over
        assert played.points[0].tolist() == list(position.points)
        assert played.tricks[0].tolist() == list(position.tricks)


@pytest.mark.parametrize("declaration", ["rufspiel E", "rufspiel S", "hochzeit", "solo G", "wenz tout"])
def test_the_declarers_side_is_the_one_that_is_paid_together(declaration: str) -> None:
    for start in starts(declaration, 3):
        position, rng, side = start, random.Random(str(start)), takers(start)
        while not position.over:
            assert takers(position) == side
            position = position.put(position.legal_plays.choose(rng))
        assert position.result is not None
        won = [seat for seat in range(4) if (position.result.score[seat] > 0) == position.result.made]
        assert side == sum(1 << seat for seat in won)


def test_in_tricks_each_counts_one_and_no_card_anything() -> None:
    start = starts("solo G", 1)[0]
    played = native.playouts(tables("solo G", tricks=True), pack(start)[None], seed=1)
    assert played.points.tolist() == played.tricks.tolist()


@pytest.mark.parametrize(
    ("text", "reason"),
    [("dealer 3", "talk"), ("solo G by 0 | hand EA EK H7 GO", "not told")],
)
def test_what_cannot_be_packed_says_why(text: str, reason: str) -> None:
    with pytest.raises(WrongPhase, match=reason):
        pack(schafkopf.position(text))


@pytest.mark.parametrize(
    ("text", "reason"),
    [("dealer 3", "named"), ("ramsch | hand EA EK", "Ramsch"), ("rufspiel E by 0 | hand EK GO | 0 leads", "ace")],
)
def test_sides_that_do_not_show_are_refused(text: str, reason: str) -> None:
    with pytest.raises(WrongPhase, match=reason):
        takers(schafkopf.position(text))
