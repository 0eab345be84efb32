"""Plot of a reviewed deal: its open-hand value after each play, and the loss of each decision."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from renege.core.notation import NotationError
from renege.core.solution import Value
from renege.figures.style import FAINT, FOURTH, INK, MORE, OURS, PUBLISHED, THIRD, WIDTH, drawing, label
from renege.search.review import Known, Open, ReviewedMove

SEAT_COLOURS = (OURS, PUBLISHED, THIRD, FOURTH, *MORE)
WIDEST = 13.0  # inches
NAMED = 4  # costly decisions that are written beside the line or over the bars


def draw(moves: Sequence[ReviewedMove], file: Path, unit: str) -> None:
    """Draw a reviewed deal to a file; its ending says in which format."""
    known = any(isinstance(move.known, Known) for move in moves)
    told = [place for place, move in enumerate(moves) if isinstance(move.open, Open) and move.open.before is not None]
    if not told and not known:
        raise NotationError("nothing of this deal could be worked out: there is nothing to draw")
    if not known:  # from the first trick whose value is known
        moves = [move for move in moves if (move.trick or 0) >= (moves[told[0]].trick or 0)]
    panels = bool(told) + known
    with drawing(file, min(WIDEST, max(WIDTH, 0.21 * len(moves) + 1.2)), 1.1 + 2.5 * panels) as figure:
        axes = list(figure.subplots(panels, sharex=True, squeeze=False)[:, 0])
        if told:
            _line(axes[0], moves)
        if known:
            _bars(axes[-1], moves, unit)
        for each in axes:
            _tricks(each, moves)
        seats = sorted({move.seat for move in moves})
        legend = [Patch(color=SEAT_COLOURS[seat], label=f"seat {seat}") for seat in seats]
        axes[0].legend(handles=legend, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, fontsize=8.5)
        axes[0].set_title(axes[0].get_title(loc="left"), pad=26)
        axes[-1].set_xlabel("tricks")


def _line(axes: Axes, moves: Sequence[ReviewedMove]) -> None:
    """What it comes to in the end; a play that costs something is a step, in the colour of its seat."""
    _label_line(axes, moves)
    named = _costliest([move.cost_open for move in moves])
    for place, move in enumerate(moves):
        if not isinstance(move.open, Open) or move.open.cost is None:
            continue
        before, after = _total(move.open, move.open.before), _total(move.open, move.open.after)
        axes.plot([place, place + 0.5], [before, before], color=FAINT, linewidth=1.4)
        axes.plot([place + 0.5, place + 1], [after, after], color=FAINT, linewidth=1.4)
        if move.open.cost:
            axes.plot([place + 0.5] * 2, [before, after], color=SEAT_COLOURS[move.seat], linewidth=2.6)
        if place in named:
            axes.annotate(
                move.what if move.open.solution.loses else f"{move.what}, -{move.cost_open}",
                (place + 0.5, (before + after) / 2),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
                color=INK,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.8},
            )
    axes.margins(y=0.12)


def _label_line(axes: Axes, moves: Sequence[ReviewedMove]) -> None:
    solution = next(move.open.solution for move in moves if isinstance(move.open, Open))
    who = f"seat{'s' * (len(solution.takers) > 1)} {' and '.join(map(str, solution.takers))}"
    if solution.loses:
        label(axes, f"With open hands: does {who} lose every trick?", "", "")
        axes.set_yticks([0, 1], ["no", "yes"])
    else:
        label(axes, f"With open hands: points of {who} in the end", "", "points")


def _total(one: Open, value: Value) -> int:
    """Points in the end; where the value is yes or no, 1 or 0."""
    assert value is not None
    return int(value) if isinstance(value, bool) else one.taken + value


def _bars(axes: Axes, moves: Sequence[ReviewedMove], unit: str) -> None:
    label(axes, "By what the seat could know: what each decision gave away", "", unit)
    named = _costliest([move.cost_known for move in moves])
    for place, move in enumerate(moves):
        if move.cost_known:
            axes.bar(place + 0.5, move.cost_known, color=SEAT_COLOURS[move.seat], width=0.8)
        if place in named:
            axes.text(place + 0.5, move.cost_known, move.what, ha="center", va="bottom", fontsize=8.5)
    axes.margins(y=0.15)
    axes.set_ylim(bottom=0)


def _costliest(costs: Sequence[float]) -> list[int]:
    """The places of the greatest costs, none so near another that their names would overlap."""
    apart = max(2.0, len(costs) / 12)
    found: list[int] = []
    for place in sorted(range(len(costs)), key=lambda place: -costs[place]):
        if costs[place] > 0 and len(found) < NAMED and all(abs(place - other) >= apart for other in found):
            found.append(place)
    return found


def _tricks(axes: Axes, moves: Sequence[ReviewedMove]) -> None:
    """Dotted lines between the tricks, and a number under each."""
    starts = [i for i, move in enumerate(moves) if i == 0 or move.trick != moves[i - 1].trick]
    for start in starts[1:]:
        axes.axvline(start, color=FAINT, linewidth=0.9, linestyle=":")
    ends = [*starts[1:], len(moves)]
    names = ["talk" if moves[start].trick is None else f"{moves[start].trick}" for start in starts]
    axes.set_xticks([(start + end) / 2 for start, end in zip(starts, ends, strict=True)], names)
    axes.set_xlim(0, len(moves))
