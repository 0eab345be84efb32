// Many tables of one game, each on a lane of its own and all stepped by one call, on arrays that the caller owns.
//
// A game is a struct G (see renege/env/texas42.hpp), everything in it RENEGE_FN so that it is compiled for the processor at hand:
//   Setting   what all tables share, plain data that Python fills byte by byte   Lane   one table, plain words
//   ACTIONS, WIDTH
//   const char* fault(const Setting&)                          what is wrong with a setting from outside; nullptr if nothing
//   template <class Cpu> void begin(const Setting&, Lane&, Stream&)      shuffles and deals
//   uint32_t mover(const Setting&, const Lane&)                0..3, 4 when the deal is over
//   bool act(const Setting&, Lane&, uint32_t action)           false where it is not open, and nothing has changed then
//   bool is_open(const Setting&, const Lane&, uint32_t action) may be left out: the mask is asked then
//   void legal(const Setting&, const Lane&, uint8_t* mask)     ACTIONS bytes of 0 and 1
//   void observe(const Setting&, const Lane&, uint32_t seat, uint8_t* row)   WIDTH bytes
//                                                              both may be template <class Cpu = Portable>
//   void rewards(const Setting&, const Lane&, float* out)      4, once the deal is over
//   void dealt(const Lane&, uint64_t* piles)                   [5][2], the piles as they were dealt
//
// Deal number e of a lane with the seed s is drawn from open_stream(s, Purpose::ENV, e): neither the other lanes nor the
// threads have a part in it. A deal that ends is followed by the next one in the same step.
#pragma once

#include "batch.hpp"
#include "env_one.hpp"

#include <nanobind/stl/optional.h>

#include <renege/core/deal.hpp>
#include <renege/core/spread.hpp>

#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>

#if RENEGE_HAS_BMI2_PATH
#include <cpuid.h>
#endif

namespace renege::binding {

// What a call writes: rows of all lanes. Where the caller wants no observation, `observation` is null.
struct Seen {
    uint8_t *observation, *mask, *mover, *done;
    float* reward;
};

template <class G>
struct Table {
    typename G::Lane lane;
    uint64_t seed, choices;  // where its deals come from, and its choices by chance
    uint64_t deals, steps;   // begun and taken since the reset
};

template <class G, class Cpu>
RENEGE_FN void show(const typename G::Setting& setting, const Table<G>& table, size_t lane, const Seen& seen) {
    const uint32_t mover = G::mover(setting, table.lane);
    uint8_t* mask = seen.mask + lane * G::ACTIONS;
    seen.mover[lane] = static_cast<uint8_t>(mover);
    if constexpr (requires { G::template legal<Cpu>(setting, table.lane, mask); }) {
        G::template legal<Cpu>(setting, table.lane, mask);
    } else {
        G::legal(setting, table.lane, mask);
    }
    if (!seen.observation) return;
    uint8_t* row = seen.observation + lane * G::WIDTH;
    if constexpr (requires { G::template observe<Cpu>(setting, table.lane, mover, row); }) {
        G::template observe<Cpu>(setting, table.lane, mover, row);
    } else {
        G::observe(setting, table.lane, mover, row);
    }
}

template <class G, class Cpu>
RENEGE_FN void deal_next(const typename G::Setting& setting, Table<G>& table) {
    Stream stream = open_stream(table.seed, Purpose::ENV, table.deals++);
    G::template begin<Cpu>(setting, table.lane, stream);
}

// What follows from an act. True when it ended the deal.
template <class G, class Cpu>
RENEGE_FN bool settle(const typename G::Setting& setting, Table<G>& table, size_t lane, const Seen& seen) {
    float* reward = seen.reward + lane * MAX_SEATS;
    ++table.steps;
    const bool over = G::mover(setting, table.lane) == MAX_SEATS;
    seen.done[lane] = over;
    for (uint32_t seat = 0; seat < MAX_SEATS; ++seat) reward[seat] = 0.0f;
    if (over) {
        G::rewards(setting, table.lane, reward);
        deal_next<G, Cpu>(setting, table);
    }
    show<G, Cpu>(setting, table, lane, seen);
    return over;
}

// The action must be open. True when it ended the deal.
template <class G, class Cpu>
RENEGE_FN bool step_one(const typename G::Setting& setting, Table<G>& table, uint32_t action, size_t lane,
                        const Seen& seen) {
    G::act(setting, table.lane, action);
    return settle<G, Cpu>(setting, table, lane, seen);
}

// May the mover of a table do that? Any number may be asked.
template <class G>
RENEGE_FN bool is_open(const typename G::Setting& setting, const Table<G>& table, uint32_t action) {
    if (action >= G::ACTIONS) return false;
    if constexpr (requires { G::is_open(setting, table.lane, action); }) {
        return G::is_open(setting, table.lane, action);
    } else {
        uint8_t mask[G::ACTIONS];
        G::legal(setting, table.lane, mask);
        return mask[action];
    }
}

// The bytes of a mask, a 0 or a 1 each, as bits.
template <uint32_t BYTES>
RENEGE_FN void gather(const uint8_t* mask, uint32_t* bits) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < (BYTES + 31) / 32; ++i) bits[i] = 0;
#if defined(__SSE2__) && defined(__GNUC__)
    for (; at + 16 <= BYTES; at += 16) {
        typedef short Eight __attribute__((vector_size(16)));
        typedef char Sixteen __attribute__((vector_size(16)));
        Eight some;
        std::memcpy(&some, mask + at, 16);
        bits[at / 32] |= static_cast<uint32_t>(__builtin_ia32_pmovmskb128((Sixteen)(some << 7))) << (at % 32);
    }
