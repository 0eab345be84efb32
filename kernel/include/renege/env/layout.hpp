// What the environments of all games share: how their rows are laid out, where a deal stands when it begins, and the list
// of what was done in it.
//
// Rows of version 0 have the sections of renege/games/encoding.py that its first list names. Those of version 1 have more
// behind them: who is void in what and who has led what, what a game adds, the house rules, and, where it is asked for,
// the history.
#pragma once

#include <renege/core/cards.hpp>
#include <renege/core/spread.hpp>

namespace renege::env {

constexpr uint32_t MOST_RULES = 160;
constexpr uint8_t FACE_DOWN = 0x80, UNSEEN = 0xFF;

struct Layout {
    uint32_t version, history;  // 0 or 1; is the history told?
    uint32_t difference;        // is a seat paid what it has more than the others?
    uint32_t drawn;             // is where a deal stands drawn with it, or as the setting says?
    uint32_t rules, spare;      // the bytes that tell the house rules, and those bytes
    uint8_t told[MOST_RULES];
};

static_assert(sizeof(Layout) % 8 == 0, "what Python puts behind it begins at a whole word");

RENEGE_FN const char* fault(const Layout& layout) {
    if (layout.version > 1 || layout.rules > MOST_RULES) return "a version is 0 or 1, and the rules have 160 bytes at most";
    return layout.version == 0 && layout.history ? "only rows of version 1 have a history" : nullptr;
}

// Where a deal stands when it begins: the dealer and, where the game has them, the levels of both sides and whether it is
// the first deal of a game.
struct Standing {
    uint8_t dealer, level[2], first;
};

// What was done, an action after the other: its number, with FACE_DOWN where not all see it, and who did it.
template <uint32_t LENGTH>
struct History {
    uint16_t count;
    uint8_t what[LENGTH], who[LENGTH];
};

template <uint32_t LENGTH>
RENEGE_FN void note(History<LENGTH>& history, Seat who, uint32_t action, bool face_down = false) {
    if (history.count >= LENGTH) return;
    history.what[history.count] = static_cast<uint8_t>(action | (face_down ? FACE_DOWN : 0u));
    history.who[history.count++] = static_cast<uint8_t>(who);
}

// Two bytes an action: its number and one, UNSEEN where it was face down to the seat that looks; and who, from 1 on,
// counted from that seat. `let_in`: does it see what was face down? Noughts where nothing is done yet.
template <uint32_t LENGTH>
RENEGE_FN void put_history(const History<LENGTH>& history, Seat seat, bool let_in, uint8_t* row) {
    for (uint32_t i = 0; i < history.count; ++i) {
        const uint32_t what = history.what[i], who = history.who[i];
        const bool hidden = (what & FACE_DOWN) && !let_in;
        row[2 * i] = static_cast<uint8_t>(hidden ? UNSEEN : (what & ~FACE_DOWN & 0xFFu) + 1u);
        row[2 * i + 1] = static_cast<uint8_t>(1u + ((who - seat) & 3u));
    }
    for (uint32_t i = 2 * history.count; i < 2 * LENGTH; ++i) row[i] = 0;
}

// A byte for each suit of each seat, from the one that looks: is the suit in the seat's set?
template <uint32_t SUITS>
RENEGE_FN uint8_t* put_suits(const uint8_t* sets, Seat seat, uint8_t* row) {
    for (uint32_t i = 0; i < MAX_SEATS; ++i, row += SUITS) spread<SUITS>(sets[(seat + i) & 3u], row);
    return row;
}

RENEGE_FN uint8_t* put_rules(const Layout& layout, uint8_t* row) {
    for (uint32_t i = 0; i < layout.rules; ++i) row[i] = layout.told[i];
    return row + layout.rules;
}

}  // namespace renege::env
