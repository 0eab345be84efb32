// The Python face of Tractor in the kernel; renege.native.tractor documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <renege/tractor/picks.hpp>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace tractor = renege::tractor;
using tractor::Pile;

using Tricks = Array<const uint64_t, -1, 4, 2>;
constexpr uint32_t PLAYS = 4;

Pile read(const uint64_t* row) { return {row[0], row[1]}; }

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
    tractor::House house;
};

RENEGE_FN const char* follow_rows(const Jobs& jobs, const uint64_t* leads, const uint64_t* hands,
                                  const uint64_t* plays, uint8_t* out, size_t& row, size_t last) {
    for (; row < last; ++row) {
        const Pile lead = {leads[2 * row], leads[2 * row + 1]}, hand = {hands[2 * row], hands[2 * row + 1]};
        const Pile play = {plays[2 * row], plays[2 * row + 1]};
        if (const char* fault = fault_in_follow(jobs.order, lead, hand, play)) return fault;
        out[row] = static_cast<uint8_t>(
            tractor::judge_follow(jobs.order, jobs.packing, jobs.house, lead, hand, play));
    }
    return nullptr;
}

RENEGE_FN const char* winner_rows(const Jobs& jobs, const uint64_t* tricks, uint8_t* out, size_t& row, size_t last) {
    for (; row < last; ++row) {
        Pile plays[PLAYS];
        std::memcpy(plays, tricks + 2 * PLAYS * row, sizeof plays);
        if (const char* fault = fault_in_trick(jobs.order, plays)) return fault;
        out[row] = static_cast<uint8_t>(tractor::winner(jobs.order, jobs.packing, jobs.house, plays, PLAYS));
    }
    return nullptr;
}

using FollowRows = decltype(&follow_rows);
using WinnerRows = decltype(&winner_rows);

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

void shapes(const TractorOrder& order, const TractorPacking& packing, Piles piles, Array<uint8_t, -1> suits,
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

void judge_follows(const TractorOrder& order, const TractorPacking& packing, Piles leads, Piles hands, Piles plays,
                   Array<uint8_t, -1> out, uint64_t house, size_t threads, bool bmi2) {
    for (size_t rows : {hands.shape(0), plays.shape(0), out.shape(0)}) same_rows(leads.shape(0), rows);
    const FollowRows entry = bmi2 && can_bmi2 ? follow_rows_bmi2 : follow_rows_portable;
    const Jobs jobs = {order.tables, packing.tables, house_of(house)};
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

void winners(const TractorOrder& order, const TractorPacking& packing, Tricks plays, Array<uint8_t, -1> out,
             uint64_t house, size_t threads, bool bmi2) {
    same_rows(plays.shape(0), out.shape(0));
    const WinnerRows entry = bmi2 && can_bmi2 ? winner_rows_bmi2 : winner_rows_portable;
    const Jobs jobs = {order.tables, packing.tables, house_of(house)};
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

// The cards that a follower who has picked some may pick next, row by row.
void follow_picks(const TractorOrder& order, const TractorPacking& packing, Piles leads, Piles hands, Piles chosen,
                  Array<uint64_t, -1> out, uint64_t house) {
    const tractor::House rules = house_of(house);
    for (size_t rows : {hands.shape(0), chosen.shape(0), out.shape(0)}) same_rows(leads.shape(0), rows);
    Refusal refusal;
    for (size_t row = 0; row < leads.shape(0) && refusal.why.empty(); ++row) {
        const Pile lead = read(leads.data() + 2 * row), hand = read(hands.data() + 2 * row);
        const Pile picked = read(chosen.data() + 2 * row);
        const char* fault = fault_in_follow(order.tables, lead, hand, picked);
        if (!fault && tractor::size(hand) < tractor::size(lead)) fault = "the hand is shorter than the lead";
        if (fault) {
            refusal = {row, fault};
            break;
        }
        tractor::Table table = {};
        table.suit = tractor::suit_of(order.tables, lead);
        table.led = tractor::read_lead(order.tables, packing.tables, table.suit, lead);
        out.data()[row] = tractor::follow_picks(order.tables, packing.tables, rules, table, hand, picked);
    }
    raise("chosen", refusal);
}

}  // namespace

void bind_tractor(nb::module_& module, bool has_bmi2) {
    can_bmi2 = has_bmi2;
    nb::class_<TractorPacking>(module, "TractorPacking")
        .def(nb::init<Array<const uint16_t, 1u << tractor::HALF>,
                      Array<const uint16_t, tractor::HALF + 1, tractor::HALF + 1>,
                      Array<const uint16_t, tractor::LONGEST + 1>, Array<const uint8_t, 1u << tractor::HALF>,
                      Array<const uint8_t, tractor::CODES>, Array<const uint32_t, tractor::SHAPES>,
                      Array<const uint8_t, tractor::SHORTERS, tractor::SHAPES, tractor::SHAPES>>(),
             "code"_a.noconvert(), "seam"_a.noconvert(), "weight"_a.noconvert(), "tail"_a.noconvert(),
             "shape"_a.noconvert(), "runs"_a.noconvert(), "match"_a.noconvert())
        .def("__bytes__", [](const TractorPacking& packing) { return nb::bytes(&packing.tables, sizeof packing.tables); });
    nb::class_<TractorOrder>(module, "TractorOrder")
        .def(nb::init<Array<const uint64_t, tractor::SUITS, tractor::STEPS>, uint32_t>(), "steps"_a.noconvert(),
             "trump"_a)
        .def("__bytes__", [](const TractorOrder& order) { return nb::bytes(&order.tables, sizeof order.tables); });
    module.def("tractor_shapes", &shapes, "order"_a, "packing"_a, "piles"_a.noconvert(), "suits"_a.noconvert(),
               "runs"_a.noconvert(), "rest"_a.noconvert());
    module.def("tractor_judge_follows", &judge_follows, "order"_a, "packing"_a, "leads"_a.noconvert(),
               "hands"_a.noconvert(), "plays"_a.noconvert(), "out"_a.noconvert(), "house"_a, "threads"_a, "bmi2"_a);
    module.def("tractor_follow_picks", &follow_picks, "order"_a, "packing"_a, "leads"_a.noconvert(),
               "hands"_a.noconvert(), "chosen"_a.noconvert(), "out"_a.noconvert(), "house"_a);
    module.def("tractor_winners", &winners, "order"_a, "packing"_a, "plays"_a.noconvert(), "out"_a.noconvert(),
               "house"_a, "threads"_a, "bmi2"_a);
}
