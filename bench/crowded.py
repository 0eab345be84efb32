"""Positions of many seats and packs in the middle of a deal, as one seat knows them: voids, few pairs, no runs.

They come from deals of Tractor by rulebooks and random players, by what `Belief` makes of a seat's view (`crowded`).
Harder ones, where more is known of every hand, a toy of the game makes (`hard`): three plain suits of 12 kinds and 18
trumps, leads of singles, pairs, triples and runs of pairs as often as each other, followers that give what they must.
"""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from renege.belief import Problem, Run, Watch, pair_watch, run_watch
from renege.belief.compile import compile_facts
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.game import Standing
from renege.core.position import Position
from renege.core.trick import Play
from renege.games import tractor
from renege.games.strategy import policy_of

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


def hard(packs: int, seats: int, kitty: int, left: int, seed: int) -> Problem:
    """A position of the toy with at most so many cards left in a hand."""
    deal = Deal(packs, seats, kitty, seed)
    while deal.hands[0].total() > left:
        deal.play()
    return deal.problem()


# -- deals of Tractor


def crowded(packs: int, seats: int, kitty: int, left: int, seed: int) -> Problem:
    """A position of a deal by bots with at most so many cards left in a hand, as one seat knows it."""
    mode = "friends" if seats % 2 or seed % 2 else "teams"
    game, rng = tractor.game(packs=packs, seats=seats, kitty=kitty, mode=mode), random.Random(seed)
    levels = [rng.randint(2, 14) for _ in range(game.rules.sides)]
    table, rulebook = Arbiter(game, seed, Standing(seed % seats, (*levels, 1))), policy_of(game)
    clever = {seat for seat in game.all_seats if rng.random() < 0.7}
    while (seat := table.position.turn) is not None and not _late(table.position, left):
        act = rulebook(table.view(seat)).what if seat in clever or table.position.talking else _any(table.position, rng)
        if not table.act(seat, act):
            raise RuntimeError(f"a bot was refused: {act} in {table.position}")
    view = table.view(rng.randrange(seats))
    return compile_facts(view, view.facts()).problem


def _late(position: Position, left: int) -> bool:
    return position.contract is not None and max(map(len, position.hands)) <= left


def _any(position: Position, rng: random.Random) -> Play:
    """Any legal play; of leads a short one."""
    found = min((position.legal_plays.choose(rng) for _ in range(3)), key=lambda play: len(play.cards))
    return found if len(found.cards) <= 6 else Play(_one(position, rng))


def _one(position: Position, rng: random.Random) -> Cards:
    if position.trick is not None and position.trick.plays:
        return position.legal_plays.choose(rng).cards
    assert isinstance(position.hand, Cards)
    return position.game.deck.of(1 << rng.choice(list(position.hand)))


Make = Callable[[int, int, int, int, int], Problem]


def all_of(packs: int, seats: int, kitty: int, left: int, seeds: Sequence[int], make: Make = crowded) -> list[Problem]:
    return [make(packs, seats, kitty, left, seed) for seed in seeds]
