// Every legal play of a Tractor table with open hands, or one for each class of plays that the rest of the round cannot
// tell apart.
//
// Two kinds of one suit in one hand are twins if swapping them changes nothing: both are held once, or both twice; they
// are worth as much; and they stand on one step, or no other hand and not the winning play has a card of their suit on
// their steps or between. Pairs must besides be alone: no other pair of the hand lies beside them, so that no run comes
// or goes. Of twins the earlier is played first.
#pragma once

#include <renege/tractor/throws.hpp>

namespace renege::tractor {

constexpr uint32_t MOST_HELD = 12;        // cards of a hand for which plays are listed
constexpr uint32_t MOST_PLAYS = 1u << MOST_HELD;
constexpr uint32_t NO_TWIN = 0xFF;

// The kinds of a pile, suit by suit and the weakest first, how often each is there, and its twin before it.
struct Spread {
    uint8_t kind[MOST_HELD];
    uint8_t step[MOST_HELD];
    uint8_t copies[MOST_HELD];
    uint8_t twin[MOST_HELD];
    uint32_t count;
};

// The step of every kind in its suit, looked up.
struct Ladder {
    uint8_t step[KINDS];
};

RENEGE_FN void set_up(const Order& order, Ladder& ladder) {
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        const uint32_t suit = order.led_suit[kind];
        const Steps step = suit < SUITS ? steps_of(order, suit, Kinds{1} << kind) : 1u;
        ladder.step[kind] = static_cast<uint8_t>(lowest_bit(step));
    }
}

RENEGE_FN void spread_suit(const Ladder& ladder, Kinds own, Spread& spread) {
    const uint32_t first = spread.count;
    for (Kinds rest = own; rest; rest &= rest - 1) {
        const uint32_t kind = lowest_bit64(rest), step = ladder.step[kind];
        uint32_t place = spread.count++;
        for (; place > first && spread.step[place - 1] > step; --place) {
            spread.step[place] = spread.step[place - 1];
            spread.kind[place] = spread.kind[place - 1];
        }
        spread.step[place] = static_cast<uint8_t>(step);
        spread.kind[place] = static_cast<uint8_t>(kind);
    }
}

// The steps of a suit on which somebody else has a card, or on which the winning play has one.
RENEGE_FN Steps seen_elsewhere(const Order& order, const Table& table, uint32_t seat, uint32_t suit) {
    Kinds kinds = 0;
    for (uint32_t i = 1; i < SEATS; ++i) kinds |= table.hand[(seat + i) & 3u].once;
    if (table.lying) kinds |= table.play[(table.winning - table.leader) & 3u].once;
    return steps_of(order, suit, kinds & order.own[suit]);
}

RENEGE_FN void find_twins(const Order& order, const Table& table, uint32_t seat, uint32_t suit, uint32_t first,
                          Spread& spread) {
    const Steps others = seen_elsewhere(order, table, seat, suit);
    const Kinds twice = table.hand[seat].twice & order.own[suit];
    const Steps pairs = steps_of(order, suit, twice);
    const bool crowded = count_bits64(twice & order.crowd[suit]) > 1;
    for (uint32_t i = first; i < spread.count; ++i) {
        const uint32_t step = spread.step[i];
        const int32_t points = points_in(Kinds{1} << spread.kind[i]);
        for (uint32_t j = i; j-- > first && spread.twin[i] == NO_TWIN;) {
            const uint32_t below = spread.step[j];
            const Steps between = ((2u << step) - 1u) & ~((1u << below) - 1u);
            if (below != step && (others & between)) break;
            const bool paired = (twice >> spread.kind[i]) & 1u;  // in the hand, if not in what is spread
            if (paired != static_cast<bool>((twice >> spread.kind[j]) & 1u)) continue;
            if (points_in(Kinds{1} << spread.kind[j]) != points) continue;
            const Steps both = 1u << step | 1u << below, beside = both << 1 | both >> 1;
            const bool alone = !(pairs & beside) && !(crowded && ((both >> order.crowded[suit]) & 1u));
            if (below == step || !paired || alone) spread.twin[i] = static_cast<uint8_t>(j);
        }
    }
}

