// What is a round of Tractor worth when all hands lie open and everybody plays as well as possible?
//
// Value: the points that the attackers still win, those of the trick on the table included, and the kitty times its
// multiplier if the last trick is theirs. One search asks "do the attackers come to `target`?" and comes back with a
// bound that is as good as it found (fail-soft alpha-beta with an empty window); asking again, halfway between the
// bounds, ends at the value. What is found between two tricks is remembered as bounds of the points to come. A search
// that is cut off says nothing, and what earlier searches proved stays.
#pragma once

#include <renege/tractor/search.hpp>

namespace renege::tractor::solver {

RENEGE_FN int32_t lying_points(const Table& table, uint32_t count) {
    int32_t points = 0;
    for (uint32_t i = 0; i < count; ++i) points += points_of(table.play[i]);
    return points;
}

// The most that the kitty can come to: no last lead has a longer unit, more pairs or more cards than some hand has.
RENEGE_CALLED int32_t most_for_kitty(const Order& order, const House& house, const Table& table) {
    if (!table.kitty) return 0;
    Led led = {0, 0, 0, 0, 1, false};
    if (table.lying && size(table.hand[to_move(table)]) == table.led.cards) led = table.led;
    for (const Pile& hand : table.hand) {
        if (size(hand) > led.cards) led.cards = size(hand);
        for (uint32_t suit = 0; suit < SUITS && hand.twice; ++suit) {
            const Kinds twice = hand.twice & order.own[suit];
            const Steps steps = steps_of(order, suit, twice);
            uint32_t longest = 0;
            for (Steps runs = steps; runs; runs &= runs >> 1) ++longest;
            if (longest > led.longest) led.longest = longest;
            if (count_bits64(twice) > led.pairs) led.pairs = count_bits64(twice);
        }
    }
    return table.kitty * multiplier(house, led);
}

// Points of up to so many of these kinds, the dearest taken.
RENEGE_FN int32_t dearest(Kinds kinds, uint32_t most) {
    const uint32_t tens = count_bits64(kinds & TENS), fives = count_bits64(kinds & FIVES);
    if (tens >= most) return static_cast<int32_t>(10u * most);
    return static_cast<int32_t>(10u * tens + 5u * (fives < most - tens ? fives : most - tens));
}

struct Sure {
    uint32_t cards;
    int32_t points;
};

// Cards with which the leader wins one by one, whatever the others do, and their points: the highest trumps, and of the
// other suits the highest of one while everybody follows, or of all once nobody else has a trump.
RENEGE_CALLED Sure sure_leads(const Search& search, const Table& table) {
    const Order& order = search.order;
    const Pile& hand = table.hand[table.leader];
    const Rivals rivals = others(table, table.leader);
    Sure all = {0, 0}, best = {0, 0};
    bool trumps = false;
    for (uint32_t i = 1; i < SEATS; ++i) {
        trumps |= (table.hand[(table.leader + i) & 3u].once & order.own[order.trump]) != 0;
    }
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const Pile own = only(hand, order.own[suit]);
        if (!own.once) continue;
        uint32_t followed = HAND;
        for (uint32_t i = 1; i < SEATS && trumps && suit != order.trump; ++i) {
            const Pile& other = table.hand[(table.leader + i) & 3u];
            const uint32_t cards = size(only(other, order.own[suit]));
            if ((other.once & order.own[order.trump]) && cards < followed) followed = cards;
        }
        if (!followed) continue;
        const uint32_t top = highest_among(order, rivals, suit, 0);
        Pile high = {0, 0};
        for (Kinds rest = own.once; rest; rest &= rest - 1) {
            const Kinds kind = rest & (0u - rest);
            if (search.ladder.step[lowest_bit64(rest)] + 1u < top) continue;
            high = {high.once | kind, high.twice | (kind & own.twice)};
        }
        const uint32_t cards = size(high);
        if (cards <= followed && (!trumps || suit == order.trump)) {
            all = {all.cards + cards, all.points + points_of(high)};
            continue;
        }
        const Sure these = {cards < followed ? cards : followed,
                            cards <= followed ? points_of(high) : dearest(high.once, followed)};
        if (these.points > best.points || (these.points == best.points && these.cards > best.cards)) best = these;
    }
    return {all.cards + best.cards, all.points + best.points};
}

