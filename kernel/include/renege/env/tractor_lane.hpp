// A table of Tractor for env/tractor.hpp: what all tables share, what one keeps, how it is dealt and how levels rise.
#pragma once

#include <renege/core/deal.hpp>
#include <renege/env/layout.hpp>
#include <renege/tractor/picks.hpp>

namespace renege::tractor {

constexpr uint32_t DECLARATIONS = 5;  // clubs, diamonds, hearts, spades are trumps; last, no suit is
constexpr uint32_t RANKS = 13, JOKERS = 52, NO_TRUMP = 4;
constexpr uint32_t LOWEST = 2, ACE = 14;
constexpr uint8_t NOBODY = 0xFF;
// Of a deal: 25 to talk and to bury, and of each trick at most what a hand of h cards throws, `done`, the k cards that are
// led after all, `done`, and 3k that follow. With k = 1 that comes to the most, 500.
constexpr uint32_t ACTS = 512;

struct EnvSetting {
    env::Layout layout;
    Order orders[RANKS][DECLARATIONS];  // by the level that is played
    Kinds deck;                  // the kinds that are dealt, two copies of each
    Packing packing;
    uint32_t hand, kitty;        // cards of a seat, and of the kitty
    uint32_t dealer, first;      // is it the first deal of a game, whose banker is who shows?
    uint32_t levels[2];          // of both sides, 2..14; 0 where they are drawn
    uint64_t house;              // the house rules of the play, as tractor/house.hpp reads them
    uint32_t redeal;             // is there a new deal where nobody shows?
    uint32_t enough, step;       // points that turn the bank over, and for each further level
    uint32_t stops;              // the levels that must be defended, a bit each
};

enum class Stage : uint8_t { SHOW, TAKE, BURY, PLAY, OVER };

struct EnvLane {
    Table table;
    Pile dealt[SEATS + 1], kitty, chosen, played[SEATS];
    Kinds cards;              // that may be picked
    uint32_t calls;           // that may be made
    uint8_t done;             // may what is picked be led as it is?
    Stage stage;
    uint8_t turn;             // while they talk
    uint8_t content;          // the seats that have shown last or passed since
    uint8_t shown, strength;  // who has shown last, and how strong that was
    uint8_t named;            // the declaration so far
    uint8_t points[SEATS], tricks[SEATS], voids[SEATS], failed[2];
    uint8_t said[SEATS][12];
    uint8_t returned[SEATS][KINDS];
    env::Standing standing;
    uint8_t has_led[SEATS];   // the suits that a seat has led
    env::History<ACTS> history;
};

// The order of the declaration that is made, at the level that is played.
RENEGE_FN const Order& order_of(const EnvSetting& setting, const EnvLane& lane, uint32_t named) {
    return setting.orders[lane.standing.level[lane.standing.dealer & 1u] - LOWEST][named];
}

// Deals so many cards to each seat, the rest to the kitty, every deal equally likely. Four draws share a fraction:
// 108 * 107 * 106 * 105 < 2^27, so that fewer than 1 in 32 are made again.
RENEGE_FN void deal_packs(const EnvSetting& setting, Stream& stream, Pile* piles) {
    uint8_t pack[2 * KINDS];
    uint32_t left = 0;
    for (Kinds kinds = setting.deck; kinds; kinds &= kinds - 1) {
        pack[left] = pack[left + 1] = static_cast<uint8_t>(lowest_bit64(kinds));
        left += 2;
    }
    const uint32_t cards = SEATS * setting.hand;
    for (uint32_t done = 0; done < cards;) {
        uint32_t fraction = static_cast<uint32_t>(stream.next() >> 32), product = 1, picks[4];
        const uint32_t count = cards - done < 4 ? cards - done : 4u;
        for (uint32_t i = 0; i < count; ++i) {
            picks[i] = draw(fraction, left - i);
            product *= left - i;
        }
        if (must_redraw(fraction, product)) continue;
        for (uint32_t i = 0; i < count; ++i, ++done) {
            Pile& pile = piles[done / setting.hand];
            pile = with(pile, Kinds{1} << pack[picks[i]]);
            pack[picks[i]] = pack[--left];
        }
    }
    while (left) piles[SEATS] = with(piles[SEATS], Kinds{1} << pack[--left]);
}

// A side's level after a rise. One that must be defended stops a side that has not just held the bank there.
RENEGE_FN uint32_t risen(uint32_t stops, uint32_t level, uint32_t rise, bool defends) {
    for (; stops; stops &= stops - 1) {
        const uint32_t stop = lowest_bit(stops);
        if ((level == stop && !defends) || (level < stop && stop < level + rise)) return stop;
    }
    return level + rise;
}

}  // namespace renege::tractor
