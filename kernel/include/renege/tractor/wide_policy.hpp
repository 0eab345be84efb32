// Rules of thumb for larger tables of Tractor: which legal play a seat makes that knows its hand and what everybody saw.
// They are those of renege.games.tractor.rulebook_wide, but for details; tests hold every play against the rules.
#pragma once

#include <renege/tractor/wide_table.hpp>

namespace renege::tractor::wide {

constexpr int32_t TRUMPS = 52;  // how much dearer a trump is than the lowest plain card
constexpr int32_t TEAR = 4;     // what it costs to tear up a tuple, for each card of it that stays
constexpr uint32_t ANY = packs::COPIES;
constexpr uint32_t SURE = 256;  // what counts for more than any number of cards

// What the seat to move sees: of the hands on the table its own alone.
struct Sight {
    const Order& order;
    const House& house;
    const Table& table;
    uint32_t seat;
    const Pile& buried;  // empty but for the banker
};

RENEGE_FN const Pile& own_hand(const Sight& sight) { return sight.table.hand[sight.seat]; }

RENEGE_FN int32_t worth_of(uint32_t card) {
    return FIVES >> card & 1u ? 5 : TENS >> card & 1u ? 10 : 0;
}

// How dear a card is where a point given away is lost (1) or won (-1).
RENEGE_FN int32_t price_of(const Order& order, uint32_t card, uint32_t held, int32_t points) {
    const uint32_t suit = order.suit[card];
    const int32_t step = order.step[suit][order.slot[card]];
    return step + (suit == TRUMP ? TRUMPS : 0) + TEAR * (static_cast<int32_t>(held) - 1) + points * worth_of(card);
}

// Adds so many of the cheapest cards of these kinds.
RENEGE_FN void fill(const Sight& sight, Pile& chosen, Kinds kinds, uint32_t cards, int32_t points) {
    const uint32_t copies = sight.house.copies;
    const Pile& hand = own_hand(sight);
    Pile rest = only(without(hand, chosen, copies), kinds, copies);
    while (cards && rest.layer[0]) {
        uint32_t best = 0;
        int32_t least = 0x7FFFFFFF;
        for (Kinds left = rest.layer[0]; left; left &= left - 1u) {
            const uint32_t card = lowest_bit64(left);
            const int32_t price = price_of(sight.order, card, count_of(hand, copies, card), points);
            if (price >= least) continue;
            least = price;
            best = card;
        }
        uint32_t many = count_of(rest, copies, best);
        many = many < cards ? many : cards;
        for (uint32_t i = 0; i < many; ++i) add(chosen, copies, best);
        for (uint32_t i = 0; i < copies; ++i) rest.layer[i] &= ~(Kinds{1} << best);
        cards -= many;
    }
}

// --- cards for units

// A unit, and of how many copies at most a kind may be that serves it.
struct Wanted {
    Rank unit;
    uint8_t most;
};

// Units to be served from a hand, the cheapest places first: `price` is of a card of each slot.
struct Serving {
    const Order& order;
    uint32_t suit;
    const Heap& hand;
    const Wanted* wanted;
    uint32_t count;
    uint32_t kept;  // slots that serve no tuples
    int16_t price[packs::SLOTS];
};

RENEGE_FN bool may_serve(const Serving& serving, const Heap& left, uint32_t unit, uint32_t slot) {
    const Wanted& wanted = serving.wanted[unit];
    if (left.count[slot] < packs::width_of(wanted.unit) || serving.hand.count[slot] > wanted.most) return false;
    return packs::length_of(wanted.unit) > 1u || !(serving.kept >> slot & 1u);
}

// What a card costs of the kind on a step that serves best, and its slot; SLOTS where none does.
RENEGE_FN uint32_t best_slot(const Serving& serving, const Heap& left, uint32_t unit, uint32_t step, uint32_t tried,
                             int32_t& price) {
    uint32_t best = packs::SLOTS;
    const int32_t width = static_cast<int32_t>(packs::width_of(serving.wanted[unit].unit));
    for (uint32_t slot = serving.order.first[serving.suit][step]; slot < serving.order.first[serving.suit][step + 1u];
         ++slot) {
        if (tried >> slot & 1u || !may_serve(serving, left, unit, slot)) continue;
        const int32_t cost = width * serving.price[slot] + 2 * TEAR * (left.count[slot] - width);
        if (best != packs::SLOTS && cost >= price) continue;
        best = slot;
        price = cost;
    }
    return best;
}

RENEGE_APART bool serve(const Serving& serving, const Heap& left, uint32_t unit, Heap& rest);

RENEGE_APART bool serve_from(const Serving& serving, const Heap& left, uint32_t unit, uint32_t at, uint32_t last,
                             Heap& rest) {
    if (at > last) return serve(serving, left, unit + 1u, rest);
    uint32_t tried = 0;
    int32_t price = 0;
    for (uint32_t slot; (slot = best_slot(serving, left, unit, at, tried, price)) != packs::SLOTS;) {
        tried |= 1u << slot;
        Heap less = left;
        packs::take(serving.order, serving.suit, less, slot, packs::width_of(serving.wanted[unit].unit));
        if (serve_from(serving, less, unit, at + 1u, last, rest)) return true;
    }
    return false;
}

// Takes the units from this one on out of a heap; `rest` is what they leave.
RENEGE_APART bool serve(const Serving& serving, const Heap& left, uint32_t unit, Heap& rest) {
    if (unit == serving.count) {
        rest = left;
        return true;
    }
    const uint32_t length = packs::length_of(serving.wanted[unit].unit);
    Steps open = packs::bottoms(left.wide[packs::width_of(serving.wanted[unit].unit)], length);
    while (open) {
        uint32_t best = packs::STEPS;
        int32_t least = 0;
        for (Steps places = open; places; places &= places - 1u) {
            const uint32_t bottom = lowest_bit(places);
            int32_t cost = 0;
            bool serves = true;
            for (uint32_t step = bottom; step < bottom + length && serves; ++step) {
                int32_t price = 0;
                serves = best_slot(serving, left, unit, step, 0, price) != packs::SLOTS;
                cost += price;
            }
            if (!serves || (best != packs::STEPS && cost >= least)) continue;
            best = bottom;
            least = cost;
        }
        if (best == packs::STEPS) return false;
        if (serve_from(serving, left, unit, best, best + length - 1u, rest)) return true;
        open &= ~(Steps{1} << best);
    }
    return false;
}

// The cards that were taken out of a heap.
RENEGE_FN Pile taken_from(const Sight& sight, uint32_t suit, const Heap& before, const Heap& after) {
    Pile pile = {};
    for (Kinds kinds = own_hand(sight).layer[0] & sight.order.own[suit]; kinds; kinds &= kinds - 1u) {
        const uint32_t card = lowest_bit64(kinds), slot = sight.order.slot[card];
        const uint32_t cards = before.count[slot] - after.count[slot];
        for (uint32_t i = 0; i < cards; ++i) pile.layer[i] |= Kinds{1} << card;
    }
    return pile;
}

// The cheapest cards of a suit that serve some units, or the dearest where `points` is 0; no card where none do.
RENEGE_APART Pile cards_for(const Sight& sight, uint32_t suit, const Heap& heap, const Wanted* wanted, uint32_t count,
                            uint32_t kept, int32_t points) {
    Serving serving = {sight.order, suit, heap, wanted, count, kept, {}};
    const Pile& hand = own_hand(sight);
    for (Kinds kinds = hand.layer[0] & sight.order.own[suit]; kinds; kinds &= kinds - 1u) {
        const uint32_t card = lowest_bit64(kinds), slot = sight.order.slot[card];
        const int32_t step = sight.order.step[suit][slot];
        serving.price[slot] = static_cast<int16_t>(points ? step + points * worth_of(card) : -8 * step);
    }
    Heap rest;
    return serve(serving, heap, 0, rest) ? taken_from(sight, suit, heap, rest) : Pile{};
}

// --- following

// The units that are owed, as the best answer gives them: those of tractors first.
RENEGE_FN uint32_t wanted_by(const Graded& duty, const Led& led, const packs::Answer& answer, Wanted* wanted) {
    packs::Open open;
    open.stretch_count = open.part_count = 0;
    for (uint32_t i = 0; i < led.count; ++i) {
        if (packs::length_of(led.units[i]) > 1u) {
            packs::add_stretch(open, led.units[i]);
        } else {
            packs::add_part(open, packs::width_of(led.units[i]), 1u);
        }
    }
    uint32_t count = 0;
    for (uint32_t run = 0; run < answer.run_count; ++run) {
        uint32_t next = 0;
        while (packs::width_of(open.stretches[next]) < duty.least_width ||
               packs::length_of(open.stretches[next]) < duty.least_length) {
            ++next;
        }
        const uint32_t width = packs::width_of(open.stretches[next]), length = packs::length_of(open.stretches[next]);
        --open.stretch_count;
        for (uint32_t i = next; i < open.stretch_count; ++i) open.stretches[i] = open.stretches[i + 1u];
        const Rank given = answer.runs[run];
        const uint32_t left = given ? length - packs::length_of(given) : length;
        if (given) wanted[count++] = {given, static_cast<uint8_t>(duty.tuples_protected ? width : ANY)};
        if (given && left && duty.shorter == Shorter::ALL_OWED) {
            packs::add_stretch(open, packs::rank_of(width, left));
        } else {
            packs::add_part(open, width, left);
        }
    }
    for (uint32_t i = 0; i < open.stretch_count; ++i) {
        packs::add_part(open, packs::width_of(open.stretches[i]), packs::length_of(open.stretches[i]));
    }
    for (uint32_t i = 0; i < answer.tuple_count; ++i) {
        if (!answer.tuples[i]) continue;
        const uint8_t most = static_cast<uint8_t>(duty.tuples_protected ? open.parts[i] : ANY);
        wanted[count++] = {packs::rank_of(answer.tuples[i], 1u), most};
    }
    return count;
}

// The cheapest follow: what is owed, and then the cheapest cards.
RENEGE_APART Pile cheapest(const Sight& sight, int32_t points) {
    const Table& table = sight.table;
    const uint32_t copies = sight.house.copies, suit = table.suit;
    const Kinds own = sight.order.own[suit];
    const Pile& hand = own_hand(sight);
    const uint32_t held = packs::size_in(hand, copies, own);
    Pile chosen = {};
    if (held <= table.cards) {
        chosen = only(hand, own, copies);
        fill(sight, chosen, ~own, table.cards - held, points);
        return chosen;
    }
    const Graded& duty = sight.house.duty;
    if (table.led.count && !duty.suit_only) {
        const Heap heap = packs::heap_from(sight.order, suit, hand, copies, 1u);
        const Heap tuples = packs::heap_of(sight.order, suit, hand, copies);
        const packs::Answer answer = packs::best_answer(sight.order, suit, duty, tuples, table.led);
        Wanted wanted[packs::UNITS];
        const uint32_t count = wanted_by(duty, table.led, answer, wanted);
        const uint32_t kept = duty.tractors_protected ? packs::in_tractors(sight.order, suit, duty, heap) : 0u;
        if (count) chosen = cards_for(sight, suit, heap, wanted, count, kept, points);
    }
    fill(sight, chosen, own, table.cards - packs::size(chosen, copies), points);
    return chosen;
}

// Cards cut into the led units, of the led suit or of trumps where the hand has none of it: the highest or, for the
// last to play, cheap ones that are ahead. No card where there are none.
RENEGE_APART Pile winning_cards(const Sight& sight) {
    const Table& table = sight.table;
    const uint32_t copies = sight.house.copies;
    const Pile& hand = own_hand(sight);
    const uint32_t held = packs::size_in(hand, copies, sight.order.own[table.suit]);
    const uint32_t suit = held >= table.cards ? table.suit : TRUMP;
    const Kinds own = sight.order.own[suit];
    if ((suit != table.suit && held) || packs::size_in(hand, copies, own) < table.cards) return {};
    if (suit == table.suit && is_throw(table)) return {};
    Heap heap = packs::heap_from(sight.order, suit, hand, copies, 1u);
    Wanted wanted[packs::UNITS];
    uint32_t count = table.led.count;
    for (uint32_t i = 0; i < count; ++i) wanted[i] = {table.led.units[i], ANY};
    uint32_t singles = table.cards;
    for (uint32_t i = 0; i < count; ++i) singles -= table.led.units[i] >> 3;
    if (!count) {
        wanted[count++] = {packs::rank_of(1u, 1u), ANY};
        --singles;
    }
    const bool last = table.lying + 1u == sight.house.seats;
    if (last && count == 1u) {  // steps that do not win are none
        const uint32_t least = suit != table.suit && table.strength < RUFF ? 0u : table.strength % RUFF;
        const uint32_t length = packs::length_of(wanted[0].unit), bottom = least >= length ? least - length + 1u : 0u;
        for (uint32_t width = 1; width <= copies; ++width) heap.wide[width] &= ~((Steps{1} << bottom) - 1u);
    }
    Pile chosen = cards_for(sight, suit, heap, wanted, count, 0, last ? 1 : 0);
    if (!chosen.layer[0]) return {};
    fill(sight, chosen, own, singles, 1);
    return chosen;
}

// May somebody still join? Not where all places are taken, or the copies that would do have all been played.
RENEGE_FN bool is_open(const House& house, const Table& table) {
    for (uint32_t i = 0; i < house.friends; ++i) {
        const uint32_t enough = house.twice ? table.friends[i].nth : house.copies;
        if (table.joined[i] == NOBODY && count_of(table.seen, house.copies, table.friends[i].card) < enough) {
            return true;
        }
    }
    return false;
}

RENEGE_FN bool may_join(const Sight& sight) {
    const Table& table = sight.table;
    const uint32_t copies = sight.house.copies;
    for (uint32_t i = 0; i < sight.house.friends; ++i) {
        const uint32_t card = table.friends[i].card;
        if (table.joined[i] == NOBODY && own_hand(sight).layer[0] >> card & 1u &&
            count_of(table.seen, copies, card) < copies) {
            return true;
        }
    }
    return false;
}

// Does the seat take another for its partner? Who has not joined is a foe to it, until nobody can any more.
RENEGE_FN bool plays_with(const Sight& sight, uint32_t other) {
    if (!sight.house.friends) return ((other ^ sight.seat) & 1u) == 0u;
    const uint32_t team = team_of(sight.house, sight.table);
    if (team >> sight.seat & 1u || may_join(sight)) return team >> other & 1u || other == sight.seat;
    return !(team >> other & 1u) && !is_open(sight.house, sight.table);
}

RENEGE_APART Pile follow(const Sight& sight) {
    const Table& table = sight.table;
    if (plays_with(sight, table.winning)) return cheapest(sight, -1);
    const Pile cheap = cheapest(sight, 1);
    int32_t stake = 0;
    for (uint32_t i = 0; i < table.lying; ++i) stake += points_of(table.play[i], sight.house.copies);
    if (!stake || strength_of(sight.order, sight.house, table, cheap) > table.strength) return cheap;
    const Pile high = winning_cards(sight);
    return high.layer[0] && strength_of(sight.order, sight.house, table, high) > table.strength ? high : cheap;
}

// --- leading

// A unit that may be led: its form, and where it begins.
struct Lead {
    uint32_t suit, width, length, bottom;
};

// What the seat has not seen: not in its hand, not played, and not buried by itself.
RENEGE_FN Pile unseen_by(const Sight& sight) {
    const uint32_t copies = sight.house.copies;
    Pile all = {};
    for (uint32_t i = 0; i < copies; ++i) all.layer[i] = DECK;
    return without(without(without(all, own_hand(sight), copies), sight.table.seen, copies), sight.buried, copies);
}

// Can nothing that is out beat a unit?
RENEGE_FN bool is_sure(const Sight& sight, const Heap& out, const Lead& lead) {
    if (!(packs::bottoms(out.wide[lead.width], lead.length) >> (lead.bottom + 1u))) return true;
    for (uint32_t seat = 0; seat < sight.house.seats; ++seat) {
        if (seat != sight.seat && !(sight.table.voids[seat] >> lead.suit & 1u)) return false;
    }
    return true;
}

RENEGE_FN Pile pile_of(const Sight& sight, const Lead& lead) {
    Heap heap = packs::heap_from(sight.order, lead.suit, own_hand(sight), sight.house.copies, 1u);
    const Heap before = heap;
    for (uint32_t step = lead.bottom; step < lead.bottom + lead.length; ++step) {
        uint32_t best = packs::SLOTS;
        for (uint32_t slot = sight.order.first[lead.suit][step]; slot < sight.order.first[lead.suit][step + 1u];
             ++slot) {
            if (heap.count[slot] < lead.width || (best != packs::SLOTS && heap.count[slot] >= heap.count[best])) {
                continue;
            }
            best = slot;
        }
        packs::take(sight.order, lead.suit, heap, best, lead.width);
    }
    return taken_from(sight, lead.suit, before, heap);
}

// The greatest unit of a plain suit that nothing beats, else the greatest of two cards and more, else the cheapest card.
RENEGE_APART Pile lead(const Sight& sight) {
    const uint32_t copies = sight.house.copies;
    const Pile out = unseen_by(sight);
    const Pile& hand = own_hand(sight);
    const Graded& duty = sight.house.duty;
    Lead best = {};
    uint32_t most = 0;
    for (uint32_t suit = 1; suit < packs::SUITS; ++suit) {
        if (!(hand.layer[0] & sight.order.own[suit])) continue;
        const Heap heap = packs::heap_from(sight.order, suit, hand, copies, 1u);
        const Heap there = packs::heap_from(sight.order, suit, out, copies, 1u);
        for (uint32_t width = 1; width <= copies && heap.wide[width]; ++width) {
            const uint32_t run = width >= duty.least_width ? packs::longest(heap.wide[width], packs::STEPS) : 1u;
            const uint32_t length = width > 1u && run >= duty.least_length ? run : 1u;
            for (uint32_t steps = length;; steps = 1u) {  // the longest run, and then a tuple
                const Lead unit = {suit, width, steps, highest_bit(packs::bottoms(heap.wide[width], steps))};
                const uint32_t cards = width * steps, sure = is_sure(sight, there, unit) ? SURE : 0u;
                if (sure + cards > most && (sure || cards > 1u)) {
                    most = sure + cards;
                    best = unit;
                }
                if (steps == 1u) break;
            }
        }
    }
    if (most) return pile_of(sight, best);
    Pile chosen = {};
    fill(sight, chosen, DECK, 1u, 1);
    return chosen;
}

// What the seat to move plays; `buried` is the kitty, which the banker alone looks at.
RENEGE_FN Pile choose(const Order& order, const House& house, const Table& table, const Pile& buried) {
    const Pile nothing = {};
    const uint32_t seat = to_move(house, table);
    const Sight sight = {order, house, table, seat, seat == table.banker ? buried : nothing};
    return table.lying ? follow(sight) : lead(sight);
}

// --- rounds

// The rest of a round by the rules of thumb.
RENEGE_FN void play_on(const Order& order, const House& house, Table& table, const Pile& buried) {
    while (!is_over(table)) {
        const Pile play = choose(order, house, table, buried);
        put(order, house, table, play);
    }
}

}  // namespace renege::tractor::wide
