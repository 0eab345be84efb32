// A round of Tractor with all hands open: whose turn it is, what a throw comes to, and the table after a play.
#pragma once

#include "tractor.hpp"

namespace renege::tractor {

constexpr uint32_t SEATS = 4;

// Every declaration leaves the points where they are: fives are worth 5, tens and kings 10.
constexpr Kinds EACH_SUIT = 1ull | 1ull << 13 | 1ull << 26 | 1ull << 39;
constexpr Kinds FIVES = EACH_SUIT << 3;
constexpr Kinds TENS = EACH_SUIT << 8 | EACH_SUIT << 11;

// What the points in the kitty count for when the attackers take the last trick.
enum class Kitty : uint8_t { TWO_TO_CARDS = 0, TWICE_CARDS = 1, TWO_TO_PAIRS_PLUS_1 = 2 };
constexpr uint32_t KITTIES = 3;

// The house rules that are told apart here. In all others a stopped throw leads its smallest beaten unit, and two ruffs
// are compared by the longest led unit.
struct House {
    uint8_t shorter;       // is a run owed that is shorter than the led one?
    uint8_t trump_throws;  // may trumps be thrown?
    Kitty kitty;
};

struct Table {
    Pile hand[SEATS];
    Pile play[SEATS];     // of this trick, in the order of play; the lead as it landed
    Led led;              // what follows are held against, once there is a lead
    uint32_t suit;        // of the lead
    uint32_t strength;    // of the winning play
    int32_t attackers;    // points that the attackers have taken so far
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

// One more than the highest step on which another hand than the leader's can end such a unit; `length` is its pairs, 0
// for a single.
RENEGE_FN uint32_t highest_elsewhere(const Order& order, const Table& table, uint32_t seat, uint32_t suit,
                                     uint32_t length) {
    if (length < 2) {  // whose it is does not matter
        Kinds kinds = 0;
        for (uint32_t i = 1; i < SEATS; ++i) {
            const Pile& hand = table.hand[(seat + i) & (SEATS - 1u)];
            kinds |= length ? hand.twice : hand.once;
        }
        const Steps steps = steps_of(order, suit, kinds & order.own[suit]);
        return steps ? highest_bit(steps) + 1u : 0u;
    }
    uint32_t best = 0;
    for (uint32_t i = 1; i < SEATS; ++i) {
        const Pile& hand = table.hand[(seat + i) & (SEATS - 1u)];
        const Steps bottoms = bottoms_of(steps_of(order, suit, hand.twice & order.own[suit]), length);
        const uint32_t top = bottoms ? highest_bit(bottoms) + length : 0u;
        best = top > best ? top : best;
    }
    return best;
}

// The lowest of some kinds of a suit; among equals the first in card order.
RENEGE_FN Kinds lowest_of(const Order& order, uint32_t suit, Kinds kinds, uint32_t& step) {
    step = lowest_bit(steps_of(order, suit, kinds));
    while (steps_of(order, suit, kinds & (0u - kinds)) != 1u << step) kinds &= kinds - 1;
    return kinds & (0u - kinds);
}

// Cuts the highest run of a length out of some pairs, such that the runs of `rest` can still be cut. Of pairs side by
// side it takes the first in card order. The step on which it ends; there is such a run.
RENEGE_FN uint32_t cut_run(const Order& order, const Packing& packing, uint32_t suit, Kinds& left, uint32_t length,
                           Shape rest, Kinds& run) {
    const Pairs pairs = pairs_of(order, suit, left);
    for (Steps bottoms = bottoms_of(pairs.steps, length); bottoms;) {
        const uint32_t bottom = highest_bit(bottoms);
        const Steps window = ((1u << length) - 1u) << bottom;
        Steps taken = 0;
        run = 0;
        for (Kinds kinds = left; kinds; kinds &= kinds - 1) {
            const Kinds kind = kinds & (0u - kinds);
            const Steps step = steps_of(order, suit, kind);
            if ((step & window) && !(step & taken)) {
                taken |= step;
                run |= kind;
            }
        }
        if (can_cut(packing, pairs_of(order, suit, left & ~run), rest)) {
            left &= ~run;
            return bottom + length - 1u;
        }
        bottoms ^= 1u << bottom;
    }
    return 0;
}

// Does another hand stop a lead that throws? Then `unit` is led instead: of the units that are beaten the one of fewest
// cards, then of the lowest top step, then the first in card order. The rest of the throw stays in hand.
RENEGE_CALLED bool stopped(const Order& order, const Packing& packing, const Table& table, uint32_t seat,
                           const Pile& lead, Pile& unit) {
    const uint32_t suit = order.led_suit[lowest_bit64(lead.once)];
    const Led led = read_lead(order, packing, suit, lead);
    unit = lead;
    if (!led.throws) return false;
    uint32_t step = 0;
    if (const Kinds singles = lead.once & ~lead.twice) {
        const Kinds lowest = lowest_of(order, suit, singles, step);
        if (highest_elsewhere(order, table, seat, suit, 0) > step + 1u) {
            unit = {lowest, 0};
            return true;
        }
    }
    Kinds pairs = lead.twice, found = 0;
    uint32_t found_length = 0, found_top = 0;
    Shape rest = led.runs;
    for (uint32_t runs = packing.runs[led.runs]; runs; runs >>= 4) {  // the longest first
        const uint32_t length = runs & 15u;
        uint32_t code = 0;
        for (uint32_t more = runs >> 4; more; more >>= 4) code += packing.weight[more & 15u];
        rest = packing.shape[code & (CODES - 1u)];
        Kinds run = 0;
        const uint32_t top = cut_run(order, packing, suit, pairs, length, rest, run);
        const bool smaller = !found || length < found_length || top < found_top;
        if (smaller && highest_elsewhere(order, table, seat, suit, length) > top + 1u) {
            found = run;
            found_length = length;
            found_top = top;
        }
    }
    if (pairs) {  // those outside the runs
        const Kinds lowest = lowest_of(order, suit, pairs, step);
        if (highest_elsewhere(order, table, seat, suit, 1) > step + 1u) found = lowest;
    }
    if (!found) return false;
    unit = {found, found};
    return true;
}

// Would the house let these cards be led? They are in the hand; whether a throw then stands is another question.
RENEGE_FN bool may_lead(const Order& order, const Packing& packing, const House& house, const Pile& lead) {
    const uint32_t suit = suit_of(order, lead);
    if (suit == NO_SUIT) return false;
    return house.trump_throws || suit != order.trump || !read_lead(order, packing, suit, lead).throws;
}

RENEGE_FN int32_t multiplier(const House& house, const Led& led) {
    const uint32_t cards = led.longest ? 2u * led.longest : 1u;
    if (house.kitty == Kitty::TWICE_CARDS) return static_cast<int32_t>(2u * cards);
    return 1 << (house.kitty == Kitty::TWO_TO_CARDS ? cards : led.pairs + 1u);
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

// One more than the top step with which a follow counts, 32 more for a ruff; 0 if it cannot win.
RENEGE_FN uint32_t strength_of(const Order& order, const Packing& packing, const Table& table, const Pile& play) {
    const uint32_t suit = suit_of(order, play);
    const bool ruffs = suit == order.trump && suit != table.suit;
    if (!ruffs && (suit != table.suit || table.led.throws)) return 0;
    const uint32_t top = top_step(order, packing, suit, play, table.led);
    return top && ruffs ? top + 32u : top;
}

// A follow of the seat to move is laid down; four plays close the trick, and its winner leads the next.
RENEGE_CALLED void lay_follow(const Order& order, const Packing& packing, const House& house, Table& table,
                              const Pile& play) {
    const uint32_t seat = to_move(table), strength = strength_of(order, packing, table, play);
    if (strength > table.strength) {
        table.strength = strength;
        table.winning = static_cast<uint8_t>(seat);
    }
    table.play[table.lying++] = play;  // first, for it may be the hand itself
    table.hand[seat] = without(table.hand[seat], play);
    if (table.lying < SEATS) return;
    table.leader = table.winning;
    table.lying = 0;
    if (!attacks(table, table.winning)) return;
    for (const Pile& taken : table.play) table.attackers += points_of(taken);
    if (!table.hand[table.leader].once) table.attackers += table.kitty * multiplier(house, table.led);
}

// One play is made: a lead lands first.
RENEGE_FN void put(const Order& order, const Packing& packing, const House& house, Table& table, const Pile& play) {
    if (table.lying) return lay_follow(order, packing, house, table, play);
    Pile lead;
    stopped(order, packing, table, table.leader, play, lead);
    lay_lead(order, packing, table, lead);
}

}  // namespace renege::tractor
