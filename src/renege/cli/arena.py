"""The command `renege arena`: two agents, duplicate deals, and how sure the result is."""

import errno
import math
import os
import re
import stat
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from io import RawIOBase
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from typer import Argument, Option

from renege.arena.run import Kind, MatchPlan, Pair, make_plan, play_pairs, read_log, scores, write_line
from renege.arena.stats import Running
from renege.arena.summary import Summary, summarise
from renege.cli.arguments import ClusterOption, GameArgument, RulesOption, WorkersOption, aside, game_called
from renege.cli.output import check_picture, progress_bar, stop
from renege.jobs import Pace, check_cluster

MOST_PAIRS = 1_000_000


def arena(
    game: GameArgument,
    a: Annotated[
        str,
        Argument(
            metavar="A",
            help="the first agent: random, rulebook, net, searcher:net,50ms, searcher:50ms, :30w, ,gpu, open-hands",
        ),
    ],
    b: Annotated[str | None, Argument(metavar="B", help="the second agent")] = None,
    pairs: Annotated[int, Option(min=1, max=MOST_PAIRS, help="number of deals, each played twice")] = 500,
    seed: Annotated[int, Option(min=0, help="seed of the deals")] = 1,
    null: Annotated[bool, Option("--null", help="play A against itself, to check the arena")] = False,
    whole_games: Annotated[
        bool, Option("--whole-games", help="play games to the end, not single deals; each twice")
    ] = False,
    control: Annotated[
        bool, Option("--control", help="reduce variance: subtract the luck of the deal (control variate)")
    ] = False,
    talk_by: Annotated[str, Option(metavar="AGENT", help="this agent calls for all seats; A and B only play")] = "",
    play_by: Annotated[str, Option(metavar="AGENT", help="this agent plays for all seats; A and B only call")] = "",
    roles_apart: Annotated[
        bool, Option("--roles-apart", help="with --talk-by: tell declaring from defending, each deal played four times")
    ] = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    rules: RulesOption = None,
    out: Annotated[Path | None, Option(metavar="FILE", help="the log file (default: named after the match)")] = None,
    plot: Annotated[Path | None, Option(metavar="FILE", help="plot the match, .png or .svg")] = None,
    json: Annotated[bool, Option("--json", help="print the summary as one JSON object")] = False,
) -> None:
    """Play two agents against each other on duplicate deals: each deal twice, with the sides swapped.

    The log has a line for each pair. A match that was interrupted goes on when the same command is given again.

    \b
    Examples:
      renege arena 42 searcher:50ms rulebook --pairs 500
      renege arena 42 rulebook random --pairs 200 --plot match.png
      renege arena tractor searcher:10w --null
      renege arena schafkopf net rulebook --play-by rulebook
      renege arena tractor searcher:50ms,gpu searcher:50ms
      renege arena 42 searcher:30w rulebook --pairs 5000 --cluster auto
    """
    if (b is None) != null:
        raise ValueError("name two agents, or one and --null")
    table = game_called(game, rules)
    kind = Kind(whole_games=whole_games, control=control, talk_by=talk_by, play_by=play_by, roles_apart=roles_apart)
    plan = make_plan(table, a, b or a, seed=seed, pairs=pairs, **kind)
    check_picture(plot)
    check_cluster(cluster)
    played = f"{plan.game} games" if plan.whole_games else plan.game
    half = "".join(f" {who} by {agent}" for who, agent in (("talk", talk_by), ("play", play_by)) if agent)
    words = f"arena {played} {plan.a} {plan.b}{half} seed {plan.seed}"
    log = out or Path(re.sub(r"[^a-z0-9.]+", "-", words.lower()) + ".jsonl")
    played, whole, planned = _play(plan, log, pairs, workers, cluster)
    if played:
        summary = summarise(plan, played, planned)
        _show(summary, log, json)
        if plot is not None:
            from renege.figures.plots import draw_match  # here: it needs matplotlib

            title = f"{plan.a} against {plan.b}, {plan.game}"
            draw_match(scores(played, plan.control), plot, title, summary.unit)
            typer.echo(plot, err=True)
    if not whole:
        stop(f"stopped after {len(played)} of {pairs} pairs; the same command goes on from there")


def _play(
    plan: MatchPlan, log: Path, pairs: int, workers: int | None, cluster: str | None
) -> tuple[list[Pair], bool, int]:
    """Play a match, resuming from its log: the pairs, whether they are all, and how many were planned."""
    with aside(cluster), _opened(log, plan) as (header, found, file):
        played = {number: pair for number, pair in found.items() if number < pairs}
        todo = [number for number in range(pairs) if number not in played]
        planned = plan.pairs if header is None else header.pairs
        running, pace = Running(), Pace()
        for pair in played.values():
            running.add(pair.score)
        with progress_bar(pairs, len(played)) as tell:
            tell(len(played), _told(running))
            # closing: whatever stops us, the other processes stop too
            with suppress(KeyboardInterrupt), closing(play_pairs(plan, todo, workers, cluster)) as done:
                for pair in done:
                    _append(file, log, pair)
                    played[pair.pair] = pair
                    running.add(pair.score)
                    pace.add(pairs=1, decisions=len(pair.a) + len(pair.b))
                    tell(len(played), f"{pace} {_told(running)}".rstrip())
    return [played[number] for number in sorted(played)], len(played) == pairs, planned


def _told(running: Running) -> str:
    """The interval so far, for the progress bar."""
    found = running.estimate
    return "" if math.isinf(found.margin) else f"{found.mean:+.3f} ({found.low:+.3f} to {found.high:+.3f})"


@contextmanager
def _opened(log: Path, plan: MatchPlan) -> Generator[tuple[MatchPlan | None, dict[int, Pair], RawIOBase], None, None]:
    """Open a log to resume it: its pairs, without a line that was cut short, and the file to append to."""
    if log.exists() and not stat.S_ISREG(log.stat().st_mode):
        raise ValueError(f"{log} is no plain file: a match is carried on from its log")
    with open(log, "a+b", buffering=0) as file:
        file.seek(0)
        try:
            header, found, good = read_log(file.read(), plan)
        except ValueError as wrong:
            raise ValueError(f"{log} is left as it is: {wrong}. Name another file with --out") from None
        file.truncate(good)
        if header is None:
            _append(file, log, plan)
        yield header, found, file


def _append(file: RawIOBase, log: Path, line: MatchPlan | Pair) -> None:
    """Write a line at once; an error names the file."""
    text = write_line(line)
    try:
        if file.write(text) != len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as wrong:
        raise OSError(wrong.errno, wrong.strerror, str(log)) from None


def _show(summary: Summary, log: Path, json: bool) -> None:
    if json:
        answer: dict[str, Any] = {**summary.answer(), "log": str(log)}
        print(msgspec.json.encode(answer).decode())
        return
    for line in summary.lines():
        print(line)
    print(f"log: {log}")
