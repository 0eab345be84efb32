"""Does a table play on, whatever happens: bad acts, restarts, bots that fail, people who come and go?"""

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cluster import Cluster
from renege.arbiter import Arbiter
from renege.cards import Cards
from renege.games import find_game, parse_game_record
from renege.notation import NotationError, parse_cards
from renege.table import botplay
from renege.table.botplay import kitty_call
from renege.table.events import Act, Dealt, Made, Sat, read_event, write_event
from renege.table.hall import Declined, Hall, NoTable, Table
from renege.table.live import LiveDeal, deal_event
from renege.table.messages import NewTable
from renege.table.store import Store, StoreError, Taken
from renege.table.story import Story, games_of
from renege.table.workers import Workers
from renege.trick import Play
from renege.view import seen_by_all

GAMES = ("texas42", "tractor", "schafkopf")
PATIENCE = 60  # seconds


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """They outlive the loops of the single tests."""
    team = Workers(1)
    yield team
    asyncio.run(team.close())


class Scene:
    """A database and those who come to play there."""

    def __init__(self, url: str, workers: Workers) -> None:
        self.url = url
        self.workers = workers

    def play(self, scene: Callable[[Hall], Awaitable[None]], *, seed: int | None = 1) -> None:
        """Open a hall, play the scene, close the hall."""

        async def run() -> None:
            store = Store(self.url)
            hall = Hall(store, self.workers, seed=seed)
            try:
                await asyncio.wait_for(scene(hall), PATIENCE)
            finally:
                await hall.close()
                await store.close()

        asyncio.run(run())


@pytest.fixture
def scene(tmp_path: Path, workers: Workers) -> Scene:
    return Scene(f"sqlite:///{tmp_path / 'tables.db'}", workers)


def new(game: str, *, pace: int = 0, **more: Any) -> NewTable:
    return NewTable(game=game, name="Zoë", pace=pace, **more)  # type: ignore[arg-type]


FOUR_PEOPLE = {"seats": ["me", "open", "open", "open"]}
SLOW = 5000  # bots that do not act while a test looks


async def four_people(hall: Hall, game: str, **more: Any) -> Table:
    """A table without bots, where all that happens is what the test does."""
    table, _ = await hall.make(new(game, **FOUR_PEOPLE, **more), "g0")
    for seat in (1, 2, 3):
        await table.sit(seat, f"g{seat}", f"P{seat}")
    return table


def is_asked(table: Table, seat: int) -> bool:
    position = table.view(seat).position
    return position.turn == seat and not (position.talking and position.talk is not None and position.talk.on_kitty)


def any_act(table: Table, seat: int, rng: random.Random) -> str:
    """Something lawful, as far as the seat can know."""
    view = table.view(seat)
    if view.position.talking:
        return rng.choice(view.legal_calls)
    assert view.position.order is not None
    return view.game.write_play(view.legal_plays.choose(rng), view.position.order)


async def play_deal(table: Table, people: dict[int, random.Random], watch: Callable[[], None] = lambda: None) -> None:
    """People who do anything lawful, until the deal is over."""
    async with table.subscribe(min(people)) as news:
        while table.phase in ("talk", "play"):
            seat = next((seat for seat in people if is_asked(table, seat)), None)
            if seat is None:
                await news.next()
                continue
            with suppress(Declined):  # a lead that other hands refuse
                await table.act(seat, any_act(table, seat, people[seat]), table.number)
            watch()


async def until(ready: Callable[[], bool]) -> None:
    while not ready():
        await asyncio.sleep(0.01)


async def refused(doing: Awaitable[None]) -> Any:
    with pytest.raises(Declined) as no:
        await doing
    return no.value.refusal


def seen(table: Table) -> list[Any]:
    """All that anybody is shown, in every way there is."""
    seats = [0, 1, 2, 3, None]
    views = [table.public() if seat is None else table.view(seat) for seat in seats]
    told = [[event.model_dump() for event in table.events(seat, 0, "en")] for seat in seats]
    states = [table.state(seat, "de").model_dump() for seat in seats]
    return [table.number, table.deal, table.phase, views, [view.position for view in views], told, states]


# -- whole deals


