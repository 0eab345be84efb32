// The Python face of Tractor with any number of packs; renege.native.tractor_packs documents it and allocates the arrays.
#include "tractor_tables.hpp"

#include <nanobind/stl/array.h>

#include <array>
#include <cstring>

#include <renege/tractor/packs.hpp>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace packs = renege::tractor::packs;
using packs::Pile;
using renege::count_bits64;
using renege::lowest_bit64;

constexpr uint64_t DECK = renege::tractor::DECK;

using Layers = Array<const uint64_t, -1, -1>;

struct PackOrder {
    packs::Order tables;

    explicit PackOrder(Array<const uint64_t, packs::SUITS, packs::STEPS> steps) : tables{} {
        std::memset(tables.suit, packs::NO_SUIT, sizeof tables.suit);
        for (uint32_t suit = 0; suit < packs::SUITS; ++suit) {
            uint32_t slot = 0;
            for (uint32_t step = 0; step < packs::STEPS; ++step) {
                tables.first[suit][step] = static_cast<uint8_t>(slot);
                for (uint64_t kinds = steps.data()[packs::STEPS * suit + step]; kinds; kinds &= kinds - 1u) {
                    add(suit, step, slot++, kinds);
                }
            }
            tables.first[suit][packs::STEPS] = static_cast<uint8_t>(slot);
        }
    }

    void add(uint32_t suit, uint32_t step, uint32_t slot, uint64_t kinds) {
        if (kinds & ~DECK) throw nb::value_error("steps: a card that the deck does not have");
        if (slot >= packs::SLOTS) throw nb::value_error("steps: a suit has too many cards");
        const uint32_t card = lowest_bit64(kinds);
        if (tables.suit[card] != packs::NO_SUIT) throw nb::value_error("steps: a card stands on two of them");
        tables.own[suit] |= uint64_t{1} << card;
        tables.suit[card] = static_cast<uint8_t>(suit);
        tables.slot[card] = static_cast<uint8_t>(slot);
        tables.step[suit][slot] = static_cast<uint8_t>(step);
    }
};

RENEGE_FN Pile read(const uint64_t* row, uint32_t copies) {
    Pile pile = {};
    std::memcpy(pile.layer, row, copies * sizeof(uint64_t));
    return pile;
}

// What is wrong with a pile that came from outside; nullptr promises that the header is safe on it.
RENEGE_FN const char* fault_in(const Pile& pile, uint32_t copies) {
    if (pile.layer[0] & ~DECK) return "a card that the deck does not have";
    for (uint32_t i = 1; i < copies; ++i) {
        if (pile.layer[i] & ~pile.layer[i - 1u]) return "a card is there more often, and not as often as that";
    }
    return packs::size(pile, copies) > packs::CARDS ? "more than 80 cards" : nullptr;
}

RENEGE_FN const char* fault_in_follow(const packs::Order& order, uint32_t copies, const Pile& lead, const Pile& hand,
                                      const Pile& play) {
    for (const Pile* pile : {&lead, &hand, &play}) {
        if (const char* fault = fault_in(*pile, copies)) return fault;
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

packs::Graded duty_of(const std::array<uint32_t, 5>& told) {
    const auto [shorter, suit_only, protects, width, length] = told;
    if (shorter >= renege::tractor::SHORTERS || suit_only > 1u || protects > 3u || width < 2u ||
        width > packs::COPIES || length < 2u || length > packs::STEPS) {
        throw nb::value_error("duty: no such duty of a follower");
    }
    return {static_cast<renege::tractor::Shorter>(shorter), suit_only != 0u, (protects & 1u) != 0u,
            (protects & 2u) != 0u, static_cast<uint8_t>(width), static_cast<uint8_t>(length)};
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
        const Pile lead = read(job.leads + at, job.copies), hand = read(job.hands + at, job.copies);
        const Pile play = read(job.plays + at, job.copies);
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
    const Job job = {order.tables, duty_of(told), copies, leads.data(), hands.data(), plays.data(), out.data()};
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
