// Cards, the order a declaration puts on them, and the packed position of a table, for the games whose
// tricks are single cards and whose decks have at most 32: Texas 42 (28 tiles) and Schafkopf (32 or 24).
#pragma once

#include <renege/core/portable.hpp>

namespace renege {

using Card = uint32_t;     // 0..31; in 42 the tile (hi, lo) is card hi*(hi+1)/2 + lo, so 0-0 is 0 and 6-6 is 27
using CardSet = uint32_t;  // bit c is card c
using Suit = uint32_t;     // 0..7
using Seat = uint32_t;     // 0..3 in turn order

constexpr uint32_t MAX_CARDS = 32;
constexpr uint32_t MAX_SUITS = 8;
constexpr uint32_t MAX_SEATS = 4;
constexpr Card NO_CARD = 0xFF;

RENEGE_FN constexpr CardSet one(Card card) { return 1u << card; }

// One declaration as tables, built in Python. The kernel never asks what is trump: it reads these.
struct Order {
    uint8_t led_suit[MAX_CARDS];             // the suit a card leads
    CardSet follow[MAX_SUITS];               // the cards that follow each suit
    uint8_t strength[MAX_SUITS][MAX_CARDS];  // [s][c]: how strong c is once s is led; 0 cannot win
    uint8_t points[MAX_CARDS];               // what a card is worth to the side that takes it
    uint8_t trick_points;                    // what any trick is worth: 1 in 42, 0 in Schafkopf
    uint8_t cards;                           // how many cards the deck has
    uint8_t all_points;                      // what the whole deck is worth
    uint8_t called;                          // Schafkopf: the called ace; NO_CARD where none is
    uint8_t run_from;                        // cards of its suit, itself among them, that allow to lead from under it
    uint8_t spare[3];
};
static_assert(sizeof(Order) == 360, "the GPU and Python copy an Order byte by byte");

// What a hand owes.
enum class Duty : uint32_t {
    FOLLOW_SUIT = 0,  // leads are free; follow the led suit if able, else anything
    STRONGEST = 1,    // "sevens" of 42: every play, leads too, is one of the hand's strongest in suit 7
    CALLED_ACE = 2,   // Schafkopf: as FOLLOW_SUIT, and what the holder of the called ace owes besides
};
constexpr uint32_t DUTIES = 3;
constexpr Suit SEVENS_SUIT = 7;

// A table between two plays, 8 words, 32 bytes; a row of `states [B, 8]` in Python.
//   words 0-3  hand       cards still held, by seat
//   word 4     table      cards of this trick in order of play, 8 bits each, lowest first; 0xFF where none lies
//   word 5     terms      bits 0-1 leader of the trick    2-3 cards on the table (0..3)
//                              4-7 seats that play        8-11 duty               12-13 declarer
//                              14-15 doubles (0 high, 1 low, 2 own suit, 3 own suit inverted)
//                              16-23 declaration (42: 0-6 pip, 7 doubles, 8 follow-me, 9 nello, 10 sevens)
//                              24-26 contract (0 points, 1 marks, 2 nello, 3 plunge, 4 splash, 5 sevens)
//                              27-30 bid (points: bid - 30, otherwise marks)    31 the bid was forced
//   word 6     points     taken so far, 8 bits a seat, seat 0 lowest
//   word 7     tricks     taken so far, 8 bits a seat, seat 0 lowest
// The kernel reads bits 0-11 of the terms and carries the others along unread. Only where the called ace has duties
// it has a use for bits 24-27: the seats that have led the called suit, its ace not counted.
struct Position {
    CardSet hand[MAX_SEATS];
    uint32_t table;
    uint32_t terms;
    uint32_t points;
    uint32_t tricks;
};
static_assert(sizeof(Position) == 32, "a row of states is 8 words");

constexpr uint32_t EMPTY_TABLE = 0xFFFFFFFFu;

RENEGE_FN constexpr Seat leader(const Position& position) { return position.terms & 3u; }
RENEGE_FN constexpr uint32_t cards_on_table(const Position& position) { return (position.terms >> 2) & 3u; }
RENEGE_FN constexpr uint32_t seats(const Position& position) { return (position.terms >> 4) & 15u; }
RENEGE_FN constexpr uint32_t duty_bits(const Position& position) { return (position.terms >> 8) & 15u; }
RENEGE_FN constexpr Duty duty(const Position& position) { return static_cast<Duty>(duty_bits(position)); }

RENEGE_FN constexpr uint32_t led_called(const Position& position) {
    return duty(position) == Duty::CALLED_ACE ? (position.terms >> 24) & 15u : 0u;
}

RENEGE_FN constexpr void set_led_called(Position& position, uint32_t leaders) {
    position.terms = (position.terms & ~(15u << 24)) | (leaders << 24);
}

RENEGE_FN constexpr Card on_table(const Position& position, uint32_t place) {
    return (position.table >> (8 * place)) & 0xFFu;
}

RENEGE_FN constexpr void set_trick(Position& position, Seat who_leads, uint32_t lying) {
    position.terms = (position.terms & ~15u) | who_leads | (lying << 2);
}

// Cards in any hand, those of a seat that sits out included.
RENEGE_FN constexpr CardSet held(const Position& position) {
    return position.hand[0] | position.hand[1] | position.hand[2] | position.hand[3];
}

// The whole of a 42 deal between two tricks, once the deal is known: 28 bits of tiles still held and the
// leader above them. Points and tricks taken are not in it: a key names what is still to be played.
constexpr uint32_t KEY_CARDS = 28;
constexpr CardSet KEY_MASK = (1u << KEY_CARDS) - 1u;

RENEGE_FN constexpr uint32_t boundary_key(const Position& position) {
    return (held(position) & KEY_MASK) | (leader(position) << KEY_CARDS);
}

// The position a key names, given the position at the start of its deal; points and tricks come back as 0.
RENEGE_FN constexpr Position from_boundary_key(uint32_t key, const Position& start) {
    Position position = start;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) position.hand[seat] &= key & KEY_MASK;
    position.table = EMPTY_TABLE;
    position.points = 0;
    position.tricks = 0;
    set_trick(position, (key >> KEY_CARDS) & 3u, 0);
    return position;
}

}  // namespace renege
