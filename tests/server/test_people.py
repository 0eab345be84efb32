"""A table stays alive: the clock, bots for who is away, the host, substitutes, and what people ask of each other."""

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from renege.server.people import Clock
from renege.server.tables import clock, table
from renege.server.tables.registry import Table, TableRegistry
from support.table_registry import (
    SLOW,
    Scene,
    any_act,
    at_the_first_lead,
    four_people,
    is_asked,
    may_undo,
    new,
    play_deal,
    refused,
    until,
)

TEXAS = "texas42"


def kinds(at: Table, after: int) -> list[str]:
    return [event.kind for event in at.events(None, after, "en")()]


async def here(stack: AsyncExitStack, at: Table, *seats: int) -> None:
    """Let people be connected to their seats until the end of the block."""
    for seat in seats:
        await stack.enter_async_context(at.subscribe(seat))


async def act_until(at: Table, seat: int) -> None:
    """Everybody does something lawful until a seat is asked, or the deal is over."""
    while at.playing and at.waits_for != seat:
        turn = at.waits_for
        assert turn is not None
        await at.act(turn, "pass" if at.phase == "talk" and at.deal_number else any_act(at, turn, RNG), at.number)


RNG = random.Random(5)


# -- the choice


def test_a_table_of_several_people_has_a_generous_clock_and_one_with_bots_has_none(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        alone, _ = await registry.make(new(TEXAS, pace=SLOW), "g")
        assert (alone.made.clock, alone.made.seconds) == ("none", 0)
        friends, _ = await registry.make(new(TEXAS, seats=["me", "open", "simple", "simple"]), "g")
        assert (friends.made.clock, friends.made.seconds) == ("act", 120)
        own, _ = await registry.make(new(TEXAS, clock=Clock(kind="deal", seconds=300)), "g")
        assert (own.made.clock, own.made.seconds) == ("deal", 300)

    scene.play(play)


# -- who is there


def test_who_is_there_and_who_has_been_away_since_when_is_shown(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        async with at.subscribe(0), at.subscribe(2):
            assert [place.online for place in at.places] == [True, False, True, False]
            async with at.subscribe(1):
                assert at.places[1].online and at.places[1].away_since is None
            gone = at.places[1].away_since
            assert gone is not None and at.places[3].away_since is not None and gone >= at.places[3].away_since
            assert at.state(0, "en").seats[1].place.away_since == gone

    scene.play(play)


# -- the others agree


def test_a_bot_plays_when_all_others_who_are_here_ask_for_it(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        async with AsyncExitStack() as stack:
            await here(stack, at, 0, 2, 3)
            await at.want_bot(0, 1)
            await at.want_bot(0, 1)  # asking twice counts once
            assert at.places[1].wanted_by == [0] and at.places[1].stand_in is None
            number = at.number
            await at.want_bot(2, 1)
            assert at.number == number + 1
            await at.want_bot(3, 1)
            assert at.places[1].stand_in == "middle" and at.places[1].kind == "person" and at.owner(1) == "g1"
            assert kinds(at, 0)[-4:] == ["bot_wanted"] * 3 + ["played_for"]
            await play_deal(at, {seat: random.Random(seat) for seat in (0, 2, 3)})
            assert at.phase == "over"
        assert at.owner(1) == "g1"

    scene.play(play)


def test_who_goes_away_need_not_be_asked(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "AWAY_AFTER", 0.3)

    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        async with at.subscribe(0):
            async with at.subscribe(2):
                await at.want_bot(0, 1)
                assert at.places[1].stand_in is None
            assert at.places[1].stand_in is None  # it may be a page that is loaded again
            await until(lambda: at.places[1].stand_in is not None)

    scene.play(play)


def test_who_comes_back_plays_on(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, pace=SLOW)
        async with at.subscribe(0):
            await at.want_bot(0, 1)
            assert at.places[1].stand_in is not None
            registry.forget(0)  # it is not forgotten while somebody is here
            assert await registry.find(at.id) is at
            async with at.subscribe(1):
                assert at.places[1].stand_in is None and kinds(at, 0)[-1] == "returned"
            await at.want_bot(0, 1)
        registry.forget(0)
        at = await registry.find(at.id)  # it follows from the events
        assert at.places[1].stand_in is not None

    async def acts(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, pace=SLOW)
        async with at.subscribe(0), at.subscribe(2), at.subscribe(3):
            await act_until(at, 1)
            for by in (0, 2, 3):
                await at.want_bot(by, 1)
            number = at.number
            await at.act(1, "pass", number)  # by a program that has no connection
            assert kinds(at, number) == ["returned", "act"]

    scene.play(play)
    scene.play(acts)


def test_nobody_is_played_for_who_is_here_and_quick(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        async with AsyncExitStack() as stack:
            await here(stack, at, 0, 1, 2, 3)
            turn = at.waits_for
            assert turn is not None
            other, idle = [seat for seat in range(4) if seat != turn][:2]
            assert "wait" in (await refused(at.want_bot(other, turn))).text
            monkeypatch.setattr(clock, "PATIENCE", 0.0)
            assert "wait" in (await refused(at.want_bot(other, idle))).text  # the table does not wait for that one
            for by in range(4):
                if by != turn:
                    await at.want_bot(by, turn)
            assert at.places[turn].stand_in is not None
            await at.come_back(turn)
            assert at.places[turn].stand_in is None
            assert (await refused(at.want_bot(turn, turn))).code == "seat"
            assert (await refused(at.want_bot(turn, 7))).code == "seat"

    scene.play(play)


# -- the clock


def test_when_the_time_of_an_act_is_up_a_bot_plays_on(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, clock=Clock(kind="act", seconds=2), pace=0)
        async with AsyncExitStack() as stack:
            await here(stack, at, 0, 2, 3)
            await act_until(at, 1)
            shown = at.state(0, "en").people.clock
            assert shown is not None and (shown.kind, shown.seat) == ("act", 1) and shown.until is not None
            await until(lambda: at.places[1].stand_in is not None)
            assert "played_for" in kinds(at, 0)
            await play_deal(at, {seat: random.Random(seat) for seat in (0, 2, 3)})
            assert at.phase == "over" and at.owner(1) == "g1"

    scene.play(play)


def test_the_clock_stands_still_where_nobody_is(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, clock=Clock(kind="act", seconds=2))
        turn = at.waits_for
        assert turn is not None
        async with at.subscribe(turn):
            await asyncio.sleep(1)
        shown = at.state(None, "en").people.clock
        assert shown is not None and shown.until is None and shown.left is not None and shown.left <= 1.1
        await asyncio.sleep(1.5)
        assert at.places[turn].stand_in is None
        async with at.subscribe((turn + 1) % 4):
            await until(lambda: at.places[turn].stand_in is not None)

    scene.play(play)


def test_the_time_of_a_deal_is_used_up_act_by_act_also_over_a_restart(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "GRACE", 0.5)

    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, clock=Clock(kind="deal", seconds=2))
        turn = at.waits_for
        assert turn is not None
        async with at.subscribe(turn):
            await asyncio.sleep(1.2)
            await at.act(turn, "30", at.number)
            assert 1.1 < at.used[turn] < 2
        used = at.used
        registry.forget(0)
        again = await registry.find(at.id)
        assert again is not at and again.used == used
        async with AsyncExitStack() as stack:
            await here(stack, again, 0, 1, 2, 3)
            for _ in range(3):
                other = again.waits_for
                assert other is not None and other != turn
                await again.act(other, "pass", again.number)
            assert again.waits_for == turn
            shown = again.state(None, "en").people.clock
            assert shown is not None and shown.until is not None and shown.since is not None
            assert shown.until - shown.since < 1
            await until(lambda: again.places[turn].stand_in is not None)
            assert again.used[turn] >= 2
            await again.come_back(turn)
            shown = again.state(None, "en").people.clock
            if again.waits_for == turn:  # a little is left for each act
                assert shown is not None and shown.until is not None

    scene.play(play)


# -- the host


def test_the_host_frees_a_seat_and_somebody_sits_down_between_deals(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        assert at.host == 0
        assert (await refused(at.free(1, 2))).code == "seat"
        for seat in (0, 7):
            assert (await refused(at.free(0, seat))).code == "seat"
        await at.free(0, 2)
        assert at.places[2].kind == "bot" and at.places[2].level == "middle"
        assert (await refused(at.sit(2, "new", "Neu"))).code == "seat"
        await at.sit(2, "g2", "P2")  # it was hers in this deal
        await at.free(0, 2)
        await play_deal(at, {seat: random.Random(seat) for seat in (0, 1, 3)})
        await at.sit(2, "new", "Neu")
        assert at.owner(2) == "new"

    scene.play(play)


def test_while_the_host_is_away_another_is_host(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        async with at.subscribe(2):
            await at.want_bot(2, 0)
            assert at.host == 1
            await at.want_bot(2, 1)
            assert at.host == 2
        async with at.subscribe(0):
            assert at.host == 0

    scene.play(play)


# -- substitutes


async def with_a_gap(registry: TableRegistry, **more: Any) -> Table:
    """Four people, of whom the third has left in the middle of a deal."""
    at = await four_people(registry, TEXAS, pace=SLOW, substitutes="middle", **more)
    await at.leave(2, "g2")
    return at


def test_a_substitute_sits_down_in_mid_deal_when_all_agree(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await with_a_gap(registry)
        assert at.state(None, "en").people.vacant == [2]
        assert (await refused(at.sit(2, "new", "Neu"))).code == "seat"
        await at.ask_for_seat(2, "new", "Neu")
        request = at.state(0, "en").people.request
        assert request is not None and (request.what, request.name, request.left) == ("seat", "Neu", "P2")
        assert request.missing == [0, 1, 3]
        await at.reply(0, request.number, yes=True)
        await at.reply(3, request.number, yes=True)
        assert at.owner(2) is None
        registry.forget(0)
        await at.reply(1, request.number, yes=True)
        assert at.owner(2) == "new" and at.state(2, "en").hand
        await at.leave(2, "new")
        await at.sit(2, "g2", "P2")  # it was hers in this deal, too

    scene.play(play)


def test_who_has_seen_a_hand_of_the_deal_sees_no_other(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await with_a_gap(registry)
        await at.leave(3, "g3")
        assert "seen" in (await refused(at.ask_for_seat(2, "g3", "P3"))).text
        assert "already" in (await refused(at.ask_for_seat(2, "g1", "P1"))).text
        assert "taken" in (await refused(at.ask_for_seat(0, "new", "Neu"))).text
        assert "without" in (await refused(at.ask_for_seat(2, "g2", "P2"))).text
        await at.leave(1, "g1")  # one person alone cannot let another in: it may be the same one
        assert "two others" in (await refused(at.ask_for_seat(2, "new", "Neu"))).text

    async def bots(registry: TableRegistry) -> None:
        """Against bots: the seats of bots were never a person's, and a table that all have left stays theirs."""
        at, _ = await registry.make(new(TEXAS, pace=SLOW, substitutes="middle"), "ann")
        await at.leave(0, "ann")
        for seat in range(4):
            assert (await refused(at.sit(seat, "fresh", "Neu"))).code == "seat"
            assert (await refused(at.ask_for_seat(seat, "fresh", "Neu"))).code == "seat"
        assert (await refused(at.sit(2, "ann", "Ann"))).code == "seat"
        await at.sit(0, "ann", "Ann")

    async def closed(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, pace=SLOW)
        await at.leave(2, "g2")
        assert at.state(None, "en").people.vacant == []
        assert "between deals" in (await refused(at.ask_for_seat(2, "new", "Neu"))).text

    for play_one in (play, bots, closed):
        scene.play(play_one)


def test_a_substitute_is_declined_once_for_the_deal_or_after_a_while(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await with_a_gap(registry)
        await at.ask_for_seat(2, "new", "Neu")
        assert "asked" in (await refused(at.ask_for_seat(2, "other", "Max"))).text
        asked = at.pending
        assert asked is not None
        await at.reply(1, asked.number, yes=False)
        assert at.pending is None and kinds(at, 0)[-1] == "declined"
        assert "declined" in (await refused(at.ask_for_seat(2, "other", "Max"))).text
        assert (await refused(at.reply(0, asked.number, yes=True))).code == "stale"

    async def lapses(registry: TableRegistry) -> None:
        monkeypatch.setattr(table, "ANSWER_WITHIN", 0.3)
        at = await with_a_gap(registry)
        await at.ask_for_seat(2, "new", "Neu")
        assert not at.idle
        await until(lambda: at.pending is None)
        assert "in time" in at.events(None, 0, "en")()[-1].text

    scene.play(play)
    scene.play(lapses)


# -- what is taken back


def test_an_act_is_taken_back_when_the_others_agree(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS, pace=0)
        turn = at.waits_for
        assert turn is not None
        others = [seat for seat in range(4) if seat != turn]
        before = at.view(turn)
        await at.act(turn, "30", at.number)
        assert may_undo(at, turn) and not may_undo(at, others[0])
        await at.undo(turn, at.number)
        asked = at.pending
        assert asked is not None and at.view(turn) != before
        assert (await refused(at.undo(turn, at.number))).code == "turn"
        assert (await refused(at.reply(turn, asked.number, yes=True))).code == "seat"
        for seat in others:
            assert at.view(turn) != before
            await at.reply(seat, asked.number, yes=True)
        assert at.view(turn) == before and at.pending is None and kinds(at, 0)[-1] == "undone"

    scene.play(play)


def test_bots_wait_for_the_answer_and_an_act_is_one(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at, _ = await registry.make(new(TEXAS, pace=100, seats=["me", "simple", "open", "simple"]), "g")
        await at.sit(2, "h", "Max")
        turn = 0
        await until(lambda: is_asked(at, 0) or is_asked(at, 2))
        turn = 0 if is_asked(at, 0) else 2
        await at.act(turn, any_act(at, turn, RNG), at.number)
        await at.undo(turn, at.number)
        number = at.number
        await asyncio.sleep(0.4)
        assert at.number == number  # the bot that is to act has not
        assert at.pending is not None
        await at.reply(2 - turn, at.pending.number, yes=False)
        await until(lambda: at.number > number + 1)

    async def acts(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        turn = at.waits_for
        assert turn is not None
        await at.act(turn, "30", at.number)
        await at.undo(turn, at.number)
        following = at.waits_for
        assert following is not None
        await at.act(following, "pass", at.number)
        assert at.pending is None and not may_undo(at, turn)

    scene.play(play)
    scene.play(acts)


def test_what_was_declined_is_not_asked_again_and_who_asks_may_let_it_stand(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        turn = at.waits_for
        assert turn is not None
        await at.act(turn, "30", at.number)
        await at.undo(turn, at.number)
        assert at.pending is not None
        await at.reply(turn, at.pending.number, yes=False)
        assert at.pending is None
        assert "declined" in (await refused(at.undo(turn, at.number))).text

    scene.play(play)


def test_nothing_is_taken_back_that_showed_something_not_even_by_consent(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        for seed in range(100):
            at = await at_the_first_lead(registry, seed)
            view = at.view(0)
            throw = next((play for play in view.legal_plays if view.position.judge(play).legal is None), None)
            if throw is not None:
                break
        else:
            raise LookupError("no such throw")
        people_here = at.seating.people
        assert people_here == (0,) and view.position.order is not None
        await at.act(0, view.game.write_play(throw, view.position.order), at.number)
        assert "hidden" in (await refused(at.undo(0, at.number))).text

    scene.play(play)


def test_a_claim_that_was_refused_meanwhile_ends_the_consent(scene: Scene) -> None:
    """The next seat learns by a claim how the others lie; then the act before it stays."""

    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        while at.phase == "talk":
            turn = at.waits_for
            assert turn is not None
            calls = at.view(turn).legal_calls
            await at.act(turn, next((call for call in calls if call in ("30", "trump 5")), calls[0]), at.number)
        leader = at.waits_for
        assert leader is not None
        await at.act(leader, any_act(at, leader, RNG), at.number)
        await at.undo(leader, at.number)
        asked, claimer = at.pending, at.waits_for
        assert asked is not None and claimer is not None
        no = await refused(at.claim(claimer, at.number))
        assert no.code == "illegal", no
        others = [seat for seat in range(4) if seat != leader]
        assert "hidden" in (await refused(at.reply(others[0], asked.number, yes=True))).text

    scene.play(play)


def test_an_act_made_before_somebody_came_or_went_still_counts(scene: Scene) -> None:
    async def play(registry: TableRegistry) -> None:
        at = await four_people(registry, TEXAS)
        turn = at.waits_for
        assert turn is not None
        seen, absent = at.number, (turn + 1) % 4
        async with at.subscribe((turn + 2) % 4):
            await at.want_bot((turn + 2) % 4, absent)
        assert at.number > seen
        await at.act(turn, "30", seen)
        assert (await refused(at.act(turn, "31", seen))).code in ("stale", "turn")  # and only once

    scene.play(play)
