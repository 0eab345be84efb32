"""Tables, seats and doors of the server, asked as a page, a program or a stranger would ask."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from renege.core.registry import GAMES
from renege.server.http.settings import Settings
from renege.server.store.store import Store
from renege.server.tables.events import Sat, write_event
from support.served import LANGUAGES, Served, refused, serve


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_house_rule_has_its_question_and_answers(served: Served, lang: str):
    cards = served.client().get("/api/games", params={"lang": lang}).json()
    assert [card["game"] for card in cards] == list(GAMES)
    for card in cards:
        assert card["title"] and card["about"]
        assert set(card["presets"]) == set(GAMES[card["game"]].PRESETS)
        for rule in card["rules"]:
            assert rule["question"]
            values = [choice["value"] for choice in rule["choices"]]
            numbers = [other["name"] for other in card["rules"] if not other["choices"]]  # its own, or that of another
            assert rule["default"] in values or (
                not values and (rule["default"].isdigit() or rule["default"] in numbers)
            )
            assert all(choice["text"] and choice["text"] != choice["value"] for choice in rule["choices"]), rule["name"]


def test_a_preset_is_what_its_game_says(served: Served):
    (card,) = [card for card in served.client().get("/api/games").json() if card["game"] == "texas42"]
    assert card["presets"]["default"] == {}
    assert card["presets"]["family"] == {"all_pass": "force-30"}


def test_who_makes_a_table_is_a_guest_from_then_on(served: Served):
    client = served.client()
    assert client.get("/api/tables").json() == []
    made = client.post(
        "/api/tables", json={"game": "tractor", "name": " Anna ", "seats": ["open", "me", "open", "open"]}
    )
    assert made.status_code == 201
    seated = made.json()
    assert seated["seat"] == 1
    assert seated["link"] == f"{served.url}/t/{seated['table']}"
    cookie = made.headers["set-cookie"]
    assert cookie.startswith("renege_guest=")
    assert all(flag in cookie for flag in ("HttpOnly", "SameSite=lax", "Path=/"))
    assert "Secure" not in cookie
    (card,) = client.get("/api/tables").json()
    assert card["table"] == seated["table"] and card["mine"] == [1] and card["phase"] == "waiting" and card["deal"] == 0
    assert [place["kind"] for place in card["places"]] == ["open", "person", "open", "open"]
    assert card["places"][1]["name"] == "Anna"


def test_what_a_client_says_about_proxies_is_not_believed(served: Served):
    forged = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7"}
    made = served.client().post("/api/tables", json={"game": "texas42"}, headers=forged)
    assert "Secure" not in made.headers["set-cookie"]
    assert made.json()["link"].startswith("http://")


def test_others_join_by_the_link_and_leave_again(served: Served):
    host = served.person(seats=["me", "open", "open", "simple"])
    guest = served.client()
    at = f"/api/tables/{host.table}"
    assert guest.get(at).json()["mine"] == []
    sat = guest.post(f"{at}/seats/2", json={"name": "Bert"})
    assert sat.status_code == 200
    assert sat.json()["seat"] == 2 and sat.json()["table"] == host.table
    assert guest.get(at).json()["mine"] == [2]
    refused(served.client().post(f"{at}/seats/2", json={}), 409, "taken")
    refused(guest.post(f"{at}/seats/1", json={}), 409)
    refused(guest.delete(f"{at}/seats/0"), 403)
    assert guest.delete(f"{at}/seats/2").status_code == 204
    assert guest.get(at).json()["places"][2]["kind"] == "open"
    refused(guest.delete(f"{at}/seats/2"), 403)


def test_who_sits_down_where_another_server_has_gone_on_is_told(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        at = f"/api/tables/{running.person(seats=['me', 'open', 'open', 'open']).table}"
        table = at.rpartition("/")[2]

        async def elsewhere() -> None:
            store = Store(Settings(data=tmp_path).database_url)
            await store.append(table, 3, [write_event(Sat(2, "g", "Max"))])
            await store.close()

        asyncio.run(elsewhere())
        refused(running.client().post(f"{at}/seats/1", json={}), 409, "moved on")
        assert running.client().get(at).json()["places"][2]["name"] == "Max"
        assert running.client().post(f"{at}/seats/1", json={}).status_code == 200


def test_while_a_deal_is_played_a_bots_seat_is_not_taken(served: Served):
    person = served.person(pace=5000)
    at = f"/api/tables/{person.table}/seats"
    refused(served.client().post(f"{at}/2", json={}), 409, "come back")
    person.client.delete(f"{at}/0")
    refused(person.client.post(f"{at}/2", json={}), 409, "come back")
    assert person.client.post(f"{at}/0", json={}).status_code == 200


def test_house_rules_are_played(served: Served):
    person = served.person(preset="family", rules={"target": "5"})
    assert person.get("").json()["rules"] == {"all_pass": "force-30", "target": "5"}


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ({"game": "texas42", "preset": "saloon"}, "saloon"),
        ({"game": "texas42", "rules": {"target": "many"}}, "many"),
        ({"game": "texas42", "rules": {"shoes": "off"}}, "shoes"),
        ({"game": "texas42", "seats": ["me", "me", "open", "open"]}, "one seat"),
        ({"game": "texas42", "seats": ["me"]}, "seats"),
        ({"game": "pinochle"}, "game"),
        ({"game": "texas42", "name": ""}, "name"),
        ({"game": "texas42", "name": "x" * 25}, "name"),
        ({"game": "texas42", "name": "a\nb"}, "control"),
        ({"game": "texas42", "name": "\u202eadA"}, "control"),
        ({"game": "texas42", "name": "\u200b\u2060"}, "seen"),
        ({"game": "texas42", "name": "\u3164"}, "seen"),
        ({"game": "texas42", "name": "\u115f\u1160\u2800 \uffa0"}, "seen"),
        ({"game": "texas42", "rules": {"target": "9" * 5000}}, "target"),
        ({"game": "schafkopf", "rules": {"extra": "9223372036854775807"}}, "extra"),
        ({"game": "texas42", "pace": -1}, "pace"),
        ({"game": "texas42", "hat": 1}, "hat"),
        ([], ""),
    ],
)
def test_a_table_that_cannot_be_made_is_refused_with_the_reason(served: Served, new: Any, says: str):
    refused(served.client().post("/api/tables", json=new), 422, says)


@pytest.mark.parametrize("name", ["Ben", "ben", " Be\u200bn", "Ｂen\u3164"])
def test_a_bot_gives_way_to_a_person_of_its_name(served: Served, name: str):
    places = served.person(name=name).get("").json()["places"]
    assert [place["name"] for place in places] == [name.strip(), "Finn", "Cleo", "Dan"]
    assert [place["kind"] for place in places] == ["person", "bot", "bot", "bot"]
    plain = served.person(name="Bea").get("").json()["places"]
    assert [place["name"] for place in plain] == ["Bea", "Ben", "Cleo", "Dan"]


def test_refusals_are_told_in_the_language_that_is_asked_for(served: Served):
    host = served.person(seats=["me", "open", "open", "open"])
    told = {
        lang: served.client().post(f"/api/tables/{host.table}/seats/0", json={}, params={"lang": lang}).json()["why"]
        for lang in LANGUAGES
    }
    assert {why["code"] for why in told.values()} == {"seat"}
    assert len({why["text"] for why in told.values()}) == 3


def test_a_seat_is_shown_its_hand_and_a_spectator_none(served: Served):
    person = served.person()
    mine = person.get("/state", seat=0).json()
    assert mine["me"] == 0 and len(mine["hand"]) == 7
    for client in (person.client, served.client()):
        watched = client.get(f"/api/tables/{person.table}/state").json()
        assert watched["me"] is None and watched["hand"] == []
        assert [seat["cards"] for seat in watched["seats"]] == [7, 7, 7, 7]


# Everything that only the one in the seat may open; the last stands up.
DOORS = [
    ("GET", "/state?seat={seat}"),
    ("GET", "/seats/{seat}/hint?step=1"),
    ("GET", "/seats/{seat}/belief"),
    ("POST", "/seats/{seat}/check"),
    ("DELETE", "/seats/{seat}"),
]


def knock(client: httpx.Client, table: str, seat: int, door: tuple[str, str], **headers: str) -> httpx.Response:
    method, path = door
    body = {"json": {"what": "pass"}} if method == "POST" else {}
    return client.request(method, f"/api/tables/{table}{path.format(seat=seat)}", headers=headers, **body)  # type: ignore[arg-type]


def test_a_seat_is_closed_to_everybody_else(served: Served):
    anna, bert = served.person(), served.person()
    forged = f"renege_guest={anna.client.cookies['renege_guest'][:-3]}AAA"
    for door in DOORS:
        refused(knock(served.client(), anna.table, 0, door), 403)
        refused(knock(bert.client, anna.table, 0, door), 403)
        refused(knock(anna.client, anna.table, 1, door), 403)
        refused(knock(served.client(), anna.table, 0, door, cookie=forged), 403)


def test_a_token_opens_its_seat_and_no_other(served: Served):
    host = served.person(seats=["me", "open", "simple", "simple"])
    guest = served.client()
    token = guest.post(f"/api/tables/{host.table}/seats/1", json={}).json()["token"]
    elsewhere = served.person()
    program = served.client()
    for door in DOORS:
        refused(knock(program, host.table, 0, door, **{"x-seat-token": token}), 403)
        refused(knock(program, elsewhere.table, 1, door, **{"x-seat-token": token}), 403)
        refused(knock(program, host.table, 1, door, **{"x-seat-token": token[:-1]}), 403)
        refused(knock(program, host.table, 1, door, **{"x-seat-token": elsewhere.token}), 403)
    again = elsewhere.client.post("/api/tables", json={"game": "texas42"}).json()  # the same guest, another table
    for door in DOORS:
        refused(knock(program, again["table"], 0, door, **{"x-seat-token": elsewhere.token}), 403)
    for door in DOORS:  # a hint may have to wait for its turn
        assert knock(program, host.table, 1, door, **{"x-seat-token": token}).status_code in (200, 204, 409)
    refused(knock(program, host.table, 1, DOORS[0], **{"x-seat-token": token}), 403)


def test_a_page_from_elsewhere_changes_nothing(served: Served):
    person = served.person()
    sat, new = f"/api/tables/{person.table}/seats/1", {"game": "texas42"}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        refused(person.client.post("/api/tables", json=new, headers={"origin": origin}), 403, "--origin")
        refused(person.client.delete(f"/api/tables/{person.table}/seats/0", headers={"origin": origin}), 403)
        refused(person.client.post(sat, json={}, headers={"origin": origin}), 403)
    assert person.client.post("/api/tables", json={"game": "texas42"}, headers={"origin": served.url}).is_success
    assert person.get("").json()["mine"] == [0]


def test_a_name_that_was_pointed_here_gets_nothing(served: Served):
    for path in ("/api/games", "/", "/health"):
        refused(served.client().get(path, headers={"host": "rebound.example"}), 403, "--origin")


def test_an_origin_can_be_let_in(tmp_path: Path):
    with serve(Settings(data=tmp_path, origins=("https://cards.example.org",))) as running:
        asked = {"origin": "https://cards.example.org", "host": "cards.example.org"}
        assert running.client().post("/api/tables", json={"game": "texas42"}, headers=asked).is_success
