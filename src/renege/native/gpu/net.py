"""Trained networks on a GPU: the numbers of the CPU's, bit by bit."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from renege.native.arrays import F32, I16
from renege.native.gpu.device import Gpu

PROGRAM = "net.cu"
TOGETHER, MOST_HIDDEN = 8, 512  # rows of a thread, and the widest network, as network.hpp has them
SCRATCH_BYTES = TOGETHER * MOST_HIDDEN * (4 + 4 + 2) + 4 * MOST_HIDDEN + 64  # of a thread
BLOCK = 32  # threads of a block; a thread has much to do


class NetOnDevice:
    """A network whose weights lie on a device: layers in order, as `renege._kernel.Net` takes them."""

    def __init__(self, gpu: Gpu, weights: Sequence[I16], scales: Sequence[F32], biases: Sequence[F32]) -> None:
        self.gpu = gpu
        width, hidden = weights[0].shape
        self.width, self.actions = width, len(weights[-1])
        self._shape = tuple(map(np.uint32, (width, hidden, len(weights) // 2 - 1, self.actions)))
        numbers = [part for pair in zip(scales, biases, strict=True) for part in pair]
        self._weights = gpu.put(np.concatenate([layer.ravel() for layer in weights]))
        self._numbers = gpu.put(np.concatenate(numbers).astype(np.float32))

    def logits(self, rows: Any) -> Any:
        """`float32[n, actions]` on the device, from `uint8[n, width]` there or on the host."""
        there = self.gpu.put(rows if hasattr(rows, "__dlpack_device__") else np.ascontiguousarray(rows, np.uint8))
        count, width = there.shape
        if width != self.width:
            raise ValueError(f"rows of {width} bytes, and the network sees {self.width}")
        out, threads = self.gpu.empty((count, self.actions), np.float32), -(-count // TOGETHER)
        blocks = max(1, -(-threads // BLOCK))
        scratch = self.gpu.empty((blocks * BLOCK, SCRATCH_BYTES), np.uint8)
        given = (*self._shape, self._weights, self._numbers, there, np.uint64(count), scratch, out)
        self.gpu.launch(self.gpu.kernel(PROGRAM, "logits"), blocks, *given, block=BLOCK)
        return out
