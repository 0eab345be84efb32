"""Fair deals at the table: promised before the first card, added to by seats, shown at the end, and never before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference import fair as literal
from renege.core.registry import find_game, parse_game_record
from renege.server.http.settings import Settings
from support.command import renege
from support.served import Person, Served, hear, refused, serve

COMMITTED = {"game": "texas42"}


@pytest.fixture(scope="module")
def dealing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that deals by chance, as servers do."""
    with serve(Settings(data=tmp_path_factory.mktemp("fair"))) as running:
        yield running


def promised(running: Served, **table: Any) -> str:
    answer = running.client().post("/api/promises", json={**COMMITTED, **table})
    assert answer.status_code == 201, answer.text
    return answer.json()["commitment"]


def drawn(person: Person, deal: int) -> dict[str, Any]:
    answer = person.get(f"/deals/{deal}/drawn")
    assert answer.status_code == 200, answer.text
    return answer.json()


def check(told: dict[str, Any], hands: list[list[str]]) -> None:
    """By the words of the document, with no code of ours."""
    assert literal.commitment(told["terms"], told["secret"]) == told["commitment"]
    salts = {int(seat): salt for seat, salt in told["salts"].items()}
    pack = literal.shuffled(told["terms"], told["secret"], salts)
    for hand in hands:
        assert sorted(pack[: len(hand)]) == sorted(hand)
        pack = pack[len(hand) :]


@pytest.mark.parametrize("game", ["texas42", "schafkopf"])
def test_a_deal_is_the_one_that_was_promised(dealing: Served, game: str):
    commitment = promised(dealing, game=game)
    person = dealing.person(game, promise=commitment, salt="my-own_text")
    heard = [message["state"] for message in person.play_out() if message["type"] == "moved"]
    first, last = heard[0], heard[-1]
    assert first["fair"]["commitment"] == last["fair"]["commitment"] == commitment
    assert first["fair"]["added"] == [0]
    told = drawn(person, 1)
    assert told["commitment"] == commitment
    assert told["salts"] == {"0": "my-own_text"}
    check(told, last["result"]["hands"])
    assert all(told["secret"] not in json.dumps(state) for state in heard)  # it is asked for when all is over


def test_the_next_deal_is_promised_with_the_one_before(dealing: Served):
    person = dealing.person()
    before = person.play_out()[-1]["state"]["fair"]
    with person.socket() as socket:
        state = hear(socket)["state"]
        socket.send(json.dumps({"type": "salt", "deal": 2, "salt": "abc"}))
        socket.send(json.dumps({"type": "salt", "deal": 7, "salt": "of-another-deal"}))
        socket.send(json.dumps({"type": "next", "at": state["number"]}))
        after = hear(socket)["state"]
    assert after["deal"] == 2
    assert after["fair"]["commitment"] == before["next"] != before["commitment"]
    assert after["fair"]["next"] not in (before["next"], before["commitment"])
    end = person.play_out()[-1]["state"]
    told = drawn(person, 2)
    assert told["salts"] == {"0": "abc"}
    assert told["commitment"] == before["next"]
    check(told, end["result"]["hands"])
    records = parse_game_record(person.get("/record").text)
    assert [deal.fair is not None for deal in records.deals] == [True, True]


def test_the_promise_outlives_the_server(tmp_path: Path):
    with serve(Settings(data=tmp_path)) as running:
        person = running.person()
        before = person.play_out()[-1]["state"]["fair"]
        cookie = person.cookie
    with serve(Settings(data=tmp_path)) as running, running.socket(person.table, cookie, seat=0) as socket:
        state = hear(socket)["state"]
        assert state["fair"] == before
        socket.send(json.dumps({"type": "next", "at": state["number"]}))
        assert hear(socket)["state"]["fair"]["commitment"] == before["next"]


