"""Do the rules of thumb keep the rules, and do rollouts come to what the Python engine counts?"""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from renege import _kernel
from renege.core.house_rules import read_rules
from renege.core.position import Position
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.order import DECK, TRUMP
from renege.games.tractor.rules import Rules, StoppedThrow
from renege.games.tractor.solve import house as house_of
from renege.games.tractor.solve import order_of, pack, scene_of, words
from renege.native.rollouts import RolloutQuery, rollouts
from renege.native.tractor import KernelRules, TractorOrder
from renege.native.tractor_solve import solve
from support.steering import SOAK
from support.tractor_moments import (
    OF_PLAY,
    buried_in,
    dealt_again,
    lawful_in_all,
    moments,
    play_out,
    rules_of,
    some_candidates,
    some_round,
    worlds_of,
)
from support.tractor_policy import Scenes, policy_play, policy_plays

# --- the tests ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whims", [False, True])
def test_every_play_is_legal(whims: bool):
    rng = random.Random(f"legal {whims}")
    throws = stopped = 0
    for _ in range(40 * SOAK):
        position = some_round(rng, rng.choice([25, 25, 12]))
        while not position.over:
            play = policy_play(position, rng.getrandbits(32) if whims else 0)
            verdict = position.judge(play)
            assert verdict.legal, (str(position), play, verdict)
            throws += not position.trick.plays and len(play.cards) > 2  # pyright: ignore
            position = position.play(play)
            stopped += position.trick.lead is not None and position.trick.lead.tried is not None  # pyright: ignore
    assert throws > 20
    assert not stopped  # it throws only what nothing can beat


def test_rollouts_are_what_the_engine_counts():
    kitties = throws = fines = 0
    for position, rng in moments(1, 200):
        worlds = [position, dealt_again(position, rng)]
        if position.game.rules.stopped_throw is StoppedThrow.REFUSED:
            worlds = [position]  # what voids prove may not stand in the other world, which knows nothing of them
        candidates = lawful_in_all(worlds, some_candidates(position, rng, 2))
        hands, points = worlds_of(worlds)
        asked = order_of(position), scene_of(position), hands, points, words(*candidates), rules_of(position)
        found = rollouts(RolloutQuery(*asked, buried=buried_in(worlds)))
        for world, row in zip(worlds, found.tolist(), strict=True):
            for cards, value in zip(candidates, row, strict=True):
                after = world.play(Play(cards))
                throws += after.trick.lead is not None and after.trick.lead.tried is not None  # pyright: ignore
                assert value == play_out(after), (str(world), str(cards))
                kitties += value > 200
                fines += position.game.rules.throw_penalty > 0 and any(after.memory.stopped)
    assert kitties > 3
    assert throws > 3
    assert fines > 3


def test_a_candidate_of_no_cards_is_left_to_the_rules_of_thumb():
    for position, _ in moments(3, 10):
        hands, points = worlds_of([position])
        piles = np.concatenate([np.zeros((1, 2), np.uint64), words(policy_play(position).cards)])
        asked = order_of(position), scene_of(position), hands, points, piles, rules_of(position)
        ((alone, named),) = rollouts(RolloutQuery(*asked)).tolist()
        assert alone == named == play_out(position)


def test_ends_are_solved_with_open_hands():
    differs = 0
    for position, rng in moments(4, 12, cards=(6, 8)):
        cards, last = policy_play(position).cards, rng.choice([1, 2, 3, 4])
        hands, points = worlds_of([position])
        wanted = played_and_solved(position.play(Play(cards)), last)
        found = rollouts(
            RolloutQuery(
                order_of(position),
                scene_of(position),
                hands,
                points,
                words(cards),
                rules_of(position),
                buried=buried_in([position]),
                solve_from=last,
            )
        )
        assert found.tolist() == [[wanted]], str(position)
        differs += wanted != play_out(position)
    assert differs


def played_and_solved(position: Position, last: int) -> int:
    """The attackers' points when the rules of thumb play until a trick begins with so few cards a hand."""
    while not position.over:
        assert position.trick is not None and position.contract is not None
        if not position.trick.plays and len(position.hand) <= last:
            had = scene_of(position).attackers
            return had + int(solve(order_of(position), pack(position), rules_of(position)).lower[0])
        position = position.play(policy_play(position))
    return play_out(position)


def test_threads_batches_and_machines_give_the_same():
    for position, rng in moments(2, 4):
        worlds = [position, *(dealt_again(position, rng) for _ in range(30))]
        hands, points = worlds_of(worlds)
        piles = words(*lawful_in_all(worlds, some_candidates(position, rng, 3)))
        order, scene, house = order_of(position), scene_of(position), rules_of(position)
        for noise in (0.0, 0.2):
            query = RolloutQuery(order, scene, hands, points, piles, house, noise=noise, seed=5)
            one = rollouts(query)
            assert (one >= scene.attackers).all()
            assert (one == rollouts(query, threads=3)).all()
            assert (one == rollouts(query, portable=True)).all()
            assert (one[20:] == rollouts(query.some(slice(20, None)))).all()


