// What a search of open hands in Tractor works with, and which plays it tries first.
#pragma once

#include <renege/tractor/roster.hpp>

namespace renege::tractor::solver {

// Room for all plays that are listed on one line of play: at most 2^n leads and three times n over n/2 follows of n
// cards a hand, then of fewer. Where hands are known to be shorter than MOST_HELD, a search with a smaller HELD needs
// less of it, and a stack that a GPU can give to each of its threads.
RENEGE_FN constexpr uint32_t room_for(uint32_t held) { return (4u << held) + 8u; }
constexpr uint32_t ROOM = room_for(MOST_HELD);
constexpr int32_t GRAIN = 5;  // points to come are a multiple of it
constexpr uint32_t POLLED = 1024;

// Bounds of the points to come, and a lead that was good: which of its hand's cards, in this order.
struct Slot {
    Name name;
    int32_t lower, upper;
    uint32_t round;  // 0 if never used
    uint32_t good;
};

// The caller owns the slots, zero before the first round; their number is a power of two, or 0 to do without.
struct Memory {
    Slot* slots;
    uint32_t count;
};

struct Bounds {
    int32_t lower, upper;
};

// When to stop: after so many nodes, or when `stop` says so, which is asked once in a while where there is one.
struct Limits {
    uint64_t most_nodes;
    bool (*stop)(void*);
    void* asked;
};

// A seat to play.
struct Frame {
    Table table;
    Name name;      // between two tricks
    Held held;
    Held good;      // a lead that was good before
    int32_t left;   // points still to be won, the kitty's aside
    int32_t value;  // the best found so far: what the attackers come to in the end
    uint32_t first, next, end;  // of its plays
    uint32_t voids;             // that were shown, a byte for each seat; kept where throws must be proved
    bool attacker;
};

// What is known where a search begins, for throws that must be proved: what everybody has seen, and what the banker
// buried. The hands are those of the first frame.
struct Past {
    Seen seen;
    Pile buried;
    Pile hand[SEATS];
};

struct Search {
    const Order& order;
    const Packing& packing;
    House house;
    Memory memory;
    Limits limits;
    Pile* room;  // for room_for(HELD) of them
    uint64_t nodes;
    uint32_t round;  // of those solved with this memory
    Ladder ladder;
    uint8_t dear[KINDS];  // how dear a kind is, to order plays by
    Roster roster;
    Past past;
    bool in_debt;  // have the attackers less than nothing? Then points to come are not worth what they say
};

RENEGE_FN bool proves(const Search& search) { return search.house.test == Test::PUBLIC; }

// What is found is remembered as points to come, which attackers in debt do not get in full.
RENEGE_FN bool remembers(const Search& search) { return search.memory.count && !search.in_debt; }

// What the leader of a frame between two tricks can know.
RENEGE_APART Unseen unseen_in(const Search& search, const Frame& frame) {
    const Table& table = frame.table;
    Seen seen = search.past.seen;
    for (uint32_t seat = 0; seat < SEATS; ++seat) {
        seen.played = joined(seen.played, without(search.past.hand[seat], table.hand[seat]));
        seen.voids[seat] = static_cast<uint8_t>(frame.voids >> (8u * seat));
    }
    const Pile buried = table.leader == table.banker ? search.past.buried : Pile{0, 0};
    return unseen_by(table.hand[table.leader], seen, buried, table.leader);
}

RENEGE_FN Slot& slot_of(const Memory& memory, const Name& name) {
    uint64_t mix = 0;
    for (const uint64_t word : name.words) {
        mix = (mix ^ word) * 0x9E3779B97F4A7C15ull;
        mix ^= mix >> 29;
    }
    return memory.slots[static_cast<uint32_t>(mix >> 20) & (memory.count - 1u)];
}

// May a hand beat what wins so far, if all its cards were free to go? It need not be exact: it orders plays.
RENEGE_FN bool may_beat(const Order& order, const Pile& hand, uint32_t suit, const Led& led, uint32_t strength) {
    const Pile own = only(hand, order.own[suit]), trumps = only(hand, order.own[order.trump]);
    const Pile& used = own.once ? own : trumps;
    if (own.once && (led.throws || strength > RUFF)) return false;
    if (size(used) < led.cards || count_bits64(used.twice) < led.pairs) return false;
    const Steps steps = steps_of(order, own.once ? suit : order.trump, led.longest ? used.twice : used.once);
    return highest_bit(steps) + 1u + (own.once ? 0u : RUFF) > strength;
}

RENEGE_CALLED bool foe_beats(const Search& search, const Table& table, uint32_t seat, uint32_t suit, const Led& led,
                             uint32_t strength) {
    for (uint32_t i = 1; i < SEATS - table.lying; i += 2) {
        if (may_beat(search.order, table.hand[(seat + i) & 3u], suit, led, strength)) return true;
    }
    return false;
}

// How dear a pile is to its hand: high cards, trumps, and pairs that would be torn apart.
RENEGE_FN int32_t dearness(const Search& search, const Pile& hand, const Pile& play) {
    uint32_t sum = 8u * count_bits64(play.once & hand.twice & ~play.twice);
    for (Kinds rest = play.once; rest; rest &= rest - 1) sum += search.dear[lowest_bit64(rest)];
    return static_cast<int32_t>(sum);
}

// How soon a lead is tried: what nobody on the other side beats, then what costs little.
RENEGE_CALLED int32_t lead_score(const Search& search, const Frame& frame, const Pile& lead) {
    const Table& table = frame.table;
    const uint32_t seat = table.leader, suit = search.order.led_suit[lowest_bit64(lead.once)];
    if (frame.good && bits_of(search.roster, seat, table.hand[seat], lead) == frame.good) return 10000;
    const Led led = read_lead(search.order, search.packing, suit, lead);
    const uint32_t top = top_step(search.order, search.packing, suit, lead, led);
    const int32_t points = points_of(lead), cards = static_cast<int32_t>(led.cards);
    if (!foe_beats(search, table, seat, suit, led, top)) return 400 + points + 40 * cards;
    const Pile& partner = table.hand[(seat + 2) & 3u];
    const bool helped = may_beat(search.order, partner, suit, led, top);
    return (helped ? 200 : 100) - 4 * points - dearness(search, table.hand[seat], lead);
}

// How soon a follow is tried: points where the trick goes to the own side, else a cheap one.
RENEGE_FN int32_t follow_score(const Search& search, const Frame& frame, const Pile& play, bool ours, bool stays) {
    const Table& table = frame.table;
    const uint32_t seat = to_move(table);
    const int32_t points = points_of(play), dear = dearness(search, table.hand[seat], play);
    const uint32_t strength = strength_of(search.order, search.packing, search.house, table, play);
    if (strength > table.strength) {
        const bool safe = !foe_beats(search, table, seat, table.suit, table.led, strength);
        return safe ? 400 + 4 * points - dear : 150 - points - dear / 2;
    }
    if (ours) return stays ? 420 + 4 * points - dear : 200 - points - dear;
    return 100 - 4 * points - dear;
}

}  // namespace renege::tractor::solver
