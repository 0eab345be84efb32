// The Python face of Tractor's open-hand solver; renege.native_tractor_solve documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <chrono>
#include <memory>

#include <renege/tractor_solve.hpp>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace tractor = renege::tractor;
namespace solver = renege::tractor::solver;
using tractor::SEATS;
using Bytes = Array<const uint8_t, -1>;
using Tricks = Array<const uint64_t, -1, SEATS, 2>;
using Clock = std::chrono::steady_clock;

constexpr const char* NO_SEAT = "a seat is 0..3";
constexpr const char* BAD_KITTY = "a kitty has 0 to 200 points, in fives";
constexpr const char* FOUR_LIE = "four plays are no trick begun";
constexpr const char* A_GAP = "a play lies behind one that is missing";
constexpr const char* LENGTHS = "a play has not as many cards as the lead";
constexpr const char* HAND_SIZES = "hands that have played to the trick are shorter by the lead, all others alike";
constexpr const char* TOO_LONG = "the solver takes at most 12 cards a hand";

// Rounds as they come from outside, a row each.
struct Rounds {
    const uint64_t* hands;
    const uint64_t* table;
    const uint8_t* leaders;
    const uint8_t* bankers;
    const uint16_t* kitties;
};

struct Rules {
    const tractor::Order& order;
    const tractor::Packing& packing;
    tractor::House house;
};

Pile pile_at(const uint64_t* piles, size_t i) { return {piles[2 * i], piles[2 * i + 1]}; }

Pile both(const Pile& a, const Pile& b) { return {a.once | b.once, a.twice | b.twice | (a.once & b.once)}; }

bool are_three(const Pile& a, const Pile& b) { return (a.once & b.twice) | (a.twice & b.once); }

const char* fault_in_trick(const Rules& rules, const Pile* plays, uint32_t lying) {
    if (lying == SEATS) return FOUR_LIE;
    for (uint32_t i = 0; i < SEATS; ++i) {
        if (i >= lying && plays[i].once | plays[i].twice) return A_GAP;
        if (i >= lying) continue;
        if (const char* fault = i ? fault_in(plays[i]) : fault_in_lead(rules.order, plays[i])) return fault;
        if (tractor::size(plays[i]) != tractor::size(plays[0])) return LENGTHS;
    }
    return nullptr;
}

const char* fault_in_round(const Rules& rules, const Pile* hands, const Pile* plays, uint32_t lying, uint32_t leader) {
    if (const char* fault = fault_in_trick(rules, plays, lying)) return fault;
    const uint32_t led = lying ? tractor::size(plays[0]) : 0u;
    const uint32_t whole = tractor::size(hands[leader]) + led;
    if (whole > tractor::MOST_HELD) return TOO_LONG;
    Pile all = {0, 0};
    for (uint32_t i = 0; i < SEATS; ++i) {
        const Pile& hand = hands[(leader + i) % SEATS];
        if (const char* fault = fault_in(hand)) return fault;
        if (tractor::size(hand) + (i < lying ? led : 0u) != whole) return HAND_SIZES;
        if (are_three(all, hand)) return THREE_COPIES;
        all = both(all, hand);
        if (are_three(all, plays[i])) return THREE_COPIES;
        all = both(all, plays[i]);
    }
    return nullptr;
}

