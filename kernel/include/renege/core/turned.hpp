// Deals and playouts for processors with hundreds of registers and no cheap index into them. The table turns, so that
// whoever leads is at place 0; loops have a fixed length; nothing branches on a card. The words drawn, the draws and
// the cards are those of deal.hpp and playout.hpp, bit for bit: only the way there is another.
#pragma once

#include <renege/core/playout.hpp>

namespace renege::turned {

// The n-th bit of a set, n at most MOST: a chain of so many steps, whatever n is.
template <uint32_t MOST>
RENEGE_FN uint32_t nth_bit(uint32_t set, uint32_t n) {
    if constexpr (MOST == 0) {
        return set;
    } else {
        for (uint32_t i = 0; i < MOST; ++i) set = n > i ? set & (set - 1) : set;
        return set & (0u - set);
    }
}

// -- deals

// Four bytes that hold the same number.
RENEGE_FN constexpr uint32_t in_each_byte(uint32_t number) { return number * 0x01010101u; }

// The draws of a deal, CARDS cards to draw from: as draw_picks, which does the rare deal that must be drawn again.
template <uint32_t CARDS, uint32_t COUNT>
RENEGE_FN void draw_codes(Stream stream, uint32_t* codes) {
    const Stream before = stream;
    uint64_t word = 0;
    bool again = false;
    for (uint32_t done = 0; done < COUNT; done += DRAWS_PER_FRACTION) {
        const bool low = (done / DRAWS_PER_FRACTION) & 1u;
        if (!low) word = stream.next();
        uint32_t fraction = static_cast<uint32_t>(low ? word : word >> 32), product = 1;
        for (uint32_t i = done; i < done + DRAWS_PER_FRACTION && i < COUNT; ++i) {
            codes[i] = draw(fraction, CARDS - i);
            product *= CARDS - i;
        }
        again |= fraction < product;
    }
    if (!again) return;
    uint8_t picks[COUNT];
    stream = before;
    draw_picks(CARDS, COUNT, stream, picks);
    for (uint32_t i = 0; i < COUNT; ++i) codes[i] = picks[i];
}

// Draw i names one of the cards that the draws before it have left. Its card is found by going back over those draws:
// each that was no higher moves it up by one. Four draws share a word, a byte each, whose top bit catches the
// comparison: the byte less a smaller or equal number keeps it.
template <uint32_t COUNT>
RENEGE_FN void cards_of_codes(const uint32_t* codes, uint32_t* cards) {
    constexpr uint32_t TOPS = 0x80808080u;
    uint32_t each[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) each[i] = in_each_byte(codes[i]);
    for (uint32_t first = 0; first < COUNT; first += 4) {
        uint32_t four = TOPS;
        for (uint32_t i = first; i < first + 4 && i < COUNT; ++i) four |= codes[i] << (8 * (i - first));
        for (uint32_t back = 0; back < first + 3; ++back) {
            const uint32_t earlier = first + 2 - back;
            if (earlier + 1 >= COUNT) continue;
            const uint32_t later = earlier < first ? TOPS : TOPS << (8 * (earlier + 1 - first));
            four += ((four - each[earlier]) & later) >> 7;
        }
        for (uint32_t i = first; i < first + 4 && i < COUNT; ++i) cards[i] = (four >> (8 * (i - first))) & 31u;
    }
}

// The whole deck to four seats, as deal() of it.
template <uint32_t CARDS>
RENEGE_FN void deal(const Stream& stream, CardSet* hands) {
    constexpr uint32_t EACH = CARDS / MAX_SEATS, COUNT = CARDS - EACH;
    uint32_t codes[COUNT], cards[COUNT];
    draw_codes<CARDS, COUNT>(stream, codes);
    cards_of_codes<COUNT>(codes, cards);
    CardSet left = CARDS == 32 ? ~0u : (1u << (CARDS & 31u)) - 1u;
    for (Seat seat = 0; seat + 1 < MAX_SEATS; ++seat) {
        hands[seat] = 0;
        for (uint32_t i = 0; i < EACH; ++i) hands[seat] |= one(cards[seat * EACH + i]);
        left ^= hands[seat];
    }
    hands[MAX_SEATS - 1] = left;
}

// -- tricks

// A table of four between tricks; hand[0] is the leader's. Points and tricks are by seat, a byte each.
struct Table {
    CardSet hand[MAX_SEATS];
    uint32_t leader;
    uint32_t led_called;
    uint32_t points;
    uint32_t tricks;
    Stream stream;
};

// Turns the table so that place `by` comes first.
RENEGE_FN void turn(CardSet* hand, uint32_t by) {
    const CardSet first = hand[0];
    const bool odd = by & 1u, two = by & 2u;
    hand[0] = odd ? hand[1] : hand[0];
    hand[1] = odd ? hand[2] : hand[1];
    hand[2] = odd ? hand[3] : hand[2];
    hand[3] = odd ? first : hand[3];
    const CardSet zero = hand[0], one = hand[1];
    hand[0] = two ? hand[2] : hand[0];
    hand[1] = two ? hand[3] : hand[1];
    hand[2] = two ? zero : hand[2];
    hand[3] = two ? one : hand[3];
}

// One whole trick, as play_trick of playout.hpp; nobody holds more than MOST cards. `plays` may be null.
template <Duty DUTY, uint32_t MOST>
RENEGE_FN void play_trick(const Order& order, Table& table, uint8_t* plays) {
    const uint64_t word = table.stream.next();
    const CardSet leads = may_lead<DUTY>(order, table.hand[0], table.led_called);
    const uint32_t drawn = draw_lead(count_bits(leads), static_cast<uint32_t>(word >> 32), table.stream);
    const CardSet lead = nth_bit<MOST - 1>(leads, drawn);
    const Card led_card = highest_bit(lead);
    const Suit led = order.led_suit[led_card];
    table.hand[0] ^= lead;
    if constexpr (DUTY == Duty::CALLED_ACE) {
        table.led_called = schafkopf::after_lead(order, table.led_called, table.leader, led_card);
    }
    CardSet may[MAX_SEATS - 1];
    uint32_t bounds[MAX_SEATS - 1], draws[MAX_SEATS - 1];
    for (uint32_t i = 0; i + 1 < MAX_SEATS; ++i) {
        const Seat seat = (table.leader + i + 1) & 3u;
        may[i] = may_follow<DUTY>(order, table.hand[i + 1], led, table.led_called, seat);
        bounds[i] = count_bits(may[i]);
    }
    draw_follows<MAX_SEATS - 1>(bounds, static_cast<uint32_t>(word), table.stream, draws);
    const uint8_t* strength = order.strength[led];
    uint32_t best = strength[led_card] * 4u + 3u;
    uint32_t points = order.trick_points + order.points[led_card];
    if (plays) plays[0] = static_cast<uint8_t>(led_card);
    for (uint32_t i = 0; i + 1 < MAX_SEATS; ++i) {
        const CardSet follow = nth_bit<MOST - 1>(may[i], draws[i]);
        const Card card = highest_bit(follow);
        table.hand[i + 1] ^= follow;
        const uint32_t rank = strength[card] * 4u + 2u - i;
        best = rank > best ? rank : best;
        points += order.points[card];
        if (plays) plays[i + 1] = static_cast<uint8_t>(card);
    }
    const uint32_t by = 3u - (best & 3u);
    turn(table.hand, by);
    table.leader = (table.leader + by) & 3u;
    table.points += points << (8 * table.leader);
    table.tricks += 1u << (8 * table.leader);
}

// The last TRICKS tricks of a deal, written out one after another: each knows how many cards a hand has.
template <Duty DUTY, uint32_t TRICKS>
RENEGE_FN void play_out(const Order& order, Table& table) {
    if constexpr (TRICKS > 0) {
        play_trick<DUTY, TRICKS>(order, table, nullptr);
        play_out<DUTY, TRICKS - 1>(order, table);
    }
}

}  // namespace renege::turned
