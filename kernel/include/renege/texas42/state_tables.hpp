// All states between two tricks that a deal of 42 can come to, numbered densely, and what each is worth.
//
// With k tiles left in each hand a state is a leader and, for each seat, k of the tiles that it was dealt. A hand is a set
// of places 0..6 in the seat's own dealt hand, and sets of k places have ranks. The number of a state is that of its
// hands, seat 0's rank the highest digit, within its leader's: so states with near numbers have most of their hands in
// common, and a warp that solves 32 in a row goes through the same loops.
//
// A deal is solved level by level: first from the deal down, every state marking those that a trick can lead to, then
// from the last trick up, every state looking at the values of those. A value is the points that the takers still win,
// as in solve.hpp. Seats are closed up: those that play are 0, 1, 2 and perhaps 3. Turns count from the leader, turn 0.
#pragma once

#include <renege/core/rules.hpp>

namespace renege::whole {

constexpr uint32_t MOST_TILES = 7;
constexpr uint32_t HANDS = 1u << MOST_TILES;
constexpr uint32_t MOST_HANDS = 35;  // hands of one size
constexpr uint32_t LEVELS = MOST_TILES + 1;
constexpr uint32_t PLACES = 8;  // room for each turn: a place more than there are tiles

// The numbers of the states with so many tiles in each hand, the same for all deals of a size.
struct Level {
    uint32_t hands;                   // of one seat
    uint32_t inverse;                 // 2^32 / hands, rounded up: divides numbers of states without a division
    uint32_t states;                  // of one leader: hands to the power of the seats
    uint32_t words;                   // 32 states of one leader each
    uint32_t first_word, first_value; // in the bits and in the values of a deal
    uint32_t weight[MAX_SEATS];       // by seat: what a rank counts
    uint8_t hand_of[MOST_HANDS + 1];  // by rank
};

// By hand: its rank among those of its size. Ranks do not depend on how many places there are.
struct Ranks {
    uint8_t of[HANDS];
};

// One leader of one deal. A tile shows what it does in a trick in one word, so that the largest word wins the trick and
// the sum of the words has the points: bits 0-7 points, 8-9 seat, 10 the seat is a taker, 22-31 strength and turn.
struct Round {
    uint32_t shows[MOST_TILES][MAX_SEATS * PLACES];  // [lead][8 * turn + place]
    uint32_t follows[MOST_TILES];                        // [lead]: the places that follow it, 8 bits a turn
    uint32_t wants;                                      // bit t: turn t wants the value large
    uint32_t leader;                                     // closed up, as all seats here
    uint32_t key;                                        // of a state: its leader, and tiles that are not played
    uint32_t leads;                                      // 1 if this leader leads the whole deal
    uint32_t lies;                                       // and what lies on the table already: places, 8 bits a turn
    uint8_t tile[MAX_SEATS * PLACES];                // [8 * turn + place]
    uint8_t strongest[MAX_SEATS][HANDS];                 // [turn][hand]: what sevens lets it play
};

constexpr uint32_t TAKER = 1u << 10;

RENEGE_FN uint32_t shown_seat(uint32_t shown) { return (shown >> 8) & 3u; }

// What a trick so far comes to: its best tile, the sum of all, and the digits of the next state.
struct Lying {
    uint32_t best;
    uint32_t sum;
    uint32_t number;
};

// What the tricks of one leader at one level need.
struct Field {
    const Round& round;
    const Ranks& ranks;
    uint32_t weight[MAX_SEATS];  // by turn, of the level below
    // By turn: 0 if it wants the value large, else all ones. A value that is xored with it is as the turn sees it: the
    // more the better. Seen twice, it is itself.
    int32_t seen[MAX_SEATS];
};

RENEGE_FN Field field_of(const Round& round, const Ranks& ranks, const Level& below, uint32_t seats) {
    Field field = {round, ranks, {}, {}};
    for (uint32_t turn = 0; turn < seats; ++turn) {
        const Seat seat = round.leader + turn;
        field.weight[turn] = below.weight[seat < seats ? seat : seat - seats];
        field.seen[turn] = (round.wants >> turn) & 1u ? 0 : -1;
    }
    return field;
}

// The hands of a state by turn, 8 bits each, from its number among those of its leader.
template <uint32_t SEATS>
RENEGE_FN uint32_t hands_of(const Level& level, Seat leader, uint32_t number) {
    uint32_t hands = 0;
    for (uint32_t i = 0; i < SEATS; ++i) {
        const uint32_t above = static_cast<uint32_t>((static_cast<uint64_t>(number) * level.inverse) >> 32);
        hands = (hands << 8) | level.hand_of[number - above * level.hands];
        number = above;
    }
    const uint64_t twice = hands | (static_cast<uint64_t>(hands) << (8 * SEATS));
    return static_cast<uint32_t>(twice >> (8 * leader)) & (0xFFFFFFFFu >> (32 - 8 * SEATS));
}

RENEGE_FN uint32_t of_turn(uint32_t bytes, uint32_t turn) { return (bytes >> (8 * turn)) & 0xFFu; }

// The places that each turn may play, all turns at once; those of turn 0 may be led.
template <Duty DUTY>
RENEGE_FN uint32_t may_play(const Round& round, uint32_t hands) {
    if constexpr (DUTY == Duty::STRONGEST) {
        uint32_t legal = 0;
        for (uint32_t turn = 0; turn < MAX_SEATS; ++turn) {
            legal |= static_cast<uint32_t>(round.strongest[turn][of_turn(hands, turn)]) << (8 * turn);
        }
        return legal;
    }
    return hands;
}

// All ones for each byte that has anything in it. A byte has 7 bits, so that adding 7 ones carries into the eighth.
RENEGE_FN uint32_t whole_bytes(uint32_t bytes) { return (((bytes + 0x7F7F7F7Fu) >> 7) & 0x01010101u) * 0xFFu; }

// What may answer a lead, of what may be played: the places that follow it, or all where none does.
template <Duty DUTY>
RENEGE_FN uint32_t may_answer(const Round& round, uint32_t legal, uint32_t lead) {
    if constexpr (DUTY == Duty::STRONGEST) return legal;
    const uint32_t same = legal & round.follows[lead];
    return same | (legal & ~whole_bytes(same));
}

// What each turn may play if some have played already: those, what lies there.
RENEGE_FN uint32_t once_it_lies(uint32_t legal, uint32_t lies) { return (legal & ~whole_bytes(lies)) | lies; }

// A tile put on the trick.
RENEGE_FN Lying put(const Field& field, const Lying& lying, uint32_t hand, uint32_t lead, uint32_t turn,
                    uint32_t place) {
    const uint32_t shown = field.round.shows[lead][PLACES * turn + place];
    return {lying.best > shown ? lying.best : shown, lying.sum + shown,
            lying.number + field.ranks.of[hand ^ (1u << place)] * field.weight[turn]};
}

// Calls reach(seat, number) for each way to go on with a trick: who leads next, and the number of the hands. With no tile
// on the table yet `legal` is what may be played at all, later what may answer the lead.
template <uint32_t SEATS, Duty DUTY, uint32_t TURN, class Reach>
RENEGE_FN void go_on(const Field& field, uint32_t hands, uint32_t legal, uint32_t lead, const Lying& lying,
                     const Reach& reach) {
    if constexpr (TURN == SEATS) {
        reach(shown_seat(lying.best), lying.number);
    } else {
        for (uint32_t rest = of_turn(legal, TURN); rest;) {
            const uint32_t place = highest_bit(rest);
            rest ^= 1u << place;
            const uint32_t led = TURN ? lead : place;
            const uint32_t answers = TURN ? legal : may_answer<DUTY>(field.round, legal, led);
            const Lying then = put(field, lying, of_turn(hands, TURN), led, TURN, place);
            go_on<SEATS, DUTY, TURN + 1>(field, hands, answers, led, then, reach);
        }
    }
}

// Calls reach for each trick that can be played from a state, or gone on with if some of it lies there.
template <uint32_t SEATS, Duty DUTY, class Reach>
RENEGE_FN void each_trick(const Field& field, uint32_t hands, uint32_t lies, const Reach& reach) {
    const uint32_t legal = once_it_lies(may_play<DUTY>(field.round, hands), lies);
    go_on<SEATS, DUTY, 0>(field, hands, legal, 0, {0, 0, 0}, reach);
}

// The value if turn TURN is to play and all play on as well as they can; `worth(seat, number)` is that of the state after
// the trick. Plays that cannot matter are left out: this turn has `least` by other plays, and with `enough` somebody else
// will not let it come to this, both as this turn sees them.
template <uint32_t SEATS, Duty DUTY, uint32_t TURN, class Worth>
RENEGE_FN int32_t settle(const Field& field, uint32_t hands, uint32_t legal, uint32_t lead, const Lying& lying,
                         int32_t least, int32_t enough, const Worth& worth) {
    if constexpr (TURN == SEATS) {
        const int32_t gain = lying.best & TAKER ? static_cast<int32_t>(lying.sum & 0xFFu) : 0;
        return gain + static_cast<int32_t>(worth(shown_seat(lying.best), lying.number));
    } else {
        const bool same = field.seen[TURN] == field.seen[(TURN + 1) % SEATS];  // as who plays next
        int32_t best = least;
        for (uint32_t rest = of_turn(legal, TURN); rest && best < enough;) {
            const uint32_t place = highest_bit(rest);
            rest ^= 1u << place;
            const uint32_t led = TURN ? lead : place;
            const uint32_t answers = TURN ? legal : may_answer<DUTY>(field.round, legal, led);
            const Lying then = put(field, lying, of_turn(hands, TURN), led, TURN, place);
            const int32_t value = settle<SEATS, DUTY, TURN + 1>(field, hands, answers, led, then,
                                                                same ? best : ~enough, same ? enough : ~best, worth);
            const int32_t found = value ^ field.seen[TURN];
            best = found > best ? found : best;
        }
        return best ^ field.seen[TURN];
    }
}

constexpr int32_t BEYOND = 0x100;  // more than any value; ~BEYOND is less than any that is seen from the other side

// The value of a state.
template <uint32_t SEATS, Duty DUTY, class Worth>
RENEGE_FN uint32_t value_of(const Field& field, uint32_t hands, const Worth& worth) {
    return static_cast<uint32_t>(settle<SEATS, DUTY, 0>(field, hands, may_play<DUTY>(field.round, hands), 0, {0, 0, 0},
                                                        ~BEYOND, BEYOND, worth));
}

// The value once the turn after those that lie there has played the tile at a place; -1 where it may not.
template <uint32_t SEATS, Duty DUTY, class Worth>
RENEGE_FN int32_t value_of_play(const Field& field, uint32_t hands, uint32_t turn, uint32_t place, const Worth& worth) {
    const uint32_t lies = field.round.lies, legal = once_it_lies(may_play<DUTY>(field.round, hands), lies);
    const uint32_t may = turn ? may_answer<DUTY>(field.round, legal, lowest_bit(lies)) : legal;
    if (!((of_turn(may, turn) >> place) & 1u)) return -1;
    const uint32_t then = once_it_lies(legal, lies | (1u << (8 * turn + place)));
    return settle<SEATS, DUTY, 0>(field, hands, then, 0, {0, 0, 0}, ~BEYOND, BEYOND, worth);
}

// The key of a state, by which Python knows it.
RENEGE_FN uint32_t key_of(const Round& round, uint32_t hands, uint32_t seats) {
    uint32_t key = round.key;
    for (uint32_t turn = 0; turn < seats; ++turn) {
        for (uint32_t rest = of_turn(hands, turn); rest; rest &= rest - 1) {
            key |= one(round.tile[PLACES * turn + lowest_bit(rest)]);
        }
    }
    return key;
}

RENEGE_FN void fill(Ranks& ranks) {
    uint32_t count[LEVELS] = {};
    for (uint32_t hand = 0; hand < HANDS; ++hand) ranks.of[hand] = static_cast<uint8_t>(count[count_bits(hand)]++);
}

// The levels of deals of so many tiles a hand, levels [tiles + 1].
RENEGE_FN void fill(Level* levels, uint32_t tiles, uint32_t seats) {
    uint32_t first_word = 0, first_value = 0;
    for (uint32_t left = 0; left <= tiles; ++left) {
        Level& level = levels[left];
        level = {};
        for (uint32_t hand = 0; hand < (1u << tiles); ++hand) {
            if (count_bits(hand) == left) level.hand_of[level.hands++] = static_cast<uint8_t>(hand);
        }
        level.inverse = level.hands == 1 ? 0xFFFFFFFFu : 0xFFFFFFFFu / level.hands + 1;
        level.states = 1;
        for (uint32_t i = 0; i < seats; ++i) {
            level.weight[seats - 1 - i] = level.states;
            level.states *= level.hands;
        }
        level.words = (level.states + 31) / 32;
        level.first_word = first_word;
        level.first_value = first_value;
        first_word += seats * level.words;
        first_value += seats * level.states;
    }
}

RENEGE_FN uint32_t words_of(const Level& last, uint32_t seats) { return last.first_word + seats * last.words; }
RENEGE_FN uint32_t values_of(const Level& last, uint32_t seats) { return last.first_value + seats * last.states; }

// What sevens lets a hand play.
RENEGE_FN uint8_t strongest_of(const Order& order, const uint8_t* tile, uint32_t hand) {
    CardSet cards = 0;
    for (uint32_t rest = hand; rest; rest &= rest - 1) cards |= one(tile[lowest_bit(rest)]);
    cards = strongest(order, cards, SEVENS_SUIT);
    uint32_t legal = 0;
    for (uint32_t rest = hand; rest; rest &= rest - 1) {
        if ((cards >> tile[lowest_bit(rest)]) & 1u) legal |= rest & (0u - rest);
    }
    return static_cast<uint8_t>(legal);
}

// What all tiles do once turn 0 has led the tile at place `lead`.
RENEGE_FN void fill_lead(Round& round, const Order& order, uint32_t lead, uint32_t tiles, uint32_t count,
                         uint32_t takers) {
    const Suit led = order.led_suit[round.tile[lead]];
    for (uint32_t i = 0; i < PLACES * count; ++i) {
        const uint32_t turn = i / PLACES, place = i % PLACES;
        if (place >= tiles) continue;
        const Card card = round.tile[i];
        const Seat seat = (round.leader + turn) % count;
        const uint32_t strength = order.strength[led][card] * MAX_SEATS + (MAX_SEATS - 1 - turn);  // ties: the earlier
        const uint32_t taker = (takers >> seat) & 1u ? TAKER : 0u;
        const uint32_t points = order.points[card] + (turn == 0 ? order.trick_points : 0u);
        round.shows[lead][i] = (strength << 22) | taker | (seat << 8) | points;
        if ((order.follow[led] >> card) & 1u) round.follows[lead] |= 1u << i;
    }
}

// The hands before the trick that lies on the table, its cards given back.
RENEGE_FN Position before_trick(const Position& position) {
    Position before = position;
    for (uint32_t i = 0; i < cards_on_table(position); ++i) {
        before.hand[seat_after(seats(position), leader(position), i)] |= one(on_table(position, i));
    }
    return before;
}

// A deal as each of its leaders sees it, rounds [seats]. The position has no fault; hands are those before the trick.
RENEGE_FN void fill(Round* rounds, const Order& order, const Position& now, uint32_t takers, uint32_t maximisers) {
    const Position position = before_trick(now);
    uint32_t count = 0, tiles = 0, taking = 0, wanting = 0;
    Seat named[MAX_SEATS] = {};
    CardSet idle = held(position) & KEY_MASK;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        if (!((seats(position) >> seat) & 1u)) continue;
        idle &= ~position.hand[seat];
        tiles = count_bits(position.hand[seat]);
        taking |= ((takers >> seat) & 1u) << count;
        wanting |= ((maximisers >> seat) & 1u) << count;
        named[count++] = seat;
    }
    for (Seat leads = 0; leads < count; ++leads) {
        Round& round = rounds[leads];
        round = {};
        round.leader = leads;
        round.leads = named[leads] == leader(position);
        round.key = idle | (named[leads] << KEY_CARDS);
        for (uint32_t turn = 0; turn < count; ++turn) {
            const Seat seat = (leads + turn) % count;
            round.wants |= ((wanting >> seat) & 1u) << turn;
            uint8_t* const tile = round.tile + PLACES * turn;
            uint32_t place = 0;
            for (CardSet rest = position.hand[named[seat]]; rest; rest &= rest - 1) {
                tile[place] = static_cast<uint8_t>(lowest_bit(rest));
                const bool lying = round.leads && turn < cards_on_table(now) && tile[place] == on_table(now, turn);
                round.lies |= (lying ? 1u : 0u) << (8 * turn + place);
                ++place;
            }
            if (duty(position) != Duty::STRONGEST) continue;
            for (uint32_t hand = 0; hand < (1u << tiles); ++hand) {
                round.strongest[turn][hand] = strongest_of(order, tile, hand);
            }
        }
        for (uint32_t lead = 0; lead < tiles; ++lead) fill_lead(round, order, lead, tiles, count, taking);
    }
}

}  // namespace renege::whole
