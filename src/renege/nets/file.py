"""A network in a file: a line that says what it is, a line of JSON (its card), and its weights.

Behind the policy may follow the critic that it was trained with, which sees all hands and tells what a deal is worth.

Weights are whole numbers: 16 bits in the first and the last layer, 8 in those between; each output has a scale and a
bias, float32. `kernel/include/renege/net/network.hpp` says what is made of them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from renege import _kernel
from renege.core.atomic_file import write_atomically
from renege.core.game import Game
from renege.core.house_rules import write_all_rules, write_rules
from renege.core.message import say
from renege.games.encoding import Encoding, encoding_of
from renege.games.rows import Rows
from renege.native.arrays import F32, I16, U8
from renege.native.cards import asks_for_portable

MAGIC = b"renege net 1\n"
MOST_BYTES = 3_000_000
FOLDER = "data"

NetPath = Literal["portable", "avx2", "avx512"]


def net_paths() -> list[NetPath]:
    """The ways to look through a network that there are on this processor, the quickest first."""
    return ["portable"] if asks_for_portable() else cast(list[NetPath], _kernel.net_paths())


class NoNetwork(ValueError):
    """The package has no network for a game."""


@dataclass(frozen=True)
class Layer:
    """Whole numbers and, for each output, what they are times and what is added."""

    weights: I16
    scale: F32
    bias: F32


@dataclass(frozen=True)
class NetFile:
    """A trained network and its card: the game, the rows and rules that it was trained on, and how."""

    card: dict[str, Any]
    layers: tuple[Layer, ...]
    critic: tuple[Layer, ...] = ()

    @cached_property
    def _actor(self) -> _kernel.Net:
        return _net(self.layers)

    @cached_property
    def _critic(self) -> _kernel.Net:
        return _net(self.critic)

    def logits(self, rows: U8, threads: int = 1, path: NetPath | None = None) -> F32:
        """`float32[n, actions]`: a number for each action, open or not; the larger, the rather it would be taken.

        All paths come to the same numbers; the quickest that the processor has is the default.
        """
        out = np.empty((len(rows), self._actor.actions), np.float32)
        self._actor.logits(np.ascontiguousarray(rows), out, path or net_paths()[0], threads)
        return out

    def values(self, rows: U8, hidden: U8, threads: int = 1) -> F32:
        """`float32[n, seats]`: what deals are worth to each seat, the one to act first, if the network plays on.

        `rows` are what that seat sees and `hidden` what it does not; times `unit` it is what the game pays.
        """
        seen = np.concatenate([rows, hidden], axis=1)
        out = np.empty((len(rows), self._critic.actions), np.float32)
        self._critic.logits(seen, out, net_paths()[0], threads)
        return out

    def unit(self, game: Game) -> float | None:
        """What 1 in `values` is under the house rules of a game; None where the critic was not trained under them."""
        told = write_all_rules(game.rules)
        for house in self.card.get("units", ()) if self.critic else ():
            if all(told[rule] == value for rule, value in house["rules"].items()):
                return float(house["unit"])
        return None

    def encoding(self, game: Game) -> Encoding:
        """The encoding of a game in the network's rows; `ValueError` names the house rule that it never met."""
        if self.card["game"] != game.name:
            raise ValueError(say("this network plays {quoted}, not {quoted2}", self.card["game"], game.name))
        met: dict[str, list[str]] = self.card["rules"]
        for rule, value in write_all_rules(game.rules).items():
            if value not in met.get(rule, [value]):
                told = f"{rule}={value}"
                raise ValueError(say("the network of {quoted} was not trained under {quoted2}", game.name, told))
        encoding = encoding_of(game, Rows(self.card["rows"]))
        # what came after the network was as ever then; one that names no rules plays under all of them
        for rule, value in write_rules(game.rules).items() if met else ():
            if rule not in met and rule not in encoding.rules_not_felt:
                told = f"{rule}={value}"
                raise ValueError(say("the network of {quoted} was not trained under {quoted2}", game.name, told))
        if encoding.width != self.card["shape"]["width"]:
            raise ValueError(say("the network of {quoted} was not trained with this deck", game.name))
        return encoding


