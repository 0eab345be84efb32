"""Authentication: a guest by a signed cookie, a seat by its token, a page by its origin."""

import hashlib
import os
import secrets
from collections.abc import Collection
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadData, Signer, URLSafeSerializer

COOKIE = "renege_guest"
COOKIE_AGE = 365 * 24 * 3600
SECRET = "secret"
SECRET_BYTES = 32


class Guests:
    """Gives out cookies and tokens, and knows its own again."""

    def __init__(self, secret: bytes) -> None:
        self._cookies = Signer(secret, salt="renege.guest", key_derivation="hmac", digest_method=hashlib.sha256)
        self._marks = Signer(secret, salt="renege.network", key_derivation="hmac", digest_method=hashlib.sha256)
        strong = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        self._tokens = URLSafeSerializer(secret, salt="renege.seat", signer_kwargs=strong)
        self._recoveries = URLSafeSerializer(secret, salt="renege.recovery", signer_kwargs=strong)

    def new(self) -> str:
        return secrets.token_urlsafe(12)

    def cookie(self, guest: str) -> str:
        return self._cookies.sign(guest).decode("ascii")

    def guest(self, cookie: str | None) -> str | None:
        """Whose cookie it is; None if it is not one of ours."""
        try:
            return self._cookies.unsign(cookie or "").decode("ascii")
        except (BadData, UnicodeError):
            return None

    def mark(self, network: str) -> str:
        """What stands for a network in the database; nobody can tell the network by it."""
        return self._marks.sign(network).rpartition(b".")[2].decode("ascii")[:16]

    def token(self, table: str, seat: int, guest: str) -> str:
        """What opens this seat, as long as the guest sits there, and no other."""
        return str(self._tokens.dumps([table, seat, guest]))

    def bearer(self, token: str | None, table: str, seat: int) -> str | None:
        """The guest to whom this token of this very seat was given."""
        try:
            named: Any = self._tokens.loads(token or "")
        except (BadData, UnicodeError):
            return None
        return named[2] if named[:2] == [table, seat] else None

    def recovery(self, guest: str, secret: str) -> str:
        """What a recovery link holds, by which a browser becomes this guest."""
        return str(self._recoveries.dumps([guest, secret]))

    def recovered(self, link: str) -> tuple[str, str] | None:
        """The guest for whom a recovery link was made, and its secret; None if it is not one of ours."""
        try:
            guest, secret = self._recoveries.loads(link)
        except (BadData, UnicodeError):
            return None
        return guest, secret


def find_secret(folder: Path) -> bytes:
    """The key that signs, made once and readable by its owner alone."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / SECRET
    if not file.exists():
        _make_secret(folder, file)
    with suppress(OSError):  # somebody else's file that we may read
        file.chmod(0o600)
    secret = file.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"{file} is damaged: remove it, and every guest gets a new cookie")
    return secret


def put_secret(folder: Path, secret: bytes) -> None:
    """Take over the key of a server whose games are restored."""
    file = folder / SECRET
    if file.exists() and file.read_bytes() != secret:
        raise ValueError(f"{file} is the key of another server: restore with another folder, by --data")
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as new:
        new.write(secret)


def _make_secret(folder: Path, file: Path) -> None:
    """Write it under another name first: two servers that start together must not see half a key, or two."""
    draft = folder / f".{SECRET}.{secrets.token_hex(8)}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(secrets.token_bytes(SECRET_BYTES))
            new.flush()
            os.fsync(new.fileno())
        try:
            os.link(draft, file)
        except FileExistsError:
            pass  # somebody was first
        except OSError:  # a file system without links
            with suppress(FileExistsError):
                handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as new:
                    new.write(draft.read_bytes())
    finally:
        draft.unlink()


def is_own_page(origin: str | None, host: str | None, allowed: Collection[str] = ()) -> bool:
    """May a page loaded from there talk to us? A program says no origin, and may."""
    if origin is None or origin in allowed:
        return True
    try:
        page = urlsplit(origin)
    except ValueError:
        return False
    return page.scheme in ("http", "https") and host is not None and page.netloc.lower() == host.lower()


def is_own_name(host: str | None, allowed: Collection[str] = ()) -> bool:
    """Is this a name for a server that only this machine reaches?

    A stranger's page can let its own name point here; its origin then equals the host, but the name gives it away.
    """
    try:
        name = urlsplit(f"//{host or ''}").hostname or ""
        names = {urlsplit(origin).hostname for origin in allowed}
    except ValueError:
        return False
    if name == "localhost" or name.endswith(".localhost") or name in names:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
