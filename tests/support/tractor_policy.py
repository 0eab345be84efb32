"""The kernel's rules of thumb for Tractor, asked for one play: rollouts go by them, and are compared with them."""

from dataclasses import dataclass

import numpy as np

from renege import _kernel
from renege.core.position import Position
from renege.core.trick import Play
from renege.games.tractor.solve import cards_of, house, order_of, scene_of, words
from renege.native.cards import check_threads, checked_array
from renege.native.rollouts import SEATS
from renege.native.tractor import PACKING, U8, U32, U64, USUAL, KernelRules, TractorOrder


@dataclass(frozen=True, slots=True)
class Scenes:
    """Such scenes a row each, with the hand of the seat to move."""

    hands: U64  # [B, 2]
    tables: U64  # [B, 4, 2]
    leaders: U8  # [B]
    bankers: U8  # [B]
    played: U64  # [B, 2]
    voids: U8  # [B, 4]


def policy_plays(
    order: TractorOrder, scenes: Scenes, house: KernelRules = USUAL, threads: int = 1, *, whims: U32 | None = None
) -> U64:
    """What the rules of thumb play, `uint64[B, 2]`: always legal, and no throw is ever stopped.

    `whims uint32[B]`, where not 0, make a seat play otherwise, as `noise` does: bit 0 keeps it from winning, bit 1
    turns about whether it gives its points away, and each five bits in turn speak for a lead.
    """
    hands = checked_array("hands", scenes.hands, np.uint64, (None, 2))
    rows = len(hands)
    tables = checked_array("tables", scenes.tables, np.uint64, (rows, SEATS, 2))
    leaders = checked_array("leaders", scenes.leaders, np.uint8, (rows,))
    bankers = checked_array("bankers", scenes.bankers, np.uint8, (rows,))
    played = checked_array("played", scenes.played, np.uint64, (rows, 2))
    voids = checked_array("voids", scenes.voids, np.uint8, (rows, SEATS))
    whims = checked_array("whims", np.zeros(rows, np.uint32) if whims is None else whims, np.uint32, (rows,))
    check_threads(threads)
    lying = (tables[:, :, 0] != 0).sum(axis=1).astype(np.uint8)
    out = np.empty((rows, 2), np.uint64)
    _kernel.tractor_policy_plays(
        order,
        PACKING,
        house.word,
        hands,
        tables,
        lying,
        leaders,
        bankers,
        played,
        voids,
        whims,
        out,
        threads,
    )
    return out


def policy_play(position: Position, whim: int = 0) -> Play:
    """What the seat to move plays by the rules of thumb; a whim, 32 bits, makes it play otherwise."""
    scene = scene_of(position)
    one = Scenes(
        hands=words(position.hand),
        tables=scene.table[None],
        leaders=np.array([scene.leader], np.uint8),
        bankers=np.array([scene.banker], np.uint8),
        played=scene.played[None],
        voids=scene.voids[None],
    )
    whims = np.array([whim], np.uint32)
    return Play(cards_of(policy_plays(order_of(position), one, house(position.game.rules), whims=whims)[0]))
