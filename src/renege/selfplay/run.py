"""Plays the deals of a data set into its folder, on any number of machines.

Deals are played in pieces, wherever there is a core; here the pieces are gathered and written. What is not written yet
when something stops it is played again, and nothing else.

    plan = make_plan(find_game("texas42"), "rulebook", seed=1, renege="0.1.0")
    run(plan, Path("deals"), 1_000, workers=4)
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from renege.agents import Searcher, parse_agent
from renege.jobs import run_pieces
from renege.selfplay.folder import Kept, keep, kept, open_folder
from renege.selfplay.plan import Plan
from renege.selfplay.play import play_deal
from renege.selfplay.table import arrow, table_of, to_bytes

GPU_SHARE = 0.25  # of a cluster's GPU for each piece at play


@dataclass(frozen=True, slots=True)
class Progress:
    """So far: deals and decisions that are written, in so many files, and those of them that were not there before."""

    deals: int = 0
    decisions: int = 0
    files: int = 0
    new_deals: int = 0
    new_decisions: int = 0


Tell: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Fresh:
    """Deals that were played, as a parquet file."""

    deals: int
    decisions: int
    file: bytes


def run(
    plan: Plan,
    folder: Path,
    deals: int,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    tell: Tell = lambda _: None,
) -> Progress:
    """Play the first so many deals into a folder, but for those that are there already; `tell` hears of each piece."""
    arrow()  # what is missing is said before the work
    open_folder(folder, plan)
    there = {number: kept(folder, plan, number) for number in range(-(-deals // plan.piece))}
    old = [piece for piece in there.values() if piece is not None]
    so_far = Progress(sum(one.deals for one in old), sum(one.decisions for one in old), len(old))
    tell(so_far)
    parts = {number: _missing(plan, number, before, deals) for number, before in there.items()}
    todo = {number: part for number, part in parts.items() if part[0] < part[1]}
    agent = parse_agent(plan.agent)
    gpus = GPU_SHARE if isinstance(agent, Searcher) and agent.device == "gpu" else 0.0
    played = run_pieces(partial(play_part, plan, todo), list(todo), workers=workers, cluster=cluster, gpus=gpus)
    with closing(played):
        for number, fresh in played:
            before = there[number]
            keep(folder, plan, number, fresh.file, before)
            so_far = Progress(
                so_far.deals + fresh.deals,
                so_far.decisions + fresh.decisions,
                so_far.files + (before is None),
                so_far.new_deals + fresh.deals,
                so_far.new_decisions + fresh.decisions,
            )
            tell(so_far)
    return so_far


def _missing(plan: Plan, number: int, before: Kept | None, deals: int) -> tuple[int, int]:
    """The deals of a piece that are still to be played: from the first up to the last, which is not among them."""
    first = number * plan.piece
    return first + (0 if before is None else before.deals), min(first + plan.piece, deals)


def play_part(plan: Plan, parts: dict[int, tuple[int, int]], number: int) -> Fresh:
    """The deals of a piece that are missing."""
    first, last = parts[number]
    table = table_of(plan, first, [play_deal(plan, deal) for deal in range(first, last)])
    return Fresh(last - first, table.num_rows, to_bytes(table))
