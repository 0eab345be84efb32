"""Regret minimisation read literally: one toy game (`toys.py`), recursion over its nodes, strategies in dictionaries.

Slow and short. A strategy is `{key: [chance of each act]}`, a key what the seat to act can tell apart.
"""

from itertools import product
from typing import Any

Strategy = dict[Any, list[float]]


def keys(toy) -> dict[Any, int]:
    """Every information set and how many acts it has."""
    return {toy.key(node): len(toy.options(node)) for node in toy.nodes() if toy.turn(node) is not None}


def value(toy, strategy: Strategy, node) -> list[float]:
    """What each seat wins from a node on."""
    if toy.turn(node) is None:
        return list(toy.payoff(node))
    total = [0.0] * 4
    for chance, act in zip(strategy[toy.key(node)], toy.options(node), strict=True):
        for seat, won in enumerate(value(toy, strategy, toy.then(node, act))):
            total[seat] += chance * won
    return total


def values(toy, strategy: Strategy) -> list[float]:
    """What each seat wins in all."""
    found = [value(toy, strategy, root) for root in toy.roots()]
    return [sum(weight * won[seat] for weight, won in zip(toy.weights, found, strict=True)) for seat in range(4)]


def best_response(toy, strategy: Strategy, seat: int) -> float:
    """The most that a seat can win: every one of its pure strategies is tried."""
    mine = {key: count for key, count in keys(toy).items() if key[0] == seat}
    best = None
    for choice in product(*(range(count) for count in mine.values())):
        pure = {
            key: [float(i == act) for i in range(count)] for (key, count), act in zip(mine.items(), choice, strict=True)
        }
        won = values(toy, strategy | pure)[seat]
        best = won if best is None else max(best, won)
    assert best is not None
    return best


def matched(regrets: list[float]) -> list[float]:
    positive = [max(0.0, regret) for regret in regrets]
    if sum(positive) > 0:
        return [regret / sum(positive) for regret in positive]
    return [1 / len(regrets)] * len(regrets)


def cfr_plus(toy, iterations: int) -> tuple[Strategy, Strategy]:
    """Regrets and the sums of the strategies after so many iterations, seats in turn, averages with linear weights."""
    regrets = {key: [0.0] * count for key, count in keys(toy).items()}
    sums = {key: [0.0] * count for key, count in keys(toy).items()}
    for t in range(1, iterations + 1):
        for seat in range(4):
            strategy = {key: matched(row) for key, row in regrets.items()}
            gained = {key: [0.0] * len(row) for key, row in regrets.items()}
            for root, weight in zip(toy.roots(), toy.weights, strict=True):
                _sweep(toy, root, seat, strategy, weight, gained)
            for key, row in gained.items():
                if key[0] != seat:
                    continue
                mean = sum(chance * gain for chance, gain in zip(strategy[key], row, strict=True))
                regrets[key] = [max(0.0, old + gain - mean) for old, gain in zip(regrets[key], row, strict=True)]
            strategy = {key: matched(row) for key, row in regrets.items()}
            reaches = own_reaches(toy, strategy, seat)
            for key, reach in reaches.items():
                sums[key] = [old + t * reach * chance for old, chance in zip(sums[key], strategy[key], strict=True)]
    return regrets, sums


def _sweep(toy, node, seat: int, strategy: Strategy, reach: float, gained: Strategy) -> float:
    """What a seat wins from a node on; on the way, what each of its acts gains, times the others' reach."""
    turn = toy.turn(node)
    if turn is None:
        return toy.payoff(node)[seat]
    key, total = toy.key(node), 0.0
    for i, act in enumerate(toy.options(node)):
        chance = strategy[key][i]
        won = _sweep(toy, toy.then(node, act), seat, strategy, reach * (1.0 if turn == seat else chance), gained)
        if turn == seat:
            gained[key][i] += reach * won
        total += chance * won
    return total


def own_reaches(toy, strategy: Strategy, seat: int) -> dict[Any, float]:
    """How likely a seat's own choices make each of its sets."""
    found: dict[Any, float] = {}

    def go(node, reach: float) -> None:
        turn = toy.turn(node)
        if turn is None:
            return
        if turn == seat:
            found[toy.key(node)] = reach
        for chance, act in zip(strategy[toy.key(node)], toy.options(node), strict=True):
            go(toy.then(node, act), reach * (chance if turn == seat else 1.0))

    for root in toy.roots():
        go(root, 1.0)
    return found


def open_hands(toy) -> dict[Any, list[float]]:
    """What each act is worth on the average of its set's deals if all hands lie open after it."""
    gains = {key: [0.0] * count for key, count in keys(toy).items()}

    def best(node, weight: float) -> tuple[float, ...]:
        turn = toy.turn(node)
        if turn is None:
            return toy.payoff(node)
        below = [best(toy.then(node, act), weight) for act in toy.options(node)]
        for i, won in enumerate(below):
            gains[toy.key(node)][i] += weight * won[turn]
        return max(below, key=lambda won: won[turn])

    for root, weight in zip(toy.roots(), toy.weights, strict=True):
        best(root, weight)
    return gains
