// Which cards an open-hand search tries, and which first.
#pragma once

#include <renege/solve/search.hpp>

namespace renege::solve {

// The trick's fate if a card is played to it.
enum class Fate : uint32_t { OPEN, TAKERS, OTHERS };

// What the seats still to play to this trick may answer.
struct Answers {
    CardSet takers, others;
};

template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN Answers answers_to(const Search& search, const Frame& frame) {
    Answers answers = {0, 0};
    for (uint32_t i = 1; i < SEATS - frame.lying; ++i) {
        const Seat seat = around<SEATS>(frame.seat + i);
        const CardSet held = search.hand[seat];
        const bool leads = frame.lying == 0;
        const CardSet may = leads ? held : may_follow<DUTY>(search.order, held, frame.led, frame.led_called, seat);
        (in(search.task.takers, seat) ? answers.takers : answers.others) |= may;
    }
    return answers;
}

template <class Search>
RENEGE_FN Fate fate_of(const Search& search, const Frame& frame, Card card, const Answers& answers) {
    const bool leads = frame.lying == 0;
    const CardSet* above = search.sight.above[leads ? search.order.led_suit[card] : frame.led];
    const bool wins = leads || in(above[frame.best_card], card);
    const bool takers = in(search.task.takers, wins ? frame.seat : frame.winning);
    const Card best = wins ? card : frame.best_card;
    if (above[best] & (takers ? answers.others : answers.takers)) return Fate::OPEN;
    return takers ? Fate::TAKERS : Fate::OTHERS;
}

// Of cards that no trick can tell apart only one: swapping two such cards changes no rule, no winner and no points.
// Where they differ in points and the trick's fate is known, the dearer one if it goes to the mover's own side, else the
// cheaper: whatever trick the other goes to later, it cannot do better there.
template <class Search>
RENEGE_FN CardSet without_twins(const Search& search, const Frame& frame, CardSet may, CardSet lying,
                                const Answers& answers) {
    const CardSet others = (all_held(search) & ~search.hand[frame.seat]) | lying;
    const bool wants = in(search.task.maximisers, frame.seat);
    CardSet kept = may;
    for (CardSet rest = may; rest; rest &= rest - 1) {
        const Card card = lowest_bit(rest);
        if (!in(kept, card)) continue;
        for (CardSet near = search.sight.near[card] & kept; near; near &= near - 1) {
            const Card twin = lowest_bit(near);
            if (search.sight.between[card][twin] & others) continue;
            const int32_t more = search.order.points[twin] - search.order.points[card];
            if (more == 0) {
                kept &= ~one(twin);
                continue;
            }
            const Fate fate = fate_of(search, frame, card, answers);
            if (fate == Fate::OPEN) continue;
            if (((fate == Fate::TAKERS) == wants) == (more > 0)) {
                kept &= ~one(card);
                break;
            }
            kept &= ~one(twin);
        }
    }
    return kept;
}

// How soon a lead is tried: sure winners, then what a friend will win, then what costs little.
template <class Search>
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
    return 100 - 4 * points + static_cast<int32_t>(order.strength[order.led_suit[card]][card]);
}

// How soon a follow is tried: points where the trick goes to the own side, else a cheap card. `danger` are the cards
// with which somebody of the other side may still answer.
template <class Search>
RENEGE_FN int32_t follow_score(const Search& search, const Frame& frame, Card card, CardSet danger, bool ours) {
    const Order& order = search.order;
    const int32_t points = order.points[card], strength = order.strength[frame.led][card];
    const bool wins = (search.sight.above[frame.led][frame.best_card] >> card) & 1u;
    const CardSet* above = search.sight.above[frame.led];
    if (wins) {
        const bool stays = !(above[card] & danger);
        return stays ? 400 + 4 * points - strength : 250 - points + strength / 2;
    }
    if (ours) {
        const bool stays = !(above[frame.best_card] & danger);
        return stays ? 420 + 4 * points - strength / 4 : 200 - points - strength / 4;
    }
    return 100 - 4 * points - strength;
}

// What a seat may play that is worth trying, and what the others may answer; the answers to a single card are not asked.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN CardSet worth_trying(const Search& search, const Frame& frame, CardSet lying, Answers& answers) {
    const CardSet hand = search.hand[frame.seat];
    const CardSet may = frame.lying == 0
        ? may_lead<DUTY>(search.order, hand, frame.led_called)
        : may_follow<DUTY>(search.order, hand, frame.led, frame.led_called, frame.seat);
    answers = {0, 0};
    if (!(may & (may - 1))) return may;
    answers = answers_to<SEATS, DUTY>(search, frame);
    return search.task.merge ? without_twins(search, frame, may, lying, answers) : may;
}

