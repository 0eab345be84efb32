// The Python face of rounds at larger tables of Tractor; renege.native.tractor_wide documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <nanobind/stl/array.h>

#include "tractor_packs.hpp"

#include <chrono>

#include <renege/tractor/wide_policy.hpp>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace wide = renege::tractor::wide;
using packs::Pile;
using Clock = std::chrono::steady_clock;

constexpr uint32_t HOUSE_WORDS = 10;
using Layers = Array<const uint64_t, -1, -1>;
using Worlds = Array<const uint64_t, -1, -1, -1>;
using Seats = Array<const int32_t, -1>;

constexpr const char* NO_SEAT = "a seat that the table does not have";
constexpr const char* TOO_OFTEN = "a card is there more often than there are packs";
constexpr const char* WRONG_LENGTH = "a play has not as many cards as the lead";
constexpr const char* HAND_SIZES = "hands that have played to the trick are shorter by the lead, all others alike";
constexpr const char* NOTHING_LEFT = "the seat to move has no card";
constexpr const char* TOO_FEW = "the seat to move has fewer cards than were led";
constexpr const char* NOT_IN_HAND = "the play is not in the hand";
constexpr const char* MANY_SUITS = "the lead is of several suits";
constexpr const char* NO_FOLLOW = "the play does not follow as it must";
constexpr const char* NO_UNITS = "the lead cannot be cut into the units that are named";

wide::House house_from(const std::array<uint32_t, HOUSE_WORDS>& told, uint32_t copies) {
    const auto [shorter, suit_only, protects, width, length, comparison, kitty, seats, friends, twice] = told;
    if (comparison >= static_cast<uint32_t>(renege::tractor::Comparison::ALL_UNITS) ||
        kitty >= renege::tractor::KITTIES || seats < 4u || seats > wide::SEATS || friends > wide::FRIENDS ||
        twice > 1u || copies < 2u || copies > packs::COPIES || (!friends && seats % 2u)) {
        throw nb::value_error("house: rules that the kernel does not play");
    }
    return {graded_duty({shorter, suit_only, protects, width, length}),
            static_cast<renege::tractor::Comparison>(comparison),
            static_cast<renege::tractor::Kitty>(kitty),
            static_cast<uint8_t>(seats),
            static_cast<uint8_t>(copies),
            static_cast<uint8_t>(friends),
            twice != 0u};
}

// Adds a pile to another; false where a card would be there too often.
bool put_in(Pile& all, const Pile& more, uint32_t copies) {
    const uint32_t before = packs::size(all, copies) + packs::size(more, copies);
    all = wide::joined(all, more, copies);
    return packs::size(all, copies) == before;
}

// What everybody sees as it comes from Python.
struct Shown {
    Layers plays;
    Array<const uint8_t, -1, 2> units;  // of the lead: width and length
    Array<const uint64_t, -1> seen;
    Seats taken, fines;
    Array<const uint8_t, -1> voids;
    Array<const uint8_t, -1, 3> friends;  // card, copy, who joined or 255
    uint32_t lying, leader, banker;
};

const char* lay_plays(const packs::Order& order, const wide::House& house, const Shown& shown, wide::Table& table) {
    Pile lies = {};
    for (uint32_t i = 0; i < shown.lying; ++i) {
        const Pile play = read_pile(shown.plays.data() + size_t{i} * house.copies, house.copies);
        if (const char* fault = fault_in_pile(play, house.copies)) return fault;
        if (!play.layer[0] || (i && packs::size(play, house.copies) != table.cards)) return WRONG_LENGTH;
        if (!put_in(lies, play, house.copies)) return TOO_OFTEN;
        table.hand[wide::to_move(house, table)] = play;
        if (i) {
            wide::lay_follow(order, house, table, play);
            continue;
        }
        if (wide::suit_of(order, play) == packs::NO_SUIT) return MANY_SUITS;
        packs::Led led;
        led.count = 0;
        for (size_t unit = 0; unit < shown.units.shape(0); ++unit) {
            const uint32_t width = shown.units.data()[2 * unit], length = shown.units.data()[2 * unit + 1];
            if (width < 2u || width > house.copies || !length || length > packs::STEPS || led.count == packs::UNITS) {
                return NO_UNITS;
            }
            led.units[led.count++] = packs::rank_of(width, length);
        }
        wide::lay_lead(order, house, table, play, led);
        if (!table.strength) return NO_UNITS;
    }
    return nullptr;
}

