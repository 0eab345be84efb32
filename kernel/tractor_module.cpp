// The Python face of Tractor in the kernel; renege.native_tractor documents it and allocates the arrays.
#include "batch.hpp"

#include <cstring>

#include <renege/tractor.hpp>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace tractor = renege::tractor;
using renege::count_bits64;
using renege::lowest_bit64;
using tractor::Pile;

using Piles = Array<const uint64_t, -1, 2>;
using Tricks = Array<const uint64_t, -1, 4, 2>;
constexpr uint32_t PLAYS = 4;

constexpr const char* NO_CARD = "a card that the deck does not have";
constexpr const char* NOT_ONCE = "a card is there twice and not once";
constexpr const char* TOO_MANY = "more than 25 cards";
constexpr const char* EMPTY = "no card was led";
constexpr const char* SEVERAL_SUITS = "the lead is of several suits";
constexpr const char* NOT_HELD = "the play is not in the hand";
constexpr const char* THREE_COPIES = "a card is there three times";

Pile read(const uint64_t* row) { return {row[0], row[1]}; }

// What is wrong with a pile that came from outside; nullptr promises that the header is safe on it.
RENEGE_FN const char* fault_in(const Pile& pile) {
    if (pile.once & ~tractor::DECK) return NO_CARD;
    if (pile.twice & ~pile.once) return NOT_ONCE;
    return tractor::size(pile) > tractor::HAND ? TOO_MANY : nullptr;
}

RENEGE_FN const char* fault_in_lead(const tractor::Order& order, const Pile& lead) {
    if (!lead.once) return EMPTY;
    if (const char* fault = fault_in(lead)) return fault;
    return tractor::suit_of(order, lead) == tractor::NO_SUIT ? SEVERAL_SUITS : nullptr;
}

RENEGE_FN const char* fault_in_follow(const tractor::Order& order, const Pile& lead, const Pile& hand,
                                      const Pile& play) {
    if (const char* fault = fault_in_lead(order, lead)) return fault;
    if (const char* fault = fault_in(hand)) return fault;
    if ((play.once & ~hand.once) | (play.twice & ~hand.twice)) return NOT_HELD;
    if (play.twice & ~play.once) return NOT_ONCE;
    return (lead.once & hand.twice) | (lead.twice & hand.once) ? THREE_COPIES : nullptr;
}

RENEGE_FN const char* fault_in_trick(const tractor::Order& order, const Pile* plays) {
    tractor::Kinds once = 0, twice = 0, thrice = 0;
    for (uint32_t i = 0; i < PLAYS; ++i) {
        if (const char* fault = fault_in(plays[i])) return fault;
        for (const tractor::Kinds layer : {plays[i].once, plays[i].twice}) {
            thrice |= twice & layer;
            twice |= once & layer;
            once |= layer;
        }
    }
    return thrice ? THREE_COPIES : fault_in_lead(order, plays[0]);
}

struct Jobs {
    const tractor::Order& order;
    const tractor::Packing& packing;
    uint32_t shorter;
};

RENEGE_FN const char* follow_rows(const Jobs& jobs, const uint64_t* leads, const uint64_t* hands,
                                  const uint64_t* plays, uint8_t* out, size_t& row, size_t last) {
    for (; row < last; ++row) {
        const Pile lead = {leads[2 * row], leads[2 * row + 1]}, hand = {hands[2 * row], hands[2 * row + 1]};
        const Pile play = {plays[2 * row], plays[2 * row + 1]};
        if (const char* fault = fault_in_follow(jobs.order, lead, hand, play)) return fault;
        out[row] = static_cast<uint8_t>(
            tractor::judge_follow(jobs.order, jobs.packing, lead, hand, play, jobs.shorter));
    }
    return nullptr;
}

RENEGE_FN const char* winner_rows(const Jobs& jobs, const uint64_t* tricks, uint8_t* out, size_t& row, size_t last) {
    for (; row < last; ++row) {
        Pile plays[PLAYS];
        std::memcpy(plays, tricks + 2 * PLAYS * row, sizeof plays);
        if (const char* fault = fault_in_trick(jobs.order, plays)) return fault;
        out[row] = static_cast<uint8_t>(tractor::winner(jobs.order, jobs.packing, plays, PLAYS));
    }
    return nullptr;
}

// One entry point per kind of CPU: what matters here is popcnt, which the oldest x86-64 lacks.
using FollowRows = decltype(&follow_rows);
using WinnerRows = decltype(&winner_rows);
#if RENEGE_HAS_BMI2_PATH
#define RENEGE_BMI2 [[gnu::target("bmi,bmi2,popcnt")]]
#else
#define RENEGE_BMI2
#endif

