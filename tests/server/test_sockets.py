"""The WebSocket of a seat, over a real server: whole deals, lost connections, and those who do not behave."""

import asyncio
import json
import socket as plain
import time
import weakref
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_socket

from renege.core.registry import parse_game_record
from renege.server.http import launch
from renege.server.http.launch import WebSocketConnection
from renege.server.http.rate_limits import Rate, ServerLimits
from renege.server.http.settings import Settings
from renege.server.http.websocket import Connections, Link
from renege.server.messages import Language, Refused, State
from renege.server.tables.live import stale
from renege.server.tables.registry import Table, TableRegistry
from support.served import WAIT, Person, Served, first_choice, hear, serve, until
from support.table_registry import Scene, four_people
from support.table_registry import until as until_true


def say(socket: ClientConnection, kind: str, at: int = 0, **more: Any) -> None:
    socket.send(json.dumps({"type": kind, **({} if kind == "ping" else {"at": at}), **more}))


def turned_away(served: Served, status: int, table: str, **query: Any) -> None:
    with pytest.raises(InvalidStatus) as no, served.socket(table, **query):
        pass
    assert no.value.response.status_code == status
    assert json.loads(no.value.response.body)["detail"]


def code_of(socket: ClientConnection) -> int | None:
    """With which code the other end closes, whatever it says before."""
    while True:
        try:
            socket.recv(timeout=WAIT)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None


# -- playing


@pytest.mark.parametrize(("game", "tricks"), [("texas42", 7), ("tractor", 1), ("schafkopf", 8)])
def test_a_whole_deal_with_three_bots(served: Served, game: str, tricks: int):
    person = served.person(game, rules={"early_end": "play-on"} if game == "texas42" else {})
    heard = [message for message in person.play_out() if message["type"] == "moved"]
    events = [event for message in heard for event in message["events"]]
    assert [event["number"] for event in events] == list(range(events[0]["number"], events[-1]["number"] + 1))
    assert events[0]["kind"] == "dealt"
    assert heard[-1]["state"]["result"]["text"]
    (deal,) = parse_game_record(person.get("/record").text).deals
    assert deal.position.over
    assert len(deal.acts) == sum(event["kind"] == "act" for event in events)
    assert deal.position.tricks_played >= tricks


def test_the_next_deal_and_bots_for_open_seats(served: Served):
    person = served.person(seats=["me", "open", "open", "open"])
    with person.socket() as socket:
        state = hear(socket)["state"]
        assert state["phase"] == "waiting"
        say(socket, "fill", state["number"])
        assert hear(socket)["state"]["phase"] == "talk"
    person.play_out()
    with person.socket() as socket:
        state = hear(socket)["state"]
        say(socket, "next", state["number"])
        assert hear(socket)["state"]["deal"] == 2


def test_what_is_refused_changes_nothing_and_says_why(served: Served):
    person = served.person()
    with person.socket() as socket:
        state = hear(socket)["state"]
        for kind, more, code in [
            ("act", {"what": "6-6"}, "notation"),
            ("act", {"what": "29"}, "notation"),
            ("act", {"what": "7 marks"}, "illegal"),
            ("undo", {}, "undo"),
            ("claim", {}, "turn"),
            ("next", {}, "turn"),
            ("fill", {}, "seat"),
        ]:
            say(socket, kind, state["number"], **more)
            answer = hear(socket)
            assert answer["type"] == "refused" and answer["why"]["code"] == code, answer
            assert answer["why"]["text"] and answer["number"] == state["number"]
        say(socket, "ping")
        assert hear(socket) == {"type": "pong"}
    assert person.get("/state", seat=0).json()["number"] == state["number"]


def test_what_is_sent_twice_is_done_once(served: Served):
    person = served.person()
    with person.socket() as socket:
        number = hear(socket)["state"]["number"]
        for _ in range(3):
            say(socket, "act", number, what="pass")
        answers: list[dict[str, Any]] = []
        while sum(answer["type"] == "refused" for answer in answers) < 2:
            answers.append(hear(socket))
    assert {a["why"]["code"] for a in answers if a["type"] == "refused"} == {"stale"}
    said = [e for a in answers if a["type"] == "moved" for e in a["events"] if e["seat"] == 0 and e["kind"] == "act"]
    assert len(said) == 1


