// Many tables of one game, each on a lane of its own and all stepped by one call, on arrays that the caller owns.
//
// What a game is to this, and what a step does, is in renege/env/table.hpp.
#pragma once

#include "batch.hpp"
#include "env_one.hpp"

#include <nanobind/stl/optional.h>

#include <renege/env/table.hpp>

#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>

#if RENEGE_HAS_BMI2_PATH
#include <cpuid.h>
#endif

namespace renege::binding {

using namespace renege::env;

// The loops over lanes, compiled once for each kind of processor.
template <class G, class Cpu>
struct Loops {
    using Setting = typename G::Setting;

    static RENEGE_FN void reset(const Setting& setting, Table<G>* tables, size_t first, size_t last, const Seen& seen) {
        for (size_t lane = first; lane < last; ++lane) {
            deal_next<G, Cpu>(setting, tables[lane]);
            show<G, Cpu>(setting, tables[lane], lane, seen);
        }
    }

    static RENEGE_FN void step(const Setting& setting, Table<G>* tables, size_t first, size_t last,
                               const int32_t* actions, const Seen& seen) {
        for (size_t lane = first; lane < last; ++lane) {
            step_one<G, Cpu>(setting, tables[lane], static_cast<uint32_t>(actions[lane]), lane, seen);
        }
    }

    static RENEGE_FN void choose(const Table<G>* tables, size_t first, size_t last, uint64_t salt, const uint8_t* mask,
                                 int32_t* out) {
        for (size_t lane = first; lane < last; ++lane) {
            out[lane] = chosen<G, Cpu>(tables[lane], salt, mask + lane * G::ACTIONS);
        }
    }

    static RENEGE_FN uint64_t run(const Setting& setting, Table<G>* tables, size_t first, size_t last, uint64_t steps,
                                  uint64_t salt, const Seen& seen) {
        uint64_t over = 0;
        for (uint64_t i = 0; i < steps; ++i) {
            for (size_t lane = first; lane < last; ++lane) {
                const int32_t action = chosen<G, Cpu>(tables[lane], salt, seen.mask + lane * G::ACTIONS);
                over += step_one<G, Cpu>(setting, tables[lane], static_cast<uint32_t>(action), lane, seen);
            }
        }
        return over;
    }
};

// One entry point a kind of processor. The target reaches all that is inlined into it.
#if RENEGE_HAS_BMI2_PATH
#define RENEGE_LOOP(name, parameters, arguments)                                                    \
    [[gnu::target("avx2,bmi,bmi2,popcnt")]] static auto name##_wide parameters {                    \
        struct Finish {                                                                             \
            RENEGE_FN ~Finish() { Wide::finish(); }                                                 \
        } finish;                                                                                   \
        return Loops<G, Wide>::name arguments;                                                      \
    }                                                                                               \
    static auto name##_portable parameters { return Loops<G, Portable>::name arguments; }           \
    static auto name##_for(bool wide) { return wide ? name##_wide : name##_portable; }

// Has the processor AVX2, and does the system keep its registers?
inline bool has_avx2() {
    static const bool found = [] {
        uint32_t eax, ebx, ecx, edx, low, high;
        if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & (1u << 27)) || !(ecx & (1u << 28))) return false;
        asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        return (low & 6u) == 6u && __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & (1u << 5));
    }();
    return found;
}
#else
#define RENEGE_LOOP(name, parameters, arguments)                                                    \
    static auto name##_portable parameters { return Loops<G, Portable>::name arguments; }           \
    static auto name##_for(bool) { return name##_portable; }
inline bool has_avx2() { return false; }
#endif

template <class G>
struct WholePlays;  // env_plays.hpp, for games whose plays have several cards

template <class G>
class EnvBatch {
    friend struct WholePlays<G>;

  public:
    using Setting = typename G::Setting;
    using Observation = std::optional<Array<uint8_t, -1, -1>>;
    using Mask = Array<uint8_t, -1, -1>;
    using Bytes = Array<uint8_t, -1>;

