"""The commands that search: `renege solve` and `renege hint`."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from renege.belief.belief import Belief, name_pile
from renege.cli.arguments import RulesOption, game_called, text_of
from renege.core.cards import Card, Cards
from renege.core.notation import NotationError
from renege.core.position import Position, View, evidence_of
from renege.core.position import solve as solve_open
from renege.core.position_text import parse_position
from renege.core.record import Record
from renege.core.registry import GAMES, parse_game_record
from renege.core.solution import NO_LIMIT, Bounds, Limits, Solution, Value
from renege.core.trick import Play
from renege.games.strategy import strategy_of
from renege.games.wire import parse_objective
from renege.search import Estimate, Findings, engine_named, weigh
from renege.search.review import same, spell

HIGH_CARDS = 6  # whose whereabouts a hint tells
LEADS = 3  # whose odds to stand a hint tells
DIGITS = 2  # of a pay

RecordArgument = Annotated[str, typer.Argument(metavar="RECORD", help="the file of a record, or - for standard input")]
DealOption = Annotated[int | None, typer.Option(min=1, help="which deal of the record (default: the last)")]
ActsOption = Annotated[int | None, typer.Option(min=0, help="stop after this many calls and plays (default: all)")]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON object")]
SeedOption = Annotated[int, typer.Option(min=0, help="seed of the sampled worlds")]


# -- solve


def solve(
    what: Annotated[str, typer.Argument(metavar="POSITION", help="a position with all hands, or the file of a record")],
    objective: Annotated[
        str, typer.Option(help="what to solve for: points, or make:N for 'do they get N more?'")
    ] = "points",
    ms: Annotated[float | None, typer.Option(min=1, help="stop after this many milliseconds, with bounds")] = None,
    nodes: Annotated[
        int, typer.Option(min=1, show_default=False, help="stop after visiting this many nodes, with bounds")
    ] = NO_LIMIT,
    trick: Annotated[int | None, typer.Option(min=1, help="of a record: solve the lead of this trick")] = None,
    acts: Annotated[int | None, typer.Option(min=0, help="of a record: solve after this many calls and plays")] = None,
    deal: DealOption = None,
    game: Annotated[str | None, typer.Option("--game", help="the game of a position (default: texas42)")] = None,
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
    record = record_of(what, deal)
    if game is not None and game_called(game).name != record.game.name:
        raise NotationError(f"--game {game}, and this is a record of {record.game.name}")
    if trick is None:
        return _cut(record, acts).position
    if acts is not None:
        raise NotationError("say --trick or --acts, not both")
    for position in record.positions():
        if position.trick is not None and not position.trick.plays and position.tricks_played == trick - 1:
            return position
    raise NotationError(f"the deal has no trick {trick}")


def record_of(file: str, deal: int | None) -> Record:
    deals = parse_game_record(text_of(file)).deals
    if not deals or (deal is not None and deal > len(deals)):
        raise NotationError(f"the record has {len(deals)} deal{'s' * (len(deals) != 1)}, not {deal or 1}")
    return deals[-1 if deal is None else deal - 1]


def _cut(record: Record, acts: int | None) -> Record:
    if acts is not None and acts > len(record.acts):
        raise NotationError(f"the deal has {len(record.acts)} calls and plays, not {acts}")
    return replace(record, acts=record.acts[:acts])


def asked(found: Solution) -> str:
    who = _seats(found.takers)
    if found.loses:
        return f"does {who} lose every trick?"
    if found.target is not None:
        return f"do{'es' * (len(found.takers) == 1)} {who} get {found.target} more?"
    return f"points that {who} still win{'s' * (len(found.takers) == 1)}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat {seats[0]}" if len(seats) == 1 else "seats " + " and ".join(map(str, seats))


def _show_solution(position: Position, found: Solution) -> None:
    best, order = found.best, position.order
    assert order is not None
    print(f"{position}\nseat {position.turn} to play; {asked(found)}")
    good = sorted(found.plays, key=lambda one: (one[1].low, one[1].high), reverse=found.wants_more)
    rows = [
        (position.game.write_play(play, order), _bounds(found, bounds), "best" if play in best else "")
        for play, bounds in good
    ]
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
    assert position.order is not None
    each = {position.game.write_play(play, position.order): bounds for play, bounds in found.plays}
    return {
        "position": str(position),
        "turn": position.turn,
        "value": found.value,
        "bounds": [found.bounds.low, found.bounds.high],
        "plays": {play: {"value": found.say(b), "bounds": [b.low, b.high]} for play, b in each.items()},
        "takers": found.takers,
        "nodes": found.nodes,
    }


# -- hint


def hint(
    file: RecordArgument,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="whose view to use (default: the seat to move)")
    ] = None,
    ms: Annotated[float, typer.Option(min=1, help="milliseconds of search")] = 1000,
    worlds: Annotated[
        int | None, typer.Option(min=1, help="search this many worlds instead, however long it takes")
    ] = None,
    device: Annotated[str, typer.Option(help="where to compute: cpu or gpu")] = "cpu",
    acts: ActsOption = None,
    deal: DealOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Advise the seat to move, from what it has seen alone, and say why.

    Each option is tried in the same worlds, deals that fit all that the seat has seen; the estimate is what it wins
    on average, with the 95 % interval of that, and how far it is behind the best where both were tried. Below stands
    what the rules of thumb say, and where the high cards are, by exact count.

    \b
    Examples:
      renege hint game.txt
      renege hint game.txt --seat 2 --acts 20 --ms 3000
    """
    record = _cut(record_of(file, deal), acts)
    turn = record.position.turn
    if turn is None:
        raise NotationError("the deal is over: nobody is to move; --acts looks back")
    if seat not in (None, turn):
        raise NotationError(f"it is the turn of seat {turn}, not of seat {seat}; --acts looks back")
    view = record.view(turn)
    engine = engine_named(device)
    found = weigh(view, ms=None if worlds is not None else ms, worlds=worlds, seed=seed, engine=engine)
    reasons = list(_reasons(view, found))
    if as_json:
        print(json.dumps(_hint_json(view, found, reasons)))
    else:
        _show_hint(view, found, reasons)


