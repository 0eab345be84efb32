"""How long does `any_deal` take to find a deal, by number of hands and of hidden cards?

Hands are of equal size, as near as can be. Half of the problems know nothing; in the others each hand is void in one
of four suits, as after a few tricks. A deal comes with its steps. The published program was said to need 27 us for a
"typical" problem of three hands; with inputs that were not solved before, it was measured elsewhere at 150 us for that
problem, 308 us for 15 cards with three voids and 685 us for 24 free cards.
"""

import argparse
import json
import random
import statistics
import sys
import time
from pathlib import Path

from playouts import pin
from rich.console import Console
from rich.table import Table

from renege.belief.problem import Problem

sys.path.insert(0, str(Path(__file__).parent.parent / "research"))
from any_deal import Deal, any_deal

CARDS = (12, 15, 24, 36, 52)
PUBLISHED = {(3, 15, True): "308", (3, 24, False): "685"}  # measured, us


def problem(hands: int, cards: int, voids: bool, rng: random.Random) -> Problem:
    """A problem that has a deal."""
    sizes = tuple(cards // hands + (hand < cards % hands) for hand in range(hands))
    while True:
        void = [rng.randrange(4) if voids else -1 for _ in sizes]
        most = tuple(tuple(int(place % 4 != suit) for suit in void) for place in range(cards))
        least = ((0,) * hands,) * cards
        asked = Problem(tuple(range(cards)), (1,) * cards, sizes, most, least)
        if isinstance(any_deal(asked, rng), Deal):
            return asked


def microseconds(hands: int, cards: int, voids: bool, repeat: int) -> float:
    """The mean over several problems of the median time of each."""
    rng = random.Random(hands * 100 + cards)
    taken: list[float] = []
    for _ in range(20):
        asked = problem(hands, cards, voids, rng)
        times: list[float] = []
        for _ in range(repeat):
            began = time.perf_counter()
            any_deal(asked, rng)
            times.append(time.perf_counter() - began)
        taken.append(statistics.median(times))
    return 1e6 * statistics.mean(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeat", type=int, default=50, help="how often each problem is dealt")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
    asked = parser.parse_args()
    core = pin()
    caption = "The published program on its own benchmark: 27 us as published, 150 us with a fresh input each time"
    table = Table(title="One deal found, from Python", caption=caption)
    for column in ("hands", "known", "cards", "us", "published program, us"):
        table.add_column(column, justify="left" if column == "known" else "right")
    report: dict[str, float] = {}
    for hands in (3, 4, 5):
        for voids in (False, True):
            known = "a void each" if voids else "nothing"
            for cards in CARDS:
                taken = microseconds(hands, cards, voids, asked.repeat)
                table.add_row(str(hands), known, str(cards), f"{taken:.0f}", PUBLISHED.get((hands, cards, voids), ""))
                report[f"{hands} hands, {cards} cards, {known} known"] = taken
    console = Console()
    console.print(table)
    console.print("not pinned" if core is None else f"pinned to core {core}")
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
