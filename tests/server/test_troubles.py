"""What the server says when it is asked nonsense, asked too much, or fails itself."""

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.routing import Route

from renege.server.http.rate_limits import Rate, ServerLimits
from renege.server.http.settings import Settings
from support.served import NOBODY, Person, Served, refused, serve


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
        ("POST", "/api/records", b'{"text": "' + b"<a>" * 130_000 + b'"}', 422),
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
    with serve(Settings(data=tmp_path, limits=replace(ServerLimits(), asks=Rate(0, 3)))) as running:
        answers = [running.client().get("/api/tables") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        refused(answers[-1], 429)
        assert running.client().get("/health").status_code == 200


def test_tables_and_records_are_made_at_a_rate(tmp_path: Path):
    few = replace(ServerLimits(), tables=Rate(0, 2), records=Rate(0, 1))
    with serve(Settings(data=tmp_path, limits=few)) as running:
        made = [running.client().post("/api/tables", json={"game": "texas42"}) for _ in range(3)]
        assert [answer.status_code for answer in made] == [201, 201, 429]
        refused(made[-1], 429)
        pasted = [running.client().post("/api/records", json={"text": '{"ask": "version"}'}) for _ in range(2)]
        assert [answer.status_code for answer in pasted] == [200, 429]


def test_trouble_is_told_in_the_language_that_was_asked_for(served: Served):
    said = {
        lang: served.client().get(f"/api/tables/{NOBODY}?lang={lang}").json()["detail"] for lang in ("en", "de", "zh")
    }
    assert len(set(said.values())) == 3
    said = {lang: served.client().get(f"/api/nowhere?lang={lang}").json()["detail"] for lang in ("en", "de", "zh")}
    assert len(set(said.values())) == 3


def test_a_failure_shows_a_number_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with serve(Settings(data=tmp_path)) as running:

        async def fail(request: Request) -> None:
            raise RuntimeError("seat 2 holds HK HK and the secret")

        running.app.router.routes.insert(0, Route("/fail", fail))
        answer = running.client().get("/fail")
        refused(answer, 500, answer.headers["x-request-id"])
        assert "secret" not in answer.text
        logged = capsys.readouterr().out
        assert answer.headers["x-request-id"] in logged and "RuntimeError" in logged and Path(__file__).name in logged
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
            database.execute("ALTER TABLE events RENAME COLUMN body TO lost")
            refused(client.post("/api/tables", json={"game": "texas42"}), 503)
            database.execute("ALTER TABLE events RENAME COLUMN lost TO body")
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
