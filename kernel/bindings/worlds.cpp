// The Python face of the deals of hidden cards; renege.belief.worlds documents it and allocates the arrays.
#include "worlds_plan.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using worlds::Fork;
using worlds::Graph;
using worlds::Number;

constexpr uint32_t LANES = 8;            // deals walked side by side
constexpr uint32_t LARGEST_DIRECT = 20;  // bits of a key for which a finder has a slot for all they can be: 4 MiB

// Calls work.template operator()<LIMBS>() for a number of limbs known only now.
template <class Work>
auto with_limbs(uint32_t limbs, const Work& work) {
    switch (limbs) {
        case 1: return work.template operator()<1>();
        case 2: return work.template operator()<2>();
        case 3: return work.template operator()<3>();
        case 4: return work.template operator()<4>();
        case 5: return work.template operator()<5>();
        default: return work.template operator()<6>();
    }
    static_assert(worlds::MAX_LIMBS == 6);
}

// The counts of all states, labelled or not, of as many limbs as the largest needs.
struct Counts {
    uint32_t limbs = 0;
    std::vector<uint64_t> words;  // [states][limbs]

    template <uint32_t LIMBS>
    const Number<LIMBS>* as() const {
        return reinterpret_cast<const Number<LIMBS>*>(words.data());
    }
};

class WorldTable {
public:
    WorldTable(Bytes kinds, Bytes copies, Bytes sizes, Rows least, Rows most, Rows groups, Weights weights, Rows watches,
               Bytes heights, Bytes moves, Bytes accepts, size_t most_bytes)
        : plan_(kinds, copies, sizes, least, most, groups, weights, watches, heights, moves, accepts) {
        nb::gil_scoped_release release;
        too_large_ = plan_.too_wide || !explore(most_bytes);
        if (too_large_ || !possible_) return;
        prune();
        too_large_ = about_ >= std::ldexp(1, 64 * worlds::MAX_LIMBS - 1);
        if (too_large_ || !possible_) return;
        labelled_ = count(true);
        common_ = common();
    }

    bool too_large() const { return too_large_; }
    size_t states() const { return possible_ ? first_.back() + 1 : 0; }
    size_t edges() const { return edges_.size(); }

    // The number of deals of the layers, without the labels of kinds that were dealt first.
    nb::bytes total(bool labelled) {
        if (!possible_) return nb::bytes("", 0);
        const Counts* counts;
        {
            nb::gil_scoped_release release;
            counts = &counted(labelled);
        }
        return nb::bytes(counts->words.data(), 8 * counts->limbs);
    }

    // Labelled deals that look alike because of the kinds that were dealt first: a factor for each place.
    void forced_ways(Array<uint32_t, -1> out) const {
        same_rows(out.shape(0), plan_.kinds.size());
        for (size_t place = 0; place < plan_.kinds.size(); ++place) {
            const bool forced = possible_ && plan_.forced[place].ways;
            out.data()[place] = forced ? plan_.forced[place].ways : 1;
        }
    }

