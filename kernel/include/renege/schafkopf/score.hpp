// What a deal of Schafkopf comes to in cents: score.py, repeated.
#pragma once

#include <renege/schafkopf/table.hpp>

namespace renege::schafkopf {

// The top trumps in a row that a side was dealt all of, or none.
RENEGE_FN uint32_t runners(const Game& game, CardSet held) {
    uint32_t row = 0;
    const bool has = game.trumps && (held & one(game.top[0]));
    while (row < game.trumps && ((held & one(game.top[row])) != 0) == has) ++row;
    return row >= game.least ? row : 0;
}

// The declarer and its partner, or who played the called ace.
RENEGE_FN uint32_t declarers(const Setting& setting, const Lane& lane) {
    const bool called = game_of(setting, lane).called != NO_CARD;
    return seat_bit(lane.declarer) | seat_bit(called ? lane.ace : lane.partner);
}

struct Sum {
    uint32_t points, tricks;
};

RENEGE_FN Sum sum_of(const Lane& lane, uint32_t seats) {
    Sum sum{0, 0};
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        const bool in = (seats >> seat) & 1u;
        sum.points += in ? lane.points[seat] : 0u;
        sum.tricks += in ? lane.tricks[seat] : 0u;
    }
    return sum;
}

// A game that somebody plays. The points that no trick has counted stay with the others, as in a pack that is cut short.
RENEGE_FN void settle_game(const Setting& setting, const Lane& lane, int32_t* pays) {
    const Game& game = game_of(setting, lane);
    const uint32_t side = declarers(setting, lane);
    const Sum ours = sum_of(lane, side);
    const Sum theirs{setting.all_points - ours.points, setting.size - ours.tricks};
    const bool needs = !(setting.takes_over && (lane.raised & 1u));  // else the others need 61, who raised last
    bool won = needs ? ours.points >= setting.enough : theirs.points < setting.enough;
    int32_t price = game.alone ? setting.solo : setting.base;
    if (game.aim == Aim::POINTS) {
        const Sum& losers = won ? theirs : ours;
        if (losers.points < setting.free - uint32_t{won == needs}) price += setting.schneider;
        if (losers.tricks == 0) price += setting.schwarz;
    } else {
        won = game.aim == Aim::NO_TRICK ? ours.tricks == 0 : theirs.tricks == 0;
    }
    CardSet held = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) held |= (side >> seat) & 1u ? lane.dealt[seat] : 0u;
    price += setting.runner * static_cast<int32_t>(runners(game, held));
    const int32_t times = setting.stoss_adds ? 1 + lane.raised : 1 << lane.raised;
    const int32_t value = (price << lane.doubled) * times * game.factor, gain = won ? value : -value;
    const int32_t share = count_bits(side) == 2 ? 1 : 3;
    const int32_t stock = won ? setting.stock / 2 : -((setting.stock + 1) / 2);
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        const bool in = (side >> seat) & 1u;
        pays[seat] = in ? gain * share : -gain;
        if (in && game.called != NO_CARD) pays[seat] += stock;
    }
}

// -- Ramsch

RENEGE_FN uint32_t highest_trump(const Setting& setting, CardSet hand) {
    const Order& order = setting.orders[setting.games[RAMSCH].order];
    uint32_t highest = 0;
    for (CardSet rest = hand & order.follow[TRUMP]; rest; rest &= rest - 1) {
        const uint32_t strength = order.strength[TRUMP][lowest_bit(rest)];
        highest = strength > highest ? strength : highest;
    }
    return highest;
}

// What tells losers with equally many points apart: who has most of it has lost.
RENEGE_FN uint32_t tie_breaker(const Setting& setting, const Lane& lane, Seat seat) {
    switch (setting.tie) {
        case Tie::HIGHEST_TRUMP: return highest_trump(setting, lane.dealt[seat]);
        case Tie::MOST_TRICKS: return lane.tricks[seat];
        case Tie::MOST_TRUMPS:
        case Tie::HIGHEST_TAKEN: return lane.trumps_taken[seat];
        default: return 0;
    }
}

// The one or two with most points, and with them those whom nothing tells apart; one, if no seat were left to be paid.
RENEGE_FN uint32_t ramsch_losers(const Setting& setting, const Lane& lane) {
    uint32_t bad[MAX_SEATS], first = 0, losers = 0;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        bad[seat] = uint32_t{lane.points[seat]} << 8 | tie_breaker(setting, lane, seat);
    }
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        uint32_t worse = 0;
        for (Seat other = 0; other < MAX_SEATS; ++other) worse += bad[other] > bad[seat];
        first |= worse == 0 ? seat_bit(seat) : 0u;
        losers |= worse <= 1 ? seat_bit(seat) : 0u;
    }
    return setting.two_losers && count_bits(losers) < MAX_SEATS ? losers : first;
}

RENEGE_FN bool marches(const Setting& setting, const Lane& lane, Seat seat) {
    if (setting.march == March::ALL_TRICKS) return lane.tricks[seat] == setting.size;
    return setting.march == March::POINTS && lane.points[seat] >= setting.marching;
}

// How often seats without a trick double what a seat is paid.
RENEGE_FN uint32_t doublings(const Setting& setting, const Lane& lane, Seat seat) {
    uint32_t virgins = 0;
    for (Seat other = 0; other < MAX_SEATS; ++other) virgins += lane.tricks[other] == 0;
    if (setting.virgins == Virgins::PRICE) return virgins;
    if (setting.virgins == Virgins::NOTHING || lane.tricks[seat]) return 0;
    return setting.virgins == Virgins::OWN ? 1 : virgins;
}

RENEGE_FN void settle_ramsch(const Setting& setting, const Lane& lane, int32_t* pays) {
    const int32_t value = setting.ramsch << lane.doubled;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        if (!marches(setting, lane, seat)) continue;
        for (Seat other = 0; other < MAX_SEATS; ++other) pays[other] = other == seat ? 3 * value : -value;
        return;
    }
    const uint32_t losers = ramsch_losers(setting, lane);
    const bool one_each = count_bits(losers) == 2 && (setting.two_losers || setting.tie == Tie::ALL_ONE);
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) pays[seat] = 0;
    uint32_t lost = 0;  // losers before this one, in turn from forehand
    for (uint32_t i = 1; i <= MAX_SEATS; ++i) {
        const Seat loser = (lane.dealer + i) & 3u;
        if (!((losers >> loser) & 1u)) continue;
        for (uint32_t j = 1, spared = 0; j <= MAX_SEATS; ++j) {
            const Seat other = (lane.dealer + j) & 3u;
            if ((losers >> other) & 1u) continue;
            if (one_each && spared++ != lost) continue;
            const int32_t paid = value << doublings(setting, lane, other);
            pays[loser] -= paid;
            pays[other] += paid;
        }
        ++lost;
    }
}

// What a deal that is over pays each seat; nothing if it was thrown in.
RENEGE_FN void settle(const Setting& setting, const Lane& lane, int32_t* pays) {
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) pays[seat] = 0;
    if (lane.step != Step::OVER) return;
    if (lane.declarer == NOBODY) return settle_ramsch(setting, lane, pays);
    settle_game(setting, lane, pays);
}

}  // namespace renege::schafkopf
