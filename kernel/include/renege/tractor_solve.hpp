// What is a round of Tractor worth when all hands lie open and everybody plays as well as possible?
//
// Value: the points that the attackers still win, those of the trick on the table included, and the kitty times its
// multiplier if the last trick is theirs. One search asks "do the attackers come to `target`?" and comes back with a
// bound that is as good as it found (fail-soft alpha-beta with an empty window); asking again, halfway between the
// bounds, ends at the value. What is found between two tricks is remembered as bounds of the points to come. A search
// that is cut off says nothing, and what earlier searches proved stays.
#pragma once

#include "tractor_plays.hpp"

namespace renege::tractor::solver {

// Room for all plays that are listed on one line of play: at most 2^n leads and three times n over n/2 follows of n
// cards a hand, then of fewer.
constexpr uint32_t ROOM = 4 * MOST_PLAYS;
constexpr uint32_t MOST_DEPTH = SEATS * MOST_HELD + 1;
constexpr int32_t GRAIN = 5;  // every value is a multiple of it
constexpr uint32_t POLLED = 1024;

// Between two tricks: every card that was held at the start has a bit, in the order of suits (trumps first), steps,
// seats and kinds; a second copy has the bit above. `Held` says which are left.
using Held = uint64_t;

// What of that matters, exactly: the cards that are left in this order, six bits each, as seat, points, and how a card
// stands to the one before it. So rounds that differ only in gaps between steps, where no run can tell, are one.
constexpr uint32_t WORDS = 5;
constexpr uint32_t IN_WORD = 10;
enum class Next : uint8_t { COPY = 0, BESIDE = 1, ABOVE = 2, BEYOND = 3, NEW_SUIT = 4 };

struct Name {
    uint64_t words[WORDS];
};

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
    Name name;       // between two tricks
    Held held;
    int32_t left;   // points still to be won, the kitty's aside
    int32_t value;  // the best found so far: what the attackers come to in the end
    uint32_t first, next, end;  // of its plays
    Held good;  // a lead that was good before
    bool attacker;
};

struct Search {
    const Order& order;
    const Packing& packing;
    House house;
    Memory memory;
    Limits limits;
    Pile* room;  // for ROOM of them
    uint64_t nodes;
    uint32_t round;             // of those solved with this memory
    uint8_t bit[SEATS][KINDS];  // of a kind in a hand
    uint8_t code[SEATS * MOST_HELD];   // of a bit: 1 + seat + 4 * points class
    uint16_t place[SEATS * MOST_HELD]; // of a bit: suit and step
    Held copies;                // bits of second copies
    Held of[SEATS];             // bits of a hand
};

RENEGE_FN Slot& slot_of(const Memory& memory, const Name& name) {
    uint64_t mix = 0;
    for (const uint64_t word : name.words) {
        mix = (mix ^ word) * 0x9E3779B97F4A7C15ull;
        mix ^= mix >> 29;
    }
    return memory.slots[static_cast<uint32_t>(mix >> 20) & (memory.count - 1u)];
}

RENEGE_FN bool same(const Name& a, const Name& b) {
    uint64_t differs = 0;
    for (uint32_t i = 0; i < WORDS; ++i) differs |= a.words[i] ^ b.words[i];
    return !differs;
}

// In which suits has a hand two pairs or more, so that it matters whether steps are neighbours?
RENEGE_FN uint32_t suits_with_runs(const Order& order, const Table& table) {
    uint32_t suits = 0;
    for (const Pile& hand : table.hand) {
        if (!(hand.twice & (hand.twice - 1))) continue;
        for (uint32_t suit = 0; suit < SUITS; ++suit) {
            const Kinds pairs = hand.twice & order.own[suit];
            if (pairs & (pairs - 1)) suits |= 1u << suit;
        }
    }
    return suits;
}