def test_noise_follows_the_words_of_its_lane():
    """With noise a seat takes a word a play: a low half below the chance sets the whim to the high half."""
    changed = 0
    for position, _ in moments(3, 6):
        hands, points = worlds_of([position])
        first = policy_play(position)
        piles = words(first.cards)
        order, scene, house = order_of(position), scene_of(position), rules_of(position)
        found = rollouts(RolloutQuery(order, scene, hands, points, piles, house, noise=0.5, seed=9, first_lane=4))
        drawn = np.empty(100, np.uint64)
        _kernel.words(9, 1, 4, drawn)
        stream = iter(drawn.tolist())
        after = position.play(first)
        while not after.over:
            word = next(stream)
            after = after.play(policy_play(after, word >> 32 if word % 2**32 < 2**31 else 0))
        assert found.item() == play_out(after)
        changed += found.item() != rollouts(RolloutQuery(order, scene, hands, points, piles, house)).item()
    assert changed


def test_rows_not_reached_are_marked():
    position, _ = next(moments(4, 1))
    hands, points = worlds_of([position] * 3)
    piles = words(policy_play(position).cards)
    found = rollouts(
        RolloutQuery(order_of(position), scene_of(position), hands, points, piles, rules_of(position), most_seconds=0)
    )
    assert found.tolist() == [[-1]] * 3
    assert rollouts(RolloutQuery(order_of(position), scene_of(position), hands[:0], points[:0], piles)).shape == (0, 1)


# --- by hand ------------------------------------------------------------------------------------------------


def played(text: str, rules: Rules | None = None) -> str:
    """What the seat to move plays."""
    return str(policy_play(tractor.position(text, rules)).cards)


@pytest.mark.parametrize(
    ("text", "play"),
    [
        # the last seat gives a partner's trick the ten, and an opponent's the lowest that costs nothing
        ("trump S2 | led HQ, HA, H4 | hand H3 H5 HT", "HT"),
        ("trump S2 | led HA, H6, H4 | hand H3 H5 HT", "H3"),
        # it wins a trick with points in it, with points
        ("trump S2 | led H9, H6, H5 | hand H3 HK HA", "HK"),
        ("trump S2 | led H9, H6, H5 | hand C3 S3 SK", "SK"),
        # and leaves alone what is worth nothing, or cannot be had
        ("trump S2 | led H9, H6, H7 | hand C3 S3 SA", "C3"),
        ("trump S2 | led H9, SA, S5 | hand C3 S3 SK", "C3"),
        ("trump S2 | led H9, H6, SA | hand C3 S3 SK", "C3"),
        # a pair is owed to a pair; else none is broken for nothing
        ("trump S2 | led HA HA, H6 H7, H4 H8 | hand H3 HK HK", "HK HK"),
        ("trump S2 | led HA, H6, H4 | hand H3 H3 H7", "H7"),
        # before the last an ace, since nothing beats it, and not a king
        ("trump S2 | led H9 | hand H3 HK HA", "HA"),
        ("trump S2 | led H9 | hand H3 HK HQ", "HQ"),
        ("trump S2 | led H9 | hand H3 HK", "H3"),
        # what is sure is thrown; a short suit's low card before a long one's
        ("trump S2 | hand HA HA HK HQ C3", "HA HA HK"),
        ("trump S2 | hand HA HA HK HQ C3 | memory seen HK", "HA HA HK HQ"),
        ("trump S2 | hand H3 H6 H7 C4", "C4"),
    ],
)
def test_plays_by_hand(text: str, play: str):
    assert sorted(played(text).split()) == sorted(play.split())


@pytest.mark.parametrize("penalty", [-5, 1 << 20])
def test_a_penalty_that_the_kernel_cannot_add_up_is_refused(penalty: int):
    with pytest.raises(ValueError, match=f"^penalty is {penalty}; the kernel plays 0 to"):
        KernelRules(penalty=penalty)


def test_every_house_rule_of_the_play_is_known():
    assert house_of(Rules()) == KernelRules()
    for name, choices in OF_PLAY.items():
        for choice in choices:
            house_of(read_rules(Rules(), {name: choice.value}))
    assert house_of(Rules(throw_penalty=1_000_000)).penalty == 1_000_000


