// Orders, shapes and piles of Tractor as they cross the border.
#pragma once

#include "batch.hpp"

#include <cstring>

#include <renege/tractor/follow.hpp>

// Before an entry point for newer CPUs: what matters to Tractor is popcnt, which the oldest x86-64 lacks.
#if RENEGE_HAS_BMI2_PATH
#define RENEGE_BMI2 [[gnu::target("bmi,bmi2,popcnt")]]
#else
#define RENEGE_BMI2
#endif

namespace renege::binding {

using Piles = Array<const uint64_t, -1, 2>;
using tractor::Pile;

constexpr const char* NO_CARD = "a card that the deck does not have";
constexpr const char* NOT_ONCE = "a card is there twice and not once";
constexpr const char* TOO_MANY = "more than 25 cards";
constexpr const char* EMPTY = "no card was led";
constexpr const char* SEVERAL_SUITS = "the lead is of several suits";
constexpr const char* NOT_HELD = "the play is not in the hand";
constexpr const char* THREE_COPIES = "a card is there three times";

// What is wrong with a pile that came from outside; nullptr promises that the header is safe on it.
RENEGE_FN const char* fault_in(const Pile& pile) {
    if (pile.once & ~tractor::DECK) return NO_CARD;
    if (pile.twice & ~pile.once) return NOT_ONCE;
    return tractor::size(pile) > tractor::HAND ? TOO_MANY : nullptr;
}

RENEGE_FN const char* fault_in_lead(const tractor::Order& order, const Pile& lead) {
    if (!lead.once) return EMPTY;
    if (const char* fault = fault_in(lead)) return fault;
    return tractor::suit_of(order, lead) == tractor::NO_SUIT ? SEVERAL_SUITS : nullptr;
}

// The house rules in a word that came from outside.
inline tractor::House house_of(uint64_t word) {
    if (const char* fault = tractor::fault_in_house(word)) throw nb::value_error(fault);
    return tractor::read_house(word);
}

struct TractorPacking {
    tractor::Packing tables;

    TractorPacking(Array<const uint16_t, 1u << tractor::HALF> code,
                   Array<const uint16_t, tractor::HALF + 1, tractor::HALF + 1> seam,
                   Array<const uint16_t, tractor::LONGEST + 1> weight, Array<const uint8_t, 1u << tractor::HALF> tail,
                   Array<const uint8_t, tractor::CODES> shape, Array<const uint32_t, tractor::SHAPES> runs,
                   Array<const uint8_t, tractor::SHORTERS, tractor::SHAPES, tractor::SHAPES> match)
        : tables{} {
        std::memcpy(tables.code, code.data(), sizeof tables.code);
        std::memcpy(tables.seam, seam.data(), sizeof tables.seam);
        std::memcpy(tables.weight, weight.data(), sizeof tables.weight);
        std::memcpy(tables.tail, tail.data(), sizeof tables.tail);
        std::memcpy(tables.shape, shape.data(), sizeof tables.shape);
        std::memcpy(tables.runs, runs.data(), sizeof tables.runs);
        std::memcpy(tables.match, match.data(), sizeof tables.match);
        const auto least = [](const uint8_t* from, size_t size, uint32_t bound) {
            return std::all_of(from, from + size, [bound](uint8_t value) { return value < bound; });
        };
        if (!least(tables.shape, sizeof tables.shape, tractor::SHAPES) ||
            !least(&tables.match[0][0][0], sizeof tables.match, tractor::SHAPES) ||
            !least(tables.tail, sizeof tables.tail, tractor::HALF + 1)) {
            throw nb::value_error("a table names a shape or a length that does not exist");
        }
    }
};

struct TractorOrder {
    tractor::Order tables;

    TractorOrder(Array<const uint64_t, tractor::SUITS, tractor::STEPS> steps, uint32_t trump) : tables{} {
        if (trump >= tractor::SUITS) throw nb::value_error("trump: a suit is 0..4");
        tables.trump = trump;
        std::memset(tables.led_suit, tractor::NO_SUIT, sizeof tables.led_suit);
        for (uint32_t suit = 0; suit < tractor::SUITS; ++suit) {
            for (uint32_t step = 0; step < tractor::STEPS; ++step) {
                add_step(suit, step, steps.data()[tractor::STEPS * suit + step]);
            }
        }
    }

    void add_step(uint32_t suit, uint32_t step, tractor::Kinds kinds) {
        if (kinds & ~tractor::DECK) throw nb::value_error("steps: a card that the deck does not have");
        if (count_bits64(kinds) > 1) {
            if (tables.crowd[suit]) throw nb::value_error("steps: at most one step of a suit has several cards");
            tables.crowd[suit] = kinds;
            tables.crowded[suit] = static_cast<uint8_t>(step);
        }
        for (; kinds; kinds &= kinds - 1) {
            const uint32_t card = lowest_bit64(kinds);
            if (tables.led_suit[card] != tractor::NO_SUIT) throw nb::value_error("steps: a card stands on two of them");
            tables.led_suit[card] = static_cast<uint8_t>(suit);
            tables.own[suit] |= uint64_t{1} << card;
            add_to_segment(suit, card, (step - card) & 63u);
        }
    }

    void add_to_segment(uint32_t suit, uint32_t card, uint32_t turn) {
        uint32_t i = 0;
        while (i < tables.segments[suit] && tables.turn[suit][i] != turn) ++i;
        if (i == tractor::SEGMENTS) throw nb::value_error("steps: a suit is made of too many pieces");
        tables.segments[suit] = static_cast<uint8_t>(std::max<uint32_t>(tables.segments[suit], i + 1));
        tables.turn[suit][i] = static_cast<uint8_t>(turn);
        tables.segment[suit][i] |= uint64_t{1} << card;
    }
};

}  // namespace renege::binding
