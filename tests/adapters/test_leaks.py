"""Does any adapter show a seat what it has not seen? Worlds that the seat cannot tell apart must look the same to it.

A world is drawn from the belief, the cards are dealt so, and every act is made again; then all that the seat is shown
in either world is compared: tensors, their parts, texts, masks and rows.
"""

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
import pytest

import renege.adapters.gymnasium
import renege.adapters.openspiel
import renege.adapters.pettingzoo
from renege.adapters import encoded_games
from renege.adapters.deal_state import DealState
from renege.adapters.openspiel import NAMES, RenegeGame
from renege.adapters.spiel_observer import Observer
from renege.core.cards import Cards
from renege.core.game import SEATS
from renege.games.encoding import Moment
from support.adapter_points import observation_of, other_worlds, points, table_of
from support.steering import SOAK

GAMES = encoded_games()
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date")
NONE, SINGLE, EVERYBODY = (
    pyspiel.PrivateInfoType.NONE,
    pyspiel.PrivateInfoType.SINGLE_PLAYER,
    pyspiel.PrivateInfoType.ALL_PLAYERS,
)
TYPES = [
    pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=private)
    for recall in (False, True)
    for public in (False, True)
    for private in (NONE, SINGLE)
]


def loaded(name: str) -> RenegeGame:
    return pyspiel.load_game(NAMES[name])


def in_openspiel(place: DealState, seat: int) -> list[Any]:
    """All that OpenSpiel shows a seat."""
    game = loaded(place.table.game.name)
    state, shown = game.state_at(place), []
    for kind in TYPES:
        observation = observation_of(game, kind)
        observation.set_from(state, seat)
        shown += [observation.tensor.copy(), {name: part.copy() for name, part in observation.dict.items()}]
        shown.append(observation.string_from(state, seat))
    shown += [state.information_state_string(seat), state.observation_string(seat)]
    shown += [state.information_state_tensor(seat), state.observation_tensor(seat)]
    return [*shown, state.current_player(), state.legal_actions(seat)]


def in_pettingzoo(place: DealState, seat: int) -> list[Any]:
    env = pettingzoo.make("aec", renege.adapters.pettingzoo.IDS[place.table.game.name])
    env.reset(seed=1, options={"moment": place.moment})
    return [env.observe(f"player_{seat}"), env.agent_selection, env.infos[f"player_{seat}"], dict(env.rewards)]


def in_gymnasium(place: DealState, seat: int) -> list[Any]:
    """One seat, and only when it is to act: before that others would go on by their own cards."""
    assert place.moment is not None
    if place.moment.turn != seat:
        return []
    env = gymnasium.make(
        renege.adapters.gymnasium.IDS[place.table.game.name], render_mode="ansi", disable_env_checker=True
    )
    row, info = env.reset(seed=1, options={"moment": place.moment, "seat": seat})
    seat_env = env.unwrapped
    assert isinstance(seat_env, renege.adapters.gymnasium.SeatEnv)
    return [row, info, env.render(), seat_env.action_masks()]


SHOWN = {"openspiel": in_openspiel, "pettingzoo": in_pettingzoo, "gymnasium": in_gymnasium}


def check(adapter: str, name: str, count: int, seed: int) -> None:
    """Compares what is shown in worlds that a seat cannot tell apart: the seat to act, and another."""
    compared = 0
    for place in points(table_of(name), count, seed):
        for seat in SEATS:
            if place.picked and seat != place.player:
                continue  # what another has picked is in no world that this seat can draw
            shown = SHOWN[adapter](place, seat)
            for other in other_worlds(place, seat, 2, seed):
                compared += other.hand((seat + 1) % 4) != place.hand((seat + 1) % 4)
                np.testing.assert_equal(SHOWN[adapter](other, seat), shown)
    assert compared > count, "the worlds do not differ"


@pytest.mark.parametrize("adapter", list(SHOWN))
@pytest.mark.parametrize("name", GAMES)
def test_worlds_that_a_seat_cannot_tell_apart_look_the_same(adapter: str, name: str):
    check(adapter, name, 4 * SOAK, seed=7)


@pytest.mark.parametrize("name", GAMES)
def test_what_all_see_is_the_same_for_all(name: str):
    """Without private information no seat is shown more than another, and no world more than its course."""
    game = loaded(name)
    for place in points(table_of(name), 3 * SOAK, seed=8):
        state = game.state_at(place)
        for recall in (False, True):
            public = observation_of(game, pyspiel.IIGObservationType(perfect_recall=recall, private_info=NONE))
            seen = []
            for seat in SEATS:
                public.set_from(state, seat)
                seen.append((public.tensor.tolist(), public.string_from(state, seat)))
            assert seen == seen[:1] * 4


@pytest.mark.parametrize("name", GAMES)
def test_where_everything_is_shown_worlds_differ(name: str):
    """The other way round: an observer of all private information does tell worlds apart."""
    game = loaded(name)
    observation = observation_of(game, pyspiel.IIGObservationType(perfect_recall=True, private_info=EVERYBODY))
    told = 0
    for place in points(table_of(name), 4, seed=9):
        for other in other_worlds(place, place.player, 2, seed=9):
            observation.set_from(game.state_at(place), 0)
            here = observation.tensor.tolist()
            observation.set_from(game.state_at(other), 0)
            same = all(place.hand(seat) == other.hand(seat) for seat in SEATS)
            assert same or observation.tensor.tolist() != here
            told += not same
    assert told


# -- the tests find a leak where there is one


def hand_of(moment: Moment, seat: int) -> Cards:
    hand = moment.position.hands[seat % 4]
    assert isinstance(hand, Cards)
    return hand


def leaking_row(self: Moment, seat: int | None) -> Any:
    row = honest_row(self, seat)
    if seat is not None:  # one card of the next hand, in a corner of one's own
        row[self.encoding.sections["dealer"]] += max(hand_of(self, seat + 1), default=0)
    return row


honest_row = Moment.observe


@pytest.mark.parametrize("adapter", list(SHOWN))
def test_a_card_of_another_hand_in_a_row_is_found(adapter: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Moment, "observe", leaking_row)
    with pytest.raises(AssertionError, match="not equal"):
        check(adapter, "texas42", 4, seed=7)


@pytest.mark.parametrize("adapter", list(SHOWN))
def test_a_mask_that_knows_another_hand_is_found(adapter: str, monkeypatch: pytest.MonkeyPatch):
    """What is open is shown without one action where the next hand has an odd card at its top."""
    honest, shown = Moment.legal.func, SHOWN[adapter]

    def leaking(self: Moment) -> tuple[int, ...]:
        top = next(iter(hand_of(self, (self.turn or 0) + 1)), 0)
        return honest(self)[: -(top % 2) or None]

    def leakily(place: DealState, seat: int) -> list[Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Moment, "legal", property(leaking))
            return shown(place, seat)

    monkeypatch.setitem(SHOWN, adapter, leakily)
    with pytest.raises(AssertionError, match="not equal"):
        check(adapter, "texas42", 4, seed=7)


def test_a_text_that_says_too_much_is_found(monkeypatch: pytest.MonkeyPatch):
    honest = Observer._recalled

    def leaking(self: Observer, place: DealState, player: int) -> Any:
        yield from honest(self, place, player)
        yield f"the next hand has {place.hand((player + 1) % 4)}"

    monkeypatch.setattr(Observer, "_recalled", leaking)
    with pytest.raises(AssertionError, match="not equal"):
        check("openspiel", "texas42-small", 4, seed=7)
