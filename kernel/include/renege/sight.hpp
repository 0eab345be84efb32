// An order as a search sees it: which cards beat which, which nobody can match, and which no trick can tell apart.
#pragma once

#include "cards.hpp"

namespace renege::solve {

// What the search asks of an order again and again.
struct Sight {
    CardSet above[MAX_SUITS][MAX_CARDS];    // cards that beat this one once the suit is led
    CardSet matched[MAX_CARDS];             // cards that some lead makes as strong as this one
    CardSet strong;                         // cards that are not matched by every other: trumps
    CardSet like[MAX_CARDS];                // cards that differ from this one in strength alone
    CardSet between[MAX_CARDS][MAX_CARDS];  // for those: cards that tell the two apart in a trick
};

RENEGE_FN constexpr bool is_like(const Order& order, Card a, Card b) {
    bool same = a != b && order.points[a] == order.points[b] && order.led_suit[a] == order.led_suit[b];
    for (const CardSet follow : order.follow) same = same && !(((follow >> a) ^ (follow >> b)) & 1u);
    return same && a != order.called && b != order.called;
}

RENEGE_FN void look(const Order& order, Sight& sight) {
    for (Suit suit = 0; suit < MAX_SUITS; ++suit) {
        const uint8_t* strength = order.strength[suit];
        for (Card card = 0; card < MAX_CARDS; ++card) {
            CardSet above = 0;
            for (Card b = 0; b < order.cards; ++b) above |= strength[b] > strength[card] ? one(b) : 0u;
            sight.above[suit][card] = above;
        }
    }
    sight.strong = 0;
    for (Card a = 0; a < MAX_CARDS; ++a) {
        CardSet matched = 0;
        for (Card led = 0; led < order.cards; ++led) {
            const uint8_t* strength = order.strength[order.led_suit[led]];
            for (Card b = 0; b < order.cards; ++b) matched |= a != b && strength[b] >= strength[a] ? one(b) : 0u;
        }
        sight.matched[a] = matched;
        if (a < order.cards && count_bits(matched) + 1 < order.cards) sight.strong |= one(a);
        sight.like[a] = 0;
        for (Card b = 0; b < MAX_CARDS; ++b) {
            sight.between[a][b] = 0;
            if (a >= order.cards || b >= order.cards || !is_like(order, a, b)) continue;
            sight.like[a] |= one(b);
            for (Suit suit = 0; suit < MAX_SUITS; ++suit) {
                const uint8_t* strength = order.strength[suit];
                for (Card other = 0; other < order.cards; ++other) {
                    const bool told = (strength[other] > strength[a]) != (strength[other] > strength[b]) ||
                                      (strength[other] < strength[a]) != (strength[other] < strength[b]);
                    sight.between[a][b] |= told ? one(other) : 0u;
                }
            }
        }
    }
}

}  // namespace renege::solve
