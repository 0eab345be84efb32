// Straight 42, made small: what a seat sees is put into a key of 39 bits, and what it may do into six ways of choosing
// a tile. Seats with equal keys act alike. Python's renege.games.texas42.abstraction says the same from a seat's view
// alone, and docs/regret42.md says it in words: a change here is a change there.
#pragma once

#include <renege/texas42/auction.hpp>
#include <renege/core/rules.hpp>

namespace renege::texas42 {

// A table and what everybody has seen of voids: bit 8 * seat + suit, where the seat could not follow the suit.
struct Seen {
    Position position;
    uint32_t voids;
};
static_assert(sizeof(Seen) == 36, "a Seen is a row of states and a word of voids");

constexpr uint32_t WAYS = 6;
constexpr uint64_t NO_KEY = 0;

// Ways to lead and ways to follow. A way that comes to the tile of an earlier one is not open.
enum Lead : uint32_t { TOP_TRUMP, LOW_TRUMP, MASTER, COUNT, HIGH, LEAST };
enum Follow : uint32_t { WIN_CHEAP, WIN_DEAR, WIN_TOP, GIVE, DUCK };

// How a tile that is winning may be beaten, from the least to the most likely.
enum Threat : uint32_t { NOTHING, A_RUFF, A_SURE_RUFF, ITS_SUIT };

// What the seat to move may do: its key, and by each open way a tile. With one way there is no choice and no key.
struct Choice {
    uint64_t key;
    uint32_t open;  // bit w: way w
    uint8_t tile[WAYS];
};

RENEGE_FN constexpr uint32_t declaration(const Position& position) { return (position.terms >> 16) & 0xFFu; }
RENEGE_FN constexpr Seat declarer(const Position& position) { return (position.terms >> 12) & 3u; }

// The points that the declarers undertake to take; in marks that is all of them.
RENEGE_FN constexpr uint32_t undertaken(const Position& position) {
    return (position.terms >> 24) & 7u ? ALL_POINTS : 30u + ((position.terms >> 27) & 15u);
}

RENEGE_FN constexpr uint32_t points_of_side(const Position& position, Seat seat) {
    return ((position.points >> (8 * (seat & 1u))) & 0xFFu) + ((position.points >> (8 * ((seat & 1u) + 2))) & 0xFFu);
}

// Made 1, set -1, still open 0.
RENEGE_FN constexpr int32_t outcome(const Position& position) {
    const uint32_t bid = undertaken(position);
    if (points_of_side(position, declarer(position)) >= bid) return 1;
    return points_of_side(position, declarer(position) + 1) > ALL_POINTS - bid ? -1 : 0;
}

// Numbers from outside are small enough for the tables: the declaration has a sheet, all four seats play straight 42.
RENEGE_FN constexpr bool is_straight(const Position& position) {
    const uint32_t contract = (position.terms >> 24) & 7u, amount = (position.terms >> 27) & 15u;
    return declaration(position) < DECLARATIONS && seats(position) == 15u && duty(position) == Duty::FOLLOW_SUIT &&
           contract < 2 && (contract || amount < 12);
}

// Plays a tile and notes who could not follow.
RENEGE_FN void play(const Sheet& sheet, Seen& seen, Card tile) {
    if (cards_on_table(seen.position)) {
        const Suit led = sheet.order.led_suit[on_table(seen.position, 0)];
        if (!((sheet.order.follow[led] >> tile) & 1u)) seen.voids |= 1u << (8 * to_move(seen.position) + led);
    }
    renege::play(sheet.order, seen.position, tile);
}

// The tiles that a seat has shown not to hold.
RENEGE_FN CardSet lacks(const Sheet& sheet, uint32_t voids, Seat seat) {
    CardSet out = 0;
    for (uint32_t rest = (voids >> (8 * seat)) & 0xFFu; rest; rest &= rest - 1) {
        out |= sheet.order.follow[lowest_bit(rest)];
    }
    return out;
}

// How a seat that plays later may beat a tile; `unseen` are the tiles that the one who asks does not see.
RENEGE_FN Threat threat_by(const Sheet& sheet, uint32_t voids, Seat seat, CardSet unseen, Suit led, Card tile) {
    const CardSet beats = sheet.above[led][tile] & unseen & ~lacks(sheet, voids, seat);
    if (!beats) return NOTHING;
    if (beats & sheet.order.follow[led]) return ITS_SUIT;
    return (voids >> (8 * seat + led)) & 1u ? A_SURE_RUFF : A_RUFF;
}

// The same for all opponents of `seat` after it, `left` seats in all.
RENEGE_FN Threat threat_to(const Sheet& sheet, uint32_t voids, Seat seat, uint32_t left, CardSet unseen, Suit led,
                           Card tile) {
    Threat most = NOTHING;
    for (uint32_t i = 1; i <= left; i += 2) {
        const Threat here = threat_by(sheet, voids, (seat + i) & 3u, unseen, led, tile);
        most = here > most ? here : most;
    }
    return most;
}

// Throw away first what is no trump, no count, no double and low.
RENEGE_FN uint32_t keep(const Sheet& sheet, Card tile) {
    const uint32_t trump = (sheet.trumps >> tile) & 1u, twin = (ALL_DOUBLES >> tile) & 1u;
    const uint32_t strength = sheet.order.strength[sheet.order.led_suit[tile]][tile];
    return (trump << 15) | ((sheet.order.points[tile] + 4 * twin) << 11) | (strength << 5) | tile;
}

RENEGE_FN constexpr uint32_t at_most(uint32_t number, uint32_t most) { return number < most ? number : most; }

// Fields of a key, from the lowest bit up.
struct Packing {
    uint64_t key = 0;
    uint32_t bits = 0;

