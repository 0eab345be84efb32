// Regret minimisation on a flat tree: what one node does on the way down and on the way up, what one information set
// does with its regrets, and one sampled traversal. A tree is levels of nodes; the children of a node are neighbours on
// the next level and stand in the order of its set's slots (renege.search.regret.trees says how they come to be).
#pragma once

#include <renege/core/deal.hpp>

namespace renege::regret {

constexpr int32_t LEAF = -1, FORCED = -2;
constexpr uint32_t SEATS = 4;
constexpr uint32_t MOST_CHOICES = 16;  // of one seat on the way from the deal to a leaf

struct Tree {
    const int32_t* sets;         // [node] the information set, LEAF or FORCED
    const int32_t* children;     // [node] the first child, or the payoff of a leaf
    const double* payoffs;       // [payoff][seat]
    const uint8_t* seats;        // [set] who is to act
    const int32_t* first_slots;  // [set], and one more
};

RENEGE_FN uint32_t width_of(const Tree& tree, int32_t set) {
    if (set < 0) return set == FORCED;
    return static_cast<uint32_t>(tree.first_slots[set + 1] - tree.first_slots[set]);
}

// Down: how likely chance and the other seats make each child, if `seat` wants to get there.
RENEGE_FN void send_down(const Tree& tree, int32_t set, uint32_t seat, const double* strategy, double reach,
                         double* below) {
    const uint32_t width = width_of(tree, set);
    if (set < 0 || tree.seats[set] == seat) {
        for (uint32_t i = 0; i < width; ++i) below[i] = reach;
        return;
    }
    const double* chosen = strategy + tree.first_slots[set];
    for (uint32_t i = 0; i < width; ++i) below[i] = reach * chosen[i];
}

// Up: what `seat` wins from here, times how likely the others make it. Where it chooses, each act's gain is added up
// over the nodes of its set.
template <class Add>
RENEGE_FN double send_up(const Tree& tree, int32_t set, uint32_t seat, const double* strategy, const double* below,
                         double* gains, Add add) {
    const uint32_t width = width_of(tree, set);
    double value = 0.0;
    if (set < 0 || tree.seats[set] != seat) {
        for (uint32_t i = 0; i < width; ++i) value += below[i];
        return value;
    }
    const int32_t first = tree.first_slots[set];
    for (uint32_t i = 0; i < width; ++i) {
        add(gains + first + i, below[i]);
        value += strategy[first + i] * below[i];
    }
    return value;
}

// Regret matching: an act as often as it is regretted, all alike where none is.
RENEGE_FN void match(const double* regrets, uint32_t width, double* strategy) {
    double sum = 0.0;
    for (uint32_t i = 0; i < width; ++i) sum += regrets[i] > 0.0 ? regrets[i] : 0.0;
    for (uint32_t i = 0; i < width; ++i) {
        strategy[i] = sum > 0.0 ? (regrets[i] > 0.0 ? regrets[i] / sum : 0.0) : 1.0 / width;
    }
}

// What rounding may leave of a regret that is nothing. It must not be taken for one: where no act is regretted all are
// played alike, and so the order of a sum would decide what is played.
constexpr double NOTHING = 1e-14;

// CFR+: what an act would have gained more than the strategy did; a regret does not fall below zero.
RENEGE_FN void regret_more(const double* gains, const double* strategy, uint32_t width, double* regrets) {
    double value = 0.0;
    for (uint32_t i = 0; i < width; ++i) value += strategy[i] * gains[i];
    for (uint32_t i = 0; i < width; ++i) {
        const double regret = regrets[i] + (gains[i] - value);
        regrets[i] = regret > NOTHING ? regret : 0.0;
    }
}

// How likely a seat's own choices make a set; `reaches` has those of the sets before it.
RENEGE_FN double own_reach(const int32_t* parents, const int32_t* slot_sets, const double* strategy,
                           const double* reaches, int32_t set) {
    const int32_t slot = parents[set];
    return slot < 0 ? 1.0 : reaches[slot_sets[slot]] * strategy[slot];
}

RENEGE_FN double uniform(Stream& stream) { return static_cast<double>(stream.next() >> 11) * 0x1p-53; }

// A deal by its chance: `chances` are running sums, the last one 1.
RENEGE_FN int32_t draw_deal(const double* chances, int32_t deals, Stream& stream) {
    const double at = uniform(stream);
    int32_t low = 0, high = deals - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (at < chances[middle]) high = middle;
        else low = middle + 1;
    }
    return low;
}

