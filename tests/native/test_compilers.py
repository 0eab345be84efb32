"""What the kernel does where a compiler lacks the builtins of gcc and clang, as MSVC does.

No such compiler is at hand, so those of gcc and clang are hidden from `portable.hpp`: what is left is plain C++.
"""

import ctypes
import random
import subprocess
from pathlib import Path

import pytest

from support.emulated import COMPILER
from support.steering import SOAK

HEADERS = Path(__file__).parents[2] / "kernel" / "include"
SOURCE = """
#include <stdint.h>

#include <atomic>
#undef __GNUC__
#undef __SIZEOF_INT128__
#include <renege/core/portable.hpp>

static_assert(RENEGE_HAS_BMI2_PATH == 0);
using namespace renege;

extern "C" {
uint32_t bits(uint32_t set) { return count_bits(set); }
uint32_t bits64(uint64_t set) { return count_bits64(set); }
uint32_t lowest(uint32_t set) { return lowest_bit(set); }
uint32_t lowest64(uint64_t set) { return lowest_bit64(set); }
uint32_t highest(uint32_t set) { return highest_bit(set); }
uint64_t high(uint64_t a, uint64_t b) { return multiply_high64(a, b); }
uint32_t nth(uint32_t set, uint32_t n) { return Portable::nth_bit(set, n); }
}
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if COMPILER is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.cpp").write_text(SOURCE)
    command = [COMPILER, "-std=c++20", "-O1", "-shared", "-fPIC", f"-I{HEADERS}", "-o", folder / "plain.so"]
    subprocess.run([*command, folder / "plain.cpp"], check=True)
    library = ctypes.CDLL(str(folder / "plain.so"))
    library.high.restype = ctypes.c_uint64
    return library


def test_bits_are_counted_and_found_without_builtins(plain: ctypes.CDLL):
    rng = random.Random(1)
    sets = [1, 1 << 31, 1 << 63, (1 << 32) - 1, (1 << 64) - 1, 1 << 32]
    sets += [rng.getrandbits(64) & rng.getrandbits(64) | 1 << rng.randrange(64) for _ in range(2000 * SOAK)]
    for wide in sets:
        assert plain.bits64(ctypes.c_uint64(wide)) == wide.bit_count()
        assert plain.lowest64(ctypes.c_uint64(wide)) == (wide & -wide).bit_length() - 1
        if narrow := wide & 0xFFFFFFFF:
            assert plain.bits(narrow) == narrow.bit_count()
            assert plain.lowest(narrow) == (narrow & -narrow).bit_length() - 1
            assert plain.highest(narrow) == narrow.bit_length() - 1
            places = [place for place in range(32) if narrow >> place & 1]
            n = rng.randrange(len(places))
            assert plain.nth(narrow, n) & 0xFFFFFFFF == 1 << places[n]


def test_the_upper_half_of_a_product_is_exact_without_wide_numbers(plain: ctypes.CDLL):
    rng = random.Random(2)
    edges = [0, 1, (1 << 32) - 1, 1 << 32, (1 << 63) + 1, (1 << 64) - 1]
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(rng.getrandbits(rng.randint(1, 64)), rng.getrandbits(64)) for _ in range(2000 * SOAK)]
    for a, b in pairs:
        assert plain.high(ctypes.c_uint64(a), ctypes.c_uint64(b)) == a * b >> 64
