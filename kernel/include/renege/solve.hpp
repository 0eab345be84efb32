// What is a position worth when all hands lie open and everybody plays as well as possible?
//
// Value: the points that the seats in `takers` still win, those of the trick on the table and the points for tricks
// included. The seats in `maximisers` want it large, all others small; mostly that is the same mask. In nello the
// declarer is the taker and the others maximise: the declarer can lose every trick exactly if the value is 0.
//
// One search asks "do the takers get `target` more?" and comes back with a bound that is as good as it found (fail-soft
// alpha-beta with an empty window); asking again, halfway between the bounds, ends at the value. What is found at trick
// boundaries is remembered as bounds of the points to come, so each question uses the answers to the last. A search
// that runs into a limit says nothing, and what earlier searches proved stays.
#pragma once

#include "playout.hpp"
#include "sight.hpp"


namespace renege::solve {

constexpr uint32_t MOST_HELD = 10;  // cards of a hand: 32 among three seats, one fewer
constexpr int32_t BEYOND = 0x3FFF;  // more than any value

// Bounds at trick boundaries, a word each, the newer stays. The caller owns the slots; their number is a power of two,
// or 0 to do without.
//   bits 0-31 cards still held   32-33 leader   34-37 who has led the called suit   38-45 at least   46-53 at most
//        54-58 a good lead       63 in use
struct Memory {
    uint64_t* slots;
    uint32_t count;
};

constexpr uint64_t KEY = (1ull << 38) - 1;
constexpr uint64_t IN_USE = 1ull << 63;

RENEGE_FN uint64_t& slot_of(const Memory& memory, uint64_t key) {
    return memory.slots[static_cast<uint32_t>((key * 0x9E3779B97F4A7C15ull) >> 36) & (memory.count - 1u)];
}

struct Bounds {
    int32_t lower;
    int32_t upper;
};

struct Task {
    uint32_t takers;
    uint32_t maximisers;
    uint64_t most_nodes;
    bool merge;  // play only one of equivalent cards
    bool (*time_is_up)(const void* clock);  // asked before the first card and now and then; null where time is no matter
    const void* clock;
};

constexpr uint64_t ASK_CLOCK = 1024;  // nodes between two looks at the clock

// A seat to play, and the trick so far. Seats are closed up: those that play are 0, 1, 2 and perhaps 3.
struct Frame {
    uint8_t moves[MOST_HELD];
    uint8_t count, next;
    uint8_t seat, leader, lying, led, best_card, winning, led_called, good;
    int16_t target;   // what the takers must still get, for the answer to be yes
    int16_t left;     // all that is still to be won
    int16_t on_table; // points of the cards in this trick
    int16_t value;    // the best found so far
    int16_t gain;     // what the takers got by the card now tried
};

struct Search {
    const Order& order;
    const Sight& sight;
    Memory memory;
    Task task;  // its masks closed up too
    CardSet hand[MAX_SEATS];
    uint64_t nodes;
};

RENEGE_FN constexpr bool in(uint32_t mask, Seat seat) { return (mask >> seat) & 1u; }

RENEGE_FN CardSet all_held(const Search& search) {
    return search.hand[0] | search.hand[1] | search.hand[2] | search.hand[3];
}

RENEGE_FN uint64_t key_of(const Search& search, const Frame& frame) {
    const uint64_t leads = frame.leader | (static_cast<uint32_t>(frame.led_called) << 2);
    return all_held(search) | (leads << 32);
}

// Nodes or time have run out. A search that was stopped stays so: its nodes do not move on to the next look.
RENEGE_FN bool must_stop(const Task& task, uint64_t nodes) {
    if (nodes == task.most_nodes) return true;
    return task.time_is_up && nodes % ASK_CLOCK == 0 && task.time_is_up(task.clock);
}

// Cards with which the leader wins whatever the others do. They only lose cards, so it can lead these one by one.
template <Duty DUTY>
RENEGE_FN CardSet sure_leads(const Search& search, const Frame& frame) {
    if constexpr (DUTY == Duty::STRONGEST) return 0;
    const Order& order = search.order;
    const CardSet mine = search.hand[frame.leader], others = all_held(search) & ~mine;
    CardSet sure = 0, free = mine;
    if constexpr (DUTY == Duty::CALLED_ACE) {  // schafkopf.no-running may forbid the rest of the suit, never the ace
        const CardSet ace = mine & one(order.called);
        if (ace && !frame.led_called) free &= ~schafkopf::called_suit(order) | ace;
    }
    for (; free; free &= free - 1) {
        const Card card = lowest_bit(free);
        if (!(search.sight.above[order.led_suit[card]][card] & others)) sure |= one(card);
    }
    return sure;
}

// Everybody has one card: whoever wins it gets all that is left.
template <uint32_t SEATS>
RENEGE_FN Bounds last_trick(const Search& search, const Frame& frame) {
    Seat winning = frame.leader;
    Card best = lowest_bit(search.hand[winning]);
    const CardSet* above = search.sight.above[search.order.led_suit[best]];
    for (uint32_t i = 1; i < SEATS; ++i) {
        const Seat seat = around<SEATS>(frame.leader + i);
        if (!(above[best] & search.hand[seat])) continue;
        winning = seat;
        best = lowest_bit(search.hand[seat]);
    }
    const int32_t value = in(search.task.takers, winning) ? frame.left : 0;
    return {value, value};
}

// Points that a side gets however it is played: a card that none of the others can match, whatever is led, takes its
// trick or leaves it to a partner.
template <uint32_t SEATS>
RENEGE_FN int32_t forced(const Search& search, uint32_t side) {
    CardSet others = 0;
    for (Seat seat = 0; seat < SEATS; ++seat) others |= in(side, seat) ? 0u : search.hand[seat];
    int32_t points = 0, most = 0;
    for (Seat seat = 0; seat < SEATS; ++seat) {
        int32_t tricks = 0;
        for (CardSet rest = in(side, seat) ? search.hand[seat] & search.sight.strong : 0u; rest; rest &= rest - 1) {
            const Card card = lowest_bit(rest);
            if (search.sight.matched[card] & others) continue;
            points += search.order.points[card];
            ++tricks;
        }
        most = tricks > most ? tricks : most;
    }
    return points + most * search.order.trick_points;
}

// What is known of a table between two tricks without playing on.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN Bounds known(const Search& search, Frame& frame) {
    Bounds bounds = {0, frame.left};
    frame.good = NO_CARD;
    const CardSet leads = search.hand[frame.leader];
    if (!leads) return bounds;  // the deal is over, and left is 0
    if (!(leads & (leads - 1))) return last_trick<SEATS>(search, frame);
    bounds.lower = forced<SEATS>(search, search.task.takers);
    bounds.upper -= forced<SEATS>(search, ~search.task.takers);
    const bool takes = in(search.task.takers, frame.leader);
    if (takes == in(search.task.maximisers, frame.leader)) {  // else it does not want these tricks
        const CardSet sure = sure_leads<DUTY>(search, frame);
        int32_t points = sure == search.hand[frame.leader] ? frame.left : 0;
        for (CardSet rest = points ? 0u : sure; rest; rest &= rest - 1) {
            points += search.order.trick_points + search.order.points[lowest_bit(rest)];
        }
        if (takes && points > bounds.lower) bounds.lower = points;
        if (!takes && frame.left - points < bounds.upper) bounds.upper = frame.left - points;
    }
    if (!search.memory.count) return bounds;
    const uint64_t key = key_of(search, frame), word = slot_of(search.memory, key);
    if ((word & (KEY | IN_USE)) != (key | IN_USE)) return bounds;
    const int32_t lower = (word >> 38) & 0xFFu, upper = (word >> 46) & 0xFFu;
    frame.good = (word >> 54) & 31u;
    return {lower > bounds.lower ? lower : bounds.lower, upper < bounds.upper ? upper : bounds.upper};
}

