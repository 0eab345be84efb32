"""Are deals counted and listed exactly? Small problems are compared with trying everything."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from math import comb, factorial, prod

import numpy as np
import pytest

from reference import deals as literal
from reference.deals import AtLeast, AtMost, Condition, Deal
from renege.belief import (
    Back,
    Group,
    Pick,
    Problem,
    Run,
    TooManyStates,
    Watch,
    Worlds,
    count_watch,
    pair_watch,
    run_watch,
)
from renege.belief.checks import KindsCheck, WatchCheck
from renege.belief.problem import any_watch
from renege.core.cards import Deck
from support.random_problems import (
    SOAK,
    Small,
    deal_in,
    deals_in,
    plain,
    random_problems,
    random_watch,
    random_weights,
    renamed,
    with_caps,
)

# --- against trying everything ------------------------------------------------------------------------------


def test_small_problems_equal_trying_everything():
    """Counts, lists and odds; and a problem is impossible exactly when nothing is found."""
    possible = 0
    for small in random_problems(100 * SOAK, seed=1):
        deals, worlds = small.deals(), Worlds(small.problem)
        assert (worlds.count(), worlds.distinct()) == (deals.total(), len(deals)), small
        listed = [deal_in(small.problem, row) for row in worlds.listed()]
        assert len(listed) == len(deals) and set(listed) == set(deals), small
        if not deals:
            with pytest.raises(ValueError, match="there is no deal"):
                worlds.draw(1, seed=1)
            with pytest.raises(ValueError, match="there is no deal"):
                worlds.odds()
            continue
        possible += 1
        odds = worlds.odds()
        for place, hand, copies in np.ndindex(*odds.shape):
            assert odds[place, hand, copies] == pytest.approx(
                float(literal.odds(deals, place, hand, copies)), abs=1e-12
            ), small
        assert set(deals_in(small.problem, worlds.draw(50, seed=2))) <= set(deals), small
    assert 40 * SOAK <= possible <= 90 * SOAK


def some_of(rng: random.Random, small: Small) -> Small:
    """The problem with one condition more: one of several hands meets its own."""
    hands, copies = len(small.problem.sizes), small.problem.copies
    pairs: dict[int, tuple[Watch, Condition]] = {}
    for _ in range(rng.randint(2, 4)):
        watch, words = random_watch(rng, copies, hands)
        pairs[watch.hand] = watch, words
    joined = any_watch([pairs[hand][0] for hand in sorted(pairs)], copies)
    assert joined is not None and joined.hands == tuple(sorted(pairs))
    problem = replace(small.problem, watches=(*small.problem.watches, joined))
    return Small(problem, [*small.conditions, literal.Some(tuple(words for _, words in pairs.values()))])


def test_conditions_on_several_hands_equal_trying_everything():
    rng, possible = random.Random(21), 0
    for base in random_problems(60 * SOAK, seed=22):
        small = some_of(rng, base)
        deals, worlds = small.deals(), Worlds(small.problem)
        assert (worlds.count(), worlds.distinct()) == (deals.total(), len(deals)), small
        possible += bool(deals)
        rows = Worlds(base.problem).listed()
        watch = small.problem.watches[-1]
        kept = WatchCheck((), watch, base.problem.kinds, base.problem.copies).keeps(rows, np.zeros(len(rows)))
        assert {deal_in(base.problem, row) for row in rows[kept]} == set(deals), small
    assert possible > 20 * SOAK


def test_picks_and_weights_count_deals_as_often_as_trying_everything():
    """Counts, odds, odds by weight and draws, where a deal counts for each card that can be picked, and for each that
    can have come back for it.
    """
    rng, possible, returned = random.Random(23), 0, 0
    for small in random_problems(150 * SOAK, seed=24):
        problem, spare = small.problem, 5 - len(small.problem.sizes)
        ones = [place for place, n in enumerate(problem.copies) if n == 1]
        unused = [kind for kind in range(64) if kind not in problem.kinds]
        picks: list[Pick] = []
        for _ in range(min(spare, rng.randint(0, 1))):
            hand, known = rng.randrange(len(problem.sizes)), rng.randint(0, 2)
            back = None
            if rng.random() < 0.5:
                others = [other for other in range(len(problem.sizes)) if other != hand]
                back = Back(rng.choice(others), rng.randint(1, 5), shown=rng.random() < 0.3)
            if problem.sizes[hand] or known or back:
                places = tuple(rng.sample(ones, rng.randint(0, len(ones))))
                picks.append(Pick(hand, places, tuple(unused[:known]), back))
        groups = [
            replace(group, weights=tuple(rng.randint(0, 5) for _ in range(problem.copies[group.place] + 1)))
            for group in problem.groups
        ]
        deals: Counter[Deal] = Counter()
        for deal, n in small.deals().items():
            for pick in picks:
                could = len(pick.known) + sum(deal[place][pick.hand] for place in pick.places)
                if pick.back is not None:
                    has = pick.back.shown + sum(deal[place][pick.back.hand] for place in pick.places)
                    could = could * pick.back.size if has == 0 else could + 1 if has == 1 else 0
                n *= could
            for group in groups:
                n *= group.weights[sum(deal[group.place][h] for h in range(5) if group.hands >> h & 1)]
            deals[deal] += n
        deals = +deals
        worlds = Worlds(replace(problem, picks=tuple(picks), groups=tuple(groups)))
        assert worlds.count() == deals.total(), (problem, picks, groups)
        if not deals:
            continue
        possible, returned = possible + 1, returned + any(pick.back is not None for pick in picks)
        odds = worlds.odds()
        for place, hand, copies in np.ndindex(*odds.shape):
            want = float(literal.odds(deals, place, hand, copies))
            assert odds[place, hand, copies] == pytest.approx(want, abs=1e-12), (problem, picks)
        assert set(deals_in(problem, worlds.draw(50, seed=2))) <= set(deals)
        weights = random_weights(rng, problem)
        if chances := literal.weighted(deals, weights):
            odds = worlds.odds(weights=np.array(weights, float))
            for place, hand, copies in np.ndindex(*odds.shape):
                want = sum(chance for deal, chance in chances.items() if deal[place][hand] == copies)
                assert odds[place, hand, copies] == pytest.approx(float(want), abs=1e-12)
    assert possible > 30 * SOAK and returned > 5 * SOAK


def test_a_deal_is_drawn_as_often_as_it_counts():
    """Four cards, two hands; one of the first hand's cards 0 and 1 is picked, or the one that it has played."""
    problem = replace(plain([1] * 4, [2, 2]), picks=(Pick(0, (0, 1), (9,)),))
    worlds = Worlds(problem)
    assert (worlds.count(), worlds.distinct()) == (12, 6)
    drawn = deals_in(problem, worlds.draw(24_000, seed=3))
    for deal, n in drawn.items():
        share = (1 + deal[0][0] + deal[1][0]) / 12
        assert abs(n - 24_000 * share) < 5 * (24_000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("copies", [1, 2])
def test_kinds_are_asked_about_once_for_each_set_of_them(copies: int):
    """Those of one hand, or of two together."""
    deck = Deck("four", ("a", "b", "c", "d"), copies=2)
    problem, known = plain([2, 1, 1, 2], [2, 2, 2]), (0, 1, 0, 0)
    rows = Worlds(problem).listed()
    for hands in ((0,), (0, 2)):
        asked: list[int] = []

        def allowed(kinds: int, asked: list[int] = asked) -> bool:
            asked.append(kinds)
            return kinds.bit_count() != 1

        check = KindsCheck((), hands, deck.cards([1]), 0b1110, copies, allowed)
        for row, kept in zip(rows, check.keeps(rows, np.zeros(len(rows))), strict=True):
            deal = deal_in(problem, row)
            held = [sum(deal[place][hand] for hand in hands) + known[place] for place in (1, 2, 3)]
            assert kept == (sum(n >= copies for n in held) != 1)
        assert len(asked) == len(set(asked)) > 1


def test_runs_on_shared_and_missing_steps():
    """All runs that four kinds can make, known copies among them."""
    copies, sizes = (2, 1, 2, 1), (3, 3)
    deals = literal.labelled_deals(copies, sizes, [])
    rng = random.Random(17)
    for rises in product((0, 1, 2), repeat=3):
        steps = [sum(rises[:k]) for k in range(4)]
        for length, above, forbidden, each in product((1, 2, 3), (-1, 0, 1, 2), (False, True), (1, 2)):
            known = [rng.choice([0, 0, 1]) for _ in steps]
            run = literal.Run(0, dict(enumerate(known)), dict(enumerate(steps)), length, above, forbidden, each)
            watch = run_watch(0, 0, known, steps, copies, Run(length, above, forbidden, each=each))
            want = sum(n for deal, n in deals.items() if run.holds(deal))
            assert Worlds(replace(plain(copies, sizes), watches=(watch,))).count() == want, run


def narrowed(worlds: Worlds, places: Iterable[int], hand: int, *, most: int, least: int = 0) -> Worlds:
    """The deals where a hand gets so many copies of some kinds."""
    caps = {"least": [list(row) for row in worlds.problem.least], "most": [list(row) for row in worlds.problem.most]}
    for place in places:
        caps["least"][place][hand] = max(caps["least"][place][hand], least)
        caps["most"][place][hand] = min(caps["most"][place][hand], most)
    return Worlds(replace(worlds.problem, **{name: tuple(map(tuple, rows)) for name, rows in caps.items()}))


def test_questions_about_two_cards_equal_trying_everything():
    rng = random.Random(2)
    for small in random_problems(60 * SOAK, seed=3):
        if not (deals := small.deals()):
            continue
        worlds, hands, places = Worlds(small.problem), len(small.problem.sizes), len(small.problem.kinds)

        def share(holds: Callable[[Deal], bool], deals: Counter[Deal] = deals) -> float:
            return sum(n for deal, n in deals.items() if holds(deal)) / deals.total()

        a, one = rng.randrange(places), rng.randrange(hands)
        some = rng.sample(range(places), rng.randint(1, places))
        none = share(lambda deal: not any(deal[place][one] for place in some))  # noqa: B023 (called at once)
        assert narrowed(worlds, some, one, most=0).count() / worlds.count() == pytest.approx(none, abs=1e-12)
        copies = rng.randint(0, small.problem.copies[a])
        exactly = sum(n for deal, n in deals.items() if deal[a][one] == copies)
        assert narrowed(worlds, [a], one, least=copies, most=copies).count() == exactly
        means = [[sum(n * deal[p][h] for deal, n in deals.items()) for h in range(hands)] for p in range(places)]
        assert worlds.expected() == pytest.approx(np.array(means, float) / deals.total(), abs=1e-12)


def test_weighted_odds_equal_trying_everything():
    rng = random.Random(4)
    refused = 0
    for small in random_problems(60 * SOAK, seed=5):
        if not (deals := small.deals()):
            continue
        weights = random_weights(rng, small.problem)
        chances = literal.weighted(deals, weights)
        numbers, worlds = np.array(weights, float), Worlds(small.problem)
        if not chances:
            refused += 1
            with pytest.raises(ValueError, match="the weights leave no deal"):
                worlds.odds(weights=numbers)
            with pytest.raises(ValueError, match="the weights leave no deal"):
                worlds.draw(1, seed=1, weights=numbers)
            continue
        odds = worlds.odds(weights=numbers)
        for place, hand, copies in np.ndindex(*odds.shape):
            want = sum(chance for deal, chance in chances.items() if deal[place][hand] == copies)
            assert odds[place, hand, copies] == pytest.approx(float(want), abs=1e-12), small
        drawn = set(deals_in(small.problem, worlds.draw(50, seed=2, weights=numbers)))
        assert drawn <= {deal for deal, chance in chances.items() if chance}, small
    assert refused


def test_tiny_and_huge_weights_keep_their_ratio():
    """60 cards of weight 1e-200 would be nothing, and of 1e200 would be without bound."""
    problem = plain([1] * 60, [20, 20, 20])
    weights = np.random.default_rng(6).random((60, 3)) + 0.1
    worlds = Worlds(problem)
    plainly = worlds.odds(weights=weights)
    scales = np.where(np.arange(60) % 2, 1e-200, 1e200)[:, None]
    assert worlds.odds(weights=weights * scales) == pytest.approx(plainly, abs=1e-12)


# --- known numbers ------------------------------------------------------------------------------------------


def multinomial(sizes: Sequence[int]) -> int:
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


@pytest.mark.parametrize(
    ("sizes", "deals"),
    [
        ([7, 7, 7], 399_072_960),  # 42, first lead
        ([8, 8, 8], 9_465_511_770),  # Schafkopf
        ([6, 6, 6], 17_153_136),  # Schafkopf, short deck
        ([10, 10, 2], 42_678_636),  # Skat, a defender
        ([13, 13, 13], 84_478_098_072_866_400),  # bridge
        ([13, 13, 13, 13], 53_644_737_765_488_792_839_237_440_000),
    ],
)
def test_first_leads(sizes: list[int], deals: int):
    worlds = Worlds(plain([1] * sum(sizes), sizes))
    assert worlds.count() == worlds.distinct() == multinomial(sizes) == deals


TRACTOR = plain([2] * 29 + [1] * 25, [25, 25, 25, 8])  # 83 hidden: a hand of 25 is seen, all of it single cards


def test_tractor_first_lead():
    worlds = Worlds(TRACTOR)
    assert worlds.count() == multinomial(TRACTOR.sizes)
    assert worlds.count() > worlds.distinct() > worlds.count() >> 29
    odds = worlds.odds()
    for hand, size in enumerate(TRACTOR.sizes):
        both = comb(size, 2) / comb(83, 2)
        assert odds[:29, hand, 2] == pytest.approx(both, abs=1e-12)
        assert odds[:29, hand, 1] == pytest.approx(size * (83 - size) / comb(83, 2), abs=1e-12)
        assert odds[29:, hand, 1] == pytest.approx(size / 83, abs=1e-12)
    assert odds[0, 0, 2] == pytest.approx(0.0882, abs=5e-5)


def test_tractor_draws():
    caps: list[AtMost | AtLeast] = [AtMost(place, 0, 1) for place in range(12)]  # no pair in a suit
    caps += [AtMost(place, 1, 0) for place in range(12, 20)]  # none of another
    runs = run_watch(2, 20, [0] * 9, range(9), [2] * 9, Run(2, -1, forbidden=True))
    problem = replace(with_caps(TRACTOR, caps), watches=(runs,))
    worlds = Worlds(problem)
    n = 2_000
    drawn = worlds.draw(n, seed=16)
    assert (np.bitwise_count(drawn).sum(axis=2) == problem.sizes).all()
    once = (drawn[:, :, 0, None] >> np.arange(54, dtype=np.uint64) & np.uint64(1)).astype(int)
    twice = (drawn[:, :, 1, None] >> np.arange(54, dtype=np.uint64) & np.uint64(1)).astype(int)
    assert ((once + twice).sum(axis=1) == problem.copies).all()
    assert not twice[:, 0, :12].any()
    assert not once[:, 1, 12:20].any()
    assert not (twice[:, 2, 20:28] & twice[:, 2, 21:29]).any()
    odds = worlds.odds()
    for copies, seen in ((0, 1 - once), (1, once - twice), (2, twice)):
        p = odds[:, :, copies].T
        assert (abs(seen.mean(axis=0) - p) <= 5 * (p * (1 - p) / n) ** 0.5 + 1e-12).all()


def test_no_tractor_is_counted():
    """Pairs on 6 steps to two hands: sets of steps without two neighbours, by hand."""
    runs = run_watch(0, 0, [0] * 6, range(6), [2] * 6, Run(2, -1, forbidden=True))
    worlds = Worlds(replace(plain([2] * 6, [6, 6]), watches=(runs,)))
    want = 0
    for pairs in range(4):  # so many pairs and as many kinds that it lacks, else one of each
        for steps in combinations(range(6), pairs):
            apart = all(b - a > 1 for a, b in pairwise(steps))
            want += apart * comb(6 - pairs, pairs) * 2 ** (6 - 2 * pairs)
    assert worlds.count() == want


def test_empty_problems_have_one_deal():
    for problem in (plain([], [0, 0]), plain([0, 0], [0, 0, 0])):
        worlds = Worlds(problem)
        assert worlds.count() == worlds.distinct() == 1
        assert worlds.draw(3, seed=1).tolist() == [[[0, 0]] * len(problem.sizes)] * 3
        assert worlds.listed().shape == (1, len(problem.sizes), 2)


def test_cards_with_one_holder_are_dealt_first():
    """Labels of a pair that is shared out by force still count."""
    problem = with_caps(plain([2, 1, 1], [2, 2]), [AtLeast(0, 0, 1), AtLeast(0, 1, 1)])
    worlds = Worlds(problem)
    assert (worlds.count(), worlds.distinct(), worlds.states) == (4, 2, 4)
    assert worlds.odds()[0].tolist() == [[0, 1, 0], [0, 1, 0]]


def test_watches_are_small():
    """States multiply with those of other watches, so none is there that need not be."""
    runs = run_watch(1, 5, [0] * 12, [-1, -1, *range(9), -1], [2] * 12, Run(2, -1, forbidden=True))
    assert (runs.hand, runs.first, len(runs.moves)) == (1, 7, 9)
    assert max(map(len, runs.moves)) == 2  # was the last step a pair?
    some = count_watch(0, 0, [False, True, True, False, True, False], [1] * 6, least=1)
    assert (some.first, len(some.moves), max(map(len, some.moves))) == (1, 4, 2)
    assert pair_watch(0, 0, [0, 1], [True, True], [1, 0], most=0).moves == ()  # no pair is possible
    assert pair_watch(0, 3, [2, 0], [True, True], [0, 1], most=0).accepts == (False,)


# --- what is refused ----------------------------------------------------------------------------------------

GOOD = plain([2, 1, 1], [2, 2])
STAYS = Watch(0, 0, (((0, 0, 0),),), (True,))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sizes": (2, 1)}, "the hands get 3 cards, but 4 are hidden"),
        ({"sizes": (4,)}, "2 to 10 hands, not 1"),
        ({"sizes": (-1, 5)}, "hand 0 gets -1 cards"),
        ({"kinds": (0, 1)}, "copies: 3 places, kinds have 2"),
        ({"kinds": (0, 1, 64)}, "each 0..63"),
        ({"kinds": (0, 1, 1)}, "one is named twice"),
        ({"copies": (7, -4, 1)}, "copies: place 0 has 7"),
        ({"most": ((2, 2), (1, 2), (1, 1))}, "most: place 1 has"),
        ({"least": ((0, 0), (0, 0), (0, -1))}, "least: place 2 has"),
        ({"least": ((0, 0), (0, 0, 0), (0, 0))}, "least: place 1 has 3 hands"),
        ({"groups": (Group(3, 1, 0, 1),)}, "groups: number 0 names a place"),
        ({"groups": (Group(0, 4, 0, 1),)}, "groups: number 0 names a place or a hand"),
        ({"groups": (Group(0, 1, -1, 1),)}, "groups: number 0 wants -1 to 1"),
        ({"watches": (STAYS, replace(STAYS, hand=2))}, "watches: number 1 names a place or a hand"),
        ({"watches": (replace(STAYS, first=3),)}, "watches: number 0 names a place"),
        ({"watches": (replace(STAYS, first=1),)}, "has 3 moves at place 1 in state 0, not 2"),
        ({"watches": (replace(STAYS, moves=(((0, 0, 1),),)),)}, "moves at place 0 from state 0"),
        ({"watches": (replace(STAYS, accepts=()),)}, "a place with 0 to 1 states"),
    ],
)
def test_malformed_problems_are_refused(change: dict[str, object], says: str):
    with pytest.raises(ValueError, match=says):
        replace(GOOD, **change)  # pyright: ignore[reportArgumentType]