RENEGE_FN uint32_t draw_act(const double* strategy, uint32_t width, Stream& stream) {
    double left = uniform(stream);
    for (uint32_t i = 0; i + 1 < width; ++i) {
        left -= strategy[i];
        if (left < 0.0) return i;
    }
    return width - 1;
}

// External sampling: chance and the other seats are drawn, `seat` tries everything. Regrets are added to the table
// while the strategy stays what it was, so lanes of one batch do not see each other.
template <class Add>
RENEGE_FN double traverse(const Tree& tree, int32_t node, uint32_t seat, const double* strategy, double* regrets,
                          Stream& stream, Add add) {
    struct Frame {
        int32_t node;
        uint32_t next;
        double value;
    } frames[MOST_CHOICES];
    uint32_t depth = 0;
    while (true) {
        int32_t set;
        while ((set = tree.sets[node]) != LEAF) {
            const int32_t first = tree.children[node];
            if (set == FORCED) node = first;
            else if (tree.seats[set] != seat) {
                node = first + static_cast<int32_t>(
                                   draw_act(strategy + tree.first_slots[set], width_of(tree, set), stream));
            } else {
                frames[depth++] = {node, 0, 0.0};
                node = first;
            }
        }
        double value = tree.payoffs[SEATS * tree.children[node] + seat];
        while (true) {
            if (!depth) return value;
            Frame& frame = frames[depth - 1];
            const int32_t here = tree.sets[frame.node], slot = tree.first_slots[here];
            const uint32_t width = width_of(tree, here);
            add(regrets + slot + frame.next, value);
            frame.value += strategy[slot + frame.next] * value;
            if (++frame.next < width) {
                node = tree.children[frame.node] + static_cast<int32_t>(frame.next);
                break;
            }
            value = frame.value;
            for (uint32_t i = 0; i < width; ++i) add(regrets + slot + i, -value);
            --depth;
        }
    }
}

// One line of play for the average: `seat` goes by its strategy and all others by chance, so that a set comes up in
// proportion to the seat's own reach, whatever the others have learnt since.
template <class Add>
RENEGE_FN void walk(const Tree& tree, int32_t node, uint32_t seat, const double* strategy, double weight,
                    double* average, Stream& stream, Add add) {
    int32_t set;
    while ((set = tree.sets[node]) != LEAF) {
        const uint32_t width = width_of(tree, set);
        uint32_t act = 0;
        if (set >= 0 && tree.seats[set] == seat) {
            const int32_t slot = tree.first_slots[set];
            for (uint32_t i = 0; i < width; ++i) add(average + slot + i, weight * strategy[slot + i]);
            act = draw_act(strategy + slot, width, stream);
        } else if (set >= 0) {
            act = static_cast<uint32_t>(uniform(stream) * width);
        }
        node = tree.children[node] + static_cast<int32_t>(act);
    }
}

// A lane of a batch: a traversal and a walk, each from a deal of its own.
template <class Add>
RENEGE_FN void sample(const Tree& tree, const double* chances, int32_t deals, uint32_t seat, const double* strategy,
                      double weight, double* regrets, double* average, uint64_t seed, uint64_t lane, Add add) {
    Stream stream = open_stream(seed, Purpose::REGRET, lane);
    const int32_t tried = draw_deal(chances, deals, stream);
    traverse(tree, tried, seat, strategy, regrets, stream, add);
    const int32_t walked = draw_deal(chances, deals, stream);
    walk(tree, walked, seat, strategy, weight, average, stream, add);
}

}  // namespace renege::regret
