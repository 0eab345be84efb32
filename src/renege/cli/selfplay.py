"""The command `renege selfplay`: a data set of self-play, every decision a row of parquet."""

from pathlib import Path
from typing import Annotated

from typer import Option

from renege.agents import Searcher, parse_agent
from renege.cli.arguments import ClusterOption, GameArgument, RulesOption, WorkersOption, aside, game_called
from renege.cli.output import progress_bar, stop
from renege.core.notation import NotationError
from renege.jobs import Pace, check_cluster
from renege.selfplay.plan import MOST_DEALS, SelfplayPlan, make_plan
from renege.selfplay.run import SelfplayProgress, run

PIECE, WORLDS = 64, 30


def selfplay(
    game: GameArgument,
    out: Annotated[Path, Option(metavar="FOLDER", help="folder of the data set; an existing one is resumed")],
    deals: Annotated[
        int, Option(min=1, max=MOST_DEALS, help="total number of deals, those in the folder included")
    ] = 64,
    agent: Annotated[str, Option(help="the agent at all seats: random, rulebook, searcher:30w")] = "rulebook",
    seed: Annotated[int, Option(min=0, help="seed of the deals")] = 1,
    odds: Annotated[bool, Option("--odds", help="add the exact odds of each card by holder")] = False,
    values: Annotated[bool, Option("--values", help="add the value of each option over --worlds")] = False,
    worlds: Annotated[
        int | None,
        Option(min=1, max=1 << 20, help="worlds per decision for --values (default: those of the searcher, or 30)"),
    ] = None,
    piece: Annotated[int, Option(min=1, max=1 << 20, help="deals per file")] = PIECE,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    rules: RulesOption = None,
) -> None:
    """Play deals with one agent at all seats, and write every decision as a row of parquet.

    A row has what the seat saw, what was open to it, what it chose and what the deal brought it; docs/selfplay.md
    says what each column is. It may be stopped at any time, and goes on when the same command is given again, with more
    --deals too.

    \b
    Examples:
      renege selfplay 42 --out deals --deals 1000
      renege selfplay 42 --out deals --deals 1000 --agent searcher:30w --values --odds
      renege selfplay texas42-small --out small --deals 100000 --agent random --cluster auto
    """
    if worlds is not None and not values:
        raise NotationError("--worlds is for --values: say both")
    tried = (worlds or _worlds(agent)) if values else None
    plan = make_plan(game_called(game, rules), agent, seed=seed, piece=piece, odds=odds, values=tried)
    check_cluster(cluster)
    _play(plan, out, deals, workers, cluster)


def _play(plan: SelfplayPlan, out: Path, deals: int, workers: int | None, cluster: str | None) -> None:
    """Play the missing deals, with a progress bar, and print a summary."""
    pace, last = Pace(), SelfplayProgress()

    try:
        with progress_bar(deals) as show, aside(cluster):

            def tell(so_far: SelfplayProgress) -> None:
                nonlocal last
                if so_far.new_deals:
                    fresh = so_far.new_decisions - last.new_decisions
                    pace.add(pieces=1, deals=so_far.new_deals - last.new_deals, decisions=fresh)
                last = so_far
                show(so_far.deals, str(pace))

            run(plan, out, deals, workers=workers, cluster=cluster, tell=tell)
    except KeyboardInterrupt:
        stop(f"stopped with {last.deals} of {deals} deals in {out}; the same command goes on from there")
    new = f"{last.new_deals:,} new, {pace}" if last.new_deals else "none new"
    print(f"{out}: {last.deals:,} deals, {last.decisions:,} decisions, {last.files:,} files ({new})")


def _worlds(agent: str) -> int:
    """The worlds that a searcher tries anyway, so that its own search tells; else a number to begin with."""
    player = parse_agent(agent)
    return player.worlds or WORLDS if isinstance(player, Searcher) else WORLDS