// Remembers what a search at a boundary has shown.
RENEGE_FN void remember(const Search& search, const Frame& frame) {
    if (!search.memory.count) return;
    const uint64_t key = key_of(search, frame);
    uint64_t& slot = slot_of(search.memory, key);
    uint64_t lower = 0, upper = 0xFF, good = frame.good == NO_CARD ? frame.moves[0] : frame.good;
    if ((slot & (KEY | IN_USE)) == (key | IN_USE)) {
        lower = (slot >> 38) & 0xFFu;
        upper = (slot >> 46) & 0xFFu;
    }
    const bool yes = frame.value >= frame.target;
    const uint64_t value = static_cast<uint64_t>(frame.value);
    if (yes && value > lower) lower = value;
    if (!yes && value < upper) upper = value;
    if (yes == in(search.task.maximisers, frame.seat)) good = frame.moves[frame.next - 1];
    slot = key | (lower << 38) | (upper << 46) | (good << 54) | IN_USE;
}

// Of cards that no trick can tell apart only one. Swapping two such cards changes no rule, no winner and no points.
RENEGE_FN CardSet without_twins(const Search& search, const Frame& frame, CardSet may, CardSet lying) {
    const CardSet others = (all_held(search) & ~search.hand[frame.seat]) | lying;
    CardSet kept = 0;
    for (CardSet rest = may; rest; rest &= rest - 1) {
        const Card card = lowest_bit(rest);
        bool twin = false;
        for (CardSet like = search.sight.like[card] & kept; like && !twin; like &= like - 1) {
            twin = !(search.sight.between[card][lowest_bit(like)] & others);
        }
        kept |= twin ? 0u : one(card);
    }
    return kept;
}

