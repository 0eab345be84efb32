"""Deals and playouts on a GPU: the calls of `renege.native.cards`, with the same answers.

A table is a thread. What the CPU's calls refuse is refused here in the same words, and what a device cannot take
(sevens dealt at random, of which nobody needs billions) the CPU does.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from renege.native import cards as native
from renege.native.arrays import U8, U32
from renege.native.cards import MAX_CARDS, NO_CARD, DealSums, Duty, Playouts, Tables, check_lanes, checked_array
from renege.native.gpu.device import Gpu, blocks_for, bytes_on, launch_rows

PROGRAM = "playouts.cu"
MOST_EACH = 128  # deals of a thread: its sums have 16 bits
BLOCKS_EACH = 8  # blocks for each multiprocessor: enough to fill it, few enough that their sums cost nothing
NOTHING_REFUSED = 2**64 - 1


def legal_masks(gpu: Gpu, tables: Tables, states: U32) -> U32:
    """`native.legal_masks` on the device."""
    states = checked_array("states", states, np.uint32, (None, 8))
    out, refused = gpu.empty(len(states), np.uint32), _no_refusal(gpu)
    given = (bytes_on(gpu, tables), gpu.put(states), np.uint64(len(states)), out, refused)
    launch_rows(gpu, PROGRAM, "legal_masks", len(states), *given)
    if _refused(refused):
        return native.legal_masks(tables, states)  # which says why
    return out.numpy()


def winners(gpu: Gpu, tables: Tables, plays: U8) -> U8:
    """`native.winners` on the device."""
    plays = checked_array("plays", plays, np.uint8, (None, None))
    native.winners(tables, plays[:0])  # asks for three or four columns
    ordered = np.sort(plays, axis=1)
    if (plays >= tables.cards).any() or (ordered[:, 1:] == ordered[:, :-1]).any():
        return native.winners(tables, plays)  # which says why not
    out = gpu.empty(len(plays), np.uint8)
    given = (bytes_on(gpu, tables), gpu.put(plays), np.uint32(plays.shape[1]), np.uint64(len(plays)), out)
    launch_rows(gpu, PROGRAM, "winners", len(plays), *given)
    return out.numpy()


def deals(gpu: Gpu, cards: int, sizes: Sequence[int], n: int, seed: int, first_lane: int = 0) -> U32:
    """`native.deals` on the device."""
    native.deals(cards, sizes, 0, seed, first_lane)  # asks whether they can be dealt
    check_lanes(seed, first_lane, n, 1)
    out = gpu.empty((n, len(sizes)), np.uint32)
    given = (np.uint32(cards), gpu.put(np.array(sizes, np.uint8)), np.uint32(len(sizes)))
    lanes = (np.uint64(seed), np.uint64(first_lane), np.uint64(n))
    launch_rows(gpu, PROGRAM, "deals", n, *given, *lanes, out)
    return out.numpy()


def playouts(gpu: Gpu, tables: Tables, states: U32, seed: int, first_lane: int = 0, *, plays: bool = False) -> Playouts:
    """`native.playouts` on the device."""
    states = checked_array("states", states, np.uint32, (None, 8))
    check_lanes(seed, first_lane, len(states), 1)
    there = gpu.put(states)
    record = gpu.put(np.full((len(states), MAX_CARDS), NO_CARD, np.uint8)) if plays else None
    if _refused(launch_playouts(gpu, tables, there, seed, first_lane, record)):
        return native.playouts(tables, states, seed, first_lane)  # which says why not
    return Playouts(there.numpy(), None if record is None else record.numpy())


def launch_playouts(gpu: Gpu, tables: Tables, states: Any, seed: int, first_lane: int = 0, plays: Any = None) -> Any:
    """Starts playouts of states that lie on the device, where they end. What comes back says if one was refused."""
    refused, rows = _no_refusal(gpu), states.shape[0]
    lanes = (np.uint64(seed), np.uint64(first_lane), np.uint64(rows))
    record = np.uint64(0) if plays is None else plays  # the null pointer
    launch_rows(gpu, PROGRAM, "playouts", rows, bytes_on(gpu, tables), states, record, *lanes, refused)
    return refused


def random_deals(
    gpu: Gpu, tables: Tables, n: int, seed: int, first_lane: int = 0, *, duty: int | None = None
) -> DealSums:
    """`native.random_deals` on the device."""
    entry = entry_for(tables, native.duty_of(tables) if duty is None else duty)
    if entry is None:
        return native.random_deals(tables, n, seed, first_lane, duty=duty)
    check_lanes(seed, first_lane, n, 1)
    sums = launch_random_deals(gpu, entry, bytes_on(gpu, tables), n, seed, first_lane)
    return native.deal_sums(tables, n, sums.numpy())


def entry_for(tables: Tables, duty: int) -> str | None:
    """The entry point that deals so many cards under such a duty; None where the device has none."""
    called = {Duty.FOLLOW_SUIT: "", Duty.CALLED_ACE: "_called"}.get(Duty(duty))
    if called is None or tables.cards not in (24, 28, 32) or (called and (tables.cards == 28 or tables.called is None)):
        return None
    return f"random_deals_{tables.cards}{called}"


def launch_random_deals(gpu: Gpu, entry: str, order: Any, n: int, seed: int, first_lane: int) -> Any:
    """Starts the deals, as many launches as they take; the sums stay on the device, `uint64[8]`."""
    sums, kernel = gpu.zeros(8, np.uint64), gpu.kernel(PROGRAM, entry)
    most = gpu.multiprocessors * BLOCKS_EACH
    done = 0
    while done < n:
        blocks = min(most, blocks_for(gpu, n - done))
        part = min(n - done, blocks * gpu.block * MOST_EACH)
        each = -(-part // (blocks * gpu.block))
        lanes = (np.uint64(seed), np.uint64(first_lane + done), np.uint64(part), np.uint32(each))
        gpu.launch(kernel, blocks, order, *lanes, sums)
        done += part
    return sums


def _no_refusal(gpu: Gpu) -> Any:
    return gpu.put(np.array([NOTHING_REFUSED], np.uint64))


def _refused(refused: Any) -> bool:
    return int(refused.numpy()[0]) != NOTHING_REFUSED
