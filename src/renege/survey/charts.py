"""A survey as pictures: the bidding chart to pin to the wall, and the chance against the bid for some hands."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import PercentFormatter

from renege.figures.style import FAINT, FOURTH, INK, OURS, PUBLISHED, THIRD, WIDTH, chart, save, styled
from renege.games.openings import Call, Counted
from renege.native.arrays import F64, I64
from renege.survey.chances import BIDS, Survey, best_call, made, mean_points, wilson
from renege.survey.plan import DECK

ENOUGH = 0.75  # a bid is worth making on a kind of hand that makes it this often with open hands
FEW = 5  # hands below which a cell says nothing about the bid
MOST_DOUBLES = 5
# from the lowest bid of each region on: its colour, the lighter the lower, and the colour of what stands on it
REGIONS = (
    (0, "pass", "#FFFFFF", INK),
    (30, "30", "#DCE9F3", INK),
    (31, "31 to 41", "#8FBBDA", INK),
    (42, "42, a mark", "#1F5F8F", "#FFFFFF"),
)
AT = (0.99, 0.85, 0.6, 0.35, 0.1)  # the examples: stronger than this share of hands
LINES = (("o", "-", OURS), ("s", "--", PUBLISHED), ("^", "-.", THIRD), ("D", ":", FOURTH), ("v", "-", INK))

Row = tuple[int, int]  # trumps and whether the highest is among them; (0, 0) follow-me, (-1, 0) doubles as trumps


@dataclass(frozen=True, slots=True)
class Cell:
    """Hands of one kind: how many, and the mean over them of the chance to make each bid."""

    hands: int
    chances: F64

    @property
    def bid(self) -> int:
        """The highest bid that is made often enough; 0 to pass."""
        return max((bid for bid, chance in zip(BIDS, self.chances, strict=True) if chance >= ENOUGH), default=0)


def cells(survey: Survey) -> dict[tuple[Row, int], Cell]:
    """The hands of a survey by their trumps and other doubles, under the declaration that the rulebook names."""
    usual = survey.by_usual()
    counts = usual.counts
    chances = np.stack([made(counts, bid) for bid in BIDS], axis=1) / counts.sum(axis=1, keepdims=True)
    found: dict[tuple[Row, int], list[int]] = {}
    for i, (call, counted) in enumerate(zip(usual.calls, usual.counted(), strict=True)):
        found.setdefault(_place(call, counted), []).append(i)
    return {place: Cell(len(rows), chances[rows].mean(axis=0)) for place, rows in found.items()}


def _place(call: Call, counted: Counted) -> tuple[Row, int]:
    if call.name == "doubles":
        return (-1, 0), min(counted.trumps, MOST_DOUBLES)
    row = (counted.trumps, int(counted.tops > 0)) if call.has_trumps else (0, 0)
    return row, min(counted.doubles, MOST_DOUBLES)


def draw_chart(survey: Survey, path: Path) -> None:
    """Draw the bidding chart to a file; its ending says in which format."""
    found = cells(survey)
    rows = sorted({row for row, _ in found}, reverse=True)
    columns = range(max(column for _, column in found) + 1)
    with styled():
        height = 0.56 * len(rows) + 2.05  # inches
        figure = Figure(figsize=(WIDTH, height))
        figure.text(0.02, 1 - 0.3 / height, "What to bid in Texas 42", fontsize=15, fontweight="bold")
        axes = figure.add_axes((0.19, 1.12 / height, 0.79, 0.56 * len(rows) / height))
        axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
        axes.grid(visible=False)
        for side in axes.spines.values():
            side.set_visible(False)
        axes.xaxis.set_ticks_position("top")
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0)
        axes.set_xticks([i + 0.5 for i in columns], [f"{i}+" if i == MOST_DOUBLES else str(i) for i in columns])
        axes.set_xlabel("doubles beside the trumps", fontsize=10)
        axes.set_yticks([i + 0.5 for i in range(len(rows))], list(map(_row_name, rows)))
        for place, row in enumerate(rows):
            for column in columns:
                _draw_cell(axes, found.get((row, column)), column, place)
        _explain(figure, survey)
        save(figure, path)


def _row_name(row: Row) -> str:
    trumps, top = row
    if trumps < 1:
        return "follow-me" if trumps == 0 else "doubles as trumps:\ndoubles in all"
    return f"{trumps} trump{'s' * (trumps > 1)}, {'with' if top else 'without'}\ntheir double"


def _draw_cell(axes: Axes, cell: Cell | None, x: int, y: int) -> None:
    if cell is None:
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor="#F4F4F4", edgecolor="white", linewidth=1, zorder=1))
        return
    few = cell.hands < FEW
    _, name, colour, ink = next(region for region in reversed(REGIONS) if cell.bid >= region[0])
    if few:
        colour, ink = "#F4F4F4", FAINT
    axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor=FAINT, linewidth=0.8, zorder=2, clip_on=False))
    head = "few hands" if few else name if cell.bid in (0, 42) else str(cell.bid)
    first, last = 100 * cell.chances[0], 100 * cell.chances[-1]
    axes.text(x + 0.5, y + 0.27, head.split(",")[0], ha="center", va="center", color=ink, fontsize=8.5 if few else 11.5,
              fontweight="normal" if few else "bold")  # fmt: skip
    axes.text(x + 0.5, y + 0.56, f"30: {first:.0f} %", ha="center", va="center", color=ink, fontsize=7.6)
    axes.text(x + 0.5, y + 0.79, f"42: {last:.0f} %", ha="center", va="center", color=ink, fontsize=7.6)
    axes.text(x + 0.97, y + 0.95, str(cell.hands), ha="right", va="bottom", color=ink, fontsize=5.8)


def _explain(figure: Figure, survey: Survey) -> None:
    keys = [Patch(facecolor=colour, edgecolor=FAINT, label=name) for _, name, colour, _ in REGIONS]
    figure.legend(handles=keys, loc="lower left", bbox_to_anchor=(0.012, 0.72 / figure.get_figheight()), ncols=4,
                  fontsize=9, handlelength=1.6, columnspacing=1.6, borderpad=0)  # fmt: skip
    plan = survey.plan
    text = (
        f"Large: the highest bid that such hands make in {100 * ENOUGH:.0f} of 100 worlds or more. "
        "Below: how often they make 30 and 42. Small: hands seen.\n"
        "The declaration is that of the rules of thumb, and you lead. All hands lie open and all play their best: that "
        "flatters you,\nat a table expect less. "
        f"{len(survey):,} hands, {plan.worlds:,} worlds of each, seed {plan.seed}."
    )
    figure.text(0.02, 0.12 / figure.get_figheight(), text, fontsize=7.6, va="bottom", linespacing=1.35)


# -- the chance against the bid


def draw_examples(survey: Survey, path: Path) -> None:
    """Hands from strong to weak under the rulebook's declaration, by the points they make."""
    usual = survey.by_usual()
    order = np.argsort(mean_points(usual.counts), kind="stable")
    lines: dict[int, str] = {}
    for share in AT:
        row = int(order[min(int(share * len(order)), len(order) - 1)])
        lines.setdefault(
            row, f"{DECK.of(usual.hands[row])}, {usual.calls[row].text}\nmakes more than {100 * share:.0f} % of hands"
        )
    _draw_lines([(label, usual.counts[row]) for row, label in lines.items()], path)