    // `bmi2`: is it there and wanted?
    EnvBatch(const nb::bytes& setting, size_t lanes, bool bmi2) : wide_(bmi2 && has_avx2()) {
        if (setting.size() != sizeof(Setting)) {
            throw nb::value_error(("setting: " + std::to_string(setting.size()) + " bytes, and it has " +
                                   std::to_string(sizeof(Setting))).c_str());
        }
        std::memcpy(&setting_, setting.c_str(), sizeof(Setting));
        if (const char* why = G::fault(setting_)) throw nb::value_error((std::string("setting: ") + why).c_str());
        if (!lanes) throw nb::value_error("lanes is 0; there must be at least one");
        tables_.resize(lanes);
    }

    size_t lanes() const { return tables_.size(); }
    size_t width() const { return G::width(setting_); }

    // One more table under the same rules, stepped by itself.
    EnvOne<G> one() const { return EnvOne<G>(setting_); }

    void reset(Array<const uint64_t, -1> seeds, Observation observation, Observation hidden, Mask mask, Bytes mover, size_t threads) {
        want("seeds", seeds.shape(0));
        const Seen seen = checked(observation, hidden, mask, mover);
        const auto loop = reset_for(wide_);
        nb::gil_scoped_release release;
        const std::scoped_lock alone(busy_);
        for (size_t lane = 0; lane < lanes(); ++lane) tables_[lane] = {{}, seeds.data()[lane], choice_key(seeds.data()[lane]), 0, 0};
        split(lanes(), threads, [&](size_t first, size_t last, size_t) -> Refusal {
            loop(setting_, tables_.data(), first, last, seen);
            return {};
        });
        begun_ = true;
    }

    void step(Array<const int32_t, -1> actions, Observation observation, Observation hidden, Mask mask, Bytes mover,
              Array<float, -1, 4> reward, Bytes done, size_t threads) {
        want("actions", actions.shape(0));
        const Seen seen = checked(observation, hidden, mask, mover, reward, done);
        const auto loop = step_for(wide_);
        Refusal refusal;
        {
            nb::gil_scoped_release release;
            const std::scoped_lock alone(busy_);
            // All are looked at before anything is done, so that what is refused has changed nothing. They are read once
            // more then, and a caller who changes them in between changes what is played: so they are kept.
            kept_.assign(actions.data(), actions.data() + lanes());
            refusal = refused();
            if (refusal.why.empty()) {
                split(lanes(), threads, [&](size_t first, size_t last, size_t) -> Refusal {
                    loop(setting_, tables_.data(), first, last, kept_.data(), seen);
                    return {};
                });
            }
        }
        if (!refusal.why.empty()) {
            throw nb::value_error(("lane " + std::to_string(refusal.row) + ": " + refusal.why).c_str());
        }
    }

    // Any seat's view of its table, whoever is to move.
    void observe(Array<const uint8_t, -1> seats, Mask rows) const {
        want("seats", seats.shape(0));
        want("rows", rows.shape(0), rows.shape(1), width());
        must_have_begun();
        const std::scoped_lock alone(busy_);
        for (size_t lane = 0; lane < lanes(); ++lane) {
            if (seats.data()[lane] >= MAX_SEATS) {
                throw nb::value_error(("lane " + std::to_string(lane) + ": a seat is 0..3").c_str());
            }
            G::observe(setting_, tables_[lane].lane, seats.data()[lane], rows.data() + lane * width());
        }
    }

    // The piles as they were dealt: for tests, and for players who may look into the cards.
    void dealt(Array<uint64_t, -1, 5, 2> piles) const {
        want("piles", piles.shape(0));
        must_have_begun();
        const std::scoped_lock alone(busy_);
        for (size_t lane = 0; lane < lanes(); ++lane) G::dealt(tables_[lane].lane, piles.data() + lane * 10);
    }

    // Where the deals stand: the dealer, the levels of both sides, whether it is a first deal.
    void standings(Array<uint8_t, -1, 4> out) const {
        want("standings", out.shape(0));
        must_have_begun();
        const std::scoped_lock alone(busy_);
        for (size_t lane = 0; lane < lanes(); ++lane) {
            const Standing at = G::standing(tables_[lane].lane);
            const uint8_t bytes[4] = {at.dealer, at.level[0], at.level[1], at.first};
            std::memcpy(out.data() + lane * 4, bytes, 4);
        }
    }