    void draw(Array<uint64_t, -1, -1, -1> out, uint64_t seed, uint64_t lane, size_t threads) {
        check(out);
        nb::gil_scoped_release release;
        const bool quick = has_forks();
        split(out.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            if (quick) draw_forks(out, seed, lane, row, last);
            else with_limbs(labelled_.limbs, [&]<uint32_t LIMBS>() { draw_rows<LIMBS>(out, seed, lane, row, last); });
            return {};
        });
    }

    // The graph as bytes, for a device to draw from; chances [edges] are for draws by weight.
    nb::dict parts() {
        nb::dict found;
        if (!possible_) return found;
        const auto bytes = [](const auto& values) { return nb::bytes(values.data(), values.size() * sizeof values[0]); };
        found["layers"] = bytes(plan_.layers);
        found["options"] = bytes(plan_.options);
        found["first"] = bytes(first_);
        found["begin"] = bytes(begin_);
        found["edges"] = bytes(edges_);
        found["counts"] = bytes(labelled_.words);
        found["common"] = bytes(common_);
        found["kinds"] = bytes(plan_.layer_kinds);
        found["forks"] = has_forks() ? bytes(forks_) : nb::bytes("", 0);
        return found;
    }

    void chances(Array<const double, -1, -1> weights, Array<double, -1> out) {
        check(weights);
        same_rows(out.shape(0), edges_.size());
        std::optional<std::vector<double>> found;
        {
            nb::gil_scoped_release release;
            found = chances_of(weights);
        }
        if (!found) throw nb::value_error("the weights leave no deal");
        std::copy(found->begin(), found->end(), out.data());
    }

    void draw_weighted(Array<const double, -1, -1> weights, Array<uint64_t, -1, -1, -1> out, uint64_t seed,
                       uint64_t lane, size_t threads) {
        check(out);
        check(weights);
        bool some = true;
        {
            nb::gil_scoped_release release;
            const std::optional<std::vector<double>> chances = chances_of(weights);
            some = chances.has_value();
            if (some) {
                split(out.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
                    uint8_t taken[worlds::MAX_KINDS];
                    for (; row < last; ++row) {
                        Stream stream = open_stream(seed, Purpose::WORLD, lane + row);
                        worlds::draw_weighted(view_, graph(), chances->data(), stream, taken);
                        write(taken, out, row);
                    }
                    return {};
                });
            }
        }
        if (!some) throw nb::value_error("the weights leave no deal");
    }

    // The deals of consecutive ranks, those that can be told apart; `first` has limbs as `total(False)`, lowest first.
    void list(Array<const uint64_t, -1> first, Array<uint64_t, -1, -1, -1> out) {
        check(out);
        const Counts& counts = counted(false);
        if (first.shape(0) != counts.limbs) throw nb::value_error("first: as many limbs as the total");
        nb::gil_scoped_release release;
        with_limbs(counts.limbs, [&]<uint32_t LIMBS>() {
            Number<LIMBS> rank;
            Number<LIMBS> unit{};
            unit.limb[0] = 1;
            std::memcpy(&rank, first.data(), sizeof rank);
            const Number<LIMBS>* const all = counts.as<LIMBS>();
            uint8_t taken[worlds::MAX_KINDS];
            for (size_t row = 0; row < out.shape(0) && worlds::less(rank, all[0]); ++row) {
                worlds::unrank(view_, graph(), all, false, rank, taken);
                write(taken, out, row);
                worlds::add(rank, unit, 1);
            }
        });
    }

    // out [place, hand, copies + 1]: how likely a hand gets so many copies.
    void odds(Array<const double, -1, -1> weights, Array<double, -1, -1, -1> out) {
        const size_t hands = plan_.hands, width = out.shape(2);
        if (out.shape(0) != plan_.kinds.size() || out.shape(1) != hands || width <= plan_.most_copies) {
            throw nb::value_error("out must be [place, hand, copies + 1]");
        }
        if (!possible_) throw nb::value_error("there is no deal");
        check(weights);
        bool some = true;
        {
            nb::gil_scoped_release release;
            const std::vector<double> weight = option_weights(weights);
            std::vector<double> values, reached(states(), 0.0), odds(weight.size(), 0.0);
            some = weigh(weights, weight, values);
            reached[0] = 1;
            for (uint32_t depth = 0; some && depth < depth_; ++depth) {
                worlds::spread_layer(view_, graph(), depth, weight.data(), values.data(), reached.data(), odds.data());
            }
            std::fill_n(out.data(), out.size(), 0.0);
            const auto add = [&](size_t place, const worlds::Option& option, double chance) {
                for (size_t hand = 0; hand < hands; ++hand) {
                    out.data()[(place * hands + hand) * width + option.gives[hand]] += chance;
                }
            };
            for (uint32_t place = 0; place < plan_.kinds.size(); ++place) {
                if (plan_.forced[place].ways) add(place, plan_.forced[place], 1);
            }
            for (uint32_t depth = 0; depth < depth_; ++depth) {
                const worlds::Layer& layer = plan_.layers[depth];
                for (uint32_t o = layer.first_option; o < layer.first_option + layer.options; ++o) {
                    add(plan_.place_of[depth], plan_.options[o], odds[o]);
                }
            }
            for (size_t i = 0; i < out.size(); ++i) out.data()[i] = std::min(out.data()[i], 1.0);  // rounding
        }
        if (!some) throw nb::value_error("the weights leave no deal");
    }