// Everybody has one card.
RENEGE_FN int32_t last_trick(const Search& search, const Frame& frame) {
    Table table = frame.table;
    lay_lead(search.order, search.packing, table, table.hand[table.leader]);
    while (table.lying) lay_follow(search.order, search.packing, search.house, table, table.hand[to_move(table)]);
    return table.attackers - frame.table.attackers;
}

// What can be said between two tricks about the points to come, without a search.
RENEGE_CALLED Bounds known(const Search& search, Frame& frame) {
    const Table& table = frame.table;
    const Pile& hand = table.hand[table.leader];
    frame.good = 0;
    if (!hand.once) return {0, 0};
    if (!hand.twice && !(hand.once & (hand.once - 1))) {
        const int32_t value = last_trick(search, frame);
        return {value, value};
    }
    Bounds bounds = {0, frame.left + most_for_kitty(search.order, search.house, table)};
    const Sure sure = sure_leads(search, table);
    const bool takes_all = sure.cards == size(hand);
    if (attacks(table, table.leader)) {
        bounds.lower = takes_all ? frame.left + 2 * table.kitty : sure.points;  // any last lead doubles the kitty
    } else {
        bounds.upper = takes_all ? 0 : bounds.upper - sure.points;
    }
    if (bounds.lower >= bounds.upper || !remembers(search)) return bounds;
    frame.name = proves(search) ? full_name(table, frame.held, frame.voids)
                                : name_of(search.order, search.roster, table, frame.held);
    const Slot& slot = slot_of(search.memory, frame.name);
    if (slot.round != search.round || !same(slot.name, frame.name)) return bounds;
    frame.good = at_places(frame.held & search.roster.of[table.leader], slot.good);
    if (slot.lower > bounds.lower) bounds.lower = slot.lower;
    if (slot.upper < bounds.upper) bounds.upper = slot.upper;
    return bounds;
}

// Remembers what a search between two tricks has shown.
RENEGE_FN void remember(const Search& search, const Frame& frame, int32_t target) {
    if (!remembers(search)) return;
    Slot& slot = slot_of(search.memory, frame.name);
    const uint32_t seat = frame.table.leader;
    const int32_t value = frame.value - frame.table.attackers;
    if (slot.round != search.round || !same(slot.name, frame.name)) {
        slot = {frame.name, 0, 0x3FFFFFFF, search.round, places_of(frame.held & search.roster.of[seat], frame.good)};
    }
    const bool yes = frame.value >= target;
    if (yes && value > slot.lower) slot.lower = value;
    if (!yes && value < slot.upper) slot.upper = value;
    if (yes != frame.attacker) return;
    const Held good = bits_of(search.roster, seat, frame.table.hand[seat], search.room[frame.next - 1]);
    slot.good = places_of(frame.held & search.roster.of[seat], good);
}

// One play for each class of those that the rest of the round cannot tell apart.
RENEGE_CALLED uint32_t list_classes(const Search& search, const Frame& frame, Pile* plays) {
    const Table& table = frame.table;
    if (table.lying) {
        return list_follows(search.order, search.packing, search.house, search.ladder, table, !proves(search), plays);
    }
    if (!proves(search)) return list_leads(search.order, search.packing, search.house, search.ladder, table, plays);
    const Unseen unseen = unseen_in(search, frame);
    return list_all_leads(search.order, search.packing, search.house, search.ladder, table, unseen, plays);
}

