// Sets of bits written out as rows of bytes, a 0 or a 1 each: what environments show.
#pragma once

#include <renege/core/portable.hpp>

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
RENEGE_FN void copy(const uint8_t* from, uint8_t* to) { __builtin_memcpy(to, from, BYTES); }

// Store by store: a memset of this length would become `rep stos`, which takes as long as all the rest of a row.
template <uint32_t BYTES>
RENEGE_FN void clear(uint8_t* to) {
    constexpr uint32_t SIZE = BYTES < 16 ? BYTES : 16;
    typedef char Sixteen __attribute__((vector_size(16)));
    const Sixteen nothing = {};
    __builtin_memcpy(to, &nothing, SIZE);
    if constexpr (BYTES > SIZE) clear<BYTES - SIZE>(to + SIZE);
}
#else
RENEGE_FN void put_word(uint8_t* to, uint32_t word) {
    for (uint32_t i = 0; i < 4; ++i) to[i] = static_cast<uint8_t>(word >> (8 * i));
}

template <uint32_t BITS>
RENEGE_FN void spread(uint64_t set, uint8_t* to) {
    for (uint32_t i = 0; i < BITS; ++i) to[i] = static_cast<uint8_t>((set >> i) & 1u);
}

template <uint32_t BYTES>
RENEGE_FN void copy(const uint8_t* from, uint8_t* to) {
    for (uint32_t i = 0; i < BYTES; ++i) to[i] = from[i];
}

template <uint32_t BYTES>
RENEGE_FN void clear(uint8_t* to) {
    for (uint32_t i = 0; i < BYTES; ++i) to[i] = 0;
}
#endif

#if RENEGE_HAS_BMI2_PATH
// For each of 32 bytes the byte of a word, and the bit in it, that it shows.
struct alignas(32) Lookup {
    uint8_t byte[32], bit[32];
};

constexpr Lookup make_lookup() {
    Lookup lookup{};
    for (uint32_t i = 0; i < 32; ++i) {
        lookup.byte[i] = static_cast<uint8_t>(i / 8);
        lookup.bit[i] = static_cast<uint8_t>(1u << (i % 8));
    }
    return lookup;
}

constexpr Lookup LOOKUP = make_lookup();

// x86-64 with BMI2 and AVX2, as asm for the reason that Bmi2 gives.
struct Wide : Bmi2 {
    static RENEGE_FN void spread32(uint32_t set, uint8_t* to) {
        asm("vmovd %[set], %%xmm0\n\t"
            "vpbroadcastd %%xmm0, %%ymm0\n\t"
            "vpshufb %[byte], %%ymm0, %%ymm0\n\t"
            "vpand %[bit], %%ymm0, %%ymm0\n\t"
            "vpcmpeqb %[bit], %%ymm0, %%ymm0\n\t"
            "vpabsb %%ymm0, %%ymm0\n\t"
            "vmovdqu %%ymm0, %[to]"
            : [to] "=m"(*reinterpret_cast<uint8_t(*)[32]>(to))
            : [set] "r"(set), [byte] "m"(LOOKUP.byte), [bit] "m"(LOOKUP.bit)
            : "xmm0");
    }
    // At the end, since other code is slow with the upper halves of the registers in use.
    static RENEGE_FN void finish() { asm volatile("vzeroupper" ::: "memory"); }
};
#endif

// Writes 32 bytes, however few bits there are: what comes behind is written afterwards.
template <class Cpu>
RENEGE_FN void spread32(uint32_t set, uint8_t* to) {
    if constexpr (requires { Cpu::spread32(set, to); }) {
        Cpu::spread32(set, to);
    } else {
        spread<32>(set, to);
    }
}

}  // namespace renege
