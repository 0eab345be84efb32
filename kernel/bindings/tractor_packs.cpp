// The Python face of Tractor with any number of packs; renege.native.tractor_packs documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <nanobind/stl/array.h>

#include "tractor_packs.hpp"

using namespace nb::literals;
using namespace renege::binding;

namespace {

using packs::Pile;
using renege::lowest_bit64;

using Layers = Array<const uint64_t, -1, -1>;

RENEGE_FN const char* fault_in_follow(const packs::Order& order, uint32_t copies, const Pile& lead, const Pile& hand,
                                      const Pile& play) {
    for (const Pile* pile : {&lead, &hand, &play}) {
        if (const char* fault = fault_in_pile(*pile, copies)) return fault;
    }
    if (!lead.layer[0]) return "no card was led";
    const uint32_t suit = order.suit[lowest_bit64(lead.layer[0])];
    if (suit >= packs::SUITS || lead.layer[0] & ~order.own[suit]) return "the lead is of several suits";
    for (uint32_t i = 0; i < copies; ++i) {
        if (play.layer[i] & ~hand.layer[i]) return "the play is not in the hand";
        if (lead.layer[i] & hand.layer[copies - 1u - i]) return "a card is there more often than there are packs";
    }
    return nullptr;
}

struct Job {
    const packs::Order& order;
    packs::Graded duty;
    uint32_t copies;
    const uint64_t *leads, *hands, *plays;
    uint8_t* out;
};

RENEGE_FN const char* follow_rows(const Job& job, size_t& row, size_t last) {
    for (; row < last; ++row) {
        const size_t at = row * job.copies;
        const Pile lead = read_pile(job.leads + at, job.copies), hand = read_pile(job.hands + at, job.copies);
        const Pile play = read_pile(job.plays + at, job.copies);
        if (const char* fault = fault_in_follow(job.order, job.copies, lead, hand, play)) return fault;
        job.out[row] = static_cast<uint8_t>(packs::judge_follow(job.order, job.duty, job.copies, lead, hand, play));
    }
    return nullptr;
}

RENEGE_BMI2 const char* follow_rows_bmi2(const Job& job, size_t& row, size_t last) {
    return follow_rows(job, row, last);
}

const char* follow_rows_portable(const Job& job, size_t& row, size_t last) { return follow_rows(job, row, last); }

bool can_bmi2 = false;  // set once, when the module is made

void judge_follows(const PackOrder& order, Layers leads, Layers hands, Layers plays, Array<uint8_t, -1> out,
                   const std::array<uint32_t, 5>& told, size_t threads, bool bmi2) {
    for (size_t rows : {hands.shape(0), plays.shape(0), out.shape(0)}) same_rows(leads.shape(0), rows);
    const uint32_t copies = static_cast<uint32_t>(leads.shape(1));
    if (copies < 2u || copies > packs::COPIES || hands.shape(1) != copies || plays.shape(1) != copies) {
        throw nb::value_error("piles have two to six layers, all equally many");
    }
    const Job job = {order.tables, graded_duty(told), copies, leads.data(), hands.data(), plays.data(), out.data()};
    const auto entry = bmi2 && can_bmi2 ? follow_rows_bmi2 : follow_rows_portable;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(leads.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            const char* fault = entry(job, row, last);
            return {row, fault ? fault : ""};
        });
    }
    raise("follow", refusal);
}

}  // namespace

void bind_tractor_packs(nb::module_& module, bool has_bmi2) {
    can_bmi2 = has_bmi2;
    nb::class_<PackOrder>(module, "TractorPackOrder")
        .def(nb::init<Array<const uint64_t, packs::SUITS, packs::STEPS>>(), "steps"_a.noconvert());
    module.def("tractor_judge_packs", &judge_follows, "order"_a, "leads"_a.noconvert(), "hands"_a.noconvert(),
               "plays"_a.noconvert(), "out"_a.noconvert(), "duty"_a, "threads"_a, "bmi2"_a);
}