// The table of one row, its trick laid again.
const char* read_round(const Rules& rules, const Rounds& rounds, size_t row, tractor::Table& table) {
    Pile plays[SEATS];
    table = {};
    uint32_t lying = 0;
    for (uint32_t i = 0; i < SEATS; ++i) {
        table.hand[i] = pile_at(rounds.hands, SEATS * row + i);
        plays[i] = pile_at(rounds.table, SEATS * row + i);
    }
    while (lying < SEATS && plays[lying].once) ++lying;
    table.leader = rounds.leaders[row];
    table.banker = rounds.bankers[row];
    table.kitty = rounds.kitties[row];
    if (table.leader >= SEATS || table.banker >= SEATS) return NO_SEAT;
    if (table.kitty > 200 || table.kitty % solver::GRAIN) return BAD_KITTY;
    if (const char* fault = fault_in_round(rules, table.hand, plays, lying, table.leader)) return fault;
    for (uint32_t i = 0; i < lying; ++i) {
        Pile& hand = table.hand[(table.leader + i) % SEATS];
        hand = both(hand, plays[i]);
        if (i) tractor::lay_follow(rules.order, rules.packing, rules.house, table, plays[i]);
        else tractor::lay_lead(rules.order, rules.packing, table, plays[i]);
    }
    return nullptr;
}

bool is_late(void* deadline) { return Clock::now() >= *static_cast<Clock::time_point*>(deadline); }

// What a thread works with; a deadline holds for a row.
struct Bench {
    std::unique_ptr<solver::Slot[]> slots;
    std::unique_ptr<Pile[]> room;
    Clock::time_point deadline;
    solver::Search search;

    Bench(const Rules& rules, uint32_t count, uint64_t most_nodes, double most_seconds)
        : slots(count ? new solver::Slot[count]() : nullptr), room(new Pile[solver::ROOM]),
          search{rules.order, rules.packing, rules.house, {slots.get(), count},
                 {most_nodes, most_seconds < FOREVER ? is_late : nullptr, &deadline}, room.get(), 0, 0, {}, {}, {}},
          seconds(most_seconds) {}

    void begin() {
        search.nodes = 0;
        if (search.limits.stop) {
            const std::chrono::duration<double> most(seconds);
            deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
        }
    }

    static constexpr double FOREVER = 1e9;
    double seconds;
};

// One entry point per kind of CPU, for popcnt. Not inlined, so that each is compiled once.
using Solve = solver::Bounds (*)(solver::Search&, const tractor::Table&);
using SolvePlays = uint32_t (*)(solver::Search&, const tractor::Table&, Pile*, solver::Bounds*);

RENEGE_BMI2 solver::Bounds solve_bmi2(solver::Search& search, const tractor::Table& table) {
    return solver::solve(search, table);
}

solver::Bounds solve_portable(solver::Search& search, const tractor::Table& table) {
    return solver::solve(search, table);
}

RENEGE_BMI2 uint32_t plays_bmi2(solver::Search& search, const tractor::Table& table, Pile* plays,
                                solver::Bounds* values) {
    return solver::solve_plays(search, table, plays, values);
}

uint32_t plays_portable(solver::Search& search, const tractor::Table& table, Pile* plays, solver::Bounds* values) {
    return solver::solve_plays(search, table, plays, values);
}

bool can_bmi2 = false;  // set once, when the module is made

tractor::House house_of(bool shorter, bool trump_throws, uint32_t kitty) {
    if (kitty >= tractor::KITTIES) throw nb::value_error("kitty: no such multiplier");
    return {shorter, trump_throws, static_cast<tractor::Kitty>(kitty)};
}

void check_slots(uint32_t slots) {
    if (slots & (slots - 1)) throw nb::value_error("slots must be a power of two, or 0");
}

