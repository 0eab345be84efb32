"""Games so small that their solution is known, as trees are grown from them: Kuhn poker, matrix games, random ones."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from renege.games.small import OVER, Options


@dataclass(frozen=True)
class Node:
    """Where a toy stands: the deal, and the acts so far with what all have heard of each."""

    deal: int
    acts: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toy:
    """A game written down as functions of the acts so far."""

    weights: tuple[float, ...]
    turn: Callable[[Node], int | None]
    options: Callable[[Node], tuple[str, ...]]
    secret: Callable[[Node, int], int]
    payoff: Callable[[Node], tuple[float, ...]]
    hear: Callable[[Node, str], str] = lambda node, act: act

    def roots(self) -> list[Node]:
        return [Node(deal) for deal in range(len(self.weights))]

    def then(self, node: Node, act: str) -> Node:
        return Node(node.deal, (*node.acts, act), (*node.heard, self.hear(node, act)))

    def key(self, node: Node) -> tuple[Any, ...]:
        """What the seat to act can tell apart."""
        seat = self.turn(node)
        assert seat is not None
        return seat, self.secret(node, seat), node.heard

    def nodes(self) -> Iterator[Node]:
        """Every node, each before its children."""
        waiting = self.roots()
        while waiting:
            node = waiting.pop(0)
            yield node
            if self.turn(node) is not None:
                waiting += [self.then(node, act) for act in self.options(node)]


class ToyExpansion:
    """A toy, to be grown into a tree."""

    def __init__(self, toy: Toy) -> None:
        self.toy = toy
        self.acts: list[str] = []

    def _number(self, act: str) -> int:
        if act not in self.acts:
            self.acts.append(act)
        return self.acts.index(act)

    def deals(self):
        return self.toy.roots(), np.array(self.toy.weights)

    def take(self, rows, which):
        return [rows[i] for i in which]

    def options(self, rows) -> Options:
        turns = [self.toy.turn(node) for node in rows]
        acts = [() if turn is None else self.toy.options(node) for node, turn in zip(rows, turns, strict=True)]
        return Options(
            np.array([OVER if turn is None else turn for turn in turns], np.int8),
            np.array([len(few) for few in acts], np.int32),
            np.array([self._number(act) for few in acts for act in few], np.int32),
        )

    def private(self, rows, seats):
        return np.array([self.toy.secret(node, int(seat)) for node, seat in zip(rows, seats, strict=True)], np.uint64)

    def after(self, rows, parents, acts):
        before = [rows[i] for i in parents]
        after = [self.toy.then(node, self.acts[act]) for node, act in zip(before, acts, strict=True)]
        return after, np.array([self._number(node.heard[-1]) for node in after], np.int32)

    def payoffs(self, rows):
        return np.array([self.toy.payoff(node) for node in rows])


def kuhn() -> Toy:
    """Kuhn poker: three cards, a pot of one each, and a bet of one. It is worth -1/18 to the first player."""
    deals = list(permutations(range(3), 2))
    ends = {"pp": 1, "bp": 0, "pbp": 0, "bb": 2, "pbb": 2}

    def line(node: Node) -> str:
        return "".join(act[0] for act in node.acts)

    def payoff(node: Node) -> tuple[float, ...]:
        first, second = deals[node.deal]
        stake = ends[line(node)]
        if stake:
            won = stake if first > second else -stake
        else:
            won = 1 if line(node) == "bp" else -1  # the other did not dare
        return (float(won), float(-won), 0.0, 0.0)

    return Toy(
        (1 / 6,) * 6,
        turn=lambda node: None if line(node) in ends else len(node.acts) % 2,
        options=lambda node: ("pass", "bet"),
        secret=lambda node, seat: deals[node.deal][seat],
        payoff=payoff,
    )


def matrix(payoffs: Sequence[Sequence[float]]) -> Toy:
    """Two players choose at once: the second does not hear what the first has done."""
    rows, columns = range(len(payoffs)), range(len(payoffs[0]))

    def payoff(node: Node) -> tuple[float, ...]:
        worth = float(payoffs[int(node.acts[0][1:])][int(node.acts[1][1:])])
        return (worth, -worth, 0.0, 0.0)

    return Toy(
        (1.0,),
        turn=lambda node: len(node.acts) if len(node.acts) < 2 else None,
        options=lambda node: tuple(f"r{i}" for i in rows) if not node.acts else tuple(f"c{i}" for i in columns),
        secret=lambda node, seat: 0,
        payoff=payoff,
        hear=lambda node, act: "something",
    )


def anything(seed: int, deals: int = 6, depth: int = 5) -> Toy:
    """A random game of four seats with forced acts, early ends and acts that are not heard in full."""
    rng = random.Random(seed)
    salt = rng.getrandbits(32)
    weights = [rng.random() for _ in range(deals)]
    suits = [[rng.randrange(2) for _ in range(4)] for _ in range(deals)]

    def drawn(*what: object) -> random.Random:
        return random.Random(f"{salt} {what}")

    def turn(node: Node) -> int | None:
        public = node.heard
        if len(public) == depth or (len(public) > 2 and drawn("end", public).random() < 0.2):
            return None
        return drawn("turn", public).randrange(4)

    def options(node: Node) -> tuple[str, ...]:
        seat = turn(node)
        assert seat is not None
        return tuple("abc"[: drawn("acts", node.heard, suits[node.deal][seat]).choice([1, 2, 2, 3])])

    def secret(node: Node, seat: int) -> int:
        own = [act for at, act in enumerate(node.acts) if drawn("turn", node.heard[:at]).randrange(4) == seat]
        return suits[node.deal][seat] + 2 * sum(("abc".index(act) + 1) * 4**i for i, act in enumerate(own))

    return Toy(
        tuple(weight / sum(weights) for weight in weights),
        turn,
        options,
        secret,
        payoff=lambda node: tuple(
            float(drawn("pay", node.deal, node.acts, seat).randrange(-9, 10)) for seat in range(4)
        ),
        hear=lambda node, act: "z" if act == "c" and drawn("hear", node.heard).random() < 0.5 else act,
    )
