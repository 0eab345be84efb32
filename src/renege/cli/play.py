"""The command `renege play`: the table in a browser, or a game in the terminal."""

import secrets
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from renege.cli.arguments import choices
from renege.cli.terminal import Session
from renege.core.house_rules import read_rules
from renege.core.notation import NotationError
from renege.core.registry import GAMES, NICKNAMES


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def play(
    game: Annotated[
        str | None, Argument(metavar="[GAME]", help=f"open the page ready for one of: {' '.join(GAMES)}")
    ] = None,
    host: Annotated[str, Option(help="address to listen on; 0.0.0.0 lets others on your network join")] = "127.0.0.1",
    port: Annotated[
        int | None, Option(min=0, max=65535, help="port to listen on (default: 8042 or the next free one)")
    ] = None,
    data: Annotated[Path | None, Option(metavar="DIR", help="folder for the games and the server's key")] = None,
    database: Annotated[str, Option(metavar="URL", help="store the games in this PostgreSQL database instead")] = "",
    origin: Annotated[
        list[str] | None,
        Option(metavar="URL", help="public address of the page, https://cards.example.org; may be repeated"),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        Option(metavar="ADDRESS", help="believe what this proxy says about who asks; may be repeated"),
    ] = None,
    metrics: Annotated[bool, Option("--metrics", help="show /metrics to others than this machine")] = False,
    docs: Annotated[bool, Option("--docs", help="show /docs and /openapi.json to others than this machine")] = False,
    no_browser: Annotated[bool, Option("--no-browser", help="do not open a browser")] = False,
    seed: Annotated[int | None, Option(help="seed of the deals: who knows it knows all hands")] = None,
    known_deals: Annotated[
        bool, Option("--known-deals", help="let others join although --seed gives all hands away")
    ] = False,
    log: Annotated[LogLevel, Option(help="log level, on standard error")] = LogLevel.WARNING,
    in_terminal: Annotated[
        bool, Option("--terminal", help="play in the terminal, without a browser (default game: texas42)")
    ] = False,
    preset: Annotated[str | None, Option(help="rule preset, with --terminal; see renege rules")] = None,
    rules: Annotated[
        list[str] | None,
        Option("--rules", metavar="NAME=CHOICE", help="set a house rule, with --terminal; may be repeated"),
    ] = None,
    save: Annotated[
        Path | None, Option(metavar="FILE", help="with --terminal: write the record of the game to this file")
    ] = None,
) -> None:
    """Play Tractor, Texas 42 or Schafkopf in the browser, with bots or with others by a link.

    House rules are chosen on the page; renege rules GAME lists them. Ctrl-C ends the server, and every game is kept.

    \b
    Examples:
      renege play
      renege play tractor
      renege play --host 0.0.0.0 --port 8042 --no-browser
      renege play --origin https://cards.example.org --proxy 127.0.0.1 --no-browser
      renege play --terminal --seed 7 --preset tournament --save game.txt
    """
    named = None if game is None else NICKNAMES.get(game, game)
    if named is not None and named not in GAMES:
        raise NotationError(f"unknown game {game!r}; known: {' '.join(GAMES)}")
    if in_terminal:
        package, preset = GAMES[named or next(iter(GAMES))], preset or "default"
        if preset not in package.PRESETS:
            raise NotationError(f"{preset!r} is no preset: {' '.join(package.PRESETS)}")
        table = package.game(read_rules(package.PRESETS[preset], choices(rules)))
        raise typer.Exit(Session(table, secrets.randbelow(1_000_000) if seed is None else seed, save).run())
    for option, given in (("--preset", preset), ("--rules", rules), ("--save", save)):
        if given is not None:
            raise NotationError(f"{option} is for --terminal; in the browser the page asks for it")
    try:
        from renege.server.http.launch import serve
        from renege.server.http.reach import parse_origin, parse_proxy
        from renege.server.http.settings import Settings, data_folder
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "renege":
            raise
        raise NotationError("the table in the browser needs more packages: pip install 'renege[web]'") from None
    folder = data_folder() if data is None else data
    settings = Settings(
        folder,
        database,
        host,
        tuple(map(parse_origin, origin or ())),
        seed,
        proxies=tuple(map(parse_proxy, proxy or ())),
        metrics=metrics,
        docs=docs,
    )
    if seed is not None and not known_deals and (origin or not settings.is_local):
        raise NotationError(
            "--seed gives every hand away to who knows it, and others can reach this table; add --known-deals if they "
            "are to know"
        )
    serve(settings, port, named or "", not no_browser, log.value)
