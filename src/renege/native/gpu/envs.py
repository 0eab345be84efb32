"""Tables of an environment on a GPU: the calls of the kernel's `Env` classes, with the same bytes in the same arrays.

A lane is a thread, and its table the CPU's own struct in the device's memory. What the CPU refuses is refused in the
same words. Arrays are the caller's, on the device; a deal that comes from outside is the host's.
"""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from renege import _kernel
from renege.native.arrays import I32, U8, U64
from renege.native.gpu.device import Gpu

if TYPE_CHECKING:
    from renege._kernel import Env

BLOCK = 64  # threads of a block
ROWS = 32  # lanes of a block whose rows are put together at a time, in shared memory; fewer where rows are wide
FEWEST_ROWS = 16  # as env_entries.cuh has it
MOST_SHARED = 48 * 1024  # bytes that a block has on every device
NONE_REFUSED = 2**64 - 1
NOWHERE = np.uint64(0)  # the null pointer


def program_of(kind: str) -> str:
    """The program for a class of the kernel: `EnvSchafkopfShort` is `env_schafkopf_short.cu`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])", "_", kind).lower() + ".cu"


@contextmanager
def in_order(gpu: Gpu, waits: bool) -> Generator[None, None, None]:
    """Launches after all that others have launched, and done before they go on; where the stream is theirs it is so."""
    if waits:
        gpu.wait_for_all()
    yield
    if waits:
        gpu.synchronize()


class EnvTables:
    """What an `Env` of the kernel does, on a device.

    `waits`: does a call wait for other libraries' work, and end with its own done? Else they share the device's stream.
    """

    def __init__(self, gpu: Gpu, kind: str, setting: bytes, lanes: int, *, waits: bool = True) -> None:
        # The CPU's own table: it looks at the setting, seals what is saved and says why a deal is refused.
        self._cpu: Env = getattr(_kernel, kind)(setting, 1, False)
        self.gpu, self.lanes, self.waits, self.width = gpu, lanes, waits, self._cpu.width
        self._program, self._kernels = program_of(kind), dict[str, Any]()
        self._setting = gpu.put(np.frombuffer(setting, np.uint8))
        self._tables = gpu.zeros((lanes, self._cpu.TABLE_BYTES), np.uint8)
        self._refused = gpu.filled(1, np.uint64, 0xFF)
        self._begun = False

    def reset(self, seeds: U64, observation: Any, hidden: Any, mask: Any, mover: Any, threads: int) -> None:
        """As the CPU's, and so are all that follow; how many threads there are is the device's own affair."""
        with in_order(self.gpu, self.waits):
            self._launch("reset", *self._ruled, self.gpu.put(seeds))
            self._begun = True
            self._show(observation, hidden, mask, mover)

    def step(self, actions: Any, *arrays: Any, check: bool = True) -> None:
        """Unchecked, nobody waits for an answer, and a lane whose action is not open stays as it is."""
        observation, hidden, mask, mover, reward, done, _ = arrays
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            wanted = self.gpu.put(actions)
            if check:
                self._launch("check", *self._ruled, wanted, self._refused)
            room, shown = self._shown(observation, hidden, mask, mover)
            given = (*self._ruled, wanted, self._refused if check else NOWHERE, *shown, reward, done)
            self._launch("step", *given, room=room)
            if check:
                self._raise_if_refused(lambda lane: f"action {wanted.numpy()[lane]} is not open")

    def play(self, piles: Any, actions: Any, *arrays: Any) -> None:
        observation, hidden, mask, mover, reward, done, _ = arrays
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            asked = self.gpu.put(piles), self.gpu.put(actions)
            self._launch("check_plays", *self._ruled, *asked, self._refused)
            self._launch("play", *self._ruled, *asked, self._refused, reward, done)
            self._raise_if_refused(lambda lane: _no_play(asked[0].numpy()[lane], asked[1].numpy()[lane]))
            self._show(observation, hidden, mask, mover)

    def choose(self, mask: Any, actions: Any, salt: int, threads: int) -> None:
        self._must_have_begun()
        room = _room(self._cpu.ACTIONS)
        with in_order(self.gpu, self.waits):
            given = (*self._own, np.uint64(_kernel.mix64(salt)), mask, np.uint32(room), actions)
            self._launch("choose", *given, room=room)

    def run(self, steps: int, salt: int, *arrays: Any) -> int:
        """Only the last of the steps is written to the arrays."""
        observation, hidden, mask, mover, reward, done, _ = arrays
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            over = self.gpu.zeros(1, np.uint64)
            if steps:
                chance = np.uint64(steps), np.uint64(_kernel.mix64(salt))
                self._launch("run", *self._ruled, *chance, reward, done, over)
            self._show(observation, hidden, mask, mover)
            return int(over.numpy()[0])

    def observe(self, seats: U8, rows: Any) -> None:
        self._must_have_begun()
        room = _room(self.width)
        with in_order(self.gpu, self.waits):
            given = (self.gpu.put(seats), rows, np.uint32(self.width), np.uint32(room))
            self._launch("observe", *self._ruled, *given, room=room)

    def dealt(self, piles: Any) -> None:
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            self._launch("dealt", *self._own, piles)

    def standings(self, out: U8) -> None:
        """Into an array of the host."""
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            found = self.gpu.empty(out.shape, np.uint8)
            self._launch("standings", *self._own, found)
            self.gpu.fetch(found, out)

    def begin(
        self, standings: U8, piles: U64, actions: I32, observation: Any, hidden: Any, mask: Any, mover: Any
    ) -> None:
        """Deals from the host's memory."""
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            begun = self.gpu.empty(self._tables.shape, np.uint8)
            given = [self.gpu.put(array) for array in (standings, piles, actions)]
            count = np.uint32(actions.shape[1])
            self._launch("begin", *self._ruled, *given, count, begun, self._refused)
            self._raise_if_refused(lambda lane: self._no_deal(standings[lane], piles[lane], actions[lane]))
            self.gpu.copy(begun, self._tables)
            self._show(observation, hidden, mask, mover)

    def save(self) -> bytes:
        """What the CPU's `load` takes too."""
        self._must_have_begun()
        with in_order(self.gpu, self.waits):
            return self._cpu.seal(self._tables.numpy().reshape(-1))

    def load(self, saved: bytes, observation: Any, hidden: Any, mask: Any, mover: Any) -> None:
        """What the CPU's `save` gave, or this one's."""
        tables = np.frombuffer(self._cpu.unseal(saved, self.lanes), np.uint8)
        with in_order(self.gpu, self.waits):
            self.gpu.copy(self.gpu.put(tables.reshape(self._tables.shape)), self._tables)
            self._begun = True
            self._show(observation, hidden, mask, mover)

    @property
    def _own(self) -> tuple[Any, ...]:
        return self._tables, np.uint64(self.lanes)

    @property
    def _ruled(self) -> tuple[Any, ...]:
        return self._setting, *self._own

    def _launch(self, entry: str, *arguments: Any, room: int = 0) -> None:
        if entry not in self._kernels:
            self._kernels[entry] = self.gpu.kernel(self._program, entry)
        blocks = -(-self.lanes // BLOCK)
        self.gpu.launch(self._kernels[entry], blocks, *arguments, block=BLOCK, shared=room)

    def _shown(self, observation: Any, hidden: Any, mask: Any, mover: Any) -> tuple[int, tuple[Any, ...]]:
        """The shared memory that it takes to write these arrays, and what a launch is told of them."""
        widths = [self._cpu.ACTIONS, self.width if observation is not None else 0]
        room = _room(max(*widths, self._cpu.HIDDEN if hidden is not None else 0))
        rows = [NOWHERE if array is None else array for array in (observation, hidden, mask, mover)]
        return room, (*rows, np.uint32(self.width), np.uint32(room))

    def _show(self, observation: Any, hidden: Any, mask: Any, mover: Any) -> None:
        room, shown = self._shown(observation, hidden, mask, mover)
        self._launch("show", *self._ruled, *shown, room=room)

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise ValueError("nothing is dealt yet: reset first")

    def _raise_if_refused(self, why: Callable[[int], str]) -> None:
        """Waits for the answer of a check."""
        lane = int(self._refused.numpy()[0])
        if lane != NONE_REFUSED:
            self.gpu.fill(self._refused, 0xFF)
            raise ValueError(f"lane {lane}: {why(lane)}")

    def _no_deal(self, standing: U8, piles: U64, actions: I32) -> str:
        """What the CPU has against a deal."""
        mask, mover = np.zeros((1, self._cpu.ACTIONS), np.uint8), np.zeros(1, np.uint8)
        self._cpu.reset(np.zeros(1, np.uint64), None, None, mask, mover, 1)
        try:
            self._cpu.begin(standing[None], piles[None], actions[None], None, None, mask, mover)
        except ValueError as wrong:
            return str(wrong).removeprefix("lane 0: ")
        raise RuntimeError("a device refuses a deal that the CPU takes")


def _room(width: int) -> int:
    """Bytes of shared memory in which rows so wide are put together."""
    return (ROWS if ROWS * width <= MOST_SHARED else FEWEST_ROWS) * width


def _no_play(pile: U64, action: int) -> str:
    return "these cards are no legal play" if pile.any() else f"action {action} is not open"
