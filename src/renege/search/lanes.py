"""Worlds laid out on the lanes of an environment, to be played on by a network.

What a seat has seen is played again in every world: the cards as they were dealt there, then every act as the actions
of the environment. So the kernel steps all worlds together, and a network sees what the seats of each world see.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renege.belief import Belief
from renege.core.cards import Cards
from renege.core.game import KITTY
from renege.core.position import KittyTaken, View, evidence_of
from renege.core.record import Record
from renege.core.trick import Play
from renege.core.world import World, piles_of
from renege.games.encoding import Encoding, Moment
from renege.native.arrays import I8, I32, U64

KINDS = 64  # of cards, that a mask has room for


@dataclass(frozen=True)
class Laid:
    """Deals from their beginning, and what was done in them so far."""

    piles: U64
    """`uint64[n, seats + 1, layer]`: as they were dealt."""
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

    Most often all worlds share the way here, and the cards as dealt are those in the hand and those played. Where a
    kitty was taken up and laid away face down, that one act is each world's own. After any other exchange face down
    worlds are laid one by one. `ValueError` where somebody spoke out of turn: the environments have no such act.
    """

    def __init__(self, view: View, belief: Belief, encoding: Encoding) -> None:
        self.view, self.belief, self.encoding = view, belief, encoding
        self._played = _played(view)
        self._way: Callable[[Sequence[World], U64], Laid] | None = None

    def lay(self, worlds: Sequence[World]) -> Laid:
        """The deals of these worlds, each played up to where the view is."""
        piles = piles_of(worlds)
        if self._way is None:
            self._way = self._find_way(worlds[0], piles[:1])
        return self._way(worlds, piles)

    def _find_way(self, world: World, piles: U64) -> Callable[[Sequence[World], U64], Laid]:
        record = self.belief.record(world)
        told = self._numbers(record)
        hidden = [i for i, (one, other) in enumerate(zip(record.acts, self.view.acts, strict=True)) if one != other]
        if not hidden:
            start = World(tuple(map(_known, record.start.hands)), _known(record.start.kitty))
            if (self.dealt(piles) == piles_of([start])).all():
                shared = np.array([[number for act in told for number in act]], np.int32)
                return lambda worlds, piles: Laid(self.dealt(piles), shared)
        taken = evidence_of(self.view.game).taken
        took = None if taken is None else taken(self.view)
        if took is not None and len(hidden) == 1 and list(told[hidden[0]]) == sorted(world.kitty):
            return _KittyWay(self, took, told, hidden[0]).lay
        return lambda worlds, piles: self._one_by_one(worlds)

    def _numbers(self, record: Record) -> list[tuple[int, ...]]:
        """Each act of a record as actions."""
        found, none = list[tuple[int, ...]](), self.encoding.game.deck.none
        for act, position in record.steps():
            if act.seat != position.turn:
                raise ValueError("somebody spoke out of turn, and no environment has that")
            found.append(Moment(self.encoding, record.start, position, (), none).numbers(act.what))
        return found

    def dealt(self, piles: U64) -> U64:
        """The cards as dealt: what is told of the beginning, or what is held with what was played."""
        out = _together(piles, self._played)
        for pile, cards in enumerate((*self.view.start.hands, self.view.start.kitty)):
            if isinstance(cards, Cards):
                out[:, pile] = layers_of(cards)
        return out

    def _one_by_one(self, worlds: Sequence[World]) -> Laid:
        records = [self.belief.record(world) for world in worlds]
        starts = [World(tuple(map(_known, record.start.hands)), _known(record.start.kitty)) for record in records]
        told = [[number for act in self._numbers(record) for number in act] for record in records]
        actions = np.full((len(told), max(map(len, told))), -1, np.int32)
        for row, numbers in zip(actions, told, strict=True):
            row[: len(numbers)] = numbers
        return Laid(piles_of(starts), actions)


