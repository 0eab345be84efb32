"""Throws, and what a whole round of Tractor comes to, as its rules are told at the table.

Cards, piles, units and house rules are those of `reference.tractor`, which says what may follow and who wins.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from reference.tractor import (
    CARDS,
    JOKERS,
    KITTY,
    RANKS,
    Cutting,
    Pile,
    Shape,
    Unit,
    in_suit,
    led_suit,
    legal_follow,
    named_cutting,
    shape,
    step,
    suit,
    top,
    units_in,
    winner,
    without,
)

# --- throws ---------------------------------------------------------------------------------------


def beaters(unit: Unit, cards: Sequence[str], declaration: str, gap: str = "closes") -> list[Unit]:
    """The units of the same kind and suit, strictly higher, that a pile holds."""
    same_suit = in_suit(cards, suit(unit[0], declaration), declaration)
    higher = [
        other
        for other in units_in(same_suit, declaration, gap)
        if len(other) == len(unit) and top(other, declaration, gap) > top(unit, declaration, gap)
    ]
    return sorted(higher, key=lambda other: [CARDS.index(card) for card in other])


@dataclass(frozen=True)
class ThrownUnit:
    cards: Unit
    safe: bool
    beaters: list[Unit]  # what does beat it or, judged by public knowledge, what could


@dataclass(frozen=True)
class Throw:
    stands: bool | None  # None: public knowledge does not decide
    led: Pile | None  # what is really led; None where that is not decided
    stopped_by: int | None  # the first of the seats 1, 2, 3 after the leader that beats the unit led
    units: list[ThrownUnit]


def smallest(units: Iterable[Unit], declaration: str, gap: str = "closes") -> Unit:
    """Fewest cards, then lowest top step, then card order."""
    return min(units, key=lambda u: (len(u), top(u, declaration, gap), [CARDS.index(card) for card in u]))


def throw(
    cards: Sequence[str],
    others: Sequence[Sequence[str]],
    declaration: str,
    grouping: Sequence[Sequence[str]] | None = None,
    gap: str = "closes",
    stopped_throw: str = "lead-smallest",
    throw_test: str = "true-hands",
) -> Throw:
    """A lead judged with all hands open. A single unit is no throw and always stands.

    Of a stopped throw the smallest unit that any hand stops is led or, where the first found counts, the smallest
    that the first stopping seat stops. Where opponents alone may stop it, the partner is as one without cards.
    """
    if throw_test == "opponents":
        others = [others[0], (), others[2]]
    led_suit(cards, declaration)
    units = named_cutting(cards, grouping, declaration, gap)
    judged: list[ThrownUnit] = []
    for unit in units:
        found = {higher for hand in others for higher in beaters(unit, hand, declaration, gap)}
        judged.append(ThrownUnit(unit, not found, sorted(found, key=lambda u: [CARDS.index(card) for card in u])))
    stopped = [thrown.cards for thrown in judged if not thrown.safe]
    if len(units) == 1 or not stopped:
        return Throw(True, tuple(sorted(cards)), None, judged)
    if stopped_throw == "first-found":
        first = next(hand for hand in others if any(beaters(unit, hand, declaration, gap) for unit in stopped))
        stopped = [unit for unit in stopped if beaters(unit, first, declaration, gap)]
    unit = smallest(stopped, declaration, gap)
    seats = [seat for seat, hand in enumerate(others, start=1) if beaters(unit, hand, declaration, gap)]
    return Throw(False, tuple(sorted(unit)), seats[0], judged)


def throw_public(
    cards: Sequence[str],
    hand: Sequence[str],
    seen: Sequence[str],
    voids: Sequence[Sequence[str]],
    kitty: Sequence[str] | None,
    declaration: str,
    grouping: Sequence[Sequence[str]] | None = None,
    gap: str = "closes",
) -> Throw:
    """A lead judged by what its leader can know: own hand (the lead in it), cards seen, voids shown, own kitty.

    A unit is safe if no card unseen, in whatever hand not void in the suit, could beat it. It stands if every unit
    is safe, and falls if some unit is beaten however the unseen cards of the suit lie. What is led then is certain if
    the smallest unit that is not safe is beaten however they lie, and who stops it if one seat alone may.
    """
    led = led_suit(cards, declaration)
    without(hand, cards)
    known = [*hand, *seen, *(kitty or ())]
    unseen = without([card for card in CARDS for _ in range(2)], known)
    seats = [seat for seat, void in enumerate(voids, start=1) if led not in void]
    could_hold = in_suit(unseen, led, declaration) if seats else ()
    units = named_cutting(cards, grouping, declaration, gap)
    judged: list[ThrownUnit] = []
    for unit in units:
        found = beaters(unit, could_hold, declaration, gap)
        judged.append(ThrownUnit(unit, not found, found))
    if len(units) == 1 or all(thrown.safe for thrown in judged):
        return Throw(True, tuple(sorted(cards)), None, judged)
    room = KITTY - len(kitty or ())
    if some_deal_lets_it_stand(units, could_hold, len(seats), room, declaration, gap):
        return Throw(None, None, None, judged)
    first = smallest([thrown.cards for thrown in judged if not thrown.safe], declaration, gap)
    sure = not some_deal_lets_it_stand((first,), could_hold, len(seats), room, declaration, gap)
    return Throw(False, tuple(sorted(first)) if sure else None, seats[0] if len(seats) == 1 else None, judged)


def some_deal_lets_it_stand(
    units: Cutting, unseen: Pile, seats: int, room: int, declaration: str, gap: str = "closes"
) -> bool:
    """Can the unseen cards of a suit lie in so many hands and so much hidden kitty that no hand beats any unit?

    How many cards a hand holds is not asked.
    """
    # a run that beats another may start one step above where that one starts
    lowest = min(top(unit, declaration, gap) - (max(len(unit) // 2, 1) - 1) for unit in units)
    kinds = Counter(card for card in unseen if step(card, declaration, gap) > lowest)

    def place(kinds_left: list[str], hands: tuple[Pile, ...], room: int) -> bool:
        if any(beaters(unit, hand, declaration, gap) for hand in hands for unit in units):
            return False
        if not kinds_left:
            return True
        kind, *others = kinds_left
        for buried in range(min(kinds[kind], room), -1, -1):
            for where in combinations([seat for seat in range(seats) for _ in range(2)], kinds[kind] - buried):
                dealt = tuple((*hand, *[kind] * where.count(seat)) for seat, hand in enumerate(hands))
                if place(others, dealt, room - buried):
                    return True
        return False

    return place(sorted(kinds, key=lambda kind: -step(kind, declaration, gap)), ((),) * seats, room)


def legal_lead(
    cards: Sequence[str],
    declaration: str,
    others: Sequence[Sequence[str]] | None = None,
    grouping: Sequence[Sequence[str]] | None = None,
    gap: str = "closes",
    trump_throws: str = "allowed",
    throw_test: str = "true-hands",
) -> tuple[bool | None, str | None]:
    """May these cards be led? None for a throw whose rivals are not told."""
    if not cards:
        return False, "length"
    if len({suit(card, declaration) for card in cards}) > 1:
        return False, "lead-one-suit"
    if len(named_cutting(cards, grouping, declaration, gap)) == 1:
        return True, None
    if trump_throws == "forbidden" and led_suit(cards, declaration) == "T":
        return False, "trump-throw"
    if others is None:
        return None, None
    stands = throw(cards, others, declaration, grouping, gap, throw_test=throw_test).stands
    return stands, None if stands else "throw-stopped"


# --- the score ------------------------------------------------------------------------------------


def points(cards: Iterable[str]) -> int:
    """A five is worth 5, a ten and a king 10."""
    return sum({"5": 5, "T": 10, "K": 10}.get(card[1], 0) for card in cards if card not in JOKERS)


def may_ask(hand: Sequence[str], declaration: str, new_deal: str, few_points: int = 15, few_trumps: int = 3) -> bool:
    """May an attacker with this hand ask for a new deal, these being trumps?"""
    of_points = points(hand) <= few_points
    of_trumps = len(in_suit(hand, "T", declaration)) <= few_trumps
    return {
        "nobody": False,
        "few-points": of_points,
        "few-trumps": of_trumps,
        "either": of_points or of_trumps,
    }[new_deal]


def kitty_multiplier(last_lead: Shape, rule: str = "two-to-cards") -> int:
    """By the cards of the longest unit of the last lead, by all the pairs of that lead, or by all its cards."""
    if rule == "twice-lead":
        return 2 * last_lead.cards
    if rule == "two-or-four":
        return 2 if last_lead.longest == 1 else 4
    if rule == "two-to-cards":
        return 2**last_lead.longest
    if rule == "twice-cards":
        return 2 * last_lead.longest
    assert rule == "two-to-pairs-plus-1"
    return 2 ** (last_lead.pairs_in_all + 1)


def levels_won(attackers: int) -> tuple[str, int]:
    """Which side goes up, and how far: by the attackers' points."""
    if attackers == 0:
        return "banker", 3
    if attackers < 40:
        return "banker", 2
    if attackers < 80:
        return "banker", 1
    return "attackers", (attackers - 80) // 40


