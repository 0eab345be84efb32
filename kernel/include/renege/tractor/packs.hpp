// Tractor with two to six packs: whether a follow keeps to the graded duty. Python defines it
// (renege.games.tractor.duties); this repeats it.
//
// A pile of one suit is so many cards of each kind, and for each width a mask of the steps where a kind has so many. A
// led tuple is a comparison. Led tractors are answered one after the other, each by the best one there is, laid in
// every place where it fits, since what is left for the next depends on the place: with t led tractors at most
// (steps)^t ways, and most often one of one.
#pragma once

#include <renege/tractor/packs_heap.hpp>

namespace renege::tractor::packs {

// What a pile gives to led tractors, and then to tuples, those that are parts of tractors included. Which entries there
// are follows from those before, so that two answers to a lead agree in their numbers as far as they agree in these.
struct Answer {
    Rank runs[UNITS];
    uint8_t tuples[UNITS];
    uint32_t run_count, tuple_count;
    uint32_t short_until;  // behind the last entry that is less than what was asked for; all tuples are one entry
};

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
    Rank stretch, run;  // that was asked and laid last,
    uint8_t bottom;     // from this step on
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
    to.short_until = from.short_until;
    for (uint32_t i = depth; i < from.run_count; ++i) to.runs[i] = from.runs[i];
    for (uint32_t i = 0; i < from.tuple_count; ++i) to.tuples[i] = from.tuples[i];
}

// The greatest stretch that still asks for a tractor, taken out of what is open; 0 where there is none, and then what is
// left of the stretches is parts.
RENEGE_FN Rank next_stretch(const Graded& duty, Open& open) {
    for (uint32_t i = 0; i < open.stretch_count; ++i) {
        const Rank rank = open.stretches[i];
        if (width_of(rank) < duty.least_width || length_of(rank) < duty.least_length) continue;
        --open.stretch_count;
        for (; i < open.stretch_count; ++i) open.stretches[i] = open.stretches[i + 1u];
        return rank;
    }
    for (uint32_t i = 0; i < open.stretch_count; ++i) {
        add_part(open, width_of(open.stretches[i]), length_of(open.stretches[i]));
    }
    open.stretch_count = 0;
    return 0;
}

RENEGE_FN void answer_parts(const Asked& asked, const Heap& heap, const Open& open, uint8_t* given) {
    if (asked.duty.tuples_protected || asked.protect) {
        answer_protected(asked, heap, open.parts, open.part_count, given);
    } else {
        answer_alike(heap, open.parts, open.part_count, given);
    }
}

// What is open once a stretch got this run.
RENEGE_FN void leave(const Graded& duty, Open& open, Rank stretch, Rank run) {
    const uint32_t width = width_of(stretch), left = length_of(stretch) - (run ? length_of(run) : 0u);
    if (!run) open.run = 0;  // what comes now depends on where runs were laid before
    if (run && left && duty.shorter == Shorter::ALL_OWED) {
        add_stretch(open, rank_of(width, left));
    } else {
        add_part(open, width, left);
    }
}

// Every way to lay a run from its step `at` on: of kinds side by side any may be in it. Each is taken on by the goal.
template <typename Goal>
RENEGE_APART void lay(const Asked& asked, const Heap& heap, const Open& open, uint32_t depth, Rank rank,
                      uint32_t demand, uint32_t at, uint32_t last, Goal& goal) {
    const uint8_t* first = asked.order.first[asked.suit];
    const uint32_t width = width_of(rank);
    Heap rest = heap;
    at = take_run(asked.order, asked.suit, rest, width, at, last);
    if (at > last) {
        goal.go_on(asked, rest, open, depth);
        return;
    }
    for (uint32_t slot = first[at]; slot < first[at + 1u]; ++slot) {
        if (rest.count[slot] < width || !owes(asked, slot, demand)) continue;
        Heap less = rest;
        take(asked.order, asked.suit, less, slot, width);
        lay(asked, less, open, depth, rank, demand, at + 1u, last, goal);
    }
}

