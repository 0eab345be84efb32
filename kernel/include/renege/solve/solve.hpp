// What is a position worth when all hands lie open and everybody plays as well as possible?
//
// Value: the points that the seats in `takers` still win, those of the trick on the table and the points for tricks
// included. The seats in `maximisers` want it large, all others small; mostly that is the same mask. In nello the
// declarer is the taker and the others maximise: the declarer can lose every trick exactly if the value is 0.
//
// One search asks "do the takers get `target` more?" and comes back with a bound that is as good as it found (fail-soft
// alpha-beta with an empty window); asking again, halfway between the bounds, ends at the value. What is found at trick
// boundaries is remembered as bounds of the points to come, so each question uses the answers to the last. A search
// that runs into a limit says nothing, and what earlier searches proved stays.
#pragma once

#include <renege/solve/bounds.hpp>
#include <renege/solve/choice.hpp>

namespace renege::solve {

// The table after a card, seen by whoever plays next; `from.gain` is what the takers got by it.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN void put(const Search& search, Frame& from, Card card, Frame& to) {
    const Order& order = search.order;
    to = from;
    if (from.lying == 0) {
        to.led = order.led_suit[card];
        to.best_card = static_cast<uint8_t>(card);
        to.winning = from.seat;
        if constexpr (DUTY == Duty::CALLED_ACE) {
            to.led_called = static_cast<uint8_t>(schafkopf::after_lead(order, from.led_called, from.seat, card));
        }
    } else if ((search.sight.above[from.led][from.best_card] >> card) & 1u) {
        to.best_card = static_cast<uint8_t>(card);
        to.winning = from.seat;
    }
    to.on_table = static_cast<int16_t>(from.on_table + order.points[card]);
    to.lying = from.lying + 1;
    to.seat = static_cast<uint8_t>(around<SEATS>(from.seat + 1u));
    from.gain = 0;
    if (to.lying < SEATS) return;
    const int16_t points = static_cast<int16_t>(to.on_table + order.trick_points);
    from.gain = in(search.task.takers, to.winning) ? points : int16_t{0};
    to.target = static_cast<int16_t>(from.target - from.gain);
    to.left = static_cast<int16_t>(from.left - points);
    to.seat = to.leader = to.winning;
    to.lying = 0;
    to.on_table = 0;
}

// Can the takers get root.target more? Yes if the value is at least that; then it is a lower bound, else an upper one.
// False if nodes or time ran out.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN bool ask(Search& search, const Frame& root, CardSet lying, int32_t& value) {
    Frame frames[MAX_CARDS + 1];  // a play each, so no deeper than the cards that are left
    CardSet table[MAX_CARDS + 1];
    const CardSet before[MAX_SEATS] = {search.hand[0], search.hand[1], search.hand[2], search.hand[3]};
    uint32_t depth = 0;
    frames[0] = root;
    table[0] = lying;
    list_moves<SEATS, DUTY>(search, frames[0], lying);
    for (;;) {
        Frame& frame = frames[depth];
        const bool wants = in(search.task.maximisers, frame.seat);
        const bool decided = frame.next && (wants ? frame.value >= frame.target : frame.value < frame.target);
        if (decided || frame.next == frame.count) {
            if (frame.lying == 0) remember(search, frame, frame.moves[0], frame.moves[frame.next - 1]);
            value = frame.value;
            if (depth == 0) return true;
            --depth;
        } else {
            if (must_stop(search.task, search.nodes)) {
                for (Seat seat = 0; seat < MAX_SEATS; ++seat) search.hand[seat] = before[seat];
                return false;
            }
            ++search.nodes;
            const Card card = frame.moves[frame.next++];
            search.hand[frame.seat] &= ~one(card);
            Frame& to = frames[depth + 1];
            put<SEATS, DUTY>(search, frame, card, to);
            bool open = true;
            if (to.lying == 0) {
                const Bounds bounds = known<SEATS, DUTY>(search, to, to.target);
                open = bounds.lower < to.target && bounds.upper >= to.target;
                value = bounds.lower >= to.target ? bounds.lower : bounds.upper;
            }
            if (open) {
                table[depth + 1] = to.lying == 0 ? 0u : table[depth] | one(card);
                list_moves<SEATS, DUTY>(search, to, table[++depth]);
                continue;
            }
        }
        Frame& parent = frames[depth];
        search.hand[parent.seat] |= one(parent.moves[parent.next - 1]);
        const int16_t found = static_cast<int16_t>(value + parent.gain);
        const bool better = in(search.task.maximisers, parent.seat) ? found > parent.value : found < parent.value;
        if (better) parent.value = found;
        if (search.task.merge && parent.next < parent.count) skip_near(search, parent, table[depth], found);
    }
}

