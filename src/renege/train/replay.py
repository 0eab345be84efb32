# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""Work that is the same every time, launched at once: on a GPU as a CUDA graph, on a CPU as it is."""

from collections.abc import Callable

import torch

WARM = 2  # runs before a graph is recorded, in which libraries set up what they need


class Replay:
    """Some work on tensors that stay where they are. What it writes while it is recorded, the caller must not need."""

    def __init__(self, device: torch.device, work: Callable[[], None], rng: torch.Generator | None = None) -> None:
        self.device, self.work, self.rng = device, work, rng
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self) -> None:
        if self._graph is None:
            self.work()
        else:
            self._graph.replay()

    def record(self) -> None:
        """Record it, where there is a GPU; the work is done a few times on the way."""
        if self.device.type != "cuda":
            return
        for _ in range(WARM):
            self.work()
        torch.cuda.synchronize(self.device)
        graph = torch.cuda.CUDAGraph()
        if self.rng is not None:
            graph.register_generator_state(self.rng)
        with torch.cuda.graph(graph, stream=torch.cuda.current_stream(self.device)):
            self.work()
        self._graph = graph