class Slow:
    """The socket of a page that takes a message whenever it is let."""

    def __init__(self) -> None:
        self.app = SimpleNamespace(state=SimpleNamespace(connections=Connections()))
        self.client = None
        self.sent: list[dict[str, Any]] = []
        self.allows = asyncio.Event()

    async def send_text(self, text: str) -> None:
        await self.allows.wait()
        self.sent.append(json.loads(text))


def test_a_refusal_comes_after_what_it_was_refused_for(scene: Scene):
    """While a page is busy two things happen, and what it wanted before is refused: it hears of them first."""

    async def play(registry: TableRegistry) -> None:
        table, socket = await four_people(registry, "texas42"), Slow()

        async def shown(table: Table, seat: int | None, lang: Language) -> State:
            return table.state(seat, lang)

        room: Any = SimpleNamespace(shown=shown, settings=Settings(data=Path()))
        link = Link(socket, room, table, 0, "en")  # pyright: ignore[reportArgumentType]
        async with table.subscribe(0) as news:
            writing = asyncio.create_task(link._write(news))
            await asyncio.sleep(0)
            for _ in range(2):
                turn = table.view(0).position.turn
                assert turn is not None
                await table.act(turn, "pass", table.number)
            link._reply(news, Refused(why=stale().refusal, number=table.number))
            socket.allows.set()
            await until_true(lambda: "refused" in {message["type"] for message in socket.sent})
            writing.cancel()
        *before, refusal = socket.sent
        assert refusal["type"] == "refused"
        assert before[-1]["state"]["number"] == refusal["number"]

    scene.play(play)


def test_a_refusal_is_in_the_language_of_the_page(served: Served):
    told: set[str] = set()
    for lang in ("en", "de", "zh"):
        person = served.person()
        with person.socket(lang=lang) as socket:
            say(socket, "act", hear(socket)["state"]["number"] - 1, what="pass")
            told.add(hear(socket)["why"]["text"])
    assert len(told) == 3


def test_who_comes_back_hears_exactly_what_was_missed(served: Served):
    person = served.person(rules={"early_end": "play-on"})
    with person.socket() as socket:
        state = hear(socket)["state"]
        say(socket, "act", state["number"], what=first_choice(state))
    heard = person.play_out()  # by another connection, while the first page is away
    last = heard[-1]["state"]["number"]
    for after in (0, 1, 2, state["number"], last - 1, last):
        with person.socket(after=after) as socket:
            message = hear(socket)
            assert [event["number"] for event in message["events"]] == list(range(after + 1, last + 1))
            assert message["state"]["number"] == last
    with person.socket(after=0) as socket:
        everything = hear(socket)["events"]
    with person.socket() as socket:  # without a number, this deal
        assert hear(socket)["events"] == [event for event in everything if event["deal"] == 1]
    with person.socket(after=last + 50) as socket:
        assert hear(socket)["events"] == []


def test_two_pages_of_one_seat_and_a_spectator_see_the_same_play(served: Served):
    person = served.person()
    with person.socket() as one, person.socket() as two, served.socket(person.table) as three:
        states = [hear(socket)["state"] for socket in (one, two, three)]
        assert [len(state["hand"]) for state in states] == [7, 7, 0]
        assert states[0]["number"] == states[2]["number"]
        say(one, "act", states[0]["number"], what="pass")
        for socket in (one, two, three):
            until_event(socket, states[0]["number"] + 1)


def until_event(socket: ClientConnection, number: int) -> dict[str, Any]:
    """The first message that tells of an event."""
    while True:
        message = hear(socket)
        if message["type"] == "moved" and any(event["number"] == number for event in message["events"]):
            return message


def test_others_see_who_is_here(served: Served):
    host = served.person(seats=["me", "open", "open", "open"])
    guest = served.client()
    guest.post(f"/api/tables/{host.table}/seats/2", json={"name": "Bert"})
    cookie = f"renege_guest={guest.cookies['renege_guest']}"
    with host.socket() as socket:
        assert not hear(socket)["state"]["seats"][2]["place"]["online"]
        with served.socket(host.table, cookie, seat=2):
            assert hear(socket)["state"]["seats"][2]["place"]["online"]
        assert not hear(socket)["state"]["seats"][2]["place"]["online"]


def test_a_spectator_does_nothing(served: Served):
    person = served.person()
    with served.socket(person.table) as socket:
        number = hear(socket)["state"]["number"]
        for kind, more in (("act", {"what": "pass"}), ("undo", {}), ("claim", {}), ("next", {}), ("fill", {})):
            say(socket, kind, number, **more)
            assert hear(socket)["why"]["code"] == "seat"