// How a seat looks at its cards.
struct Outlook {
    CardSet foes, friends;  // what they may answer
    bool ours;              // is the trick won so far?
    int32_t sign;           // who does not want the tricks it wins (nello) tries everything the other way round
};

template <class Search>
RENEGE_FN Outlook look_out(const Search& search, const Frame& frame, const Answers& answers) {
    const bool takes = in(search.task.takers, frame.seat), wants = in(search.task.maximisers, frame.seat);
    const bool ours = frame.lying != 0 && in(search.task.takers, frame.winning) == takes;
    return {takes ? answers.others : answers.takers, takes ? answers.takers : answers.others, ours,
            takes == wants ? 1 : -1};
}

// How soon a card is tried.
template <class Search>
RENEGE_FN int32_t score_of(const Search& search, const Frame& frame, const Outlook& look, Card card) {
    const bool leads = frame.lying == 0;
    if (leads && card == frame.good) return 10000;
    return look.sign * (leads ? lead_score(search, card, look.foes, look.friends)
                              : follow_score(search, frame, card, look.foes, look.ours));
}

// Before anything was tried, a frame has the worst value.
template <class Search>
RENEGE_FN int16_t worst(const Search& search, const Frame& frame) {
    return static_cast<int16_t>(in(search.task.maximisers, frame.seat) ? -1 : BEYOND);
}

// Lists the moves of a frame, the most promising first.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN void list_moves(const Search& search, Frame& frame, CardSet lying) {
    Answers answers;
    CardSet may = worth_trying<SEATS, DUTY>(search, frame, lying, answers);
    frame.count = 0;
    frame.next = 0;
    frame.value = worst(search, frame);
    if (!(may & (may - 1))) {
        if (may) frame.moves[frame.count++] = static_cast<uint8_t>(lowest_bit(may));
        return;
    }
    const Outlook look = look_out(search, frame, answers);
    int32_t scores[MOST_HELD];
    for (; may; may &= may - 1) {
        const Card card = lowest_bit(may);
        const int32_t score = score_of(search, frame, look, card);
        uint32_t place = frame.count++;
        for (; place > 0 && scores[place - 1] < score; --place) {
            scores[place] = scores[place - 1];
            frame.moves[place] = frame.moves[place - 1];
        }
        scores[place] = score;
        frame.moves[place] = static_cast<uint8_t>(card);
    }
}

// Two cards next to each other: no card of another hand, and none on the table, tells them apart in a trick.
template <class Search>
RENEGE_FN bool is_next(const Search& search, Card a, Card b, CardSet others) {
    return in(search.sight.near[a], b) && !(search.sight.between[a][b] & others);
}

// What a card is worth at best if the one next to it is worth `found`: as much, but for the difference of their points.
template <class Search>
RENEGE_FN int32_t worth_beside(const Search& search, Card tried, Card card, int32_t found, bool wants) {
    const int32_t more = search.order.points[card] - search.order.points[tried];
    const int32_t apart = more < 0 ? -more : more;
    return wants ? found + apart : found - apart;
}

// A card was tried in vain. One next to it wins the same tricks, so it is worth as much but for the difference of their
// points: leaves it out where that is not enough.
template <class Search>
RENEGE_FN void skip_near(const Search& search, Frame& frame, CardSet lying, int32_t found) {
    const bool wants = in(search.task.maximisers, frame.seat);
    if (wants ? found >= frame.target : found < frame.target) return;
    const Card tried = frame.moves[frame.next - 1];
    if (!(search.sight.near[tried] & search.hand[frame.seat])) return;
    const CardSet others = (all_held(search) & ~search.hand[frame.seat]) | lying;
    uint8_t count = frame.next;
    for (uint32_t i = frame.next; i < frame.count; ++i) {
        const Card card = frame.moves[i];
        if (is_next(search, tried, card, others)) {
            const int32_t worth = worth_beside(search, tried, card, found, wants);
            if (wants ? worth < frame.target : worth >= frame.target) {
                if (wants ? worth > frame.value : worth < frame.value) frame.value = static_cast<int16_t>(worth);
                continue;
            }
        }
        frame.moves[count++] = static_cast<uint8_t>(card);
    }
    frame.count = count;
}

}  // namespace renege::solve