@pytest.mark.parametrize("game", GAMES)
def test_a_person_and_three_bots_play_deals(scene: Scene, game: str) -> None:
    async def play(hall: Hall) -> None:
        table, seat = await hall.make(new(game, seats=["simple", "me", "simple", "simple"]), "g")
        assert seat == 1 and table.deal == 1
        rng = random.Random(7)

        def views_are_true() -> None:
            """The views that follow act by act are those that the record gives."""
            record = table.record
            assert record is not None
            if rng.random() < 0.2:
                for other in range(4):
                    assert table.view(other) == record.view(other)
                    assert table.view(other).position == record.view(other).position
                assert table.public() == seen_by_all(record)
                assert table.public().position == seen_by_all(record).position

        for deal in range(1, 4):
            assert table.deal == deal
            await play_deal(table, {1: rng}, views_are_true)
            assert table.phase in ("over", "won")
            record = table.over[-1].record
            Arbiter.resume(record)  # insists on the rules
            assert record.position.over and record == table.record
            await table.next(1, table.number)
        assert len(table.over) == 3

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_four_people_play_a_deal(scene: Scene, game: str) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, game)
        await play_deal(table, {seat: random.Random(seat) for seat in range(4)})
        Arbiter.resume(table.over[0].record)

    scene.play(play)


def test_strong_bots_play(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        thoughts: list[str] = []
        hall.on_thought(lambda level, seconds: thoughts.append(level))
        table, _ = await hall.make(new("texas42", seats=["me", "strong", "simple", "strong"]), "g")
        assert [place.level for place in table.places] == [None, "strong", "simple", "strong"]
        while "strong" not in thoughts and table.phase != "over":
            if is_asked(table, 0):
                await table.act(0, any_act(table, 0, random.Random(1)), table.number)
            await asyncio.sleep(0.01)
        assert "strong" in thoughts

    scene.play(play)


# -- restarts


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_found_again_as_it_was(scene: Scene, game: str) -> None:
    """Stopped at random moments, a table is built from its events to the same thing for everybody."""
    rng = random.Random(11)
    known: dict[str, Any] = {}

    async def begin(hall: Hall) -> None:
        table = await four_people(hall, game)
        known["id"], known["seen"] = table.id, seen(table)

    async def go_on(hall: Hall) -> None:
        table = await hall.find(known["id"])
        assert seen(table) == known["seen"]
        for _ in range(rng.randint(1, 25)):
            if table.phase in ("over", "won"):
                await table.next(0, table.number)
                continue
            turn = table.view(0).position.turn
            assert turn is not None
            with suppress(Declined):
                await table.act(turn, any_act(table, turn, rng), table.number)
        if rng.random() < 0.3:
            guest = table.owner(3) or ""
            await table.leave(3, guest)
            await table.sit(3, f"new{table.number}" if table.phase in ("over", "won") else guest, "New")
        known["seen"] = seen(table)

    scene.play(begin)
    for _ in range(8):
        scene.play(go_on)


def test_bots_go_on_by_themselves_after_a_restart(scene: Scene) -> None:
    known: dict[str, Any] = {}

    async def begin(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=SLOW, seats=["simple", "simple", "simple", "me"]), "g")
        known["id"], known["number"] = table.id, table.number

    async def go_on(hall: Hall) -> None:
        table = await hall.find(known["id"])
        assert table.number == known["number"] and table.idle  # nobody has come
        await hall.resume()
        await until(lambda: not table.idle)

    scene.play(begin)
    scene.play(go_on)


