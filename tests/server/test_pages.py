"""The page and its headers, the manual, and what whoever runs the server can count."""

import re
from pathlib import Path

from renege.server.http.settings import Settings
from support.served import NOBODY, Person, Served, refused, serve


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