#endif
    for (; at + 8 <= BYTES; at += 8) {
        uint64_t eight;
        std::memcpy(&eight, mask + at, 8);
        bits[at / 32] |= static_cast<uint32_t>((eight * 0x0102040810204080u) >> 56) << (at % 32);
    }
    for (; at < BYTES; ++at) bits[at / 32] |= uint32_t{mask[at]} << (at % 32);
}

// The key of the numbers by which a lane chooses.
RENEGE_FN uint64_t choice_key(uint64_t seed) { return open_stream(seed, Purpose::ENV_CHOICE, 0).state; }

// One of the actions that a mask has open, all equally likely: the number depends on the lane's seed, on how many steps
// it has taken and on `salt` alone. -1 where none is open.
template <class G, class Cpu>
RENEGE_FN int32_t chosen(const Table<G>& table, uint64_t salt, const uint8_t* mask) {
    constexpr uint32_t WORDS = (G::ACTIONS + 31) / 32;
    uint32_t open[WORDS], count = 0;
    gather<G::ACTIONS>(mask, open);
    for (uint32_t word : open) count += count_bits(word);
    if (!count) return -1;
    uint64_t number = mix64(table.choices + salt + GOLDEN * (table.steps + 1));
    uint32_t fraction = static_cast<uint32_t>(number >> 32), pick = draw(fraction, count);
    while (must_redraw(fraction, count)) {
        number = mix64(number + GOLDEN);
        fraction = static_cast<uint32_t>(number >> 32);
        pick = draw(fraction, count);
    }
    for (uint32_t word = 0; word + 1 < WORDS; ++word) {
        const uint32_t here = count_bits(open[word]);
        if (pick < here) return static_cast<int32_t>(32 * word + lowest_bit(Cpu::nth_bit(open[word], pick)));
        pick -= here;
    }
    return static_cast<int32_t>(32 * (WORDS - 1) + lowest_bit(Cpu::nth_bit(open[WORDS - 1], pick)));
}

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

    // One more table under the same rules, stepped by itself.
    EnvOne<G> one() const { return EnvOne<G>(setting_); }

    void reset(Array<const uint64_t, -1> seeds, Observation observation, Mask mask, Bytes mover, size_t threads) {
        want("seeds", seeds.shape(0));
        const Seen seen = checked(observation, mask, mover);
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

    void step(Array<const int32_t, -1> actions, Observation observation, Mask mask, Bytes mover,
              Array<float, -1, 4> reward, Bytes done, size_t threads) {
        want("actions", actions.shape(0));
        const Seen seen = checked(observation, mask, mover, reward, done);
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
        want("rows", rows.shape(0), rows.shape(1), G::WIDTH);
        must_have_begun();
        const std::scoped_lock alone(busy_);
        for (size_t lane = 0; lane < lanes(); ++lane) {
            if (seats.data()[lane] >= MAX_SEATS) {
                throw nb::value_error(("lane " + std::to_string(lane) + ": a seat is 0..3").c_str());
            }
            G::observe(setting_, tables_[lane].lane, seats.data()[lane], rows.data() + lane * G::WIDTH);
        }
    }

    // The piles as they were dealt: for tests, and for players who may look into the cards.
    void dealt(Array<uint64_t, -1, 5, 2> piles) const {
        want("piles", piles.shape(0));
        must_have_begun();
        const std::scoped_lock alone(busy_);
        for (size_t lane = 0; lane < lanes(); ++lane) G::dealt(tables_[lane].lane, piles.data() + lane * 10);
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
    uint64_t run(uint64_t steps, uint64_t salt, Observation observation, Mask mask, Bytes mover,
                 Array<float, -1, 4> reward, Bytes done, size_t threads) {
        const Seen seen = checked(observation, mask, mover, reward, done);
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
        std::vector<uint8_t> all(sizeof(uint64_t) + tables_.size() * sizeof(Table<G>));
        std::memcpy(all.data() + sizeof(uint64_t), tables_.data(), tables_.size() * sizeof(Table<G>));
        const uint64_t seal = sealed(all.data() + sizeof seal, all.size() - sizeof seal);
        std::memcpy(all.data(), &seal, sizeof seal);
        return nb::bytes(reinterpret_cast<const char*>(all.data()), all.size());
    }

    // What was not written by `save` would be played as it is, so it is refused.
    void load(const nb::bytes& saved, Observation observation, Mask mask, Bytes mover) {
        const Seen seen = checked(observation, mask, mover);
        const uint8_t* from = reinterpret_cast<const uint8_t*>(saved.c_str());
        const size_t size = tables_.size() * sizeof(Table<G>);
        uint64_t seal = 0;
        if (saved.size() != size + sizeof seal) throw nb::value_error("saved: not as many lanes, or of another game");
        std::memcpy(&seal, from, sizeof seal);
        if (seal != sealed(from + sizeof seal, size)) {
            throw nb::value_error("saved: these bytes were changed, or saved under other rules");
        }
        const std::scoped_lock alone(busy_);
        std::memcpy(static_cast<void*>(tables_.data()), from + sizeof seal, size);
        begun_ = true;
        for (size_t lane = 0; lane < lanes(); ++lane) show<G, Portable>(setting_, tables_[lane], lane, seen);
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

    Seen checked(Observation& observation, Mask& mask, Bytes& mover) const {
        if (observation) want("observation", observation->shape(0), observation->shape(1), G::WIDTH);
        want("mask", mask.shape(0), mask.shape(1), G::ACTIONS);
        want("mover", mover.shape(0));
        return {observation ? observation->data() : nullptr, mask.data(), mover.data(), nullptr, nullptr};
    }

    Seen checked(Observation& observation, Mask& mask, Bytes& mover, Array<float, -1, 4>& reward, Bytes& done) const {
        must_have_begun();
        Seen seen = checked(observation, mask, mover);
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
    env.attr("WIDTH") = uint32_t{G::WIDTH};
    env.attr("SETTING_BYTES") = sizeof(typename G::Setting);
    env.attr("LANE_BYTES") = sizeof(typename G::Lane);
    env.def(nb::init<const nb::bytes&, size_t, bool>(), "setting"_a, "lanes"_a, "bmi2"_a)
        .def_prop_ro("lanes", &Env::lanes)
        .def("one", &Env::one)
        .def("reset", &Env::reset, "seeds"_a.noconvert(), "observation"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert(), "threads"_a)
        .def("step", &Env::step, "actions"_a.noconvert(), "observation"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert(), "reward"_a.noconvert(), "done"_a.noconvert(), "threads"_a)
        .def("observe", &Env::observe, "seats"_a.noconvert(), "rows"_a.noconvert())
        .def("dealt", &Env::dealt, "piles"_a.noconvert())
        .def("choose", &Env::choose, "mask"_a.noconvert(), "actions"_a.noconvert(), "salt"_a, "threads"_a)
        .def("run", &Env::run, "steps"_a, "salt"_a, "observation"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert(), "reward"_a.noconvert(), "done"_a.noconvert(), "threads"_a)
        .def("save", &Env::save)
        .def("load", &Env::load, "saved"_a, "observation"_a.noconvert().none(), "mask"_a.noconvert(),
             "mover"_a.noconvert());
    if constexpr (requires { &G::is_play; }) WholePlays<G>::bind(env);
}

}  // namespace renege::binding
