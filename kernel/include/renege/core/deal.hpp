// Random numbers that depend only on a seed, a lane and a counter, and deals made from them. Lanes share
// nothing, so neither the batch, nor the number of threads, nor CPU or GPU can change a result.
#pragma once

#include <renege/core/cards.hpp>

namespace renege {

// SplitMix64: its increment and its output function (Steele, Lea and Flood 2014).
constexpr uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

RENEGE_FN constexpr uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// What the numbers are for, so that a deal and its playout may have the same seed and lane.
enum class Purpose : uint64_t { DEAL = 0, PLAYOUT = 1, WORLD = 2, REGRET = 3, ENV = 4, ENV_CHOICE = 5 };

// The words of one lane: word i is mix64(key + GOLDEN * (i + 1)), which is SplitMix64 started at the key.
struct Stream {
    uint64_t state;

    RENEGE_FN constexpr uint64_t next() { return mix64(state += GOLDEN); }
};

// The key of a lane: mix64(mix64(seed + GOLDEN * (purpose + 1)) + GOLDEN * (lane + 1)).
RENEGE_FN constexpr Stream open_stream(uint64_t seed, Purpose purpose, uint64_t lane) {
    const uint64_t family = mix64(seed + GOLDEN * (static_cast<uint64_t>(purpose) + 1));
    return Stream{mix64(family + GOLDEN * (lane + 1))};
}

// Several exactly uniform draws from one 32-bit fraction (Lemire's multiplication, chained): multiply by the
// bound, the high half is the draw, the low half the fraction for the next. What is left at the end says
// whether the fraction lay in the part that does not divide evenly; then all draws are made again.
// The bounds must all be known before the first draw, and their product must be less than 2^32.
RENEGE_FN constexpr uint32_t draw(uint32_t& fraction, uint32_t bound) {
    const uint64_t wide = static_cast<uint64_t>(fraction) * bound;
    fraction = static_cast<uint32_t>(wide);
    return static_cast<uint32_t>(wide >> 32);
}

// True when the draws must be made again: the rest is below 2^32 mod product. The first test spares the
// division nearly always.
RENEGE_FN constexpr bool must_redraw(uint32_t rest, uint32_t product) {
    return rest < product && rest < (0u - product) % product;
}

// So many draws of a deal share a fraction: 32*31*30*29*28 < 2^25, so fewer than 1 in 128 are made again.
constexpr uint32_t DRAWS_PER_FRACTION = 5;

// picks[i] is uniform below left - i, for i < count. Fractions are the high, then the low half of each word;
// when draws are made again they take the next fraction.
RENEGE_FN void draw_picks(uint32_t left, uint32_t count, Stream& stream, uint8_t* picks) {
    uint64_t word = 0;
    bool low = false;
    for (uint32_t done = 0; done < count;) {
        word = low ? word << 32 : stream.next();
        low = !low;
        uint32_t fraction = static_cast<uint32_t>(word >> 32);
        uint32_t product = 1;
        const uint32_t end = done + DRAWS_PER_FRACTION < count ? done + DRAWS_PER_FRACTION : count;
        for (uint32_t i = done; i < end; ++i) {
            picks[i] = static_cast<uint8_t>(draw(fraction, left - i));
            product *= left - i;
        }
        done = must_redraw(fraction, product) ? done : end;
    }
}

// Deals a deck to hands of given sizes, every deal equally likely: the hands in order, each taking its cards
// one by one out of those left. A last hand that takes all that is left draws nothing.
template <class Cpu>
RENEGE_FN void deal(CardSet deck, const uint8_t* sizes, uint32_t hands, Stream& stream, CardSet* out) {
    const uint32_t left = count_bits(deck);
    uint32_t dealt = 0;
    for (uint32_t hand = 0; hand < hands; ++hand) dealt += sizes[hand];
    const bool last_takes_all = hands && dealt == left;
    uint8_t picks[MAX_CARDS];
    draw_picks(left, last_takes_all ? dealt - sizes[hands - 1] : dealt, stream, picks);
    const uint8_t* pick = picks;
    for (uint32_t hand = 0; hand < hands - last_takes_all; ++hand) {
        const CardSet before = deck;
        for (uint32_t i = 0; i < sizes[hand]; ++i) deck ^= Cpu::nth_bit(deck, *pick++);
        out[hand] = before ^ deck;
    }
    if (last_takes_all) out[hands - 1] = deck;
}

}  // namespace renege