def _show_hint(view: View, found: Findings, reasons: list[str]) -> None:
    does = "call" if view.position.talking else "play"
    print(f"seat {view.seat} to {does}, holding {view.hand}")
    if len(found.estimates) == 1:
        print(f"{spell(view, found.best.option)}: {found.stopped}")
    else:
        rows = [
            (spell(view, estimate.option), *_estimate(estimate), str(estimate.worlds), "~" * _ahead(estimate))
            for estimate in found.estimates
        ]
        rows[0] = (*rows[0][:-1], "best")
        show_table((does, found.unit, "95 % interval", "behind", "worlds", ""), rows)
        if any(map(_ahead, found.estimates)):
            usual = found.best.option == found.usual
            print(f"~ ahead, but not clearly, and so {'the usual' if usual else 'what is ahead by points'} stays first")
        print(f"{found.worlds} world{'s' * (found.worlds != 1)} in {found.seconds:.2f} s: {found.stopped}")
    for reason in reasons:
        print(reason)


def _ahead(estimate: Estimate) -> bool:
    """Did an option come to more than the one that is put first, by as much as is shown?"""
    return round(estimate.behind, DIGITS) < 0


def _estimate(estimate: Estimate) -> tuple[str, str, str]:
    if math.isnan(estimate.mean):
        return "", "", ""
    within = f"{estimate.low:+.2f} to {estimate.high:+.2f}" if math.isfinite(estimate.low) else "unknown"
    behind = round(estimate.behind, DIGITS)
    return f"{estimate.mean:+.2f}", within, f"{behind:.{DIGITS}f}" if behind else ""


