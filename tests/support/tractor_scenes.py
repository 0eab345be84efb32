"""Small positions of Tractor with a trick or two played from them, and every way to deal the cards that stay hidden.

They are full of pairs, of cards around the level step and of throws, as far as chance can be talked into it.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import factorial, prod

from renege.core.cards import Cards, kinds_in
from renege.core.deal_state import Act
from renege.core.house_rules import read_rules
from renege.core.order import Order
from renege.core.position import Course, Position, begin
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.declare import Bank
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import DECK, TRUMP
from renege.games.tractor.rules import Rules
from renege.games.tractor.units import counts
from support.steering import SOAK


@dataclass(frozen=True)
class Scene:
    """A small position and some play from it; `said` is what each seat put down before a throw was stopped."""

    course: Course
    said: tuple[Play, ...]
    known: int | None  # the seat whose hand the watcher sees, if it is not an onlooker

    @cached_property
    def positions(self) -> list[Position]:
        return list(self.course.positions())

    @property
    def first(self) -> Play:
        """The first lead, as it came to the table."""
        play = self.course.acts[0].what
        assert isinstance(play, Play)
        return play

    @cached_property
    def rest(self) -> tuple[Cards, ...]:
        """The hands at the end, and the kitty."""
        return (*map(told, self.positions[-1].hands), told(self.positions[-1].kitty))

    def since(self, index: int) -> tuple[Cards, ...]:
        """What each seat has played from an act on."""
        played = [DECK.none] * 5
        for act in self.course.acts[index:]:
            assert isinstance(act.what, Play)
            played[act.seat] += act.what.cards
        return tuple(played)

    def deals(self) -> Iterator[tuple[Cards, ...]]:
        """Every way to deal what the watcher does not see."""
        unseen = [() if seat == self.known else tuple(pile) for seat, pile in enumerate(self.rest)]
        pool = tuple(sorted(card for pile in unseen for card in pile))
        for piles in splits(pool, tuple(map(len, unseen))):
            yield tuple(self.rest[i] if i == self.known else DECK.cards(pile) for i, pile in enumerate(piles))

    @property
    def ways(self) -> int:
        sizes = [len(pile) for seat, pile in enumerate(self.rest) if seat != self.known]
        return factorial(sum(sizes)) // prod(map(factorial, sizes))


def splits(pool: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to split cards into piles of these sizes, once each."""
    if len(sizes) == 1:
        yield (pool,)
        return
    for pile in sorted(set(combinations(pool, sizes[0]))):
        left = list(pool)
        for card in pile:
            left.remove(card)
        for others in splits(tuple(left), sizes[1:]):
            yield (pile, *others)


# -- at random

# leads by their units: a length in pairs, 0 for a single
UNITS: list[tuple[int, ...]] = [(0,), (1,), (1,), (2,), (2,), (3,), (3,), (4,)]
THROWS: list[tuple[int, ...]] = [(0, 0), (1, 0), (1, 0), (1, 1), (1, 1, 0), (2, 0), (2, 1), (2, 1, 0), (3, 0), (3, 1)]
LATE: list[tuple[int, ...]] = [(0, 1), (0, 1), (0, 2), (1, 2), (1, 2), (0, 1, 2)]
SEVERAL_RUNS: list[tuple[int, ...]] = [(2, 2), (2, 2), (3, 2), (3, 3), (2, 2, 0), (2, 2, 1), (4, 2), (2, 2, 2)]
LEADS = {"units": UNITS, "throws": THROWS, "stopped late": LATE, "several runs": SEVERAL_RUNS}


def scenes(leads: str, count: int) -> Iterator[Scene]:
    """Small positions with play, the first lead of such a shape."""
    rng = random.Random(leads)
    found = 0
    while found < count * SOAK:
        scene = some_scene(rng, LEADS[leads], late=leads == "stopped late")
        if scene is not None:
            found += 1
            yield scene


