"""Nothing hidden leaves the server: two deals that differ only in what a seat cannot know look the same to it.

A random deal is played up to some point. From what one seat has seen by then another deal is drawn that it cannot tell
from the first. Both are played at a real server, all four seats over the network, and everything that the one seat (and
a spectator) is sent, frame by frame, and every answer that it gets, is held against its like in the other deal.
"""

import asyncio
import contextlib
import json
import random
import re
import secrets
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest
import websockets

from e2e.clients import GAMES, PATIENCE, Chair, Json, Server
from renege.belief import Belief
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import SEATS, Game
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.record import Record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.verdict import WrongPhase
from renege.server.http.guests import Guests, find_secret
from renege.server.http.settings import Settings
from renege.server.store.store import Store
from renege.server.tables import events
from support.steering import SOAK

DEALS = 200
NAMES = ("Ada", "Ben", "Cleo", "Dora")
HOUSES: dict[str, list[dict[str, str]]] = {
    "texas42": [{}, {"nello_exchange": "one-tile"}, {"all_pass": "force-30"}],
    "tractor": [{}, {"stopped_throw": "refused"}, {"no_call": "turn-kitty"}, {"throw_test": "public-info"}],
    "schafkopf": [{}, {"doubling": "anyone"}, {"deck": "short"}],
}
# what the watch shows is chance: when a frame is sent, since when a table waits, until when, and who came when
MOMENTS = re.compile(r'"(now|since|until|left|away_since)": ?(?:null|[0-9.]+)')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with RoomyServer(tmp_path_factory.mktemp("data")) as server:
        yield server


class RoomyServer(Server):
    """One that takes what is tried in vain as fast as it comes: the usual limit would refuse some of it unread."""

    @property
    def command(self) -> list[str]:
        return [sys.executable, str(Path(__file__).parent / "roomy.py"), str(self.data), str(self.port)]


# -- two deals that a seat cannot tell apart


def play_at_random(game: Game, rng: random.Random, acts: int) -> Record:
    """A deal with so many acts, each at random among the legal ones; it stops before its last."""
    table = Arbiter(game, rng.getrandbits(60))
    while len(table.record.acts) < acts:
        before, seat = table.record, table.position.turn
        assert seat is not None
        assert table.act(seat, any_act(table, seat, rng)), "a legal act was refused"
        if table.position.over:  # the end shows all hands
            return before
    return table.record


def any_act(table: Arbiter, seat: int, rng: random.Random) -> str | Play:
    position = table.position
    if not position.talking:
        return position.legal_plays.choose(rng)
    calls = position.legal_calls
    if calls[0].startswith("bury"):
        hand = position.hands[seat]
        assert isinstance(hand, Cards)
        return f"bury {position.game.deck.cards(rng.sample(list(hand), 8))}"
    return rng.choice(calls)


def another(record: Record, seat: int, rng: random.Random) -> Record | None:
    """A deal that looks the same to the seat; None if there is but one."""
    belief = Belief(record.view(seat))
    for world in belief.draw(8, rng.getrandbits(60)):
        other = belief.record(world)
        if other.start.hands != record.start.hands or other.acts != record.acts:
            return other
    return None


# -- both at the table


@dataclass
class Scene:
    """A deal at the server, put into the log as if it had been dealt there: what is chance is as it came."""

    server: Server
    store: Store
    guests: Guests

    async def seats(self, record: Record) -> list[Chair]:
        table, game, start = secrets.token_hex(5), record.game, record.start
        people = [f"guest{seat}" for seat in SEATS]
        standing, rules = start.standing, HOUSES[game.name]
        told = next(choice for choice in rules if find_game(game.name, choice) == game)
        log: list[events.Event] = [
            events.Made(game.name, game.version, told, ("open", "open", "open", "open"), 0, people[0])
        ]
        log += [events.Sat(seat, people[seat], NAMES[seat]) for seat in SEATS]
        hands = tuple(str(hand) for hand in start.hands)
        log.append(events.Dealt(1, 0, standing.dealer, standing.score, hands, str(start.kitty), True))
        log += [events.ActEvent(act.seat, str(act.what)) for act in record.acts[: by_chance(record)]]
        await self.store.append(table, 1, [events.write_event(event) for event in log])
        return [Chair(self.server.address, table, s, self.guests.token(table, s, people[s])) for s in SEATS]


