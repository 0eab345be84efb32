// From a problem as Python describes it (renege.belief.problem) to the plan that the walk of renege/worlds/graph.hpp needs.
#pragma once

#include "worlds_watches.hpp"

#include <renege/worlds/draws.hpp>

namespace renege::binding {

using Rows = Array<const uint8_t, -1, -1>;
using Weights = Array<const uint32_t, -1, -1>;

// A plan and what it points to.
class WorldPlan {
public:
    std::vector<worlds::Layer> layers;
    std::vector<worlds::Option> options;
    std::vector<worlds::Read> reads;
    std::vector<uint8_t> moves, accepts;
    std::vector<uint32_t> place_of;          // [layer]
    std::vector<worlds::Option> forced;      // [place] the only option of a kind that is no layer
    std::vector<uint8_t> kinds, layer_kinds, copies;
    uint64_t start = worlds::NO_STATE;       // the key before the first layer; NO_STATE: nothing can be dealt
    bool too_wide = false;                   // the watches need more bits than a key has
    uint32_t hands, most_copies = 2;

    WorldPlan(Bytes kind_ids, Bytes kind_copies, Bytes sizes, Rows least, Rows most, Rows groups, Weights weights,
              Rows watches, Bytes heights, Bytes all_moves, Bytes all_accepts)
        : moves(all_moves.data(), all_moves.data() + all_moves.size()),
          accepts(all_accepts.data(), all_accepts.data() + all_accepts.size()),
          kinds(kind_ids.data(), kind_ids.data() + kind_ids.size()),
          copies(kind_copies.data(), kind_copies.data() + kind_copies.size()),
          hands(static_cast<uint32_t>(sizes.size())) {
        check(sizes, least, most, groups, weights, watches);
        std::vector<std::vector<worlds::Option>> splits(kinds.size());
        for (uint32_t place = 0; place < kinds.size(); ++place) {
            splits[place] = find_splits(place, least, most, groups, weights);
        }
        lay_out(sizes, watches);
        find_reads(watches, heights);
        if (!too_wide) make_layers(sizes, splits);
    }

    worlds::Plan view() const {
        return {layers.data(), options.data(), reads.data(), moves.data(), accepts.data(), needs, guards, determining,
                static_cast<uint32_t>(layers.size()), hands};
    }

private:
    uint64_t needs = 0, guards = 0, determining = 0;
    uint32_t shift_of[worlds::MAX_HANDS] = {};
    std::vector<WatchField> fields;  // [watch]
    std::vector<std::vector<worlds::Read>> reads_of;  // [place]

    static constexpr uint32_t KEY_BITS = 63;  // so that none is NO_STATE

    void check(Bytes sizes, Rows least, Rows most, Rows groups, Weights weights, Rows watches) {
        require(hands >= 1 && hands <= worlds::MAX_HANDS, "1 to 5 hands");
        require(kinds.size() <= worlds::MAX_KINDS && kinds.size() == copies.size(), "at most 64 kinds");
        for (Rows rows : {least, most}) require(rows.shape(0) == kinds.size() && rows.shape(1) == hands, "[place, hand]");
        require(groups.shape(1) == 4 && watches.shape(1) == 4, "groups and watches have 4 columns");
        require(weights.shape(0) == groups.shape(0) && weights.shape(1) == worlds::MAX_COPIES + 1, "[group, copies]");
        uint32_t dealt = 0, wanted = 0;
        for (size_t i = 0; i < kinds.size(); ++i) {
            require(kinds[i] < 64 && copies[i] <= worlds::MAX_COPIES, "kinds are 0..63, with at most 4 copies");
            dealt += copies[i];
            most_copies = std::max<uint32_t>(most_copies, copies[i]);
        }
        for (size_t hand = 0; hand < hands; ++hand) {
            require(sizes.data()[hand] < 128, "a hand has at most 127 cards");
            wanted += sizes.data()[hand];
        }
        require(dealt == wanted, "sizes and copies have different sums");
    }

    std::vector<worlds::Option> find_splits(uint32_t place, Rows least, Rows most, Rows groups, Weights weights) const {
        std::vector<worlds::Option> found;
        const uint8_t* const low = least.data() + place * hands;
        const uint8_t* const high = most.data() + place * hands;
        worlds::Option option{};
        const auto give = [&](const auto& self, uint32_t hand, uint32_t left) -> void {
            if (hand == hands) {
                const uint32_t weight = left ? 0 : weigh(place, groups, weights, option);
                if (weight) found.push_back(with_ways(option, copies[place], weight));
                return;
            }
            for (int n = static_cast<int>(std::min<uint32_t>(left, high[hand])); n >= low[hand]; --n) {
                option.gives[hand] = static_cast<uint8_t>(n);
                self(self, hand + 1, left - n);
            }
        };
        give(give, 0, copies[place]);
        return found;
    }

    // How much a split counts: the product of what the groups make of it, 0 if one of them objects.
    uint32_t weigh(uint32_t place, Rows groups, Weights weights, const worlds::Option& option) const {
        uint32_t weight = 1;
        for (size_t row = 0; row < groups.shape(0); ++row) {
            const uint8_t* const group = groups.data() + 4 * row;
            uint32_t together = 0;
            for (uint32_t hand = 0; hand < hands; ++hand) together += (group[1] >> hand & 1u) * option.gives[hand];
            if (group[0] != place) continue;
            if (together < group[2] || together > group[3]) return 0;
            weight *= weights.data()[(worlds::MAX_COPIES + 1) * row + together];
        }
        return weight;
    }

