// The Python face of Tractor's rollouts; renege.native.rollouts documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <chrono>
#include <memory>

#include <renege/tractor/rollout.hpp>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace tractor = renege::tractor;
namespace solver = renege::tractor::solver;
using tractor::SEATS;
using Clock = std::chrono::steady_clock;
using Bytes = Array<const uint8_t, -1>;
using Seats = Array<const uint8_t, -1, SEATS>;
using Tricks = Array<const uint64_t, -1, SEATS, 2>;

constexpr const char* NO_SEAT = "a seat is 0..3";
constexpr const char* NO_TURN = "at most three plays lie on the table";
constexpr const char* NOT_LYING = "a play lies beyond the last one";
constexpr const char* WRONG_LENGTH = "a play has not as many cards as the lead";
constexpr const char* NOT_SEEN = "a card lies on the table and was not played";
constexpr const char* HAND_SIZES = "hands that have played to the trick are shorter by the lead, all others alike";
constexpr const char* NOTHING_LEFT = "the seat to move has no card";
constexpr const char* TOO_FEW = "the seat to move has fewer cards than were led";
constexpr const char* OTHER_HAND = "the seat to move has another hand than in the first world";
constexpr const char* BAD_KITTY = "a kitty has 0 to 200 points, in fives";
constexpr const char* NO_LEAD = "the house does not let this be led";
constexpr const char* REFUSED = "a candidate is a throw that is stopped, and the house refuses it";
constexpr const char* NO_FOLLOW = "the play does not follow as it must";

struct Rules {
    const tractor::Order& order;
    const tractor::Packing& packing;
    tractor::House house;
};

// What everybody sees: a trick begun, the seats, and what was played before.
struct Scene {
    Pile plays[SEATS];
    uint32_t lying, leader, banker;
    tractor::Seen seen;

    uint32_t turn() const { return (leader + lying) % SEATS; }
};

Pile pile_at(const uint64_t* piles, size_t i) { return {piles[2 * i], piles[2 * i + 1]}; }

Scene read_scene(const uint64_t* plays, const uint64_t* played, const uint8_t* voids, uint32_t lying, uint32_t leader,
                 uint32_t banker) {
    Scene scene = {{}, lying, leader, banker, {pile_at(played, 0), {}}};
    for (uint32_t i = 0; i < SEATS; ++i) {
        scene.plays[i] = pile_at(plays, i);
        scene.seen.voids[i] = voids[i];
    }
    return scene;
}

// Three copies of a kind in two piles?
bool crowds(const Pile& a, const Pile& b) { return (a.once & b.twice) | (a.twice & b.once); }

const char* fault_in_scene(const Rules& rules, const Scene& scene) {
    if (scene.leader >= SEATS || scene.banker >= SEATS) return NO_SEAT;
    if (scene.lying >= SEATS) return NO_TURN;
    const Pile& played = scene.seen.played;
    if (played.once & ~tractor::DECK) return NO_CARD;
    if (played.twice & ~played.once) return NOT_ONCE;
    Pile lies = {0, 0};
    for (uint32_t i = 0; i < SEATS; ++i) {
        const Pile& play = scene.plays[i];
        if (i >= scene.lying && play.once | play.twice) return NOT_LYING;
        if (i >= scene.lying) continue;
        if (const char* fault = i ? fault_in(play) : fault_in_lead(rules.order, play)) return fault;
        if (tractor::size(play) != tractor::size(scene.plays[0])) return WRONG_LENGTH;
        if (crowds(lies, play)) return THREE_COPIES;
        lies = tractor::joined(lies, play);
    }
    return (lies.once & ~played.once) | (lies.twice & ~played.twice) ? NOT_SEEN : nullptr;
}

