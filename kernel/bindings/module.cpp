// The Python face of the kernel: arrays in, arrays out, nothing decided here. Arrays are allocated by
// renege.native.cards, which documents them; what would be unsafe is refused here once more, row by row.
#include "tables.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <renege/core/claim.hpp>
#include <renege/core/playout.hpp>

#if RENEGE_HAS_BMI2_PATH
#include <cpuid.h>
#endif

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

// Plays rows two at a time where two neighbours are alike; stops at the first that is refused.
template <class Cpu>
RENEGE_FN Fault playout_rows(const Order& order, uint32_t* states, uint8_t* plays, uint64_t seed, uint64_t lane,
                             size_t& row, size_t last) {
    while (row < last) {
        const bool more = row + 1 < last;
        Position two[] = {read(states + 8 * row), read(states + 8 * (row + more))};
        const Fault fault = check(order, two[0]);
        if (fault != Fault::NONE) return fault;
        const Stream streams[] = {open_stream(seed, Purpose::PLAYOUT, lane + row),
                                  open_stream(seed, Purpose::PLAYOUT, lane + row + 1)};
        uint8_t* const record = plays ? plays + PLAYS_WIDTH * row : nullptr;
        uint8_t* const records[] = {record, record && more ? record + PLAYS_WIDTH : nullptr};
        if (more && check(order, two[1]) == Fault::NONE && alike(two[0], two[1])) {
            playouts<Cpu, 2>(order, two, streams, plays ? records : nullptr);
            write(states + 8 * (row + 1), two[1]);
            write(states + 8 * row, two[0]);
            row += 2;
        } else {
            playouts<Cpu, 1>(order, two, streams, plays ? records : nullptr);
            write(states + 8 * row++, two[0]);
        }
    }
    return Fault::NONE;
}

template <class Cpu>
RENEGE_FN void deal_rows(CardSet deck, const uint8_t* sizes, uint32_t hands, uint64_t seed, uint64_t lane,
                         uint32_t* out, size_t first, size_t last) {
    for (size_t row = first; row < last; ++row) {
        Stream stream = open_stream(seed, Purpose::DEAL, lane + row);
        deal<Cpu>(deck, sizes, hands, stream, out + hands * row);
    }
}

// Deals and plays; sums[0..4) are the points, sums[4..8) the tricks of the seats.
template <class Cpu>
RENEGE_FN void random_deal_rows(const Order& order, const Position& empty, uint64_t seed, uint64_t first,
                                uint64_t last, uint64_t* sums) {
    const uint8_t size = order.cards / 4;
    const uint8_t sizes[MAX_SEATS] = {size, size, size, size};
    const CardSet deck = order.cards == MAX_CARDS ? ~0u : one(order.cards) - 1u;
    for (uint64_t lane = first; lane < last; lane += 2) {
        Position two[] = {empty, empty};
        Stream streams[2];
        for (uint64_t i = 0; i < 2; ++i) {
            Stream stream = open_stream(seed, Purpose::DEAL, lane + i);
            deal<Cpu>(deck, sizes, MAX_SEATS, stream, two[i].hand);
            streams[i] = open_stream(seed, Purpose::PLAYOUT, lane + i);
        }
        playouts<Cpu, 2>(order, two, streams, nullptr);
        for (uint64_t i = 0; i < 2 && lane + i < last; ++i) {
            for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
                sums[seat] += (two[i].points >> (8 * seat)) & 0xFFu;
                sums[4 + seat] += (two[i].tricks >> (8 * seat)) & 0xFFu;
            }
        }
    }
}

// One entry point per kind of CPU. The target reaches everything inlined into it, and nothing else.
#if RENEGE_HAS_BMI2_PATH
#define RENEGE_ON_CPU(name, body, parameters, arguments)                                                     \
    [[gnu::target("bmi,bmi2,popcnt")]] auto name##_bmi2 parameters { return body<Bmi2> arguments; }          \
    auto name##_portable parameters { return body<Portable> arguments; }                                     \
    auto name(bool bmi2) { return bmi2 ? name##_bmi2 : name##_portable; }

// Asked of the processor itself, since zig's runtime has no __builtin_cpu_supports. AMD before family 0x19 (Zen 3)
// has BMI2 but takes its pdep bit by bit, which is slower than doing without.
bool find_bmi2() {
    uint32_t eax, ebx, ecx, edx;
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx)) return false;
    const bool amd = ecx == 0x444D4163 || ecx == 0x656E6975;  // "cAMD" of AuthenticAMD, "uine" of HygonGenuine
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx)) return false;
    const bool popcnt = ecx & (1u << 23);
    const uint32_t family = ((eax >> 8) & 15u) + ((eax >> 20) & 0xFFu);
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) return false;
    const bool bmi1 = ebx & (1u << 3), bmi2 = ebx & (1u << 8);
    return popcnt && bmi1 && bmi2 && !(amd && family < 0x19);
}