// Lists the plays of a frame, the most promising first.
template <uint32_t HELD>
RENEGE_CALLED void list_plays(const Search& search, Frame& frame) {
    const Table& table = frame.table;
    const uint32_t seat = to_move(table);
    Pile* const plays = search.room + frame.first;
    const uint32_t count = list_classes(search, frame, plays);
    frame.next = frame.first;
    frame.end = frame.first + count;
    frame.attacker = attacks(table, seat);
    frame.value = frame.attacker ? -1 : 0x3FFFFFFF;
    if (count < 2) return;
    const bool ours = table.lying && attacks(table, table.winning) == frame.attacker;
    const bool stays = ours && !foe_beats(search, table, seat, table.suit, table.led, table.strength);
    int32_t scores[1u << HELD];
    for (uint32_t i = 0; i < count; ++i) {
        const Pile play = plays[i];
        const int32_t score =
            table.lying ? follow_score(search, frame, play, ours, stays) : lead_score(search, frame, play);
        uint32_t place = i;
        for (; place > 0 && scores[place - 1] < score; --place) {
            scores[place] = scores[place - 1];
            plays[place] = plays[place - 1];
        }
        scores[place] = score;
        plays[place] = play;
    }
}

// The table after a play, which is no stopped throw. Who cannot follow shows a void.
RENEGE_FN void lay(const Search& search, const Frame& from, const Pile& play, Frame& to) {
    const uint32_t seat = to_move(from.table);
    to.table = from.table;
    to.left = from.left;
    to.first = from.end;
    to.held = from.held & ~bits_of(search.roster, seat, from.table.hand[seat], play);
    to.voids = from.voids;
    if (proves(search) && from.table.lying) to.voids |= shown_void(search.order, from.table, play) << (8u * seat);
    if (!from.table.lying) return lay_lead(search.order, search.packing, to.table, play);
    lay_follow(search.order, search.packing, search.house, to.table, play);
    if (!to.table.lying) to.left -= lying_points(to.table, SEATS);
}

// Nodes or time have run out. A search that was stopped stays so: its nodes do not move on to the next look.
RENEGE_FN bool spent(Search& search) {
    const Limits& limits = search.limits;
    if (search.nodes >= limits.most_nodes) return true;
    if (limits.stop && !(search.nodes % POLLED) && limits.stop(limits.asked)) return true;
    ++search.nodes;
    return false;
}

// What the attackers come to, by bounds of the points to come. Those who are in debt pay it from their tricks: not from
// the kitty, and not with what they do not have.
RENEGE_FN Bounds in_the_end(const Table& table, const Bounds& to_come) {
    const int32_t had = table.attackers, lower = had + to_come.lower;
    return {lower < 0 ? 0 : lower, had < 0 ? to_come.upper : had + to_come.upper};
}

// Do the attackers come to `target`? Yes if the value is at least that; then it is a lower bound, else an upper one.
// False if the search was cut off.
template <uint32_t HELD>
RENEGE_FN bool ask(Search& search, Frame* frames, int32_t target, int32_t& value) {
    uint32_t depth = 0;
    for (bool arrived = true;;) {
        Frame& frame = frames[depth];
        if (arrived) list_plays<HELD>(search, frame);
        const bool decided = frame.attacker ? frame.value >= target : frame.value < target;
        arrived = false;
        if (decided || frame.next == frame.end) {
            if (!frame.table.lying) remember(search, frame, target);
            value = frame.value;
            if (depth == 0) return true;
            --depth;
        } else {
            if (spent(search)) return false;
            Frame& to = frames[depth + 1];
            lay(search, frame, search.room[frame.next++], to);
            arrived = true;
            if (!to.table.lying) {
                const Bounds bounds = in_the_end(to.table, known(search, to));
                arrived = bounds.lower < target && bounds.upper >= target;
                value = bounds.lower >= target ? bounds.lower : bounds.upper;
            }
            if (arrived) {
                ++depth;
                continue;
            }
        }
        Frame& parent = frames[depth];
        if (parent.attacker ? value > parent.value : value < parent.value) parent.value = value;
    }
}

