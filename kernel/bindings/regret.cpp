// Bindings of regret minimisation. A tree is checked once, when it is handed over; then sweeps over it, tables of regrets
// and sampled traversals run on the arrays of the caller.
#include "batch.hpp"

#include <renege/regret/tree.hpp>

#include <numeric>
#include <optional>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using Levels = Array<const int64_t, -1>;
using Numbers = Array<const int32_t, -1>;
using Seats = Array<const uint8_t, -1>;
using In = Array<const double, -1>;
using Out = Array<double, -1>;
using Payoffs = Array<const double, -1, 4>;

constexpr int64_t BLOCK = 64;  // deals that are swept together: their nodes stay in the cache

struct Plain {
    RENEGE_FN void operator()(double* at, double value) const { *at += value; }
};

[[noreturn]] void refuse(const char* what, int64_t row, const char* why) {
    throw nb::value_error((std::string(what) + " row " + std::to_string(row) + ": " + why).c_str());
}

class RegretTree {
  public:
    RegretTree(Levels levels, Numbers sets, Numbers children, In weights, Payoffs payoffs, Seats seats,
               Numbers first_slots, Numbers parents)
        : levels_(levels), sets_(sets), children_(children), weights_(weights), payoffs_(payoffs), seats_(seats),
          first_slots_(first_slots), parents_(parents),
          tree_{sets.data(), children.data(), payoffs.data(), seats.data(), first_slots.data()} {
        check_sets();
        check_nodes();
        chances_.resize(weights.shape(0));
        std::partial_sum(weights.data(), weights.data() + weights.shape(0), chances_.begin());
        chances_.back() = 1.0;
    }

    size_t slots() const { return static_cast<size_t>(first_slots_.data()[seats_.shape(0)]); }
    int64_t sets() const { return static_cast<int64_t>(seats_.shape(0)); }

    double sweep(uint32_t seat, In strategy, Out gains, size_t threads) const {
        want(seat, {strategy.shape(0), gains.shape(0)});
        const int64_t deals = static_cast<int64_t>(weights_.shape(0)), blocks = (deals + BLOCK - 1) / BLOCK;
        threads = std::clamp<size_t>(threads, 1, std::min<size_t>(MAX_THREADS, static_cast<size_t>(blocks)));
        std::vector<std::vector<double>> parts(threads, std::vector<double>(slots()));
        std::vector<double> values(threads);
        nb::gil_scoped_release free;
        split(static_cast<size_t>(blocks), threads, [&](size_t first, size_t last, size_t part) {
            Sweep sweep{*this, seat, strategy.data(), parts[part].data(), {}, {}};
            for (size_t block = first; block < last; ++block) {
                const int64_t from = static_cast<int64_t>(block) * BLOCK;
                values[part] += sweep.run(from, std::min(deals, from + BLOCK));
            }
            return Refusal{};
        });
        double value = 0.0;
        for (size_t part = 0; part < threads; ++part) {
            value += values[part];
            for (size_t slot = 0; slot < slots(); ++slot) gains.data()[slot] += parts[part][slot];
        }
        return value;
    }

    void match(uint32_t seat, In regrets, Out strategy) const {
        want(seat, {regrets.shape(0), strategy.shape(0)});
        each_set(seat, [&](int64_t, int32_t slot, uint32_t width) {
            regret::match(regrets.data() + slot, width, strategy.data() + slot);
        });
    }

    void regret_more(uint32_t seat, In gains, In strategy, Out regrets) const {
        want(seat, {gains.shape(0), strategy.shape(0), regrets.shape(0)});
        each_set(seat, [&](int64_t, int32_t slot, uint32_t width) {
            regret::regret_more(gains.data() + slot, strategy.data() + slot, width, regrets.data() + slot);
        });
    }

    void average_more(uint32_t seat, In strategy, double weight, Out average) const {
        want(seat, {strategy.shape(0), average.shape(0)});
        std::vector<double> reaches(static_cast<size_t>(sets()));
        each_set(seat, [&](int64_t set, int32_t slot, uint32_t width) {
            const double reach = regret::own_reach(parents_.data(), slot_sets_.data(), strategy.data(),
                                                   reaches.data(), static_cast<int32_t>(set));
            reaches[static_cast<size_t>(set)] = reach;
            for (uint32_t i = 0; i < width; ++i) average.data()[slot + i] += weight * reach * strategy.data()[slot + i];
        });
    }