def test_bots_act_when_somebody_comes_back(scene: Scene) -> None:
    known: dict[str, Any] = {}

    async def begin(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", seats=["simple", "simple", "simple", "me"]), "g")
        known["id"] = table.id
        await until(lambda: is_asked(table, 3))
        await table.act(3, "pass", table.number)
        known["number"] = table.number

    async def go_on(hall: Hall) -> None:
        table = await hall.find(known["id"])
        async with table.subscribe(3) as news:
            while table.number <= known["number"]:
                await news.next()

    scene.play(begin)
    scene.play(go_on)


def test_a_forgotten_table_is_found_again(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "texas42")
        busy = await four_people(hall, "texas42")
        assert len(hall) == 2
        before = seen(table)
        async with busy.subscribe(0):
            hall.forget(3600)
            assert len(hall) == 2
            hall.forget(0)
            assert len(hall) == 1 and await hall.find(busy.id) is busy
        again, same = await asyncio.gather(hall.find(table.id), hall.find(table.id))
        assert again is same is not table
        assert seen(again) == before
        with pytest.raises(NoTable):
            await hall.find("nowhere")

    scene.play(play)


def test_on_postgresql_too(cluster: Cluster, workers: Workers) -> None:
    there = Scene(cluster.new_database(), workers)
    known: dict[str, Any] = {}

    async def begin(hall: Hall) -> None:
        table, _ = await hall.make(new("schafkopf"), "g")
        await play_deal(table, {0: random.Random(2)})
        known["id"], known["seen"] = table.id, seen(table)

    async def go_on(hall: Hall) -> None:
        table = await hall.find(known["id"])
        assert seen(table) == known["seen"]
        assert [found.id for found in await hall.tables_of("g")] == [table.id]
        await table.next(0, table.number)
        await play_deal(table, {0: random.Random(2)})

    there.play(begin)
    there.play(go_on)


# -- what is refused


def test_what_is_refused_changes_nothing(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "texas42")
        turn = table.view(0).position.turn
        assert turn is not None
        at, before, other = table.number, seen(table), (turn + 1) % 4
        assert (await refused(table.act(turn, "pass", at - 1))).code == "stale"
        assert (await refused(table.act(turn, "pass", at + 1))).code == "stale"
        no = await refused(table.act(other, "pass", at))
        assert (no.code, no.text) == ("turn", f"it is the turn of seat {turn}")
        assert (await refused(table.act(turn, "hello", at))).code == "notation"
        no = await refused(table.act(turn, "7 marks", at))
        assert no.code == "illegal" and no.rule.startswith("texas42.") and no.sentence and no.text and no.instead
        assert (await refused(table.next(turn, at))).code == "turn"
        assert (await refused(table.fill(at))).code == "seat"
        assert (await refused(table.claim(turn, at))).code == "turn"
        assert (await refused(table.undo(turn, at))).code == "undo"
        assert seen(table) == before
        await table.act(turn, "pass", at)
        assert (await refused(table.act(turn, "pass", at))).code == "stale"  # sent twice
        assert table.number == at + 1

    scene.play(play)


def test_an_illegal_play_is_told_with_its_rule(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "schafkopf")
        rng, found = random.Random(3), 0
        while table.phase != "over":
            turn = table.view(0).position.turn
            assert turn is not None
            view, at = table.view(turn), table.number
            if not view.position.talking:
                legal = {play.cards for play in view.legal_plays}
                wrong = [card for card in view.hand if view.game.deck.of(1 << card) not in legal]
                if wrong:
                    found += 1
                    no = await refused(table.act(turn, view.game.deck.names[wrong[0]], at))
                    assert no.code == "illegal"
                    assert no.rule in {rule.id for rule in view.game.rule_list}
                    await table.act(turn, no.instead, at)
                    continue
            await table.act(turn, any_act(table, turn, rng), at)
        assert found

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_shows_nobody_elses_cards(scene: Scene, game: str) -> None:
    """Whatever a seat tries, the cards in the answer are its own, on the table, or in what it typed."""
    calls = (
        "pass",
        "take",
        "nonsense",
        "stoss",
        "turn SA",
        "show BJ BJ",
        "7 marks",
        "solo E",
        "bury 8 cards",
        "give S7",
    )

    async def play(hall: Hall) -> None:
        rng, answers = random.Random(5), 0
        table = await four_people(hall, game)
        names, examples = list(table.game.deck.names), {table.game.deck.example, "S2"}  # how things are written
        while table.phase in ("talk", "play"):
            seat = rng.randrange(4)
            for what in (rng.choice(calls), rng.choice(names), " ".join(rng.sample(names, 2))):
                view = table.view(seat)
                no = await answer_to(table, seat, what)
                if no is not None:
                    answers += 1
                    words = set(re.findall(r"[A-Za-z0-9-]+", f"{no.text} {no.instead}")) & set(names)
                    known = words_in(f"{view} {view.hand} {what}") | examples
                    assert words <= known, (what, no)
            turn = table.view(0).position.turn
            if turn is not None:
                await answer_to(table, turn, any_act(table, turn, rng))
        assert answers > 20

    async def answer_to(table: Table, seat: int, what: str) -> Any:
        try:
            await table.act(seat, what, table.number)
        except Declined as no:
            return no.refusal
        return None

    def words_in(text: str) -> set[str]:
        return set(re.findall(r"[A-Za-z0-9-]+", text))

    scene.play(play)


def test_a_refused_throw_gives_no_other_hand_away(scene: Scene) -> None:
    """Nor can a seat try throw after throw at one lead, to hear which of them the others beat."""

    async def play(hall: Hall) -> None:
        for seed in range(100):
            table = await at_the_first_lead(hall, seed, stopped_throw="refused")
            view, record = table.view(0), table.record
            assert record is not None and view.position.order is not None
            throws = [play for play in view.legal_plays if view.position.judge(play).legal is None]
            beaten = [play for play in throws if not record.position.judge(play)]
            stands = [play for play in throws if record.position.judge(play)]
            if beaten and stands:
                break
        else:
            raise LookupError("no such deal")

        def spell(play: Play) -> str:
            return view.game.write_play(play, view.position.order)  # type: ignore[arg-type]

        no = await refused(table.act(0, spell(beaten[0]), table.number))
        assert no.code == "illegal" and no.rule == "tractor.throw-stopped" and no.sentence
        assert no.text == "another hand beats one of its units, and what it holds is not told"
        assert len(no.instead.split()) == 1 and view.position.judge(no.instead)
        for throw in (beaten[0], stands[0]):
            again = await refused(table.act(0, spell(throw), table.number))
            assert again.text == "a throw was refused at this lead, and now one unit alone may be led"
            assert again.instead == no.instead
        other = await refused(table.act(0, "SA HA", table.number))  # what the seat can know by itself is told as ever
        assert other.code in ("illegal", "notation") and "refused" not in other.text
        await table.act(0, no.instead, table.number)

    scene.play(play)


def test_a_leader_cannot_stop_its_own_throw(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await at_the_first_lead(hall)
        hand = table.view(0).hand
        first, second, *_ = dict.fromkeys(hand)
        names = table.game.deck.names
        what = f"{names[second]} of {names[first]} {names[second]}"
        assert (await refused(table.act(0, what, table.number))).code == "notation"

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
            deal.follow(Act(number, "pass"), number)
        came[kitty_call(deal)] += 1
        assert kitty_call(deal) == kitty_call(deal)
    assert came.keys() == {"turn C2", "turn D2", "turn H2", "turn S2"} and min(came.values()) > 60, came


def test_the_kitty_is_turned_up_by_nobody(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("tractor", pace=200, rules={"no_call": "turn-kitty"}, **FOUR_PEOPLE), "g0")
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
        assert table.events(0, number, "en")[0].what.startswith("turn ")
        assert table.view(banker).legal_calls == ("take",)

    scene.play(play)


# -- taking back


async def at_the_first_lead(hall: Hall, seed: int = 4, **rules: str) -> Table:
    """Tractor, seat 0 has the bank and has buried; all others are slow bots."""
    story = Story(Made("tractor", 1, rules, ("open", "simple", "simple", "simple"), SLOW, "g"))
    events: list[Any] = [story.made]
    for event in (Sat(0, "g", "Zoë"), deal_event(story.game, 1, seed, story.game.opening, opens=True)):
        story.go_on(event)
        events.append(event)
    assert story.deal is not None
    while story.deal.position.talking:
        position = story.deal.position
        assert position.turn is not None
        _, acts = story.deal.attempt(position.turn, position.legal_calls[0])
        for act in acts:
            story.go_on(act)
            events.append(act)
    await hall._means.store.append(f"first{seed}", 1, [write_event(event) for event in events])
    return await hall.find(f"first{seed}")


def test_an_act_is_taken_back(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=SLOW), "g")
        assert not table.may_undo(0)
        before, at = (table.view(0), table.view(0).position), table.number
        await table.act(0, "31", at)
        assert table.may_undo(0) and table.state(0, "en").may_undo
        assert not table.may_undo(1)
        assert (await refused(table.undo(0, at))).code == "stale"
        await table.undo(0, at + 1)
        assert table.number == at + 2
        assert (table.view(0), table.view(0).position) == before
        assert [event.kind for event in table.events(0, at, "en")] == ["act", "undone"]
        assert not table.may_undo(0)
        await table.act(0, "pass", table.number)
        assert table.view(1).acts[-1].what == "pass"

    scene.play(play)


def test_an_act_that_others_have_answered_stays(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=300), "g")
        await table.act(0, "30", table.number)
        assert table.may_undo(0)
        number = table.number
        await until(lambda: table.number > number)
        no = await refused(table.undo(0, table.number))
        assert no.code == "undo" and "not yours" in no.text

    scene.play(play)


