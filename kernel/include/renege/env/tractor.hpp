// Tractor for env_batch.hpp: whole deals from the first showing to the levels that are gained, every play picked card by
// card. Trumps are shown in turn; what is open is kept with the table, so that it is worked out once a step.
#pragma once

#include <renege/env/tractor_deal.hpp>

namespace renege::tractor {

// SHOWS: do the seats name trumps? In the shrunk game nobody does: there is no trump suit, and the banker is the dealer.
template <bool SHOWS>
struct EnvTractor {
    using Setting = EnvSetting;
    using Lane = EnvLane;
    static constexpr uint32_t CALLS = SHOWS ? 12 : 1, PASS = 0, TAKE = SHOWS ? 1 : 0, SHOW = 2, LITTLE = 10;
    static constexpr uint32_t DONE = KINDS, FIRST_CALL = KINDS + 1, ACTIONS = FIRST_CALL + CALLS;
    // the sections of a row, as renege.games.encoding and games/tractor/encoding.py have them
    static constexpr uint32_t CHOSEN = KINDS, GAVE = 2 * KINDS, LYING = 3 * KINDS, PLAYED = 7 * KINDS,
                              RETURNED = 11 * KINDS, TRUMPS = 15 * KINDS, SAID = 16 * KINDS;
    static constexpr uint32_t TAIL = SAID + SEATS * CALLS, LEVEL = TAIL + 5 * SEATS, LEVELS = LEVEL + RANKS,
                              BANKER = LEVELS + 2, NAMED = BANKER + SEATS, VOIDS = NAMED + DECLARATIONS;
    static constexpr uint32_t PLAIN = VOIDS + SEATS * SUITS, MORE = SEATS * SUITS + 1;  // led, first
    static constexpr uint32_t WIDTH = PLAIN + MORE + env::MOST_RULES + 2 * ACTS;
    static constexpr uint32_t HIDDEN = 4 * KINDS;

    static RENEGE_FN uint32_t width(const Setting& setting) {
        if (!setting.layout.version) return PLAIN;
        return PLAIN + MORE + setting.layout.rules + (setting.layout.history ? 2 * ACTS : 0u);
    }

    static RENEGE_FN const char* fault(const Setting& setting) {
        if (const char* why = env::fault(setting.layout)) return why;
        if (setting.deck & ~DECK) return "a card that the deck does not have";
        if (!setting.hand || setting.hand > HAND || SEATS * setting.hand + setting.kitty != 2 * count_bits64(setting.deck)) {
            return "the cards are not as many as are dealt";
        }
        if (!setting.kitty) return "there is no kitty";
        if (setting.dealer >= SEATS) return "the dealer is a seat, 0..3";
        for (uint32_t level : setting.levels) {
            if ((level < LOWEST && !(setting.layout.drawn && level == 0)) || level > ACE) return "a level is 2..14";
        }
        if (const char* why = fault_in_house(setting.house)) return why;
        if (!setting.step) return "a level is worth no points";
        if (setting.stops >> (ACE + 1)) return "a level that must be defended is 2..14";
        for (const auto& level : setting.orders) {
            for (const Order& order : level) {
                if (const char* why = tractor::fault(order, setting.deck)) return why;
            }
        }
        return tractor::fault(setting.packing);
    }

    template <class Cpu>
    static RENEGE_FN void begin(const Setting& setting, Lane& lane, Stream& stream) {
        lane = {};
        lane.standing = stands(setting, stream);
        deal_packs(setting, stream, lane.dealt);
        open(setting, lane);
    }

