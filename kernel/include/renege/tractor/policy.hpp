// A player of Tractor by rules of thumb: one legal play from what a seat may know, quickly and always the same.
//
// The leader throws what nothing still out can beat, else leads a run or a pair, else gets rid of a low card. Who
// follows fattens a trick that is the partner's, wins one that is worth it as cheaply as it can, and else keeps what is
// good. It never sees another hand: it plays from a View.
#pragma once

#include <renege/tractor/throws.hpp>

namespace renege::tractor {

constexpr Kinds POINTS = FIVES | TENS;

// The table as the seat to move sees it.
struct View {
    Pile hand;
    Pile out;           // neither in this hand nor played: with the others, or buried
    Led led;
    uint32_t suit;      // of the lead
    uint32_t strength;  // of the winning play
    Pile ahead;         // that play
    uint32_t lying;
    int32_t points;     // on the table
    bool ours;          // is the partner winning?
    bool attacks;       // or of the banker's side
    uint32_t whim;         // 0, or what makes the seat play otherwise
    uint8_t voids[SEATS];  // of the others, in turn: [1] is the next seat, [2] the partner
};

// What the table has seen after a play, which lies where the table has put it.
RENEGE_FN void see(const Order& order, const Table& table, uint32_t seat, uint32_t place, Seen& seen) {
    const Pile& play = table.play[place];
    seen.played = joined(seen.played, play);
    if (place) seen.voids[seat] |= static_cast<uint8_t>(shown_void(order, table, play));
}

RENEGE_FN View look(const Table& table, const Seen& seen, uint32_t whim) {
    const uint32_t seat = to_move(table);
    View view = {};
    view.hand = table.hand[seat];
    view.out = without(without({DECK, DECK}, seen.played), view.hand);
    view.led = table.led;
    view.suit = table.suit;
    view.strength = table.strength;
    if (table.lying) view.ahead = ahead(table);
    view.lying = table.lying;
    for (uint32_t i = 0; i < table.lying; ++i) view.points += points_of(table.play[i]);
    view.ours = table.lying && !((table.winning ^ seat) & 1u);
    view.attacks = attacks(table, seat);
    view.whim = whim;
    for (uint32_t i = 1; i < SEATS; ++i) view.voids[i] = seen.voids[(seat + i) & (SEATS - 1u)];
    return view;
}

// --- cards of a suit by their steps -------------------------------------------------------------------------

// All kinds on some steps of a suit.
RENEGE_CALLED Kinds kinds_on(const Order& order, uint32_t suit, Steps steps) {
    Kinds kinds = 0;
    for (uint32_t i = 0; i < order.segments[suit]; ++i) {
        const uint32_t turn = order.turn[suit][i];
        const Kinds wide = steps;
        kinds |= (wide >> turn | wide << ((64u - turn) & 63u)) & order.segment[suit][i];
    }
    return kinds;
}

RENEGE_FN Kinds lowest_kind(const Order& order, uint32_t suit, Kinds kinds) {
    if (suit == order.trump) kinds &= kinds_on(order, suit, 1u << lowest_bit(steps_of(order, suit, kinds)));
    return kinds & (0u - kinds);
}

// The kinds of a suit from a step on.
RENEGE_FN Kinds kinds_from(const Order& order, uint32_t suit, uint32_t step) {
    return kinds_on(order, suit, ((1u << STEPS) - 1u) & ~((1u << step) - 1u));
}

// One more than the highest step on which a unit of so many pairs, 0 for a single, can end in a pile.
RENEGE_FN uint32_t highest_end(const Order& order, uint32_t suit, const Pile& pile, uint32_t length) {
    const Steps steps = steps_of(order, suit, (length ? pile.twice : pile.once) & order.own[suit]);
    const Steps bottoms = length > 1 ? bottoms_of(steps, length) : steps;
    return bottoms ? highest_bit(bottoms) + (length ? length : 1u) : 0u;
}

// The first step from which such a unit has nothing to fear from the cards still out.
RENEGE_FN uint32_t first_sure(const Order& order, uint32_t suit, const Pile& out, uint32_t length) {
    const uint32_t end = highest_end(order, suit, out, length);
    return end ? end - 1u : 0u;
}

// Some pairs, but one only of those on the crowded step.
RENEGE_FN Kinds in_line(const Order& order, uint32_t suit, Kinds pairs) {
    const Kinds crowd = pairs & order.crowd[suit];
    return (pairs & ~crowd) | (crowd & (0u - crowd));
}

// --- taking cards out of a hand -----------------------------------------------------------------------------

struct Taking {
    Pile left;
    Pile taken;
    uint32_t need;  // cards still to be taken
};

RENEGE_FN void take(Taking& taking, const Pile& pile) {
    taking.left = without(taking.left, pile);
    taking.taken = joined(taking.taken, pile);
    taking.need -= size(pile);
}

RENEGE_FN void take_lowest(const Order& order, uint32_t suit, Taking& taking, Kinds among) {
    while (taking.need && (taking.left.once & among)) {
        take(taking, {lowest_kind(order, suit, taking.left.once & among), 0});
    }
}

// Who fattens a trick begins at the points; who saves begins behind them, at what is good for nothing.
enum Aim : uint32_t { FATTEN = 0, SAVE = 3 };
constexpr uint32_t TIERS = 8;

// Which cards of a suit go next, tier by tier; the last is everything. `tops` are those that nothing can beat.
RENEGE_FN Kinds tier(uint32_t i, const Pile& pile, Kinds tops) {
    switch (i) {
        case 0: return TENS & ~pile.twice;
        case 1: return TENS;
        case 2: return FIVES;
        case 3: return ~POINTS & ~tops & ~pile.twice;
        case 4: return ~POINTS & ~tops;
        case 5: return FIVES;
        case 6: return ~TENS;
        default: return DECK;
    }
}

RENEGE_CALLED void take_tier(const Order& order, uint32_t suit, const Pile& out, uint32_t i, Taking& taking) {
    const bool looks = i == 3 || i == 4;
    const Kinds tops = looks ? kinds_from(order, suit, first_sure(order, suit, out, 0)) : 0;
    take_lowest(order, suit, taking, order.own[suit] & tier(i, taking.left, tops));
}

RENEGE_FN void take_singles(const Order& order, uint32_t suit, const Pile& out, Aim aim, Taking& taking) {
    for (uint32_t i = aim; i < TIERS && taking.need; ++i) take_tier(order, suit, out, i, taking);
}

// Pairs of one suit until so many are taken; there are so many.
RENEGE_FN void take_pairs(const Order& order, uint32_t suit, uint32_t count, Aim aim, Taking& taking) {
    while (count_bits64(taking.taken.twice) < count) {
        const Kinds pairs = taking.left.twice & order.own[suit];
        const Kinds first = aim == FATTEN ? TENS : ~POINTS, second = aim == FATTEN ? FIVES : ~TENS;
        const Kinds liked = pairs & first ? pairs & first : pairs & second ? pairs & second : pairs;
        const Kinds pair = lowest_kind(order, suit, liked);
        take(taking, {pair, pair});
    }
}

// The lowest run of a length that ends beyond a step and leaves the rest to be cut; 0 if there is none.
RENEGE_CALLED Kinds lowest_run(const Order& order, const Packing& packing, uint32_t suit, Kinds pairs, uint32_t length,
                               uint32_t beyond, Shape rest) {
    Steps bottoms = bottoms_of(steps_of(order, suit, pairs), length);
    if (beyond >= length) bottoms &= ~((2u << (beyond - length)) - 1u);
    for (; bottoms; bottoms &= bottoms - 1) {
        const Steps window = ((1u << length) - 1u) << lowest_bit(bottoms);
        const Kinds run = in_line(order, suit, pairs & kinds_on(order, suit, window));
        if (!rest || can_cut(packing, pairs_of(order, suit, pairs & ~run), rest)) return run;
    }
    return 0;
}

RENEGE_FN Shape shape_of_runs(const Packing& packing, uint32_t lengths) {
    uint32_t code = 0;
    for (; lengths; lengths >>= 4) code += packing.weight[lengths & 15u];
    return packing.shape[code & (CODES - 1u)];
}

// The runs of a shape, the longest first, each as low as the others allow; they can be cut.
RENEGE_FN void take_runs(const Order& order, const Packing& packing, uint32_t suit, Shape runs, Taking& taking) {
    for (uint32_t lengths = packing.runs[runs]; lengths; lengths >>= 4) {
        const Kinds pairs = taking.left.twice & order.own[suit];
        const Shape rest = shape_of_runs(packing, lengths >> 4);
        const Kinds run = lowest_run(order, packing, suit, pairs, lengths & 15u, 0, rest);
        take(taking, {run, run});
    }
}

// --- following ----------------------------------------------------------------------------------------------

// The cheapest play of one suit that has the led shape and ends beyond a step, or none; with a liked card if one does.
RENEGE_CALLED Pile beat(const Order& order, const Packing& packing, const View& view, uint32_t suit, uint32_t beyond,
                        Kinds liked) {
    const Led& led = view.led;
    Taking taking = {only(view.hand, order.own[suit]), {0, 0}, led.cards};
    if (size(taking.left) < led.cards || count_bits64(taking.left.twice) < led.pairs) return {0, 0};
    if (led.longest < 2) {
        const Kinds high = (led.longest ? taking.left.twice : taking.left.once) & kinds_from(order, suit, beyond);
        if (!high) return {0, 0};
        const Kinds kind = lowest_kind(order, suit, high & liked ? high & liked : high);
        take(taking, {kind, led.longest ? kind : 0});
    } else {
        const Kinds run = lowest_run(order, packing, suit, taking.left.twice, led.longest, beyond, led.rest);
        if (!run) return {0, 0};
        take(taking, {run, run});
        take_runs(order, packing, suit, led.rest, taking);
    }
    take_pairs(order, suit, led.pairs, SAVE, taking);
    take_singles(order, suit, view.out, SAVE, taking);
    return taking.taken;
}

// Cards of the led suit that need not win: runs and pairs as they are owed, then what the aim likes.
RENEGE_CALLED Pile give(const Order& order, const Packing& packing, const House& house, const View& view, Aim aim) {
    const uint32_t suit = view.suit;
    Taking taking = {only(view.hand, order.own[suit]), {0, 0}, view.led.cards};
    const Owed owed = owed_to(order, packing, house, suit, taking.left.twice, view.led.pairs, view.led.runs);
    if (owed.runs) take_runs(order, packing, suit, owed.runs, taking);
    take_pairs(order, suit, owed.pairs, aim, taking);
    take_singles(order, suit, view.out, aim, taking);
    return taking.taken;
}

// The plain suits of a pile, the shortest first.
RENEGE_FN uint32_t shortest_first(const Order& order, const Pile& pile, uint32_t* suits) {
    uint32_t lengths[SUITS], count = 0;
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const uint32_t cards = size(only(pile, order.own[suit]));
        if (!cards || suit == order.trump) continue;
        uint32_t place = count++;
        for (; place && lengths[place - 1] > cards; --place) {
            suits[place] = suits[place - 1];
            lengths[place] = lengths[place - 1];
        }
        suits[place] = suit;
        lengths[place] = cards;
    }
    return count;
}

