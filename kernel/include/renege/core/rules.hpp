// Who may play what, who wins, and what the table looks like afterwards. Python's rules say why; this only
// says what, from the same tables.
#pragma once

#include <renege/core/cards.hpp>
#include <renege/core/called_ace.hpp>

namespace renege {

// The strongest cards of a hand in one suit; all of those that tie.
RENEGE_FN CardSet strongest(const Order& order, CardSet hand, Suit suit) {
    CardSet best = 0;
    uint32_t top = 0;
    for (CardSet rest = hand; rest; rest &= rest - 1) {
        const Card card = lowest_bit(rest);
        const uint32_t strength = order.strength[suit][card];
        best = strength > top ? 0u : best;
        best |= strength >= top ? one(card) : 0u;
        top = strength > top ? strength : top;
    }
    return best;
}

// Cards that may be led. `led_called` is for the called ace alone, here and below.
template <Duty DUTY>
RENEGE_FN CardSet may_lead(const Order& order, CardSet hand, uint32_t led_called) {
    if constexpr (DUTY == Duty::STRONGEST) return strongest(order, hand, SEVENS_SUIT);
    if constexpr (DUTY == Duty::CALLED_ACE) return schafkopf::may_lead(order, hand, led_called);
    return hand;
}

// Cards with which a seat may answer a lead: the led suit if held, else anything; in sevens the strongest held.
template <Duty DUTY>
RENEGE_FN CardSet may_follow(const Order& order, CardSet hand, Suit led, uint32_t led_called, Seat seat) {
    if constexpr (DUTY == Duty::STRONGEST) return strongest(order, hand, SEVENS_SUIT);
    const CardSet same = hand & order.follow[led];
    if constexpr (DUTY == Duty::CALLED_ACE) {
        return schafkopf::may_follow(order, hand, same, led, led_called, seat);
    }
    return same ? same : hand;
}

// The seats that play, from `seat` on: itself if it plays, else the next that does.
RENEGE_FN constexpr Seat next_to_play(uint32_t seats, Seat seat) {
    for (uint32_t i = 0; i < MAX_SEATS && !((seats >> (seat & 3u)) & 1u); ++i) ++seat;
    return seat & 3u;
}

// The seat `turns` plays after `seat`; a seat that sits out has no turn.
RENEGE_FN constexpr Seat seat_after(uint32_t seats, Seat seat, uint32_t turns) {
    for (uint32_t i = 0; i < turns; ++i) seat = next_to_play(seats, seat + 1);
    return seat;
}

RENEGE_FN constexpr Seat to_move(const Position& position) {
    return seat_after(seats(position), leader(position), cards_on_table(position));
}

template <Duty DUTY>
RENEGE_FN CardSet legal(const Order& order, const Position& position, Seat seat) {
    const CardSet hand = position.hand[seat];
    if (cards_on_table(position) == 0) return may_lead<DUTY>(order, hand, led_called(position));
    return may_follow<DUTY>(order, hand, order.led_suit[on_table(position, 0)], led_called(position), seat);
}

// Cards that a seat which has not played to this trick may play to it.
RENEGE_FN CardSet legal(const Order& order, const Position& position, Seat seat) {
    switch (duty(position)) {
        case Duty::STRONGEST: return legal<Duty::STRONGEST>(order, position, seat);
        case Duty::CALLED_ACE: return legal<Duty::CALLED_ACE>(order, position, seat);
        default: return legal<Duty::FOLLOW_SUIT>(order, position, seat);
    }
}

// Cards the seat to move may play; none when the deal is over.
RENEGE_FN CardSet legal(const Order& order, const Position& position) {
    return legal(order, position, to_move(position));
}

// Which play wins: the strongest in the suit of the first; a tie stays with the earlier play.
RENEGE_FN constexpr uint32_t winner(const Order& order, const uint8_t* plays, uint32_t count) {
    const Suit led = order.led_suit[plays[0]];
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (order.strength[led][plays[i]] > order.strength[led][plays[best]]) best = i;
    }
    return best;
}

RENEGE_FN constexpr uint32_t add_to_seat(uint32_t bytes, Seat seat, uint32_t amount) {
    return bytes + (amount << (8 * seat));
}

// Gathers a trick to which every seat that plays has given a card; its winner leads next.
RENEGE_FN constexpr void take_trick(const Order& order, Position& position, uint32_t count) {
    uint8_t plays[MAX_SEATS] = {};
    uint32_t points = order.trick_points;
    for (uint32_t i = 0; i < count; ++i) {
        plays[i] = static_cast<uint8_t>(on_table(position, i));
        points += order.points[plays[i]];
    }
    const Seat winning = seat_after(seats(position), leader(position), winner(order, plays, count));
    position.points = add_to_seat(position.points, winning, points);
    position.tricks = add_to_seat(position.tricks, winning, 1);
    position.table = EMPTY_TABLE;
    set_trick(position, winning, 0);
}