    static RENEGE_FN const char* fault(const Setting& setting, const env::Standing& standing, const uint64_t* piles) {
        if (standing.dealer >= SEATS) return "the dealer is a seat, 0..3";
        for (uint32_t level : standing.level) {
            if (level < LOWEST || level > ACE) return "a level is 2..14";
        }
        Pile all = {0, 0};
        for (uint32_t i = 0; i <= SEATS; ++i) {
            const Pile pile = {piles[2 * i], piles[2 * i + 1]};
            if ((pile.once & ~setting.deck) || (pile.twice & ~pile.once)) return "a card that the deck does not have";
            if (size(pile) != (i < SEATS ? setting.hand : setting.kitty)) return "the cards are not as many as are dealt";
            if ((all.twice & pile.once) || (all.once & pile.twice)) return "a card is dealt a third time";
            all = joined(all, pile);
        }
        return nullptr;
    }

    static RENEGE_FN void begin_with(const Setting& setting, Lane& lane, const env::Standing& standing,
                                     const uint64_t* piles) {
        lane = {};
        lane.standing = standing;
        for (uint32_t i = 0; i <= SEATS; ++i) lane.dealt[i] = {piles[2 * i], piles[2 * i + 1]};
        open(setting, lane);
    }

    static RENEGE_FN uint32_t mover(const Setting&, const Lane& lane) {
        if (lane.stage == Stage::OVER) return SEATS;
        return lane.stage == Stage::PLAY ? to_move(lane.table) : lane.turn;
    }

    static RENEGE_FN bool is_open(const Setting&, const Lane& lane, uint32_t action) {
        if (action < KINDS) return (lane.cards >> action) & 1u;
        if (action == DONE) return lane.done;
        return action < ACTIONS && ((lane.calls >> (action - FIRST_CALL)) & 1u);
    }

    static RENEGE_FN void legal(const Setting&, const Lane& lane, uint8_t* mask) {
        spread<FIRST_CALL>(lane.cards | Kinds{lane.done} << DONE, mask);
        spread<CALLS>(lane.calls, mask + FIRST_CALL);
    }

    static RENEGE_FN bool act(const Setting& setting, Lane& lane, uint32_t action) {
        if (!is_open(setting, lane, action)) return false;
        if (action >= FIRST_CALL) {
            call(setting, lane, action - FIRST_CALL);
        } else {
            if (action != DONE) lane.chosen = with(lane.chosen, Kinds{1} << action);
            if (action == DONE || size(lane.chosen) == wanted(setting, lane)) lay(setting, lane, lane.chosen);
        }
        look(setting, lane);
        return true;
    }

    // May the mover lay these cards down at once: as a play, or as what it buries?
    static RENEGE_FN bool is_play(const Setting& setting, const Lane& lane, const Pile& pile) {
        if (!pile.once || (pile.twice & ~pile.once)) return false;
        if (lane.stage != Stage::BURY && lane.stage != Stage::PLAY) return false;
        const Table& table = lane.table;
        const Pile& hand = table.hand[mover(setting, lane)];
        if ((pile.once & ~hand.once) || (pile.twice & ~hand.twice)) return false;
        if (lane.stage == Stage::BURY) return size(pile) == setting.kitty;
        const Order& order = order_of(setting, lane, lane.named);
        const House house = read_house(setting.house);
        if (!table.lying) return may_lead(order, setting.packing, house, unseen(setting, lane), pile);
        return judge_follow(order, setting.packing, house, table.play[0], hand, pile) == Duty::NONE;
    }

    // Lays them down. They must be a play; what was picked before is put back.
    static RENEGE_FN void play(const Setting& setting, Lane& lane, const Pile& pile) {
        lay(setting, lane, pile);
        look(setting, lane);
    }