private:
    WorldPlan plan_;
    worlds::Plan view_{};
    uint32_t depth_ = 0;
    bool too_large_ = false, possible_ = false;
    double about_ = 0;  // the number of labelled deals, rounded
    std::vector<uint32_t> first_, begin_, edges_;
    Counts labelled_, distinct_;
    std::vector<uint64_t> common_;  // [hands][copies] the cards that every deal has: those of kinds dealt first
    std::vector<Fork> forks_;
    std::once_flag forks_made_, distinct_made_;

    Graph graph() const { return {first_.data(), begin_.data(), edges_.data()}; }

    // Makes states and edges layer by layer; false if they would need more memory than allowed.
    bool explore(size_t most_bytes) {
        view_ = plan_.view();
        depth_ = view_.depth;
        if (plan_.start == worlds::NO_STATE) return true;
        const uint32_t bits = static_cast<uint32_t>(std::bit_width(view_.determining));
        const bool direct = bits <= LARGEST_DIRECT;
        std::vector<uint32_t> slots(direct ? size_t{1} << bits : 0);
        std::vector<uint64_t> keys{plan_.start}, next;
        first_.push_back(0);
        size_t total = 1, written = 0;
        for (uint32_t depth = 0; depth < depth_; ++depth) {
            const size_t states = keys.size(), room = states * plan_.layers[depth].options;
            // A state has its number of some limbs and its worth, an edge is a word; while a layer is made there are
            // keys and slots besides.
            if (room >= worlds::MAX_LAYER || 48 * total + 4 * written + 24 * room > most_bytes) return false;
            if (!direct && slots.size() < 2 * room) slots.assign(std::bit_ceil(2 * room), 0);
            if (next.size() < room) next.resize(room);
            if (edges_.size() < written + room) edges_.resize(std::max(written + room, 2 * edges_.size()));
            begin_.resize(total);
            uint32_t more = 0;
            const uint32_t made = worlds::expand(
                view_, depth, keys.data(), static_cast<uint32_t>(states), begin_.data() + first_.back(),
                static_cast<uint32_t>(total), next.data(), edges_.data() + written, static_cast<uint32_t>(written), more,
                {slots.data(), static_cast<uint32_t>(slots.size() - 1), direct});
            first_.push_back(static_cast<uint32_t>(total));
            total += made;
            written += more;
            keys.assign(next.begin(), next.begin() + made);
            if (!made) return true;
        }
        edges_.resize(written);
        edges_.shrink_to_fit();
        begin_.resize(total, static_cast<uint32_t>(written));
        begin_.push_back(static_cast<uint32_t>(written));
        possible_ = true;
        return true;
    }

    // Takes out edges that lead nowhere, so that a walk meets only what can happen.
    void prune() {
        std::vector<double> ways(plan_.options.size()), values(states());
        for (size_t i = 0; i < ways.size(); ++i) ways[i] = plan_.options[i].ways;
        values.back() = 1;
        for (uint32_t depth = depth_; depth-- > 0;) {
            worlds::weigh_layer(view_, graph(), depth, ways.data(), values.data());
        }
        about_ = values[0];
        possible_ = about_ > 0;
        if (!possible_) return;
        uint32_t kept = 0, read = 0;
        for (uint32_t depth = 0; depth < depth_; ++depth) {
            for (uint32_t state = first_[depth]; state < first_[depth + 1]; ++state) {
                const uint32_t end = begin_[state + 1];
                begin_[state] = kept;
                for (; read < end; ++read) {
                    if (values[first_[depth + 1] + worlds::target(edges_[read])] > 0) edges_[kept++] = edges_[read];
                }
            }
        }
        edges_.resize(kept);
        begin_[states() - 1] = begin_[states()] = kept;
    }

    Counts count(bool labelled) const {
        Counts counts;
        // No state has more deals than there are. The double may be off in its last bits, so there is one to spare.
        counts.limbs = static_cast<uint32_t>((std::ilogb(about_) + 2 + 63) / 64);
        counts.words.assign(counts.limbs * states(), 0);
        with_limbs(counts.limbs, [&]<uint32_t LIMBS>() {
            Number<LIMBS>* const all = reinterpret_cast<Number<LIMBS>*>(counts.words.data());
            all[states() - 1].limb[0] = 1;
            for (uint32_t depth = depth_; depth-- > 0;) {
                worlds::count_layer(view_, graph(), depth, labelled, all);
            }
        });
        return counts;
    }

    const Counts& counted(bool labelled) {
        if (labelled) return labelled_;
        std::call_once(distinct_made_, [this] { distinct_ = count(false); });
        return distinct_;
    }

    bool has_forks() {
        std::call_once(forks_made_, [this] {
            if (labelled_.limbs != 1 || plan_.hands > worlds::FORK_HANDS || states() > worlds::FORK_STATES) return;
            for (const worlds::Option& option : plan_.options) {
                if (option.ways > 1) return;  // two copies, or a weight
            }
            for (const uint8_t copies : plan_.copies) {
                if (copies > 1) return;
            }
            for (size_t state = 0; state < states(); ++state) {
                if (begin_[state + 1] - begin_[state] > worlds::FORK_WAYS) return;
            }
            std::vector<Fork> forks(states());
            for (uint32_t depth = 0; depth < depth_; ++depth) {
                for (uint32_t state = first_[depth]; state < first_[depth + 1]; ++state) {
                    forks[state] = worlds::make_fork(view_, graph(), labelled_.as<1>(), depth, state);
                }
            }
            forks_ = std::move(forks);
        });
        return !forks_.empty();
    }

    void check(Array<uint64_t, -1, -1, -1> out) const {
        if (out.shape(1) != plan_.hands || out.shape(2) != plan_.most_copies) {
            throw nb::value_error("out must be [n, hand, layer]");
        }
        if (!possible_) throw nb::value_error("there is no deal");
    }

    void check(Array<const double, -1, -1> weights) const {
        if (weights.shape(0) != plan_.kinds.size() || weights.shape(1) != plan_.hands) {
            throw nb::value_error("weights must be [place, hand]");
        }
    }

    std::vector<uint64_t> common() const {
        std::vector<uint64_t> cards(plan_.hands * plan_.most_copies, 0);
        for (size_t place = 0; place < plan_.kinds.size(); ++place) {
            for (uint32_t hand = 0; hand < plan_.hands; ++hand) {
                for (uint32_t n = 0; n < plan_.forced[place].gives[hand]; ++n) {
                    cards[hand * plan_.most_copies + n] |= uint64_t{1} << plan_.kinds[place];
                }
            }
        }
        return cards;
    }

    void write(const uint8_t* taken, Array<uint64_t, -1, -1, -1>& out, size_t row) const {
        const size_t words = plan_.hands * plan_.most_copies;
        uint64_t* const cards = out.data() + words * row;
        std::memcpy(cards, common_.data(), 8 * words);
        worlds::hand_out(view_, taken, plan_.most_copies, cards);
    }

    template <uint32_t LIMBS>
    void draw_rows(Array<uint64_t, -1, -1, -1>& out, uint64_t seed, uint64_t lane, size_t row, size_t last) const {
        const Number<LIMBS>* const all = labelled_.as<LIMBS>();
        uint8_t taken[worlds::MAX_KINDS];
        for (; row < last; ++row) {
            Stream stream = open_stream(seed, Purpose::WORLD, lane + row);
            worlds::unrank(view_, graph(), all, true, worlds::draw_below(stream, all[0]), taken);
            write(taken, out, row);
        }
    }

    void draw_forks(Array<uint64_t, -1, -1, -1>& out, uint64_t seed, uint64_t lane, size_t row, size_t last) const {
        const Number<1> all = labelled_.as<1>()[0];
        const uint32_t hands = plan_.hands, copies = plan_.most_copies;
        const uint64_t live = live_kinds();
        for (; row < last; row += LANES) {
            uint64_t rank[LANES], low[LANES], high[LANES];
            for (uint32_t i = 0; i < LANES; ++i) {
                Stream stream = open_stream(seed, Purpose::WORLD, lane + row + i);
                rank[i] = worlds::draw_below(stream, all).limb[0];
            }
            worlds::walk_forks<LANES>(forks_.data(), plan_.layer_kinds.data(), depth_, rank, low, high);
            for (uint32_t i = 0; i < LANES && row + i < last; ++i) {
                worlds::hand_out_forks(low[i], high[i], live, common_.data(), hands, copies,
                                       out.data() + hands * copies * (row + i));
            }
        }
    }

    // The kinds that are dealt at the layers.
    uint64_t live_kinds() const {
        uint64_t live = 0;
        for (const uint8_t kind : plan_.layer_kinds) live |= uint64_t{1} << kind;
        return live;
    }

    // What each option is worth: its ways, times the weight of each hand for each copy that it gets. A weight has no
    // meaning but beside the others of its kind, so they are brought to at most 1 first.
    std::vector<double> option_weights(Array<const double, -1, -1> weights) const {
        std::vector<double> found(plan_.options.size());
        for (uint32_t depth = 0; depth < depth_; ++depth) {
            const worlds::Layer& layer = plan_.layers[depth];
            const double* const own = weights.data() + plan_.hands * plan_.place_of[depth];
            const double greatest = *std::max_element(own, own + plan_.hands);
            for (uint32_t o = layer.first_option; o < layer.first_option + layer.options; ++o) {
                double weight = plan_.options[o].ways;
                for (uint32_t hand = 0; hand < plan_.hands; ++hand) {
                    for (uint32_t n = 0; n < plan_.options[o].gives[hand]; ++n) {
                        weight *= greatest > 0 ? own[hand] / greatest : 0;
                    }
                }
                found[o] = weight;
            }
        }
        return found;
    }

    // Of every edge, as cumulate_layer has them; nothing if the weights leave no deal.
    std::optional<std::vector<double>> chances_of(Array<const double, -1, -1> weights) const {
        const std::vector<double> weight = option_weights(weights);
        std::vector<double> values, found(edges_.size());
        if (!weigh(weights, weight, values)) return std::nullopt;
        for (uint32_t depth = 0; depth < depth_; ++depth) {
            worlds::cumulate_layer(view_, graph(), depth, weight.data(), values.data(), found.data());
        }
        return found;
    }

    bool forbids_forced(Array<const double, -1, -1> weights) const {
        for (size_t i = 0; i < weights.size(); ++i) {
            if (plan_.forced[i / plan_.hands].gives[i % plan_.hands] && !(weights.data()[i] > 0)) return true;
        }
        return false;
    }

    // What is to come from each state; false if nothing can. Every layer is brought to a greatest value of 1, which
    // changes no ratio, as the edges of a layer all lead to the next one.
    bool weigh(Array<const double, -1, -1> weights, const std::vector<double>& weight,
               std::vector<double>& values) const {
        if (forbids_forced(weights)) return false;
        values.assign(states(), 0.0);
        values.back() = 1;
        for (uint32_t depth = depth_; depth-- > 0;) {
            const double greatest = worlds::weigh_layer(view_, graph(), depth, weight.data(), values.data());
            if (!(greatest > 0)) return false;
            for (uint32_t state = first_[depth]; state < first_[depth + 1]; ++state) values[state] /= greatest;
        }
        return values[0] > 0;
    }
};

}  // namespace

