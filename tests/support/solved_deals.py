"""Whole deals with open hands and their values, for anyone who wants to check a solver: `data/answers/solved_*.jsonl`.

The first line of a file says what the others are. `python -m support.solved_deals` in
`tests` makes the files again, and stops where two methods do not agree.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import numpy as np

from reference import plain
from renege.games import schafkopf, texas42
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native import solve as native_solve
from renege.native.solve import SolveQuery

FOLDER = Path(__file__).parents[1] / "data" / "answers"
DECLARATIONS_42 = [*"0123456", "doubles", "follow-me"]
ALONE = ["solo E", "wenz", "solo H", "geier", "solo G", "farbwenz S", "solo S", "farbgeier E"]
ABOUT = {
    "value": "points the takers win, 1 for each trick of 42 included, if all hands lie open and all play their best",
    "methods": "null-window search with bounds, merged cards and a bounded memory (renege.native.solve); plain "
    "alpha-beta over the rules' own plays with all boundaries kept (kernel/dev/plain.cpp)",
    "seats": "0 to 3 in turn order; seat 0 leads",
}


@dataclass(frozen=True)
class Deal:
    """A declaration, the hands as people write them, who plays together, and what they get."""

    declaration: str
    hands: list[str]
    takers: list[int]
    value: int = -1

    @property
    def mask(self) -> int:
        return sum(1 << seat for seat in self.takers)


def kernel_tables(game: str, declaration: str) -> native.Tables:
    if game == "texas42":
        return native.tables(texas42.order(declaration))
    called = declaration.removeprefix("rufspiel ") + "A" if declaration.startswith("rufspiel") else None
    return native_schafkopf.order(
        schafkopf.order(declaration), None if called is None else schafkopf.LONG.spellings[called]
    )


def state(game: str, tables: native.Tables, deal: Deal) -> np.ndarray:
    spellings = texas42.DECK.spellings if game == "texas42" else schafkopf.LONG.spellings
    hands = [sum(1 << spellings[card] for card in hand.split()) for hand in deal.hands]
    if game == "texas42":
        return native.state(hands, 0)
    return native_schafkopf.states(tables, np.array([hands], np.uint32), np.zeros(1, np.uint8))[0]


def read(game: str) -> list[Deal]:
    _, *lines = (FOLDER / f"solved_{game}.jsonl").read_text("utf-8").splitlines()
    return [Deal(**json.loads(line)) for line in lines]


def deals_42() -> Iterator[Deal]:
    for hands in native.deals(texas42.DECK.kinds, [7] * 4, 200, seed=42).tolist():
        spelled = [str(texas42.DECK.of(hand)) for hand in hands]
        for declaration in DECLARATIONS_42:
            yield Deal(declaration, spelled, [0, 2])


def deals_schafkopf() -> Iterator[Deal]:
    """Each deal as a Rufspiel, where somebody may call, and as a game alone by whoever has most trumps."""
    deck = schafkopf.LONG
    for i, hands in enumerate(native.deals(deck.kinds, [8] * 4, 100, seed=42).tolist()):
        spelled = [str(deck.of(hand)) for hand in hands]
        calls = [(seat, suit) for seat in range(4) for suit in "EGS" if may_call(spelled[seat].split(), suit)]
        if calls:
            seat, suit = Random(i).choice(calls)
            holder = next(other for other in range(4) if suit + "A" in spelled[other])
            yield Deal(f"rufspiel {suit}", spelled, sorted([seat, holder]))
        alone = ALONE[i % len(ALONE)]
        trumps = schafkopf.order(alone).follow[0]
        yield Deal(alone, spelled, [max(range(4), key=lambda seat: (hands[seat] & trumps).bit_count())])


def may_call(hand: list[str], suit: str) -> bool:
    return suit + "A" not in hand and any(card[0] == suit and card[1] not in "OU" for card in hand)


def make(game: str, deals: Iterator[Deal]) -> None:
    lines = [json.dumps({"game": game} | ABOUT)]
    for deal in deals:
        tables = kernel_tables(game, deal.declaration)
        states = state(game, tables, deal)[None]
        found = native_solve.solve(SolveQuery(tables, states, deal.mask))
        (value,) = plain.values(tables, states, deal.mask, prune=True).tolist()
        if not found.lower[0] == found.upper[0] == value:
            raise ValueError(f"the methods do not agree: {deal}, {found}, {value}")
        lines.append(json.dumps(asdict(deal) | {"value": value}))
    (FOLDER / f"solved_{game}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    make("texas42", deals_42())
    make("schafkopf", deals_schafkopf())
