"""What a deal comes to: the level table, the kitty, the levels that must be defended, whole little deals."""

import random
from itertools import product

import pytest

from reference import tractor as reference
from reference import tractor_round
from renege import parse_position
from renege.core.cards import Cards
from renege.core.game import Standing
from renege.core.position import Position
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.memory import Memory, read_memory, remember
from renege.games.tractor.order import DECK, RANKS
from renege.games.tractor.rules import KittyMultiplier, MustDefend, NoCall, Rules, ThrowComparison
from renege.games.tractor.score import multiplier, outcome, steps_up
from support.steering import SOAK
from support.tractor_turns import cards, cases, pile, random_lead, turn

MUST_DEFEND = {
    MustDefend.NONE: (),
    MustDefend.ACE: ("A",),
    MustDefend.POINT_LEVELS: ("5", "T", "K", "A"),
    MustDefend.FROM_TWO: ("2", "5", "T", "K"),
}


@pytest.mark.parametrize(
    ("points", "banker", "attackers"),
    [
        *[(0, 3, 0), (5, 2, 0), (35, 2, 0), (40, 1, 0), (75, 1, 0), (80, 0, 0), (115, 0, 0)],
        *[(120, 0, 1), (155, 0, 1), (160, 0, 2), (200, 0, 3), (3050, 0, 74)],
    ],
)
def test_the_level_table(points: int, banker: int, attackers: int):
    assert steps_up(points) == (banker, attackers)


@pytest.mark.parametrize("rule", MustDefend)
def test_levels_and_bank_move_as_the_brute_force_moves_them(rule: MustDefend):
    rules = Rules(must_defend=rule)
    for points in (*range(0, 330, 5), 1000, 3050):
        who, steps = tractor_round.levels_won(points)
        for banker, ours, theirs in product(range(4), RANKS, RANKS):
            levels = (ours, theirs)
            side = banker % 2 if who == "banker" else 1 - banker % 2
            reached = tractor_round.climb(levels[side], steps, who == "banker", MUST_DEFEND[rule])
            told = [RANKS.index(level) + 2 for level in levels]
            told[side] = 14 if reached is None else RANKS.index(reached) + 2
            found = outcome(rules, (RANKS.index(ours) + 2, RANKS.index(theirs) + 2), banker, points, 0, 1)
            where = (points, banker, levels)
            assert found.levels == tuple(told), where
            assert found.winner == (side if reached is None else None), where
            assert found.banker == tractor_round.next_banker(banker, points), where


def test_the_kitty_counts_as_often_as_the_brute_force_says():
    for rng, at in cases("multiplier", 1000):
        lead = random_lead(rng, at, 10)
        memory = remember(turn(at, lead), Play(cards(lead)))
        assert isinstance(memory, Memory)
        told = reference.shape(lead, at.declaration, at.gap)
        for rule in KittyMultiplier:
            times = multiplier(Rules(kitty_multiplier=rule), memory.last, memory.last_pairs, memory.last_lead)
            assert times == tractor_round.kitty_multiplier(told, rule.value), (at, lead, rule)


@pytest.mark.parametrize(
    ("lead", "times"),  # two to the cards of the longest unit, twice those, two to pairs + 1, twice all cards, 2 or 4
    [
        ("HK", (2, 2, 2, 2, 2)),
        ("HK HK", (4, 4, 4, 4, 4)),
        ("HK HK HQ HQ", (16, 8, 8, 8, 4)),
        ("HA HA HQ HQ", (4, 4, 8, 8, 4)),
        ("HA HQ", (2, 2, 2, 4, 2)),
        ("HA HA HQ HJ HT", (4, 4, 4, 10, 4)),
    ],
)
def test_the_multipliers_worked_by_hand(lead: str, times: tuple[int, ...]):
    at = next(at for _, at in cases("", 66) if at.declaration == "S2")
    memory = remember(turn(at, lead), Play(cards(lead)))
    last = memory.last, memory.last_pairs, memory.last_lead
    assert tuple(multiplier(Rules(kitty_multiplier=rule), *last) for rule in KittyMultiplier) == times
    assert read_memory(str(memory)) == memory


def test_the_kitty_multiplies_what_lies_in_it():
    found = outcome(Rules(), (2, 2), 0, 10, 190, 16)
    assert (found.attackers, found.levels, found.winner) == (3050, (2, 14), 1)