// Where a run may be laid for a stretch; not below one of the same rank that was laid for as wide a stretch, as those
// may be laid in any order.
RENEGE_FN Steps places_for(const Asked& asked, const Heap& heap, const Open& open, Rank stretch, Rank run) {
    const Steps places = bottoms(open_steps(asked, heap, width_of(run), width_of(stretch)), length_of(run));
    return run == open.run && width_of(stretch) == width_of(open.stretch) ? not_below(places, open.bottom) : places;
}

template <typename Goal>
RENEGE_FN void lay_everywhere(const Asked& asked, const Heap& heap, Open& open, uint32_t depth, Rank run,
                              uint32_t demand, Steps places, Goal& goal) {
    for (; places; places &= places - 1u) {
        const uint32_t bottom = lowest_bit(places);
        open.bottom = static_cast<uint8_t>(bottom);
        lay(asked, heap, open, depth, run, demand, bottom, bottom + length_of(run) - 1u, goal);
    }
}

RENEGE_APART void answer(const Asked& asked, const Heap& heap, Open open, uint32_t depth, Answer& found);

// The best answer of those that are laid.
struct Best {
    Answer& found;

    RENEGE_FN void go_on(const Asked& asked, const Heap& heap, const Open& open, uint32_t depth) {
        if (found.run_count && found.short_until <= depth) return;  // all that is asked for
        Answer other;
        answer(asked, heap, open, depth, other);
        if (!other.run_count) return;  // it was laid in another order
        if (!found.run_count || above(other, found, depth)) copy(found, other, depth);
    }
};

// The best that a heap can give to what is open: in `found`, its runs from `depth` on.
RENEGE_APART void answer(const Asked& asked, const Heap& heap, Open open, uint32_t depth, Answer& found) {
    const Rank stretch = next_stretch(asked.duty, open);
    if (!stretch) {
        found.run_count = depth;
        found.tuple_count = open.part_count;
        found.short_until = 0;
        answer_parts(asked, heap, open, found.tuples);
        for (uint32_t i = 0; i < open.part_count; ++i) {
            if (found.tuples[i] < open.parts[i]) found.short_until = depth + 1u;
        }
        return;
    }
    const Rank best = best_run(asked, heap, width_of(stretch), length_of(stretch));
    leave(asked.duty, open, stretch, best);
    if (!best) {
        answer(asked, heap, open, depth + 1u, found);
    } else if (!open.stretch_count && !open.part_count) {  // nothing else is asked: it may lie anywhere
        found.run_count = depth + 1u;
        found.tuple_count = found.short_until = 0;
    } else {
        const uint32_t width = width_of(best), length = length_of(best);
        const Steps places = places_for(asked, heap, open, stretch, best);
        open.stretch = stretch;
        open.run = best;
        if (!places) {
            found.run_count = 0;
            return;
        }
        if (one_way(asked.order, asked.suit, places, length)) {
            Heap rest = heap;
            const uint32_t bottom = lowest_bit(places);
            open.bottom = static_cast<uint8_t>(bottom);
            take_run(asked.order, asked.suit, rest, width, bottom, bottom + length - 1u);
            answer(asked, rest, open, depth + 1u, found);
        } else {
            found.run_count = 0;  // nothing yet
            Best goal = {found};
            lay_everywhere(asked, heap, open, depth + 1u, best, width_of(stretch), places, goal);
        }
    }
    found.runs[depth] = best;
    if (best < stretch && found.short_until <= depth) found.short_until = depth + 1u;
}

RENEGE_APART void find_more(const Asked& asked, const Heap& heap, Open open, uint32_t depth, const Answer& given,
                            uint32_t& first);

// Where a heap could first give more than was given.
struct More {
    const Answer& given;
    uint32_t& first;

    RENEGE_FN void go_on(const Asked& asked, const Heap& heap, const Open& open, uint32_t depth) {
        if (depth < first) find_more(asked, heap, open, depth, given, first);
    }
};