// A pile of a seat's hand, spread; with twins or without.
RENEGE_CALLED Spread spread_out(const Order& order, const Ladder& ladder, const Table& table, uint32_t seat,
                                const Pile& pile, bool merge) {
    Spread spread;
    spread.count = 0;
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const uint32_t first = spread.count;
        const Kinds own = pile.once & order.own[suit];
        if (!own) continue;
        spread_suit(ladder, own, spread);
        for (uint32_t i = first; i < spread.count; ++i) {
            spread.copies[i] = static_cast<uint8_t>(1u + ((pile.twice >> spread.kind[i]) & 1u));
            spread.twin[i] = NO_TWIN;
        }
        if (merge && spread.count > first + 1u) find_twins(order, table, seat, suit, first, spread);
    }
    return spread;
}

// Lists every pile of so many cards, together with those that `must` go; how many there are.
RENEGE_CALLED uint32_t list_picks(const Spread& from, uint32_t size, const Pile& must, Pile* out) {
    uint8_t taken[MOST_HELD], rest[MOST_HELD + 1];
    rest[from.count] = 0;
    for (uint32_t i = from.count; i-- > 0;) rest[i] = static_cast<uint8_t>(rest[i + 1] + from.copies[i]);
    uint32_t i = 0, need = size, found = 0;
    Pile pile = must;
    for (bool back = false;;) {
        if (!back && !need) {
            out[found++] = pile;
            back = true;
        }
        if (!back) {
            uint32_t most = from.copies[i] < need ? from.copies[i] : need;
            if (from.twin[i] != NO_TWIN && taken[from.twin[i]] < most) most = taken[from.twin[i]];
            taken[i] = static_cast<uint8_t>(most);
        } else {
            if (i == 0) return found;
            const Kinds kind = Kinds{1} << from.kind[--i];
            need += taken[i];
            pile = {pile.once & ~kind, pile.twice & ~kind};
            if (!taken[i]) continue;
            --taken[i];
        }
        back = need > taken[i] + uint32_t{rest[i + 1]};  // not enough is left
        if (back) continue;
        const Kinds kind = Kinds{1} << from.kind[i];
        pile.once |= taken[i] ? kind : 0u;
        pile.twice |= taken[i] > 1 ? kind : 0u;
        need -= taken[i++];
    }
}

// Every legal follow of the seat to move.
RENEGE_CALLED uint32_t list_follows(const Order& order, const Packing& packing, const House& house,
                                    const Ladder& ladder, const Table& table, bool merge, Pile* out) {
    const uint32_t seat = to_move(table), led = table.led.cards;
    const Pile& hand = table.hand[seat];
    const Pile own = only(hand, order.own[table.suit]);
    const uint32_t held = size(own);
    if (held == led) {
        out[0] = own;
        return 1;
    }
    if (held < led) {
        const Pile others = only(hand, ~order.own[table.suit]);
        return list_picks(spread_out(order, ladder, table, seat, others, merge), led - held, own, out);
    }
    const uint32_t listed = list_picks(spread_out(order, ladder, table, seat, own, merge), led, {0, 0}, out);
    if (!table.play[0].twice || !own.twice) return listed;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < listed; ++i) {
        const Duty broken = judge_follow(order, packing, house, table.play[0], hand, out[i]);
        if (broken == Duty::NONE) out[kept++] = out[i];
    }
    return kept;
}

// Every legal lead, throws that will be stopped included unless such are refused. `unseen` matters where throws must be
// proved.
RENEGE_APART uint32_t list_all_leads(const Order& order, const Packing& packing, const House& house,
                                     const Ladder& ladder, const Table& table, const Unseen& unseen, Pile* out) {
    uint32_t found = 0;
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const Pile own = only(table.hand[table.leader], order.own[suit]);
        const Spread spread = spread_out(order, ladder, table, table.leader, own, false);
        for (uint32_t cards = 1; cards <= size(own); ++cards) {
            const uint32_t listed = list_picks(spread, cards, {0, 0}, out + found);
            uint32_t kept = found;
            for (uint32_t i = found; i < found + listed; ++i) {
                Pile unit;
                if (!may_lead(order, packing, house, unseen, out[i])) continue;
                if (house.stop == Stop::REFUSED && stopped(order, packing, house, table, table.leader, out[i], unit)) {
                    continue;
                }
                out[kept++] = out[i];
            }
            found = kept;
        }
    }
    return found;
}

