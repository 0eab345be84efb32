"""Heat map of the odds of hidden cards: a row for each holder, a column for each card."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from renege.belief.belief import Belief, name_pile
from renege.core.notation import NotationError
from renege.figures.style import WIDTH, save, styled


def heat_map(belief: Belief, path: Path, title: str) -> None:
    """Draw the odds of every hidden card to a file; its ending says in which format."""
    problem, deck = belief.compiled.problem, belief.view.game.deck
    expected = belief.worlds.expected()
    shown = [place for place, copies in enumerate(problem.copies) if copies]
    if not shown:
        raise NotationError("no card is hidden any more: there is nothing to draw")
    piles = [i for i, pile in enumerate(belief.compiled.piles) if pile >= 0]
    shares = expected[np.ix_(shown, piles)].T
    with styled():
        wide = max(WIDTH, 0.26 * len(shown) + 1.4)
        figure = Figure(figsize=(wide, 0.42 * len(piles) + 1.2), layout="constrained")
        axes = figure.subplots()
        image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=max(problem.copies, default=1), aspect="auto")
        axes.set_title(title)
        axes.set_xticks(range(len(shown)), [deck.names[problem.kinds[place]] for place in shown], rotation=90)
        axes.set_yticks(range(len(piles)), [name_pile(belief.compiled.piles[i]) for i in piles])
        axes.grid(visible=False)
        figure.colorbar(image, ax=axes, label="copies expected", pad=0.01)
        save(figure, path)