def test_a_penalty_takes_no_more_than_there_is():
    """Three stopped throws at ten points each, and the attackers have none."""
    game = tractor.game(Rules(throw_penalty=10))
    line = "trump S2 by 0 | score 2 2 1 | kitty C3 C4 C6 C7 C8 C9 CJ CQ | 0: SA | 1: H3 | 2: H4 | 3: H6"
    position = parse_position(game, f"{line} | memory stopped 0 3")
    for play in ("SA", "H3", "H4", "H6"):
        position = position.play(play)
    assert position.result is not None
    assert position.result.text == "attackers 0, levels 5 2, next banker 2"


@pytest.mark.parametrize("dealer", range(4))
def test_after_a_deal_that_came_to_nothing_nothing_has_moved(dealer: int):
    said = ", ".join(f"{(dealer + i) % 4}: pass" for i in range(4))
    game = tractor.game(Rules(no_call=NoCall.REDEAL))
    thrown_in = parse_position(game, f"dealer {dealer} | score 7 9 3 | said {said}")
    assert thrown_in.over and thrown_in.result is None
    assert game.advance(thrown_in, None) == Standing(dealer, (7, 9, 3))
    # so too where a renege was found and such deals are refused
    played = parse_position(
        game, f"trump S7 by {dealer} | dealer {dealer} | score 7 9 3 | 0: SA | 1: H3 | 2: H4 | 3: H6"
    )
    assert game.advance(played, None) == Standing(dealer, (7, 9, 3))


def test_the_void_is_that_of_the_seat_that_did_not_follow():
    line = "trump S2 | 0: HA HK C3 | 1: C4 C5 C6 | 2: H3 H4 H5 | 3: D3 D4 D5"
    position = parse_position(tractor.game(), line)
    for play in ("HA", "C4", "H3", "D3"):
        position = position.play(play)
    assert "void 1 H, 3 H" in str(position.memory)
    assert position.memory.voids[0] == position.memory.voids[2] == 0


def played_out(position: Position, rng: random.Random) -> tuple[Position, list[list[reference.Pile]]]:
    """A deal played at random to its end, and its tricks; a stopped throw counts with what was led."""
    tricks: list[list[reference.Pile]] = []
    while position.turn is not None:
        assert position.trick is not None
        if not position.trick.plays:
            tricks.append([])
        play = position.legal_plays.choose(rng)
        before = position.hands[position.turn]
        seat = position.turn
        position = position.play(play)
        after = position.hands[seat]
        assert isinstance(before, Cards) and isinstance(after, Cards)
        tricks[-1].append(pile(before - after))
    return position, tricks


def test_whole_little_deals_come_to_what_the_brute_force_settles():
    winners = 0
    for number in range(400 * min(SOAK, 50)):
        rng = random.Random(f"deal {number}")
        rules = Rules(
            throw_comparison=rng.choice(list(ThrowComparison)),
            kitty_multiplier=rng.choice(list(KittyMultiplier)),
            must_defend=rng.choice(list(MustDefend)),
        )
        trump, banker = rng.choice([*reference.SUITS, "NT"]), rng.randrange(4)
        levels = [rng.choice(RANKS), rng.choice(RANKS)]
        declaration = trump + levels[banker % 2]
        kinds = rng.sample(reference.CARDS, 16)
        deck = [kind for kind in kinds for _ in range(2)]
        rng.shuffle(deck)
        hands, kitty = [deck[i * 6 : i * 6 + 6] for i in range(4)], deck[24:]
        told = " ".join(str(RANKS.index(level) + 2) for level in levels)
        line = (
            f"trump {declaration} by {banker} | dealer {banker} | score {told} 1 | kitty {' '.join(kitty)} | "
            + " | ".join(f"{seat}: {' '.join(hand)}" for seat, hand in enumerate(hands))
        )
        game = tractor.game(rules)
        position, tricks = played_out(parse_position(game, line), rng)
        expected = tractor_round.score(
            declaration,
            banker,
            levels,
            kitty,
            banker,
            tricks,
            rules.throw_comparison.value,
            rules.kitty_multiplier.value,
            MUST_DEFEND[rules.must_defend],
        )
        result = position.result
        assert result is not None
        text = f"attackers {expected.attackers}, levels {' '.join(expected.levels)}, next banker {expected.banker}"
        won = "" if expected.winner is None else f", side {expected.winner} has won"
        assert result.text == text + won, line
        assert result.made == (expected.attackers < 80)
        standing = game.advance(position, result)
        assert standing.dealer == expected.banker
        assert game.winner(rules, standing) == expected.winner
        assert [RANKS[min(level, 14) - 2] for level in standing.score[:2]] == list(expected.levels)
        winners += expected.winner is not None
    assert winners >= 10
    assert len(DECK) == 108
