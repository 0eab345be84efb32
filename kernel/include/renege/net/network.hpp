// A trained network: from the row that a seat sees to a number for each action.
//
// Whatever runs this must come to the same numbers, bit by bit: a CPU with or without wide registers, a GPU, WebAssembly.
// So sums are of integers, where the order does not matter, or of doubles in an order that is laid down here; every other
// step is one operation of IEEE 754 rounded to nearest, and nothing is fused (the compilers are told so).
//
//   h = first(row)                                        rows are bytes, weights 16 bits
//   h += down(relu(up(normal(h))))    for each block      weights 8 bits
//   out = last(normal(h))                                 weights 12 bits
//
// `normal` takes off the mean and divides by the deviation; how much each place then counts is in the next weights. A
// layer is a sum of integers, times the scale of its output, plus a bias. What goes into a layer is rounded to 16 bits: of a
// normal vector of n places none is beyond the root of n, so that its scale is fixed; after a relu it is the largest.
// Sums of trained weights stay within 32 bits; those that would not wrap, here as in registers, so that any order is right.
#pragma once

#include <renege/core/portable.hpp>

namespace renege::net {

constexpr uint32_t MOST_HIDDEN = 512, MOST_BLOCKS = 8, TOGETHER = 8;  // rows looked at together, so that weights stay near
constexpr float NORMAL = 1024.0f;   // 1024 * sqrt(512) < 32767
constexpr float LARGEST = 30000.0f; // 30000 * sqrt(512) * 127 * sqrt(512) < 2^31
constexpr double LEAST = 1e-5;      // added to a variance

// Weights by output, then by input; the first layer's by input, since most bytes of a row are 0.
struct Layer {
    const int16_t* weights;
    const float *scale, *bias;
};

struct Network {
    uint32_t width, hidden, blocks, actions;
    Layer first, up[MOST_BLOCKS], down[MOST_BLOCKS], last;
};

struct Scratch {
    float h[TOGETHER][MOST_HIDDEN], inner[TOGETHER][MOST_HIDDEN];
    alignas(64) int16_t in[TOGETHER][MOST_HIDDEN];
    alignas(64) int32_t sum[MOST_HIDDEN];
    float scale[TOGETHER];  // the sizes of the steps of `in`
};
static_assert(sizeof(Scratch) == TOGETHER * MOST_HIDDEN * 10 + 4 * MOST_HIDDEN + 64, "Python makes room for it");

// To the nearest whole number, a half to the even one, of what fits into 16 bits: beyond 2^23 floats are whole. Many
// processors have no instruction for it, and a call of the library would stand in the way of everything else.
RENEGE_FN float nearest(float x) {
#ifdef __CUDA_ARCH__
    return rintf(x);
#else
    constexpr float WHOLE = 12582912.0f;  // 1.5 * 2^23
    return (x + WHOLE) - WHOLE;
#endif
}

RENEGE_FN double root(double x) {
#ifdef __CUDA_ARCH__
    return sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}

// Every fourth number by itself, then the four: so a processor can add four at once.
RENEGE_FN double sum_of(const float* x, uint32_t n, double off, bool squared) {
    double four[4] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < n; i += 4) {
        for (uint32_t k = 0; k < 4; ++k) {
            const double d = static_cast<double>(x[i + k]) - off;
            four[k] += squared ? d * d : d;
        }
    }
    return (four[0] + four[1]) + (four[2] + four[3]);
}

RENEGE_FN void normal(const float* h, uint32_t n, int16_t* in) {
    const double mean = sum_of(h, n, 0.0, false) / n;
    const double rate = 1.0 / root(sum_of(h, n, mean, true) / n + LEAST);
    for (uint32_t i = 0; i < n; ++i) {
        const float x = static_cast<float>((static_cast<double>(h[i]) - mean) * rate);
        in[i] = static_cast<int16_t>(nearest(x * NORMAL));
    }
}

// What is above nought, in steps of which the largest has LARGEST; the size of a step.
RENEGE_FN float above_nought(const float* x, uint32_t n, int16_t* in) {
    float most = 0.0f;
    for (uint32_t i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;
    if (!(most > 0.0f)) {
        for (uint32_t i = 0; i < n; ++i) in[i] = 0;
        return 0.0f;
    }
    const float steps = LARGEST / most;
    for (uint32_t i = 0; i < n; ++i) in[i] = x[i] > 0.0f ? static_cast<int16_t>(nearest(x[i] * steps)) : int16_t{0};
    return most / LARGEST;
}

RENEGE_FN int32_t dot(const int16_t* a, const int16_t* b, uint32_t n) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += static_cast<uint32_t>(int32_t{a[i]} * int32_t{b[i]});
    return static_cast<int32_t>(sum);
}

