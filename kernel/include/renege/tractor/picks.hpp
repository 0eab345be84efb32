// Which card of Tractor may be picked next, so that what is picked can still become a legal play? Python defines it
// (renege.games.tractor.legal); this repeats it with masks of steps.
#pragma once

#include <renege/tractor/throws.hpp>

namespace renege::tractor {

// The pairs of a suit in hand by the copies that are still to be picked. Steps on which several lie are in neither mask.
struct Stock {
    Steps all;           // steps with a pair
    Steps begun, fresh;  // one copy is to be picked; both are
    uint32_t crowd, at;  // pairs on the crowded step, and where that is; NOWHERE if there are none
    uint32_t cost[2];    // the copies to be picked of the two cheapest pairs there
};

constexpr uint32_t NOWHERE = 31;

RENEGE_FN Stock stock_of(const Order& order, uint32_t suit, Kinds pairs, const Pile& chosen) {
    const Kinds crowd = pairs & order.crowd[suit], rest = pairs & ~crowd;
    const Kinds begun = rest & chosen.once & ~chosen.twice, fresh = rest & ~chosen.once;
    Stock stock = {steps_of(order, suit, pairs), steps_of(order, suit, begun), steps_of(order, suit, fresh),
                   count_bits64(crowd), crowd ? order.crowded[suit] : NOWHERE, {2, 2}};
    const uint32_t whole = count_bits64(crowd & chosen.twice), half = count_bits64(crowd & chosen.once);
    for (uint32_t i = 0; i < 2; ++i) stock.cost[i] = i < whole ? 0u : i < half ? 1u : 2u;
    return stock;
}

// The owed runs: how many of each length. At most twelve pairs make at most three lengths, and some of each are cut in at
// most twelve ways.
struct OwedRuns {
    static constexpr uint32_t LENGTHS = 3, WAYS = 12;

    uint32_t lengths, length[LENGTHS], count[LENGTHS], ways;

