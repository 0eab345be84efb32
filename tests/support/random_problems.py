"""Problems of dealing hidden cards, made at random or by hand, for the tests of beliefs."""

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reference import deals as literal
from reference.deals import AtLeast, AtMost, Condition, Deal
from renege.belief import DEAD, Group, Problem, Run, Watch, count_watch, pair_watch, run_watch

SOAK = int(os.environ.get("RENEGE_SOAK", "1"))
WORLD = 2  # the purpose of these random numbers
MOST_DEALT = {2: 12, 3: 9, 4: 7, 5: 6, 6: 8, 7: 8, 8: 7}  # by hands: so that all can be tried


class Small(NamedTuple):
    """A problem, and the same in words."""

    problem: Problem
    conditions: list[Condition]

    def deals(self) -> Counter[Deal]:
        return literal.labelled_deals(self.problem.copies, self.problem.sizes, self.conditions)


# --- making problems ----------------------------------------------------------------------------------------


def plain(copies: Sequence[int], sizes: Sequence[int], kinds: Sequence[int] | None = None) -> Problem:
    """No condition but the sizes."""
    return Problem(
        kinds=tuple(kinds or range(len(copies))),
        copies=tuple(copies),
        sizes=tuple(sizes),
        most=tuple((n,) * len(sizes) for n in copies),
        least=tuple((0,) * len(sizes) for _ in copies),
    )


def with_caps(problem: Problem, caps: Sequence[AtMost | AtLeast]) -> Problem:
    most, least = [list(row) for row in problem.most], [list(row) for row in problem.least]
    for cap in caps:
        match cap:
            case AtMost(place, hand, n):
                most[place][hand] = min(most[place][hand], n)
            case AtLeast(place, hand, n):
                least[place][hand] = max(least[place][hand], n)
    return replace(problem, most=tuple(map(tuple, most)), least=tuple(map(tuple, least)))


def voids(problem: Problem, lacks: dict[int, Sequence[int]]) -> Problem:
    """Hands that have none of some kinds."""
    return with_caps(problem, [AtMost(place, hand, 0) for hand, places in lacks.items() for place in places])


