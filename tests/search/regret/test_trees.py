"""Is a flat tree the game? Its nodes are held against positions, its information sets against views."""

import random

import numpy as np
import pytest

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position
from renege.core.record import Record, new_record
from renege.core.trick import Play
from renege.games import schafkopf, texas42, tractor
from renege.games.schafkopf.rules import Played
from renege.games.small import CardExpansion, Expansion, gains
from renege.search.regret.expand import PositionExpansion, every_deal
from renege.search.regret.strategy import private_code
from renege.search.regret.trees import FORCED, LEAF, Tree, build_tree
from support import toys
from support.expansions import expansion_of
from support.steering import SOAK

DEALS = 20 * SOAK
GAMES: dict[str, Game] = {
    "42": texas42.small(),
    "42 for points": texas42.small(texas42.Small(hand=2, bid=2, scoring=texas42.Rules().scoring.POINTS)),
    "42 of three": texas42.small(texas42.Small(pips=4, hand=3, bid=8)),
    "schafkopf": schafkopf.small(),
    "schafkopf with solos": schafkopf.small(schafkopf.Small(called="EG", solos="HE", passing=Played.YES)),
    "schafkopf of two": schafkopf.small(schafkopf.Small(suits="EG", ranks="UOZA", called="EG", solos="E")),
    "tractor": tractor.small(),
}


def some(game: Game, count: int, seed: int) -> tuple[Tree, list[Position]]:
    """A tree of a few deals, and the deals."""
    starts = [new_record(game, seed + i).start for i in range(count)]
    if game.facet(Expansion) is None:
        return build_tree(PositionExpansion(game, starts)), starts
    expansion = expansion_of(game)
    assert isinstance(expansion, CardExpansion)
    expansion.dealt = np.array(
        [[hand.kinds for hand in start.hands if isinstance(hand, Cards)] for start in starts], np.uint32
    )
    return build_tree(expansion), starts


def down(tree: Tree, node: int, act: str) -> int:
    """The child that an act leads to."""
    found = tree.sets[node]
    if found == FORCED:
        return int(tree.children[node])
    first, last = tree.info.first_slots[found], tree.info.first_slots[found + 1]
    names = [tree.info.acts[number] for number in tree.info.slot_acts[first:last]]
    return int(tree.children[node]) + names.index(act)


def spelled(position: Position, what: str | Play) -> str:
    if isinstance(what, str):
        return what
    assert position.order is not None
    return position.game.write_play(what, position.order)


@pytest.mark.parametrize("name", GAMES)
def test_random_paths_are_those_of_positions(name: str):
    """The same acts, the same turns, the same payoffs; and two nodes are in one set just if their views are equal."""
    game = GAMES[name]
    tree, starts = some(game, DEALS, 7)
    rng = random.Random(1)
    views: dict[int, object] = {}
    met: dict[object, int] = {}
    for deal, start in enumerate(starts):
        for _ in range(4):
            record, node = Record(start), deal
            while tree.sets[node] != LEAF:
                position = record.position
                options = position.legal_calls if position.talking else tuple(position.legal_plays)
                chosen = int(tree.sets[node])
                if chosen == FORCED:
                    assert len(options) == 1
                else:
                    slots = slice(tree.info.first_slots[chosen], tree.info.first_slots[chosen + 1])
                    acts = [tree.info.acts[act] for act in tree.info.slot_acts[slots]]
                    assert sorted(acts) == sorted(spelled(position, what) for what in options)
                    assert tree.info.seats[chosen] == position.turn
                    assert position.turn is not None
                    view = record.view(position.turn)
                    key = (position.turn, view.start, view.acts)
                    assert views.setdefault(chosen, key) == key
                    assert met.setdefault(key, chosen) == chosen
                    assert int(tree.info.private[chosen]) == private_code(view)
                what = rng.choice(options)
                node = down(tree, node, spelled(position, what))
                record = record.with_act(position.read(what))
            assert worth(record) == tuple(tree.payoffs[tree.children[node]])
    assert len(views) > 20


def worth(record: Record) -> tuple[float, ...]:
    """What a deal comes to of which nothing is left to choose."""
    position = record.position
    while not position.over:
        assert len(position.hand) == 1 and position.turn is not None
        position = position.then(Act(position.turn, next(iter(position.legal_plays))))
    return (0.0,) * 4 if position.result is None else gains(position.result.score)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.facet(Expansion) is not None])
