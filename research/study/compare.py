"""How does the published method fare on real suits, on real hands and in real tricks, beside the exact engine?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renege.games.tractor.order import TRUMP
from renege.native import tractor as native_tractor
from study import compiled, draws
from study.draws import Copies, Typed
from study.measure import KERNEL, Blocks, Ints, histogram
from study.paper import MOST_CARDS, ROUND, Source, distinct_orders


@dataclass(frozen=True, slots=True)
class Holdings:
    """Many piles of one suit, cut exactly and by the published method."""

    rows: int
    sizes: Blocks  # how many have 0, 1, 2, ... cards
    blocks: Blocks
    most_orders: int  # distinct orders of the blocks that there are
    program_orders: int  # and of those that the program finds
    wrong_printed: float  # share where Algorithm 2 finds other blocks than there are
    wrong_program: float


def holdings(copies: Copies) -> Holdings:
    """What each pile would be led as, if all of it were led. Empty piles are left out."""
    copies = copies[copies.sum(axis=1) > 0]
    exact = native_tractor.shapes(KERNEL, draws.piles(copies))
    runs = _run_cards(exact)
    program = compiled.structures(ROUND, *draws.typed(copies))
    return Holdings(
        len(copies),
        histogram(copies.sum(axis=1, dtype=np.int64)),
        histogram((runs > 0).sum(axis=1) + exact.pairs + exact.singles),
        _most_orders(runs, exact.pairs, exact.singles),
        _most_orders(_longest_first(program), program.pairs, program.singles),
        *(_wrong(copies, exact, source) for source in (Source.PRINTED, Source.CODE)),
    )


def _most_orders(tractors: Ints, pairs: NDArray[np.uint8], singles: NDArray[np.uint8]) -> int:
    """Over many structures; `tractors [n, 8]` in cards. Five bits a number make of each row one word."""
    columns = [*tractors.T, pairs, singles]
    words = np.unique(sum(column.astype(np.int64) << 5 * place for place, column in enumerate(columns))).tolist()
    rows = ([word >> 5 * place & 31 for place in range(len(columns))] for word in words)
    return max(distinct_orders((*filter(None, row[:-2]), *[2] * row[-2], *[1] * row[-1])) for row in rows)


def _run_cards(exact: native_tractor.Shapes) -> Ints:
    """[n, 8] the lengths of the runs in cards, longest first, 0 after the last."""
    return 2 * (exact.lengths[:, None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15).astype(np.int64)


def _longest_first(found: compiled.Structures) -> Ints:
    """[n, 8] the same of the published method."""
    return -np.sort(-found.tractors.astype(np.int64), axis=1)[:, :8]


def _wrong(copies: Copies, exact: native_tractor.Shapes, source: Source) -> float:
    """The share of piles where the published method finds other blocks than there are."""
    found = compiled.structures(ROUND, *draws.typed(copies), source)
    return float(((_longest_first(found) != _run_cards(exact)).any(axis=1) | (found.pairs != exact.pairs)).mean())


@dataclass(frozen=True, slots=True)
class Real:
    """The experiment on real suits, and the holdings of real hands."""

    trump_leads: Holdings  # 1 to 25 of the 36 trumps
    plain_leads: Holdings  # 1 to 24 of the cards of a plain suit
    trump_hands: Holdings  # the trumps of a dealt hand
    plain_hands: Holdings  # its cards of each plain suit
    plain_all: Holdings  # every holding of a plain suit that there is, once


def real(leads: int, seed: int) -> Real:
    dealt = draws.hands(max(1, leads // 4), seed)
    plain = [(dealt * own).astype(np.int8) for suit, own in enumerate(draws.OWN) if suit != TRUMP and own.any()]
    return Real(
        holdings(draws.from_suit(TRUMP, MOST_CARDS, leads, seed)),
        holdings(draws.from_suit(draws.HEARTS, 24, leads, seed)),
        holdings((dealt * draws.OWN[TRUMP]).astype(np.int8)),
        holdings(np.concatenate(plain)),
        holdings(draws.every(draws.HEARTS)),
    )


# --- errors -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Errors:
    """Tricks that the program settles wrongly, by the number of cards led."""

    name: str
    sizes: tuple[int, ...]
    tricks: int  # of each size
    let_win: tuple[int, ...]  # a ruff won that cannot be cut into the led shape
    refused: tuple[int, ...]  # the leader kept a trick that was ruffed
    misplaced: tuple[int, ...]  # the wrong one of several ruffs won

    @property
    def wrong(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(self.let_win, self.refused, self.misplaced, strict=True)))

    @property
    def rates(self) -> tuple[float, ...]:
        return tuple(wrong / self.tricks for wrong in self.wrong)

    def up_to(self, size: int) -> float:
        """The share over all sizes up to this one, each as likely."""
        rates = [rate for n, rate in zip(self.sizes, self.rates, strict=True) if n <= size]
        return sum(rates) / len(rates)


TOGETHER = 0.5  # of the pairs, as players keep some and not others
RUFFS = (  # name, share of pairs kept together, ruffs, most cards, shuffled
    ("one ruff, half the pairs kept together", TOGETHER, 1, 23, False),
    ("three ruffs, half the pairs kept together", TOGETHER, 3, 12, False),
    ("three ruffs, half the pairs kept together, typed in any order", TOGETHER, 3, 12, True),
    ("three ruffs, cards at random", 0.0, 3, 12, False),
)


def errors(tricks: int, seed: int) -> tuple[Errors, ...]:
    """Throws of hearts ruffed at random: how often is the program's winner not the exact one?"""
    found: list[Errors] = []
    for name, together, ruffing, most, shuffled in RUFFS:
        sizes = tuple(range(2, most + 1))
        wrong: list[tuple[int, ...]] = []
        for size in sizes:
            plays = draws.ruffs(tricks, size, together, seed + size, ruffing)
            columns = trick_columns(plays, np.random.default_rng(seed) if shuffled else None)
            settled = compiled.settle(ROUND, *columns).winners
            exact = native_tractor.winners(KERNEL, trick_piles(plays))
            kinds = (settled > 0) & (exact == 0), (settled == 0) & (exact > 0), (settled > 0) & (exact > 0)
            wrong.append(tuple(int((kind & (settled != exact)).sum()) for kind in kinds))
        found.append(Errors(name, sizes, tricks, *zip(*wrong, strict=True)))
    return tuple(found)


def trick_columns(plays: NDArray[np.int8], shuffle: np.random.Generator | None = None) -> Typed:
    """Tricks `[n, 4, 54]` as the program reads them: cards [n, 4, 25], sizes [n, 4]."""
    rows = draws.typed(plays.reshape(-1, draws.KINDS))
    cards, sizes = rows if shuffle is None else draws.shuffled(rows, shuffle)
    return cards.reshape(len(plays), 4, MOST_CARDS), sizes.reshape(len(plays), 4)


def trick_piles(plays: NDArray[np.int8]) -> draws.Piles:
    """The same as piles [n, 4, 2]."""
    return draws.piles(plays.reshape(-1, draws.KINDS)).reshape(len(plays), 4, 2)
