// The method that a paper published for Tractor, for comparison only: **both its forms err**, and nothing here judges a
// play. Python defines it (renege.study.paper, which names the errors); this repeats it step by step, so that its
// answers and its cost can be measured beside follow.hpp, which takes no part of it.
#pragma once

#include <renege/core/portable.hpp>

namespace renege::published {

constexpr uint32_t KINDS = 54;
constexpr uint32_t HAND = 25;      // cards, and so the most blocks
constexpr uint32_t TRACTORS = 12;  // at most: each takes two cards or more that no other took
constexpr uint32_t JOKERS = 4;     // what stands for the printed suit of a joker; 0..3 are suits
constexpr uint32_t NO_NUMBER = 0;

// Which of the two published forms: the pseudo-code, or the program beside it.
enum class Source : uint8_t { PRINTED = 0, CODE = 1 };

// One setting. Kinds are those of games/tractor/order.py.
struct Order {
    uint8_t number[KINDS];  // Algorithm 1; NO_NUMBER where the printed form has none
    uint8_t trump[KINDS];   // 1 if it is one
    uint8_t suit[KINDS];    // as printed
};

// Cards in the order typed, or sorted.
struct Play {
    uint8_t cards[HAND];
    uint32_t size;
};

// What a play is made of. Lengths are in cards.
struct Structure {
    uint8_t tractors[TRACTORS];  // in the order found
    uint32_t count;              // of them
    uint32_t pairs;
    uint32_t singles;
};

struct Match {
    bool conforms;
    uint64_t permutations;  // orders of the lead's blocks that were tried
    uint64_t placements;    // blocks that were tried, over all orders
};

struct Outcome {
    uint32_t winner;
    uint64_t permutations;
};

// Sorted by number; equal numbers stay as typed, for the answers depend on it.
RENEGE_FN Play sorted(const Order& order, const Play& play) {
    Play out;
    out.size = play.size;
    for (uint32_t i = 0; i < play.size; ++i) {
        const uint8_t card = play.cards[i];
        uint32_t at = i;
        for (; at && order.number[out.cards[at - 1]] > order.number[card]; --at) out.cards[at] = out.cards[at - 1];
        out.cards[at] = card;
    }
    return out;
}

RENEGE_FN bool is_next(const Order& order, uint32_t low, uint32_t high) {
    return (order.trump[high] || order.suit[low] == order.suit[high]) && order.number[high] == order.number[low] + 1;
}

// The printed form has no odd tractor. In the program an odd window borrows the card after it; past the end there is
// none.
RENEGE_FN bool is_sequence_of_pairs(const Order& order, const Play& play, uint32_t start, uint32_t length,
                                    Source source) {
    if (length % 2 && source == Source::PRINTED) return false;
    for (uint32_t at = start; at < start + length; at += 2) {
        if (at + 1 >= play.size || play.cards[at] != play.cards[at + 1]) return false;
        if (at > start && !is_next(order, play.cards[at - 2], play.cards[at])) return false;
    }
    return true;
}

// Bits start to start + length - 1.
RENEGE_FN uint32_t window(uint32_t start, uint32_t length) { return ((1u << length) - 1u) << start; }

// Algorithm 2, on a play that is sorted: tractors, then pairs, then singles, greedily.
RENEGE_FN Structure get_structure(const Order& order, const Play& play, Source source) {
    // The program looks at the first card of each pair only.
    const uint32_t looked_at = source == Source::CODE ? 0x55555555u : 0xFFFFFFFFu;
    Structure found = {};
    uint32_t used = 0;
    for (uint32_t length = play.size; length > 3; length -= 2) {
        for (uint32_t start = 0; start + length <= play.size; ++start) {
            if (used & window(start, length) & looked_at << start) continue;
            if (!is_sequence_of_pairs(order, play, start, length, source)) continue;
            found.tractors[found.count++] = static_cast<uint8_t>(length);
            used |= window(start, length);
        }
    }
    for (uint32_t at = 0; at + 1 < play.size; ++at) {
        if (used & window(at, 2) || play.cards[at] != play.cards[at + 1]) continue;
        ++found.pairs;
        used |= window(at, 2);
    }
    found.singles = play.size - count_bits(used);
    return found;
}

// The lead's blocks as card counts; ascending as the program sorts them, or descending as printed. Returns how many.
RENEGE_FN uint32_t sorted_needs(const Structure& lead, Source source, uint8_t* needs) {
    const uint32_t small = lead.singles + lead.pairs, size = small + lead.count;
    for (uint32_t i = 0; i < small; ++i) needs[i] = i < lead.singles ? 1 : 2;
    for (uint32_t i = 0; i < lead.count; ++i) {
        uint32_t at = small + i;
        for (; at > small && needs[at - 1] > lead.tractors[i]; --at) needs[at] = needs[at - 1];
        needs[at] = lead.tractors[i];
    }
    if (source == Source::CODE) return size;
    for (uint32_t i = 0; i < size / 2; ++i) {
        const uint8_t other = needs[i];
        needs[i] = needs[size - 1 - i];
        needs[size - 1 - i] = other;
    }
    return size;
}

// Algorithm 4: cut `need` cards off the first tractor that is long enough.
RENEGE_FN bool consume_from_tractors(Structure& left, uint32_t need) {
    for (uint32_t i = 0; i < left.count; ++i) {
        if (left.tractors[i] < need) continue;
        left.tractors[i] = static_cast<uint8_t>(left.tractors[i] - need);
        return true;
    }
    return false;
}

// How many blocks, taken in this order, are served before one is not.
RENEGE_FN uint32_t serve(const uint8_t* needs, uint32_t size, const Structure& follow) {
    Structure left = follow;
    int pair_cards = 2 * static_cast<int>(follow.pairs);  // may fall to -1, as in Python
    for (uint32_t served = 0; served < size; ++served) {
        const uint32_t need = needs[served];
        if (need == 1 && left.singles) {
            --left.singles;
        } else if (need <= 2 && pair_cards > 0) {
            pair_cards -= static_cast<int>(need);
        } else if (!consume_from_tractors(left, need)) {
            return served;
        }
    }
    return size;
}

// The next order, as a dictionary would have it; false after the last one.
RENEGE_FN bool next_permutation(uint8_t* needs, uint32_t size) {
    uint32_t rise = size;
    while (rise > 1 && needs[rise - 2] >= needs[rise - 1]) --rise;
    if (rise < 2) return false;
    uint32_t other = size - 1;
    while (needs[other] <= needs[rise - 2]) --other;
    const uint8_t low = needs[rise - 2];
    needs[rise - 2] = needs[other];
    needs[other] = low;
    for (uint32_t i = rise - 1, j = size - 1; i < j; ++i, --j) {
        const uint8_t swapped = needs[i];
        needs[i] = needs[j];
        needs[j] = swapped;
    }
    return true;
}

// Algorithm 3: do the follower's blocks serve the lead's, in some order of the lead's? Nothing ends the search early.
RENEGE_FN Match same_structure(const Structure& lead, const Structure& follow, Source source) {
    uint8_t needs[HAND];
    const uint32_t size = sorted_needs(lead, source, needs);
    Match match = {false, 0, 0};
    do {
        ++match.permutations;
        const uint32_t served = serve(needs, size, follow);
        match.conforms = served == size;
        match.placements += match.conforms ? size : served + 1;
    } while (!match.conforms && next_permutation(needs, size));
    return match;
}

// --- the winner, as the program finds it ---------------------------------------------------------------------

// The number that a ruff is compared by: the top of what serves the lead's longest block. -1 if nothing was placed.
struct Honor {
    uint32_t used = 0;
    uint32_t length = 0;
    int number = -1;