bool has_bmi2() {
    static const bool found = find_bmi2();
    return found;
}
#else
#define RENEGE_ON_CPU(name, body, parameters, arguments)                                                     \
    auto name##_portable parameters { return body<Portable> arguments; }                                     \
    auto name(bool) { return name##_portable; }
bool has_bmi2() { return false; }
#endif

RENEGE_ON_CPU(playout_entry, playout_rows,
              (const Order& order, uint32_t* states, uint8_t* plays, uint64_t seed, uint64_t lane, size_t& row,
               size_t last),
              (order, states, plays, seed, lane, row, last))
RENEGE_ON_CPU(deal_entry, deal_rows,
              (CardSet deck, const uint8_t* sizes, uint32_t hands, uint64_t seed, uint64_t lane, uint32_t* out,
               size_t first, size_t last),
              (deck, sizes, hands, seed, lane, out, first, last))
RENEGE_ON_CPU(random_deal_entry, random_deal_rows,
              (const Order& order, const Position& empty, uint64_t seed, uint64_t first, uint64_t last,
               uint64_t* sums),
              (order, empty, seed, first, last, sums))

void legal_masks(const Tables& tables, InStates states, Array<uint32_t, -1> out) {
    same_rows(states.shape(0), out.shape(0));
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        for (size_t row = 0; row < states.shape(0) && refusal.why.empty(); ++row) {
            const Position position = read(states.data() + 8 * row);
            refusal = {row, text(fault_in(tables.order, position))};
            if (refusal.why.empty()) out.data()[row] = legal(tables.order, position);
        }
    }
    raise("states", refusal);
}

void winners(const Tables& tables, Array<const uint8_t, -1, -1> plays, Array<uint8_t, -1> out) {
    same_rows(plays.shape(0), out.shape(0));
    const size_t count = plays.shape(1);
    if (count != 3 && count != 4) throw nb::value_error("plays must have 3 or 4 columns");
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        for (size_t row = 0; row < plays.shape(0) && refusal.why.empty(); ++row) {
            uint8_t trick[MAX_SEATS];
            CardSet seen = 0;
            for (size_t i = 0; i < count && refusal.why.empty(); ++i) {
                trick[i] = plays.data()[count * row + i];
                if (trick[i] >= tables.order.cards) refusal = {row, "a card is not in the deck"};
                else if (seen & one(trick[i])) refusal = {row, "a card is played twice"};
                else seen |= one(trick[i]);
            }
            if (refusal.why.empty()) out.data()[row] = static_cast<uint8_t>(winner(tables.order, trick, count));
        }
    }
    raise("plays", refusal);
}

void step(const Tables& tables, States states, Array<const uint8_t, -1> cards) {
    same_rows(states.shape(0), cards.shape(0));
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        for (size_t row = 0; row < states.shape(0) && refusal.why.empty(); ++row) {
            Position position = read(states.data() + 8 * row);
            const Card card = cards.data()[row];
            refusal = {row, text(fault_in(tables.order, position))};
            if (!refusal.why.empty()) break;
            if (card >= tables.order.cards || !(legal(tables.order, position) & one(card))) {
                refusal.why = "card " + std::to_string(card) + " is not a legal play";
                break;
            }
            play(tables.order, position, card);
            write(states.data() + 8 * row, position);
        }
    }
    raise("states", refusal);
}

void playout_batch(const Tables& tables, States states, std::optional<Array<uint8_t, -1, PLAYS_WIDTH>> plays,
                   uint64_t seed, uint64_t first_lane, size_t threads, bool bmi2) {
    if (plays) same_rows(states.shape(0), plays->shape(0));
    uint8_t* record = plays ? plays->data() : nullptr;
    const auto entry = playout_entry(bmi2 && has_bmi2());
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(states.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            const Fault fault = entry(tables.order, states.data(), record, seed, first_lane, row, last);
            return {row, text(fault)};
        });
    }
    raise("states", refusal);
}

