// Networks on processors with AVX2: registers of 256 bits, two of them to a panel.
#include "net_paths.hpp"

#if RENEGE_HAS_BMI2_PATH

#include <immintrin.h>

#define WIDE_TARGET __attribute__((target("avx2")))
#define WIDE_FN WIDE_TARGET inline __attribute__((always_inline))
#define WIDE_CALLED WIDE_TARGET __attribute__((noinline))

namespace renege::net {
namespace {

struct Lanes {
    using Word = __m256i;
    using Float = __m256;
    using Four = __m256d;
    static constexpr uint32_t SIZE = 8, ROWS = 4, PANELS = 1, GROUPS = 4;
    static constexpr uint32_t PANELS_OF_1 = 2, PANELS_OF_2 = 2, PANELS_OF_4 = 1;

    static WIDE_FN Word nought() { return _mm256_setzero_si256(); }
    static WIDE_FN Word load(const int32_t* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
    static WIDE_FN Word weights(const int16_t* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
    static WIDE_FN Word weights(const int8_t* at) {
        return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
    }
    static WIDE_FN Word pair(const int16_t* at) {
        int32_t both;
        __builtin_memcpy(&both, at, 4);
        return _mm256_set1_epi32(both);
    }
    static WIDE_FN Word add_products(Word sum, Word a, Word b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }

    // Weights of two inputs, of each four outputs in every eight the lower or the upper.
    static WIDE_FN Word low_pairs(Word a, Word b) { return _mm256_unpacklo_epi16(a, b); }
    static WIDE_FN Word high_pairs(Word a, Word b) { return _mm256_unpackhi_epi16(a, b); }
    static WIDE_FN void add_in_order(int32_t* at, Word low, Word high) {
        add_to(at, _mm256_permute2x128_si256(low, high, 0x20));
        add_to(at + 8, _mm256_permute2x128_si256(low, high, 0x31));
    }
    static WIDE_FN void add_to(int32_t* at, Word x) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), _mm256_add_epi32(load(at), x));
    }
    static WIDE_FN uint32_t nought_of_32(const uint8_t* at) {
        const Word bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, nought())));
    }
    static WIDE_FN uint64_t not_nought(const uint8_t* at) {
        return ~(uint64_t{nought_of_32(at + 32)} << 32 | nought_of_32(at));
    }

    static WIDE_FN Float all(float x) { return _mm256_set1_ps(x); }
    static WIDE_FN Float load(const float* at) { return _mm256_loadu_ps(at); }
    static WIDE_FN void store(float* at, Float x, uint32_t count) {
        if (count >= SIZE) {
            _mm256_storeu_ps(at, x);
        } else {
            alignas(32) float each[SIZE];
            _mm256_store_ps(each, x);
            __builtin_memcpy(at, each, count * sizeof(float));
        }
    }
    static WIDE_FN Float to_float(Word x) { return _mm256_cvtepi32_ps(x); }
    static WIDE_FN Float add(Float a, Float b) { return _mm256_add_ps(a, b); }
    static WIDE_FN Float multiply(Float a, Float b) { return _mm256_mul_ps(a, b); }
    static WIDE_FN Float larger(Float a, Float b) { return _mm256_max_ps(a, b); }
    // The lower 16 bits of each, as a cast takes them: packing alone would hold what is too large at the edge.
    static WIDE_FN void store_rounded(int16_t* at, Float x) {
        const Word whole = _mm256_and_si256(_mm256_cvtps_epi32(x), _mm256_set1_epi32(0xFFFF));
        const __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at), packed);
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
    static WIDE_FN __m128 four_shifted(const float* at, double mean, double rate) {
        const Four off = subtract(four(at), four(mean));
        return _mm256_cvtpd_ps(multiply(off, four(rate)));
    }
    static WIDE_FN Float shifted(const float* at, double mean, double rate) {
        return _mm256_set_m128(four_shifted(at + 4, mean, rate), four_shifted(at, mean, rate));
    }
};

}  // namespace
}  // namespace renege::net

#include "net_wide.hpp"

namespace renege::net {

WIDE_TARGET void look_avx2(const Wide& wide, const uint8_t* rows, uint32_t count, WideScratch& at, float* out) {
    look_wide(wide, rows, count, at, out);
}

}  // namespace renege::net

#endif
