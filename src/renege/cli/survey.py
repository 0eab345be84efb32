"""The commands `renege survey 42 ...`: how often opening hands make each bid, from solved worlds."""

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from typer import Argument, Option

from renege.cli.arguments import MOST_WORKERS, ClusterOption, RulesOption, aside, game_called, text_of
from renege.cli.main import group, plain_errors
from renege.cli.output import check_picture, progress_bar, show_table, stop
from renege.core.atomic_file import write_atomically
from renege.core.notation import NotationError
from renege.games.openings import openings_of
from renege.jobs import Pace, check_cluster, cores
from renege.survey.chances import BIDS, Survey, best_call, made, mean_points, wilson
from renege.survey.folder import PARQUET, pieces
from renege.survey.parquet import gather, read_survey
from renege.survey.plan import DECK, GAME, make_plan, read_hand
from renege.survey.run import HandSolver, find_solver, run, survey_of

MOST_THREADS = 1024
PIECE = 64
FULL, EIGHTHS, WIDTH = "█", " ▏▎▍▌▋▊▉", 40  # of a bar in the terminal


Device = StrEnum("Device", ("AUTO", "CPU", "GPU"))
SurveyArgument = Annotated[Path, Argument(metavar="SURVEY", help="the folder of a survey, or its parquet file")]


def survey_hands(
    context: typer.Context,
    hands: Annotated[int, Option(min=1, max=1 << 30, help="number of opening hands to draw")] = 300,
    worlds: Annotated[int, Option(min=1, max=1 << 20, help="deals of the other tiles per hand")] = 40,
    hand: Annotated[list[str] | None, Option(metavar="TILES", help="survey this hand instead; may be repeated")] = None,
    hands_from: Annotated[
        str | None,
        Option("--from", metavar="FILE", help="survey the hands of a file instead, one per line; - for standard input"),
    ] = None,
    declarations: Annotated[
        str | None,
        Option(metavar="LIST", help="only these declarations, separated by commas: '5, doubles, nello doubles low'"),
    ] = None,
    seed: Annotated[int, Option(min=0, help="seed of the hands and worlds")] = 1,
    out: Annotated[
        Path | None,
        Option(metavar="FOLDER", help="folder of the survey (default: named after it); an existing one is resumed"),
    ] = None,
    device: Annotated[Device, Option(help="where to solve; auto takes a GPU if there is one")] = Device.AUTO,
    threads: Annotated[
        int | None, Option(min=1, max=MOST_THREADS, help="number of CPU threads (default: one per core)")
    ] = None,
    piece: Annotated[int, Option(min=1, max=1 << 30, help="hands per file; a GPU does better with more")] = PIECE,
    cluster: ClusterOption = None,
    workers: Annotated[
        int | None,
        Option(min=1, max=MOST_WORKERS, help="workers of a cluster, a core each (default: all its cores)"),
    ] = None,
    rules: RulesOption = None,
    plot: Annotated[Path | None, Option(metavar="FILE", help="plot the given hands, .svg or .png")] = None,
    as_json: Annotated[bool, Option("--json", help="print given hands as one JSON object")] = False,
) -> None:
    """Measure how often a hand makes each bid: deal the other tiles many times, and solve each deal.

    The hand declares and leads, all hands lie open and everybody plays as well as possible; that flatters the side that
    leads, so a real table makes less. A survey of many hands is a folder: it may be stopped at any time, and goes on
    when the same command is given again, with more --hands too. At its end it is gathered into a parquet file. A hand
    given by --hand is shown here, and kept only with --out.

    \b
    Examples:
      renege survey 42 --hand "6-6 6-5 6-4 6-2 5-5 3-1 2-0" --worlds 200
      renege survey 42 --hands 300 --worlds 40 --out my-survey
      renege survey 42 chart my-survey --out chart.svg
      renege survey 42 --hands 20000 --worlds 100 --device gpu --piece 1024 --out large
      renege survey 42 --hands 20000 --worlds 100 --cluster 10.0.0.1:6379 --out large
    """
    if context.invoked_subcommand is not None:
        return
    game = game_called("42", rules)
    given = _given(hand, hands_from)
    asked = None if declarations is None else [word for word in map(str.strip, declarations.split(",")) if word]
    plan = make_plan(game, worlds=worlds, seed=seed, piece=piece, declarations=asked, given=given)
    check_picture(plot)
    check_cluster(cluster)
    solver = _solver(device, threads, cluster, workers)
    shown = hand is not None and hands_from is None
    if (as_json or plot) and not shown:
        raise NotationError("--json and --plot are for hands that are given by --hand")
    if out is None and given is not None and shown:
        if cluster is not None:
            raise NotationError("hands that are only shown are solved here: name a folder with --out, or no --cluster")
        with _bar(len(given), solver, Pace()) as tell:
            found = survey_of(plan, given, solver, tell=tell)
    else:
        folder = out or Path(f"survey-42-seed-{seed}")
        hands, pace = hands if given is None else len(given), Pace()
        try:
            with _bar(hands, solver, pace) as tell, aside(cluster):
                run(plan, folder, hands, solver, given=given, cluster=cluster, workers=workers, tell=tell)
        except KeyboardInterrupt:
            kept = sum(len(piece.hands) for piece in pieces(folder))
            stop(f"stopped with {kept} of {hands} hands in {folder}; the same command goes on from there")
        _gather(folder, anew=bool(pace.done["hands"]))
        found = read_survey(folder) if shown else None
    if found is not None:
        print(json.dumps(_answer(found))) if as_json else _show(found)
        if plot is not None:
            from renege.survey.charts import draw_hands  # here: it needs matplotlib

            draw_hands(found, plot)
            typer.echo(plot, err=True)


