"""How strong are the players? Makes every table of docs/strength.md, each by itself or all of them.

    python bench/strength.py --logs FOLDER                        every table
    python bench/strength.py --logs FOLDER --only 42:net          one table; `42:` all of a game, `:null` one of each
    python bench/strength.py --logs FOLDER --pairs-share 0.1      a short version, which says so
    python bench/strength.py --list

A match that has been played, or begun, is taken up from its log, so this may be stopped and started again, and a short
version goes on to the whole one. Searchers with a limit in milliseconds need the machine for themselves. The page keeps
the tables that are not made anew. An exploiter is trained first (five minutes, on a GPU if there is one) unless
`--exploiters` has it: `FOLDER/GAME.net`.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

BENCH = Path(__file__).parent
PAGE = BENCH.parent / "docs" / "strength.md"
MARK = "<!-- written by bench/strength.py from here on -->"
GAMES = {"42": "Texas 42", "tractor": "Tractor", "schafkopf": "Schafkopf"}
NAMES = {"42": "texas42"}  # where a game's files are not called by its nickname
PLAYED_FOR = {
    "42": "Marks a hand, made or set, the auction included; each hand starts at 0-0.",
    "tractor": "Levels that one side gains more than the other in a round, both starting at 2, the bank given in turn.",
    "schafkopf": "Cents a deal that the two seats of an agent win together; Rufspiel 20, solo 50, extras 10 each.",
}
FEWEST = 30  # pairs of a match in a short version


@dataclass(frozen=True)
class Match:
    game: str
    a: str
    b: str  # empty for a match against itself
    pairs: int
    extra: tuple[str, ...] = ()

    @property
    def arguments(self) -> list[str]:
        agents = [self.a, self.b] if self.b else [self.a, "--null"]
        return ["arena", self.game, *agents, "--pairs", str(self.pairs), *self.extra]

    @property
    def name(self) -> str:
        words = [self.game, self.a, self.b or "null", *self.extra]
        return re.sub(r"[^a-z0-9.]+", "-", "-".join(word.strip("-") for word in words).lower()).strip("-")


Found = list[tuple[Match, dict[str, Any]]]


@dataclass(frozen=True)
class Table:
    """A table of the page: the matches that it needs, and how it is written."""

    game: str
    name: str
    title: str
    matches: tuple[Match, ...]
    write: Callable[[Found], list[str]]

    @property
    def key(self) -> str:
        return f"{self.game}:{self.name}"


# -- which matches


NET, SEARCH = "net", "searcher:net,50ms"
EXPLOITER = "EXPLOITER"  # in place of its file, which `--exploiters` or the training names
OTHERS = {
    "42": (("rulebook", "random"), ("searcher:30w", "searcher:10w"), ("searcher:50ms", "rulebook")),
    "tractor": (("rulebook", "random"), ("searcher:30w", "searcher:10w"), ("searcher:50ms", "rulebook")),
    "schafkopf": (("rulebook", "random"), ("searcher:30w", "searcher:10w"), ("searcher:50ms", "rulebook")),
}
MUCH, FEW = 2_000, 300


def tables() -> list[Table]:
    return [table for game in GAMES for table in tables_of(game)]


def tables_of(game: str) -> list[Table]:
    main = [Match(game, a, b, MUCH) for a in (NET, SEARCH) for b in ("rulebook", "searcher:50ms")]
    over = [Match(game, SEARCH, NET, FEW), Match(game, "searcher:net,1000ms", NET, FEW)]
    others = [Match(game, a, b, FEW) for a, b in OTHERS[game]]
    if game == "42":
        others.append(Match(game, "searcher:50ms", "rulebook", 30, ("--whole-games",)))
    null = [Match(game, a, "", FEW) for a in (NET, SEARCH, "searcher:10w")]
    extras = (("--play-by", "rulebook"), ("--talk-by", "rulebook", "--roles-apart"))
    halves = [Match(game, NET, "rulebook", MUCH, extra) for extra in extras]
    control = [Match(game, a, "rulebook", FEW, ("--control",)) for a in (NET, SEARCH)]
    ceiling = [Match(game, "open-hands", b, FEW) for b in ("rulebook", NET)]
    against = [Match(game, EXPLOITER, NET, MUCH)]
    return [
        Table(game, "net", "The network and its search", (*main, *over), plain),
        Table(game, "others", "Other players", tuple(others), plain),
        Table(game, "null", "Against themselves", tuple(null), plain),
        Table(game, "roles", "Roles apart", (main[0], *halves), roles),
        Table(game, "control", "With the luck of the deal taken off", tuple(control), controlled),
        Table(game, "exploiter", "An exploiter of five minutes", tuple(against), plain),
        Table(game, "ceiling", "A player who sees all hands", tuple(ceiling), plain),
        Table(game, "contracts", "Contracts over 10,000 deals", (), lambda found: []),
        Table(game, "small", "The same learner on the shrunk game", (), lambda found: []),
    ]


# -- how tables are written


def told(match: Match) -> str:
    return f"`renege {' '.join(match.arguments)}`"


def interval(ends: Sequence[float] | None) -> str:
    return "-" if ends is None else f"{ends[0]:+.3f} to {ends[1]:+.3f}"


def lined(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|", *(f"| {' | '.join(row)} |" for row in rows)]


def plain(found: Found) -> list[str]:
    rows: list[list[str]] = []
    for match, answer in found:
        ms = answer["ms_per_move"]["a"]
        times = f"{ms['mean']:.1f} / {ms['p99']:.1f} / {ms['longest']:.1f}"
        plot = f"[plot](strength/{match.name}.svg)"
        rows.append([told(match), f"{answer['mean']:+.3f}", interval(answer["interval"]), times, plot])
    return lined(["match", "mean", "95 % interval", "ms a move: mean / 99 % / longest", ""], rows)


def roles(found: Found) -> list[str]:
    """The whole match and its halves; then the whole by role. What the parts add sums to the mean."""
    halves = [
        [
            told(match),
            f"{answer['mean']:+.3f}",
            interval(answer["interval"]),
            f"{answer['calls']['alike']['share']:.0%}",
        ]
        for match, answer in found
    ]
    lines = lined(["match", "mean", "95 % interval", "called alike"], halves)
    for _, answer in found:
        for name, part in (answer["apart"] or {}).items():
            lines.append(f"| the same, {name} alone | {part['mean']:+.3f} | {interval(part['interval'])} | |")
    parts: list[list[str]] = []
    for match, answer in found:
        for name, part in answer["roles"].items():
            cells = [f"{part['share']:.1%}", f"{part['lead']:+.3f}", f"{part['adds']:+.3f}", interval(part["interval"])]
            parts.append([" ".join((match.a, match.b, *match.extra)), name, *cells])
    head = ["match", "role of the first", "share of deals", "lead a deal", "adds to the mean", "95 % interval"]
    return [*lines, "", *lined(head, parts)]


def controlled(found: Found) -> list[str]:
    rows = [
        [
            told(match),
            f"{answer['plain']['mean']:+.3f}",
            interval(answer["plain"]["interval"]),
            f"{answer['mean']:+.3f}",
            interval(answer["interval"]),
            f"{answer['luck_left']:.0%}",
        ]
        for match, answer in found
    ]
    return lined(["match", "plain", "95 % interval", "less the luck", "95 % interval", "variance left"], rows)


# -- making them


@dataclass(frozen=True)
class Maker:
    """Where logs and pictures go, and how much is played."""

    logs: Path
    pictures: Path
    workers: int
    share: float
    exploiters: Path | None

    def make(self, table: Table) -> list[str]:
        """The lines of a table."""
        if table.name == "contracts":
            deals = str(max(FEWEST, round(10_000 * self.share)))
            return self._script("contracts.py", table.game, "--deals", deals, "--workers", str(self.workers))
        if table.name == "small":
            file, rounds = self.pictures / f"learner-{table.game}.svg", str(max(1, round(20 * self.share)))
            kept = str(self.logs / f"small-{table.game}-{rounds}")  # the learning rate falls over the rounds
            lines = self._script("small_games.py", table.game, "--rounds", rounds, "--out", kept, "--plot", str(file))
            return [*lines, "", f"![Exploitability of the learner](strength/{file.name})"]
        return table.write([(match, self.play(match)) for match in map(self.scaled, table.matches)])

    def scaled(self, match: Match) -> Match:
        fewer = match.pairs if self.share == 1 else max(min(FEWEST, match.pairs), round(match.pairs * self.share))
        return replace(match, pairs=fewer)

    def play(self, match: Match) -> dict[str, Any]:
        """A match to its end; what `renege arena --json` says of it."""
        files = ["--out", str(self.logs / f"{match.name}.jsonl"), "--plot", str(self.pictures / f"{match.name}.svg")]
        asked = match.arguments
        if EXPLOITER in asked:
            asked[asked.index(EXPLOITER)] = f"net:{self.exploiter(match.game)}"
        command = [sys.executable, "-m", "renege", *asked, *files, "--workers", str(self.workers), "--json"]
        print(" ".join(asked), file=sys.stderr, flush=True)
        return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)

    def exploiter(self, game: str) -> Path:
        """The network that exploits the package's: as it is given, or trained now."""
        file = f"{NAMES.get(game, game)}.net"
        if self.exploiters is not None and (self.exploiters / file).exists():
            return self.exploiters / file
        folder = self.logs / f"exploiter-{game}"
        if not (folder / file).exists():
            asked = ["train", game, "--exploit", NET, "--out", str(folder), "--minutes", str(5 * self.share)]
            subprocess.run([sys.executable, "-m", "renege", *asked, "--match", "0"], check=True)
        return folder / file

    def _script(self, name: str, *arguments: str) -> list[str]:
        print(name, *arguments, file=sys.stderr, flush=True)
        command = [sys.executable, str(BENCH / name), *arguments]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip().splitlines()


