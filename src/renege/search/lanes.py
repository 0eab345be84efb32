"""Worlds laid out on the lanes of an environment, to be played on by a network.

What a seat has seen is played again in every world: the cards as they were dealt there, then every act as the actions
of the environment. So the kernel steps all worlds together, and a network sees what the seats of each world see.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from renege.belief import Belief
from renege.core.cards import Cards
from renege.core.game import KITTY, SEATS
from renege.core.position import View
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.world import Drawn, World, piles_of
from renege.games.encoding import Encoding, Moment
from renege.native.arrays import I32, U64

LAYERS = 2  # of a pile: the kinds in it, and the kinds in it twice


@dataclass(frozen=True)
class Laid:
    """Deals from their beginning, and what was done in them so far."""

    piles: U64
    """`uint64[n, 5, 2]`: as they were dealt."""
    actions: I32
    """`int32[n, k]`: ended by -1 where there are fewer; one row for all where all are the same."""

    def __len__(self) -> int:
        return len(self.piles)

    def rows(self) -> I32:
        """`int32[n, k]`, a row for each deal."""
        return np.broadcast_to(self.actions, (len(self), self.actions.shape[1]))

    def each(self, times: int) -> "Laid":
        """Every deal so many times, one after the other."""
        return Laid(np.repeat(self.piles, times, axis=0), np.repeat(self.rows(), times, axis=0))


class Layout:
    """How the worlds of a view are laid: found once for the view, then used for all worlds that are drawn.

    Most often all worlds share the way here, and the cards as dealt are those in the hand and those played. Where cards
    changed hands face down each world has a way of its own. `ValueError` where somebody spoke out of turn: the
    environments have no such act.
    """

    def __init__(self, view: View, belief: Belief, encoding: Encoding) -> None:
        self.view, self.belief, self.encoding = view, belief, encoding
        self._played = _played(view)
        self._shared: I32 | None = None

    def lay(self, worlds: Sequence[World]) -> Laid:
        """The deals of these worlds, each played up to where the view is."""
        piles = _two_layers(worlds)
        if self._shared is None:
            record = self.belief.record(worlds[0])
            start = World(tuple(map(_known, record.start.hands)), _known(record.start.kitty))
            alike = record.acts == self.view.acts
            if not alike or (self._dealt(piles[:1]) != piles_of([start])).any():
                return self._one_by_one(worlds)
            self._shared = np.array([self.numbers(record)], np.int32)
        return Laid(self._dealt(piles), self._shared)

    def numbers(self, record: Record) -> list[int]:
        """The acts of a record as actions."""
        found, none = list[int](), self.encoding.game.deck.none
        for act, position in record.steps():
            if act.seat != position.turn:
                raise ValueError("somebody spoke out of turn, and no environment has that")
            found += Moment(self.encoding, record.start, position, (), none).numbers(act.what)
        return found

    def _dealt(self, piles: U64) -> U64:
        """The cards as dealt: what is told of the beginning, or what is held with what was played."""
        once, twice = piles[..., 0], piles[..., 1]
        out = np.stack([once | self._played[:, 0], twice | self._played[:, 1] | (once & self._played[:, 0])], axis=-1)
        for pile, cards in enumerate((*self.view.start.hands, self.view.start.kitty)):
            if isinstance(cards, Cards):
                out[:, pile] = [cards.at_least(copies + 1) for copies in range(LAYERS)]
        return out

    def _one_by_one(self, worlds: Sequence[World]) -> Laid:
        records = [self.belief.record(world) for world in worlds]
        starts = [World(tuple(map(_known, record.start.hands)), _known(record.start.kitty)) for record in records]
        told = [self.numbers(record) for record in records]
        actions = np.full((len(told), max(map(len, told))), -1, np.int32)
        for row, numbers in zip(actions, told, strict=True):
            row[: len(numbers)] = numbers
        return Laid(piles_of(starts), actions)


def _known(pile: object) -> Cards:
    assert isinstance(pile, Cards)
    return pile


def _played(view: View) -> U64:
    """`uint64[5, 2]`: what each seat has played."""
    played = [view.game.deck.none for _ in range(KITTY + 1)]
    for act in view.acts:
        if isinstance(act.what, Play):
            played[act.seat] = played[act.seat] + act.what.cards
    return np.array([[cards.at_least(copies + 1) for copies in range(LAYERS)] for cards in played], np.uint64)


def _two_layers(worlds: Sequence[World]) -> U64:
    """`uint64[n, 5, 2]`: worlds as arrays, also where no card is there twice."""
    piles = piles_of(worlds) if not isinstance(worlds, Drawn) else worlds.piles
    out = np.zeros((len(worlds), len(SEATS) + 1, LAYERS), np.uint64)
    out[:, :, : piles.shape[2]] = piles
    return out
