// An order as a search sees it: which cards beat which, which nobody can match, and which no trick can tell apart.
#pragma once

#include <renege/core/cards.hpp>

namespace renege::solve {

RENEGE_FN constexpr bool in(uint32_t mask, uint32_t place) { return (mask >> place) & 1u; }

// What the search asks of an order again and again.
struct Sight {
    CardSet above[MAX_SUITS][MAX_CARDS];    // cards that beat this one once the suit is led
    uint8_t trump[MAX_CARDS];               // cards that only those before them beat or tie with, whatever is led
    uint32_t trumps;                        // how many of these there are
    CardSet trump_set;
    CardSet leads[MAX_SUITS];               // the cards that lead each suit, and no trumps
    bool apart;                             // no card follows two suits
    CardSet near[MAX_CARDS];                // cards that differ from this one in strength and points alone
    CardSet like[MAX_CARDS];                // those with the same points
    CardSet between[MAX_CARDS][MAX_CARDS];  // for near cards: cards that tell the two apart in a trick
    CardSet worth[MAX_CARDS];               // the cards with the fewest points, with the next fewest, and so on
    uint32_t worths;                        // how many of these there are
};

RENEGE_FN constexpr bool is_near(const Order& order, Card a, Card b) {
    bool same = a != b && order.led_suit[a] == order.led_suit[b];
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
    sight.worths = 0;
    for (uint32_t points = 0; points <= 0xFF; ++points) {
        CardSet worth = 0;
        for (Card card = 0; card < order.cards; ++card) worth |= order.points[card] == points ? one(card) : 0u;
        if (worth) sight.worth[sight.worths++] = worth;
    }
    CardSet matched[MAX_CARDS] = {};
    for (Card a = 0; a < order.cards; ++a) {
        for (Card led = 0; led < order.cards; ++led) {
            const uint8_t* strength = order.strength[order.led_suit[led]];
            for (Card b = 0; b < order.cards; ++b) matched[a] |= a != b && strength[b] >= strength[a] ? one(b) : 0u;
        }
    }
    sight.trumps = 0;
    sight.trump_set = 0;
    for (Card card = 0; card < order.cards; ++card) {
        if (in(sight.trump_set, card) || matched[card] != sight.trump_set) continue;
        sight.trump[sight.trumps++] = static_cast<uint8_t>(card);
        sight.trump_set |= one(card);
        card = 0u - 1u;  // from the first card again
    }
    sight.apart = true;
    for (Suit suit = 0; suit < MAX_SUITS; ++suit) {
        sight.leads[suit] = 0;
        for (Card card = 0; card < order.cards; ++card) {
            if (order.led_suit[card] == suit && !in(sight.trump_set, card)) sight.leads[suit] |= one(card);
        }
        for (Suit other = 0; other < suit; ++other) {
            sight.apart = sight.apart && !(order.follow[suit] & order.follow[other]);
        }
    }
    for (Card a = 0; a < MAX_CARDS; ++a) {
        sight.near[a] = sight.like[a] = 0;
        for (Card b = 0; b < MAX_CARDS; ++b) {
            sight.between[a][b] = 0;
            if (a >= order.cards || b >= order.cards || !is_near(order, a, b)) continue;
            sight.near[a] |= one(b);
            if (order.points[a] == order.points[b]) sight.like[a] |= one(b);
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