RENEGE_BMI2 const char* follow_rows_bmi2(const Jobs& jobs, const uint64_t* leads, const uint64_t* hands,
                                         const uint64_t* plays, uint8_t* out, size_t& row, size_t last) {
    return follow_rows(jobs, leads, hands, plays, out, row, last);
}

RENEGE_BMI2 const char* winner_rows_bmi2(const Jobs& jobs, const uint64_t* tricks, uint8_t* out, size_t& row,
                                         size_t last) {
    return winner_rows(jobs, tricks, out, row, last);
}

const char* follow_rows_portable(const Jobs& jobs, const uint64_t* leads, const uint64_t* hands,
                                 const uint64_t* plays, uint8_t* out, size_t& row, size_t last) {
    return follow_rows(jobs, leads, hands, plays, out, row, last);
}

const char* winner_rows_portable(const Jobs& jobs, const uint64_t* tricks, uint8_t* out, size_t& row, size_t last) {
    return winner_rows(jobs, tricks, out, row, last);
}

bool can_bmi2 = false;  // set once, when the module is made

struct Packing {
    tractor::Packing tables;

    Packing(Array<const uint16_t, 1u << tractor::HALF> code,
            Array<const uint16_t, tractor::HALF + 1, tractor::HALF + 1> seam,
            Array<const uint16_t, tractor::LONGEST + 1> weight, Array<const uint8_t, 1u << tractor::HALF> tail,
            Array<const uint8_t, tractor::CODES> shape, Array<const uint32_t, tractor::SHAPES> runs,
            Array<const uint8_t, 2, tractor::SHAPES, tractor::SHAPES> match)
        : tables{} {
        std::memcpy(tables.code, code.data(), sizeof tables.code);
        std::memcpy(tables.seam, seam.data(), sizeof tables.seam);
        std::memcpy(tables.weight, weight.data(), sizeof tables.weight);
        std::memcpy(tables.tail, tail.data(), sizeof tables.tail);
        std::memcpy(tables.shape, shape.data(), sizeof tables.shape);
        std::memcpy(tables.runs, runs.data(), sizeof tables.runs);
        std::memcpy(tables.match, match.data(), sizeof tables.match);
        const auto least = [](const uint8_t* from, size_t size, uint32_t bound) {
            return std::all_of(from, from + size, [bound](uint8_t value) { return value < bound; });
        };
        if (!least(tables.shape, sizeof tables.shape, tractor::SHAPES) ||
            !least(&tables.match[0][0][0], sizeof tables.match, tractor::SHAPES) ||
            !least(tables.tail, sizeof tables.tail, tractor::HALF + 1)) {
            throw nb::value_error("a table names a shape or a length that does not exist");
        }
    }
};

struct Order {
    tractor::Order tables;

    Order(Array<const uint64_t, tractor::SUITS, tractor::STEPS> steps, uint32_t trump) : tables{} {
        if (trump >= tractor::SUITS) throw nb::value_error("trump: a suit is 0..4");
        tables.trump = trump;
        std::memset(tables.led_suit, tractor::NO_SUIT, sizeof tables.led_suit);
        for (uint32_t suit = 0; suit < tractor::SUITS; ++suit) {
            for (uint32_t step = 0; step < tractor::STEPS; ++step) {
                add_step(suit, step, steps.data()[tractor::STEPS * suit + step]);
            }
        }
    }

    void add_step(uint32_t suit, uint32_t step, tractor::Kinds kinds) {
        if (kinds & ~tractor::DECK) throw nb::value_error("steps: a card that the deck does not have");
        if (count_bits64(kinds) > 1) {
            if (tables.crowd[suit]) throw nb::value_error("steps: at most one step of a suit has several cards");
            tables.crowd[suit] = kinds;
            tables.crowded[suit] = static_cast<uint8_t>(step);
        }
        for (; kinds; kinds &= kinds - 1) {
            const uint32_t card = lowest_bit64(kinds);
            if (tables.led_suit[card] != tractor::NO_SUIT) throw nb::value_error("steps: a card stands on two of them");
            tables.led_suit[card] = static_cast<uint8_t>(suit);
            tables.own[suit] |= uint64_t{1} << card;
            add_to_segment(suit, card, (step - card) & 63u);
        }
    }

    void add_to_segment(uint32_t suit, uint32_t card, uint32_t turn) {
        uint32_t i = 0;
        while (i < tables.segments[suit] && tables.turn[suit][i] != turn) ++i;
        if (i == tractor::SEGMENTS) throw nb::value_error("steps: a suit is made of too many pieces");
        tables.segments[suit] = static_cast<uint8_t>(std::max<uint32_t>(tables.segments[suit], i + 1));
        tables.turn[suit][i] = static_cast<uint8_t>(turn);
        tables.segment[suit][i] |= uint64_t{1} << card;
    }
};