def test_malformed_runs_are_refused():
    with pytest.raises(ValueError, match="must not fall"):
        run_watch(0, 0, [0, 0], [1, 0], [1, 1], Run(1, 0, forbidden=True))
    with pytest.raises(ValueError, match="at least 1 step"):
        run_watch(0, 0, [0, 0], [0, 1], [1, 1], Run(0, 0, forbidden=True))
    with pytest.raises(ValueError, match="one entry for each place"):
        run_watch(0, 0, [0], [0, 1], [1, 1], Run(1, 0, forbidden=True))


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda worlds: worlds.draw(-1, seed=0), "no such draw"),
        (lambda worlds: worlds.draw(1, seed=-1), "no such draw"),
        (lambda worlds: worlds.draw(1, seed=0, threads=0), "threads"),
        (lambda worlds: worlds.draw(1, seed=0, weights=np.ones((3, 3))), "weights must be"),
        (lambda worlds: worlds.draw(1, seed=0, weights=-np.ones((3, 2))), "not negative"),
        (lambda worlds: worlds.odds(weights=np.full((3, 2), np.nan)), "finite"),
        (lambda worlds: worlds.listed(-1), "no such list"),
        (lambda worlds: narrowed(worlds, [0], 0, least=3, most=3), "least: place 0"),
    ],
)
def test_impossible_questions_are_refused(ask: Callable[[Worlds], object], says: str):
    with pytest.raises(ValueError, match=says):
        ask(Worlds(GOOD))


