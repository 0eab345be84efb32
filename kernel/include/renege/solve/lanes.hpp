// The search of solve.hpp for a processor that runs thousands of them side by side and has little memory near each.
//
// The same cards in the same turn, and so the same bounds and as many nodes; only what is kept on the way down is
// another: 16 bytes a play, in a stack that the caller lays where it is near. A search is taken in steps, a card played
// or taken back each, so that lanes that walk together need not end together: who is done begins the next one.
#pragma once

#include <renege/solve/solve.hpp>

namespace renege::solve {

constexpr uint32_t MOST_PLIES = 28;   // plays that are on the way down at once: the last trick is never searched
constexpr uint32_t MOST_TRICKS = 10;
constexpr uint64_t LOOK_EVERY = 64;   // nodes between two looks at the clock

// A play on the way down.
//   first   0-49 moves still to try, 5 bits each, the next one lowest   50-53 their number   54-58 the card tried
//           59-60 seat   61-62 who wins so far
//   second  0-15 value   16-23 gain   24-31 points on the table   32-40 target   41-48 left   49-51 suit led
//           52-56 best card   57-58 cards lying   59-62 who has led the called suit
struct Ply {
    uint64_t first, second;
};

// Moves in turn, as in a ply.
struct Turns {
    uint64_t moves;
    uint32_t count;
    Card tried;
};

RENEGE_FN Ply folded(const Frame& frame, const Turns& turns) {
    const uint64_t first = turns.moves | uint64_t{turns.count} << 50 | uint64_t{turns.tried} << 54 |
                           uint64_t{frame.seat} << 59 | uint64_t{frame.winning} << 61;
    const uint32_t low = static_cast<uint16_t>(frame.value) | static_cast<uint32_t>(frame.gain) << 16 |
                         static_cast<uint32_t>(frame.on_table) << 24;
    const uint32_t high = static_cast<uint32_t>(frame.target) | static_cast<uint32_t>(frame.left) << 9 |
                          uint32_t{frame.led} << 17 | uint32_t{frame.best_card} << 20 | uint32_t{frame.lying} << 25 |
                          uint32_t{frame.led_called} << 27;
    return {first, low | uint64_t{high} << 32};
}

RENEGE_FN void unfold(const Ply& ply, Frame& frame, Turns& turns) {
    const uint32_t top = static_cast<uint32_t>(ply.first >> 48), low = static_cast<uint32_t>(ply.second);
    const uint32_t high = static_cast<uint32_t>(ply.second >> 32);
    turns = {ply.first & ((1ull << 50) - 1), (top >> 2) & 15u, (top >> 6) & 31u};
    frame.seat = static_cast<uint8_t>((top >> 11) & 3u);
    frame.leader = frame.seat;  // it is asked for between tricks alone
    frame.winning = static_cast<uint8_t>((top >> 13) & 3u);
    frame.value = static_cast<int16_t>(low & 0xFFFFu);
    frame.gain = static_cast<int16_t>((low >> 16) & 0xFFu);
    frame.on_table = static_cast<int16_t>(low >> 24);
    frame.target = static_cast<int16_t>(high & 0x1FFu);
    frame.left = static_cast<int16_t>((high >> 9) & 0xFFu);
    frame.led = static_cast<uint8_t>((high >> 17) & 7u);
    frame.best_card = static_cast<uint8_t>((high >> 20) & 31u);
    frame.lying = static_cast<uint8_t>((high >> 25) & 3u);
    frame.led_called = static_cast<uint8_t>((high >> 27) & 15u);
}

// The moves of a frame, the most promising first, as list_moves has them. They are put in turn by a chain of fixed
// length, since an index into registers would send them to memory.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN Turns turns_of(const Search& search, const Frame& frame, CardSet lying) {
    constexpr uint32_t HELD = MAX_CARDS / SEATS;
    Answers answers;
    CardSet may = worth_trying<SEATS, DUTY>(search, frame, lying, answers);
    if (!(may & (may - 1))) return {may ? uint64_t{lowest_bit(may)} : 0u, may != 0, 0};
    const Outlook look = look_out(search, frame, answers);
    uint32_t keys[HELD] = {};
    uint32_t count = 0;
    for (; may; may &= may - 1, ++count) {
        const Card card = lowest_bit(may);
        // Among equals the card that is listed first.
        uint32_t key = static_cast<uint32_t>(score_of(search, frame, look, card) + 0x8000) << 5 | (31u - card);
        for (uint32_t i = 0; i < HELD; ++i) {
            const uint32_t higher = key > keys[i] ? key : keys[i];
            key = key > keys[i] ? keys[i] : key;
            keys[i] = higher;
        }
    }
    uint64_t moves = 0;
    for (uint32_t i = HELD; i-- > 0;) moves = moves << 5 | (i < count ? 31u - (keys[i] & 31u) : 0u);
    return {moves, count, 0};
}