# -- the page


BLOCK = re.compile(r"<!-- table (\S+) -->\n(.*?)\n<!-- end -->", re.DOTALL)


def block(table: Table, lines: Sequence[str], share: float) -> str:
    """A table as it stands on the page, title and all."""
    short = [] if share == 1 else [f"*A short version: {share:.0%} of the pairs, deals or minutes.*", ""]
    return "\n".join([f"### {table.title}", "", *short, *lines])


def page(text: str, made: dict[str, str]) -> str:
    """The page with these tables in place of what it had of them."""
    kept, mark, rest = text.partition(MARK)
    blocks = dict(BLOCK.findall(rest)) | made
    lines = [f"{kept}{mark}", ""]
    for game, title in GAMES.items():
        lines += [f"## {title}", "", PLAYED_FOR[game], ""]
        for table in tables_of(game):
            if table.key in blocks:
                lines += [f"<!-- table {table.key} -->", blocks[table.key], "<!-- end -->", ""]
    return "\n".join(lines).rstrip() + "\n"


def chosen(asked: Sequence[str]) -> list[Table]:
    """The tables that are named: `42:net`, `42:` or `:net`; all without a name."""
    found = [table for table in tables() if not asked or any(_is_named(table, name) for name in asked)]
    if not found:
        raise SystemExit(f"no table is called {' or '.join(asked)}: {' '.join(table.key for table in tables())}")
    return found


