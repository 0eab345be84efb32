"""A trained network in numpy, step by step as kernel/include/renege/net/network.hpp says, one row at a time."""

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


def sums(x: NDArray[np.float64]) -> float:
    four = [0.0, 0.0, 0.0, 0.0]
    for i, number in enumerate(x.tolist()):
        four[i % 4] += number
    return (four[0] + four[1]) + (four[2] + four[3])


def normal(h: F32) -> NDArray[np.int64]:
    wide = h.astype(np.float64)
    mean = sums(wide) / len(h)
    rate = 1.0 / np.sqrt(sums((wide - mean) * (wide - mean)) / len(h) + 1e-5)
    return np.rint(((wide - mean) * rate).astype(np.float32) * np.float32(1024)).astype(np.int64)


def above_nought(x: F32) -> tuple[NDArray[np.int64], np.float32]:
    most = x.max()
    if not most > 0:
        return np.zeros(len(x), np.int64), np.float32(0)
    steps = np.float32(30000) / most
    return np.rint(np.maximum(x, 0) * steps).astype(np.int64), most / np.float32(30000)


def output(whole: NDArray[np.int64], step: np.float32, scale: F32, bias: F32) -> F32:
    assert (np.abs(whole) < 2**31).all()
    return (whole.astype(np.int32).astype(np.float32) * (scale * step) + bias).astype(np.float32)


def logits(row: NDArray[np.uint8], weights: list[NDArray[np.int16]], scales: list[F32], biases: list[F32]) -> F32:
    wide = [layer.astype(np.int64) for layer in weights]
    step = np.float32(1) / np.float32(1024)
    h = output(row.astype(np.int64) @ wide[0], np.float32(1), scales[0], biases[0])
    for at in range(1, len(wide) - 1, 2):
        inner = output(wide[at] @ normal(h), step, scales[at], biases[at])
        taken, size = above_nought(inner)
        h = h + output(wide[at + 1] @ taken, size, scales[at + 1], biases[at + 1])
    return output(wide[-1] @ normal(h), step, scales[-1], biases[-1])
