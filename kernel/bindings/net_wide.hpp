// Looking through a network with registers of some width. net_avx2.cpp and net_avx512.cpp each include this once, after a
// `Lanes` that says what their registers can do and a WIDE_FN that lets the compiler use them: attributes cannot be
// template parameters, and a function without them may not call their instructions.
//
// What is in these functions stands in network.hpp, step by step; here several outputs and rows are taken at a time.

// Of loops whose ends are constants: what they fill is registers, not memory.
#ifdef __clang__
#define RENEGE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define RENEGE_UNROLL _Pragma("GCC unroll 16")
#endif

namespace renege::net {
namespace {

using Word = Lanes::Word;    // SIZE sums of 32 bits, or twice as many weights of 16
using Float = Lanes::Float;  // SIZE floats
constexpr uint32_t SIZE = Lanes::SIZE, PARTS = PANEL / SIZE;

// What a layer makes, and of what: rows `count` of `in`, whose steps have these sizes.
struct Task {
    uint32_t inputs, outputs, count;
    const float *scale, *bias;
    const int16_t (*in)[MOST_HIDDEN];
    const float* step;
    float* out;
    size_t stride;  // from a row of `out` to the next
    bool add;       // to what is there
};

template <uint32_t ROWS, uint32_t PANELS>
WIDE_FN void finish(const Task& task, uint32_t row, uint32_t panel, const Word (&sum)[ROWS][PANELS * PARTS]) {
    RENEGE_UNROLL for (uint32_t p = 0; p < PANELS * PARTS; ++p) {
        const uint32_t o = panel * PANEL + p * SIZE;
        if (o >= task.outputs) return;
        const Float scale = Lanes::load(task.scale + o), bias = Lanes::load(task.bias + o);
        RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) {
            if (row + r >= task.count) break;
            const Float factor = Lanes::multiply(scale, Lanes::all(task.step[row + r]));
            Float found = Lanes::add(Lanes::multiply(Lanes::to_float(sum[r][p]), factor), bias);
            float* out = task.out + (row + r) * task.stride + o;
            if (task.add) found = Lanes::add(Lanes::load(out), found);
            Lanes::store(out, found, task.outputs - o);
        }
    }
}

// So many rows and panels at once that every sum stays in its register and what is loaded is used several times.
template <uint32_t ROWS, uint32_t PANELS, class Weight>
WIDE_FN void some_of(const Task& task, const Weight* weights, uint32_t row, uint32_t panel) {
    const uint32_t n = task.inputs;
    const Weight* here = weights + size_t{panel} * PANEL * n;
    Word sum[ROWS][PANELS * PARTS];
    RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) {
        RENEGE_UNROLL for (uint32_t p = 0; p < PANELS * PARTS; ++p) sum[r][p] = Lanes::nought();
    }
    const int16_t* in = task.in[row];
    for (uint32_t k = 0; k < n; k += 2) {
        Word weight[PANELS * PARTS];
        RENEGE_UNROLL for (uint32_t p = 0; p < PANELS * PARTS; ++p) {
            weight[p] = Lanes::weights(here + (p / PARTS) * PANEL * n + (p % PARTS) * 2 * SIZE + k * PANEL);
        }
        RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) {
            const Word pair = Lanes::pair(in + r * MOST_HIDDEN + k);
            RENEGE_UNROLL for (uint32_t p = 0; p < PANELS * PARTS; ++p) {
                sum[r][p] = Lanes::add_products(sum[r][p], weight[p], pair);
            }
        }
    }
    finish<ROWS, PANELS>(task, row, panel, sum);
}

// All panels of some rows; the panels that are left over by halves.
template <uint32_t ROWS, uint32_t PANELS, class Weight>
WIDE_FN void panels_of(const Task& task, const Weight* weights, uint32_t row, uint32_t panel) {
    const uint32_t panels = (task.outputs + PANEL - 1) / PANEL;
    for (; panel + PANELS <= panels; panel += PANELS) some_of<ROWS, PANELS>(task, weights, row, panel);
    if constexpr (PANELS > 1) panels_of<ROWS, PANELS / 2>(task, weights, row, panel);
}