class _KittyWay:
    """Worlds in which a seat took up a kitty that nobody else saw, and laid away what lies there now."""

    def __init__(self, layout: Layout, took: KittyTaken, told: list[tuple[int, ...]], hidden: int) -> None:
        self.layout, self.took = layout, took
        self.actions = np.array([number for act in told for number in act], np.int32)
        self.first = sum(map(len, told[:hidden]))
        self.size = layout.view.game.kitty_size
        self.rng = np.random.default_rng(layout.view.seat)

    def lay(self, worlds: Sequence[World], piles: U64) -> Laid:
        """What was taken up is drawn from what the seat then had: any cards are as likely that may have lain there."""
        dealt = self.layout.dealt(piles)
        buried = _copies(piles[:, KITTY])
        both = _copies(dealt[:, self.took.seat]).astype(np.int8) + buried
        seen, held = (_copies(layers_of(cards)[None]) for cards in (self.took.seen, self.took.held))
        free = both - seen - held
        free[:, [not self.took.kinds >> kind & 1 for kind in range(KINDS)]] = 0
        taken = seen + self._drawn(free, self.size - int(seen.sum()))
        layers = dealt.shape[2]
        dealt[:, self.took.seat], dealt[:, KITTY] = _layers(both - taken, layers), _layers(taken, layers)
        actions = np.repeat(self.actions[None], len(worlds), axis=0)
        actions[:, self.first : self.first + self.size] = _in_order(buried, layers).reshape(-1, self.size)
        return Laid(dealt, actions)

    def _drawn(self, free: I8, count: int) -> I8:
        """`int8[n, kinds]`: so many of these cards, each as likely as any other."""
        there = free[:, :, None] > np.arange(self.layout.view.game.deck.layers)
        lots = np.where(there, self.rng.random(there.shape), np.inf).reshape(len(free), -1)
        if (there.sum(axis=(1, 2)) < count).any():
            raise ValueError("there is a world in which no kitty could have been taken up")
        chosen = np.zeros(lots.shape, np.int8)
        np.put_along_axis(chosen, np.argsort(lots, axis=1)[:, :count], 1, axis=1)
        return chosen.reshape(there.shape).sum(axis=2, dtype=np.int8)


def _copies(pile: U64) -> I8:
    """`int8[n, kinds]`: how many of each kind are in `uint64[n, layer]`."""
    return (pile[:, :, None] >> np.arange(KINDS, dtype=np.uint64) & np.uint64(1)).sum(axis=1, dtype=np.int8)


def _layers(copies: I8, layers: int) -> U64:
    """`uint64[n, layer]`: the same as masks."""
    bits = np.uint64(1) << np.arange(KINDS, dtype=np.uint64)
    return np.stack([((copies > layer) * bits).sum(axis=1, dtype=np.uint64) for layer in range(layers)], axis=1)


def _in_order(copies: I8, layers: int) -> NDArray[np.intp]:
    """The kinds of all piles, one pile after the other, each from its lowest card up."""
    return np.nonzero(copies[:, :, None] > np.arange(layers))[1]


def _together(piles: U64, more: U64) -> U64:
    """The layers of two piles in one, the kinds that are there at least once, twice and so on."""
    out = piles | more
    for layer in range(piles.shape[-1]):
        for here in range(layer):
            out[..., layer] |= piles[..., here] & more[..., layer - 1 - here]
    return out


def layers_of(cards: Cards) -> U64:
    """`uint64[layer]`: a pile as masks."""
    return np.array([cards.at_least(copies + 1) for copies in range(cards.deck.layers)], np.uint64)


def _known(pile: object) -> Cards:
    assert isinstance(pile, Cards)
    return pile


def _played(view: View) -> U64:
    """`uint64[seats + 1, layer]`: what each seat has played; nothing comes from the kitty."""
    played = [view.game.deck.none for _ in range(view.game.players + 1)]
    for act in view.acts:
        if isinstance(act.what, Play):
            played[act.seat] = played[act.seat] + act.what.cards
    return np.stack([layers_of(cards) for cards in played])
