// Tractor with two to six packs: piles, the cards of one suit by their steps, and the shape of a lead. Python defines
// them (renege.games.tractor.tuples); this repeats it.
#pragma once

#include <renege/tractor/house.hpp>

namespace renege::tractor::packs {

constexpr uint32_t COPIES = 6;   // of a kind, at most
constexpr uint32_t SUITS = 5;
constexpr uint32_t STEPS = 17;   // at most, in one suit
constexpr uint32_t SLOTS = 20;   // kinds, at most, in one suit
constexpr uint32_t CARDS = 80;   // at most, in a pile
constexpr uint32_t UNITS = CARDS / 2;  // of two cards and more
constexpr uint8_t NO_SUIT = 0xFF;

using Kinds = uint64_t;
using Steps = uint32_t;

// A declaration: where each kind stands in its suit. Kinds of a suit have slots from its lowest step up; those that
// share a step lie side by side.
struct Order {
    Kinds own[SUITS];
    uint8_t suit[64];
    uint8_t slot[64];
    uint8_t step[SUITS][SLOTS];
    uint8_t first[SUITS][STEPS + 1];  // the first slot on each step, and behind the last
};

// What is owed: are shorter runs, are wide tuples or tractors kept whole, and from when on tuples are a tractor.
struct Graded {
    Shorter shorter;
    bool suit_only;
    bool tuples_protected;
    bool tractors_protected;
    uint8_t least_width;   // at least 2
    uint8_t least_length;  // at least 2
};

enum class Breach : uint8_t { NONE = 0, LENGTH = 1, SUIT = 2, TUPLE = 3, RUN = 4, LONGER_RUN = 5 };

// Any pile: the kinds that are in it at least once, twice, ...
struct Pile {
    Kinds layer[COPIES];
};

// The cards of a pile in one suit; for verdicts as far as there are two or more of a kind, for no less has a shape.
struct Heap {
    uint8_t count[SLOTS];
    Steps wide[COPIES + 2];  // [w]: the steps on which a kind is there at least w times
};

// How large a unit is: its cards and then its width, in one number. 0 is no unit.
using Rank = uint16_t;
RENEGE_FN Rank rank_of(uint32_t width, uint32_t length) { return static_cast<Rank>(width * length * 8u + width); }
RENEGE_FN uint32_t width_of(Rank rank) { return rank & 7u; }
RENEGE_FN uint32_t length_of(Rank rank) { return (rank >> 3) / (rank & 7u); }

// The units of a lead, those of two cards and more, the greatest first.
struct Led {
    Rank units[UNITS];
    uint32_t count;
};

RENEGE_FN uint32_t size(const Pile& pile, uint32_t copies) {
    uint32_t cards = 0;
    for (uint32_t i = 0; i < copies; ++i) cards += count_bits64(pile.layer[i]);
    return cards;
}

RENEGE_FN uint32_t size_in(const Pile& pile, uint32_t copies, Kinds kinds) {
    uint32_t cards = 0;
    for (uint32_t i = 0; i < copies; ++i) cards += count_bits64(pile.layer[i] & kinds);
    return cards;
}

// How often the most frequent kind is there.
RENEGE_FN uint32_t widest(const Pile& pile, uint32_t copies, Kinds kinds) {
    uint32_t width = 0;
    while (width < copies && (pile.layer[width] & kinds)) ++width;
    return width;
}

// Of a pile the kinds in one suit that are there at least so often.
RENEGE_FN Heap heap_from(const Order& order, uint32_t suit, const Pile& pile, uint32_t copies, uint32_t least) {
    Heap heap = {};
    for (uint32_t i = least - 1u; i < copies; ++i) {
        Kinds kinds = pile.layer[i] & order.own[suit];
        if (!kinds) break;
        for (; kinds; kinds &= kinds - 1u) {
            const uint32_t slot = order.slot[lowest_bit64(kinds)];
            heap.count[slot] = static_cast<uint8_t>(i + 1u);
            heap.wide[i + 1u] |= 1u << order.step[suit][slot];
        }
    }
    return heap;
}

RENEGE_FN Heap heap_of(const Order& order, uint32_t suit, const Pile& pile, uint32_t copies) {
    return heap_from(order, suit, pile, copies, 2u);
}

RENEGE_FN void take(const Order& order, uint32_t suit, Heap& heap, uint32_t slot, uint32_t cards) {
    const uint32_t step = order.step[suit][slot], before = heap.count[slot];
    heap.count[slot] = static_cast<uint8_t>(before - cards);
    uint32_t most = 0;
    for (uint32_t i = order.first[suit][step]; i < order.first[suit][step + 1u]; ++i) {
        most = heap.count[i] > most ? heap.count[i] : most;
    }
    for (uint32_t width = most + 1u; width <= before; ++width) heap.wide[width] &= ~(1u << step);
}

// Takes tuples from step `at` on, as long as one kind stands on a step; where it stopped, past `last` at the end.
RENEGE_FN uint32_t take_run(const Order& order, uint32_t suit, Heap& heap, uint32_t width, uint32_t at, uint32_t last) {
    const uint8_t* first = order.first[suit];
    for (; at <= last && first[at + 1u] - first[at] == 1; ++at) {
        const uint32_t before = heap.count[first[at]], after = before - width;
        heap.count[first[at]] = static_cast<uint8_t>(after);
        for (uint32_t w = after + 1u; w <= before; ++w) heap.wide[w] &= ~(1u << at);
    }
    return at;
}

// Is there one way to lay a run of so many steps, from the one place on: one kind on each step?
RENEGE_FN bool one_way(const Order& order, uint32_t suit, Steps places, uint32_t length) {
    if (places & (places - 1u)) return false;
    const uint32_t bottom = lowest_bit(places);
    return order.first[suit][bottom + length] == order.first[suit][bottom] + length;
}

// Where runs of so many steps begin.
RENEGE_FN Steps bottoms(Steps steps, uint32_t length) {
    Steps found = steps;
    for (uint32_t i = 1; i < length; ++i) found &= steps >> i;
    return found;
}

// The longest run of steps, at most so long.
RENEGE_FN uint32_t longest(Steps steps, uint32_t most) {
    uint32_t length = 0;
    for (Steps left = steps; left && length < most; left &= steps >> length) ++length;
    return length;
}

// --- the shape of a lead

RENEGE_FN bool less_units(const Led& one, const Led& other) {
    for (uint32_t i = 0; i < one.count && i < other.count; ++i) {
        if (one.units[i] != other.units[i]) return one.units[i] < other.units[i];
    }
    return one.count < other.count;
}

RENEGE_FN Rank greatest_run(const Graded& duty, const Heap& heap) {
    Rank best = 0;
    for (uint32_t width = COPIES; width >= duty.least_width; --width) {
        const uint32_t run = longest(heap.wide[width], STEPS);
        if (run >= duty.least_length && rank_of(width, run) > best) best = rank_of(width, run);
    }
    return best;
}

// Units of one rank may be taken in any order: from the lowest up is enough.
RENEGE_FN Steps not_below(Steps places, uint32_t bottom) { return places & ~((1u << bottom) - 1u); }

RENEGE_APART void cut(const Order& order, uint32_t suit, const Graded& duty, Heap heap, uint32_t bottom, Led& found);

RENEGE_APART void cut_run(const Order& order, uint32_t suit, const Graded& duty, const Heap& heap, Rank rank,
                          uint32_t at, uint32_t last, const Led& before, Led& best) {
    const uint32_t bottom = last + 1u - length_of(rank);
    Heap rest = heap;
    at = take_run(order, suit, rest, width_of(rank), at, last);
    if (at > last) {
        Led other = before;
        other.units[other.count++] = rank;
        cut(order, suit, duty, rest, bottom, other);
        if (less_units(best, other)) best = other;
        return;
    }
    uint32_t tried = 0;
    for (uint32_t slot = order.first[suit][at]; slot < order.first[suit][at + 1u]; ++slot) {
        if (rest.count[slot] < width_of(rank) || tried >> rest.count[slot] & 1u) continue;
        tried |= 1u << rest.count[slot];
        Heap less = rest;
        take(order, suit, less, slot, width_of(rank));
        cut_run(order, suit, duty, less, rank, at + 1u, last, before, best);
    }
}

// The units of a heap, added to those that were found, the last of which begins on the step `bottom`: of all cuttings
// the greatest, compared unit by unit.
RENEGE_APART void cut(const Order& order, uint32_t suit, const Graded& duty, Heap heap, uint32_t bottom, Led& found) {
    while (heap.wide[2]) {
        uint32_t widest_tuple = COPIES;
        while (!heap.wide[widest_tuple]) --widest_tuple;
        const Rank run = greatest_run(duty, heap), tuple = rank_of(widest_tuple, 1u);
        if (!run) {
            uint32_t kinds[COPIES + 1] = {};  // how many have so many cards
            for (uint32_t slot = 0; slot < SLOTS; ++slot) ++kinds[heap.count[slot]];
            for (uint32_t width = widest_tuple; width >= 2u; --width) {
                for (; kinds[width]; --kinds[width]) found.units[found.count++] = rank_of(width, 1u);
            }
            return;
        }
        const Rank rank = run > tuple ? run : tuple;
        const uint32_t length = length_of(rank);
        Steps places = bottoms(heap.wide[width_of(rank)], length);
        if (found.count && found.units[found.count - 1u] == rank) places = not_below(places, bottom);
        if (!places) return;  // it was taken in another order
        if (one_way(order, suit, places, length)) {
            bottom = lowest_bit(places);
            take_run(order, suit, heap, width_of(rank), bottom, bottom + length - 1u);
            found.units[found.count++] = rank;
            continue;
        }
        const Led before = found;
        Led best;
        best.count = 0;
        for (; places; places &= places - 1u) {
            const uint32_t lowest = lowest_bit(places);
            cut_run(order, suit, duty, heap, rank, lowest, lowest + length - 1u, before, best);
        }
        found = best;
        return;
    }
}

RENEGE_FN Led shape_of(const Order& order, uint32_t suit, const Graded& duty, const Heap& heap) {
    Led led;
    led.count = 0;
    cut(order, suit, duty, heap, 0, led);
    return led;
}

}  // namespace renege::tractor::packs
