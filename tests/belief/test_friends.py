"""Who is the friend? The odds of every seat against trying everything: all deals that fit, all orders of the copies."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from renege import tractor
from renege.belief import Belief, Group, Worlds
from renege.belief.friends import FriendOdds
from renege.belief.problem import weight_of
from renege.belief.worlds import Table
from renege.core.position import Position, Seeking, View
from renege.core.position_text import parse_position
from renege.core.world import World
from renege.games.tractor.friends import seeking
from support.random_problems import plain
from support.steering import SOAK
from support.tractor_crowd import Size, bots_moments, game_of, labelled, splits, world_of

CARDS = ("HA", "DA", "HA", "DA", "DK", "HK", "D9", "H8", "C7", "C8")
Took = tuple[int | None, ...]


# -- trying everything


def takers(world: World, sought: Seeking) -> Counter[Took]:
    """Who takes which place in a world, over all orders in which the copies of each card may come."""
    cards = sorted({place.card for place in sought.places})
    laid: list[list[tuple[int, ...]]] = []
    for card in cards:
        copies = [seat for seat, hand in enumerate(world.hands) for _ in range(hand.count(card))]
        laid.append(list(permutations(copies)))
    found: Counter[Took] = Counter()
    for orders in product(*laid):
        took: list[int | None] = []
        for place in sought.places:
            coming = orders[cards.index(place.card)][place.number - 1 :]
            took.append(next((seat for seat in coming if sought.twice or seat not in sought.team), None))
        found[tuple(took)] += 1
    return found


def keeps_voids(position: Position, world: World) -> bool:
    """Has no hand a card of a suit that its seat is known to lack?"""
    assert position.order is not None
    return not any(
        void >> position.order.led_suit[card] & 1
        for hand, void in zip(world.hands, position.memory.voids, strict=True)
        for card in hand
    )


def compare(belief: Belief, odds: FriendOdds, sought: Seeking) -> None:
    """Over all deals that the view allows: who takes each place, who joins at all, who holds the cards."""
    copies, sizes = list(belief.compiled.problem.copies), list(belief.compiled.problem.sizes)
    takes = [defaultdict[int | None, Fraction](Fraction) for _ in sought.places]
    holds = [defaultdict[int, Fraction](Fraction) for _ in sought.places]
    joins, total = defaultdict[int, Fraction](Fraction), 0
    for rows in splits(copies, sizes):
        world = world_of(belief, rows)
        if not keeps_voids(belief.view.position, world):
            continue
        ways, found = labelled(copies, rows), takers(world, sought)
        total += ways
        for took, n in found.items():
            share = Fraction(ways * n, found.total())
            for i, seat in enumerate(took):
                takes[i][seat] += share
            for seat in {*took, *sought.team} - {None}:
                assert seat is not None
                joins[seat] += share
        for place, place_holds in zip(sought.places, holds, strict=True):
            for seat, hand in enumerate(world.hands):
                place_holds[seat] += ways * (place.card in hand)
    for i, place in enumerate(odds.places):
        assert place.place == sought.places[i]
        assert place.nobody == pytest.approx(float(takes[i][None] / total), abs=1e-12)
        for seat in range(len(belief.view.position.hands)):
            assert place.takes[seat] == pytest.approx(float(takes[i][seat] / total), abs=1e-12)
            assert place.holds[seat] == pytest.approx(float(holds[i][seat] / total), abs=1e-12)
    assert odds.team == pytest.approx({seat: float(joins[seat] / total) for seat in odds.team}, abs=1e-12)


# -- small decks


def small_view(rng: random.Random) -> View:
    """Four seats with a card or two, and a small kitty, near the end of a deal of two to four packs."""
    packs = rng.choice([2, 3, 3, 4])
    named = rng.sample([(card, nth) for card in ("HA", "DA") for nth in range(1, packs + 1)], rng.choice([1, 2]))
    double = rng.choice(["allowed", "not"])
    game = tractor.game(seats=4, mode="friends", packs=packs, friends=len(named), double_friend=double)
    each, kitty = rng.choice([(2, 1), (2, 2), (1, 3)])
    cards = rng.sample(CARDS, 4 * each + kitty) if each == 1 else list(CARDS[: 4 * each + kitty])
    rng.shuffle(cards)
    hands = [cards[seat * each : seat * each + each] for seat in range(4)]
    gone = game.deck.all - game.deck.cards(cards)
    joined: list[str] = []
    for name, nth in sorted(named, key=lambda one: (game.deck.card(one[0]), one[1])):
        taken = gone.count(game.deck.card(name)) >= nth and (double == "allowed" or rng.random() < 0.5)
        joined.append(rng.choice("0123") if taken else "-")
    void = [(seat, suit) for seat in range(4) for suit in "HDC" if not any(card[0] == suit for card in hands[seat])]
    lacks = ", ".join(f"{seat} {suit}" for seat, suit in sorted(dict(rng.sample(void, min(2, len(void)))).items()))
    memory = [f"seen {gone}", *([f"void {lacks}"] if lacks else [])]
    memory += [f"joined {' '.join(joined)}"] if set(joined) != {"-"} else []
    friends = ", ".join(f"{card} {nth}" for card, nth in named)
    table = " | ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(hands))
    banker = rng.randrange(4)
    text = f"trump S2 by {banker} friends {friends} | {banker} leads | memory {'; '.join(memory)} | {table}"
    return parse_position(game, f"{text} | kitty {' '.join(cards[4 * each :])}").view(rng.randrange(4))


def test_odds_of_friends_equal_trying_everything():
    seen: Counter[str] = Counter()
    for number in range(50 * SOAK):
        view = small_view(random.Random(f"friends {number}"))
        belief, sought = Belief(view), seeking(view.position)
        odds = belief.friends()
        if sought is None:
            assert odds is None
            continue
        assert odds is not None and odds.exact
        compare(belief, odds, sought)
        seen["twice" if sought.twice else "once"] += 1
        seen["two cards"] += len({place.card for place in sought.places}) == 2
        seen["nobody"] += any(0 < place.nobody < 1 for place in odds.places)
        seen["joined"] += len(sought.team) > 1
    assert min(seen[kind] for kind in ("twice", "once", "two cards", "nobody", "joined")) >= 3, seen


# -- real deals


@pytest.mark.parametrize("size", [Size("friends", 5, 2), Size("friends", 6, 3), Size("friends", 8, 4)], ids=str)
def test_odds_of_friends_in_deals_of_bots(size: Size):
    """They add up, name who has joined, and are what drawn worlds come to."""
    asked, rng = 0, random.Random(str(size))
    for _, onlookers in bots_moments(game_of(size), 7):
        view = rng.choice(onlookers).view
        if rng.random() > 0.1 or (sought := seeking(view.position)) is None:
            continue
        odds = (belief := Belief(view)).friends()
        assert odds is not None
        asked += 1
        for place in odds.places:
            assert sum(place.takes.values()) + place.nobody == pytest.approx(1)
            assert all(place.takes[seat] <= place.holds[seat] + 1e-12 for seat in place.takes)
        assert all(odds.team[seat] == 1 for seat in sought.team)
        if belief.exact:
            drawn = belief.draw(400, seed=1)
            mean = np.zeros((len(sought.places), len(odds.team)))
            for world in drawn:
                for i, place in enumerate(sought.places):
                    held = [hand.count(place.card) for hand in world.hands]
                    mean[i] += np.array(held) / max(sum(held), 1) if sum(held) >= place.number else 0
            want = np.array([[place.takes[seat] for seat in odds.team] for place in odds.places])
            assert np.abs(mean / len(drawn) - want).max() < 0.12
    assert asked


def test_nobody_is_sought_where_sides_are_known():
    for table, onlookers in bots_moments(game_of(Size("teams", 6, 2)), 3):
        if len(table.record.acts) == 30:
            assert Belief(onlookers[0].view).friends() is None


# -- weights by the copies of several sets of hands


def test_weights_by_three_sets_of_hands_equal_trying_everything():
    for number in range(30 * SOAK):
        rng = random.Random(f"groups {number}")
        hands = rng.randint(4, 6)
        copies = [rng.randint(1, 3) for _ in range(rng.randint(2, 3))]
        sizes = [0] * hands
        for _ in range(sum(copies)):
            sizes[rng.randrange(hands)] += 1
        place, sets = rng.randrange(len(copies)), [0, 0, 0]
        for hand in range(hands):
            if (which := rng.randrange(4)) < 3:
                sets[which] |= 1 << hand
        weights = tuple(rng.choice([0, 1, 2, 7]) for _ in range((copies[place] + 1) ** 3))
        group = Group(place, sets[0], 0, copies[place], (), weights, (sets[1], sets[2]))
        problem = replace(plain(copies, sizes), groups=(group,))
        found = {str(rows): weight_of(group, rows[place]) * labelled(copies, rows) for rows in splits(copies, sizes)}
        worlds = Worlds(problem)
        assert worlds.table is Table.POOLS and worlds.count() == sum(found.values())
        if worlds.count():
            assert worlds.distinct() == sum(n > 0 for n in found.values())


def test_groups_with_other_hands_that_are_not_there_are_refused():
    bare = plain([2, 1], [1, 1, 1])
    for others, weights, says in (
        ((8,), (1,) * 9, "other hands that are not there"),
        ((1, 2, 4), (1,) * 81, "more than two sets"),
        ((1,), (1,) * 3, "has 3 weights, not 9"),
    ):
        with pytest.raises(ValueError, match=says):
            replace(bare, groups=(Group(0, 2, 0, 2, (), weights, others),))
