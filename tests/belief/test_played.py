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
from renege.core.cards import Cards
from renege.core.game import Standing
from renege.core.position import Position, View
from renege.core.record import Act, new_record
from renege.core.registry import find_game
from renege.games.strategy import Option, strategy_of
from support.steering import SOAK

WORLDS, POINTS = 20, 500  # of a part
PARTS = range(100) if SOAK > 1 else range(1)
SEARCHER = Searcher(worlds=2)
HOUSES: dict[str, list[dict[str, str]]] = {  # every second deal is played by the usual rules
    "texas42": [
        {"nello_exchange": "one-tile", "splash": "two-marks", "opening_lead": "trump"},
        {"unsaid_trump": "first-lead", "doubles_trump": "inverted"},
        {"opening_lead": "small-end", "sevens_tie": "declarers", "sevens": "needs-seven"},
        {"exposed_tile": "must-play"},
        {"partner_lead": "declarer", "all_pass": "force-30", "follow_me_doubles": "low"},
        {"nello_exchange": "one-tile", "all_pass": "force-nello", "nello_doubles": "own-inverted"},
    ],
    "schafkopf": [
        {"deck": "short"},
        {"all_pass": "old-must", "doubling": "anyone"},
        {"head_trick": "both", "bettel_order": "herz"},
        {"run_from": "3", "precedence": "equal", "bettel_order": "unter"},
        {"hochzeit_return": "any", "doubling": "chain"},
        {"hochzeit_cards": "face-up", "stoss_role": "takes-over"},
        {"precedence": "raising", "hochzeit_return": "any", "hochzeit_cards": "face-up"},
        {"hochzeit_couples": "two", "hochzeit_return": "any"},
        {"run_from": "5", "herz_solo": "first", "stoss_deadline": "first-trick"},
    ],
    "tractor": [
        {"no_call": "turn-kitty"},
        {"shorter_runs": "all-owed", "throw_comparison": "all-units"},
        {"follow_duty": "tractors-protected", "throw_test": "opponents"},
        {"stopped_throw": "first-found", "level_gap": "breaks"},
        {"throw_test": "public-info", "new_deal": "either"},
        {"stopped_throw": "refused", "no_trump": "jokers-only", "follow_duty": "suit-only"},
    ],
}


def points(name: str, part: int) -> Iterator[View]:
    """Views at each decision of deal after deal: of the seat that decides, and now and then of another.

    One deal in four is played by the searcher, and in one of four the talk is at random, so that all contracts come.
    """
    for seed in count(part, len(PARTS)):
        rng = random.Random(f"played {name} {seed}")
        game = find_game(name, rng.choice(HOUSES[name]) if rng.random() < 0.5 else {})
        standing = Standing(seed % 4, (2 + seed % 13, 2 + seed % 7, seed % 3)) if name == "tractor" else None
        record = new_record(game, seed, standing)
        talk_at_random, searches = (rng.random() < 0.25 for _ in range(2))
        while (seat := record.position.turn) is not None:
            view = record.view(seat)
            yield view if rng.random() < 0.8 else record.view(rng.randrange(4))
            if said_beside := beside(record.position, rng):
                record = record.with_act(said_beside)
                continue
            on_kitty = record.position.talking and record.position.floor(seat).on_kitty  # and so nobody's choice
            said = record.position.legal_calls[0] if on_kitty else decided(view, rng, talk_at_random, searches)
            record = record.with_act(record.position.read(said))


def beside(position: Position, rng: random.Random) -> Act | None:
    """Now and then somebody breaks in: a Stoss, cards shown out of turn, a tile that falls on the table."""
    for seat in position.speakers:
        hand = position.hands[seat]
        if (seat == position.turn and position.talking) or not isinstance(hand, Cards) or rng.random() > 0.05:
            continue
        calls = [call for call in position.floor(seat).calls(hand) if call != "pass"]
        if calls:
            return position.read(rng.choice(calls), seat)
    return None


def decided(view: View, rng: random.Random, talk_at_random: bool, searches: bool) -> Option:
    policy = strategy_of(view.game).policy
    assert policy is not None
    if talk_at_random and view.position.talking and not view.legal_calls[0].startswith("bury"):
        return rng.choice(view.legal_calls)
    return SEARCHER.choose(view, rng).what if searches else policy(view).what


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", HOUSES)
def test_no_drawn_world_is_illegal(name: str, part: int):
    contracts: Counter[str] = Counter()
    for i, view in enumerate(islice(points(name, part), POINTS)):
        belief = Belief(view)
        for world in belief.draw(WORLDS, i):
            assert belief.allows(world), (view, world)
        contract = view.position.contract
        contracts[contract.declaration.split()[0] if contract else "talk"] += 1
    assert len(contracts) > 2, contracts
