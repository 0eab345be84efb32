// Rounds of Tractor played on from a table, every seat by the rules of thumb.
#pragma once

#include <renege/core/deal.hpp>
#include <renege/tractor/policy.hpp>
#include <renege/tractor/solve.hpp>

namespace renege::tractor {

// How often a seat follows a whim, of 2^32 plays, and the words that say when.
struct Whims {
    uint32_t chance;
    Stream stream;
};

RENEGE_FN uint32_t next_whim(Whims& whims) {
    if (!whims.chance) return 0;
    const uint64_t word = whims.stream.next();
    return static_cast<uint32_t>(word) < whims.chance ? static_cast<uint32_t>(word >> 32) : 0u;
}

// What remains is played to the last card. Another end may know what a table between tricks is worth: the attackers'
// points when the round is over.
struct PlayedOut {
    RENEGE_FN void bury(const Pile&) {}
    RENEGE_FN bool knows(const Table&) const { return false; }
    RENEGE_FN int32_t worth(const Table& table, const Seen&) const { return table.attackers; }
};

// From so many cards a hand on, at most HELD, the rest is solved with open hands.
template <uint32_t HELD = MOST_HELD>
struct Solving {
    solver::Search& search;
    uint32_t from;
    Pile buried;  // by the banker

    RENEGE_FN void bury(const Pile& pile) { buried = pile; }
    RENEGE_FN bool knows(const Table& table) const { return size(table.hand[table.leader]) <= from; }
    RENEGE_FN int32_t worth(const Table& table, const Seen& seen) {
        return table.attackers + solver::solve<HELD>(search, table, seen, buried).lower;
    }
};

// A play is made and seen.
RENEGE_FN void play(const Order& order, const Packing& packing, const House& house, Table& table, Seen& seen,
                    const Pile& cards) {
    const uint32_t seat = to_move(table), place = table.lying;
    put(order, packing, house, table, cards);
    see(order, table, seat, place, seen);
}

// The attackers' points at the end.
template <class End>
RENEGE_FN int32_t play_on(const Order& order, const Packing& packing, const House& house, Table table, Seen seen,
                          Whims whims, End& end) {
    while (!is_over(table)) {
        if (!table.lying && end.knows(table)) return end.worth(table, seen);
        const View view = look(table, seen, next_whim(whims));
        play(order, packing, house, table, seen, choose(order, packing, house, view));
    }
    return table.attackers;
}

// The seat to move makes a play, which may be a throw that is stopped, and the round goes on from there; without one
// it goes by the rules of thumb like all others.
template <class End>
RENEGE_FN int32_t roll_out(const Order& order, const Packing& packing, const House& house, Table table, Seen seen,
                           const Pile& candidate, Whims whims, End& end) {
    if (candidate.once) play(order, packing, house, table, seen, candidate);
    return play_on(order, packing, house, table, seen, whims, end);
}

// A table with a trick begun and no cards in hand; the plays are in their order, the lead as it landed.
RENEGE_FN Table lay_table(const Order& order, const Packing& packing, const House& house, const Pile* plays,
                          uint32_t lying, uint32_t leader, uint32_t banker) {
    Table table = {};
    table.leader = static_cast<uint8_t>(leader);
    table.banker = static_cast<uint8_t>(banker);
    for (uint32_t i = 0; i < lying; ++i) {
        table.hand[to_move(table)] = plays[i];
        if (i) lay_follow(order, packing, house, table, plays[i]);
        else lay_lead(order, packing, table, plays[i]);
    }
    return table;
}

}  // namespace renege::tractor
