"""Is a past that was put away, and is told again, the past that was? And does nobody play it again unasked?"""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from renege.core.position import Position
from renege.core.record import GameRecord, Record
from renege.core.registry import find_game
from renege.server.messages import State
from renege.server.present.state import MOST_LINES
from renege.server.store.store import Store
from renege.server.tables import events
from renege.server.tables import history as chapters
from renege.server.tables.chance import Source
from renege.server.tables.events import ActEvent, Dealt, Event, Filled, Left, Made, Sat, Undone
from renege.server.tables.history import ArchivedDeal, Entry, format_event
from renege.server.tables.live import LiveDeal
from renege.server.tables.registry import TableRegistry
from renege.server.tables.state import TableState, games_of
from renege.server.tables.table import Table
from renege.server.workers.pool import Workers
from support.steering import SOAK

SEATS = (0, 1, 2, 3, None)
HOUSES: list[tuple[str, dict[str, str], int]] = [
    ("texas42", {"target": "1"}, 8),
    ("texas42", {"nello_exchange": "one-tile", "target": "2"}, 5),
    ("schafkopf", {"all_pass": "stock"}, 4),
    ("tractor", {}, 2),
    ("tractor", {"stopped_throw": "refused", "no_call": "turn-kitty"}, 2),
]


class Remembered:
    """The slow way: every deal is played as it goes and kept whole, and so is every event as it was heard."""

    def __init__(self, made: Made, game: Any) -> None:
        self.game = game
        self.entries = [Entry(1, 0, made)]
        self.deals: list[LiveDeal] = []
        self.acts: list[list[tuple[int, ActEvent]]] = []  # of each deal, those that were not taken back

    def go_on(self, event: Event) -> None:
        number, heard = len(self.entries) + 1, None
        if isinstance(event, Dealt):
            self.deals.append(LiveDeal(self.game, event))
            self.acts.append([])
        elif self.deals:
            heard = self.deals[-1].follow(event, number)
        if isinstance(event, ActEvent):
            self.acts[-1].append((number, event))
        elif isinstance(event, Undone):
            self.acts[-1] = [kept for kept in self.acts[-1] if kept[0] <= event.to]
        self.entries.append(Entry(number, len(self.deals), event, heard))

    @property
    def records(self) -> list[Record]:
        """The deals, from their cards and what was done in them."""
        return [
            _read(deal.record.start, [act for _, act in acts]) for deal, acts in zip(self.deals, self.acts, strict=True)
        ]

    @property
    def over(self) -> list[LiveDeal]:
        return [deal for deal in self.deals if deal.position.over]

    @property
    def sheet(self) -> list[LiveDeal]:
        """Back from the last deal to the one that opened its game."""
        found: list[LiveDeal] = []
        for deal in reversed(self.deals):
            found.insert(0, deal)
            if deal.opens:
                break
        return [deal for deal in found if deal.position.over]

    @property
    def games(self) -> list[str]:
        found: list[list[Any]] = []
        for deal in self.over:
            if deal.opens:
                found.append([])
            found[-1].append(deal.record)
        return [str(GameRecord(self.game, tuple(deals))) for deals in found]

    def since(self, after: int | None, seat: int | None, names: Sequence[str], language: Any) -> list[Any]:
        if after is None:
            after = max((e.number for e in self.entries if isinstance(e.event, Dealt)), default=1) - 1
        return [format_event(entry, seat, names, language) for entry in self.entries if entry.number > after]


def _read(start: Position, acts: Sequence[ActEvent]) -> Record:
    read, position = [], start
    for act in acts:
        read.append(position.read(act.what, act.seat))
        position = position.then(read[-1])
    return Record(start, tuple(read))