def test_what_is_no_promise_is_refused(dealing: Served):
    client, commitment = dealing.client(), promised(dealing)
    for wrong in ("0" * 64, promised(dealing, rules={"all_pass": "force-30"})):
        refused(client.post("/api/tables", json={**COMMITTED, "promise": wrong}), 422, "ask for another")
    refused(client.post("/api/tables", json={**COMMITTED, "promise": "short"}), 422)
    refused(client.post("/api/tables", json={**COMMITTED, "promise": commitment, "salt": "two words"}), 422)
    assert client.post("/api/tables", json={**COMMITTED, "promise": commitment}).status_code == 201
    refused(client.post("/api/tables", json={**COMMITTED, "promise": commitment}), 422, "ask for another")


def test_nobody_is_told_the_secret_before_the_end(dealing: Served):
    person = dealing.person()
    refused(person.get("/deals/1/drawn"), 404)
    assert "secret" not in json.dumps(person.get("/state", seat=0).json())


def test_who_only_watches_adds_nothing(dealing: Served):
    person = dealing.person()
    with dealing.socket(person.table) as socket:
        hear(socket)
        socket.send(json.dumps({"type": "salt", "deal": 2, "salt": "abc"}))
        assert hear(socket)["why"]["code"] == "seat"


def test_deals_of_a_known_seed_promise_nothing(served: Served):
    assert promised(served) == ""
    person = served.person(salt="abc")
    assert person.play_out()[-1]["state"]["fair"] is None
    refused(person.get("/deals/1/drawn"), 409, "does not say")


# -- the command


@pytest.fixture(scope="module")
def record(dealing: Served) -> str:
    person = dealing.person(salt="abc")
    person.play_out()
    return person.get("/record").text


def test_a_record_is_verified(record: str):
    deal = parse_game_record(record).deals[0]
    assert deal.fair is not None
    commitment = deal.fair.commitment(find_game("texas42"))
    done = renege("verify", "-", text=record)
    assert (done.returncode, done.stdout) == (0, f"deal 1: the hands come of the secret; commitment {commitment}\n")
    done = renege("verify", "-", "--commitment", commitment, text=record)
    assert done.returncode == 0 and done.stdout.endswith(", as it was published\n")
    done = renege("verify", "-", "--commitment", "ab" * 32, text=record)
    assert done.returncode == 1 and done.stdout.endswith(", and another was published\n")
    done = renege("verify", "-", "--json", text=record)
    assert json.loads(done.stdout) == {
        "deals": [{"deal": 1, "commitment": commitment, "agrees": None}],
        "good": True,
    }


def test_a_changed_record_is_found_out(record: str):
    lines = record.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("0:"))
    mine, other = lines[place].split()[1], lines[place + 1].split()[1]
    lines[place] = lines[place].replace(mine, other)
    lines[place + 1] = lines[place + 1].replace(other, mine)
    done = renege("verify", "-", text="\n".join(lines))
    assert done.returncode == 2 and "by the secret seat 0 gets" in done.stderr
    other = record.replace("0:abc", "0:abd")
    assert renege("verify", "-", text=other).returncode == 2
    done = renege("verify", "-", text="\n".join(line for line in record.splitlines() if "drawn from" not in line))
    assert done.returncode == 1 and "does not say what it was drawn from" in done.stdout


@pytest.mark.parametrize(
    ("given", "says"), [(["xyz"], "64 hexadecimal digits"), (["ab" * 32, "cd" * 32], "2 are given")]
)
def test_what_is_no_commitment_is_refused(record: str, given: list[str], says: str):
    done = renege("verify", "-", *(part for one in given for part in ("--commitment", one)), text=record)
    assert done.returncode == 2 and says in done.stderr


@pytest.mark.parametrize("reach", [("--host", "0.0.0.0"), ("--origin", "https://cards.example.org")])
def test_a_known_seed_is_not_for_others(tmp_path: Path, reach: tuple[str, str]):
    done = renege("play", "--seed", 7, *reach, "--no-browser", "--data", tmp_path)
    assert done.returncode == 2 and "--known-deals" in done.stderr
