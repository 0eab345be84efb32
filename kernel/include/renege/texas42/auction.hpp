// Deals of straight 42 with the contract that the rulebook's players come to: what a trainer of the play deals itself.
// The sums and comparisons are those of src/renege/games/texas42/rulebook.py, step by step, so that both bid alike.
#pragma once

#include <renege/core/deal.hpp>

namespace renege::texas42 {

constexpr uint32_t DECLARATIONS = 9;  // the seven pips, doubles, follow-me
constexpr Suit CALLED = 7;
constexpr uint32_t HAND = 7;
constexpr uint32_t ALL_POINTS = 42;
constexpr uint32_t NO_BID = 0, MARK = 42;  // bids are 30 to 41, then 42 for one mark and 43 for two

// A declaration as a player of 42 sees it: its order, what beats what, and the tiles with power.
struct Sheet {
    Order order;
    CardSet above[MAX_SUITS][KEY_CARDS];  // tiles that beat this one once the suit is led
    CardSet trumps;                       // none in follow-me, however doubles stand
};
static_assert(sizeof(Sheet) == 1260, "the GPU copies a Sheet byte by byte");

RENEGE_FN void look(const Order& order, Sheet& sheet) {
    sheet.order = order;
    sheet.trumps = 0;
    for (Suit suit = 0; suit < MAX_SUITS; ++suit) {
        const uint8_t* strength = order.strength[suit];
        for (Card tile = 0; tile < KEY_CARDS; ++tile) {
            CardSet above = 0;
            for (Card other = 0; other < KEY_CARDS; ++other) {
                above |= strength[other] > strength[tile] ? one(other) : 0u;
            }
            sheet.above[suit][tile] = above;
        }
    }
    // a called tile that is worth something when blanks are led has power
    for (Card tile = 0; tile < KEY_CARDS; ++tile) {
        const bool power = ((order.follow[CALLED] >> tile) & 1u) && order.strength[0][tile];
        sheet.trumps |= power ? one(tile) : 0u;
    }
}

constexpr CardSet ALL_DOUBLES = one(0) | one(2) | one(5) | one(9) | one(14) | one(20) | one(27);

// The tile of a set for which the rank is least; the set must not be empty and no two ranks alike.
template <class Rank>
RENEGE_FN Card least(CardSet tiles, const Rank& rank) {
    Card best = lowest_bit(tiles);
    uint32_t found = rank(best);
    for (CardSet rest = tiles & (tiles - 1); rest; rest &= rest - 1) {
        const Card tile = lowest_bit(rest);
        const uint32_t here = rank(tile);
        best = here < found ? tile : best;
        found = here < found ? here : found;
    }
    return best;
}

// About how many tricks a hand loses if it leads its best tiles first.
RENEGE_FN double losers(const Sheet& sheet, CardSet hand) {
    constexpr double TOP[HAND] = {1.0, 0.3333333333333333, 0.1111111111111111, 0.037037037037037035,
                                  0.012345679012345678, 0.00411522633744856, 0.0013717421124828531};  // 3 to the -n
    const Order& order = sheet.order;
    const CardSet unseen = KEY_MASK & ~hand, called = hand & sheet.trumps;
    const uint32_t trumps = count_bits(called);
    double lost = !sheet.trumps ? 0.5 : trumps < 3 ? static_cast<double>(3 - trumps) : 0.0;
    uint32_t place = 0;
    for (CardSet rest = called; rest;) {
        const Card tile = least(rest, [&](Card t) { return 255u - order.strength[CALLED][t]; });
        rest ^= one(tile);
        const double share = 0.67 * count_bits(sheet.above[CALLED][tile] & unseen) / ++place;
        lost += share < 1.0 ? share : 1.0;
    }
    for (CardSet rest = hand & ~called; rest; rest &= rest - 1) {
        const Card tile = lowest_bit(rest);
        const Suit suit = order.led_suit[tile];
        const uint32_t higher = count_bits(sheet.above[suit][tile] & unseen & order.follow[suit]);
        lost += (1.0 - TOP[higher]) + (higher ? order.points[tile] / 40.0 : 0.0);
    }
    return lost;
}

struct Hope {
    double losers;
    uint32_t declaration;
};

// What a hand would declare.
RENEGE_FN Hope best_declaration(const Sheet* sheets, CardSet hand) {
    Hope best = {losers(sheets[0], hand), 0};
    for (uint32_t declaration = 1; declaration < DECLARATIONS; ++declaration) {
        const double lost = losers(sheets[declaration], hand);
        if (lost < best.losers) best = {lost, declaration};
    }
    return best;
}

// The most that a hand is worth a bid of.
RENEGE_FN uint32_t worth(double losers) {
    if (losers <= 0.6) return 43;
    if (losers <= 1.2) return 42;
    if (losers <= 1.6) return 36;
    if (losers <= 2.0) return 32;
    if (losers <= 2.6) return 31;
    return losers <= 3.4 ? 30 : NO_BID;
}

struct Contract {
    uint32_t bid;  // NO_BID where all pass
    Seat declarer;
    uint32_t declaration;
};

// One round of bids from the shaker's left: nobody raises the partner, and the last to speak bids no more than is needed.
RENEGE_FN Contract auction(const Sheet* sheets, const CardSet* hands, Seat shaker) {
    Contract high = {NO_BID, 0, 0};
    for (uint32_t spoken = 0; spoken < MAX_SEATS; ++spoken) {
        const Seat seat = (shaker + 1 + spoken) & 3u;
        if (high.bid && high.declarer == (seat ^ 2u)) continue;
        const Hope hope = best_declaration(sheets, hands[seat]);
        const uint32_t limit = worth(hope.losers), next = high.bid ? high.bid + 1 : 30;
        if (limit < next) continue;
        high = {spoken == 3 ? next : limit, seat, hope.declaration};
    }
    return high;
}

// A deal at its first lead, drawn again until somebody bids.
RENEGE_FN Position deal_contract(const Sheet* sheets, Stream& stream) {
    const uint8_t sizes[MAX_SEATS] = {HAND, HAND, HAND, HAND};
    Position position = {};
    Contract contract = {};
    while (!contract.bid) {
        deal<Portable>(KEY_MASK, sizes, MAX_SEATS, stream, position.hand);
        contract = auction(sheets, position.hand, static_cast<Seat>(stream.next() & 3u));
    }
    const bool marks = contract.bid >= MARK;
    const uint32_t amount = marks ? contract.bid - MARK + 1 : contract.bid - 30;
    const uint32_t doubles = contract.declaration == 7 ? 2u : 0u;  // called doubles rank among themselves
    position.table = EMPTY_TABLE;
    position.terms = contract.declarer | (15u << 4) | (contract.declarer << 12) | (doubles << 14) |
                     (contract.declaration << 16) | (static_cast<uint32_t>(marks) << 24) | (amount << 27);
    return position;
}

}  // namespace renege::texas42
