"""What may be taken back: the last act, as long as it has shown nothing; other people are asked."""

import pytest

from renege.core.registry import find_game
from renege.core.trick import Play
from renege.server.tables.chance import Source
from renege.server.tables.live import LiveDeal, deal_event
from renege.server.tables.registry import TableRegistry
from support.table_registry import SLOW, Scene, at_the_first_lead, may_undo, new, record_of, refused, until


def test_an_act_is_taken_back(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=SLOW), "g")
        assert not may_undo(table, 0)
        before, at = (table.view(0), table.view(0).position), table.number
        await table.act(0, "31", at)
        assert may_undo(table, 0) and table.state(0, "en").may_undo
        assert not may_undo(table, 1)
        assert (await refused(table.undo(0, at))).code == "stale"
        await table.undo(0, at + 1)
        assert table.number == at + 2
        assert (table.view(0), table.view(0).position) == before
        assert [event.kind for event in table.events(0, at, "en")()] == ["act", "undone"]
        assert not may_undo(table, 0)
        await table.act(0, "pass", table.number)
        assert table.view(1).acts[-1].what == "pass"

    scene.play(play)


def test_an_act_that_others_have_answered_stays(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=300), "g")
        await table.act(0, "30", table.number)
        assert may_undo(table, 0)
        number = table.number
        await until(lambda: table.number > number)
        no = await refused(table.undo(0, table.number))
        assert no.code == "undo" and "not yours" in no.text

    scene.play(play)


def test_with_two_people_the_other_is_asked(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=SLOW, seats=["me", "simple", "open", "simple"]), "g")
        await table.sit(2, "h", "Max")
        before = table.view(0)
        await table.act(0, "30", table.number)
        await table.undo(0, table.number)
        assert table.view(0) != before and table.pending is not None
        await table.leave(2, "h")
        await table.reply(0, table.pending.number, yes=False)
        assert table.view(0) != before

    async def alone(registry: TableRegistry) -> None:
        table, _ = await registry.make(new("texas42", pace=SLOW, seats=["me", "simple", "open", "simple"]), "g")
        await table.sit(2, "h", "Max")
        before = table.view(0)
        await table.act(0, "30", table.number)
        await table.leave(2, "h")
        await table.undo(0, table.number)
        assert table.view(0) == before

    scene.play(play)
    scene.play(alone)


def test_what_was_hidden_is_not_unseen(scene: Scene) -> None:
    """The kitty taken up and any throw stay; what was buried and a plain lead may be taken back."""

    async def play(registry: TableRegistry) -> None:
        table = await at_the_first_lead(registry)
        assert may_undo(table, 0)  # the burying
        position, deck = table.view(0).position, table.game.deck
        single = deck.names[next(iter(table.view(0).hand))]
        await table.act(0, single, table.number)
        assert may_undo(table, 0)
        await table.undo(0, table.number)
        assert table.view(0).position == position
        await table.undo(0, table.number)
        assert table.view(0).acts[-1].what == "take" and not may_undo(table, 0)
        assert "hidden" in (await refused(table.undo(0, table.number))).text
        told = [event.what for event in table.events(None, None, "en")()]
        assert "bury 8 cards" in told  # nobody else hears what was buried, even if it was taken back
        assert not any(what.startswith("bury") and what != "bury 8 cards" for what in told)
        mine = [event.what for event in table.events(0, None, "en")()]
        assert any(what.startswith("bury ") and "cards" not in what for what in mine)

    scene.play(play)


@pytest.mark.parametrize("stands", [True, False])
def test_a_throw_is_not_taken_back(scene: Scene, stands: bool) -> None:
    async def play(registry: TableRegistry) -> None:
        for seed in range(100):
            table = await at_the_first_lead(registry, seed)
            view, record = table.view(0), record_of(table)
            assert view.position.order is not None
            throws = (play for play in view.legal_plays if view.position.judge(play).legal is None)
            throw = next((play for play in throws if (record.position.read(play, 0).what == play) is stands), None)
            if throw is not None:
                break
        else:
            raise LookupError("no such throw")
        await table.act(0, view.game.write_play(throw, view.position.order), table.number)
        last = table.view(0).acts[-1].what
        assert isinstance(last, Play) and (last.tried is None) is stands
        assert not may_undo(table, 0)
        assert "hidden" in (await refused(table.undo(0, table.number))).text

    scene.play(play)


def test_an_act_before_a_refusal_that_told_something_stays(scene: Scene) -> None:
    """Other hands have objected to a throw since: what was buried cannot be chosen anew with that in mind."""

    async def play(registry: TableRegistry) -> None:
        for seed in range(100):
            table = await at_the_first_lead(registry, seed, stopped_throw="refused")
            view, record = table.view(0), record_of(table)
            assert may_undo(table, 0) and view.position.order is not None
            throws = (play for play in view.legal_plays if view.position.judge(play).legal is None)
            throw = next((play for play in throws if not record.position.judge(play, 0)), None)
            if throw is not None:
                break
        else:
            raise LookupError("no such throw")
        await refused(table.act(0, view.game.write_play(throw, view.position.order), table.number))
        assert not may_undo(table, 0)
        assert "hidden" in (await refused(table.undo(0, table.number))).text

    scene.play(play)


def test_a_card_that_came_to_another_person_stays_there() -> None:
    """In a Hochzeit a card is given face down: a bot may forget that it has seen it, a person cannot."""
    game, found = find_game("schafkopf"), 0
    for seed in range(2000):
        deal = LiveDeal(game, deal_event(game, 1, Source(seed), game.opening, opens=True))
        while deal.position.talking and not deal.position.legal_calls[0].startswith("give "):
            calls = deal.position.legal_calls
            wanted = next((call for call in calls if call in ("hochzeit", "accept")), calls[0])
            assert deal.position.turn is not None
            deal.follow(deal.attempt(deal.position.turn, wanted)[0], len(deal.record.acts) + 2)
        if not deal.position.talking:
            continue
        giver = deal.position.turn
        assert giver is not None
        moves = deal.position.floor(giver).moves(deal.position.legal_calls[0])
        taker = next(move.taker for move in moves)
        deal.follow(deal.attempt(giver, deal.position.legal_calls[0])[0], len(deal.record.acts) + 2)
        assert deal.undo_to(giver, (giver,)) is not None
        assert deal.undo_to(giver, (giver, taker)) is None
        found += 1
        if found == 3:
            return
    raise LookupError("no Hochzeit")