    RENEGE_FN explicit OwedRuns(uint32_t runs) : lengths(0), length{}, count{}, ways(1) {
        for (; runs; runs >>= 4) {  // the longest first
            const uint32_t next = runs & 15u;
            if (!lengths || length[lengths - 1] != next) length[lengths++] = next;
            ++count[lengths - 1];
        }
        for (uint32_t i = 0; i < lengths; ++i) ways *= count[i] + 1u;
    }
};

// The copies that complete the pairs of the runs, and as many pairs besides as are owed: those begun come first.
RENEGE_FN uint32_t still_to_pick(uint32_t begun, uint32_t fresh, uint32_t owed, uint32_t once) {
    const uint32_t pairs = owed > begun + fresh ? owed : begun + fresh;
    const uint32_t first = once < pairs - fresh ? once : pairs - fresh;
    return first + 2u * (pairs - first);
}

// The fewest copies that are still to be picked so that the owed runs can be cut and so many pairs are there. `once`: pairs
// of which one copy is picked.
//
// Runs are laid from the lowest step up; `fewest[place][way][begun]` is the fewest fresh pairs with which the runs of a
// way lie below a place, if they take so many pairs that are begun.
RENEGE_CALLED uint32_t cheapest(const Stock& stock, const OwedRuns& runs, uint32_t owed, uint32_t once) {
    constexpr uint32_t AGAIN = STEPS + 1, PLACES = STEPS + 2, PAIRS = LONGEST + 1;
    constexpr uint8_t NEVER = 0xFF;
    uint8_t fewest[PLACES][OwedRuns::WAYS][PAIRS];
    const uint32_t end = highest_bit(stock.all) + 1u;
    for (auto& place : fewest) {
        for (uint32_t way = 0; way < runs.ways; ++way) {
            for (uint8_t& entry : place[way]) entry = NEVER;
        }
    }
    fewest[0][0][0] = 0;
    const auto lower = [](uint8_t& entry, uint32_t fresh) {
        if (fresh < entry) entry = static_cast<uint8_t>(fresh);
    };
    for (uint32_t step = 0; step < end; ++step) {
        // Where a run has ended on the crowded step, another may begin there, with the next pair.
        for (uint32_t turn = 0; turn < (step == stock.at ? 2u : 1u); ++turn) {
            const uint32_t place = turn ? AGAIN : step;
            for (uint32_t way = 0; way < runs.ways; ++way) {
                for (uint32_t begun = 0; begun < PAIRS; ++begun) {
                    const uint32_t fresh = fewest[place][way][begun];
                    if (fresh == NEVER) continue;
                    lower(fewest[step + 1u][way][begun], fresh);
                    for (uint32_t i = 0, unit = 1; i < runs.lengths; unit *= runs.count[i++] + 1u) {
                        const uint32_t length = runs.length[i];
                        const Steps window = ((1u << length) - 1u) << step;
                        if ((way / unit) % (runs.count[i] + 1u) == runs.count[i] || (window & ~stock.all)) continue;
                        const uint32_t shared = (window >> stock.at) & 1u ? stock.cost[turn] : 0u;
                        const uint32_t x = begun + count_bits(window & stock.begun) + (shared == 1u);
                        const uint32_t y = fresh + count_bits(window & stock.fresh) + (shared == 2u);
                        const bool again = stock.crowd > 1u && step + length == stock.at + 1u;
                        lower(fewest[again ? AGAIN : step + length][way + unit][x], y);
                    }
                }
            }
        }
    }
    uint32_t best = 0xFF;
    for (uint32_t begun = 0; begun < PAIRS; ++begun) {
        const uint32_t fresh = fewest[end][runs.ways - 1u][begun];
        if (fresh == NEVER) continue;
        const uint32_t cost = still_to_pick(begun, fresh, owed, once);
        best = cost < best ? cost : best;
    }
    return best;
}

// What a hand owes to a lead, where it has more of the suit than was led.
struct Owing {
    Kinds pairs;     // of the suit
    uint32_t count;  // how many of them must go
    Shape match;     // the runs that must be among them
};

RENEGE_FN Owing owing_to(const Order& order, const Packing& packing, const House& house, const Table& table,
                         const Pile& held) {
    const Owed owed = owed_to(order, packing, house, table.suit, held.twice, table.led.pairs, table.led.runs);
    return {held.twice, owed.pairs, owed.runs};
}

// The fewest cards of the led suit that hold what is chosen and all that is owed. Whatever fills them up to the length of
// the lead makes a legal follow.
RENEGE_FN uint32_t least(const Order& order, const Packing& packing, uint32_t suit, const Owing& owing,
                         const Pile& chosen) {
    const uint32_t whole = count_bits64(chosen.twice), owed = owing.count > whole ? owing.count - whole : 0u;
    const uint32_t once = count_bits64(owing.pairs & chosen.once & ~chosen.twice), cards = size(chosen);
    if (!owing.match) return cards + still_to_pick(0, 0, owed, once);
    const Stock stock = stock_of(order, suit, owing.pairs, chosen);
    return cards + cheapest(stock, OwedRuns(packing.runs[owing.match]), owed, once);
}

RENEGE_FN Pile with(const Pile& pile, Kinds kind) { return {pile.once | kind, pile.twice | (pile.once & kind)}; }

// The kinds that a follower may pick next; none when the play is as long as the lead.
RENEGE_CALLED Kinds follow_picks(const Order& order, const Packing& packing, const House& house, const Table& table,
                                 const Pile& hand, const Pile& chosen) {
    const uint32_t led = table.led.cards;
    const Kinds own = order.own[table.suit], rest = without(hand, chosen).once;
    if (size(chosen) == led) return 0;
    const Pile held = only(hand, own);
    const uint32_t count = size(held);
    if (count <= led) return size(only(chosen, ~own)) < led - count ? rest : rest & own;
    if (!table.led.pairs || !held.twice) return rest & own;
    const Owing owing = owing_to(order, packing, house, table, held);
    if (!owing.count) return rest & own;
    Kinds open = 0, pairs = held.twice & rest;
    for (Kinds kind = 0;;) {  // first what is chosen as it is, then with one more of each pair
        const uint32_t cards = least(order, packing, table.suit, owing, with(chosen, kind));
        if (!kind && cards < led) return rest & own;
        if (cards <= led) open |= kind;
        if (!pairs) return open;
        kind = pairs & (0u - pairs);
        pairs &= pairs - 1;
    }
}

// Does a hand have a single, a pair or a tractor with these cards in it?
RENEGE_FN bool in_unit(const Order& order, uint32_t suit, const Pile& hand, const Pile& chosen) {
    if (!(chosen.once & (chosen.once - 1))) return true;
    if (chosen.once & ~hand.twice) return false;
    const Steps steps = steps_of(order, suit, chosen.once);
    if (count_bits(steps) != count_bits64(chosen.once)) return false;
    const Steps between = (2u << highest_bit(steps)) - (1u << lowest_bit(steps));
    return !(between & ~steps_of(order, suit, hand.twice & order.own[suit]));
}

// Does a hand have a throw with these cards in it that no rival beats? A longer run and a higher one is safer, so pairs
// that are needed go with all the pairs beside them; of pairs on one step each but one stands alone.
RENEGE_APART bool in_safe_throw(const Order& order, const Rivals& rivals, uint32_t suit, const Pile& hand,
                                const Pile& chosen) {
    const Kinds pairs = hand.twice & order.own[suit];
    const uint32_t single = highest_among(order, rivals, suit, 0);
    Kinds needed = chosen.twice;
    for (Kinds lone = chosen.once & ~chosen.twice; lone; lone &= lone - 1) {
        const Kinds kind = lone & (0u - lone);
        if (single > lowest_bit(steps_of(order, suit, kind)) + 1u) needed |= kind;
    }
    if (needed & ~pairs) return false;
    const Steps wanted = steps_of(order, suit, needed);
    for (Steps left = steps_of(order, suit, pairs); left;) {
        const uint32_t bottom = lowest_bit(left), length = lowest_bit(~(left >> bottom)), end = bottom + length;
        const Steps stretch = ((1u << length) - 1u) << bottom;
        left &= ~stretch;
        if (!(wanted & stretch)) continue;
        if (highest_among(order, rivals, suit, length) > end) return false;
        const bool crowded = count_bits64(needed & order.crowd[suit]) > 1 && ((stretch >> order.crowded[suit]) & 1u);
        if (crowded && highest_among(order, rivals, suit, 1) > order.crowded[suit] + 1u) return false;
    }
    return true;
}

// The kinds that a leader may pick next. Any cards of a suit are a lead, unless trumps may not be thrown, or throws must
// be proved.
RENEGE_CALLED Kinds lead_picks(const Order& order, const House& house, const Unseen& unseen, const Pile& hand,
                               const Pile& chosen) {
    const Kinds rest = without(hand, chosen).once;
    if (!chosen.once) return rest;
    const uint32_t suit = order.led_suit[lowest_bit64(chosen.once)];
    const bool throws = house.trump_throws || suit != order.trump;
    if (throws && house.test != Test::PUBLIC) return rest & order.own[suit];
    const Rivals rivals = imagined(unseen, suit);
    Kinds open = 0;
    for (Kinds kinds = rest & order.own[suit]; kinds; kinds &= kinds - 1) {
        const Kinds kind = kinds & (0u - kinds);
        const Pile now = with(chosen, kind);
        if (in_unit(order, suit, hand, now) || (throws && in_safe_throw(order, rivals, suit, hand, now))) open |= kind;
    }
    return open;
}

}  // namespace renege::tractor