def some_scene(rng: random.Random, shapes: list[tuple[int, ...]], *, late: bool) -> Scene | None:
    """Cards and house rules at random. `late`: a throw whose smallest unit stands and whose longest is stopped."""
    drawn = {
        "shorter_runs": rng.choice(["owed", "owed", "not-owed", "all-owed"]),
        "level_gap": rng.choice(["closes", "closes", "breaks"]),
        "throw_test": rng.choice(["true-hands", "true-hands", "true-hands", "opponents", "public-info"]),
        "stopped_throw": rng.choice(["lead-smallest", "lead-smallest", "first-found", "refused"]),
        "follow_duty": rng.choices(["shape", "suit-only", "tractors-protected"], [90, 3, 7])[0],
        "no_trump": rng.choice(["level-cards", "level-cards", "jokers-only"]),
    }
    game = tractor.game(read_rules(Rules(), drawn))
    banker = rng.randrange(4)
    contract = Bank(rng.choice(["S", "H", "NT"]) + rng.choice("259KA"), banker, banker)
    order = game.order(game.rules, contract)
    suit = rng.choice([TRUMP, TRUMP, 3])
    cap = rng.randrange(4, len(order.steps[suit]) - 1) if late and len(order.steps[suit]) > 5 else None
    units = some_units(rng, order, suit, rng.choice(shapes), cap)
    if units is None or (late and cap is None):
        return None
    lead = units[0]
    for unit in units[1:]:
        lead += unit
    spare = rng.choice([1, 1, 2, 2, 2, 3])
    leader = rng.choice([banker, rng.randrange(4)])
    hands = some_hands(rng, order, suit, lead, len(lead) + spare, cap)
    if hands is None:
        return None
    *dealt, rest = hands
    buried = rest.only(order.follow[suit]) if rng.random() < 0.5 else rest
    kitty = DECK.cards(rng.sample(list(buried), min(len(buried), rng.choice([0, 0, 0, 1, 2]))))
    turned = tuple(dealt[(seat - leader) % 4] for seat in range(4))
    start = replace(begin(game, contract, turned, leader), kitty=kitty, memory=Memory(seen=rest - kitty))
    named = units if len(units) > 1 and rng.random() < 0.3 else ()
    scene = play_scene(rng, start, Play(lead, units=named))
    if scene is None or not late:
        return scene
    return scene if scene.first.tried is not None and len(scene.first.cards) > min(map(len, units)) else None


def play_scene(rng: random.Random, start: Position, lead: Play) -> Scene | None:
    """The lead and its follows, and tricks after it until few cards are left."""
    position, said, acts = start, list[Play](), list[Act]()
    wanted, most_ways = rng.choice([1, 1, 1, 2]), rng.choice([100, 100, 100, 2600])
    while True:
        assert position.trick is not None
        if not position.trick.plays and position.tricks_played:
            for known in (None, rng.randrange(4)):
                scene = Scene(Course(start, tuple(acts)), tuple(said), known)
                if scene.ways <= most_ways and (position.tricks_played >= wanted or position.over):
                    return scene
            if position.over:
                return None
        if not said:
            play = lead if rng.random() < 0.9 else replace(lead, units=some_grouping(lead.cards, rng))
            if position.judge(play).legal is not True:
                return None
        else:
            play = position.legal_plays.choose(rng) if position.trick.plays else some_lead(position, rng)
        said.append(play)
        acts.append(position.read(play))
        position = position.play(play)


