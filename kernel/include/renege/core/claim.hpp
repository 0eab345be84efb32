// Does a claim hold? The claimer plays as well as possible, everybody else as badly for the claim as the rules
// allow, and every trick still to come must fall to a seat that the claim names. A search over who can spoil it.
#pragma once

#include <renege/core/rules.hpp>

namespace renege {

// What was found out at trick boundaries: open addressing, one slot a key, the newer answer stays. The caller
// owns the slots, zeroed at first; their number is a power of two.
struct ClaimCache {
    uint64_t* slots;
    uint32_t count;
};

// The cards still held, the leader and who has led the called suit name a boundary of one deal; 0 marks an empty slot,
// so keys start at 1.
RENEGE_FN uint64_t claim_key(const Position& position) {
    return ((static_cast<uint64_t>(held(position)) << 6) | (led_called(position) << 2) | leader(position)) + 1u;
}

RENEGE_FN uint32_t claim_slot(const ClaimCache& cache, uint64_t key) {
    return static_cast<uint32_t>((key * 0x9E3779B97F4A7C15ull) >> 40) & (cache.count - 1u);
}

// A hand on lead whose every card beats whatever the others hold needs no search: they only lose cards.
RENEGE_FN bool all_winners(const Order& order, const Position& position, Seat claimer) {
    CardSet others = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        const bool plays = seat != claimer && ((seats(position) >> seat) & 1u);
        others |= plays ? position.hand[seat] : 0u;
    }
    for (CardSet mine = position.hand[claimer]; mine; mine &= mine - 1) {
        const Card card = lowest_bit(mine);
        const uint8_t* strength = order.strength[order.led_suit[card]];
        for (CardSet rest = others; rest; rest &= rest - 1) {
            if (strength[lowest_bit(rest)] >= strength[card]) return false;
        }
    }
    return true;
}

enum class Claim : uint32_t { BAD = 0, GOOD = 1, OPEN = 2 };

// What is known of a position between two tricks without playing on. `takers` are the seats named by the claim.
RENEGE_FN Claim at_boundary(const Order& order, const Position& position, Seat claimer, uint32_t takers,
                            const ClaimCache& cache) {
    if (!((takers >> leader(position)) & 1u)) return Claim::BAD;  // this seat took the trick
    if (is_over(position)) return Claim::GOOD;
    const bool in_hand = leader(position) == claimer && ((takers >> claimer) & 1u);
    if (in_hand && duty(position) == Duty::FOLLOW_SUIT && all_winners(order, position, claimer)) return Claim::GOOD;
    const uint64_t key = claim_key(position), slot = cache.slots[claim_slot(cache, key)];
    return slot >> 1 == key ? static_cast<Claim>(slot & 1u) : Claim::OPEN;
}

struct ClaimFrame {
    Position position;
    CardSet untried;
};

// OPEN where `most_plays` were tried and it is still open.
RENEGE_FN Claim judge_claim(const Order& order, const Position& root, Seat claimer, uint32_t takers,
                            const ClaimCache& cache, uint64_t most_plays) {
    if (!(seats(root) & ~takers)) return Claim::GOOD;  // nobody plays who could take a trick from the claim
    ClaimFrame frames[MAX_CARDS + 1];  // a play each, so no deeper than the cards that are left
    uint32_t depth = 0;
    frames[0] = {root, legal(order, root)};
    if (frames[0].untried == 0) return Claim::GOOD;
    for (uint64_t tried = 0; tried < most_plays; ++tried) {
        ClaimFrame& frame = frames[depth];
        const CardSet bit = frame.untried & (0u - frame.untried);
        frame.untried ^= bit;
        Position next = frame.position;
        play(order, next, lowest_bit(bit));
        const bool between = cards_on_table(next) == 0;
        Claim found = between ? at_boundary(order, next, claimer, takers, cache) : Claim::OPEN;
        if (found == Claim::OPEN) {
            frames[++depth] = {next, legal(order, next)};
            continue;
        }
        // The claimer needs one play that keeps the claim, the others one that spoils it: else try the next.
        for (;; --depth) {
            const ClaimFrame& done = frames[depth];
            const Claim wanted = to_move(done.position) == claimer ? Claim::GOOD : Claim::BAD;
            if (found != wanted && done.untried) break;
            if (depth == 0) return found;
            if (cards_on_table(done.position) == 0) {
                const uint64_t key = claim_key(done.position);
                cache.slots[claim_slot(cache, key)] = key << 1 | static_cast<uint64_t>(found);
            }
        }
    }
    return Claim::OPEN;
}

}  // namespace renege