    static RENEGE_FN void observe(const Setting& setting, const Lane& lane, uint32_t seat, uint8_t* row) {
        const Table& table = lane.table;
        const bool begun = lane.stage == Stage::PLAY, over = lane.stage == Stage::OVER;
        const bool taken = lane.stage >= Stage::BURY && lane.named != NOBODY;
        const uint32_t to_act = mover(setting, lane);
        put_pile(table.hand[seat], row);
        put_pile(seat == to_act ? lane.chosen : Pile{0, 0}, row + CHOSEN);
        put_pile(lane.stage >= Stage::PLAY && taken && seat == table.banker ? lane.kitty : Pile{0, 0}, row + GAVE);
        for (uint32_t i = 0; i < SEATS; ++i) {
            const uint32_t other = (seat + i) & 3u, place = (other - table.leader) & 3u;
            put_pile(begun && place < table.lying ? table.play[place] : Pile{0, 0}, row + LYING + i * KINDS);
            put_pile(lane.played[other], row + PLAYED + i * KINDS);
            copy_row<KINDS>(lane.returned[other], row + RETURNED + i * KINDS);
            copy_row<CALLS>(lane.said[other], row + SAID + i * CALLS);
            for (uint32_t suit = 0; suit < SUITS; ++suit) {
                row[VOIDS + i * SUITS + suit] = static_cast<uint8_t>((lane.voids[other] >> suit) & 1u);
            }
            row[TAIL + i] = other == to_act;
            row[TAIL + SEATS + i] = begun && other == table.leader;
            row[TAIL + 2 * SEATS + i] = other == lane.standing.dealer;
            row[TAIL + 3 * SEATS + i] = lane.points[other];
            row[TAIL + 4 * SEATS + i] = lane.tricks[other];
            row[BANKER + i] = taken && other == table.banker;
        }
        const Order& order = order_of(setting, lane, taken ? lane.named : 0u);
        spread<KINDS>((begun || over) && taken ? order.own[order.trump] : 0u, row + TRUMPS);
        spread<RANKS>(Kinds{1} << (lane.standing.level[lane.standing.dealer & 1u] - LOWEST), row + LEVEL);
        row[LEVELS] = lane.standing.level[seat & 1u];
        row[LEVELS + 1] = lane.standing.level[~seat & 1u];
        spread<DECLARATIONS>(lane.named == NOBODY ? 0u : 1u << lane.named, row + NAMED);
        if (!setting.layout.version) return;
        uint8_t* at = env::put_suits<SUITS>(lane.has_led, seat, row + PLAIN);
        *at++ = lane.standing.first;
        at = env::put_rules(setting.layout, at);
        // what is buried is seen by the banker
        if (setting.layout.history) env::put_history(lane.history, seat, seat == table.banker, at);
    }

    // The other hands, and the kitty: as it was dealt, and later what was buried.
    static RENEGE_FN void hidden(const Setting&, const Lane& lane, uint32_t seat, uint8_t* row) {
        for (uint32_t i = 1; i < SEATS; ++i) put_pile(lane.table.hand[(seat + i) & 3u], row + (i - 1) * KINDS);
        put_pile(lane.kitty, row + (SEATS - 1) * KINDS);
    }

    // The levels that each side gains. Only once the deal is over.
    static RENEGE_FN void rewards(const Setting& setting, const Lane& lane, float* out) {
        for (uint32_t seat = 0; seat < SEATS; ++seat) out[seat] = 0.0f;
        if (lane.named == NOBODY) return;  // thrown in
        const Table& table = lane.table;
        const House house = read_house(setting.house);
        const uint32_t attackers = ~uint32_t{table.banker} & 1u, bankers = attackers ^ 1u;
        const int32_t failed = int32_t{lane.failed[bankers]} - int32_t{lane.failed[attackers]};
        int32_t points = lane.points[attackers] + lane.points[attackers + 2];
        points += house.penalty * failed;
        uint32_t total = points < 0 ? 0u : static_cast<uint32_t>(points);
        if ((table.leader & 1u) == attackers) {  // who takes the last trick would lead the next
            total += static_cast<uint32_t>(points_of(lane.kitty) * multiplier(house, table.led));
        }
        uint32_t rises[2] = {0, 0};
        const bool held = total < setting.enough;
        if (held) rises[bankers] = total == 0 ? 3u : total < setting.step ? 2u : 1u;
        else rises[attackers] = (total - setting.enough) / setting.step;
        for (uint32_t seat = 0; seat < SEATS; ++seat) {
            const uint32_t side = seat & 1u, level = lane.standing.level[side];
            const uint32_t now = risen(setting.stops, level, rises[side], held && side == bankers);
            out[seat] = static_cast<float>((now > ACE ? ACE + 1u : now) - level);
        }
    }

