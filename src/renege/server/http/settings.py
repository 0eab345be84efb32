"""Settings of a server."""

from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_data_dir
from sqlalchemy import URL

from renege.server.http.pages import STATIC
from renege.server.http.rate_limits import ServerLimits

DATABASE = "tables.sqlite"


def data_folder() -> Path:
    """Where this user's programs keep what they must not lose."""
    return Path(user_data_dir("renege", appauthor=False))


@dataclass(frozen=True, slots=True)
class Settings:
    """A server: where its data is, who may talk to it, and how much."""

    data: Path = field(default_factory=data_folder)
    database: str = ""  # a URL; SQLite in the data folder if it is empty
    host: str = "127.0.0.1"
    origins: tuple[str, ...] = ()  # its public addresses, `https://cards.example.org`; links go by the first
    seed: int | None = None  # deal the same cards again
    static: Path = STATIC
    limits: ServerLimits = field(default_factory=ServerLimits)
    proxies: tuple[str, ...] = ()  # whose word on where a request comes from is believed
    metrics: bool = False  # show /metrics to others than this machine
    docs: bool = False  # show /docs and /openapi.json to them

    @property
    def is_local(self) -> bool:
        """Can only this machine reach it?"""
        return self.host in ("localhost", "::1") or self.host.startswith("127.")

    @property
    def database_url(self) -> str | URL:
        return self.database or URL.create("sqlite", database=str(self.file))

    @property
    def file(self) -> Path:
        """Of SQLite, where no other database is named."""
        return (self.data / DATABASE).absolute()