void shapes(const Order& order, const Packing& packing, Piles piles, Array<uint8_t, -1> suits,
            Array<uint32_t, -1> runs, Array<uint8_t, -1, 2> rest) {
    for (size_t rows : {suits.shape(0), runs.shape(0), rest.shape(0)}) same_rows(piles.shape(0), rows);
    Refusal refusal;
    for (size_t row = 0; row < piles.shape(0) && refusal.why.empty(); ++row) {
        const Pile pile = read(piles.data() + 2 * row);
        const char* fault = pile.once ? fault_in_lead(order.tables, pile) : EMPTY;
        if (fault) {
            refusal = {row, fault};
            break;
        }
        const uint32_t suit = tractor::suit_of(order.tables, pile);
        const tractor::Led led = tractor::read_lead(order.tables, packing.tables, suit, pile);
        uint32_t long_pairs = 0;
        for (uint32_t left = packing.tables.runs[led.runs]; left; left >>= 4) long_pairs += left & 15u;
        suits.data()[row] = static_cast<uint8_t>(suit);
        runs.data()[row] = packing.tables.runs[led.runs];
        rest.data()[2 * row] = static_cast<uint8_t>(led.pairs - long_pairs);
        rest.data()[2 * row + 1] = static_cast<uint8_t>(led.cards - 2 * led.pairs);
    }
    raise("piles", refusal);
}

void judge_follows(const Order& order, const Packing& packing, Piles leads, Piles hands, Piles plays,
                   Array<uint8_t, -1> out, bool shorter, size_t threads, bool bmi2) {
    for (size_t rows : {hands.shape(0), plays.shape(0), out.shape(0)}) same_rows(leads.shape(0), rows);
    const FollowRows entry = bmi2 && can_bmi2 ? follow_rows_bmi2 : follow_rows_portable;
    const Jobs jobs = {order.tables, packing.tables, shorter};
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(leads.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            const char* fault = entry(jobs, leads.data(), hands.data(), plays.data(), out.data(), row, last);
            return {row, fault ? fault : ""};
        });
    }
    raise("follow", refusal);
}

void winners(const Order& order, const Packing& packing, Tricks plays, Array<uint8_t, -1> out, size_t threads,
             bool bmi2) {
    same_rows(plays.shape(0), out.shape(0));
    const WinnerRows entry = bmi2 && can_bmi2 ? winner_rows_bmi2 : winner_rows_portable;
    const Jobs jobs = {order.tables, packing.tables, 1};
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(plays.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            const char* fault = entry(jobs, plays.data(), out.data(), row, last);
            return {row, fault ? fault : ""};
        });
    }
    raise("plays", refusal);
}

}  // namespace

void bind_tractor(nb::module_& module, bool has_bmi2) {
    can_bmi2 = has_bmi2;
    nb::class_<Packing>(module, "TractorPacking")
        .def(nb::init<Array<const uint16_t, 1u << tractor::HALF>,
                      Array<const uint16_t, tractor::HALF + 1, tractor::HALF + 1>,
                      Array<const uint16_t, tractor::LONGEST + 1>, Array<const uint8_t, 1u << tractor::HALF>,
                      Array<const uint8_t, tractor::CODES>, Array<const uint32_t, tractor::SHAPES>,
                      Array<const uint8_t, 2, tractor::SHAPES, tractor::SHAPES>>(),
             "code"_a.noconvert(), "seam"_a.noconvert(), "weight"_a.noconvert(), "tail"_a.noconvert(),
             "shape"_a.noconvert(), "runs"_a.noconvert(), "match"_a.noconvert())
        .def("__bytes__", [](const Packing& packing) { return nb::bytes(&packing.tables, sizeof packing.tables); });
    nb::class_<Order>(module, "TractorOrder")
        .def(nb::init<Array<const uint64_t, tractor::SUITS, tractor::STEPS>, uint32_t>(), "steps"_a.noconvert(),
             "trump"_a)
        .def("__bytes__", [](const Order& order) { return nb::bytes(&order.tables, sizeof order.tables); });
    module.def("tractor_shapes", &shapes, "order"_a, "packing"_a, "piles"_a.noconvert(), "suits"_a.noconvert(),
               "runs"_a.noconvert(), "rest"_a.noconvert());
    module.def("tractor_judge_follows", &judge_follows, "order"_a, "packing"_a, "leads"_a.noconvert(),
               "hands"_a.noconvert(), "plays"_a.noconvert(), "out"_a.noconvert(), "shorter"_a, "threads"_a, "bmi2"_a);
    module.def("tractor_winners", &winners, "order"_a, "packing"_a, "plays"_a.noconvert(), "out"_a.noconvert(),
               "threads"_a, "bmi2"_a);
}
