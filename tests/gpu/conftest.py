"""The device that these tests work on: emulated, and the machine's own where it has one.

They need numpy and pytest, the package with its kernel and, for a device, what `[gpu]` names: no more, so that they run
where nothing can be installed.
"""

import pytest

from renege.native.gpu import NoGpu, find_gpu
from support.emulated import EmulatedGpu


@pytest.fixture(params=["emulated", pytest.param("device", marks=pytest.mark.gpu)])
def gpu(request: pytest.FixtureRequest):
    """Each test runs on both; on a device with larger batches."""
    if request.param == "emulated":
        return EmulatedGpu()
    try:
        return find_gpu()
    except NoGpu as missing:
        pytest.skip(str(missing))


@pytest.fixture
def many(gpu: object) -> int:
    """How many times more rows a device can take."""
    return 1 if isinstance(gpu, EmulatedGpu) else 200