// Asks until the bounds meet, or until they say whether the takers get `target`, where that is not 0; or until the
// nodes or the time run out.
template <uint32_t SEATS, Duty DUTY, class Search>
RENEGE_FN Bounds narrow(Search& search, Frame root, CardSet lying, int32_t target) {
    Bounds bounds = {0, root.left};
    if (root.lying == 0) bounds = known<SEATS, DUTY>(search, root, 0);
    while (bounds.lower < bounds.upper && !(target && (bounds.lower >= target || bounds.upper < target))) {
        int32_t next = target ? target : (bounds.lower + bounds.upper + 1) / 2;
        root.target = static_cast<int16_t>(next);
        int32_t value = 0;
        if (!ask<SEATS, DUTY>(search, root, lying, value)) break;
        (value >= next ? bounds.lower : bounds.upper) = value;
    }
    return bounds;
}

// The bounds of one position; `target` 0 asks for its value. Where `plays` is not null it gets the bounds after each
// legal play of the seat to move, by card, and {-1, -1} for all others. `nodes` are the cards that were played for it.
// The position must be without fault.
template <uint32_t SEATS, Duty DUTY>
RENEGE_FN Bounds solve(const Order& order, const Sight& sight, const Position& position, const Task& task,
                       const Memory& memory, int32_t target, Bounds* plays, uint64_t& nodes) {
    const Start start = close_up(order, position, task.takers, task.maximisers);
    const bool at_all = !must_stop(task, 0);  // else a search would only see that it must not begin
    const Memory slots = at_all ? empty(memory, start.hand, SEATS) : Memory{nullptr, 0, 0};
    Search search = {order, sight, slots, task, {}, 0, {}, {}, 0};
    search.task.takers = start.takers;
    search.task.maximisers = start.maximisers;
    for (Seat seat = 0; seat < MAX_SEATS; ++seat) {
        search.hand[seat] = start.hand[seat];
        for (CardSet rest = start.hand[seat]; rest; rest &= rest - 1) {
            search.owner[lowest_bit(rest)] = static_cast<uint8_t>(seat);
        }
    }
    if (task.merge && search.memory.count) gather_ranks(search);
    if (!plays) {
        const Bounds bounds = narrow<SEATS, DUTY>(search, start.frame, start.lying, target);
        nodes = search.nodes;
        return bounds;
    }
    Frame root = start.frame;
    const bool wants = in(search.task.maximisers, root.seat);
    for (Card card = 0; card < MAX_CARDS; ++card) plays[card] = {-1, -1};
    search.task.merge = false;
    list_moves<SEATS, DUTY>(search, root, start.lying);
    search.task.merge = task.merge;
    if (!root.count) return {0, 0};
    Bounds all = wants ? Bounds{-1, -1} : Bounds{BEYOND, BEYOND};
    const CardSet others = (all_held(search) & ~search.hand[root.seat]) | start.lying;
    for (uint32_t i = 0; i < root.count; ++i) {
        const Card card = root.moves[i];
        Bounds bounds = {-1, -1};
        for (uint32_t j = 0; j < i && task.merge; ++j) {
            const Card twin = root.moves[j];
            if (((sight.like[card] >> twin) & 1u) && !(sight.between[card][twin] & others)) bounds = plays[twin];
        }
        if (bounds.lower < 0) {
            Frame to;
            put<SEATS, DUTY>(search, root, card, to);
            search.hand[root.seat] &= ~one(card);
            const int32_t wanted = target ? target - root.gain : 0;
            if (target && wanted <= 0) bounds = {0, to.left};
            else bounds = narrow<SEATS, DUTY>(search, to, to.lying ? start.lying | one(card) : 0u, wanted);
            search.hand[root.seat] |= one(card);
            bounds = {bounds.lower + root.gain, bounds.upper + root.gain};
        }
        plays[card] = bounds;
        if (wants ? bounds.lower > all.lower : bounds.lower < all.lower) all.lower = bounds.lower;
        if (wants ? bounds.upper > all.upper : bounds.upper < all.upper) all.upper = bounds.upper;
    }
    nodes = search.nodes;
    return all;
}

}  // namespace renege::solve