RENEGE_FN void first(const Network& net, const uint8_t* row, int32_t* sum, float* h) {
    for (uint32_t o = 0; o < net.hidden; ++o) sum[o] = 0;
    for (uint32_t j = 0; j < net.width; ++j) {
        if (!row[j]) continue;
        const int32_t x = row[j];
        const int16_t* weights = net.first.weights + j * net.hidden;
        for (uint32_t o = 0; o < net.hidden; ++o) {
            sum[o] = static_cast<int32_t>(static_cast<uint32_t>(sum[o]) + static_cast<uint32_t>(x * weights[o]));
        }
    }
    for (uint32_t o = 0; o < net.hidden; ++o) h[o] = static_cast<float>(sum[o]) * net.first.scale[o] + net.first.bias[o];
}

// Four outputs, whose weights follow each other: what goes in is read once for all of them.
RENEGE_FN void four_dots(const int16_t* in, const int16_t* weights, uint32_t n, int32_t* sum) {
    const int16_t *one = weights + n, *two = one + n, *three = two + n;
    uint32_t sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    for (uint32_t i = 0; i < n; ++i) {
        const int32_t x = in[i];
        sum0 += static_cast<uint32_t>(x * int32_t{weights[i]});
        sum1 += static_cast<uint32_t>(x * int32_t{one[i]});
        sum2 += static_cast<uint32_t>(x * int32_t{two[i]});
        sum3 += static_cast<uint32_t>(x * int32_t{three[i]});
    }
    sum[0] = static_cast<int32_t>(sum0);
    sum[1] = static_cast<int32_t>(sum1);
    sum[2] = static_cast<int32_t>(sum2);
    sum[3] = static_cast<int32_t>(sum3);
}

// A layer of rows whose inputs and the sizes of their steps are in `at`; `out` has a row every `stride`, which is
// written or added to.
RENEGE_FN void apply(const Layer& layer, uint32_t outputs, uint32_t n, const Scratch& at, uint32_t rows, float* out,
                     uint32_t stride, bool add) {
    for (uint32_t o = 0; o < outputs; o += 4) {
        const uint32_t some = outputs - o < 4 ? outputs - o : 4;
        for (uint32_t r = 0; r < rows; ++r) {
            int32_t sum[4];
            if (some == 4) {
                four_dots(at.in[r], layer.weights + o * n, n, sum);
            } else {
                for (uint32_t k = 0; k < some; ++k) sum[k] = dot(at.in[r], layer.weights + (o + k) * n, n);
            }
            float* to = out + r * stride + o;
            for (uint32_t k = 0; k < some; ++k) {
                const float found = static_cast<float>(sum[k]) * (layer.scale[o + k] * at.scale[r]) + layer.bias[o + k];
                to[k] = add ? to[k] + found : found;
            }
        }
    }
}

RENEGE_FN void normal_rows(Scratch& at, uint32_t n, uint32_t rows) {
    for (uint32_t r = 0; r < rows; ++r) {
        normal(at.h[r], n, at.in[r]);
        at.scale[r] = 1.0f / NORMAL;
    }
}

// At most TOGETHER rows.
RENEGE_FN void look(const Network& net, const uint8_t* rows, uint32_t count, Scratch& at, float* out) {
    const uint32_t n = net.hidden;
    for (uint32_t r = 0; r < count; ++r) first(net, rows + r * net.width, at.sum, at.h[r]);
    for (uint32_t b = 0; b < net.blocks; ++b) {
        normal_rows(at, n, count);
        apply(net.up[b], n, n, at, count, at.inner[0], MOST_HIDDEN, false);
        for (uint32_t r = 0; r < count; ++r) at.scale[r] = above_nought(at.inner[r], n, at.in[r]);
        apply(net.down[b], n, n, at, count, at.h[0], MOST_HIDDEN, true);
    }
    normal_rows(at, n, count);
    apply(net.last, net.actions, n, at, count, out, net.actions, false);
}

}  // namespace renege::net