RENEGE_FN Name name_of(const Search& search, const Table& table, Held held) {
    Name name = {};
    const uint32_t tight = suits_with_runs(search.order, table);
    uint32_t before = 0xFFFF, word = 0, shift = 0;
    const bool trumps = held && search.place[lowest_bit64(held)] >> 5 == search.order.trump;
    for (; held; held &= held - 1) {
        const uint32_t bit = lowest_bit64(held), place = search.place[bit], suit = place >> 5;
        Next next = Next::BEYOND;
        if (before >> 5 != suit) next = Next::NEW_SUIT;
        else if ((search.copies >> bit) & 1u) next = Next::COPY;
        else if (place == before) next = Next::BESIDE;
        else if (place == before + 1u && ((tight >> suit) & 1u)) next = Next::ABOVE;
        before = place;
        name.words[word] |= uint64_t{search.code[bit] + 12u * static_cast<uint32_t>(next)} << shift;
        shift += 6;
        if (shift == 6 * IN_WORD) {
            shift = 0;
            ++word;
        }
    }
    name.words[0] |= uint64_t{table.leader} << 60 | uint64_t{trumps} << 62;
    return name;
}

// Some of a hand's cards by their places in it, and back.
RENEGE_FN uint32_t places_of(Held hand, Held some) {
    uint32_t places = 0;
    for (uint32_t i = 0; hand; hand &= hand - 1, ++i) places |= ((some & hand & (0u - hand)) ? 1u : 0u) << i;
    return places;
}

RENEGE_FN Held at_places(Held hand, uint32_t places) {
    Held some = 0;
    for (; hand; hand &= hand - 1, places >>= 1) some |= places & 1u ? hand & (0u - hand) : 0u;
    return some;
}

// The bits of some cards of a hand. Of two copies the upper bit goes first.
RENEGE_FN Held bits_of(const Search& search, uint32_t seat, const Pile& hand, const Pile& play) {
    Held bits = 0;
    for (Kinds rest = play.once; rest; rest &= rest - 1) {
        const uint32_t kind = lowest_bit64(rest), at = search.bit[seat][kind];
        const bool had_two = (hand.twice >> kind) & 1u, plays_two = (play.twice >> kind) & 1u;
        bits |= (plays_two ? 3ull : had_two ? 2ull : 1ull) << at;
    }
    return bits;
}

RENEGE_FN int32_t lying_points(const Table& table, uint32_t count) {
    int32_t points = 0;
    for (uint32_t i = 0; i < count; ++i) points += points_of(table.play[i]);
    return points;
}