    static RENEGE_FN env::Standing standing(const Lane& lane) { return lane.standing; }

    static RENEGE_FN void dealt(const Lane& lane, uint64_t* piles) {
        for (uint32_t pile = 0; pile <= SEATS; ++pile) {
            piles[2 * pile] = lane.dealt[pile].once;
            piles[2 * pile + 1] = lane.dealt[pile].twice;
        }
    }

  private:
    // Where a deal stands: as the setting says, or drawn with it. Of those that are drawn one in 16 is a first deal, with
    // both sides at the lowest level, unless the levels are given.
    static RENEGE_FN env::Standing stands(const Setting& setting, Stream& stream) {
        env::Standing at = {static_cast<uint8_t>(setting.dealer),
                            {static_cast<uint8_t>(setting.levels[0]), static_cast<uint8_t>(setting.levels[1])},
                            static_cast<uint8_t>(setting.first)};
        if (!setting.layout.drawn) return at;
        const uint64_t word = stream.next();
        at.dealer = static_cast<uint8_t>(word >> 62);
        if (setting.levels[0] && setting.levels[1]) return at;
        uint32_t fraction = static_cast<uint32_t>(word);
        at.first = ((word >> 58) & 15u) == 0;
        for (uint8_t& level : at.level) level = static_cast<uint8_t>(LOWEST + (at.first ? 0u : draw(fraction, RANKS)));
        return at;
    }

    // What follows from a deal.
    static RENEGE_FN void open(const Setting& setting, Lane& lane) {
        for (uint32_t seat = 0; seat < SEATS; ++seat) lane.table.hand[seat] = lane.dealt[seat];
        lane.kitty = lane.dealt[SEATS];
        lane.shown = lane.named = NOBODY;
        lane.turn = lane.standing.dealer;
        lane.stage = SHOWS ? Stage::SHOW : Stage::TAKE;
        lane.calls = SHOWS ? shows(setting, lane, lane.table.hand[lane.turn]) : 1u << TAKE;
    }

    // A pile that was laid down, card by card, in the list of what was done.
    static RENEGE_FN void note_pile(const Setting& setting, Lane& lane, Seat seat, const Pile& pile, bool lead,
                                    bool face_down = false) {
        if (!setting.layout.history) return;
        for (Kinds kinds = pile.once; kinds; kinds &= kinds - 1) {
            const uint32_t kind = lowest_bit64(kinds);
            env::note(lane.history, seat, kind, face_down);
            if ((pile.twice >> kind) & 1u) env::note(lane.history, seat, kind, face_down);
        }
        if (lead) env::note(lane.history, seat, DONE);
    }

    // What the leader can know; it matters where throws must be proved.
    static RENEGE_FN Unseen unseen(const Setting& setting, const Lane& lane) {
        const Table& table = lane.table;
        Seen seen = {lane.played[0], {lane.voids[0], lane.voids[1], lane.voids[2], lane.voids[3]}};
        for (uint32_t seat = 1; seat < SEATS; ++seat) seen.played = joined(seen.played, lane.played[seat]);
        const Pile buried = table.leader == table.banker ? lane.kitty : Pile{0, 0};
        const Unseen found = unseen_by(table.hand[table.leader], seen, buried, table.leader);
        return {only(found.out, setting.deck), found.voids};
    }