async def heard(
    scene: Scene, record: Record, seat: int, ask: frozenset[int], tries: dict[int, list[Json]]
) -> list[str]:
    """All that the seat is sent while the deal is played, and what it is answered at some points; a spectator's too."""
    chairs = await scene.seats(record)
    mine, kept = chairs[seat], list[str]()
    spectator = mine.socket_url().partition("?")[0]
    async with contextlib.AsyncExitStack() as stack:
        web = await stack.enter_async_context(httpx.AsyncClient(headers=mine.headers, timeout=PATIENCE))
        lines = [await stack.enter_async_context(websockets.connect(chair.socket_url(0))) for chair in chairs]
        watching = await stack.enter_async_context(websockets.connect(spectator))
        begun = by_chance(record)
        number = 6 + begun
        for acts, act in enumerate([None, *record.acts[begun:]], start=begun):
            if act is not None:
                told, number = await refusals(lines[seat], tries.get(acts - 1, []), number)
                kept += told
                await say(lines[act.seat], record, acts - 1, act, number)
                number += 1
            for place, line in (*enumerate(lines), (-1, watching)):
                frames = await until(line, number)
                if place in (seat, -1):
                    kept += frames
            if acts in ask:
                kept += [await answer(web, mine, path) for path in ("/state?seat={}", "/seats/{}/belief", "/state")]
                kept += await verdicts(web, mine, record)
    return [MOMENTS.sub(r'"\1": 0', text.replace(mine.table, "TABLE")) for text in kept]


def by_chance(record: Record) -> int:
    """The acts of a deal up to the one that is the table's and chance: the kitty turned up, where nobody has called."""
    return max((acts for acts, at in enumerate(record.positions(), start=1) if on_kitty(at)), default=0)


def on_kitty(position: Position) -> bool:
    return position.talking and position.talk is not None and position.talk.on_kitty


async def say(line: websockets.ClientConnection, record: Record, place: int, act: Act, number: int) -> None:
    what = act.what
    if isinstance(what, Play):
        order = replace(record, acts=record.acts[:place]).position.order
        assert order is not None
        play = what if what.tried is None else Play(what.tried, units=what.units)  # as it was tried
        what = record.game.write_play(play, order)
    await line.send(json.dumps({"type": "act", "what": what, "at": number}))


def some_points(record: Record, seat: int, rng: random.Random) -> set[int]:
    """Moments of a deal: any, when the seat is to act, and above all when it is to lead."""
    mine = [(i, at) for i, (act, at) in enumerate(record.steps()) if act.seat == seat]
    leads = [i for i, at in mine if at.trick is not None and at.trick.lead is None]
    asked = [i for i, _ in mine]
    kinds = ((range(len(record.acts)), 1), (asked, 2), (leads, 6))
    return {i for some, most in kinds for i in rng.sample(some, min(most, len(some)))}


def in_vain(one: Record, other: Record, seat: int, acts: int) -> list[Json]:
    """What the seat may try before the next act and is refused in both deals: nothing of it is ever done."""
    names, act = one.game.deck.names, one.acts[acts]
    here, there = (replace(record, acts=record.acts[:acts]).position for record in (one, other))
    tries = [names[0], names[-1], f"{names[3]} {names[4]}", "nonsense", "7 marks", "stoss", "show BJ BJ"]
    if here.turn == seat and here.order is not None and isinstance(here.hand, Cards):
        suits = [here.hand.only(leads) for leads in here.order.leads]
        throws = [str(suit) for suit in suits if len(suit) > 1]
        alone = isinstance(act.what, Play) and len(act.what.cards) == 1  # after a throw in vain no other is heard
        tries += [names[card] for card in dict.fromkeys(here.hand)] + throws * alone
    found: list[Json] = [
        {"type": "act", "what": what} for what in tries if all(is_refused(at, seat, what) for at in (here, there))
    ]
    if here.turn != seat or one.game.claim is None:  # a claim that is heard is judged by all hands
        found.append({"type": "claim"})
    if not acts or one.acts[acts - 1].seat != seat:  # else the others would be asked
        found.append({"type": "undo"})
    return [*found, {"type": "next"}, {"type": "fill"}]


def is_refused(position: Position, seat: int, what: str) -> bool:
    if seat != position.turn and seat not in position.speakers:
        return True
    try:
        return not position.judge(what, seat)
    except (NotationError, WrongPhase):
        return True


