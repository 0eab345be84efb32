// Orders, piles and duties of Tractor with any number of packs, as they cross the border.
#pragma once

#include "batch.hpp"

#include <array>
#include <cstring>

#include <renege/tractor/follow.hpp>
#include <renege/tractor/packs.hpp>

namespace renege::binding {

namespace packs = tractor::packs;

struct PackOrder {
    packs::Order tables;

    explicit PackOrder(Array<const uint64_t, packs::SUITS, packs::STEPS> steps) : tables{} {
        std::memset(tables.suit, packs::NO_SUIT, sizeof tables.suit);
        for (uint32_t suit = 0; suit < packs::SUITS; ++suit) {
            uint32_t slot = 0;
            for (uint32_t step = 0; step < packs::STEPS; ++step) {
                tables.first[suit][step] = static_cast<uint8_t>(slot);
                for (uint64_t kinds = steps.data()[packs::STEPS * suit + step]; kinds; kinds &= kinds - 1u) {
                    add(suit, step, slot++, kinds);
                }
            }
            tables.first[suit][packs::STEPS] = static_cast<uint8_t>(slot);
        }
    }

    void add(uint32_t suit, uint32_t step, uint32_t slot, uint64_t kinds) {
        if (kinds & ~tractor::DECK) throw nb::value_error("steps: a card that the deck does not have");
        if (slot >= packs::SLOTS) throw nb::value_error("steps: a suit has too many cards");
        const uint32_t card = renege::lowest_bit64(kinds);
        if (tables.suit[card] != packs::NO_SUIT) throw nb::value_error("steps: a card stands on two of them");
        tables.own[suit] |= uint64_t{1} << card;
        tables.suit[card] = static_cast<uint8_t>(suit);
        tables.slot[card] = static_cast<uint8_t>(slot);
        tables.step[suit][slot] = static_cast<uint8_t>(step);
    }
};

RENEGE_FN packs::Pile read_pile(const uint64_t* row, uint32_t copies) {
    packs::Pile pile = {};
    std::memcpy(pile.layer, row, copies * sizeof(uint64_t));
    return pile;
}

// What is wrong with cards that came from outside.
RENEGE_FN const char* fault_in_cards(const packs::Pile& pile, uint32_t copies) {
    if (pile.layer[0] & ~tractor::DECK) return "a card that the deck does not have";
    for (uint32_t i = 1; i < copies; ++i) {
        if (pile.layer[i] & ~pile.layer[i - 1u]) return "a card is there more often, and not as often as that";
    }
    return nullptr;
}

// The same of a pile that is played with; nullptr promises that the header is safe on it.
RENEGE_FN const char* fault_in_pile(const packs::Pile& pile, uint32_t copies) {
    if (const char* fault = fault_in_cards(pile, copies)) return fault;
    return packs::size(pile, copies) > packs::CARDS ? "more than 80 cards" : nullptr;
}

inline packs::Graded graded_duty(const std::array<uint32_t, 5>& told) {
    const auto [shorter, suit_only, protects, width, length] = told;
    if (shorter >= tractor::SHORTERS || suit_only > 1u || protects > 3u || width < 2u ||
        width > packs::COPIES || length < 2u || length > packs::STEPS) {
        throw nb::value_error("duty: no such duty of a follower");
    }
    return {static_cast<tractor::Shorter>(shorter), suit_only != 0u, (protects & 1u) != 0u,
            (protects & 2u) != 0u, static_cast<uint8_t>(width), static_cast<uint8_t>(length)};
}

}  // namespace renege::binding