const char* fault_in_hand(const Scene& scene, const Pile& hand) {
    if (const char* fault = fault_in(hand)) return fault;
    if (!hand.once) return NOTHING_LEFT;
    if (scene.lying && tractor::size(hand) < tractor::size(scene.plays[0])) return TOO_FEW;
    return crowds(hand, scene.seen.played) ? THREE_COPIES : nullptr;
}

const char* fault_in_world(const Scene& scene, const Pile* hands, const Pile& mine, int32_t kitty,
                           const Pile& buried) {
    if (kitty < 0 || kitty > 200 || kitty % solver::GRAIN) return BAD_KITTY;
    if (const char* fault = fault_in(buried)) return fault;
    Pile all = scene.seen.played;
    const uint32_t whole = tractor::size(mine);
    for (uint32_t i = 0; i < SEATS; ++i) {
        const Pile& hand = hands[(scene.leader + i) % SEATS];
        if (const char* fault = fault_in(hand)) return fault;
        if (crowds(all, hand)) return THREE_COPIES;
        all = tractor::joined(all, hand);
        const uint32_t gone = i < scene.lying ? tractor::size(scene.plays[0]) : 0u;
        if (tractor::size(hand) + gone != whole) return HAND_SIZES;
    }
    if (crowds(all, buried)) return THREE_COPIES;
    const Pile& hand = hands[scene.turn()];
    return hand.once != mine.once || hand.twice != mine.twice ? OTHER_HAND : nullptr;
}

// `buried` is what the seat to move has buried, if it is the banker.
const char* fault_in_candidate(const Rules& rules, const Scene& scene, const Pile& hand, const Pile& buried,
                               const Pile& play) {
    if (!play.once && !play.twice) return nullptr;  // by the rules of thumb
    if ((play.once & ~hand.once) | (play.twice & ~hand.twice)) return NOT_HELD;
    if (play.twice & ~play.once) return NOT_ONCE;
    if (!scene.lying) {
        const tractor::Unseen unseen = tractor::unseen_by(hand, scene.seen, buried, scene.leader);
        return tractor::may_lead(rules.order, rules.packing, rules.house, unseen, play) ? nullptr : NO_LEAD;
    }
    const tractor::Duty duty =
        tractor::judge_follow(rules.order, rules.packing, rules.house, scene.plays[0], hand, play);
    return duty == tractor::Duty::NONE ? nullptr : NO_FOLLOW;
}

// Where stopped throws are refused it takes the true hands to say whether these may be led.
Refusal refusal_of_throws(const Rules& rules, tractor::Table table, Tricks worlds, Piles candidates) {
    if (rules.house.stop != tractor::Stop::REFUSED || table.lying) return {};
    for (size_t row = 0; row < worlds.shape(0); ++row) {
        std::memcpy(table.hand, worlds.data() + 2 * SEATS * row, sizeof table.hand);
        for (size_t k = 0; k < candidates.shape(0); ++k) {
            const Pile play = pile_at(candidates.data(), k);
            Pile unit;
            if (!play.once) continue;
            if (tractor::stopped(rules.order, rules.packing, rules.house, table, table.leader, play, unit)) {
                return {row, REFUSED};
            }
        }
    }
    return {};
}

tractor::Table lay(const Rules& rules, const Scene& scene) {
    return tractor::lay_table(rules.order, rules.packing, rules.house, scene.plays, scene.lying, scene.leader,
                              scene.banker);
}

// What a thread needs to solve the ends of rounds; without any from which to solve, next to nothing.
struct Ends {
    static constexpr uint32_t SLOTS = 1u << 12;
    std::unique_ptr<solver::Slot[]> slots;
    std::unique_ptr<Pile[]> room;
    solver::Search search;
    uint32_t from;

    Ends(const Rules& rules, uint32_t from)
        : slots(new solver::Slot[from ? SLOTS : 1]()), room(new Pile[from ? solver::ROOM : 1]),
          search{rules.order, rules.packing, rules.house, {slots.get(), SLOTS}, {~0ull, nullptr, nullptr}, room.get(),
                 0, 0, {}, {}, {}, {}, false},
          from(from) {}
};

