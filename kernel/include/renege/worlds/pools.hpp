// The deals of many hidden hands. Hands of which nothing is known at a kind are one pile there, split up elsewhere:
//
//   future pile | hands that stand apart | closed pile
//
// Kinds are dealt in such an order that each hand stands apart for a short stretch, from the first kind to the last that
// something is known of it. Before that its cards lie in the future pile: when it *opens*, any part of that pile is as
// likely to be its own, a binomial coefficient. After it, it *closes*: of the cards that the closed pile will still
// get, any part of the size that it needs is as likely. The chain of kinds is walked from both ends to the middle, where
// numbers of states are largest; seen from the other end openings are closings and the future pile is the closed one.
// A side's states are numbers of cards that its piles got so far, with the ways to get there.
//
// Memory is the caller's (kernel/bindings/worlds_pools.hpp).
#pragma once

#include <renege/core/number.hpp>

namespace renege::worlds {

constexpr uint32_t MAX_PILES = 10;
constexpr uint32_t POOL_COPIES = 6;
constexpr uint32_t NO_PILE = 255;

// One way to split the copies of a kind among the piles.
struct PoolOption {
    uint64_t taken;            // what it adds to a key
    uint64_t ways;             // labelled deals that look like it, by weight
    double worth;              // the same times the weights of the hands
    uint8_t gives[MAX_PILES];  // copies by pile
};

enum class Stage : uint8_t { DEAL, OPEN, CLOSE };

// What leads from the states of a side to its next ones. Edges are kept by the state that they lead to: the state that
// they come from and the option. One that opens or closes a hand has `part` of `top` cards for the hand.
struct PoolLayer {
    Stage stage;
    uint8_t hand;            // which opens or closes
    uint8_t future, closed;  // numbers of these piles, or NO_PILE
    uint32_t place, option_bits, sources, targets;
    const PoolOption* options;
    const uint32_t* begin;   // [targets + 1]
    const uint32_t* edges;   // source << option_bits | option
    const uint16_t* tops;    // [edges] where a hand opens or closes
    const uint16_t* parts;
};

RENEGE_FN constexpr uint32_t source_of(const PoolLayer& layer, uint32_t edge) {
    return layer.edges[edge] >> layer.option_bits;
}

RENEGE_FN constexpr const PoolOption& option_at(const PoolLayer& layer, uint32_t edge) {
    return layer.options[layer.edges[edge] & ((1u << layer.option_bits) - 1)];
}

// a * b, which fits
template <uint32_t LIMBS>
RENEGE_FN Number<LIMBS> product(const Number<LIMBS>& a, const Number<LIMBS>& b) {
    Number<LIMBS> found{};
    for (uint32_t i = 0; i < LIMBS; ++i) {
        if (!b.limb[i]) continue;
        uint64_t carry = 0;
        for (uint32_t j = 0; i + j < LIMBS; ++j) {
            const uint64_t low = a.limb[j] * b.limb[i], limb = found.limb[i + j] + carry, rest = limb + low;
            carry = multiply_high64(a.limb[j], b.limb[i]) + (limb < carry) + (rest < low);
            found.limb[i + j] = rest;
        }
    }
    return found;
}

// Uniform below a bound that may be much smaller than its limbs could hold.
template <uint32_t LIMBS>
RENEGE_FN Number<LIMBS> draw_any_below(Stream& stream, const Number<LIMBS>& bound) {
    uint32_t high = LIMBS - 1;
    while (high && !bound.limb[high]) --high;
    uint64_t top = bound.limb[high];
    for (uint32_t shift = 1; shift < 64; shift *= 2) top |= top >> shift;
    Number<LIMBS> drawn{};
    do {
        for (uint32_t i = 0; i <= high; ++i) drawn.limb[i] = stream.next();
        drawn.limb[high] &= top;
    } while (!less(drawn, bound));
    return drawn;
}

RENEGE_FN uint32_t draw_index(Stream& stream, uint32_t bound) {
    return static_cast<uint32_t>(draw_below(stream, Number<1>{{bound}}).limb[0]);
}

// C(top, part) for all that are asked, [top * (top + 1) / 2 + part].
RENEGE_FN constexpr uint32_t triangle(uint32_t top, uint32_t part) { return top * (top + 1) / 2 + part; }

template <uint32_t LIMBS>
RENEGE_FN void count_pool_layer(const PoolLayer& layer, const Number<LIMBS>* binomials, const Number<LIMBS>* before,
                                Number<LIMBS>* after) {
    for (uint32_t state = 0; state < layer.targets; ++state) {
        Number<LIMBS> sum{};
        for (uint32_t i = layer.begin[state]; i < layer.begin[state + 1]; ++i) {
            const Number<LIMBS>& from = before[source_of(layer, i)];
            if (layer.stage == Stage::DEAL) {
                add(sum, from, option_at(layer, i).ways);
            } else {
                add(sum, product(from, binomials[triangle(layer.tops[i], layer.parts[i])]), 1);
            }
        }
        after[state] = sum;
    }
}

RENEGE_FN double worth_of(const PoolLayer& layer, const double* binomials, uint32_t edge) {
    return layer.stage == Stage::DEAL ? option_at(layer, edge).worth
                                      : binomials[triangle(layer.tops[edge], layer.parts[edge])];
}

// The same in doubles, brought to a greatest of 1; returns by how much it was divided, 0 if nothing can come.
RENEGE_FN double weigh_pool_layer(const PoolLayer& layer, const double* binomials, const double* before,
                                  double* after) {
    double greatest = 0;
    for (uint32_t state = 0; state < layer.targets; ++state) {
        double sum = 0;
        for (uint32_t i = layer.begin[state]; i < layer.begin[state + 1]; ++i) {
            sum += worth_of(layer, binomials, i) * before[source_of(layer, i)];
        }
        after[state] = sum;
        greatest = sum > greatest ? sum : greatest;
    }
    for (uint32_t state = 0; greatest > 0 && state < layer.targets; ++state) after[state] /= greatest;
    return greatest;
}

// How likely r cards that lie among `top` all lie in a part of it, for r = 1, 2, ...: the r-th is the one before times
// this.
RENEGE_FN constexpr double share_of(uint32_t top, uint32_t part, uint32_t r) {
    return part < r ? 0.0 : static_cast<double>(part - r + 1) / static_cast<double>(top - r + 1);
}

constexpr double CHOOSE[POOL_COPIES + 1][POOL_COPIES + 1] = {
    {1, 0, 0, 0, 0, 0, 0},   {1, 1, 0, 0, 0, 0, 0},    {1, 2, 1, 0, 0, 0, 0},   {1, 3, 3, 1, 0, 0, 0},
    {1, 4, 6, 4, 1, 0, 0},   {1, 5, 10, 10, 5, 1, 0},  {1, 6, 15, 20, 15, 6, 1},
};

// What is left to come, from the states that edges lead to back to those that they come from: `scale` as weigh_layer
// divided. With `flow` [options] each option gets the chance that it is taken.
RENEGE_FN void spread_pool_layer(const PoolLayer& layer, const double* binomials, double scale, const double* before,
                                 const double* after, double* back, double* flow) {
    for (uint32_t state = 0; state < layer.sources; ++state) back[state] = 0;
    for (uint32_t state = 0; state < layer.targets; ++state) {
        if (!(after[state] > 0)) continue;
        for (uint32_t i = layer.begin[state]; i < layer.begin[state + 1]; ++i) {
            const uint32_t source = source_of(layer, i);
            const double share = worth_of(layer, binomials, i) / scale * after[state];
            back[source] += share;
            if (layer.stage == Stage::DEAL) {
                flow[layer.edges[i] & ((1u << layer.option_bits) - 1)] += share * before[source];
            }
        }
    }
}

// Lanes r = 1, 2, ... of a hand in a pile, `[state * lanes + r - 1]`: the expected number of ways to choose r of the
// copies of a kind in the pile that come to the hand. They go from where the hand opens back to the start (`after` is
// read and `before` written), or from where it closes on.
template <bool FORWARD>
RENEGE_FN void move_lanes(const PoolLayer& layer, const double* binomials, double scale, uint32_t lanes, bool passes,
                          const double* from, double* to) {
    for (uint32_t i = 0; i < (FORWARD ? layer.targets : layer.sources) * lanes; ++i) to[i] = 0;
    for (uint32_t state = 0; state < layer.targets; ++state) {
        for (uint32_t i = layer.begin[state]; i < layer.begin[state + 1]; ++i) {
            const uint32_t source = source_of(layer, i);
            const double* const own = from + lanes * (FORWARD ? source : state);
            double* const out = to + lanes * (FORWARD ? state : source);
            double share = worth_of(layer, binomials, i) / scale;
            for (uint32_t r = 1; r <= lanes; ++r) {
                if (passes) share *= share_of(layer.tops[i], static_cast<uint32_t>(layer.tops[i] - layer.parts[i]), r);
                out[r - 1] += share * own[r - 1];
            }
        }
    }
}

// Where the lanes of a hand begin: it opens, or closes, here.
template <bool FORWARD>
RENEGE_FN void begin_lanes(const PoolLayer& layer, const double* binomials, double scale, uint32_t lanes,
                           const double* from, double* to) {
    for (uint32_t i = 0; i < (FORWARD ? layer.targets : layer.sources) * lanes; ++i) to[i] = 0;
    for (uint32_t state = 0; state < layer.targets; ++state) {
        for (uint32_t i = layer.begin[state]; i < layer.begin[state + 1]; ++i) {
            const uint32_t source = source_of(layer, i);
            double share = worth_of(layer, binomials, i) / scale * from[FORWARD ? source : state];
            for (uint32_t r = 1; r <= lanes; ++r) {
                share *= share_of(layer.tops[i], layer.parts[i], r);
                to[lanes * (FORWARD ? state : source) + r - 1] += share;
            }
        }
    }
}

// Adds to `moments [lanes]` what the lanes make of the copies that a pile gets at a layer. FORWARD: `lane` is of the
// states that edges come from and `other` the worth of those that they lead to.
template <bool FORWARD>
RENEGE_FN void read_lanes(const PoolLayer& layer, double scale, uint32_t lanes, uint32_t pile, const double* lane,
                          const double* other, double* moments) {
    for (uint32_t state = 0; state < layer.targets; ++state) {
        for (uint32_t i = layer.begin[state]; i < layer.begin[state + 1]; ++i) {
            const PoolOption& option = option_at(layer, i);
            const uint32_t copies = option.gives[pile];
            if (!copies) continue;
            const uint32_t source = source_of(layer, i);
            const double share = option.worth / scale * other[FORWARD ? state : source];
            const double* const own = lane + lanes * (FORWARD ? source : state);
            for (uint32_t r = 1; r <= copies && r <= lanes; ++r) moments[r - 1] += share * CHOOSE[copies][r] * own[r - 1];
        }
    }
}

// The way that led to a state, by a rank below its count: the edge of each layer, from the last to the first.
template <uint32_t LIMBS>
RENEGE_FN uint32_t step_back(const PoolLayer& layer, const Number<LIMBS>* binomials, const Number<LIMBS>* before,
                             uint32_t state, Number<LIMBS>& rank, Stream& stream) {
    constexpr uint64_t FEW = 64;  // times that are taken off one by one
    uint32_t i = layer.begin[state];
    for (;; ++i) {
        const Number<LIMBS>& from = before[source_of(layer, i)];
        const uint64_t ways = layer.stage == Stage::DEAL ? option_at(layer, i).ways : 0;
        Number<LIMBS> all{};
        if (ways) add(all, from, ways);
        else if (layer.stage != Stage::DEAL) all = product(from, binomials[triangle(layer.tops[i], layer.parts[i])]);
        if (!less(rank, all)) {
            subtract(rank, all);
            continue;
        }
        if (ways && ways <= FEW) {
            while (!less(rank, from)) subtract(rank, from);
        } else {
            rank = draw_any_below(stream, from);  // which of the ways it is does not matter
        }
        return i;
    }
}

// The same by weight.
RENEGE_FN uint32_t step_back(const PoolLayer& layer, const double* binomials, const double* before, uint32_t state,
                             Stream& stream) {
    const uint32_t end = layer.begin[state + 1];
    double sum = 0;
    uint32_t last = layer.begin[state];
    for (uint32_t i = layer.begin[state]; i < end; ++i) {
        const double worth = worth_of(layer, binomials, i) * before[source_of(layer, i)];
        if (worth > 0) last = i;
        sum += worth;
    }
    double point = static_cast<double>(stream.next() >> 11) * 0x1p-53 * sum;
    for (uint32_t i = layer.begin[state]; i < last; ++i) {
        point -= worth_of(layer, binomials, i) * before[source_of(layer, i)];
        if (point < 0) return i;
    }
    return last;
}

}  // namespace renege::worlds
