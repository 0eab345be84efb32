# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""The command `renege train`: a network teaches itself a game by playing against itself."""

import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from renege.agents import check_agent, parse_agent
from renege.cli.arguments import GameArgument, RulesOption, table_called
from renege.cli.output import progress_bar
from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.notation import NotationError
from renege.games.encoding import encoding_of
from renege.games.rows import Rows
from renege.games.strategy import strategy_of

SMALLER = {"lanes": 1024, "steps": 40, "batch": 4096, "updates": 20}  # on a CPU
SMALLEST = {"lanes": 64, "steps": 40, "batch": 512, "updates": 8}  # of tables that Python steps
FEWER, FEWEST = {"lessons": 1000}, {"lessons": 60}
EXTRA = "pip install 'renege[train]'"


def train(
    game: GameArgument,
    out: Annotated[Path, Option(metavar="FOLDER", help="folder of the training; an existing one is resumed")],
    rules: RulesOption = None,
    preset: Annotated[str | None, Option(help="rule preset to train under; see renege rules")] = None,
    minutes: Annotated[float | None, Option(min=0.0, help="stop after so many minutes, at the end of a round")] = None,
    rounds: Annotated[int | None, Option(min=1, help="rounds in all, over which the learning rate falls")] = None,
    lanes: Annotated[int | None, Option(min=16, help="tables that are played at once")] = None,
    seed: Annotated[int | None, Option(min=0, help="seed of the deals and of all chance")] = None,
    device: Annotated[str | None, Option(help="cpu or cuda (default: a GPU if there is one)")] = None,
    width: Annotated[int | None, Option(min=16, max=512, help="width of the policy, a multiple of 16")] = None,
    blocks: Annotated[int | None, Option(min=1, max=8, help="blocks of the policy")] = None,
    critic_width: Annotated[int | None, Option(min=16, max=512, help="width of the critic, a multiple of 16")] = None,
    critic_blocks: Annotated[int | None, Option(min=1, max=8, help="blocks of the critic")] = None,
    match: Annotated[int, Option(min=0, help="pairs of each running match; 0 for none")] = 100,
    against: Annotated[list[str] | None, Option(help="who the running matches are against; may be repeated")] = None,
    exploit: Annotated[
        str | None, Option(metavar="NET", help="learn a best response to this frozen network: a file, net or net:FILE")
    ] = None,
    sampling: Annotated[
        bool, Option("--sampling", help="the frozen network draws by its likelihoods (default: its best action)")
    ] = False,
    teacher: Annotated[str | None, Option(help="the agent whose deals it begins from (default: rulebook)")] = None,
    lessons: Annotated[int | None, Option(min=0, help="deals of the teacher; 0 to begin from nothing")] = None,
    workers: Annotated[int | None, Option(min=1, help="processes that play lessons and matches")] = None,
) -> None:
    """Train a network by self-play (PPO with a critic that sees all hands), and write it as a file that plays.

    The folder holds the plan, the last checkpoint, the curve (curve.jsonl, curve.svg) and the network, which plays as
    net:FILE. It may be stopped at any time, and goes on from the last round when the same command is given again.

    \b
    Examples:
      renege train 42 --out learnt --minutes 6
      renege arena 42 net:learnt/texas42.net rulebook
      renege train tractor --preset friends-six --out friends --minutes 60
      renege train 42 --exploit net --out exploiter --minutes 5
      renege arena 42 net:exploiter/texas42.net net
    """
    try:
        from renege.train.frozen import TARGET
        from renege.train.plot import draw_curve
        from renege.train.run import Training, pick_device
    except ImportError as missing:
        raise NotationError(f"training needs PyTorch ({missing}): {EXTRA}") from None
    from renege.train.folder import add_match
    from renege.train.matches import Matches

    table = _table(out, game, preset, rules)
    name, in_kernel = table.name, encoding_of(table, Rows(1)).kernel() is not None
    for other in (*(against or ()), *([] if teacher is None else [teacher])):
        check_agent(parse_agent(other), table)
    cores = workers or os.cpu_count() or 1
    asked = {"rounds": rounds, "lanes": lanes, "seed": seed, "threads": cores, "teacher": teacher, "lessons": lessons}
    chosen = pick_device(device if in_kernel else device or "cpu")  # tables that Python steps lie in the host's memory
    on_gpu = chosen.type == "cuda"
    smaller, fewer = ({}, {}) if on_gpu else (SMALLER, FEWER) if in_kernel else (SMALLEST, FEWEST)
    if exploit is None:
        sizes = _sizes((width, blocks), (critic_width, critic_blocks), on_gpu=on_gpu)
        plan = _plan(out, table, {**smaller, **fewer, **_given(asked)}, sizes)
    else:
        plan = _exploiter(out, table, exploit, {**smaller, **_given({**asked, "greedy": not sampling})})
    training = Training(plan, out, chosen)
    usual = (f"net:{out / TARGET}",) if plan.against else _usual_opponents(table)
    others = tuple(against) if against else usual
    matches = Matches(name, write_rules(table.rules), others, match, cores)
    told = _Told()
    _say(f"training {name} on {training.device}, {plan.lanes} tables, from round {training.kept.rounds}")
    for share in training.teach(_lessons(out, plan, cores) if not training.kept.rounds else []):
        _say(f"lessons: it does as {plan.teacher} does in {share:.1%} of decisions")
    try:
        seconds = None if minutes is None else 60 * minutes
        for done in training.run(plan.rounds, seconds, told):
            for at, found in matches.finished():
                add_match(out, at, found)
                _say(_line(at, found))
            matches.begin(done, training.net_path)
            draw_curve(out)
        for at, found in matches.finished(wait=True):
            add_match(out, at, found)
            _say(_line(at, found))
    finally:
        matches.close()
        draw_curve(out)
    where = training.net_path if training.kept.rounds else f"{out}, and no network yet"
    print(f"{where}: {training.kept.rounds} rounds, {training.kept.deals:,} deals")


