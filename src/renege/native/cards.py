"""The C++ kernel, typed: the calls that run a million times.

Batches cross this border, single cards do not. Every function takes arrays of a stated shape and type and
raises `ValueError`, naming the row, rather than work on a table that cannot be. Cards are small integers, 0..31;
a set of cards is a 32-bit mask with bit c for card c. In 42 the tile (hi, lo) is card `hi*(hi+1)//2 + lo`.

A state is a table between two plays: a row of 8 words, `uint32[8]`.

    word 0-3  hands, by seat
    word 4    cards of this trick in order of play, 8 bits each, lowest first; 0xFF where none lies
    word 5    bits 0-1 leader of the trick   2-3 cards on the table   4-7 seats that play   8-11 duty
              12-13 declarer   14-15 doubles (0 high, 1 low, 2 own suit, 3 own suit inverted)
              16-23 declaration (42: 0-6 pip, 7 doubles, 8 follow-me, 9 nello, 10 sevens)
              24-26 contract (0 points, 1 marks, 2 nello, 3 plunge, 4 splash, 5 sevens)
              27-30 bid (points: bid - 30; otherwise marks)   31 the bid was forced
              24-27 where the called ace has duties: the seats that have led its suit (`native.schafkopf`)
    word 6    points taken, 8 bits a seat, seat 0 lowest
    word 7    tricks taken, 8 bits a seat, seat 0 lowest

Random numbers depend on the seed, the lane (`first_lane` plus the row) and a counter, and on nothing else: not
on the batch, not on the threads, not on the machine. Every draw is exactly uniform. Calls that take `portable`
give the same answer with and without it; it only makes them leave BMI2 alone.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege._kernel import Tables
from renege.native.arrays import U8, U32, U64

MAX_CARDS = 32
MAX_SUITS = 8
KERNEL_SEATS = 4  # of the games of single cards that the kernel plays
MAX_THREADS = 1024
NO_CARD = 0xFF
FOUR_SEATS = 0b1111
MOST_CLAIM_PLAYS = 1 << 24  # about a second; a claim in a game of 42 takes a hundredth of that


class Duty(IntEnum):
    """The rule by which a hand follows; bits 8-11 of word 5."""

    FOLLOW_SUIT = 0  # leads are free; follow the led suit if able, else play anything
    STRONGEST = 1  # sevens: every play, leads too, is one of the hand's strongest cards in suit 7
    CALLED_ACE = 2  # Schafkopf: as `FOLLOW_SUIT`, and what the holder of the order's called ace owes besides


class ClaimLeftOpen(ValueError):
    """A claim that the plays allowed for it did not decide."""


class OrderTables(Protocol):
    """What the kernel reads of an order (`renege.core.order`): at most 32 cards and 8 suits."""

    @property
    def led_suit(self) -> Sequence[int]: ...  # [card]
    @property
    def follow(self) -> Sequence[int]: ...  # [suit] masks
    @property
    def strength(self) -> Sequence[Sequence[int]]: ...  # [suit][card]
    @property
    def points(self) -> Sequence[int]: ...  # [card]
    @property
    def trick_points(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Features:
    """How the kernel runs here: the path it takes, whether BMI2 is there and fast, and who compiled it."""

    path: Literal["bmi2", "portable"]
    bmi2: bool
    compiler: str


@dataclass(frozen=True, slots=True)
class Playouts:
    """Finished tables: `states [B, 8]` and, if asked for, `plays uint8[B, 32]` in order, 255 where none."""

    states: U32
    plays: U8 | None

    @property
    def points(self) -> U8:
        """`uint8[B, 4]`: points taken, by seat."""
        return _seat_bytes(self.states[:, 6])

    @property
    def tricks(self) -> U8:
        """`uint8[B, 4]`: tricks taken, by seat."""
        return _seat_bytes(self.states[:, 7])


@dataclass(frozen=True, slots=True)
class DealSums:
    """Sums over random deals, by seat."""

    deals: int
    plays: int
    points: tuple[int, ...]
    tricks: tuple[int, ...]


def features() -> Features:
    """Which path the calls below take; `RENEGE_PORTABLE=1` in the environment forces the portable one."""
    return Features("bmi2" if use_bmi2(False) else "portable", _kernel.has_bmi2(), _kernel.compiler())


def tables(order: OrderTables, called: int | None = None, run_from: int = 0) -> Tables:
    """An order as the kernel keeps it, built once for each declaration.

    `called` is the ace that is called with it in Schafkopf; see `native.schafkopf.order`.
    """
    cards, suits = len(order.led_suit), len(order.follow)
    if not 1 <= cards <= MAX_CARDS:
        raise ValueError(f"led_suit has {cards} cards; the kernel takes 1 to {MAX_CARDS}")
    if not 1 <= suits <= MAX_SUITS:
        raise ValueError(f"follow has {suits} suits; the kernel takes 1 to {MAX_SUITS}")
    if len(order.points) != cards:
        raise ValueError(f"points has {len(order.points)} cards, led_suit {cards}")
    if len(order.strength) != suits or any(len(row) != cards for row in order.strength):
        raise ValueError(f"strength must be {suits} suits of {cards} cards each")
    for card, suit in enumerate(order.led_suit):
        if not 0 <= suit < suits:
            raise ValueError(f"card {card} leads suit {suit}; there are {suits} suits")
        if not order.follow[suit] >> card & 1:
            raise ValueError(f"card {card} leads suit {suit} but does not follow it")
    most = sum(order.points) + cards * order.trick_points
    if min(order.points) < 0 or order.trick_points < 0 or most > 0xFF:
        raise ValueError("points must be 0 or more and come to at most 255 with the tricks")
    if called is not None and not 0 <= called < cards:
        raise ValueError(f"called is {called}; the deck has {cards} cards")
    if not 0 <= run_from <= MAX_CARDS:
        raise ValueError(f"run_from is {run_from}; it is a number of cards")
    strength = np.zeros((MAX_SUITS, MAX_CARDS), np.uint8)
    strength[:suits, :cards] = _ranged("strength", order.strength, 0xFF)
    follow = np.zeros(MAX_SUITS, np.uint32)
    follow[:suits] = _ranged("follow", order.follow, (1 << cards) - 1)
    ace = NO_CARD if called is None else called
    return Tables(
        _padded(order.led_suit), follow, strength, _padded(order.points), int(order.trick_points), cards, ace, run_from
    )


# What a state says of its deal, in word 5: the bits of each term, and what it is where it is left out.
TERMS = {
    "seats": (4, FOUR_SEATS),
    "duty": (4, Duty.FOLLOW_SUIT),
    "declarer": (2, 0),
    "doubles": (2, 0),
    "declaration": (8, 0),
    "contract": (3, 0),
    "bid": (4, 0),
    "forced": (1, 0),
}


def state(
    hands: Sequence[int],
    leader: int,
    *,
    table: Sequence[int] = (),
    points: Sequence[int] = (0, 0, 0, 0),
    tricks: Sequence[int] = (0, 0, 0, 0),
    **terms: int,
) -> U32:
    """One state, `uint32[8]`, from its parts; `np.stack` several to a batch.

    >>> state([0b0001, 0b0010, 0b0100, 0b1000], leader=2).tolist()
    [1, 2, 4, 8, 4294967295, 242, 0, 0]
    """
    if len(hands) != 4 or len(points) != 4 or len(tricks) != 4 or len(table) > 3:
        raise ValueError("a state has 4 hands, points and tricks of 4 seats, and at most 3 cards on the table")
    if strange := terms.keys() - TERMS.keys():
        raise TypeError(f"a state has no {', '.join(sorted(strange))}")
    fields = [("leader", leader, 2), ("cards on the table", len(table), 2)]
    fields += [(name, int(terms.get(name, usual)), bits) for name, (bits, usual) in TERMS.items()]
    lying = [*table, *[NO_CARD] * (4 - len(table))]
    words = [*hands, _pack("card on the table", lying), 0, _pack("points", points), _pack("tricks", tricks)]
    shift = 0
    for name, value, bits in fields:
        if not 0 <= value < 1 << bits:
            raise ValueError(f"{name} is {value}; it must be 0..{(1 << bits) - 1}")
        words[5] |= value << shift
        shift += bits
    return _ranged("hands", words, 0xFFFFFFFF).astype(np.uint32)


def legal_masks(tables: Tables, states: U32) -> U32:
    """`states [B, 8]` -> `uint32[B]`: what the seat to move may play; 0 where the deal is over."""
    states = checked_array("states", states, np.uint32, (None, 8))
    out = np.empty(len(states), np.uint32)
    _kernel.legal_masks(tables, states, out)
    return out


def winners(tables: Tables, plays: U8) -> U8:
    """`plays uint8[B, 3 or 4]`, the lead first -> `uint8[B]`: which of them wins; a tie is the earlier's."""
    plays = checked_array("plays", plays, np.uint8, (None, None))
    if plays.shape[1] not in (3, 4):
        raise ValueError(f"plays has {plays.shape[1]} columns; a trick has 3 or 4 cards")
    out = np.empty(len(plays), np.uint8)
    _kernel.winners(tables, plays, out)
    return out


