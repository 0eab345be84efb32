// A problem of many hands as Python describes it (renege.belief.pools), checked.
#pragma once

#include "batch.hpp"

#include <bit>
#include <cmath>

#include <renege/worlds/graph.hpp>
#include <renege/worlds/pools.hpp>

namespace renege::binding {

using Bytes = Array<const uint8_t, -1>;
using Words = Array<const uint16_t, -1>;
using WordRows = Array<const uint16_t, -1, -1>;
using Rows = Array<const uint8_t, -1, -1>;
using Weights = Array<const uint32_t, -1, -1>;

constexpr uint32_t MOST_POOLED_CARDS = worlds::MAX_KINDS * worlds::POOL_COPIES;

constexpr uint32_t GROUP_COLUMNS = 6;
constexpr uint32_t GROUP_BASE = worlds::POOL_COPIES + 1;
constexpr uint32_t GROUP_WEIGHTS = GROUP_BASE * GROUP_BASE * GROUP_BASE;

struct PoolRead {
    uint64_t mask;
    uint32_t shift, moves, accepts, width;  // as worlds::Read
    uint32_t hands, base;
};

// A problem as Python describes it: hands of which nothing at all is known are one hand already.
struct PoolGiven {
    std::vector<uint8_t> kinds, copies, moves, accepts;
    std::vector<uint16_t> sizes, groups;  // groups [n, 6]: place, hands, least, most, two more masks of hands
    std::vector<uint8_t> least, most;     // [place, hand]
    std::vector<uint32_t> group_weights;  // [n, GROUP_WEIGHTS] by the copies of the three masks, the first fastest
    std::vector<double> weights;          // [place, hand]
    std::vector<std::vector<PoolRead>> reads_of;  // [place]
    uint32_t hands = 0, cards = 0;
    size_t state_bytes = 0;
    bool too_wide = false;

    static void require(bool holds, const char* what) {
        if (!holds) throw nb::value_error(what);
    }

    void check() {
        require(hands >= 1 && hands <= worlds::MAX_PILES, "1 to 10 hands");
        require(kinds.size() <= worlds::MAX_KINDS && kinds.size() == copies.size(), "at most 64 kinds");
        require(least.size() == kinds.size() * hands && most.size() == least.size(), "[place, hand]");
        require(weights.size() == least.size(), "weights must be [place, hand]");
        require(groups.size() / GROUP_COLUMNS * GROUP_WEIGHTS == group_weights.size(), "[group, copies of three masks]");
        uint32_t wanted = 0;
        for (size_t i = 0; i < kinds.size(); ++i) {
            require(kinds[i] < 64 && copies[i] <= worlds::POOL_COPIES, "kinds are 0..63, with at most 6 copies");
            cards += copies[i];
        }
        for (const uint16_t size : sizes) wanted += size;
        require(cards == wanted, "sizes and copies have different sums");
        double bits = std::lgamma(cards + 1.0);
        for (const uint16_t size : sizes) bits -= std::lgamma(size + 1.0);
        bits /= std::log(2.0);
        // Half of the deals' bits are on each side, and a little more where the halves are not even.
        const uint32_t limbs = 2 * (static_cast<uint32_t>(0.6 * bits / 128) + 1);
        state_bytes = 20 + 8 * limbs;
    }

    // As WorldPlan reads them, but a watch's hands are a mask of 16 bits. Those that read at the same time have fields of
    // their own.
    void find_reads(WordRows watches, Bytes heights) {
        reads_of.resize(kinds.size());
        std::vector<uint32_t> shifts, widths;
        size_t height = 0, move = 0, accept = 0;
        for (size_t w = 0; w < watches.shape(0); ++w) {
            const uint16_t* const watch = watches.data() + 4 * w;
            const uint32_t first = watch[1], last = first + watch[2];
            require(watch[0] && !(watch[0] >> hands) && watch[2] && last <= kinds.size(),
                    "a watch reads places that are not there");
            const uint32_t bits = std::max<uint32_t>(1, static_cast<uint32_t>(std::bit_width(watch[3])));
            uint32_t shift = 0;
            for (bool moved = true; moved;) {
                moved = false;
                for (size_t other = 0; other < w; ++other) {
                    const uint16_t* const old = watches.data() + 4 * other;
                    const bool same_time = old[1] < last && first < static_cast<uint32_t>(old[1] + old[2]);
                    const uint32_t end = shifts[other] + widths[other];
                    if (!same_time || shift >= end || shifts[other] >= shift + bits) continue;
                    shift = end;
                    moved = true;
                }
            }
            shifts.push_back(shift);
            widths.push_back(bits);
            too_wide |= shift + bits > 63;
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
                reads_of[place].push_back({(uint64_t{1} << bits) - 1, shift, static_cast<uint32_t>(move),
                                           ends ? static_cast<uint32_t>(accept) : worlds::NEVER, width, watch[0],
                                           copies[place] + 1u});
                move += states * width;
            }
            accept += heights.data()[height++];
        }
    }
};

}  // namespace renege::binding