# -- who may


def test_a_program_opens_its_seat_by_the_token(served: Served):
    person = served.person()
    with served.socket(person.table, seat=0, token=person.token) as socket:
        assert hear(socket)["state"]["me"] == 0


def test_a_seat_is_closed_to_everybody_else(served: Served):
    anna, bert = served.person(), served.person()
    for query in [
        {"seat": 0},
        {"seat": 0, "token": bert.token},
        {"seat": 1, "token": anna.token},
        {"seat": 0, "token": anna.token[:-1]},
        {"seat": 0, "cookie": bert.cookie},
        {"seat": 1, "cookie": anna.cookie},
        {"seat": 0, "cookie": anna.cookie[:-3] + "AAA"},
    ]:
        turned_away(served, 403, anna.table, **query)
    turned_away(served, 403, bert.table, seat=0, token=anna.token)


def test_a_page_from_elsewhere_is_turned_away(served: Served):
    person = served.person()
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        turned_away(served, 403, person.table, seat=0, cookie=person.cookie, origin=origin)
        turned_away(served, 403, person.table, origin=origin)
    with served.socket(person.table, person.cookie, origin=served.url, seat=0) as socket:
        assert hear(socket)["state"]["me"] == 0


@pytest.mark.parametrize(
    ("status", "query"),
    [
        (422, {"seat": 4}),
        (422, {"seat": "x"}),
        (422, {"seat": "%00"}),
        (422, {"seat": "٣"}),
        (422, {"after": -1}),
        (422, {"after": "9" * 400}),
        (422, {"lang": "la"}),
    ],
)
def test_a_bad_address_is_refused(served: Served, status: int, query: dict[str, Any]):
    turned_away(served, status, served.person().table, **{k: httpx.QueryParams({k: v})[k] for k, v in query.items()})


def test_a_table_that_is_not_there(served: Served):
    for table in ("aaaaaaaaaa", "%00", "x" * 500):
        turned_away(served, 404, table)


def test_a_seat_that_was_given_up_is_shown_no_more(served: Served):
    person = served.person()
    with person.socket() as socket:
        hear(socket)
        person.client.delete(f"/api/tables/{person.table}/seats/0")
        assert code_of(socket) == 4003
    turned_away(served, 403, person.table, seat=0, cookie=person.cookie)


# -- those who do not behave


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "null",
        "[]",
        '"act"',
        '{"type": "act"}',
        '{"type": "act", "what": "pass"}',
        '{"type": "act", "what": "", "at": 3}',
        '{"type": "act", "what": "pass", "at": "x"}',
        '{"type": "act", "what": "pass", "at": 3, "seat": 1}',
        '{"type": "act", "what": "\\ud800", "at": 3}',
        '{"type": "fly", "at": 3}',
        "[" * 4000,
        b'{"type": "ping"}',
        b"\xff\xfe\x00",
    ],
)
def test_a_malformed_message_is_refused_and_the_line_stays(served: Served, frame: str | bytes):
    person = served.person()
    with person.socket() as socket:
        number = hear(socket)["state"]["number"]
        socket.send(frame)
        answer = hear(socket)
        assert answer["type"] == "refused" and answer["why"]["code"] == "form" and answer["number"] == number
        assert "Traceback" not in answer["why"]["text"] and "pydantic" not in answer["why"]["text"]
        say(socket, "ping")
        assert hear(socket) == {"type": "pong"}


@pytest.mark.parametrize("what", ["\x00", "6-6\x00", "é" * 400, "pass " * 80, "💣", "9" * 400])
def test_strange_plays_are_no_plays(served: Served, what: str):
    person = served.person()
    with person.socket() as socket:
        number = hear(socket)["state"]["number"]
        say(socket, "act", number, what=what)
        assert hear(socket)["why"]["code"] == "notation"
        say(socket, "act", 10**300, what="pass")
        assert hear(socket)["why"]["code"] == "stale"


def test_what_is_too_long_ends_the_connection(served: Served):
    person = served.person()
    with person.socket() as socket:
        hear(socket)
        socket.send("x" * 5000)
        assert code_of(socket) == 1009
    with person.socket() as socket:  # and no other
        assert hear(socket)["state"]["me"] == 0


