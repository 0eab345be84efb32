"""Cookies, tokens, the key behind them, and which pages may talk to a server."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from renege.server.http.guests import SECRET, Guests, find_secret, is_own_name, is_own_page

ours = Guests(b"a" * 32)


def test_a_cookie_names_its_guest_and_cannot_be_forged():
    cookie = ours.cookie("anna")
    assert ours.guest(cookie) == "anna"
    guest, _, signature = cookie.rpartition(".")
    changed = "A" if signature[0] != "A" else "B"
    for forged in (f"bert.{signature}", f"{guest}.{changed}{signature[1:]}", guest, "", ".", "anna.", "ä.ö", None):
        assert ours.guest(forged) is None
    assert Guests(b"b" * 32).guest(cookie) is None


def test_a_token_opens_one_seat_of_one_table():
    token = ours.token("abcdefghjk", 2, "anna")
    assert ours.bearer(token, "abcdefghjk", 2) == "anna"
    assert ours.bearer(token, "abcdefghjk", 1) is None
    assert ours.bearer(token, "zzzzzzzzzz", 2) is None
    assert Guests(b"b" * 32).bearer(token, "abcdefghjk", 2) is None
    for forged in (token[:-2], token[2:], "", ".", "[].x", None, ours.cookie("anna")):
        assert ours.bearer(forged, "abcdefghjk", 2) is None


def test_a_token_is_no_cookie():
    assert ours.guest(ours.token("abcdefghjk", 2, "anna")) is None


def test_the_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path):
    folder = tmp_path / "new" / "data"
    secret = find_secret(folder)
    assert len(secret) == 32
    assert find_secret(folder) == secret
    assert os.listdir(folder) == [SECRET]
    if os.name == "posix":
        assert stat.S_IMODE((folder / SECRET).stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="there are no modes")
def test_a_secret_that_others_can_read_is_closed_to_them(tmp_path: Path):
    find_secret(tmp_path)
    (tmp_path / SECRET).chmod(0o644)
    find_secret(tmp_path)
    assert stat.S_IMODE((tmp_path / SECRET).stat().st_mode) == 0o600


def test_servers_that_start_together_have_one_secret(tmp_path: Path):
    for trial in range(20):
        folder = tmp_path / str(trial)
        with ThreadPoolExecutor(8) as pool:
            found = set(pool.map(find_secret, [folder] * 8))
        assert len(found) == 1


def test_a_secret_is_made_where_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def link(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", link)
    secret = find_secret(tmp_path)
    assert len(secret) == 32 and find_secret(tmp_path) == secret
    assert os.listdir(tmp_path) == [SECRET]


def test_a_damaged_secret_is_told(tmp_path: Path):
    (tmp_path / SECRET).write_bytes(b"short")
    with pytest.raises(ValueError, match="damaged"):
        find_secret(tmp_path)


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        (None, "127.0.0.1:8042", True),
        ("http://127.0.0.1:8042", "127.0.0.1:8042", True),
        ("https://Cards.example.org", "cards.example.org", True),
        ("http://127.0.0.1:9999", "127.0.0.1:8042", False),
        ("http://evil.example", "127.0.0.1:8042", False),
        ("http://evil.example/127.0.0.1:8042", "127.0.0.1:8042", False),
        ("null", "127.0.0.1:8042", False),
        ("null", "", False),
        ("", "", False),
        ("http://[", "[", False),
        ("file://", "", False),
        ("http://127.0.0.1:8042", None, False),
        ("https://dev.example", "127.0.0.1:8042", True),
    ],
)
def test_pages_from_elsewhere_are_known(origin: str | None, host: str | None, own: bool):
    assert is_own_page(origin, host, ("https://dev.example",)) is own


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1:8042", True),
        ("localhost:8042", True),
        ("[::1]:8042", True),
        ("192.168.1.4", True),
        ("cards.example.org", True),
        ("rebound.example:8042", False),
        ("localhost.example", False),
        ("", False),
        (None, False),
        ("[", False),
    ],
)
def test_a_name_that_points_here_is_not_ours_for_that(host: str | None, own: bool):
    assert is_own_name(host, ("https://cards.example.org",)) is own
