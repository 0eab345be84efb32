"""What the device can do at most, measured: bytes copied a second, and integer operations a second.

    python bench/gpu_ceilings.py

The other figures of the GPU are held against these. Operations are counted as issued for one thread: a multiply-add is
one. Two mixtures are timed, since multiply-adds and the other integer operations have units of their own.
"""

import statistics

import numpy as np

from renege.native.gpu import NoGpu, find_gpu
from renege.native.gpu.device import Gpu

# Eight chains that do not wait for each other, `rounds` times sixteen operations each. The result is stored, so nothing
# is left out.
SOURCE = """
extern "C" __global__ void logic(unsigned int* out, unsigned int rounds, unsigned int a, unsigned int b) {
    unsigned int x[8];
    for (int i = 0; i < 8; ++i) x[i] = threadIdx.x + i;
    for (unsigned int round = 0; round < rounds; ++round) {
        #pragma unroll
        for (int step = 0; step < 16; ++step) {
            #pragma unroll
            for (int i = 0; i < 8; ++i) x[i] = (x[i] ^ a) & (x[i] | b);
            const unsigned int c = a; a = b; b = c;
        }
    }
    unsigned int sum = 0;
    for (int i = 0; i < 8; ++i) sum ^= x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void mixed(unsigned int* out, unsigned int rounds, unsigned int a, unsigned int b) {
    unsigned int x[8];
    for (int i = 0; i < 8; ++i) x[i] = threadIdx.x + i;
    for (unsigned int round = 0; round < rounds; ++round) {
        #pragma unroll
        for (int step = 0; step < 8; ++step) {
            #pragma unroll
            for (int i = 0; i < 8; ++i) x[i] = x[i] * a + b;
            #pragma unroll
            for (int i = 0; i < 8; ++i) x[i] = (x[i] ^ a) & (x[i] | b);
        }
    }
    unsigned int sum = 0;
    for (int i = 0; i < 8; ++i) sum ^= x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""
ROUNDS, OPERATIONS = 4096, 8 * 16
BYTES = 4 << 30


def main() -> None:
    try:
        gpu = find_gpu()
    except NoGpu as missing:
        raise SystemExit(f"nothing to measure: {missing}") from None
    print(f"{gpu.name}, {gpu.multiprocessors} multiprocessors\n")
    for name, what in (("logic", "logic alone"), ("mixed", "logic and multiply-adds, half each")):
        print(f"{what}: {operations(gpu, name):.3g} integer operations a second")
    print(f"copies within its memory: {copied(gpu) / 1e12:.2f} TB a second, read and written")


def operations(gpu: Gpu, name: str) -> float:
    blocks = gpu.multiprocessors * 8
    kernel, out = gpu.kernel_of(SOURCE, name), gpu.empty(blocks * gpu.block, np.uint32)
    given = (np.uint32(ROUNDS), np.uint32(0x9E3779B9), np.uint32(0x7F4A7C15))
    seconds = [gpu.seconds(lambda: gpu.launch(kernel, blocks, out, *given)) for _ in range(6)][1:]
    return blocks * gpu.block * ROUNDS * OPERATIONS / statistics.median(seconds)


def copied(gpu: Gpu) -> float:
    one, other = gpu.empty(BYTES, np.uint8), gpu.empty(BYTES, np.uint8)
    seconds = [gpu.seconds(lambda: gpu.copy(one, other)) for _ in range(6)][1:]
    return 2 * BYTES / statistics.median(seconds)


if __name__ == "__main__":
    main()
