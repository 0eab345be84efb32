"""The paper's Figures 1 to 4, drawn from real cases by what the method answers on them."""

# pyright: reportUnknownMemberType=false
# matplotlib's own annotations leave **kwargs open.

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from renege.figures.style import FAINT, INK, OURS, PUBLISHED, THIRD, WIDTH
from study.paper import (
    ROUND,
    Source,
    Structure,
    cards_in,
    consume_from_tractors,
    get_structure,
    honor,
    next_permutation,
    phi,
    same_structure,
    settle,
)

SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
RED = "#B3261E"
_HALO = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none"}
CARD, GAP, TALL = 0.62, 0.70, 0.88  # width, from card to card, height

# W7: three, two and two pairs in a row, into runs of four and three.
W7_LEAD = "H3H3H4H4H5H5H7H7H8H8HTHTHJHJ"
W7_RUFF = "S3S3S4S4S5S5S6S6S8S8S9S9STST"
TRICK = ("HAHAHQHQ", "S3S3S4S4", "C5C8D9DK", "S6S6S9S9")


def _canvas(height: float, title: str, across: float) -> tuple[Figure, Axes]:
    """A sheet without axes, `across` cards wide; y runs down."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title)
    axes.set_axis_off()
    axes.set_xlim(0, across)
    axes.set_ylim(across * height / WIDTH, 0)
    return figure, axes


def _card(axes: Axes, x: float, y: float, card: str, edge: str = FAINT) -> None:
    """One card, its upper left corner at x, y."""
    box = FancyBboxPatch(
        (x + 0.06, y + 0.06),
        CARD - 0.12,
        TALL - 0.12,
        boxstyle="round,pad=0.06,rounding_size=0.1",
        facecolor="white",
        edgecolor=edge,
        linewidth=1.1,
    )
    axes.add_patch(box)
    colour = RED if card[0] in "HD" else INK
    face = f"{card[1].replace('T', '10')}\n{SIGNS[card[0]]}"
    axes.text(x + CARD / 2, y + TALL / 2, face, ha="center", va="center", color=colour, fontsize=8.5, linespacing=1.0)


def _row(axes: Axes, x: float, y: float, cards: Sequence[str], edge: str = FAINT) -> float:
    """Cards side by side; the x where the next would lie."""
    for at, card in enumerate(cards):
        _card(axes, x + at * GAP, y, card, edge)
    return x + len(cards) * GAP


def _brace(axes: Axes, x: float, y: float, cards: int, text: str, colour: str = INK) -> None:
    """A line under some cards, and what they are."""
    end = x + cards * GAP - (GAP - CARD)
    axes.plot([x, end], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
    axes.text((x + end) / 2, y + 0.12, text, ha="center", va="top", fontsize=8.5, color=colour)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str = FAINT) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour, "linewidth": 1.2})


def degradation() -> Figure:
    """Figure 1: a tractor is cut into two pairs."""
    lead, ruff = (cards_in(blob) for blob in TRICK[:2])
    asked, found = (get_structure(play, ROUND) for play in (lead, ruff))
    match = same_structure(asked, found)
    figure, axes = _canvas(2.7, "A tractor is cut into two pairs (the paper's Fig. 1)", 12)
    x, second = 2.9, 2.9 + 2 * GAP
    axes.text(0.1, 0.9, f"led: {_words(asked)}", va="center")
    _row(axes, x, 0.45, lead[:2], OURS)
    _row(axes, second, 0.45, lead[2:], THIRD)
    _brace(axes, x, 1.47, 2, "pair", OURS)
    _brace(axes, second, 1.47, 2, "pair", THIRD)
    axes.text(0.1, 3.1, f"ruff: {_words(found)}", va="center")
    _row(axes, x, 2.65, ruff[:2], OURS)
    _row(axes, second, 2.65, ruff[2:], THIRD)
    _brace(axes, x, 3.67, 4, "one tractor")
    _arrow(axes, (x + GAP, 2.58), (x + GAP, 2.0), OURS)
    _arrow(axes, (second + GAP, 2.58), (second + GAP, 2.0), THIRD)
    asks, has = (" and ".join(map(str, side.needs)) for side in (asked, found))
    answer = "conforms" if match.conforms else "does not conform"
    said = f"Asked for: {asks} cards.\nThere: {has}, to be cut.\nSo the ruff {answer}."
    axes.text(6.5, 2.0, said, va="center", linespacing=1.6)
    return figure


def pipeline() -> Figure:
    """Figure 2: one trick, from the cards to its winner."""
    plays = [cards_in(blob) for blob in TRICK]
    outcome = settle(plays, ROUND)
    figure, axes = _canvas(3.5, "From cards to a winner: one trick (the paper's Fig. 2)", 17)
    columns = (0.9, 4.3, 7.9, 10.6, 14.4)
    heads = ("cards", "→  numbers Φ, sorted", "→  blocks", "→  serve the lead?", "→  compared by")
    for x, head in zip(columns, heads, strict=True):
        axes.text(x, 0.45, head, fontsize=9, color=FAINT)
    for seat, play in enumerate(plays):
        y = 1.0 + 1.5 * seat
        wins = seat == outcome.winner
        axes.text(0.1, y + TALL / 2, str(seat), va="center", ha="left", fontsize=11, color=FAINT)
        _row(axes, columns[0], y, play, OURS if wins else FAINT)
        numbers = sorted(phi(card, ROUND) for card in play)
        structure = get_structure(play, ROUND)
        enters = all(card[0] == ROUND.main for card in play)
        ask = "asks" if seat == 0 else _match_text(outcome.lead, structure) if enters else "no: neither suit"
        value = numbers[0] if seat == 0 else honor(outcome.lead, play, ROUND) if enters else "-"
        texts = ("  ".join(map(str, numbers)), _words(structure), ask, f"{value}{', wins' if wins else ''}")
        for x, text in zip(columns[1:], texts, strict=True):
            axes.text(x + 0.55, y + TALL / 2, text, va="center", color=OURS if wins else INK)
    axes.text(columns[0], 7.35, "♠ are trumps at level 2; seat 0 leads", fontsize=8.5, color=FAINT)
    return figure


def _match_text(lead: Structure, follow: Structure) -> str:
    match = same_structure(lead, follow)
    orders = "order" if match.permutations == 1 else "orders"
    return f"{_verdict(match.conforms)}, {match.permutations} {orders} tried"


def _verdict(conforms: bool) -> str:
    return "yes" if conforms else "no"


def _words(structure: Structure) -> str:
    """`1 tractor of 4, 2 pairs`."""
    named = [f"tractor of {length}" for length in structure.tractors]
    for count, name in ((structure.pairs, "pair"), (structure.singles, "single")):
        if count:
            named.append(f"{count} {name}{'s' if count > 1 else ''}")
    return ", ".join(named)


# --- the search -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the search: the blocks placed so far, what is left of the tractors, and whether it failed there."""

    placed: tuple[int, ...]
    left: tuple[int, ...] | None  # None: the last block found no room


