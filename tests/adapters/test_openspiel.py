"""OpenSpiel's own suites on our games, as they are, and what the adapter adds: parameters, observers, cheap clones."""

import copy
import io
import json
import os
import pickle
import unittest
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.tests import games_sim_test

from renege.adapters import encoded_games
from renege.adapters.openspiel import NAMES, defaults
from renege.core.game import SEATS
from renege.envs import find
from renege.games.encoding import encoding_of
from renege.games.small import gains
from support.adapter_points import course, observation_of, points, table_of
from support.steering import SOAK

GAMES = encoded_games()
SPIELS = list(NAMES.values())
# the whole tree: its name, (chance, playable, terminal) states, information states
WHOLE_TREES: dict[str, tuple[str, tuple[int, int, int], int]] = {
    "renege_texas42_small_one": ("renege_texas42_small(pips=2,hand=1,bid=1)", (157, 7560, 1800), 2586),
    "renege_tractor_small_one": ("renege_tractor_small(ranks=K,hand=1)", (37, 1314, 216), 246),
    "renege_schafkopf_small_one": ("renege_schafkopf_small(suits=EH,ranks=KA)", (41, 48, 24), 20),
    "renege_tractor_small_whole": ("renege_tractor_small(ranks=K,hand=1,deal=whole)", (1, 1314, 216), 246),
}
TREES = {short: tree for short, tree in WHOLE_TREES.items() if tree[0].partition("(")[0] in SPIELS}
KEPT = {"renege_texas42_small": "pips=2,hand=1,bid=1"}  # others are ten times as long
WRITE = os.environ.get("RENEGE_GOLDEN") == "write"
PLAYTHROUGHS = Path(__file__).parent.parent / "data" / "playthroughs"
TOO_LONG = ["renege_tractor"]  # its playthrough has six million letters: made again under RENEGE_SOAK alone


@pytest.fixture(autouse=True, scope="module")
def _flags():
    import_module("open_spiel.integration_tests.api_test")  # it has the flag
    flags.FLAGS(["renege", "--test_only_games=renege_.*"])


@pytest.mark.parametrize("name", SPIELS)
def test_random_sim(name: str, capfd: pytest.CaptureFixture[str]):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3 * SOAK, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SPIELS)
def test_sim_game(name: str):
    np.random.seed(1)
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


def test_api():
    """The whole of OpenSpiel's API test: some states of each game, all states of the small ones."""
    from open_spiel.integration_tests import api_test

    api_test._GAMES_FULL_TREE_TRAVERSAL_TESTS += [(short, game) for short, (game, _, _) in TREES.items()]
    for short, (_, states, information_states) in TREES.items():
        api_test.TOTAL_NUM_STATES[short] = states
        api_test.PERFECT_RECALL_NUM_STATES[short] = information_states
    api_test._GAMES_TO_TEST = SPIELS
    suite = api_test.load_tests(unittest.TestLoader(), [], None)
    heard = io.StringIO()
    result = unittest.TextTestRunner(heard, verbosity=2).run(suite)
    assert result.wasSuccessful(), heard.getvalue()
    assert result.testsRun == 8 * len(TREES) + 5 * len(SPIELS)


# -- playthroughs


def differing(file: Path) -> str | None:
    """The first line in which a playthrough that is made again differs."""
    expected, actual = generate_playthrough.replay(str(file))
    lines = zip(expected.splitlines(), actual.splitlines(), strict=False)
    return next((f"{ours!r} is now {theirs!r}" for ours, theirs in lines if ours != theirs), None)


@pytest.mark.parametrize("name", [name for name in KEPT if name in SPIELS])
def test_playthroughs_that_are_kept(name: str):
    """Every value of OpenSpiel's interface at every state of a deal; `RENEGE_GOLDEN=write` writes them anew."""
    file = PLAYTHROUGHS / f"{name}.txt"
    if WRITE:
        file.write_text(generate_playthrough.playthrough(f"{name}({KEPT[name]})", None, seed=1), encoding="utf-8")
    assert differing(file) is None


@pytest.mark.parametrize("name", [name for name in SPIELS if SOAK > 1 or name not in TOO_LONG])
def test_playthroughs_are_made_and_made_again(name: str, tmp_path: Path):
    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(name, None, seed=2), encoding="utf-8")
    assert differing(file) is None


