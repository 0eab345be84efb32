"""States drawn by `resample_from_infostate`: do they look the same, are they legal, as likely as they should be?"""

import random
from collections import Counter
from math import factorial, prod

import pyspiel
import pytest
from scipy.stats import chisquare

from renege.adapters import encoded_games
from renege.adapters.deal_state import DealState
from renege.adapters.openspiel import NAMES
from renege.belief import Belief
from renege.belief.worlds import TooManyStates
from renege.core.game import SEATS
from renege.core.world import World
from support.adapter_points import course, dealt, points, replayed, table_of
from support.steering import SOAK

GAMES = encoded_games()


@pytest.mark.parametrize("name", GAMES)
def test_states_look_the_same_and_are_legal(name: str):
    game = pyspiel.load_game(NAMES[name])
    rng, drawn = random.Random(3), 0
    for place in points(game.table, 6 * SOAK, seed=3):
        state = game.state_at(place)
        assert replayed(game, state.history()).history() == state.history()
        for seat in SEATS:
            for _ in range(3):
                other = state.resample_from_infostate(seat, rng.random)
                assert other.information_state_string(seat) == state.information_state_string(seat)
                assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
                assert other.observation_string(seat) == state.observation_string(seat)
                assert other.current_player() == state.current_player()
                if seat == place.player:
                    assert other.legal_actions() == state.legal_actions()
                again = replayed(game, other.history())
                assert str(again) == str(other)
                assert again.place.moment == other.place.moment
                assert again.place.told == other.place.told and again.place.picked == other.place.picked
                assert [item.player for item in again.full_history()] == [item.player for item in other.full_history()]
                drawn += str(other) != str(state)
    assert drawn


@pytest.mark.parametrize("name", GAMES)
def test_while_cards_are_dealt(name: str):
    game, rng = pyspiel.load_game(NAMES[name]), random.Random(4)
    whole = dealt(table_of(name), rng).history
    for stop in (0, 1, len(whole) // 2, len(whole) - 1):
        state = game.new_initial_state()
        for _, card in whole[:stop]:
            state.apply_action(card)
        for seat in SEATS:
            other = state.resample_from_infostate(seat, rng.random)
            assert len(replayed(game, other.history()).history()) == stop
            assert other.place.hand(seat) == state.place.hand(seat)
            assert other.information_state_string(seat) == state.information_state_string(seat)


def key(place: DealState) -> tuple[str, ...]:
    assert place.moment is not None
    position = place.moment.position
    return (*map(str, position.hands), str(position.kitty))


def labelled(world: World, mine: int) -> int:
    """How many deals look like this one, two copies of a card being two cards."""
    hidden = [pile for seat, pile in enumerate((*world.hands, world.kitty)) if seat != mine]
    kinds = {card for pile in hidden for card in pile}
    return prod(
        factorial(sum(pile.count(card) for pile in hidden)) // prod(factorial(pile.count(card)) for pile in hidden)
        for card in kinds
    )


def small_sets(name: str, count: int) -> list[tuple[DealState, dict[tuple[str, ...], int]]]:
    """Places where the seat to act has few worlds left, with all of them and how likely each is."""
    found: list[tuple[DealState, dict[tuple[str, ...], int]]] = []
    table = table_of(name)
    for seed in range(400):
        for place in reversed(list(course(table, seed))):
            assert place.moment is not None
            try:
                belief = Belief(place.moment.view(place.player))
            except TooManyStates:
                break
            if belief.distinct() > 12 or not belief.exact:
                break
            worlds = list(belief.listed()) if belief.distinct() > 1 else []
            if len(worlds) > 1:
                found.append((place, {(*map(str, w.hands), str(w.kitty)): labelled(w, place.player) for w in worlds}))
                break
        if len(found) == count:
            return found
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_world_is_as_likely_as_it_should_be(name: str):
    """Chi-square on small sets; one in ten thousand may fail by chance, and the seed is fixed."""
    game, rng, draws = pyspiel.load_game(NAMES[name]), random.Random(5), 600
    sets = small_sets(name, 4 * SOAK)
    assert sets
    for place, weights in sets:
        state = game.state_at(place)
        seen = Counter(key(state.resample_from_infostate(place.player, rng.random).place) for _ in range(draws))
        assert set(seen) <= set(weights), "a world that does not fit"
        total = sum(weights.values())
        expected = [draws * weight / total for weight in weights.values()]
        assert chisquare([seen[world] for world in weights], expected).pvalue > 1e-4


def test_a_lopsided_draw_is_found(monkeypatch: pytest.MonkeyPatch):
    honest = DealState.resampled

    def lopsided(self: DealState, seat: int, seed: int) -> DealState:
        return honest(self, seat, seed % 3)  # three worlds at most

    monkeypatch.setattr(DealState, "resampled", lopsided)
    with pytest.raises(AssertionError, match="pvalue"):
        test_every_world_is_as_likely_as_it_should_be("texas42")


def test_worlds_that_ignore_voids_are_found(monkeypatch: pytest.MonkeyPatch):
    """Hidden cards dealt anew without asking who could have followed: some of these worlds are not legal."""
    honest = DealState._laid

    def careless(self: DealState, seat: int, world: World, record: object) -> DealState:
        rng = random.Random(str(world))
        rest = [card for other in SEATS if other != seat for card in world.hands[other]]
        rng.shuffle(rest)
        hands = list(world.hands)
        for other in SEATS:
            if other != seat:
                size = len(hands[other])
                hands[other] = self.table.game.deck.cards(rest[:size])
                rest = rest[size:]
        wrong = World(tuple(hands), world.kitty)
        assert self.moment is not None
        return honest(self, seat, wrong, Belief(self.moment.view(seat)).record(wrong))

    monkeypatch.setattr(DealState, "_laid", careless)
    with pytest.raises(AssertionError, match="not legal in this world"):
        test_states_look_the_same_and_are_legal("texas42")


def test_the_seat_and_the_rng_may_come_as_openspiel_gives_them():
    game = pyspiel.load_game("renege_texas42")
    state = game.state_at(next(points(table_of("texas42"), 1, seed=6)))
    seat = state.current_player()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    assert state.resample_from_infostate(seat, sampler).current_player() == seat
    one, same = (state.resample_from_infostate(seat, random.Random(8)) for _ in range(2))
    assert str(one) == str(same)
