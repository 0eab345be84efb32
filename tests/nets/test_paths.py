"""Does every way to look through a network come to the same bits, whatever the shape and however many the rows?"""

import random
from pathlib import Path

import numpy as np
import pytest

from reference.network import logits
from renege import _kernel
from renege.native.arrays import F32, U8
from renege.nets import NetFile
from renege.nets.file import Layer, net_paths
from support.random_nets import random_network, random_rows
from support.steering import SOAK

WIDE = [path for path in _kernel.net_paths() if path != "portable"]
HIDDEN = (16, 32, 48, 64, 112, 128, 240, 256, 272, 496, 512)
WIDTHS = (1, 2, 63, 64, 65, 130, 612, 741, 1024, 1025, 1036, 2100)
ACTIONS = (1, 7, 8, 9, 15, 16, 17, 31, 33, 67, 70, 77, 130)
COUNTS = (*range(1, 10), 12, 13, 15, 16, 17, 20, 21, 24, 25, 31, 32, 33, 50)


def looked(net: NetFile, rows: U8, path: str, threads: int = 1) -> F32:
    """The numbers by a path, written into an array that no number fits, with a margin that nobody may touch."""
    kernel = net._actor  # pyright: ignore[reportPrivateUsage]
    whole = np.full((len(rows) + 2, kernel.actions), np.nan, np.float32)
    kernel.logits(rows, whole[1:-1], path, threads)
    assert np.isnan(whole[0]).all() and np.isnan(whole[-1]).all(), "numbers of rows that are not there"
    return whole[1:-1]


def same_bits(found: F32, expected: F32) -> None:
    np.testing.assert_array_equal(found.view(np.uint32), expected.view(np.uint32))


def parts_of(net: NetFile) -> list[list[np.ndarray]]:
    return [[getattr(layer, part) for layer in net.layers] for part in ("weights", "scale", "bias")]


@pytest.mark.parametrize("path", WIDE)
@pytest.mark.parametrize("seed", range(20 * SOAK))
def test_a_path_has_the_bits_of_the_portable_one(path: str, seed: int):
    rng = random.Random(seed)
    shape = rng.choice(WIDTHS), rng.choice(HIDDEN), rng.randrange(5), rng.choice(ACTIONS)
    net = random_network(*shape, seed=seed, size=rng.choice((1e-4, 0.3, 1.0, 40.0)))
    for count in (1, 2, 3, *rng.sample(COUNTS, 4)):
        rows = random_rows(count, shape[0], seed=seed + count)
        same_bits(looked(net, rows, path), looked(net, rows, "portable"))


@pytest.mark.parametrize("path", _kernel.net_paths())
@pytest.mark.parametrize("hidden", [16, 48, 80, 144, 272])
def test_a_path_has_the_bits_of_the_reference(path: str, hidden: int):
    net, rows = random_network(130, hidden, 2, 35, seed=hidden), random_rows(22, 130, seed=hidden)
    expected = np.array([logits(row, *parts_of(net)) for row in rows])
    same_bits(looked(net, rows, path), expected)
    same_bits(looked(net, rows, path, threads=3), expected)


@pytest.mark.parametrize("path", WIDE)
def test_any_number_of_rows_is_each_row_by_itself(path: str):
    """The rows that are taken together, and those that are left over, do not see each other."""
    net, rows = random_network(77, 48, 1, 19), random_rows(70, 77)
    alone = np.concatenate([looked(net, rows[i : i + 1], "portable") for i in range(len(rows))])
    for count in range(len(rows) + 1):
        same_bits(looked(net, rows[:count], path), alone[:count])


def extreme(width: int, hidden: int, actions: int, sign: int) -> NetFile:
    """The largest weights that layers can have, all of one sign but for a few."""
    rng = np.random.default_rng(hidden)

    def layer(shape: tuple[int, int], outputs: int, most: int, least: int) -> Layer:
        whole = np.where(rng.random(shape) < 0.95, most, least) if sign > 0 else np.full(shape, least)
        whole[rng.random(shape) < 0.1] = 0
        scale, bias = np.full(outputs, 2e-7, np.float32), rng.normal(size=outputs).astype(np.float32)
        return Layer(whole.astype(np.int16), scale, bias)

    layers = [layer((width, hidden), hidden, 32767, -32768)]
    layers += [layer((hidden, hidden), hidden, 127, -128) for _ in range(4)]
    return NetFile({}, (*layers, layer((actions, hidden), actions, 2047, -2047)))


@pytest.mark.parametrize("path", _kernel.net_paths())
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("width", "hidden"), [(200, 512), (200, 496), (1036, 48)])
def test_the_largest_weights_and_rows(path: str, sign: int, width: int, hidden: int):
    """All bytes 255, all 0, one at each end. Sums of the widest rows go beyond 32 bits, and wrap."""
    net = extreme(width, hidden, 21, sign)
    rows = np.zeros((19, width), np.uint8)
    rows[::3] = 255
    rows[1, 0] = rows[2, -1] = rows[4, width // 2] = 255
    expected = looked(net, rows, "portable")
    assert np.isfinite(expected).all() and len(np.unique(expected[:5], axis=0)) == 4
    same_bits(looked(net, rows, path), expected)
    if width == 200:  # 200 * 255 * 32768 < 2^31, and the reference takes no sum that wraps
        same_bits(expected[:5], np.array([logits(row, *parts_of(net)) for row in rows[:5]]))


@pytest.mark.parametrize("path", WIDE)
def test_nothing_above_nought(path: str):
    """A relu that lets nothing through has no largest number to count its steps by."""
    net = random_network(40, 48, 2, 9)
    for at in (1, 3):
        net.layers[at].bias[:] = -1e6
    rows = random_rows(11, 40)
    same_bits(looked(net, rows, path), looked(net, rows, "portable"))


def test_the_paths_are_those_of_the_processor(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("RENEGE_PORTABLE", raising=False)
    told, paths = Path("/proc/cpuinfo"), net_paths()
    assert paths == _kernel.net_paths() and paths[-1] == "portable"
    flags = set(told.read_text().split()) if told.exists() else set[str]()
    if flags:
        assert ("avx2" in paths) == ("avx2" in flags)
        assert ("avx512" in paths) == ({"avx512f", "avx512bw", "avx512vl", "avx512_vnni"} <= flags)
    monkeypatch.setenv("RENEGE_PORTABLE", "1")
    assert net_paths() == ["portable"]


def test_a_path_is_chosen_by_name():
    net, rows = random_network(40, 32, 1, 9), random_rows(5, 40)
    for path in net_paths():
        same_bits(net.logits(rows, path=path), net.logits(rows))
    with pytest.raises(ValueError, match=r"this processor has no path 'neon'; it has .*portable$"):
        net.logits(rows, path="neon")  # pyright: ignore[reportArgumentType]
