"""Quick beliefs at larger tables: their deals are those of the full table, each replays, and the true one is one."""

import random

import numpy as np
import pytest

from renege import tractor
from renege.belief import Belief, Worlds
from renege.belief.compile import compile_facts
from renege.belief.pools import likely_edges
from renege.belief.problem import MOST_WEIGHT
from renege.belief.worlds import Table
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards
from renege.core.position import View
from renege.core.world import World
from renege.games.strategy import policy_of
from support.steering import SOAK
from support.tractor_tables import choose

TABLES = ["three-packs", "three-packs-six", "friends-five", "friends-six", "four-packs-eight"]


def views(preset: str, seed: int, at_random: float, **choices: str) -> list[tuple[View, World]]:
    """What seats to move see in a deal, and how the cards lie; of the plays a part is at random."""
    game, rng = tractor.game(**{**named(preset), **choices}), random.Random(f"{preset} {seed}")
    table, found = Arbiter(game, seed), list[tuple[View, World]]()
    while (seat := table.position.turn) is not None:
        position, view = table.position, table.view(seat)
        if not position.talking:
            hands = tuple(hand for hand in position.hands if isinstance(hand, Cards))
            assert isinstance(position.kitty, Cards)
            found.append((view, World(hands, position.kitty)))
        free = not position.talking and rng.random() < at_random
        assert table.act(seat, choose(position, rng) if free else policy_of(game)(view).what)
    return found


def named(preset: str) -> dict[str, object]:
    rules = tractor.game(preset).rules
    return {"seats": rules.seats, "packs": rules.packs, "mode": rules.mode.value}


@pytest.mark.parametrize("preset", TABLES)
def test_drawn_deals_replay_and_the_true_one_is_among_them(preset: str) -> None:
    rng = random.Random(preset)
    for seed in range(2 * SOAK):
        for view, world in rng.sample(views(preset, seed, 0.4 * (seed % 2)), 8):
            for belief in (Belief(view, quick=True), Belief(view)):
                assert not belief.compiled.unchecked
                assert belief.allows(world), (preset, seed, str(view))
                assert keeps(belief, world), (preset, seed, str(view), belief.compiled.loose)
                assert all(belief.allows(drawn) for drawn in belief.supply(seed)(4))


@pytest.mark.parametrize(
    "choice",
    [
        "follow_duty=tuples-protected",
        "follow_duty=tractors-protected",
        "follow_duty=both-protected",
        "duty_family=first-format",
        "throw_test=public-info",
        "stopped_throw=first-found",
    ],
)
def test_the_same_where_other_things_are_owed_or_proved(choice: str) -> None:
    rng, (name, chosen) = random.Random(choice), choice.split("=")
    for view, world in rng.sample(views("three-packs-six", 5, 0.5, **{name: chosen}), 10):
        belief = Belief(view, quick=True)
        assert not belief.compiled.unchecked
        assert belief.allows(world) and keeps(belief, world), (choice, str(view))
        assert all(belief.allows(drawn) for drawn in belief.supply(1)(4))


def keeps(belief: Belief, world: World) -> bool:
    """Is a deal one of the table's, and of those that are kept?"""
    problem, piles = belief.compiled.problem, [*world.hands, world.kitty]
    hidden = [piles[pile] if pile >= -1 else world.kitty.deck.none for pile in belief.compiled.piles]
    for place, (kind, copies) in enumerate(zip(problem.kinds, problem.copies, strict=True)):
        given = [hand.count(kind) for hand in hidden]
        rows = zip(given, problem.least[place], problem.most[place], strict=True)
        if sum(given) != copies or not all(least <= n <= most for n, least, most in rows):
            return False
    layers = range(1, belief.worlds.layers + 1)
    row = np.array([[[hand.at_least(n) for n in layers] for hand in hidden]], np.uint64)
    return all(check.keeps(row, np.zeros(1)).all() for check in belief.compiled.checks)


@pytest.mark.parametrize("part", [0.0, 0.1])
def test_what_is_left_out_is_asked_of_each_deal(part: float) -> None:
    view, _ = views("three-packs-six", 3, 0.0)[70]
    compiled = compile_facts(view, view.facts())
    fewer = compiled.within(part * likely_edges(compiled.problem))
    left = len(fewer.problem.watches) + len(fewer.no_pairs)
    assert left < len(compiled.problem.watches) + len(compiled.no_pairs)
    exact, worlds, n = Worlds(compiled.problem), Worlds(fewer.problem, table=Table.POOLS), 4_000
    rows = worlds.draw(n, seed=3)
    for check in fewer.checks:
        rows = rows[check.keeps(rows, np.zeros(len(rows)))]
    share = exact.count() / worlds.count()
    assert 0 < share < 1
    assert abs(len(rows) / n - share) < 5 * (share * (1 - share) / n) ** 0.5 + 1e-9


@pytest.mark.parametrize("packs", [5, 6])
def test_a_card_shown_by_the_banker_weighs_as_near_as_it_can_with_many_packs(packs: int) -> None:
    game, rounded = tractor.game(packs=packs, seats=6), 0
    for seed in range(2):
        table = Arbiter(game, seed)
        while table.position.talking and (seat := table.position.turn) is not None:
            assert table.act(seat, policy_of(game)(table.view(seat)).what)
        for seat in game.all_seats:
            belief = Belief(table.view(seat))
            rounded += any(max(group.weights, default=0) == MOST_WEIGHT for group in belief.compiled.problem.groups)
            assert all(belief.allows(world) for world in belief.draw(2, seed))
    assert rounded
