// Tractor with two to six packs: whether a follow keeps to the graded duty. Python defines it
// (renege.games.tractor.duties); this repeats it.
//
// A pile of one suit is so many cards of each kind, and for each width a mask of the steps where a kind has so many. A
// led tuple is a comparison. Led tractors are answered one after the other, each by the best one there is, laid in
// every place where it fits, since what is left for the next depends on the place: with t led tractors at most
// (steps)^t ways, and most often one of one.
#pragma once

#include <renege/tractor/house.hpp>

namespace renege::tractor::packs {

constexpr uint32_t COPIES = 6;   // of a kind, at most
constexpr uint32_t SUITS = 5;
constexpr uint32_t STEPS = 17;   // at most, in one suit
constexpr uint32_t SLOTS = 20;   // kinds, at most, in one suit
constexpr uint32_t CARDS = 80;   // at most, in a pile
constexpr uint32_t UNITS = CARDS / 2;  // of two cards and more
constexpr uint8_t NO_SUIT = 0xFF;

using Kinds = uint64_t;
using Steps = uint32_t;

// A declaration: where each kind stands in its suit. Kinds of a suit have slots from its lowest step up; those that
// share a step lie side by side.
struct Order {
    Kinds own[SUITS];
    uint8_t suit[64];
    uint8_t slot[64];
    uint8_t step[SUITS][SLOTS];
    uint8_t first[SUITS][STEPS + 1];  // the first slot on each step, and behind the last
};

// What is owed: are shorter runs, are wide tuples or tractors kept whole, and from when on tuples are a tractor.
struct Graded {
    Shorter shorter;
    bool suit_only;
    bool tuples_protected;
    bool tractors_protected;
    uint8_t least_width;   // at least 2
    uint8_t least_length;  // at least 2
};

enum class Breach : uint8_t { NONE = 0, LENGTH = 1, SUIT = 2, TUPLE = 3, RUN = 4, LONGER_RUN = 5 };

// Any pile: the kinds that are in it at least once, twice, ...
struct Pile {
    Kinds layer[COPIES];
};

// The cards of a pile in one suit.
struct Heap {
    uint8_t count[SLOTS];
    Steps wide[COPIES + 2];  // [w]: the steps on which a kind is there at least w times
};

// How large a unit is: its cards and then its width, in one number. 0 is no unit.
using Rank = uint16_t;
RENEGE_FN Rank rank_of(uint32_t width, uint32_t length) { return static_cast<Rank>(width * length * 8u + width); }
RENEGE_FN uint32_t width_of(Rank rank) { return rank & 7u; }
RENEGE_FN uint32_t length_of(Rank rank) { return (rank >> 3) / (rank & 7u); }

// The units of a lead, those of two cards and more, the greatest first.
struct Led {
    Rank units[UNITS];
    uint32_t count;
};

// What a pile gives to led tractors, and then to tuples, those that are parts of tractors included. Which entries there
// are follows from those before, so that two answers to a lead agree in their numbers as far as they agree in these.
struct Answer {
    Rank runs[UNITS];
    uint8_t tuples[UNITS];
    uint32_t run_count, tuple_count;
};

RENEGE_FN uint32_t size(const Pile& pile, uint32_t copies) {
    uint32_t cards = 0;
    for (uint32_t i = 0; i < copies; ++i) cards += count_bits64(pile.layer[i]);
    return cards;
}

RENEGE_FN uint32_t size_in(const Pile& pile, uint32_t copies, Kinds kinds) {
    uint32_t cards = 0;
    for (uint32_t i = 0; i < copies; ++i) cards += count_bits64(pile.layer[i] & kinds);
    return cards;
}

// How often the most frequent kind is there.
RENEGE_FN uint32_t widest(const Pile& pile, uint32_t copies, Kinds kinds) {
    uint32_t width = 0;
    while (width < copies && (pile.layer[width] & kinds)) ++width;
    return width;
}

RENEGE_FN Heap heap_of(const Order& order, uint32_t suit, const Pile& pile, uint32_t copies) {
    Heap heap = {};
    for (uint32_t i = 0; i < copies; ++i) {
        Kinds kinds = pile.layer[i] & order.own[suit];
        if (!kinds) break;
        for (; kinds; kinds &= kinds - 1u) {
            const uint32_t slot = order.slot[lowest_bit64(kinds)];
            heap.count[slot] = static_cast<uint8_t>(i + 1u);
            heap.wide[i + 1u] |= 1u << order.step[suit][slot];
        }
    }
    return heap;
}

RENEGE_FN void take(const Order& order, uint32_t suit, Heap& heap, uint32_t slot, uint32_t cards) {
    const uint32_t step = order.step[suit][slot], before = heap.count[slot];
    heap.count[slot] = static_cast<uint8_t>(before - cards);
    uint32_t most = 0;
    for (uint32_t i = order.first[suit][step]; i < order.first[suit][step + 1u]; ++i) {
        most = heap.count[i] > most ? heap.count[i] : most;
    }
    for (uint32_t width = most + 1u; width <= before; ++width) heap.wide[width] &= ~(1u << step);
}

// Where runs of so many steps begin.
RENEGE_FN Steps bottoms(Steps steps, uint32_t length) {
    Steps found = steps;
    for (uint32_t i = 1; i < length; ++i) found &= steps >> i;
    return found;
}

// The longest run of steps, at most so long.
RENEGE_FN uint32_t longest(Steps steps, uint32_t most) {
    uint32_t length = 0;
    for (Steps left = steps; left && length < most; left &= steps >> length) ++length;
    return length;
}

// What may answer: steps on which a kind has so many copies, without those that are kept for wider demands.
struct Asked {
    const Order& order;
    uint32_t suit;
    Graded duty;
    const Heap& hand;    // before anything was taken
    uint32_t protect;    // slots that lie in tractors of the hand and owe nothing to tuples
};

RENEGE_FN bool owes(const Asked& asked, uint32_t slot, uint32_t demand) {
    return !asked.duty.tuples_protected || asked.hand.count[slot] <= demand;
}

RENEGE_FN Steps open_steps(const Asked& asked, const Heap& heap, uint32_t width, uint32_t demand) {
    if (!asked.duty.tuples_protected) return heap.wide[width];
    Steps steps = 0;
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        if (heap.count[slot] >= width && owes(asked, slot, demand)) steps |= 1u << asked.order.step[asked.suit][slot];
    }
    return steps;
}