    static RENEGE_FN void put_pile(const Pile& pile, uint8_t* row) {
        uint8_t twice[KINDS];
        spread<KINDS>(pile.once, row);
        if (!pile.twice) return;
        spread<KINDS>(pile.twice, twice);
        for (uint32_t i = 0; i < KINDS; ++i) row[i] = static_cast<uint8_t>(row[i] + twice[i]);
    }

    template <uint32_t BYTES>
    static RENEGE_FN void copy_row(const uint8_t* from, uint8_t* to) {
        for (uint32_t i = 0; i < BYTES; ++i) to[i] = from[i];
    }

    // The cards that end what is picked by themselves; a lead is as long as its leader likes.
    static RENEGE_FN uint32_t wanted(const Setting& setting, const Lane& lane) {
        if (lane.stage == Stage::BURY) return setting.kitty;
        return lane.table.lying ? lane.table.led.cards : 0u;
    }

    // What is open to the seat whose turn it is.
    static RENEGE_FN void look(const Setting& setting, Lane& lane) {
        lane.cards = 0;
        lane.calls = lane.done = 0;
        const Pile& hand = lane.table.hand[mover(setting, lane) & 3u];
        if (lane.stage == Stage::SHOW) {
            lane.calls = shows(setting, lane, hand);
        } else if (lane.stage == Stage::TAKE) {
            lane.calls = 1u << TAKE;
        } else if (lane.stage == Stage::BURY) {
            lane.cards = without(hand, lane.chosen).once;
        } else if (lane.stage == Stage::PLAY) {
            const Order& order = order_of(setting, lane, lane.named);
            const House house = read_house(setting.house);
            if (lane.table.lying) {
                lane.cards = follow_picks(order, setting.packing, house, lane.table, hand, lane.chosen);
            } else {
                const Unseen unseen = house.test == Test::PUBLIC ? EnvTractor::unseen(setting, lane) : Unseen{};
                lane.cards = lead_picks(order, house, unseen, hand, lane.chosen);
                lane.done = lane.chosen.once && may_lead(order, setting.packing, house, unseen, lane.chosen);
            }
        }
    }

    // A card of the level is weaker than a pair of it, that than little jokers, and those than big ones.
    static RENEGE_FN uint32_t shows(const Setting&, const Lane& lane, const Pile& hand) {
        uint32_t open = 1u << PASS;
        const uint32_t level = lane.standing.level[lane.standing.dealer & 1u] - LOWEST;
        for (uint32_t suit = 0; suit < 4; ++suit) {
            const uint32_t kind = suit * RANKS + level, call = SHOW + 2 * suit;
            if (lane.strength < 1) open |= static_cast<uint32_t>((hand.once >> kind) & 1u) << call;
            if (lane.strength < 2) open |= static_cast<uint32_t>((hand.twice >> kind) & 1u) << (call + 1u);
        }
        for (uint32_t joker = 0; joker < 2; ++joker) {
            const uint32_t held = static_cast<uint32_t>((hand.twice >> (JOKERS + joker)) & 1u);
            if (lane.strength < 3 + joker) open |= held << (LITTLE + joker);
        }
        return open;
    }

    static RENEGE_FN void call(const Setting& setting, Lane& lane, uint32_t call) {
        ++lane.said[lane.turn][call];
        if (setting.layout.history) env::note(lane.history, lane.turn, FIRST_CALL + call);
        if (lane.stage == Stage::TAKE) return take_up(setting, lane);
        if (call == PASS) {
            lane.content |= static_cast<uint8_t>(1u << lane.turn);
        } else {
            const bool jokers = call >= LITTLE;
            lane.content = static_cast<uint8_t>(1u << lane.turn);
            lane.shown = lane.turn;
            lane.strength = static_cast<uint8_t>(jokers ? call - LITTLE + 3u : (call & 1u) + 1u);
            lane.named = static_cast<uint8_t>(jokers ? NO_TRUMP : (call - SHOW) / 2u);
        }
        if (lane.content != 15) {  // asked in turn from the dealer on
            lane.turn = lane.standing.dealer;
            while ((lane.content >> lane.turn) & 1u) lane.turn = (lane.turn + 1) & 3u;
        } else if (lane.shown == NOBODY && setting.redeal) {
            lane.stage = Stage::OVER;
        } else {
            lane.stage = Stage::TAKE;
            lane.turn = lane.standing.first && lane.shown != NOBODY ? lane.shown : lane.standing.dealer;
        }
    }

