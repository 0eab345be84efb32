// What is known of a table between two tricks without playing on: from the trumps, from what the leader can cash, and
// from what the search remembers.
#pragma once

#include <renege/solve/search.hpp>

namespace renege::solve {

// Everybody has one card: whoever wins it gets all that is left.
template <uint32_t SEATS, class Search>
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

// The points of a hand's cheapest cards, so many of them.
template <class Search>
RENEGE_FN int32_t cheapest(const Search& search, CardSet hand, int32_t cards) {
    int32_t points = 0;
    for (uint32_t i = 0; i < search.sight.worths && cards > 0; ++i) {
        const CardSet like = hand & search.sight.worth[i];
        if (!like) continue;
        const int32_t held = static_cast<int32_t>(count_bits(like)), given = held < cards ? held : cards;
        points += given * search.order.points[lowest_bit(like)];
        cards -= given;
    }
    return points;
}

// Points that each side gets however it is played: what its trumps take that the other side cannot match one by one.
struct Sure {
    int32_t takers, others;
};

template <uint32_t SEATS, class Search>
RENEGE_FN Sure forced(const Search& search) {
    const CardSet held = all_held(search) & search.sight.trump_set;
    uint32_t seen = 0, points = 0, tricks = 0, own = 0;  // by side, 16 bits each; by seat, 8 bits: a GPU has no index
    for (uint32_t i = 0; held && i < search.sight.trumps; ++i) {
        const Card card = search.sight.trump[i];
        if (!in(held, card)) continue;
        const Seat seat = search.owner[card];
        const uint32_t side = in(search.task.takers, seat) ? 16u : 0u;
        const uint32_t theirs = (seen >> (16u - side)) & 0xFFFFu;
        if (!theirs) points += search.order.points[card] << side;
        own += 1u << (8 * seat);
        const int32_t ahead = static_cast<int32_t>(((own >> (8 * seat)) & 0xFFu) - theirs);
        const int32_t most = static_cast<int32_t>((tricks >> side) & 0xFFFFu);
        if (ahead > most) tricks += static_cast<uint32_t>(ahead - most) << side;
        seen += 1u << side;
    }
    const int32_t each = search.order.trick_points;
    const int32_t ours = static_cast<int32_t>(tricks >> 16), others = static_cast<int32_t>(tricks & 0xFFFFu);
    Sure sure = {static_cast<int32_t>(points >> 16) + ours * each,
                 static_cast<int32_t>(points & 0xFFFFu) + others * each};
    for (Seat seat = 0; seat < SEATS; ++seat) {
        const bool takes = in(search.task.takers, seat);
        if (!takes && ours) sure.takers += cheapest(search, search.hand[seat], ours);
        if (takes && others) sure.others += cheapest(search, search.hand[seat], others);
    }
    return sure;
}

// Points that the leader's side gets if it leads what cannot be beaten: its top trumps, then side suits from the top,
// as often as who could trump has to follow.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN int32_t cashed(const Search& search, const Frame& frame) {
    if constexpr (DUTY == Duty::STRONGEST) return 0;
    const Order& order = search.order;
    const Sight& sight = search.sight;
    const CardSet mine = search.hand[frame.leader], others = all_held(search) & ~mine;
    CardSet free = mine, sure = 0, called = 0;
    if constexpr (DUTY == Duty::CALLED_ACE) {  // schafkopf.no-running may forbid the rest of the suit, never the ace
        called = one(order.called);
        if ((mine & called) && !frame.led_called) free &= ~schafkopf::called_suit(order) | called;
    }
    for (CardSet rest = free & sight.trump_set; rest; rest &= rest - 1) {
        const Card card = lowest_bit(rest);
        if (!(sight.above[order.led_suit[card]][card] & others)) sure |= one(card);
    }
    const uint32_t drawn = count_bits(sure);
    uint32_t dangers = 0, side_tricks = 0, friends_can = 99;  // dangers: the seats that could trump
    const bool takes = in(search.task.takers, frame.leader);
    for (Seat seat = 0; seat < SEATS; ++seat) {
        const CardSet hand = search.hand[seat], trumps = hand & sight.trump_set;
        if (seat == frame.leader || count_bits(trumps) <= drawn) continue;
        if (in(search.task.takers, seat) != takes) {
            dangers |= 1u << seat;
        } else {  // a friend who has nothing else must trump, and then the leader leads no more
            const uint32_t can = count_bits(hand & ~sight.trump_set & ~called);
            friends_can = can < friends_can ? can : friends_can;
        }
    }
    for (Suit suit = 0; suit < MAX_SUITS; ++suit) {
        CardSet tops = 0;
        for (CardSet rest = free & sight.leads[suit]; rest; rest &= rest - 1) {
            const Card card = lowest_bit(rest);
            if (!(sight.above[suit][card] & others & (order.follow[suit] | ~sight.trump_set))) tops |= one(card);
        }
        if (!tops) continue;
        uint32_t most = friends_can - side_tricks;
        for (Seat seat = 0; seat < SEATS; ++seat) {
            if (!in(dangers, seat)) continue;
            const uint32_t follow = count_bits(search.hand[seat] & order.follow[suit]);
            const uint32_t spent = sight.apart ? 0u : side_tricks;
            const uint32_t can = follow > spent ? follow - spent : 0u;
            most = can < most ? can : most;
        }
        for (uint32_t i = sight.worths; i-- > 0 && most;) {
            for (CardSet rest = tops & sight.worth[i]; rest && most; rest &= rest - 1, --most, ++side_tricks) {
                sure |= one(lowest_bit(rest));
            }
        }
    }
    const int32_t tricks = static_cast<int32_t>(count_bits(sure));
    int32_t points = tricks * order.trick_points;
    for (CardSet rest = sure; rest; rest &= rest - 1) points += order.points[lowest_bit(rest)];
    for (Seat seat = 0; tricks && seat < SEATS; ++seat) {
        if (seat != frame.leader) points += cheapest(search, search.hand[seat], tricks);
    }
    return points;
}

