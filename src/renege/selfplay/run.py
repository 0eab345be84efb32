"""Play the deals of a data set into its folder, on any number of machines.

Deals are played in pieces, wherever there is a core; here the pieces are gathered and written. What is not written yet
when something stops it is played again, and nothing else.

    plan = make_plan(find_game("texas42"), "rulebook", seed=1)
    run(plan, Path("deals"), 1_000, workers=4)
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from renege.agents import Searcher, parse_agent
from renege.selfplay.folder import SelfplayFolder, SelfplayPiece, arrow, table_of, to_bytes
from renege.selfplay.plan import SelfplayPlan
from renege.selfplay.play import play_deal

GPU_SHARE = 0.25  # of a cluster's GPU for each piece at play


@dataclass(frozen=True, slots=True)
class SelfplayProgress:
    """Progress of a data set: deals, decisions and files written, and those of them that are new."""

    deals: int = 0
    decisions: int = 0
    files: int = 0
    new_deals: int = 0
    new_decisions: int = 0


Tell: TypeAlias = Callable[[SelfplayProgress], None]


def run(
    plan: SelfplayPlan,
    folder: Path,
    deals: int,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    tell: Tell = lambda _: None,
) -> SelfplayProgress:
    """Play the first so many deals into a folder, but for those that are there already; `tell` hears of each piece."""
    arrow()  # what is missing is said before the work
    kept = SelfplayFolder(folder, plan)
    kept.open()
    there = kept.pieces(deals)
    so_far = SelfplayProgress(
        sum(map(len, there.values())), sum(piece.decisions for piece in there.values()), len(there)
    )
    tell(so_far)
    agent = parse_agent(plan.agent)
    gpus = GPU_SHARE if isinstance(agent, Searcher) and agent.device == "gpu" else 0.0
    played = kept.fill(deals, there, partial(play_part, plan), workers=workers, cluster=cluster, gpus=gpus)
    with closing(played):
        for piece in played:
            so_far = SelfplayProgress(
                so_far.deals + piece.deals,
                so_far.decisions + piece.decisions,
                so_far.files + (piece.first % plan.piece == 0),
                so_far.new_deals + piece.deals,
                so_far.new_decisions + piece.decisions,
            )
            tell(so_far)
    return so_far


def play_part(plan: SelfplayPlan, part: range) -> SelfplayPiece:
    """Deals that lie together."""
    table = table_of(plan, part.start, [play_deal(plan, deal) for deal in part])
    return SelfplayPiece(part.start, len(part), table.num_rows, to_bytes(table))
