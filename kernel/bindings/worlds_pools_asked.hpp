// A side of the chain of renege/worlds/pools.hpp with the ways to its states, and a deal that is put together from two.
#pragma once

#include "worlds_pools.hpp"

#include <cmath>

namespace renege::binding {

using worlds::Number;
using worlds::PoolLayer;

// One end of the chain as it is asked: numbers of ways to each state, exact and as doubles.
struct AskedSide {
    std::vector<OwnedLayer> layers;
    std::vector<PoolLayer> views;
    std::vector<std::vector<double>> worth;      // [layer][state]: before the layer; one more after the last
    std::vector<double> scale;                   // [layer] by how much `worth` was divided
    std::vector<std::vector<uint64_t>> counts;   // [layer][state * limbs]
    double log_greatest = 0;                     // base 2, of all states

    template <uint32_t LIMBS>
    const Number<LIMBS>* counts_at(size_t layer) const {
        return reinterpret_cast<const Number<LIMBS>*>(counts[layer].data());
    }

    bool weigh(const double* binomials) {
        worth.assign(1, {1.0});
        double log_scale = 0;
        for (OwnedLayer& layer : layers) {
            views.push_back(layer.seen());
            worth.emplace_back(layer.view.targets);
            scale.push_back(
                worlds::weigh_pool_layer(views.back(), binomials, worth[worth.size() - 2].data(), worth.back().data()));
            if (!(scale.back() > 0)) return false;
            log_scale += std::log2(scale.back());
            log_greatest = std::max(log_greatest, log_scale);
        }
        return true;
    }

    template <uint32_t LIMBS>
    void count(const Number<LIMBS>* binomials) {
        counts.assign(1, std::vector<uint64_t>(LIMBS, 0));
        counts[0][0] = 1;
        for (const PoolLayer& layer : views) {
            counts.emplace_back(size_t{layer.targets} * LIMBS);
            worlds::count_pool_layer(layer, binomials, counts_at<LIMBS>(counts.size() - 2),
                                     reinterpret_cast<Number<LIMBS>*>(counts.back().data()));
        }
    }
};

// The cards of a deal while it is put together: what each hand got of each kind, and a pile to be split.
struct PoolDeal {
    uint8_t got[worlds::MAX_PILES][worlds::MAX_KINDS];
    uint8_t pile[MOST_POOLED_CARDS];
    uint32_t in_pile;
    uint32_t left[2][2 * worlds::MAX_KINDS + 4 * worlds::MAX_PILES];  // [side][layer] the edge that was taken

    void add(uint32_t place, uint32_t copies) {
        while (copies-- > 0) pile[in_pile++] = static_cast<uint8_t>(place);
    }

    // Any so many cards of the pile.
    void split_off(uint32_t hand, uint32_t cards, Stream& stream) {
        for (; cards; --cards) {
            const uint32_t i = cards == in_pile ? in_pile - 1 : worlds::draw_index(stream, in_pile);
            ++got[hand][pile[i]];
            pile[i] = pile[--in_pile];
        }
    }
};

}  // namespace renege::binding