// All of the led suit and others to fill up: of the shortest suit first, to be rid of it, and trumps last.
RENEGE_CALLED Pile discard(const Order& order, const View& view, Aim aim) {
    Taking taking = {view.hand, {0, 0}, view.led.cards};
    take(taking, only(view.hand, order.own[view.suit]));
    uint32_t suits[SUITS];
    const uint32_t count = shortest_first(order, taking.left, suits);
    for (uint32_t i = aim; i < TIERS && taking.need; ++i) {
        for (uint32_t k = 0; k < count && taking.need; ++k) take_tier(order, suits[k], view.out, i, taking);
    }
    take_singles(order, order.trump, view.out, aim, taking);
    return taking.taken;
}

// Has an opponent who is still to play shown to be out of a plain suit, and not of trumps?
RENEGE_FN bool ruff_looms(const Order& order, const View& view, uint32_t suit) {
    uint32_t looms = 0;
    for (uint32_t i = 1; i < SEATS - view.lying; i += 2) {
        looms |= (view.voids[i] >> suit) & ~(view.voids[i] >> order.trump);
    }
    return suit != order.trump && looms & 1u && view.out.once & order.own[order.trump];
}

// So far below the best card still out a partner's card may be and yet be trusted to win.
constexpr uint32_t NEAR = 4;