def _hint_json(view: View, found: Findings, reasons: list[str]) -> dict[str, Any]:
    return {
        "seat": view.seat,
        "hand": str(view.hand),
        "options": [
            {
                "option": spell(view, estimate.option),
                "mean": _number(estimate.mean),
                "low": _number(estimate.low),
                "high": _number(estimate.high),
                "behind": _number(estimate.behind),
                "worlds": estimate.worlds,
            }
            for estimate in found.estimates
        ],
        "unit": found.unit,
        "worlds": found.worlds,
        "seconds": found.seconds,
        "stopped": found.stopped,
        "why": reasons,
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _reasons(view: View, found: Findings) -> Iterable[str]:
    """What the rules of thumb say, and what is known of the cards that matter."""
    policy = strategy_of(view.game).policy
    if policy is not None:
        usual = policy(view)
        agrees = "" if same(usual.what, found.best.option) else " instead"
        yield f"rules of thumb: {spell(view, usual.what)}{agrees}, {usual.why}"
    if view.position.order is None or view.position.talking:
        return
    belief = Belief(view)
    yield f"beliefs: {belief.count():,} deals fit what seat {view.seat} has seen"
    cards = _high_cards(belief)
    if not cards and view.position.trick is not None and view.position.trick.plays:
        yield "  no card that is out beats what lies on the table"
    by_place: dict[str, list[str]] = {}
    for card in cards:
        by_place.setdefault(_whereabouts(belief, card), []).append(view.game.deck.names[card])
    of = "copies of " if view.game.deck.copies > 1 else ""
    yield from (f"  {of}{' '.join(names)}: {where}" for where, names in by_place.items())
    yield from _throws(belief, found)


def _whereabouts(belief: Belief, card: Card) -> str:
    """Where a card is that this seat does not hold: how likely or, in a deck of two packs, how many of it."""
    likely = sorted((-round(share, 4), pile) for pile, share in belief.odds(card).items() if share >= 0.0005)
    two = belief.view.game.deck.copies > 1
    shown = [(pile, f"{-share:.2f}" if two else f"{-100 * share:.0f} %") for share, pile in likely]
    return ", ".join(f"{name_pile(pile)} {share}" for pile, share in shown if pile != _seat(belief))


def _seat(belief: Belief) -> int | None:
    return belief.view.seat if isinstance(belief.view, View) else None


def _high_cards(belief: Belief) -> list[Card]:
    """The cards out that matter most: those that beat what lies on the table, else the highest, trumps first."""
    view, problem = belief.view, belief.compiled.problem
    order, trick = view.position.order, view.position.trick
    assert order is not None and trick is not None
    out = [kind for kind, copies in zip(problem.kinds, problem.copies, strict=True) if copies]
    ahead = trick.plays[trick.best].cards.single() if trick.plays else None
    lead = trick.lead.cards.single() if trick.lead is not None else None
    if ahead is not None and lead is not None and trick.lead is not None:
        led = order.led_suit[lead] if trick.lead.suit is None else trick.lead.suit
        out = [card for card in out if order.strength[led][card] > order.strength[led][ahead]]
    return sorted(out, key=lambda card: -order.strength[order.led_suit[card]][card])[:HIGH_CARDS]


def _throws(belief: Belief, found: Findings) -> Iterable[str]:
    """How likely the best leads of several cards stand, where others may stop them."""
    view = belief.view
    needs = evidence_of(view.game).stands
    if needs is None or view.position.trick is None or view.position.trick.plays:
        return
    leads = [
        one.option for one in found.estimates[:LEADS] if isinstance(one.option, Play) and len(one.option.cards) > 1
    ]
    for lead in leads:
        if needs(view.position, lead):
            yield f"  {lead} stands: {100 * belief.stands(lead):.0f} %"


# -- what they share


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: with lines on a terminal, in plain columns elsewhere."""
    console = Console()
    if console.is_terminal:
        table = Table(*columns)
        for row in rows:
            table.add_row(*row)
        console.print(table)
        return
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in (columns, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
