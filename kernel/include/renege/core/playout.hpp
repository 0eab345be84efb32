// A position played to its end, every play uniform among the legal cards.
//
// Each trick takes one word of the lane's stream: the high half draws the lead, the low half all the follows,
// whose legal cards are known once the lead is. Draws that must be made again take the same half of the next
// word. A trick already begun takes a word too, and leaves the high half unused.
#pragma once

#include <renege/core/deal.hpp>
#include <renege/core/rules.hpp>

namespace renege {

// Draws below each bound out of one fraction.
template <uint32_t COUNT>
RENEGE_FN void draw_follows(const uint32_t* bounds, uint32_t fraction, Stream& stream, uint32_t* draws) {
    uint32_t product = 1;
    for (uint32_t i = 0; i < COUNT; ++i) product *= bounds[i];
    for (;;) {
        for (uint32_t i = 0; i < COUNT; ++i) draws[i] = draw(fraction, bounds[i]);
        if (!must_redraw(fraction, product)) return;
        fraction = static_cast<uint32_t>(stream.next());
    }
}

RENEGE_FN uint32_t draw_lead(uint32_t bound, uint32_t fraction, Stream& stream) {
    for (;;) {
        const uint32_t drawn = draw(fraction, bound);
        if (!must_redraw(fraction, bound)) return drawn;
        fraction = static_cast<uint32_t>(stream.next() >> 32);
    }
}

// A table between tricks with its seats closed up: hand[0..SEATS) are those that play, in turn order, and
// `score` has their points in its low and their tricks in its high four bytes. Only the called ace has a use for
// `led_called`.
struct Lane {
    CardSet hand[MAX_SEATS];
    uint32_t leader;
    uint32_t led_called;
    uint64_t score;
    Stream stream;
};

template <uint32_t SEATS>
RENEGE_FN constexpr uint32_t around(uint32_t place) {
    if constexpr (SEATS == 4) return place & 3u;
    return place >= SEATS ? place - SEATS : place;
}

// One whole trick. The three follows wait only for the lead, never for each other, and nothing branches on
// a card: that is where the speed is. `plays` may be null.
template <class Cpu, uint32_t SEATS, Duty DUTY>
RENEGE_FN void play_trick(const Order& order, Lane& lane, uint8_t* plays) {
    const uint64_t word = lane.stream.next();
    CardSet& leading = lane.hand[lane.leader];
    const CardSet leads = may_lead<DUTY>(order, leading, lane.led_called);
    const uint32_t drawn = draw_lead(count_bits(leads), static_cast<uint32_t>(word >> 32), lane.stream);
    const CardSet lead = Cpu::nth_bit(leads, drawn);
    const Card led_card = lowest_bit(lead);
    const Suit led = order.led_suit[led_card];
    leading ^= lead;
    if constexpr (DUTY == Duty::CALLED_ACE) {
        lane.led_called = schafkopf::after_lead(order, lane.led_called, lane.leader, led_card);
    }

    CardSet may[SEATS - 1];
    uint32_t bounds[SEATS - 1], draws[SEATS - 1];
    for (uint32_t i = 0; i + 1 < SEATS; ++i) {
        const Seat seat = around<SEATS>(lane.leader + i + 1);
        may[i] = may_follow<DUTY>(order, lane.hand[seat], led, lane.led_called, seat);
        bounds[i] = count_bits(may[i]);
    }
    draw_follows<SEATS - 1>(bounds, static_cast<uint32_t>(word), lane.stream, draws);

    // Strength above, how early below: the greatest wins and a tie stays with the earlier play.
    const uint8_t* strength = order.strength[led];
    uint32_t best = strength[led_card] * 4u + 3u;
    uint32_t points = order.trick_points + order.points[led_card];
    if (plays) plays[0] = static_cast<uint8_t>(led_card);
    for (uint32_t i = 0; i + 1 < SEATS; ++i) {
        const CardSet follow = Cpu::nth_bit(may[i], draws[i]);
        const Card card = lowest_bit(follow);
        lane.hand[around<SEATS>(lane.leader + i + 1)] ^= follow;
        const uint32_t rank = strength[card] * 4u + 2u - i;
        best = rank > best ? rank : best;
        points += order.points[card];
        if (plays) plays[i + 1] = static_cast<uint8_t>(card);
    }
    lane.leader = around<SEATS>(lane.leader + 3u - (best & 3u));
    lane.score += ((static_cast<uint64_t>(1) << 32) | points) << (8 * lane.leader);
}

// Plays out the rest of a trick already begun. Returns how many cards that took.
template <class Cpu>
RENEGE_FN uint32_t finish_trick(const Order& order, Position& position, Stream& stream, uint8_t* plays) {
    const uint32_t lying = cards_on_table(position), players = count_bits(seats(position));
    if (lying == 0) return 0;
    CardSet may[MAX_SEATS - 1] = {};
    uint32_t bounds[MAX_SEATS - 1] = {1, 1, 1}, draws[MAX_SEATS - 1];
    for (uint32_t i = 0; i < players - lying; ++i) {
        const Seat seat = seat_after(seats(position), leader(position), lying + i);
        may[i] = legal(order, position, seat);
        bounds[i] = count_bits(may[i]);
    }
    draw_follows<MAX_SEATS - 1>(bounds, static_cast<uint32_t>(stream.next()), stream, draws);
    for (uint32_t i = 0; i < players - lying; ++i) {
        const Card card = lowest_bit(Cpu::nth_bit(may[i], draws[i]));
        play(order, position, card);
        if (plays) plays[i] = static_cast<uint8_t>(card);
    }
    return players - lying;
}

RENEGE_FN Lane close_up(const Position& position, Stream stream) {
    Lane lane = {};
    uint32_t place = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        if (!((seats(position) >> seat) & 1u)) continue;
        if (seat == leader(position)) lane.leader = place;
        lane.hand[place++] = position.hand[seat];
    }
    lane.led_called = led_called(position);
    lane.stream = stream;
    return lane;
}

