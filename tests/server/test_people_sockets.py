"""The people of a table over real connections: presence, bots by agreement, consent, the host, and recovery links."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from renege.server.http.settings import Settings
from support.served import Person, Served, first_choice, hear, refused, serve, until

FOUR = ["me", "open", "open", "open"]


class Line:
    """A connection, and what it was told last."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: dict[str, Any] = {}
        self.kinds: list[str] = []
        self.refusal: dict[str, Any] | None = None
        self.hear()

    def hear(self, wait: float = 30.0) -> bool:
        try:
            message = json.loads(self.socket.recv(timeout=wait))
        except TimeoutError:
            return False
        if message["type"] == "moved":
            assert abs(message["now"] - time.time()) < 60
            self.state = message["state"]
            self.kinds += [event["kind"] for event in message["events"]]
        elif message["type"] == "refused":
            self.refusal = message["why"]
        return True

    def until(self, done: Any) -> None:
        end = time.monotonic() + 30
        while not done(self.state):
            assert time.monotonic() < end, self.state["people"]
            self.hear(1.0)

    def send(self, kind: str, **more: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **more}))

    def place(self, seat: int) -> dict[str, Any]:
        return self.state["seats"][seat]["place"]


def friends(served: Served, **more: Any) -> list[Person]:
    """Four people at one table."""
    host = served.person(seats=FOUR, name="Anna", **more)
    found = [host]
    for seat, name in ((1, "Ben"), (2, "Clara"), (3, "David")):
        client = served.client()
        sat = client.post(f"/api/tables/{host.table}/seats/{seat}", json={"name": name})
        assert sat.status_code == 200, sat.text
        found.append(Person(served, client, **sat.json()))
    return found


@pytest.fixture
def lines() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def play_out(open_lines: dict[int, Line]) -> dict[str, Any]:
    """These seats play to the end of the deal; bots play the rest."""
    acted: dict[int, int] = {}
    first = next(iter(open_lines.values()))
    end = time.monotonic() + 60
    while first.state["phase"] not in ("over", "won"):
        assert time.monotonic() < end
        for seat, line in open_lines.items():
            while line.hear(0.02):
                pass
            state = line.state
            if state["asked"] and acted.get(seat) != state["number"]:
                acted[seat] = state["number"]
                line.send("act", what=first_choice(state), at=state["number"])
    return first.state


def test_a_deal_ends_without_who_has_gone(served: Served, lines: ExitStack) -> None:
    anna, ben, clara, david = friends(served, clock={"kind": "none"})
    here = {p.seat: Line(lines.enter_context(p.socket())) for p in (anna, ben, clara)}
    with david.socket() as socket:
        assert hear(socket)["state"]["me"] == 3
        here[0].until(lambda state: state["seats"][3]["place"]["online"])
    here[0].until(lambda state: not state["seats"][3]["place"]["online"])
    assert here[0].place(3)["away_since"] <= time.time()
    for seat in (0, 1, 2):
        here[seat].send("want_bot", seat=3)
    here[0].until(lambda state: state["seats"][3]["place"]["stand_in"] == "middle")
    assert here[0].kinds.count("bot_wanted") == 3
    state = play_out(here)
    assert state["seats"][3]["place"]["kind"] == "person"
    with david.socket() as socket:
        line = Line(socket)
        line.until(lambda state: state["seats"][3]["place"]["stand_in"] is None)
        assert line.state["me"] == 3


def test_bots_that_play_for_people_and_wishes_survive_a_restart(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, seed=3)
    with serve(settings) as served:
        anna, ben, clara, _ = friends(served, clock={"kind": "act", "seconds": 600}, pace=5000)
        with anna.socket() as one, ben.socket() as two:
            first, second = Line(one), Line(two)
            first.send("want_bot", seat=2)
            second.send("want_bot", seat=2)
            first.until(lambda state: state["seats"][2]["place"]["stand_in"] is not None)
            first.send("want_bot", seat=3)
            first.until(lambda state: state["seats"][3]["place"]["wanted_by"] == [0])
        cookie = {"renege_guest": anna.client.cookies["renege_guest"]}
        other = {"renege_guest": clara.client.cookies["renege_guest"]}
    with serve(settings) as again:
        client = again.client()
        client.cookies.update(cookie)
        state = client.get(f"/api/tables/{anna.table}/state", params={"seat": 0}).json()
        assert state["seats"][2]["place"]["stand_in"] == "middle"
        assert state["seats"][3]["place"]["wanted_by"] == [0]
        assert state["people"]["clock"]["kind"] == "act" and state["people"]["clock"]["seconds"] == 600
        assert state["seats"][2]["place"]["away_since"] is not None
        with again.socket(anna.table, f"renege_guest={other['renege_guest']}", seat=2) as socket:
            Line(socket).until(lambda state: state["seats"][2]["place"]["stand_in"] is None)


def test_the_others_agree_to_take_an_act_back(served: Served, lines: ExitStack) -> None:
    people = friends(served)
    here = {p.seat: Line(lines.enter_context(p.socket())) for p in people}
    turn = here[0].state["turn"]
    mine, others = here[turn], [seat for seat in range(4) if seat != turn]
    mine.send("act", what="pass", at=mine.state["number"])
    mine.until(lambda state: state["may_undo"])
    mine.send("undo", at=mine.state["number"])
    for seat in others:
        here[seat].until(lambda state: state["people"]["request"] is not None)
        here[seat].send("reply", to=here[seat].state["people"]["request"]["number"], yes=True)
    mine.until(lambda state: state["asked"])
    assert mine.kinds[-5:] == ["asked", "agreed", "agreed", "agreed", "undone"]
    mine.send("reply", to=mine.state["number"], yes=True)
    while mine.refusal is None:
        mine.hear()
    assert mine.refusal["code"] == "stale"


