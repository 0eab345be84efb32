"""Does the kernel play Schafkopf as the Python rules do, from any moment of a deal?"""

import random
from dataclasses import replace

import numpy as np
import pytest

from reference import schafkopf as reference
from renege.core.position import Position, begin
from renege.core.verdict import WrongPhase
from renege.games import schafkopf
from renege.games.schafkopf.packed import pack, tables, takers
from renege.games.schafkopf.rules import BettelOrder, Rules
from renege.games.schafkopf.solve import solve
from renege.native import cards as native
from support.schafkopf_deals import SOAK, begin_deal

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


def best(position: Position, side: int, loses: bool) -> int:
    """What the declarer's side takes if all see all hands: points, or in a Bettel tricks, which it wants few of."""
    if position.over or position.turn is None:
        taken = position.tricks if loses else position.points
        return sum(taken[seat] for seat in range(4) if side >> seat & 1)
    after = [best(position.put(play), side, loses) for play in position.legal_plays]
    wants_many = bool(side >> position.turn & 1) != loses
    return max(after) if wants_many else min(after)


@pytest.mark.parametrize("order", BettelOrder)
def test_the_order_of_a_bettel_reaches_the_solver(order: BettelOrder) -> None:
    game = schafkopf.game(Rules(bettel_order=order))
    for number in range(6 * SOAK):
        rng = random.Random(f"{order} {number}")
        cards = rng.sample(range(len(game.deck)), 12)
        hands = tuple(game.deck.cards(cards[i : i + 3]) for i in range(0, 12, 3))
        start = begin(game, schafkopf.Bargain("bettel", 0, 0), hands, 1).resume(tricks=(0, 5, 0, 0))
        assert solve(start).value == (best(start, takers(start), loses=True) == 0), start


@pytest.mark.parametrize("run_from", [2, 3, 4])
def test_how_many_cards_it_takes_to_run_reaches_the_solver(run_from: int) -> None:
    """Seat 1 has the highest trump, the called ace and one card under it, which it leads after the trump, or not."""
    game = schafkopf.game(Rules(run_from=run_from))
    found, spellings = set[bool](), game.deck.spellings
    own = [spellings[name] for name in ("EO", "EA", "EZ")]
    for number in range(12 * SOAK):
        rng = random.Random(f"run {number}")
        rest = rng.sample([card for card in range(len(game.deck)) if card not in own], 9)
        hands = tuple(game.deck.cards(hand) for hand in (rest[:3], own, rest[3:6], rest[6:]))
        start = begin(game, schafkopf.Bargain("rufspiel E", 0, 0), hands, 1).resume(tricks=(5, 0, 0, 0))
        value = best(start, takers(start), loses=False)
        assert solve(start).value == value, start
        strict = schafkopf.game(Rules(run_from=7))
        found.add(value != best(replace(start, game=strict), takers(start), loses=False))
    assert found == {True, False} or run_from > 2, "running never mattered"


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
