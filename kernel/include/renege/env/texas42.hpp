// Texas 42 for env_batch.hpp: whole deals from the first bid to the marks, under any house rules.
//
// Python asks its own rules what may be bid and declared, and hands the answers over as tables: an auction is a walk from
// node to node, and a declaration is a sheet. What is written here is how tiles are laid and tricks are taken.
#pragma once

#include <renege/core/deal.hpp>
#include <renege/env/layout.hpp>

namespace renege::env42 {

constexpr uint32_t TILES = 28, BIDS = 25, DECLARED = 17, CALLS = BIDS + DECLARED, HAND = 7, ALL_POINTS = 42;
constexpr uint32_t MAX_NODES = 240;
constexpr uint32_t ACTS = 36;  // of a deal: bids, a declaration, the swap and all tiles are 35
constexpr uint8_t NONE = 0xFF;

// One declaration, with the way doubles stand in it.
struct Sheet {
    CardSet follow[MAX_SUITS];
    CardSet trumps;                            // tiles with power
    CardSet opening;                           // what the first lead must be of, if the leader has one; often nothing
    CardSet nearest[8];                        // sevens: the tiles by their distance from seven pips; else nothing
    uint8_t led_suit[MAX_CARDS];
    uint8_t strength[MAX_SUITS][MAX_CARDS];
    uint32_t nello;                            // does the declarer play alone, for no trick?
};

// The auction after some calls: what may be said next, and where that leads.
struct Node {
    uint32_t open[3];      // bids open to a hand with fewer than three doubles, with three, with more
    uint32_t declares[2];  // declarations open to a hand without and with a tile of seven pips; after four calls
    uint8_t next[BIDS];    // NONE where the bid is not open
    uint8_t spoken;        // calls made so far: four are all
    uint8_t points, marks; // of the highest bid; 0 and 0 where nobody has bid
    uint8_t partner_names, partner_leads;
    uint8_t sweep_pays;    // two marks where a forced bid takes every trick
    uint8_t spare;
};

struct Setting {
    env::Layout layout;
    Sheet sheets[DECLARED];
    Node nodes[MAX_NODES];
    CardSet doubles, sevens;   // the tiles that are doubles; those of seven pips
    uint8_t points[MAX_CARDS];
    uint32_t count;            // of the nodes; the first is node 0
    uint32_t dealer;
    uint32_t in_points;        // is a deal played for points, and not for marks?
    uint32_t stops;            // does play stop once the bid is made or set?
    uint32_t ties_to_declarers;  // in sevens
    uint32_t exchange;         // do partners swap a tile in nello?
};

enum class Stage : uint8_t { BID, DECLARE, GIVE, GIVE_BACK, PLAY, OVER };

struct Lane {
    CardSet hand[MAX_SEATS], lying[MAX_SEATS], played[MAX_SEATS], dealt[MAX_SEATS];
    uint64_t calls;           // that are open, and
    CardSet tiles;
    uint32_t points, tricks;  // taken, 8 bits a seat, seat 0 lowest
    uint8_t bid[MAX_SEATS];   // by seat; NONE before it has spoken
    uint8_t gave[MAX_SEATS];  // the tile it has passed; NONE
    Stage stage;
    uint8_t turn, node, bidder, namer, declared;
    uint8_t leader, lies, led, best, winning;  // the trick: tiles lying, the suit led, the strength that wins and whose
    uint8_t dealer;
    uint8_t voids[MAX_SEATS], has_led[MAX_SEATS];  // the suits that a seat has shown to be out of, and has led
    env::History<ACTS> history;
};

RENEGE_FN uint32_t at_seat(uint32_t bytes, Seat seat) { return (bytes >> (8 * seat)) & 0xFFu; }
RENEGE_FN uint32_t turned(uint32_t bytes, Seat seat) {  // the bytes of all seats, that of `seat` lowest
    return seat ? bytes >> (8 * seat) | bytes << (32 - 8 * seat) : bytes;
}

// EXCHANGE: may partners in nello swap a tile? Then a seat also sees what it has given. Rows of version 1 have a place for
// that under all house rules.
template <bool EXCHANGE>
struct Env {
    using Setting = env42::Setting;
    using Lane = env42::Lane;
    static constexpr uint32_t ACTIONS = TILES + CALLS;
    static constexpr uint32_t SAID = TILES * (10 + EXCHANGE), TAIL = SAID + MAX_SEATS * CALLS;
    static constexpr uint32_t PLAIN = TAIL + 5 * MAX_SEATS;
    static constexpr uint32_t WIDTH = PLAIN + 2 * MAX_SEATS * MAX_SUITS + env::MOST_RULES + 2 * ACTS;
    static constexpr uint32_t HIDDEN = 3 * TILES;

