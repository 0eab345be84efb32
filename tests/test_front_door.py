"""`import renege`: light, one screen of names, and what people type first works or says what to type."""

import subprocess
import sys

import pytest

import renege
from renege import (
    Arbiter,
    Belief,
    NotationError,
    Record,
    Searcher,
    WrongPhase,
    find_game,
    schafkopf,
    solve,
    texas42,
    tractor,
)

ENDGAME = "trump 5 | 0: 5-5 4-1 | 1: 6-6 2-2 | 2: 6-4 3-3 | 3: 5-0 0-0 | 0 leads"


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


def test_importing_it_loads_nothing_yet():
    loaded = run("import sys, renege; print(*sys.modules)").split()
    assert [name for name in loaded if name.split(".")[0] in ("numpy", "renege")] == ["renege"]


def test_a_game_loads_when_it_is_asked_for_and_no_other_does():
    loaded = run("import sys; from renege import texas42; print(*sys.modules)").split()
    assert "renege.games.texas42" in loaded
    assert not {"renege.games.tractor", "renege.games.schafkopf", "renege.server"} & set(loaded)


def test_its_names_are_one_screen_and_all_there():
    assert len(dir(renege)) <= 24
    for name in dir(renege):
        assert getattr(renege, name) is not None
    assert set(renege.__all__) <= set(dir(renege))


def test_what_is_not_there_is_answered_with_what_is():
    with pytest.raises(AttributeError, match="renege has no 'Cards'; it has Arbiter, Belief"):
        _ = renege.Cards


def test_games_take_house_rules_by_name():
    assert texas42.game(all_pass="force-30") == find_game("42", {"all_pass": "force-30"})
    assert schafkopf.game(deck="short").rules.deck.value == "short"
    assert tractor.game(tractor.Rules(), stopped_throw="refused").rules.stopped_throw.value == "refused"
    with pytest.raises(NotationError, match=r"all_pass is one of reshake .*; 'nonsense' is not"):
        texas42.game(all_pass="nonsense")
    assert texas42.position("trump 5 | hand 6-6", all_pass="force-30").game.rules.all_pass.value == "force-30"


def test_a_table_by_the_name_of_its_game_and_acts_taken_back():
    table = Arbiter("42", seed=1)
    assert table.act(0, "30") and table.act(1, "pass")
    assert table.undo().what == "pass"
    assert table.position.turn == 1 and len(table.record.acts) == 1
    table.undo()
    assert table.record == Record(table.record.start)
    with pytest.raises(WrongPhase, match="nothing has been done"):
        table.undo()


def test_cards_by_name():
    position = texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1")
    hand = position.hand
    assert "6-6" in hand and "1-3" in hand and "5-5" not in hand
    assert texas42.DECK.cards(["6-6", "5-5"]) == texas42.DECK.cards("6-6 5-5")
    with pytest.raises(NotationError, match="'7-7' is no tile of double-six; write it like"):
        texas42.DECK.cards(["7-7"])
    with pytest.raises(NotationError, match="'ace' is no tile"):
        _ = "ace" in hand
    with pytest.raises(ValueError, match="the hand is not told: only that it has 3 cards is known"):
        _ = "6-6" in position.hands[2]


def test_legal_plays_are_counted_and_numbered():
    plays = tractor.position("trump S4 | led H9 | hand HK HK HQ H8 S2").legal_plays
    assert len(plays) == plays.count() == len(list(plays)) == 3
    assert plays[0] == next(iter(plays)) and plays[-1] == list(plays)[-1]
    with pytest.raises(IndexError, match="there are 3 legal plays, and number 3 was asked for"):
        plays[3]
    with pytest.raises(IndexError, match="number -4 was asked for"):
        plays[-4]
    assert plays[:2] == list(plays)[:2]
    ours = texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1").legal_plays
    assert len(ours) == 1 and repr(ours[0]) == "<Play 6-6>"


def test_a_position_is_solved():
    position = texas42.position(ENDGAME)
    assert position.solve() == solve(position)
    assert position.solve().value == 32
    assert position.solve(target=30).value is True


def test_a_searcher_plays_from_a_view():
    view = Arbiter("42", seed=1).view(0)
    assert Searcher(worlds=5).choose(view).what in view.legal_calls


def test_the_version_is_that_of_the_package():
    assert renege.__version__.count(".") == 2


def test_a_position_line_leads_to_odds_hints_and_a_search():
    position = texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1")
    view = position.view(1)
    assert Belief(view).odds("5-5")[2] == pytest.approx(3 / 24)
    assert str(Searcher(worlds=4).choose(view).what) == "6-6"
    with pytest.raises(TypeError, match=r"Belief\(position.view\(seat\)\)"):
        Belief(position)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="give it position"):
        Searcher(worlds=4).choose(position)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="seat 9 is none of 0 to 3"):
        position.view(9)


def test_presets_go_by_name_and_cards_by_number():
    assert schafkopf.game("short").deck.names != schafkopf.game().deck.names
    assert schafkopf.game("short") == schafkopf.game(schafkopf.PRESETS["short"])
    with pytest.raises(ValueError, match="unknown preset 'tiny'; there are default"):
        schafkopf.game("tiny")
    with pytest.raises(TypeError, match="house rules are a `Rules`"):
        texas42.game(5)  # pyright: ignore[reportArgumentType]
    hand = texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1").hand
    assert -1 not in hand and texas42.DECK.card(27) == texas42.DECK.card("6-6")
    with pytest.raises(ValueError, match="28 is no tile of double-six: they are 0 to 27"):
        texas42.DECK.card(28)