// To tuples of these widths, widest first: each gets the widest there is, cut from the kind that has least to spare.
// Where nothing is protected kinds with as many cards are alike.
RENEGE_FN void answer_alike(const Heap& heap, const uint8_t* widths, uint32_t count, uint8_t* given) {
    uint32_t kinds[COPIES + 1] = {};  // how many have so many cards
    for (uint32_t slot = 0; slot < SLOTS; ++slot) ++kinds[heap.count[slot]];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t from = widths[i];
        while (from <= COPIES && !kinds[from]) ++from;
        if (from > COPIES) {
            from = widths[i] - 1u;
            while (from >= 2u && !kinds[from]) --from;
        }
        const uint32_t width = from < widths[i] ? from : widths[i];
        given[i] = static_cast<uint8_t>(width < 2u ? 0u : width);
        if (width < 2u) continue;
        --kinds[from];
        ++kinds[from - width];
    }
}

RENEGE_FN void answer_protected(const Asked& asked, const Heap& heap, const uint8_t* widths, uint32_t count,
                             uint8_t* given) {
    uint8_t left[SLOTS];
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        left[slot] = asked.protect >> slot & 1u ? uint8_t{0} : heap.count[slot];
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t best = SLOTS, most = 1, spare = 0;
        for (uint32_t slot = 0; slot < SLOTS; ++slot) {
            if (left[slot] < 2 || !owes(asked, slot, widths[i])) continue;
            const uint32_t width = left[slot] < widths[i] ? left[slot] : widths[i], over = left[slot] - width;
            if (width > most || (width == most && best != SLOTS && over < spare)) {
                best = slot;
                most = width;
                spare = over;
            }
        }
        given[i] = best == SLOTS ? uint8_t{0} : static_cast<uint8_t>(most);
        if (best != SLOTS) left[best] = static_cast<uint8_t>(left[best] - most);
    }
}

