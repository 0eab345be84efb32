"""The command `renege odds`: what a seat may believe in a record."""

from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.table import Table
from typer import Option

from renege.belief.belief import Belief, name_pile
from renege.belief.listing import TooManyDistinct
from renege.cli.arguments import ActsOption, FileArgument, record_of
from renege.core.game import KITTY, MOST


def odds(
    file: FileArgument,
    seat: Annotated[int, Option(min=0, max=MOST - 1, help="whose view it is")] = 0,
    acts: ActsOption = None,
    cards: Annotated[str | None, Option(help="explain these cards too")] = None,
    heat: Annotated[Path | None, Option(metavar="FILE", help="draw them as a picture, .svg or .png")] = None,
) -> None:
    """Count the deals consistent with what a seat saw in a record, and show where each hidden card may be.

    While the banker's friends are sought, show who may become one: by each card that was named, and altogether. Of
    several copies in hands any is as likely to come first.

    \b
    Examples:
      renege odds game.txt --seat 2 --acts 20
      renege odds game.txt --seat 1 --cards "SA HK" --heat odds.svg
    """
    view = record_of(file, None, acts).view(seat)
    belief = Belief(view)
    _show_odds(belief)
    _show_friends(belief)
    for card in (cards or "").replace(",", " ").split():
        print(belief.explain(card))
    if heat is not None:
        from renege.figures.plots import heat_map  # here: it needs matplotlib

        heat_map(belief, heat, f"What seat {seat} may believe after {len(view.acts)} acts")
        print(heat)


def _show_odds(belief: Belief) -> None:
    problem, deck = belief.compiled.problem, belief.view.game.deck
    try:
        print(f"{belief.count():,} deals, {belief.distinct():,} that can be told apart")
    except TooManyDistinct:  # at large tables
        print(f"{belief.count():,} deals")
    piles = [(i, name_pile(pile)) for i, pile in enumerate(belief.compiled.piles) if pile >= KITTY]
    expected = belief.worlds.expected()
    rows = [
        (deck.names[kind], [expected[place, i] for i, _ in piles])
        for place, (kind, copies) in enumerate(zip(problem.kinds, problem.copies, strict=True))
        if copies
    ]
    console = Console()
    if console.is_terminal:
        table = Table("card", *(pile for _, pile in piles))
        for card, shares in rows:
            table.add_row(card, *(f"{share:.3f}" for share in shares))
        console.print(table)
        return
    print("card", *(pile.replace(" ", "-") for _, pile in piles))
    for card, shares in rows:
        print(card, *(f"{share:.6f}" for share in shares))


def _show_friends(belief: Belief) -> None:
    """Who may become a friend, by each card that was named, and who plays with the banker."""
    odds = belief.friends()
    if odds is None:
        return
    rows = [(f"friend {one.place.name}", [*one.takes.values(), one.nobody]) for one in odds.places]
    rows.append(("with the banker", list(odds.team.values())))
    console = Console()
    if console.is_terminal:
        table = Table("", *(name_pile(seat) for seat in odds.team), "nobody")
        for name, shares in rows:
            table.add_row(name, *(f"{share:.3f}" for share in shares))
        console.print(table)
        return
    print("friend", *(name_pile(seat).replace(" ", "-") for seat in odds.team), "nobody")
    for name, shares in rows:
        print(name.replace("friend ", "").replace(" ", "-"), *(f"{share:.6f}" for share in shares))
