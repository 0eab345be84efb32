"""Tractor as the kernel steps it: the house rules and the orders of one level, handed over as tables.

The layout is that of `kernel/include/renege/env/tractor.hpp`. A table begins as the game does, at the level of its
opening; each of the five declarations of that level has an order of its own.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from renege import _kernel
from renege.core.game import Game, Standing
from renege.games.encoding import KernelEnv
from renege.games.tractor.order import PRINTED, RANKS, order
from renege.games.tractor.packed import house, kernel_order
from renege.games.tractor.rules import NoCall, Rules
from renege.games.tractor.score import enough, step_of, stops_of
from renege.native.cards import use_bmi2
from renege.native.tractor import PACKING, TABLE_BYTES

_ORDER_BYTES = len(bytes(kernel_order(order("NT2"))))
_NUMBERS = ("hand", "kitty", "dealer", "first", "ours", "theirs")
_MORE_NUMBERS = ("redeal", "enough", "step", "stops")
SETTING = np.dtype(
    [
        ("orders", "u1", (len(PRINTED) + 1, _ORDER_BYTES)),
        ("deck", "u8"),
        ("packing", "u1", TABLE_BYTES),
        *((name, "u4") for name in _NUMBERS),
        ("house", "u8"),
        *((name, "u4") for name in _MORE_NUMBERS),
    ],
    align=True,
)


def kernel(game: Game, *, shows: bool) -> Callable[[int], KernelEnv]:
    """Makes so many tables in the kernel."""
    make = _kernel.EnvTractor if shows else _kernel.EnvTractorSmall
    return partial(_made, make, setting(game, game.opening))


def _made(make: Any, rules: bytes, lanes: int) -> KernelEnv:
    return make(rules, lanes, use_bmi2(False))


def setting(game: Game, standing: Standing) -> bytes:
    """The house rules as the kernel has them, and where the game stands."""
    rules: Rules = game.rules
    out = np.zeros((), SETTING)
    low, high, deals = standing.score
    level = RANKS[standing.score[standing.dealer % 2] - 2]
    for row, suit in zip(out["orders"], (*PRINTED, "NT"), strict=True):
        tables = order(f"{suit}{level}", rules.level_gap, rules.no_trump)
        row[:] = np.frombuffer(bytes(kernel_order(tables)), np.uint8)
    out["deck"] = game.deck.kinds
    out["packing"] = np.frombuffer(bytes(PACKING), np.uint8)
    out["hand"], out["kitty"] = game.hand_size, game.kitty_size
    out["dealer"], out["first"] = standing.dealer, deals == 0
    out["ours"], out["theirs"] = low, high
    out["house"] = house(rules).word
    out["redeal"] = rules.no_call is NoCall.REDEAL
    out["enough"], out["step"] = enough(rules), step_of(rules)
    out["stops"] = sum(1 << stop for stop in stops_of(rules))
    return out.tobytes()
