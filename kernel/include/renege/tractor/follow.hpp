// Tractor with two decks: the shape of a lead, whether a follow is legal, who wins. Python defines all of it
// (renege.games.tractor); this repeats it from tables.
//
// Only pairs have structure. A pile's pairs become a mask over the steps of their suit; the runs of ones in it, those
// of two and more, are a shape. A hand's at most 12 pairs make one of 77 shapes, and which shape a hand can give to a
// led one is a table of 77 x 77 bytes, built in Python, so no verdict ever searches.
#pragma once

#include <renege/tractor/house.hpp>

namespace renege::tractor {

constexpr uint32_t KINDS = 54;
constexpr uint32_t SUITS = 5;
constexpr uint32_t STEPS = 17;      // at most, in one suit
constexpr uint32_t SEGMENTS = 8;    // at most, in one suit
constexpr uint32_t HAND = 25;       // cards; so at most 12 pairs
constexpr uint32_t LONGEST = HAND / 2;
constexpr uint32_t SHAPES = 77;     // partitions of 0..12 into parts of at least 2
constexpr uint32_t CODES = 256;     // room for the codes that Python gives to shapes
constexpr uint32_t HALF = 9;        // a mask of steps is looked up in two halves
constexpr uint32_t NO_SUIT = 0xFF;
constexpr uint64_t DECK = (uint64_t{1} << KINDS) - 1u;

using Kinds = uint64_t;  // bit c is kind c, as games/tractor/order.py numbers them
using Steps = uint32_t;  // bit i is step i of a suit, weakest lowest
using Shape = uint32_t;  // 0..76, in lexicographic order of the run lengths, longest first; 0 is no run

// Any pile: the kinds in it, and those in it twice.
struct Pile {
    Kinds once;
    Kinds twice;
};

// What is known of shapes, the same for all declarations. A code is a sum over runs, so that codes of parts can be
// added; it names the shape.
struct Packing {
    uint16_t code[1u << HALF];              // of the runs in a mask of nine steps
    uint16_t seam[HALF + 1][HALF + 1];      // what to add where a run of i ends and one of j begins
    uint16_t weight[LONGEST + 1];           // the code of one run; 0 for a pair, which has no structure
    uint8_t tail[1u << HALF];               // ones at the top of a mask of nine steps
    uint8_t shape[CODES];                   // by code
    uint32_t runs[SHAPES];                  // lengths, 4 bits each, the longest lowest
    uint8_t match[SHORTERS][SHAPES][SHAPES];  // [shorter runs][held][led]: the best that can be given
};

// One declaration. Cards whose step and number differ alike form a segment, which moves in one turn.
struct Order {
    Kinds own[SUITS];                  // the kinds of each suit
    Kinds segment[SUITS][SEGMENTS];
    Kinds crowd[SUITS];                // the kinds that share a step; none in most suits
    uint8_t turn[SUITS][SEGMENTS];     // to the left
    uint8_t segments[SUITS];
    uint8_t crowded[SUITS];            // the step they share
    uint8_t led_suit[64];              // by kind; NO_SUIT beyond the deck
    uint32_t trump;
};

// The pairs of a pile in one suit.
struct Pairs {
    Steps steps;
    uint32_t crowd;  // how many lie on the crowded step
    uint32_t at;     // which that is
};

enum class Duty : uint8_t { NONE = 0, LENGTH = 1, SUIT = 2, PAIR = 3, RUN = 4, LONGER_RUN = 5 };

RENEGE_FN uint32_t size(const Pile& pile) { return count_bits64(pile.once) + count_bits64(pile.twice); }

RENEGE_FN Pile only(const Pile& pile, Kinds kinds) { return {pile.once & kinds, pile.twice & kinds}; }

// The suit of a pile that is not empty, or NO_SUIT if it has several.
RENEGE_FN uint32_t suit_of(const Order& order, const Pile& pile) {
    const uint32_t suit = order.led_suit[lowest_bit64(pile.once)];
    return suit < SUITS && !(pile.once & ~order.own[suit]) ? suit : NO_SUIT;
}

RENEGE_CALLED Steps steps_of(const Order& order, uint32_t suit, Kinds kinds) {
    Kinds steps = 0;
    for (uint32_t i = 0; i < order.segments[suit]; ++i) {
        const Kinds part = kinds & order.segment[suit][i];
        const uint32_t turn = order.turn[suit][i];
        steps |= part << turn | part >> ((64u - turn) & 63u);
    }
    return static_cast<Steps>(steps);
}

RENEGE_FN Pairs pairs_of(const Order& order, uint32_t suit, Kinds twice) {
    return {steps_of(order, suit, twice), count_bits64(twice & order.crowd[suit]), order.crowded[suit]};
}

// The code of the runs in a mask of steps.
RENEGE_FN uint32_t code_of(const Packing& packing, Steps steps) {
    const uint32_t low = steps & ((1u << HALF) - 1u), high = steps >> HALF;
    const uint32_t seam = packing.seam[packing.tail[low]][lowest_bit(~high)];
    return (packing.code[low] + packing.code[high] + seam) & (CODES - 1u);
}

// The greatest shape of some pairs: a run goes straight through a crowded step.
RENEGE_FN Shape through(const Packing& packing, const Pairs& pairs) {
    return packing.shape[code_of(packing, pairs.steps)];
}

// The other form: where two pairs or more lie on the crowded step, one run may end there and another begin.
RENEGE_FN Shape apart(const Packing& packing, const Pairs& pairs) {
    const Steps below = pairs.steps & ((2u << pairs.at) - 1u), above = pairs.steps >> pairs.at;
    return packing.shape[(code_of(packing, below) + code_of(packing, above)) & (CODES - 1u)];
}

// The most that some pairs can give to led runs. Shapes are numbered so that the greater match is the greater number.
RENEGE_CALLED Shape best_match(const Packing& packing, const Pairs& pairs, Shape led, Shorter shorter) {
    const auto& match = packing.match[static_cast<uint32_t>(shorter)];
    const Shape best = match[through(packing, pairs)][led];
    if (pairs.crowd < 2) return best;
    const Shape other = match[apart(packing, pairs)][led];
    return other > best ? other : best;
}

// Can led runs be cut out of some pairs? That there are pairs enough for the led pairs is a count, made elsewhere.
RENEGE_FN bool can_cut(const Packing& packing, const Pairs& pairs, Shape led) {
    return best_match(packing, pairs, led, Shorter::OWED) == led;
}

RENEGE_FN uint32_t pairs_in(const Packing& packing, Shape runs) {
    uint32_t pairs = 0;
    for (uint32_t lengths = packing.runs[runs]; lengths; lengths >>= 4) pairs += lengths & 15u;
    return pairs;
}

// The pairs that no tractor could have in it: there is none on the step below or above.
RENEGE_FN uint32_t lone(const Pairs& pairs) {
    const Steps alone = pairs.steps & ~(pairs.steps << 1) & ~(pairs.steps >> 1);
    const bool crowd = pairs.crowd && ((alone >> pairs.at) & 1u);
    return count_bits(alone) + (crowd ? pairs.crowd - 1u : 0u);
}

// What a hand owes to led pairs, where it has more than enough of the suit: so many pairs, and these runs among them.
struct Owed {
    uint32_t pairs;
    Shape runs;
};

// What another duty than the usual one asks for.
RENEGE_APART Owed owed_otherwise(const Order& order, const Packing& packing, House house, uint32_t suit, Kinds held,
                                 uint32_t led_pairs, Shape led_runs) {
    if (house.duty == FollowDuty::SUIT_ONLY) return {0, 0};
    const Pairs own = pairs_of(order, suit, held);
    const Shape runs = led_runs ? best_match(packing, own, led_runs, house.shorter) : 0u;
    const uint32_t drawn = pairs_in(packing, runs) + lone(own);  // tractors are drawn by tractors alone
    return {led_pairs < drawn ? led_pairs : drawn, runs};
}

RENEGE_FN Owed owed_to(const Order& order, const Packing& packing, const House& house, uint32_t suit, Kinds held,
                       uint32_t led_pairs, Shape led_runs) {
    if (house.duty != FollowDuty::SHAPE) {
        return owed_otherwise(order, packing, house, suit, held, led_pairs, led_runs);
    }
    const uint32_t had = count_bits64(held), pairs = led_pairs < had ? led_pairs : had;
    if (!led_runs || pairs < 2) return {pairs, 0};
    return {pairs, best_match(packing, pairs_of(order, suit, held), led_runs, house.shorter)};
}

// A play of the led suit gives such runs, and other ones are owed.
RENEGE_FN Duty broken_by(const Packing& packing, Shorter shorter, Shape match, Shape owed) {
    if (shorter == Shorter::NOT_OWED) return Duty::RUN;
    const uint32_t first = lowest_bit(packing.runs[match] ^ packing.runs[owed]) & ~3u;  // where the two differ
    return (packing.runs[match] >> first) & 15u ? Duty::LONGER_RUN : Duty::RUN;
}

// The same for pairs of the led suit, where the hand has more of it than was led and another duty than the usual holds.
RENEGE_APART Duty judge_otherwise(const Order& order, const Packing& packing, House house, uint32_t suit, Kinds lead,
                                  Kinds hand, Kinds play) {
    const Shape led_runs = through(packing, pairs_of(order, suit, lead));
    const Owed owed = owed_otherwise(order, packing, house, suit, hand, count_bits64(lead), led_runs);
    if (count_bits64(play) < owed.pairs) return Duty::PAIR;
    if (!owed.runs) return Duty::NONE;
    const Shape match = best_match(packing, pairs_of(order, suit, play), led_runs, house.shorter);
    return match == owed.runs ? Duty::NONE : broken_by(packing, house.shorter, match, owed.runs);
}

// The first duty that a follow breaks. The play is in the hand, and the lead is of one suit.
RENEGE_CALLED Duty judge_follow(const Order& order, const Packing& packing, const House& house, const Pile& lead,
                                const Pile& hand, const Pile& play) {
    const uint32_t suit = order.led_suit[lowest_bit64(lead.once)], led = size(lead);
    if (size(play) != led) return Duty::LENGTH;
    const Kinds own = order.own[suit];
    const uint32_t held = size(only(hand, own)), given = size(only(play, own));
    if (given != led) return given == held ? Duty::NONE : Duty::SUIT;
    if (held == given || !lead.twice) return Duty::NONE;  // all of it goes, or any of it may
    if (house.duty != FollowDuty::SHAPE) {
        return judge_otherwise(order, packing, house, suit, lead.twice, hand.twice & own, play.twice);
    }
    const uint32_t led_pairs = count_bits64(lead.twice), held_pairs = count_bits64(hand.twice & own);
    const uint32_t owed = led_pairs < held_pairs ? led_pairs : held_pairs;
    if (count_bits64(play.twice) < owed) return Duty::PAIR;
    if (owed < 2) return Duty::NONE;
    const Shape runs = through(packing, pairs_of(order, suit, lead.twice));
    if (!runs) return Duty::NONE;
    const Shape best = best_match(packing, pairs_of(order, suit, hand.twice & own), runs, house.shorter);
    const Shape match = best_match(packing, pairs_of(order, suit, play.twice), runs, house.shorter);
    return match == best ? Duty::NONE : broken_by(packing, house.shorter, match, best);
}

// A lead as its follows see it.
struct Led {
    Shape runs;
    Shape rest;        // the runs but one of the longest
    uint32_t longest;  // pairs in the longest unit; 0 if there are only singles
    uint32_t pairs;    // all, those inside runs included
    uint32_t cards;
    bool throws;
};

RENEGE_CALLED Led read_lead(const Order& order, const Packing& packing, uint32_t suit, const Pile& lead) {
    const Pairs pairs = pairs_of(order, suit, lead.twice);
    const uint32_t code = code_of(packing, pairs.steps), all = count_bits64(lead.twice), cards = size(lead);
    const Shape runs = packing.shape[code];
    const uint32_t longest = runs ? packing.runs[runs] & 15u : all != 0;
    const Shape rest = packing.shape[(code - packing.weight[longest]) & (CODES - 1u)];
    return {runs, rest, longest, all, cards, cards > (longest ? 2u * longest : 1u)};
}

// One more than the highest step that one of the longest led units can have in a pile of one suit that is cut into the
// led shape; 0 if it cannot be cut so.
RENEGE_CALLED uint32_t top_step(const Order& order, const Packing& packing, uint32_t suit, const Pile& pile,
                                const Led& led) {
    if (size(pile) != led.cards || count_bits64(pile.twice) < led.pairs) return 0;
    if (!led.longest) return highest_bit(steps_of(order, suit, pile.once)) + 1u;
    const Pairs pairs = pairs_of(order, suit, pile.twice);
    if (led.longest == 1) return highest_bit(pairs.steps) + 1u;
    Steps bottoms = pairs.steps;
    for (uint32_t i = 1; i < led.longest; ++i) bottoms &= pairs.steps >> i;
    while (bottoms) {
        const uint32_t bottom = highest_bit(bottoms);
        const Steps window = ((1u << led.longest) - 1u) << bottom;
        Pairs left = {pairs.steps & ~window, pairs.crowd, pairs.at};
        if (pairs.crowd && (window >> pairs.at) & 1u) {
            --left.crowd;
            left.steps |= left.crowd ? 1u << pairs.at : 0u;
        }
        if (can_cut(packing, left, led.rest)) return bottom + led.longest;
        bottoms ^= 1u << bottom;
    }
    return 0;
}

}  // namespace renege::tractor
