"""The command `renege solve`: what every play is worth with all hands open."""

import json
from typing import Annotated, Any

from typer import Argument, Option

from renege.cli.arguments import DealOption, JsonOption, RulesOption, game_called, record_of
from renege.cli.output import show_table
from renege.core.cards import Cards
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.position import solve as solve_open
from renege.core.position_text import parse_position
from renege.core.registry import GAMES
from renege.core.solution import Bounds, Limits, Solution, Value
from renege.games.wire import parse_objective
from renege.native.solve import NO_LIMIT


def solve(
    what: Annotated[str, Argument(metavar="POSITION", help="a position with all hands, or the file of a record")],
    objective: Annotated[str, Option(help="what to solve for: points, or make:N for 'do they get N more?'")] = "points",
    ms: Annotated[float | None, Option(min=1, help="stop after this many milliseconds, with bounds")] = None,
    nodes: Annotated[
        int, Option(min=1, show_default=False, help="stop after visiting this many nodes, with bounds")
    ] = NO_LIMIT,
    trick: Annotated[int | None, Option(min=1, help="of a record: solve the lead of this trick")] = None,
    acts: Annotated[int | None, Option(min=0, help="of a record: solve after this many calls and plays")] = None,
    deal: DealOption = None,
    game: Annotated[str | None, Option("--game", help="the game of a position (default: texas42)")] = None,
    rules: RulesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a position with all hands known: the value of every play under best play by everybody.

    In 42 the points of seats 0 and 2 are counted, in Schafkopf those of the declarer's side, in Tractor those of seats
    0 and 2 with the kitty (for the last tricks only). In nello and Bettel the value is whether the declarer loses
    every trick.

    \b
    Examples:
      renege solve 'trump 5 | 0: 5-5 4-1 | 1: 6-6 2-2 | 2: 6-4 3-3 | 3: 5-0 0-0 | 0 leads'
      renege solve game.txt --trick 4
      renege solve game.txt --acts 20 --objective make:12
    """
    target = parse_objective(objective)
    position = _position(what, game, rules, deal, trick, acts)
    if position.turn is None or position.talking:
        raise NotationError(f"nobody is to play: {'the seats still talk' if position.talking else 'the deal is over'}")
    for seat in position.active:
        if not isinstance(position.hands[seat], Cards):
            raise NotationError(f"the hand of seat {seat} is not told, and open hands are all that can be solved")
    found = solve_open(position, target, Limits(nodes, None if ms is None else ms / 1e3))
    if as_json:
        print(json.dumps(_solution_json(position, found)))
    else:
        _show_solution(position, found)


def _position(
    what: str, game: str | None, rules: list[str] | None, deal: int | None, trick: int | None, acts: int | None
) -> Position:
    """A position from its text, which has bars in it, or from a record."""
    if "|" in what:
        if not (deal is None and trick is None and acts is None):
            raise NotationError("--deal, --trick and --acts look into a record, and this is a position")
        return parse_position(game_called(game or next(iter(GAMES)), rules), what)
    if rules:
        raise NotationError("a record has its own house rules")
    record = record_of(what, deal, acts if trick is None else None)
    if game is not None and game_called(game).name != record.game.name:
        raise NotationError(f"--game {game}, and this is a record of {record.game.name}")
    if trick is None:
        return record.position
    if acts is not None:
        raise NotationError("say --trick or --acts, not both")
    for position in record.positions():
        if position.trick is not None and not position.trick.plays and position.tricks_played == trick - 1:
            return position
    raise NotationError(f"the deal has no trick {trick}")


def asked(found: Solution) -> str:
    who = f"seat{'s' * (len(found.takers) > 1)} {' and '.join(map(str, found.takers))}"
    if found.loses:
        return f"does {who} lose every trick?"
    if found.target is not None:
        return f"do{'es' * (len(found.takers) == 1)} {who} get {found.target} more?"
    return f"points that {who} still win{'s' * (len(found.takers) == 1)}"


def _show_solution(position: Position, found: Solution) -> None:
    print(f"{position}\nseat {position.turn} to play; {asked(found)}")
    best = found.best
    good = sorted(found.plays, key=lambda one: (one[1].low, one[1].high), reverse=found.wants_more)
    rows = [(position.spell(play), _bounds(found, bounds), "best" if play in best else "") for play, bounds in good]
    show_table(("play", "value", ""), rows)
    print(f"value {_bounds(found, found.bounds)}, {found.nodes:,} nodes")


def _bounds(found: Solution, bounds: Bounds) -> str:
    value = found.say(bounds)
    if value is None:
        return f"{bounds.low} to {bounds.high}" if found.target is None and not found.loses else "open"
    return say_value(value)


def say_value(value: Value) -> str:
    return "open" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _solution_json(position: Position, found: Solution) -> dict[str, Any]:
    each = {position.spell(play): bounds for play, bounds in found.plays}
    return {
        "position": str(position),
        "turn": position.turn,
        "value": found.value,
        "bounds": [found.bounds.low, found.bounds.high],
        "plays": {play: {"value": found.say(b), "bounds": [b.low, b.high]} for play, b in each.items()},
        "takers": found.takers,
        "nodes": found.nodes,
    }
