// All deals of hidden cards, counted, listed and drawn. The kinds are dealt out one after another; a state is what each
// hand still needs and how far each watch has read. From every state leads an edge for each way to split the next
// kind, and its number is the number of deals from there on. So the deals are the paths through a layered graph,
// and the r-th of them is found by walking down it: no rejection, every deal equally likely.
//
//   layer 0          layer 1                layer 2        a layer is a kind that can be split in more than one
//   needs 2 1 1 --a--> needs 1 1 1 --b--> needs 0 1 1      way; the others are dealt before the graph is made
//              \--a--> needs 2 0 1 --b--> ...
//
// Memory is the caller's, who grows it between layers (kernel/bindings/worlds.cpp).
#pragma once

#include <renege/core/number.hpp>

namespace renege::worlds {

constexpr uint32_t MAX_HANDS = 5;
constexpr uint32_t MAX_KINDS = 64;
constexpr uint32_t MAX_COPIES = 4;
constexpr uint32_t MAX_LAYER = 1u << 24;  // states in a layer: an edge is a word, and 8 bits of it name the option
constexpr uint32_t NEVER = 0xFFFFFFFFu;
constexpr uint64_t NO_STATE = ~uint64_t{0};
constexpr uint8_t DEAD = 255;
constexpr uint8_t NOBODY = 255;

// One way to split the copies of a kind among the hands.
struct Option {
    uint64_t taken;            // what it takes from the needs in a state's key
    uint32_t ways;             // labelled deals that look like it: copies! / (gives[0]! gives[1]! ...), by weight
    uint8_t gives[MAX_HANDS];  // copies by hand
};

// A watch reads a kind: its state is a field of the key, and the copies that its hands get move it. Those of several
// hands are read as the digits of one number, the lowest hand's first.
struct Read {
    uint64_t mask;     // of the field, shifted down
    uint32_t shift;
    uint32_t moves;    // where the table [state][copies] of this kind begins
    uint32_t accepts;  // if this is the last kind it reads, where [state] begins; else NEVER
    uint32_t width;    // of a row of the table: copies + 1, to the power of hands
    uint8_t hand;      // whose copies; NOBODY if the kind was dealt before the graph was made: then
    uint8_t copies;    // so many were given
    uint8_t more;      // a mask of further hands
    uint8_t base;      // copies + 1
};

struct Layer {
    uint32_t kind;
    uint32_t first_option, options;
    uint32_t first_read, reads;  // of this kind, and of those between it and the next layer that were dealt before
    uint64_t least, most;        // what the hands can still get after it, as fields of a key: prunes what must fail
};

// The parts of a problem that the walk needs. A key has a field for each hand, with a spare bit (`guards`) above
// it, then the fields of the watches, and on top the field of one more hand, which the others determine.
struct Plan {
    const Layer* layers;
    const Option* options;
    const Read* reads;
    const uint8_t* moves;
    const uint8_t* accepts;
    uint64_t needs;        // the bits of a key that say what hands need
    uint64_t guards;
    uint64_t determining;  // the bits of a key without the hand on top: no two states of a layer agree in them
    uint32_t depth;        // layers
    uint32_t hands;
};

// The graph. States are numbered through all layers; after the last layer there is one more, where all is dealt.
struct Graph {
    const uint32_t* first;  // [depth + 1] the first state of each layer
    const uint32_t* begin;  // [states + 1] where the edges of a state begin
    const uint32_t* edges;  // the state it leads to, counted from the first of its layer, times 256, plus the option
};

RENEGE_FN constexpr uint32_t target(uint32_t edge) { return edge >> 8; }
RENEGE_FN constexpr uint32_t option_of(uint32_t edge) { return edge & 0xFFu; }

// What a watch reads where the hands get so much.
RENEGE_FN uint32_t copies_read(const Read& read, const uint8_t* gives) {
    uint32_t copies = gives[read.hand];
    for (uint32_t more = read.more, hand = 0; more >> hand; ++hand) {
        if (more >> hand & 1u) copies = copies * read.base + gives[hand];
    }
    return copies;
}

// The key after some reads, or NO_STATE if a watch objects.
RENEGE_FN uint64_t read_on(const Plan& plan, uint64_t key, uint32_t first, uint32_t count, const uint8_t* gives) {
    for (uint32_t i = first; i < first + count; ++i) {
        const Read& read = plan.reads[i];
        const uint64_t state = (key >> read.shift) & read.mask;
        const uint32_t copies = read.hand == NOBODY ? read.copies : copies_read(read, gives);
        uint64_t next = plan.moves[read.moves + state * read.width + copies];
        if (next == DEAD) return NO_STATE;
        if (read.accepts != NEVER) {
            if (!plan.accepts[read.accepts + next]) return NO_STATE;
            next = 0;  // another watch may have the field from here on
        }
        key = (key & ~(read.mask << read.shift)) | (next << read.shift);
    }
    return key;
}

// True if no field of `small` is above that of `large`, all compared at once: a guard that was borrowed from marks one.
RENEGE_FN constexpr bool within(uint64_t small, uint64_t large, uint64_t guards) {
    return !(~((large | guards) - small) & guards);
}

// The key after an option of a layer, or NO_STATE.
RENEGE_FN uint64_t step(const Plan& plan, const Layer& layer, const Option& option, uint64_t key) {
    if (!within(option.taken, key & plan.needs, plan.guards)) return NO_STATE;
    key -= option.taken;
    const uint64_t needs = key & plan.needs;
    if (!within(needs, layer.most, plan.guards) || !within(layer.least, needs, plan.guards)) return NO_STATE;
    return read_on(plan, key, layer.first_read, layer.reads, option.gives);
}

// Finds states by their keys. Stale entries are those of earlier layers, so it is emptied only when it grows.
struct Finder {
    uint32_t* slots;  // number of a state + 1
    uint32_t mask;    // slots - 1
    bool direct;      // a slot for all that the determining bits can be
};

// Makes the edges of a layer and the states they lead to. `keys` and `begin` start at the layer's first state; `next`
// takes the keys of the states that are made, numbered from `first_next` on, and `edges` the edges, `done` others being
// there already. Both have room for one for each state and option. Returns how many states were made, in `written`
// how many edges.
RENEGE_FN uint32_t expand(const Plan& plan, uint32_t depth, const uint64_t* keys, uint32_t states, uint32_t* begin,
                          uint32_t first_next, uint64_t* next, uint32_t* edges, uint32_t done, uint32_t& written,
                          const Finder& finder) {
    const Layer& layer = plan.layers[depth];
    uint32_t made = 0;
    written = 0;
    for (uint32_t state = 0; state < states; ++state) {
        begin[state] = done + written;
        for (uint32_t i = 0; i < layer.options; ++i) {
            const uint64_t key = step(plan, layer, plan.options[layer.first_option + i], keys[state]);
            if (key == NO_STATE) continue;
            const uint64_t low = key & plan.determining;
            uint64_t slot = (finder.direct ? low : mix64(low)) & finder.mask;
            while (finder.slots[slot] > first_next && next[finder.slots[slot] - 1 - first_next] != key) {
                slot = (slot + 1) & finder.mask;
            }
            if (finder.slots[slot] <= first_next) {
                finder.slots[slot] = first_next + made + 1;
                next[made++] = key;
            }
            edges[written++] = ((finder.slots[slot] - 1 - first_next) << 8) | i;
        }
    }
    return made;
}

// The numbers of all deals from each state of a layer on; those of the next layer are there. Labelled deals, or
// those that can be told apart.
template <uint32_t LIMBS>
RENEGE_FN void count_layer(const Plan& plan, const Graph& graph, uint32_t depth, bool labelled,
                           Number<LIMBS>* counts) {
    const Option* const options = plan.options + plan.layers[depth].first_option;
    const Number<LIMBS>* const next = counts + graph.first[depth + 1];
    for (uint32_t state = graph.first[depth]; state < graph.first[depth + 1]; ++state) {
        Number<LIMBS> sum{};
        for (uint32_t i = graph.begin[state]; i < graph.begin[state + 1]; ++i) {
            const uint32_t edge = graph.edges[i];
            add(sum, next[target(edge)], labelled ? options[option_of(edge)].ways : 1u);
        }
        counts[state] = sum;
    }
}

// The deal of a rank below counts[0], as the option taken at each layer.
template <uint32_t LIMBS>
RENEGE_FN void unrank(const Plan& plan, const Graph& graph, const Number<LIMBS>* counts, bool labelled,
                      Number<LIMBS> rank, uint8_t* taken) {
    uint32_t state = 0;
    for (uint32_t depth = 0; depth < plan.depth; ++depth) {
        const Option* const options = plan.options + plan.layers[depth].first_option;
        const uint32_t first = graph.first[depth + 1];
        uint32_t i = graph.begin[state];
        for (;; ++i) {
            const Number<LIMBS>& next = counts[first + target(graph.edges[i])];
            uint32_t ways = labelled ? options[option_of(graph.edges[i])].ways : 1u;
            while (ways && !less(rank, next)) {
                subtract(rank, next);
                --ways;
            }
            if (ways) break;
        }
        taken[depth] = static_cast<uint8_t>(option_of(graph.edges[i]));
        state = first + target(graph.edges[i]);
    }
}

// The cards that hands get at the layers, added to `out [hands][copies]`: kinds there once, twice, ...
RENEGE_FN void hand_out(const Plan& plan, const uint8_t* taken, uint32_t copies, uint64_t* out) {
    for (uint32_t depth = 0; depth < plan.depth; ++depth) {
        const Layer& layer = plan.layers[depth];
        const Option& option = plan.options[layer.first_option + taken[depth]];
        for (uint32_t hand = 0; hand < plan.hands; ++hand) {
            for (uint32_t n = 0; n < option.gives[hand]; ++n) out[hand * copies + n] |= uint64_t{1} << layer.kind;
        }
    }
}

}  // namespace renege::worlds
