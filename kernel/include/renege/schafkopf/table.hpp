// A whole deal of Schafkopf at one table, from the first call to the last trick: who is asked, what may be said and
// played, and what comes of it. Python's rules say why (declare.py, stakes.py, memory.py); this only says what.
//
// Games are numbered by the call that names them, so that a bid and a game of one name (wenz) are one number; the Ramsch,
// which nobody names, comes after them, and then the tens that a Renonce calls under the names of the aces.
#pragma once

#include <renege/core/deal.hpp>
#include <renege/core/rules.hpp>
#include <renege/env/layout.hpp>

namespace renege::schafkopf {

// The calls, as games/schafkopf/encoding.py lists them.
enum Call : uint32_t {
    PASS = 0, DOUBLE = 1, RUFSPIEL = 2, HOCHZEIT = 3, BETTEL = 4, CALLED_ACES = 12, ACCEPT = 41, NO = 42, OLD = 43,
    STOSS = 44
};
constexpr uint32_t CALLS = 45, SAID = 48;  // and what the counts of a seat take, in whole words
constexpr uint32_t NAMES_END = ACCEPT, ACES = 3;
constexpr uint32_t RAMSCH = CALLS, TENS = CALLS + 1, GAMES = TENS + ACES;
constexpr uint32_t ORDERS = 24, MAX_TRUMPS = 14;
constexpr uint32_t PLAIN_RANKS = 8;  // trumps are stronger than so many
constexpr uint32_t SUITS = 5;        // trumps and the four plain ones
constexpr uint32_t ACTS = 128;       // of a deal, with all that may be said in it
constexpr Suit TRUMP = 0;
constexpr uint8_t NOBODY = MAX_SEATS;

enum class Need : uint8_t { NOTHING, AN_ACE, THIS_ACE, ALL_OF_SIE, LONE_TRUMP };  // that a kind of game has of a hand
enum class Aim : uint8_t { POINTS, NO_TRICK, EVERY_TRICK };
enum class AllPass : uint8_t { RAMSCH, THROWN_IN, OLD_MUST };
enum class Doubling : uint8_t { NONE, ANYONE, CHAIN, ONE, FOREHAND };
enum class Deadline : uint8_t { FIRST_CARD, OWN_CARD, FIRST_TRICK };
enum class Tie : uint8_t { HIGHEST_TRUMP, MOST_TRICKS, MOST_TRUMPS, HIGHEST_TAKEN, ALL, ALL_ONE };
enum class Virgins : uint8_t { PRICE, OWN, OWN_EACH, NOTHING };
enum class March : uint8_t { ALL_TRICKS, POINTS, NONE };

// A game that may be named, or a kind that may be bid: the same number may be both.
struct Game {
    uint8_t order, called;       // its order, and the ace or ten that it calls; NO_CARD where it calls none
    uint8_t bid, bid_rank;       // may it be bid here, and how high is that?
    uint8_t named, rank;         // may it be named here, and which bids does it keep?
    Need bid_need, need;
    Aim aim;
    uint8_t alone, factor;       // one against three; the price times 2 for Tout, times 4 for Sie
    uint8_t least;               // runners that count
    uint8_t trumps, top[MAX_TRUMPS];  // the trumps in the pack, the highest first
    uint8_t heads;               // must who can beat the trick?
};
static_assert(sizeof(Game) == 28, "Python fills it byte by byte");

// What all tables share: the orders and the house rules.
struct Setting {
    env::Layout layout;
    Order orders[ORDERS];
    Game games[GAMES];
    CardSet deck, sie, old;  // the cards that are dealt, the hand of a Sie, the Eichel-Ober
    int32_t base, solo, schneider, schwarz, runner, ramsch, stock;  // the tariff, and what lies in the stock
    uint8_t dealer, size;    // cards in a hand
    Doubling doubling;
    uint8_t stoss_limit, takes_over;
    AllPass all_pass;
    Deadline deadline;
    Tie tie;
    Virgins virgins;
    March march;
    uint8_t enough, free, marching, all_points;  // score.Marks
    uint8_t two_losers;      // of a Ramsch: the two with most points pay
    uint8_t names_only, may_pass;  // the shrunk game: forehand names a game, or passes, and that is all the talk
    uint8_t stoss_adds, any_back;  // a Stoss adds the price once more; for the trump of a Hochzeit any card is given
};
static_assert(sizeof(Setting) == sizeof(env::Layout) + ORDERS * sizeof(Order) + GAMES * sizeof(Game) + 60,
               "Python fills it byte by byte");

enum class Step : uint8_t { DOUBLE, BID, DECLARE, ACCEPT, OFFER, GIVE, OLD, THROWN_IN, PLAY, OVER };

// What may be done: cards, and calls by their number.
struct Open {
    CardSet cards;
    uint64_t calls;
};

// One table.
struct Lane {
    Open open;              // to the seat to act; kept, for it is asked several times a step
    CardSet dealt[MAX_SEATS], hand[MAX_SEATS];
    CardSet played[MAX_SEATS];  // to the tricks that are over
    uint32_t queue;         // seats still to be asked at this step, 4 bits each, the next lowest
    uint8_t waiting;        // how many they are
    Step step;
    uint8_t high, bidder;   // the highest bid, 0 before there is one, and whose it is
    uint8_t game, declarer, partner, doubled, must;  // must: all passed, and the old one plays
    uint8_t raised, against, answered;  // Stoss: how often; the seats that raised first, third; the partner who answered
    uint8_t offered, given; // the cards of a Hochzeit, NO_CARD before they move
    uint8_t leader, lying, table[MAX_SEATS];  // the trick, by order of play
    uint8_t led_called, ace, ran, without;    // what all remember of the called ace: see memory.py
    uint8_t points[MAX_SEATS], tricks[MAX_SEATS], trumps_taken[MAX_SEATS];
    uint8_t said[MAX_SEATS][SAID];
    uint8_t dealer;
    uint8_t voids[MAX_SEATS], has_led[MAX_SEATS];  // the suits that a seat has shown to be out of, and has led
    env::History<ACTS> history;
};

RENEGE_FN constexpr uint64_t call(uint32_t number) { return uint64_t{1} << number; }
RENEGE_FN constexpr uint32_t seat_bit(Seat seat) { return (1u << seat) & 15u; }  // 0 for nobody

RENEGE_FN const Game& game_of(const Setting& setting, const Lane& lane) { return setting.games[lane.game]; }
RENEGE_FN const Order& order_of(const Setting& setting, const Lane& lane) {
    return setting.orders[game_of(setting, lane).order];
}
RENEGE_FN constexpr bool has_contract(const Lane& lane) { return lane.step >= Step::PLAY; }
RENEGE_FN constexpr uint32_t tricks_done(const Lane& lane) {
    return 0u + lane.tricks[0] + lane.tricks[1] + lane.tricks[2] + lane.tricks[3];
}

// The seat to act; 4 at the end.
RENEGE_FN constexpr Seat to_act(const Lane& lane) {
    if (lane.step == Step::PLAY) return (lane.leader + lane.lying) & 3u;
    return lane.step == Step::OVER || lane.step == Step::THROWN_IN ? MAX_SEATS : lane.queue & 15u;
}

// -- what may be said

RENEGE_FN bool may_call(const Setting& setting, CardSet hand, uint32_t name) {
    const Game& game = setting.games[name];
    const Order& order = setting.orders[game.order];
    return !(hand & one(game.called)) && (hand & called_suit(order));
}

// Can a hand call an ace by the rules?
RENEGE_FN bool may_call_any(const Setting& setting, CardSet hand) {
    for (uint32_t ace = CALLED_ACES; ace < CALLED_ACES + ACES; ++ace) {
        if (may_call(setting, hand, ace)) return true;
    }
    return false;
}

// schafkopf.old-must: what the old one calls who cannot call by the rules, as calls of the aces: those of suits that the
// hand lacks, or, where it has all aces, the tens that it lacks.
RENEGE_FN uint64_t open_renonces(const Setting& setting, CardSet hand) {
    uint64_t aces = 0, tens = 0;
    for (uint32_t i = 0; i < ACES; ++i) {
        const uint64_t name = call(CALLED_ACES + i);
        aces |= hand & one(setting.games[CALLED_ACES + i].called) ? 0u : name;
        tens |= hand & one(setting.games[TENS + i].called) ? 0u : name;
    }
    return aces ? aces : tens;
}

// schafkopf.call-ace, schafkopf.sie, schafkopf.hochzeit: does the hand have what a game asks of it?
RENEGE_FN bool has_need(const Setting& setting, CardSet hand, Need need, uint32_t name) {
    switch (need) {
        case Need::AN_ACE: return may_call_any(setting, hand);
        case Need::THIS_ACE: return may_call(setting, hand, name);
        case Need::ALL_OF_SIE: return hand == setting.sie;
        case Need::LONE_TRUMP:
            return count_bits(hand & setting.orders[setting.games[name].order].follow[TRUMP]) == 1;
        default: return true;
    }
}

// schafkopf.bid: what goes before the highest bid; an earlier seat may match it.
RENEGE_FN uint64_t open_bids(const Setting& setting, const Lane& lane, Seat seat, CardSet hand) {
    uint64_t open = call(PASS);
    const uint32_t forehand = lane.dealer + 1u;
    const bool earlier = ((seat - forehand) & 3u) < ((lane.bidder - forehand) & 3u);
    const uint32_t least = lane.high ? setting.games[lane.high].bid_rank + !earlier : 0u;
    for (uint32_t bid = RUFSPIEL; bid < NAMES_END; ++bid) {
        const Game& game = setting.games[bid];
        if (!game.bid) continue;
        const bool may = game.bid_rank >= least && has_need(setting, hand, game.bid_need, bid);
        open |= may ? call(bid) : 0u;
    }
    return open;
}

// schafkopf.declare: what keeps the bid. A Hochzeit is bid as one; who must play does not escape into a Bettel.
RENEGE_FN uint64_t open_games(const Setting& setting, const Lane& lane, CardSet hand) {
    uint64_t open = 0;
    const uint32_t least = setting.games[lane.high].bid_rank;
    for (uint32_t name = RUFSPIEL; name < NAMES_END; ++name) {
        const Game& game = setting.games[name];
        const bool may = game.named && game.rank >= least && (name != HOCHZEIT || lane.high == HOCHZEIT);
        open |= may && has_need(setting, hand, game.need, name) ? call(name) : 0u;
    }
    if (lane.must) {
        open &= ~call(BETTEL);
        open |= may_call_any(setting, hand) ? 0u : open_renonces(setting, hand);
    }
    return open;
}

// The seats that may be the declarer's partner, for all that everybody has seen.
RENEGE_FN uint32_t partners(const Setting& setting, const Lane& lane) {
    if (game_of(setting, lane).called == NO_CARD) return seat_bit(lane.partner);
    const uint32_t shown = lane.ace != NOBODY ? lane.ace : lane.ran != NOBODY ? lane.ran : lane.answered;
    return shown != NOBODY ? seat_bit(shown) : 15u & ~(seat_bit(lane.declarer) | lane.against | lane.without);
}

// schafkopf.stoss: may the seat to act raise the stakes? The holder of the called ace knows its side by its hand.
RENEGE_FN bool may_raise(const Setting& setting, const Lane& lane, Seat seat) {
    if (lane.declarer == NOBODY || lane.raised >= setting.stoss_limit) return false;
    const uint32_t done = tricks_done(lane), late = lane.raised ? 1u : 0u;  // an answer has one card more
    const bool in_time = setting.deadline == Deadline::OWN_CARD     ? done <= late
                         : setting.deadline == Deadline::FIRST_CARD ? MAX_SEATS * done + lane.lying <= late
                                                                    : done == 0;
    const uint32_t could = partners(setting, lane), me = seat_bit(seat);
    const bool holds = could & me && lane.hand[seat] & one(game_of(setting, lane).called & 31u);
    const bool with_declarer = seat == lane.declarer || could == me || holds;
    return in_time && with_declarer == (lane.raised & 1u);
}

RENEGE_FN Open open_now(const Setting& setting, const Lane& lane) {
    const Seat seat = to_act(lane);
    if (seat == MAX_SEATS) return {0, 0};
    const CardSet hand = lane.hand[seat], trumps = setting.orders[setting.games[HOCHZEIT].order].follow[TRUMP];
    switch (lane.step) {
        case Step::DOUBLE: return {0, call(PASS) | call(DOUBLE)};
        case Step::BID: return {0, open_bids(setting, lane, seat, hand)};
        case Step::DECLARE: {
            const uint64_t games = open_games(setting, lane, hand);
            const bool passes = setting.names_only && (setting.may_pass || !games);
            return {0, passes ? games | call(PASS) : games};
        }
        case Step::ACCEPT: return {0, call(PASS) | (setting.any_back || hand & ~trumps ? call(ACCEPT) : 0u)};
        case Step::OFFER: return {hand & trumps, 0};
        case Step::GIVE: return {setting.any_back ? hand : hand & ~trumps, 0};
        case Step::OLD: return {0, hand & setting.old ? call(OLD) : call(NO)};
        default: break;
    }
    const Card lead = lane.lying ? lane.table[0] : NO_CARD;
    const Order& order = order_of(setting, lane);
    CardSet cards = legal(order, hand, lead, lane.led_called, seat);
    if (lane.lying && game_of(setting, lane).heads) cards = heading(order, cards, lane.table, lane.lying);
    return {cards, may_raise(setting, lane, seat) ? call(STOSS) : 0u};
}

// -- what follows

RENEGE_FN void ask(Lane& lane, Step step, Seat seat) {
    lane.step = step;
    lane.queue = seat;
    lane.waiting = 1;
}

// Asks so many seats in turn.
RENEGE_FN void ask_around(Lane& lane, Step step, Seat first, uint32_t seats) {
    lane.step = step;
    lane.queue = 0;
    for (uint32_t i = 0; i < seats; ++i) lane.queue |= ((first + i) & 3u) << (4 * i);
    lane.waiting = static_cast<uint8_t>(seats);
}

RENEGE_FN void start_play(const Setting&, Lane& lane, uint32_t game) {
    lane.game = static_cast<uint8_t>(game);
    lane.step = Step::PLAY;
    lane.leader = (lane.dealer + 1) & 3;
}

RENEGE_FN void all_passed(const Setting& setting, Lane& lane) {
    lane.declarer = lane.partner = NOBODY;
    if (setting.all_pass == AllPass::OLD_MUST) return ask_around(lane, Step::OLD, lane.dealer + 1u, MAX_SEATS);
    if (setting.all_pass == AllPass::RAMSCH) return start_play(setting, lane, RAMSCH);
    lane.step = Step::THROWN_IN;
}

RENEGE_FN void bid(const Setting& setting, Lane& lane, Seat seat, uint32_t number) {
    if (number != PASS) {
        if (lane.high) lane.queue |= uint32_t{lane.bidder} << (4 * lane.waiting++);  // who is asked once more
        lane.high = static_cast<uint8_t>(number);
        lane.bidder = static_cast<uint8_t>(seat);
    }
    if (lane.waiting) return;
    if (!lane.high) return all_passed(setting, lane);
    ask(lane, Step::DECLARE, lane.bidder);
}

RENEGE_FN void declare(const Setting& setting, Lane& lane, Seat seat, uint32_t number) {
    if (number == PASS) {
        lane.step = Step::THROWN_IN;
        return;
    }
    lane.declarer = static_cast<uint8_t>(seat);
    if (lane.must && number - CALLED_ACES < ACES && !may_call(setting, lane.hand[seat], number)) {  // a Renonce
        const bool ten = lane.hand[seat] & one(setting.games[number].called);
        lane.said[seat][number] += ten ? 2 : 1;
        return start_play(setting, lane, ten ? number - CALLED_ACES + TENS : number);
    }
    if (number != HOCHZEIT) return start_play(setting, lane, number);
    ask_around(lane, Step::ACCEPT, seat + 1, MAX_SEATS - 1);
}

RENEGE_FN void raise_stakes(Lane& lane, Seat seat) {
    if (lane.raised & 1u) {
        if (seat != lane.declarer && lane.answered == NOBODY) lane.answered = static_cast<uint8_t>(seat);
    } else {
        lane.against |= static_cast<uint8_t>(seat_bit(seat));
    }
    ++lane.raised;
}

RENEGE_FN void say(const Setting& setting, Lane& lane, Seat seat, uint32_t number) {
    ++lane.said[seat][number];
    if (number == STOSS) return raise_stakes(lane, seat);
    lane.queue >>= 4;
    --lane.waiting;
    switch (lane.step) {
        case Step::DOUBLE:
            lane.doubled += number == DOUBLE;
            if (!lane.waiting || (setting.doubling == Doubling::CHAIN && number == PASS) ||
                (setting.doubling == Doubling::ONE && number == DOUBLE)) {
                ask_around(lane, Step::BID, lane.dealer + 1u, MAX_SEATS);
            }
            return;
        case Step::BID: return bid(setting, lane, seat, number);
        case Step::DECLARE: return declare(setting, lane, seat, number);
        case Step::ACCEPT:
            if (number == ACCEPT) {
                lane.partner = static_cast<uint8_t>(seat);
                return ask(lane, Step::OFFER, lane.declarer);
            }
            if (!lane.waiting) all_passed(setting, lane);
            return;
        default: break;
    }
    if (number == OLD) {
        lane.high = RUFSPIEL;
        lane.must = 1;
        ask(lane, Step::DECLARE, seat);
    }
}

// A Hochzeit: the trump goes to the partner, and then a plain card comes back.
RENEGE_FN void give(const Setting& setting, Lane& lane, Seat seat, Card card) {
    const bool offer = lane.step == Step::OFFER;
    lane.hand[seat] ^= one(card);
    lane.hand[offer ? lane.partner : lane.declarer] |= one(card);
    (offer ? lane.offered : lane.given) = static_cast<uint8_t>(card);
    if (offer) return ask(lane, Step::GIVE, lane.partner);
    start_play(setting, lane, HOCHZEIT);
}

// What all learn of the called ace by a card that is about to lie on the table: memory.py's `remember`.
RENEGE_FN void remember(const Setting& setting, const Order& order, Lane& lane, Seat seat, Card card) {
    const uint8_t me = static_cast<uint8_t>(seat_bit(seat));
    if (card == order.called) {
        lane.ace = static_cast<uint8_t>(seat);
        return;
    }
    const Suit searched = order.led_suit[order.called];
    if (!lane.lying) {
        if (order.led_suit[card] != searched) return;
        const bool few = setting.size - tricks_done(lane) < order.run_from && lane.ran == NOBODY;  // too few to run
        lane.led_called |= me;
        lane.without |= few ? me : 0;
        return;
    }
    if (order.led_suit[lane.table[0]] != searched) return;
    if (!(lane.led_called & me)) lane.without |= me;  // who ran need not answer
    const bool full = lane.lying == MAX_SEATS - 1;
    if (full && lane.ran == NOBODY && lane.ace == NOBODY) lane.ran = lane.leader;
}

RENEGE_FN void take(const Setting& setting, const Order& order, Lane& lane) {
    const Seat winning = (lane.leader + winner(order, lane.table, MAX_SEATS)) & 3u;
    const bool by_height = setting.tie == Tie::HIGHEST_TAKEN;
    uint32_t points = 0, trumps = by_height ? lane.trumps_taken[winning] : 0u;
    for (uint32_t i = 0; i < MAX_SEATS; ++i) {
        const Card card = lane.table[i];
        lane.played[(lane.leader + i) & 3u] |= one(card);
        points += order.points[card];
        const uint32_t height = order.led_suit[card] == TRUMP ? order.strength[TRUMP][card] - PLAIN_RANKS : 0u;
        trumps = !by_height ? trumps + (height != 0) : height > trumps ? height : trumps;
    }
    lane.points[winning] = static_cast<uint8_t>(lane.points[winning] + points);
    if (lane.declarer == NOBODY) {
        lane.trumps_taken[winning] = static_cast<uint8_t>(by_height ? trumps : lane.trumps_taken[winning] + trumps);
    }
    ++lane.tricks[winning];
    lane.leader = static_cast<uint8_t>(winning);
    lane.lying = 0;
    if (tricks_done(lane) == setting.size) lane.step = Step::OVER;
}

RENEGE_FN void put(const Setting& setting, Lane& lane, Seat seat, Card card) {
    const Order& order = order_of(setting, lane);
    if (order.called != NO_CARD) remember(setting, order, lane, seat, card);
    if (!lane.lying) {
        lane.has_led[seat] |= static_cast<uint8_t>(1u << order.led_suit[card]);
    } else if (const Suit led = order.led_suit[lane.table[0]]; !(order.follow[led] & one(card))) {
        lane.voids[seat] |= static_cast<uint8_t>(1u << led);
    }
    lane.hand[seat] ^= one(card);
    lane.table[lane.lying++] = static_cast<uint8_t>(card);
    if (lane.lying == MAX_SEATS) take(setting, order, lane);
}

// What follows from a deal.
RENEGE_FN void open(const Setting& setting, Lane& lane) {
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) lane.hand[seat] = lane.dealt[seat];
    lane.declarer = lane.partner = lane.answered = lane.ace = lane.ran = NOBODY;
    lane.offered = lane.given = NO_CARD;
    if (setting.names_only) {
        lane.high = RUFSPIEL;
        ask(lane, Step::DECLARE, (lane.dealer + 1u) & 3u);
    } else {
        const bool doubles = setting.doubling != Doubling::NONE;
        const uint32_t asked = setting.doubling == Doubling::FOREHAND ? 1u : MAX_SEATS;
        ask_around(lane, doubles ? Step::DOUBLE : Step::BID, lane.dealer + 1u, asked);
    }
    lane.open = open_now(setting, lane);
}

template <class Cpu>
RENEGE_FN void begin(const Setting& setting, Lane& lane, Stream& stream) {
    lane = Lane{};
    lane.dealer = static_cast<uint8_t>(setting.layout.drawn ? stream.next() >> 62 : setting.dealer);
    const uint8_t sizes[MAX_SEATS] = {setting.size, setting.size, setting.size, setting.size};
    deal<Cpu>(setting.deck, sizes, MAX_SEATS, stream, lane.dealt);
    open(setting, lane);
}

}  // namespace renege::schafkopf
