// Throws of Tractor: who beats a unit of one, what is led then, and which leads the house allows.
#pragma once

#include <renege/tractor/table.hpp>

namespace renege::tractor {

// What everybody has seen: the cards played, and the suits of which a seat has shown to have no more.
struct Seen {
    Pile played;
    uint8_t voids[SEATS];
};

// The suit that a follow shows to be out of, as a mask.
RENEGE_FN uint32_t shown_void(const Order& order, const Table& table, const Pile& play) {
    return static_cast<uint32_t>(size(only(play, order.own[table.suit])) < table.led.cards) << table.suit;
}

RENEGE_FN Pile joined(const Pile& a, const Pile& b) {
    return {a.once | b.once, a.twice | b.twice | (a.once & b.once)};
}

// Those whose cards a throw is tested against.
struct Rivals {
    Pile hand[SEATS - 1];
    uint32_t count;
};

RENEGE_FN Rivals others(const Table& table, uint32_t seat) {
    return {{table.hand[(seat + 1) & 3u], table.hand[(seat + 2) & 3u], table.hand[(seat + 3) & 3u]}, SEATS - 1};
}

// Those whose true hands count.
RENEGE_FN Rivals rivals_of(const House& house, const Table& table, uint32_t seat) {
    if (house.test != Test::OPPONENTS) return others(table, seat);
    return {{table.hand[(seat + 1) & 3u], table.hand[(seat + 3) & 3u], {0, 0}}, 2};
}

// What a leader knows, where throws must be proved: the cards that are neither played nor in the hand, nor buried by it;
// and the suits that no other seat can have.
struct Unseen {
    Pile out;
    uint32_t voids;
};

RENEGE_FN Unseen unseen_by(const Pile& hand, const Seen& seen, const Pile& buried, uint32_t seat) {
    const uint32_t voids =
        seen.voids[(seat + 1) & 3u] & uint32_t{seen.voids[(seat + 2) & 3u]} & seen.voids[(seat + 3) & 3u];
    return {without(without(without({DECK, DECK}, seen.played), hand), buried), voids};
}

// What is out counts as one hand: for all that the leader knows, somebody may have all of it.
RENEGE_FN Rivals imagined(const Unseen& unseen, uint32_t suit) {
    return {{unseen.out, {0, 0}, {0, 0}}, (unseen.voids >> suit) & 1u ? 0u : 1u};
}

// One more than the highest step on which one of these hands can end a unit; `length` is its pairs, 0 for a single.
RENEGE_FN uint32_t highest_among(const Order& order, const Rivals& rivals, uint32_t suit, uint32_t length) {
    if (length < 2) {  // whose it is does not matter
        Kinds kinds = 0;
        for (uint32_t i = 0; i < rivals.count; ++i) kinds |= length ? rivals.hand[i].twice : rivals.hand[i].once;
        const Steps steps = steps_of(order, suit, kinds & order.own[suit]);
        return steps ? highest_bit(steps) + 1u : 0u;
    }
    uint32_t best = 0;
    for (uint32_t i = 0; i < rivals.count; ++i) {
        const Steps bottoms = bottoms_of(steps_of(order, suit, rivals.hand[i].twice & order.own[suit]), length);
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

// Does one of these hands beat a unit of a throw? Then `unit` is that: of the units that are beaten the one of fewest
// cards, then of the lowest top step, then the first in card order.
RENEGE_CALLED bool is_beaten(const Order& order, const Packing& packing, const Rivals& rivals, uint32_t suit,
                             const Led& led, const Pile& lead, Pile& unit) {
    uint32_t step = 0;
    if (const Kinds singles = lead.once & ~lead.twice) {
        const Kinds lowest = lowest_of(order, suit, singles, step);
        if (highest_among(order, rivals, suit, 0) > step + 1u) {
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
        if (smaller && highest_among(order, rivals, suit, length) > top + 1u) {
            found = run;
            found_length = length;
            found_top = top;
        }
    }
    if (pairs) {  // those outside the runs
        const Kinds lowest = lowest_of(order, suit, pairs, step);
        if (highest_among(order, rivals, suit, 1) > step + 1u) found = lowest;
    }
    if (!found) return false;
    unit = {found, found};
    return true;
}

// The same where the first seat that beats a unit decides.
RENEGE_APART bool is_beaten_first(const Order& order, const Packing& packing, Rivals rivals, uint32_t suit, Led led,
                                  Pile lead, Pile& unit) {
    for (uint32_t i = 0; i < rivals.count; ++i) {
        const Rivals one = {{rivals.hand[i], {0, 0}, {0, 0}}, 1};
        if (is_beaten(order, packing, one, suit, led, lead, unit)) return true;
    }
    return false;
}

// Do the true hands stop a lead that throws? Then `unit` is led instead, and the rest of the throw stays in hand.
RENEGE_FN bool stopped(const Order& order, const Packing& packing, const House& house, const Table& table,
                       uint32_t seat, const Pile& lead, Pile& unit) {
    const uint32_t suit = order.led_suit[lowest_bit64(lead.once)];
    const Led led = read_lead(order, packing, suit, lead);
    unit = lead;
    if (!led.throws || house.test == Test::PUBLIC) return false;
    const Rivals rivals = rivals_of(house, table, seat);
    if (house.stop != Stop::FIRST_FOUND) return is_beaten(order, packing, rivals, suit, led, lead, unit);
    Pile found = lead;
    const bool beaten = is_beaten_first(order, packing, rivals, suit, led, lead, found);
    unit = found;
    return beaten;
}

// Would the house let these cards be led, for all that the leader knows? They are in the hand. Whether a throw then
// stands is another question, unless it must be proved.
RENEGE_FN bool may_lead(const Order& order, const Packing& packing, const House& house, const Unseen& unseen,
                        const Pile& lead) {
    const uint32_t suit = suit_of(order, lead);
    if (suit == NO_SUIT) return false;
    const bool free = house.trump_throws || suit != order.trump, proves = house.test == Test::PUBLIC;
    if (free && !proves) return true;
    const Led led = read_lead(order, packing, suit, lead);
    Pile unit;
    return !led.throws || (free && !is_beaten(order, packing, imagined(unseen, suit), suit, led, lead, unit));
}

// What the attackers gain by a stopped throw, or lose by their own.
RENEGE_FN int32_t fine(const House& house, const Table& table, uint32_t seat) {
    return attacks(table, seat) ? -house.penalty : house.penalty;
}

// One play is made: a lead lands first, and a throw that is stopped costs its side what the house asks.
RENEGE_FN void put(const Order& order, const Packing& packing, const House& house, Table& table, const Pile& play) {
    if (table.lying) return lay_follow(order, packing, house, table, play);
    Pile lead;
    if (stopped(order, packing, house, table, table.leader, play, lead)) {
        table.attackers += fine(house, table, table.leader);
    }
    lay_lead(order, packing, table, lead);
}

}  // namespace renege::tractor