    static RENEGE_FN void take_up(const Setting&, Lane& lane) {
        Table& table = lane.table;
        table.leader = table.banker = lane.turn;
        table.hand[lane.turn] = joined(table.hand[lane.turn], lane.kitty);
        lane.kitty = {0, 0};
        if (lane.named == NOBODY) lane.named = NO_TRUMP;
        lane.stage = Stage::BURY;
    }

    // What is picked is laid down: buried, led or followed with.
    static RENEGE_FN void lay(const Setting& setting, Lane& lane, const Pile& pile) {
        const Pile laid = pile;
        lane.chosen = {0, 0};
        if (lane.stage == Stage::BURY) {
            note_pile(setting, lane, lane.turn, laid, false, true);
            lane.kitty = laid;
            lane.table.hand[lane.turn] = without(lane.table.hand[lane.turn], laid);
            lane.stage = Stage::PLAY;
        } else if (lane.table.lying) {
            follow(setting, lane, laid);
        } else {
            lead(setting, lane, laid);
        }
    }

    static RENEGE_FN void lead(const Setting& setting, Lane& lane, const Pile& tried) {
        Table& table = lane.table;
        const Order& order = order_of(setting, lane, lane.named);
        const uint32_t seat = table.leader;
        Pile landed = tried;
        note_pile(setting, lane, seat, tried, true);
        lane.has_led[seat] |= static_cast<uint8_t>(1u << order.led_suit[lowest_bit64(tried.once)]);
        if (stopped(order, setting.packing, read_house(setting.house), table, seat, tried, landed)) {
            ++lane.failed[seat & 1u];
            note_pile(setting, lane, seat, landed, true);
            const Pile back = without(tried, landed);
            for (Kinds kinds = back.once; kinds; kinds &= kinds - 1) {
                const uint32_t kind = lowest_bit64(kinds);
                lane.returned[seat][kind] += static_cast<uint8_t>(1u + ((back.twice >> kind) & 1u));
            }
        }
        lay_lead(order, setting.packing, table, landed);
    }

    static RENEGE_FN void follow(const Setting& setting, Lane& lane, const Pile& play) {
        Table& table = lane.table;
        const Order& order = order_of(setting, lane, lane.named);
        const uint32_t seat = to_move(table);
        const House house = read_house(setting.house);
        const uint32_t strength = strength_of(order, setting.packing, house, table, play);
        if (overtakes(order, setting.packing, house, table, play, strength)) {
            table.strength = strength;
            table.winning = static_cast<uint8_t>(seat);
        }
        note_pile(setting, lane, seat, play, false);
        lane.voids[seat] |= static_cast<uint8_t>(shown_void(order, table, play));
        table.play[table.lying++] = play;
        table.hand[seat] = without(table.hand[seat], play);
        if (table.lying == SEATS) take(lane);
    }

    static RENEGE_FN void take(Lane& lane) {
        Table& table = lane.table;
        int32_t points = 0;
        for (uint32_t i = 0; i < SEATS; ++i) {
            Pile& played = lane.played[(table.leader + i) & 3u];
            points += points_of(table.play[i]);
            played = joined(played, table.play[i]);
        }
        lane.points[table.winning] += static_cast<uint8_t>(points);
        ++lane.tricks[table.winning];
        table.leader = table.winning;
        table.lying = 0;
        if (!table.hand[table.leader].once) lane.stage = Stage::OVER;
    }
};

}  // namespace renege::tractor
