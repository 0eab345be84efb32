"""The commands `renege table ...`: what the server keeps, backed up, restored and cleared of what has expired."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from renege.cli.main import group, plain_errors
from renege.core.notation import NotationError

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from renege.server.http.settings import Settings

DataOption = Annotated[Path | None, Option(metavar="DIR", help="folder of the server's data, as for renege play")]
DatabaseOption = Annotated[str, Option(metavar="URL", help="its PostgreSQL database, where it has one")]


@contextmanager
def _opened(data: Path | None, database: str, *, new: bool = False) -> "Generator[tuple[Engine, Settings], None, None]":
    """The database of a server; `new` may be made, else there has to be one."""
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from renege.server.http.settings import Settings, data_folder
        from renege.server.store.schema import open_database
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "renege":
            raise
        raise NotationError("the table in the browser needs more packages: pip install 'renege[web]'") from None
    settings = Settings(data_folder() if data is None else data, database)
    if not database and not new and not settings.file.is_file():
        raise NotationError(f"there are no games in {settings.data}: name the folder of the server by --data")
    if new:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        engine = open_database(settings.database_url)
        try:
            yield engine, settings
        finally:
            engine.dispose()
    except SQLAlchemyError as wrong:
        raise NotationError(f"the database does not answer: {getattr(wrong, 'orig', None) or wrong}") from None


def backup(
    file: Annotated[Path, Argument(metavar="FILE", help="where to write it; .gz is compressed")],
    data: DataOption = None,
    database: DatabaseOption = "",
) -> None:
    """Write all games to a file, also while the server plays.

    The file holds all hands and the key of the server: keep it as you keep the server's data.
    """
    with _opened(data, database) as (engine, settings):
        from renege.server.http.guests import find_secret
        from renege.server.store.backup import write_backup

        contents = write_backup(engine, find_secret(settings.data), file)
    print(f"{file}: {contents}, {_size(file.stat().st_size)}")


def restore(
    file: Annotated[Path, Argument(metavar="FILE", help="a file that renege table backup has written")],
    data: DataOption = None,
    database: DatabaseOption = "",
) -> None:
    """Put the games of a backup into an empty folder or database; the server that plays there is started afterwards."""
    with _opened(data, database, new=True) as (engine, settings):
        from renege.server.http.guests import put_secret
        from renege.server.store.backup import read_backup
        from renege.server.store.lock import locked

        with locked(settings.database_url):
            contents = read_backup(file, engine, lambda secret: put_secret(settings.data, secret))
    print(f"restored {contents}")


def prune(
    data: DataOption = None,
    database: DatabaseOption = "",
    table_days: Annotated[
        float, Option(min=0, help="delete tables without a finished deal that nobody has touched for so long")
    ] = 30.0,
    record_days: Annotated[
        float, Option(min=0, help="delete pasted records that nobody has looked at for so long")
    ] = 90.0,
    dry_run: Annotated[bool, Option("--dry-run", help="delete nothing, only say what would go")] = False,
) -> None:
    """Delete what has expired, and show how much is kept. The server does the same every hour.

    A table in which a deal was finished stays until the people who sat there delete it.
    """
    with _opened(data, database) as (engine, _):
        from renege.server.store import housekeeping
        from renege.server.tables.registry import is_played

        gone = housekeeping.prune(engine, is_played, table_days=table_days, record_days=record_days, dry_run=dry_run)
        if not dry_run and (gone.tables or gone.records):
            housekeeping.shrink(engine)
        kept = housekeeping.usage(engine)
    print(
        f"{'would delete' if dry_run else 'deleted'}: {gone.tables} tables with {gone.events} events "
        f"({_size(gone.event_bytes)}), {gone.records} pasted records ({_size(gone.record_bytes)})"
    )
    print(
        f"kept: {kept.tables} tables with {kept.events} events ({_size(kept.event_bytes)}), {kept.records} pasted "
        f"records ({_size(kept.record_bytes)}); {_size(kept.disk)} on disk"
    )


def _size(count: int) -> str:
    """Bytes, in a unit that is easily read."""
    for unit, bytes_ in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= bytes_:
            return f"{count / bytes_:.1f} {unit}"
    return f"{count} bytes"


table = group("Back up the games of the table in the browser, restore them, and delete what has expired.")
for command in (backup, restore, prune):
    table.command(command.__name__)(plain_errors()(command))
