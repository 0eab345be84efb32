"""A GPU that is not there: the programs of `kernel/gpu/` compiled by the C++ compiler and run thread by thread.

It stands where `renege.native.gpu` expects a device, so that all that is written for one runs in every test, on small
batches. What only a device can show (races, its own compiler, its arithmetic) is for `make test-gpu`.
"""

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

from renege.native.gpu.device import sources

try:
    import fcntl
except ImportError:  # pragma: no cover, Windows
    fcntl = None

EMULATOR = Path(__file__).parents[1] / "gpu" / "emulator.hpp"
COMPILER = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
ENTRY = re.compile(r'extern "C" __global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\(([^)]*)\)', re.S)
BESIDE = re.compile(r'^#include "(.+)"$', re.M)
MOST_SHARED = 48 * 1024
GONE = tempfile.TemporaryDirectory(prefix="renege-emulated-")


class Here:
    """An array of the emulated device, which is the host's."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = np.ascontiguousarray(array)
        self.shape, self.dtype, self.nbytes = self.array.shape, self.array.dtype, self.array.nbytes

    @property
    def address(self) -> int:
        return self.array.ctypes.data

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def numpy(self) -> NDArray[Any]:
        return self.array.copy()


class EmulatedGpu:
    """As much of `Gpu` as there is without a device."""

    name = "emulated"
    arch = "sm_90"
    multiprocessors = 2
    block = 32  # what a launch uses unless it names another: a fibre has a stack, and few will do

    def kernel(self, program: str, entry: str) -> Any:
        return getattr(library(program), f"launch_{entry}")

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> Here:
        out = np.empty(shape, dtype)
        out.view(np.uint8).fill(0xA5) if out.ndim else None  # nothing may rely on zeros
        return Here(out)

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike) -> Here:
        return Here(np.zeros(shape, dtype))

    def filled(self, shape: int | Sequence[int], dtype: DTypeLike, byte: int) -> Here:
        out = self.empty(shape, dtype)
        self.fill(out, byte)
        return out

    def fill(self, array: Here, byte: int) -> None:
        array.array.view(np.uint8).fill(byte)

    def copy(self, start: Here, to: Here) -> None:
        to.array[...] = start.array

    def on(self, stream: Any) -> "EmulatedGpu":
        return self

    def wait_for_all(self) -> None:
        pass

    def put(self, array: Any) -> Here:
        return array if isinstance(array, Here) else Here(np.array(array, copy=True))

    def fetch(self, array: Here, out: NDArray[Any]) -> None:
        out[...] = array.array.reshape(out.shape)

    def launch(
        self, kernel: Any, grid: int | tuple[int, ...], *arguments: Any, block: int | None = None, shared: int = 0
    ) -> None:
        assert shared <= MOST_SHARED
        sizes = (grid,) if isinstance(grid, int) else grid
        x, y, z = (*sizes, 1, 1)[:3]
        kernel(*map(ctypes.c_uint32, (x, y, z, block or self.block)), *map(_plain, arguments))

    def synchronize(self) -> None:
        pass

    def seconds(self, work: Callable[[], object]) -> float:
        work()
        return 1.0


SCALARS: dict[str, Any] = {
    "uint8": ctypes.c_uint8, "uint32": ctypes.c_uint32, "int32": ctypes.c_int32, "uint64": ctypes.c_uint64,
    "int64": ctypes.c_int64, "float32": ctypes.c_float, "float64": ctypes.c_double,
}  # fmt: skip


def _plain(argument: Any) -> Any:
    """An argument as C takes it: the address of an array, or a number of the width that its numpy type says."""
    if isinstance(argument, Here):
        return ctypes.c_void_p(argument.array.ctypes.data)
    if argument is None:
        return ctypes.c_void_p(None)
    if not isinstance(argument, np.generic):
        raise TypeError(f"{argument!r} has no width: give a launch numpy scalars")
    return SCALARS[argument.dtype.name](argument.item())


def written_out(program: str) -> str:
    """The text of a program, with what it includes of the files beside it."""
    text = (sources() / program).read_text("utf-8")
    return BESIDE.sub(lambda found: written_out(found[1]), text)


@cache
def library(program: str) -> ctypes.CDLL:
    """A program as a shared library with a function `launch_<entry>` for each entry point."""
    if COMPILER is None:
        pytest.skip("no C++ compiler to emulate a GPU with")
    text = written_out(program)
    launchers = "\n".join(_launcher(*found) for found in ENTRY.findall(text))
    if text.count("__global__") != len(ENTRY.findall(text)):
        raise ValueError(f'{program}: an entry point is not written as `extern "C" __global__ void name(...)`')
    head = f'#include "{EMULATOR}"\n#include <renege/core/portable.hpp>\nusing namespace renege;'
    source = f"{head}\n{text}\n{launchers}\n"
    built = _folder() / f"{hashlib.sha256(source.encode() + _headers()).hexdigest()[:16]}.so"
    with _alone(built):
        if not built.exists():
            _compile(program, COMPILER, source, built)
    return ctypes.CDLL(str(built))


@contextmanager
def _alone(built: Path) -> Generator[None, None, None]:
    """Another worker that wants the same library waits for it, and does not compile it too."""
    with open(built.with_suffix(".lock"), "w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _compile(program: str, compiler: str, source: str, built: Path) -> None:
    written, fresh = (built.with_suffix(f".{os.getpid()}.{kind}") for kind in ("cpp", "so"))
    written.write_text(source, "utf-8")
    command = [compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-ffp-contract=off"]
    # Hidden, or a call of an entry point named `step` would reach the C library's function of that name.
    command += ["-fvisibility=hidden", f"-I{sources()}", str(written), "-o", str(fresh)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode or run.stderr:
        raise AssertionError(f"{program} does not compile for the host:\n{run.stderr}")
    fresh.replace(built)  # at once: one that was stopped half way leaves nothing that looks whole
    written.unlink()


@cache
def _folder() -> Path:
    """Where libraries stay from run to run; where nothing can be written they are gone with the process."""
    kept = Path(__file__).parents[2] / "build" / "emulated"
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(GONE.name)
    return kept


def _headers() -> bytes:
    """All that a program may include, and what compiles it."""
    texts = [path.read_bytes() for path in (EMULATOR, *sorted(sources().rglob("*.hpp")))]
    return b"\0".join([str(COMPILER).encode(), *texts])


def _launcher(name: str, parameters: str) -> str:
    given = [parameter.strip() for parameter in parameters.split(",") if parameter.strip()]
    names = ", ".join(re.split(r"[\s*&]+", parameter)[-1] for parameter in given)
    comma = ", " if given else ""
    return (
        f'extern "C" __attribute__((visibility("default"))) '
        f"void launch_{name}(uint32_t x, uint32_t y, uint32_t z, uint32_t block{comma}{', '.join(given)}) "
        f"{{ emulate({{x, y, z}}, block, [=] {{ {name}({names}); }}); }}"
    )


if sys.platform == "win32":  # pragma: no cover
    COMPILER = None