class Evening:
    """A table with one person in seat 0, where anything happens: acts, some of them taken back, coming and going."""

    def __init__(self, game: str, rules: dict[str, str], seed: int) -> None:
        made = Made(game, find_game(game).version, rules, ("open", "simple", "strong", "open"), 0, "g0")
        self.rng = random.Random(f"{game} {seed}")
        self.state = TableState(made)
        self.memory = Remembered(made, self.state.game)
        self.log: list[Event] = [made]
        self.happen(Sat(3, "g3", "Max"), Left(3, "g3", "Max"), Filled())
        self.happen(*self.state.and_deal(Sat(0, "g0", "Zoë"), Source(seed)))

    def happen(self, *happened: Event) -> None:
        for event in happened:
            self.log.append(event)
            self.state.go_on(event)
            self.memory.go_on(event)

    def step(self) -> None:
        """Something that may happen now does."""
        state, rng, deal = self.state, self.rng, self.state.deal
        assert deal is not None
        position, turn = deal.position, deal.position.turn
        if (to := state.undo_to(0)) is not None and rng.random() < 0.6:
            self.happen(Undone(0, to))
        elif state.seating.owner(0) is None:
            assert state.may_sit(0, "g0")
            self.happen(Sat(0, "g0", rng.choice(("Zoë", "Eva"))))
        elif rng.random() < 0.03:
            self.happen(Left(0, "g0", state.seating.names[0]))
        elif turn is None:
            self.happen(state.next_deal(Source(rng.getrandbits(60))))
        else:
            self.happen(*self.something(position, turn))

    def something(self, position: Position, turn: int) -> Sequence[Event]:
        assert self.state.deal is not None
        if not position.talking:
            assert position.order is not None
            play = position.legal_plays.choose(self.rng)
            return self.state.deal.attempt(turn, position.game.write_play(play, position.order))
        call = self.rng.choice(position.legal_calls)
        if call.startswith("bury"):
            call = f"bury {' '.join(self.rng.sample(str(position.hand).split(), 8))}"
        return self.state.deal.attempt(turn, call)

    def deals(self, most: int) -> None:
        while not (self.state.deal_number == most and self.state.phase in ("over", "won")):
            self.step()


def compare(state: TableState, evening: Evening) -> None:
    """All that can be asked of a story, against the slow way and against the story that was told live."""
    live, memory, rng = evening.state, evening.memory, evening.rng
    assert (state.number, state.deal_number, state.phase) == (len(memory.entries), len(memory.deals), live.phase)
    assert state.seating == live.seating
    assert [state.undo_to(seat) for seat in range(4)] == [live.undo_to(seat) for seat in range(4)]
    who = [(seat, guest) for seat in range(4) for guest in ("g0", "g3", "new")]
    assert [state.may_sit(*one) for one in who] == [live.may_sit(*one) for one in who]
    assert state.deal is not None and state.deal.record == memory.records[-1]
    assert [deal.record for deal in state.over] == memory.records[: len(memory.over)]
    assert [state.view(seat) for seat in range(4)] == [deal_view(memory, seat) for seat in range(4)]
    assert [deal.record.position for deal in state.over] == [deal.record.position for deal in memory.over]
    assert [(d.number, d.opens, d.ending) for d in state.over] == [(d.number, d.opens, d.ending) for d in memory.over]
    assert [(d.number, d.ending) for d in state.sheet] == [(d.number, d.ending) for d in memory.sheet]
    assert [str(game) for game in games_of(state.game, state.over)] == memory.games
    places = state.seating.places({1: 5.0})
    for seat in SEATS:
        lang = rng.choice(("en", "de", "zh"))
        assert state.shown("t", seat, places, lang) == live.shown("t", seat, places, lang)
        for after in (None, 0, rng.randrange(state.number), state.number - 1, state.number, state.number + 5):
            later = state.history.since(seat, after, state.seating.names, lang)
            assert later() == memory.since(after, seat, live.seating.names, lang)
            assert len(later) == len(later())


def deal_view(memory: Remembered, seat: int) -> Any:
    return memory.deals[-1].record.view(seat)


@pytest.mark.parametrize(("game", "rules", "deals"), HOUSES)
@pytest.mark.parametrize("seed", range(SOAK))
def test_a_story_told_again_is_the_story_that_was_told(game: str, rules: dict[str, str], deals: int, seed: int) -> None:
    evening = Evening(game, rules, seed)
    for deal in range(1, deals + 1):
        evening.deals(deal)
        if deal == deals:  # with some of the next
            evening.happen(evening.state.next_deal(Source(seed)))
            for _ in range(evening.rng.randrange(2, 30)):
                evening.step()
        elif deal % 2:
            compare(TableState.replayed(evening.log), evening)
    compare(evening.state, evening)
    compare(TableState.replayed(evening.log), evening)
    taken_back = sum(isinstance(event, Undone) for event in evening.log)
    assert taken_back > 0, "nothing was taken back"
    if rules.get("target") == "1":
        assert len(evening.memory.games) > 2, "no game was won"


