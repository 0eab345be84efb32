"""Every address of the server, asked as a page, a program or a stranger would ask."""

import asyncio
import json
import os
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.routing import Route

from renege.games import GAMES, parse_game_record
from renege.table.events import Sat, write_event
from renege.table.limits import Limits, Rate
from renege.table.settings import Settings
from renege.table.store import Store
from renege.table.workers import PATIENCE
from served import Person, Served, serve

LANGUAGES = ("en", "de", "zh")
NOBODY = "aaaaaaaaaa"


def refused(answer: httpx.Response, status: int, says: str = "") -> None:
    """A status, and a sentence that shows nothing of the inside."""
    assert answer.status_code == status, answer.text
    detail = answer.json()["detail"]
    assert isinstance(detail, str) and detail
    assert says in detail
    assert "Traceback" not in answer.text and ".py" not in answer.text


@pytest.fixture(scope="session")
def played(served: Served) -> Person:
    """Somebody who has played a deal of Texas 42."""
    person = served.person(name="Anna")
    person.play_out()
    return person


# -- the games


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
            assert rule["default"] in values or (not values and rule["default"].isdigit())
            assert all(choice["text"] and choice["text"] != choice["value"] for choice in rule["choices"]), rule["name"]


def test_a_preset_is_what_its_game_says(served: Served):
    (card,) = [card for card in served.client().get("/api/games").json() if card["game"] == "texas42"]
    assert card["presets"]["default"] == {}
    assert card["presets"]["family"] == {"all_pass": "force-30"}


# -- tables and seats


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


def test_behind_https_the_cookie_is_for_https_alone(served: Served):
    proxied = {"x-forwarded-proto": "https"}
    made = served.client().post("/api/tables", json={"game": "texas42"}, headers=proxied)
    assert "Secure" in made.headers["set-cookie"]
    assert made.json()["link"].startswith("https://")


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
        ({"game": "texas42", "pace": -1}, "pace"),
        ({"game": "texas42", "hat": 1}, "hat"),
        ([], ""),
    ],
)
def test_a_table_that_cannot_be_made_is_refused_with_the_reason(served: Served, new: Any, says: str):
    refused(served.client().post("/api/tables", json=new), 422, says)


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


# -- who may


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


# -- what is not in its form


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("POST", "/api/tables", b"{", 422),
        ("POST", "/api/tables", b"", 422),
        ("POST", "/api/tables", b'{"game": "texas42", "name": "\xff\xfe"}', 400),
        ("POST", "/api/tables", b'{"game": "texas42", "name": "\\ud800"}', 422),
        ("POST", "/api/tables", b'{"game": "texas42", "\\ud800": 1}', 422),
        ("POST", "/api/tables", b'{"game": "texas42", "rules": {"\\udfff": "x"}}', 422),
        ("POST", "/api/tables", b'{"game": "texas42", "pace": 1' + b"0" * 5000 + b"}", 400),
        ("POST", "/api/tables", b"[" * 100_000, 400),
        ("POST", "/api/records", b'{"text": "\\u0000"}', 422),
        ("POST", "/api/records", b'{"text": "renege \\ud800"}', 422),
        ("POST", "/api/records", b'{"text": "what is this?"}', 422),
        ("POST", "/api/records", b'{"text": ""}', 422),
        ("GET", "/api/tables/%00%00%00%00%00%00%00", b"", 422),
        ("GET", "/api/tables/%ff%fe", b"", 422),
        ("GET", "/api/tables/..%2f..%2fetc", b"", 404),
        ("GET", f"/api/tables/{NOBODY}", b"", 404),
        ("GET", f"/api/tables/{NOBODY}/state", b"", 404),
        ("GET", "/api/tables/{played}/state?seat=4", b"", 422),
        ("GET", "/api/tables/{played}/deals/0", b"", 422),
        ("GET", "/api/tables/{played}/deals/-1", b"", 422),
        ("GET", f"/api/tables/{{played}}/deals/{'9' * 5000}", b"", 422),
        ("GET", "/api/tables/{played}/deals/1/belief?seat=0&step=-1", b"", 422),
        ("GET", "/api/tables/{played}/deals/1/belief?seat=0&step=1e3", b"", 422),
        ("GET", "/api/tables/{played}/deals/1/belief", b"", 422),
        ("GET", "/api/tables/{played}/seats/4/hint", b"", 422),
        ("GET", "/api/records/aaaaaaaaaaaaaaaa/deals/1", b"", 404),
        ("GET", "/api/games?lang=la", b"", 422),
        ("GET", "/api/nothing", b"", 404),
        ("PUT", "/api/tables", b"{}", 405),
        ("GET", "/%00", b"", 404),
        ("GET", "/assets/..%2f..%2fserver.py", b"", 404),
        ("GET", "/..%2fserver.py", b"", 404),
    ],
)
def test_nonsense_is_refused_in_a_sentence(played: Person, method: str, path: str, content: bytes, status: int):
    path = path.replace("{played}", played.table)
    headers = {"content-type": "application/json"} if method == "POST" else {}
    refused(played.served.client().request(method, path, content=content, headers=headers), status)