def renamed(watch: Watch, states: int, times: int) -> Watch:
    """The same watch with other numbers for its states, and most numbers unused."""
    name = {old: old * times % states for old in range(max(map(len, (*watch.moves, watch.accepts))))}
    assert len(set(name.values())) == len(name)

    def spread(table: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
        rows = [(DEAD,) * len(table[0])] * states
        for old, row in enumerate(table):
            rows[name[old]] = tuple(DEAD if to == DEAD else name[to] for to in row)
        return tuple(rows)

    accepts = [False] * states
    for old, accepted in enumerate(watch.accepts):
        accepts[name[old]] = accepted
    return replace(watch, moves=tuple(map(spread, watch.moves)), accepts=tuple(accepts))


def random_copies(rng: random.Random, most: int, cards: int) -> list[int]:
    copies: list[int] = []
    while sum(copies) < cards:
        copies.append(min(rng.randint(1, most), cards - sum(copies)))
        if rng.random() < 0.05:
            copies.append(0)
    return copies


def random_caps(rng: random.Random, copies: Sequence[int], hands: int) -> Iterator[AtMost | AtLeast]:
    if rng.random() < 0.6:
        for hand in range(hands):
            lacking = rng.sample(range(len(copies)), rng.randint(0, len(copies) // 2))
            yield from (AtMost(place, hand, 0) for place in lacking)
    for place, n in enumerate(copies):
        if n and rng.random() < 0.15:
            yield AtMost(place, rng.randrange(hands), rng.randint(0, n))
        if n and rng.random() < 0.1:
            yield AtLeast(place, rng.randrange(hands), rng.randint(1, n))


def random_group(rng: random.Random, copies: Sequence[int], hands: int) -> tuple[Group, Condition]:
    place = rng.randrange(len(copies))
    who = rng.sample(range(hands), rng.randint(1, hands))
    least = rng.randint(0, copies[place])
    most = rng.randint(least, copies[place])
    group = Group(place, sum(1 << hand for hand in who), least, most)
    return group, literal.Together(place, frozenset(who), least, most)


def random_watch(rng: random.Random, copies: Sequence[int], hands: int, widest: int = 2) -> tuple[Watch, Condition]:
    hand, first = rng.randrange(hands), rng.randrange(len(copies))
    last = rng.randint(first + 1, len(copies))
    read = copies[first:last]
    known = [rng.choice([0, 0, 0, 1, 2]) for _ in read]
    counted = [rng.random() < 0.7 for _ in read]
    places = [first + k for k, own in enumerate(counted) if own]
    known_at = {first + k: known[k] for k in range(len(read)) if counted[k]}
    match rng.choice(["count", "pair", "run"]):
        case "count":
            least, most = rng.randint(0, 3), rng.choice([None, 0, 1, 2, 3, 4])
            watch = count_watch(hand, first, counted, read, least, most)
            return watch, literal.Cards(hand, frozenset(places), least, most)
        case "pair":
            most, width = rng.randint(0, 2), 2 if widest == 2 else rng.randint(2, widest)
            watch = pair_watch(hand, first, known, counted, read, most, width=width)
            return watch, literal.Pairs(hand, known_at, most, width)
        case _:
            steps = [0]
            for _ in read[1:]:
                steps.append(steps[-1] + rng.choice([0, 1, 1, 1, 2]))
            length, above = rng.randint(1, 3), rng.randint(-1, 2)
            forbidden, each = rng.random() < 0.6, rng.choice([1, 2, *range(2, widest + 1)])
            own = [step if counted[k] else -1 for k, step in enumerate(steps)]
            watch = run_watch(hand, first, known, own, read, Run(length, above, forbidden, each=each))
            step_of = {first + k: step for k, step in enumerate(own) if step >= 0}
            return watch, literal.Run(hand, known_at, step_of, length, above, forbidden, each)


def random_deal(rng: random.Random, copies: Sequence[int], sizes: Sequence[int]) -> Deal:
    order = [hand for hand, size in enumerate(sizes) for _ in range(size)]
    rng.shuffle(order)
    given = iter(order)
    rows: list[tuple[int, ...]] = []
    for n in copies:
        got = Counter(next(given) for _ in range(n))
        rows.append(tuple(got[hand] for hand in range(len(sizes))))
    return tuple(rows)


def random_problem(
    rng: random.Random, hands: tuple[int, int] = (2, 5), copies: Sequence[int] = (1, 2, 2, 2, 3), widest: int = 2
) -> Small:
    """Half of them are true of some deal, so that not too many are impossible."""
    number = rng.randint(*hands)
    return _problem(rng, number, random_copies(rng, rng.choice(copies), rng.randint(1, MOST_DEALT[number])), widest)


def _problem(rng: random.Random, hands: int, copies: Sequence[int], widest: int) -> Small:
    sizes = [0] * hands
    for _ in range(sum(copies)):
        sizes[rng.randrange(hands)] += 1
    true = random_deal(rng, copies, sizes) if rng.random() < 0.5 else None
    caps = [cap for cap in random_caps(rng, copies, hands) if true is None or cap.holds(true)]
    groups = [random_group(rng, copies, hands) for _ in range(rng.choice([0, 0, 1, 2]))]
    watches = [random_watch(rng, copies, hands, widest) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    if true is not None:
        groups = [(group, words) for group, words in groups if words.holds(true)]
        watches = [(watch, words) for watch, words in watches if words.holds(true)]
    if rng.random() < 0.3:  # with many states the kernel looks them up in another way
        watches = [(renamed(watch, 251, rng.randint(1, 250)), words) for watch, words in watches]
    problem = replace(
        with_caps(plain(copies, sizes, rng.sample(range(64), len(copies))), caps),
        groups=tuple(group for group, _ in groups),
        watches=tuple(watch for watch, _ in watches),
    )
    return Small(problem, [*caps, *(words for _, words in groups), *(words for _, words in watches)])


def random_problems(n: int, seed: int) -> Iterator[Small]:
    rng = random.Random(seed)
    return (random_problem(rng) for _ in range(n))


def crowded_problems(n: int, seed: int) -> Iterator[Small]:
    """With four to eight hands and up to four copies, of which triples and quadruples are asked too."""
    rng = random.Random(seed)
    return (random_problem(rng, (4, 8), (2, 3, 4), widest=4) for _ in range(n))


def deal_in(problem: Problem, row: NDArray[np.uint64]) -> Deal:
    """The deal that masks `[hand, layer]` show; no card may be there that is not hidden."""
    masks = row.tolist()
    for hand in masks:
        for below, layer in pairwise(hand):
            assert layer & ~below == 0
        assert hand[0] & ~sum(1 << kind for kind in problem.kinds) == 0
    return tuple(tuple(sum(layer >> kind & 1 for layer in hand) for hand in masks) for kind in problem.kinds)


def deals_in(problem: Problem, rows: NDArray[np.uint64]) -> Counter[Deal]:
    different, times = np.unique(rows, axis=0, return_counts=True)
    return Counter({deal_in(problem, row): n for row, n in zip(different, times.tolist(), strict=True)})


def random_weights(rng: random.Random, problem: Problem) -> list[list[Fraction]]:
    return [[Fraction(rng.choice([0, 1, 1, 2, 5, 10]), 3) for _ in problem.sizes] for _ in problem.kinds]
