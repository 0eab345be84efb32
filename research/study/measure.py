"""What do the paper's study and its method come to when they are measured? Plain data, no text and no pictures.

First the experiment as the paper runs it, beside the exact distribution; then what it never measured: the orders that
its matcher visits. Real suits, real hands and the method's errors are in `compare`, times and memory in `timing`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from renege.games.tractor.order import TRUMP
from renege.games.tractor.units import packs
from renege.native import tractor as native_tractor
from study import claims, compiled, draws
from study.draws import Typed
from study.paper import (
    MOST_CARDS,
    ROUND,
    STEPS,
    ZONES,
    Leads,
    Source,
    Structure,
    cards_in,
    count_blocks,
    distinct_orders,
    draw_leads,
    get_structure,
    leads_exactly,
    leads_experiment,
    same_structure,
)

Ints: TypeAlias = NDArray[np.int64]
KERNEL = native_tractor.order(draws.ORDER)


@dataclass(frozen=True, slots=True)
class Share:
    """A share that the paper prints, ours, and the exact one with what chance does to so many leads."""

    printed: float
    drawn: float
    exact: float
    error: float  # standard error of a sample as large as ours

    @property
    def z(self) -> float:
        """By how many standard errors ours is off."""
        return (self.drawn - self.exact) / self.error

    @property
    def printed_z(self) -> float:
        """The same for the printed share."""
        return (self.printed - self.exact) / self.error


@dataclass(frozen=True, slots=True)
class Blocks:
    """How often leads have 0, 1, 2, ... blocks."""

    count: tuple[int, ...]

    @property
    def zones(self) -> tuple[float, ...]:
        return tuple(sum(self.count[low : high + 1]) / sum(self.count) for low, high in (*ZONES[:2], (ZONES[2][0], 99)))

    @property
    def most(self) -> int:
        return max(blocks for blocks, count in enumerate(self.count) if count)

    @property
    def mean(self) -> float:
        return sum(blocks * count for blocks, count in enumerate(self.count)) / sum(self.count)


@dataclass(frozen=True, slots=True)
class Experiment:
    """The paper's experiment: random leads, cut into longest runs of pairs, other pairs and singles."""

    drawn: Leads
    exact: Leads
    zones: tuple[Share, ...]
    tractors: Share
    tractors_high: Share  # in leads of 10 blocks and more
    by_printed: Blocks  # the same leads as Algorithm 2 cuts them
    by_program: Blocks  # and as the program does

    @property
    def shares(self) -> tuple[Share, ...]:
        return (*self.zones, self.tractors, self.tractors_high)


def experiment(leads: int, seed: int) -> Experiment:
    drawn, exact = leads_experiment(leads, seed), leads_exactly()
    zones = tuple(
        Share(printed, ours, true, (true * (1 - true) / leads) ** 0.5)
        for printed, ours, true in zip(claims.ZONE_SHARES, drawn.zones, exact.zones, strict=True)
    )
    high = leads * sum(exact.zones[1:])
    cards, sizes = draws.typed(draws.on_trumps(draw_leads(leads, seed)))
    printed, program = (compiled.structures(ROUND, cards, sizes, source) for source in (Source.PRINTED, Source.CODE))
    return Experiment(
        drawn,
        exact,
        zones,
        Share(
            claims.TRACTOR_SHARE,
            drawn.tractor_share(),
            exact.tractor_share(),
            exact.tractor_share_deviation() / leads**0.5,
        ),
        Share(
            claims.TRACTOR_SHARE_HIGH,
            drawn.tractor_share(claims.HIGH),
            exact.tractor_share(claims.HIGH),
            exact.tractor_share_deviation(claims.HIGH) / high**0.5,
        ),
        histogram(_blocks(printed)),
        histogram(_blocks(program)),
    )


def _blocks(found: compiled.Structures) -> Ints:
    return (found.tractors > 0).sum(axis=1, dtype=np.int64) + found.pairs + found.singles


def histogram(blocks: Ints) -> Blocks:
    return Blocks(tuple(np.bincount(blocks, minlength=STEPS + 1).tolist()))


# --- the matcher over those leads ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """Each lead of the experiment matched with a follow, by the program."""

    blocks: Ints  # [n] as the experiment counts them
    cut: Ints  # [n] blocks as the program cuts the lead
    orders: Ints  # [n] distinct orders of the experiment's blocks
    possible: Ints  # [n] distinct orders of the program's blocks
    visited: Ints  # [n] those that it tried
    conforms: int  # leads that were matched
    reached: int  # orders tried when the program settles these throws as tricks

    def in_zone(self, zone: int, what: Ints, by: Ints) -> Ints:
        low, high = ZONES[zone]
        return what[(by >= low) & (by <= high)]


@dataclass(frozen=True, slots=True)
class MatchRows:
    """What both matchers are given: the program its typed plays, ours piles; a row each."""

    lead: Typed
    follow: Typed
    leads: draws.Piles
    hands: draws.Piles
    plays: draws.Piles


def match_rows(leads: int, seed: int) -> MatchRows:
    """The experiment's leads, and for each a follower who holds all trumps that are left, and plays as many cards."""
    lead = draws.on_trumps(draw_leads(leads, seed))
    hand, play = draws.follows(lead, seed)
    return MatchRows(draws.typed(lead), draws.typed(play), *map(draws.piles, (lead, hand, play)))