async def refusals(line: websockets.ClientConnection, tries: list[Json], number: int) -> tuple[list[str], int]:
    """What the seat is told to each of them, and the number of the last event: that hands were asked is one."""
    kept, seen = list[str](), number

    async def heard_next() -> Json:
        """The next frame; of one that something moved the events are kept, for the rest is who is online."""
        nonlocal seen
        frame = json.loads(await asyncio.wait_for(line.recv(), PATIENCE))
        if frame["type"] == "moved" and frame["events"]:
            assert {event["kind"] for event in frame["events"]} == {"refused"}, frame
            kept.append(json.dumps(frame["events"]))
            seen = frame["events"][-1]["number"]
        return frame

    for attempt in tries:
        await line.send(json.dumps({**attempt, "at": number}))
        while (frame := await heard_next())["type"] == "moved":
            pass
        number = max(number, frame["number"])
        while seen < number:
            await heard_next()
        kept.append(json.dumps(frame))
    return kept, number


async def until(line: websockets.ClientConnection, number: int) -> list[str]:
    """The frame that tells of the event; who is online and since when is chance, and left out."""
    while True:
        frame = json.loads(await asyncio.wait_for(line.recv(), PATIENCE))
        assert frame["type"] == "moved", frame
        for shown in frame["state"]["seats"]:
            shown["place"]["online"] = True
        if frame["events"] and frame["state"]["number"] >= number:
            return [json.dumps(frame)]


async def answer(web: httpx.AsyncClient, chair: Chair, path: str) -> str:
    got = await web.get(chair.url(path.format(chair.seat)))
    assert got.status_code == 200, got.text
    return got.text


async def verdicts(web: httpx.AsyncClient, chair: Chair, record: Record) -> list[str]:
    """What the arbiter says to some plays of the seat, legal or not, and to cards that it does not hold."""
    names = record.game.deck.names
    texts: list[str] = []
    for what in (names[0], names[-1], f"{names[3]} {names[4]}", "pass", "nonsense"):
        got = await web.post(chair.url(f"/seats/{chair.seat}/check"), json={"what": what})
        assert got.status_code < 500, got.text
        texts.append(f"{got.status_code} {got.text}")
    return texts


async def look_alike(scene: Scene, one: Record, seat: int, rng: random.Random) -> bool:
    """Is a deal like another to a seat, frame by frame? False if there is no other, or chance is about to come in."""
    other = another(one, seat, rng)
    if other is None or on_kitty(one.position):
        return False
    ask = frozenset(rng.sample(range(len(one.acts) + 1), 2))
    tries = {acts: in_vain(one, other, seat, acts) for acts in some_points(one, seat, rng)}
    ours = await heard(scene, one, seat, ask, tries)
    theirs = await heard(scene, other, seat, ask, tries)
    assert len(ours) == len(theirs) > len(one.acts) - by_chance(one)
    for this, like in zip(ours, theirs, strict=True):
        assert this == like, f"seat {seat} can tell these apart:\n{one}\n{other}"
    return True


@asynccontextmanager
async def scene_at(server: Server) -> AsyncIterator[Scene]:
    scene = Scene(server, Store(Settings(data=server.data).database_url), Guests(find_secret(server.data)))
    yield scene
    await scene.store.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_cannot_tell_two_such_deals_apart(server: Server, name: str) -> None:
    rng = random.Random(f"nothing hidden {name}")

    async def both() -> int:
        compared = 0
        async with scene_at(server) as scene:
            while compared < max(6, DEALS * SOAK // 100):
                game = find_game(name, HOUSES[name][compared % len(HOUSES[name])])
                seat, acts = rng.choice(SEATS), rng.randrange(1, 4 * game.hand_size)
                compared += await look_alike(scene, play_at_random(game, rng, acts), seat, rng)
        return compared

    print(f"{asyncio.run(both())} deals of {name}")


def test_where_the_kitty_names_trumps_a_seat_cannot_either(server: Server) -> None:
    """Hardly any random deal comes to that: nobody may have called."""
    rng, game = random.Random("the kitty"), find_game("tractor", {"no_call": "turn-kitty"})

    async def both() -> None:
        compared = 0
        async with scene_at(server) as scene:
            while compared < 2:
                one = play_at_random(game, rng, 12)
                if by_chance(one):
                    compared += await look_alike(scene, one, rng.choice(SEATS), rng)

    asyncio.run(both())
