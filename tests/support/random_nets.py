"""Networks and rows of chance."""

import numpy as np

from renege.native.arrays import U8
from renege.nets import NetFile
from renege.nets.file import Layer


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


def random_rows(count: int, width: int, seed: int = 1) -> U8:
    """Mostly noughts and ones, and some bytes as large as they get."""
    rng = np.random.default_rng(seed)
    out = (rng.random((count, width)) < 0.15).astype(np.uint8)
    large = rng.random((count, width)) < 0.01
    out[large] = rng.integers(0, 256, int(large.sum()))
    return out