def _given(hand: list[str] | None, file: str | None) -> list[int] | None:
    """The hands to solve where they are given: those of a file first."""
    if hand is None and file is None:
        return None
    found: list[int] = []
    for number, line in enumerate(text_of(file).splitlines() if file is not None else (), start=1):
        if text := line.partition("#")[0].strip():
            try:
                found.append(read_hand(text))
            except NotationError as wrong:
                raise NotationError(f"{file}, line {number}: {wrong}") from None
    found += [read_hand(text) for text in hand or ()]
    if not found:
        raise NotationError(f"{file} has no hand in it")
    return found


def _solver(device: Device, threads: int | None, cluster: str | None, workers: int | None) -> HandSolver:
    """Who solves: this machine, or on a cluster every core one piece, or every GPU where they are asked for."""
    if cluster is None:
        if workers is not None:
            raise NotationError("--workers is for --cluster: on one machine --threads says how many cores to use")
        return find_solver(device, threads or cores())
    name = "gpu" if device is Device.GPU else "cpu"
    return replace(find_solver("cpu"), name=f"cluster, {name}", device=name)


@contextmanager
def _bar(hands: int, solver: HandSolver, pace: Pace) -> Generator[Callable[[float], None], None, None]:
    with progress_bar(hands) as show:
        yield lambda done: show(done, f"{solver.name}, {pace.reach('hands', done)}".rstrip(", "))


def _gather(folder: Path, *, anew: bool) -> None:
    """Gather a survey that is solved, where that can be done, and say where it is."""
    if find_spec("pyarrow") is None:
        Console(stderr=True).print(f"solved; 'renege survey 42 gather {folder}' makes parquet of it where pyarrow is")
        print(folder)
        return
    path = folder / PARQUET
    if anew or not path.exists():
        path, _ = gather(folder)
    print(path)


# -- hands in the terminal


def _show(found: Survey) -> None:
    plan = found.plan
    for row, hand in enumerate(found.hands.tolist()):
        print(f"{DECK.of(hand)}: chance in % to make a bid, {plan.worlds} worlds, seed {plan.seed}, open hands")
        counts = found.counts[row]
        order = sorted(range(len(found.calls)), key=lambda i: (-_top(found, row, i), -mean_points(counts[i])))
        show_table(("declaration", *map(str, BIDS), "mean"), [_row(found, row, i) for i in order])
        best = best_call(found, row)
        if best is not None:
            print(*_picture(found, row, best), "", sep="\n")


def _top(found: Survey, row: int, i: int) -> float:
    """How good a declaration is: how often its lowest bid is made."""
    call = found.calls[i]
    return float(made(found.counts[row, i], BIDS[-1] if call.in_marks else BIDS[0], call))