// The most that the kitty can come to: no last lead has a longer unit, or more pairs, than some hand has.
RENEGE_FN int32_t most_for_kitty(const Order& order, const House& house, const Table& table) {
    if (!table.kitty) return 0;
    Led led = {0, 0, 0, 0, 1, false};
    if (table.lying && size(table.hand[to_move(table)]) == table.led.cards) led = table.led;
    for (const Pile& hand : table.hand) {
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
RENEGE_FN Sure sure_leads(const Order& order, const Table& table) {
    const Pile& hand = table.hand[table.leader];
    Sure all = {0, 0}, best = {0, 0};
    bool trumps = false;
    for (uint32_t i = 1; i < SEATS; ++i) trumps |= (table.hand[(table.leader + i) & 3u].once & order.own[order.trump]) != 0;
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
        const uint32_t top = highest_elsewhere(order, table, table.leader, suit, 0);
        Pile high = {0, 0};
        for (Kinds rest = own.once; rest; rest &= rest - 1) {
            const Kinds kind = rest & (0u - rest);
            if (lowest_bit(steps_of(order, suit, kind)) + 1u >= top) high = {high.once | kind, high.twice | (kind & own.twice)};
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
RENEGE_FN Bounds known(const Search& search, Frame& frame) {
    const Table& table = frame.table;
    const Pile& hand = table.hand[table.leader];
    frame.good = 0;
    if (!hand.once) return {0, 0};
    if (!hand.twice && !(hand.once & (hand.once - 1))) {
        const int32_t value = last_trick(search, frame);
        return {value, value};
    }
    Bounds bounds = {0, frame.left + most_for_kitty(search.order, search.house, table)};
    const Sure sure = sure_leads(search.order, table);
    const bool takes_all = sure.cards == size(hand);
    if (attacks(table, table.leader)) {
        bounds.lower = takes_all ? frame.left + 2 * table.kitty : sure.points;  // any last lead doubles the kitty
    } else {
        bounds.upper = takes_all ? 0 : bounds.upper - sure.points;
    }
    if (bounds.lower >= bounds.upper || !search.memory.count) return bounds;
    frame.name = name_of(search, table, frame.held);
    const Slot& slot = slot_of(search.memory, frame.name);
    if (slot.round != search.round || !same(slot.name, frame.name)) return bounds;
    frame.good = at_places(frame.held & search.of[table.leader], slot.good);
    if (slot.lower > bounds.lower) bounds.lower = slot.lower;
    if (slot.upper < bounds.upper) bounds.upper = slot.upper;
    return bounds;
}

// Remembers what a search between two tricks has shown.
RENEGE_FN void remember(const Search& search, const Frame& frame, int32_t target) {
    if (!search.memory.count) return;
    Slot& slot = slot_of(search.memory, frame.name);
    const uint32_t seat = frame.table.leader;
    const int32_t value = frame.value - frame.table.attackers;
    if (slot.round != search.round || !same(slot.name, frame.name)) {
        slot = {frame.name, 0, 0x3FFFFFFF, search.round, places_of(frame.held & search.of[seat], frame.good)};
    }
    const bool yes = frame.value >= target;
    if (yes && value > slot.lower) slot.lower = value;
    if (!yes && value < slot.upper) slot.upper = value;
    if (yes != frame.attacker) return;
    const Held good = bits_of(search, seat, frame.table.hand[seat], search.room[frame.next - 1]);
    slot.good = places_of(frame.held & search.of[seat], good);
}

// May a hand beat what wins so far, if all its cards were free to go? It need not be exact: it orders plays.
RENEGE_FN bool may_beat(const Order& order, const Pile& hand, uint32_t suit, const Led& led, uint32_t strength) {
    const Pile own = only(hand, order.own[suit]), trumps = only(hand, order.own[order.trump]);
    const Pile& used = own.once ? own : trumps;
    if (own.once && (led.throws || strength > 32u)) return false;
    if (size(used) < led.cards || count_bits64(used.twice) < led.pairs) return false;
    const Steps steps = steps_of(order, own.once ? suit : order.trump, led.longest ? used.twice : used.once);
    return highest_bit(steps) + 1u + (own.once ? 0u : 32u) > strength;
}

RENEGE_FN bool foe_beats(const Search& search, const Table& table, uint32_t seat, uint32_t suit, const Led& led,
                         uint32_t strength) {
    for (uint32_t i = 1; i < SEATS - table.lying; i += 2) {
        if (may_beat(search.order, table.hand[(seat + i) & 3u], suit, led, strength)) return true;
    }
    return false;
}

// How dear a pile is to its hand: high cards, trumps, and pairs that would be torn apart.
RENEGE_FN int32_t dearness(const Search& search, const Pile& hand, const Pile& play) {
    const Order& order = search.order;
    int32_t sum = 8 * static_cast<int32_t>(count_bits64(play.once & hand.twice & ~play.twice));
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const Kinds kinds = play.once & order.own[suit];
        if (!kinds) continue;
        for (Steps steps = steps_of(order, suit, kinds); steps; steps &= steps - 1) {
            sum += static_cast<int32_t>(lowest_bit(steps) + (suit == order.trump ? 12u : 0u));
        }
    }
    return sum;
}

// How soon a lead is tried: what nobody on the other side beats, then what costs little.
RENEGE_FN int32_t lead_score(const Search& search, const Frame& frame, const Pile& lead) {
    const Table& table = frame.table;
    const uint32_t seat = table.leader, suit = search.order.led_suit[lowest_bit64(lead.once)];
    if (frame.good && bits_of(search, seat, table.hand[seat], lead) == frame.good) return 10000;
    const Led led = read_lead(search.order, search.packing, suit, lead);
    const uint32_t top = top_step(search.order, search.packing, suit, lead, led);
    const int32_t points = points_of(lead), cards = static_cast<int32_t>(led.cards);
    if (!foe_beats(search, table, seat, suit, led, top)) return 400 + points + 40 * cards;
    const Pile& partner = table.hand[(seat + 2) & 3u];
    const bool helped = may_beat(search.order, partner, suit, led, top);
    return (helped ? 150 : 100) - 4 * points - dearness(search, table.hand[seat], lead) / 2;
}

// How soon a follow is tried: points where the trick goes to the own side, else a cheap one.
RENEGE_FN int32_t follow_score(const Search& search, const Frame& frame, const Pile& play, bool ours, bool stays) {
    const Table& table = frame.table;
    const uint32_t seat = to_move(table);
    const int32_t points = points_of(play), dear = dearness(search, table.hand[seat], play);
    const uint32_t strength = strength_of(search.order, search.packing, table, play);
    if (strength > table.strength) {
        const bool safe = !foe_beats(search, table, seat, table.suit, table.led, strength);
        return safe ? 400 + 4 * points - dear : 150 - points - dear / 2;
    }
    if (ours) return stays ? 420 + 4 * points - dear : 200 - points - dear;
    return 100 - 4 * points - dear;
}

// Lists the plays of a frame, the most promising first.
RENEGE_FN void list_plays(const Search& search, Frame& frame) {
    const Table& table = frame.table;
    const uint32_t seat = to_move(table);
    Pile* const plays = search.room + frame.first;
    const uint32_t count = table.lying
        ? list_follows(search.order, search.packing, search.house, table, true, plays)
        : list_leads(search.order, search.packing, search.house, table, plays);
    frame.next = frame.first;
    frame.end = frame.first + count;
    frame.attacker = attacks(table, seat);
    frame.value = frame.attacker ? -1 : 0x3FFFFFFF;
    if (count < 2) return;
    const bool ours = table.lying && attacks(table, table.winning) == frame.attacker;
    const bool stays = ours && !foe_beats(search, table, seat, table.suit, table.led, table.strength);
    int32_t scores[MOST_PLAYS];
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

// The table after a play, which is no stopped throw.
RENEGE_FN void lay(const Search& search, const Frame& from, const Pile& play, Frame& to) {
    const uint32_t seat = to_move(from.table);
    to.table = from.table;
    to.left = from.left;
    to.first = from.end;
    to.held = from.held & ~bits_of(search, seat, from.table.hand[seat], play);
    if (!from.table.lying) return lay_lead(search.order, search.packing, to.table, play);
    lay_follow(search.order, search.packing, search.house, to.table, play);
    if (!to.table.lying) to.left -= lying_points(to.table, SEATS);
}

RENEGE_FN bool spent(Search& search) {
    if (search.nodes >= search.limits.most_nodes) return true;
    ++search.nodes;
    return search.limits.stop && !(search.nodes % POLLED) && search.limits.stop(search.limits.asked);
}

// Do the attackers come to `target`? Yes if the value is at least that; then it is a lower bound, else an upper one.
// False if the search was cut off.
RENEGE_FN bool ask(Search& search, Frame* frames, int32_t target, int32_t& value) {
    uint32_t depth = 0;
    list_plays(search, frames[0]);
    for (;;) {
        Frame& frame = frames[depth];
        const bool decided = frame.attacker ? frame.value >= target : frame.value < target;
        if ((decided && frame.next != frame.first) || frame.next == frame.end) {
            if (!frame.table.lying) remember(search, frame, target);
            value = frame.value;
            if (depth == 0) return true;
            --depth;
        } else {
            if (spent(search)) return false;
            Frame& to = frames[depth + 1];
            lay(search, frame, search.room[frame.next++], to);
            bool open = true;
            if (!to.table.lying) {
                const Bounds bounds = known(search, to);
                const int32_t lower = to.table.attackers + bounds.lower, upper = to.table.attackers + bounds.upper;
                open = lower < target && upper >= target;
                value = lower >= target ? lower : upper;
            }
            if (open) {
                ++depth;
                list_plays(search, to);
                continue;
            }
        }
        Frame& parent = frames[depth];
        if (parent.attacker ? value > parent.value : value < parent.value) parent.value = value;
    }
}

// Asks until the bounds meet, or until the search is cut off. Bounds are what the attackers come to in the end.
RENEGE_FN Bounds narrow(Search& search, const Frame& root) {
    Frame frames[MOST_DEPTH];
    frames[0] = root;
    const int32_t had = root.table.attackers;
    Bounds bounds = {0, root.left + most_for_kitty(search.order, search.house, root.table)};
    if (!root.table.lying) bounds = known(search, frames[0]);
    bounds = {bounds.lower + had, bounds.upper + had};
    while (bounds.lower < bounds.upper) {
        const int32_t without_kitty = had + root.left;  // it multiplies so high that halves would be far from likely
        const int32_t most = bounds.lower < without_kitty && without_kitty < bounds.upper ? without_kitty : bounds.upper;
        const int32_t target = bounds.lower + GRAIN * (((most - bounds.lower) / GRAIN + 1) / 2);
        int32_t value = 0;
        if (!ask(search, frames, target, value)) break;
        (value >= target ? bounds.lower : bounds.upper) = value;
    }
    return bounds;
}

// Gives the next bits to one kind of a hand.
RENEGE_FN void give_bits(Search& search, const Table& table, uint32_t seat, uint32_t kind, uint32_t place,
                         uint32_t& bit) {
    const uint32_t copies = 1u + ((table.hand[seat].twice >> kind) & 1u);
    const uint32_t worth = static_cast<uint32_t>(points_in(Kinds{1} << kind)) / 5u;
    search.bit[seat][kind] = static_cast<uint8_t>(bit);
    for (uint32_t i = 0; i < copies; ++i, ++bit) {
        search.code[bit] = static_cast<uint8_t>(1u + seat + SEATS * worth);
        search.place[bit] = static_cast<uint16_t>(place);
        search.copies |= Held{i} << bit;
        search.of[seat] |= Held{1} << bit;
    }
}

// Gives every card its bit, and forgets what was known of other rounds.
RENEGE_FN Frame start(Search& search, const Table& table) {
    Frame root = {};
    root.table = table;
    root.left = lying_points(table, table.lying);
    for (const Pile& hand : table.hand) root.left += points_of(hand);
    ++search.round;
    search.copies = 0;
    for (Held& of : search.of) of = 0;
    uint32_t bit = 0;
    for (uint32_t i = 0; i < SUITS; ++i) {
        const uint32_t suit = i == 0 ? search.order.trump : i <= search.order.trump ? i - 1u : i;
        for (uint32_t step = 0; step < STEPS; ++step) {
            for (uint32_t seat = 0; seat < SEATS; ++seat) {
                for (Kinds rest = table.hand[seat].once & search.order.own[suit]; rest; rest &= rest - 1) {
                    const uint32_t kind = lowest_bit64(rest);
                    if (step_of(search.order, suit, kind) != step) continue;
                    give_bits(search, table, seat, kind, suit << 5 | step, bit);
                }
            }
        }
    }
    root.held = (Held{1} << bit) - 1u;
    return root;
}

// The value of a round: points that the attackers still win.
RENEGE_FN Bounds solve(Search& search, const Table& table) {
    const Frame root = start(search, table);
    if (is_over(table)) return {0, 0};
    const Bounds bounds = narrow(search, root);
    return {bounds.lower - table.attackers, bounds.upper - table.attackers};
}

// The value of every legal play, in the order listed; how many there are. A throw that is stopped is worth what it
// comes to. `plays` and `values` have room for MOST_PLAYS.
RENEGE_FN uint32_t solve_plays(Search& search, const Table& table, Pile* plays, Bounds* values) {
    Frame root = start(search, table);
    if (is_over(table)) return 0;
    const uint32_t count = table.lying
        ? list_follows(search.order, search.packing, search.house, table, false, plays)
        : list_all_leads(search.order, search.packing, search.house, table, plays);
    for (uint32_t i = 0; i < count; ++i) {
        Pile landed = plays[i];
        if (!table.lying) stopped(search.order, search.packing, table, table.leader, plays[i], landed);
        Frame to = {};
        lay(search, root, landed, to);
        to.first = 0;
        const Bounds bounds = narrow(search, to);
        values[i] = {bounds.lower - table.attackers, bounds.upper - table.attackers};
    }
    return count;
}

}  // namespace renege::tractor::solver