def test_half_a_character_ends_the_connection(served: Served):
    with served.person().socket() as socket:
        hear(socket)
        with socket.protocol_mutex:
            socket.protocol.send_text(b"\xff\xfe")
            socket.send_data()
        assert code_of(socket) == 1007


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory):
    """A server with little patience."""
    limits = replace(
        ServerLimits(),
        messages=Rate(5, 10),
        patience=Rate(0, 5),
        seat_sockets=2,
        spectators=5,
        address_spectators=4,
        seated=4,
    )
    with serve(Settings(data=tmp_path_factory.mktemp("strict"), limits=limits)) as running:
        yield running


def test_who_talks_too_fast_is_refused_and_then_closed(strict: Served):
    person = strict.person()
    with person.socket() as socket:
        hear(socket)
        for _ in range(12):
            say(socket, "ping")
        answers = [hear(socket) for _ in range(12)]
        assert [answer["type"] for answer in answers] == ["pong"] * 10 + ["refused"] * 2
        assert answers[-1]["why"]["code"] == "limit"
        time.sleep(0.5)  # who waits may go on
        say(socket, "ping")
        assert hear(socket)["type"] == "pong"
        with suppress(ConnectionClosed):  # it may close before the last of them is sent
            for _ in range(30):
                say(socket, "ping")
        assert code_of(socket) == 1008


def test_a_seat_is_open_in_few_places_only(strict: Served):
    person = strict.person()
    with person.socket() as one, person.socket() as two:
        assert hear(one)["type"] == hear(two)["type"] == "moved"
        turned_away(strict, 429, person.table, seat=0, cookie=person.cookie)
        one.close()
        until(lambda: len(strict.app.state.connections) < 2)
        with person.socket() as three:
            assert hear(three)["state"]["me"] == 0


def test_one_address_and_all_together_have_so_many_connections(strict: Served):
    table = strict.person().table
    until(lambda: len(strict.app.state.connections) == 0)
    with ExitStack() as watching:
        for _ in range(4):
            watching.enter_context(strict.socket(table))
        turned_away(strict, 429, table)


def test_a_seat_has_its_place_when_others_have_filled_all(strict: Served):
    """Four places for seats, all taken from one address: the owner of another seat, from elsewhere, has one of them."""
    until(lambda: len(strict.app.state.connections) == 0)
    greedy, person = [strict.person() for _ in range(4)], strict.person()

    def from_elsewhere(who: Person) -> ClientConnection:
        address = f"{strict.url.replace('http', 'ws', 1)}/api/tables/{who.table}/ws?seat=0&token={who.token}"
        return connect_socket(address, source_address=("127.0.0.2", 0))

    with ExitStack() as opened:
        lines = [opened.enter_context(one.socket()) for one in greedy]
        for line in lines:
            hear(line)
        turned_away(strict, 503, person.table, seat=0, cookie=person.cookie)  # the fifth of that address
        with from_elsewhere(person) as mine, from_elsewhere(strict.person()) as too:
            assert hear(mine)["state"]["me"] == hear(too)["state"]["me"] == 0
            assert [code_of(line) for line in lines[2:]] == [1013, 1013]
            with pytest.raises(InvalidStatus) as full:
                from_elsewhere(strict.person())  # two each: nobody has more than the one who asks would have
            assert full.value.response.status_code == 503


def test_what_spectators_were_sent_is_written_once_and_not_kept_for_ever(scene: Scene):
    async def play(registry: TableRegistry) -> None:
        table = await four_people(registry, "texas42")
        sent = [weakref.ref(table.state(None, lang)) for lang in ("de", "zh", "en", "en")]
        assert sent[2] is sent[3] and table.state(None, "en").text is table.state(None, "en").text
        turn = table.view(0).position.turn
        assert turn is not None
        await table.act(turn, "pass", table.number)
        assert [state() for state in sent] == [None] * 4

    scene.play(play)


def test_one_house_has_so_many_open_requests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(launch, "MOST_OF_AN_ADDRESS", 5)
    half = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"
    with ExitStack() as opened:
        port = int(opened.enter_context(serve(Settings(data=tmp_path))).url.rpartition(":")[2])
        lines = [opened.enter_context(plain.create_connection(("127.0.0.1", port))) for _ in range(12)]
        cut = 0
        for line in lines:
            line.settimeout(0.3)
            try:
                line.sendall(half)
                cut += line.recv(1) == b""
            except TimeoutError:
                continue
            except OSError:
                cut += 1
        assert cut == 7