def next_banker(banker: int, attackers: int) -> int:
    """Held: the banker's partner. Lost: the next seat, which is of the other side."""
    return (banker + 2) % 4 if attackers < 80 else (banker + 1) % 4


def climb(at: str, steps: int, defended: bool, must_defend: Sequence[str] = ()) -> str | None:
    """The level a side comes to, None once it is past the ace.

    A level that must be defended is not passed over, and is left only by the side that was banker there and held.
    """
    for made in range(steps):
        if at in must_defend and not (made == 0 and defended):
            return at
        if at == "A":
            return None
        at = RANKS[RANKS.index(at) + 1]
    return at


@dataclass(frozen=True)
class Score:
    attackers: int
    multiplier: int  # of the last lead, whoever won it
    levels: tuple[str, str]  # of seats 0 and 2, of seats 1 and 3; a side that has won stays at A
    banker: int
    winner: int | None  # the side that passed the ace
    winners: tuple[int, ...]  # the seat that took each trick


def score(
    declaration: str,
    banker: int,
    levels: Sequence[str],
    kitty: Sequence[str],
    leader: int,
    tricks: Sequence[Sequence[Sequence[str]]],
    comparison: str = "longest-unit",
    multiplier: str = "two-to-cards",
    must_defend: Sequence[str] = (),
    gap: str = "closes",
) -> Score:
    """Settle a whole deal; duties are not asked here."""
    attackers, winners = 0, []
    for plays in tricks:
        place, _ = winner(plays, declaration, comparison, gap=gap)
        leader = (leader + place) % 4
        winners.append(leader)
        if leader % 2 != banker % 2:
            attackers += sum(points(play) for play in plays)
    times = kitty_multiplier(shape(tricks[-1][0], declaration, gap), multiplier)
    if leader % 2 != banker % 2:
        attackers += times * points(kitty)
    who, steps = levels_won(attackers)
    side = banker % 2 if who == "banker" else 1 - banker % 2
    new = list(levels)
    reached = climb(levels[side], steps, who == "banker", must_defend)
    new[side] = reached or "A"
    return Score(
        attackers,
        times,
        (new[0], new[1]),
        next_banker(banker, attackers),
        side if reached is None else None,
        tuple(winners),
    )


