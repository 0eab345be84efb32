"""The words of the games: how calls are offered, what a seat is asked for, and what a plain game says."""

from types import ModuleType

import pytest

from renege.core.registry import GAMES, find_game
from renege.games.words import PLAIN, Button, words_of


@pytest.mark.parametrize(
    ("game", "call", "button"),
    [
        ("texas42", "pass", Button("pass")),
        ("texas42", "30", Button("points")),
        ("texas42", "1 mark", Button("marks")),
        ("texas42", "2 marks", Button("marks")),
        ("texas42", "splash", Button("jump")),
        ("texas42", "trump 5", Button("trump", cards=("5-5",))),
        ("texas42", "trump doubles", Button("trump")),
        ("texas42", "lead 6-4", Button("lead", cards=("6-4",))),
        ("texas42", "nello", Button("untrumped")),
        ("texas42", "nello doubles low", Button("doubles", seldom=True)),
        ("tractor", "pass", Button("pass")),
        ("tractor", "take", Button("pass")),
        ("tractor", "redeal", Button("say")),
        ("tractor", "show LJ LJ", Button("show", cards=("LJ", "LJ"))),
        ("schafkopf", "pass", Button("pass")),
        ("schafkopf", "no", Button("pass")),
        ("schafkopf", "stoss", Button("say")),
        ("schafkopf", "wenz", Button("kind")),
        ("schafkopf", "wenz tout", Button("tout", seldom=True)),
        ("schafkopf", "solo E", Button("solo", suit="E")),
        ("schafkopf", "solo E tout", Button("solo tout", seldom=True, suit="E")),
        ("schafkopf", "rufspiel G", Button("rufspiel", suit="G")),
    ],
)
def test_a_call_stands_in_its_group(game: str, call: str, button: Button) -> None:
    assert words_of(find_game(game)).button(call) == button


@pytest.mark.parametrize(
    ("game", "calls", "asked"),
    [
        ("tractor", "pass, show S2", "show"),
        ("tractor", "take", "take"),
        ("tractor", "pass, redeal", "call"),
        ("texas42", "trump 5, lead 6-4", "trump"),
        ("texas42", "pass, 30, 1 mark", "bid"),
        ("texas42", "2 marks, splash", "bid"),
        ("texas42", "trump 5, follow-me", "trump"),
        ("schafkopf", "pass, double", "call"),
        ("schafkopf", "old, no", "call"),
        ("schafkopf", "pass, rufspiel, solo", "wish"),
        ("schafkopf", "rufspiel E, solo G", "declare"),
    ],
)
def test_what_is_asked_for_follows_from_what_may_be_said(game: str, calls: str, asked: str) -> None:
    assert words_of(find_game(game)).asks(calls.split(", ")) == asked


def test_a_game_without_words_of_its_own_has_plain_ones(vane: ModuleType) -> None:
    game = vane.game()
    assert words_of(game) is PLAIN
    assert PLAIN.title(game) == "Vane"
    assert PLAIN.asks(["hearts", "spades"]) == "declare" and PLAIN.button("hearts") == Button("kind")
    assert all(words_of(find_game(name)) is not PLAIN for name in GAMES if name != "vane")
