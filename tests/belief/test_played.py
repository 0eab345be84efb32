"""No world is ever wrong where people would sit: deals played by the rules of thumb and by the searcher, every decision
in turn, in the middle of tricks too, and each drawn world replayed from the first card.

`make soak` draws 10^6 worlds at 50,000 points of each game.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest

from renege.agents.searcher import Searcher
from renege.belief import Belief
from renege.game import Option, Standing
from renege.games import find_game
from renege.record import new_record
from renege.view import View
from steering import SOAK

WORLDS = 20 if SOAK > 1 else 3
SEARCHER = Searcher(worlds=2)
HOUSES: dict[str, list[dict[str, str]]] = {
    "texas42": [{}, {}, {"nello_exchange": "one-tile", "splash": "two-marks", "opening_lead": "trump"}],
    "schafkopf": [{}, {}, {"deck": "short"}, {"all_pass": "old-must", "doubling": "anyone"}],
    "tractor": [{}, {}, {"no_call": "turn-kitty"}],
}


def points(name: str) -> Iterator[View]:
    """Views at each decision of deal after deal: of the seat that decides, and now and then of another.

    Every fourth deal is played by the searcher; in another the talk is at random, so that all contracts come.
    """
    for seed in count():
        rng = random.Random(f"played {name} {seed}")
        houses = HOUSES[name]
        game = find_game(name, houses[seed % len(houses)])
        standing = Standing(seed % 4, (2 + seed % 13, 2 + seed % 7, seed % 3)) if name == "tractor" else None
        record = new_record(game, seed, standing)
        talk_at_random, searches = seed % 4 == 1, seed % 4 == 3
        while (seat := record.position.turn) is not None:
            view = record.view(seat)
            yield view if rng.random() < 0.8 else record.view(rng.randrange(4))
            on_kitty = record.position.talking and record.position.floor(seat).on_kitty  # and so nobody's choice
            said = record.position.legal_calls[0] if on_kitty else decided(view, rng, talk_at_random, searches)
            record = record.with_act(record.position.read(said))


def decided(view: View, rng: random.Random, talk_at_random: bool, searches: bool) -> Option:
    policy = view.game.policy
    assert policy is not None
    if talk_at_random and view.position.talking and not view.legal_calls[0].startswith("bury"):
        return rng.choice(view.legal_calls)
    return SEARCHER.choose(view, rng).what if searches else policy(view).what


@pytest.mark.parametrize(("name", "number"), [("texas42", 400), ("schafkopf", 500), ("tractor", 120)])
def test_no_drawn_world_is_illegal(name: str, number: int):
    contracts: Counter[str] = Counter()
    for i, view in enumerate(islice(points(name), 500 * SOAK if SOAK > 1 else number)):
        belief = Belief(view)
        for world in belief.draw(WORLDS, i):
            assert belief.allows(world), (view, world)
        contract = view.position.contract
        contracts[contract.declaration.split()[0] if contract else "talk"] += 1
    assert len(contracts) > 2, contracts