def test_what_is_too_long_is_not_read(served: Served):
    client, long = served.client(), b'{"text": "' + b"x" * 600_000 + b'"}'
    headers = {"content-type": "application/json"}
    refused(client.post("/api/records", content=long, headers=headers), 413, "512 kB")
    parts = (long[i : i + 50_000] for i in range(0, len(long), 50_000))  # so its length is not said before
    refused(client.post("/api/records", content=parts, headers=headers), 413, "512 kB")


def test_one_address_asks_at_a_rate(tmp_path: Path):
    with serve(Settings(data=tmp_path, limits=replace(Limits(), asks=Rate(0, 3)))) as running:
        answers = [running.client().get("/api/tables") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        refused(answers[-1], 429)
        assert running.client().get("/health").status_code == 200


def test_tables_and_records_are_made_at_a_rate(tmp_path: Path):
    few = replace(Limits(), tables=Rate(0, 2), records=Rate(0, 1))
    with serve(Settings(data=tmp_path, limits=few)) as running:
        made = [running.client().post("/api/tables", json={"game": "texas42"}) for _ in range(3)]
        assert [answer.status_code for answer in made] == [201, 201, 429]
        refused(made[-1], 429)
        pasted = [running.client().post("/api/records", json={"text": '{"ask": "version"}'}) for _ in range(2)]
        assert [answer.status_code for answer in pasted] == [200, 429]


# -- failures


def test_a_failure_shows_a_number_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with serve(Settings(data=tmp_path)) as running:

        async def fail(request: Request) -> None:
            raise RuntimeError("seat 2 holds HK HK and the secret")

        running.app.router.routes.insert(0, Route("/fail", fail))
        answer = running.client().get("/fail")
        refused(answer, 500, answer.headers["x-request-id"])
        assert "secret" not in answer.text
        logged = capsys.readouterr().out
        assert answer.headers["x-request-id"] in logged and "RuntimeError" in logged and "test_server.py" in logged
        assert "secret" not in logged and "HK" not in logged
        assert answer.headers["content-security-policy"]


def test_a_database_that_fails_is_told_by_health(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        client = running.client()
        table = running.person().table
        assert client.get("/health").json() == {"status": "ok"}
        with sqlite3.connect(tmp_path / "tables.sqlite") as database:
            database.execute("DROP TABLE events")
        database.close()
        refused(client.post("/api/tables", json={"game": "texas42"}), 503)
        refused(client.get("/health"), 503)  # though it can be read
        assert client.get(f"/api/tables/{table}").is_success  # what is in memory is still there


def test_a_database_that_is_well_again_is_told_by_health(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        client = running.client()
        with closing(sqlite3.connect(tmp_path / "tables.sqlite", isolation_level=None)) as database:
            database.execute("ALTER TABLE events RENAME TO lost")
            refused(client.post("/api/tables", json={"game": "texas42"}), 503)
            database.execute("ALTER TABLE lost RENAME TO events")
            database.execute("CREATE TRIGGER full BEFORE UPDATE ON alembic_version BEGIN SELECT RAISE(FAIL, ''); END")
            refused(client.get("/health"), 503)  # it can be read, but not written
            database.execute("DROP TRIGGER full")
        assert client.get("/health").status_code == 200


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed")
def test_a_database_whose_file_has_gone_is_told_by_health(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        (tmp_path / "tables.sqlite").unlink()
        refused(running.client().get("/health"), 503)


@pytest.mark.skipif(os.name != "posix", reason="such names are not allowed")
def test_a_folder_may_have_any_name(tmp_path: Path):
    folder = tmp_path / "a?b #c%20d"
    with serve(Settings(data=folder)) as running:
        assert running.person().table
    assert (folder / "tables.sqlite").exists() and os.listdir(tmp_path) == [folder.name]


# -- teaching


def test_a_seat_is_taught(served: Served):
    person = served.person()
    at = f"/api/tables/{person.table}/seats/0"
    check = person.client.post(f"{at}/check", json={"what": "30"}).json()
    assert check["legal"] is True and check["why"] is None
    check = person.client.post(f"{at}/check", json={"what": "29"}).json()
    assert check["legal"] is False and check["why"]["text"]
    first, second = (person.get("/seats/0/hint", step=step).json() for step in (1, 2))
    assert first["step"] == 1 and first["group"] and first["what"] == ""
    assert second["step"] == 2 and second["what"] in [
        call["what"] for call in person.get("/state", seat=0).json()["calls"]
    ]
    assert second["estimates"]
    belief = person.get("/seats/0/belief").json()
    assert belief["deals"] == str(399_072_960)  # 21 tiles in three hands of seven
    assert len(belief["cards"]) == 21
    refused(person.get("/seats/0/hint", step=3), 422)


def test_nothing_is_taught_before_the_deal(served: Served):
    person = served.person(seats=["me", "open", "open", "open"])
    for path in ("hint", "belief"):
        refused(person.get(f"/seats/0/{path}"), 409)


def test_one_who_asks_too_much_is_sent_away(tmp_path: Path):
    with serve(Settings(data=tmp_path, limits=replace(Limits(), waiting=1))) as running:
        person, other = running.person(), running.person()
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(person.get, "/seats/0/hint", step=2) for _ in range(6)]
            patient = pool.submit(other.get, "/seats/0/belief")
            statuses = sorted(answer.result().status_code for answer in asked)
            assert patient.result().status_code == 200
        assert statuses == [200, 200, 429, 429, 429, 429]


# -- looking back


def test_a_finished_deal_is_looked_at_again(served: Served, played: Person):
    stranger = served.client()
    at = f"/api/tables/{played.table}/deals/1"
    deal = stranger.get(at).json()
    assert deal["game"] == "texas42" and deal["deal"] == 1 and deal["names"][0] == "Anna" and deal["result"]
    assert [len(hand) for hand in deal["steps"][0]["hands"]] == [7, 7, 7, 7]
    record = stranger.get(f"{at}/record")
    assert record.headers["content-type"].startswith("text/plain")
    assert record.text == deal["record"]
    assert stranger.get(f"/api/tables/{played.table}/record").text.count("\ndeal ") == 1
    (read,) = parse_game_record(record.text).deals
    assert len(read.acts) == len(deal["steps"]) - 1
    belief = stranger.get(f"{at}/belief", params={"seat": 2, "step": 5}).json()
    assert belief["seat"] == 2 and belief["cards"]
    refused(stranger.get(f"{at}/belief", params={"seat": 2, "step": 999}), 404, "999")
    refused(stranger.get(f"/api/tables/{played.table}/deals/2"), 404)
    for path in ("record", "review", "belief?seat=0&step=0"):
        refused(stranger.get(f"/api/tables/{played.table}/deals/2/{path}"), 404)


def test_a_deal_that_is_played_is_not_shown(served: Served):
    person = served.person()
    for path in ("/deals/1", "/deals/1/record", "/deals/1/review", "/deals/1/belief", "/record"):
        refused(person.get(path, seat=1, step=0), 404)


def test_a_review_comes_line_by_line_and_is_kept(served: Served, played: Person):
    at = f"/api/tables/{played.table}/deals/1"
    acts = len(served.client().get(at).json()["steps"]) - 1
    with served.client().stream("GET", f"{at}/review") as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/x-ndjson"
        assert "content-encoding" not in answer.headers
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert [line["number"] for line in lines] == list(range(acts))
    assert any(line["cost"] is not None for line in lines)
    again = [json.loads(line) for line in served.client().get(f"{at}/review").text.splitlines()]
    assert again == lines


def test_who_leaves_a_review_keeps_nobody_waiting(served: Served, played: Person):
    at = f"/api/tables/{played.table}/deals/1/review"
    with served.client().stream("GET", at, params={"lang": "de"}) as answer:
        assert next(answer.iter_lines())
    assert served.client().get(at, params={"lang": "zh"}).status_code == 200


def test_a_review_whose_worker_is_lost_says_so(served: Served, played: Person):
    at, worker = f"/api/tables/{played.table}/deals/1/review?lang=de", served.app.state.room.reviews._worker
    with served.client().stream("GET", at) as answer:
        lines = answer.iter_lines()
        assert json.loads(next(lines))["number"] == 0
        for process in list(worker._lanes["long"]._workers):
            process.end()
        *_, last = [json.loads(line) for line in lines]
    assert "abgebrochen" in last["detail"]
    assert served.client().get(at).status_code == 200


def test_what_takes_too_long_to_work_out_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PATIENCE, "paste", 0.0)
    with serve(Settings(data=tmp_path)) as running:
        refused(running.client().post("/api/records", json={"text": '{"ask": "version"}'}), 503, "paste less of it")


def test_what_is_pasted_is_recognised(served: Served, played: Person):
    client = served.client()
    record = played.get("/record").text
    found = client.post("/api/records", json={"text": record}).json()
    assert found["kind"] == "record" and found["deals"] == 1
    assert client.post("/api/records", json={"text": record}).json() == found
    at = f"/api/records/{found['record']}/deals/1"
    deal = client.get(at).json()
    assert deal["record"] == client.get(f"{at}/record").text
    assert parse_game_record(deal["record"]).deals == parse_game_record(record).deals
    assert client.get(f"{at}/belief", params={"seat": 1, "step": 3}).json()["cards"]
    assert len(client.get(f"{at}/review").text.splitlines()) == len(deal["steps"]) - 1
    refused(client.get(f"/api/records/{found['record']}/deals/2"), 404)
    asked = client.post("/api/records", json={"text": '{"ask": "version"}\n{"ask": "weather"}'}).json()
    assert asked["kind"] == "protocol" and len(asked["answers"]) == 2
    refused(client.post("/api/records", json={"text": "renege record 1\ngame texas42 version 1"}), 422)


# -- the page, and whoever runs it


def test_every_answer_has_its_headers(served: Served):
    for path in ("/", "/api/games", f"/api/tables/{NOBODY}", "/docs", "/metrics"):
        headers = served.client().get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert re.fullmatch("[0-9a-f]{12}", headers["x-request-id"])


def test_only_a_deal_to_look_at_may_stand_in_the_page_of_another(served: Served):
    for path, may in (
        ("/t/abcdefghjk/1/0?embed=1", True),
        ("/t/abcdefghjk/1/0", False),
        ("/t/abcdefghjk?embed=1", False),
        ("/t/abcdefghjk/1/0?unembed=1", False),
        ("/t/abcdefghjk/1/0?embed=11", False),
        ("/t/abcdefghjk//?embed=1", False),
    ):
        policy = served.client().get(path).headers["content-security-policy"]
        assert ("frame-ancestors *" in policy) is may


def test_trouble_is_told_in_the_language_that_was_asked_for(served: Served):
    said = {
        lang: served.client().get(f"/api/tables/{NOBODY}?lang={lang}").json()["detail"] for lang in ("en", "de", "zh")
    }
    assert len(set(said.values())) == 3
    said = {lang: served.client().get(f"/api/nowhere?lang={lang}").json()["detail"] for lang in ("en", "de", "zh")}
    assert len(set(said.values())) == 3


def test_the_page_is_served_at_each_address(tmp_path: Path, page: Path):
    with serve(Settings(data=tmp_path / "data", static=page)) as running:
        client = running.client()
        for path in ("/", "/?game=tractor", "/paste", "/t/abcdefghjk", "/t/abcdefghjk/1/12", "/r/abcd/1/0"):
            answer = client.get(path)
            assert answer.status_code == 200 and "<title>Renege</title>" in answer.text
            assert answer.headers["content-type"].startswith("text/html")
        script = client.get("/assets/app.js")
        assert "javascript" in script.headers["content-type"]
        assert script.headers["content-encoding"] == "gzip"
        assert script.headers["cache-control"] == "no-cache"
        again = client.get("/assets/app.js", headers={"if-none-match": script.headers["etag"]})
        assert again.status_code == 304
        assert client.get("/icon.svg").headers["content-type"].startswith("image/svg+xml")
        assert client.head("/").status_code == 200
        refused(client.get("/nothing.svg"), 404)
        for path in ("/nothing", "/nothing/at/all"):  # whoever reads pages is told by the page
            answer = client.get(path, headers={"accept": "text/html,*/*;q=0.8"})
            assert answer.status_code == 404 and "<title>Renege</title>" in answer.text
        refused(client.get("/api/nothing", headers={"accept": "text/html"}), 404)


def test_where_the_page_is_not_built_that_is_said(tmp_path: Path):
    with serve(Settings(data=tmp_path, static=tmp_path / "none")) as running:
        answer = running.client().get("/")
        assert "make web" in answer.text and answer.headers["content-type"].startswith("text/plain")


def test_the_manual_has_every_address_and_message(served: Served):
    client = served.client()
    schema = client.get("/openapi.json").json()
    assert set(schema["components"]["schemas"]) >= {"FromPage", "ToPage", "Moved", "Refused", "NewTable", "Trouble"}
    told = client.get("/docs").text
    assert all(path in told for path in schema["paths"])
    assert all(f'id="{name}"' in told for name in schema["components"]["schemas"])
    assert "<script" not in told
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                if status.startswith(("4", "5")):
                    told = answer["content"]["application/json"]["schema"]["$ref"]
                    assert told.endswith("/Trouble"), (method, path, status)


def test_what_happens_is_counted(served: Served, played: Person):
    text = served.client().get("/metrics").text
    assert float(re.findall(r'renege_acts_total\{game="texas42",outcome="done"\} (\S+)', text)[0]) >= 4
    assert float(re.findall(r"\nrenege_act_seconds_count (\S+)", text)[0]) >= 4
    assert float(re.findall(r"\nrenege_tables (\S+)", text)[0]) >= 1
    assert float(re.findall(r'renege_bot_seconds_count\{level="simple"\} (\S+)', text)[0]) >= 7
    assert 'renege_requests_total{route="/api/tables",status="201"}' in text
    assert "renege_loop_lag_seconds_count" in text
    assert played.table not in text and "Anna" not in text