void deals(CardSet deck, Array<const uint8_t, -1> sizes, Array<uint32_t, -1, -1> out, uint64_t seed,
           uint64_t first_lane, size_t threads, bool bmi2) {
    if (sizes.shape(0) != out.shape(1)) throw nb::value_error("out must have one column for each hand");
    const std::vector<uint8_t> kept(sizes.data(), sizes.data() + sizes.shape(0));
    size_t wanted = 0;
    for (uint8_t size : kept) wanted += size;
    if (wanted > count_bits(deck)) throw nb::value_error("the hands take more cards than the deck has");
    const auto entry = deal_entry(bmi2 && has_bmi2());
    const uint32_t hands = static_cast<uint32_t>(kept.size());
    nb::gil_scoped_release release;
    split(out.shape(0), threads, [&](size_t first, size_t last, size_t) -> Refusal {
        entry(deck, kept.data(), hands, seed, first_lane, out.data(), first, last);
        return {};
    });
}

void random_deals(const Tables& tables, uint64_t count, uint32_t duty_number, Array<uint64_t, 8> out,
                  uint64_t seed, uint64_t first_lane, size_t threads, bool bmi2) {
    Position empty = {{0, 0, 0, 0}, EMPTY_TABLE, (15u << 4) | ((duty_number & 15u) << 8), 0, 0};
    if (tables.order.cards % 4) throw nb::value_error("the deck does not divide among four seats");
    if (duty_number >= DUTIES || fault_in(tables.order, empty) != Fault::NONE) throw nb::value_error(text(Fault::DUTY));
    const auto entry = random_deal_entry(bmi2 && has_bmi2());
    struct alignas(64) Sums { uint64_t of[8]; };
    std::vector<Sums> sums(std::clamp<size_t>(threads, 1, MAX_THREADS), Sums{});
    {
        nb::gil_scoped_release release;
        split(count, threads, [&](size_t first, size_t last, size_t part) -> Refusal {
            entry(tables.order, empty, seed, first_lane + first, first_lane + last, sums[part].of);
            return {};
        });
    }
    for (const Sums& part : sums) {
        for (size_t i = 0; i < 8; ++i) out.data()[i] += part.of[i];
    }
}

constexpr uint32_t CLAIM_SLOTS = 1u << 17;  // 1 MiB a thread

void claims(const Tables& tables, InStates states, Array<const uint8_t, -1> claimers, Array<const uint8_t, -1> takers,
            Array<uint8_t, -1> out, uint64_t most_plays, size_t threads) {
    for (size_t rows : {claimers.shape(0), takers.shape(0), out.shape(0)}) same_rows(states.shape(0), rows);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(states.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            std::vector<uint64_t> slots(CLAIM_SLOTS);
            for (; row < last; ++row) {
                const Position position = read(states.data() + 8 * row);
                const Fault fault = fault_in(tables.order, position);
                if (fault != Fault::NONE) return {row, text(fault)};
                if (claimers.data()[row] >= MAX_SEATS) return {row, "a claimer is a seat, 0..3"};
                std::fill(slots.begin(), slots.end(), 0);
                const Claim found = judge_claim(tables.order, position, claimers.data()[row], takers.data()[row],
                                                {slots.data(), CLAIM_SLOTS}, most_plays);
                out.data()[row] = static_cast<uint8_t>(found);
            }
            return {};
        });
    }
    raise("states", refusal);
}

// A deal of 42 without meaning: enough order to check where the tiles are.
Order bare_order() {
    Order order{};
    order.cards = KEY_CARDS;
    order.called = NO_CARD;
    return order;
}

void boundary_keys(InStates states, Array<uint32_t, -1> out) {
    same_rows(states.shape(0), out.shape(0));
    const Order order = bare_order();
    Refusal refusal;
    for (size_t row = 0; row < states.shape(0) && refusal.why.empty(); ++row) {
        const Position position = read(states.data() + 8 * row);
        refusal = {row, text(fault_in(order, position))};
        if (refusal.why.empty() && cards_on_table(position)) refusal.why = "a trick is under way, so it has no key";
        if (refusal.why.empty()) out.data()[row] = boundary_key(position);
    }
    raise("states", refusal);
}

void from_boundary_keys(Array<const uint32_t, -1> keys, InStates starts, States out) {
    same_rows(keys.shape(0), out.shape(0));
    if (starts.shape(0) != 1) same_rows(starts.shape(0), out.shape(0));
    const Order order = bare_order();
    Refusal refusal;
    for (size_t row = 0; row < keys.shape(0) && refusal.why.empty(); ++row) {
        const Position start = read(starts.data() + (starts.shape(0) == 1 ? 0 : 8 * row));
        const uint32_t key = keys.data()[row];
        const Position position = from_boundary_key(key, start);
        refusal = {row, text(fault_in(order, position))};
        if (key >> 30) refusal.why = "a key has 30 bits";
        else if (key & KEY_MASK & ~held(start)) refusal.why = "the key has a tile that the deal does not";
        if (refusal.why.empty()) write(out.data() + 8 * row, position);
    }
    raise("keys", refusal);
}

}  // namespace