def some_units(
    rng: random.Random, order: Order, suit: int, lengths: tuple[int, ...], cap: int | None = None
) -> tuple[Cards, ...] | None:
    """Units of such lengths for a lead: at the top of the suit, where a throw stands, or anywhere; or under a cap."""
    steps, taken = order.steps[suit], 0
    units: list[Cards] = []
    for length in lengths:
        size = max(length, 1)
        free = [top for top in range(size - 1, len(steps)) if all(s & ~taken for s in steps[top - size + 1 : top + 1])]
        if cap is not None:
            free = [top for top in free if top < cap - 1] if units else [cap]
        if not free:
            return None
        top = rng.choice(free if units and cap is not None else [free[-1], free[-1], rng.choice(free)])
        window = [step & ~taken for step in steps[top - size + 1 : top + 1]]
        if not all(window):
            return None
        mask = sum(1 << rng.choice(list(kinds_in(step))) for step in window)
        units.append(Cards(DECK, (mask, mask) if length else (mask,)))
        taken |= mask
    return tuple(units)


def some_hands(
    rng: random.Random, order: Order, suit: int, lead: Cards, size: int, cap: int | None = None
) -> tuple[Cards, ...] | None:
    """Four hands, the leader's first, with many pairs near the lead; and the cards that are left over.

    Under a cap the leader has what lies above it, and the others mostly do not.
    """
    left = DECK.all - lead
    hands = [lead, DECK.none, DECK.none, DECK.none]
    pairs = counts(order, suit, lead)
    middle = next((i for i, count in enumerate(pairs) if count), len(pairs) - 1)
    gap = {card: step_of(order, suit, card) - middle for card in kinds_in(order.follow[suit])}
    near = sorted(gap, key=lambda card: abs(gap[card]) + 2 * rng.random())
    for seat in rng.sample(range(4), 4):
        most = size - rng.choice([0, 0, 0, 0, 1, 2]) if seat else size
        for card in near:
            above = cap is not None and gap[card] + middle > cap
            wanted = 0 if cap is not None and above == bool(seat) and rng.random() < 0.9 else 2
            copies = min(left.count(card), most - len(hands[seat]), wanted, rng.choice([0, 1, 2, 2, 2]))
            if copies > 0:
                hands[seat] += DECK.cards([card] * copies)
                left -= DECK.cards([card] * copies)
    other = next(s for s in (2, 3, 4) if s != suit and order.follow[s])
    for seat in range(4):
        free = list(left.only(order.follow[other])) if rng.random() < 0.8 else list(left.only(~order.follow[suit]))
        if len(free) < size - len(hands[seat]):
            return None
        more = DECK.cards(rng.sample(free, size - len(hands[seat])))
        hands[seat] += more
        left -= more
    return (*hands, left)


def step_of(order: Order, suit: int, card: int) -> int:
    return next(i for i, step in enumerate(order.steps[suit]) if step >> card & 1)


def some_lead(position: Position, rng: random.Random) -> Play:
    """A legal lead: any, or one unit, or the top of a suit, which is a throw that may stand; at times grouped."""
    order, hand = position.order, told(position.hand)
    assert order is not None
    own = order.in_suit(hand, order.led_suit[rng.choice(list(hand))])
    strong = sorted(own, key=lambda card: order.strength[order.led_suit[card]][card], reverse=True)
    start = rng.choice([0, 0, rng.randrange(len(strong))])
    play = Play(DECK.cards(strong[start : start + rng.randint(1, 4)]))
    if rng.random() < 0.3:
        play = position.legal_plays.choose(rng)
    elif rng.random() < 0.2:
        play = replace(play, units=some_grouping(play.cards, rng))
    return play if position.judge(play).legal else position.legal_plays.choose(rng)


def some_grouping(pile: Cards, rng: random.Random) -> tuple[Cards, ...]:
    """Pairs apart from each other, and at times the two cards of a pair."""
    units: list[Cards] = []
    for card in kinds_in(pile.kinds):
        one = DECK.of(1 << card)
        both = pile.count(card) == 2
        units += [one + one] if both and rng.random() < 0.6 else [one] * pile.count(card)
    return tuple(units) if len(units) > 1 else ()


def told(hand: object) -> Cards:
    assert isinstance(hand, Cards)
    return hand
