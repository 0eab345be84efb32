"""A tile that comes to a seat which has splashed is not one of the doubles that it splashed with."""

from math import comb

import pytest

from renege.belief import Belief
from renege.core.registry import find_game
from renege.games.encoding import Moment, encoding_of

SPLASHED = 3  # doubles that it takes


def swapping(seed: int) -> Moment | None:
    """Seat 1 splashes, its partner declares nello above it and gives it a tile; nobody has given back yet."""
    encoding = encoding_of(find_game("texas42", {"nello_exchange": "one-tile", "splash": "two-marks"}))
    moment = encoding.deal(seed).act("pass")
    if "splash" not in moment.position.legal_calls:
        return None
    for call in ("splash", "pass", "3 marks", "nello"):
        moment = moment.act(call)
    return moment.after(moment.legal[seed % len(moment.legal)])


def test_worlds_in_the_middle_of_a_swap_keep_to_the_splash():
    found = 0
    for seed in range(400):
        moment = swapping(seed)
        if moment is None:
            continue
        for seat in range(4):
            belief = Belief(moment.view(seat))
            for world in belief.draw(20, seed):
                list(belief.record(world).replay())  # which insists on the rules
        found += 1
        if found == 12:
            return
    raise AssertionError("too few deals in which seat 1 can splash")


def swaps(giver: list[bool], taker: list[bool]) -> int:
    """In how many ways can these hands, True for a double, have come about, the taker having been dealt three?"""
    ways = 0
    for came in giver:
        for went in (*taker, None):  # None: what came over went straight back
            before = [*taker] if went is None else [*taker, came]
            if went is not None:
                before.remove(went)
            ways += sum(before) >= SPLASHED
    return ways


@pytest.mark.parametrize("seat", [0, 2])
def test_worlds_after_a_swap_are_as_likely_as_the_dealt_hands_behind_them(seat: int):
    moment = next(moment for seed in range(400) if (moment := swapping(seed)) is not None)
    moment = moment.after(moment.legal[0])
    belief = Belief(moment.view(seat))
    assert not belief.exact
    own = belief.view.position.hands[seat]
    doubles = 7 - sum(tile[0] == tile[2] for tile in str(own).split())
    ways: dict[int, int] = {}  # by the doubles of seat 1: its partner is seat 3, and one more hand is hidden
    for mine in range(doubles + 1):
        for theirs in range(doubles - mine + 1):
            one, three = [i < mine for i in range(7)], [i < theirs for i in range(7)]
            rest = doubles - mine - theirs
            worlds = comb(doubles, mine) * comb(doubles - mine, theirs)
            worlds *= comb(21 - doubles, 7 - mine) * comb(14 - doubles + mine, 7 - theirs) if rest <= 7 else 0
            ways[mine] = ways.get(mine, 0) + worlds * swaps(three, one)
    total, n = sum(ways.values()), 20_000
    drawn = [sum(tile[0] == tile[2] for tile in str(world.hands[1]).split()) for world in belief.draw(n, 1)]
    for mine, number in ways.items():
        share = number / total
        assert abs(drawn.count(mine) - n * share) <= 5 * (n * share * (1 - share)) ** 0.5 + 1e-9, (mine, share)