// How soon a lead is tried: sure winners, then what a friend will win, then what costs little.
RENEGE_FN int32_t lead_score(const Search& search, Card card, CardSet foes, CardSet friends) {
    const Order& order = search.order;
    const CardSet above = search.sight.above[order.led_suit[card]][card];
    const int32_t points = order.points[card];
    if (!(above & (foes | friends))) return 400 + points;
    if (!(above & foes)) return 300 + points;
    const CardSet helpers = above & friends;
    for (CardSet rest = helpers; rest; rest &= rest - 1) {
        if (!(search.sight.above[order.led_suit[card]][lowest_bit(rest)] & foes)) return 200 + points;
    }
    return 100 - 4 * points + static_cast<int32_t>(order.strength[order.led_suit[card]][card]) / 4;
}

// How soon a follow is tried: points where the trick goes to the own side, else a cheap card. `danger` are the cards
// with which somebody of the other side may still answer.
RENEGE_FN int32_t follow_score(const Search& search, const Frame& frame, Card card, CardSet danger, bool ours) {
    const Order& order = search.order;
    const int32_t points = order.points[card], strength = order.strength[frame.led][card];
    const bool wins = (search.sight.above[frame.led][frame.best_card] >> card) & 1u;
    const CardSet* above = search.sight.above[frame.led];
    if (wins) {
        const bool stays = !(above[card] & danger);
        return stays ? 400 + 4 * points - strength : 150 - points + strength / 2;
    }
    if (ours) {
        const bool stays = !(above[frame.best_card] & danger);
        return stays ? 420 + 4 * points - strength / 4 : 200 - points - strength / 4;
    }
    return 100 - 4 * points - strength / 4;
}

