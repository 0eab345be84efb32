"""How many nodes and how long does it take to solve a whole deal with open hands, on one core?

200 seeded deals each. Texas 42: seat 0 leads and has called the suit of which it holds most. Schafkopf: seat 0 leads; a
Rufspiel on the ace of acorns, by a seat that may call it together with the ace's holder; a solo in leaves and a Wenz by
the seat with most trumps. "all three" counts the three alike. A node is a card played. "makes" asks only whether the
side gets 30, or 61, points.

Beside it DDS solves 200 seeded deals of bridge: one strain, one leader, the number of tricks. What is asked, always in
the mean: 42 exact in at most 64,000 nodes and 1/20 of DDS's time, "makes 30" four times cheaper still, Schafkopf exact
in at most 400,000 nodes. Times are the processor's, so that a busy machine does not spoil them.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from renege.games import schafkopf, texas42
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native import solve as native_solve
from renege.native.solve import SolveQuery

DEALS = 200
Side = Callable[[list[int]], int]


@dataclass(frozen=True)
class Deal:
    tables: native.Tables
    state: np.ndarray
    takers: int


@dataclass(frozen=True)
class Cost:
    """Nodes and seconds of each deal; a peer may not tell its nodes."""

    nodes: list[int]
    seconds: list[float]


def deals_42() -> list[Deal]:
    orders = [texas42.order(str(pip)) for pip in range(7)]
    tables = [native.tables(order) for order in orders]
    found: list[Deal] = []
    for hands in native.deals(texas42.DECK.kinds, [7] * 4, DEALS, seed=42).tolist():
        pip = max(range(7), key=lambda pip: (hands[0] & orders[pip].follow[7]).bit_count())
        found.append(Deal(tables[pip], native.state(hands, 0), 0b0101))
    return found


def deals_schafkopf(declaration: str, called: str | None, side: Side) -> list[Deal]:
    deck = schafkopf.LONG
    tables = native_schafkopf.order(schafkopf.order(declaration), None if called is None else deck.spellings[called])
    hands = native.deals(deck.kinds, [8] * 4, DEALS, seed=3)
    states = native_schafkopf.states(tables, hands, np.zeros(len(hands), np.uint8))
    return [Deal(tables, state, side(row)) for state, row in zip(states, hands.tolist(), strict=True)]


def with_ace(hands: list[int]) -> int:
    """The ace's holder and the next seat that has a card of the suit to call with; the next seat where none has."""
    ace = schafkopf.LONG.spellings["EA"]
    suit = schafkopf.order("rufspiel E").follow[4]
    holder = next(seat for seat in range(4) if hands[seat] >> ace & 1)
    others = [(holder + i) % 4 for i in (1, 2, 3)]
    caller = next((seat for seat in others if hands[seat] & suit), others[0])
    return 1 << holder | 1 << caller


def with_trumps(declaration: str) -> Side:
    trumps = schafkopf.order(declaration).follow[0]
    return lambda hands: 1 << max(range(4), key=lambda seat: (hands[seat] & trumps).bit_count())


def measure(deals: list[Deal], target: int | None) -> Cost:
    cost = Cost([], [])
    for deal in deals:
        began = time.process_time()
        found = native_solve.solve(SolveQuery(deal.tables, deal.state[None], deal.takers, targets=target))
        cost.seconds.append(time.process_time() - began)
        cost.nodes.append(int(found.nodes[0]))
    return cost


def measure_dds() -> Cost | None:
    """Bridge by DDS, strains in turn; None where it is not installed."""
    try:
        from endplay.dds import solve_board
        from endplay.dds.solve import SolveMode
        from endplay.types import Deal as BridgeDeal
        from endplay.types import Denom, Player
    except ImportError:
        print("DDS is not installed: pip install endplay (the [bench] extra)", file=sys.stderr)
        return None
    strains = [Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt]
    rng, cost = random.Random(42), Cost([], [])
    pack = [(suit, rank) for suit in range(4) for rank in "AKQJT98765432"]
    for i in range(DEALS):
        rng.shuffle(pack)
        hands = [pack[13 * seat : 13 * seat + 13] for seat in range(4)]
        text = [".".join("".join(rank for of, rank in hand if of == suit) for suit in range(4)) for hand in hands]
        deal = BridgeDeal("N:" + " ".join(text), first=Player.west, trump=strains[i % len(strains)])
        began = time.process_time()
        solve_board(deal, mode=SolveMode.OptimalOne)
        cost.seconds.append(time.process_time() - began)
    return cost


def p95(values: list[int] | list[float]) -> float:
    return sorted(values)[len(values) * 95 // 100]


def add_row(table: Table, game: str, asked: str, cost: Cost) -> None:
    cells: list[str] = []
    for values, scale, form in ((cost.nodes, 1, ",.0f"), (cost.seconds, 1e3, ".2f")):
        figures = [statistics.mean(values), statistics.median(values), p95(values), max(values)] if values else []
        cells += [format(scale * figure, form) for figure in figures] or ["-"] * 4
    table.add_row(game, asked, *cells)


def main() -> None:
    table = Table(title=f"open hands, {DEALS} whole deals each, one core")
    shapes = ("mean", "median", "p95", "most")
    for column in ("game", "asked", *(f"nodes\n{s}" for s in shapes), *(f"ms\n{s}" for s in shapes)):
        table.add_column(column, justify="left" if column in ("game", "asked") else "right")
    games = {
        "Rufspiel": deals_schafkopf("rufspiel E", "EA", with_ace),
        "solo": deals_schafkopf("solo G", None, with_trumps("solo G")),
        "Wenz": deals_schafkopf("wenz", None, with_trumps("wenz")),
    }
    tiles = deals_42()
    exact, makes = measure(tiles, None), measure(tiles, 30)
    add_row(table, "Texas 42", "value", exact)
    add_row(table, "Texas 42", "makes 30", makes)
    for asked, target in (("value", None), ("makes 61", 61)):
        costs = {game: measure(deals, target) for game, deals in games.items()}
        for game, cost in costs.items():
            add_row(table, game, asked, cost)
        nodes = [count for cost in costs.values() for count in cost.nodes]
        seconds = [taken for cost in costs.values() for taken in cost.seconds]
        add_row(table, "all three", asked, Cost(nodes, seconds))
    bridge = measure_dds()
    if bridge is not None:
        add_row(table, "bridge, DDS", "value", bridge)
    console = Console(width=120)
    console.print(table)
    mean = statistics.mean
    print(f"42: value / makes 30: {mean(exact.nodes) / mean(makes.nodes):.1f} by nodes, ", end="")
    print(f"{mean(exact.seconds) / mean(makes.seconds):.1f} by time")
    if bridge is not None:
        print(f"DDS / 42 value, mean time: {mean(bridge.seconds) / mean(exact.seconds):.1f}")


if __name__ == "__main__":
    main()