    worlds::Option with_ways(worlds::Option option, uint32_t left, uint32_t weight) const {
        constexpr uint32_t FACTORIAL[] = {1, 1, 2, 6, 24};
        static_assert(worlds::MAX_COPIES == 4);
        option.ways = FACTORIAL[left];
        for (uint32_t hand = 0; hand < hands; ++hand) option.ways /= FACTORIAL[option.gives[hand]];
        option.ways *= weight;
        return option;
    }

    // Gives hands and watches their fields in a key.
    void lay_out(Bytes sizes, Rows watches) {
        const uint32_t top = static_cast<uint32_t>(std::max_element(sizes.data(), sizes.data() + hands) - sizes.data());
        uint32_t used = 0;
        const auto place_hand = [&](uint32_t hand) {
            const uint32_t bits = static_cast<uint32_t>(std::bit_width(sizes.data()[hand]));
            shift_of[hand] = used;
            too_wide |= used + bits + 1 > KEY_BITS;
            if (too_wide) return;
            needs |= ((uint64_t{1} << bits) - 1) << used;
            guards |= uint64_t{1} << (used + bits);
            used += bits + 1;
        };
        for (uint32_t hand = 0; hand < hands; ++hand) {
            if (hand != top) place_hand(hand);
        }
        fields = watch_fields<uint8_t>(watches, used);
        for (const WatchField& field : fields) used = std::max(used, field.shift + field.bits);
        too_wide |= used >= KEY_BITS;
        if (too_wide) return;
        determining = (uint64_t{1} << used) - 1;
        place_hand(top);
    }

    void find_reads(Rows watches, Bytes heights) {
        reads_of.resize(kinds.size());
        read_watches<uint8_t>(watches, heights, copies, hands, moves, accepts,
                              [&](size_t w, uint32_t place, const WatchRead& read) {
            if (too_wide) return;
            reads_of[place].push_back({fields[w].mask(), fields[w].shift, read.moves, read.accepts, read.width,
                                       static_cast<uint8_t>(std::countr_zero(read.hands)), 0,
                                       static_cast<uint8_t>(read.hands & (read.hands - 1)),
                                       static_cast<uint8_t>(copies[place] + 1)});
        });
    }

    // Kinds that can be split in only one way are dealt first, and of them only the watches need to hear.
    void make_layers(Bytes sizes, const std::vector<std::vector<worlds::Option>>& splits) {
        int left[worlds::MAX_HANDS], first_left[worlds::MAX_HANDS];
        for (uint32_t hand = 0; hand < hands; ++hand) left[hand] = sizes.data()[hand];
        forced.resize(kinds.size());
        for (uint32_t place = 0; place < kinds.size(); ++place) {
            if (splits[place].empty()) return;
            if (splits[place].size() > 1) continue;
            forced[place] = splits[place][0];
            for (uint32_t hand = 0; hand < hands; ++hand) left[hand] -= forced[place].gives[hand];
        }
        uint64_t key = 0;
        for (uint32_t hand = 0; hand < hands; ++hand) {
            if (left[hand] < 0) return;
            first_left[hand] = left[hand];
            key |= static_cast<uint64_t>(left[hand]) << shift_of[hand];
        }
        uint32_t before = 0;  // reads ahead of the first layer
        for (uint32_t place = 0; place < kinds.size(); ++place) {
            const bool layer = splits[place].size() > 1;
            if (layer) add_layer(place, splits[place], first_left);
            for (worlds::Read read : reads_of[place]) {
                if (!layer) {
                    read.copies = static_cast<uint8_t>(worlds::copies_read(read, forced[place].gives));
                    read.hand = worlds::NOBODY;
                }
                reads.push_back(read);
                ++(layers.empty() ? before : layers.back().reads);
            }
        }
        if (find_bounds(first_left)) start = worlds::read_on(view(), key, 0, before, nullptr);
    }

    void add_layer(uint32_t place, const std::vector<worlds::Option>& split, const int* left) {
        const uint32_t first = static_cast<uint32_t>(options.size());
        for (worlds::Option option : split) {
            bool fits = true;
            for (uint32_t hand = 0; hand < hands; ++hand) {
                fits &= option.gives[hand] <= left[hand];  // so a field is never borrowed from twice
                option.taken += static_cast<uint64_t>(option.gives[hand]) << shift_of[hand];
            }
            if (fits) options.push_back(option);
        }
        layers.push_back({kinds[place], first, static_cast<uint32_t>(options.size()) - first,
                          static_cast<uint32_t>(reads.size()), 0, 0, 0});
        layer_kinds.push_back(kinds[place]);
        place_of.push_back(place);
    }

    // What hands must and can get from later layers, at most what they need at all. False if that cannot be enough.
    bool find_bounds(const int* left) {
        int least[worlds::MAX_HANDS] = {}, most[worlds::MAX_HANDS] = {};
        for (size_t i = layers.size(); i-- > 0;) {
            worlds::Layer& layer = layers[i];
            if (!layer.options) return false;
            for (uint32_t hand = 0; hand < hands; ++hand) {
                layer.least |= static_cast<uint64_t>(least[hand]) << shift_of[hand];
                layer.most |= static_cast<uint64_t>(std::min(most[hand], left[hand])) << shift_of[hand];
                int low = worlds::MAX_COPIES, high = 0;
                for (uint32_t o = layer.first_option; o < layer.first_option + layer.options; ++o) {
                    low = std::min<int>(low, options[o].gives[hand]);
                    high = std::max<int>(high, options[o].gives[hand]);
                }
                least[hand] += low;
                most[hand] += high;
                if (least[hand] > left[hand]) return false;
            }
        }
        for (uint32_t hand = 0; hand < hands; ++hand) {
            if (most[hand] < left[hand]) return false;
        }
        return true;
    }
};

}  // namespace renege::binding