void solve_batch(const TractorOrder& order, const TractorPacking& packing, Tricks hands, Tricks table, Bytes leaders,
                 Bytes bankers, Array<const uint16_t, -1> kitties, bool shorter, bool trump_throws, uint32_t kitty,
                 Array<int32_t, -1, 2> bounds, Array<uint64_t, -1> nodes, uint64_t most_nodes, double most_seconds,
                 uint32_t slots, size_t threads, bool bmi2) {
    for (size_t rows : {table.shape(0), leaders.shape(0), bankers.shape(0), kitties.shape(0), bounds.shape(0),
                        nodes.shape(0)}) {
        same_rows(hands.shape(0), rows);
    }
    check_slots(slots);
    const Rules rules = {order.tables, packing.tables, house_of(shorter, trump_throws, kitty)};
    const Rounds rounds = {hands.data(), table.data(), leaders.data(), bankers.data(), kitties.data()};
    const Solve entry = bmi2 && can_bmi2 ? solve_bmi2 : solve_portable;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(hands.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            Bench bench(rules, slots, most_nodes, most_seconds);
            for (; row < last; ++row) {
                tractor::Table start;
                if (const char* fault = read_round(rules, rounds, row, start)) return {row, fault};
                bench.begin();
                const solver::Bounds found = entry(bench.search, start);
                bounds.data()[2 * row] = found.lower;
                bounds.data()[2 * row + 1] = found.upper;
                nodes.data()[row] = bench.search.nodes;
            }
            return {};
        });
    }
    raise("rounds", refusal);
}

// One round; how many plays there are.
uint32_t solve_plays(const TractorOrder& order, const TractorPacking& packing, Array<const uint64_t, 1, SEATS, 2> hands,
                     Array<const uint64_t, 1, SEATS, 2> table, Array<const uint8_t, 1> leaders,
                     Array<const uint8_t, 1> bankers, Array<const uint16_t, 1> kitties, bool shorter,
                     bool trump_throws, uint32_t kitty, Array<uint64_t, tractor::MOST_PLAYS, 2> plays,
                     Array<int32_t, tractor::MOST_PLAYS, 2> bounds, Array<uint64_t, 1> nodes, uint64_t most_nodes,
                     double most_seconds, uint32_t slots, bool bmi2) {
    check_slots(slots);
    const Rules rules = {order.tables, packing.tables, house_of(shorter, trump_throws, kitty)};
    const Rounds rounds = {hands.data(), table.data(), leaders.data(), bankers.data(), kitties.data()};
    const SolvePlays entry = bmi2 && can_bmi2 ? plays_bmi2 : plays_portable;
    tractor::Table start;
    if (const char* fault = read_round(rules, rounds, 0, start)) raise("rounds", {0, fault});
    uint32_t count = 0;
    nb::gil_scoped_release release;
    Bench bench(rules, slots, most_nodes, most_seconds);
    const std::unique_ptr<Pile[]> piles(new Pile[tractor::MOST_PLAYS]);
    const std::unique_ptr<solver::Bounds[]> values(new solver::Bounds[tractor::MOST_PLAYS]);
    bench.begin();
    count = entry(bench.search, start, piles.get(), values.get());
    std::memcpy(plays.data(), piles.get(), count * sizeof(Pile));
    std::memcpy(bounds.data(), values.get(), count * sizeof(solver::Bounds));
    nodes.data()[0] = bench.search.nodes;
    return count;
}

}  // namespace

void bind_tractor_solve(nb::module_& module, bool has_bmi2) {
    can_bmi2 = has_bmi2;
    module.def("tractor_solve", &solve_batch, "order"_a, "packing"_a, "hands"_a.noconvert(), "table"_a.noconvert(),
               "leaders"_a.noconvert(), "bankers"_a.noconvert(), "kitties"_a.noconvert(), "shorter"_a,
               "trump_throws"_a, "kitty"_a, "bounds"_a.noconvert(), "nodes"_a.noconvert(), "most_nodes"_a,
               "most_seconds"_a, "slots"_a, "threads"_a, "bmi2"_a);
    module.def("tractor_solve_plays", &solve_plays, "order"_a, "packing"_a, "hands"_a.noconvert(),
               "table"_a.noconvert(), "leaders"_a.noconvert(), "bankers"_a.noconvert(), "kitties"_a.noconvert(),
               "shorter"_a, "trump_throws"_a, "kitty"_a, "plays"_a.noconvert(), "bounds"_a.noconvert(),
               "nodes"_a.noconvert(), "most_nodes"_a, "most_seconds"_a, "slots"_a, "bmi2"_a);
}
