// The Python face of the deals of many hidden hands; renege.belief.pools documents it and plans the chain.
#include "worlds_pools_asked.hpp"

#include <cstring>
#include <memory>
#include <optional>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using worlds::Number;
using worlds::PoolLayer;
using worlds::Stage;

constexpr uint32_t MOST_POOL_LIMBS = 10;

// Calls work.template operator()<LIMBS>() for at least so many limbs.
template <class Work>
auto with_limbs(uint32_t limbs, const Work& work) {
    switch ((limbs + 1) / 2) {
        case 0:
        case 1: return work.template operator()<2>();
        case 2: return work.template operator()<4>();
        case 3: return work.template operator()<6>();
        case 4: return work.template operator()<8>();
        default: return work.template operator()<10>();
    }
    static_assert(MOST_POOL_LIMBS == 10);
}

class PoolTable {
public:
    PoolTable(Bytes kinds, Bytes copies, Words sizes, Rows least, Rows most, WordRows groups, Weights group_weights,
              WordRows watches, Bytes heights, Bytes moves, Bytes accepts, Array<const double, -1, -1> weights,
              Bytes order, Bytes segments, Rows roles, Words members, Words all_sizes,
              bool exact, size_t most_bytes)
        : members_(members.data(), members.data() + members.size()),
          own_sizes_(all_sizes.data(), all_sizes.data() + all_sizes.size()),
          exact_(exact) {
        const auto copied = [](auto& to, const auto& from) { to.assign(from.data(), from.data() + from.size()); };
        copied(given_.kinds, kinds);
        copied(given_.copies, copies);
        copied(given_.sizes, sizes);
        copied(given_.least, least);
        copied(given_.most, most);
        copied(given_.groups, groups);
        copied(given_.group_weights, group_weights);
        copied(given_.moves, moves);
        copied(given_.accepts, accepts);
        copied(given_.weights, weights);
        given_.hands = static_cast<uint32_t>(sizes.size());
        given_.check();
        require(groups.shape(1) == GROUP_COLUMNS, "groups have 6 columns");
        require(watches.shape(1) == 4, "watches have 4 columns");
        given_.find_reads(watches, heights);
        const size_t parts = segments.size();
        require(roles.shape(0) == 2 * parts + 1 && roles.shape(1) == given_.hands, "roles [2 parts + 1, hand]");
        require(members_.size() == given_.hands, "members [hand]");
        for (const uint16_t mask : members_) require(mask && !(mask >> own_sizes_.size()), "no such member");
        size_t sum = 0;
        for (size_t i = 0; i < parts; ++i) sum += segments.data()[i];
        require(sum == order.size(), "segments and order have different sums");
        for (size_t i = 0; i < order.size(); ++i) require(order.data()[i] < given_.kinds.size(), "order");
        nb::gil_scoped_release release;
        if (given_.too_wide || !explore(order, segments, roles, most_bytes)) {
            too_large_ = true;
            return;
        }
        finish();
    }

    bool too_large() const { return too_large_; }
    size_t states() const { return states_; }
    size_t edges() const { return edges_; }

    // The number of deals, lowest byte first; nothing if there is none.
    nb::bytes total() const { return nb::bytes(total_.data(), 8 * total_.size()); }

    bool possible() const { return !middle_.empty(); }

    // out [place, hand, copies + 1]: the chance of so many copies for a hand that stands apart at the kind; else in
    // [..., 0] the number -1 and in [..., r] the expected number of ways to choose r of its copies.
    void odds(Array<double, -1, -1, -1> out) const {
        if (out.shape(0) != given_.kinds.size() || out.shape(1) != given_.hands ||
            out.shape(2) != worlds::POOL_COPIES + 1) {
            throw nb::value_error("out must be [place, hand, 7]");
        }
        if (!possible()) throw nb::value_error("there is no deal");
        nb::gil_scoped_release release;
        std::fill_n(out.data(), out.size(), 0.0);
        std::vector<std::vector<double>> ahead[2];
        for (uint32_t side = 0; side < 2; ++side) ahead[side] = looked_ahead(side, out.data());
        for (uint32_t side = 0; side < 2; ++side) closed_lanes(side, ahead[side], out.data());
        for (uint32_t side = 0; side < 2; ++side) opened_lanes(side, ahead[side], out.data());
    }

