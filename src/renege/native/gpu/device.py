"""A GPU, if there is one: programs built for it from the kernel's own headers, arrays on it, and launches.

A program is a file of `kernel/gpu/`, like `playouts.cu`. NVRTC compiles it for the device's architecture when it is
first asked for, and the machine code is kept in the user's cache under a hash of all that went into it.
"""

import copy
import hashlib
import io
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

INSTALL = "pip install 'renege[gpu]'"


class NoGpu(RuntimeError):
    """There is no GPU to work with, and why."""


class NoGpuWarning(RuntimeWarning):
    """A GPU was asked for and there is none; the CPU does the work."""


def sources() -> Path:
    """The folder of the headers and programs that came with the package."""
    with as_file(files("renege") / "include") as folder:
        return folder


@cache
def _fingerprint() -> bytes:
    """A hash of every header and program: whatever changes in them, nothing stale is run."""
    found = hashlib.sha256()
    for path in sorted(sources().rglob("*")):
        if path.is_file():
            found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.digest()


def build(program: str, arch: str, *, keep: bool = True, strict: bool = False) -> bytes:
    """The machine code of a program for an architecture, like `sm_90`. No device is needed; NVRTC is.

    `keep` looks in the user's cache first, and leaves the code there. `strict` takes a warning for an error.
    """
    core, utils = _packages()
    text = (sources() / program).read_text("utf-8")
    options = _options(core, program, arch)
    key = utils.make_program_cache_key(
        code=text, code_type="c++", options=options, target_type="cubin", extra_digest=_fingerprint()
    )
    kept = code = None
    with suppress(OSError):  # a cache that cannot be read or written costs seconds, no more
        kept = utils.FileStreamProgramCache() if keep else None
        code = None if kept is None else kept.get(key)
    if code is None:
        code = _compile(core, text, options, strict=strict)
        with suppress(OSError):
            if kept is not None:
                kept[key] = code
    return code


def _options(core: Any, program: str, arch: str) -> Any:
    # No fused multiply-add: it rounds once and not twice, and what is drawn by weight must equal the CPU's.
    return core.ProgramOptions(name=program, arch=arch, std="c++20", include_path=str(sources()), fma=False)


def _compile(core: Any, text: str, options: Any, *, strict: bool = False) -> bytes:
    log = io.StringIO()
    code = core.Program(text, "c++", options).compile("cubin", logs=log).code
    if strict and (warnings := log.getvalue().strip("\0\n ")):
        raise RuntimeError(f"{options.name}: NVRTC is not content: {warnings}")
    return bytes(code)


def _packages() -> tuple[Any, Any]:
    """`cuda.core` and its tools. They are no dependency of renege and have no types to check against."""
    try:
        return import_module("cuda.core"), import_module("cuda.core.utils")
    except ImportError as missing:
        raise NoGpu(f"the packages of [gpu] are not installed ({missing}); {INSTALL}") from missing


@cache
def find_gpu(ordinal: int = 0) -> "Gpu":
    """The GPU of that number; `NoGpu` says what is missing."""
    core, _ = _packages()
    try:
        count = len(core.Device.get_all_devices())
    except Exception as missing:  # the driver's absence shows in as many ways as there are drivers
        raise NoGpu(f"no NVIDIA driver answers on this machine ({type(missing).__name__}: {missing})") from missing
    if ordinal >= count:
        raise NoGpu(f"there is no GPU {ordinal}: the driver knows of {count}")
    try:
        gpu = Gpu(core.Device(ordinal))
        gpu.kernel("playouts.cu", "winners")  # is NVRTC there, and does the driver take what it makes?
    except Exception as wrong:
        raise NoGpu(f"GPU {ordinal} cannot be used ({type(wrong).__name__}: {wrong})") from wrong
    return gpu


IN_HOST_MEMORY = 1  # as DLPack numbers the kinds of memory
LEGACY_STREAM = 1  # what the driver and DLPack call the default stream, where libraries say 0


