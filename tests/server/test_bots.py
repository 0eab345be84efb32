"""Bots act in their time, whatever fails; and what is nobody's choice is done by the table."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from renege.agents import Agent, Net, Rulebook, Searcher
from renege.core.arbiter import Arbiter
from renege.core.notation import parse_cards
from renege.core.position import View
from renege.core.record import Record
from renege.core.registry import find_game
from renege.server.levels import Level
from renege.server.messages import Language
from renege.server.tables import bots as botplay
from renege.server.tables.bots import kitty_call
from renege.server.tables.events import ActEvent, Dealt, Made, read_event
from renege.server.tables.live import LiveDeal
from renege.server.tables.registry import TableRegistry
from renege.server.tables.state import Seating, Sitter, TableState
from renege.server.workers.pool import Workers
from renege.server.workers.thinking import THINKING_MS, bot
from support.random_nets import shipped
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
        table, _ = await registry.make(new("texas42", seats=["me", "strong", "simple", "middle"]), "g")
        assert [place.level for place in table.places] == [None, "strong", "simple", "middle"]
        while not {"strong", "middle"} <= set(thoughts) and table.phase != "over":
            if is_asked(table, 0):
                await table.act(0, any_act(table, 0, random.Random(1)), table.number)
            await asyncio.sleep(0.01)
        assert {"strong", "middle"} <= set(thoughts)

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


def test_every_level_plays_as_it_is_called(tmp_path: Path) -> None:
    game = find_game("texas42", {"all_pass": "force-30"})
    assert (bot(game, "simple"), bot(game, "middle")) == (Rulebook(), Searcher(THINKING_MS))
    with shipped(tmp_path, "texas42", all_pass="force-30"):
        assert bot(game, "strong") == Searcher(THINKING_MS, net="")
        assert bot(find_game("texas42", {"all_pass": "force-31"}), "strong") == Searcher(THINKING_MS)
    with shipped(tmp_path / "none"):
        assert bot(game, "strong") == Searcher(THINKING_MS)


def test_tables_of_before_there_was_a_middle_are_read() -> None:
    text = '{"kind":"made","game":"tractor","version":1,"rules":{},"chairs":["open","simple","strong","strong"]'
    made = read_event(text + ',"pace":700,"guest":"g","ordinal":3}')
    assert isinstance(made, Made) and made.chairs == ("open", "simple", "strong", "strong")
    assert TableState(made).seating.bots == {1: "simple", 2: "strong", 3: "strong"}
    middle = read_event(text.replace('"simple"', '"middle"') + ',"pace":700,"guest":"g"}')
    assert isinstance(middle, Made) and TableState(middle).seating.bots[1] == "middle"


def test_the_table_says_how_strong_bots_play_and_why_by_no_network(tmp_path: Path) -> None:
    def said(chairs: tuple[Any, Any, Any, Any], language: Language, **rules: str) -> str:
        made = Made("schafkopf", find_game("schafkopf").version, rules, chairs, 0, "g")
        return TableState(made).shown("table", None, Seating((Sitter("open"),) * 4).places({}), language).bots

    some, none = ("open", "simple", "strong", "middle"), ("open", "simple", "middle", "middle")
    with shipped(tmp_path, "schafkopf", ramsch_losers="most-points"):
        assert said(some, "en") == "strong bots play by a search that stands on the network"
        assert said(some, "de") == "Starke Bots spielen mit einer Suche, die auf dem neuronalen Netz aufbaut"
        assert "ramsch_losers=two-most" in said(some, "zh", ramsch_losers="two-most")
        why = "the network of schafkopf was not trained under ramsch_losers=two-most"
        assert said(some, "en", ramsch_losers="two-most") == f"strong bots play by search, without a network: {why}"
        assert said(none, "en") == said(none, "en", ramsch_losers="two-most") == ""


def acts_of_bots(record: Record, seats: Sequence[int]) -> Iterator[tuple[View, str]]:
    """What bots did that was theirs to choose, with what they saw."""
    for number, (act, position) in enumerate(record.steps()):
        on_kitty = position.talk is not None and position.talking and position.talk.on_kitty
        if act.seat in seats and act.seat == position.turn and not on_kitty:
            view = replace(record, acts=record.acts[:number]).view(act.seat)
            yield view, position.spell(act.what)


@pytest.mark.parametrize("failing", ["lost", "slow"])
@pytest.mark.parametrize("player", [Net(), Rulebook()], ids=["net", "rulebook"])
def test_the_network_or_the_rulebook_stands_in_for_bots_that_fail(
    player: Agent, failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether no worker is left or none is in time; and no more than one or two first legal cards are among it."""
    nets = ("texas42", "schafkopf") if player == Net() else ()
    if failing == "slow":
        monkeypatch.setattr("renege.server.workers.pool.PATIENCE", {"simple": 0.0, "search": 0.0})

    async def play(registry: TableRegistry) -> None:
        if failing == "lost":
            await registry._services.workers.close()  # nobody thinks any more
        for game in ("texas42", "schafkopf"):
            table, _ = await registry.make(new(game, seats=["me", "strong", "simple", "middle"]), "g")
            await play_deal(table, {0: random.Random(1)})
            record = table.over[0].record
            Arbiter.resume(record)
            for view, done in acts_of_bots(record, (1, 2, 3)):
                assert done == view.position.spell(player.choose(view, random.Random()).what)
            chosen = "network" if player == Net() else "rules of thumb"
            told = [event for event in table.events(None, 0, "en")() if event.kind == "act" and event.seat]
            assert all(event.text.endswith(f"; there was no time to search, so the {chosen} chose") for event in told)
            assert table.state(0, "en").hurried.startswith("the server had no time for some bots in this deal")
        await registry._services.workers.close()

    with shipped(tmp_path, *nets):
        Scene(f"sqlite:///{tmp_path / 'tables.db'}", Workers(1)).play(play)


