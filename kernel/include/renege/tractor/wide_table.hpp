// A round of Tractor with four to eight seats and two to six packs, all hands open: whose turn it is, and the table
// after a play. Python defines it (renege.games.tractor.follow, .friends, .score); this repeats it. The four seats with
// two packs have tables of their own (table.hpp).
//
// A play is laid down as it is: what may be played is judged before (packs.hpp). A lead is one that stands.
#pragma once

#include <renege/tractor/packs.hpp>

namespace renege::tractor::wide {

using packs::Graded;
using packs::Heap;
using packs::Kinds;
using packs::Led;
using packs::Order;
using packs::Pile;
using packs::Rank;
using packs::Steps;

constexpr uint32_t SEATS = 8;    // at most
constexpr uint32_t FRIENDS = 6;  // at most
constexpr uint32_t TRUMP = 0;    // of the suits
constexpr uint32_t RUFF = 32;    // what a ruff counts for beside its step
constexpr uint8_t NOBODY = 0xFF;
constexpr uint32_t MOST_POWER = 20;  // of two, that the kitty counts for: more is past every level

// Every declaration leaves the points where they are: fives are worth 5, tens and kings 10.
constexpr Kinds EACH_SUIT = 1ull | 1ull << 13 | 1ull << 26 | 1ull << 39;
constexpr Kinds FIVES = EACH_SUIT << 3;
constexpr Kinds TENS = EACH_SUIT << 8 | EACH_SUIT << 11;
constexpr Kinds DECK = (1ull << 54) - 1u;

// Of the house rules those that decide a round; throws that are stopped are known before they are laid down.
struct House {
    Graded duty;
    Comparison comparison;  // of two ruffs; that each unit beats its like is not known here
    Kitty kitty;
    uint8_t seats;
    uint8_t copies;   // as many as there are packs
    uint8_t friends;  // that the banker names; 0 where every other seat plays with it
    bool twice;       // does one seat take the places of two friends?
};

// Who plays the `nth` copy of a card.
struct Friend {
    uint8_t card;
    uint8_t nth;
};

struct Table {
    Pile hand[SEATS];
    Pile play[SEATS];       // of this trick, in the order of play
    Pile seen;              // all that was played, this trick included
    Led led;                // the units of two cards and more that follows are held against, once there is a lead
    uint32_t cards;         // of the lead
    uint32_t suit;          // of the lead
    uint32_t strength;      // of the winning play
    int32_t taken[SEATS];   // points in the tricks of each seat
    int32_t fines[SEATS];   // what stopped throws have cost each seat, or its side
    int32_t kitty;          // points in it
    Friend friends[FRIENDS];
    uint8_t joined[FRIENDS];  // the seat that took the place, or NOBODY
    uint8_t voids[SEATS];     // masks of suits that a seat has shown to be out of
    uint8_t leader;           // of this trick
    uint8_t lying;            // plays in it, fewer than there are seats
    uint8_t winning;          // the seat that takes it so far
    uint8_t banker;
};

RENEGE_FN uint32_t to_move(const House& house, const Table& table) {
    const uint32_t seat = table.leader + table.lying;
    return seat < house.seats ? seat : seat - house.seats;
}

RENEGE_FN bool is_over(const Table& table) { return !table.lying && !table.hand[table.leader].layer[0]; }

// --- piles

RENEGE_FN uint32_t count_of(const Pile& pile, uint32_t copies, uint32_t card) {
    uint32_t count = 0;
    while (count < copies && pile.layer[count] >> card & 1u) ++count;
    return count;
}

RENEGE_FN void add(Pile& pile, uint32_t copies, uint32_t card) {
    const uint32_t count = count_of(pile, copies, card);
    if (count < copies) pile.layer[count] |= Kinds{1} << card;
}

// A pile without cards that are in it.
RENEGE_FN Pile without(const Pile& pile, const Pile& gone, uint32_t copies) {
    Pile left = {};
    for (uint32_t taken = 0; taken < copies; ++taken) {  // kinds of which just so many go
        const Kinds kinds = (taken ? gone.layer[taken - 1u] : ~Kinds{0}) & ~gone.layer[taken];
        for (uint32_t i = 0; i + taken < copies; ++i) left.layer[i] |= kinds & pile.layer[i + taken];
    }
    return left;
}

RENEGE_FN Pile joined(const Pile& one, const Pile& other, uint32_t copies) {
    Pile both = {};
    for (uint32_t i = 0; i < copies; ++i) {
        both.layer[i] = one.layer[i] | other.layer[i];
        for (uint32_t own = 1; own <= i; ++own) both.layer[i] |= one.layer[own - 1u] & other.layer[i - own];
    }
    return both;
}

RENEGE_FN Pile only(const Pile& pile, Kinds kinds, uint32_t copies) {
    Pile found = {};
    for (uint32_t i = 0; i < copies; ++i) found.layer[i] = pile.layer[i] & kinds;
    return found;
}

RENEGE_FN int32_t points_of(const Pile& pile, uint32_t copies) {
    uint32_t points = 0;
    for (uint32_t i = 0; i < copies; ++i) {
        points += 5u * count_bits64(pile.layer[i] & FIVES) + 10u * count_bits64(pile.layer[i] & TENS);
    }
    return static_cast<int32_t>(points);
}

// The suit of a pile, or NO_SUIT where it has several.
RENEGE_FN uint32_t suit_of(const Order& order, const Pile& pile) {
    const uint32_t suit = order.suit[lowest_bit64(pile.layer[0])];
    return pile.layer[0] & ~order.own[suit] ? packs::NO_SUIT : suit;
}

// --- what wins

RENEGE_APART bool can_cut(const Order& order, uint32_t suit, const Heap& heap, const Led& led, uint32_t unit);

// Can a unit be laid from its step `at` on, so that those after it can be cut from the rest?
RENEGE_APART bool cut_unit(const Order& order, uint32_t suit, const Heap& heap, const Led& led, uint32_t unit,
                           uint32_t at, uint32_t last) {
    if (at > last) return can_cut(order, suit, heap, led, unit + 1u);
    const uint32_t width = packs::width_of(led.units[unit]);
    uint32_t tried = 0;  // kinds of one step that are there equally often are alike
    for (uint32_t slot = order.first[suit][at]; slot < order.first[suit][at + 1u]; ++slot) {
        if (heap.count[slot] < width || tried >> heap.count[slot] & 1u) continue;
        tried |= 1u << heap.count[slot];
        Heap rest = heap;
        packs::take(order, suit, rest, slot, width);
        if (cut_unit(order, suit, rest, led, unit, at + 1u, last)) return true;
    }
    return false;
}

// Can the led units from this one on be cut out of a heap?
RENEGE_APART bool can_cut(const Order& order, uint32_t suit, const Heap& heap, const Led& led, uint32_t unit) {
    if (unit == led.count) return true;
    const uint32_t length = packs::length_of(led.units[unit]);
    Steps places = packs::bottoms(heap.wide[packs::width_of(led.units[unit])], length);
    for (; places; places &= places - 1u) {
        const uint32_t bottom = lowest_bit(places);
        if (cut_unit(order, suit, heap, led, unit, bottom, bottom + length - 1u)) return true;
    }
    return false;
}

// One more than the highest step that one of the greatest led units can have in a heap of as many cards as were led;
// 0 where it cannot be cut like the lead.
RENEGE_FN uint32_t top_of(const Order& order, uint32_t suit, const Heap& heap, const Led& led) {
    if (!led.count) return highest_bit(heap.wide[1]) + 1u;
    const uint32_t length = packs::length_of(led.units[0]);
    Steps places = packs::bottoms(heap.wide[packs::width_of(led.units[0])], length);
    while (places) {
        const uint32_t bottom = highest_bit(places);
        if (led.count == 1u || cut_unit(order, suit, heap, led, 0, bottom, bottom + length - 1u)) {
            return bottom + length;
        }
        places &= ~(Steps{1} << bottom);
    }
    return 0;
}

RENEGE_FN uint32_t compared(const House& house, const Heap& heap, uint32_t top) {
    return top && house.comparison == Comparison::HIGHEST_CARD ? highest_bit(heap.wide[1]) + 1u : top;
}

RENEGE_FN bool is_throw(const Table& table) {
    if (!table.led.count) return table.cards > 1u;
    return table.led.count > 1u || table.led.units[0] >> 3 != table.cards;
}

// What a follow counts for: one more than a step, RUFF more for a ruff; 0 if it cannot win.
RENEGE_FN uint32_t strength_of(const Order& order, const House& house, const Table& table, const Pile& play) {
    const uint32_t suit = suit_of(order, play);
    const bool ruffs = suit == TRUMP && table.suit != TRUMP;
    if (!ruffs && (suit != table.suit || is_throw(table))) return 0;
    const Heap heap = packs::heap_from(order, suit, play, house.copies, 1u);
    const uint32_t strength = compared(house, heap, top_of(order, suit, heap, table.led));
    return strength && ruffs ? strength + RUFF : strength;
}

// --- who plays with whom

// The banker and who plays with it, as far as it shows, as a mask of seats.
RENEGE_FN uint32_t team_of(const House& house, const Table& table) {
    if (!house.friends) return ((1u << house.seats) - 1u) & (table.banker & 1u ? 0xAAu : 0x55u);
    uint32_t team = 1u << table.banker;
    for (uint32_t i = 0; i < house.friends; ++i) {
        if (table.joined[i] != NOBODY) team |= 1u << table.joined[i];
    }
    return team;
}

// Whoever lays a named copy takes its place; of several cards in one play the lowest counts first.
RENEGE_FN void join(const House& house, Table& table, uint32_t seat, const Pile& play) {
    Kinds named = 0;
    for (uint32_t i = 0; i < house.friends; ++i) named |= Kinds{1} << table.friends[i].card;
    for (Kinds kinds = play.layer[0] & named; kinds; kinds &= kinds - 1u) {
        const uint32_t card = lowest_bit64(kinds), came = count_of(play, house.copies, card);
        const uint32_t before = count_of(table.seen, house.copies, card);
        for (uint32_t laid = before + 1u; laid <= before + came; ++laid) {
            for (uint32_t i = 0; i < house.friends; ++i) {
                const Friend& place = table.friends[i];
                if (place.card != card || table.joined[i] != NOBODY || laid < place.nth) continue;
                if (!house.twice && team_of(house, table) >> seat & 1u) continue;
                table.joined[i] = static_cast<uint8_t>(seat);
            }
        }
    }
}

// --- a play

// May the seat to move follow with these cards of its hand? By the units of the lead, however its leader grouped them.
RENEGE_APART bool may_follow(const Order& order, const House& house, const Table& table, const Pile& hand,
                             const Pile& play) {
    const uint32_t copies = house.copies;
    const Kinds own = order.own[table.suit];
    if (packs::size(play, copies) != table.cards) return false;
    const uint32_t held = packs::size_in(hand, copies, own), given = packs::size_in(play, copies, own);
    if (given != table.cards) return given == held;
    if (held == given || !table.led.count || house.duty.suit_only) return true;  // all of it goes, or any of it may
    return packs::judge_units(order, house.duty, table.suit, table.led,
                              packs::heap_of(order, table.suit, hand, copies),
                              packs::heap_of(order, table.suit, play, copies)) == packs::Breach::NONE;
}

RENEGE_FN void see(const House& house, Table& table, uint32_t seat, const Pile& play) {
    if (house.friends) join(house, table, seat, play);
    table.seen = joined(table.seen, play, house.copies);
    table.hand[seat] = without(table.hand[seat], play, house.copies);
    table.play[table.lying++] = play;
}

// A lead that stands is laid down, as its cards lie or as its leader groups them.
RENEGE_FN void lay_lead(const Order& order, const House& house, Table& table, Pile lead, const Led& led) {
    table.suit = order.suit[lowest_bit64(lead.layer[0])];
    table.led = led;
    table.cards = packs::size(lead, house.copies);
    const Heap heap = packs::heap_from(order, table.suit, lead, house.copies, 1u);
    table.strength = compared(house, heap, top_of(order, table.suit, heap, led));
    table.winning = table.leader;
    see(house, table, table.leader, lead);
}

RENEGE_FN void take_trick(const House& house, Table& table) {
    for (uint32_t i = 0; i < house.seats; ++i) table.taken[table.winning] += points_of(table.play[i], house.copies);
    table.leader = table.winning;
    table.lying = 0;
}

// A follow is laid down; the last of a trick closes it, and its winner leads the next.
RENEGE_FN void lay_follow(const Order& order, const House& house, Table& table, Pile play) {
    const uint32_t seat = to_move(house, table), strength = strength_of(order, house, table, play);
    if (strength > table.strength) {
        table.strength = strength;
        table.winning = static_cast<uint8_t>(seat);
    }
    if (packs::size_in(play, house.copies, order.own[table.suit]) < table.cards) {
        table.voids[seat] = static_cast<uint8_t>(table.voids[seat] | 1u << table.suit);
    }
    see(house, table, seat, play);
    if (table.lying == house.seats) take_trick(house, table);
}

// The seat to move plays: a lead of one suit that stands, or a follow.
RENEGE_FN void put(const Order& order, const House& house, Table& table, const Pile& play) {
    if (table.lying) {
        lay_follow(order, house, table, play);
        return;
    }
    const uint32_t suit = order.suit[lowest_bit64(play.layer[0])];
    lay_lead(order, house, table, play,
             packs::shape_of(order, suit, house.duty, packs::heap_of(order, suit, play, house.copies)));
}

// --- the end

// What the kitty counts for, by the last lead.
RENEGE_FN int32_t multiplier(const House& house, const Table& table) {
    const uint32_t cards = table.led.count ? table.led.units[0] >> 3 : 1u;
    uint32_t tuples = 0;
    for (uint32_t i = 0; i < table.led.count; ++i) tuples += packs::length_of(table.led.units[i]);
    switch (house.kitty) {
        case Kitty::TWO_TO_CARDS: return 1 << (cards < MOST_POWER ? cards : MOST_POWER);
        case Kitty::TWICE_CARDS: return static_cast<int32_t>(2u * cards);
        case Kitty::TWICE_LEAD: return static_cast<int32_t>(2u * table.cards);
        case Kitty::TWO_OR_FOUR: return tuples ? 4 : 2;
        default: return 1 << (tuples + 1u < MOST_POWER ? tuples + 1u : MOST_POWER);
    }
}

// The points of those who do not play with the banker in the end: of their tricks and by fines, and of the kitty where
// the last trick is theirs.
RENEGE_FN int32_t attackers_points(const House& house, const Table& table) {
    const uint32_t team = team_of(house, table);
    int32_t points = 0;
    for (uint32_t seat = 0; seat < house.seats; ++seat) {
        const bool attacks = !(team >> seat & 1u);
        points += attacks ? table.taken[seat] - table.fines[seat] : table.fines[seat];
    }
    if (points < 0) points = 0;
    if (!(team >> table.leader & 1u)) points += table.kitty * multiplier(house, table);
    return points;
}

}  // namespace renege::tractor::wide
