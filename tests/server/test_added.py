"""A game that another package adds, at the table: people, bots, hints, the sheet and the review."""

import asyncio
import random
from pathlib import Path
from types import ModuleType

import pytest

from renege.server.present.house_rules import game_cards
from renege.server.present.replay import pick, replay, review
from renege.server.tables.registry import TableRegistry
from renege.server.workers.pool import Workers
from support.table_registry import Scene, new, play_deal


@pytest.fixture
def at_work(vane: ModuleType):
    """Workers who came in after the game was installed."""
    team = Workers(1)
    yield team
    asyncio.run(team.close())


def test_it_is_offered_with_its_rules(vane: ModuleType):
    card = next(card for card in game_cards("en") if card.game == "vane")
    assert card.title == "Vane"
    assert card.about == "Vane: eight tricks, and the seven turns with the wind."
    assert [rule.question for rule in card.rules] == ["The points that win a game."]


def test_a_person_and_three_bots_play_it(tmp_path: Path, vane: ModuleType, at_work: Workers):
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("vane", seats=["simple", "me", "strong", "simple"]), "g")
        shown = table.state(1, "en")
        assert shown.title == "Vane" and len(shown.hand) == 8 and shown.score.form == "points"
        assert shown.score.target == 12
        rng = random.Random(7)
        for _ in range(2):
            await play_deal(table, {1: rng})
            state = table.state(1, "en")
            assert state.contract is not None and state.contract.text.split(",")[0] in vane.NOUNS
            assert state.result is not None and "of 9 points" in state.result.text
            await table.next(1, table.number)
        record = table.over[-1].record
        told = replay(pick([record], 1), ["A", "B", "C", "D"], "en")
        assert told.game == "vane" and len(told.steps) == 34
        judged = list(review(record, "en", ["A", "B", "C", "D"], 0))
        assert sum(act.value is not None and act.cost is not None for act in judged) >= 16  # the later plays are solved

    Scene(f"sqlite:///{tmp_path / 'tables.db'}", at_work).play(play)
