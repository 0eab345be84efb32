// The Python face of Schafkopf in the kernel, as far as it is not that of Texas 42 too; renege.native.schafkopf
// documents it and allocates the arrays.
#include "tables.hpp"

using namespace nb::literals;
using namespace renege;
using namespace renege::binding;

namespace {

using InWords = Array<const uint32_t, -1>;
using InBytes = Array<const uint8_t, -1>;

// A seat and its hand, what was led to it, and who has led the called suit.
struct Turn {
    CardSet hand;
    Card lead;
    uint32_t led_called;
    Seat seat;
};

// What is wrong with a turn that came from outside; nullptr promises that the header is safe on it.
const char* fault_in(const Order& order, const Turn& turn) {
    if (order.cards < MAX_CARDS && turn.hand >> order.cards) return text(Fault::UNKNOWN_CARD);
    if (turn.lead != NO_CARD && turn.lead >= order.cards) return "the card led is not in the deck";
    if (turn.lead != NO_CARD && (turn.hand & one(turn.lead))) return "the card led is still in the hand";
    if (turn.led_called >> MAX_SEATS) return "led_called is a mask of four seats";
    return turn.seat >= MAX_SEATS ? "a seat is 0..3" : nullptr;
}

// A turn in each row.
struct Turns {
    InWords hands;
    InBytes leads;
    InBytes led_called;
    InBytes seats;

    Turn read(size_t row) const {
        return {hands.data()[row], leads.data()[row], led_called.data()[row], seats.data()[row]};
    }
};

// Asks about each row, once nothing is found wrong with it; `ask` may still refuse it.
template <class Ask>
void for_turns(const Order& order, const Turns& turns, size_t threads, const Ask& ask) {
    const size_t count = turns.hands.shape(0);
    for (size_t rows : {turns.leads.shape(0), turns.led_called.shape(0), turns.seats.shape(0)}) same_rows(count, rows);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(count, threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                const Turn turn = turns.read(row);
                const char* fault = fault_in(order, turn);
                if (!fault) fault = ask(row, turn);
                if (fault) return {row, fault};
            }
            return {};
        });
    }
    raise("turns", refusal);
}

void legal_cards(const Tables& tables, InWords hands, InBytes leads, InBytes led_called, InBytes seats,
                 Array<uint32_t, -1> out, size_t threads) {
    const Order& order = tables.order;
    same_rows(hands.shape(0), out.shape(0));
    for_turns(order, {hands, leads, led_called, seats}, threads, [&](size_t row, const Turn& turn) -> const char* {
        out.data()[row] = schafkopf::legal(order, turn.hand, turn.lead, turn.led_called, turn.seat);
        return nullptr;
    });
}

void judge_cards(const Tables& tables, InWords hands, InBytes leads, InBytes led_called, InBytes seats, InBytes cards,
                 Array<uint8_t, -1> out, size_t threads) {
    const Order& order = tables.order;
    for (size_t rows : {cards.shape(0), out.shape(0)}) same_rows(hands.shape(0), rows);
    for_turns(order, {hands, leads, led_called, seats}, threads, [&](size_t row, const Turn& turn) -> const char* {
        const Card card = cards.data()[row];
        if (card >= order.cards || !(turn.hand & one(card))) return "the card is not in the hand";
        out.data()[row] = static_cast<uint8_t>(
            schafkopf::judge(order, turn.hand, turn.lead, turn.led_called, turn.seat, card));
        return nullptr;
    });
}

// The cards in the tricks that each seat takes; the plays go on until the first NO_CARD.
const char* take(const Order& order, Position position, const uint8_t* row, CardSet* taken) {
    uint8_t plays[PLAYS_WIDTH];
    std::memcpy(plays, row, sizeof plays);
    const Fault fault = fault_in(order, position);
    if (fault != Fault::NONE) return text(fault);
    CardSet lying = 0;
    for (uint32_t i = 0; i < cards_on_table(position); ++i) lying |= one(on_table(position, i));
    for (uint32_t i = 0; i < PLAYS_WIDTH && plays[i] != NO_CARD; ++i) {
        if (plays[i] >= order.cards || !(position.hand[to_move(position)] & one(plays[i]))) {
            return "a card is played that the seat to move does not hold";
        }
        lying |= one(plays[i]);
        play(order, position, plays[i]);
        if (cards_on_table(position) == 0) {
            taken[leader(position)] |= lying;
            lying = 0;
        }
    }
    return nullptr;
}

void cards_taken(const Tables& tables, InStates states, Array<const uint8_t, -1, PLAYS_WIDTH> plays,
                 Array<uint32_t, -1, 4> out, size_t threads) {
    for (size_t rows : {plays.shape(0), out.shape(0)}) same_rows(states.shape(0), rows);
    Refusal refusal;
    {
        nb::gil_scoped_release release;
        refusal = split(states.shape(0), threads, [&](size_t row, size_t last, size_t) -> Refusal {
            for (; row < last; ++row) {
                CardSet taken[MAX_SEATS] = {};
                const char* fault = take(tables.order, read(states.data() + 8 * row),
                                         plays.data() + PLAYS_WIDTH * row, taken);
                if (fault) return {row, fault};
                std::memcpy(out.data() + MAX_SEATS * row, taken, sizeof taken);
            }
            return {};
        });
    }
    raise("plays", refusal);
}

}  // namespace

void bind_schafkopf(nb::module_& module) {
    module.def("schafkopf_legal", &legal_cards, "tables"_a, "hands"_a.noconvert(), "leads"_a.noconvert(),
               "led_called"_a.noconvert(), "seats"_a.noconvert(), "out"_a.noconvert(), "threads"_a);
    module.def("schafkopf_judge", &judge_cards, "tables"_a, "hands"_a.noconvert(), "leads"_a.noconvert(),
               "led_called"_a.noconvert(), "seats"_a.noconvert(), "cards"_a.noconvert(), "out"_a.noconvert(),
               "threads"_a);
    module.def("schafkopf_taken", &cards_taken, "tables"_a, "states"_a.noconvert(), "plays"_a.noconvert(),
               "out"_a.noconvert(), "threads"_a);
}
