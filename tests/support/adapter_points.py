"""Moments of random deals for the tests of the adapters, and the same moments in other worlds that a seat allows."""

import random
from collections.abc import Iterator
from typing import Any

from renege.adapters.deal_state import CHANCE, DealState, GameSetup
from renege.belief import Belief
from renege.core.cards import Cards
from renege.envs import find
from renege.games.encoding import encoding_of


def table_of(name: str, deal: str = "cards", **rules: str) -> GameSetup:
    return GameSetup(encoding_of(find(name, rules)), deal)


def dealt(table: GameSetup, rng: random.Random) -> DealState:
    """The table once all cards are dealt."""
    place = table.start()
    while place.player == CHANCE:
        chances = place.chances
        place = place.after(rng.choices([action for action, _ in chances], [chance for _, chance in chances])[0])
    return place


def course(table: GameSetup, seed: int) -> Iterator[DealState]:
    """A deal by chance: every place where somebody is to act."""
    rng = random.Random(seed)
    place = dealt(table, rng)
    while place.player >= 0:
        yield place
        assert place.moment is not None
        place = place.after(rng.choice(place.moment.legal))


def points(table: GameSetup, count: int, seed: int) -> Iterator[DealState]:
    """So many places by chance, all from different deals; every fourth is in the middle of a play, if there is one."""
    rng = random.Random(seed)
    for number in range(count):
        places = list(course(table, rng.getrandbits(32)))
        open_plays = [place for place in places if place.picked]
        yield rng.choice(open_plays if open_plays and number % 4 == 0 else places)


def other_worlds(place: DealState, seat: int, count: int, seed: int) -> Iterator[DealState]:
    """The same deal as this seat knows it, its cards dealt otherwise, every act made again from the first card on."""
    assert place.moment is not None
    belief = Belief(place.moment.view(seat))
    for world in belief.draw(count, seed):
        record = belief.record(world)
        other = place.table.start()
        hands = [hand for hand in record.start.hands if isinstance(hand, Cards)]
        for action in place.table.dealings(hands, place.standing):
            other = other.after(action)
        for told, act in zip(place.told, record.acts, strict=True):
            assert other.moment is not None
            mine = told.seat == seat
            for action in told.picked if mine else other.moment.numbers(act.what):
                other = other.after(action)
        for action in place.picked if place.player == seat else ():
            other = other.after(action)
        yield other


def observation_of(game: Any, kind: Any) -> Any:
    """OpenSpiel's observation of a kind, which all our games have."""
    from open_spiel.python.observation import make_observation

    observation = make_observation(game, kind)
    assert observation is not None
    return observation


def replayed(game: Any, history: list[int]) -> Any:
    """A history made again from the first card on, every action asked for before it is taken."""
    state = game.new_initial_state()
    for action in history:
        assert action in state.legal_actions(), "not legal in this world"
        state.apply_action(action)
    return state
