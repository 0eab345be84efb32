// Trained networks on a GPU: a thread looks at a few rows, with the same function as the CPU, so that the numbers are the
// same bit by bit. renege.native.gpu.net launches it.
#include <renege/net/network.hpp>

using namespace renege;

// The layers one after the other: all weights, and for each layer the scales and then the biases of its outputs.
__device__ net::Network network_of(uint32_t width, uint32_t hidden, uint32_t blocks, uint32_t actions,
                                   const int16_t* weights, const float* numbers) {
    net::Network found = {width, hidden, blocks, actions, {}, {}, {}, {}};
    const auto take = [&](uint32_t rows, uint32_t outputs) {
        const net::Layer layer = {weights, numbers, numbers + outputs};
        weights += rows * hidden;
        numbers += 2 * outputs;
        return layer;
    };
    found.first = take(width, hidden);
    for (uint32_t block = 0; block < blocks; ++block) {
        found.up[block] = take(hidden, hidden);
        found.down[block] = take(hidden, hidden);
    }
    found.last = take(actions, actions);
    return found;
}

extern "C" __global__ void logits(uint32_t width, uint32_t hidden, uint32_t blocks, uint32_t actions,
                                  const int16_t* weights, const float* numbers, const uint8_t* rows, uint64_t count,
                                  net::Scratch* scratch, float* out) {
    const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const uint64_t first = thread * net::TOGETHER;
    if (first >= count) return;
    const net::Network found = network_of(width, hidden, blocks, actions, weights, numbers);
    const uint64_t left = count - first;
    const uint32_t together = left < net::TOGETHER ? static_cast<uint32_t>(left) : net::TOGETHER;
    net::look(found, rows + first * width, together, scratch[thread], out + first * actions);
}