def draw_hands(survey: Survey, path: Path) -> None:
    """The hands of a small survey, each under its best declaration."""
    chosen = [(row, best) for row in range(len(survey)) if (best := best_call(survey, row)) is not None]
    if not chosen:
        raise ValueError("there is nothing to draw: no declaration that is bid for points was solved")
    label = [f"{DECK.of(int(survey.hands[row]))}, {survey.calls[i].text}" for row, i in chosen]
    _draw_lines([(said, survey.counts[row, i]) for said, (row, i) in zip(label, chosen, strict=True)], path)


def _draw_lines(lines: Sequence[tuple[str, I64]], path: Path) -> None:
    """A line for each label and `counts [43]`."""
    with styled():
        worlds = int(lines[0][1].sum())
        title = f"Chance to make a bid, open hands, {worlds:,} worlds; the shade is its 95 % interval"
        figure, axes = chart(title, "bid", "", 4.4)
        for i, (label, counts) in enumerate(lines):
            marker, dash, colour = LINES[i % len(LINES)]
            hits = np.array([made(counts, bid) for bid in BIDS])
            low, high = wilson(hits, worlds)
            axes.fill_between(BIDS, low, high, color=colour, alpha=0.13, linewidth=0)
            axes.plot(BIDS, hits / worlds, dash, marker=marker, markersize=4.5, color=colour, label=label)
        axes.set_ylim(0, 1.02)
        axes.set_xticks(list(BIDS), [*(str(bid) for bid in BIDS[:-1]), "42\na mark"])
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
        figure.legend(loc="outside lower left", ncols=2, fontsize=8)
        save(figure, path)
