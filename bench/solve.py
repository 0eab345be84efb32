"""How many nodes and how long does it take to solve a whole deal with open hands, on one core?

Texas 42: 200 seeded deals, seat 0 leads and has called the suit of which it holds most. Schafkopf: 40 seeded deals as a
Rufspiel (whoever holds the ace of acorns and the seat after it) and as a solo by the seat with most trumps. A node is a
card played. "makes" asks only whether the side gets 30, or 61, points.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from renege import native, native_schafkopf, native_solve
from renege.games import schafkopf, texas42

DEALS_42, DEALS_SCHAFKOPF = 200, 40
TARGETS = {"Texas 42": 30, "Rufspiel": 61, "solo": 61}


@dataclass(frozen=True)
class Deal:
    tables: native.Tables
    state: np.ndarray
    takers: int


def deals_42() -> list[Deal]:
    orders = [texas42.order(str(pip)) for pip in range(7)]
    tables = [native.tables(order) for order in orders]
    found: list[Deal] = []
    for hands in native.deals(texas42.DECK.kinds, [7] * 4, DEALS_42, seed=42).tolist():
        pip = max(range(7), key=lambda pip: (hands[0] & orders[pip].follow[7]).bit_count())
        found.append(Deal(tables[pip], native.state(hands, 0), 0b0101))
    return found


def deals_schafkopf(declaration: str, called: str | None, side: Callable[[list[int]], int]) -> list[Deal]:
    deck = schafkopf.LONG
    tables = native_schafkopf.order(schafkopf.order(declaration), None if called is None else deck.spellings[called])
    hands = native.deals(deck.kinds, [8] * 4, DEALS_SCHAFKOPF, seed=3)
    states = native_schafkopf.states(tables, hands, np.zeros(len(hands), np.uint8))
    return [Deal(tables, state, side(row)) for state, row in zip(states, hands.tolist(), strict=True)]


def with_ace(hands: list[int]) -> int:
    ace = schafkopf.LONG.spellings["EA"]
    holder = next(seat for seat in range(4) if hands[seat] >> ace & 1)
    return 1 << holder | 1 << (holder + 1) % 4


def with_trumps(hands: list[int]) -> int:
    order = schafkopf.order("solo G")
    trumps = order.follow[order.led_suit[schafkopf.LONG.spellings["GA"]]]
    return 1 << max(range(4), key=lambda seat: (hands[seat] & trumps).bit_count())


def measure(deals: list[Deal], target: int | None) -> tuple[list[int], list[float]]:
    nodes: list[int] = []
    seconds: list[float] = []
    for deal in deals:
        began = time.perf_counter()
        found = native_solve.solve(deal.tables, deal.state[None], deal.takers, targets=target)
        seconds.append(time.perf_counter() - began)
        nodes.append(int(found.nodes[0]))
    return nodes, seconds


def main() -> None:
    games = {
        "Texas 42": deals_42(),
        "Rufspiel": deals_schafkopf("rufspiel E", "EA", with_ace),
        "solo": deals_schafkopf("solo G", None, with_trumps),
    }
    table = Table(title="open hands, whole deals, one core")
    for column in ("game", "deals", "asked", "nodes, mean", "median", "most", "ms, mean", "median", "most"):
        table.add_column(column, justify="left" if column in ("game", "asked") else "right")
    for game, deals in games.items():
        for target in (None, TARGETS[game]):
            nodes, seconds = measure(deals, target)
            counts = [statistics.mean(nodes), statistics.median(nodes), max(nodes)]
            times = [statistics.mean(seconds), statistics.median(seconds), max(seconds)]
            asked = "value" if target is None else f"makes {target}"
            cells = [*(f"{count:,.0f}" for count in counts), *(f"{1e3 * taken:.2f}" for taken in times)]
            table.add_row(game, str(len(deals)), asked, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