// Lists the moves of a frame, the most promising first.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN void list_moves(const Search& search, Frame& frame, CardSet lying) {
    const Order& order = search.order;
    const CardSet hand = search.hand[frame.seat];
    const bool leads = frame.lying == 0;
    CardSet may = leads ? may_lead<DUTY>(order, hand, frame.led_called)
                        : may_follow<DUTY>(order, hand, frame.led, frame.led_called, frame.seat);
    if (search.task.merge && (may & (may - 1))) may = without_twins(search, frame, may, lying);
    const bool wants = in(search.task.maximisers, frame.seat);
    frame.count = 0;
    frame.next = 0;
    frame.value = static_cast<int16_t>(wants ? -1 : BEYOND);
    if (!(may & (may - 1))) {
        if (may) frame.moves[frame.count++] = static_cast<uint8_t>(lowest_bit(may));
        return;
    }
    CardSet foes = 0, friends = 0;
    for (uint32_t i = 1; i < SEATS - frame.lying; ++i) {
        const Seat other = around<SEATS>(frame.seat + i);
        const CardSet held = search.hand[other];
        const CardSet cards = leads ? held : may_follow<DUTY>(order, held, frame.led, frame.led_called, other);
        (in(search.task.maximisers, other) == wants ? friends : foes) |= cards;
    }
    const bool ours = !leads && in(search.task.maximisers, frame.winning) == wants;
    // Who does not want the tricks it wins (nello) tries everything the other way round.
    const int32_t sign = in(search.task.takers, frame.seat) == wants ? 1 : -1;
    int32_t scores[MOST_HELD];
    for (; may; may &= may - 1) {
        const Card card = lowest_bit(may);
        int32_t score = sign * (leads ? lead_score(search, card, foes, friends)
                                      : follow_score(search, frame, card, foes, ours));
        if (leads && card == frame.good) score = 10000;
        uint32_t place = frame.count++;
        for (; place > 0 && scores[place - 1] < score; --place) {
            scores[place] = scores[place - 1];
            frame.moves[place] = frame.moves[place - 1];
        }
        scores[place] = score;
        frame.moves[place] = static_cast<uint8_t>(card);
    }
}

// The table after a card, seen by whoever plays next; `from.gain` is what the takers got by it.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN void put(const Search& search, Frame& from, Card card, Frame& to) {
    const Order& order = search.order;
    to = from;
    if (from.lying == 0) {
        to.led = order.led_suit[card];
        to.best_card = static_cast<uint8_t>(card);
        to.winning = from.seat;
        if constexpr (DUTY == Duty::CALLED_ACE) {
            to.led_called = static_cast<uint8_t>(schafkopf::after_lead(order, from.led_called, from.seat, card));
        }
    } else if ((search.sight.above[from.led][from.best_card] >> card) & 1u) {
        to.best_card = static_cast<uint8_t>(card);
        to.winning = from.seat;
    }
    to.on_table = static_cast<int16_t>(from.on_table + order.points[card]);
    to.lying = from.lying + 1;
    to.seat = static_cast<uint8_t>(around<SEATS>(from.seat + 1u));
    from.gain = 0;
    if (to.lying < SEATS) return;
    const int16_t points = static_cast<int16_t>(to.on_table + order.trick_points);
    from.gain = in(search.task.takers, to.winning) ? points : int16_t{0};
    to.target = static_cast<int16_t>(from.target - from.gain);
    to.left = static_cast<int16_t>(from.left - points);
    to.seat = to.leader = to.winning;
    to.lying = 0;
    to.on_table = 0;
}