def test_a_table_where_nobody_has_been_dealt_to_is_told_again() -> None:
    made = Made("texas42", find_game("texas42").version, {}, ("open", "open", "open", "open"), 0, "g")
    log = [made, Sat(0, "g", "Zoë"), Left(0, "g", "Zoë"), Sat(1, "g", "Eva")]
    state = TableState.replayed(log)
    assert (state.number, state.deal, state.deal_number, state.phase) == (4, None, 0, "waiting")
    assert state.seating.people == (1,) and state.over == state.sheet == []
    heard = state.history.since(1, None, state.seating.names, "en")
    assert [event.number for event in heard()] == [1, 2, 3, 4] and len(heard) == 4
    assert TableState.replayed(log[:1]).number == 1


# -- what it costs


@pytest.fixture(scope="module")
def evening() -> Evening:
    evening = Evening("schafkopf", {}, 1)
    evening.deals(6)
    evening.happen(evening.state.next_deal(Source(7)))
    for _ in range(10):
        evening.step()
    return evening


class Counted:
    """How many acts are done, and how many past deals are played again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.acts = self.deals = 0
        then = Position.then
        chapters._told.cache_clear()

        def counting(position: Position, act: Any) -> Position:
            self.acts += 1
            return then(position, act)

        def dealing(*about: Any) -> LiveDeal:
            self.deals += 1
            return LiveDeal(*about)

        monkeypatch.setattr(Position, "then", counting)
        monkeypatch.setattr(chapters, "LiveDeal", dealing)


def test_a_table_is_built_from_its_last_deal_alone(
    evening: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = max(place for place, event in enumerate(evening.log) if isinstance(event, Dealt))
    acts = sum(isinstance(event, ActEvent) for event in evening.log[last:])
    redone = sum(acts for event in evening.log[last:] if isinstance(event, Undone))
    assert 0 < acts < len(evening.log) / 5

    async def build() -> None:
        store, workers = Store(f"sqlite:///{tmp_path / 'tables.db'}"), Workers(1)
        await store.append("t", 1, [events.write_event(event) for event in evening.log])
        registry = TableRegistry(store, workers)
        counted = Counted(monkeypatch)
        table = await registry.find("t")
        assert (counted.deals, table.number) == (0, len(evening.log))
        assert counted.acts <= acts + redone
        await ask(table, counted)
        await registry.close()
        await workers.close()
        await store.close()

    async def ask(table: Table, counted: Counted) -> None:
        """Whatever is of the present costs nothing of the past, and of the past only what is asked for."""
        for asked in (table.view(0), table.public(), table.phase, table.places, table.over):
            assert asked and counted.deals == 0
        assert len(table.events(0, None, "en")()) == len(evening.log) - last
        assert len(table.events(0, 0, "en")) == len(evening.log) and counted.deals == 0
        number = next(
            place for place, event in enumerate(evening.log, 1) if isinstance(event, Dealt) and event.deal == 6
        )
        table.events(0, number + 3, "en")()
        assert counted.deals == 1
        assert table.over[2].record == evening.memory.deals[2].record and counted.deals == 2
        assert [deal.number for deal in table.unread] == [1, 2, 3, 4, 5, 6]
        table.state(0, "en")
        assert counted.deals == 6 and not table.unread
        chapters._told.cache_clear()
        table.state(None, "de")
        assert counted.deals == 6  # how they ended is known by now

    asyncio.run(build())


def test_a_deal_that_is_over_and_shown_is_never_played_again_for_the_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(state: TableState) -> State:
        return state.shown("t", 0, state.seating.places({}), "en")

    evening = Evening("texas42", {}, 3)
    counted = Counted(monkeypatch)
    for deal in (1, 2, 3):
        evening.deals(deal)
        shown(evening.state)
        evening.happen(evening.state.next_deal(Source(deal)))
    assert len(shown(evening.state).score.lines) <= MOST_LINES
    assert counted.deals == 0 and all(isinstance(deal, ArchivedDeal) for deal in evening.state.over)


def test_the_past_takes_little_room(evening: Evening) -> None:
    past = evening.state.history.deals
    assert sum(chapter.length for chapter in past) > 200
    assert sum(len(chapter.packed) for chapter in past) < 20 * sum(chapter.length for chapter in past)
    assert all(events.unpack(events.pack(evening.log[i : i + 7])) == evening.log[i : i + 7] for i in range(0, 200, 7))