// Will the trick be the partner's? A ruff is seldom ruffed over.
RENEGE_FN bool is_safe(const Order& order, const View& view) {
    if (!view.ours || view.lying == SEATS - 1 || view.strength > RUFF) return view.ours;
    if (ruff_looms(order, view, view.suit)) return false;
    return view.led.throws || view.strength + NEAR >= highest_end(order, view.suit, view.out, view.led.longest);
}

// Is a play that is stronger than the winning one truly ahead of it?
RENEGE_FN bool is_ahead(const Order& order, const Packing& packing, const House& house, const View& view,
                        const Pile& play) {
    return !compares_units(house, view.led, view.strength) || goes_over(order, packing, view.led, view.ahead, play);
}

// The cheapest play that wins and is worth it, with points if it can have them; or none. The last seat wins whatever
// has points. Before it a seat ruffs an opponent's trick, high if it may be ruffed over; in the led suit it plays what
// nothing can beat, or beats an opponent with cards that cost nothing.
RENEGE_FN Pile win(const Order& order, const Packing& packing, const House& house, const View& view, uint32_t have) {
    const bool ruffs = !have && view.suit != order.trump, last = view.lying == SEATS - 1;
    if (ruffs ? view.ours && !last : have < view.led.cards || view.led.throws || view.strength > RUFF) return {0, 0};
    const uint32_t suit = ruffs ? order.trump : view.suit;
    const uint32_t beyond = !ruffs ? view.strength : view.strength > RUFF ? view.strength - RUFF : 0;
    const bool high = !last && (!ruffs || ruff_looms(order, view, view.suit));
    const uint32_t sure = high ? first_sure(order, suit, view.out, view.led.longest) : 0;
    Kinds liked = POINTS;
    for (uint32_t from = sure > beyond ? sure : beyond;; from = beyond, liked = 0) {
        const Pile play = beat(order, packing, view, suit, from, liked);
        const bool cheap = !view.ours && !points_of(play);
        const bool worth_it = last ? view.points + points_of(play) > 0 : ruffs || from >= sure || cheap;
        if (play.once && worth_it && is_ahead(order, packing, house, view, play)) return play;
        if (from == beyond) return {0, 0};
    }
}

