"""Rounds of Tractor at any moment, for the kernel: random hands, houses and candidates."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from renege.core.cards import Cards
from renege.core.house_rules import Choice, read_rules
from renege.core.position import Position, begin
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK, PRINTED, RANKS
from renege.games.tractor.rules import (
    FollowDuty,
    KittyMultiplier,
    LevelGap,
    NoTrump,
    Rules,
    ShorterRuns,
    StoppedThrow,
    ThrowComparison,
    ThrowTest,
    TrumpThrows,
)
from renege.games.tractor.solve import house as house_of
from renege.games.tractor.solve import words
from renege.native.tractor import KernelRules
from support.steering import SOAK
from support.tractor_policy import policy_play

# the questions of the play, each with its answers
OF_PLAY: dict[str, type[Choice]] = {
    "shorter_runs": ShorterRuns,
    "follow_duty": FollowDuty,
    "throw_comparison": ThrowComparison,
    "throw_test": ThrowTest,
    "stopped_throw": StoppedThrow,
    "trump_throws": TrumpThrows,
    "kitty_multiplier": KittyMultiplier,
    "level_gap": LevelGap,
    "no_trump": NoTrump,
}


def some_rules(rng: random.Random) -> Rules:
    """A house: each rule mostly as usual, or all of them by chance."""
    likely = rng.choice([0.85, 0.7, 0.2])
    drawn = {name: rng.choice(list(choices)).value for name, choices in OF_PLAY.items() if rng.random() > likely}
    drawn["throw_penalty"] = str(0 if rng.random() < likely else rng.choice([5, 10, 7, 40, 300]))
    drawn["kitty_multiplier"] = rng.choice(list(KittyMultiplier)).value
    return read_rules(Rules(), drawn)


def some_round(rng: random.Random, cards: int = 25) -> Position:
    """A deal, its kitty buried, of so many cards a hand; often full of pairs, or of hands with few suits."""
    game = tractor.game(some_rules(rng))
    banker = rng.randrange(4)
    contract = Bank(rng.choice([*PRINTED, "NT"]) + rng.choice(RANKS), banker, banker)
    pack = list(range(54)) * 2
    rng.shuffle(pack)
    grouped = rng.choice([0, 0, 20, 60])
    pack.sort(key=lambda card: (card // 13 if rng.random() * 100 < grouped else rng.randrange(4), rng.random()))
    if rng.random() < 0.5:
        pairs = rng.sample(range(54), 54)
        loose = [card for card in pack if rng.random() < 0.2 and pairs.index(card) % 2]
        pack = [card for card in pairs for _ in range(2)]
        for card in set(loose):  # some pairs are torn
            i, j = pack.index(card), rng.randrange(108)
            pack[i], pack[j] = pack[j], pack[i]
    hands = tuple(DECK.cards(pack[i * cards : i * cards + cards]) for i in range(4))
    kitty = DECK.cards(pack[4 * cards : 4 * cards + 8])
    return replace(begin(game, contract, hands, banker), kitty=kitty)


def play_out(position: Position) -> int:
    """The attackers' points when all four have played by the rules of thumb."""
    while not position.over:
        position = position.play(policy_play(position))
    assert position.result is not None
    found = re.search(r"attackers (\d+)", position.result.text)
    assert found
    return int(found[1])


def rules_of(position: Position) -> KernelRules:
    house = house_of(position.game.rules)
    assert house
    return house


def buried_in(positions: list[Position]) -> np.ndarray:
    """The kitties, which their bankers know."""
    return np.stack([words(position.kitty)[0] for position in positions])


def lawful_in_all(worlds: list[Position], candidates: list[Cards]) -> list[Cards]:
    """Where a stopped throw is refused, not every world allows each of them."""
    return [cards for cards in candidates if all(world.judge(Play(cards)).legal for world in worlds)]


def worlds_of(positions: list[Position]) -> tuple[np.ndarray, np.ndarray]:
    hands = np.stack([words(*position.hands) for position in positions])
    kitties = [position.order.worth(position.kitty) for position in positions]  # pyright: ignore
    return hands, np.array(kitties, np.int32)


def dealt_again(position: Position, rng: random.Random) -> Position:
    """The same to the seat to move, but the other hands and the kitty change cards."""
    mine = position.turn
    assert mine is not None
    piles = [*position.hands, position.kitty]
    pool = [card for seat, pile in enumerate(piles) if seat != mine for card in pile]  # pyright: ignore
    rng.shuffle(pool)
    for seat, pile in enumerate(piles):
        if seat != mine:
            size = len(pile)  # pyright: ignore
            piles[seat], pool = DECK.cards(pool[:size]), pool[size:]
    return replace(position, hands=tuple(piles[:4]), kitty=piles[4])


def some_candidates(position: Position, rng: random.Random, count: int) -> list[Cards]:
    """The policy's play and others: at the lead many throws."""
    found = [policy_play(position).cards]
    hand, order = position.hand, position.order
    assert isinstance(hand, Cards)
    assert order is not None
    for _ in range(count):
        if position.trick and position.trick.plays:
            found.append(position.legal_plays.choose(rng).cards)
            continue
        held = list(order.in_suit(hand, order.led_suit[rng.choice(list(hand))]))
        lead = DECK.cards(rng.sample(held, min(len(held), rng.choice([1, 2, 2, 3, 4, 6]))))
        if position.judge(Play(lead)).legal:
            found.append(lead)
    return found


def moments(seed: int, count: int, cards: tuple[int, ...] = (25, 12, 6)) -> Iterator[tuple[Position, random.Random]]:
    """Positions in the middle of rounds that were begun by the rules of thumb."""
    rng = random.Random(seed)
    for _ in range(count * SOAK):
        position = some_round(rng, rng.choice(cards))
        for _ in range(rng.choice([0, 0, 1, 2, 3, 5, 9, 20, 40])):
            after = position.play(policy_play(position, rng.choice([0, 0, rng.getrandbits(32)])))
            if after.over:
                break
            position = after
        yield position, rng
