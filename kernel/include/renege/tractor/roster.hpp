// The cards of a round from where a search began: which are left, and what of that matters to the rest of the round.
#pragma once

#include <renege/tractor/plays.hpp>

namespace renege::tractor::solver {

// Between two tricks: every card that was held at the start has a bit, in the order of suits (trumps first), steps,
// seats and kinds; a second copy has the bit above. `Held` says which are left.
using Held = uint64_t;

// What of that matters, exactly: the cards that are left in this order, six bits each, as seat, points, and how a card
// stands to the one before it. So rounds that differ only in gaps between steps, where no run can tell, are one.
constexpr uint32_t WORDS = 5;
constexpr uint32_t IN_WORD = 10;
enum class Next : uint8_t { COPY = 0, BESIDE = 1, ABOVE = 2, BEYOND = 3, NEW_SUIT = 4 };

struct Name {
    uint64_t words[WORDS];
};

struct Roster {
    uint8_t bit[SEATS][KINDS];          // of a kind in a hand
    uint8_t code[SEATS * MOST_HELD];    // of a bit: 1 + seat + 4 * points / 5
    uint16_t place[SEATS * MOST_HELD];  // of a bit: suit and step
    Held copies;                        // bits of second copies
    Held of[SEATS];                     // bits of a hand
};

// Gives the next bits to one kind of a hand.
RENEGE_FN void give_bits(const Table& table, uint32_t seat, uint32_t kind, uint32_t place, Roster& roster,
                         uint32_t& bit) {
    const uint32_t copies = 1u + ((table.hand[seat].twice >> kind) & 1u);
    const uint32_t worth = static_cast<uint32_t>(points_in(Kinds{1} << kind)) / 5u;
    roster.bit[seat][kind] = static_cast<uint8_t>(bit);
    for (uint32_t i = 0; i < copies; ++i, ++bit) {
        roster.code[bit] = static_cast<uint8_t>(1u + seat + SEATS * worth);
        roster.place[bit] = static_cast<uint16_t>(place);
        roster.copies |= Held{i} << bit;
        roster.of[seat] |= Held{1} << bit;
    }
}

// Gives every card its bit; all that are held.
RENEGE_FN Held enrol(const Order& order, const Ladder& ladder, const Table& table, Roster& roster) {
    roster.copies = 0;
    for (Held& of : roster.of) of = 0;
    uint32_t bit = 0;
    for (uint32_t i = 0; i < SUITS; ++i) {
        const uint32_t suit = i == 0 ? order.trump : i <= order.trump ? i - 1u : i;
        for (uint32_t at = 0; at < STEPS * SEATS; ++at) {
            const uint32_t step = at / SEATS, seat = at % SEATS;
            for (Kinds rest = table.hand[seat].once & order.own[suit]; rest; rest &= rest - 1) {
                const uint32_t kind = lowest_bit64(rest);
                if (ladder.step[kind] == step) give_bits(table, seat, kind, suit << 5 | step, roster, bit);
            }
        }
    }
    return (Held{1} << bit) - 1u;
}

RENEGE_FN bool same(const Name& a, const Name& b) {
    uint64_t differs = 0;
    for (uint32_t i = 0; i < WORDS; ++i) differs |= a.words[i] ^ b.words[i];
    return !differs;
}

// In which suits has a hand two pairs or more, so that it matters whether steps are neighbours?
RENEGE_FN uint32_t suits_with_runs(const Order& order, const Table& table) {
    uint32_t suits = 0;
    for (const Pile& hand : table.hand) {
        if (!(hand.twice & (hand.twice - 1))) continue;
        for (uint32_t suit = 0; suit < SUITS; ++suit) {
            const Kinds pairs = hand.twice & order.own[suit];
            if (pairs & (pairs - 1)) suits |= 1u << suit;
        }
    }
    return suits;
}

RENEGE_CALLED Name name_of(const Order& order, const Roster& roster, const Table& table, Held held) {
    Name name = {};
    const uint32_t tight = suits_with_runs(order, table);
    uint32_t before = 0xFFFF, word = 0, shift = 0;
    const bool trumps = held && roster.place[lowest_bit64(held)] >> 5 == order.trump;
    for (; held; held &= held - 1) {
        const uint32_t bit = lowest_bit64(held), place = roster.place[bit], suit = place >> 5;
        Next next = Next::BEYOND;
        if (before >> 5 != suit) next = Next::NEW_SUIT;
        else if ((roster.copies >> bit) & 1u) next = Next::COPY;
        else if (place == before) next = Next::BESIDE;
        else if (place == before + 1u && ((tight >> suit) & 1u)) next = Next::ABOVE;
        before = place;
        name.words[word] |= uint64_t{roster.code[bit] + 12u * static_cast<uint32_t>(next)} << shift;
        shift += 6;
        if (shift == 6 * IN_WORD) {
            shift = 0;
            ++word;
        }
    }
    name.words[0] |= uint64_t{table.leader} << 60 | uint64_t{trumps} << 62;
    return name;
}

// Where it matters which cards were seen nothing is left out: the cards that are left, and the voids that were shown.
RENEGE_FN Name full_name(const Table& table, Held held, uint32_t voids) {
    return {{held, uint64_t{voids} << 8 | table.leader, 0, 0, 0}};
}

// Some of a hand's cards by their places in it, and back.
RENEGE_FN uint32_t places_of(Held hand, Held some) {
    uint32_t places = 0;
    for (uint32_t i = 0; hand; hand &= hand - 1, ++i) places |= ((some & hand & (0u - hand)) ? 1u : 0u) << i;
    return places;
}

RENEGE_FN Held at_places(Held hand, uint32_t places) {
    Held some = 0;
    for (; hand; hand &= hand - 1, places >>= 1) some |= places & 1u ? hand & (0u - hand) : 0u;
    return some;
}

// The bits of some cards of a hand. Of two copies the upper bit goes first.
RENEGE_CALLED Held bits_of(const Roster& roster, uint32_t seat, const Pile& hand, const Pile& play) {
    Held bits = 0;
    for (Kinds rest = play.once; rest; rest &= rest - 1) {
        const uint32_t kind = lowest_bit64(rest), at = roster.bit[seat][kind];
        const bool had_two = (hand.twice >> kind) & 1u, plays_two = (play.twice >> kind) & 1u;
        bits |= (plays_two ? 3ull : had_two ? 2ull : 1ull) << at;
    }
    return bits;
}

}  // namespace renege::tractor::solver
