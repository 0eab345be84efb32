"""A tile that comes to a seat which has splashed is not one of the doubles that it splashed with."""

from renege.belief import Belief
from renege.coding import coding_of
from renege.games import find_game


def test_worlds_in_the_middle_of_a_swap_keep_to_the_splash():
    """Seat 1 splashes, its partner declares nello above it and gives it a tile; nobody has given back yet."""
    coding = coding_of(find_game("texas42", {"nello_exchange": "one-tile", "splash": "two-marks"}))
    found = 0
    for seed in range(400):
        moment = coding.deal(seed).act("pass")
        if "splash" not in moment.position.legal_calls:
            continue
        for call in ("splash", "pass", "3 marks", "nello"):
            moment = moment.act(call)
        moment = moment.after(moment.legal[seed % len(moment.legal)])
        for seat in (0, 2):
            belief = Belief(moment.view(seat))
            for world in belief.draw(20, seed):
                list(belief.record(world).replay())  # which insists on the rules
        found += 1
        if found == 12:
            return
    raise AssertionError("too few deals in which seat 1 can splash")