def test_a_throw_that_is_refused_in_some_world_is_no_candidate():
    rules = read_rules(Rules(), {"stopped_throw": "refused"})
    position = tractor.position("trump S2 | 0: HA HQ | 1: HK H3 | 2: H4 H5 | 3: H6 H7 | 0 leads", rules)
    hands, points = worlds_of([replace(position, kitty=DECK.none)])
    asked = order_of(position), scene_of(position), hands, points
    assert rollouts(RolloutQuery(*asked, words(position.hand), KernelRules())).shape == (1, 1)
    with pytest.raises(
        ValueError, match="worlds row 0: a candidate is a throw that is stopped, and the house refuses it"
    ):
        rollouts(RolloutQuery(*asked, words(position.hand), house_of(rules)))
    proved = read_rules(Rules(), {"throw_test": "public-info"})
    with pytest.raises(ValueError, match="candidates row 0: the house does not let this be led"):
        rollouts(RolloutQuery(*asked, words(position.hand), house_of(proved)))


# --- bad input ----------------------------------------------------------------------------------------------


def a_call() -> dict[str, Any]:
    position = some_round(random.Random(6), 6)
    position = position.play(DECK.cards([next(iter(position.hand))]))  # pyright: ignore
    hands, points = worlds_of([position, position])
    return {
        "order": order_of(position),
        "scene": scene_of(position),
        "worlds": hands,
        "kitties": points,
        "candidates": words(policy_play(position).cards),
        "house": rules_of(position),
    }


def changed(array: np.ndarray, place: Any, value: Any) -> np.ndarray:
    array = array.copy()
    array[place] = value
    return array


def scene_with(call: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"scene": replace(call["scene"], **fields)}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda call: {"worlds": changed(call["worlds"], (1, 0, 0), 1 << 60)}, "worlds row 1: a card that the deck"),
        (lambda call: {"worlds": changed(call["worlds"], (1, 0, 1), 2**54 - 1)}, "worlds row 1: a card is there twice"),
        (lambda call: {"worlds": changed(call["worlds"], (1, 0), [0, 0])}, "worlds row 1: "),
        (lambda call: {"worlds": call["worlds"][:, [1, 0, 3, 2]].copy()}, "row [01]: "),
        (lambda call: {"worlds": call["worlds"][:, :3].copy()}, "worlds"),
        (lambda call: {"kitties": changed(call["kitties"], 1, 205)}, "worlds row 1: a kitty has 0 to 200 points"),
        (lambda call: {"kitties": changed(call["kitties"], 1, 7)}, "in fives"),
        (lambda call: {"kitties": changed(call["kitties"], 1, -5)}, "worlds row 1: a kitty"),
        (lambda call: {"candidates": np.array([[0, 1]], np.uint64)}, "candidates row 0: the play is not in the hand"),
        (lambda call: {"solve_from": 9}, "solve_from is 9"),
        (lambda call: {"candidates": call["worlds"][0, [call["scene"].leader]].copy()}, "candidates row 0: "),
        (lambda call: scene_with(call, leader=4), "a seat is 0..3"),
        (lambda call: scene_with(call, banker=-1), "a seat is 0..3"),
        (lambda call: scene_with(call, attackers=-1), "attackers is -1"),
        (lambda call: scene_with(call, played=np.zeros(2, np.uint64)), "was not played"),
        (lambda call: scene_with(call, table=call["scene"].table[::-1].copy()), "no card was led"),
        (lambda call: {"noise": 1.0}, "noise is 1.0"),
        (lambda call: {"most_seconds": float("nan")}, "most_seconds"),
        (lambda call: {"seed": -1}, "seed is -1"),
    ],
)
def test_nonsense_is_refused(change: Any, why: str):
    call = a_call()
    assert rollouts(RolloutQuery(**call)).shape == (2, 1)
    with pytest.raises(ValueError, match=why):
        rollouts(RolloutQuery(**{**call, **change(call)}))


def test_no_threads_are_refused():
    with pytest.raises(ValueError, match="threads is 0"):
        rollouts(RolloutQuery(**a_call()), threads=0)


def test_an_order_without_all_cards_is_refused():
    call = a_call()
    order = tractor.order("S2")
    bare = TractorOrder(np.array([[order.steps[TRUMP][0]] + [0] * 16] + [[0] * 17] * 4, np.uint64), 0)
    with pytest.raises(ValueError, match="a card has no suit"):
        rollouts(RolloutQuery(**{**call, "order": bare}))


def test_a_hand_that_cannot_play_is_refused():
    position = some_round(random.Random(7), 6)
    scene = scene_of(position)
    seats = np.array([scene.leader] * 2, np.uint8)
    tables, played, voids = (np.stack([of] * 2) for of in (scene.table, scene.played, scene.voids))  # pyright: ignore
    scenes = Scenes(words(position.hand, position.hand), tables, seats, seats, played, voids)  # pyright: ignore
    for hand, why in ([0, 0], "hands row 1: the seat to move has no card"), ([1 << 54, 0], "hands row 1: a card that"):
        bad = replace(scenes, hands=changed(scenes.hands, 1, hand))
        with pytest.raises(ValueError, match=why):
            policy_plays(order_of(position), bad)
    with pytest.raises(ValueError, match="voids"):
        policy_plays(order_of(position), replace(scenes, voids=scenes.voids[:1]))
