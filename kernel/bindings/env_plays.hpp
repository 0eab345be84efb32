// Whole plays of several cards laid down at once, beside the actions that env_batch.hpp steps. A game that has them adds to
// its struct G, a Pile being two words:
//   bool is_play(const Setting&, const Lane&, const Pile&)     may the mover lay these cards down?
//   void play(const Setting&, Lane&, const Pile&)              lays them down
#pragma once

#include "env_batch.hpp"

namespace renege::binding {

template <class G>
struct WholePlays {
    using Env = EnvBatch<G>;

    // What each lane is asked to do: a pile or, where that is empty, an action. Kept, for what was checked is what is done.
    struct Asked {
        std::vector<uint64_t> piles;
        std::vector<int32_t> actions;

        bool lays(size_t lane) const { return piles[2 * lane] || piles[2 * lane + 1]; }
    };

    static void play(Env& env, Array<const uint64_t, -1, 2> piles, Array<const int32_t, -1> actions,
                     typename Env::Observation observation, typename Env::Observation hidden, typename Env::Mask mask, typename Env::Bytes mover,
                     Array<float, -1, 4> reward, typename Env::Bytes done, size_t threads) {
        env.want("piles", piles.shape(0));
        env.want("actions", actions.shape(0));
        const Seen seen = env.checked(observation, hidden, mask, mover, reward, done);
        const Asked asked = {{piles.data(), piles.data() + 2 * env.lanes()},
                             {actions.data(), actions.data() + env.lanes()}};
        Refusal refusal;
        {
            nb::gil_scoped_release release;
            const std::scoped_lock alone(env.busy_);
            refusal = refused(env, asked);
            if (refusal.why.empty()) {
                split(env.lanes(), threads, [&](size_t first, size_t last, size_t) -> Refusal {
                    for (size_t lane = first; lane < last; ++lane) make(env, asked, lane, seen);
                    return {};
                });
            }
        }
        if (!refusal.why.empty()) {
            throw nb::value_error(("lane " + std::to_string(refusal.row) + ": " + refusal.why).c_str());
        }
    }

    static void bind(nb::class_<Env>& env) {
        using namespace nb::literals;
        env.def("play", &play, "piles"_a.noconvert(), "actions"_a.noconvert(), "observation"_a.noconvert().none(),
                "hidden"_a.noconvert().none(), "mask"_a.noconvert(), "mover"_a.noconvert(), "reward"_a.noconvert(), "done"_a.noconvert(), "threads"_a);
    }

  private:
    // The first lane on which what is asked may not be done.
    static Refusal refused(const Env& env, const Asked& asked) {
        for (size_t lane = 0; lane < env.lanes(); ++lane) {
            const Table<G>& table = env.tables_[lane];
            if (asked.lays(lane)) {
                const bool legal = G::is_play(env.setting_, table.lane, {asked.piles[2 * lane], asked.piles[2 * lane + 1]});
                if (!legal) return {lane, "these cards are no legal play"};
            } else if (!is_open<G>(env.setting_, table, static_cast<uint32_t>(asked.actions[lane]))) {
                return {lane, "action " + std::to_string(asked.actions[lane]) + " is not open"};
            }
        }
        return {};
    }

    static void make(Env& env, const Asked& asked, size_t lane, const Seen& seen) {
        Table<G>& table = env.tables_[lane];
        if (asked.lays(lane)) G::play(env.setting_, table.lane, {asked.piles[2 * lane], asked.piles[2 * lane + 1]});
        else G::act(env.setting_, table.lane, static_cast<uint32_t>(asked.actions[lane]));
        settle<G, Portable>(env.setting_, table, lane, seen);
    }
};

}  // namespace renege::binding