# -- what we promise besides


@pytest.mark.parametrize("name", GAMES)
def test_a_state_is_the_moment(name: str):
    """Actions, players, rows and returns are those of the encoding."""
    game, encoding = pyspiel.load_game(NAMES[name]), encoding_of(find(name))
    assert game.num_distinct_actions() == len(encoding.actions)
    for place in points(table_of(name), 3 * SOAK, seed=1):
        state, moment = game.state_at(place), place.moment
        assert moment is not None
        assert (state.current_player(), tuple(state.legal_actions())) == (moment.turn, moment.legal)
        assert [state.action_to_string(action) for action in moment.legal] == [
            encoding.actions[a] for a in moment.legal
        ]
        for seat in SEATS:
            assert state.observation_tensor(seat) == moment.observe(seat).tolist()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("payoff", ["difference", "score"])
def test_payoffs(name: str, payoff: str):
    game = pyspiel.load_game(f"{NAMES[name]}(payoff={payoff})")
    zero_sum = game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert zero_sum == (payoff == "difference")
    for seed in range(5 * SOAK):
        *_, last = course(table_of(name), seed)
        assert last.moment is not None
        end = last.after(last.moment.legal[0])
        while end.player >= 0:
            assert end.moment is not None
            end = end.after(end.moment.legal[0])
        state = game.state_at(end)
        assert end.moment is not None
        score = end.moment.rewards
        assert tuple(state.returns()) == (gains(score) if payoff == "difference" else score)
        assert state.is_terminal() and not state.legal_actions()
        assert all(game.min_utility() <= paid <= game.max_utility() for paid in state.returns())


@pytest.mark.parametrize("name", GAMES)
def test_clones_and_copies_share_one_place(name: str):
    game = pyspiel.load_game(NAMES[name])
    state = game.state_at(next(points(table_of(name), 1, seed=2)))
    assert state.clone().place is state.place and copy.deepcopy(state.place) is state.place
    child = state.child(state.legal_actions()[0])
    assert child.place is not state.place and len(child.history()) == len(state.history()) + 1
    for again in (pickle.loads(pickle.dumps(state)), game.deserialize_state(state.serialize())):
        assert (str(again), again.history()) == (str(state), state.history())
        assert again.legal_actions() == state.legal_actions()
        assert again.information_state_string(0) == state.information_state_string(0)


@pytest.mark.parametrize("name", GAMES)
def test_house_rules_are_parameters(name: str):
    rules = find(name).rules
    given = defaults(name)
    for key, value in given.items():
        if key in ("deal", "payoff"):
            continue
        rule = getattr(rules, key)
        choices = [one.value for one in type(rule)] if isinstance(rule, Enum) else [value]
        for choice in choices:
            try:
                encoding_of(find(name, {key: str(choice)}))
            except ValueError:
                continue  # which is refused whoever asks
            game = pyspiel.load_game(NAMES[name], {key: choice})
            assert getattr(game.table.game.rules, key) == getattr(find(name, {key: str(choice)}).rules, key)
            assert str(pyspiel.load_game(str(game))) == str(game)