def _is_named(table: Table, name: str) -> bool:
    game, colon, kind = name.partition(":")
    return bool(colon) and game in ("", table.game) and kind in ("", table.name)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--logs", type=Path, help="a folder for the logs, which grow to some megabytes")
    reader.add_argument("--workers", type=int, default=2)
    reader.add_argument("--only", action="append", default=[], metavar="GAME:TABLE", help="make these tables alone")
    reader.add_argument("--pairs-share", type=float, default=1.0, help="the share of pairs, deals and minutes to play")
    reader.add_argument("--exploiters", type=Path, metavar="FOLDER", help="where exploiters are: FOLDER/GAME.net")
    reader.add_argument("--page", type=Path, default=PAGE, help="the page that the tables are written to")
    reader.add_argument("--list", action="store_true", help="say which tables there are, and their commands")
    asked = reader.parse_args()
    if asked.list:
        for table in chosen(asked.only):
            print(table.key, *(f"  renege {' '.join(match.arguments)}" for match in table.matches), sep="\n")
        return
    if asked.logs is None or not 0 < asked.pairs_share <= 1:
        raise SystemExit("name a folder for the logs (--logs), and a share of the pairs above 0 and up to 1")
    pictures = asked.page.with_suffix("")
    for folder in (pictures, asked.logs):
        folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(asked.logs, pictures, asked.workers, asked.pairs_share, asked.exploiters)
    failed = list[str]()
    for table in chosen(asked.only):
        try:
            made = {table.key: block(table, maker.make(table), asked.pairs_share)}
        except subprocess.CalledProcessError as wrong:  # what went wrong is on the screen; other tables go on
            failed.append(f"{table.key} ({' '.join(map(str, wrong.cmd[1:]))})")
            continue
        asked.page.write_text(page(asked.page.read_text("utf-8"), made), "utf-8")  # at once: what follows takes hours
        print(made[table.key], flush=True)
    if failed:
        raise SystemExit(f"not made: {'; '.join(failed)}")


if __name__ == "__main__":
    main()
