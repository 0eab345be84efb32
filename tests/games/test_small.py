"""The shrunk games: the one trick machine works on them, beliefs count their deals, and points are measured alike."""

import random

import pytest

from renege.agents import Random
from renege.arena.match import play_deal
from renege.belief import Belief
from renege.core.cards import Cards
from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.notation import parse_cards
from renege.core.position_text import parse_position
from renege.core.record import new_record
from renege.core.registry import GAMES, find_game, parse_record, small_games
from renege.core.trick import Play
from renege.games import schafkopf, texas42, tractor
from renege.games.schafkopf.rules import Played
from renege.games.schafkopf.score import marks, runners
from renege.games.small import CardExpansion
from renege.games.testing import check_game
from renege.games.tractor.score import steps_up
from renege.search.regret.expand import PositionExpansion
from renege.search.regret.trees import build_tree, tree_of
from support.expansions import expansion_of
from support.steering import SOAK

SMALL: dict[str, Game] = {
    "42": texas42.small(),
    "42 of four pips": texas42.small(texas42.Small(pips=4, hand=3, bid=8)),
    "schafkopf": schafkopf.small(),
    "schafkopf with solos": schafkopf.small(
        schafkopf.Small(suits="EGHS", ranks="UOZA", called="EGS", solos="HE", passing=Played.YES)
    ),
    "tractor": tractor.small(),
    "tractor of three": tractor.small(tractor.Small(ranks="9TJQK", hand=3)),
    "tractor with runs": tractor.small(tractor.Small(ranks="89TJQKA", hand=4)),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_shrunk_game_conforms(name: str):
    assert check_game(SMALL[name], deals=12 * SOAK).deals == 12 * SOAK


@pytest.mark.parametrize("name", SMALL)
def test_a_record_of_it_reads_back(name: str):
    game = SMALL[name]
    played = play_deal(game, [Random()] * 4, 5, [random.Random(i) for i in range(4)], game.opening).record
    again = parse_record(str(played))
    assert again == played and again.game == game
    assert find_game(game.name, write_rules(game.rules)) == game


def test_they_are_other_games_than_the_whole_ones():
    assert len(set(SMALL.values())) == len(SMALL)
    assert set(small_games()) == {f"{name}-small" for name in GAMES}
    for package in GAMES.values():
        assert package.small() != package.game()
        assert len(package.small().deck) < len(package.game().deck) // 2
        assert package.Small not in {type(rules) for rules in package.PRESETS.values()}


def test_pairs_runs_and_throws_are_led():
    """In the smallest Tractor pairs and throws, some of them stopped; with four cards in hand also runs."""
    game, led = SMALL["tractor"], set[str]()
    for seed in range(150):
        streams = [random.Random(seed + seat) for seat in range(4)]
        record = play_deal(game, [Random()] * 4, seed, streams, game.opening).record
        for act, position in record.steps():
            if isinstance(act.what, Play) and position.trick is not None and position.trick.lead is None:
                led.add(_kind(act.what))
    assert led == {"single", "pair", "throw", "stopped"}
    four = parse_position(SMALL["tractor with runs"], "trump NT2 | hand BJ BJ LJ LJ")
    assert {_kind(play) for play in four.legal_plays} == {"single", "pair", "run", "throw"}


def _kind(play: Play) -> str:
    if play.tried is not None:
        return "stopped"
    pairs = play.cards.at_least(2).bit_count()
    if len(play.cards) == 1:
        return "single"
    if 2 * pairs == len(play.cards):
        return "pair" if pairs == 1 else "run"
    return "throw"


def test_beliefs_count_the_deals_of_an_information_set():
    """The worlds of a view are the deals that the tree has in its set: all of them, and equally likely."""
    game = schafkopf.small(schafkopf.Small(suits="EG", ranks="UOZA", called="EG", solos="E"))
    tree = tree_of(game)
    sizes: dict[int, int] = {}
    for found in tree.sets[tree.sets >= 0].tolist():
        sizes[found] = sizes.get(found, 0) + 1
    expansion = expansion_of(game)
    assert isinstance(expansion, CardExpansion)
    rng, counted = random.Random(2), 0
    for seed in range(40 * SOAK):
        record = new_record(game, seed)
        hands = [hand.kinds for hand in record.start.hands if isinstance(hand, Cards)]
        node = int((expansion.dealt == hands).all(axis=1).argmax())
        while tree.sets[node] != -1:
            position = record.position
            assert position.turn is not None
            options = position.legal_calls if position.talking else tuple(position.legal_plays)
            at, chosen = 0, int(tree.sets[node])
            if chosen >= 0:
                assert Belief(record.view(position.turn)).count() == sizes[chosen]
                counted += 1
                slots = slice(tree.info.first_slots[chosen], tree.info.first_slots[chosen + 1])
                acts = [tree.info.acts[act] for act in tree.info.slot_acts[slots]]
                at = rng.randrange(len(acts))
                act = position.read(acts[at])
            else:
                act = position.read(options[0])
            record, node = record.with_act(act), int(tree.children[node]) + at
    assert counted > 60


@pytest.mark.parametrize(
    ("points", "levels"),
    [(0, (3, 0)), (5, (2, 0)), (10, (1, 0)), (19, (1, 0)), (20, (0, 0)), (30, (0, 1)), (55, (0, 3))],
)
def test_a_level_is_a_fifth_of_the_points(points: int, levels: tuple[int, int]):
    assert tractor.Small().points == 50
    assert steps_up(points, tractor.Small()) == levels
    assert steps_up(4 * points) == levels  # as in the whole game


def test_schafkopf_counts_by_its_pack():
    """84 points in the pack: 43 win, 22 escape Schneider; and runners are those of the trumps that are there."""
    assert marks(schafkopf.Rules()) == (120, 61, 31)
    small = schafkopf.Small()
    assert marks(small) == (84, 43, 22)
    assert runners("rufspiel E", small.deck, ["EO", "GO", "HO", "HA", "HZ", "HK"], small.left_out) == 6
    assert runners("rufspiel E", small.deck, ["HA"], small.left_out) == 3


def test_a_stripped_pack_has_the_cards_of_the_whole_one():
    deck = texas42.DECK.stripped(texas42.Small().left_out)
    assert len(deck) == 10 and str(deck.all) == "3-3 3-2 3-1 3-0 2-2 2-1 2-0 1-1 1-0 0-0"
    assert deck.of(0b11) == texas42.DECK.of(0b11) and "6-6" not in deck.spellings
    assert deck.example in deck.names[:10]
    with pytest.raises(ValueError, match="'6-6' is no tile"):
        parse_cards(deck, "6-6")


def test_forehand_must_play_what_it_can():
    for seed in range(40):
        position = new_record(schafkopf.small(), seed).position
        can = "rufspiel E" in position.legal_calls
        assert position.legal_calls == (("rufspiel E",) if can else ("pass",))
        if can:
            assert position.judge("pass").legal is False
        passing = new_record(schafkopf.small(schafkopf.Small(passing=Played.YES)), seed).position
        assert passing.legal_calls == (("pass", "rufspiel E") if can else ("pass",))


def test_positions_alone_grow_the_same_tree():
    game = schafkopf.small(schafkopf.Small(suits="EG", ranks="OA", called="EG"))  # a card each: nothing to play
    assert tree_of(game).leaves == build_tree(PositionExpansion(game)).leaves
