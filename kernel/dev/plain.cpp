// A second open-hand solver, for tests alone: plain recursion over the rules' own plays. It shares no line with
// renege/solve.hpp, merges no cards and knows no bounds, so that the two can vouch for each other.
#include "tables.hpp"

#include <vector>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using InBytes = Array<const uint8_t, -1>;

struct Found {
    uint64_t key;  // 0 where none
    int32_t lower, upper;
};

// Every boundary that was met, none ever dropped.
class Book {
  public:
    Found& at(uint64_t key) {
        if (2 * used_ >= found_.size()) grow();
        Found& found = place(key);
        if (!found.key) {
            found = {key, 0, 0xFF};
            ++used_;
        }
        return found;
    }

  private:
    Found& place(uint64_t key) {
        size_t i = (key * 0x9E3779B97F4A7C15ull) >> 20 & (found_.size() - 1);
        while (found_[i].key && found_[i].key != key) i = (i + 1) & (found_.size() - 1);
        return found_[i];
    }
    void grow() {
        std::vector<Found> old(2 * found_.size());
        old.swap(found_);
        for (const Found& found : old) {
            if (found.key) place(found.key) = found;
        }
    }
    std::vector<Found> found_ = std::vector<Found>(1 << 12);
    size_t used_ = 0;
};

struct Plain {
    const Order& order;
    uint32_t takers, maximisers;
    bool prune;
    Book book;

    int32_t taken(const Position& position) const {
        int32_t points = 0;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
            if ((takers >> seat) & 1u) points += static_cast<int32_t>((position.points >> (8 * seat)) & 0xFFu);
        }
        return points;
    }

    // All plays; with `prune` not those that an alpha-beta search may leave out.
    int32_t best_play(const Position& position, int32_t alpha, int32_t beta) {
        const bool wants = (maximisers >> to_move(position)) & 1u;
        int32_t best = wants ? -1 : 0xFFFF;
        for (CardSet rest = legal(order, position); rest; rest &= rest - 1) {
            Position next = position;
            play(order, next, lowest_bit(rest));
            const int32_t gain = taken(next) - taken(position);
            const int32_t value = gain + search(next, alpha - gain, beta - gain);
            if (wants ? value > best : value < best) best = value;
            if (!prune) continue;
            if (wants && best > alpha) alpha = best;
            if (!wants && best < beta) beta = best;
            if (alpha >= beta) break;
        }
        return best;
    }

    int32_t search(const Position& position, int32_t alpha, int32_t beta) {
        if (is_over(position)) return 0;
        if (cards_on_table(position)) return best_play(position, alpha, beta);
        const uint64_t leads = leader(position) | (led_called(position) << 2);
        const uint64_t key = held(position) | (leads << 32) | (1ull << 63);
        const Found known = book.at(key);
        if (known.lower == known.upper) return known.lower;
        if (known.lower >= beta) return known.lower;
        if (known.upper <= alpha) return known.upper;
        const int32_t best = best_play(position, alpha, beta);
        Found& found = book.at(key);
        if (best > alpha || !prune) found.lower = best;
        if (best < beta || !prune) found.upper = best;
        return best;
    }
};

void plain_batch(const Tables& tables, InStates states, InBytes takers, InBytes maximisers, Array<int16_t, -1> values,
                 bool prune) {
    const size_t count = states.shape(0);
    for (size_t rows : {takers.shape(0), maximisers.shape(0), values.shape(0)}) same_rows(count, rows);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(count, 1, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                const Position position = read(states.data() + 8 * row);
                const Fault fault = check(tables.order, position);
                if (fault != Fault::NONE) return {row, text(fault)};
                Plain plain = {tables.order, takers.data()[row], maximisers.data()[row], prune, {}};
                values.data()[row] = static_cast<int16_t>(plain.search(position, -1, 0xFFF));
            }
            return {};
        });
    }
    raise("states", refusal);
}

}  // namespace

void bind_plain(nb::module_& module) {
    module.def("solve_plainly", &plain_batch, "tables"_a, "states"_a.noconvert(), "takers"_a.noconvert(),
               "maximisers"_a.noconvert(), "values"_a.noconvert(), "prune"_a);
}
