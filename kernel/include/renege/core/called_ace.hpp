// The called ace of Schafkopf: what its holder owes, and what the table must remember for that. Everything else of
// the game is tables, so that the loops of Texas 42 play it.
//
// `led_called` is a mask of seats: those that have led the called suit with a card other than its ace. Who holds the
// ace and is in it has run; once anybody is in it, the suit has been led and the ace is free.
#pragma once

#include <renege/core/cards.hpp>

namespace renege::schafkopf {

// The first duty that a card breaks, in the order in which a referee asks.
enum class Duty : uint32_t { NONE, FOLLOW_SUIT, ANSWER_SEARCH, ACE_STAYS, NO_RUNNING };

// The cards of the called suit; Ober and Unter are trumps and not among them.
RENEGE_FN constexpr CardSet called_suit(const Order& order) { return order.follow[order.led_suit[order.called]]; }

// The seats that have led the called suit once this card was led too.
RENEGE_FN constexpr uint32_t after_lead(const Order& order, uint32_t led_called, Seat seat, Card card) {
    const bool search_or_run = order.led_suit[card] == order.led_suit[order.called] && card != order.called;
    return led_called | (static_cast<uint32_t>(search_or_run) << seat);
}

// schafkopf.no-running: cards that may be led. The ace itself always may.
RENEGE_FN CardSet may_lead(const Order& order, CardSet hand, uint32_t led_called) {
    const CardSet ace = hand & one(order.called), suit = called_suit(order);
    const bool too_few = count_bits(hand & suit) < order.run_from;
    return ace && !led_called && too_few ? hand & ~(suit ^ ace) : hand;
}

// schafkopf.answer-search and schafkopf.ace-stays: what is left of the cards that follow suit.
RENEGE_FN CardSet may_follow(const Order& order, CardSet hand, CardSet same, Suit led, uint32_t led_called, Seat seat) {
    const CardSet ace = hand & one(order.called), may = same ? same : hand;
    const bool ran = (led_called >> seat) & 1u;
    const CardSet answer = ace && !ran ? ace : may;
    const CardSet stays = led_called || hand == ace ? may : may & ~ace;
    return led == order.led_suit[order.called] ? answer : stays;
}

// Cards that a seat may play from its hand. `lead` is NO_CARD where it leads itself.
RENEGE_FN CardSet legal(const Order& order, CardSet hand, Card lead, uint32_t led_called, Seat seat) {
    const bool leads = lead == NO_CARD, called = order.called != NO_CARD;
    if (leads) return called ? may_lead(order, hand, led_called) : hand;
    const Suit led = order.led_suit[lead];
    const CardSet same = hand & order.follow[led];
    if (called) return may_follow(order, hand, same, led, led_called, seat);
    return same ? same : hand;
}

// What a play from a hand would break.
RENEGE_FN Duty judge(const Order& order, CardSet hand, Card lead, uint32_t led_called, Seat seat, Card card) {
    const bool leads = lead == NO_CARD;
    const CardSet same = leads ? 0u : hand & order.follow[order.led_suit[lead]];
    if (same && !(same & one(card))) return Duty::FOLLOW_SUIT;
    if (order.called == NO_CARD || !(hand & one(order.called))) return Duty::NONE;
    if (leads) return may_lead(order, hand, led_called) & one(card) ? Duty::NONE : Duty::NO_RUNNING;
    if (may_follow(order, hand, same, order.led_suit[lead], led_called, seat) & one(card)) return Duty::NONE;
    return card == order.called ? Duty::ACE_STAYS : Duty::ANSWER_SEARCH;
}

// schafkopf.head-trick: of the cards that may answer a trick, those that beat it; all of them if none does.
RENEGE_FN CardSet heading(const Order& order, CardSet may, const uint8_t* table, uint32_t lying) {
    const uint8_t* strength = order.strength[order.led_suit[table[0]]];
    uint32_t best = 0;
    for (uint32_t i = 0; i < lying; ++i) best = strength[table[i]] > best ? strength[table[i]] : best;
    CardSet above = 0;
    for (CardSet rest = may; rest; rest &= rest - 1) {
        const Card card = lowest_bit(rest);
        above |= strength[card] > best ? one(card) : 0u;
    }
    return above ? above : may;
}

}  // namespace renege::schafkopf