def test_with_two_people_nothing_is_taken_back(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=SLOW, seats=["me", "simple", "open", "simple"]), "g")
        await table.sit(2, "h", "Max")
        await table.act(0, "30", table.number)
        assert not table.may_undo(0)
        assert "one person" in (await refused(table.undo(0, table.number))).text
        await table.leave(2, "h")
        assert table.may_undo(0)

    scene.play(play)


def test_what_was_hidden_is_not_unseen(scene: Scene) -> None:
    """The kitty taken up and any throw stay; what was buried and a plain lead may be taken back."""

    async def play(hall: Hall) -> None:
        table = await at_the_first_lead(hall)
        assert table.may_undo(0)  # the burying
        position, deck = table.view(0).position, table.game.deck
        single = deck.names[next(iter(table.view(0).hand))]
        await table.act(0, single, table.number)
        assert table.may_undo(0)
        await table.undo(0, table.number)
        assert table.view(0).position == position
        await table.undo(0, table.number)
        assert table.view(0).acts[-1].what == "take" and not table.may_undo(0)
        assert "hidden" in (await refused(table.undo(0, table.number))).text
        told = [event.what for event in table.events(None, None, "en")]
        assert "bury 8 cards" in told  # nobody else hears what was buried, even if it was taken back
        assert not any(what.startswith("bury") and what != "bury 8 cards" for what in told)
        mine = [event.what for event in table.events(0, None, "en")]
        assert any(what.startswith("bury ") and "cards" not in what for what in mine)

    scene.play(play)