// Plays a card for the seat to move and gathers the trick if it was the last of it. The card must be legal.
RENEGE_FN void play(const Order& order, Position& position, Card card) {
    const uint32_t lying = cards_on_table(position);
    const uint32_t players = count_bits(seats(position));
    if (lying == 0 && duty(position) == Duty::CALLED_ACE) {
        const uint32_t before = led_called(position);
        set_led_called(position, schafkopf::after_lead(order, before, leader(position), card));
    }
    position.hand[to_move(position)] &= ~one(card);
    position.table ^= (card ^ NO_CARD) << (8 * lying);
    if (lying + 1 == players) {
        take_trick(order, position, players);
    } else {
        set_trick(position, leader(position), lying + 1);
    }
}

// Cards that each seat still has to play, those of this trick not counted for the seats that have played.
RENEGE_FN uint32_t tricks_to_lead(const Position& position) {
    const Seat last = seat_after(seats(position), leader(position), count_bits(seats(position)) - 1);
    return count_bits(position.hand[last]) - (cards_on_table(position) != 0);
}

RENEGE_FN constexpr bool is_over(const Position& position) {
    CardSet left = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        left |= (seats(position) >> seat) & 1u ? position.hand[seat] : 0u;
    }
    return left == 0 && cards_on_table(position) == 0;
}

// What is wrong with a position that came from outside; NONE promises that every function here is safe on it.
enum class Fault : uint32_t {
    NONE, SEATS, LEADER, DUTY, UNKNOWN_CARD, TABLE_CARD, TABLE_COUNT, TABLE_GAP, SHARED_CARD, HAND_SIZES, SCORE,
};

RENEGE_FN Fault fault_in_table(const Order& order, const Position& position, CardSet& lying) {
    lying = 0;
    for (uint32_t i = 0; i < MAX_SEATS; ++i) {
        const Card card = on_table(position, i);
        if (i >= cards_on_table(position)) {
            if (card != NO_CARD) return Fault::TABLE_GAP;
            continue;
        }
        if (card >= order.cards) return Fault::TABLE_CARD;
        if (lying & one(card)) return Fault::SHARED_CARD;
        lying |= one(card);
    }
    return Fault::NONE;
}

RENEGE_FN Fault fault_in_hands(const Order& order, const Position& position, CardSet lying) {
    CardSet seen = lying;
    uint32_t twice = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        twice |= seen & position.hand[seat];
        seen |= position.hand[seat];
    }
    if (order.cards < MAX_CARDS && (seen >> order.cards)) return Fault::UNKNOWN_CARD;
    if (twice) return Fault::SHARED_CARD;
    const uint32_t size = count_bits(position.hand[leader(position)]) + (lying != 0);
    Seat seat = leader(position);
    for (uint32_t i = 0; i < count_bits(seats(position)); ++i) {
        if (count_bits(position.hand[seat]) + (i < cards_on_table(position)) != size) return Fault::HAND_SIZES;
        seat = seat_after(seats(position), seat, 1);
    }
    return Fault::NONE;
}

RENEGE_FN constexpr uint32_t sum_of_seats(uint32_t bytes) {
    return (bytes & 0xFFu) + ((bytes >> 8) & 0xFFu) + ((bytes >> 16) & 0xFFu) + (bytes >> 24);
}

// Points and tricks are bytes: one seat taking all that is left must not run over into the next.
RENEGE_FN Fault fault_in_score(const Order& order, const Position& position, CardSet lying) {
    const uint32_t tricks = tricks_to_lead(position) + (lying != 0);
    if (sum_of_seats(position.tricks) + tricks > 0xFFu) return Fault::SCORE;
    uint32_t points = sum_of_seats(position.points) + tricks * order.trick_points;
    if (points + order.all_points <= 0xFFu) return Fault::NONE;  // so it is but for odd tables
    for (CardSet rest = held(position) | lying; rest; rest &= rest - 1) points += order.points[lowest_bit(rest)];
    return points > 0xFFu ? Fault::SCORE : Fault::NONE;
}

RENEGE_FN Fault fault_in(const Order& order, const Position& position) {
    const uint32_t players = count_bits(seats(position));
    if (players < 3) return Fault::SEATS;
    if (!((seats(position) >> leader(position)) & 1u)) return Fault::LEADER;
    if (duty_bits(position) >= DUTIES) return Fault::DUTY;
    if (duty(position) == Duty::CALLED_ACE && (order.called >= order.cards || players != 4)) return Fault::DUTY;
    if (cards_on_table(position) >= players) return Fault::TABLE_COUNT;
    CardSet lying = 0;
    Fault fault = fault_in_table(order, position, lying);
    if (fault == Fault::NONE) fault = fault_in_hands(order, position, lying);
    if (fault == Fault::NONE) fault = fault_in_score(order, position, lying);
    return fault;
}

}  // namespace renege