// As skip_near.
template <class Search>
RENEGE_FN void skip_near(const Search& search, Frame& frame, Turns& turns, CardSet lying, int32_t found) {
    const bool wants = in(search.task.maximisers, frame.seat);
    if (wants ? found >= frame.target : found < frame.target) return;
    if (!(search.sight.near[turns.tried] & search.hand[frame.seat])) return;
    const CardSet others = (all_held(search) & ~search.hand[frame.seat]) | lying;
    uint64_t kept = 0;
    uint32_t count = 0;
    for (uint64_t rest = turns.moves; turns.count; --turns.count, rest >>= 5) {
        const Card card = static_cast<uint32_t>(rest) & 31u;
        if (is_next(search, turns.tried, card, others)) {
            const int32_t worth = worth_beside(search, turns.tried, card, found, wants);
            if (wants ? worth < frame.target : worth >= frame.target) {
                if (wants ? worth > frame.value : worth < frame.value) frame.value = static_cast<int16_t>(worth);
                continue;
            }
        }
        kept |= uint64_t{card} << (5 * count++);
    }
    turns.moves = kept;
    turns.count = count;
}

// What is asked of a position: its value, or only whether the takers get `target`, where that is not 0; and of the play
// of a card, or, without one (NO_CARD), of the position itself.
struct Question {
    Position position;
    uint32_t takers, maximisers;
    int32_t target;
    Card card;
};

struct Limits {
    uint64_t most_nodes;
    uint64_t deadline;  // as the clock has it; 0 for none
    bool merge;
};

// What is found by an index, and so lies in memory; all else fits into registers.
struct Shelf {
    uint8_t owner[MAX_CARDS];
    Rank ranks[MAX_CARDS / 2];
    uint64_t known_by[MOST_TRICKS];  // by trick: the key between the tricks, above it a lead to fall back on
    CardSet lay[MOST_TRICKS];        // by trick: what lay on the table before its last card
};

// As Search, with that elsewhere.
struct LaneSearch {
    const Order& order;
    const Sight& sight;
    Memory memory;
    Task task;
    CardSet* hand;
    uint64_t nodes;
    uint8_t* owner;
    Rank* ranks;
    uint32_t rank_count;
};

// One search at a time, in steps. `Clock` tells the time; plies are kept in the stack that a step is given.
template <uint32_t SEATS, Duty DUTY, class Clock>
struct Lane {
    LaneSearch search;
    Limits limits;
    Shelf& shelf;
    Frame at;  // the seat to play, and the trick so far; its list of moves is not used
    Turns turns;
    CardSet lying;  // cards on the table
    uint32_t depth, trick;
    Bounds bounds;
    int32_t target, gain;

    RENEGE_FN Lane(const Order& order, const Sight& sight, const Limits& limits, Shelf& shelf, CardSet* hands)
        : search{order, sight, {nullptr, 0, 0}, {}, hands, 0, shelf.owner, shelf.ranks, 0}, limits(limits),
          shelf(shelf), at{}, turns{0, 0, 0}, lying(0), depth(0), trick(0), bounds{0, 0}, target(0), gain(0) {}

    RENEGE_FN bool must_stop() const {
        if (search.nodes == limits.most_nodes) return true;
        return limits.deadline && search.nodes % LOOK_EVERY == 0 && Clock::now() >= limits.deadline;
    }