// The cards of one suit that a throw that stands may hold: singles that nobody beats, and pairs that nobody beats or
// that may be part of a run.
RENEGE_CALLED Pile safe_in(const Order& order, const Rivals& rivals, uint32_t suit, const Pile& own) {
    const uint32_t single = highest_among(order, rivals, suit, 0), pair = highest_among(order, rivals, suit, 1);
    const Steps pairs = steps_of(order, suit, own.twice);
    Pile safe = {0, 0};
    for (Kinds rest = own.once; rest; rest &= rest - 1) {
        const Kinds kind = rest & (0u - rest);
        const Steps step = steps_of(order, suit, kind);
        const uint32_t top = lowest_bit(step) + 1u;
        const bool both = (own.twice & kind) && (top >= pair || (pairs & (step << 1 | step >> 1)));
        if (both || top >= single) safe.once |= kind;
        if (both) safe.twice |= kind;
    }
    return safe;
}

// The units of one suit: singles, pairs and runs. On a crowded step a run takes the first pair.
RENEGE_CALLED uint32_t list_units(const Pile& own, const Spread& spread, Pile* out) {
    uint32_t found = list_picks(spread, 1, {0, 0}, out);
    Steps steps = 0;
    Kinds on[STEPS + 1];
    for (uint32_t i = spread.count; i-- > 0;) {  // downwards, so that the first on a step stays
        if (spread.copies[i] < 2) continue;
        const Kinds kind = Kinds{1} << spread.kind[i];
        const uint32_t step = spread.step[i];
        if (spread.twin[i] == NO_TWIN) out[found++] = {kind, kind};
        steps |= 1u << step;
        on[step] = kind;
    }
    if (!own.twice) return found;
    for (uint32_t length = 2; Steps bottoms = bottoms_of(steps, length); ++length) {
        for (; bottoms; bottoms &= bottoms - 1) {
            Kinds run = 0;
            for (uint32_t i = 0; i < length; ++i) run |= on[lowest_bit(bottoms) + i];
            out[found++] = {run, run};
        }
    }
    return found;
}

// One lead for each class: every unit, and every throw that stands. What a stopped throw comes to is among the units.
// Where throws must be proved it matters which cards were seen: there is no such class.
RENEGE_CALLED uint32_t list_leads(const Order& order, const Packing& packing, const House& house, const Ladder& ladder,
                                  const Table& table, Pile* out) {
    uint32_t found = 0;
    const uint32_t seat = table.leader;
    const Rivals rivals = rivals_of(house, table, seat);
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const Pile own = only(table.hand[seat], order.own[suit]);
        if (!own.once) continue;
        found += list_units(own, spread_out(order, ladder, table, seat, own, true), out + found);
        if (size(own) < 2 || (suit == order.trump && !house.trump_throws)) continue;
        const Pile safe = safe_in(order, rivals, suit, own);
        if (size(safe) < 2) continue;
        const Spread spread = spread_out(order, ladder, table, seat, safe, true);
        for (uint32_t cards = 2; cards <= size(safe); ++cards) {
            const uint32_t listed = list_picks(spread, cards, {0, 0}, out + found);
            uint32_t kept = found;
            for (uint32_t i = found; i < found + listed; ++i) {
                Pile unit;
                const Led led = read_lead(order, packing, suit, out[i]);
                if (led.throws && !is_beaten(order, packing, rivals, suit, led, out[i], unit)) out[kept++] = out[i];
            }
            found = kept;
        }
    }
    return found;
}

}  // namespace renege::tractor