@pytest.mark.parametrize("stands", [True, False])
def test_a_throw_is_not_taken_back(scene: Scene, stands: bool) -> None:
    async def play(hall: Hall) -> None:
        for seed in range(100):
            table = await at_the_first_lead(hall, seed)
            view, record = table.view(0), table.record
            assert record is not None and view.position.order is not None
            throws = (play for play in view.legal_plays if view.position.judge(play).legal is None)
            throw = next((play for play in throws if (record.position.read(play, 0).what == play) is stands), None)
            if throw is not None:
                break
        else:
            raise LookupError("no such throw")
        await table.act(0, view.game.write_play(throw, view.position.order), table.number)
        last = table.view(0).acts[-1].what
        assert isinstance(last, Play) and (last.tried is None) is stands
        assert not table.may_undo(0)
        assert "hidden" in (await refused(table.undo(0, table.number))).text

    scene.play(play)


# -- claiming, and the next deal


def test_a_claim_is_played_out(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, rng = await four_people(hall, "texas42"), random.Random(1)
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
                if table.number > at:
                    assert table.phase in ("over", "won")
                    Arbiter.resume(table.over[-1].record)
                    continue
                outcomes.add("spoiled")
                assert not table.state(turn, "en").may_claim
                no = await refused(table.claim(turn, at))
                assert no.code == "turn" and no.text == "this seat cannot claim again in this deal"
            await table.act(turn, any_act(table, turn, rng), table.number)

    scene.play(play)


def test_the_score_goes_on_and_a_game_that_is_won_is_followed_by_another(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "texas42", rules={"target": "2"})
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
            deal = table.deal
            assert (await refused(table.next(0, table.number - 1))).code == "stale"
            await table.next(0, table.number)
            assert table.record is not None and table.deal == deal + 1
            assert table.record.start.standing == (standing if won is None else table.game.opening)
            assert len(table.state(0, "en").score.lines) == (0 if won is not None else deals[-1])
        for game in games_of(table.game, table.over):
            assert parse_game_record(str(game)) == game

    scene.play(play)


# -- people


def test_a_table_waits_for_people(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, seat = await hall.make(new("tractor", seats=["open", "me", "simple", "open"]), "g")
        assert (seat, table.phase, table.deal) == (1, "waiting", 0)
        assert [place.kind for place in table.places] == ["open", "person", "bot", "open"]
        assert table.state(1, "en").phase == "waiting" and table.state(None, "zh").hand == []
        assert (await refused(table.act(1, "pass", table.number))).code == "turn"
        assert (await refused(table.sit(1, "h", "Max"))).code == "seat"
        assert (await refused(table.sit(0, "g", "Zoë"))).code == "seat"  # one seat each
        number = table.number
        await table.sit(1, "g", "Zoë")  # sits there already
        assert table.number == number
        await table.sit(0, "h", "Max")
        assert table.phase == "waiting" and table.owner(0) == "h"
        assert (await refused(table.leave(0, "g"))).code == "seat"
        await table.leave(0, "h")
        assert table.places[0].kind == "open"
        await table.fill(table.number)
        assert table.phase == "talk" and table.deal == 1
        assert [place.kind for place in table.places] == ["bot", "person", "bot", "bot"]

    scene.play(play)


def test_a_bot_goes_on_for_who_leaves(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "schafkopf")
        await table.leave(2, "g2")
        assert table.places[2].kind == "bot" and table.places[2].level == "simple"
        assert (await refused(table.act(2, "pass", table.number))).code == "seat"
        await play_deal(table, {seat: random.Random(seat) for seat in (0, 1, 3)})
        assert table.phase == "over"
        await table.sit(2, "new", "Neu")
        assert table.owner(2) == "new"

    scene.play(play)


def test_nobody_sees_two_hands_of_a_deal(scene: Scene) -> None:
    """While cards are held, a seat is only for who had it in this deal."""

    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=SLOW, seats=["me", "open", "simple", "simple"]), "g")
        await table.sit(1, "h", "Max")
        await table.leave(0, "g")
        for seat, guest in ((2, "g"), (0, "new"), (3, "new")):
            no = await refused(table.sit(seat, guest, "Zoë"))
            assert no.code == "seat" and "come back" in no.text
        await table.sit(0, "g", "Zoë")
        await table.leave(0, "g")
        hall.forget(0)
        table = await hall.find(table.id)  # it follows from the events
        assert (await refused(table.sit(2, "g", "Zoë"))).code == "seat"
        await table.sit(0, "g", "Zoë")

    scene.play(play)


