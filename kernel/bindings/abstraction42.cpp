// The Python face of the abstraction of 42 and its trainer; renege.native.abstraction42 documents it and makes the arrays.
#include "tables.hpp"

#include <nanobind/stl/vector.h>

#include <renege/regret/texas42.hpp>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;
using namespace renege::texas42;

namespace {

struct Sheets {
    Sheet of[DECLARATIONS];

    explicit Sheets(const std::vector<const Tables*>& orders) {
        if (orders.size() != DECLARATIONS) throw nb::value_error("nine orders are needed: pips, doubles, follow-me");
        for (uint32_t i = 0; i < DECLARATIONS; ++i) {
            const bool of_28 = orders[i] != nullptr && orders[i]->order.cards == KEY_CARDS;
            if (!of_28) throw nb::value_error("an order of 28 tiles is needed");
            look(orders[i]->order, of[i]);
        }
    }
};

// What is wrong with a row that is to be looked at.
const char* refusal_of(const Sheets& sheets, const Position& position) {
    if (!is_straight(position)) return "this is not straight 42: four seats, a declaration 0..8, points or marks";
    const Fault fault = check(sheets.of[declaration(position)].order, position);
    if (fault != Fault::NONE) return text(fault);
    if (is_over(position) || outcome(position)) return "the hand is decided, and nobody is to play";
    if (sum_of_seats(position.tricks) >= HAND) return "seven tricks have been taken, and tiles are left";
    return "";
}

void look_at(const Sheets& sheets, InStates states, Array<const uint32_t, -1> voids, Array<uint64_t, -1> keys,
             Array<uint8_t, -1> open, Array<uint8_t, -1, WAYS> tiles) {
    for (size_t rows : {voids.shape(0), keys.shape(0), open.shape(0), tiles.shape(0)}) same_rows(states.shape(0), rows);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        for (size_t row = 0; row < states.shape(0); ++row) {
            const Seen seen = {read(states.data() + 8 * row), voids.data()[row]};
            refusal = {row, refusal_of(sheets, seen.position)};
            if (!refusal.why.empty()) break;
            const Choice choice = choices(sheets.of[declaration(seen.position)], seen);
            keys.data()[row] = choice.key;
            open.data()[row] = static_cast<uint8_t>(choice.open);
            for (uint32_t way = 0; way < WAYS; ++way) {
                const Card tile = (choice.open >> way) & 1u ? choice.tile[way] : NO_CARD;
                tiles.data()[WAYS * row + way] = static_cast<uint8_t>(tile);
            }
        }
    }
    raise("states", refusal);
}

void contracts(const Sheets& sheets, States out, uint64_t seed, uint64_t first_lane, size_t threads) {
    nb::gil_scoped_release release;
    split(out.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
        for (; row < last; ++row) {
            Stream stream = open_stream(seed, Purpose::DEAL, first_lane + row);
            write(out.data() + 8 * row, deal_contract(sheets.of, stream));
        }
        return {};
    });
}

uint32_t power_of_two(size_t slots) {
    if (slots == 0 || slots > MOST_SLOTS || (slots & (slots - 1))) {
        throw nb::value_error("slots must be a power of two, at most 2**28");
    }
    return static_cast<uint32_t>(slots);
}

// Lanes differ much in length, so threads take them in small runs from one counter.
void traverse_batch(const Sheets& sheets, Array<uint64_t, -1> keys, Array<const float, -1, WAYS> regret,
                    Array<uint64_t, -1, WAYS> gain, Array<uint64_t, -1, WAYS> share, uint64_t count,
                    Array<uint64_t, SUMS> sums, uint64_t seed, uint64_t first_lane, size_t threads) {
    for (size_t rows : {regret.shape(0), gain.shape(0), share.shape(0)}) same_rows(keys.shape(0), rows);
    const Ledger ledger = {keys.data(), regret.data(), gain.data(), share.data(), power_of_two(keys.shape(0))};
    constexpr uint64_t RUN = 16;
    uint64_t begun = 0;
    uint64_t* const all = sums.data();
    nb::gil_scoped_release release;
    split(threads, threads, [&](size_t, size_t, size_t) -> Refusal {
        for (;;) {
            const uint64_t first = std::atomic_ref<uint64_t>(begun).fetch_add(RUN);
            if (first >= count) return {};
            for (uint64_t lane = first; lane < count && lane < first + RUN; ++lane) {
                traverse(sheets.of, ledger, seed, first_lane + lane, all);
            }
        }
    });
}

// The slots of keys in a table, taken where they have none.
void claim_slots(Array<uint64_t, -1> table, Array<const uint64_t, -1> keys, Array<uint32_t, -1> out) {
    same_rows(keys.shape(0), out.shape(0));
    const Ledger ledger = {table.data(), nullptr, nullptr, nullptr, power_of_two(table.shape(0))};
    for (size_t row = 0; row < keys.shape(0); ++row) {
        if (keys.data()[row] == NO_KEY) raise("keys", {row, "0 is no key"});
        out.data()[row] = slot_of(ledger, keys.data()[row]);
        if (out.data()[row] == NO_SLOT) raise("keys", {row, "the table has no room for it"});
    }
}

void fold_batch(Array<float, -1> sum, Array<uint64_t, -1> found, float weight, size_t threads) {
    same_rows(sum.shape(0), found.shape(0));
    nb::gil_scoped_release release;
    split(sum.shape(0), threads, [&](size_t first, size_t last, size_t) -> Refusal {
        for (size_t i = first; i < last; ++i) fold(sum.data()[i], found.data()[i], weight);
        return {};
    });
}

}  // namespace

void bind_abstract42(nb::module_& module) {
    nb::class_<Sheets>(module, "Sheets42")
        .def(nb::init<const std::vector<const Tables*>&>(), "orders"_a)
        .def("__bytes__", [](const Sheets& sheets) { return nb::bytes(sheets.of, sizeof sheets.of); });
    module.def("look_at_42", &look_at, "sheets"_a, "states"_a.noconvert(), "voids"_a.noconvert(), "keys"_a.noconvert(),
               "open"_a.noconvert(), "tiles"_a.noconvert());
    module.def("contracts_42", &contracts, "sheets"_a, "out"_a.noconvert(), "seed"_a, "first_lane"_a, "threads"_a);
    module.def("traverse_42", &traverse_batch, "sheets"_a, "keys"_a.noconvert(), "regret"_a.noconvert(),
               "gain"_a.noconvert(), "share"_a.noconvert(), "count"_a, "sums"_a.noconvert(), "seed"_a, "first_lane"_a,
               "threads"_a);
    module.def("claim_slots_42", &claim_slots, "table"_a.noconvert(), "keys"_a.noconvert(), "out"_a.noconvert());
    module.def("fold_42", &fold_batch, "sum"_a.noconvert(), "found"_a.noconvert(), "weight"_a, "threads"_a);
}