    void draw(Array<uint64_t, -1, -1, -1> out, uint64_t seed, uint64_t lane, size_t threads) const {
        if (out.shape(1) != own_sizes_.size() || out.shape(2) < lanes()) throw nb::value_error("out must be [n, hand, layer]");
        if (!possible()) throw nb::value_error("there is no deal");
        nb::gil_scoped_release release;
        split(out.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            const auto deal = std::make_unique<PoolDeal>();
            for (; row < last; ++row) {
                Stream stream = open_stream(seed, Purpose::WORLD, lane + row);
                if (exact_) with_limbs(limbs_, [&]<uint32_t LIMBS>() { walk<LIMBS>(*deal, stream); });
                else walk_weighted(*deal, stream);
                gather(*deal, stream);
                write(*deal, stream, out, row);
            }
            return {};
        });
    }

private:
    PoolGiven given_;
    std::vector<uint16_t> members_, own_sizes_;  // [hand] masks of the hands that it stands for; their sizes
    bool exact_, too_large_ = false;
    AskedSide sides_[2];
    std::vector<std::pair<uint32_t, uint32_t>> middle_;  // states of the two sides that go together
    std::vector<double> middle_worth_;                   // summed up
    std::vector<uint64_t> middle_counts_;                // [middle][2 limbs] summed up
    std::vector<double> binomials_;
    std::vector<uint64_t> exact_binomials_;
    std::vector<uint64_t> total_;
    uint32_t limbs_ = 0;
    size_t states_ = 0, edges_ = 0;

    // Grows the side that has fewer states, part by part, until the two meet; false if that would be too large.
    bool explore(Bytes order, Bytes segments, Rows roles, size_t most_bytes) {
        const auto row = [&](size_t i) { return roles.data() + i * given_.hands; };
        size_t low = 0, high = segments.size(), first = 0, end = order.size();
        PoolSide near(given_, row(0), false), far(given_, row(2 * high), true);
        while (low < high) {
            if (near.too_large || far.too_large || near.bytes() + far.bytes() > most_bytes) return false;
            const bool grow_near = near.keys.size() <= far.keys.size();
            PoolSide& side = grow_near ? near : far;
            side.most_bytes = most_bytes - (grow_near ? far : near).bytes();
            const size_t part = grow_near ? low : high - 1, count = segments.data()[part];
            side.take_roles(row(2 * part + 1));
            const size_t from = grow_near ? first : end - count;
            for (size_t i = from; i < from + count && !side.too_large; ++i) side.deal(order.data()[i]);
            if (side.too_large) return false;
            side.take_roles(row(2 * part + (grow_near ? 2 : 0)));
            if (grow_near) {
                ++low;
                first += count;
            } else {
                --high;
                end -= count;
            }
        }
        // in the middle there are sums of products beside the states
        const size_t joined = 160 * std::min(near.keys.size(), far.keys.size());
        if (near.too_large || far.too_large || near.bytes() + far.bytes() + joined > most_bytes) return false;
        join(near, far);
        states_ = near.states + far.states;
        edges_ = near.edges + far.edges;
        sides_[0].layers = std::move(near.layers);
        sides_[1].layers = std::move(far.layers);
        return true;
    }

    void join(const PoolSide& near, const PoolSide& far) {
        PoolFinder finder;
        std::vector<PoolKey> keys;
        for (const PoolKey& key : far.keys) finder.find(keys, key);
        for (uint32_t state = 0; state < near.keys.size(); ++state) {
            const uint64_t wanted = PoolSide::matching(near.piles, near.keys[state].got, far.piles);
            const uint32_t other = finder.look(keys, PoolKey{wanted, 0});
            if (other != worlds::NEVER) middle_.push_back({state, other});
        }
    }

    void finish() {
        binomials_.resize(worlds::triangle(given_.cards + 1, 0));
        for (uint32_t top = 0; top <= given_.cards; ++top) {
            for (uint32_t part = 0; part <= top; ++part) {
                const bool edge = part == 0 || part == top;
                binomials_[worlds::triangle(top, part)] =
                    edge ? 1 : binomials_[worlds::triangle(top - 1, part - 1)] + binomials_[worlds::triangle(top - 1, part)];
            }
        }
        if (!sides_[0].weigh(binomials_.data()) || !sides_[1].weigh(binomials_.data())) middle_.clear();
        if (middle_.empty()) return;
        weigh_middle();
        if (exact_ && !middle_.empty()) {
            // No state has more deals than this, nor have all of them together; a few bits are to spare for rounding.
            const double near = sides_[0].log_greatest, far = sides_[1].log_greatest;
            const double all = near + far + std::log2(static_cast<double>(middle_.size()));
            limbs_ = static_cast<uint32_t>((std::max({near, far, all / 2}) + 2) / 64) + 1;
            if (limbs_ > MOST_POOL_LIMBS) too_large_ = true;
            else with_limbs(limbs_, [&]<uint32_t LIMBS>() { count<LIMBS>(); });
        }
    }

    void weigh_middle() {
        const std::vector<double>& near = sides_[0].worth.back();
        const std::vector<double>& far = sides_[1].worth.back();
        double sum = 0;
        size_t kept = 0;
        for (const auto& [a, b] : middle_) {
            const double worth = near[a] * far[b];
            if (!(worth > 0)) continue;
            sum += worth;
            middle_[kept++] = {a, b};
            middle_worth_.push_back(sum);
        }
        middle_.resize(kept);
    }

    template <uint32_t LIMBS>
    void count() {
        exact_binomials_.assign(binomials_.size() * LIMBS, 0);
        Number<LIMBS>* const binomials = reinterpret_cast<Number<LIMBS>*>(exact_binomials_.data());
        for (uint32_t top = 0; top <= given_.cards; ++top) {
            for (uint32_t part = 0; part <= top; ++part) {
                Number<LIMBS>& one = binomials[worlds::triangle(top, part)];
                if (part == 0 || part == top) one.limb[0] = 1;
                else {
                    add(one, binomials[worlds::triangle(top - 1, part - 1)], 1);
                    add(one, binomials[worlds::triangle(top - 1, part)], 1);
                }
            }
        }
        for (AskedSide& side : sides_) side.count<LIMBS>(binomials);
        middle_counts_.resize(middle_.size() * 2 * LIMBS);
        Number<2 * LIMBS>* const summed = reinterpret_cast<Number<2 * LIMBS>*>(middle_counts_.data());
        const Number<LIMBS>* const near = sides_[0].counts_at<LIMBS>(sides_[0].views.size());
        const Number<LIMBS>* const far = sides_[1].counts_at<LIMBS>(sides_[1].views.size());
        Number<2 * LIMBS> sum{};
        for (size_t i = 0; i < middle_.size(); ++i) {
            Number<2 * LIMBS> a{}, b{};
            std::memcpy(&a, near + middle_[i].first, sizeof *near);
            std::memcpy(&b, far + middle_[i].second, sizeof *far);
            add(sum, worlds::product(a, b), 1);
            summed[i] = sum;
        }
        total_.assign(sum.limb, sum.limb + 2 * LIMBS);
    }

    // As many as a kind has copies.
    uint32_t lanes() const {
        uint8_t most = 0;
        for (const uint8_t copies : given_.copies) most = std::max(most, copies);
        return most;
    }

    double* row_of(double* out, uint32_t place, uint32_t hand) const {
        return out + (place * given_.hands + hand) * (worlds::POOL_COPIES + 1);
    }

    // How much each state is worth that the walk may still come to, so that worth times this sums up to 1 in each layer;
    // and the chances of hands that stand apart.
    std::vector<std::vector<double>> looked_ahead(uint32_t number, double* out) const {
        const AskedSide& side = sides_[number];
        const std::vector<double>& other = sides_[1 - number].worth.back();
        std::vector<std::vector<double>> ahead(side.worth.size());
        ahead.back().assign(side.worth.back().size(), 0.0);
        for (const auto& [a, b] : middle_) {
            const uint32_t own = number ? b : a, its = number ? a : b;
            ahead.back()[own] = other[its] / middle_worth_.back();
        }
        for (size_t i = side.views.size(); i-- > 0;) {
            const PoolLayer& layer = side.views[i];
            const OwnedLayer& owned = side.layers[i];
            ahead[i].resize(side.worth[i].size());
            std::vector<double> flow(owned.options.size(), 0.0);
            worlds::spread_pool_layer(layer, binomials_.data(), side.scale[i], side.worth[i].data(), ahead[i + 1].data(),
                                      ahead[i].data(), flow.data());
            if (layer.stage != Stage::DEAL) continue;
            for (uint32_t hand = 0; hand < given_.hands; ++hand) {
                double* const row = row_of(out, layer.place, hand);
                const uint32_t pile = owned.piles.of[hand];
                if (owned.piles.role[hand] != APART) {
                    row[0] = -1;
                    continue;
                }
                for (size_t o = 0; o < flow.size(); ++o) row[owned.options[o].gives[pile]] += flow[o];
            }
        }
        return ahead;
    }

    // A hand that closed on this side: its share of what the closed pile gets from there to the other end.
    void closed_lanes(uint32_t number, const std::vector<std::vector<double>>& ahead, double* out) const {
        const AskedSide& side = sides_[number];
        const uint32_t width = lanes();
        for (size_t start = 0; start < side.views.size(); ++start) {
            if (side.views[start].stage != Stage::CLOSE) continue;
            const uint32_t hand = side.views[start].hand;
            std::vector<double> now(side.views[start].targets * width), next;
            worlds::begin_lanes<true>(side.views[start], binomials_.data(), side.scale[start], width,
                                      side.worth[start].data(), now.data());
            for (size_t i = start + 1; i < side.views.size(); ++i) {
                const PoolLayer& layer = side.views[i];
                if (layer.stage == Stage::DEAL) {
                    worlds::read_lanes<true>(layer, side.scale[i], width, layer.closed, now.data(), ahead[i + 1].data(),
                                             row_of(out, layer.place, hand) + 1);
                }
                next.resize(layer.targets * width);
                worlds::move_lanes<true>(layer, binomials_.data(), side.scale[i], width, layer.stage == Stage::CLOSE,
                                         now.data(), next.data());
                now.swap(next);
            }
            std::vector<double> over(sides_[1 - number].worth.back().size() * width, 0.0);
            for (const auto& [a, b] : middle_) {
                const uint32_t own = number ? b : a, its = number ? a : b;
                for (uint32_t r = 0; r < width; ++r) over[its * width + r] = now[own * width + r] / middle_worth_.back();
            }
            back_lanes(1 - number, hand, sides_[1 - number].views.size(), std::move(over), out);
        }
    }

    // A hand that opened on this side: its share of what the future pile got before.
    void opened_lanes(uint32_t number, const std::vector<std::vector<double>>& ahead, double* out) const {
        const AskedSide& side = sides_[number];
        const uint32_t width = lanes();
        for (size_t end = side.views.size(); end-- > 0;) {
            if (side.views[end].stage != Stage::OPEN) continue;
            std::vector<double> now(side.views[end].sources * width);
            worlds::begin_lanes<false>(side.views[end], binomials_.data(), side.scale[end], width, ahead[end + 1].data(),
                                       now.data());
            back_lanes(number, side.views[end].hand, end, std::move(now), out);
        }
    }

    // From the states before layer `end` to the start.
    void back_lanes(uint32_t number, uint32_t hand, size_t end, std::vector<double> now, double* out) const {
        const AskedSide& side = sides_[number];
        const uint32_t width = lanes();
        std::vector<double> next;
        for (size_t i = end; i-- > 0;) {
            const PoolLayer& layer = side.views[i];
            if (layer.stage == Stage::DEAL) {
                worlds::read_lanes<false>(layer, side.scale[i], width, layer.future, now.data(), side.worth[i].data(),
                                          row_of(out, layer.place, hand) + 1);
            }
            next.resize(layer.sources * width);
            worlds::move_lanes<false>(layer, binomials_.data(), side.scale[i], width, layer.stage == Stage::OPEN,
                                      now.data(), next.data());
            now.swap(next);
        }
    }

    template <uint32_t LIMBS>
    void walk(PoolDeal& deal, Stream& stream) const {
        const Number<2 * LIMBS>* const summed = reinterpret_cast<const Number<2 * LIMBS>*>(middle_counts_.data());
        const Number<2 * LIMBS> rank = worlds::draw_any_below(stream, summed[middle_.size() - 1]);
        const size_t at = std::partition_point(summed, summed + middle_.size(),
                                               [&](const Number<2 * LIMBS>& one) { return !less(rank, one); }) - summed;
        const Number<LIMBS>* const binomials = reinterpret_cast<const Number<LIMBS>*>(exact_binomials_.data());
        for (uint32_t number = 0; number < 2; ++number) {
            const AskedSide& side = sides_[number];
            uint32_t state = number ? middle_[at].second : middle_[at].first;
            Number<LIMBS> own = worlds::draw_any_below(stream, side.counts_at<LIMBS>(side.views.size())[state]);
            for (size_t i = side.views.size(); i-- > 0;) {
                const uint32_t edge =
                    worlds::step_back(side.views[i], binomials, side.counts_at<LIMBS>(i), state, own, stream);
                deal.left[number][i] = edge;
                state = worlds::source_of(side.views[i], edge);
            }
        }
    }

    void walk_weighted(PoolDeal& deal, Stream& stream) const {
        const double point = static_cast<double>(stream.next() >> 11) * 0x1p-53 * middle_worth_.back();
        const size_t found = std::upper_bound(middle_worth_.begin(), middle_worth_.end(), point) - middle_worth_.begin();
        const size_t at = std::min(found, middle_.size() - 1);
        for (uint32_t number = 0; number < 2; ++number) {
            const AskedSide& side = sides_[number];
            uint32_t state = number ? middle_[at].second : middle_[at].first;
            for (size_t i = side.views.size(); i-- > 0;) {
                const uint32_t edge =
                    worlds::step_back(side.views[i], binomials_.data(), side.worth[i].data(), state, stream);
                deal.left[number][i] = edge;
                state = worlds::source_of(side.views[i], edge);
            }
        }
    }

    // Gives the hands what the walk says, and splits the piles: from each end to the other, hands take their part of the
    // pile that lies there when they open.
    void gather(PoolDeal& deal, Stream& stream) const {
        std::memset(deal.got, 0, sizeof deal.got);
        for (uint32_t number = 0; number < 2; ++number) {
            const AskedSide &from = sides_[number], &to = sides_[1 - number];
            deal.in_pile = 0;
            for (size_t i = 0; i < from.views.size(); ++i) {
                const PoolLayer& layer = from.views[i];
                const uint32_t edge = deal.left[number][i];
                if (layer.stage == Stage::OPEN) deal.split_off(layer.hand, layer.parts[edge], stream);
                if (layer.stage != Stage::DEAL) continue;
                const worlds::PoolOption& option = worlds::option_at(layer, edge);
                if (layer.future != worlds::NO_PILE) deal.add(layer.place, option.gives[layer.future]);
                const Piles& piles = from.layers[i].piles;
                for (uint32_t hand = 0; hand < given_.hands; ++hand) {
                    if (piles.role[hand] == APART) deal.got[hand][layer.place] = option.gives[piles.of[hand]];
                }
            }
            for (size_t i = to.views.size(); i-- > 0;) {
                const PoolLayer& layer = to.views[i];
                const uint32_t edge = deal.left[1 - number][i];
                if (layer.stage == Stage::CLOSE) deal.split_off(layer.hand, layer.parts[edge], stream);
                if (layer.stage != Stage::DEAL || layer.closed == worlds::NO_PILE) continue;
                deal.add(layer.place, worlds::option_at(layer, edge).gives[layer.closed]);
            }
        }
    }

    void write(PoolDeal& deal, Stream& stream, Array<uint64_t, -1, -1, -1>& out, size_t row) const {
        const size_t layers = out.shape(2), hands = out.shape(1);
        uint64_t* const cards = out.data() + hands * layers * row;
        std::fill_n(cards, hands * layers, 0);
        for (uint32_t hand = 0; hand < given_.hands; ++hand) {
            uint32_t who = static_cast<uint32_t>(std::countr_zero(members_[hand]));
            const bool single = std::has_single_bit(members_[hand]);
            deal.in_pile = 0;
            for (uint32_t place = 0; place < given_.kinds.size(); ++place) {
                const uint32_t copies = deal.got[hand][place];
                if (!single) deal.add(place, copies);
                else for (uint32_t n = 0; n < copies; ++n) cards[who * layers + n] |= uint64_t{1} << given_.kinds[place];
            }
            if (single) continue;
            for (uint32_t left = members_[hand]; left; left &= left - 1) {
                who = static_cast<uint32_t>(std::countr_zero(left));
                for (uint32_t n = own_sizes_[who]; n > 0; --n) {
                    const uint32_t i = left & (left - 1) ? worlds::draw_index(stream, deal.in_pile) : deal.in_pile - 1;
                    const uint64_t bit = uint64_t{1} << given_.kinds[deal.pile[i]];
                    uint64_t* layer = cards + who * layers;
                    while (*layer & bit) ++layer;
                    *layer |= bit;
                    deal.pile[i] = deal.pile[--deal.in_pile];
                }
            }
        }
    }
};

}  // namespace