    static RENEGE_FN uint32_t width(const Setting& setting) {
        if (!setting.layout.version) return PLAIN;
        return PLAIN + 2 * MAX_SEATS * MAX_SUITS + setting.layout.rules + (setting.layout.history ? 2 * ACTS : 0u);
    }

    static RENEGE_FN const char* fault(const Setting& setting) {
        if (const char* why = env::fault(setting.layout)) return why;
        if (setting.exchange && !EXCHANGE) return "there is no place for a swap";
        if (!setting.count || setting.count > MAX_NODES) return "an auction has 1 to 240 nodes";
        if (setting.dealer >= MAX_SEATS) return "the dealer is a seat, 0..3";
        if (setting.nodes[0].spoken) return "the first node is before all calls";
        for (const Sheet& sheet : setting.sheets) {
            for (uint8_t suit : sheet.led_suit) {
                if (suit >= MAX_SUITS) return "a suit is 0..7";
            }
        }
        for (uint32_t i = 0; i < setting.count; ++i) {
            if (const char* why = fault(setting, setting.nodes[i])) return why;
        }
        return nullptr;
    }

    template <class Cpu>
    static RENEGE_FN void begin(const Setting& setting, Lane& lane, Stream& stream) {
        const uint8_t sizes[MAX_SEATS] = {HAND, HAND, HAND, HAND};
        lane = {};
        lane.dealer = static_cast<uint8_t>(setting.layout.drawn ? stream.next() >> 62 : setting.dealer);
        deal<Cpu>(KEY_MASK, sizes, MAX_SEATS, stream, lane.hand);
        open(setting, lane);
    }

    static RENEGE_FN const char* fault(const Setting&, const env::Standing& standing, const uint64_t* piles) {
        if (standing.dealer >= MAX_SEATS) return "the dealer is a seat, 0..3";
        CardSet all = 0;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
            const CardSet hand = static_cast<CardSet>(piles[2 * seat]);
            if (piles[2 * seat] != hand || piles[2 * seat + 1] || count_bits(hand) != HAND) return "a hand has seven tiles";
            all |= hand;
        }
        return all == KEY_MASK && !piles[2 * MAX_SEATS] && !piles[2 * MAX_SEATS + 1] ? nullptr : "a tile is dealt twice";
    }