// What is still to be answered: stretches of tuples that ask for tractors, and widths of single tuples.
struct Open {
    Rank stretches[UNITS];
    uint8_t parts[UNITS];
    uint32_t stretch_count;
    uint32_t part_count;
};

RENEGE_FN void add_part(Open& open, uint32_t width, uint32_t times) {
    for (; times; --times) {  // widest first
        uint32_t at = open.part_count++;
        for (; at && open.parts[at - 1u] < width; --at) open.parts[at] = open.parts[at - 1u];
        open.parts[at] = static_cast<uint8_t>(width);
    }
}

// Greatest first.
RENEGE_FN void add_stretch(Open& open, Rank rank) {
    uint32_t at = open.stretch_count++;
    for (; at && open.stretches[at - 1u] < rank; --at) open.stretches[at] = open.stretches[at - 1u];
    open.stretches[at] = rank;
}

// The best tractor of a heap that answers a led one, or 0.
RENEGE_FN Rank best_run(const Asked& asked, const Heap& heap, uint32_t width, uint32_t length) {
    Rank best = 0;
    const bool shorter = asked.duty.shorter != Shorter::NOT_OWED;
    const uint32_t least = shorter ? asked.duty.least_length : length;
    for (uint32_t w = width; w >= (shorter ? asked.duty.least_width : width); --w) {
        const uint32_t run = longest(open_steps(asked, heap, w, width), length);
        if (run >= least && rank_of(w, run) > best) best = rank_of(w, run);
    }
    return best;
}

// Is one answer greater, from a run on?
RENEGE_FN bool above(const Answer& one, const Answer& other, uint32_t depth) {
    for (uint32_t i = depth; i < other.run_count; ++i) {
        if (one.runs[i] != other.runs[i]) return one.runs[i] > other.runs[i];
    }
    for (uint32_t i = 0; i < other.tuple_count; ++i) {
        if (one.tuples[i] != other.tuples[i]) return one.tuples[i] > other.tuples[i];
    }
    return false;
}

RENEGE_FN void copy(Answer& to, const Answer& from, uint32_t depth) {
    to.run_count = from.run_count;
    to.tuple_count = from.tuple_count;
    for (uint32_t i = depth; i < from.run_count; ++i) to.runs[i] = from.runs[i];
    for (uint32_t i = 0; i < from.tuple_count; ++i) to.tuples[i] = from.tuples[i];
}

RENEGE_APART void answer(const Asked& asked, const Heap& heap, Open open, uint32_t depth, Answer& found);

// Every way to lay a run from its step `at` on: of kinds side by side any may be in it.
RENEGE_APART void lay(const Asked& asked, const Heap& heap, const Open& open, uint32_t depth, Rank rank,
                      uint32_t demand, uint32_t at, uint32_t last, Answer& found) {
    if (at > last) {
        Answer other;
        answer(asked, heap, open, depth, other);
        if (!found.run_count || above(other, found, depth)) copy(found, other, depth);
        return;
    }
    for (uint32_t slot = asked.order.first[asked.suit][at]; slot < asked.order.first[asked.suit][at + 1u]; ++slot) {
        if (heap.count[slot] < width_of(rank) || !owes(asked, slot, demand)) continue;
        Heap rest = heap;
        take(asked.order, asked.suit, rest, slot, width_of(rank));
        lay(asked, rest, open, depth, rank, demand, at + 1u, last, found);
    }
}