def first_renege(
    declaration: str,
    leader: int,
    tricks: Sequence[Sequence[Sequence[str]]],
    comparison: str = "longest-unit",
    shorter_runs: str = "owed",
    gap: str = "closes",
) -> tuple[int, int, str] | None:
    """The first duty broken in a deal played to the end: trick, seat and duty. A hand is what it will still play."""
    hands: list[list[str]] = [[], [], [], []]
    seats_of, seat = [], leader
    for plays in tricks:
        seats_of.append([(seat + turn) % 4 for turn in range(4)])
        for who, play in zip(seats_of[-1], plays, strict=True):
            hands[who] += play
        seat = seats_of[-1][winner(plays, declaration, comparison, gap=gap)[0]]
    for number, (seats, plays) in enumerate(zip(seats_of, tricks, strict=True)):
        others = [hands[seat] for seat in seats[1:]]
        legal, duty = legal_lead(plays[0], declaration, others, gap=gap)
        if not legal:
            return number, seats[0], str(duty)
        for who, play in zip(seats[1:], plays[1:], strict=True):
            legal, duty = legal_follow(plays[0], hands[who], play, declaration, shorter_runs, gap)
            if duty is not None:
                return number, who, duty
        for who, play in zip(seats, plays, strict=True):
            hands[who] = list(without(hands[who], play))
    return None