// Can the takers get root.target more? Yes if the value is at least that; then it is a lower bound, else an upper one.
// False if nodes or time ran out.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN bool ask(Search& search, const Frame& root, CardSet lying, int32_t& value) {
    Frame frames[MAX_CARDS + 1];  // a play each, so no deeper than the cards that are left
    CardSet table[MAX_CARDS + 1];
    const CardSet before[MAX_SEATS] = {search.hand[0], search.hand[1], search.hand[2], search.hand[3]};
    uint32_t depth = 0;
    frames[0] = root;
    table[0] = lying;
    list_moves<SEATS, DUTY>(search, frames[0], lying);
    for (;;) {
        Frame& frame = frames[depth];
        const bool wants = in(search.task.maximisers, frame.seat);
        const bool decided = frame.next && (wants ? frame.value >= frame.target : frame.value < frame.target);
        if (decided || frame.next == frame.count) {
            if (frame.lying == 0) remember(search, frame);
            value = frame.value;
            if (depth == 0) return true;
            --depth;
        } else {
            if (must_stop(search.task, search.nodes)) {
                for (Seat seat = 0; seat < MAX_SEATS; ++seat) search.hand[seat] = before[seat];
                return false;
            }
            ++search.nodes;
            const Card card = frame.moves[frame.next++];
            search.hand[frame.seat] &= ~one(card);
            Frame& to = frames[depth + 1];
            put<SEATS, DUTY>(search, frame, card, to);
            bool open = true;
            if (to.lying == 0) {
                const Bounds bounds = known<SEATS, DUTY>(search, to);
                open = bounds.lower < to.target && bounds.upper >= to.target;
                value = bounds.lower >= to.target ? bounds.lower : bounds.upper;
            }
            if (open) {
                table[depth + 1] = to.lying == 0 ? 0u : table[depth] | one(card);
                list_moves<SEATS, DUTY>(search, to, table[++depth]);
                continue;
            }
        }
        Frame& parent = frames[depth];
        search.hand[parent.seat] |= one(parent.moves[parent.next - 1]);
        const int16_t found = static_cast<int16_t>(value + parent.gain);
        const bool better = in(search.task.maximisers, parent.seat) ? found > parent.value : found < parent.value;
        if (better) parent.value = found;
    }
}

// Asks until the bounds meet, or until they say whether the takers get `target`, where that is not 0; or until the
// nodes or the time run out.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN Bounds narrow(Search& search, Frame root, CardSet lying, int32_t target) {
    Bounds bounds = {0, root.left};
    if (root.lying == 0) bounds = known<SEATS, DUTY>(search, root);
    while (bounds.lower < bounds.upper && !(target && (bounds.lower >= target || bounds.upper < target))) {
        int32_t next = target ? target : (bounds.lower + bounds.upper + 1) / 2;
        root.target = static_cast<int16_t>(next);
        int32_t value = 0;
        if (!ask<SEATS, DUTY>(search, root, lying, value)) break;
        (value >= next ? bounds.lower : bounds.upper) = value;
    }
    return bounds;
}

// A position with its seats closed up.
struct Start {
    Frame frame;
    CardSet hand[MAX_SEATS];
    CardSet lying;
    uint32_t takers, maximisers;
};

RENEGE_FN Start close_up(const Order& order, const Position& position, uint32_t takers, uint32_t maximisers) {
    Start start = {};
    uint32_t players = 0, left = 0;
    const Seat mover = to_move(position);
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        if (!in(seats(position), seat)) continue;
        if (seat == leader(position)) start.frame.leader = static_cast<uint8_t>(players);
        if (seat == mover) start.frame.seat = static_cast<uint8_t>(players);
        start.takers |= in(takers, seat) ? 1u << players : 0u;
        start.maximisers |= in(maximisers, seat) ? 1u << players : 0u;
        for (CardSet rest = position.hand[seat]; rest; rest &= rest - 1) left += order.points[lowest_bit(rest)];
        start.hand[players++] = position.hand[seat];
    }
    Frame& frame = start.frame;
    frame.lying = static_cast<uint8_t>(cards_on_table(position));
    frame.led_called = static_cast<uint8_t>(led_called(position));
    frame.good = NO_CARD;
    uint8_t plays[MAX_SEATS] = {};
    for (uint32_t i = 0; i < frame.lying; ++i) {
        plays[i] = static_cast<uint8_t>(on_table(position, i));
        frame.on_table = static_cast<int16_t>(frame.on_table + order.points[plays[i]]);
        start.lying |= one(plays[i]);
    }
    if (frame.lying) {
        const uint32_t best = winner(order, plays, frame.lying);
        frame.led = order.led_suit[plays[0]];
        frame.best_card = plays[best];
        frame.winning = static_cast<uint8_t>((frame.leader + best) % players);
    }
    const uint32_t tricks = tricks_to_lead(position) + (frame.lying != 0);
    frame.left = static_cast<int16_t>(left + static_cast<uint32_t>(frame.on_table) + tricks * order.trick_points);
    return start;
}