    RENEGE_FN constexpr void put(uint32_t value, uint32_t width) {
        key |= static_cast<uint64_t>(value) << bits;
        bits += width;
    }
};

// How many points the declarers may still lose, and how many they still need, in steps that tricks and counts make.
RENEGE_FN constexpr uint32_t step_of_margin(uint32_t margin) {
    return margin == 0 ? 0 : margin <= 2 ? 1 : margin <= 5 ? 2 : margin <= 10 ? 3 : 4;
}

RENEGE_FN constexpr uint32_t step_of_need(uint32_t need) { return need <= 3 ? 0 : need <= 8 ? 1 : need <= 18 ? 2 : 3; }

RENEGE_FN void put_common(const Sheet& sheet, const Seen& seen, Seat seat, CardSet unseen, Packing& packing) {
    const Position& position = seen.position;
    const Seat from = (seat - declarer(position)) & 3u;
    const uint32_t bid = undertaken(position);
    CardSet theirs = 0;
    for (uint32_t i = 1; i < MAX_SEATS; i += 2) {
        theirs |= sheet.trumps & unseen & ~lacks(sheet, seen.voids, (seat + i) & 3u);
    }
    packing.put(cards_on_table(position), 2);
    packing.put(from & 1u ? 2u : from >> 1, 2);
    packing.put(sum_of_seats(position.tricks), 3);
    packing.put(step_of_margin(ALL_POINTS - bid - points_of_side(position, declarer(position) + 1)), 3);
    packing.put(step_of_need(bid - points_of_side(position, declarer(position))), 2);
    packing.put(at_most(count_bits(position.hand[seat] & sheet.trumps), 3), 2);
    packing.put(at_most(count_bits(theirs), 3), 2);
}

RENEGE_FN void offer(Choice& choice, uint32_t way, Card tile) {
    for (uint32_t i = 0; i < way; ++i) {
        if (((choice.open >> i) & 1u) && choice.tile[i] == tile) return;
    }
    choice.open |= 1u << way;
    choice.tile[way] = static_cast<uint8_t>(tile);
}

RENEGE_FN void choose_lead(const Sheet& sheet, const Seen& seen, Seat seat, CardSet unseen, Choice& choice) {
    const Order& order = sheet.order;
    const CardSet hand = seen.position.hand[seat], mine = hand & sheet.trumps;
    const auto strength = [&](Card tile) -> uint32_t { return order.strength[order.led_suit[tile]][tile]; };
    const auto above = [&](Card tile) { return sheet.above[order.led_suit[tile]][tile] & unseen & ~sheet.trumps; };
    Packing packing;
    put_common(sheet, seen, seat, unseen, packing);

    bool first = false;
    if (mine) {
        const Card top = least(mine, [&](Card tile) { return 255u - strength(tile); });
        first = !(sheet.above[CALLED][top] & unseen);
        offer(choice, TOP_TRUMP, top);
        offer(choice, LOW_TRUMP, least(mine, [&](Card tile) { return (order.points[tile] << 8) | strength(tile); }));
    }
    packing.put(first, 1);
    packing.put((sheet.trumps & unseen & ~lacks(sheet, seen.voids, seat ^ 2u)) != 0, 1);

    CardSet masters = 0;
    for (CardSet rest = hand & ~mine; rest; rest &= rest - 1) {
        const Card tile = lowest_bit(rest);
        masters |= above(tile) ? 0u : one(tile);
    }
    uint32_t threat = 0, points = 0;
    if (masters) {
        const auto danger = [&](Card tile) -> uint32_t {
            return threat_to(sheet, seen.voids, seat, 3, unseen, order.led_suit[tile], tile);
        };
        const Card best = least(masters, [&](Card tile) {
            return (danger(tile) << 16) | (((ALL_DOUBLES >> tile) & 1u ? 0u : 1u) << 15) |
                   ((15u - order.points[tile]) << 8) | tile;
        });
        threat = danger(best);
        points = order.points[best];
        offer(choice, MASTER, best);
    }
    packing.put(at_most(count_bits(masters), 3), 2);
    packing.put(threat, 2);
    packing.put(points / 5, 2);

    const CardSet others = hand & ~mine & ~masters;
    uint32_t exposed = 0, higher = 0;
    if (others) {
        for (CardSet rest = others; rest; rest &= rest - 1) exposed += order.points[lowest_bit(rest)];
        const auto dearest = [&](Card tile) { return ((15u - order.points[tile]) << 5) | tile; };
        if (exposed) offer(choice, COUNT, least(others, dearest));
        const Card high = least(others, [&](Card tile) {
            return (count_bits(above(tile)) << 12) | (order.points[tile] << 5) | tile;
        });
        higher = count_bits(above(high));
        offer(choice, HIGH, high);
    }
    packing.put(at_most(exposed / 5, 3), 2);
    packing.put(at_most(higher, 3), 2);
    offer(choice, LEAST, least(hand, [&](Card tile) { return keep(sheet, tile); }));
    packing.put(choice.open, WAYS);
    choice.key = packing.key + 1;
}

RENEGE_FN void choose_follow(const Sheet& sheet, const Seen& seen, Seat seat, CardSet unseen, CardSet may,
                             Choice& choice) {
    const Order& order = sheet.order;
    const Position& position = seen.position;
    const uint32_t lying = cards_on_table(position), left = 3 - lying;
    uint8_t plays[MAX_SEATS] = {};
    uint32_t table = 0;
    for (uint32_t i = 0; i < lying; ++i) {
        plays[i] = static_cast<uint8_t>(on_table(position, i));
        table += order.points[plays[i]];
    }
    const Suit led = order.led_suit[plays[0]];
    const uint32_t ahead = renege::winner(order, plays, lying);
    const bool ours = ((lying - ahead) & 1u) == 0;
    const uint8_t* strength = order.strength[led];
    Packing packing;
    put_common(sheet, seen, seat, unseen, packing);
    packing.put(ours, 1);
    packing.put(threat_to(sheet, seen.voids, seat, left, unseen, led, plays[ahead]), 2);
    const bool follows = may & order.follow[led];
    packing.put(follows ? (led == CALLED && sheet.trumps ? 1u : 0u) : may & sheet.trumps ? 2u : 3u, 2);
    packing.put(at_most(table / 5, 3), 2);

    const CardSet wins = may & sheet.above[led][plays[ahead]], loses = may & ~wins;
    uint32_t holds = 0, dear = 0, give = 0;
    bool enough = false;
    if (wins) {
        const Card cheap = least(wins, [&](Card tile) {
            return (order.points[tile] << 12) | (strength[tile] << 5) | tile;
        });
        offer(choice, WIN_CHEAP, cheap);
        const Card most = least(wins, [&](Card tile) {
            return ((15u - order.points[tile]) << 12) | (strength[tile] << 5) | tile;
        });
        dear = order.points[most];
        offer(choice, WIN_DEAR, most);
        const Card top = least(wins, [&](Card tile) { return 255u - strength[tile]; });
        offer(choice, WIN_TOP, top);
        const Threat threat = threat_to(sheet, seen.voids, seat, left, unseen, led, top);
        holds = threat == NOTHING ? 3 : threat == ITS_SUIT ? 1 : 2;
        enough = threat_to(sheet, seen.voids, seat, left, unseen, led, cheap) == threat;
    }
    if (loses) {
        const Card most = least(loses, [&](Card tile) {
            return ((15u - order.points[tile]) << 16) | keep(sheet, tile);
        });
        give = order.points[most];
        if (give) offer(choice, GIVE, most);
    }
    const Card low = least(loses ? loses : wins, [&](Card tile) { return keep(sheet, tile); });
    offer(choice, DUCK, low);
    packing.put(holds, 2);
    packing.put(enough, 1);
    packing.put(dear / 5, 2);
    packing.put(give / 5, 2);
    packing.put(order.points[low] / 5, 2);
    packing.put(choice.open, WAYS);
    choice.key = packing.key + 1;
}

// What the seat to move may do. It reads the seat's own hand, what lies and lay on the table, and nothing else: the
// tiles that it does not see are those in other hands, whichever.
RENEGE_FN Choice choices(const Sheet& sheet, const Seen& seen) {
    const Position& position = seen.position;
    const Seat seat = to_move(position);
    const CardSet hand = position.hand[seat], unseen = held(position) & ~hand;
    const CardSet may = legal<Duty::FOLLOW_SUIT>(sheet.order, position, seat);
    Choice choice = {NO_KEY, 0, {}};
    if (!(may & (may - 1))) {
        choice.open = 1;
        choice.tile[0] = static_cast<uint8_t>(lowest_bit(may));
    } else if (cards_on_table(position) == 0) {
        choose_lead(sheet, seen, seat, unseen, choice);
    } else {
        choose_follow(sheet, seen, seat, unseen, may, choice);
    }
    if (!(choice.open & (choice.open - 1))) choice.key = NO_KEY;
    return choice;
}

}  // namespace renege::texas42