// Many rows: the weights of a few panels stay near while all rows pass by. Rows beyond the last are there, and nought.
template <uint32_t PANELS, class Weight>
WIDE_FN void passing(const Task& task, const Weight* weights, uint32_t panel) {
    constexpr uint32_t ROWS = Lanes::ROWS;
    const uint32_t panels = (task.outputs + PANEL - 1) / PANEL;
    for (; panel + PANELS <= panels; panel += PANELS) {
        uint32_t row = 0;
        for (; row + ROWS / 2 < task.count; row += ROWS) some_of<ROWS, PANELS>(task, weights, row, panel);
        if (row < task.count) some_of<ROWS / 2, PANELS>(task, weights, row, panel);
    }
    if constexpr (PANELS > 1) passing<PANELS / 2>(task, weights, panel);
}

template <class Weight>
WIDE_CALLED void layer(const Task& task, const Weight* weights) {
    if (task.count == 1) return panels_of<1, Lanes::PANELS_OF_1>(task, weights, 0, 0);
    if (task.count == 2) return panels_of<2, Lanes::PANELS_OF_2>(task, weights, 0, 0);
    if (task.count <= 4) return panels_of<4, Lanes::PANELS_OF_4>(task, weights, 0, 0);
    passing<Lanes::PANELS>(task, weights, 0);
}

// The sums of network.hpp's sum_of, of several rows at once: a processor waits for one sum, and meanwhile adds the others.
template <uint32_t ROWS>
WIDE_FN void normal_of(const float (*h)[MOST_HIDDEN], uint32_t n, int16_t (*in)[MOST_HIDDEN]) {
    using Four = Lanes::Four;
    Four sum[ROWS], square[ROWS], mean[ROWS];
    RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) sum[r] = square[r] = Lanes::four(0.0);
    for (uint32_t i = 0; i < n; i += 4) {
        RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) sum[r] = Lanes::add(sum[r], Lanes::four(h[r] + i));
    }
    RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) mean[r] = Lanes::four(Lanes::across(sum[r]) / n);
    for (uint32_t i = 0; i < n; i += 4) {
        RENEGE_UNROLL for (uint32_t r = 0; r < ROWS; ++r) {
            const Four off = Lanes::subtract(Lanes::four(h[r] + i), mean[r]);
            square[r] = Lanes::add(square[r], Lanes::multiply(off, off));
        }
    }
    for (uint32_t r = 0; r < ROWS; ++r) {
        const double rate = 1.0 / root(Lanes::across(square[r]) / n + LEAST);
        for (uint32_t i = 0; i < n; i += SIZE) {
            const Float x = Lanes::shifted(h[r] + i, Lanes::across(sum[r]) / n, rate);
            Lanes::store_rounded(in[r] + i, Lanes::multiply(x, Lanes::all(NORMAL)));
        }
    }
}

WIDE_CALLED void normals(WideScratch& at, uint32_t n, uint32_t count) {
    uint32_t row = 0;
    for (; row + 4 <= count; row += 4) normal_of<4>(at.h + row, n, at.in + row);
    for (; row + 2 <= count; row += 2) normal_of<2>(at.h + row, n, at.in + row);
    for (; row < count; ++row) normal_of<1>(at.h + row, n, at.in + row);
}

WIDE_CALLED float above_nought_of(const float* x, uint32_t n, int16_t* in) {
    Float most = Lanes::all(0.0f);
    for (uint32_t i = 0; i < n; i += SIZE) most = Lanes::larger(Lanes::load(x + i), most);
    alignas(64) float each[SIZE];
    Lanes::store(each, most, SIZE);
    float largest = 0.0f;
    for (uint32_t i = 0; i < SIZE; ++i) largest = each[i] > largest ? each[i] : largest;
    if (!(largest > 0.0f)) {
        for (uint32_t i = 0; i < n; ++i) in[i] = 0;
        return 0.0f;
    }
    const Float steps = Lanes::all(LARGEST / largest);
    for (uint32_t i = 0; i < n; i += SIZE) {
        const Float above = Lanes::larger(Lanes::load(x + i), Lanes::all(0.0f));
        Lanes::store_rounded(in + i, Lanes::multiply(above, steps));
    }
    return largest / LARGEST;
}

