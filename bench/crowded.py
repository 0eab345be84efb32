"""Positions of many seats and packs in the middle of a deal, as one seat knows them: voids, few pairs, no runs.

A toy of Tractor makes them: three plain suits of 12 kinds and 18 trumps, leads of singles, pairs, triples and runs of
pairs, and followers that give what they must. It keeps to no house rules, and shows of hands what such games show.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from renege.belief import Problem, Run, Watch, pair_watch, run_watch

SUITS = (range(12), range(12, 24), range(24, 36), range(36, 54))
KINDS = 54


@dataclass
class Known:
    """What is known of a hand: voids; at most so many sets of so many equal cards; no run of so many pairs."""

    voids: set[int] = field(default_factory=set[int])
    sets: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    """The trick, the suit, the width and the most."""
    runs: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])  # trick, suit, length


class Deal:
    """A deal of some packs in play."""

    def __init__(self, packs: int, seats: int, kitty: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.packs, self.seats = packs, seats
        cards = [kind for kind in range(KINDS) for _ in range(packs)]
        self.rng.shuffle(cards)
        size = (len(cards) - kitty) // seats
        self.hands = [Counter(cards[seat * size : seat * size + size]) for seat in range(seats)]
        self.kitty = Counter(cards[seats * size :])
        self.known = [Known() for _ in range(seats)]
        self.played: list[list[tuple[int, int]]] = [[] for _ in range(seats)]  # trick, card
        self.trick = 0
        self.leader = 0

    def lead(self) -> tuple[int, int, int, list[int]]:
        """Suit, width, length and cards: a shape first, so that large ones are led as often as small ones."""
        hand = self.hands[self.leader]
        units: list[tuple[int, int, int, list[int]]] = []
        for suit, kinds in enumerate(SUITS):
            for kind in kinds:
                units += [(suit, width, 1, [kind] * width) for width in range(1, min(hand[kind], 3) + 1)]
                if kind + 1 in kinds and hand[kind] >= 2 and hand[kind + 1] >= 2:
                    units.append((suit, 2, 2, [kind, kind, kind + 1, kind + 1]))
        shape = self.rng.choice(sorted({unit[1:3] for unit in units}))
        return self.rng.choice([unit for unit in units if unit[1:3] == shape])

    def play(self) -> None:
        """A trick; whoever wins it is drawn."""
        suit, width, length, cards = self.lead()
        for turn in range(self.seats):
            seat = (self.leader + turn) % self.seats
            given = cards if not turn else self.follow(seat, suit, width, length)
            for card in given:
                self.hands[seat][card] -= 1
                self.played[seat].append((self.trick, card))
        self.trick += 1
        self.leader = self.rng.randrange(self.seats)

    def follow(self, seat: int, suit: int, width: int, length: int) -> list[int]:
        hand, wanted = self.hands[seat], width * length
        own = [kind for kind in SUITS[suit] for _ in range(hand[kind])]
        others = [kind for kind in hand.elements() if kind not in SUITS[suit]]
        if len(own) <= wanted:
            if len(own) < wanted:
                self.known[seat].voids.add(suit)
            return own + self.rng.sample(others, wanted - len(own))
        sets = [kind for kind in SUITS[suit] if hand[kind] >= width]
        runs = [kind for kind in sets if kind + 1 in sets]
        if length > 1 and not runs:
            self.known[seat].runs.append((self.trick, suit, length))
        if width > 1 and len(sets) < length:
            self.known[seat].sets.append((self.trick, suit, width, len(sets)))
        taken = [runs[0], runs[0] + 1] if length > 1 and runs else self.rng.sample(sets, min(length, len(sets)))
        given = [kind for kind in taken for _ in range(width)]
        rest = list((Counter(own) - Counter(given)).elements())
        return given + self.rng.sample(rest, wanted - len(given))

    def problem(self, kitty_known: bool = False) -> Problem:
        """What seat 0 knows."""
        hidden: Counter[int] = Counter()
        for hand in (*self.hands[1:], *([] if kitty_known else [self.kitty])):
            hidden += hand
        copies = tuple(hidden[kind] for kind in range(KINDS))
        sizes = [hand.total() for hand in self.hands[1:]] + ([] if kitty_known else [self.kitty.total()])
        most = [[n] * len(sizes) for n in copies]
        watches: list[Watch] = []
        for number, known in enumerate(self.known[1:]):
            for suit in known.voids:
                for kind in SUITS[suit]:
                    most[kind][number] = 0
            for trick, suit, width, n in known.sets:
                seen = self._since(number + 1, trick)
                could = [kind for kind in SUITS[suit] if seen[kind] < width <= seen[kind] + copies[kind]]
                left = n - sum(seen[kind] >= width for kind in SUITS[suit])
                if left == 0:
                    for kind in could:
                        most[kind][number] = min(most[kind][number], width - 1 - seen[kind])
                elif len(could) > left:
                    span = SUITS[suit]
                    counted = [kind in could for kind in span]
                    had, here = [seen[kind] for kind in span], copies[span[0] : span[-1] + 1]
                    watches.append(pair_watch(number, span[0], had, counted, here, left, width=width))
            for trick, suit, length in known.runs:
                seen, span = self._since(number + 1, trick), SUITS[suit]
                steps, here = range(len(span)), copies[span[0] : span[-1] + 1]
                run = Run(length, -1, forbidden=True)
                watches.append(run_watch(number, span[0], [seen[kind] for kind in span], steps, here, run))
        least = tuple((0,) * len(sizes) for _ in copies)
        plain = Problem(tuple(range(KINDS)), copies, tuple(sizes), tuple(map(tuple, most)), least)
        return replace(plain, watches=tuple(watches))

    def _since(self, seat: int, trick: int) -> Counter[int]:
        return Counter(card for when, card in self.played[seat] if when >= trick)


def crowded(packs: int, seats: int, kitty: int, left: int, seed: int) -> Problem:
    """A position with at most so many cards left in a hand."""
    deal = Deal(packs, seats, kitty, seed)
    while deal.hands[0].total() > left:
        deal.play()
    return deal.problem()


def all_of(packs: int, seats: int, kitty: int, left: int, seeds: Sequence[int]) -> list[Problem]:
    return [crowded(packs, seats, kitty, left, seed) for seed in seeds]
