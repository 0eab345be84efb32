"""Is the server reached as it was told, and does nobody gain by saying where they come from?"""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from renege.server.http.rate_limits import Rate, ServerLimits
from renege.server.http.reach import Forwarded, outward_address, parse_origin, parse_proxy
from renege.server.http.settings import Settings
from support.served import Served, refused, serve

PUBLIC = "https://cards.example.org"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("https://cards.example.org/", PUBLIC),
        ("HTTPS://Cards.Example.org:443", PUBLIC),
        ("http://cards.example.org:8080", "http://cards.example.org:8080"),
        ("http://[2001:db8::7]:80", "http://[2001:db8::7]"),
        ("https://karten.münchen.example", "https://karten.münchen.example"),
    ],
)
def test_an_origin_is_read_as_browsers_write_it(said: str, meant: str) -> None:
    assert parse_origin(said) == meant


WRONG = {
    "--origin": [
        "notaurl", "cards.example.org", "ftp://cards.example.org", "https://", "https://a b.example", "https://x.example/cards",
        "https://me@x.example", "https://x.example?y", "https://x.example:99999", "https://[::1", "https://x..example",
    ],
    "--proxy": ["proxy.example", "300.1.1.1", "0.0.0.0/0", "::/0", "10.0.0.0/40", ""],
    "--host": ["no such host", "203.0.113.77"],
}  # fmt: skip


@pytest.mark.parametrize("said", WRONG["--origin"])
def test_what_is_no_origin_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="--origin"):
        parse_origin(said)


@pytest.mark.parametrize("said", WRONG["--proxy"])
def test_what_is_no_proxy_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="--proxy"):
        parse_proxy(said)


@pytest.mark.parametrize(
    ("option", "said"), [(option, values[0]) for option, values in WRONG.items()] + [("--host", WRONG["--host"][1])]
)
def test_a_server_that_is_told_nonsense_does_not_start(option: str, said: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "renege", "play", "--no-browser", "--data", str(tmp_path), option, said]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.startswith("renege: ") and ended.stderr.count("\n") == 1 and said in ended.stderr
    assert not ended.stdout


# -- with an origin


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory):
    with serve(Settings(data=tmp_path_factory.mktemp("public"), origins=(PUBLIC,))) as running:
        yield running


@pytest.mark.parametrize("host", ["cards.example.org", "127.0.0.1:8042"])  # as a proxy passes it on, or as some do not
def test_the_origin_alone_makes_links_and_cookies_right(public: Served, host: str) -> None:
    client, said = public.client(), {"host": host, "origin": PUBLIC}
    made = client.post("/api/tables", json={"game": "texas42"}, headers=said)
    assert made.status_code == 201
    assert made.json()["link"] == f"{PUBLIC}/t/{made.json()['table']}"
    assert "Secure" in made.headers["set-cookie"]
    invited = client.get(f"/api/tables/{made.json()['table']}/invitation", headers={"host": host}).json()
    assert invited == {"link": made.json()["link"], "local": False}


def test_other_names_get_nothing(public: Served) -> None:
    refused(public.client().get("/api/games", headers={"host": "rebound.example"}), 403, "--origin")
    refused(
        public.client().post("/api/tables", json={}, headers={"origin": "http://cards.example.org"}), 403, "--origin"
    )


def test_the_invitation_is_a_code_too(served: Served) -> None:
    person = served.person()
    assert person.get("/invitation").json() == {"link": f"{served.url}/t/{person.table}", "local": True}
    drawn = person.get("/invitation.svg")
    assert drawn.headers["content-type"] == "image/svg+xml" and drawn.text.startswith("<svg ")
    assert "<script" not in drawn.text and re.search("<path", drawn.text)


def test_others_are_not_sent_to_this_machine(tmp_path: Path) -> None:
    """On all addresses, without an origin: who made the table here invites to where others can go."""
    with serve(Settings(data=tmp_path, host="0.0.0.0")) as running:
        port = running.url.rpartition(":")[2]
        person = running.person()
        assert person.link == f"http://{outward_address('0.0.0.0')}:{port}/t/{person.table}"
        assert "127.0.0.1" not in person.link


# -- who is believed


