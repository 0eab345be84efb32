// A network as processors with wide registers want it, and the functions that look through it on them. They come to the
// numbers of net::look bit by bit: sums of integers are taken in another order, sums of doubles in the same.
#pragma once

#include <renege/net/network.hpp>

namespace renege::net {

constexpr uint32_t PANEL = 16;         // outputs whose weights lie side by side
constexpr uint32_t MOST_TOGETHER = 16; // rows looked at together

// A panel has for every two inputs the weights of its outputs, two by two, which is how processors multiply them. Layers
// of blocks are kept in 8 bits: the fewer bytes, the sooner they are there. The last panel is filled up with noughts, and
// so are its scales and biases. The first layer lies as it was, and a panel more can be read after it.
struct Wide {
    Network net;
    const int8_t *up[MOST_BLOCKS], *down[MOST_BLOCKS];
    const int16_t* last;
};

struct WideScratch {
    static constexpr uint32_t PIECE = 1024;  // bytes of a row whose places are listed at a time
    alignas(64) float h[MOST_TOGETHER][MOST_HIDDEN];
    alignas(64) float inner[MOST_TOGETHER][MOST_HIDDEN];
    alignas(64) int16_t in[MOST_TOGETHER][MOST_HIDDEN];
    alignas(64) int32_t sum[MOST_HIDDEN];
    float step[MOST_TOGETHER];
    uint32_t place[PIECE + 2];  // where a row is not 0, and what is there
    int16_t value[PIECE + 2];
};

// At most MOST_TOGETHER rows.
using WideLook = void (*)(const Wide& wide, const uint8_t* rows, uint32_t count, WideScratch& at, float* out);

#if RENEGE_HAS_BMI2_PATH
void look_avx2(const Wide& wide, const uint8_t* rows, uint32_t count, WideScratch& at, float* out);
void look_avx512(const Wide& wide, const uint8_t* rows, uint32_t count, WideScratch& at, float* out);
#endif

}  // namespace renege::net
