"""Beliefs of a position that no record leads to: is the true deal always a world, and every world one that fits?"""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from renege import schafkopf, texas42, tractor
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.facts import Holds
from renege.core.game import KITTY, Game
from renege.core.position import Position
from renege.core.position_text import parse_position
from renege.core.verdict import WrongPhase
from renege.games.strategy import policy_of
from renege.search import weigh
from support.steering import SOAK

GAMES = {"texas42": texas42.game(), "schafkopf": schafkopf.game(), "tractor": tractor.game()}


def positions(game: Game, seed: int) -> Iterator[Position]:
    """A few positions of a deal, called by the rules of thumb and played half at random."""
    rng, table = random.Random(seed), Arbiter(game, seed)
    found: list[Position] = []
    while (turn := table.position.turn) is not None:
        position = table.position
        found.append(position)
        usual = position.talking or rng.random() < 0.5
        table.act(turn, policy_of(game)(table.view(turn)).what if usual else position.legal_plays.choose(rng))
    yield from rng.sample(found, min(4, len(found)))


def as_line(position: Position, seat: int, *, bare: bool) -> Position:
    """The same from the text that the seat itself would write; `bare` without points and tricks."""
    line = str(position.view(seat).position)
    parts = [part for part in line.split(" | ") if not (bare and part.startswith(("points", "tricks")))]
    return parse_position(position.game, " | ".join(parts))


@pytest.mark.parametrize("name", GAMES)
def test_the_true_deal_is_a_world_and_worlds_fit(name: str) -> None:
    game, counted = GAMES[name], 0
    for seed in range(6 * SOAK):
        for true in positions(game, seed):
            seat = true.turn
            assert seat is not None
            for asked in (true, as_line(true, seat, bare=False), as_line(true, seat, bare=True)):
                check(asked, true, seat, random.Random(seed))
                counted += 1
    assert counted >= 36 * SOAK


def check(asked: Position, true: Position, seat: int, rng: random.Random) -> None:
    view = asked.view(seat)
    assert view.position.hands[seat] == true.hands[seat] and view.seat == seat
    belief, number = Belief(view), asked.tricks_played
    for other, hand in enumerate(true.hands):
        assert isinstance(hand, Cards)
        if other != seat and hand:
            card = rng.choice(list(hand))
            has_it = Holds(other, number, true.game.rule_list[0], hand.deck.of(1 << card), 1)
            assert belief.share(has_it) > 0, (str(asked), seat, has_it)
    for world in belief.draw(3, seed=1):
        piles = (*world.hands, world.kitty)
        sizes = [len(hand) for hand in (*asked.hands, asked.kitty)]
        assert [len(pile) for pile in piles] == sizes and world.hands[seat] == true.hands[seat]
        replace(asked, hands=world.hands, kitty=world.kitty)


@pytest.mark.parametrize("name", GAMES)
def test_hints_and_searches_take_it(name: str) -> None:
    for true in positions(GAMES[name], 3):
        assert true.turn is not None
        if not (true.talk is not None and true.talking and true.talk.on_kitty):
            view = as_line(true, true.turn, bare=False).view(true.turn)
            assert policy_of(view.game)(view).what is not None
            assert weigh(view, worlds=2, seed=1).estimates


def test_a_line_leads_to_odds() -> None:
    """Three tiles each and one on the table: of 24 unseen tiles eight are in three hands, the others have gone."""
    belief = Belief(texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1").view(1))
    assert belief.odds("5-5") == pytest.approx({0: 2 / 24, 1: 0, 2: 3 / 24, 3: 3 / 24, KITTY: 0})
    assert belief.exact and belief.odds("6-4") == {0: 0, 1: 0, 2: 0, 3: 0, KITTY: 0}


def test_what_the_rules_remember_counts() -> None:
    bare = schafkopf.position("rufspiel E by 1 | led SK | hand S9 H7 GO | 0 leads | memory nothing")
    assert sum(Belief(bare.view(1)).odds("EA").values()) == pytest.approx(1)  # it was not played
    played = schafkopf.position("rufspiel E by 1 | led SK | hand S9 H7 GO | 0 leads | memory ace 2")
    assert sum(Belief(played.view(1)).odds("EA").values()) == 0
    without = schafkopf.position("rufspiel E by 1 | led SK | hand S9 H7 GO | 0 leads | memory without 3")
    assert Belief(without.view(1)).odds("EA")[3] == 0
    void = tractor.position("trump S4 | led H9 | hand HK S2 | memory seen HA; void 2 H")
    odds = Belief(void.view(1)).odds
    assert odds("HQ")[2] == 0 and sum(odds("HA").values()) < sum(odds("HQ").values())


def test_what_a_hand_had_at_first_is_no_proof_later() -> None:
    """Who called the ace of Eichel held another Eichel; eight cards on, it may have gone."""
    first = schafkopf.position("rufspiel E by 0 | hand EA GO GU SA S8 S7 GZ G7 | 1 leads")
    later = schafkopf.position("rufspiel E by 0 | hand EA GO | 1 leads")
    assert Belief(first.view(1)).exact and not Belief(later.view(1)).exact


def test_a_hand_that_is_not_told_has_no_view() -> None:
    with pytest.raises(WrongPhase, match="the hand of seat 2 is not told"):
        texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1").view(2)
