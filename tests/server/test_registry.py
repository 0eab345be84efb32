"""Does a table play on to the end of deals and games, and does everybody hear of it?"""

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from renege.core.arbiter import Arbiter
from renege.core.notation import NotationError
from renege.core.registry import find_game, parse_game_record
from renege.core.trick import Play
from renege.core.view import seen_by_all
from renege.server.tables.chance import Source
from renege.server.tables.events import Dealt, Made, Sat, read_event, write_event
from renege.server.tables.live import deal_event
from renege.server.tables.registry import Declined, TableRegistry
from renege.server.tables.state import TableState, games_of
from support.table_registry import (
    GAMES,
    SLOW,
    Scene,
    any_act,
    four_people,
    new,
    play_deal,
    record_of,
    refused,
    seen,
    until,
)


@pytest.mark.parametrize("game", GAMES)
def test_a_person_and_three_bots_play_deals(scene: Scene, game: str) -> None:
    async def play(registry: TableRegistry) -> None:
        table, seat = await registry.make(new(game, seats=["simple", "me", "simple", "simple"]), "g")
        assert seat == 1 and table.deal_number == 1
        rng = random.Random(7)

        def views_are_true() -> None:
            """The views that follow act by act are those that the record gives."""
            record = record_of(table)
            if rng.random() < 0.2:
                for other in range(4):
                    assert table.view(other) == record.view(other)
                    assert table.view(other).position == record.view(other).position
                assert table.public() == seen_by_all(record)
                assert table.public().position == seen_by_all(record).position

        for deal in range(1, 4):
            assert table.deal_number == deal
            await play_deal(table, {1: rng}, views_are_true)
            assert table.phase in ("over", "won")
            record = table.over[-1].record
            Arbiter.resume(record)  # insists on the rules
            assert record.position.over and record == record_of(table)
            await table.next(1, table.number)
        assert len(table.over) == 3

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_four_people_play_a_deal(scene: Scene, game: str) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, game)
        await play_deal(table, {seat: random.Random(seat) for seat in range(4)})
        Arbiter.resume(table.over[0].record)

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_a_play_is_told_with_its_trick(scene: Scene, game: str) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, game)
        await play_deal(table, {seat: random.Random(seat) for seat in range(4)})
        acts = zip(record_of(table).positions(), record_of(table).acts, strict=False)
        tricks = [before.tricks_played + 1 for before, act in acts if isinstance(act.what, Play)]
        told = [event.trick for event in table.events(None, 0, "en")()]
        assert [trick for trick in told if trick is not None] == tricks
        assert told.count(None) == len(told) - len(tricks) >= 6

    scene.play(play)


