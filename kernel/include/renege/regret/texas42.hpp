// Regret minimisation over the keys of texas42/abstraction.hpp: external sampling, one deal and one traversing seat a lane. While
// a batch runs the strategy stands still; what the lanes find is added up in whole numbers, so that neither their order,
// nor the number of threads, nor CPU or GPU can change a result.
#pragma once

#include <renege/texas42/abstraction.hpp>

namespace renege::texas42 {

constexpr float UNIT = 1.0f / 16777216.0f;  // what a whole number of `gain` and `share` stands for: 2 to the -24
constexpr uint32_t NO_SLOT = 0xFFFFFFFFu;
constexpr uint32_t MOST_PROBES = 512;
constexpr uint32_t MOST_SLOTS = 1u << 28;  // so that six numbers a slot are counted in 32 bits

// A table of keys by open addressing, six numbers of each kind a key. Slots are a power of two.
struct Ledger {
    uint64_t* keys;        // [slots] NO_KEY where none is
    const float* regret;   // [slots, WAYS] what each way would have gained over the strategy, summed over batches
    uint64_t* gain;        // [slots, WAYS] the same of this batch, signed, in units
    uint64_t* share;       // [slots, WAYS] how often the strategy took each way in this batch, in units
    uint32_t slots;
};

// What the lanes of a batch came to, as 64-bit numbers that are added up.
enum Sum : uint32_t { NODES, DROPPED, LANES_OF_ROLE, PAID_TO_ROLE = LANES_OF_ROLE + 4, SUMS = PAID_TO_ROLE + 4 };

RENEGE_FN constexpr uint64_t in_units(float number) {
    return static_cast<uint64_t>(static_cast<long long>(number * 16777216.0f));
}

// The slot of a key, taken if it has none; NO_SLOT where the table is full around it.
RENEGE_FN uint32_t slot_of(const Ledger& ledger, uint64_t key) {
    uint32_t slot = static_cast<uint32_t>(mix64(key * GOLDEN)) & (ledger.slots - 1);
    for (uint32_t i = 0; i < MOST_PROBES; ++i, slot = (slot + 1) & (ledger.slots - 1)) {
        uint64_t found = read_together(ledger.keys + slot);
        if (found == NO_KEY) found = claim_together(ledger.keys + slot, key);
        if (found == key) return slot;
    }
    return NO_SLOT;
}

// Regret matching: each open way in proportion to its regret, all alike where none is regretted.
RENEGE_FN void match(const float* regret, uint32_t open, float* strategy) {
    float sum = 0;
    for (uint32_t way = 0; way < WAYS; ++way) {
        const float here = regret && ((open >> way) & 1u) && regret[way] > 0 ? regret[way] : 0;
        strategy[way] = here;
        sum += here;
    }
    const float even = 1.0f / static_cast<float>(count_bits(open));
    for (uint32_t way = 0; way < WAYS; ++way) {
        const float share = sum > 0 ? strategy[way] / sum : even;
        strategy[way] = (open >> way) & 1u ? share : 0;
    }
}

// A way at random by the strategy; what rounding leaves over goes to the last open one.
RENEGE_FN uint32_t draw_way(const float* strategy, uint32_t open, Stream& stream) {
    float left = static_cast<float>(static_cast<uint32_t>(stream.next() >> 40)) * UNIT;
    uint32_t way = 0;
    for (uint32_t rest = open; rest; rest &= rest - 1) {
        way = lowest_bit(rest);
        if (left < strategy[way]) return way;
        left -= strategy[way];
    }
    return way;
}

// A turn of the traversing seat: every open way is played out, one after another.
struct Turn {
    Seen seen;
    Choice choice;
    uint32_t slot;
    uint32_t way;  // the one that is being played out
    float strategy[WAYS];
    float value[WAYS];
};

// A turn whose ways are all played out: what it is worth, and what each way gains over that.
RENEGE_FN float close_turn(const Ledger& ledger, const Turn& turn) {
    float worth = 0;
    for (uint32_t rest = turn.choice.open; rest; rest &= rest - 1) {
        const uint32_t way = lowest_bit(rest);
        worth += turn.strategy[way] * turn.value[way];
    }
    if (turn.slot == NO_SLOT) return worth;
    for (uint32_t rest = turn.choice.open; rest; rest &= rest - 1) {
        const uint32_t way = lowest_bit(rest);
        add_together(ledger.gain + WAYS * turn.slot + way, in_units(turn.value[way] - worth));
    }
    return worth;
}

// One lane: a deal, and a seat of it that tries everything while the others draw from the strategy. The seat is the
// declarer in lane 0, the one at its left in lane 1, and so on.
RENEGE_FN void traverse(const Sheet* sheets, const Ledger& ledger, uint64_t seed, uint64_t lane, uint64_t* sums) {
    Stream stream = open_stream(seed, Purpose::DEAL, lane);
    Seen seen = {deal_contract(sheets, stream), 0};
    stream = open_stream(seed, Purpose::PLAYOUT, lane);
    const Sheet& sheet = sheets[declaration(seen.position)];
    const uint32_t role = static_cast<uint32_t>(lane & 3u);
    const Seat traverser = (declarer(seen.position) + role) & 3u;
    const float sign = role & 1u ? -1.0f : 1.0f;
    Turn turns[HAND];
    uint32_t depth = 0;
    uint64_t nodes = 0, dropped = 0;
    float value = 0;
    for (;;) {
        // on to the end of the deal, opening a turn wherever the traverser has a choice
        int32_t end = 0;
        while (!(end = outcome(seen.position))) {
            const Seat seat = to_move(seen.position);
            const Choice choice = choices(sheet, seen);
            ++nodes;
            uint32_t way = lowest_bit(choice.open);
            if (choice.key != NO_KEY) {
                const uint32_t slot = slot_of(ledger, choice.key);
                dropped += slot == NO_SLOT;
                float strategy[WAYS];
                match(slot == NO_SLOT ? nullptr : ledger.regret + WAYS * slot, choice.open, strategy);
                if (seat == traverser) {
                    Turn& turn = turns[depth++];
                    turn.seen = seen;
                    turn.choice = choice;
                    turn.slot = slot;
                    turn.way = way;
                    for (uint32_t i = 0; i < WAYS; ++i) turn.strategy[i] = strategy[i];
                } else {
                    way = draw_way(strategy, choice.open, stream);
                    for (uint32_t rest = slot == NO_SLOT ? 0u : choice.open; rest; rest &= rest - 1) {
                        const uint32_t i = lowest_bit(rest);
                        add_together(ledger.share + WAYS * slot + i, in_units(strategy[i]));
                    }
                }
            }
            play(sheet, seen, choice.tile[way]);
        }
        value = sign * static_cast<float>(end);
        // back to the last turn with a way that is not played out
        while (depth) {
            Turn& turn = turns[depth - 1];
            turn.value[turn.way] = value;
            const uint32_t rest = turn.choice.open & (~1u << turn.way);
            if (rest) {
                turn.way = lowest_bit(rest);
                seen = turn.seen;
                play(sheet, seen, turn.choice.tile[turn.way]);
                break;
            }
            value = close_turn(ledger, turn);
            --depth;
        }
        if (!depth) break;
    }
    add_together(sums + NODES, nodes);
    add_together(sums + DROPPED, dropped);
    add_together(sums + LANES_OF_ROLE + role, 1);
    add_together(sums + PAID_TO_ROLE + role, in_units(value));
}

// After a batch: what was there weighs less, what the batch found is added, and the batch's sums are empty again.
RENEGE_FN void fold(float& sum, uint64_t& found, float weight) {
    sum = sum * weight + static_cast<float>(static_cast<long long>(found)) * UNIT;
    found = 0;
}

}  // namespace renege::texas42