def step(tables: Tables, states: U32, cards: U8) -> U32:
    """`states [B, 8]`, `cards uint8[B]` -> `states [B, 8]` after one play each; a full trick is gathered."""
    states = checked_array("states", states, np.uint32, (None, 8)).copy()
    _kernel.step(tables, states, checked_array("cards", cards, np.uint8, (len(states),)))
    return states


def playouts(
    tables: Tables,
    states: U32,
    seed: int,
    first_lane: int = 0,
    threads: int = 1,
    plays: bool = False,
    portable: bool = False,
) -> Playouts:
    """Plays `states [B, 8]` to their end, each card uniform among the legal ones.

    Row i is lane `first_lane + i`. Every trick is played, also where a contract is decided before the last.
    """
    states = checked_array("states", states, np.uint32, (None, 8)).copy()
    check_lanes(seed, first_lane, len(states), threads)
    record = np.full((len(states), MAX_CARDS), NO_CARD, np.uint8) if plays else None
    _kernel.playouts(tables, states, record, seed, first_lane, threads, use_bmi2(portable))
    return Playouts(states, record)


def deals(
    cards: int, sizes: Sequence[int], n: int, seed: int, first_lane: int = 0, threads: int = 1, portable: bool = False
) -> U32:
    """`uint32[n, len(sizes)]`: n deals of the set `cards`, a mask, to hands of these sizes.

    All deals are equally likely. What the hands do not take stays undealt.

    >>> [hand.bit_count() for hand in deals(0b11111, [2, 1], 1, seed=7)[0].tolist()]
    [2, 1]
    """
    if not 0 <= cards <= 0xFFFFFFFF:
        raise ValueError("cards is a mask of at most 32 cards")
    if not 1 <= len(sizes) <= MAX_CARDS or min(sizes) < 0:
        raise ValueError("sizes must be 1 to 32 hands of 0 or more cards")
    if sum(sizes) > cards.bit_count():
        raise ValueError(
            f"hand sizes impossible: {sum(sizes)} cards wanted, the mask {cards:#x} has {cards.bit_count()}"
        )
    check_lanes(seed, first_lane, n, threads)
    out = np.empty((n, len(sizes)), np.uint32)
    _kernel.deals(cards, np.array(sizes, np.uint8), out, seed, first_lane, threads, use_bmi2(portable))
    return out


