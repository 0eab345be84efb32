"""Whatever is sent to the server, it answers in its form: no 500, and nothing that does not end."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from renege.server.http.rate_limits import Rate, ServerLimits
from renege.server.http.settings import Settings
from support.mutations import mutated, mutated_json
from support.served import NOBODY, Person, Served, serve
from support.steering import SOAK

DATA = Path(__file__).parents[1] / "data"
CASES = 150
MOST = Rate(1e6, 1e6)
OPEN = ServerLimits(messages=MOST, asks=MOST, connects=MOST, tables=MOST, records=MOST)
GOLDEN = [file.read_text("utf-8") for file in sorted((DATA / "golden").glob("*-[1-3s]*.txt"))]
FOREIGN = [file.read_text("utf-8") for file in sorted((DATA / "read").iterdir())]
LINES = [
    json.dumps(json.loads(line)["q"])
    for file in sorted((DATA / "answers").glob("*_ask.jsonl"))
    for line in file.read_text("utf-8").splitlines()
]
NEW: list[Any] = [
    {
        "game": "texas42",
        "name": "Zoë",
        "seats": ["me", "simple", "strong", "open"],
        "rules": {"target": "7"},
        "pace": 9,
    },
    {"game": "tractor", "preset": "default", "rules": {"stopped_throw": "refused"}, "pace": 5000},
    {"game": "schafkopf", "rules": {"extra": "10", "geier": "no"}, "seats": ["simple", "simple", "simple", "me"]},
]
WHAT = ("pass", "30", "6-4", "1 mark", "show S2", "bury S2 S3", "HA HA", "rufspiel E", "SK of SA SK", "6-4 as 4")
QUERIES = ("lang=de", "seat=0", "step=1", "seat=3&step=40", "lang=la", "after=1", "seat=-1", "step=2", "lang=zh&step=0")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(Settings(data=tmp_path_factory.mktemp("fuzz"), limits=OPEN, seed=7)) as server:
        yield server


@dataclass(frozen=True)
class Sent:
    """One request."""

    method: str
    path: str
    body: bytes = b""

    def to(self, client: httpx.Client) -> httpx.Response:
        kind = {"content-type": "application/json"} if self.method == "POST" else {}
        return client.request(self.method, self.path, content=self.body, headers=kind)


def some_request(rng: random.Random, table: str, record: str) -> Sent:
    base = f"/api/tables/{rng.choice((table, table, table, NOBODY, rng.choice(WHAT)))}"
    way = rng.randrange(6)
    if way < 4:
        return (_new, _sit, _check, _paste)[way](rng, base)
    deal = rng.choice((f"{base}/deals/1", f"/api/records/{record}/deals/{rng.randint(0, 3)}"))
    here = [base + end for end in ("", "/state", "/record", "/seats/0/hint", "/seats/0/belief", "/deals/1")]
    there = [deal + end for end in ("", "/record", "/belief")]
    return Sent("GET", _path(rng, rng.choice((*here, *there, "/api/games"))))


def _path(rng: random.Random, path: str) -> str:
    """An address with something wrong in it, or in what is asked."""
    if rng.random() < 0.3:
        path = f"/api/{mutated(rng, path.removeprefix('/api/'), QUERIES)[:2000]}"
    asked = rng.choice(QUERIES)
    asked = mutated(rng, asked, QUERIES)[:2000] if rng.random() < 0.6 else asked
    return f"{quote(path, safe='/%', errors='replace')}?{quote(asked, safe='=&%', errors='replace')}"


def _json(rng: random.Random, value: Any, others: list[Any]) -> bytes:
    if rng.random() < 0.75:
        return json.dumps(mutated_json(rng, value, others)).encode()
    return mutated(rng, json.dumps(value), [json.dumps(other) for other in others]).encode("utf-8", "replace")


def _new(rng: random.Random, base: str) -> Sent:
    return Sent("POST", "/api/tables", _json(rng, rng.choice(NEW), NEW))


def _sit(rng: random.Random, base: str) -> Sent:
    return Sent("POST", f"{base}/seats/{rng.randint(0, 4)}", _json(rng, {"name": "Bert"}, NEW))


def _check(rng: random.Random, base: str) -> Sent:
    return Sent("POST", f"{base}/seats/0/check", _json(rng, {"what": mutated(rng, rng.choice(WHAT), WHAT)}, NEW))


def _paste(rng: random.Random, base: str) -> Sent:
    seeds = rng.choice((GOLDEN, FOREIGN, LINES))
    text = mutated(rng, rng.choice(seeds), seeds)
    return Sent("POST", "/api/records", _json(rng, {"text": text}, NEW) if rng.random() < 0.2 else _text(text))


def _text(text: str) -> bytes:
    return json.dumps({"text": text}).encode()


def test_nothing_that_is_sent_brings_a_500(running: Served):
    person: Person = running.person("tractor", pace=5000)
    pasted = person.client.post("/api/records", json={"text": GOLDEN[0]})
    record = pasted.json()["record"]
    seen: set[int] = set()
    for number in range(CASES * SOAK):
        rng = random.Random(f"http {number}")
        sent = some_request(rng, person.table, record)
        answer = sent.to(person.client)
        told = f"case {number}: {answer.status_code} {answer.text[:300]}\ngiven: {sent!r}"
        assert answer.status_code < 500 or answer.status_code == 503, told
        if answer.status_code >= 400 and answer.headers["content-type"] == "application/json":
            assert answer.json()["detail"], told
        seen.add(answer.status_code)
    assert {200, 201, 404, 422} <= seen
    assert person.client.get("/health").status_code == 200