def test_a_claim_is_played_out(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, rng = await four_people(registry, "texas42"), random.Random(1)
        outcomes: set[str] = set()
        while outcomes != {"held", "spoiled"}:
            turn = table.view(0).position.turn
            if turn is None:
                await table.next(0, table.number)
                continue
            if table.state(turn, "en").may_claim:
                at = table.number
                with suppress(Declined):
                    await table.claim(turn, at)
                    outcomes.add("held")
                if table.phase in ("over", "won"):
                    Arbiter.resume(table.over[-1].record)
                    continue
                outcomes.add("spoiled")
                assert table.number == at + 1 and not table.state(turn, "en").may_claim
                no = await refused(table.claim(turn, table.number))
                assert no.code == "turn" and no.text == "this seat cannot claim again in this deal"
            await table.act(turn, any_act(table, turn, rng), table.number)

    scene.play(play)


def test_the_score_goes_on_and_a_game_that_is_won_is_followed_by_another(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42", rules={"target": "2"})
        people = {seat: random.Random(seat) for seat in range(4)}
        while len(games_of(table.game, table.over)) < 3:
            await play_deal(table, people)
            last = table.over[-1].record
            standing = table.game.advance(last.position, last.position.result)
            won = table.game.winner(table.game.rules, standing)
            assert table.phase == ("over" if won is None else "won")
            state = table.state(0, "en")
            assert state.result is not None and state.result.winner == won
            deals = [len(game.deals) for game in games_of(table.game, table.over)]
            assert len(state.score.lines) == deals[-1]
            deal = table.deal_number
            assert (await refused(table.next(0, table.number - 1))).code == "stale"
            await table.next(0, table.number)
            assert table.deal_number == deal + 1
            assert record_of(table).start.standing == (standing if won is None else table.game.opening)
            assert len(table.state(0, "en").score.lines) == (0 if won is not None else deals[-1])
        for game in games_of(table.game, table.over):
            assert parse_game_record(str(game)) == game

    scene.play(play)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"seats": ["me", "me", "simple", "simple"]}, "one seat is yours"),
        ({"seats": ["simple"] * 4}, "one seat is yours"),
        ({"preset": "nowhere"}, "no preset"),
        ({"rules": {"nothing": "x"}}, "no house rule"),
        ({"rules": {"all_pass": "x"}}, "all_pass is one of"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(scene: Scene, wrong: dict[str, Any], why: str) -> None:
    async def play(registry: TableRegistry) -> None:
        with pytest.raises(NotationError, match=why):
            await registry.make(new("texas42", **wrong), "g")
        assert len(registry) == 0 and await registry.tables_of("g") == []

    scene.play(play)


def test_a_preset_and_what_differs_from_it(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", preset="family", rules={"target": "3"}, pace=SLOW), "g")
        registry.forget(0)
        for found in (table, await registry.find(table.id)):
            assert found.game.rules.all_pass.value == "force-30" and found.game.rules.target == 3

    scene.play(play)


def test_watchers_hear_of_everything(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        assert not any(place.online for place in table.places)
        async with table.subscribe(1) as one, table.subscribe(None) as spectator:
            assert [place.online for place in table.places] == [False, True, False, False]
            state = table.state(1, "en")
            async with table.subscribe(2):
                assert await asyncio.wait_for(one.next(), 1) == table.number  # somebody else is there
                assert table.state(1, "en").seats[2].place.online
            await one.next()
            assert not table.state(1, "en").seats[2].place.online and state.number == table.number
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(one.next(), 0.05)
            turn = table.view(0).position.turn
            assert turn is not None
            await table.act(turn, "pass", table.number)
            assert await asyncio.wait_for(one.next(), 1) == table.number
            assert await asyncio.wait_for(spectator.next(), 1) == table.number
        assert not any(place.online for place in table.places)

    scene.play(play)


def test_events_are_told_from_a_number_on(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42"), "g")
        await play_deal(table, {0: random.Random(1)})
        everything = table.events(0, 0, "en")()
        assert [event.number for event in everything] == list(range(1, table.number + 1))
        assert [event.kind for event in everything[:4]] == ["made", "sat", "dealt", "act"]
        assert all(event.text for event in everything)
        assert everything[1].text == "Zoë sits down"
        for after in (1, 5, table.number, table.number + 9):
            assert table.events(0, after, "en")() == everything[after:]
        assert table.events(0, None, "en")()[0].kind == "dealt"
        await table.next(0, table.number)
        assert [event.deal for event in table.events(0, None, "en")()][:1] == [2]

    scene.play(play)


def test_what_is_said_face_down_is_heard_by_those_alone(scene: Scene) -> None:
    """Of a Hochzeit the two who change cards hear which; a spectator never does."""

    async def play(registry: TableRegistry) -> None:
        made = Made("schafkopf", find_game("schafkopf").version, {}, ("open", "open", "open", "open"), 0, "g0")
        state = TableState(made)
        people = [Sat(seat, f"g{seat}", f"P{seat}") for seat in range(4)]
        seed = next(seed for seed in range(10_000) if _may_marry(state, seed))
        dealt = deal_event(state.game, 1, Source(seed), state.game.opening, opens=True)
        await registry._services.store.append("wed", 1, [write_event(event) for event in (made, *people, dealt)])
        table = await registry.find("wed")
        await table.act(0, "hochzeit", table.number)
        for seat in (1, 2, 3):
            await table.act(seat, "pass", table.number)
        await table.act(0, "hochzeit", table.number)
        await table.act(1, "accept", table.number)
        await table.act(0, table.view(0).legal_calls[0], table.number)
        gift = table.events(0, None, "en")()[-1].what
        assert re.fullmatch("give [EGHS][AZKOU987]", gift)
        heard = [table.events(seat, None, "en")()[-1].what for seat in (1, 2, 3, None)]
        assert heard == [gift, "give a card", "give a card", "give a card"]
        assert gift not in json.dumps([seen_by.model_dump() for seen_by in table.events(2, 0, "de")()])

    def _may_marry(state: TableState, seed: int) -> bool:
        hands, _ = state.game.deal(seed)
        start = deal_event(state.game, 1, Source(seed), state.game.opening, opens=True)
        trial = TableState(state.made)
        trial.go_on(start)
        assert trial.deal is not None
        plain = any(card for card in map(str, hands[1]))
        return plain and trial.deal.position.turn == 0 and "hochzeit" in trial.deal.position.legal_calls

    scene.play(play)


def test_deals_come_from_a_seed_that_nobody_sees(scene: Scene) -> None:
    hands: dict[int | None, list[Any]] = {}

    def deals_of(seed: int | None) -> Callable[[TableRegistry], Awaitable[None]]:
        async def play(registry: TableRegistry) -> None:
            tables = [await four_people(registry, "texas42") for _ in range(2)]
            tables += [(await registry.make(new("texas42", pace=SLOW), "g"))[0] for _ in range(2)]
            hands.setdefault(seed, []).append([table.view(0).hand for table in tables])
            kept = await registry._services.store.events(tables[0].id)
            dealt = read_event(kept[-1].text)
            assert isinstance(dealt, Dealt)
            shown = json.dumps(seen(tables[0])[5:], default=str)
            assert seed is None or str(dealt.seed) not in shown
            assert not (dealt.secret and dealt.secret in shown) and not (dealt.promised and dealt.promised in shown)
            for seat in range(4):
                assert dealt.hands[(seat + 1) % 4] not in shown

        return play

    for seed in (1, 1, 2, None, None):
        scene.play(deals_of(seed), seed=seed)
    assert hands[1][0] == hands[1][1] != hands[2][0]
    assert len({str(hand) for hand in hands[1][0]}) == 4  # each table its own
    assert hands[None][0] != hands[None][1]


def test_who_goes_away_in_the_middle_of_an_act_has_acted(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        turn = table.view(0).position.turn
        assert turn is not None
        number = table.number
        task = asyncio.create_task(table.act(turn, "pass", number))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: table.number == number + 1)
        assert len(await registry._services.store.events(table.id)) == number + 1

    scene.play(play)