def test_a_table_that_all_have_left_is_taken_up_by_somebody_new(scene: Scene) -> None:
    async def story(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=5000), "ann")
        await table.leave(0, "ann")
        assert (await refused(table.sit(2, "ann", "Ann"))).code == "seat"  # she has seen a hand
        await table.sit(2, "bob", "Bob")
        assert (await refused(table.sit(3, "cy", "Cy"))).code == "seat"  # now somebody is there
        await table.sit(0, "ann", "Ann")

    scene.play(story)


def test_a_table_that_all_have_left_stops(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", pace=30, seats=["simple", "simple", "simple", "me"]), "g")
        await table.leave(3, "g")
        await until(lambda: table.idle)
        number = table.number
        await asyncio.sleep(0.2)
        assert table.number == number and table.phase == "talk"
        await table.sit(3, "g", "Zoë")
        await until(lambda: table.number > number + 1)

    scene.play(play)


def test_the_tables_of_a_guest(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        first, _ = await hall.make(new("texas42", pace=SLOW), "g")
        second, _ = await hall.make(new("tractor", pace=SLOW, seats=["me", "open", "simple", "simple"]), "h")
        await second.sit(2, "g", "Zoë")  # a bot's seat, while the table still waits
        assert await hall.tables_of("g") == [second, first]
        await first.leave(0, "g")
        assert await hall.tables_of("g") == [second]
        assert await hall.tables_of("x") == []

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
    async def play(hall: Hall) -> None:
        with pytest.raises(NotationError, match=why):
            await hall.make(new("texas42", **wrong), "g")
        assert len(hall) == 0 and await hall.tables_of("g") == []

    scene.play(play)


def test_a_preset_and_what_differs_from_it(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", preset="family", rules={"target": "3"}, pace=SLOW), "g")
        hall.forget(0)
        for found in (table, await hall.find(table.id)):
            assert found.game.rules.all_pass.value == "force-30" and found.game.rules.target == 3

    scene.play(play)


# -- those who watch


def test_watchers_hear_of_everything(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "texas42")
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
    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42"), "g")
        await play_deal(table, {0: random.Random(1)})
        everything = table.events(0, 0, "en")
        assert [event.number for event in everything] == list(range(1, table.number + 1))
        assert [event.kind for event in everything[:4]] == ["made", "sat", "dealt", "act"]
        assert all(event.text for event in everything)
        assert everything[1].text == "Zoë sits down"
        for after in (1, 5, table.number, table.number + 9):
            assert table.events(0, after, "en") == everything[after:]
        assert table.events(0, None, "en")[0].kind == "dealt"
        await table.next(0, table.number)
        assert [event.deal for event in table.events(0, None, "en")][:1] == [2]

    scene.play(play)


def test_what_is_said_face_down_is_heard_by_those_alone(scene: Scene) -> None:
    """Of a Hochzeit the two who change cards hear which; a spectator never does."""

    async def play(hall: Hall) -> None:
        made = Made("schafkopf", 1, {}, ("open", "open", "open", "open"), 0, "g0")
        story = Story(made)
        people = [Sat(seat, f"g{seat}", f"P{seat}") for seat in range(4)]
        seed = next(seed for seed in range(10_000) if _may_marry(story, seed))
        dealt = deal_event(story.game, 1, seed, story.game.opening, opens=True)
        await hall._means.store.append("wed", 1, [write_event(event) for event in (made, *people, dealt)])
        table = await hall.find("wed")
        await table.act(0, "hochzeit", table.number)
        for seat in (1, 2, 3):
            await table.act(seat, "pass", table.number)
        await table.act(0, "hochzeit", table.number)
        await table.act(1, "accept", table.number)
        await table.act(0, table.view(0).legal_calls[0], table.number)
        gift = table.events(0, None, "en")[-1].what
        assert re.fullmatch("give [EGHS][AZKOU987]", gift)
        heard = [table.events(seat, None, "en")[-1].what for seat in (1, 2, 3, None)]
        assert heard == [gift, "give a card", "give a card", "give a card"]
        assert gift not in json.dumps([seen_by.model_dump() for seen_by in table.events(2, 0, "de")])

    def _may_marry(story: Story, seed: int) -> bool:
        hands, _ = story.game.deal(seed)
        start = deal_event(story.game, 1, seed, story.game.opening, opens=True)
        trial = Story(story.made)
        trial.go_on(start)
        assert trial.deal is not None
        plain = any(card for card in map(str, hands[1]))
        return plain and trial.deal.position.turn == 0 and "hochzeit" in trial.deal.position.legal_calls

    scene.play(play)


# -- chance


def test_deals_come_from_a_seed_that_nobody_sees(scene: Scene) -> None:
    hands: dict[int | None, list[Any]] = {}

    def deals_of(seed: int | None) -> Callable[[Hall], Awaitable[None]]:
        async def play(hall: Hall) -> None:
            tables = [await four_people(hall, "texas42") for _ in range(2)]
            tables += [(await hall.make(new("texas42", pace=SLOW), "g"))[0] for _ in range(2)]
            hands.setdefault(seed, []).append([table.view(0).hand for table in tables])
            kept = await hall._means.store.events(tables[0].id)
            dealt = read_event(kept[-1].text)
            assert isinstance(dealt, Dealt)
            shown = json.dumps(seen(tables[0])[5:], default=str)
            assert str(dealt.seed) not in shown
            for seat in range(4):
                assert dealt.hands[(seat + 1) % 4] not in shown

        return play

    for seed in (1, 1, 2, None, None):
        scene.play(deals_of(seed), seed=seed)
    assert hands[1][0] == hands[1][1] != hands[2][0]
    assert len({str(hand) for hand in hands[1][0]}) == 4  # each table its own
    assert hands[None][0] != hands[None][1]


# -- when things go wrong


def test_bots_that_fail_do_what_is_legal(tmp_path: Path) -> None:
    async def play(hall: Hall) -> None:
        await hall._means.workers.close()  # nobody thinks any more
        for game in GAMES:
            table, _ = await hall.make(new(game), "g")
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

    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("texas42", seats=["simple", "simple", "simple", "me"]), "g")
        await until(lambda: is_asked(table, 3))

    scene.play(play)


def test_a_hall_closes_in_the_middle_of_everything(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        await scene.workers.run_in("simple", abs, 1)
        rng = random.Random(1)
        for _ in range(40):
            busy = Hall(hall._means.store, scene.workers, seed=1)
            for _ in range(4):
                await busy.make(new("schafkopf", seats=["simple", "simple", "simple", "me"]), "g")
            await asyncio.sleep(rng.random() / 50)
            await asyncio.wait_for(busy.close(), 5)

    scene.play(play)


def test_a_person_may_speak_while_bots_think(scene: Scene) -> None:
    """In Tractor all may show at any time; what a bot was about to do is then asked again."""

    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new("tractor", pace=150, seats=["simple", "simple", "me", "simple"]), "g")
        assert table.view(2).position.turn == 0
        await table.act(2, "pass", table.number)  # not in turn
        at = table.number
        await until(lambda: table.number > at)
        assert table.events(2, at, "en")[0].seat != 2

    scene.play(play)


def test_who_goes_away_in_the_middle_of_an_act_has_acted(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "texas42")
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
        assert len(await hall._means.store.events(table.id)) == number + 1

    scene.play(play)


def test_two_servers_at_one_table(scene: Scene) -> None:
    """The second to act is told so, and catches up; nothing is mixed."""

    async def play(hall: Hall) -> None:
        second_store = Store(scene.url)
        second = Hall(second_store, scene.workers, seed=1)
        here = await four_people(hall, "texas42")
        there = await second.find(here.id)
        turn = here.view(0).position.turn
        assert turn is not None
        await here.act(turn, "30", here.number)
        async with there.subscribe(0) as news:
            with pytest.raises(Taken):
                await there.act(turn, "pass", there.number)
            assert await news.next() == here.number
        assert seen(there) == seen(here)
        assert (await refused(there.act(turn, "pass", there.number - 1))).code == "stale"
        await there.act((turn + 1) % 4, "pass", there.number)
        with pytest.raises(Taken):
            await here.act((turn + 1) % 4, "31", here.number)
        assert seen(there) == seen(here)
        await second.close()
        await second_store.close()

    scene.play(play)


def test_what_cannot_be_kept_did_not_happen(scene: Scene) -> None:
    async def play(hall: Hall) -> None:
        table = await four_people(hall, "texas42")
        before = seen(table)
        turn = table.view(0).position.turn
        assert turn is not None
        await hall._means.store.close()
        with pytest.raises(StoreError):
            await table.act(turn, "pass", table.number)
        assert seen(table) == before
        with pytest.raises(StoreError):
            await hall.make(new("texas42"), "g")
        assert len(hall) == 1

    scene.play(play)


@pytest.mark.parametrize("game", GAMES)
def test_any_order_of_acts_leaves_a_log_that_reads_back(scene: Scene, game: str) -> None:
    """People who try everything at once, out of turn and too late: the log has what was accepted and nothing else."""

    async def play(hall: Hall) -> None:
        table, _ = await hall.make(new(game, pace=1, seats=["me", "open", "simple", "simple"]), "g0")
        await table.sit(1, "g1", "Max")
        accepted: list[int] = []

        async def pester(seat: int, rng: random.Random) -> None:
            while table.phase in ("talk", "play"):
                view, at = table.view(seat), table.number - (rng.random() < 0.2)
                speaks = view.position.talking and seat in view.position.speakers
                calls = (view.legal_calls if speaks else ()) or ("pass",)
                what = any_act(table, seat, rng) if is_asked(table, seat) else rng.choice(calls)
                with suppress(Declined):
                    await table.act(seat, what, at)
                    accepted.append(seat)
                await asyncio.sleep(0)

        await asyncio.gather(*(pester(seat, random.Random(i)) for i, seat in enumerate((0, 1, 0, 1))))
        kept = [read_event(event.text) for event in await hall._means.store.events(table.id)]
        acts = [event for event in kept if isinstance(event, Act)]
        assert sorted(act.seat for act in acts if act.seat < 2 and not act.what.startswith("turn")) == sorted(accepted)
        record = table.record
        assert record is not None
        assert [(act.seat, act.what) for act in acts] == [
            (act.seat, act.what if isinstance(act.what, str) else _spelled(table, act.what)) for act in record.acts
        ]
        Arbiter.resume(record)
        assert all(isinstance(hand, Cards) for hand in record.start.hands)

    def _spelled(table: Table, what: Play) -> str:
        order = table.view(0).position.order
        assert order is not None
        return table.game.write_play(what, order)

    scene.play(play)
