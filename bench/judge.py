"""How long does one verdict take, with its rule, its reason and a play that would do, asked from Python?

Positions come from whole deals played at random; a leader leads one kind of card, all copies of it. A play that is
refused is drawn from the same hand at random. Each question is asked several times and its best time counts.
"""

import argparse
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from playouts import pin
from rich.console import Console
from rich.table import Table

from renege.core.cards import Cards
from renege.core.position import Position
from renege.core.registry import GAMES
from renege.core.trick import Play

CONTRACTS = {"texas42": "trump 5 bid 30 by 0", "tractor": "trump S4 by 0"}
Question = tuple[Position, Play]


def questions(game: str, deals: int, seed: int) -> Iterator[tuple[str, Question]]:
    """Plays to judge, each with what it is: a lead, a legal follow or one that is refused."""
    rng = random.Random(seed)
    package = GAMES[game]
    for deal in range(deals):
        hands, _ = package.game().deal(seed + deal)
        told = " | ".join(f"{seat}: {hand}" for seat, hand in enumerate(hands))
        position: Position = package.position(f"{CONTRACTS[game]} | {told} | 0 leads")
        while not position.over:
            hand = position.hand
            assert position.trick is not None and isinstance(hand, Cards)
            if position.trick.lead is None:
                play = Play(hand.only(1 << rng.choice(list(hand))))
                yield "lead", (position, play)
            else:
                play = position.legal_plays.choose(rng)
                yield "legal follow", (position, play)
                other = Play(hand.deck.cards(rng.sample(list(hand), len(play.cards))))
                if not position.judge(other):
                    yield "refused follow", (position, other)
            position = position.play(play)


def best_time(question: Question, repeat: int) -> float:
    position, play = question
    times: list[float] = []
    for _ in range(repeat):
        began = time.perf_counter()
        position.judge(play)
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=40, help="deals of each game")
    parser.add_argument("--repeat", type=int, default=5, help="how often each question is asked")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
    asked = parser.parse_args()
    core = pin()
    table = Table(title="One verdict, from Python")
    for column in ("game", "play", "asked", "mean us", "median us", "99 % us"):
        table.add_column(column, justify="left" if column in ("game", "play") else "right")
    report: dict[str, dict[str, float]] = {}
    for game in CONTRACTS:
        times: dict[str, list[float]] = defaultdict(list)
        for kind, question in questions(game, asked.deals, seed=2026):
            times[kind].append(best_time(question, asked.repeat))
        for kind, taken in sorted(times.items()):
            mean, middle, late = (
                statistics.mean(taken),
                statistics.median(taken),
                statistics.quantiles(taken, n=100)[98],
            )
            table.add_row(game, kind, f"{len(taken):,}", *(f"{1e6 * seconds:.1f}" for seconds in (mean, middle, late)))
            report[f"{game}, {kind}"] = {"mean_seconds": mean, "median_seconds": middle, "late_seconds": late}
    console = Console()
    console.print(table)
    console.print("not pinned" if core is None else f"pinned to core {core}")
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
