// Who wins a trick of Tractor. Two plays of one suit are compared by one step each, unless the house wants every unit to
// beat its like: then each is cut in every way that the led shape allows.
#pragma once

#include <renege/tractor/follow.hpp>

namespace renege::tractor {

// The units of pairs in a led shape by their lengths, the longest first.
struct Units {
    uint32_t count;
    uint8_t length[LONGEST];
    Shape rest[LONGEST];  // the runs among those behind
};

RENEGE_FN Units units_of(const Packing& packing, const Led& led) {
    Units units = {};
    uint32_t pairs = led.pairs, code = 0;
    for (uint32_t runs = packing.runs[led.runs]; runs; runs >>= 4) {
        units.length[units.count++] = static_cast<uint8_t>(runs & 15u);
        pairs -= runs & 15u;
    }
    for (uint32_t i = units.count; i-- > 0;) {
        units.rest[i] = packing.shape[code & (CODES - 1u)];
        code += packing.weight[units.length[i]];
    }
    for (; pairs; --pairs) units.length[units.count++] = 1;
    return units;
}

// A pile of one suit, all ways to cut units out of its pairs one after the other. Units of one length come from the
// highest down; `top` is one more than the step on which a unit ends.
struct Cutting {
    Pairs left[LONGEST + 1];
    uint8_t cards[STEPS];  // on each step
    uint8_t top[LONGEST];
};

RENEGE_FN Cutting cutting_of(const Order& order, uint32_t suit, const Pile& pile) {
    Cutting cutting = {};
    cutting.left[0] = pairs_of(order, suit, pile.twice);
    const Kinds layers[2] = {pile.once, pile.twice};
    for (Kinds kinds : layers) {
        for (; kinds; kinds &= kinds - 1) ++cutting.cards[lowest_bit(steps_of(order, suit, kinds & (0u - kinds)))];
    }
    return cutting;
}

// Cuts unit `i` so that it ends above `least` and at most at `top`, each one more than a step; false if it cannot. The
// units before it are cut, and those behind still can be.
RENEGE_CALLED bool cut_unit(const Packing& packing, const Units& units, uint32_t i, uint32_t least, uint32_t top,
                            Cutting& cutting) {
    const uint32_t length = units.length[i];
    const Pairs& pairs = cutting.left[i];
    for (; top >= length && top > least; --top) {
        const Steps window = ((1u << length) - 1u) << (top - length);
        if ((pairs.steps & window) != window) continue;
        Pairs left = {pairs.steps & ~window, pairs.crowd, pairs.at};
        if (pairs.crowd && ((window >> pairs.at) & 1u)) {
            --left.crowd;
            left.steps |= left.crowd ? 1u << pairs.at : 0u;
        }
        if (!can_cut(packing, left, units.rest[i])) continue;
        cutting.left[i + 1] = left;
        cutting.top[i] = static_cast<uint8_t>(top);
        return true;
    }
    return false;
}

// The next way to cut all units, each above the step that `over` has for it if there are such; `first` begins anew.
RENEGE_CALLED bool next_cutting(const Packing& packing, const Units& units, const uint8_t* over, bool first,
                                Cutting& cutting) {
    uint32_t i = first ? 0u : units.count;
    for (bool forth = first;;) {
        if (forth && i == units.count) return true;
        if (!forth && i-- == 0) return false;
        const bool alike = i && units.length[i] == units.length[i - 1];
        const uint32_t most = !forth ? cutting.top[i] - 1u : alike ? cutting.top[i - 1] : STEPS;
        forth = cut_unit(packing, units, i, over ? over[i] : 0u, most, cutting);
        if (forth) ++i;
    }
}

// Is every single of one cutting above its like in another, both from the highest down?
RENEGE_CALLED bool singles_over(const Units& units, const Cutting& ours, const Cutting& theirs) {
    uint8_t left[2][STEPS];
    for (uint32_t step = 0; step < STEPS; ++step) {
        left[0][step] = ours.cards[step];
        left[1][step] = theirs.cards[step];
    }
    for (uint32_t i = 0; i < units.count; ++i) {
        for (uint32_t k = 1; k <= units.length[i]; ++k) {
            left[0][ours.top[i] - k] -= 2;
            left[1][theirs.top[i] - k] -= 2;
        }
    }
    int32_t ahead = 0;  // singles of ours above a step, less theirs from it on
    for (uint32_t step = STEPS; step-- > 0;) {
        ahead -= left[1][step];
        if (ahead < 0) return false;
        ahead += left[0][step];
    }
    return true;
}

// Does a ruff go over another? However the one ahead is cut, it can be cut so that each unit beats its like. What is
// asked for seldom gets copies, so that what is asked for always may stay in registers.
RENEGE_APART bool goes_over(const Order& order, const Packing& packing, Led led, Pile ahead, Pile play) {
    const Units units = units_of(packing, led);
    Cutting theirs = cutting_of(order, order.trump, ahead), ours = cutting_of(order, order.trump, play);
    for (bool first = true; next_cutting(packing, units, nullptr, first, theirs); first = false) {
        bool higher = false;
        for (bool anew = true; !higher && next_cutting(packing, units, theirs.top, anew, ours); anew = false) {
            higher = singles_over(units, ours, theirs);
        }
        if (!higher) return false;
    }
    return true;
}

RENEGE_APART uint32_t highest_card(const Order& order, uint32_t suit, Kinds kinds) {
    return highest_bit(steps_of(order, suit, kinds)) + 1u;
}

// What a play of one suit is compared by, of which `top_step` is not 0: one more than a step.
RENEGE_FN uint32_t compared(const Order& order, const House& house, uint32_t suit, const Pile& play, uint32_t top) {
    return house.comparison == Comparison::HIGHEST_CARD ? highest_card(order, suit, play.once) : top;
}

constexpr uint32_t RUFF = 32;  // what a ruff's strength has more than that of its trumps

// Is this a second ruff that the house compares unit by unit? Its strength is then not all.
RENEGE_FN bool compares_units(const House& house, const Led& led, uint32_t strength) {
    return house.comparison == Comparison::ALL_UNITS && led.throws && strength > RUFF;
}

// Which of the plays to a trick wins: the highest step among the longest led units, or as the house compares two ruffs; a
// tie stays with the earlier.
RENEGE_FN uint32_t winner(const Order& order, const Packing& packing, const House& house, const Pile* plays,
                          uint32_t count) {
    const uint32_t suit = suit_of(order, plays[0]);
    const Led led = read_lead(order, packing, suit, plays[0]);
    uint32_t best = 0, strength = 0;  // the lead's own strength is looked for only if it matters
    for (uint32_t i = 1; i < count; ++i) {
        if (!plays[i].once) continue;
        const uint32_t follow = suit_of(order, plays[i]);
        const bool ruffs = follow == order.trump && follow != suit;
        if (!ruffs && (follow != suit || led.throws)) continue;  // a throw that stands is beaten by a ruff alone
        const uint32_t top = top_step(order, packing, follow, plays[i], led);
        if (!top) continue;
        if (!strength) strength = top_step(order, packing, suit, plays[0], led);
        if (compares_units(house, led, strength) && !goes_over(order, packing, led, plays[best], plays[i])) continue;
        const uint32_t ours = compared(order, house, follow, plays[i], top) + (ruffs ? RUFF : 0u);
        const uint32_t higher = 0u - (ours > strength);  // all ones if so
        best ^= (best ^ i) & higher;
        strength ^= (strength ^ ours) & higher;
    }
    return best;
}

}  // namespace renege::tractor