    // Takes the lowest cards of the sorted play that are a block of this length.
    RENEGE_FN bool place(const Order& order, const Play& play, uint32_t block) {
        for (uint32_t start = 0; start + block <= play.size; ++start) {
            const uint32_t borrowed = block > 1 ? block % 2 : 0;
            if (used & window(start, block + borrowed)) continue;
            if (block > 1 && !is_sequence_of_pairs(order, play, start, block, Source::CODE)) continue;
            const int top = order.number[play.cards[block > 1 ? start + block - 2 : start]];
            if (block > length || (block == length && top > number)) {
                length = block;
                number = top;
            }
            used |= window(start, block);
            return true;
        }
        return false;
    }
};

RENEGE_FN int honor(const Order& order, const Structure& lead, const Play& play) {
    Honor best;
    for (uint32_t i = 0; i < lead.count && best.place(order, play, lead.tractors[i]); ++i) {
    }
    for (uint32_t i = 0; i < lead.pairs; ++i) best.place(order, play, 2);
    for (uint32_t i = 0; i < lead.singles; ++i) best.place(order, play, 1);
    return best.number;
}

RENEGE_FN bool all_trumps(const Order& order, const Play& play) {
    for (uint32_t i = 0; i < play.size; ++i) {
        if (!order.trump[play.cards[i]]) return false;
    }
    return true;
}

// Cards of each printed suit, 8 bits each; jokers are not counted.
RENEGE_FN uint32_t printed_suits(const Order& order, const Play& play) {
    uint64_t counts = 0;
    for (uint32_t i = 0; i < play.size; ++i) counts += uint64_t{1} << 8 * order.suit[play.cards[i]];
    return static_cast<uint32_t>(counts);
}

// Who wins a trick, by the published program. The lead, which comes first, is not empty.
RENEGE_FN Outcome settle(const Order& order, const Play* plays, uint32_t count) {
    const Play lead = sorted(order, plays[0]);
    const Structure structure = get_structure(order, lead, Source::CODE);
    const bool throws = structure.count + structure.pairs + structure.singles > 1;
    Outcome out = {0, 0};
    if (throws && all_trumps(order, lead)) return out;
    int best = order.number[lead.cards[0]];
    for (uint32_t i = 1; i < count; ++i) {
        if (!all_trumps(order, plays[i])) {
            if (throws || printed_suits(order, plays[i]) != printed_suits(order, lead)) continue;
            if (order.number[plays[i].cards[0]] > 13) continue;
        }
        const Play play = sorted(order, plays[i]);
        const Match match = same_structure(structure, get_structure(order, play, Source::CODE), Source::CODE);
        out.permutations += match.permutations;
        if (!match.conforms) continue;
        const int value = honor(order, structure, play);
        if (value <= best) continue;
        best = value;
        out.winner = i;
    }
    return out;
}

}  // namespace renege::published