def search_paths(needs: Sequence[int], tractors: Sequence[int]) -> tuple[tuple[Node, ...], ...]:
    """For every distinct order of the blocks, in the order tried, the points it comes through."""
    order, paths = sorted(needs), list[tuple[Node, ...]]()
    while True:
        pool, path = list(tractors), [Node((), tuple(tractors))]
        for at, need in enumerate(order):
            room = consume_from_tractors(pool, need)
            path.append(Node(tuple(order[: at + 1]), tuple(pool) if room else None))
            if not room:
                break
        paths.append(tuple(path))
        if not next_permutation(order):
            return tuple(paths)


def search_tree() -> Figure:
    """Figure 3: the orders of three blocks, W7."""
    lead, ruff = (get_structure(cards_in(blob), ROUND) for blob in (W7_LEAD, W7_RUFF))
    paths = search_paths(lead.needs, ruff.tractors)
    figure, axes = _canvas(4.2, "The orders of three blocks (the paper's Fig. 3)", 16)
    leaves = [3.2, 8.0, 12.8]
    places: dict[tuple[int, ...], list[float]] = {}
    for path, x in zip(paths, leaves, strict=True):
        for node in path:
            places.setdefault(node.placed, []).append(x)
    drawn: set[tuple[int, ...]] = set()
    for path in paths:
        for before, node in zip((None, *path), path, strict=False):
            if node.placed in drawn:
                continue
            drawn.add(node.placed)
            x, y = sum(places[node.placed]) / len(places[node.placed]), _level(len(node.placed))
            if before is not None:
                above = sum(places[before.placed]) / len(places[before.placed])
                axes.plot([above, x], [_level(len(before.placed)) + 0.42, y - 0.42], color=FAINT, linewidth=1.2)
                axes.text((above + x) / 2, y - 1.08, f"{node.placed[-1]}", ha="center", va="center", bbox=_HALO)
            _node(axes, x, y, node, done=len(node.placed) == len(lead.needs))
    printed = same_structure(lead, ruff, Source.PRINTED)
    program = same_structure(lead, ruff, Source.CODE)
    notes = {
        0: f"the program begins here:\n{_verdict(program.conforms)}, order {program.permutations} of {len(paths)}",
        1: "",
        2: f"Algorithm 3 as printed tries\nthis order alone: {_verdict(printed.conforms)}",
    }
    for at, x in enumerate(leaves):
        colour = PUBLISHED if at == 2 else OURS
        axes.text(x, _level(3) + 0.62, notes[at], ha="center", va="top", fontsize=8.5, color=colour)
    axes.text(0, 0.45, f"lead {lead.needs}\nruff {ruff.tractors}", va="center")
    return figure


