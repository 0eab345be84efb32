"""How strong are the agents? Plays every match of docs/strength.md and writes that page, with a picture of each match.

A match that has been played, or begun, is taken up from its log, so this may be stopped and started again. Searchers
with a limit in milliseconds need the machine for themselves; those with a limit in worlds do not.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "strength.md"
MARK = "<!-- written by bench/strength.py from here on -->"
GAMES = {"42": "Texas 42", "tractor": "Tractor", "schafkopf": "Schafkopf"}
PLAYED_FOR = {
    "42": "Marks a hand, made or set, the auction included; each hand starts at 0-0.",
    "tractor": "Levels that one side gains more than the other in a round, both starting at 2, the bank given in turn.",
    "schafkopf": "Cents a deal that the two seats of an agent win together; Rufspiel 20, solo 50, extras 10 each.",
}


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
        return "-".join(word.strip("-").replace(":", "-") for word in words)


MATCHES = [
    Match("42", "rulebook", "random", 500),
    Match("42", "searcher:30w", "searcher:10w", 400),
    Match("42", "searcher:10w", "", 300),
    Match("42", "searcher:50ms", "rulebook", 500),
    Match("42", "searcher:50ms", "rulebook", 30, ("--whole-games",)),
    Match("tractor", "rulebook", "random", 200),
    Match("tractor", "searcher:30w", "searcher:10w", 250),
    Match("tractor", "searcher:10w", "", 200),
    Match("tractor", "searcher:50ms", "rulebook", 250),
    Match("schafkopf", "rulebook", "random", 300),
    Match("schafkopf", "searcher:30w", "searcher:10w", 250),
    Match("schafkopf", "searcher:10w", "", 300),
    Match("schafkopf", "searcher:50ms", "rulebook", 500),
]


def play(match: Match, logs: Path, pictures: Path, workers: int) -> dict[str, Any]:
    """A match to its end; what `renege arena --json` says of it."""
    files = ["--out", str(logs / f"{match.name}.jsonl"), "--plot", str(pictures / f"{match.name}.svg")]
    command = [sys.executable, "-m", "renege", *match.arguments, *files, "--workers", str(workers), "--json"]
    print(" ".join(match.arguments), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def row(match: Match, found: dict[str, Any]) -> str:
    """A line of the table."""
    low, high = found["interval"]
    ms = found["ms_per_move"]["a"]
    cells = [
        f"`renege {' '.join(match.arguments)}`",
        f"{found['mean']:+.3f}",
        f"{low:+.3f} to {high:+.3f}",
        f"{ms['mean']:.1f} / {ms['p99']:.1f} / {ms['longest']:.1f}",
        f"[plot](strength/{match.name}.svg)",
    ]
    return f"| {' | '.join(cells)} |"


def section(game: str, found: dict[Match, dict[str, Any]]) -> list[str]:
    """All matches of a game."""
    lines = [f"## {GAMES[game]}", "", PLAYED_FOR[game], ""]
    lines += ["| match | mean | 95 % interval | ms a move: mean / 99 % / longest | |", "|---|---|---|---|---|"]
    return [*lines, *(row(match, answer) for match, answer in found.items() if match.game == game), ""]


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--logs", type=Path, required=True, help="a folder for the logs, which grow to some megabytes")
    reader.add_argument("--workers", type=int, default=2)
    reader.add_argument("--only", default="", help="matches whose name has this in it; the page is then left alone")
    asked = reader.parse_args()
    pictures = PAGE.with_suffix("")
    pictures.mkdir(exist_ok=True)
    asked.logs.mkdir(parents=True, exist_ok=True)
    chosen = [match for match in MATCHES if asked.only in match.name]
    found = {match: play(match, asked.logs, pictures, asked.workers) for match in chosen}
    if not asked.only:
        kept, mark, _ = PAGE.read_text("utf-8").partition(MARK)
        lines = [line for game in GAMES for line in section(game, found)]
        PAGE.write_text(f"{kept}{mark}\n\n" + "\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
