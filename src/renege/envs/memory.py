"""Where the arrays of an environment lie: in the host's memory, as numpy arrays, or on a GPU."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from renege.games.rows import KernelTables
from renege.native.gpu.device import Gpu, find_gpu
from renege.native.gpu.envs import EnvTables, in_order

ALIGNED = 16  # bytes that a GPU copies at once


class _Memory:
    """What both kinds share."""

    def on_host(self, array: Any) -> NDArray[Any]:
        """An array of the caller's as numpy has it."""
        return np.asarray(array)

    def given_on_host(self, name: str, array: Any, dtype: type[np.generic]) -> NDArray[Any]:
        """The same, which must be of this type."""
        found = self.on_host(array)
        if found.dtype != dtype:
            raise ValueError(f"{name} must be {np.dtype(dtype).name}, not {found.dtype.name}")
        return found


class HostMemory(_Memory):
    """Numpy arrays."""

    def owned(self, name: str, array: Any, dtype: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
        """The caller's array, which must be what is written to, or one of our own."""
        if array is None:
            return np.zeros(shape, dtype)
        check_array(name, array, dtype, shape)
        if not (array.flags.c_contiguous and array.flags.aligned and array.flags.writeable):
            raise ValueError(f"{name} must be contiguous, aligned and writable")
        return array

    def given(self, name: str, array: Any, dtype: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
        """An array of the caller's that is read."""
        array = np.asarray(array)
        check_array(name, array, dtype, shape)
        return np.ascontiguousarray(array)

    def clear(self, *arrays: NDArray[Any]) -> None:
        """Makes them all noughts."""
        for array in arrays:
            array[:] = 0


class DeviceMemory(_Memory):
    """Arrays on a GPU, `OnDevice`. `waits` says whether others work there in streams that we do not know of."""

    def __init__(self, gpu: Gpu, *, waits: bool) -> None:
        self.gpu, self.waits = gpu, waits

    def tables(self, tables: KernelTables, lanes: int) -> EnvTables:
        """So many tables there."""
        return EnvTables(self.gpu, tables.kind, tables.setting, lanes, waits=self.waits)

    def owned(self, name: str, array: Any, dtype: type[np.generic], shape: tuple[int, ...]) -> Any:
        """As `HostMemory.owned`; the caller's array must lie on this GPU."""
        if array is None:
            return self.gpu.zeros(shape, dtype)
        if isinstance(array, np.ndarray):
            raise ValueError(f"{name} must lie on the GPU")
        there = self.given(name, array, dtype, shape)
        if there.address % ALIGNED:
            raise ValueError(f"{name} must begin at a multiple of {ALIGNED} bytes")
        return there

    def given(self, name: str, array: Any, dtype: type[np.generic], shape: tuple[int, ...]) -> Any:
        """As `HostMemory.given`; an array of the host is copied."""
        there = self.gpu.put(array if hasattr(array, "__dlpack_device__") else self.on_host(array))
        check_array(name, there, dtype, shape)
        return there

    def on_host(self, array: Any) -> NDArray[Any]:
        """The same, a copy where it lies on the device."""
        if hasattr(array, "__dlpack_device__") and not isinstance(array, np.ndarray):
            with in_order(self.gpu, self.waits):
                return self.gpu.put(array).numpy()
        return np.asarray(cast(Any, array))

    def clear(self, *arrays: Any) -> None:
        """As `HostMemory.clear`."""
        with in_order(self.gpu, self.waits):
            for array in arrays:
                self.gpu.fill(array, 0)


def find_memory(device: str | Gpu, stream: Any) -> HostMemory | DeviceMemory:
    """The memory of a device: `"cpu"`, `"gpu"` or one that was found, which then works in the given stream."""
    if device == "cpu":
        if stream is not None:
            raise ValueError("a stream is a GPU's: device is 'cpu'")
        return HostMemory()
    if isinstance(device, str) and device != "gpu":
        raise ValueError(f"device is {device!r}; it may be 'cpu' or 'gpu'")
    gpu = find_gpu() if isinstance(device, str) else device
    return DeviceMemory(gpu if stream is None else gpu.on(stream), waits=stream is None)


def check_array(name: str, array: Any, dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    """`ValueError` if it is another than is wanted."""
    if array.dtype != dtype or array.shape != shape:
        wanted = f"{np.dtype(dtype).name}{list(shape)}"
        raise ValueError(f"{name} must be {wanted}, not {array.dtype.name}{list(array.shape)}")
