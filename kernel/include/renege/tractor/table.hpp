// A round of Tractor with all hands open: whose turn it is, and the table after a play.
#pragma once

#include <renege/tractor/wins.hpp>

namespace renege::tractor {

constexpr uint32_t SEATS = 4;

// Every declaration leaves the points where they are: fives are worth 5, tens and kings 10.
constexpr Kinds EACH_SUIT = 1ull | 1ull << 13 | 1ull << 26 | 1ull << 39;
constexpr Kinds FIVES = EACH_SUIT << 3;
constexpr Kinds TENS = EACH_SUIT << 8 | EACH_SUIT << 11;

struct Table {
    Pile hand[SEATS];
    Pile play[SEATS];     // of this trick, in the order of play; the lead as it landed
    Led led;              // what follows are held against, once there is a lead
    uint32_t suit;        // of the lead
    uint32_t strength;    // of the winning play
    int32_t attackers;    // points that the attackers have taken so far, and what stopped throws brought or cost them
    int32_t kitty;        // points in it
    uint8_t leader;       // of this trick
    uint8_t lying;        // plays in it, 0..3
    uint8_t winning;      // the seat that takes it so far
    uint8_t banker;
};

RENEGE_FN uint32_t to_move(const Table& table) { return (table.leader + table.lying) & (SEATS - 1u); }

RENEGE_FN bool attacks(const Table& table, uint32_t seat) { return (seat ^ table.banker) & 1u; }

RENEGE_FN bool is_over(const Table& table) { return !table.lying && !table.hand[table.leader].once; }

RENEGE_FN Pile without(const Pile& pile, const Pile& gone) {
    // Of a kind held twice and played once, one stays.
    const Kinds twice = pile.twice & ~gone.once;
    return {(pile.once & ~gone.once) | (pile.twice & ~gone.twice), twice};
}

RENEGE_FN int32_t points_in(Kinds kinds) {
    return static_cast<int32_t>(5u * count_bits64(kinds & FIVES) + 10u * count_bits64(kinds & TENS));
}

RENEGE_FN int32_t points_of(const Pile& pile) { return points_in(pile.once) + points_in(pile.twice); }

// Bottoms of all runs of so many steps.
RENEGE_FN Steps bottoms_of(Steps steps, uint32_t length) {
    Steps bottoms = steps;
    for (uint32_t i = 1; i < length; ++i) bottoms &= steps >> i;
    return bottoms;
}

RENEGE_FN int32_t multiplier(const House& house, const Led& led) {
    const uint32_t cards = led.longest ? 2u * led.longest : 1u;
    switch (house.kitty) {
        case Kitty::TWO_TO_CARDS: return 1 << cards;
        case Kitty::TWICE_CARDS: return static_cast<int32_t>(2u * cards);
        case Kitty::TWICE_LEAD: return static_cast<int32_t>(2u * led.cards);
        case Kitty::TWO_OR_FOUR: return led.pairs ? 4 : 2;
        default: return 1 << (led.pairs + 1u);
    }
}

// A lead that stands is laid down.
RENEGE_CALLED void lay_lead(const Order& order, const Packing& packing, Table& table, const Pile& lead) {
    const uint32_t seat = table.leader;
    table.suit = order.led_suit[lowest_bit64(lead.once)];
    table.led = read_lead(order, packing, table.suit, lead);
    table.strength = top_step(order, packing, table.suit, lead, table.led);
    table.winning = static_cast<uint8_t>(seat);
    table.play[0] = lead;
    table.hand[seat] = without(table.hand[seat], lead);
    table.lying = 1;
}

// What a follow counts for: one more than a step, RUFF more for a ruff; 0 if it cannot win.
RENEGE_FN uint32_t strength_of(const Order& order, const Packing& packing, const House& house, const Table& table,
                               const Pile& play) {
    const uint32_t suit = suit_of(order, play);
    const bool ruffs = suit == order.trump && suit != table.suit;
    if (!ruffs && (suit != table.suit || table.led.throws)) return 0;
    const uint32_t top = top_step(order, packing, suit, play, table.led);
    if (!top) return 0;
    return compared(order, house, suit, play, top) + (ruffs ? RUFF : 0u);
}

RENEGE_FN const Pile& ahead(const Table& table) { return table.play[(table.winning - table.leader) & (SEATS - 1u)]; }

// Is a follow of such strength ahead of the best so far? Where each unit must beat its like, strength is not enough.
RENEGE_FN bool overtakes(const Order& order, const Packing& packing, const House& house, const Table& table,
                         const Pile& play, uint32_t strength) {
    if (strength <= table.strength) return false;
    return !compares_units(house, table.led, table.strength) ||
           goes_over(order, packing, table.led, ahead(table), play);
}

// A trick is taken. The last one brings the attackers the kitty if it is theirs; fines leave them no less than nothing.
RENEGE_FN void take_trick(const House& house, Table& table) {
    const bool theirs = attacks(table, table.winning);
    table.leader = table.winning;
    table.lying = 0;
    if (theirs) {
        for (const Pile& taken : table.play) table.attackers += points_of(taken);
    }
    if (table.hand[table.leader].once) return;
    if (table.attackers < 0) table.attackers = 0;
    if (theirs) table.attackers += table.kitty * multiplier(house, table.led);
}

// A follow of the seat to move is laid down; four plays close the trick, and its winner leads the next.
RENEGE_CALLED void lay_follow(const Order& order, const Packing& packing, const House& house, Table& table,
                              const Pile& play) {
    const uint32_t seat = to_move(table), strength = strength_of(order, packing, house, table, play);
    if (overtakes(order, packing, house, table, play, strength)) {
        table.strength = strength;
        table.winning = static_cast<uint8_t>(seat);
    }
    table.play[table.lying++] = play;  // first, for it may be the hand itself
    table.hand[seat] = without(table.hand[seat], play);
    if (table.lying == SEATS) take_trick(house, table);
}

}  // namespace renege::tractor
