// A problem of many hands as Python describes it (renege.belief.pools), checked.
#pragma once

#include "worlds_watches.hpp"

#include <cmath>

#include <renege/worlds/pools.hpp>

namespace renege::binding {

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

    void find_reads(WordRows watches, Bytes heights) {
        reads_of.resize(kinds.size());
        const std::vector<WatchField> fields = watch_fields<uint16_t>(watches, 0);
        for (const WatchField& field : fields) too_wide |= field.shift + field.bits > 63;
        read_watches<uint16_t>(watches, heights, copies, hands, moves, accepts,
                               [&](size_t w, uint32_t place, const WatchRead& read) {
            reads_of[place].push_back({fields[w].mask(), fields[w].shift, read.moves, read.accepts, read.width,
                                       read.hands, copies[place] + 1u});
        });
    }
};

}  // namespace renege::binding