// How many boundaries lie ahead of hands of so many cards at most, whoever leads.
RENEGE_FN uint64_t boundaries(uint32_t cards, uint32_t players) {
    uint64_t sum = 0, choices = 1;
    for (uint32_t left = 0; left <= cards; ++left) {
        uint64_t hands = players;
        for (uint32_t i = 0; i < players; ++i) hands *= choices;
        sum += hands;
        choices = choices * (cards - left) / (left + 1);
    }
    return sum;
}

// The slots, emptied; no more of them than a position has boundaries, give or take who led the called suit.
RENEGE_FN Memory empty(Memory memory, const CardSet* hand, uint32_t players) {
    uint32_t most = 0;
    for (Seat seat = 0; seat < players; ++seat) most = count_bits(hand[seat]) > most ? count_bits(hand[seat]) : most;
    const uint64_t enough = boundaries(most, players);
    while (memory.count / 2 >= enough) memory.count /= 2;
    for (uint32_t i = 0; i < memory.count; ++i) memory.slots[i] = 0;
    return memory;
}

// The bounds of one position; `target` 0 asks for its value. Where `plays` is not null it gets the bounds after each
// legal play of the seat to move, by card, and {-1, -1} for all others. `nodes` are the cards that were played for it.
// The position must be without fault.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN Bounds solve(const Order& order, const Sight& sight, const Position& position, const Task& task,
                       const Memory& memory, int32_t target, Bounds* plays, uint64_t& nodes) {
    const Start start = close_up(order, position, task.takers, task.maximisers);
    const bool at_all = !must_stop(task, 0);  // else a search would only see that it must not begin
    Search search = {order, sight, at_all ? empty(memory, start.hand, SEATS) : Memory{nullptr, 0}, task, {}, 0};
    search.task.takers = start.takers;
    search.task.maximisers = start.maximisers;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) search.hand[seat] = start.hand[seat];
    if (!plays) {
        const Bounds bounds = narrow<SEATS, DUTY>(search, start.frame, start.lying, target);
        nodes = search.nodes;
        return bounds;
    }
    Frame root = start.frame;
    const bool wants = in(search.task.maximisers, root.seat);
    for (Card card = 0; card < MAX_CARDS; ++card) plays[card] = {-1, -1};
    search.task.merge = false;
    list_moves<SEATS, DUTY>(search, root, start.lying);
    search.task.merge = task.merge;
    if (!root.count) return {0, 0};
    Bounds all = wants ? Bounds{-1, -1} : Bounds{BEYOND, BEYOND};
    const CardSet others = (all_held(search) & ~search.hand[root.seat]) | start.lying;
    for (uint32_t i = 0; i < root.count; ++i) {
        const Card card = root.moves[i];
        Bounds bounds = {-1, -1};
        for (uint32_t j = 0; j < i && task.merge; ++j) {
            const Card twin = root.moves[j];
            if (((sight.like[card] >> twin) & 1u) && !(sight.between[card][twin] & others)) bounds = plays[twin];
        }
        if (bounds.lower < 0) {
            Frame to;
            put<SEATS, DUTY>(search, root, card, to);
            search.hand[root.seat] &= ~one(card);
            const int32_t wanted = target ? target - root.gain : 0;
            if (target && wanted <= 0) bounds = {0, to.left};
            else bounds = narrow<SEATS, DUTY>(search, to, to.lying ? start.lying | one(card) : 0u, wanted);
            search.hand[root.seat] |= one(card);
            bounds = {bounds.lower + root.gain, bounds.upper + root.gain};
        }
        plays[card] = bounds;
        if (wants ? bounds.lower > all.lower : bounds.lower < all.lower) all.lower = bounds.lower;
        if (wants ? bounds.upper > all.upper : bounds.upper < all.upper) all.upper = bounds.upper;
    }
    nodes = search.nodes;
    return all;
}

}  // namespace renege::solve