def test_connections_are_made_at_a_rate(tmp_path: Path):
    with serve(Settings(data=tmp_path, limits=replace(ServerLimits(), connects=Rate(0, 3)))) as running:
        table = running.person().table
        for _ in range(3):
            with running.socket(table) as socket:
                hear(socket)
        turned_away(running, 429, table)


def test_a_page_that_does_not_read_is_cut_off_and_the_others_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("renege.server.http.launch.STUCK", 0.5)
    with serve(Settings(data=tmp_path, limits=replace(ServerLimits(), send_seconds=1.0))) as running:
        person = running.person()
        deaf = deaf_spectator(running, person)
        try:
            with person.socket() as socket:
                state = hear(socket)["state"]
                board = running.app.state.connections
                assert len(board) == 2
                end = time.monotonic() + 60
                while len(board) > 1 and time.monotonic() < end:
                    flood(person)
                    read_all(socket)
                assert len(board) == 1
                # its line is cut, not only left alone
                lines = running.server.server_state.connections
                until(lambda: sum(isinstance(line, WebSocketConnection) for line in tuple(lines)) == 1)
                say(socket, "act", state["number"], what="pass")
                until_event(socket, state["number"] + 1)
        finally:
            deaf.close()


def deaf_spectator(running: Served, person: Person) -> plain.socket:
    """A connection that asks for everything and reads nothing, with as small a window as can be had."""
    host, _, port = running.url.removeprefix("http://").partition(":")
    line = plain.socket()
    line.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 2048)
    line.connect((host, int(port)))
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    line.sendall(
        f"GET /api/tables/{person.table}/ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    until(lambda: len(running.app.state.connections) == 1)
    return line


def read_all(socket: ClientConnection) -> None:
    with suppress(TimeoutError):
        while True:
            socket.recv(timeout=0.05)


def flood(person: Person) -> None:
    """Let everybody be told something: a guest comes and goes."""
    for _ in range(20):
        with person.socket():
            pass


def test_pages_are_told_when_the_server_goes(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        person = running.person()
        with person.socket() as one, running.socket(person.table) as two:
            assert hear(one)["type"] == hear(two)["type"] == "moved"
            running.server.should_exit = True
            assert code_of(one) == 1001
            assert code_of(two) == 1001


def test_a_table_is_where_it_was_after_a_restart(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        person = running.person(pace=5000)  # no bot acts in between: what is compared stands still
        with person.socket() as socket:
            number = hear(socket)["state"]["number"]
            say(socket, "act", number, what="pass")
            before = until_event(socket, number + 1)
        cookie, token = person.cookie, person.token
    with (
        serve(Settings(data=tmp_path)) as running,
        running.socket(person.table, cookie, seat=0, after=number) as socket,
    ):
        message = hear(socket)
        assert message["events"][0] == before["events"][0]
        assert message["state"]["hand"] == before["state"]["hand"]
        assert message["state"]["number"] == before["state"]["number"]
        with running.socket(person.table, seat=0, token=token) as other:
            assert hear(other)["state"]["me"] == 0


def test_what_was_missed_may_lie_deals_back(tmp_path: Path):
    """What is told of a deal is the same while it is played, when it is past, and after a restart."""
    with serve(Settings(data=tmp_path, seed=3)) as running:
        person = running.person("schafkopf")
        told: list[dict[str, Any]] = []
        for deal in (1, 2, 3):
            person.play_out()
            with person.socket() as socket:  # this deal alone
                message = hear(socket)
            told += [event for event in message["events"] if event["deal"] == deal]
            with person.socket(after=0) as socket:
                sheet = hear(socket)["state"]["score"]
            with person.socket(after=message["state"]["number"]) as socket:
                hear(socket)
                say(socket, "next", message["state"]["number"])
                until_event(socket, message["state"]["number"] + 1)
        cookie = person.cookie
    first = told[0]["number"]
    with serve(Settings(data=tmp_path, seed=3)) as running:
        for after in (0, first, told[-1]["number"] - 3, told[len(told) // 2]["number"]):
            with running.socket(person.table, cookie, seat=0, after=after) as socket:
                message = hear(socket)
            events = [event for event in message["events"] if event["number"] <= told[-1]["number"]]
            assert [event["number"] for event in message["events"]][:2] == [after + 1, after + 2]
            assert events[max(0, first - 1 - after) :] == [event for event in told if event["number"] > after]
            assert message["state"]["score"]["lines"] == sheet["lines"]
