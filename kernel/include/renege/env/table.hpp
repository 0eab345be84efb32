// One table of a game among many: what a step does to it and what it shows. The CPU's loops over lanes and the GPU's
// threads both call this.
//
// A game is a struct G (see renege/env/texas42.hpp), everything in it RENEGE_FN so that it is compiled for the processor at hand:
//   Setting   what all tables share, plain data that Python fills byte by byte   Lane   one table, plain words
//   ACTIONS, WIDTH, HIDDEN
//   const char* fault(const Setting&)                          what is wrong with a setting from outside; nullptr if nothing
//   template <class Cpu> void begin(const Setting&, Lane&, Stream&)      shuffles and deals
//   uint32_t mover(const Setting&, const Lane&)                0..3, 4 when the deal is over
//   bool act(const Setting&, Lane&, uint32_t action)           false where it is not open, and nothing has changed then
//   bool is_open(const Setting&, const Lane&, uint32_t action) may be left out: the mask is asked then
//   void legal(const Setting&, const Lane&, uint8_t* mask)     ACTIONS bytes of 0 and 1
//   void observe(const Setting&, const Lane&, uint32_t seat, uint8_t* row)   WIDTH bytes
//                                                              both may be template <class Cpu = Portable>
//   void rewards(const Setting&, const Lane&, float* out)      4, once the deal is over
//   Standing standing(const Lane&)                             where the deal stood when it began
//   void dealt(const Lane&, uint64_t* piles)                   [5][2], the piles as they were dealt
//   const char* fault(const Setting&, const Standing&, const uint64_t* piles)   what is wrong with a deal from outside
//   void begin_with(const Setting&, Lane&, const Standing&, const uint64_t* piles)      that deal
//   uint32_t width(const Setting&)                             the bytes of a row, WIDTH those of the widest
//   void hidden(const Setting&, const Lane&, uint32_t seat, uint8_t* row)       HIDDEN bytes: what the seat does not see
//
// Deal number e of a lane with the seed s is drawn from open_stream(s, Purpose::ENV, e): neither the other lanes nor the
// threads have a part in it. A deal that ends is followed by the next one in the same step.
#pragma once

#include <renege/core/deal.hpp>
#include <renege/env/layout.hpp>

