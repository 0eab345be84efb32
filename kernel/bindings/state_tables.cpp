// The Python face of whole tables on the CPU, and what a device needs to make them; renege.native.state_tables documents it and
// allocates the arrays.
#include "tables.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <tuple>

#include <renege/texas42/state_tables.hpp>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using InBytes = Array<const uint8_t, -1>;

// The tiles of a hand before the trick that is under way.
uint32_t tiles_of(const Position& position) { return count_bits(whole::before_trick(position).hand[leader(position)]); }

// What is wrong with a position; the words are those of all calls, and a few that only whole tables need.
std::string why_not(const Order& order, const Position& position, bool in_trick = false) {
    const Fault fault = check(order, position);
    if (fault != Fault::NONE) return text(fault);
    if (duty(position) == Duty::CALLED_ACE) return "whole tables are for 42, where no ace is called";
    if (held(position) & ~KEY_MASK) return "whole tables are for 42, which has 28 tiles";
    if (cards_on_table(position) && !in_trick) return "a trick is under way";
    const uint32_t tiles = tiles_of(position);
    if (tiles == 0) return "no tile is left to play";
    if (tiles > whole::MOST_TILES) return "a hand has more than 7 tiles";
    return "";
}

// One deal: every state that it can come to, marked, and then valued.
class Deal {
  public:
    Deal(const Order& order, const Position& position, uint32_t takers, uint32_t maximisers)
        : tiles_(tiles_of(position)), seats_(count_bits(seats(position))) {
        whole::fill(ranks_);
        whole::fill(levels_, tiles_, seats_);
        whole::fill(rounds_, order, position, takers, maximisers);
        bits_.resize(whole::words_of(levels_[tiles_], seats_));
        values_.resize(whole::values_of(levels_[tiles_], seats_));
    }

    template <uint32_t SEATS, Duty DUTY>
    void solve(uint64_t* states, uint64_t* transitions) {
        for (const whole::Round& round : rounds_) {
            if (round.leads) bits_[levels_[tiles_].first_word + round.leader] = 1;
        }
        for (uint32_t left = tiles_; left; --left) reach<SEATS, DUTY>(left, states[left], transitions[left]);
        for (uint32_t left = 1; left <= tiles_; ++left) look_back<SEATS, DUTY>(left);
    }

    uint8_t root() const {
        for (uint32_t i = 0; i < seats_; ++i) {
            if (rounds_[i].leads) return values_[levels_[tiles_].first_value + i];
        }
        return 0;
    }

    // Key and value of each state, the key above the lowest byte, in the order of keys.
    template <uint32_t SEATS>
    std::vector<uint64_t> listed() const {
        std::vector<uint64_t> found;
        for (uint32_t left = 1; left <= tiles_; ++left) {
            each_state<SEATS>(left, [&](const whole::Round& round, uint32_t hands, uint32_t number) {
                const uint64_t key = whole::key_of(round, hands, SEATS);
                found.push_back((key << 8) | values_[place(levels_[left], round.leader, number)]);
            });
        }
        std::sort(found.begin(), found.end());
        return found;
    }

  private:
    static uint32_t place(const whole::Level& level, Seat leads, uint32_t number) {
        return level.first_value + leads * level.states + number;
    }

    template <uint32_t SEATS, class Visit>
    void each_state(uint32_t left, const Visit& visit) const {
        const whole::Level& level = levels_[left];
        for (Seat leads = 0; leads < SEATS; ++leads) {
            const uint32_t* const bits = bits_.data() + level.first_word + leads * level.words;
            for (uint32_t word = 0; word < level.words; ++word) {
                for (uint32_t rest = bits[word]; rest; rest &= rest - 1) {
                    const uint32_t number = 32 * word + lowest_bit(rest);
                    visit(rounds_[leads], whole::hands_of<SEATS>(level, leads, number), number);
                }
            }
        }
    }

    template <uint32_t SEATS, Duty DUTY>
    void reach(uint32_t left, uint64_t& states, uint64_t& transitions) {
        const whole::Level& below = levels_[left - 1];
        uint32_t* const bits = bits_.data() + below.first_word;
        each_state<SEATS>(left, [&](const whole::Round& round, uint32_t hands, uint32_t) {
            ++states;
            const whole::Field field = whole::field_of(round, ranks_, below, SEATS);
            whole::each_trick<SEATS, DUTY>(field, hands, 0, [&](Seat seat, uint32_t number) {
                ++transitions;
                bits[seat * below.words + number / 32] |= 1u << (number % 32);
            });
        });
    }

    template <uint32_t SEATS, Duty DUTY>
    void look_back(uint32_t left) {
        const whole::Level& below = levels_[left - 1];
        const uint8_t* const values = values_.data() + below.first_value;
        each_state<SEATS>(left, [&](const whole::Round& round, uint32_t hands, uint32_t number) {
            const whole::Field field = whole::field_of(round, ranks_, below, SEATS);
            const uint32_t value = whole::value_of<SEATS, DUTY>(
                field, hands, [&](Seat seat, uint32_t then) { return values[seat * below.states + then]; });
            values_[place(levels_[left], round.leader, number)] = static_cast<uint8_t>(value);
        });
    }

    uint32_t tiles_, seats_;
    whole::Ranks ranks_ = {};
    whole::Level levels_[whole::LEVELS] = {};
    whole::Round rounds_[MAX_SEATS] = {};
    std::vector<uint32_t> bits_;
    std::vector<uint8_t> values_;  // where no state is reached, whatever is there is not looked at
};