// Asks until the bounds meet, or until the search is cut off. Bounds are what the attackers come to in the end.
template <uint32_t HELD>
RENEGE_FN Bounds narrow(Search& search, const Frame& root) {
    Frame frames[SEATS * HELD + 1];
    frames[0] = root;
    const int32_t had = root.table.attackers;
    search.in_debt = had < 0;
    Bounds bounds = {0, root.left + most_for_kitty(search.order, search.house, root.table)};
    if (!root.table.lying) bounds = known(search, frames[0]);
    bounds = in_the_end(root.table, bounds);
    const int32_t grain = search.in_debt ? 1 : GRAIN;
    while (bounds.lower < bounds.upper) {
        const int32_t tricks = had + root.left;  // the kitty multiplies so high that halves would be far from likely
        const int32_t most = bounds.lower < tricks && tricks < bounds.upper ? tricks : bounds.upper;
        const int32_t target = bounds.lower + grain * (((most - bounds.lower) / grain + 1) / 2);
        int32_t value = 0;
        if (!ask<HELD>(search, frames, target, value)) break;
        (value >= target ? bounds.lower : bounds.upper) = value;
    }
    return bounds;
}

// The first frame; what was known of other rounds is forgotten.
RENEGE_CALLED Frame start(Search& search, const Table& table, const Seen& seen, const Pile& buried) {
    Frame root = {};
    root.table = table;
    search.past = {seen, buried, {table.hand[0], table.hand[1], table.hand[2], table.hand[3]}};
    for (uint32_t seat = 0; seat < SEATS; ++seat) root.voids |= uint32_t{seen.voids[seat]} << (8u * seat);
    root.left = lying_points(table, table.lying);
    for (const Pile& hand : table.hand) root.left += points_of(hand);
    ++search.round;
    set_up(search.order, search.ladder);
    for (uint32_t kind = 0; kind < KINDS; ++kind) {
        const bool trump = search.order.led_suit[kind] == search.order.trump;
        search.dear[kind] = static_cast<uint8_t>(search.ladder.step[kind] + (trump ? 12u : 0u));
    }
    root.held = enrol(search.order, search.ladder, table, search.roster);
    return root;
}

// The value of a round: points that the attackers still win. The kitty's are a multiple of GRAIN, as all are. What was
// seen, and what the banker buried, matters where throws must be proved.
template <uint32_t HELD = MOST_HELD>
RENEGE_FN Bounds solve(Search& search, const Table& table, const Seen& seen, const Pile& buried) {
    const Frame root = start(search, table, seen, buried);
    if (is_over(table)) return {0, 0};
    const Bounds bounds = narrow<HELD>(search, root);
    return {bounds.lower - table.attackers, bounds.upper - table.attackers};
}

// The value of every legal play, in the order listed; how many there are. A throw that is stopped is worth what it
// comes to, less what it costs. `plays` and `values` have room for MOST_PLAYS.
RENEGE_FN uint32_t solve_plays(Search& search, const Table& table, const Seen& seen, const Pile& buried, Pile* plays,
                               Bounds* values) {
    Frame root = start(search, table, seen, buried);
    if (is_over(table)) return 0;
    const uint32_t count = table.lying
        ? list_follows(search.order, search.packing, search.house, search.ladder, table, false, plays)
        : list_all_leads(search.order, search.packing, search.house, search.ladder, table, unseen_in(search, root), plays);
    for (uint32_t i = 0; i < count; ++i) {
        Frame from = root;
        Pile landed = plays[i];
        if (!table.lying && stopped(search.order, search.packing, search.house, table, table.leader, plays[i], landed)) {
            from.table.attackers += fine(search.house, table, table.leader);
        }
        Frame to = {};
        lay(search, from, landed, to);
        to.first = 0;
        const Bounds bounds = narrow<MOST_HELD>(search, to);
        values[i] = {bounds.lower - table.attackers, bounds.upper - table.attackers};
    }
    return count;
}

}  // namespace renege::tractor::solver