def random_deals(
    tables: Tables,
    n: int,
    seed: int,
    first_lane: int = 0,
    threads: int = 1,
    duty: int | None = None,
    portable: bool = False,
) -> DealSums:
    """Deals the deck to four seats n times and plays each deal out, seat 0 leading; only sums come back.

    The same as `deals` of the whole deck and `playouts` of them with the same seed and lanes. Left out, the duty is
    that of the tables; an ace is called whoever has it: no hand is asked whether it would call.
    """
    if tables.cards % 4:
        raise ValueError(f"hand sizes impossible: {tables.cards} cards do not divide among four seats")
    check_lanes(seed, first_lane, n, threads)
    out = np.zeros(8, np.uint64)
    kept = duty_of(tables) if duty is None else duty
    _kernel.random_deals(tables, n, kept, out, seed, first_lane, threads, use_bmi2(portable))
    return deal_sums(tables, n, out)


def deal_sums(tables: Tables, n: int, taken: U64) -> DealSums:
    """The sums of n deals as the kernel leaves them: points of the four seats, then tricks."""
    sums = tuple(map(int, taken))
    return DealSums(n, n * tables.cards, sums[:4], sums[4:])


def duty_of(tables: Tables) -> Duty:
    """The duty by which an order is mostly played."""
    return Duty.FOLLOW_SUIT if tables.called is None else Duty.CALLED_ACE


