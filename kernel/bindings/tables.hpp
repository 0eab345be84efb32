// Orders and positions as they cross the border, for the games of single cards.
#pragma once

#include "batch.hpp"

#include <cstring>

#include <renege/core/rules.hpp>
#include <renege/core/sight.hpp>

namespace renege::binding {

using States = Array<uint32_t, -1, 8>;
using InStates = Array<const uint32_t, -1, 8>;

constexpr uint32_t PLAYS_WIDTH = MAX_CARDS;

inline const char* text(Fault fault) {
    switch (fault) {
        case Fault::NONE: break;
        case Fault::SEATS: return "the seats mask (word 5, bits 4-7) must name 3 or 4 seats";
        case Fault::LEADER: return "the leader (word 5, bits 0-1) is a seat that sits out";
        case Fault::DUTY: return "no such duty (word 5, bits 8-11); the called ace's needs an order that names one, and four seats";
        case Fault::UNKNOWN_CARD: return "a hand holds a card that the deck does not have";
        case Fault::TABLE_CARD: return "a card on the table (word 4) is not in the deck";
        case Fault::TABLE_COUNT: return "more cards on the table (word 5, bits 2-3) than a trick begun can have";
        case Fault::TABLE_GAP: return "word 4 must be 0xFF in each byte where no card lies";
        case Fault::SHARED_CARD: return "a card is in two hands, or in a hand and on the table";
        case Fault::HAND_SIZES: return "the hand sizes are impossible: seats that play have equally many cards, "
                                       "one fewer once they have played to this trick";
        case Fault::SCORE: return "points or tricks taken could run over 255 (words 6 and 7)";
    }
    return "";
}

inline Position read(const uint32_t* row) {
    Position position;
    std::memcpy(&position, row, sizeof position);
    return position;
}

inline void write(uint32_t* row, const Position& position) { std::memcpy(row, &position, sizeof position); }

// Called and not inlined: asked once a table, it would take the registers from the playouts around it, which then
// make a seventh fewer plays a second.
[[gnu::noinline]] inline Fault check(const Order& order, const Position& position) { return fault_in(order, position); }

struct Tables {
    Order order;
    solve::Sight sight;  // made here, once: it takes longer than solving a small ending

    Tables(Array<const uint8_t, 32> led_suit, Array<const uint32_t, 8> follow,
           Array<const uint8_t, 8, 32> strength, Array<const uint8_t, 32> points, uint8_t trick_points, uint8_t cards,
           uint8_t called, uint8_t run_from)
        : order{}, sight{} {
        if (cards < 1 || cards > MAX_CARDS) throw nb::value_error("a deck has 1 to 32 cards");
        std::memcpy(order.led_suit, led_suit.data(), sizeof order.led_suit);
        std::memcpy(order.follow, follow.data(), sizeof order.follow);
        std::memcpy(order.strength, strength.data(), sizeof order.strength);
        std::memcpy(order.points, points.data(), sizeof order.points);
        order.trick_points = trick_points;
        order.cards = cards;
        if (called >= cards && called != NO_CARD) throw nb::value_error("the called ace is not in the deck");
        order.called = called;
        order.run_from = run_from;
        uint32_t all_points = 0;
        for (uint8_t worth : order.points) all_points += worth;
        if (all_points > 0xFF) throw nb::value_error("points: the deck is worth at most 255");
        order.all_points = static_cast<uint8_t>(all_points);
        for (uint8_t suit : order.led_suit) {
            if (suit >= MAX_SUITS) throw nb::value_error("led_suit: a suit is 0..7");
        }
        solve::look(order, sight);
    }
};

}  // namespace renege::binding
