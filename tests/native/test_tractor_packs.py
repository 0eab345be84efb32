"""Does the kernel judge follows with any number of packs as the brute force does, and as the tables of two packs do?"""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from reference import tractor_packs as reference
from renege.games.tractor.order import NAMES, order
from renege.games.tractor.rules import LevelGap, NoTrump
from renege.native import tractor as two_packs
from renege.native import tractor_packs as kernel
from renege.native.arrays import U64
from renege.native.tractor import FollowBreach
from support.steering import SOAK

NUMBER = {name: card for card, name in enumerate(NAMES)}
BREACHES = {
    None: FollowBreach.NONE,
    "length": FollowBreach.LENGTH,
    "follow-suit": FollowBreach.SUIT,
    "follow-tuple": FollowBreach.PAIR,
    "follow-run": FollowBreach.RUN,
    "follow-longer-run": FollowBreach.LONGER_RUN,
}
DUTIES = ("shape", "tuples-protected", "tractors-protected", "both-protected", "suit-only")
LEAST = [(2, 2), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]
Case = tuple[int, reference.Table, list[str], list[str], list[str]]


def drawn(rng: random.Random, pool: list[str], size: int) -> list[str]:
    """Cards out of a pool, which then lacks them: singles and equal ones."""
    taken: list[str] = []
    while len(taken) < size and pool:
        card = rng.choice(pool)
        for _ in range(min(rng.choice([1, 2, 2, 3, 3, 4]), pool.count(card), size - len(taken))):
            pool.remove(card)
            taken.append(card)
    return taken


def cases(count: int, seed: int, most: int) -> Iterator[Case]:
    """Packs, a table, a lead of a few steps of a suit, a hand with more of it and now and then others, and a play."""
    rng = random.Random(seed)
    while count:
        packs, trumps = rng.choice([2, 3, 3, 4, 5, 6]), rng.choice(["C", "D", "H", "S", "NT"])
        declaration = trumps + rng.choice(reference.RANKS)
        table = reference.Table(declaration, rng.choice(["closes", "closes", "breaks"]), rng.choice(LEAST))
        led = rng.choice("TTSHCD")
        kinds = [card for card in reference.CARDS if reference.suit(card, table) == led]
        lowest = rng.randrange(len(kinds) + 1)
        near = [card for card in kinds if 0 <= reference.step(card, table) - lowest < rng.randint(3, 7)]
        pool = [card for card in near for _ in range(packs)]
        size = rng.randint(2, most)
        lead, hand = drawn(rng, pool, size), []
        if len(lead) == size and len(pool) > size:
            hand = drawn(rng, pool, rng.randint(size + 1, min(len(pool), size + 6)))
        if len(hand) <= size:
            continue
        others = [card for card in reference.CARDS if reference.suit(card, table) != led]
        whole = [*hand, *rng.sample(others, rng.choice([0, 0, 2]))]
        given = size if rng.random() < 0.95 else size - 1
        play = rng.sample(whole, given) if rng.random() < 0.2 else drawn(rng, list(hand), given)
        yield packs, table, lead, whole, play
        count -= 1


def piles(rows: Sequence[list[str]], packs: int) -> U64:
    return np.stack([kernel.pile([NUMBER[card] for card in cards], packs) for cards in rows])


def judged(case: Case, duty: kernel.PackDuty, *, portable: bool = False) -> FollowBreach:
    packs, table, *rows = case
    tables = kernel.order(order(table.declaration, LevelGap(table.gap), NoTrump.LEVEL_CARDS))
    lead, hand, play = (piles([row], packs) for row in rows)
    return FollowBreach(int(kernel.judge_follows(tables, lead, hand, play, duty=duty, portable=portable)[0]))