    // Lays on every lane a deal from outside, and plays it up to a point. What is refused has changed nothing.
    void begin(Array<const uint8_t, -1, 4> standings, Array<const uint64_t, -1, 5, 2> piles,
               Array<const int32_t, -1, -1> actions, Observation observation, Observation hidden, Mask mask, Bytes mover) {
        want("standings", standings.shape(0));
        want("piles", piles.shape(0));
        want("actions", actions.shape(0));
        const Seen seen = checked(observation, hidden, mask, mover);
        must_have_begun();
        const std::scoped_lock alone(busy_);
        const auto count = static_cast<uint32_t>(actions.shape(1));
        std::vector<Table<G>> tables = tables_;
        for (size_t lane = 0; lane < lanes(); ++lane) {
            const uint8_t* bytes = standings.data() + lane * 4;
            const Standing at = {bytes[0], {bytes[1], bytes[2]}, bytes[3]};
            const int32_t* asked = actions.data() + lane * count;
            const char* why = G::fault(setting_, at, piles.data() + lane * 10);
            if (why) throw nb::value_error(("lane " + std::to_string(lane) + ": " + why).c_str());
            const uint32_t made = begin_with<G>(setting_, tables[lane], at, piles.data() + lane * 10, asked, count);
            if (made < count) {
                const bool over = G::mover(setting_, tables[lane].lane) == MAX_SEATS;
                const std::string number = "action " + std::to_string(asked[made]);
                const std::string told = over ? " ends the deal" : " is not open";
                throw nb::value_error(("lane " + std::to_string(lane) + ": " + number + told).c_str());
            }
        }
        tables_ = std::move(tables);
        for (size_t lane = 0; lane < lanes(); ++lane) show<G, Portable>(setting_, tables_[lane], lane, seen);
    }

    // For each lane one of the actions that are open in `mask`, by chance; -1 where none is.
    void choose(Mask mask, Array<int32_t, -1> out, uint64_t salt, size_t threads) const {
        want("mask", mask.shape(0), mask.shape(1), G::ACTIONS);
        want("actions", out.shape(0));
        must_have_begun();
        const auto loop = choose_for(wide_);
        const uint8_t* open = mask.data();
        int32_t* actions = out.data();
        nb::gil_scoped_release release;
        const std::scoped_lock alone(busy_);
        split(lanes(), threads, [=, this](size_t first, size_t last, size_t) -> Refusal {
            loop(tables_.data(), first, last, mix64(salt), open, actions);
            return {};
        });
    }

    // So many steps by chance on every lane, all of them written to the arrays; how many deals came to their end.
    uint64_t run(uint64_t steps, uint64_t salt, Observation observation, Observation hidden, Mask mask, Bytes mover,
                 Array<float, -1, 4> reward, Bytes done, size_t threads) {
        const Seen seen = checked(observation, hidden, mask, mover, reward, done);
        must_have_begun();
        const auto loop = run_for(wide_);
        std::atomic<uint64_t> over = 0;
        nb::gil_scoped_release release;
        const std::scoped_lock alone(busy_);
        split(lanes(), threads, [&](size_t first, size_t last, size_t) -> Refusal {
            for (size_t lane = first; lane < last; ++lane) {  // what is chosen from is what is open, not what was left there
                G::legal(setting_, tables_[lane].lane, seen.mask + lane * G::ACTIONS);
            }
            over += loop(setting_, tables_.data(), first, last, steps, mix64(salt), seen);
            return {};
        });
        return over;
    }

    // All tables as bytes, to be laid again later by the same kernel and under the same setting.
    nb::bytes save() const {
        must_have_begun();
        const std::scoped_lock alone(busy_);
        return with_seal(reinterpret_cast<const uint8_t*>(tables_.data()), tables_.size() * sizeof(Table<G>));
    }