// The best that a heap can give to what is open: in `found`, its runs from `depth` on.
RENEGE_APART void answer(const Asked& asked, const Heap& heap, Open open, uint32_t depth, Answer& found) {
    uint32_t next = 0;  // the greatest stretch that is still a tractor
    while (next < open.stretch_count && (width_of(open.stretches[next]) < asked.duty.least_width ||
                                         length_of(open.stretches[next]) < asked.duty.least_length)) {
        ++next;
    }
    if (next == open.stretch_count) {
        for (uint32_t i = 0; i < open.stretch_count; ++i) {
            add_part(open, width_of(open.stretches[i]), length_of(open.stretches[i]));
        }
        found.run_count = depth;
        found.tuple_count = open.part_count;
        if (asked.duty.tuples_protected || asked.protect) {
            answer_protected(asked, heap, open.parts, open.part_count, found.tuples);
        } else {
            answer_alike(heap, open.parts, open.part_count, found.tuples);
        }
        return;
    }
    const uint32_t width = width_of(open.stretches[next]), length = length_of(open.stretches[next]);
    --open.stretch_count;
    for (uint32_t i = next; i < open.stretch_count; ++i) open.stretches[i] = open.stretches[i + 1u];
    const Rank best = best_run(asked, heap, width, length);
    if (!best) {
        add_part(open, width, length);
        answer(asked, heap, open, depth + 1u, found);
        found.runs[depth] = 0;
        return;
    }
    const uint32_t left = length - length_of(best);
    if (left && asked.duty.shorter == Shorter::ALL_OWED) {
        add_stretch(open, rank_of(width, left));
    } else {
        add_part(open, width, left);
    }
    if (!open.stretch_count && !open.part_count) {  // nothing else is asked: it may lie anywhere
        found.run_count = depth + 1u;
        found.tuple_count = 0;
        found.runs[depth] = best;
        return;
    }
    found.run_count = 0;  // nothing yet
    Steps places = bottoms(open_steps(asked, heap, width_of(best), width), length_of(best));
    for (; places; places &= places - 1u) {
        const uint32_t bottom = lowest_bit(places);
        lay(asked, heap, open, depth + 1u, best, width, bottom, bottom + length_of(best) - 1u, found);
    }
    found.runs[depth] = best;
}

// The slots that lie in a tractor of a hand.
RENEGE_FN uint32_t in_tractors(const Order& order, uint32_t suit, const Graded& duty, const Heap& hand) {
    uint32_t slots = 0;
    for (Steps places = bottoms(hand.wide[duty.least_width], duty.least_length); places; places &= places - 1u) {
        const uint32_t bottom = lowest_bit(places);
        for (uint32_t step = bottom; step < bottom + duty.least_length; ++step) {
            for (uint32_t slot = order.first[suit][step]; slot < order.first[suit][step + 1u]; ++slot) {
                if (hand.count[slot] >= duty.least_width) slots |= 1u << slot;
            }
        }
    }
    return slots;
}

RENEGE_FN Answer best_answer(const Order& order, uint32_t suit, const Graded& duty, const Heap& hand, const Led& led) {
    const uint32_t protect = duty.tractors_protected ? in_tractors(order, suit, duty, hand) : 0u;
    const Asked asked = {order, suit, duty, hand, protect};
    Open open;
    open.stretch_count = open.part_count = 0;
    for (uint32_t i = 0; i < led.count; ++i) {
        if (length_of(led.units[i]) > 1u) {
            add_stretch(open, led.units[i]);
        } else {
            add_part(open, width_of(led.units[i]), 1u);
        }
    }
    Answer found;
    answer(asked, hand, open, 0, found);
    return found;
}

// --- the shape of a lead

RENEGE_FN bool less_units(const Led& one, const Led& other) {
    for (uint32_t i = 0; i < one.count && i < other.count; ++i) {
        if (one.units[i] != other.units[i]) return one.units[i] < other.units[i];
    }
    return one.count < other.count;
}

RENEGE_FN Rank greatest_run(const Graded& duty, const Heap& heap) {
    Rank best = 0;
    for (uint32_t width = COPIES; width >= duty.least_width; --width) {
        const uint32_t run = longest(heap.wide[width], STEPS);
        if (run >= duty.least_length && rank_of(width, run) > best) best = rank_of(width, run);
    }
    return best;
}

RENEGE_APART void cut(const Order& order, uint32_t suit, const Graded& duty, const Heap& heap, Led& found);