def _level(depth: int) -> float:
    return 0.6 + 2.15 * depth


def _node(axes: Axes, x: float, y: float, node: Node, done: bool) -> None:
    failed = node.left is None
    text = "no room" if failed else f"left {' + '.join(map(str, node.left or ()))}"
    colour = PUBLISHED if failed else OURS if done else INK
    box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": colour, "linewidth": 1.2}
    axes.text(x, y, text, ha="center", va="center", fontsize=9, color=colour, bbox=box)


def matching() -> Figure:
    """Figure 4: which cards of the ruff serve which block, W7."""
    lead, ruff = cards_in(W7_LEAD), cards_in(W7_RUFF)
    figure, axes = _canvas(2.95, "Three, two and two pairs out of four and three (the paper's Fig. 4)", 14)
    x0, colours = 1.9, (THIRD, OURS, PUBLISHED)
    axes.text(0, 0.95, "led", va="center")
    axes.text(0, 4.05, "ruff", va="center")
    middles: list[float] = []
    x = x0
    for length, colour, start in zip((6, 4, 4), colours, (0, 6, 10), strict=True):
        _row(axes, x, 0.5, lead[start : start + length], colour)
        _brace(axes, x, 1.52, length, f"{length // 2} pairs", colour)
        middles.append(x + length * GAP / 2 - 0.04)
        x += length * GAP + 0.3
    x = x0
    for start, end, block in ((0, 4, 1), (4, 8, 2), (8, 14, 0)):
        if start == 8:
            x += 0.6
        _row(axes, x, 3.6, ruff[start:end], colours[block])
        middle = x + (end - start) * GAP / 2 - 0.04
        _arrow(axes, (middle, 3.52), (middles[block], 2.15), colours[block])
        x += (end - start) * GAP
    _brace(axes, x0, 4.62, 8, "a run of 4, cut in two")
    _brace(axes, x0 + 8 * GAP + 0.6, 4.62, 6, "a run of 3")
    return figure


PICTURES = {
    "fig1-degradation": degradation,
    "fig2-pipeline": pipeline,
    "fig3-search-tree": search_tree,
    "fig4-matching": matching,
}