    // What was not written by `save` would be played as it is, so it is refused.
    void load(const nb::bytes& saved, Observation observation, Observation hidden, Mask mask, Bytes mover) {
        const Seen seen = checked(observation, hidden, mask, mover);
        const uint8_t* from = behind_seal(saved, lanes());
        const std::scoped_lock alone(busy_);
        std::memcpy(static_cast<void*>(tables_.data()), from, lanes() * sizeof(Table<G>));
        begun_ = true;
        for (size_t lane = 0; lane < lanes(); ++lane) show<G, Portable>(setting_, tables_[lane], lane, seen);
    }

    // The same for tables that lie elsewhere, on a GPU: so many bytes, as `save` gives them, and back.
    nb::bytes seal(Array<const uint8_t, -1> tables) const { return with_seal(tables.data(), tables.shape(0)); }

    nb::bytes unseal(const nb::bytes& saved, size_t lanes) const {
        return nb::bytes(reinterpret_cast<const char*>(behind_seal(saved, lanes)), lanes * sizeof(Table<G>));
    }

  private:
    RENEGE_LOOP(reset, (const Setting& setting, Table<G>* tables, size_t first, size_t last, const Seen& seen),
                (setting, tables, first, last, seen))
    RENEGE_LOOP(step, (const Setting& setting, Table<G>* tables, size_t first, size_t last, const int32_t* actions,
                       const Seen& seen),
                (setting, tables, first, last, actions, seen))
    RENEGE_LOOP(choose, (const Table<G>* tables, size_t first, size_t last, uint64_t salt, const uint8_t* mask,
                         int32_t* out),
                (tables, first, last, salt, mask, out))
    RENEGE_LOOP(run, (const Setting& setting, Table<G>* tables, size_t first, size_t last, uint64_t steps,
                      uint64_t salt, const Seen& seen),
                (setting, tables, first, last, steps, salt, seen))

    void must_have_begun() const {
        if (!begun_) throw nb::value_error("nothing is dealt yet: reset first");
    }

    void want(const char* array, size_t rows, size_t columns = 0, size_t wanted = 0) const {
        if (rows == lanes() && columns == wanted) return;
        std::string text = std::string(array) + ": " + std::to_string(rows) + " rows";
        if (wanted) text += " of " + std::to_string(columns);
        text += ", and there are " + std::to_string(lanes()) + " lanes";
        if (wanted) text += " of " + std::to_string(wanted);
        throw nb::value_error(text.c_str());
    }

    Seen checked(Observation& observation, Observation& hidden, Mask& mask, Bytes& mover) const {
        if (observation) want("observation", observation->shape(0), observation->shape(1), width());
        if (hidden) want("hidden", hidden->shape(0), hidden->shape(1), G::HIDDEN);
        want("mask", mask.shape(0), mask.shape(1), G::ACTIONS);
        want("mover", mover.shape(0));
        return {observation ? observation->data() : nullptr, hidden ? hidden->data() : nullptr, mask.data(), mover.data(),
                nullptr, nullptr, width()};
    }

    Seen checked(Observation& observation, Observation& hidden, Mask& mask, Bytes& mover, Array<float, -1, 4>& reward, Bytes& done) const {
        must_have_begun();
        Seen seen = checked(observation, hidden, mask, mover);
        want("reward", reward.shape(0));
        want("done", done.shape(0));
        seen.reward = reward.data();
        seen.done = done.data();
        return seen;
    }

    Refusal refused() const {
        for (size_t lane = 0; lane < lanes(); ++lane) {
            if (!is_open<G>(setting_, tables_[lane], static_cast<uint32_t>(kept_[lane]))) {
                return {lane, "action " + std::to_string(kept_[lane]) + " is not open"};
            }
        }
        return {};
    }

    nb::bytes with_seal(const uint8_t* tables, size_t size) const {
        const uint64_t seal = sealed(tables, size);
        std::string all(reinterpret_cast<const char*>(&seal), sizeof seal);
        all.append(reinterpret_cast<const char*>(tables), size);
        return nb::bytes(all.data(), all.size());
    }