// One world, every candidate in it.
struct Row {
    const Rules& rules;
    const tractor::Table& table;
    const tractor::Seen& seen;
    const uint64_t* candidates;
    size_t count;
    tractor::Whims whims;
    Ends& ends;
    Pile buried;
};

template <class End>
RENEGE_FN void roll_row(const Row& row, End end, int32_t* out) {
    for (size_t k = 0; k < row.count; ++k) {
        const Pile candidate = {row.candidates[2 * k], row.candidates[2 * k + 1]};
        out[k] = tractor::roll_out(row.rules.order, row.rules.packing, row.rules.house, row.table, row.seen, candidate,
                                   row.whims, end);
    }
}

// One entry point per kind of CPU and of end. Not inlined, so that each is compiled once.
RENEGE_BMI2 void roll_bmi2(const Row& row, int32_t* out) { roll_row(row, tractor::PlayedOut{}, out); }
void roll_portable(const Row& row, int32_t* out) { roll_row(row, tractor::PlayedOut{}, out); }

RENEGE_BMI2 void roll_and_solve_bmi2(const Row& row, int32_t* out) {
    roll_row(row, tractor::Solving<>{row.ends.search, row.ends.from, row.buried}, out);
}

void roll_and_solve_portable(const Row& row, int32_t* out) {
    roll_row(row, tractor::Solving<>{row.ends.search, row.ends.from, row.buried}, out);
}

using Roll = void (*)(const Row&, int32_t*);

Roll entry_for(bool bmi2, bool solves) {
    if (bmi2) return solves ? roll_and_solve_bmi2 : roll_bmi2;
    return solves ? roll_and_solve_portable : roll_portable;
}

bool can_bmi2 = false;  // set once, when the module is made

// Every card of the deck must have a suit, or a hand could have nothing to lead.
Rules rules_of(const TractorOrder& order, const TractorPacking& packing, uint64_t house) {
    tractor::Kinds own = 0;
    for (tractor::Kinds kinds : order.tables.own) own |= kinds;
    if (own != tractor::DECK) throw nb::value_error("order: a card has no suit");
    return {order.tables, packing.tables, house_of(house)};
}

Clock::time_point deadline_in(double seconds) {
    constexpr double LONG = 1e9;
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                              seconds < LONG ? seconds : LONG));
}

void rollouts(const TractorOrder& order, const TractorPacking& packing, uint64_t house, Tricks worlds,
              Array<const int32_t, -1> kitties, Piles buried, Array<const uint64_t, SEATS, 2> plays, uint32_t lying,
              uint32_t leader, uint32_t banker, int32_t attackers, Array<const uint64_t, 2> played,
              Array<const uint8_t, SEATS> voids, Piles candidates, Array<int32_t, -1, -1> out, uint32_t chance,
              uint64_t seed, uint64_t first_lane, uint32_t solve_from, double most_seconds, size_t threads, bool bmi2) {
    const size_t count = candidates.shape(0);
    for (size_t rows : {kitties.shape(0), buried.shape(0), out.shape(0)}) same_rows(worlds.shape(0), rows);
    same_rows(count, out.shape(1));
    const Rules rules = rules_of(order, packing, house);
    const Scene scene = read_scene(plays.data(), played.data(), voids.data(), lying, leader, banker);
    if (const char* fault = fault_in_scene(rules, scene)) throw nb::value_error(fault);
    if (!worlds.shape(0)) return;
    const Pile mine = pile_at(worlds.data(), scene.turn());
    if (const char* fault = fault_in_hand(scene, mine)) raise("worlds", {0, fault});
    for (size_t k = 0; k < count; ++k) {
        const Pile known = scene.turn() == banker ? pile_at(buried.data(), 0) : Pile{0, 0};
        const char* fault = fault_in_candidate(rules, scene, mine, known, pile_at(candidates.data(), k));
        raise("candidates", {k, fault ? fault : ""});
    }
    tractor::Table start = lay(rules, scene);
    start.attackers = attackers;
    raise("worlds", refusal_of_throws(rules, start, worlds, candidates));
    const Roll entry = entry_for(bmi2 && can_bmi2, solve_from != 0);
    const Clock::time_point deadline = deadline_in(most_seconds);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(worlds.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            Ends ends(rules, solve_from);
            for (; row < last && Clock::now() < deadline; ++row) {
                tractor::Table table = start;
                std::memcpy(table.hand, worlds.data() + 2 * SEATS * row, sizeof table.hand);
                table.kitty = kitties.data()[row];
                const Pile below = pile_at(buried.data(), row);
                if (const char* fault = fault_in_world(scene, table.hand, mine, table.kitty, below)) return {row, fault};
                const renege::Stream stream =
                    renege::open_stream(seed, renege::Purpose::PLAYOUT, first_lane + row);
                entry({rules, table, scene.seen, candidates.data(), count, {chance, stream}, ends, below},
                      out.data() + count * row);
            }
            return {};
        });
    }
    raise("worlds", refusal);
}

