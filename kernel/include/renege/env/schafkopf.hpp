// Schafkopf as an environment: what a seat may do and what it sees, as games/schafkopf/encoding.py lays it out.
//
// CARDS is how many the pack numbers, dealt or not: 32, or 24 in the short pack. SMALL is the shrunk game, which has fewer
// calls and no cards that are given away.
#pragma once

#include <renege/schafkopf/score.hpp>
#include <renege/core/spread.hpp>

namespace renege {

template <uint32_t CARDS, bool SMALL = false>
struct EnvSchafkopf {
    using Setting = schafkopf::Setting;
    using Lane = schafkopf::Lane;

    // The shrunk game has of all calls the first, and those that name a Rufspiel or a solo.
    static constexpr uint32_t NAMES = 7, SKIPPED = schafkopf::CALLED_ACES - 1;
    static constexpr uint32_t CALLS = SMALL ? 1 + NAMES : schafkopf::CALLS;
    static constexpr uint32_t ACTIONS = CARDS + CALLS;
    // hand, gave, table, played, trumps, said, turn, leader, dealer, points, tricks, got, partners, led_called, trumps_taken
    static constexpr uint32_t PLAIN = (SMALL ? 10 : 12) * CARDS + 4 * CALLS + (SMALL ? 7 : 8) * 4;
    static constexpr uint32_t MORE = 2 * MAX_SEATS * schafkopf::SUITS + 1;  // voids, led, stock
    static constexpr uint32_t WIDTH = PLAIN + MORE + env::MOST_RULES + 2 * schafkopf::ACTS;
    static constexpr uint32_t HIDDEN = 3 * CARDS;

    static RENEGE_FN uint32_t width(const Setting& setting) {
        if (!setting.layout.version) return PLAIN;
        return PLAIN + MORE + setting.layout.rules + (setting.layout.history ? 2 * schafkopf::ACTS : 0u);
    }

    // What would take the kernel out of its arrays.
    static RENEGE_FN const char* fault(const Setting& setting) {
        if (const char* why = env::fault(setting.layout)) return why;
        for (const Order& order : setting.orders) {
            for (uint8_t suit : order.led_suit) {
                if (suit >= MAX_SUITS) return "an order has a suit that is not 0..7";
            }
            if (order.called >= CARDS && order.called != NO_CARD) return "an order calls a card that is not in the pack";
        }
        for (const schafkopf::Game& game : setting.games) {
            if (game.order >= schafkopf::ORDERS) return "a game has an order that is not there";
            if (game.called != setting.orders[game.order].called) return "a game and its order call two aces";
            if (game.trumps > schafkopf::MAX_TRUMPS) return "a game has more trumps than there are";
            for (uint32_t i = 0; i < game.trumps; ++i) {
                if (game.top[i] >= CARDS) return "a game has a trump that is not in the pack";
            }
        }
        for (uint32_t ace = 0; ace < schafkopf::ACES; ++ace) {
            if (setting.games[schafkopf::CALLED_ACES + ace].called == NO_CARD) return "a Rufspiel calls no ace";
            if (setting.games[schafkopf::TENS + ace].called == NO_CARD) return "a Renonce calls no ten";
        }
        if (CARDS < MAX_CARDS && setting.deck >> (CARDS & 31u)) return "a card is dealt that is not in the pack";
        if (!setting.size || count_bits(setting.deck) != 4u * setting.size) return "the pack does not make four hands";
        if (setting.names_only != SMALL) return "forehand alone names a game in the shrunk game, and only there";
        if (!SMALL && count_bits(setting.old & setting.deck) != 1) return "the Eichel-Ober is not dealt";
        return setting.dealer < MAX_SEATS && setting.stoss_limit <= 20 ? nullptr : "a dealer is 0..3, a limit 0..20";
    }

    template <class Cpu>
    static RENEGE_FN void begin(const Setting& setting, Lane& lane, Stream& stream) {
        schafkopf::begin<Cpu>(setting, lane, stream);
    }

