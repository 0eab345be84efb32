// Watches of a problem as Python describes them (renege.belief.problem), checked and given their fields in a key: for
// the plan of the graph, whose rows have 8 bits, and for pools, whose masks of hands need 16.
#pragma once

#include "batch.hpp"

#include <bit>

#include <renege/worlds/graph.hpp>

namespace renege::binding {

using Bytes = Array<const uint8_t, -1>;

inline void require(bool holds, const char* what) {
    if (!holds) throw nb::value_error(what);
}

// Where a watch keeps its state in a key.
struct WatchField {
    uint32_t shift, bits;

    uint64_t mask() const { return (uint64_t{1} << bits) - 1; }
};

// A row is (mask of hands, first place, places, largest state). Watches that never read at the same time may share bits;
// no field lies below `lowest`.
template <class Number>
std::vector<WatchField> watch_fields(Array<const Number, -1, -1> watches, uint32_t lowest) {
    std::vector<WatchField> fields;
    for (size_t w = 0; w < watches.shape(0); ++w) {
        const Number* const watch = watches.data() + 4 * w;
        const uint32_t bits = std::max<uint32_t>(1, static_cast<uint32_t>(std::bit_width(watch[3])));
        uint32_t shift = lowest;
        for (bool moved = true; moved;) {
            moved = false;
            for (size_t other = 0; other < w; ++other) {
                const Number* const old = watches.data() + 4 * other;
                const bool same_time = old[1] < watch[1] + watch[2] && watch[1] < old[1] + old[2];
                const uint32_t end = fields[other].shift + fields[other].bits;
                if (!same_time || shift >= end || fields[other].shift >= shift + bits) continue;
                shift = end;
                moved = true;
            }
        }
        fields.push_back({shift, bits});
    }
    return fields;
}

// What a watch reads at a place.
struct WatchRead {
    uint32_t hands;           // a mask
    uint32_t moves, accepts;  // where its tables begin; NEVER where it goes on reading
    uint32_t width;           // of a row of moves
};

// Tables of a watch stand one after another in `moves`, [state][copies] for each place it reads, `heights` says how many
// states; those of `accepts` likewise. Calls take(watch, place, read) for each place that a watch reads.
template <class Number, class Take>
void read_watches(Array<const Number, -1, -1> watches, Bytes heights, const std::vector<uint8_t>& copies, uint32_t hands,
                  const std::vector<uint8_t>& moves, const std::vector<uint8_t>& accepts, const Take& take) {
    size_t height = 0, move = 0, accept = 0;
    for (size_t w = 0; w < watches.shape(0); ++w) {
        const Number* const watch = watches.data() + 4 * w;
        const uint32_t first = watch[1], last = first + watch[2];
        require(watch[0] && !(watch[0] >> hands) && watch[2] && last <= copies.size(),
                "a watch reads places that are not there");
        require(height + watch[2] + 1 <= heights.size() && heights.data()[height], "heights are too few");
        for (uint32_t place = first; place < last; ++place, ++height) {
            const uint32_t states = heights.data()[height], after = heights.data()[height + 1];
            uint32_t width = 1;
            for (int n = std::popcount(watch[0]); n-- > 0;) width *= copies[place] + 1u;
            require(width <= 256, "a watch reads the copies of too many hands");
            require(move + states * width <= moves.size(), "moves are too few");
            for (size_t i = move; i < move + states * width; ++i) {
                require(moves[i] == worlds::DEAD || (moves[i] < after && moves[i] <= watch[3]), "no such state");
            }
            const bool ends = place + 1 == last;
            if (ends) require(accept + after <= accepts.size(), "accepts are too few");
            const uint32_t at_end = ends ? static_cast<uint32_t>(accept) : worlds::NEVER;
            take(w, place, WatchRead{watch[0], static_cast<uint32_t>(move), at_end, width});
            move += states * width;
        }
        accept += heights.data()[height++];
    }
}

}  // namespace renege::binding
