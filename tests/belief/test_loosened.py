"""Facts about sets of equal cards, and conditions that are left out of a table that would be too large: is a belief the
same if drawn deals are asked instead?
"""

import random

import numpy as np
import pytest

from renege import tractor
from renege.belief import Belief, Worlds
from renege.belief.compile import Compiled, compile_facts
from renege.belief.seen import SeenCards
from renege.belief.worlds import Table
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.facts import Beats, Fact, FewPairs, NoRun, format_fact
from renege.core.position import View
from renege.core.verdict import Rule
from renege.games.strategy import policy_of
from renege.games.tractor.order import DECK

RULE = Rule("test.rule", "A rule.", "tests")
HEARTS = DECK.of(sum(1 << kind for kind, name in enumerate(DECK.names) if name.startswith("H")))


def view_after(tricks: int, seed: int) -> View:
    """What a seat sees after some tricks, played at random."""
    rng, table = random.Random(seed), Arbiter(tractor.game(), seed)
    while table.position.talking or table.position.tricks_played < tricks:
        turn = table.position.turn
        assert turn is not None
        position = table.position
        called = policy_of(position.game)(table.view(turn)).what if position.talking else None
        table.act(turn, position.legal_plays.choose(rng) if called is None else called)
    turn = table.position.turn
    assert turn is not None
    return table.view(turn)


def assumed(view: View) -> tuple[Fact, ...]:
    """Two other seats have no pair of hearts, one of them at most one pair of trumps and no run there."""
    trick, order = view.position.tricks_played, view.position.order
    assert order is not None
    one, two = ((view.seat + turn) % 4 for turn in (1, 2))
    trumps = next(suit for suit, noun in enumerate(order.nouns) if noun == "trumps")
    own = DECK.of(order.follow[trumps])
    plain = HEARTS - HEARTS.only(own.kinds)
    return (
        FewPairs(one, trick, RULE, plain, 0),
        FewPairs(two, trick, RULE, plain, 0),
        FewPairs(two, trick, RULE, own, 3),
        NoRun(one, trick, RULE, trumps, 2),
    )


def all_loosened(compiled: Compiled) -> list[Compiled]:
    found = [compiled]
    while (fewer := found[-1].loosened()) is not None:
        found.append(fewer)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_left_out_of_the_table_is_asked_of_each_deal(seed: int):
    view = view_after(8, seed)
    compiled = compile_facts(view, (*view.facts(), *assumed(view)))
    exact, n = Worlds(compiled.problem), 4_000
    found = all_loosened(compiled)
    assert len(found) > len(compiled.problem.watches) + 2
    assert not found[-1].problem.watches and not found[-1].no_pairs
    most = np.array(compiled.problem.most).T
    for fewer in found[1:]:
        worlds = Worlds(fewer.problem)
        rows = worlds.draw(n, seed=3)
        for check in fewer.checks:
            rows = rows[check.keeps(rows, np.zeros(len(rows)))]
        share = exact.count() / worlds.count()
        assert abs(len(rows) / n - share) < 5 * (share * (1 - share) / n) ** 0.5 + 1e-9
        held = (rows[..., None] >> np.array(compiled.problem.kinds, np.uint64) & np.uint64(1)).sum(axis=2).astype(int)
        assert (held <= most).all()
        assert set(fewer.loose) >= {fact for check in fewer.checks for fact in check.facts}


@pytest.mark.parametrize("fact", ["few kinds", "few pairs", "no run of singles"])
def test_sets_of_any_width_are_counted(fact: str):
    """By shares of drawn worlds: with one copy a set is a kind, with two it is a pair."""
    view = view_after(3, 4)
    seat, order = (view.seat + 1) % 4, view.position.order
    assert order is not None
    trick = view.position.tricks_played
    suit = next(suit for suit, noun in enumerate(order.nouns) if noun == "trumps")
    own = DECK.of(order.follow[suit])

    def steps(hand: Cards) -> bool:
        held = [bool(hand.kinds & mask) for mask in order.steps[suit]]
        return any(all(held[i : i + 4]) for i in range(len(held) - 3))

    asked, holds = {
        "few kinds": (
            FewPairs(seat, trick, RULE, own, 6, width=1),
            lambda hand: hand.only(own.kinds).kinds.bit_count() <= 6,
        ),
        "few pairs": (
            FewPairs(seat, trick, RULE, own, 0),
            lambda hand: hand.only(own.kinds).at_least(2).bit_count() == 0,
        ),
        "no run of singles": (NoRun(seat, trick, RULE, suit, 4, width=1), lambda hand: not steps(hand)),
    }[fact]
    belief, n = Belief(view), 2_000
    share = belief.share(asked)
    seen = sum(holds(world.hands[seat]) for world in belief.draw(n, seed=5)) / n
    assert 0.02 < share < 0.98
    assert abs(seen - share) < 5 * (share * (1 - share) / n) ** 0.5


def test_pools_are_the_same_belief():
    for seed in range(3):
        view = view_after(4, seed)
        problem = compile_facts(view, (*view.facts(), *assumed(view))).problem
        graph, pools = Worlds(problem, table=Table.GRAPH), Worlds(problem, table=Table.POOLS)
        assert graph.count() == pools.count()
        assert np.abs(graph.odds() - pools.odds()).max() < 1e-12


def test_a_pair_that_was_shown_counts_once():
    """A run that is asked about brings kinds into the problem of which no copy is hidden."""
    told = 0
    for seed in range(40):
        view = view_after(14, seed)
        order = view.position.order
        assert order is not None
        suit, seat = order.nouns.index("trumps"), (view.seat + 1) % 4
        own = DECK.of(order.follow[suit])
        shown = SeenCards(view).since(seat, 0).only(own.kinds).at_least(2).bit_count()
        if not shown:
            continue
        told += 1
        few, none = FewPairs(seat, 0, RULE, own, shown + 1), NoRun(seat, 0, RULE, suit, 60)
        assert Worlds(compile_facts(view, (few,)).problem).count() == (
            Worlds(compile_facts(view, (few, none)).problem).count()
        )
    assert told > 3


def test_wide_sets_in_words():
    assert format_fact(FewPairs(1, 0, RULE, HEARTS.only(1 << DECK.card("HA")), 1, 3), None) == (
        "seat 1 had at most 1 sets of 3 equal cards among HA since trick 1 (test.rule)"
    )
    assert format_fact(NoRun(1, 0, RULE, 2, 2, width=3), None) == (
        "seat 1 had no run of 2 sets of 3 equal cards above step 0 in 2 since trick 1 (test.rule)"
    )
    told = format_fact(Beats(1, 0, RULE, (2, 3), 2, 2, 4, 3), None)
    assert told == "one of seats 2 3 had a run of 2 sets of 3 equal cards above step 5 in 2 since trick 1 (test.rule)"
    assert "had 4 equal cards above" in format_fact(Beats(1, 0, RULE, (2, 3), 2, 1, 4, 4), None)