    void sample(uint32_t seat, In strategy, double weight, Out regrets, Out average, uint64_t seed,
                uint64_t first_lane, uint64_t lanes) const {
        want(seat, {strategy.shape(0), regrets.shape(0), average.shape(0)});
        const int32_t deals = static_cast<int32_t>(weights_.shape(0));
        nb::gil_scoped_release free;
        for (uint64_t lane = 0; lane < lanes; ++lane) {
            regret::sample(tree_, chances_.data(), deals, seat, strategy.data(), weight, regrets.data(),
                           average.data(), seed, first_lane + lane, Plain());
        }
    }

    // What each act is worth if all hands lay open after it and everybody played for himself, added up over the deals.
    void open_hands(Out gains) const {
        want(0, {gains.shape(0)});
        const int64_t deals = static_cast<int64_t>(weights_.shape(0));
        nb::gil_scoped_release free;
        Open open{*this, gains.data(), {}, {}};
        for (int64_t from = 0; from < deals; from += BLOCK) open.run(from, std::min(deals, from + BLOCK));
    }

  private:
    // The nodes of some deals, level by level: where they begin and end on each.
    struct Span {
        int64_t first, last;
    };

    void spans(int64_t from, int64_t to, std::vector<Span>& found) const {
        found.clear();
        for (Span span = {from, to}; span.first < span.last;) {
            found.push_back(span);
            int64_t first = span.first, last = span.last;
            while (first < last && tree_.sets[first] == regret::LEAF) ++first;
            while (first < last && tree_.sets[last - 1] == regret::LEAF) --last;
            if (first == last) return;
            span = {tree_.children[first],
                    tree_.children[last - 1] + static_cast<int64_t>(regret::width_of(tree_, tree_.sets[last - 1]))};
        }
    }

    struct Sweep {
        const RegretTree& owner;
        uint32_t seat;
        const double* strategy;
        double* gains;
        std::vector<Span> levels;
        std::vector<std::vector<double>> values;

        double run(int64_t from, int64_t to) {
            const regret::Tree& tree = owner.tree_;
            owner.spans(from, to, levels);
            if (values.size() < levels.size()) values.resize(levels.size());
            for (size_t level = 0; level < levels.size(); ++level) {
                values[level].resize(static_cast<size_t>(levels[level].last - levels[level].first));
            }
            std::copy(owner.weights_.data() + from, owner.weights_.data() + to, values[0].begin());
            for (size_t level = 0; level + 1 < levels.size(); ++level) {
                const Span span = levels[level], next = levels[level + 1];
                for (int64_t node = span.first; node < span.last; ++node) {
                    const int32_t set = tree.sets[node];
                    if (set == regret::LEAF) continue;
                    regret::send_down(tree, set, seat, strategy, values[level][static_cast<size_t>(node - span.first)],
                                      values[level + 1].data() + (tree.children[node] - next.first));
                }
            }
            for (size_t level = levels.size(); level-- > 0;) {
                const Span span = levels[level];
                const int64_t next = level + 1 < levels.size() ? levels[level + 1].first : 0;
                for (int64_t node = span.first; node < span.last; ++node) {
                    const int32_t set = tree.sets[node], child = tree.children[node];
                    double& value = values[level][static_cast<size_t>(node - span.first)];
                    if (set == regret::LEAF) value *= tree.payoffs[regret::SEATS * child + seat];
                    else {
                        value = regret::send_up(tree, set, seat, strategy, values[level + 1].data() + (child - next),
                                                gains, Plain());
                    }
                }
            }
            return std::accumulate(values[0].begin(), values[0].end(), 0.0);
        }
    };

    struct Open {
        const RegretTree& owner;
        double* gains;
        std::vector<Span> levels;
        std::vector<std::vector<std::pair<double, int32_t>>> values;  // the deal's weight, and the payoff it comes to

