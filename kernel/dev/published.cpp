// The Python face of the published method in the kernel; research/study/compiled.py documents it and allocates the arrays.
#include "batch.hpp"
#include "published.hpp"

#include <cstring>

using namespace nb::literals;
using namespace renege::binding;

namespace {

namespace published = renege::published;
using published::HAND;
using published::Play;
using published::Source;

using Plays = Array<const uint8_t, -1, HAND>;
using Sizes = Array<const uint8_t, -1>;
using Counts = Array<uint64_t, -1>;
constexpr uint32_t SEATS = 4;

constexpr const char* NO_CARD = "a card that the deck does not have";
constexpr const char* NO_NUMBER = "a card that the printed rank map gives no number";
constexpr const char* TOO_MANY = "more than 25 cards";
constexpr const char* EMPTY = "no card was led";

// Not just Order: nanobind tells types apart by name, and tractor_module.cpp has an Order too.
struct PublishedOrder {
    published::Order tables;

    PublishedOrder(Array<const uint8_t, published::KINDS> number, Array<const uint8_t, published::KINDS> trump,
                   Array<const uint8_t, published::KINDS> suit)
        : tables{} {
        std::memcpy(tables.number, number.data(), sizeof tables.number);
        std::memcpy(tables.trump, trump.data(), sizeof tables.trump);
        std::memcpy(tables.suit, suit.data(), sizeof tables.suit);
        for (const uint8_t printed : tables.suit) {
            if (printed > published::JOKERS) throw nb::value_error("suit: a suit is 0..3, and 4 a joker's");
        }
    }
};

// Reads a play that came from outside; nullptr promises that the header is safe on it. What stands beyond the end of a
// play is not looked at.
const char* read(const published::Order& order, const uint8_t* cards, uint8_t size, Play& play) {
    if (size > HAND) return TOO_MANY;
    play.size = size;
    std::memcpy(play.cards, cards, HAND);
    for (uint32_t i = 0; i < size; ++i) {
        if (play.cards[i] >= published::KINDS) return NO_CARD;
        if (order.number[play.cards[i]] == published::NO_NUMBER) return NO_NUMBER;
    }
    return nullptr;
}

published::Structure structure_of(const published::Order& order, const Play& play, Source source) {
    return published::get_structure(order, published::sorted(order, play), source);
}

void structures(const PublishedOrder& order, Plays plays, Sizes sizes, Array<uint8_t, -1, published::TRACTORS> tractors,
                Array<uint8_t, -1, 2> rest, bool code, size_t threads) {
    for (size_t rows : {sizes.shape(0), tractors.shape(0), rest.shape(0)}) same_rows(plays.shape(0), rows);
    const Source source = code ? Source::CODE : Source::PRINTED;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(plays.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                Play play;
                const char* fault = read(order.tables, plays.data() + HAND * row, sizes.data()[row], play);
                if (fault) return {row, fault};
                const published::Structure found = structure_of(order.tables, play, source);
                std::memcpy(tractors.data() + published::TRACTORS * row, found.tractors, published::TRACTORS);
                rest.data()[2 * row] = static_cast<uint8_t>(found.pairs);
                rest.data()[2 * row + 1] = static_cast<uint8_t>(found.singles);
            }
            return {};
        });
    }
    raise("plays", refusal);
}

void matches(const PublishedOrder& order, Plays leads, Plays follows, Sizes lead_sizes, Sizes follow_sizes,
             Array<bool, -1> conforms, Counts permutations, Counts placements, bool code, size_t threads) {
    for (size_t rows : {follows.shape(0), lead_sizes.shape(0), follow_sizes.shape(0), conforms.shape(0),
                        permutations.shape(0), placements.shape(0)}) {
        same_rows(leads.shape(0), rows);
    }
    const Source source = code ? Source::CODE : Source::PRINTED;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(leads.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                Play lead, follow;
                const char* fault = read(order.tables, leads.data() + HAND * row, lead_sizes.data()[row], lead);
                if (!fault) fault = read(order.tables, follows.data() + HAND * row, follow_sizes.data()[row], follow);
                if (fault) return {row, fault};
                const published::Match match =
                    published::same_structure(structure_of(order.tables, lead, source),
                                              structure_of(order.tables, follow, source), source);
                conforms.data()[row] = match.conforms;
                permutations.data()[row] = match.permutations;
                placements.data()[row] = match.placements;
            }
            return {};
        });
    }
    raise("match", refusal);
}

void settle(const PublishedOrder& order, Array<const uint8_t, -1, SEATS, HAND> plays,
            Array<const uint8_t, -1, SEATS> sizes, Array<uint8_t, -1> winners, Counts permutations, size_t threads) {
    for (size_t rows : {sizes.shape(0), winners.shape(0), permutations.shape(0)}) same_rows(plays.shape(0), rows);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(plays.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                Play trick[SEATS];
                for (size_t i = 0; i < SEATS; ++i) {
                    const size_t at = SEATS * row + i;
                    const char* fault = read(order.tables, plays.data() + HAND * at, sizes.data()[at], trick[i]);
                    if (fault) return {row, fault};
                }
                if (!trick[0].size) return {row, EMPTY};
                const published::Outcome outcome = published::settle(order.tables, trick, SEATS);
                winners.data()[row] = static_cast<uint8_t>(outcome.winner);
                permutations.data()[row] = outcome.permutations;
            }
            return {};
        });
    }
    raise("plays", refusal);
}

}  // namespace

void bind_published(nb::module_& module) {
    nb::class_<PublishedOrder>(module, "PublishedOrder")
        .def(nb::init<Array<const uint8_t, published::KINDS>, Array<const uint8_t, published::KINDS>,
                      Array<const uint8_t, published::KINDS>>(),
             "number"_a.noconvert(), "trump"_a.noconvert(), "suit"_a.noconvert())
        .def("__bytes__", [](const PublishedOrder& order) { return nb::bytes(&order.tables, sizeof order.tables); });
    module.def("published_structures", &structures, "order"_a, "plays"_a.noconvert(), "sizes"_a.noconvert(),
               "tractors"_a.noconvert(), "rest"_a.noconvert(), "code"_a, "threads"_a);
    module.def("published_matches", &matches, "order"_a, "leads"_a.noconvert(), "follows"_a.noconvert(),
               "lead_sizes"_a.noconvert(), "follow_sizes"_a.noconvert(), "conforms"_a.noconvert(),
               "permutations"_a.noconvert(), "placements"_a.noconvert(), "code"_a, "threads"_a);
    module.def("published_settle", &settle, "order"_a, "plays"_a.noconvert(), "sizes"_a.noconvert(),
               "winners"_a.noconvert(), "permutations"_a.noconvert(), "threads"_a);
}