class OnDevice:
    """An array in the memory of a GPU. Other libraries take it without a copy, by DLPack."""

    def __init__(self, gpu: "Gpu", buffer: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.gpu, self.buffer, self.shape, self.dtype = gpu, buffer, shape, dtype

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    @property
    def address(self) -> int:
        """Where it begins in the device's memory."""
        return int(self.buffer.handle)

    def numpy(self) -> NDArray[Any]:
        """A copy on the host, once the work that was launched before is done."""
        out = np.empty(self.shape, self.dtype)
        self.gpu.fetch(self, out)
        return out

    def __dlpack__(self, **asked: Any) -> Any:
        if asked.get("stream") != self.gpu.stream:  # whoever takes it works in another, and does not know of this one
            self.gpu.synchronize()
        return self._view().__dlpack__(**asked)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._view().__dlpack_device__()

    def _view(self) -> Any:
        _, utils = _packages()
        return utils.StridedMemoryView.from_buffer(self.buffer, self.shape, dtype=self.dtype)


def _in_one_piece(shape: Sequence[int], strides: Sequence[int] | None) -> bool:
    """Do the elements lie one after the other? Strides count elements, and where there are none they do."""
    if strides is None:
        return True
    expected = 1
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def bytes_on(gpu: "Gpu", held: Any) -> Any:
    """What the kernel keeps, an order for example, in the device's memory, byte by byte."""
    return gpu.put(np.frombuffer(bytes(held), np.uint8))


def blocks_for(gpu: "Gpu", rows: int) -> int:
    return max(1, -(-rows // gpu.block))


def launch_rows(gpu: "Gpu", program: str, entry: str, rows: int, *arguments: Any) -> None:
    """Starts an entry point of a program with a thread for each row."""
    gpu.launch(gpu.kernel(program, entry), blocks_for(gpu, rows), *arguments)


class Gpu:
    """A device with a stream of its own: what is launched runs in the order in which it was."""

    block = 256  # threads of a block, unless a launch says otherwise

    def __init__(self, device: Any) -> None:
        self._core, _ = _packages()
        self._device = device
        device.set_current()
        self._stream: Any = device.create_stream()
        self._modules: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"<Gpu {self.name}, {self.multiprocessors} multiprocessors, {self.arch}>"

    def on(self, stream: Any) -> "Gpu":
        """The same device with the stream of another library: its number, or an object with `__cuda_stream__`.

        Launches then come in order with that library's own, and nobody need wait.
        """
        other = copy.copy(self)
        self._device.set_current()
        if hasattr(stream, "__cuda_stream__"):
            other._stream = self._device.create_stream(stream)
        else:
            other._stream = self._core.Stream.from_handle(int(stream) or LEGACY_STREAM)
        return other

    @property
    def stream(self) -> int:
        """The number of the stream, as DLPack has it."""
        return int(self._stream.handle) or LEGACY_STREAM

    @property
    def name(self) -> str:
        return str(self._device.name)

    @property
    def arch(self) -> str:
        return f"sm_{self._device.arch}"

    @property
    def multiprocessors(self) -> int:
        return int(self._device.properties.multiprocessor_count)

    def kernel(self, program: str, entry: str) -> Any:
        """An entry point of a program, which is built and loaded the first time."""
        self._device.set_current()
        if program not in self._modules:
            code = build(program, self.arch)
            self._modules[program] = self._core.ObjectCode.from_cubin(code)
        return self._modules[program].get_kernel(entry)

    def kernel_of(self, text: str, entry: str) -> Any:
        """An entry point of a program given as text, which sees the same headers; it is not kept."""
        self._device.set_current()
        code = _compile(self._core, text, _options(self._core, "text.cu", self.arch))
        return self._core.ObjectCode.from_cubin(code).get_kernel(entry)

    def empty(self, shape: int | Sequence[int], dtype: DTypeLike) -> OnDevice:
        """An array on the device, whatever is in it."""
        self._device.set_current()
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        kind = np.dtype(dtype)
        size = max(1, int(np.prod(shape, dtype=np.int64)) * kind.itemsize)
        return OnDevice(self, self._device.allocate(size, stream=self._stream), shape, kind)

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike) -> OnDevice:
        return self.filled(shape, dtype, 0)

    def filled(self, shape: int | Sequence[int], dtype: DTypeLike, byte: int) -> OnDevice:
        """An array of which every byte is the same: 0xFF is -1."""
        out = self.empty(shape, dtype)
        self.fill(out, byte)
        return out

    def fill(self, array: OnDevice, byte: int) -> None:
        """Makes every byte of an array the same."""
        self._device.set_current()
        array.buffer.fill(byte, stream=self._stream)

    def put(self, array: Any) -> OnDevice:
        """An array of the host on the device, or one that is there already, by DLPack."""
        if isinstance(array, OnDevice):
            return array
        if not isinstance(array, np.ndarray) and hasattr(array, "__dlpack_device__"):
            return self._borrow(array)
        host = np.ascontiguousarray(cast(NDArray[Any], array))
        out = self.empty(host.shape, host.dtype)
        if host.nbytes:
            self._copy("cuMemcpyHtoDAsync", out.address, host.ctypes.data, host.nbytes)
            self._stream.sync()  # the caller may change the array as soon as this returns
        return out

    def _borrow(self, array: Any) -> OnDevice:
        if array.__dlpack_device__()[0] == IN_HOST_MEMORY:
            return self.put(np.from_dlpack(array))
        _, utils = _packages()
        view = utils.StridedMemoryView.from_dlpack(array, stream_ptr=self.stream)
        if view.device_id != self._device.device_id or not _in_one_piece(view.shape, view.strides):
            raise ValueError(f"an array of shape {view.shape} must lie in one piece on GPU {self._device.device_id}")
        kind = np.dtype(view.dtype)
        size = int(np.prod(view.shape, dtype=np.int64)) * kind.itemsize
        buffer = self._core.Buffer.from_handle(view.ptr, size, owner=array)
        return OnDevice(self, buffer, tuple(view.shape), kind)

    def fetch(self, array: OnDevice, out: NDArray[Any]) -> None:
        """Copies an array of the device into one of the host, of the same size and in one piece."""
        if out.nbytes != array.nbytes or not out.flags.c_contiguous:
            raise ValueError(f"{array.nbytes} bytes do not fit into an array of {out.nbytes}")
        if out.nbytes:
            self._copy("cuMemcpyDtoHAsync", out.ctypes.data, array.address, out.nbytes)
        self._stream.sync()

    def copy(self, start: OnDevice, to: OnDevice) -> None:
        """Copies an array within the device's memory, in the order of launches."""
        self._device.set_current()
        to.buffer.copy_from(start.buffer, stream=self._stream)

    def _copy(self, call: str, to: int, start: int, size: int) -> None:
        self._device.set_current()
        driver = import_module("cuda.bindings.driver")
        (error,) = getattr(driver, call)(to, start, size, int(self._stream.handle))
        if error != driver.CUresult.CUDA_SUCCESS:
            raise RuntimeError(f"{call} of {size} bytes: {error.name}")

    def launch(
        self, kernel: Any, grid: int | tuple[int, ...], *arguments: Any, block: int | None = None, shared: int = 0
    ) -> None:
        """Starts `grid` blocks of `block` threads. Numbers must be numpy scalars, for their width counts."""
        self._device.set_current()
        config = self._core.LaunchConfig(grid=grid, block=block or self.block, shmem_size=shared or None)
        given = [argument.buffer if isinstance(argument, OnDevice) else argument for argument in arguments]
        self._core.launch(self._stream, config, kernel, *given)

    def synchronize(self) -> None:
        """Waits until everything that was launched is done."""
        self._device.set_current()
        self._stream.sync()

    def wait_for_all(self) -> None:
        """Waits for all work on the device, that of other libraries in streams of their own among it."""
        self._device.set_current()
        self._device.sync()

    def seconds(self, work: Callable[[], object]) -> float:
        """How long the device was at some work, by its own events."""
        self._device.set_current()
        timed = self._core.EventOptions(timing_enabled=True)
        began = self._stream.record(options=timed)
        work()
        ended = self._stream.record(options=timed)
        ended.sync()
        return float(ended - began) / 1e3
