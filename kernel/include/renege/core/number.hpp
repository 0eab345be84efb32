// Natural numbers of a fixed number of 64-bit limbs, as large as the number of deals of two decks asks for: enough to
// count, compare and draw.
#pragma once

#include <renege/core/deal.hpp>

namespace renege::worlds {

constexpr uint32_t MAX_LIMBS = 6;

// A natural number, its lowest limb first.
template <uint32_t LIMBS>
struct Number {
    uint64_t limb[LIMBS];
};

template <uint32_t LIMBS>
RENEGE_FN bool less(const Number<LIMBS>& a, const Number<LIMBS>& b) {
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < LIMBS; ++i) {
        borrow = (a.limb[i] < b.limb[i]) | ((a.limb[i] == b.limb[i]) & borrow);
    }
    return borrow;
}

template <uint32_t LIMBS>
RENEGE_FN void subtract(Number<LIMBS>& a, const Number<LIMBS>& b) {
    uint64_t borrow = 0;
    for (uint32_t i = 0; i < LIMBS; ++i) {
        const uint64_t limb = a.limb[i] - b.limb[i], rest = limb - borrow;
        borrow = (a.limb[i] < b.limb[i]) | (limb < borrow);
        a.limb[i] = rest;
    }
}

// sum += a * times
template <uint32_t LIMBS>
RENEGE_FN void add(Number<LIMBS>& sum, const Number<LIMBS>& a, uint64_t times) {
    uint64_t carry = 0;
    for (uint32_t i = 0; i < LIMBS; ++i) {
        const uint64_t low = a.limb[i] * times, limb = sum.limb[i] + carry, rest = limb + low;
        carry = multiply_high64(a.limb[i], times) + (limb < carry) + (rest < low);
        sum.limb[i] = rest;
    }
}

// Uniform below the bound, which is not 0: one word by Lemire's multiplication, more by throwing away what is too large.
template <uint32_t LIMBS>
RENEGE_FN Number<LIMBS> draw_below(Stream& stream, const Number<LIMBS>& bound) {
    Number<LIMBS> drawn;
    if constexpr (LIMBS == 1) {
        uint64_t word = stream.next();
        uint64_t rest = word * bound.limb[0];
        while (rest < bound.limb[0] && rest < (0u - bound.limb[0]) % bound.limb[0]) {
            word = stream.next();
            rest = word * bound.limb[0];
        }
        drawn.limb[0] = multiply_high64(word, bound.limb[0]);
    } else {
        uint64_t top = bound.limb[LIMBS - 1];
        for (uint32_t shift = 1; shift < 64; shift *= 2) top |= top >> shift;
        do {
            for (uint32_t i = 0; i < LIMBS; ++i) drawn.limb[i] = stream.next();
            drawn.limb[LIMBS - 1] &= top;
        } while (!less(drawn, bound));
    }
    return drawn;
}

}  // namespace renege::worlds
