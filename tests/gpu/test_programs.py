"""Does NVRTC build every program, without a word of complaint? It needs no GPU, only the [gpu] extra."""

import os

import pytest

from renege.native.gpu import NoGpu, build
from renege.native.gpu.device import sources
from support.emulated import ENTRY, written_out

pytest.importorskip("cuda.core", reason="the [gpu] extra is not installed")

PROGRAMS = sorted(path.name for path in sources().glob("*.cu"))
# The second takes as long as the first and finds less: `make test-gpu` asks for it.
ARCHITECTURES = os.environ.get("RENEGE_ARCHITECTURES", "sm_90").split()


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_is_built(program: str, arch: str):
    code = build(program, arch, keep=False, strict=True)
    assert code.startswith(b"\x7fELF")
    entries = ENTRY.findall(written_out(program))
    assert entries
    for entry, _ in entries:
        assert entry.encode() in code


def test_what_is_built_is_kept(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """The second time nothing is compiled, and a program that has changed is compiled again."""
    from renege.native.gpu import device

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = build("worlds.cu", "sm_90")
    monkeypatch.setattr(device, "_compile", lambda *_, **__: pytest.fail("it was compiled again"))
    assert build("worlds.cu", "sm_90") == first
    monkeypatch.setattr(device, "_fingerprint", lambda: b"another header")
    with pytest.raises(pytest.fail.Exception, match="compiled again"):
        build("worlds.cu", "sm_90")


def test_a_machine_without_a_gpu_is_told_so(monkeypatch: pytest.MonkeyPatch):
    from renege.native.gpu import device

    monkeypatch.setattr(device, "_packages", lambda: (_NoDriver, None))
    with pytest.raises(NoGpu, match="no NVIDIA driver answers"):
        device.find_gpu.__wrapped__()
    monkeypatch.setattr(_NoDriver.Device, "count", 0)
    with pytest.raises(NoGpu, match="the driver knows of 0"):
        device.find_gpu.__wrapped__()


class _NoDriver:
    class Device:
        count: int | None = None

        @classmethod
        def get_all_devices(cls) -> list[object]:
            if cls.count is None:
                raise RuntimeError("libcuda.so.1 is not there")
            return [object()] * cls.count