void policy_plays(const TractorOrder& order, const TractorPacking& packing, uint64_t house, Piles hands, Tricks plays,
                  Bytes lying, Bytes leaders, Bytes bankers, Piles played, Seats voids,
                  Array<const uint32_t, -1> whims, Array<uint64_t, -1, 2> out, size_t threads) {
    for (size_t rows : {plays.shape(0), lying.shape(0), leaders.shape(0), bankers.shape(0), played.shape(0),
                        voids.shape(0), whims.shape(0), out.shape(0)}) {
        same_rows(hands.shape(0), rows);
    }
    const Rules rules = rules_of(order, packing, house);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(hands.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                const Scene scene =
                    read_scene(plays.data() + 2 * SEATS * row, played.data() + 2 * row, voids.data() + SEATS * row,
                               lying.data()[row], leaders.data()[row], bankers.data()[row]);
                const Pile hand = pile_at(hands.data(), row);
                if (const char* fault = fault_in_scene(rules, scene)) return {row, fault};
                if (const char* fault = fault_in_hand(scene, hand)) return {row, fault};
                tractor::Table table = lay(rules, scene);
                table.hand[scene.turn()] = hand;
                const tractor::View view = tractor::look(table, scene.seen, whims.data()[row]);
                const Pile play = tractor::choose(rules.order, rules.packing, rules.house, view);
                out.data()[2 * row] = play.once;
                out.data()[2 * row + 1] = play.twice;
            }
            return {};
        });
    }
    raise("hands", refusal);
}

}  // namespace

void bind_tractor_rollout(nb::module_& module, bool has_bmi2) {
    can_bmi2 = has_bmi2;
    module.def("tractor_rollouts", &rollouts, "order"_a, "packing"_a, "house"_a,
               "worlds"_a.noconvert(), "kitties"_a.noconvert(), "buried"_a.noconvert(), "plays"_a.noconvert(), "lying"_a, "leader"_a,
               "banker"_a, "attackers"_a, "played"_a.noconvert(), "voids"_a.noconvert(), "candidates"_a.noconvert(),
               "out"_a.noconvert(), "chance"_a, "seed"_a, "first_lane"_a, "solve_from"_a, "most_seconds"_a, "threads"_a, "bmi2"_a);
    module.def("tractor_policy_plays", &policy_plays, "order"_a, "packing"_a, "house"_a,
               "hands"_a.noconvert(), "plays"_a.noconvert(), "lying"_a.noconvert(), "leaders"_a.noconvert(),
               "bankers"_a.noconvert(), "played"_a.noconvert(), "voids"_a.noconvert(),
               "whims"_a.noconvert(), "out"_a.noconvert(), "threads"_a);
}
