"""Engines of a search by the name of their device, `cpu` or `gpu`."""

import warnings
from functools import cache

from renege.native.engine import CPU, Engine
from renege.native.gpu.device import Gpu, NoGpu, NoGpuWarning, find_gpu
from renege.search.gpu_engine import GpuEngine

DEVICES = ("cpu", "gpu")


@cache
def gpu_or_none() -> Gpu | None:
    """The GPU; where there is none, None and one warning that says why."""
    try:
        return find_gpu()
    except NoGpu as missing:
        warnings.warn(f"{missing}; the CPU does the work", NoGpuWarning, stacklevel=3)
        return None


@cache
def engine_named(device: str) -> Engine:
    """The engine of `cpu` or `gpu`. Where no GPU is found the CPU does the work, and one warning says why."""
    if device not in DEVICES:
        raise ValueError(f"{device!r} is no device: {' or '.join(DEVICES)}")
    if device == "cpu":
        return CPU
    gpu = gpu_or_none()
    return CPU if gpu is None else GpuEngine(gpu)
