// What an open-hand search carries with it: the table as it stands, what it was asked, and what it remembers of the
// boundaries between tricks. What is asked of it takes any search: lanes.hpp keeps its own, in other memory.
#pragma once

#include <renege/core/playout.hpp>
#include <renege/core/sight.hpp>

namespace renege::solve {

constexpr uint32_t MOST_HELD = 10;  // cards of a hand: 32 among three seats, one fewer
constexpr int32_t BEYOND = 0x3FFF;  // more than any value

// Bounds at trick boundaries, a word each, the newer stays. The caller owns the slots; their number is a power of two,
// or 0 to do without. Slots with another mark than the memory's are empty, so that a new mark empties all of them; with
// the mark 0 they are cleared before a search.
//   bits 0-31 cards still held, moved up in their ranks   32-33 leader   34 the called suit was led, its ace is held
//        35 and its holder has run   36-43 at least   44-51 at most   52-56 a good lead   57-63 mark
struct Memory {
    uint64_t* slots;
    uint32_t count;
    uint64_t mark;
};

constexpr uint64_t KEY = (1ull << 36) - 1;
constexpr uint64_t FIRST_MARK = 1ull << 57, MARKS = ~(FIRST_MARK - 1);

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
    bool (*time_is_up)(const void* clock);  // asked before the first card and now and then; null for no limit
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
    uint64_t key;     // between two tricks: what the memory knows it by
};

// Like cards with no other between, the strongest first, and their owners. Which of them are left does not matter, only
// whose they are in turn.
struct Rank {
    CardSet cards;
    uint8_t count;
    uint8_t card[MAX_CARDS], owner[MAX_CARDS];
};

struct Search {
    const Order& order;
    const Sight& sight;
    Memory memory;
    Task task;  // its masks closed up too
    CardSet hand[MAX_SEATS];
    uint64_t nodes;
    uint8_t owner[MAX_CARDS];
    Rank ranks[MAX_CARDS / 2];
    uint32_t rank_count;
};

template <class Search>
RENEGE_FN CardSet all_held(const Search& search) {
    return search.hand[0] | search.hand[1] | search.hand[2] | search.hand[3];
}

// The cards held, each moved to the first place of its rank where the owners come in the same turn: one set for all
// tables that no trick can tell apart.
template <class Search>
RENEGE_FN CardSet moved_up(const Search& search) {
    const CardSet held = all_held(search);
    CardSet out = held;
    for (uint32_t i = 0; i < search.rank_count; ++i) {
        const Rank& rank = search.ranks[i];
        const CardSet left = held & rank.cards;
        if (left == rank.cards || left == 0) continue;
        out &= ~rank.cards;
        uint32_t place = 0;
        for (uint32_t j = 0; j < rank.count; ++j) {
            if (!in(left, rank.card[j])) continue;
            while (rank.owner[place] != rank.owner[j]) ++place;
            out |= one(rank.card[place++]);
        }
    }
    return out;
}

// What the memory knows a boundary by. Who has led the called suit matters only while its ace is held.
template <Duty DUTY, class Search>
RENEGE_FN uint64_t key_of(const Search& search, const Frame& frame) {
    uint64_t leads = frame.leader;
    if constexpr (DUTY == Duty::CALLED_ACE) {
        for (Seat seat = 0; frame.led_called && seat < MAX_SEATS; ++seat) {
            if (in(search.hand[seat], search.order.called)) leads |= in(frame.led_called, seat) ? 12u : 4u;
        }
    }
    return moved_up(search) | (leads << 32);
}

// A card of the hand that stands for the one remembered.
template <class Search>
RENEGE_FN uint8_t held_like(const Search& search, CardSet hand, Card card) {
    const CardSet like = in(hand, card) ? one(card) : search.sight.like[card] & hand;
    return like ? static_cast<uint8_t>(lowest_bit(like)) : uint8_t{NO_CARD};
}

// Nodes or time have run out. A search that was stopped stays so: its nodes do not move on to the next look.
RENEGE_FN bool must_stop(const Task& task, uint64_t nodes) {
    if (nodes == task.most_nodes) return true;
    return task.time_is_up && nodes % ASK_CLOCK == 0 && task.time_is_up(task.clock);
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

// As many empty slots as are of use. A search meets few of the boundaries, and a memory that fits into a near cache is
// faster than one that forgets nothing.
RENEGE_FN Memory empty(Memory memory, const CardSet* hand, uint32_t players) {
    uint32_t most = 0;
    for (Seat seat = 0; seat < players; ++seat) most = count_bits(hand[seat]) > most ? count_bits(hand[seat]) : most;
    const uint64_t enough = boundaries(most, players) / 256 + 1024;
    while (memory.count / 2 >= enough) memory.count /= 2;
    if (memory.mark) return memory;
    for (uint32_t i = 0; i < memory.count; ++i) memory.slots[i] = 0;
    memory.mark = FIRST_MARK;
    return memory;
}

// Finds the ranks of a deal. Ranks in which nobody has two cards need no moving up.
template <class Search>
RENEGE_FN void gather_ranks(Search& search) {
    const CardSet held = all_held(search);
    for (CardSet rest = held; rest;) {
        const Card first = lowest_bit(rest);
        const CardSet alike = search.sight.like[first] | one(first);
        const uint8_t* strength = search.order.strength[search.order.led_suit[first]];
        Rank& rank = search.ranks[search.rank_count];
        rank = {};
        uint32_t owners = 0, twice = 0;
        for (CardSet like = alike & rest; like; like &= like - 1) {
            const Card card = lowest_bit(like);
            if (card != first && (search.sight.between[first][card] & held & ~alike)) continue;
            uint32_t place = rank.count++;
            for (; place > 0 && strength[rank.card[place - 1]] < strength[card]; --place) {
                rank.card[place] = rank.card[place - 1];
            }
            rank.card[place] = static_cast<uint8_t>(card);
            rank.cards |= one(card);
            twice |= owners & (1u << search.owner[card]);
            owners |= 1u << search.owner[card];
        }
        for (uint32_t i = 0; i < rank.count; ++i) rank.owner[i] = search.owner[rank.card[i]];
        rest &= ~rank.cards;
        if (twice) ++search.rank_count;
    }
}

}  // namespace renege::solve