def test_too_many_states_are_refused():
    """Three hands, and of each it is counted how many of every other, every third, ... kind it has."""
    problem = plain([2] * 40, [27, 27, 26])
    watches = tuple(
        count_watch(hand, 0, [place % every == 0 for place in range(40)], [2] * 40, least=8)
        for hand in range(3)
        for every in (2, 3, 5)
    )
    with pytest.raises(TooManyStates, match="9 watches"):
        Worlds(replace(problem, watches=watches))
    wide = tuple(renamed(watch, 251, 3) for watch in watches)  # more bits than a key has
    with pytest.raises(TooManyStates, match="9 watches"):
        Worlds(replace(problem, watches=wide))
    assert Worlds(replace(problem, watches=watches[:1])).count() < Worlds(problem).count()
    with pytest.raises(TooManyStates, match="1,000 bytes"):
        Worlds(problem, most_bytes=1_000)


def test_what_came_back_for_a_card_that_was_picked_is_counted():
    """Five cards for two hands: 0 and 1 are trumps, one of which hand 0 gave to hand 1, and any card came back."""
    cards, sizes = range(5), (2, 3)
    plain = Problem(tuple(cards), (1,) * 5, sizes, ((1, 1),) * 5, ((0, 0),) * 5)
    worlds = Worlds(replace(plain, picks=(Pick(1, (0, 1), back=Back(0, 2)),)))
    found = Counter[frozenset[int]]()  # what hand 0 has then
    for dealt in combinations(cards, 2):
        (*trumps,) = (card for card in dealt if card < 2)
        if len(trumps) != 1:
            continue
        for back in {*cards} - {*dealt} | {*trumps}:
            found[frozenset({*dealt} - {*trumps} | {back})] += 1
    assert worlds.count() == found.total() == 24
    for card in cards:
        chance = sum(n for hand, n in found.items() if card in hand) / found.total()
        assert worlds.expected()[card, 0] == pytest.approx(chance, abs=1e-12)
    drawn = Counter(int(row[0, 0]) for row in worlds.draw(6000, 1))
    for hand, n in found.items():
        share = n / found.total()
        got = drawn[sum(1 << card for card in hand)] / 6000
        assert abs(got - share) < 5 * (share * (1 - share) / 6000) ** 0.5
    assert worlds.draw(1, 1).shape[1] == 2 and sum(drawn.values()) == 6000


@pytest.mark.parametrize("back", [Back(1, 2), Back(2, 2), Back(0, 0), Back(0, 62)])
def test_what_cannot_have_come_back_is_refused(back: Back):
    with pytest.raises(ValueError, match="picks: "):
        Problem((0, 1), (1, 1), (1, 1), ((1, 1),) * 2, ((0, 0),) * 2, picks=(Pick(1, (0, 1), back=back),))