template <uint32_t SEATS, Duty DUTY>
void solve_one(Deal& deal, uint64_t* states, uint64_t* transitions, std::vector<uint64_t>* listed) {
    deal.solve<SEATS, DUTY>(states, transitions);
    if (listed) *listed = deal.listed<SEATS>();
}

// values [B], states and transitions [B, 8] by tiles left; with `keep` the table of each row, its sorted words as bytes.
std::optional<nb::list> solve_state_tables(const Tables& tables, InStates positions, InBytes takers, InBytes maximisers,
                                    Array<int16_t, -1> values, Array<uint64_t, -1, 8> states,
                                    Array<uint64_t, -1, 8> transitions, bool keep, size_t threads) {
    const size_t count = positions.shape(0);
    for (size_t rows : {takers.shape(0), maximisers.shape(0), values.shape(0), states.shape(0), transitions.shape(0)}) {
        same_rows(count, rows);
    }
    std::vector<std::vector<uint64_t>> kept(keep ? count : 0);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(count, threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                const Position position = read(positions.data() + 8 * row);
                if (std::string why = why_not(tables.order, position); !why.empty()) return {row, why};
                Deal deal(tables.order, position, takers.data()[row], maximisers.data()[row]);
                const bool four = count_bits(seats(position)) == 4, sevens = duty(position) == Duty::STRONGEST;
                const auto run = four ? sevens ? solve_one<4, Duty::STRONGEST> : solve_one<4, Duty::FOLLOW_SUIT>
                                      : sevens ? solve_one<3, Duty::STRONGEST> : solve_one<3, Duty::FOLLOW_SUIT>;
                run(deal, states.data() + 8 * row, transitions.data() + 8 * row, keep ? &kept[row] : nullptr);
                values.data()[row] = deal.root();
            }
            return {};
        });
    }
    raise("states", refusal);
    if (!keep) return std::nullopt;
    nb::list out;
    for (std::vector<uint64_t>& words : kept) {
        out.append(nb::bytes(words.data(), words.size() * sizeof(uint64_t)));
        words = {};
    }
    return out;
}

// tiles [B]: of a hand, before the trick that is under way; a position that has no whole table is refused.
void state_table_tiles(const Tables& tables, InStates positions, Array<uint8_t, -1> tiles, bool in_trick) {
    same_rows(positions.shape(0), tiles.shape(0));
    Refusal refusal;
    for (size_t row = 0; row < positions.shape(0) && refusal.why.empty(); ++row) {
        const Position position = read(positions.data() + 8 * row);
        refusal = {row, why_not(tables.order, position, in_trick)};
        if (!refusal.why.empty()) break;  // its cards may be no cards, and cannot be counted
        tiles.data()[row] = static_cast<uint8_t>(tiles_of(position));
    }
    raise("states", refusal);
}

// The rounds of each position, as bytes, one after the other; the positions were not refused and have so many seats.
nb::bytes state_table_rounds(const Tables& tables, InStates positions, InBytes takers, InBytes maximisers, uint32_t players) {
    const size_t count = positions.shape(0);
    for (size_t rows : {takers.shape(0), maximisers.shape(0)}) same_rows(count, rows);
    std::vector<whole::Round> rounds(count * players);
    Refusal refusal;
    for (size_t row = 0; row < count && refusal.why.empty(); ++row) {
        const Position position = read(positions.data() + 8 * row);
        refusal = {row, why_not(tables.order, position, true)};
        if (refusal.why.empty() && count_bits(seats(position)) != players) refusal.why = "another number of seats";
        if (!refusal.why.empty()) break;
        whole::fill(rounds.data() + row * players, tables.order, position, takers.data()[row], maximisers.data()[row]);
    }
    raise("states", refusal);
    return nb::bytes(rounds.data(), rounds.size() * sizeof(whole::Round));
}

// Ranks and levels as bytes; how many words and values a deal has, and the words of one leader by level.
std::tuple<nb::bytes, nb::bytes, uint32_t, uint32_t, std::vector<uint32_t>> state_table_levels(uint32_t tiles,
                                                                                        uint32_t players) {
    if (tiles < 1 || tiles > whole::MOST_TILES) throw nb::value_error("a hand has 1 to 7 tiles");
    if (players < 3 || players > MAX_SEATS) throw nb::value_error("3 or 4 seats play");
    whole::Ranks ranks = {};
    whole::Level levels[whole::LEVELS] = {};
    whole::fill(ranks);
    whole::fill(levels, tiles, players);
    std::vector<uint32_t> words;
    for (uint32_t left = 0; left <= tiles; ++left) words.push_back(levels[left].words);
    return {nb::bytes(&ranks, sizeof ranks), nb::bytes(levels, sizeof levels),
            whole::words_of(levels[tiles], players), whole::values_of(levels[tiles], players), words};
}

}  // namespace

void bind_whole(nb::module_& module) {
    module.def("solve_state_tables", &solve_state_tables, "tables"_a, "positions"_a.noconvert(), "takers"_a.noconvert(),
               "maximisers"_a.noconvert(), "values"_a.noconvert(), "states"_a.noconvert(), "transitions"_a.noconvert(),
               "keep"_a, "threads"_a);
    module.def("state_table_tiles", &state_table_tiles, "tables"_a, "positions"_a.noconvert(), "tiles"_a.noconvert(),
               "in_trick"_a);
    module.def("state_table_rounds", &state_table_rounds, "tables"_a, "positions"_a.noconvert(), "takers"_a.noconvert(),
               "maximisers"_a.noconvert(), "players"_a);
    module.def("state_table_levels", &state_table_levels, "tiles"_a, "players"_a);
}
