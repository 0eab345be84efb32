"""Does `any_deal` find a deal whenever there is one, and is every conflict a proof that there is none?

Small problems are dealt out in every way; the reference here reads a problem literally and knows no theorem.
"""

import doctest
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from any_deal import Chosen, Clash, Conflict, Deal, Forced, Split, any_deal, violator
from renege.belief.problem import DEAD, Group, Problem, Watch, count_watch, never, pair_watch
from renege.core.facts import AtMost, FewPairs, Holds
from renege.core.verdict import Rule
from renege.games import texas42
from support.steering import SOAK


def shares(problem: Problem, place: int) -> list[tuple[int, ...]]:
    """[hand] copies: every way to divide one kind."""
    copies, n = problem.copies[place], len(problem.sizes)
    return [
        share
        for share in product(range(copies + 1), repeat=n)
        if sum(share) == copies
        and all(a <= x <= b for a, x, b in zip(problem.least[place], share, problem.most[place], strict=True))
        and all(
            g.least <= sum(share[h] for h in range(n) if g.hands >> h & 1) <= g.most
            for g in problem.groups
            if g.place == place
        )
    ]


def keeps(watch: Watch, deal: list[tuple[int, ...]]) -> bool:
    state = 0
    for offset, moves in enumerate(watch.moves):
        state = moves[state][deal[watch.first + offset][watch.hand]]
        if state == DEAD:
            return False
    return watch.accepts[state]


