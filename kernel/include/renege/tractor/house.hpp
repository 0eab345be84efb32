// The house rules of Tractor that the kernel tells apart. They come from outside as one word, which
// renege.native.tractor.House writes:
//   bits 0-1 shorter runs   2-3 follow duty   4-5 comparison   6-7 stopped throws   8-9 throw test   10-12 kitty
//   13 trump throws   32-51 penalty
#pragma once

#include <renege/core/portable.hpp>

namespace renege::tractor {

// Is a run owed that is shorter than the led one, and every further one that fits what is left of that?
enum class Shorter : uint8_t { NOT_OWED = 0, OWED = 1, ALL_OWED = 2 };
constexpr uint32_t SHORTERS = 3;

// What a follower owes besides the suit: pairs and runs; the same, but no pair out of a tractor to a pair; nothing.
enum class FollowDuty : uint8_t { SHAPE = 0, PROTECTED = 1, SUIT_ONLY = 2 };
constexpr uint32_t FOLLOW_DUTIES = 3;

// What is compared when a throw is ruffed twice.
enum class Comparison : uint8_t { LONGEST_UNIT = 0, HIGHEST_CARD = 1, ALL_UNITS = 2 };
constexpr uint32_t COMPARISONS = 3;

// What becomes of a throw that another hand beats: its smallest beaten unit is led, or the smallest that the first seat
// beats, or it is no lead at all.
enum class Stop : uint8_t { LEAD_SMALLEST = 0, FIRST_FOUND = 1, REFUSED = 2 };
constexpr uint32_t STOPS = 3;

// What decides whether a throw stands: all other hands, those of the opponents, or what its leader can know.
enum class Test : uint8_t { TRUE_HANDS = 0, PUBLIC = 1, OPPONENTS = 2 };
constexpr uint32_t TESTS = 3;

// What the points in the kitty count for when the attackers take the last trick.
enum class Kitty : uint8_t { TWO_TO_CARDS = 0, TWICE_CARDS = 1, TWO_TO_PAIRS_PLUS_1 = 2, TWICE_LEAD = 3, TWO_OR_FOUR = 4 };
constexpr uint32_t KITTIES = 5;

struct House {
    Shorter shorter;
    FollowDuty duty;
    Comparison comparison;
    Stop stop;
    Test test;
    Kitty kitty;
    uint8_t trump_throws;  // may trumps be thrown?
    int32_t penalty;       // points that a stopped throw costs the side that tried it
};

RENEGE_FN House read_house(uint64_t word) {
    const auto bits = [word](uint32_t from, uint32_t count) {
        return static_cast<uint8_t>((word >> from) & ((1u << count) - 1u));
    };
    return {static_cast<Shorter>(bits(0, 2)), static_cast<FollowDuty>(bits(2, 2)), static_cast<Comparison>(bits(4, 2)),
            static_cast<Stop>(bits(6, 2)), static_cast<Test>(bits(8, 2)), static_cast<Kitty>(bits(10, 3)), bits(13, 1),
            static_cast<int32_t>((word >> 32) & 0xFFFFFu)};
}

// What is wrong with a word that came from outside.
RENEGE_FN const char* fault_in_house(uint64_t word) {
    const House house = read_house(word);
    if (word & ~0xFFFFF00003FFFull) return "house: a bit that has no meaning";
    if (static_cast<uint32_t>(house.shorter) >= SHORTERS) return "house: no such rule of shorter runs";
    if (static_cast<uint32_t>(house.duty) >= FOLLOW_DUTIES) return "house: no such duty of a follower";
    if (static_cast<uint32_t>(house.comparison) >= COMPARISONS) return "house: no such comparison";
    if (static_cast<uint32_t>(house.stop) >= STOPS) return "house: no such rule of stopped throws";
    if (static_cast<uint32_t>(house.test) >= TESTS) return "house: no such test of throws";
    if (static_cast<uint32_t>(house.kitty) >= KITTIES) return "house: the kitty is multiplied in a way that there is not";
    return nullptr;
}

}  // namespace renege::tractor
