// Networks on processors with AVX-512 and its products of 16 bits (VNNI): registers of 512 bits.
#include "net_paths.hpp"

#if RENEGE_HAS_BMI2_PATH

// gcc 12 takes what its own header leaves open on purpose for a mistake.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#define WIDE_TARGET __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))
#define WIDE_FN WIDE_TARGET inline __attribute__((always_inline))
#define WIDE_CALLED WIDE_TARGET __attribute__((noinline))

namespace renege::net {
namespace {

struct Lanes {
    using Word = __m512i;
    using Float = __m512;
    using Four = __m256d;
    static constexpr uint32_t SIZE = 16, ROWS = 8, PANELS = 2, GROUPS = 8;
    static constexpr uint32_t PANELS_OF_1 = 8, PANELS_OF_2 = 4, PANELS_OF_4 = 4;

    static WIDE_FN Word nought() { return _mm512_setzero_si512(); }
    static WIDE_FN Word load(const int32_t* at) { return _mm512_loadu_si512(at); }
    static WIDE_FN Word weights(const int16_t* at) { return _mm512_loadu_si512(at); }
    static WIDE_FN Word weights(const int8_t* at) {
        return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    }
    static WIDE_FN Word pair(const int16_t* at) {
        int32_t both;
        __builtin_memcpy(&both, at, 4);
        return _mm512_set1_epi32(both);
    }
    // As asm because gcc 12 moves every sum to another register and back for the intrinsic, which takes a quarter longer.
    static WIDE_FN Word add_products(Word sum, Word a, Word b) {
        asm("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
        return sum;
    }

    // Weights of two inputs, of each four outputs in every eight the lower or the upper.
    static WIDE_FN Word low_pairs(Word a, Word b) { return _mm512_unpacklo_epi16(a, b); }
    static WIDE_FN Word high_pairs(Word a, Word b) { return _mm512_unpackhi_epi16(a, b); }
    static WIDE_FN void add_in_order(int32_t* at, Word low, Word high) {
        const Word one = _mm512_set_epi32(23, 22, 21, 20, 7, 6, 5, 4, 19, 18, 17, 16, 3, 2, 1, 0);
        const Word two = _mm512_add_epi32(one, _mm512_set1_epi32(8));
        _mm512_storeu_si512(at, _mm512_add_epi32(load(at), _mm512_permutex2var_epi32(low, one, high)));
        _mm512_storeu_si512(at + 16, _mm512_add_epi32(load(at + 16), _mm512_permutex2var_epi32(low, two, high)));
    }
    static WIDE_FN uint64_t not_nought(const uint8_t* at) {
        const Word bytes = _mm512_loadu_si512(at);
        return _mm512_test_epi8_mask(bytes, bytes);
    }

    static WIDE_FN Float all(float x) { return _mm512_set1_ps(x); }
    static WIDE_FN Float load(const float* at) { return _mm512_loadu_ps(at); }
    static WIDE_FN void store(float* at, Float x, uint32_t count) {
        if (count >= SIZE) {
            _mm512_storeu_ps(at, x);
        } else {
            _mm512_mask_storeu_ps(at, static_cast<__mmask16>((1u << count) - 1), x);
        }
    }
    static WIDE_FN Float to_float(Word x) { return _mm512_cvtepi32_ps(x); }
    static WIDE_FN Float add(Float a, Float b) { return _mm512_add_ps(a, b); }
    static WIDE_FN Float multiply(Float a, Float b) { return _mm512_mul_ps(a, b); }
    static WIDE_FN Float larger(Float a, Float b) { return _mm512_max_ps(a, b); }
    static WIDE_FN void store_rounded(int16_t* at, Float x) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(x)));
    }

    static WIDE_FN Four four(double x) { return _mm256_set1_pd(x); }
    static WIDE_FN Four four(const float* at) { return _mm256_cvtps_pd(_mm_loadu_ps(at)); }
    static WIDE_FN Four add(Four a, Four b) { return _mm256_add_pd(a, b); }
    static WIDE_FN Four subtract(Four a, Four b) { return _mm256_sub_pd(a, b); }
    static WIDE_FN Four multiply(Four a, Four b) { return _mm256_mul_pd(a, b); }
    static WIDE_FN double across(Four x) {
        alignas(32) double four[4];
        _mm256_store_pd(four, x);
        return (four[0] + four[1]) + (four[2] + four[3]);
    }
    static WIDE_FN __m256 eight_shifted(const float* at, double mean, double rate) {
        const __m512d off = _mm512_sub_pd(_mm512_cvtps_pd(_mm256_loadu_ps(at)), _mm512_set1_pd(mean));
        return _mm512_cvtpd_ps(_mm512_mul_pd(off, _mm512_set1_pd(rate)));
    }
    static WIDE_FN Float shifted(const float* at, double mean, double rate) {
        const __m512d low = _mm512_castps_pd(_mm512_castps256_ps512(eight_shifted(at, mean, rate)));
        const __m256d high = _mm256_castps_pd(eight_shifted(at + 8, mean, rate));
        return _mm512_castpd_ps(_mm512_insertf64x4(low, high, 1));
    }
};

}  // namespace
}  // namespace renege::net

#include "net_wide.hpp"

namespace renege::net {

WIDE_TARGET void look_avx512(const Wide& wide, const uint8_t* rows, uint32_t count, WideScratch& at, float* out) {
    look_wide(wide, rows, count, at, out);
}

}  // namespace renege::net

#endif