namespace renege::env {

// What a call writes: rows of all lanes. What the caller does not want is null.
struct Seen {
    uint8_t *observation, *hidden, *mask, *mover, *done;
    float* reward;
    uint64_t width;  // of an observation
};

template <class G>
struct Table {
    typename G::Lane lane;
    uint64_t seed, choices;  // where its deals come from, and its choices by chance
    uint64_t deals, steps;   // begun and taken since the reset
};

// What the seat to act may do, what it sees and what it does not see.
template <class G, class Cpu>
RENEGE_FN void show(const typename G::Setting& setting, const typename G::Lane& lane, uint32_t mover, uint8_t* mask,
                    uint8_t* row, uint8_t* hidden) {
    if constexpr (requires { G::template legal<Cpu>(setting, lane, mask); }) {
        G::template legal<Cpu>(setting, lane, mask);
    } else {
        G::legal(setting, lane, mask);
    }
    if (row) {
        if constexpr (requires { G::template observe<Cpu>(setting, lane, mover, row); }) {
            G::template observe<Cpu>(setting, lane, mover, row);
        } else {
            G::observe(setting, lane, mover, row);
        }
    }
    if (hidden) G::hidden(setting, lane, mover, hidden);
}

template <class G, class Cpu>
RENEGE_FN void show(const typename G::Setting& setting, const Table<G>& table, uint64_t lane, const Seen& seen) {
    const uint32_t mover = G::mover(setting, table.lane);
    seen.mover[lane] = static_cast<uint8_t>(mover);
    show<G, Cpu>(setting, table.lane, mover, seen.mask + lane * G::ACTIONS,
                 seen.observation ? seen.observation + lane * seen.width : nullptr,
                 seen.hidden ? seen.hidden + lane * G::HIDDEN : nullptr);
}

template <class G, class Cpu>
RENEGE_FN void deal_next(const typename G::Setting& setting, Table<G>& table) {
    Stream stream = open_stream(table.seed, Purpose::ENV, table.deals++);
    G::template begin<Cpu>(setting, table.lane, stream);
}

// What a deal that is over pays; payouts that sum to nought are differences already, else a side's are less the others'.
template <class G>
RENEGE_FN void pay(const typename G::Setting& setting, const typename G::Lane& lane, float* reward) {
    float score[MAX_SEATS];
    G::rewards(setting, lane, score);
    const bool less = setting.layout.difference && score[0] + score[1] + score[2] + score[3] != 0.0f;
    for (uint32_t seat = 0; seat < MAX_SEATS; ++seat) {
        reward[seat] = less ? score[seat] - score[(seat + 1) & 3u] : score[seat];
    }
}

// What follows from an act: where it has ended the deal it is paid, and the next one is dealt. True where it has.
template <class G, class Cpu>
RENEGE_FN bool settle(const typename G::Setting& setting, Table<G>& table, float* reward) {
    ++table.steps;
    const bool over = G::mover(setting, table.lane) == MAX_SEATS;
    for (uint32_t seat = 0; seat < MAX_SEATS; ++seat) reward[seat] = 0.0f;
    if (over) {
        pay<G>(setting, table.lane, reward);
        deal_next<G, Cpu>(setting, table);
    }
    return over;
}

template <class G, class Cpu>
RENEGE_FN bool settle(const typename G::Setting& setting, Table<G>& table, uint64_t lane, const Seen& seen) {
    const bool over = settle<G, Cpu>(setting, table, seen.reward + lane * MAX_SEATS);
    seen.done[lane] = over;
    show<G, Cpu>(setting, table, lane, seen);
    return over;
}

// The action must be open. True when it ended the deal.
template <class G, class Cpu>
RENEGE_FN bool step_one(const typename G::Setting& setting, Table<G>& table, uint32_t action, uint64_t lane,
                        const Seen& seen) {
    G::act(setting, table.lane, action);
    return settle<G, Cpu>(setting, table, lane, seen);
}

// Plays a deal from outside up to a point: `actions` end at the first below 0. The number of those that were made: fewer
// than there are where one is not open, or where one more would end the deal.
template <class G>
RENEGE_FN uint32_t begin_with(const typename G::Setting& setting, Table<G>& table, const Standing& standing,
                              const uint64_t* piles, const int32_t* actions, uint32_t count) {
    G::begin_with(setting, table.lane, standing, piles);
    for (uint32_t i = 0; i < count; ++i) {
        if (actions[i] < 0) return count;
        if (!G::act(setting, table.lane, static_cast<uint32_t>(actions[i]))) return i;
        if (G::mover(setting, table.lane) == MAX_SEATS) return i;
    }
    return count;
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
#if defined(__SSE2__) && defined(__GNUC__) && !defined(__CUDACC_RTC__)
    for (; at + 16 <= BYTES; at += 16) {
        typedef short Eight __attribute__((vector_size(16)));
        typedef char Sixteen __attribute__((vector_size(16)));
        Eight some;
        __builtin_memcpy(&some, mask + at, 16);
        bits[at / 32] |= static_cast<uint32_t>(__builtin_ia32_pmovmskb128((Sixteen)(some << 7))) << (at % 32);
    }
#endif
#if defined(__GNUC__) && !defined(__CUDACC_RTC__)
    for (; at + 8 <= BYTES; at += 8) {
        uint64_t eight;
        __builtin_memcpy(&eight, mask + at, 8);
        bits[at / 32] |= static_cast<uint32_t>((eight * 0x0102040810204080u) >> 56) << (at % 32);
    }
#endif
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

}  // namespace renege::env