def test_what_is_asked_wrongly_is_refused():
    with pytest.raises(ValueError, match="bid is 6; there are 1 points to take"):
        pyspiel.load_game("renege_texas42_small(pips=2,hand=1,bid=6)")
    with pytest.raises(ValueError, match="nello is one of off one-mark"):
        pyspiel.load_game("renege_texas42(nello=never)")
    with pytest.raises(ValueError, match="deal is 'half'; it is one of cards whole"):
        pyspiel.load_game("renege_texas42(deal=half)")
    with pytest.raises(ValueError, match="payoff is 'much'; it is one of difference score"):
        pyspiel.load_game("renege_texas42(payoff=much)")
    with pytest.raises(ValueError, match=r"texas42 has [0-9]+ deals or more: too many"):
        pyspiel.load_game("renege_texas42(deal=whole)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        pyspiel.load_game("renege_texas42(nelo=off)")


@pytest.mark.parametrize("name", GAMES)
def test_observers_show_what_they_are_asked_for(name: str):
    game = pyspiel.load_game(NAMES[name])
    place = next(points(table_of(name), 1, seed=4))
    state, seat = game.state_at(place), place.player
    assert place.moment is not None

    def parts(**kind: Any) -> dict[str, Any]:
        observation = observation_of(game, pyspiel.IIGObservationType(**kind))
        observation.set_from(state, seat)
        assert sum(part.size for part in observation.dict.values()) == observation.tensor.size
        text = observation.string_from(state, seat)
        assert (text == "") == (not observation.dict)
        return {name: part.copy() for name, part in observation.dict.items()}

    none, single, everybody = (
        pyspiel.PrivateInfoType.NONE,
        pyspiel.PrivateInfoType.SINGLE_PLAYER,
        pyspiel.PrivateInfoType.ALL_PLAYERS,
    )
    assert parts(perfect_recall=False, public_info=False, private_info=none) == {}
    assert "hand" not in parts(perfect_recall=False, private_info=none)
    own = parts(perfect_recall=False, public_info=False, private_info=single)
    assert "hand" in own and "played" not in own and "acts" not in own
    assert own["hand"].tolist() == place.moment.observe(seat)[place.table.encoding.sections["hand"]].tolist()
    hands = parts(perfect_recall=False, public_info=False, private_info=everybody)["hand"]
    assert [row.sum() for row in hands] == [len(hand) for hand in place.moment.position.hands]
    recalled = parts(perfect_recall=True)
    assert {"dealt", "acts", "hand", "played"} <= set(recalled)
    assert recalled["acts"].shape[0] == game.max_game_length()
    assert recalled["dealt"].sum() == place.table.game.hand_size
    with pytest.raises(ValueError, match="take no parameters"):
        game.make_py_observer(None, {"colour": "red"})


def test_deals_all_at_once_are_the_deals_card_by_card():
    """The chance of every deal is the same either way."""
    name = "tractor-small" if "tractor-small" in GAMES else "texas42-small"
    rules = {"ranks": "K", "hand": "1"} if name == "tractor-small" else {"pips": "2", "hand": "1", "bid": "1"}
    whole, chances = table_of(name, "whole", **rules), dict[Any, float]()
    cards = table_of(name, **rules)
    open_places = [(cards.start(), 1.0)]
    while open_places:
        place, chance = open_places.pop()
        if place.moment is not None:
            hands = place.moment.start.hands
            chances[hands] = chances.get(hands, 0.0) + chance
            continue
        open_places += [(place.after(card), chance * share) for card, share in cards.chances(place.dealt)]
    assert len(chances) == len(whole.every)
    for moment, chance in whole.every:
        assert chances[moment.start.hands] == pytest.approx(chance)


@pytest.mark.parametrize("name", SPIELS)
def test_python_ismcts_plays(name: str):
    """OpenSpiel's own search in Python draws its worlds from us."""
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=pyspiel.load_game(name),
        uct_c=2.0,
        max_simulations=4,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        random_state=rng,
    )
    state = pyspiel.load_game(name).state_at(list(course(table_of(list(NAMES)[SPIELS.index(name)]), 1))[-3])
    assert bot.step(state) in state.legal_actions()


def test_structs():
    state = pyspiel.load_game("renege_texas42").state_at(next(points(table_of("texas42"), 1, seed=4)))
    told = json.loads(state.to_json())
    assert told["player"] == state.current_player() and len(told["dealt"]) == 4


def test_bots_of_ours_sit_at_openspiels_table():
    from renege.adapters.openspiel import AgentBot

    game = pyspiel.load_game("renege_texas42")
    bots = [AgentBot(agent, seat, seed=seat) for seat, agent in enumerate(["rulebook", "random"] * 2)]
    paid = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert sum(paid) == 0 and any(paid)


@pytest.mark.parametrize("deal", ["cards", "whole"])
def test_a_card_that_cannot_be_dealt_is_refused(deal: str):
    state = pyspiel.load_game(f"renege_texas42_small(deal={deal})").new_initial_state()
    with pytest.raises(ValueError, match="card 999999 cannot be dealt now" if deal == "cards" else "no deal 999999"):
        state.apply_action(999_999)
    first = state.legal_actions()[0]
    state.apply_action(first)
    if deal == "cards":
        with pytest.raises(ValueError, match=f"card {first} cannot be dealt now"):
            state.apply_action(first)