// The table without hands; a fault in what is shown is raised.
wide::Table table_from(const packs::Order& order, const wide::House& house, const Shown& shown) {
    for (size_t rows : {shown.plays.shape(0), shown.taken.shape(0), shown.fines.shape(0), shown.voids.shape(0)}) {
        if (rows != house.seats) throw nb::value_error("what is shown has a row for each seat");
    }
    if (shown.plays.shape(1) != house.copies || shown.seen.shape(0) != house.copies ||
        shown.friends.shape(0) != house.friends) {
        throw nb::value_error("piles have a layer for each pack, and friends as many rows as are named");
    }
    if (shown.leader >= house.seats || shown.banker >= house.seats || shown.lying >= house.seats) {
        throw nb::value_error(NO_SEAT);
    }
    wide::Table table = {};
    table.leader = static_cast<uint8_t>(shown.leader);
    table.banker = static_cast<uint8_t>(shown.banker);
    for (uint32_t i = 0; i < house.friends; ++i) {
        const uint8_t* const row = shown.friends.data() + 3 * size_t{i};
        if (row[0] >= 54u || !row[1] || row[1] > house.copies || (row[2] != wide::NOBODY && row[2] >= house.seats)) {
            throw nb::value_error("friends: a card of the deck, the number of a copy, and a seat or 255");
        }
        table.friends[i] = {row[0], row[1]};
    }
    for (uint32_t seat = 0; seat < house.seats; ++seat) table.voids[seat] = shown.voids.data()[seat];
    if (const char* fault = lay_plays(order, house, shown, table)) throw nb::value_error(fault);
    for (uint32_t seat = 0; seat < house.seats; ++seat) {
        table.taken[seat] = shown.taken.data()[seat];
        table.fines[seat] = shown.fines.data()[seat];
        table.voids[seat] = shown.voids.data()[seat];
    }
    for (uint32_t i = 0; i < house.friends; ++i) table.joined[i] = shown.friends.data()[3 * size_t{i} + 2];
    table.seen = read_pile(shown.seen.data(), house.copies);
    if (const char* fault = fault_in_cards(table.seen, house.copies)) throw nb::value_error(fault);
    return table;
}

const char* deal(const wide::House& house, const uint64_t* world, wide::Table& table, Pile& buried) {
    const uint32_t turn = wide::to_move(house, table);
    Pile all = table.seen;
    for (uint32_t seat = 0; seat < house.seats; ++seat) {
        table.hand[seat] = read_pile(world + size_t{seat} * house.copies, house.copies);
        if (const char* fault = fault_in_pile(table.hand[seat], house.copies)) return fault;
        if (!put_in(all, table.hand[seat], house.copies)) return TOO_OFTEN;
    }
    buried = read_pile(world + size_t{house.seats} * house.copies, house.copies);
    if (const char* fault = fault_in_pile(buried, house.copies)) return fault;
    if (!put_in(all, buried, house.copies)) return TOO_OFTEN;
    const uint32_t whole = packs::size(table.hand[turn], house.copies);
    if (!whole) return NOTHING_LEFT;
    if (table.lying && whole < table.cards) return TOO_FEW;
    for (uint32_t i = 0; i < house.seats; ++i) {
        const uint32_t gone = i < table.lying ? table.cards : 0u;
        if (packs::size(table.hand[(table.leader + i) % house.seats], house.copies) + gone != whole) return HAND_SIZES;
    }
    table.kitty = wide::points_of(buried, house.copies);
    return nullptr;
}

