// Odds and draws in the graph of worlds/graph.hpp: what each card's place is worth in doubles, deals drawn by weight, and
// the quick walk for games of single cards.
#pragma once

#include <renege/worlds/graph.hpp>

namespace renege::worlds {

// What is to come from each state of a layer, each option counting `weight[option]`; returns the greatest.
RENEGE_FN double weigh_layer(const Plan& plan, const Graph& graph, uint32_t depth, const double* weight,
                             double* values) {
    const double* const own = weight + plan.layers[depth].first_option;
    const double* const next = values + graph.first[depth + 1];
    double greatest = 0;
    for (uint32_t state = graph.first[depth]; state < graph.first[depth + 1]; ++state) {
        double sum = 0;
        for (uint32_t i = graph.begin[state]; i < graph.begin[state + 1]; ++i) {
            sum += own[option_of(graph.edges[i])] * next[target(graph.edges[i])];
        }
        values[state] = sum;
        greatest = sum > greatest ? sum : greatest;
    }
    return greatest;
}

// Edges share a state's chance in the ratio of their worth, and hand it on. `reached [states]` is 1 at the start and 0
// elsewhere before the first layer; `odds [option]` gets the chance that the option is taken.
RENEGE_FN void spread_layer(const Plan& plan, const Graph& graph, uint32_t depth, const double* weight,
                            const double* values, double* reached, double* odds) {
    const uint32_t first_option = plan.layers[depth].first_option, first = graph.first[depth + 1];
    for (uint32_t state = graph.first[depth]; state < first; ++state) {
        if (!(reached[state] > 0)) continue;
        double sum = 0;
        for (uint32_t i = graph.begin[state]; i < graph.begin[state + 1]; ++i) {
            sum += weight[first_option + option_of(graph.edges[i])] * values[first + target(graph.edges[i])];
        }
        const double share = reached[state] / sum;
        for (uint32_t i = graph.begin[state]; i < graph.begin[state + 1]; ++i) {
            const uint32_t option = first_option + option_of(graph.edges[i]), next = first + target(graph.edges[i]);
            const double chance = weight[option] * values[next] * share;
            odds[option] += chance;
            reached[next] += chance;
        }
    }
}

// Each edge's chance added to those before it at its state, so that a draw is a comparison. From the last edge with any
// chance on it is more than 1: rounding must not lead past it.
RENEGE_FN void cumulate_layer(const Plan& plan, const Graph& graph, uint32_t depth, const double* weight,
                              const double* values, double* chances) {
    const double* const own = weight + plan.layers[depth].first_option;
    const double* const next = values + graph.first[depth + 1];
    for (uint32_t state = graph.first[depth]; state < graph.first[depth + 1]; ++state) {
        double sum = 0, before = 0;
        uint32_t last = graph.begin[state];
        for (uint32_t i = graph.begin[state]; i < graph.begin[state + 1]; ++i) {
            const double worth = own[option_of(graph.edges[i])] * next[target(graph.edges[i])];
            sum += worth;
            if (worth > 0) last = i;
        }
        for (uint32_t i = graph.begin[state]; i < graph.begin[state + 1]; ++i) {
            before += own[option_of(graph.edges[i])] * next[target(graph.edges[i])];
            chances[i] = i < last ? before / sum : 2;
        }
    }
}

// A deal by weight: one word a layer, of which 53 bits decide.
RENEGE_FN void draw_weighted(const Plan& plan, const Graph& graph, const double* chances, Stream& stream,
                             uint8_t* taken) {
    uint32_t state = 0;
    for (uint32_t depth = 0; depth < plan.depth; ++depth) {
        const double point = static_cast<double>(stream.next() >> 11) * 0x1p-53;
        uint32_t i = graph.begin[state];
        while (point >= chances[i]) ++i;
        taken[depth] = static_cast<uint8_t>(option_of(graph.edges[i]));
        state = graph.first[depth + 1] + target(graph.edges[i]);
    }
}

// A state of a problem with single copies, at most three ways to go on and counts of one limb. Where fewer ways are
// open the bounds of the others are out of reach.
constexpr uint32_t FORK_WAYS = 3;
constexpr uint32_t FORK_HANDS = 4;
constexpr uint32_t FORK_STATES = 1u << 30;

struct Fork {
    uint64_t bound[FORK_WAYS - 1];  // ranks from here on belong to the second, the third way
    uint32_t next[FORK_WAYS];       // the state, and in the two highest bits the hand that gets the card
    uint32_t unused;
};
static_assert(sizeof(Fork) == 32, "two forks a cache line");

RENEGE_FN Fork make_fork(const Plan& plan, const Graph& graph, const Number<1>* counts, uint32_t depth,
                         uint32_t state) {
    const Option* const options = plan.options + plan.layers[depth].first_option;
    Fork fork{{~uint64_t{0}, ~uint64_t{0}}, {0, 0, 0}, 0};
    uint64_t before = 0;
    for (uint32_t way = 0; way < graph.begin[state + 1] - graph.begin[state]; ++way) {
        const uint32_t edge = graph.edges[graph.begin[state] + way];
        const uint32_t next = graph.first[depth + 1] + target(edge);
        uint32_t hand = 0;
        while (!options[option_of(edge)].gives[hand]) ++hand;
        fork.next[way] = next | (hand << 30);
        if (way) fork.bound[way - 1] = before;
        before += counts[next].limb[0];
    }
    return fork;
}

// Unranks several deals side by side, for a step waits on the one before it but not on the other deals. The hands
// that get the cards are kept as two words: of hand h, bit 0 in low[i] and bit 1 in high[i], at the place of the kind.
template <uint32_t SIDE_BY_SIDE>
RENEGE_FN void walk_forks(const Fork* forks, const uint8_t* kinds, uint32_t depth, const uint64_t* ranks,
                          uint64_t* low, uint64_t* high) {
    uint64_t rank[SIDE_BY_SIDE];
    uint32_t state[SIDE_BY_SIDE];
    for (uint32_t i = 0; i < SIDE_BY_SIDE; ++i) {
        rank[i] = ranks[i];
        low[i] = high[i] = state[i] = 0;
    }
    for (uint32_t layer = 0; layer < depth; ++layer) {
        for (uint32_t i = 0; i < SIDE_BY_SIDE; ++i) {
            const Fork& fork = forks[state[i]];
            const uint64_t second = rank[i] >= fork.bound[0], third = rank[i] >= fork.bound[1];
            const uint32_t next = fork.next[second + third];
            // Without a branch, which could not be foretold.
            rank[i] -= (fork.bound[0] & (0u - second)) + ((fork.bound[1] - fork.bound[0]) & (0u - third));
            state[i] = next & (FORK_STATES - 1);
            low[i] |= static_cast<uint64_t>((next >> 30) & 1u) << kinds[layer];
            high[i] |= static_cast<uint64_t>(next >> 31) << kinds[layer];
        }
    }
}

// The deal of such a walk as `out [hands][copies]`: every kind of a layer is in `live`, and `common` is what all deals
// have.
RENEGE_FN void hand_out_forks(uint64_t low, uint64_t high, uint64_t live, const uint64_t* common, uint32_t hands,
                              uint32_t copies, uint64_t* out) {
    for (uint32_t hand = 0; hand < hands; ++hand) {
        const uint64_t cards = live & (hand & 1u ? low : ~low) & (hand & 2u ? high : ~high);
        out[hand * copies] = common[hand * copies] | cards;
        for (uint32_t n = 1; n < copies; ++n) out[hand * copies + n] = 0;
    }
}

}  // namespace renege::worlds
