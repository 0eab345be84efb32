"""Expansion of any small game from its positions alone: all deals at once; slow, and simple enough to test against.

A position that several deals reach is asked once for its acts and their successors.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, known_cards
from renege.core.deal_state import Act
from renege.core.game import KITTY, Game
from renege.core.position import Position, deal_position
from renege.core.view import heard_by_all
from renege.games.small import BITS, OVER, Options, gains, pile_code
from renege.native.arrays import F64, I32, I64, U64

MOST_DEALS = 1_000_000


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of the tree: the act, what all learn of it, the position after it, and what its seat alone then knows."""

    act: int
    heard: int
    after: int
    secret: int
    knows: int  # the seat whose secret it is


@dataclass(frozen=True, slots=True)
class PositionRows:
    """The position of each row, by number, and the private code of each seat."""

    at: I32
    codes: U64  # [B, seats]


class PositionExpansion:
    """A small game expanded from its positions; from all deals, or from given ones, equally likely."""

    def __init__(self, game: Game, deals: Sequence[Position] | None = None) -> None:
        self.game = game
        self.acts: list[str] = []
        self._numbers: dict[str, int] = {}
        self._positions: list[Position] = []
        self._known: dict[Position, int] = {}
        self._edges: list[list[Edge] | None] = []
        self._given = deals

    def deals(self) -> tuple[PositionRows, F64]:
        given = [(start, 1.0) for start in self._given] if self._given is not None else list(every_deal(self.game))
        codes = [[pile_code(self.game, known_cards(hand)) for hand in start.hands] for start, _ in given]
        weights = np.array([weight for _, weight in given])
        at = np.array([self._number(start) for start, _ in given], np.int32)
        return PositionRows(at, np.array(codes, np.uint64).reshape(-1, self.game.players)), weights / weights.sum()

    def take(self, rows: PositionRows, which: I64) -> PositionRows:
        return PositionRows(rows.at[which], rows.codes[which])

    def private(self, rows: PositionRows, seats: NDArray[np.int8]) -> U64:
        return rows.codes[np.arange(len(seats)), seats]

    def options(self, rows: PositionRows) -> Options:
        known, which = _distinct(rows.at)
        edges = [self._expanded(at) for at in known]
        seats = np.array(
            [OVER if not found else self._positions[at].turn for at, found in zip(known, edges, strict=True)]
        )
        counts = np.array([len(found) for found in edges], np.int32)[which]
        places: list[int] = which.tolist()
        acts = [edge.act for i in places for edge in edges[i]]
        return Options(seats.astype(np.int8)[which], counts, np.array(acts, np.int32))

    def after(self, rows: PositionRows, parents: I64, acts: I32) -> tuple[PositionRows, I32]:
        codes = rows.codes[parents]
        pairs, which = np.unique(rows.at[parents].astype(np.int64) << 32 | acts, return_inverse=True)
        asked = [(pair >> 32, pair & 0xFFFFFFFF) for pair in pairs.tolist()]
        done = [next(edge for edge in self._expanded(at) if edge.act == act) for at, act in asked]
        codes[np.arange(len(acts)), np.array([edge.knows for edge in done], np.int8)[which]] |= np.array(
            [edge.secret for edge in done], np.uint64
        )[which]
        at, heard = (np.array([getattr(edge, name) for edge in done], np.int32)[which] for name in ("after", "heard"))
        return PositionRows(at, codes), heard

    def payoffs(self, rows: PositionRows) -> F64:
        known, which = _distinct(rows.at)
        return np.array([self._worth(self._positions[at]) for at in known])[which]

    def position(self, at: int) -> Position:
        """The position of this number."""
        return self._positions[at]

    # -- one position

    def _number(self, position: Position) -> int:
        at = self._known.setdefault(position, len(self._positions))
        if at == len(self._positions):
            self._positions.append(position)
            self._edges.append(None)
        return at

    def _act(self, text: str) -> int:
        number = self._numbers.setdefault(text, len(self.acts))
        if number == len(self.acts):
            self.acts.append(text)
        return number

    def _expanded(self, at: int) -> list[Edge]:
        found = self._edges[at]
        if found is None:
            position = self._positions[at]
            found = [] if _decided(position) else list(self._grown(position))
            self._edges[at] = found
        return found

    def _grown(self, position: Position) -> Iterator[Edge]:
        seat = position.turn
        assert seat is not None
        for what in position.legal_calls if position.talking else position.legal_plays:
            act = position.read(what)
            after = self._number(position.then(act))
            if isinstance(what, str):
                heard = heard_by_all(position, seat, what)
                yield Edge(self._act(what), self._act(heard), after, *self._secret(position, act))
            else:
                chosen, landed = position.spell(what), position.spell(act.what)
                yield Edge(self._act(chosen), self._act(landed), after, 0, seat)

    def _secret(self, position: Position, act: Act) -> tuple[int, int]:
        """What a seat alone learns by a call: the kitty it takes up, the cards it lays there face down."""
        code = 0
        for move in position.floor(act.seat).moves(str(act.what)):
            if move.giver == KITTY:
                code |= pile_code(self.game, known_cards(position.kitty)) << BITS
            elif isinstance(move.cards, Cards):
                code |= pile_code(self.game, move.cards) << 2 * BITS
        return code, act.seat

    def _worth(self, position: Position) -> tuple[float, ...]:
        while not position.over:
            position = position.play(next(iter(position.legal_plays)))
        return (0.0,) * self.game.players if position.result is None else gains(position.result.score)


def _distinct(numbers: I32) -> tuple[list[int], I64]:
    """The numbers there are, and which each row has."""
    known, which = np.unique(numbers, return_inverse=True)
    return known.tolist(), which


def _decided(position: Position) -> bool:
    """Is nothing left to choose: over, or one card in each hand and a lead to come?"""
    if position.over:
        return True
    return position.trick is not None and not position.trick.plays and max(map(len, position.hands)) <= 1


def every_deal(game: Game) -> Iterator[tuple[Position, float]]:
    """Iterate over the distinct deals, each with the number of labelled deals that look like it."""
    sizes = [game.hand_size] * game.players + [game.kitty_size]
    kinds = sorted(game.deck.all.deck.cards(set(game.deck.all)))
    piles: list[list[int]] = [[] for _ in sizes]
    found = 0

    def fill(i: int) -> Iterator[tuple[Position, float]]:
        nonlocal found
        if i == len(kinds):
            found += 1
            if found > MOST_DEALS:
                raise ValueError(f"{game.name} has more than {MOST_DEALS} deals: too many to grow from positions")
            weight = prod(
                factorial(game.deck.copies) // prod(factorial(pile.count(kind)) for pile in piles) for kind in kinds
            )
            hands = tuple(game.deck.cards(pile) for pile in piles[:KITTY])
            yield deal_position(game, game.opening, hands, game.deck.cards(piles[KITTY])), float(weight)
            return
        for holders in combinations_with_replacement(range(len(sizes)), game.deck.copies):
            for holder in holders:
                piles[holder].append(kinds[i])
            if all(len(pile) <= size for pile, size in zip(piles, sizes, strict=True)):
                yield from fill(i + 1)
            for holder in holders:
                piles[holder].pop()

    return fill(0)