async def asked_from(peer: str, headers: dict[str, str], proxies: tuple[str, ...]) -> tuple[str, str]:
    """The client and the scheme that the server sees."""
    seen: list[tuple[str, str]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append((scope["client"][0], scope["scheme"]))

    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "client": (peer, 5), "scheme": "http", "headers": raw}
    await Forwarded(app, proxies)(scope, nothing, unheard)
    return seen[0]


async def nothing() -> Message:
    return {"type": "http.disconnect"}


async def unheard(message: Message) -> None:
    raise AssertionError(f"nothing is answered here: {message}")


@pytest.mark.parametrize(
    ("peer", "header", "proxies", "client"),
    [
        ("127.0.0.1", "198.51.100.7", (), "127.0.0.1"),
        ("198.51.100.9", "198.51.100.7", ("127.0.0.1",), "198.51.100.9"),
        ("127.0.0.1", "198.51.100.7", ("127.0.0.1",), "198.51.100.7"),
        ("::ffff:127.0.0.1", "198.51.100.7", ("127.0.0.1",), "198.51.100.7"),
        ("127.0.0.1", "8.8.8.8, 198.51.100.7", ("127.0.0.1",), "198.51.100.7"),
        ("127.0.0.1", "8.8.8.8, 198.51.100.7, 10.0.0.5", ("127.0.0.1", "10.0.0.0/24"), "198.51.100.7"),
        ("127.0.0.1", "198.51.100.7:443", ("127.0.0.1",), "198.51.100.7"),
        ("127.0.0.1", "[2001:db8::7]:443", ("127.0.0.1",), "2001:db8::7"),
        ("127.0.0.1", "8.8.8.8, nonsense", ("127.0.0.1",), "127.0.0.1"),
        ("127.0.0.1", "", ("127.0.0.1",), "127.0.0.1"),
        ("127.0.0.1", "10.0.0.5, 10.0.0.6", ("127.0.0.1", "10.0.0.0/24"), "10.0.0.5"),
    ],
)
def test_only_the_named_proxy_says_who_asks(peer: str, header: str, proxies: tuple[str, ...], client: str) -> None:
    said = {"X-Forwarded-For": header, "X-Forwarded-Proto": "https"}
    believed = bool(proxies) and "127.0.0.1" in peer
    assert asyncio.run(asked_from(peer, said, proxies)) == (client, "https" if believed else "http")


def test_forged_addresses_have_no_tables_of_their_own(tmp_path: Path) -> None:
    """As many as one address may make, whatever it says; behind a proxy that is named, each client has its own."""
    limits = ServerLimits(tables=Rate(0.001, 3))

    def makes(client: httpx.Client, i: int) -> int:
        forged = {
            "x-forwarded-for": f"198.51.100.{i}",
            "forwarded": f"for=198.51.100.{i}",
            "x-real-ip": f"198.51.100.{i}",
        }
        return client.post("/api/tables", json={"game": "texas42"}, headers=forged).status_code

    for folder, proxies, made in (("one", (), [201] * 3 + [429] * 3), ("two", ("127.0.0.1/32",), [201] * 6)):
        with serve(Settings(data=tmp_path / folder, limits=limits, proxies=proxies)) as running:
            assert [makes(running.client(), i) for i in range(6)] == made


# -- what is shown at home alone


@pytest.mark.parametrize("path", ["/metrics", "/docs", "/openapi.json"])
def test_what_is_for_whoever_runs_it_stays_at_home(public: Served, path: str, tmp_path: Path) -> None:
    web = public.client()
    assert web.get(path).status_code == 200
    refused(web.get(path, headers={"host": "cards.example.org"}), 403, "machine of the server")  # a proxy, unnamed
    refused(web.get(path, headers={"x-forwarded-for": "127.0.0.1"}), 403)
    with serve(Settings(data=tmp_path, origins=(PUBLIC,), metrics=True, docs=True)) as running:
        assert running.client().get(path, headers={"host": "cards.example.org"}).status_code == 200


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with serve(Settings(data=tmp_path)) as running:
        with (
            pytest.raises(ValueError, match="another server plays with"),
            serve(Settings(data=tmp_path)),
        ):
            pass
        command = [sys.executable, "-m", "renege", "play", "--no-browser", "--data", str(tmp_path)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert ended.returncode == 2 and "another server plays" in ended.stderr and not ended.stdout
        assert running.client().get("/health").status_code == 200
    with serve(Settings(data=tmp_path)) as again:
        assert again.client().get("/health").status_code == 200
