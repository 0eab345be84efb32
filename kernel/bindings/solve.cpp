// The Python face of the open-hand solver; renege.native.solve documents it and allocates the arrays.
#include "tables.hpp"

#include <nanobind/stl/optional.h>

#include <chrono>
#include <memory>
#include <optional>

#include <renege/solve/solve.hpp>

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using InBytes = Array<const uint8_t, -1>;

using Clock = std::chrono::steady_clock;

bool is_past(const void* end) { return Clock::now() >= *static_cast<const Clock::time_point*>(end); }

// When a call must end. Half a century is no limit, and still a time that the clock can show.
Clock::time_point end_after(double seconds) {
    constexpr double LONG = 50 * 365.0 * 86400;
    const std::chrono::duration<double> most(seconds < LONG ? seconds : LONG);
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(most);
}

solve::Bounds solve_one(const Order& order, const solve::Sight& sight, const Position& position,
                        const solve::Task& task, const solve::Memory& memory, int32_t target, solve::Bounds* plays,
                        uint64_t& nodes) {
    const auto with = [&]<uint32_t SEATS, Duty DUTY>() {
        return solve::solve<SEATS, DUTY>(order, sight, position, task, memory, target, plays, nodes);
    };
    const bool four = count_bits(seats(position)) == 4;
    switch (duty(position)) {
        case Duty::CALLED_ACE: return with.operator()<4, Duty::CALLED_ACE>();
        case Duty::STRONGEST:
            return four ? with.operator()<4, Duty::STRONGEST>() : with.operator()<3, Duty::STRONGEST>();
        default:
            return four ? with.operator()<4, Duty::FOLLOW_SUIT>() : with.operator()<3, Duty::FOLLOW_SUIT>();
    }
}

// bounds [B, 2] and, where asked for, plays [B, 32, 2]: at least and at most.
void solve_batch(const Tables& tables, InStates states, InBytes takers, InBytes maximisers, InBytes targets,
                 Array<int16_t, -1, 2> bounds, std::optional<Array<int16_t, -1, 32, 2>> plays,
                 Array<uint64_t, -1> nodes, uint64_t most_nodes, std::optional<double> most_seconds,
                 uint32_t slots, bool merge, size_t threads) {
    const Clock::time_point end = end_after(most_seconds.value_or(0));
    const size_t count = states.shape(0);
    for (size_t rows : {takers.shape(0), maximisers.shape(0), targets.shape(0), bounds.shape(0), nodes.shape(0),
                        plays ? plays->shape(0) : count}) {
        same_rows(count, rows);
    }
    if (slots & (slots - 1)) throw nb::value_error("slots must be a power of two, or 0");
    int16_t* const all_plays = plays ? plays->data() : nullptr;
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(count, threads, [&](size_t row, size_t last, size_t) -> Refusal {
            const std::unique_ptr<uint64_t[]> memory(slots ? new uint64_t[slots] : nullptr);
            solve::Bounds found[MAX_CARDS];
            for (; row < last; ++row) {
                const Position position = read(states.data() + 8 * row);
                const Fault fault = check(tables.order, position);
                if (fault != Fault::NONE) return {row, text(fault)};
                const solve::Task task = {takers.data()[row], maximisers.data()[row], most_nodes, merge,
                                          most_seconds ? is_past : nullptr, &end};
                const solve::Bounds all =
                    solve_one(tables.order, tables.sight, position, task, {memory.get(), slots, 0}, targets.data()[row],
                              all_plays ? found : nullptr, nodes.data()[row]);
                bounds.data()[2 * row] = static_cast<int16_t>(all.lower);
                bounds.data()[2 * row + 1] = static_cast<int16_t>(all.upper);
                for (Card card = 0; all_plays && card < MAX_CARDS; ++card) {
                    int16_t* const of = all_plays + 2 * (MAX_CARDS * row + card);
                    of[0] = static_cast<int16_t>(found[card].lower);
                    of[1] = static_cast<int16_t>(found[card].upper);
                }
            }
            return {};
        });
    }
    raise("states", refusal);
}

}  // namespace

void bind_solve(nb::module_& module) {
    module.def("solve", &solve_batch, "tables"_a, "states"_a.noconvert(), "takers"_a.noconvert(),
               "maximisers"_a.noconvert(), "targets"_a.noconvert(), "bounds"_a.noconvert(),
               "plays"_a.noconvert().none(), "nodes"_a.noconvert(), "most_nodes"_a, "most_seconds"_a.none(),
               "slots"_a, "merge"_a, "threads"_a);
}