def test_a_bot_that_gets_no_time_says_who_chose_and_that_is_kept(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search has no room at all; the stand-in thinks in a worker, as it would under load."""
    monkeypatch.setattr("renege.server.workers.pool.WAITING", {"search": 0.0, "simple": 20.0})
    names: list[str] = []

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", seats=["me", "strong", "simple", "strong"]), "g")
        await play_deal(table, {0: random.Random(1)})
        names.append(table.id)
        log = [read_event(event.text) for event in await registry._services.store.events(table.id)]
        chosen = {(event.seat, event.chosen) for event in log if isinstance(event, ActEvent)}
        assert {(1, "network"), (3, "network")} <= chosen and {(0, ""), (2, "")} <= chosen
        assert {who for seat, who in chosen if seat in (0, 2)} == {""}

    async def look(registry: TableRegistry) -> None:
        table = await registry.find(names[0])
        assert table.state(None, "de").hurried.startswith("der Server hatte in diesem Spiel")
        assert any("das neuronale Netz gewählt" in event.text for event in table.events(None, 0, "de")())

    scene.play(play)
    scene.play(look)


def test_bots_whose_stand_ins_fail_too_do_what_is_legal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(botplay, "stand_ins", lambda game: ())

    async def play(registry: TableRegistry) -> None:
        await registry._services.workers.close()  # nobody thinks any more
        for game in GAMES:
            table, _ = await registry.make(new(game), "g")
            await play_deal(table, {0: random.Random(1)})
            Arbiter.resume(table.over[0].record)

    Scene(f"sqlite:///{tmp_path / 'tables.db'}", Workers(1)).play(play)


def test_what_is_not_lawful_is_a_failure_too(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that says nonsense is stood in for, as one that says nothing."""
    monkeypatch.setattr(botplay, "think", nonsense)
    monkeypatch.setattr(botplay, "stand_in", nonsense)  # in a worker, where the networks are those of the package

    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", seats=["me", "strong", "simple", "middle"]), "g")
        await play_deal(table, {0: random.Random(1)})
        for view, done in acts_of_bots(table.over[0].record, (1, 2, 3)):
            assert done == view.position.spell(Rulebook().choose(view, random.Random()).what)

    with shipped(tmp_path):
        scene.play(play)


def nonsense(breaking: Sequence[View], moving: View | None, level: Level) -> tuple[int, str] | None:
    return None if moving is None else (moving.seat, "five of a kind")


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
