"""Teaching and looking back over HTTP: lessons, finished deals, reviews, records and what is pasted."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from renege.core.registry import parse_game_record
from renege.server.http.rate_limits import ServerLimits
from renege.server.http.settings import Settings
from renege.server.workers.pool import PATIENCE
from support.served import Person, Served, refused, serve


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
    with serve(Settings(data=tmp_path, limits=replace(ServerLimits(), waiting=1))) as running:
        person, other = running.person(), running.person()
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(person.get, "/seats/0/hint", step=2) for _ in range(6)]
            patient = pool.submit(other.get, "/seats/0/belief")
            statuses = sorted(answer.result().status_code for answer in asked)
            assert patient.result().status_code == 200
        assert statuses == [200, 200, 429, 429, 429, 429]


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
    at, worker = f"/api/tables/{played.table}/deals/1/review?lang=de", served.app.state.server.reviews._worker
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
