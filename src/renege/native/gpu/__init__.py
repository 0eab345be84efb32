"""The kernel on a GPU: the same headers, the same random numbers, the same answers bit for bit.

Needs the packages of `[gpu]` and an NVIDIA driver. What is there is found by `find_gpu`, which says what is missing
where it finds nothing.
"""

from renege.native.gpu.device import Gpu, NoGpu, NoGpuWarning, OnDevice, build, find_gpu

__all__ = ["Gpu", "NoGpu", "NoGpuWarning", "OnDevice", "build", "find_gpu"]
