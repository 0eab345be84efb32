"""How many nodes and how long does it take to solve the end of a round of Tractor with open hands, on one core?

Seeded deals under random declarations, the banker's lowest eight cards buried, fives and all. They are played down to
so many cards a hand by a plain rule that hoards: lead an ace or a high pair of a side suit if there is one, else the
lowest card that is no trump; follow with the cheapest of twelve legal plays drawn at random, where trumps and high
cards are dear, and points are dear unless the partner wins the trick. A node is a play made; times are of the CPU.
"""

import random
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from renege.core.cards import Cards
from renege.core.position import Position, begin
from renege.core.trick import Play
from renege.games import tractor
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK, TRUMP
from renege.games.tractor.solve import pack
from renege.native import tractor as native_tractor
from renege.native import tractor_solve as native_tractor_solve

COUNT, SIZES = 200, (7, 6, 5, 4)
OFFERS = 12


def deal(rng: random.Random) -> Position:
    declaration = rng.choice(["C", "D", "H", "S", "NT"]) + rng.choice("23456789TJQKA")
    banker, order = rng.randrange(4), tractor.order(declaration)
    cards = list(DECK.all)
    rng.shuffle(cards)
    hands = [cards[25 * seat : 25 * seat + 25] for seat in range(4)]
    own = sorted(hands[banker] + cards[100:], key=lambda card: order.strength[order.led_suit[card]][card])
    hands[banker] = own[8:]
    position = begin(tractor.game(), Bank(declaration, banker, banker), tuple(map(DECK.cards, hands)), banker)
    return replace(position, kitty=DECK.cards(own[:8]))


def cost(position: Position, pile: Cards, *, fatten: bool) -> float:
    order = position.order
    assert order is not None
    points = order.worth(pile)
    dear = sum(order.strength[order.led_suit[card]][card] for card in pile)  # a trump has 32 more
    return dear - 2 * points if fatten else dear + points


def follow(rng: random.Random, position: Position) -> Play:
    trick, contract = position.trick, position.contract
    assert trick is not None
    assert contract is not None
    turn = position.turn_to_play()
    best, winning = trick.plays[0], trick.leader
    for place, play in enumerate(trick.plays[1:], start=1):
        if position.game.beats(turn, best, play):
            best, winning = play, (trick.leader + place) % 4
    assert position.turn is not None
    fatten = (winning - position.turn) % 2 == 0
    offers = [position.legal_plays.choose(rng) for _ in range(OFFERS)]
    return min(offers, key=lambda play: cost(position, play.cards, fatten=fatten))


def lead(position: Position, most: int) -> Play:
    order, hand = position.order, position.hand
    assert order is not None
    assert isinstance(hand, Cards)
    side = [card for card in hand if order.led_suit[card] != TRUMP]

    def step(card: int) -> int:
        return order.strength[order.led_suit[card]][card]

    high = [card for card in side if step(card) >= 11]
    pairs = [card for card in high if hand.count(card) == 2]
    if pairs and most >= 2:
        return Play(DECK.cards([pairs[0]] * 2))
    return Play(DECK.cards([max(high, key=step) if high else min(side or list(hand), key=step)]))


def endgames(rng: random.Random) -> Iterator[Position]:
    """One deal, where its hands have come down to each of the sizes."""
    position = deal(rng)
    for held in SIZES:
        while position.trick is None or position.trick.plays or len(position.hand) > held:
            to_lead = position.trick is not None and not position.trick.plays
            play = lead(position, len(position.hand) - held) if to_lead else follow(rng, position)
            position = position.play(play)
        yield position


def measure(position: Position) -> tuple[int, float]:
    assert isinstance(position.contract, Bank)
    order, rounds = native_tractor.order(tractor.order(position.contract.declaration), TRUMP), pack(position)
    began = time.thread_time()
    found = native_tractor_solve.solve(order, rounds)
    return int(found.nodes[0]), 1e3 * (time.thread_time() - began)


def main() -> None:
    table = Table(title="Tractor, open hands, one core")
    for column in ("cards", "rounds", "nodes, mean", "median", "p95", "most", "ms, mean", "median", "p95", "most"):
        table.add_column(column, justify="right")
    rng = random.Random(1)
    rounds = [list(endgames(rng)) for _ in range(COUNT)]
    for i, held in enumerate(SIZES):
        measured = [measure(positions[i]) for positions in rounds]
        nodes, times = [float(nodes) for nodes, _ in measured], [taken for _, taken in measured]
        table.add_row(str(held), str(COUNT), *cells(nodes, ",.0f"), *cells(times, ".2f"))
    Console(width=120).print(table)


def cells(values: list[float], form: str) -> list[str]:
    tail = statistics.quantiles(values, n=20)[-1]
    return [format(v, form) for v in (statistics.mean(values), statistics.median(values), tail, max(values))]


if __name__ == "__main__":
    main()