    // Lays the cards open, and finds what is known of them without a search.
    RENEGE_FN void begin(const Question& question, const Memory& memory) {
        const Start start = close_up(search.order, question.position, question.takers, question.maximisers);
        search.nodes = 0;
        search.rank_count = 0;
        search.task = {start.takers, start.maximisers, limits.most_nodes, limits.merge, nullptr, nullptr};
        search.memory = must_stop() ? Memory{nullptr, 0, 0} : empty(memory, start.hand, SEATS);
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
            search.hand[seat] = start.hand[seat];
            for (CardSet rest = start.hand[seat]; rest; rest &= rest - 1) {
                search.owner[lowest_bit(rest)] = static_cast<uint8_t>(seat);
            }
        }
        if (limits.merge && search.memory.count) gather_ranks(search);
        at = start.frame;
        lying = start.lying;
        target = question.target;
        gain = 0;
        if (question.card != NO_CARD) {
            Frame to;
            put<SEATS, DUTY>(search, at, question.card, to);
            search.hand[at.seat] &= ~one(question.card);
            lying = to.lying ? lying | one(question.card) : 0u;
            gain = at.gain;
            at = to;
        }
        bounds = {0, at.left};
        if (question.target && gain >= question.target) target = -1;  // got already: nothing is asked any more
        else target -= question.target ? gain : 0;
        if (at.lying == 0 && target >= 0) bounds = known<SEATS, DUTY>(search, at, 0);
    }

    // Is there anything left to ask?
    RENEGE_FN bool is_open() const {
        return bounds.lower < bounds.upper && target >= 0 &&
               !(target && (bounds.lower >= target || bounds.upper < target));
    }

    // What was found, the points of a card played first included.
    RENEGE_FN Bounds found() const { return {bounds.lower + gain, bounds.upper + gain}; }

    // Asks the next question of the root, as narrow does.
    RENEGE_FN void ask_next() {
        at.target = static_cast<int16_t>(target ? target : (bounds.lower + bounds.upper + 1) / 2);
        at.value = worst(search, at);
        depth = trick = 0;
        turns = turns_of<SEATS, DUTY>(search, at, lying);
        note();
    }

    // What will be remembered of the table between two tricks. A good lead comes first in any case, so the first one
    // may stand for none.
    RENEGE_FN void note() {
        const Card good = at.good == NO_CARD ? static_cast<uint32_t>(turns.moves) & 31u : at.good;
        if (at.lying == 0) shelf.known_by[trick] = at.key | uint64_t{good} << 36;
    }

    enum class Step : uint32_t { ON, ANSWERED, STOPPED };

    // One card further, or one back.
    template <class Stack>
    RENEGE_FN Step step(Stack& stack) {
        const bool wants = in(search.task.maximisers, at.seat);
        const bool decided = wants ? at.value >= at.target : at.value < at.target;
        int32_t value;
        if (decided || turns.count == 0) {
            if (at.lying == 0) {
                at.key = shelf.known_by[trick] & KEY;
                at.good = static_cast<uint8_t>(shelf.known_by[trick] >> 36);
                remember(search, at, at.good, turns.tried);
            }
            value = at.value;
            if (depth == 0) {
                (value >= at.target ? bounds.lower : bounds.upper) = value;
                return Step::ANSWERED;
            }
            const bool first = at.lying == 0;
            unfold(stack[--depth], at, turns);
            lying = first ? shelf.lay[--trick] : lying & ~one(turns.tried);
        } else {
            if (must_stop()) return Step::STOPPED;
            ++search.nodes;
            const Card card = static_cast<uint32_t>(turns.moves) & 31u;
            turns = {turns.moves >> 5, turns.count - 1u, card};
            search.hand[at.seat] &= ~one(card);
            Frame to;
            put<SEATS, DUTY>(search, at, card, to);
            bool open = true;
            value = 0;
            if (to.lying == 0) {
                const Bounds there = known<SEATS, DUTY>(search, to, to.target);
                open = there.lower < to.target && there.upper >= to.target;
                value = there.lower >= to.target ? there.lower : there.upper;
            }
            if (open) {
                stack[depth++] = folded(at, turns);
                if (to.lying == 0) shelf.lay[trick++] = lying;
                lying = to.lying == 0 ? 0u : lying | one(card);
                at = to;
                at.value = worst(search, at);
                turns = turns_of<SEATS, DUTY>(search, at, lying);
                note();
                return Step::ON;
            }
        }
        search.hand[at.seat] |= one(turns.tried);
        const int32_t found = value + at.gain;
        const bool better = in(search.task.maximisers, at.seat) ? found > at.value : found < at.value;
        if (better) at.value = static_cast<int16_t>(found);
        if (limits.merge && turns.count) skip_near(search, at, turns, lying, found);
        return Step::ON;
    }
};

}  // namespace renege::solve
