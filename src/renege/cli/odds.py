"""The command `renege odds`: what a seat may believe in a record."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from renege.belief.belief import Belief, name_pile
from renege.cli.arguments import FileArgument, text_of
from renege.core.notation import NotationError
from renege.core.registry import parse_game_record


def odds(
    file: FileArgument,
    seat: Annotated[int, typer.Option(min=0, max=3, help="whose view it is")] = 0,
    acts: Annotated[int | None, typer.Option(min=0, help="stop after this many calls and plays (default: all)")] = None,
    cards: Annotated[str | None, typer.Option(help="explain these cards too")] = None,
    heat: Annotated[Path | None, typer.Option(metavar="FILE", help="draw them as a picture, .svg or .png")] = None,
) -> None:
    """Count the deals consistent with what a seat saw in a record, and show where each hidden card may be.

    \b
    Examples:
      renege odds game.txt --seat 2 --acts 20
      renege odds game.txt --seat 1 --cards "SA HK" --heat odds.svg
    """
    deal = parse_game_record(text_of(file)).deals[-1]
    if acts is not None and acts > len(deal.acts):
        raise NotationError(f"the deal has {len(deal.acts)} calls and plays, not {acts}")
    view = replace(deal, acts=deal.acts[:acts]).view(seat)
    belief = Belief(view)
    _show_odds(belief)
    for card in (cards or "").replace(",", " ").split():
        print(belief.explain(card))
    if heat is not None:
        from renege.figures.heat import heat_map  # here: it needs matplotlib

        heat_map(belief, heat, f"What seat {seat} may believe after {len(view.acts)} acts")
        print(heat)


def _show_odds(belief: Belief) -> None:
    problem, deck = belief.compiled.problem, belief.view.game.deck
    print(f"{belief.count():,} deals, {belief.distinct():,} that can be told apart")
    piles = [(i, pile) for i, pile in enumerate(belief.compiled.piles) if pile >= 0]
    expected = belief.worlds.expected()
    table = Table("card", *(name_pile(pile) for _, pile in piles))
    for place, (kind, copies) in enumerate(zip(problem.kinds, problem.copies, strict=True)):
        if copies:
            table.add_row(deck.names[kind], *(f"{expected[place, i]:.3f}" for i, _ in piles))
    console = Console()
    if console.is_terminal:
        console.print(table)
        return
    print("card", *(name_pile(pile).replace(" ", "-") for _, pile in piles))
    for place, (kind, copies) in enumerate(zip(problem.kinds, problem.copies, strict=True)):
        if copies:
            print(deck.names[kind], *(f"{expected[place, i]:.6f}" for i, _ in piles))