@pytest.mark.parametrize("follow", DUTIES)
@pytest.mark.parametrize("shorter", ["owed", "all-owed", "not-owed"])
def test_follows_are_judged_as_the_brute_force_judges(follow: str, shorter: str):
    found, duty = set[str | None](), reference.Duty("graded", follow, shorter)
    for i, case in enumerate(cases(400 * SOAK, DUTIES.index(follow) + 10, 8)):
        _, table, lead, hand, play = case
        forms = reference.led_forms(reference.pile(lead), None, table)
        led = reference.led_suit(lead, table)
        wanted = reference.follow_duty(led, forms, reference.pile(hand), reference.pile(play), table, duty)
        told = kernel.PackDuty(follow, shorter, *table.least)
        assert judged(case, told, portable=i % 2 == 0) == BREACHES[wanted], (case, duty)
        found.add(wanted)
    assert {None, "length", "follow-suit"} <= found
    assert follow == "suit-only" or "follow-tuple" in found
    assert follow != "shape" or "follow-run" in found


def test_two_packs_are_judged_as_their_tables_judge():
    for packs, table, *rows in cases(1000 * SOAK, 3, 10):
        if packs != 2:
            continue
        declared = order(table.declaration, LevelGap(table.gap), NoTrump.LEVEL_CARDS)
        lead, hand, play = (piles([row], 2) for row in rows)
        for shorter in ("owed", "all-owed", "not-owed"):
            for follow in ("shape", "tractors-protected", "suit-only"):
                duty, house = kernel.PackDuty(follow, shorter), two_packs.KernelRules(shorter, follow)
                ours = kernel.judge_follows(kernel.order(declared), lead, hand, play, duty=duty)
                theirs = two_packs.judge_follows(two_packs.order(declared), lead, hand, play, house=house)
                # with two packs pairs are asked for before runs: what is refused for its shape may break either first
                assert min(ours[0], FollowBreach.PAIR) == min(theirs[0], FollowBreach.PAIR), rows


def test_what_is_no_follow_is_refused_by_its_row():
    tables = kernel.order(order("S2"))
    lead, hand = piles([["HA", "HA"]] * 2, 3), piles([["HK", "HK", "HQ"]] * 2, 3)
    plays = piles([["HK", "HQ"], ["HK", "HJ"]], 3)
    with pytest.raises(ValueError, match="follow row 1: the play is not in the hand"):
        kernel.judge_follows(tables, lead, hand, plays)
    with pytest.raises(ValueError, match="row 0: the lead is of several suits"):
        kernel.judge_follows(tables, piles([["HA", "SA"]], 3), hand[:1], plays[:1])
    with pytest.raises(ValueError, match="row 0: a card is there more often than there are packs"):
        kernel.judge_follows(tables, piles([["HK", "HK"]], 3), hand[:1], plays[:1])
    with pytest.raises(ValueError, match="row 0: no card was led"):
        kernel.judge_follows(tables, np.zeros((1, 3), np.uint64), hand[:1], plays[:1])
    nested = np.array([[1 << 3, 1 << 4, 0]], np.uint64)
    with pytest.raises(ValueError, match="row 0: a card is there more often, and not as often as that"):
        kernel.judge_follows(tables, nested, hand[:1], plays[:1])
    with pytest.raises(ValueError, match="two to six layers"):
        kernel.judge_follows(tables, np.ones((1, 7), np.uint64), np.ones((1, 7), np.uint64), np.ones((1, 7), np.uint64))
    with pytest.raises(ValueError, match="no such duty"):
        kernel.judge_follows(tables, lead, hand, plays[:1].repeat(2, 0), duty=kernel.PackDuty(tractor_width=1))
    with pytest.raises(ValueError, match="4 times, and there are 3 packs"):
        kernel.pile([5, 5, 5, 5], 3)


def test_threads_change_nothing():
    tables = kernel.order(order("S2"))
    hearts = [case for case in cases(4000, 5, 6) if case[0] == 3 and {card[0] for card in case[2]} == {"H"}]
    hearts = [case for case in hearts if "H2" not in case[2]]
    lead, hand, play = (piles(list(column) * 50, 3) for column in list(zip(*hearts, strict=True))[2:])
    one = kernel.judge_follows(tables, lead, hand, play)
    assert len(set(one.tolist())) > 1
    assert (kernel.judge_follows(tables, lead, hand, play, threads=3) == one).all()