void bind_worlds(nb::module_& module) {
    nb::class_<WorldTable>(module, "WorldTable")
        .def(nb::init<Bytes, Bytes, Bytes, Rows, Rows, Rows, Weights, Rows, Bytes, Bytes, Bytes, size_t>(),
             "kinds"_a.noconvert(), "copies"_a.noconvert(), "sizes"_a.noconvert(), "least"_a.noconvert(),
             "most"_a.noconvert(), "groups"_a.noconvert(), "group_weights"_a.noconvert(), "watches"_a.noconvert(),
             "heights"_a.noconvert(), "moves"_a.noconvert(), "accepts"_a.noconvert(), "most_bytes"_a)
        .def_prop_ro("too_large", &WorldTable::too_large)
        .def_prop_ro("states", &WorldTable::states)
        .def_prop_ro("edges", &WorldTable::edges)
        .def("total", &WorldTable::total, "labelled"_a)
        .def("forced_ways", &WorldTable::forced_ways, "out"_a.noconvert())
        .def("draw", &WorldTable::draw, "out"_a.noconvert(), "seed"_a, "first_lane"_a, "threads"_a)
        .def("draw_weighted", &WorldTable::draw_weighted, "weights"_a.noconvert(), "out"_a.noconvert(), "seed"_a,
             "first_lane"_a, "threads"_a)
        .def("parts", &WorldTable::parts)
        .def("chances", &WorldTable::chances, "weights"_a.noconvert(), "out"_a.noconvert())
        .def("list", &WorldTable::list, "first"_a.noconvert(), "out"_a.noconvert())
        .def("odds", &WorldTable::odds, "weights"_a.noconvert(), "out"_a.noconvert());
}
