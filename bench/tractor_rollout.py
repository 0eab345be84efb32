"""Tractor by rules of thumb: how many rollouts a second, and how well it plays.

    python bench/tractor_rollout.py [deals]

Speed is of one thread: a whole round from the first lead, and one from the middle. Strength is against a seat that
plays any legal play with equal chance, over duplicate deals: the same cards twice, the two players changing sides.
"""

import random
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from renege.core.cards import Cards
from renege.core.order import Order
from renege.core.position import Position, begin
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK, PRINTED, RANKS, TRUMP
from renege.games.tractor.score import steps_up
from renege.games.tractor.solve import order_of, scene_of, words
from renege.native.rollouts import RolloutQuery, rollouts

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # a single play is asked for there
from support.tractor_policy import policy_play

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
SECONDS = 1.0
Player = Callable[[Position, random.Random], Play]


def deal(rng: random.Random) -> Position:
    """The banker names the longest suit and buries eight low cards of the short suits."""
    pack = rng.sample([*range(54), *range(54)], 108)
    own, kitty = pack[:25], pack[100:]
    longest = max(PRINTED, key=lambda suit: sum(DECK.names[card][0] == suit for card in own))
    contract = Bank(longest + rng.choice(RANKS), 0, 0)
    order = tractor.order(contract.declaration)
    full = [*own, *kitty]
    lengths = [sum(order.led_suit[card] == suit for card in full) for suit in range(5)]
    full.sort(key=lambda card: cost(order, card, full.count(card), lengths[order.led_suit[card]]))
    hands = DECK.cards(full[8:]), *(DECK.cards(pack[25 * i : 25 * i + 25]) for i in (1, 2, 3))
    return replace(begin(tractor.game(), contract, hands, 0), kitty=DECK.cards(full[:8]))


def cost(order: Order, card: int, copies: int, length: int) -> tuple[int, int]:
    """What burying a card costs: trumps most, then aces, points and pairs, then length."""
    high = order.led_suit[card] == TRUMP
    ace = DECK.names[card][1] == "A"
    return 1000 * high + 60 * ace + 3 * order.points[card] + 12 * (copies == 2) + 3 * length, card % 13


def by_rules_of_thumb(position: Position, rng: random.Random) -> Play:
    return policy_play(position)


def at_random(position: Position, rng: random.Random) -> Play:
    return position.legal_plays.choose(rng)


def one_unit_at_random(position: Position, rng: random.Random) -> Play:
    """Follows like the other; leads a single or a pair."""
    if position.trick and position.trick.plays:
        return position.legal_plays.choose(rng)
    hand = position.hand
    assert isinstance(hand, Cards)
    card = rng.choice(list(hand))
    return Play(DECK.cards([card] * hand.count(card)))


def play_round(position: Position, attackers: Player, bankers: Player, rng: random.Random) -> int:
    while (seat := position.turn) is not None:
        position = position.play((attackers if seat % 2 else bankers)(position, rng))
    found = position.result and re.search(r"attackers (\d+)", position.result.text)
    assert found
    return int(found[1])


def levels(points: int) -> int:
    """What a round is worth to the attackers, in levels."""
    bankers, attackers = steps_up(points)
    return attackers - bankers


def duel(name: str, player: Player, other: Player) -> None:
    rng = random.Random(1)
    points, steps = [], []
    for i in range(DEALS):
        position = deal(random.Random(i))
        mine, theirs = play_round(position, player, other, rng), play_round(position, other, player, rng)
        points.append(mine - theirs)
        steps.append(levels(mine) - levels(theirs))
    error = [statistics.stdev(of) / len(of) ** 0.5 for of in (points, steps)]
    print(
        f"{name}, {DEALS} deals both ways: {statistics.mean(points):+.1f} +- {error[0]:.1f} points, "
        f"{statistics.mean(steps):+.2f} +- {error[1]:.2f} levels a deal"
    )


def plays_left(position: Position) -> int:
    count = 0
    while not position.over:
        position, count = position.play(policy_play(position)), count + 1
    return count


def speed(name: str, tricks: int) -> None:
    """From so many tricks on: worlds that are all the same deal, one candidate in each."""
    rates, sizes = [], []
    for i in range(8):
        position = deal(random.Random(i))
        while position.tricks_played < tricks:
            position = position.play(policy_play(position))
        hands = np.stack([words(*position.hands)] * 2000)
        candidate = words(policy_play(position).cards)
        kitties, order = np.zeros(2000, np.int32), order_of(position)
        done, start = 0, time.perf_counter()
        while time.perf_counter() < start + SECONDS / 8:
            rollouts(RolloutQuery(order, scene_of(position), hands, kitties, candidate))
            done += 2000
        rates.append(done / (time.perf_counter() - start))
        sizes.append(plays_left(position))
    rate, size = statistics.mean(rates), statistics.mean(sizes)
    print(f"{name}: {rate:,.0f} rollouts/s of {size:.0f} plays, {rate * size:,.0f} plays/s, one thread")


if __name__ == "__main__":
    speed("from the first lead", 0)
    speed("from the ninth trick", 8)
    duel("rules of thumb against any legal play", by_rules_of_thumb, at_random)
    duel("rules of thumb against any follow and any single or pair led", by_rules_of_thumb, one_unit_at_random)