const char* fault_in_candidate(const packs::Order& order, const wide::House& house, const wide::Table& table,
                               const Pile& play) {
    const Pile& hand = table.hand[wide::to_move(house, table)];
    if (const char* fault = fault_in_pile(play, house.copies)) return fault;
    for (uint32_t i = 0; i < house.copies; ++i) {
        if (play.layer[i] & ~hand.layer[i]) return NOT_IN_HAND;
    }
    if (!table.lying) return wide::suit_of(order, play) == packs::NO_SUIT ? MANY_SUITS : nullptr;
    return wide::may_follow(order, house, table, hand, play) ? nullptr : NO_FOLLOW;
}

Clock::time_point deadline_in(double seconds) {
    constexpr double LONG = 1e9;
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                              seconds < LONG ? seconds : LONG));
}

// Every card of the deck must have a suit, or a hand could have nothing to lead.
void check_order(const packs::Order& order) {
    packs::Kinds own = 0;
    for (packs::Kinds kinds : order.own) own |= kinds;
    if (own != wide::DECK) throw nb::value_error("order: a card has no suit");
}

struct Rolled {
    const packs::Order& order;
    const wide::House& house;
    const uint64_t* candidates;  // [K, copies]
    const int32_t* fined;        // [K]
    size_t count;
    int32_t* points;
    uint16_t* teams;
};

RENEGE_FN const char* roll_row(const Rolled& rolled, const wide::Table& start, const Pile& buried) {
    for (size_t k = 0; k < rolled.count; ++k) {
        wide::Table table = start;
        const Pile play = read_pile(rolled.candidates + k * rolled.house.copies, rolled.house.copies);
        if (play.layer[0]) {
            if (const char* fault = fault_in_candidate(rolled.order, rolled.house, table, play)) return fault;
            table.fines[wide::to_move(rolled.house, table)] += rolled.fined[k];
            wide::put(rolled.order, rolled.house, table, play);
        }
        wide::play_on(rolled.order, rolled.house, table, buried);
        rolled.points[k] = wide::attackers_points(rolled.house, table);
        rolled.teams[k] = static_cast<uint16_t>(wide::team_of(rolled.house, table));
    }
    return nullptr;
}

RENEGE_BMI2 const char* roll_bmi2(const Rolled& rolled, const wide::Table& start, const Pile& buried) {
    return roll_row(rolled, start, buried);
}

const char* roll_portable(const Rolled& rolled, const wide::Table& start, const Pile& buried) {
    return roll_row(rolled, start, buried);
}

bool can_bmi2 = false;  // set once, when the module is made

