"""Bots act in their time, whatever fails; and what is nobody's choice is done by the table."""

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from renege.core.arbiter import Arbiter
from renege.core.notation import parse_cards
from renege.core.registry import find_game
from renege.server.tables import bots as botplay
from renege.server.tables.bots import kitty_call
from renege.server.tables.events import ActEvent, Dealt
from renege.server.tables.live import LiveDeal
from renege.server.tables.registry import TableRegistry
from renege.server.workers.pool import Workers
from support.table_registry import (
    FOUR_PEOPLE,
    GAMES,
    Scene,
    any_act,
    is_asked,
    new,
    play_deal,
    refused,
    until,
)


def test_strong_bots_play(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        thoughts: list[str] = []
        registry._services.thought = lambda level, seconds: thoughts.append(level)
        table, _ = await registry.make(new("texas42", seats=["me", "strong", "simple", "strong"]), "g")
        assert [place.level for place in table.places] == [None, "strong", "simple", "strong"]
        while "strong" not in thoughts and table.phase != "over":
            if is_asked(table, 0):
                await table.act(0, any_act(table, 0, random.Random(1)), table.number)
            await asyncio.sleep(0.01)
        assert "strong" in thoughts

    scene.play(play)


def test_it_is_chance_which_card_of_the_kitty_names_trumps() -> None:
    """Of several that could, none is preferred: else the one that came would tell which others are not there."""
    game = find_game("tractor", {"no_call": "turn-kitty"})
    deck, rest = game.deck, game.deck.of(game.deck.kinds)
    kitty = parse_cards(deck, "C2 D2 H2 S2 S3 S4 S5 S6")
    pile = list(rest + rest - kitty)
    hands = tuple(str(deck.cards(pile[25 * seat : 25 * seat + 25])) for seat in range(4))
    came: Counter[str | None] = Counter()
    for seed in range(400):
        deal = LiveDeal(game, Dealt(1, seed, 0, (2, 2, 0), hands, str(kitty), True))
        assert kitty_call(deal) is None
        for number in range(4):
            deal.follow(ActEvent(number, "pass"), number)
        came[kitty_call(deal)] += 1
        assert kitty_call(deal) == kitty_call(deal)
    assert came.keys() == {"turn C2", "turn D2", "turn H2", "turn S2"} and min(came.values()) > 60, came


def test_the_kitty_is_turned_up_by_nobody(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("tractor", pace=200, rules={"no_call": "turn-kitty"}, **FOUR_PEOPLE), "g0")
        for seat in (1, 2, 3):
            await table.sit(seat, f"g{seat}", f"P{seat}")
        for _ in range(4):
            turn = table.view(0).position.turn
            assert turn is not None
            await table.act(turn, "pass", table.number)
        banker = table.view(0).position.turn
        assert banker is not None
        for card in ("S2", "HA", "DK"):  # would tell what is in the kitty
            no = await refused(table.act(banker, f"turn {card}", table.number))
            assert (no.code, no.rule, no.instead) == ("turn", "", "")
        number = table.number
        await until(lambda: table.number > number)
        assert table.events(0, number, "en")()[0].what.startswith("turn ")
        assert table.view(banker).legal_calls == ("take",)

    scene.play(play)


def test_bots_that_fail_do_what_is_legal(tmp_path: Path) -> None:
    async def play(registry: TableRegistry) -> None:
        await registry._services.workers.close()  # nobody thinks any more
        for game in GAMES:
            table, _ = await registry.make(new(game), "g")
            await play_deal(table, {0: random.Random(1)})
            Arbiter.resume(table.over[0].record)

    Scene(f"sqlite:///{tmp_path / 'tables.db'}", Workers(1)).play(play)


def test_bots_that_cannot_be_asked_are_asked_again(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in a step of a bot, it is tried again."""
    failures = iter(range(2))

    def failing(deal: LiveDeal) -> str | None:
        if next(failures, None) is not None:
            raise RuntimeError("no idea")
        return kitty_call(deal)

    monkeypatch.setattr(botplay, "RETRY", 0.01)
    monkeypatch.setattr(botplay, "kitty_call", failing)

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", seats=["simple", "simple", "simple", "me"]), "g")
        await until(lambda: is_asked(table, 3))

    scene.play(play)


def test_a_person_may_speak_while_bots_think(scene: Scene) -> None:
    """In Tractor all may show at any time; what a bot was about to do is then asked again."""

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("tractor", pace=150, seats=["simple", "simple", "me", "simple"]), "g")
        assert table.view(2).position.turn == 0
        await table.act(2, "pass", table.number)  # not in turn
        at = table.number
        await until(lambda: table.number > at)
        assert table.events(2, at, "en")()[0].seat != 2

    scene.play(play)