_Asked = tuple[int | None, int | None]


def _table(out: Path, game: str, preset: str | None, rules: list[str] | None) -> Game:
    """The game under the rules that are asked for; where none are and the folder holds a training, under its own."""
    from renege.train.folder import find_plan

    asked, found = table_called(game, preset, rules), find_plan(out)
    own = found is not None and found.game == asked.name and not rules and preset is None
    return found.table(found.houses[0]) if own and found is not None else asked


def _given(asked: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in asked.items() if value is not None}


def _usual_opponents(table: Game) -> tuple[str, ...]:
    """Who the running matches are against, where nobody says."""
    return ("rulebook",) if strategy_of(table).search is None else ("rulebook", "searcher:10w")


def _sizes(policy: _Asked, critic: _Asked, *, on_gpu: bool) -> dict[str, Any]:
    """The sizes of the networks, as they are asked for or as usual."""
    from renege.train.network import CRITIC, POLICY, Size

    sizes = {}
    for part, (width, blocks), usual in (("size", policy, POLICY), ("critic", critic, CRITIC)):
        usual = usual if on_gpu else Size(128, 2)
        sizes[part] = Size(width or usual.width, blocks or usual.blocks)
        if sizes[part].width % 16:
            raise NotationError(f"the width of a network is a multiple of 16, and {sizes[part].width} is none")
    return sizes


def _check_folder(out: Path, found: Any, table: Game) -> None:
    """Refuses a folder that holds another training."""
    if found.game != table.name:
        raise NotationError(f"{out} holds a training of {found.game}")
    if told := write_rules(table.rules):
        there = dict(found.houses[0].rules)
        for rule, value in told.items():
            if there.get(rule) != value:
                raise NotationError(f"{out} holds a training that is not under {rule}={value}")


def _plan(out: Path, table: Game, asked: dict[str, Any], sizes: dict[str, Any]) -> Any:
    """The plan of the folder, or a new one; a training that is resumed keeps its plan."""
    from dataclasses import replace

    from renege.train.folder import find_plan, write_plan
    from renege.train.plan import make_plan

    found = find_plan(out)
    if found is not None:
        _check_folder(out, found, table)
        return replace(found, threads=asked["threads"])
    plan = make_plan(table.name, write_rules(table.rules), **{**asked, **sizes})
    write_plan(out, plan)
    return plan


def _exploiter(out: Path, table: Game, target: str, asked: dict[str, Any]) -> Any:
    """The plan of a best response to a network, which is copied into the folder; a training that is there goes on."""
    from dataclasses import replace

    from renege.train.folder import find_plan, write_plan
    from renege.train.frozen import keep_target, sizes_of
    from renege.train.plan import make_exploiter_plan

    game, found = table.name, find_plan(out)
    if found is not None and (found.game != game or not found.against):
        raise NotationError(f"{out} holds a training of {found.game}{'' if found.against else ' against itself'}")
    told, net = keep_target(out, target, game)
    if found is not None:
        _check_folder(out, found, table)
        return replace(found, threads=asked["threads"])
    plan = make_exploiter_plan(game, told, write_rules(table.rules), **{**sizes_of(net), **asked})
    write_plan(out, plan)
    return plan


def _lessons(out: Path, plan: Any, workers: int) -> list[Any]:
    """The lessons of the folder; they are played first if there are none yet."""
    from renege.train.lessons import load_lessons, play_lessons, save_lessons

    path = out / "lessons.npz"
    if path.exists():
        return load_lessons(path)
    if not plan.lessons:
        return []
    _say(f"{plan.teacher} plays {plan.lessons:,} deals to begin from")
    whole, found = sum(house.share for house in plan.houses), []
    with progress_bar(plan.lessons) as bar:
        for house in plan.houses:
            count, done = max(1, round(plan.lessons * house.share / whole)), sum(map(len, found))
            told = partial(_advance, bar, done)
            found.append(play_lessons(plan.game, house, plan.teacher, count, plan.seed, workers, told))
    save_lessons(path, found)
    return found


def _advance(bar: Any, done: int, more: int) -> None:
    bar(done + more, "")


class _Told:
    """Prints how the training goes, a line every few seconds."""

    def __init__(self, every: float = 5.0) -> None:
        self.every, self.last = every, 0.0

    def __call__(self, progress: Any) -> None:
        if time.monotonic() - self.last < self.every:
            return
        self.last, losses = time.monotonic(), progress.losses
        _say(
            f"round {progress.round}.{progress.update:02}: {progress.deals:,} deals, "
            f"{progress.speed / 1e6:.2f} M decisions/s, "
            f"entropy {losses.entropy:.2f} plays {losses.call_entropy:.2f} calls, policy {losses.policy:+.4f}, "
            f"value {losses.value:.3f}, foreseen {losses.explained:.0%}"
        )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _line(at: int, found: dict[str, Any]) -> str:
    interval = f"{found['low']:+.3f} to {found['high']:+.3f}"
    return f"after round {at}: over {found['against']} {found['mean']:+.3f} ({interval}), {found['pairs']} pairs"
