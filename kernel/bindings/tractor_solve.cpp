// The Python face of Tractor's open-hand solver; renege.native.tractor_solve documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <chrono>
#include <memory>

#include <renege/tractor/solve.hpp>

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
constexpr const char* BAD_ATTACKERS = "the attackers have had more or less than points and fines can come to";
constexpr const char* FOUR_LIE = "four plays are no trick begun";
constexpr const char* A_GAP = "a play lies behind one that is missing";
constexpr const char* LENGTHS = "a play has not as many cards as the lead";
constexpr const char* HAND_SIZES = "hands that have played to the trick are shorter by the lead, all others alike";
constexpr const char* TOO_LONG = "the solver takes at most 12 cards a hand";

constexpr int32_t MOST_HAD = 1 << 25;

// Rounds as they come from outside, a row each.
struct Rounds {
    const uint64_t* hands;
    const uint64_t* table;
    const uint8_t* leaders;
    const uint8_t* bankers;
    const uint16_t* kitties;
    const int32_t* attackers;
    const uint64_t* past;  // played, and buried by the banker
    const uint8_t* voids;
};

// One of them, its trick laid again.
struct Round {
    tractor::Table table;
    tractor::Seen seen;
    Pile buried;
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

const char* fault_in_past(const Round& round) {
    Pile all = round.seen.played;
    for (const Pile& pile : {all, round.buried}) {
        if (pile.once & ~tractor::DECK) return NO_CARD;
        if (pile.twice & ~pile.once) return NOT_ONCE;
    }
    for (const Pile& pile : {round.buried, round.table.hand[0], round.table.hand[1], round.table.hand[2],
                             round.table.hand[3]}) {
        if (are_three(all, pile)) return THREE_COPIES;
        all = both(all, pile);
    }
    return nullptr;
}

const char* read_round(const Rules& rules, const Rounds& rounds, size_t row, Round& round) {
    Pile plays[SEATS];
    round = {};
    tractor::Table& table = round.table;
    uint32_t lying = 0;
    for (uint32_t i = 0; i < SEATS; ++i) {
        table.hand[i] = pile_at(rounds.hands, SEATS * row + i);
        plays[i] = pile_at(rounds.table, SEATS * row + i);
        round.seen.voids[i] = rounds.voids[SEATS * row + i];
    }
    round.seen.played = pile_at(rounds.past, 2 * row);
    round.buried = pile_at(rounds.past, 2 * row + 1);
    while (lying < SEATS && plays[lying].once) ++lying;
    table.leader = rounds.leaders[row];
    table.banker = rounds.bankers[row];
    table.kitty = rounds.kitties[row];
    table.attackers = rounds.attackers[row];
    if (table.leader >= SEATS || table.banker >= SEATS) return NO_SEAT;
    if (table.kitty > 200 || table.kitty % solver::GRAIN) return BAD_KITTY;
    if (table.attackers > MOST_HAD || table.attackers < -MOST_HAD) return BAD_ATTACKERS;
    if (const char* fault = fault_in_round(rules, table.hand, plays, lying, table.leader)) return fault;
    if (const char* fault = fault_in_past(round)) return fault;
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
                 {most_nodes, most_seconds < FOREVER ? is_late : nullptr, &deadline}, room.get(), 0, 0, {}, {}, {}, {}, false},
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
using Solve = solver::Bounds (*)(solver::Search&, const Round&);
using SolvePlays = uint32_t (*)(solver::Search&, const Round&, Pile*, solver::Bounds*);

RENEGE_BMI2 solver::Bounds solve_bmi2(solver::Search& search, const Round& round) {
    return solver::solve(search, round.table, round.seen, round.buried);
}

solver::Bounds solve_portable(solver::Search& search, const Round& round) {
    return solver::solve(search, round.table, round.seen, round.buried);
}

RENEGE_BMI2 uint32_t plays_bmi2(solver::Search& search, const Round& round, Pile* plays, solver::Bounds* values) {
    return solver::solve_plays(search, round.table, round.seen, round.buried, plays, values);
}

uint32_t plays_portable(solver::Search& search, const Round& round, Pile* plays, solver::Bounds* values) {
    return solver::solve_plays(search, round.table, round.seen, round.buried, plays, values);
}

bool can_bmi2 = false;  // set once, when the module is made

void check_slots(uint32_t slots) {
    if (slots & (slots - 1)) throw nb::value_error("slots must be a power of two, or 0");
}

void solve_batch(const TractorOrder& order, const TractorPacking& packing, Tricks hands, Tricks table, Bytes leaders,
                 Bytes bankers, Array<const uint16_t, -1> kitties, Array<const int32_t, -1> attackers,
                 Array<const uint64_t, -1, 2, 2> past, Array<const uint8_t, -1, SEATS> voids, uint64_t house, Array<int32_t, -1, 2> bounds, Array<uint64_t, -1> nodes, uint64_t most_nodes, double most_seconds,
                 uint32_t slots, size_t threads, bool bmi2) {
    for (size_t rows : {table.shape(0), leaders.shape(0), bankers.shape(0), kitties.shape(0), attackers.shape(0),
                        past.shape(0), voids.shape(0), bounds.shape(0), nodes.shape(0)}) {
        same_rows(hands.shape(0), rows);
    }
    check_slots(slots);
    const Rules rules = {order.tables, packing.tables, house_of(house)};
    const Rounds rounds = {hands.data(), table.data(), leaders.data(), bankers.data(), kitties.data(),
                           attackers.data(), past.data(), voids.data()};
    const Solve entry = bmi2 && can_bmi2 ? solve_bmi2 : solve_portable;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(hands.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            Bench bench(rules, slots, most_nodes, most_seconds);
            for (; row < last; ++row) {
                Round start;
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
                     Array<const uint8_t, 1> bankers, Array<const uint16_t, 1> kitties,
                     Array<const int32_t, 1> attackers, Array<const uint64_t, 1, 2, 2> past, Array<const uint8_t, 1, SEATS> voids, uint64_t house,
                     Array<uint64_t, tractor::MOST_PLAYS, 2> plays,
                     Array<int32_t, tractor::MOST_PLAYS, 2> bounds, Array<uint64_t, 1> nodes, uint64_t most_nodes,
                     double most_seconds, uint32_t slots, bool bmi2) {
    check_slots(slots);
    const Rules rules = {order.tables, packing.tables, house_of(house)};
    const Rounds rounds = {hands.data(), table.data(), leaders.data(), bankers.data(), kitties.data(),
                           attackers.data(), past.data(), voids.data()};
    const SolvePlays entry = bmi2 && can_bmi2 ? plays_bmi2 : plays_portable;
    Round start;
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
               "leaders"_a.noconvert(), "bankers"_a.noconvert(), "kitties"_a.noconvert(),
               "attackers"_a.noconvert(), "past"_a.noconvert(), "voids"_a.noconvert(), "house"_a, "bounds"_a.noconvert(), "nodes"_a.noconvert(), "most_nodes"_a,
               "most_seconds"_a, "slots"_a, "threads"_a, "bmi2"_a);
    module.def("tractor_solve_plays", &solve_plays, "order"_a, "packing"_a, "hands"_a.noconvert(),
               "table"_a.noconvert(), "leaders"_a.noconvert(), "bankers"_a.noconvert(), "kitties"_a.noconvert(),
               "attackers"_a.noconvert(), "past"_a.noconvert(), "voids"_a.noconvert(), "house"_a, "plays"_a.noconvert(), "bounds"_a.noconvert(),
               "nodes"_a.noconvert(), "most_nodes"_a, "most_seconds"_a, "slots"_a, "bmi2"_a);
}