def matching(rows: MatchRows, copies: NDArray[np.int8]) -> Matching:
    program = compiled.matches(ROUND, rows.lead[0], rows.follow[0], rows.lead[1], rows.follow[1])
    cut = compiled.structures(ROUND, *rows.lead)
    four = np.stack([rows.lead[0], *[rows.follow[0]] * 3], axis=1)
    settled = compiled.settle(ROUND, four, np.stack([rows.lead[1]] * 4, axis=1))
    blocks = count_blocks(copies)[0]
    throws = _blocks(cut) > 1
    return Matching(
        blocks=blocks,
        cut=_blocks(cut),
        orders=np.array([_orders(_greedy(row)) for row in copies.tolist()]),
        possible=np.array([_orders(cut[row].needs) for row in range(len(copies))]),
        visited=program.permutations.astype(np.int64),
        conforms=int(program.conforms.sum()),
        reached=int(settled.permutations[throws].sum()),
    )


def _packs(lead: Structure, follow: Structure) -> bool:
    """Can the lead's pairs and runs be cut out of the follower's? Lengths of tractors are even here."""
    units, runs = (
        tuple(sorted((*(length // 2 for length in side.tractors), *[1] * side.pairs), reverse=True))
        for side in (lead, follow)
    )
    return packs(runs, units)


def _greedy(copies: Sequence[int]) -> tuple[int, ...]:
    """The blocks of one of the experiment's leads, as card counts."""
    singles = [copy for copy in copies if copy == 1]
    runs = [2 * len(run) for run in "".join("x" if copy == 2 else " " for copy in copies).split()]
    return tuple(sorted([*runs, *singles]))


@cache
def _orders(needs: tuple[int, ...]) -> int:
    return distinct_orders(needs)


# --- every shape --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Packing:
    """Both forms of the matcher on every pair of structures of one size, up to some size, against exact packing."""

    most_cards: int
    questions: int
    wrong_program: int
    wrong_printed: int


def packing(most_cards: int = 14) -> Packing:
    questions = 0
    wrong = dict.fromkeys(Source, 0)
    for cards in range(1, most_cards + 1):
        for lead, follow in product(_structures(cards), repeat=2):
            questions += 1
            fits = _packs(lead, follow)
            for source in Source:
                wrong[source] += same_structure(lead, follow, source).conforms != fits
    return Packing(most_cards, questions, wrong[Source.CODE], wrong[Source.PRINTED])


def _structures(cards: int) -> list[Structure]:
    return [
        Structure(tractors, pairs, cards - sum(tractors) - 2 * pairs)
        for tractors in _tractors(cards, cards)
        for pairs in range((cards - sum(tractors)) // 2 + 1)
    ]


def _tractors(cards: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Tractors of at most so many cards, longest first."""
    yield ()
    for length in range(4, min(cards, longest) + 1, 2):
        for rest in _tractors(cards - length, length):
            yield (length, *rest)


# --- Table III ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead of Table III, or the worst there is: its blocks and orders, and those tried when nothing fits."""

    name: str
    possible: bool  # in two packs
    blocks: int
    orders: int
    visited: int


PAIRS_12 = "S3S3S4S4S5S5S6S6S7S7S8S8S9S9STSTSJSJSQSQSKSKSASA"
# One run of two pairs and as many pairs and singles as give the most orders; three of the pairs lie side by side on
# the level step. In 25 cards there are nine singles and six pairs, but the program finds no such run in an odd lead; in
# 24 there are ten and five. No other blocks of 18 kinds have more orders (a test goes through them).
WORST_25 = "S3S3S4S4S6S6S8S8STSTH2H2C2C2D2D2S5S7S9SJSQSKS2LJBJ"
WORST_24 = "S3S3S4S4S6S6S8S8H2H2C2C2D2D2S5S7S9STSJSQSKS2LJBJ"
# Seven pairs, none next to another, and ten singles: the run is missing, and every order is tried.
WORST_FOLLOW = "S4S4S6S6S8S8STSTH2H2C2C2D2D2S3S5S7S9SJSQSKS2LJBJ"


def table_three(found: Matching) -> tuple[Lead, ...]:
    """The rows of Table III as far as they are possible, and the leads with the most orders."""
    mixed = np.flatnonzero((found.cut >= 5) & (found.cut <= 8))
    row = int(mixed[np.argmax(found.possible[mixed])])
    pairs, worst, follow = (get_structure(cards_in(blob), ROUND) for blob in (PAIRS_12, WORST_24, WORST_FOLLOW))
    exact = native_tractor.shapes(KERNEL, _pile(WORST_25)[None])
    blocks = (*(2 * run for run in exact.runs(0)), *[2] * int(exact.pairs[0]), *[1] * int(exact.singles[0]))
    led = Structure(blocks[:1], int(exact.pairs[0]), int(exact.singles[0]))
    loose = Structure((), led.pairs + 2, led.singles)
    return (
        Lead("25 singles", int(draws.OWN[TRUMP].sum()) >= MOST_CARDS, MOST_CARDS, 1, 1),
        Lead("12 adjacent pairs", True, pairs.blocks, distinct_orders(pairs.needs), 1),
        Lead(
            "5 to 8 blocks, the most orders of those drawn",
            True,
            int(found.cut[row]),
            int(found.possible[row]),
            int(found.visited[mixed].max()),
        ),
        Lead(
            "the most orders that the program can find, 24 cards",
            True,
            worst.blocks,
            distinct_orders(worst.needs),
            same_structure(worst, follow).permutations,
        ),
        Lead(
            "the most orders that there are, 25 cards cut exactly",
            True,
            led.blocks,
            distinct_orders(led.needs),
            same_structure(led, loose).permutations,
        ),
    )


def _pile(blob: str) -> NDArray[np.uint64]:
    return native_tractor.pile([draws.DECK.names.index(card) for card in cards_in(blob)])