// The first entry in which a heap can give more than was given, and as much before: `first`, if it is lower than that.
// The runs are the same up to `depth`, so that the same is open. Where all that was asked for is given from there on,
// there is nothing to look for.
RENEGE_APART void find_more(const Asked& asked, const Heap& heap, Open open, uint32_t depth, const Answer& given,
                            uint32_t& first) {
    if (depth >= given.short_until) return;
    const Rank stretch = next_stretch(asked.duty, open);
    if (!stretch) {
        uint8_t tuples[UNITS];
        answer_parts(asked, heap, open, tuples);
        for (uint32_t i = 0; i < open.part_count; ++i) {
            if (tuples[i] == given.tuples[i]) continue;
            if (tuples[i] > given.tuples[i]) first = depth;
            return;
        }
        return;
    }
    const Rank best = best_run(asked, heap, width_of(stretch), length_of(stretch));
    if (best > given.runs[depth]) first = depth;
    if (best != given.runs[depth]) return;
    leave(asked.duty, open, stretch, best);
    More goal = {given, first};
    if (!best) {
        goal.go_on(asked, heap, open, depth + 1u);
    } else {
        const Steps places = places_for(asked, heap, open, stretch, best);
        open.stretch = stretch;
        open.run = best;
        lay_everywhere(asked, heap, open, depth + 1u, best, width_of(stretch), places, goal);
    }
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

RENEGE_FN Open all_open(const Led& led) {
    Open open;
    open.stretch_count = open.part_count = 0;
    open.stretch = open.run = 0;
    open.bottom = 0;
    for (uint32_t i = 0; i < led.count; ++i) {
        if (length_of(led.units[i]) > 1u) {
            add_stretch(open, led.units[i]);
        } else {
            add_part(open, width_of(led.units[i]), 1u);
        }
    }
    return open;
}

RENEGE_FN Answer best_answer(const Order& order, uint32_t suit, const Graded& duty, const Heap& hand, const Led& led) {
    const uint32_t protect = duty.tractors_protected ? in_tractors(order, suit, duty, hand) : 0u;
    Answer found;
    answer({order, suit, duty, hand, protect}, hand, all_open(led), 0, found);
    return found;
}

// --- verdicts

// The first duty that a play breaks, which is of the led suit as the hand is.
RENEGE_APART Breach judge_units(const Order& order, const Graded& duty, uint32_t suit, const Led& led,
                                const Heap& held, const Heap& laid) {
    const Open open = all_open(led);
    Graded free = duty;  // what is protected may be given, and counts
    free.tuples_protected = free.tractors_protected = false;
    const uint32_t protect = duty.tractors_protected ? in_tractors(order, suit, duty, held) : 0u;
    const Asked of_play = {order, suit, free, laid, 0u}, of_hand = {order, suit, duty, held, protect};
    Open rest = open;
    if (const Rank stretch = next_stretch(duty, rest)) {  // the first run needs no search
        const Rank got = best_run(of_play, laid, width_of(stretch), length_of(stretch));
        if (got < stretch && best_run(of_hand, held, width_of(stretch), length_of(stretch)) > got) {
            return got ? Breach::LONGER_RUN : Breach::RUN;
        }
    }
    Answer given;
    answer(of_play, laid, open, 0, given);
    if (!given.short_until) return Breach::NONE;  // all that was asked for
    uint32_t first = UNITS + 1u;
    find_more(of_hand, held, open, 0, given, first);
    if (first > UNITS) return Breach::NONE;
    if (first == given.run_count) return Breach::TUPLE;
    return given.runs[first] ? Breach::LONGER_RUN : Breach::RUN;
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
        const Led units = shape_of(order, suit, duty, heap_of(order, suit, lead, copies));
        return judge_units(order, duty, suit, units, heap_of(order, suit, hand, copies),
                           heap_of(order, suit, play, copies));
    }
    const uint32_t had = widest(hand, copies, own), owed = had < led ? had : led;  // one tuple was led
    return owed < 2u || widest(play, copies, own) >= owed ? Breach::NONE : Breach::TUPLE;
}

}  // namespace renege::tractor::packs
