"""How rows of bytes are laid out and what the kernel is told of it: what the encodings of all games share."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege.core.game import Game
from renege.core.house_rules import Choice
from renege.native.cards import use_bmi2

if TYPE_CHECKING:
    from renege._kernel import Env

MOST_RULES = 160
VERSIONS = (0, 1)


@dataclass(frozen=True, slots=True)
class Rows:
    """How observations are laid out: their version and, from version 1 on, whether they end in the history."""

    version: int = 0
    history: bool = False

    def __post_init__(self) -> None:
        if self.version not in VERSIONS:
            raise ValueError(f"rows are of version {' or '.join(map(str, VERSIONS))}, not {self.version}")
        if self.history and not self.version:
            raise ValueError("rows of version 0 have no history")


@dataclass(frozen=True, slots=True)
class KernelTables:
    """What the kernel needs to step a game: its class, which names the GPU's entry points too, and its setting."""

    kind: str
    setting: bytes

    def make(self, lanes: int) -> "Env":
        """So many tables on the CPU."""
        return getattr(_kernel, self.kind)(self.setting, lanes, use_bmi2(False))


LAYOUT = np.dtype(
    [
        *((name, "u4") for name in ("version", "history", "difference", "drawn", "rules", "spare")),
        ("told", "u1", MOST_RULES),
    ]
)
"""The first bytes of every setting, as `kernel/include/renege/env/layout.hpp` has them."""


def with_layout(layout: NDArray[np.void], setting: NDArray[np.void]) -> bytes:
    """A setting as the kernel reads it. A copy of the array would leave the bytes between its fields to chance."""
    return layout.tobytes() + setting.tobytes()[LAYOUT.itemsize :]


def told_rules(rules: Any, skip: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The bytes that tell house rules, each with what it tells: `all_pass=reshake`, or the rule that is a number.

    Of a choice there is a byte for each answer, 1 for the one in force; of a number two, the high one first. Rules to
    `skip` go by their names, and single answers by rule and answer.
    """
    for rule in fields(rules):
        if rule.name in skip:
            continue
        value = getattr(rules, rule.name)
        if isinstance(value, Choice):
            answers = ((f"{rule.name}={choice.value}", choice is value) for choice in type(value))
            yield from (answer for answer in answers if answer[0] not in skip)
        elif isinstance(value, int) or (isinstance(value, str) and hasattr(rules, value)):
            number = min(rules.number(rule.name), 0xFFFF)
            yield from ((rule.name, number >> 8), (rule.name, number & 0xFF))


class ToldRules:
    """The part of an encoding that tells the house rules."""

    game: Game
    rules_not_felt: ClassVar[frozenset[str]] = frozenset()
    """House rules that say nothing of a single deal; rows do not tell them."""

    def rules_told(self) -> Iterator[tuple[str, int]]:
        """The bytes that tell the house rules, each with what it tells."""
        return told_rules(self.game.rules, self.rules_not_felt)

    @cached_property
    def rule_names(self) -> tuple[str, ...]:
        """What each byte of the house rules tells: `all_pass=reshake`, or twice `run_from` for a number."""
        return tuple(name for name, _ in self.rules_told())

    @cached_property
    def rule_bytes(self) -> bytes:
        """The house rules in force, as rows tell them."""
        return bytes(byte for _, byte in self.rules_told())


def kernel_layout(rows: Rows, told: bytes, *, difference: bool) -> NDArray[np.void]:
    """How the kernel lays out rows, and what it pays."""
    out = np.zeros((), LAYOUT)
    told = told if rows.version else b""
    out["version"], out["history"] = rows.version, rows.history
    out["difference"], out["drawn"] = difference, rows.version > 0
    out["rules"] = len(told)
    out["told"][: len(told)] = np.frombuffer(told, np.uint8)
    return out
