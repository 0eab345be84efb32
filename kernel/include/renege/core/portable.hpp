// What the kernel asks of a compiler, and the only header that may ask: fixed-width types, one function
// macro and a few bit operations. The CPU's compiler and NVRTC, which sees no host headers, both read this.
#pragma once

#ifndef __CUDACC_RTC__
#include <stdint.h>
#endif

// RENEGE_FN is always inlined, so that a CPU entry point compiled for BMI2 carries its instructions all the way down.
// RENEGE_CALLED is for what is long and used in many places: a GPU calls it, for written out everywhere it would not fit
// into the cache for its instructions, and take minutes to compile. RENEGE_APART is for what few house rules ask for: it
// is called everywhere, so that the usual ways stay short. Who includes this may have said otherwise.
#ifdef RENEGE_FN
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define RENEGE_FN __host__ __device__ __forceinline__
#define RENEGE_CALLED __host__ __device__ __noinline__ inline
#define RENEGE_APART RENEGE_CALLED
#elif defined(_MSC_VER)
#define RENEGE_FN __forceinline
#define RENEGE_CALLED RENEGE_FN
#define RENEGE_APART __declspec(noinline) inline
#else
#define RENEGE_FN inline __attribute__((always_inline))
#define RENEGE_CALLED RENEGE_FN
#define RENEGE_APART inline __attribute__((noinline))
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define RENEGE_HAS_BMI2_PATH 1
#else
#define RENEGE_HAS_BMI2_PATH 0
#endif

namespace renege {

#ifdef __CUDACC_RTC__
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using int16_t = short;
using int32_t = int;
#endif

RENEGE_FN uint32_t count_bits(uint32_t set) {
#ifdef __CUDA_ARCH__
    return static_cast<uint32_t>(__popc(set));
#elif defined(__GNUC__)
    return static_cast<uint32_t>(__builtin_popcount(set));
#else
    set -= (set >> 1) & 0x55555555u;
    set = (set & 0x33333333u) + ((set >> 2) & 0x33333333u);
    return (((set + (set >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24;
#endif
}

// The place of the lowest bit; the set must not be empty.
RENEGE_FN uint32_t lowest_bit(uint32_t set) {
#ifdef __CUDA_ARCH__
    return static_cast<uint32_t>(__ffs(static_cast<int>(set)) - 1);
#elif defined(__GNUC__)
    return static_cast<uint32_t>(__builtin_ctz(set));
#else
    return count_bits((set & (0u - set)) - 1u);
#endif
}

// The same for sets of 64. No builtin: without popcnt it is a call into the compiler's library, which is slower than
// this; with popcnt gcc and clang see what this is and use the instruction.
RENEGE_FN uint32_t count_bits64(uint64_t set) {
#ifdef __CUDA_ARCH__
    return static_cast<uint32_t>(__popcll(set));
#else
    set -= (set >> 1) & 0x5555555555555555u;
    set = (set & 0x3333333333333333u) + ((set >> 2) & 0x3333333333333333u);
    return static_cast<uint32_t>((((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
#endif
}

RENEGE_FN uint32_t lowest_bit64(uint64_t set) {
#ifdef __CUDA_ARCH__
    return static_cast<uint32_t>(__ffsll(static_cast<long long>(set)) - 1);
#elif defined(__GNUC__)
    return static_cast<uint32_t>(__builtin_ctzll(set));
#else
    return count_bits64((set & (0u - set)) - 1u);
#endif
}

// The place of the highest bit; the set must not be empty.
RENEGE_FN uint32_t highest_bit(uint32_t set) {
#ifdef __CUDA_ARCH__
    uint32_t place;
    asm("bfind.u32 %0, %1;" : "=r"(place) : "r"(set));
    return place;
#elif defined(__GNUC__)
    return 31u - static_cast<uint32_t>(__builtin_clz(set));
#else
    uint32_t place = 0;
    while (set >>= 1) ++place;
    return place;
#endif
}

// The upper 64 bits of a product.
RENEGE_FN uint64_t multiply_high64(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
    return __umul64hi(a, b);
#elif defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    return static_cast<uint64_t>((static_cast<Wide>(a) * b) >> 64);
#else
    const uint64_t low = (a & 0xFFFFFFFFu) * (b & 0xFFFFFFFFu);
    const uint64_t one = (a >> 32) * (b & 0xFFFFFFFFu) + (low >> 32);
    const uint64_t two = (a & 0xFFFFFFFFu) * (b >> 32) + (one & 0xFFFFFFFFu);
    return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32);
#endif
}

#ifdef __CUDA_ARCH__
// The time on a device, all of whose threads have the same clock.
RENEGE_FN uint64_t nanoseconds() {
    uint64_t time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}
#endif

// Two ways to find the n-th bit of a set, counted from 0 at the low end, as a set of one bit.
// n must be smaller than the number of bits. Both give the same answer; a test says so.

// Any machine. Hands are short, so dropping n bits beats every bit trick we timed.
struct Portable {
    static RENEGE_FN uint32_t nth_bit(uint32_t set, uint32_t n) {
        for (; n; --n) set &= set - 1;
        return set & (0u - set);
    }
};

#if RENEGE_HAS_BMI2_PATH
// x86-64 with BMI2. Written as asm because the builtin would want every function between here and the
// entry point to be declared for BMI2, and those functions are shared with the portable path.
struct Bmi2 {
    static RENEGE_FN uint32_t nth_bit(uint32_t set, uint32_t n) {
        uint32_t bit;
        asm("pdep %2, %1, %0" : "=r"(bit) : "r"(1u << n), "r"(set));
        return bit;
    }
};
#endif

}  // namespace renege