RENEGE_FN Pile follow(const Order& order, const Packing& packing, const House& house, const View& view) {
    const uint32_t have = size(only(view.hand, order.own[view.suit]));
    const bool safe = is_safe(order, view);
    if (!safe && !(view.whim & 1u)) {
        const Pile play = win(order, packing, house, view, have);
        if (play.once) return play;
    }
    const Aim aim = safe != static_cast<bool>(view.whim & 2u) ? FATTEN : SAVE;
    return have >= view.led.cards ? give(order, packing, house, view, aim) : discard(order, view, aim);
}

// --- leading ------------------------------------------------------------------------------------------------

// What leads are worth to each other, found by play against itself.
constexpr int32_t SURE = 38, SURE_CARD = 6, TRUMP_CARD = 22, BANK = 12;
constexpr int32_t RUN = 26, RUN_PAIR = 8, PAIR = 30, TRUMP_PAIR = -5;
constexpr int32_t LOW = 20, LOW_TRUMP = -6, BREAKS_PAIR = -4, PARTNER_RUFFS = 8, RUFFED = 30;

struct Offer {
    Pile lead;
    int32_t worth;
    uint32_t whim;
};

RENEGE_FN void offer(Offer& best, const Pile& lead, int32_t worth) {
    worth += static_cast<int32_t>(best.whim & 31u);
    best.whim = best.whim >> 5 | best.whim << 27;
    if (!best.lead.once || worth > best.worth) best = {lead, worth, best.whim};
}

// A suit that may be led.
struct Suit {
    uint32_t suit;
    Pile held;
    Pile out;
    bool trump;
    bool ruffed;         // an opponent may ruff it
    bool partner_ruffs;
};

RENEGE_FN Suit suit_to_lead(const Order& order, const View& view, uint32_t suit) {
    const uint32_t all_void = view.voids[1] & view.voids[2] & view.voids[3];
    const Pile out = (all_void >> suit) & 1u ? Pile{0, 0} : only(view.out, order.own[suit]);
    const bool partner_ruffs = (view.voids[2] >> suit) & ~(view.voids[2] >> order.trump) & 1u;
    return {suit, only(view.hand, order.own[suit]), out, suit == order.trump, ruff_looms(order, view, suit),
            partner_ruffs};
}