void bind_worlds_pools(nb::module_& module) {
    nb::class_<PoolTable>(module, "PoolTable")
        .def(nb::init<Bytes, Bytes, Words, Rows, Rows, WordRows, Weights, WordRows, Bytes, Bytes, Bytes,
                      Array<const double, -1, -1>, Bytes, Bytes, Rows, Words, Words, bool, size_t>(),
             "kinds"_a.noconvert(), "copies"_a.noconvert(), "sizes"_a.noconvert(), "least"_a.noconvert(),
             "most"_a.noconvert(), "groups"_a.noconvert(), "group_weights"_a.noconvert(), "watches"_a.noconvert(),
             "heights"_a.noconvert(), "moves"_a.noconvert(), "accepts"_a.noconvert(), "weights"_a.noconvert(),
             "order"_a.noconvert(), "segments"_a.noconvert(), "roles"_a.noconvert(), "members"_a.noconvert(),
             "all_sizes"_a.noconvert(), "exact"_a, "most_bytes"_a)
        .def_prop_ro("too_large", &PoolTable::too_large)
        .def_prop_ro("states", &PoolTable::states)
        .def_prop_ro("edges", &PoolTable::edges)
        .def_prop_ro("possible", &PoolTable::possible)
        .def("total", &PoolTable::total)
        .def("odds", &PoolTable::odds, "out"_a.noconvert())
        .def("draw", &PoolTable::draw, "out"_a.noconvert(), "seed"_a, "first_lane"_a, "threads"_a);
}
