"""Tables of four to eight seats: made, joined, watched and played to the end by people and bots."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from renege.core.game import MOST, Standing
from renege.core.notation import NotationError
from renege.server.http.settings import Settings
from renege.server.names import look_of
from renege.server.present.house_rules import game_cards
from renege.server.present.replay import belief_of, pick, replay, review
from renege.server.tables.chance import Source
from renege.server.tables.live import LiveDeal, deal_event
from renege.server.tables.registry import TableRegistry
from renege.server.tables.state import BOT_NAMES
from renege.server.workers.pool import Workers
from support.served import serve
from support.table_registry import Scene, new, play_deal

SIZES = (4, 5, 6, 7, 8)


@pytest.fixture
def scene(tmp_path: Path, ring: ModuleType) -> Iterator[Scene]:
    """Workers who came in after the game was installed."""
    team = Workers(1)
    yield Scene(f"sqlite:///{tmp_path / 'tables.db'}", team)
    asyncio.run(team.close())


@pytest.mark.parametrize("players", SIZES)
def test_people_and_bots_play_to_the_end(scene: Scene, players: int) -> None:
    async def play(registry: TableRegistry) -> None:
        seats = ["open", "me", *["simple"] * (players - 3), "open"]
        table, me = await registry.make(new("ring", seats=seats, rules={"seats": str(players)}), "g1")
        assert (me, table.phase, len(table.places)) == (1, "waiting", players)
        await table.sit(players - 1, "last", "Last")
        await table.sit(0, "first", "First")
        assert table.phase == "talk" and table.owner(players - 1) == "last"
        people = {seat: random.Random(seat) for seat in (0, 1, players - 1)}
        await play_deal(table, people)
        for seat in (*people, None):
            state = table.state(seat, "de")
            assert len(state.seats) == players and [one.place.seat for one in state.seats] == list(range(players))
            assert state.result is not None and len(state.result.gained) == len(state.result.hands) == players
            assert len(state.score.score) == (2 if players % 2 == 0 else players)
        assert state.last_trick is not None and len(state.last_trick.plays) == players
        await table.next(0, table.number)
        assert table.deal is not None and table.deal.position.standing.dealer == 0
        found = await registry.find(table.id)
        assert found is table
        record = table.over[0].record
        names = [f"P{seat}" for seat in range(players)]
        told = replay(pick([record], 1), [*names, "one too many"], "en")
        assert told.names == names and len(told.steps[0].hands) == players
        assert len(list(review(record, "en", names, 0))) == len(record.acts)

    scene.play(play)


@pytest.mark.parametrize("taker", range(6))
def test_who_watches_hears_what_all_hear(ring: ModuleType, taker: int) -> None:
    game = ring.game(ring.Rules(seats=6))
    deal = LiveDeal(game, deal_event(game, 1, Source(3), Standing((taker - 1) % 6, (0, 0)), opens=True))
    (take,) = deal.attempt(taker, "take")
    deal.follow(take, 1)
    card = str(deal.position.hands[taker]).split()[0]
    (bury,) = deal.attempt(taker, f"bury {card}")
    heard = deal.follow(bury, 2)
    assert heard is not None
    told = [heard.by(seat).what for seat in (*range(6), None)]
    assert told == [f"bury {card}" if seat == taker else ring.UNSEEN for seat in (*range(6), None)]


def test_a_table_is_found_again(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("ring", preset="eight"), "g")
        assert [place.kind for place in table.places] == ["person", *["bot"] * 7]  # who says nothing plays with bots
        await play_deal(table, {0: random.Random(1)})
        registry._tables.clear()
        again = await registry.find(table.id)
        assert again is not table and again.names == table.names and again.over[0].record == table.over[0].record
        assert [one.id for one in await registry.tables_of("g")] == [table.id]

    scene.play(play)


def test_there_is_a_chair_for_each_seat(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        for seats, rules in ((["me", "open", "open", "open"], {}), (["me", *["open"] * 4], {"seats": "6"})):
            with pytest.raises(NotationError, match=r"this table has (5|6) seats, and here are (4|5)"):
                await registry.make(new("ring", seats=seats, rules=rules), "g")

    scene.play(play)


def test_a_game_says_how_many_play(ring: ModuleType) -> None:
    cards = {card.game: card for card in game_cards("en")}
    assert cards["ring"].players == 5 and cards["texas42"].players == 4
    assert cards["ring"].presets["eight"]["seats"] == "8"


def test_every_bot_has_a_name_of_its_own() -> None:
    names = [name for seat in BOT_NAMES for name in seat]
    assert len(BOT_NAMES) == MOST and all(len(seat) == MOST for seat in BOT_NAMES)
    assert len({look_of(name) for name in names}) == len(names)


def test_what_a_seat_could_believe_is_asked_of_a_seat(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("ring"), "g")
        await play_deal(table, {0: random.Random(2)})
        text = str(table.over[0].record)
        names = ["A", "B", "C", "D", "E"]
        seat = next(act.seat for act in table.over[0].record.acts)
        found = belief_of(text, 1, (seat + 1) % 5, 9, "en", names)
        assert found.piles == [*(str(pile) for pile in range(5) if pile != (seat + 1) % 5), "kitty"]
        with pytest.raises(ValueError, match="seat 5 is none of 0 to 4"):
            belief_of(text, 1, 5, 9, "en", names)

    scene.play(play)


def test_over_the_network(tmp_path: Path, ring: ModuleType) -> None:
    """A seat that the table has not is refused, and the sentence names the highest."""
    with serve(Settings(data=tmp_path, seed=7)) as served:
        rules: dict[str, Any] = {"rules": {"seats": "6"}, "seats": ["me", "open", *["simple"] * 4]}
        anna, ben = served.person("ring", **rules), served.client()
        at = f"/api/tables/{anna.table}"
        for wrong in (6, 7, 99):
            for answer in (ben.post(f"{at}/seats/{wrong}", json={}), anna.get("/state", seat=wrong)):
                assert (answer.status_code, answer.json()["detail"]) == (422, "seat is a number from 0 to 5.")
        german = ben.post(f"{at}/seats/6?lang=de", json={}).json()["detail"]
        assert german == "seat ist eine Zahl von 0 bis 5."
        assert ben.post(f"{at}/seats/1", json={"name": "Ben"}).status_code == 200
        card = ben.get(at).json()
        assert [place["kind"] for place in card["places"]] == ["person", "person", *["bot"] * 4]
        assert card["mine"] == [1]
        watched = ben.get(f"{at}/state").json()
        assert len(watched["seats"]) == 6 and watched["me"] is None
        numbers = [place["seat"] for place in card["places"]]
        assert all(after == before + 1 for before, after in pairwise(numbers))
        alone = served.person("ring", preset="eight")
        end = [message for message in alone.play_out() if message["type"] == "moved"][-1]["state"]
        assert end["phase"] in ("over", "won") and len(end["result"]["hands"]) == 8