    static RENEGE_FN void begin_with(const Setting& setting, Lane& lane, const env::Standing& standing,
                                     const uint64_t* piles) {
        lane = {};
        lane.dealer = standing.dealer;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) lane.hand[seat] = static_cast<CardSet>(piles[2 * seat]);
        open(setting, lane);
    }

    static RENEGE_FN uint32_t mover(const Setting&, const Lane& lane) {
        return lane.stage == Stage::OVER ? uint32_t{MAX_SEATS} : lane.turn;
    }

    static RENEGE_FN bool is_open(const Setting&, const Lane& lane, uint32_t action) {
        if (action < TILES) return (lane.tiles >> action) & 1u;
        return action < ACTIONS && ((lane.calls >> (action - TILES)) & 1u);
    }

    template <class Cpu = Portable>
    static RENEGE_FN void legal(const Setting&, const Lane& lane, uint8_t* mask) {
        spread32<Cpu>(lane.tiles, mask);
        spread32<Cpu>(static_cast<uint32_t>(lane.calls), mask + TILES);
        spread<CALLS - 32>(lane.calls >> 32, mask + TILES + 32);
    }

    static RENEGE_FN bool act(const Setting& setting, Lane& lane, uint32_t action) {
        if (!is_open(setting, lane, action)) return false;
        if (setting.layout.history) {
            env::note(lane.history, lane.turn, action, lane.stage == Stage::GIVE || lane.stage == Stage::GIVE_BACK);
        }
        if (lane.stage == Stage::PLAY) {
            play(setting, lane, action);
        } else if (lane.stage == Stage::BID) {
            bid(setting, lane, action - TILES);
        } else if (lane.stage == Stage::DECLARE) {
            declare(setting, lane, action - TILES - BIDS);
        } else {
            give(setting, lane, action);
        }
        look(setting, lane);
        return true;
    }

    template <class Cpu = Portable>
    static RENEGE_FN void observe(const Setting& setting, const Lane& lane, Seat seat, uint8_t* row) {
        const bool playing = lane.stage == Stage::PLAY;
        uint8_t* at = row;
        const auto pile = [&at](CardSet tiles) {
            spread32<Cpu>(tiles, at);
            at += TILES;
        };
        pile(lane.hand[seat]);
        if constexpr (EXCHANGE) pile(lane.gave[seat] == NONE ? 0u : one(lane.gave[seat]));
        for (uint32_t i = 0; i < MAX_SEATS; ++i) pile(lane.lying[(seat + i) & 3u]);
        for (uint32_t i = 0; i < MAX_SEATS; ++i) pile(lane.played[(seat + i) & 3u]);
        const bool played = lane.declared != NONE && lane.stage >= Stage::PLAY;
        pile(played ? setting.sheets[lane.declared].trumps : 0u);
        clear<MAX_SEATS * CALLS>(row + SAID);
        for (uint32_t i = 0; i < MAX_SEATS; ++i) {  // who has not spoken writes a nought
            const uint8_t said = lane.bid[(seat + i) & 3u];
            row[SAID + i * CALLS + (said == NONE ? 0u : said)] = said != NONE;
        }
        if (lane.declared != NONE) row[SAID + ((lane.namer - seat) & 3u) * CALLS + BIDS + lane.declared] = 1;
        const uint32_t tail[] = {lane.stage == Stage::OVER ? 0u : 1u << (8 * ((lane.turn - seat) & 3u)),
                                 playing ? 1u << (8 * ((lane.leader - seat) & 3u)) : 0u,
                                 1u << (8 * ((lane.dealer - seat) & 3u)), turned(lane.points, seat),
                                 turned(lane.tricks, seat)};
        for (uint32_t i = 0; i < 5; ++i) put_word(row + TAIL + 4 * i, tail[i]);
        if (!setting.layout.version) return;
        at = env::put_suits<MAX_SUITS>(lane.voids, seat, row + PLAIN);
        at = env::put_rules(setting.layout, env::put_suits<MAX_SUITS>(lane.has_led, seat, at));
        // the swap is seen by the two who make it
        if (setting.layout.history) env::put_history(lane.history, seat, ((seat ^ lane.bidder) & 1u) == 0, at);
    }

    static RENEGE_FN void hidden(const Setting&, const Lane& lane, Seat seat, uint8_t* row) {
        for (uint32_t i = 1; i < MAX_SEATS; ++i) spread<TILES>(lane.hand[(seat + i) & 3u], row + (i - 1) * TILES);
    }

    // What each side wins. Only once the deal is over.
    static RENEGE_FN void rewards(const Setting& setting, const Lane& lane, float* out) {
        uint32_t pays[2] = {0, 0};
        if (lane.declared != NONE) {
            const Node& node = setting.nodes[lane.node];
            const uint32_t side = lane.bidder & 1u, points[2] = {of_side(lane.points, 0), of_side(lane.points, 1)};
            const bool kept = verdict(setting, lane) > 0;
            const uint32_t winners = kept ? side : side ^ 1u;
            if (!setting.in_points) {
                const bool swept = node.sweep_pays && of_side(lane.tricks, side) == HAND;
                pays[winners] = node.marks ? node.marks : swept ? 2u : 1u;
            } else if (node.marks) {
                pays[winners] = ALL_POINTS * node.marks;
            } else if (kept) {
                pays[0] = points[0];
                pays[1] = points[1];
            } else {
                pays[winners] = points[winners] + node.points;
            }
        }
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) out[seat] = static_cast<float>(pays[seat & 1u]);
    }

    static RENEGE_FN env::Standing standing(const Lane& lane) { return {lane.dealer, {0, 0}, 0}; }

    static RENEGE_FN void dealt(const Lane& lane, uint64_t* piles) {
        for (uint32_t pile = 0; pile < 5; ++pile) {
            piles[2 * pile] = pile < MAX_SEATS ? lane.dealt[pile] : 0u;
            piles[2 * pile + 1] = 0;
        }
    }

  private:
    // What follows from a deal.
    static RENEGE_FN void open(const Setting& setting, Lane& lane) {
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
            lane.dealt[seat] = lane.hand[seat];
            lane.bid[seat] = lane.gave[seat] = NONE;
        }
        lane.declared = NONE;
        lane.turn = static_cast<uint8_t>((lane.dealer + 1) & 3u);
        look(setting, lane);
    }

    static RENEGE_FN const char* fault(const Setting& setting, const Node& node) {
        if (node.spoken > MAX_SEATS) return "four calls are made";
        if (node.spoken == MAX_SEATS) {
            const bool bid = node.points || node.marks;
            for (uint32_t declares : node.declares) {
                if ((bid && !declares) || declares >> DECLARED) return "a bid is followed by a declaration, of 17";
            }
            return nullptr;
        }
        for (uint32_t open : node.open) {
            if (!open || open >> BIDS) return "somebody has no call, or one that there is not";
            for (uint32_t rest = open; rest; rest &= rest - 1) {
                const uint8_t next = node.next[lowest_bit(rest)];
                if (next >= setting.count) return "a bid leads to no node";
                if (setting.nodes[next].spoken != node.spoken + 1) return "a bid leads to a node that is not the next";
            }
        }
        return nullptr;
    }

    static RENEGE_FN uint32_t of_side(uint32_t bytes, uint32_t side) {
        return at_seat(bytes, side) + at_seat(bytes, side + 2);
    }

    static RENEGE_FN void bid(const Setting& setting, Lane& lane, uint32_t call) {
        lane.bid[lane.turn] = static_cast<uint8_t>(call);
        if (call) lane.bidder = lane.turn;
        lane.node = setting.nodes[lane.node].next[call];
        const Node& node = setting.nodes[lane.node];
        lane.turn = (lane.turn + 1) & 3u;
        if (node.spoken < MAX_SEATS) return;
        if (!(node.points || node.marks)) {
            lane.stage = Stage::OVER;  // thrown in
            return;
        }
        lane.stage = Stage::DECLARE;
        lane.namer = lane.turn = (lane.bidder + (node.partner_names ? 2 : 0)) & 3u;
    }

    static RENEGE_FN void declare(const Setting& setting, Lane& lane, uint32_t declared) {
        lane.declared = static_cast<uint8_t>(declared);
        if (EXCHANGE && setting.exchange && setting.sheets[declared].nello) {
            lane.stage = Stage::GIVE;
            lane.turn = lane.bidder;
        } else {
            begin_play(setting, lane);
        }
    }

    static RENEGE_FN void give(const Setting& setting, Lane& lane, Card tile) {
        lane.gave[lane.turn] = static_cast<uint8_t>(tile);
        lane.hand[lane.turn] ^= one(tile);
        lane.turn ^= 2u;
        lane.hand[lane.turn] ^= one(tile);
        if (lane.stage == Stage::GIVE) {
            lane.stage = Stage::GIVE_BACK;
        } else {
            begin_play(setting, lane);
        }
    }

    static RENEGE_FN void begin_play(const Setting& setting, Lane& lane) {
        lane.stage = Stage::PLAY;
        lane.leader = lane.turn = (lane.bidder + (setting.nodes[lane.node].partner_leads ? 2 : 0)) & 3u;
    }

    static RENEGE_FN void play(const Setting& setting, Lane& lane, Card tile) {
        const Sheet& sheet = setting.sheets[lane.declared];
        lane.hand[lane.turn] ^= one(tile);
        lane.lying[lane.turn] = one(tile);
        if (!lane.lies) {
            lane.led = sheet.led_suit[tile];
            lane.has_led[lane.turn] |= static_cast<uint8_t>(1u << lane.led);
        } else if (!(sheet.follow[lane.led] & one(tile))) {
            lane.voids[lane.turn] |= static_cast<uint8_t>(1u << lane.led);
        }
        const uint32_t strength = sheet.strength[lane.led][tile];
        const bool ours = !((lane.turn ^ lane.bidder) & 1u), theirs = (lane.winning ^ lane.bidder) & 1u;
        const bool tie = setting.ties_to_declarers && sheet.nearest[0] && strength == lane.best && ours && theirs;
        if (!lane.lies || strength > lane.best || tie) {
            lane.best = static_cast<uint8_t>(strength);
            lane.winning = lane.turn;
        }
        const uint32_t idle = sheet.nello ? (lane.bidder + 2) & 3u : uint32_t{NONE};
        lane.turn = (lane.turn + 1) & 3u;
        lane.turn = lane.turn == idle ? (lane.turn + 1) & 3u : lane.turn;
        if (++lane.lies == MAX_SEATS - sheet.nello) take(setting, lane);
    }

    static RENEGE_FN void take(const Setting& setting, Lane& lane) {
        uint32_t points = 1;
        for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
            if (lane.lying[seat]) points += setting.points[lowest_bit(lane.lying[seat])];
            lane.played[seat] |= lane.lying[seat];
            lane.lying[seat] = 0;
        }
        lane.points += points << (8 * lane.winning);
        lane.tricks += 1u << (8 * lane.winning);
        lane.lies = 0;
        lane.leader = lane.turn = lane.winning;
        if (is_over(setting, lane)) lane.stage = Stage::OVER;
    }

    static RENEGE_FN bool all_played(const Lane& lane) {
        return of_side(lane.tricks, 0) + of_side(lane.tricks, 1) == HAND;
    }

    // 1 made, -1 set, 0 open.
    static RENEGE_FN int32_t verdict(const Setting& setting, const Lane& lane) {
        const Node& node = setting.nodes[lane.node];
        const uint32_t side = lane.bidder & 1u;
        if (node.points) {
            if (of_side(lane.points, side) >= node.points) return 1;
            return of_side(lane.points, side ^ 1u) > ALL_POINTS - node.points || all_played(lane) ? -1 : 0;
        }
        const uint32_t wanted = side ^ setting.sheets[lane.declared].nello;  // in nello the tricks are for the others
        if (of_side(lane.tricks, wanted ^ 1u)) return -1;
        return of_side(lane.tricks, wanted) == HAND ? 1 : 0;
    }

    static RENEGE_FN bool is_over(const Setting& setting, const Lane& lane) {
        if (all_played(lane)) return true;
        const Node& node = setting.nodes[lane.node];
        const bool counts = setting.in_points && node.points;
        const bool may_sweep = node.sweep_pays && !of_side(lane.tricks, (lane.bidder & 1u) ^ 1u);
        return setting.stops && !counts && !may_sweep && verdict(setting, lane) != 0;
    }

    static RENEGE_FN CardSet may_play(const Setting& setting, const Lane& lane) {
        const Sheet& sheet = setting.sheets[lane.declared];
        const CardSet hand = lane.hand[lane.turn];
        if (sheet.nearest[0]) {
            CardSet near = 0;
            for (uint32_t i = 0; i < 8 && !near; ++i) near = hand & sheet.nearest[i];
            return near;
        }
        const CardSet same = hand & (lane.lies ? sheet.follow[lane.led] : lane.tricks ? 0u : sheet.opening);
        return same ? same : hand;
    }

    // What is open to the seat to move.
    static RENEGE_FN void look(const Setting& setting, Lane& lane) {
        const CardSet hand = lane.hand[lane.turn];
        const Node& node = setting.nodes[lane.node];
        lane.tiles = 0;
        lane.calls = 0;
        if (lane.stage == Stage::PLAY) {
            lane.tiles = may_play(setting, lane);
        } else if (lane.stage == Stage::BID) {
            const uint32_t doubles = count_bits(hand & setting.doubles);
            lane.calls = node.open[doubles < 3 ? 0 : doubles == 3 ? 1 : 2];
        } else if (lane.stage == Stage::DECLARE) {
            lane.calls = uint64_t{node.declares[(hand & setting.sevens) != 0]} << BIDS;
        } else if (lane.stage != Stage::OVER) {
            lane.tiles = hand;
        }
    }
};

}  // namespace renege::env42