RENEGE_APART void cut_run(const Order& order, uint32_t suit, const Graded& duty, const Heap& heap, Rank rank,
                          uint32_t at, uint32_t last, const Led& before, Led& best) {
    if (at > last) {
        Led other = before;
        other.units[other.count++] = rank;
        cut(order, suit, duty, heap, other);
        if (less_units(best, other)) best = other;
        return;
    }
    uint32_t tried = 0;
    for (uint32_t slot = order.first[suit][at]; slot < order.first[suit][at + 1u]; ++slot) {
        if (heap.count[slot] < width_of(rank) || tried >> heap.count[slot] & 1u) continue;
        tried |= 1u << heap.count[slot];
        Heap rest = heap;
        take(order, suit, rest, slot, width_of(rank));
        cut_run(order, suit, duty, rest, rank, at + 1u, last, before, best);
    }
}

// The units of a heap, added to those that were found: of all cuttings the greatest, compared unit by unit.
RENEGE_APART void cut(const Order& order, uint32_t suit, const Graded& duty, const Heap& heap, Led& found) {
    uint32_t widest_tuple = COPIES;
    while (widest_tuple > 1u && !heap.wide[widest_tuple]) --widest_tuple;
    if (widest_tuple < 2u) return;
    const Rank run = greatest_run(duty, heap), tuple = rank_of(widest_tuple, 1u);
    if (!run) {
        for (uint32_t width = widest_tuple; width >= 2u; --width) {
            for (uint32_t slot = 0; slot < SLOTS; ++slot) {
                if (heap.count[slot] == width) found.units[found.count++] = rank_of(width, 1u);
            }
        }
        return;
    }
    const Rank rank = run > tuple ? run : tuple;
    const Led before = found;
    Led best;
    best.count = 0;
    for (Steps places = bottoms(heap.wide[width_of(rank)], length_of(rank)); places; places &= places - 1u) {
        const uint32_t bottom = lowest_bit(places);
        cut_run(order, suit, duty, heap, rank, bottom, bottom + length_of(rank) - 1u, before, best);
    }
    found = best;
}

RENEGE_FN Led shape_of(const Order& order, uint32_t suit, const Graded& duty, const Heap& heap) {
    Led led;
    led.count = 0;
    cut(order, suit, duty, heap, led);
    return led;
}

// --- verdicts

RENEGE_APART Breach judge_shape(const Order& order, const Graded& duty, uint32_t copies, uint32_t suit,
                                const Pile& lead, const Pile& hand, const Pile& play) {
    const Led led = shape_of(order, suit, duty, heap_of(order, suit, lead, copies));
    const Answer owed = best_answer(order, suit, duty, heap_of(order, suit, hand, copies), led);
    Graded free = duty;  // what is protected may be given, and counts
    free.tuples_protected = free.tractors_protected = false;
    const Answer given = best_answer(order, suit, free, heap_of(order, suit, play, copies), led);
    if (!above(owed, given, 0)) return Breach::NONE;
    for (uint32_t i = 0; i < given.run_count; ++i) {
        if (given.runs[i] != owed.runs[i]) return given.runs[i] ? Breach::LONGER_RUN : Breach::RUN;
    }
    return Breach::TUPLE;
}

// The first duty that a follow breaks. The play is in the hand, and the lead is of one suit.
RENEGE_FN Breach judge_follow(const Order& order, const Graded& duty, uint32_t copies, const Pile& lead,
                              const Pile& hand, const Pile& play) {
    const uint32_t suit = order.suit[lowest_bit64(lead.layer[0])], led = size(lead, copies);
    if (size(play, copies) != led) return Breach::LENGTH;
    const Kinds own = order.own[suit];
    const uint32_t held = size_in(hand, copies, own), given = size_in(play, copies, own);
    if (given != led) return given == held ? Breach::NONE : Breach::SUIT;
    if (held == given || !lead.layer[1] || duty.suit_only) return Breach::NONE;  // all of it goes, or any of it may
    if (lead.layer[0] & (lead.layer[0] - 1u) || duty.tuples_protected || duty.tractors_protected) {
        return judge_shape(order, duty, copies, suit, lead, hand, play);
    }
    const uint32_t had = widest(hand, copies, own), owed = had < led ? had : led;  // one tuple was led
    return owed < 2u || widest(play, copies, own) >= owed ? Breach::NONE : Breach::TUPLE;
}

}  // namespace renege::tractor::packs