def all_deals(problem: Problem) -> Iterator[list[tuple[int, ...]]]:
    """[place][hand] copies: every deal, told apart by kinds only."""

    def deal(place: int, need: list[int], done: list[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
        if place == len(problem.kinds):
            if all(keeps(watch, done) for watch in problem.watches):
                yield done
            return
        for share in shares(problem, place):
            left = [a - b for a, b in zip(need, share, strict=True)]
            if min(left) >= 0:
                yield from deal(place + 1, left, [*done, share])

    yield from deal(0, list(problem.sizes), [])


def has_deal(problem: Problem) -> bool:
    return next(all_deals(problem), None) is not None


def plain(allowed: list[int], sizes: tuple[int, ...], copies: list[int] | None = None) -> Problem:
    """A problem in which a kind may lie in the hands of its mask, every copy of it."""
    copies = copies or [1] * len(allowed)
    most = tuple(
        tuple(m * (mask >> hand & 1) for hand in range(len(sizes))) for m, mask in zip(copies, allowed, strict=True)
    )
    none = ((0,) * len(sizes),) * len(allowed)
    return Problem(tuple(range(len(allowed))), tuple(copies), sizes, most, none)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in compositions(total - first, parts - 1))


def random_problem(rng: random.Random) -> Problem:
    n = rng.randint(2, 5)
    kinds = tuple(sorted(rng.sample(range(28), rng.randint(1, 7 - n // 2))))
    two = rng.random() < 0.5
    copies = tuple(rng.choice((1, 2)) if two else 1 for _ in kinds)
    holders = [rng.randrange(n) for _ in range(sum(copies))]
    sizes = tuple(holders.count(hand) for hand in range(n))
    open_ = rng.uniform(0.3, 0.9)
    most = tuple(tuple(rng.randint(1, m) if rng.random() < open_ else 0 for _ in sizes) for m in copies)
    seen = rng.choice((0, 0, 0.03, 0.1))
    least = tuple(tuple(int(rng.random() < seen) for _ in sizes) for _ in copies)
    return Problem(kinds, copies, sizes, most, least)


def check_deal(problem: Problem, deal: Deal) -> None:
    assert tuple(map(len, deal.hands)) == problem.sizes
    assert Counter(card for hand in deal.hands for card in hand) == dict(
        zip(problem.kinds, problem.copies, strict=True)
    )
    for place, kind in enumerate(problem.kinds):
        assert tuple(hand.count(kind) for hand in deal.hands) in shares(problem, place)
    given: list[list[int]] = [[] for _ in problem.sizes]
    for step in deal.steps:
        if isinstance(step, Forced):
            given[step.hand] += step.cards
        elif isinstance(step, Chosen):
            given[step.hand].append(step.card)
    assert tuple(tuple(sorted(hand)) for hand in given) == deal.hands


def check_conflict(problem: Problem, conflict: Conflict) -> None:
    """Does the conflict prove that caps and known cards leave no deal?"""
    hands, found = conflict.hands, Counter(conflict.cards)
    known = {kind: problem.least[place] for place, kind in enumerate(problem.kinds)}
    if conflict.clash is Clash.SHORT:
        assert conflict.need == sum(problem.sizes[hand] for hand in hands)
        own = elsewhere = 0
        for place, kind in enumerate(problem.kinds):
            room = min(problem.copies[place], sum(problem.most[place][hand] for hand in hands))
            own += room
            room = min(
                room, problem.copies[place] - sum(known[kind][h] for h in set(range(len(known[kind]))) - {*hands})
            )
            elsewhere += room
            assert found[kind] >= room
        assert conflict.have == len(conflict.cards) < conflict.need
        assert conflict.have in (own, elsewhere)
    elif conflict.clash is Clash.FULL:
        assert conflict.have == sum(problem.sizes[hand] for hand in hands) < conflict.need == len(conflict.cards)
        assert all(found[kind] == sum(known[kind][hand] for hand in hands) for kind in problem.kinds)
    else:
        assert conflict.clash is Clash.KNOWN
        (kind,) = found
        place = problem.kinds.index(kind)
        assert conflict.need == found[kind] == sum(known[kind][hand] for hand in hands)
        room = min(problem.copies[place], sum(problem.most[place][hand] for hand in hands))
        assert conflict.have < conflict.need and room <= conflict.have
    assert str(conflict)


def check(problem: Problem, rng: random.Random) -> bool:
    """Try one problem; was there a deal?"""
    result = any_deal(problem, rng)
    if isinstance(result, Deal):
        check_deal(problem, result)
        assert violator(problem) is None
        return True
    check_conflict(problem, result)
    assert violator(problem) == result
    return False


@pytest.mark.parametrize(("n", "most_cards", "problems"), [(2, 6, 461), (3, 5, 13_881), (4, 3, 14_860)])
def test_every_small_problem(n: int, most_cards: int, problems: int) -> None:
    """All classes of cards and all sizes; for three hands these are the problems tried on the published program."""
    rng, tried = random.Random(1), 0
    for cards in range(1, most_cards + 1):
        for allowed in combinations_with_replacement(range(1, 1 << n), cards):
            for sizes in compositions(cards, n):
                problem = plain(list(allowed), sizes)
                assert check(problem, rng) == has_deal(problem), problem
                tried += 1
    assert tried == problems


def test_random_problems_with_two_copies_and_known_cards() -> None:
    rng = random.Random(2)
    outcome = Counter[object]()
    for _ in range(3_000 * SOAK):
        problem = random_problem(rng)
        dealt = check(problem, rng)
        assert dealt == has_deal(problem), problem
        conflict = violator(problem)
        outcome[conflict and conflict.clash] += 1
    assert min(outcome[key] for key in (None, Clash.SHORT, Clash.FULL, Clash.KNOWN)) > 20, outcome


def test_a_cap_below_the_copies_counts() -> None:
    """Without a pair a hand takes one of two copies: two kinds do not fill a hand of three."""
    problem = Problem((4, 9), (2, 2), (3, 1), ((1, 2), (1, 2)), ((0, 0), (0, 0)))
    conflict = any_deal(problem, random.Random(0))
    assert conflict == Conflict(Clash.SHORT, (0,), (4, 9), 3, 2)
    assert str(conflict) == "hand 0 needs 3 cards and can take only 2: 4 9"


def test_four_hands_work_every_time() -> None:
    """Two hands are tight together: the published program stops with an error in half of its tries."""
    problem = plain([0b1111, 0b1111, 0b1001, 0b1001], (1, 1, 1, 1))
    deals = {any_deal(problem, random.Random(seed)) for seed in range(200)}
    for deal in deals:
        assert isinstance(deal, Deal)
        check_deal(problem, deal)
        assert deal.steps[0] == Split((1, 2), (0, 1), (0, 3), (2, 3))
        assert str(deal.steps[0]) == "hands 1 and 2 need all that can come there, 0 1: 2 3 to hands 0 and 3"
    assert len({deal.hands for deal in deals if isinstance(deal, Deal)}) == 4


def test_the_smallest_set_of_hands_is_named() -> None:
    """Hands 1 and 2 share one card; together with hand 0 they are short as well."""
    problem = plain([0b1110, 0b1001, 0b1000, 0b1000], (1, 1, 1, 1))
    conflict = any_deal(problem, random.Random(0))
    assert conflict == Conflict(Clash.SHORT, (1, 2), (0,), 2, 1)
    assert str(conflict) == "hands 1 and 2 need 2 cards and can take only 1: 0"


def test_steps_are_told() -> None:
    names = texas42.DECK.names
    kinds = (3, 7, 8, 12, 20)
    most = ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 1, 1), (0, 1, 1))
    least = ((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 1), (0, 0, 0))
    problem = Problem(kinds, (1,) * 5, (2, 2, 1), most, least)
    deal = any_deal(problem, random.Random(5))
    assert isinstance(deal, Deal)
    check_deal(problem, deal)
    assert [str(step) for step in deal.steps] == [
        "12 to hand 2: known to be there",
        "3 to hand 0: no other hand may take it",
        "hand 2 is full: 7 8 20 to hands 0 and 1",
        "20 to hand 1: no other hand may take it",
        "8 to hand 1, freely",
        "hand 1 is full: 7 to hand 0",
        "7 to hand 0: no other hand may take it",
    ]
    assert deal.steps[0].tell(names.__getitem__) == f"{names[12]} to hand 2: known to be there"


def test_the_example_in_the_docs() -> None:
    page = Path(__file__).parents[2] / "docs" / "beliefs.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted and not result.failed


def test_hands_of_no_cards_and_no_cards_at_all() -> None:
    deal = any_deal(plain([0b111] * 3, (0, 3, 0)), random.Random(0))
    assert isinstance(deal, Deal) and deal.hands == ((), (0, 1, 2), ())
    assert any_deal(plain([], (0, 0)), random.Random(0)) == Deal(((), ()), ())


def test_a_card_that_nobody_may_take() -> None:
    conflict = any_deal(plain([0b11, 0], (1, 1)), random.Random(0))
    assert conflict == Conflict(Clash.SHORT, (0, 1), (0,), 2, 1)


def test_a_seed_gives_the_same_deal_again() -> None:
    problem = plain([0b111] * 12 + [0b110] * 9, (7, 7, 7))
    assert any_deal(problem, random.Random(8)) == any_deal(problem, random.Random(8))
    assert any_deal(problem, random.Random(8)) != any_deal(problem, random.Random(9))


RULE = Rule("test.rule", "A rule.", "tests")


def at_most(hand: int, copies: tuple[int, ...], most: int) -> Watch:
    fact = AtMost(hand, 0, RULE, texas42.DECK.none, most)
    return count_watch(hand, 0, [True] * len(copies), copies, 0, most, (fact,))


def few_pairs(hand: int, copies: tuple[int, ...], most: int) -> Watch:
    fact = FewPairs(hand, 0, RULE, texas42.DECK.none, most)
    return pair_watch(hand, 0, [0] * len(copies), [True] * len(copies), copies, most, (fact,))


def at_least(hand: int, first: int, copies: tuple[int, ...], least: int) -> Watch:
    fact = Holds(hand, 0, RULE, texas42.DECK.none, least)
    return count_watch(hand, first, [True] * len(copies), copies, least, None, (fact,))


def open_problem(copies: tuple[int, ...], sizes: tuple[int, ...], **more: object) -> Problem:
    most = tuple((m,) * len(sizes) for m in copies)
    none = ((0,) * len(sizes),) * len(copies)
    return Problem(tuple(range(len(copies))), copies, sizes, most, none, **more)  # pyright: ignore[reportArgumentType]


def test_pairs_count_in_what_hands_can_take() -> None:
    """Hand 0 may have one pair of three: of seven cards it can take five, two of a kind and one each of three."""
    watch = few_pairs(0, (2, 2, 2), 1)
    problem = open_problem((2, 2, 2, 1), (6, 1), watches=(watch,))
    conflict = violator(problem)
    assert conflict is not None
    assert (conflict.clash, conflict.hands, conflict.need, conflict.have) == (Clash.SHORT, (0,), 6, 5)
    assert len(conflict.cards) == 5 and conflict.facts == watch.facts
    assert violator(open_problem((2, 2, 2, 1), (5, 2), watches=(watch,))) is None


def test_hands_that_must_take_too_much() -> None:
    watch = at_least(0, 0, (1,) * 4, 3)
    conflict = violator(open_problem((1,) * 6, (2, 4), watches=(watch,)))
    assert conflict is not None
    assert (conflict.clash, conflict.hands, conflict.need, conflict.have) == (Clash.FULL, (0,), 3, 2)
    assert conflict.facts == watch.facts and len(conflict.cards) == 3


def test_facts_that_clash_only_together() -> None:
    """Two hands want three of the same four cards each. No hand is short or too full; a third fact is no part of it."""
    watches = (at_least(0, 0, (1,) * 4, 3), at_least(1, 0, (1,) * 4, 3), at_least(2, 4, (1,) * 4, 1))
    conflict = violator(open_problem((1,) * 9, (3, 3, 3), watches=watches))
    assert conflict is not None
    assert (conflict.clash, conflict.hands) == (Clash.FACTS, (0, 1))
    assert conflict.have < conflict.need == 6
    assert conflict.facts == watches[0].facts + watches[1].facts and conflict.cards == ()
    assert "no set of hands is short" in str(conflict)


def test_groups() -> None:
    """Hands 0 and 1 have neither copy of three kinds: they are short together though neither is alone."""
    groups = tuple(Group(place, 0b011, 0, 0) for place in range(3))
    problem = open_problem((2, 2, 2, 1, 1), (1, 2, 5), groups=groups)
    conflict = violator(problem)
    assert conflict == Conflict(Clash.SHORT, (0, 1), (3, 4), 3, 2)
    with pytest.raises(ValueError, match="watches or groups"):
        any_deal(problem, random.Random(0))


def random_watch(rng: random.Random, hand: int, copies: tuple[int, ...]) -> Watch:
    first, last = rng.randrange(len(copies)), rng.randint(1, len(copies))
    return rng.choice(
        (
            at_most(hand, copies[:last], rng.randint(0, 2)),
            few_pairs(hand, copies[:last], rng.randint(0, 1)),
            at_least(hand, first, copies[first:], rng.randint(1, 2)),
            never(hand, first, ()) if rng.random() < 0.05 else at_most(hand, copies, 3),
        )
    )


def test_random_problems_with_watches_and_groups() -> None:
    """A conflict is given just when there is no deal, and a short set really is short: dealt out in every way."""
    rng = random.Random(3)
    outcome = Counter[object]()
    for _ in range(400 * SOAK):
        base = random_problem(rng)
        n = len(base.sizes)
        watches = tuple(random_watch(rng, rng.randrange(n), base.copies) for _ in range(rng.randint(0, 3)))
        groups = tuple(
            Group(place, rng.randrange(1, 1 << n), rng.choice((0, 0, 1)), rng.randint(1, 2))
            for place in range(len(base.kinds))
            if rng.random() < 0.2
        )
        problem = Problem(base.kinds, base.copies, base.sizes, base.most, base.least, groups, watches)
        conflict = violator(problem)
        assert (conflict is None) == has_deal(problem), problem
        outcome[conflict and conflict.clash] += 1
        if conflict and conflict.clash is Clash.SHORT:
            assert conflict.need == sum(problem.sizes[hand] for hand in conflict.hands)
            assert conflict.have == len(conflict.cards) < conflict.need
            assert conflict.have >= most_taken(problem, conflict.hands)
        if conflict and conflict.clash is Clash.FULL:
            assert conflict.have == sum(problem.sizes[hand] for hand in conflict.hands) < conflict.need
    assert min(outcome[key] for key in (None, *Clash)) > 0, outcome


def most_taken(problem: Problem, hands: tuple[int, ...]) -> int:
    """The most cards these hands take together in any division of the kinds, sizes aside; -1 if there is none."""
    mine = [watch for watch in problem.watches if watch.hand in hands]
    best = -1
    for deal in product(*(shares(problem, place) for place in range(len(problem.kinds)))):
        if all(keeps(watch, list(deal)) for watch in mine):
            best = max(best, sum(share[hand] for share in deal for hand in hands))
    return best