    // The tables in what was saved.
    const uint8_t* behind_seal(const nb::bytes& saved, size_t lanes) const {
        const uint8_t* from = reinterpret_cast<const uint8_t*>(saved.c_str());
        const size_t size = lanes * sizeof(Table<G>);
        uint64_t seal = 0;
        if (saved.size() != size + sizeof seal) throw nb::value_error("saved: not as many lanes, or of another game");
        std::memcpy(&seal, from, sizeof seal);
        if (seal != sealed(from + sizeof seal, size)) {
            throw nb::value_error("saved: these bytes were changed, or saved under other rules");
        }
        return from + sizeof seal;
    }

    // A number that the tables and the setting come to.
    uint64_t sealed(const uint8_t* from, size_t size) const {
        uint64_t seal = 0;
        const auto more = [&seal](const uint8_t* bytes, size_t count) {
            for (size_t i = 0; i < count; i += 8) {
                uint64_t word = 0;
                std::memcpy(&word, bytes + i, std::min<size_t>(8, count - i));
                seal = mix64(seal + GOLDEN + word);
            }
        };
        more(reinterpret_cast<const uint8_t*>(&setting_), sizeof(Setting));
        more(from, size);
        return seal;
    }

    Setting setting_;
    std::vector<Table<G>> tables_;
    std::vector<int32_t> kept_;
    bool wide_, begun_ = false;
    mutable std::mutex busy_;  // a second thread of the caller waits: a table that is half stepped cannot be read
};

template <class G>
void bind_env(nb::module_& module, const char* name) {
    using namespace nb::literals;
    using Env = EnvBatch<G>;
    static_assert(std::is_trivially_copyable_v<typename G::Setting> && std::is_trivially_copyable_v<typename G::Lane>);
    bind_one<G>(module, (std::string(name) + "One").c_str());
    auto env = nb::class_<Env>(module, name);
    env.attr("ACTIONS") = uint32_t{G::ACTIONS};
    env.attr("HIDDEN") = uint32_t{G::HIDDEN};
    env.attr("SETTING_BYTES") = sizeof(typename G::Setting);
    env.attr("LANE_BYTES") = sizeof(typename G::Lane);
    env.attr("TABLE_BYTES") = sizeof(Table<G>);
    env.def(nb::init<const nb::bytes&, size_t, bool>(), "setting"_a, "lanes"_a, "bmi2"_a)
        .def_prop_ro("lanes", &Env::lanes)
        .def_prop_ro("width", &Env::width)
        .def("one", &Env::one)
        .def("reset", &Env::reset, "seeds"_a.noconvert(), "observation"_a.noconvert().none(), "hidden"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert(), "threads"_a)
        .def("step", &Env::step, "actions"_a.noconvert(), "observation"_a.noconvert().none(), "hidden"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert(), "reward"_a.noconvert(), "done"_a.noconvert(), "threads"_a)
        .def("observe", &Env::observe, "seats"_a.noconvert(), "rows"_a.noconvert())
        .def("dealt", &Env::dealt, "piles"_a.noconvert())
        .def("standings", &Env::standings, "out"_a.noconvert())
        .def("begin", &Env::begin, "standings"_a.noconvert(), "piles"_a.noconvert(), "actions"_a.noconvert(),
             "observation"_a.noconvert().none(), "hidden"_a.noconvert().none(), "mask"_a.noconvert(), "mover"_a.noconvert())
        .def("choose", &Env::choose, "mask"_a.noconvert(), "actions"_a.noconvert(), "salt"_a, "threads"_a)
        .def("run", &Env::run, "steps"_a, "salt"_a, "observation"_a.noconvert().none(), "hidden"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert(), "reward"_a.noconvert(), "done"_a.noconvert(), "threads"_a)
        .def("save", &Env::save)
        .def("seal", &Env::seal, "tables"_a.noconvert())
        .def("unseal", &Env::unseal, "saved"_a, "lanes"_a)
        .def("load", &Env::load, "saved"_a, "observation"_a.noconvert().none(), "hidden"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert());
    if constexpr (requires { &G::is_play; }) WholePlays<G>::bind(env);
}

}  // namespace renege::binding