RENEGE_FN Bounds both(Bounds a, Bounds b) {
    return {a.lower > b.lower ? a.lower : b.lower, a.upper < b.upper ? a.upper : b.upper};
}

// What is known of a table between two tricks without playing on; no more than it takes to tell whether the takers get
// `target`, where that is not 0.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN Bounds known(const Search& search, Frame& frame, int32_t target) {
    Bounds bounds = {0, frame.left};
    const auto decided = [&] { return target && (bounds.lower >= target || bounds.upper < target); };
    frame.good = NO_CARD;
    const CardSet leads = search.hand[frame.leader];
    if (!leads) return bounds;  // the deal is over, and left is 0
    if (!(leads & (leads - 1))) return last_trick<SEATS>(search, frame);
    if (search.memory.count) {
        frame.key = key_of<DUTY>(search, frame);
        const uint64_t word = slot_of(search.memory, frame.key);
        if ((word & (KEY | MARKS)) == (frame.key | search.memory.mark)) {
            const int32_t lower = (word >> 36) & 0xFFu, upper = (word >> 44) & 0xFFu;
            bounds = both(bounds, {lower, upper});
            if (decided()) return bounds;
            frame.good = held_like(search, leads, (word >> 52) & 31u);
        }
    }
    const Sure sure = forced<SEATS>(search);
    bounds = both(bounds, {sure.takers, frame.left - sure.others});
    // Who leads cashes only if it wants tricks, and if its friends, who win them too, want what it wants.
    if (decided() || search.task.takers != search.task.maximisers) return bounds;
    const bool takes = in(search.task.takers, frame.leader);
    const int32_t points = cashed<SEATS, DUTY>(search, frame);
    return both(bounds, takes ? Bounds{points, frame.left} : Bounds{0, frame.left - points});
}

// Remembers what a search at a boundary has shown; `first` is the lead that it tried first, `tried` the last one.
template <class Search>
RENEGE_FN void remember(const Search& search, const Frame& frame, Card first, Card tried) {
    if (!search.memory.count) return;
    const uint64_t key = frame.key;
    uint64_t& slot = slot_of(search.memory, key);
    uint64_t lower = 0, upper = 0xFF, good = frame.good == NO_CARD ? first : frame.good;
    if ((slot & (KEY | MARKS)) == (key | search.memory.mark)) {
        lower = (slot >> 36) & 0xFFu;
        upper = (slot >> 44) & 0xFFu;
    }
    const bool yes = frame.value >= frame.target;
    const uint64_t value = static_cast<uint64_t>(frame.value);
    if (yes && value > lower) lower = value;
    if (!yes && value < upper) upper = value;
    if (yes == in(search.task.maximisers, frame.seat)) good = tried;
    slot = key | (lower << 36) | (upper << 44) | (good << 52) | search.memory.mark;
}

}  // namespace renege::solve