def _row(found: Survey, row: int, i: int) -> tuple[str, ...]:
    call, counts = found.calls[i], found.counts[row, i]
    bids = [
        "" if call.in_marks and bid != BIDS[-1] else f"{100 * made(counts, bid, call) / found.plan.worlds:.0f}"
        for bid in BIDS
    ]
    return (call.text, *(f"{bid:>3}" for bid in bids), f"{mean_points(counts):.1f}")


def _picture(found: Survey, row: int, i: int) -> list[str]:
    """A bar for each bid, with the 95 % interval of its chance."""
    n, lines = found.plan.worlds, [found.calls[i].text]
    for bid in BIDS:
        hits = made(found.counts[row, i], bid)
        low, high = wilson(hits, n)
        whole, eighth = divmod(round(8 * WIDTH * float(hits) / n), 8)
        bar = (FULL * whole + EIGHTHS[eighth].strip()).ljust(WIDTH)
        lines.append(f"{bid}  {bar} {100 * hits / n:3.0f} %  ({100 * low:.0f} to {100 * high:.0f})")
    return lines


def _answer(found: Survey) -> dict[str, Any]:
    n = found.plan.worlds
    return {
        "worlds": n,
        "seed": found.plan.seed,
        "rules": found.plan.rules,
        "hands": [
            {
                "hand": str(DECK.of(hand)),
                "declarations": {
                    call.text: {
                        "mean_points": round(float(mean_points(found.counts[row, i])), 4),
                        "makes": {
                            str(bid): int(made(found.counts[row, i], bid, call))
                            for bid in (BIDS[-1:] if call.in_marks else BIDS)
                        },
                    }
                    for i, call in enumerate(found.calls)
                },
            }
            for row, hand in enumerate(found.hands.tolist())
        ],
    }


# -- a survey that was solved


def chart(
    survey: SurveyArgument,
    out: Annotated[Path, Option(metavar="FILE", help="the bidding chart, .svg, .png or .pdf")] = Path("chart.svg"),
    examples: Annotated[Path | None, Option(metavar="FILE", help="also plot the chance by bid for some hands")] = None,
) -> None:
    """Draw the bidding chart: what to bid on so many trumps and other doubles, and how often it is made.

    \b
    Examples:
      renege survey 42 chart my-survey --out chart.svg
      renege survey 42 chart survey.parquet --out chart.png --examples hands.png
    """
    check_picture(out)
    check_picture(examples)
    found = read_survey(survey)
    from renege.survey.charts import draw_chart, draw_examples  # here: they need matplotlib

    draw_chart(found, out)
    print(out)
    if examples is not None:
        draw_examples(found, examples)
        print(examples)


def gather_pieces(
    folder: Annotated[Path, Argument(metavar="FOLDER", help="the folder of a survey")],
    out: Annotated[Path | None, Option(metavar="FILE", help="the parquet file (default: in the folder)")] = None,
) -> None:
    """Gather the pieces of a survey into one parquet file, a row for each hand and declaration.

    A survey does that itself at its end; this is for one that was solved where pyarrow is not installed, or stopped.

    \b
    Example:
      renege survey 42 gather my-survey
    """
    path, hands = gather(folder, out)
    print(f"{path}: {hands} hands")


def table(
    survey: SurveyArgument,
    out: Annotated[Path, Option(metavar="FILE", help="the table, .json")] = Path("surveyed.json"),
) -> None:
    """Make the small table that a bidder looks a hand up in: the points of hands like it, by what a player counts.

    \b
    Example:
      renege survey 42 table my-survey --out src/renege/games/texas42/surveyed.json
    """
    found = read_survey(survey)
    plan, usual = found.plan, found.by_usual()
    about = {"worlds": plan.worlds, "seed": plan.seed, "rules": plan.rules}
    with write_atomically(out) as file:
        file.write(openings_of(found.plan.game).fit(usual.counted(), usual.counts, about).encode())
    print(out)


# -- the commands

survey = group("Measure how often opening hands make each bid with each declaration.")
for name in ("42", GAME):
    at = typer.Typer(rich_markup_mode=None)
    at.callback(invoke_without_command=True)(plain_errors()(survey_hands))
    for command in (chart, table):
        at.command()(plain_errors()(command))
    at.command("gather")(plain_errors()(gather_pieces))
    survey.add_typer(at, name=name, hidden=name != "42")
