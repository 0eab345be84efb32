"""Networks and rows of chance."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from renege.envs import Env
from renege.native.arrays import U8
from renege.nets import NetFile, find_net, write_net
from renege.nets import file as nets_file
from renege.nets.file import Layer

GAMES = ("texas42", "schafkopf", "tractor")


def random_network(width: int, hidden: int, blocks: int, actions: int, seed: int = 1, size: float = 1.0) -> NetFile:
    """Layers of chance, with weights up to what a file can hold."""
    rng = np.random.default_rng(seed)

    def layer(shape: tuple[int, int], outputs: int, most: int) -> Layer:
        scale = size * rng.random(outputs) * 3 / (most * np.sqrt(hidden))
        whole = rng.integers(-most, most + 1, shape).astype(np.int16)
        return Layer(whole, scale.astype(np.float32), rng.normal(size=outputs).astype(np.float32))

    layers = [layer((width, hidden), hidden, 32767)]
    layers += [layer((hidden, hidden), hidden, 127) for _ in range(2 * blocks)]
    layers.append(layer((actions, hidden), actions, 2047))
    shape = {"width": width, "hidden": hidden, "blocks": blocks, "actions": actions}
    return NetFile({"game": "texas42", "rows": 1, "shape": shape, "rules": {}}, tuple(layers))


def write_random_net(game: str, path: Path, **rules: str) -> Path:
    """A small network of chance for a game, in a file; it has met these choices of house rules alone, and all others
    of those that are not named."""
    encoding = Env(f"renege/{game}-v1").encoding
    rng, hidden = np.random.default_rng(1), 16

    def layer(shape: tuple[int, int], outputs: int) -> Layer:
        scale = np.full(outputs, 0.02, np.float32)
        return Layer(rng.integers(-127, 128, shape).astype(np.int16), scale, np.zeros(outputs, np.float32))

    shape = {"width": encoding.width, "hidden": hidden, "blocks": 1, "actions": len(encoding.actions)}
    layers = [layer((encoding.width, hidden), hidden), *(layer((hidden, hidden), hidden) for _ in range(2))]
    layers.append(layer((len(encoding.actions), hidden), len(encoding.actions)))
    met = {rule: [choice] for rule, choice in rules.items()}
    write_net(path, NetFile({"game": game, "rows": 1, "shape": shape, "rules": met}, tuple(layers)))
    return path


@contextmanager
def shipped(folder: Path, *games: str, **rules: str) -> Iterator[None]:
    """Meanwhile the package comes with networks of chance for these games, as `write_random_net` makes them, and with
    no others; in this process alone."""
    for game in games:
        write_random_net(game, folder / f"{game}.net", **rules)
    before, nets_file.FOLDER = nets_file.FOLDER, str(folder)
    find_net.cache_clear()
    try:
        yield
    finally:
        nets_file.FOLDER = before
        find_net.cache_clear()


def random_rows(count: int, width: int, seed: int = 1) -> U8:
    """Mostly noughts and ones, and some bytes as large as they get."""
    rng = np.random.default_rng(seed)
    out = (rng.random((count, width)) < 0.15).astype(np.uint8)
    large = rng.random((count, width)) < 0.01
    out[large] = rng.integers(0, 256, int(large.sum()))
    return out