void rollouts(const PackOrder& order, const std::array<uint32_t, HOUSE_WORDS>& told, Worlds worlds, Layers plays,
              Array<const uint8_t, -1, 2> units, Array<const uint64_t, -1> seen, Seats taken, Seats fines,
              Array<const uint8_t, -1> voids, Array<const uint8_t, -1, 3> friends, uint32_t lying, uint32_t leader,
              uint32_t banker, Array<const uint64_t, -1, -1, -1> candidates, Array<const int32_t, -1, -1> fined,
              Array<int32_t, -1, -1> points, Array<uint16_t, -1, -1> teams, double most_seconds, size_t threads,
              bool bmi2) {
    const uint32_t copies = static_cast<uint32_t>(worlds.shape(2));
    const wide::House house = house_from(told, copies);
    check_order(order.tables);
    const size_t count = candidates.shape(1), rows = worlds.shape(0);
    for (size_t other : {candidates.shape(0), fined.shape(0), points.shape(0), teams.shape(0)}) same_rows(rows, other);
    for (size_t other : {fined.shape(1), points.shape(1), teams.shape(1)}) same_rows(count, other);
    if (worlds.shape(1) != house.seats + 1u || candidates.shape(2) != copies) {
        throw nb::value_error("worlds are [W, seats + 1, packs] and candidates [W, K, packs]");
    }
    const Shown shown = {plays, units, seen, taken, fines, voids, friends, lying, leader, banker};
    const wide::Table start = table_from(order.tables, house, shown);
    const Clock::time_point deadline = deadline_in(most_seconds);
    const auto entry = bmi2 && can_bmi2 ? roll_bmi2 : roll_portable;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(rows, threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last && Clock::now() < deadline; ++row) {
                wide::Table table = start;
                Pile buried;
                if (const char* fault = deal(house, worlds.data() + row * (house.seats + 1u) * copies, table, buried)) {
                    return {row, fault};
                }
                const size_t at = row * count;
                const Rolled rolled = {order.tables,       house, candidates.data() + at * copies, fined.data() + at, count,
                                       points.data() + at, teams.data() + at};
                if (const char* fault = entry(rolled, table, buried)) return {row, fault};
            }
            return {};
        });
    }
    raise("worlds", refusal);
}

// What the seat to move plays by the rules of thumb.
void choices(const PackOrder& order, const std::array<uint32_t, HOUSE_WORDS>& told, Worlds worlds, Layers plays,
             Array<const uint8_t, -1, 2> units, Array<const uint64_t, -1> seen, Seats taken, Seats fines,
             Array<const uint8_t, -1> voids, Array<const uint8_t, -1, 3> friends, uint32_t lying, uint32_t leader,
             uint32_t banker, Array<uint64_t, -1, -1> out) {
    const uint32_t copies = static_cast<uint32_t>(worlds.shape(2));
    const wide::House house = house_from(told, copies);
    check_order(order.tables);
    same_rows(worlds.shape(0), out.shape(0));
    if (worlds.shape(1) != house.seats + 1u || out.shape(1) != copies) {
        throw nb::value_error("worlds are [W, seats + 1, packs] and plays [W, packs]");
    }
    const Shown shown = {plays, units, seen, taken, fines, voids, friends, lying, leader, banker};
    const wide::Table start = table_from(order.tables, house, shown);
    for (size_t row = 0; row < worlds.shape(0); ++row) {
        wide::Table table = start;
        Pile buried;
        const char* fault = deal(house, worlds.data() + row * (house.seats + 1u) * copies, table, buried);
        raise("worlds", {row, fault ? fault : ""});
        const Pile play = wide::choose(order.tables, house, table, buried);
        std::memcpy(out.data() + row * copies, play.layer, copies * sizeof(uint64_t));
    }
}

}  // namespace

void bind_tractor_wide(nb::module_& module, bool has_bmi2) {
    can_bmi2 = has_bmi2;
    module.def("tractor_wide_rollouts", &rollouts, "order"_a, "house"_a, "worlds"_a.noconvert(),
               "plays"_a.noconvert(), "units"_a.noconvert(), "seen"_a.noconvert(), "taken"_a.noconvert(),
               "fines"_a.noconvert(), "voids"_a.noconvert(), "friends"_a.noconvert(), "lying"_a, "leader"_a, "banker"_a,
               "candidates"_a.noconvert(), "fined"_a.noconvert(), "points"_a.noconvert(), "teams"_a.noconvert(),
               "most_seconds"_a, "threads"_a, "bmi2"_a);
    module.def("tractor_wide_choices", &choices, "order"_a, "house"_a, "worlds"_a.noconvert(), "plays"_a.noconvert(),
               "units"_a.noconvert(), "seen"_a.noconvert(), "taken"_a.noconvert(), "fines"_a.noconvert(),
               "voids"_a.noconvert(), "friends"_a.noconvert(), "lying"_a, "leader"_a, "banker"_a, "out"_a.noconvert());
}