def claims(
    tables: Tables, states: U32, claimers: U8, takers: U8, threads: int = 1, most_plays: int = MOST_CLAIM_PLAYS
) -> NDArray[np.bool_]:
    """`states [B, 8]`, `claimers uint8[B]`, `takers uint8[B]` -> `bool[B]`: does each claim hold?

    The claimer plays as well as possible and all others as badly for the claim as they may; every trick still to
    come must fall to a seat in the mask `takers`. A claim that is still open after `most_plays` plays were tried is
    refused, `ClaimLeftOpen`; those of 42 itself take far fewer.
    """
    states = checked_array("states", states, np.uint32, (None, 8))
    claimers = checked_array("claimers", claimers, np.uint8, (len(states),))
    takers = checked_array("takers", takers, np.uint8, (len(states),))
    check_lanes(0, 0, len(states), threads)
    out = np.zeros(len(states), np.uint8)
    _kernel.claims(tables, states, claimers, takers, out, most_plays, threads)
    if (left := out > 1).any():
        raise ClaimLeftOpen(f"row {int(left.argmax())}: {most_plays:,} plays were tried, and the claim is still open")
    return out.astype(np.bool_)


def use_bmi2(portable: bool) -> bool:
    """Should a call take the BMI2 path?"""
    return not portable and not asks_for_portable() and _kernel.has_bmi2()


def asks_for_portable() -> bool:
    """Does the environment ask for the paths that any processor has?"""
    return os.environ.get("RENEGE_PORTABLE", "") not in ("", "0")


def checked_array(
    name: str, array: NDArray[Any], dtype: type[np.generic], shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """The array, contiguous and aligned; wrong shape or type is an error, never a conversion."""
    array = np.asarray(array)
    fits = array.ndim == len(shape) and all(want in (None, is_) for want, is_ in zip(shape, array.shape, strict=True))
    if array.dtype != dtype or not fits:
        wanted = ", ".join("B" if size is None else str(size) for size in shape)
        raise ValueError(f"{name} must be {np.dtype(dtype).name}[{wanted}], not {array.dtype.name}{list(array.shape)}")
    return np.require(array, requirements=["C", "A"])


def check_fields(query: Any, dtype: type[np.generic], **shapes: tuple[int | None, ...]) -> None:
    """Checks arrays of a frozen query, by their names, and keeps them as `checked_array` has them."""
    for name, shape in shapes.items():
        object.__setattr__(query, name, checked_array(name, getattr(query, name), dtype, shape))


def _ranged(name: str, values: Sequence[Any], most: int) -> NDArray[np.int64]:
    wide = np.array(values, dtype=object)
    if any(not 0 <= value <= most for value in wide.flat):
        raise ValueError(f"{name}: every value must be 0..{most}")
    return wide.astype(np.int64)


def _padded(values: Sequence[int]) -> U8:
    out = np.zeros(MAX_CARDS, np.uint8)
    out[: len(values)] = values
    return out


def _pack(name: str, values: Sequence[int]) -> int:
    if any(not 0 <= value <= 0xFF for value in values):
        raise ValueError(f"{name}: {list(values)}; every value must be 0..255")
    return sum(int(value) << 8 * place for place, value in enumerate(values))


def _seat_bytes(words: U32) -> U8:
    return np.stack([(words >> 8 * seat) & 0xFF for seat in range(4)], axis=-1).astype(np.uint8)


def mixed(words: U64) -> U64:
    """SplitMix64's output function, as `kernel/include/renege/core/deal.hpp` has it."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def check_lanes(seed: int, first_lane: int, n: int, threads: int) -> None:
    if not 0 <= seed < 1 << 64:
        raise ValueError(f"seed is {seed}; it must be 0..2**64-1")
    if n < 0 or first_lane < 0 or first_lane + n > 1 << 63:
        raise ValueError(f"lanes {first_lane}..{first_lane + n} are out of range")
    check_threads(threads)


def check_threads(threads: int) -> None:
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads is {threads}; it must be 1..{MAX_THREADS}")