def write_net(path: Path, net: NetFile) -> int:
    """Writes a network; how many bytes it has."""
    data = pack_net(net)
    with write_atomically(path) as file:
        file.write(data)
    return len(data)


def pack_net(net: NetFile) -> bytes:
    """The bytes of a network's file; its card tells the digest of the weights."""
    weights = b"".join((*_arrays(net.layers), *_arrays(net.critic)))
    card = {**net.card, "digest": sha256(weights).hexdigest()}
    return MAGIC + json.dumps(card, sort_keys=True).encode() + b"\n" + weights


def read_net(data: bytes) -> NetFile:
    """A network; `ValueError` if these bytes are none."""
    if not data.startswith(MAGIC):
        raise ValueError("this is no network of renege")
    line, _, rest = data[len(MAGIC) :].partition(b"\n")
    try:
        card = json.loads(line)
        shapes = [list(_shapes(*(card[part][name] for name in SHAPE))) for part in ("shape", "critic") if part in card]
        layers = tuple(_layers(rest, (shape for part in shapes for shape in part)))
        if lacking := [name for name in CARD if name not in card]:
            raise ValueError(f"its card does not tell {', '.join(lacking)}")
        if sha256(rest).hexdigest() != card["digest"]:
            raise ValueError("its weights are not those that were written")
    except (ValueError, KeyError, TypeError) as wrong:
        raise ValueError(f"a network that is damaged: {wrong}") from None
    return NetFile(card, layers[: len(shapes[0])], layers[len(shapes[0]) :])


def _net(layers: Sequence[Layer]) -> _kernel.Net:
    return _kernel.Net([a.weights for a in layers], [a.scale for a in layers], [a.bias for a in layers])


@cache
def find_net(name: str) -> NetFile:
    """The network that came with the package; `ValueError` if the game has none."""
    file = files("renege.nets") / FOLDER / f"{name}.net"
    if not file.is_file():
        raise NoNetwork(say("there is no network for {quoted}", name))
    return read_net(file.read_bytes())


CARD = ("game", "rows", "rules", "digest")
SHAPE = ("width", "hidden", "blocks", "actions")


def _shapes(width: int, hidden: int, blocks: int, actions: int) -> Iterator[tuple[tuple[int, int], int, str]]:
    """For each layer the shape of its weights, its outputs and how wide a weight is kept."""
    yield (width, hidden), hidden, "<i2"
    for _ in range(2 * blocks):
        yield (hidden, hidden), hidden, "<i1"
    yield (actions, hidden), actions, "<i2"


def _arrays(layers: Sequence[Layer]) -> Iterator[bytes]:
    for i, layer in enumerate(layers):
        kept = "<i2" if i in (0, len(layers) - 1) else "<i1"
        yield layer.weights.astype(kept).tobytes()
        yield layer.scale.astype("<f4").tobytes()
        yield layer.bias.astype("<f4").tobytes()


def _layers(data: bytes, shapes: Iterator[tuple[tuple[int, int], int, str]]) -> Iterator[Layer]:
    at = 0

    def take(kind: str, count: int) -> NDArray[Any]:
        nonlocal at
        size = np.dtype(kind).itemsize * count
        if at + size > len(data):
            raise ValueError("it ends too early")
        found = np.frombuffer(data, kind, count, at)
        at += size
        return found

    for shape, outputs, kind in shapes:
        weights = take(kind, shape[0] * shape[1]).reshape(shape).astype(np.int16)
        yield Layer(weights, take("<f4", outputs).astype(np.float32), take("<f4", outputs).astype(np.float32))
    if at != len(data):
        raise ValueError("it does not end where it should")