def test_a_spectator_decides_nothing(served: Served) -> None:
    people = friends(served)
    with served.socket(people[0].table) as socket:
        line = Line(socket)
        for kind, more in (
            ("want_bot", {"seat": 1}),
            ("free", {"seat": 1}),
            ("back", {}),
            ("reply", {"to": 1, "yes": True}),
        ):
            line.refusal = None
            line.send(kind, **more)
            while line.refusal is None:
                assert line.hear()
            assert line.refusal["code"] == "seat"


def _hear_all(socket: ClientConnection) -> None:
    while True:
        socket.recv(timeout=30)


def test_the_host_frees_a_seat_and_its_connection_ends(served: Served, lines: ExitStack) -> None:
    people = friends(served)
    host, other = Line(lines.enter_context(people[0].socket())), lines.enter_context(people[1].socket())
    guest = Line(lines.enter_context(people[2].socket()))
    guest.send("free", seat=1)
    while guest.refusal is None:
        guest.hear()
    assert guest.refusal["code"] == "seat" and "host" in guest.refusal["text"]
    host.send("free", seat=1)
    host.until(lambda state: state["seats"][1]["place"]["kind"] == "bot")
    with pytest.raises(ConnectionClosed) as closed:
        _hear_all(other)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4003
    refused(people[1].get("/state", seat=1), 403)


def test_a_substitute_asks_and_gets_the_seats_own_view(served: Served, lines: ExitStack) -> None:
    anna, ben, clara, _ = friends(served, substitutes="middle", pace=5000)
    here = {p.seat: Line(lines.enter_context(p.socket())) for p in (anna, ben, clara)}
    here[0].send("free", seat=3)
    here[0].until(lambda state: state["people"]["vacant"] == [3])
    eve = served.client()
    path = f"/api/tables/{anna.table}/seats/3"
    refused(eve.post(path, json={"name": "Eve"}), 409, "come back")
    assert eve.post(f"{path}/ask", json={"name": "Eve"}).status_code == 202
    assert eve.get(f"/api/tables/{anna.table}").json()["mine"] == []
    refused(served.client().post(f"{path}/ask", json={"name": "Max"}), 409)
    for line in here.values():
        line.until(lambda state: state["people"]["request"] is not None)
        assert line.state["people"]["request"]["left"] == "David"
        refused(eve.get(f"/api/tables/{anna.table}/state", params={"seat": 3}), 403)
        line.send("reply", to=line.state["people"]["request"]["number"], yes=True)
    here[0].until(lambda state: state["seats"][3]["place"]["name"] == "Eve")
    state = eve.get(f"/api/tables/{anna.table}/state", params={"seat": 3}).json()
    assert state["me"] == 3 and len(state["hand"]) == 7


# -- recovery links


def test_a_recovery_link_makes_a_browser_the_guest(served: Served) -> None:
    person = served.person(seats=FOUR)
    nobody = served.client()
    assert nobody.get("/api/me/recovery").json() == {"guest": False, "made": None}
    refused(nobody.post("/api/me/recovery", json={}), 409, "sit down")
    assert person.client.get("/api/me/recovery").json() == {"guest": True, "made": None}
    made = person.client.post("/api/me/recovery", json={})
    assert made.status_code == 201
    link = made.json()["link"]
    address, _, secret = link.partition("#")
    assert address == f"{served.url}/back" and secret
    assert person.client.get("/api/me/recovery").json()["made"] <= time.time()

    refused(nobody.get(f"/api/tables/{person.table}/state", params={"seat": 0}), 403)
    assert nobody.post("/api/me/recover", json={"secret": secret}).status_code == 204
    assert nobody.get(f"/api/tables/{person.table}/state", params={"seat": 0}).json()["me"] == 0
    assert [table["table"] for table in nobody.get("/api/tables").json()] == [person.table]

    for wrong in (secret[:-2], person.token, person.client.cookies["renege_guest"], "x"):
        refused(served.client().post("/api/me/recover", json={"secret": wrong}), 403)
    stranger = served.client()  # nor does it open a seat by itself
    refused(
        stranger.get(f"/api/tables/{person.table}/state", params={"seat": 0}, headers={"X-Seat-Token": secret}), 403
    )


def test_a_recovery_link_is_withdrawn_by_hand_or_by_a_new_one(served: Served) -> None:
    person = served.person(seats=FOUR)

    def secret() -> str:
        return person.client.post("/api/me/recovery", json={}).json()["link"].partition("#")[2]

    old, new = secret(), secret()
    refused(served.client().post("/api/me/recover", json={"secret": old}), 403, "withdrawn")
    assert served.client().post("/api/me/recover", json={"secret": new}).status_code == 204
    assert person.client.delete("/api/me/recovery").status_code == 204
    refused(served.client().post("/api/me/recover", json={"secret": new}), 403, "withdrawn")
    german = served.client().post("/api/me/recover", json={"secret": new}, params={"lang": "de"})
    refused(german, 403, "zurückgezogen")
    until(lambda: person.client.get("/api/me/recovery").json()["made"] is None)