        void run(int64_t from, int64_t to) {
            const regret::Tree& tree = owner.tree_;
            owner.spans(from, to, levels);
            if (values.size() < levels.size()) values.resize(levels.size());
            for (size_t level = 0; level < levels.size(); ++level) {
                values[level].resize(static_cast<size_t>(levels[level].last - levels[level].first));
            }
            for (int64_t deal = from; deal < to; ++deal) {
                values[0][static_cast<size_t>(deal - from)].first = owner.weights_.data()[deal];
            }
            for (size_t level = 0; level + 1 < levels.size(); ++level) {
                const Span span = levels[level], next = levels[level + 1];
                for (int64_t node = span.first; node < span.last; ++node) {
                    const uint32_t width = regret::width_of(tree, tree.sets[node]);
                    for (uint32_t i = 0; i < width; ++i) {
                        values[level + 1][static_cast<size_t>(tree.children[node] + i - next.first)].first =
                            values[level][static_cast<size_t>(node - span.first)].first;
                    }
                }
            }
            for (size_t level = levels.size(); level-- > 0;) {
                const Span span = levels[level];
                const int64_t next = level + 1 < levels.size() ? levels[level + 1].first : 0;
                for (int64_t node = span.first; node < span.last; ++node) {
                    auto& [weight, payoff] = values[level][static_cast<size_t>(node - span.first)];
                    const int32_t set = tree.sets[node], child = tree.children[node];
                    if (set == regret::LEAF) payoff = child;
                    else if (set == regret::FORCED) payoff = values[level + 1][static_cast<size_t>(child - next)].second;
                    else payoff = best(set, &values[level + 1][static_cast<size_t>(child - next)], weight);
                }
            }
        }

        int32_t best(int32_t set, const std::pair<double, int32_t>* below, double weight) const {
            const regret::Tree& tree = owner.tree_;
            const uint32_t seat = tree.seats[set], width = regret::width_of(tree, set);
            int32_t found = below[0].second;
            for (uint32_t i = 0; i < width; ++i) {
                const double gain = tree.payoffs[regret::SEATS * below[i].second + seat];
                gains[tree.first_slots[set] + static_cast<int32_t>(i)] += weight * gain;
                if (gain > tree.payoffs[regret::SEATS * found + seat]) found = below[i].second;
            }
            return found;
        }
    };

    void want(uint32_t seat, std::initializer_list<size_t> lengths) const {
        if (seat >= regret::SEATS) throw nb::value_error("a seat is 0..3");
        for (size_t length : lengths) {
            if (length != slots()) throw nb::value_error("a table must have a number for every slot of the tree");
        }
    }

    template <class Work>
    void each_set(uint32_t seat, const Work& work) const {
        for (int64_t set = 0; set < sets(); ++set) {
            if (tree_.seats[set] != seat) continue;
            work(set, tree_.first_slots[set], regret::width_of(tree_, static_cast<int32_t>(set)));
        }
    }

    void check_sets() {
        if (first_slots_.shape(0) != seats_.shape(0) + 1 || parents_.shape(0) != seats_.shape(0)) {
            throw nb::value_error("seats, first_slots and parents must be of the same sets");
        }
        if (first_slots_.data()[0] != 0) refuse("first_slots", 0, "slots begin at 0");
        std::vector<uint8_t> depths(seats_.shape(0));
        for (int64_t set = 0; set < sets(); ++set) {
            const int32_t first = tree_.first_slots[set], last = tree_.first_slots[set + 1];
            if (last < first + 2) refuse("first_slots", set, "a set has two slots at least");
            if (tree_.seats[set] >= regret::SEATS) refuse("seats", set, "a seat is 0..3");
            const int32_t parent = parents_.data()[set];
            if (parent < -1 || parent >= first) refuse("parents", set, "the choice before must stand before");
            if (parent >= 0) {
                const size_t above = static_cast<size_t>(slot_sets_[static_cast<size_t>(parent)]);
                if (tree_.seats[above] != tree_.seats[set]) refuse("parents", set, "it is another seat's choice");
                depths[static_cast<size_t>(set)] = static_cast<uint8_t>(depths[above] + 1);
                if (depths[static_cast<size_t>(set)] >= regret::MOST_CHOICES) {
                    refuse("parents", set, "a seat has more choices in a row than are kept");
                }
            }
            slot_sets_.resize(static_cast<size_t>(last), static_cast<int32_t>(set));
        }
    }