void bind_tractor(nb::module_& module, bool has_bmi2);
void bind_tractor_solve(nb::module_& module, bool has_bmi2);
void bind_tractor_rollout(nb::module_& module, bool has_bmi2);
void bind_tractor_packs(nb::module_& module, bool has_bmi2);
void bind_tractor_wide(nb::module_& module, bool has_bmi2);
void bind_schafkopf(nb::module_& module);
void bind_solve(nb::module_& module);
void bind_whole(nb::module_& module);
void bind_worlds(nb::module_& module);
void bind_worlds_pools(nb::module_& module);
void bind_regret(nb::module_& module);
void bind_env_texas42(nb::module_& module);
void bind_env_schafkopf(nb::module_& module);
void bind_env_tractor(nb::module_& module);
void bind_net(nb::module_& module);

NB_MODULE(_kernel, module) {
    // a daemon thread that still holds something of ours when Python ends is no leak that anybody should read about
    nb::set_leak_warnings(false);
    bind_tractor(module, has_bmi2());
    bind_tractor_solve(module, has_bmi2());
    bind_tractor_rollout(module, has_bmi2());
    bind_tractor_packs(module, has_bmi2());
    bind_tractor_wide(module, has_bmi2());
    bind_schafkopf(module);
    bind_solve(module);
    bind_whole(module);
    bind_worlds(module);
    bind_worlds_pools(module);
    bind_regret(module);
    bind_env_texas42(module);
    bind_env_schafkopf(module);
    bind_env_tractor(module);
    bind_net(module);
    nb::class_<Tables>(module, "Tables")
        .def(nb::init<Array<const uint8_t, 32>, Array<const uint32_t, 8>, Array<const uint8_t, 8, 32>,
                      Array<const uint8_t, 32>, uint8_t, uint8_t, uint8_t, uint8_t>(),
             "led_suit"_a.noconvert(), "follow"_a.noconvert(), "strength"_a.noconvert(), "points"_a.noconvert(),
             "trick_points"_a, "cards"_a, "called"_a, "run_from"_a)
        .def_prop_ro("cards", [](const Tables& tables) { return tables.order.cards; })
        .def_prop_ro("called", [](const Tables& tables) {
            return tables.order.called == NO_CARD ? std::optional<uint32_t>() : tables.order.called;
        })
        .def_prop_ro("sight", [](const Tables& tables) { return nb::bytes(&tables.sight, sizeof tables.sight); })
        .def("__bytes__", [](const Tables& tables) { return nb::bytes(&tables.order, sizeof(Order)); });
    module.def("has_bmi2", &has_bmi2);
    module.def("compiler", [] { return __VERSION__; });
    module.def("legal_masks", &legal_masks, "tables"_a, "states"_a.noconvert(), "out"_a.noconvert());
    module.def("winners", &winners, "tables"_a, "plays"_a.noconvert(), "out"_a.noconvert());
    module.def("step", &step, "tables"_a, "states"_a.noconvert(), "cards"_a.noconvert());
    module.def("playouts", &playout_batch, "tables"_a, "states"_a.noconvert(), "plays"_a.noconvert().none(), "seed"_a,
               "first_lane"_a, "threads"_a, "bmi2"_a);
    module.def("deals", &deals, "deck"_a, "sizes"_a.noconvert(), "out"_a.noconvert(), "seed"_a, "first_lane"_a,
               "threads"_a, "bmi2"_a);
    module.def("random_deals", &random_deals, "tables"_a, "count"_a, "duty"_a, "out"_a.noconvert(), "seed"_a,
               "first_lane"_a, "threads"_a, "bmi2"_a);
    module.def("claims", &claims, "tables"_a, "states"_a.noconvert(), "claimers"_a.noconvert(), "takers"_a.noconvert(),
               "out"_a.noconvert(), "most_plays"_a, "threads"_a);
    module.def("boundary_keys", &boundary_keys, "states"_a.noconvert(), "out"_a.noconvert());
    module.def("from_boundary_keys", &from_boundary_keys, "keys"_a.noconvert(), "starts"_a.noconvert(),
               "out"_a.noconvert());
    // For the tests of the generator: word i of a lane's stream.
    module.def("mix64", [](uint64_t z) { return mix64(z); });
    module.def("words", [](uint64_t seed, uint64_t purpose, uint64_t lane, Array<uint64_t, -1> out) {
        Stream stream = open_stream(seed, static_cast<Purpose>(purpose), lane);
        for (size_t i = 0; i < out.shape(0); ++i) out.data()[i] = stream.next();
    }, "seed"_a, "purpose"_a, "lane"_a, "out"_a.noconvert());
}
