// Sets of bits written out as rows of bytes, a 0 or a 1 each: what environments show.
#pragma once

#include "portable.hpp"

namespace renege {

#if defined(__GNUC__) && !defined(__CUDACC_RTC__)
// For each byte the eight bytes of its bits, the lowest first.
struct Spreads {
    uint64_t of[256];
};

constexpr Spreads make_spreads() {
    Spreads spreads{};
    for (uint64_t byte = 0; byte < 256; ++byte) {
        for (uint64_t bit = 0; bit < 8; ++bit) spreads.of[byte] |= ((byte >> bit) & 1u) << (8 * bit);
    }
    return spreads;
}

constexpr Spreads SPREADS = make_spreads();

// Rows begin anywhere, so words are copied and not assigned.
RENEGE_FN void put_word(uint8_t* to, uint32_t word) { __builtin_memcpy(to, &word, 4); }

template <uint32_t BITS>
RENEGE_FN void spread(uint64_t set, uint8_t* to) {
    static_assert(BITS <= 64);
    uint32_t at = 0;
    for (; at + 8 <= BITS; at += 8) __builtin_memcpy(to + at, &SPREADS.of[(set >> at) & 0xFFu], 8);
    if constexpr (BITS % 8) __builtin_memcpy(to + at, &SPREADS.of[(set >> at) & 0xFFu], BITS % 8);
}

template <uint32_t BYTES>
RENEGE_FN void clear(uint8_t* to) { __builtin_memset(to, 0, BYTES); }
#else
RENEGE_FN void put_word(uint8_t* to, uint32_t word) {
    for (uint32_t i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(word >> (8 * i));
}

template <uint32_t BITS>
RENEGE_FN void spread(uint64_t set, uint8_t* to) {
    for (uint32_t i = 0; i < BITS; ++i) to[i] = static_cast<uint8_t>((set >> i) & 1u);
}

template <uint32_t BYTES>
RENEGE_FN void clear(uint8_t* to) {
    for (uint32_t i = 0; i < BYTES; ++i) to[i] = 0;
}
#endif

}  // namespace renege