    static RENEGE_FN const char* fault(const Setting& setting, const env::Standing& standing, const uint64_t* piles) {
        if (standing.dealer >= MAX_SEATS) return "the dealer is a seat, 0..3";
        CardSet all = 0;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
            const CardSet hand = static_cast<CardSet>(piles[2 * seat]);
            if (piles[2 * seat] != hand || piles[2 * seat + 1] || count_bits(hand) != setting.size) {
                return "a hand has not as many cards as are dealt";
            }
            all |= hand;
        }
        const bool kitty = piles[2 * MAX_SEATS] || piles[2 * MAX_SEATS + 1];
        return all == setting.deck && !kitty ? nullptr : "a card is dealt twice";
    }

    static RENEGE_FN void begin_with(const Setting& setting, Lane& lane, const env::Standing& standing,
                                     const uint64_t* piles) {
        lane = Lane{};
        lane.dealer = standing.dealer;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) lane.dealt[seat] = static_cast<CardSet>(piles[2 * seat]);
        schafkopf::open(setting, lane);
    }

    static RENEGE_FN uint32_t mover(const Setting&, const Lane& lane) { return schafkopf::to_act(lane); }

    static RENEGE_FN bool is_open(const Setting&, const Lane& lane, uint32_t action) {
        if (action < CARDS) return (lane.open.cards >> action) & 1u;
        return action < ACTIONS && (lane.open.calls >> whole_number(action - CARDS)) & 1u;
    }

    template <class Cpu = Portable>
    static RENEGE_FN void legal(const Setting&, const Lane& lane, uint8_t* mask) {
        const uint64_t calls = lane.open.calls;
        mask = pile<Cpu>(lane.open.cards, mask);
        if constexpr (SMALL) {
            spread<CALLS>((calls & 1u) | ((calls >> SKIPPED) & ~uint64_t{1}), mask);
        } else {
            spread32<Cpu>(static_cast<uint32_t>(calls), mask);
            spread<CALLS - 32>(calls >> 32, mask + 32);
        }
    }

    static RENEGE_FN bool act(const Setting& setting, Lane& lane, uint32_t action) {
        if (!is_open(setting, lane, action)) return false;
        const Seat seat = schafkopf::to_act(lane);
        if (setting.layout.history) {
            const bool gives = lane.step == schafkopf::Step::OFFER || lane.step == schafkopf::Step::GIVE;
            env::note(lane.history, seat, action, gives);
        }
        if (action >= CARDS) {
            schafkopf::say(setting, lane, seat, whole_number(action - CARDS));
        } else if (lane.step == schafkopf::Step::PLAY) {
            schafkopf::put(setting, lane, seat, action);
        } else {
            schafkopf::give(setting, lane, seat, action);
        }
        lane.open = schafkopf::open_now(setting, lane);
        return true;
    }

    template <class Cpu = Portable>
    static RENEGE_FN void observe(const Setting& setting, const Lane& lane, uint32_t seat, uint8_t* row) {
        const bool playing = lane.step == schafkopf::Step::PLAY, contract = schafkopf::has_contract(lane);
        const uint32_t declarer = lane.declarer, partner = lane.partner;
        CardSet table[MAX_SEATS] = {};
        for (uint32_t i = 0; i < lane.lying; ++i) table[(lane.leader + i) & 3u] = one(lane.table[i]);
        row = pile<Cpu>(lane.hand[seat], row);
        if constexpr (!SMALL) row = pile<Cpu>(moved(lane, seat == declarer, seat == partner), row);
        for (uint32_t i = 0; i < MAX_SEATS; ++i) row = pile<Cpu>(table[(seat + i) & 3u], row);
        for (uint32_t i = 0; i < MAX_SEATS; ++i) row = pile<Cpu>(lane.played[(seat + i) & 3u], row);
        row = pile<Cpu>(contract ? schafkopf::order_of(setting, lane).follow[schafkopf::TRUMP] : 0u, row);
        for (uint32_t i = 0; i < MAX_SEATS; ++i) row = calls(lane.said[(seat + i) & 3u], row);
        row = seats(schafkopf::seat_bit(schafkopf::to_act(lane)), seat, row);
        row = seats(playing ? schafkopf::seat_bit(lane.leader) : 0u, seat, row);
        row = seats(schafkopf::seat_bit(lane.dealer), seat, row);
        row = counts(lane.points, seat, row);
        row = counts(lane.tricks, seat, row);
        if constexpr (!SMALL) row = pile<Cpu>(moved(lane, seat == partner, seat == declarer), row);
        row = seats(contract ? schafkopf::partners(setting, lane) : 0u, seat, row);
        row = seats(lane.led_called, seat, row);
        if constexpr (!SMALL) row = counts(lane.trumps_taken, seat, row);
        if (!setting.layout.version) return;
        row = env::put_suits<schafkopf::SUITS>(lane.voids, seat, row);
        row = env::put_suits<schafkopf::SUITS>(lane.has_led, seat, row);
        const int32_t shares = setting.stock / (setting.base > 0 ? setting.base : 1);
        *row++ = static_cast<uint8_t>(shares < 0 ? 0 : shares > 255 ? 255 : shares);
        row = env::put_rules(setting.layout, row);
        // the cards of a Hochzeit are seen by the two who marry
        if (setting.layout.history) env::put_history(lane.history, seat, seat == declarer || seat == partner, row);
    }

    static RENEGE_FN void hidden(const Setting&, const Lane& lane, Seat seat, uint8_t* row) {
        for (uint32_t i = 1; i < MAX_SEATS; ++i) spread<CARDS>(lane.hand[(seat + i) & 3u], row + (i - 1) * CARDS);
    }

    static RENEGE_FN void rewards(const Setting& setting, const Lane& lane, float* out) {
        int32_t pays[MAX_SEATS];
        schafkopf::settle(setting, lane, pays);
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) out[seat] = static_cast<float>(pays[seat]);
    }

    static RENEGE_FN env::Standing standing(const Lane& lane) { return {lane.dealer, {0, 0}, 0}; }

    static RENEGE_FN void dealt(const Lane& lane, uint64_t* piles) {
        for (uint32_t i = 0; i < 10; ++i) piles[i] = 0;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) piles[2 * seat] = lane.dealt[seat];
    }

  private:
    // The number of a call in the whole game.
    static RENEGE_FN constexpr uint32_t whole_number(uint32_t number) {
        return SMALL && number ? number + SKIPPED : number;
    }

    // A byte for each card of a set; where the next section begins. In the short pack eight noughts run over into that,
    // which is written next; it has as many bytes.
    template <class Cpu>
    static RENEGE_FN uint8_t* pile(CardSet set, uint8_t* row) {
        spread32<Cpu>(set, row);
        return row + CARDS;
    }

    // The cards of a Hochzeit that a seat gave, or got: the trump, the card for it.
    static RENEGE_FN CardSet moved(const Lane& lane, bool trump, bool plain) {
        CardSet set = trump && lane.offered != NO_CARD ? one(lane.offered & 31u) : 0u;
        return plain && lane.given != NO_CARD ? set | one(lane.given & 31u) : set;
    }

    // What a seat has said. Three noughts more run over, as in `pile`.
    static RENEGE_FN uint8_t* calls(const uint8_t* said, uint8_t* row) {
        if constexpr (SMALL) {
            for (uint32_t number = 0; number < CALLS; ++number) row[number] = said[whole_number(number)];
        } else {
            copy<schafkopf::SAID>(said, row);
        }
        return row + CALLS;
    }

    // A byte for each seat, counted from the one that looks: whether it is in a set, or how many it has.
    static RENEGE_FN uint8_t* seats(uint32_t set, Seat from, uint8_t* row) {
        const uint32_t turned = ((set | set << 4) >> from) & 15u;
        put_word(row, (turned * 0x00204081u) & 0x01010101u);
        return row + MAX_SEATS;
    }

    static RENEGE_FN uint8_t* counts(const uint8_t* of, Seat from, uint8_t* row) {
        const uint32_t all = of[0] | of[1] << 8 | of[2] << 16 | uint32_t{of[3]} << 24;
        put_word(row, all >> (8 * from) | all << ((32 - 8 * from) & 31u));
        return row + MAX_SEATS;
    }
};

}  // namespace renege