    // The children of each level's nodes fill the next, one after the other.
    void check_nodes() const {
        const int64_t nodes = static_cast<int64_t>(sets_.shape(0)), levels = static_cast<int64_t>(levels_.shape(0)) - 1;
        if (children_.shape(0) != sets_.shape(0)) throw nb::value_error("sets and children must be of the same nodes");
        if (levels < 1 || levels_.data()[0] != 0 || levels_.data()[levels] != nodes) {
            throw nb::value_error("levels must begin at 0 and end with the last node");
        }
        if (levels_.data()[1] != static_cast<int64_t>(weights_.shape(0)) || weights_.shape(0) == 0) {
            throw nb::value_error("every deal, and nothing else, stands on the first level");
        }
        double whole = 0.0;
        for (size_t deal = 0; deal < weights_.shape(0); ++deal) {
            if (!(weights_.data()[deal] >= 0.0)) refuse("weights", static_cast<int64_t>(deal), "a chance is not negative");
            whole += weights_.data()[deal];
        }
        if (!(whole > 1.0 - 1e-6 && whole < 1.0 + 1e-6)) throw nb::value_error("the deals' chances must come to 1");
        for (int64_t level = 0; level < levels; ++level) {
            int64_t expected = levels_.data()[level + 1];
            for (int64_t node = levels_.data()[level]; node < levels_.data()[level + 1]; ++node) {
                const int32_t set = tree_.sets[node], child = tree_.children[node];
                if (set < regret::FORCED || set >= sets()) refuse("sets", node, "there is no such information set");
                if (set == regret::LEAF) {
                    if (child < 0 || static_cast<size_t>(child) >= payoffs_.shape(0)) {
                        refuse("children", node, "there is no such payoff");
                    }
                    continue;
                }
                if (child != expected) refuse("children", node, "children stand one after the other on the next level");
                expected += static_cast<int64_t>(regret::width_of(tree_, set));
            }
            const int64_t end = level + 1 < levels ? levels_.data()[level + 2] : nodes;
            if (expected != end) refuse("levels", level, "the level after it has other nodes than its children");
        }
    }

    Levels levels_;
    Numbers sets_, children_;
    In weights_;
    Payoffs payoffs_;
    Seats seats_;
    Numbers first_slots_, parents_;
    regret::Tree tree_;
    std::vector<int32_t> slot_sets_;
    std::vector<double> chances_;
};

}  // namespace

void bind_regret(nb::module_& module) {
    nb::class_<RegretTree>(module, "RegretTree")
        .def(nb::init<Levels, Numbers, Numbers, In, Payoffs, Seats, Numbers, Numbers>(), "levels"_a.noconvert(),
             "sets"_a.noconvert(), "children"_a.noconvert(), "weights"_a.noconvert(), "payoffs"_a.noconvert(),
             "seats"_a.noconvert(), "first_slots"_a.noconvert(), "parents"_a.noconvert())
        .def_prop_ro("slots", &RegretTree::slots)
        .def("sweep", &RegretTree::sweep, "seat"_a, "strategy"_a.noconvert(), "gains"_a.noconvert(), "threads"_a)
        .def("match", &RegretTree::match, "seat"_a, "regrets"_a.noconvert(), "strategy"_a.noconvert())
        .def("regret_more", &RegretTree::regret_more, "seat"_a, "gains"_a.noconvert(), "strategy"_a.noconvert(),
             "regrets"_a.noconvert())
        .def("average_more", &RegretTree::average_more, "seat"_a, "strategy"_a.noconvert(), "weight"_a,
             "average"_a.noconvert())
        .def("sample", &RegretTree::sample, "seat"_a, "strategy"_a.noconvert(), "weight"_a, "regrets"_a.noconvert(),
             "average"_a.noconvert(), "seed"_a, "first_lane"_a, "lanes"_a)
        .def("open_hands", &RegretTree::open_hands, "gains"_a.noconvert());
}