// Gives a finished lane's points and tricks to the seats.
RENEGE_FN void settle(Position& position, const Lane& lane) {
    uint32_t place = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        if (!((seats(position) >> seat) & 1u)) continue;
        if (place == lane.leader) set_trick(position, seat, 0);
        const uint64_t taken = lane.score >> (8 * place++);
        position.points = add_to_seat(position.points, seat, taken & 0xFFu);
        position.tricks = add_to_seat(position.tricks, seat, (taken >> 32) & 0xFFu);
        position.hand[seat] = 0;
    }
    if (duty(position) == Duty::CALLED_ACE) set_led_called(position, lane.led_called);
}

// Plays `tricks` tricks at LANES tables side by side: while one waits for its tables another runs.
template <class Cpu, uint32_t SEATS, Duty DUTY, uint32_t LANES>
RENEGE_FN void play_tricks(const Order& order, Lane* lanes, uint32_t tricks, uint8_t* const* plays) {
    for (uint32_t trick = 0; trick < tricks; ++trick) {
        for (uint32_t i = 0; i < LANES; ++i) {
            play_trick<Cpu, SEATS, DUTY>(order, lanes[i], plays ? plays[i] + trick * SEATS : nullptr);
        }
    }
}

// Can the tables be played side by side? Same duty, same number of seats and of tricks to lead.
RENEGE_FN bool alike(const Position& a, const Position& b) {
    return duty(a) == duty(b) && count_bits(seats(a)) == count_bits(seats(b)) &&
           tricks_to_lead(a) == tricks_to_lead(b);
}

// Plays LANES tables to their end; they must be alike. plays[i], where not null, gets table i's cards in order.
template <class Cpu, uint32_t LANES>
RENEGE_FN void playouts(const Order& order, Position* positions, const Stream* streams, uint8_t* const* plays) {
    const uint32_t tricks = tricks_to_lead(positions[0]);
    Lane lanes[LANES];
    uint8_t* records[LANES];
    for (uint32_t i = 0; i < LANES; ++i) {
        Stream stream = streams[i];
        const uint32_t played = finish_trick<Cpu>(order, positions[i], stream, plays ? plays[i] : nullptr);
        records[i] = plays ? plays[i] + played : nullptr;
        lanes[i] = close_up(positions[i], stream);
    }
    uint8_t* const* kept = plays ? records : nullptr;
    const bool four = count_bits(seats(positions[0])) == 4;
    if (duty(positions[0]) == Duty::CALLED_ACE) {
        play_tricks<Cpu, 4, Duty::CALLED_ACE, LANES>(order, lanes, tricks, kept);
    } else if (duty(positions[0]) == Duty::STRONGEST) {
        if (four) play_tricks<Cpu, 4, Duty::STRONGEST, LANES>(order, lanes, tricks, kept);
        else play_tricks<Cpu, 3, Duty::STRONGEST, LANES>(order, lanes, tricks, kept);
    } else {
        if (four) play_tricks<Cpu, 4, Duty::FOLLOW_SUIT, LANES>(order, lanes, tricks, kept);
        else play_tricks<Cpu, 3, Duty::FOLLOW_SUIT, LANES>(order, lanes, tricks, kept);
    }
    for (uint32_t i = 0; i < LANES; ++i) settle(positions[i], lanes[i]);
}

}  // namespace renege