// Where the row is not 0: how many places, made even by one that counts nothing.
WIDE_FN uint32_t places(const uint8_t* row, uint32_t from, uint32_t to, WideScratch& at) {
    uint32_t found = 0, j = from;
    for (; j + 64 <= to; j += 64) {
        for (uint64_t left = Lanes::not_nought(row + j); left; left &= left - 1) {
            const uint32_t place = j + lowest_bit64(left);
            at.place[found] = place;
            at.value[found++] = row[place];
        }
    }
    for (; j < to; ++j) {
        at.place[found] = j;
        at.value[found] = row[j];
        found += row[j] != 0;
    }
    at.place[found] = from;
    at.value[found] = 0;
    return found + found % 2;
}

// Adds what two places of a row at a time bring to the outputs of some registers.
template <uint32_t GROUPS>
WIDE_FN void gather(const Network& net, uint32_t o, uint32_t places, WideScratch& at) {
    Word sum[GROUPS][2];
    RENEGE_UNROLL for (uint32_t g = 0; g < GROUPS; ++g) sum[g][0] = sum[g][1] = Lanes::nought();
    const int16_t* weights = net.first.weights + o;
    for (uint32_t i = 0; i < places; i += 2) {
        const int16_t *one = weights + size_t{at.place[i]} * net.hidden, *two = weights + size_t{at.place[i + 1]} * net.hidden;
        const Word pair = Lanes::pair(at.value + i);
        RENEGE_UNROLL for (uint32_t g = 0; g < GROUPS; ++g) {
            const Word a = Lanes::weights(one + g * 2 * SIZE), b = Lanes::weights(two + g * 2 * SIZE);
            sum[g][0] = Lanes::add_products(sum[g][0], Lanes::low_pairs(a, b), pair);
            sum[g][1] = Lanes::add_products(sum[g][1], Lanes::high_pairs(a, b), pair);
        }
    }
    RENEGE_UNROLL for (uint32_t g = 0; g < GROUPS; ++g) Lanes::add_in_order(at.sum + o + g * 2 * SIZE, sum[g][0], sum[g][1]);
}

WIDE_CALLED void first_of(const Network& net, const uint8_t* row, WideScratch& at, float* h) {
    for (uint32_t o = 0; o < MOST_HIDDEN; ++o) at.sum[o] = 0;
    for (uint32_t from = 0; from < net.width; from += WideScratch::PIECE) {
        const uint32_t to = net.width - from < WideScratch::PIECE ? net.width : from + WideScratch::PIECE;
        const uint32_t found = places(row, from, to, at);
        uint32_t o = 0;
        constexpr uint32_t MANY = Lanes::GROUPS * 2 * SIZE;
        for (; o + MANY <= net.hidden; o += MANY) gather<Lanes::GROUPS>(net, o, found, at);
        for (; o < net.hidden; o += 2 * SIZE) gather<1>(net, o, found, at);
    }
    for (uint32_t o = 0; o < net.hidden; o += SIZE) {
        const Float sum = Lanes::to_float(Lanes::load(at.sum + o));
        const Float found = Lanes::add(Lanes::multiply(sum, Lanes::load(net.first.scale + o)), Lanes::load(net.first.bias + o));
        Lanes::store(h + o, found, SIZE);
    }
}

WIDE_FN void look_wide(const Wide& wide, const uint8_t* rows, uint32_t count, WideScratch& at, float* out) {
    const Network& net = wide.net;
    const uint32_t n = net.hidden;
    for (uint32_t r = 0; r < count; ++r) first_of(net, rows + size_t{r} * net.width, at, at.h[r]);
    for (uint32_t r = count; r % Lanes::ROWS; ++r) {
        for (uint32_t i = 0; i < n; ++i) at.in[r][i] = 0;
    }
    float even[MOST_TOGETHER];
    for (float& step : even) step = 1.0f / NORMAL;
    for (uint32_t b = 0; b < net.blocks; ++b) {
        normals(at, n, count);
        layer({n, n, count, net.up[b].scale, net.up[b].bias, at.in, even, at.inner[0], MOST_HIDDEN, false}, wide.up[b]);
        for (uint32_t r = 0; r < count; ++r) at.step[r] = above_nought_of(at.inner[r], n, at.in[r]);
        layer({n, n, count, net.down[b].scale, net.down[b].bias, at.in, at.step, at.h[0], MOST_HIDDEN, true}, wide.down[b]);
    }
    normals(at, n, count);
    layer({n, net.actions, count, net.last.scale, net.last.bias, at.in, even, out, net.actions, false}, wide.last);
}

}  // namespace
}  // namespace renege::net