// The longest run of some pairs, of the longest the highest; a pair is a run of one.
RENEGE_FN Kinds longest_run(const Order& order, uint32_t suit, Kinds pairs, uint32_t& length) {
    const Steps steps = steps_of(order, suit, pairs);
    Steps bottoms = steps;
    for (length = 1; bottoms & (steps >> length); ++length) bottoms &= steps >> length;
    const Steps window = ((1u << length) - 1u) << highest_bit(bottoms);
    return in_line(order, suit, pairs & kinds_on(order, suit, window));
}

// Everything of a suit that nothing still out can beat. Longer runs of sure pairs are sure too.
RENEGE_FN Pile sure_cards(const Order& order, const Suit& of, Kinds run, uint32_t length) {
    const Kinds once = of.held.once & kinds_from(order, of.suit, first_sure(order, of.suit, of.out, 0));
    Kinds twice = of.held.twice & kinds_from(order, of.suit, first_sure(order, of.suit, of.out, 1));
    if (length > 1) {
        const uint32_t top = highest_bit(steps_of(order, of.suit, run));
        if (top >= first_sure(order, of.suit, of.out, length)) twice |= run;
    }
    return {once | twice, twice};
}

// All that is sure is thrown; where trumps may not be, the longest unit of it is led.
RENEGE_FN void offer_sure(const Order& order, const House& house, const View& view, const Suit& of, Kinds run,
                          uint32_t length, Offer& best) {
    Pile sure = sure_cards(order, of, run, length);
    if (!sure.once) return;
    if (of.trump && !house.trump_throws) {
        uint32_t longest = 0;
        const Kinds pairs = sure.twice ? longest_run(order, of.suit, sure.twice, longest) : 0;
        sure = pairs ? Pile{pairs, pairs} : Pile{lowest_kind(order, of.suit, sure.once), 0};
    }
    const int32_t cards = static_cast<int32_t>(size(sure));
    if (of.trump) offer(best, sure, TRUMP_CARD * cards + (view.attacks ? 0 : BANK));
    else offer(best, sure, SURE + SURE_CARD * cards - (of.ruffed ? RUFFED + points_of(sure) : 0));
}

// Runs and pairs are led even if they can be beaten: few hands have the like.
RENEGE_FN void offer_pairs(const Order& order, const Suit& of, Kinds run, uint32_t length, Offer& best) {
    const int32_t less = (of.ruffed ? -RUFFED / 2 : 0) + (of.trump ? TRUMP_PAIR : 0);
    if (length > 1) return offer(best, {run, run}, RUN + RUN_PAIR * static_cast<int32_t>(length) + less);
    const Kinds plain = of.held.twice & ~POINTS;
    uint32_t one = 0;
    const Kinds pair = plain ? longest_run(order, of.suit, plain, one) : run;
    offer(best, {pair, pair}, PAIR + points_in(pair) + less);
}

// A low card of a short suit.
RENEGE_FN void offer_low(const Order& order, const Suit& of, Offer& best) {
    const Kinds loose = of.held.once & ~of.held.twice & ~POINTS, plain = of.held.once & ~POINTS;
    const Kinds cheap = plain ? plain : of.held.once & ~TENS;
    const Kinds card = lowest_kind(order, of.suit, loose ? loose : cheap ? cheap : of.held.once);
    const int32_t suit = (of.trump ? LOW_TRUMP : 0) + (of.partner_ruffs ? PARTNER_RUFFS : 0) -
                         (of.ruffed ? RUFFED / 4 : 0) - 2 * static_cast<int32_t>(size(of.held));
    offer(best, {card, 0}, LOW + suit + (loose ? 0 : BREAKS_PAIR) - 2 * points_in(card));
}

RENEGE_CALLED Pile lead(const Order& order, const House& house, const View& view) {
    Offer best = {{0, 0}, 0, view.whim};
    for (uint32_t suit = 0; suit < SUITS; ++suit) {
        const Suit of = suit_to_lead(order, view, suit);
        if (!of.held.once) continue;
        uint32_t length = 0;
        const Kinds run = of.held.twice ? longest_run(order, suit, of.held.twice, length) : 0;
        offer_sure(order, house, view, of, run, length, best);
        if (run) offer_pairs(order, of, run, length, best);
        offer_low(order, of, best);
    }
    return best.lead;
}

// One legal play of the seat to move.
RENEGE_FN Pile choose(const Order& order, const Packing& packing, const House& house, const View& view) {
    return view.lying ? follow(order, packing, house, view) : lead(order, house, view);
}

}  // namespace renege::tractor