def test_the_kernel_grows_the_tree_that_positions_grow(name: str):
    """Node for node, from the same deals."""
    game = GAMES[name]
    tree, starts = some(game, 3 * SOAK, 3)
    plain = build_tree(PositionExpansion(game, starts))
    assert (tree.levels == plain.levels).all()
    assert tree.weights == pytest.approx(plain.weights)
    same: dict[int, int] = {}
    order = list(zip(range(tree.deals), range(tree.deals), strict=True))
    compared = 0
    for ours, theirs in order:  # the list grows: acts may stand in another order
        compared += 1
        if tree.sets[ours] < 0:
            assert tree.sets[ours] == plain.sets[theirs]
            if tree.sets[ours] == LEAF:
                assert (tree.payoffs[tree.children[ours]] == plain.payoffs[plain.children[theirs]]).all()
            else:
                order.append((int(tree.children[ours]), int(plain.children[theirs])))
            continue
        assert same.setdefault(int(tree.sets[ours]), int(plain.sets[theirs])) == plain.sets[theirs]
        slots = range(tree.info.first_slots[tree.sets[ours]], tree.info.first_slots[tree.sets[ours] + 1])
        for i, slot in enumerate(slots):
            act = tree.info.acts[tree.info.slot_acts[slot]]
            order.append((int(tree.children[ours]) + i, down(plain, theirs, act)))
    assert compared == tree.nodes == plain.nodes
    assert len(same) == len(tree.info) == len(plain.info) == len(set(same.values()))


def test_all_deals_are_there():
    """10! / 2!^5 deals of ten tiles, 12! / 3!^4 of twelve cards; and of Tractor all, by their chances."""
    assert len(expansion_of(texas42.small()).deals()[1]) == 113_400
    _, weights = expansion_of(schafkopf.small()).deals()
    assert len(weights) == 369_600 and weights.sum() == pytest.approx(1)
    deals = list(every_deal(tractor.small()))
    assert len(deals) == 6210  # 5 x 5 tables with every row and column 2
    assert sum(weight for _, weight in deals) == 113_400  # 10! / 2!^5 labelled ones


@pytest.mark.parametrize("seed", range(20 * SOAK))
def test_a_random_tree_is_its_toy(seed: int):
    """Forced acts, early ends, acts that are not heard in full: every node, and every set, is there once."""
    toy = toys.anything(seed)
    tree = build_tree(toys.ToyExpansion(toy))
    nodes = list(toy.nodes())
    assert tree.nodes == len(nodes)
    choices = [node for node in nodes if toy.turn(node) is not None and len(toy.options(node)) > 1]
    assert len(tree.info) == len({toy.key(node) for node in choices})
    assert tree.leaves == sum(toy.turn(node) is None for node in nodes)
    assert tree.weights.sum() == pytest.approx(1)
    for chosen, parent in enumerate(tree.info.parents.tolist()):
        if parent >= 0:
            above = int(tree.info.slot_sets[parent])
            assert above < chosen and tree.info.seats[above] == tree.info.seats[chosen]
            assert tree.info.depths[chosen] == tree.info.depths[above] + 1
        else:
            assert tree.info.depths[chosen] == 0


def test_a_game_whose_players_are_told_less_than_their_acts_is_refused():
    """Two positions that look alike must leave the same acts, or the rules would tell what is hidden."""
    toy = toys.kuhn()
    leaky = toys.Toy(
        toy.weights,
        toy.turn,
        options=lambda node: ("pass", "bet") if node.deal % 2 else ("pass", "bet", "fold"),
        secret=lambda node, seat: 0,
        payoff=toy.payoff,
    )
    with pytest.raises(ValueError, match="look the same to a seat"):
        build_tree(toys.ToyExpansion(leaky))


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: texas42.Small(pips=7), "pips is 7; a shrunk set runs to 2 to 4"),
        (lambda: texas42.Small(hand=3), "hand is 3; 10 tiles are 1 to 2 for each seat"),
        (lambda: texas42.Small(bid=8), "bid is 8; there are 7 points to take"),
        (lambda: schafkopf.Small(suits="EGX"), "suits is 'EGX'; each letter comes once and is one of SHGE"),
        (lambda: schafkopf.Small(ranks="AA"), "ranks is 'AA'; each letter comes once"),
        (lambda: schafkopf.Small(called="H"), "called is 'H'; each letter comes once and is one of EG"),
        (lambda: schafkopf.Small(called=""), "forehand has no game to name"),
        (lambda: schafkopf.Small(ranks="OKZ"), "suits and ranks make 9 cards"),
        (lambda: schafkopf.Small(ranks="OUKZ"), "an ace is called, and the pack has none"),
        (lambda: schafkopf.Small(stoss_limit=1), "nobody raises the stakes"),
        (lambda: tractor.Small(ranks="5T1"), "ranks is '5T1'; each comes once and is one of"),
        (lambda: tractor.Small(ranks="QJA"), "there are no points to play for"),
        (lambda: tractor.Small(hand=3), "hand is 3; 10 cards make 1 to 2 and a kitty"),
    ],
)
def test_a_game_that_cannot_be_is_refused(make, why: str):
    with pytest.raises(ValueError, match=why):
        make()


def test_a_game_too_large_is_refused():
    game = schafkopf.small(schafkopf.Small(suits="EGHS", ranks="9OKZA", called="E"))
    with pytest.raises(ValueError, match="too large to lay out"):
        expansion_of(game)
    with pytest.raises(ValueError, match="too many to lay out"):
        PositionExpansion(texas42.game(), [new_record(texas42.game(), 1).start]).deals()


def test_gains_are_told_against_the_others():
    assert gains((1, 0, 1, 0)) == (1, -1, 1, -1)
    assert gains((60, -20, -20, -20)) == (60, -20, -20, -20)
