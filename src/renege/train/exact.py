"""A network as a strategy of a small game, so that what can be gained against it is computed and not sampled.

In every information set the network looks at the row that the seat to act sees there, and each act is as likely as the
network makes it; a play of several cards is as likely as all orders of picking it together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from renege.core.game import KITTY, Game
from renege.core.position import Position
from renege.core.trick import Play
from renege.envs import BatchEnv
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.rows import Rows
from renege.games.small import CardExpansion, Expansion
from renege.native.arrays import F64, I32, I64, U64
from renege.nets import NetFile
from renege.search.regret.cfr import Exploited, TreeEngine, exploitability
from renege.search.regret.expand import PositionExpansion, every_deal
from renege.search.regret.trees import FORCED, LEAF, Tree, build_tree

LANES = 4096
LEAST = 1e-12  # likelihoods below this are left out where picks branch


@dataclass(frozen=True)
class SmallGame:
    """A small game laid out: its tree, and the way to each of its information sets."""

    game: Game
    expansion: Expansion
    tree: Tree
    encoding: Encoding

    @classmethod
    def of(cls, game: Game) -> "SmallGame":
        expansion = game.facet(Expansion) or PositionExpansion(game)
        return cls(game, expansion, build_tree(expansion), encoding_of(game, Rows(1)))

    @cached_property
    def engine(self) -> TreeEngine:
        return TreeEngine(self.tree)

    def exploited(self, net: NetFile) -> Exploited:
        """What each seat could gain by a best response while the others play by the network's likelihoods."""
        return exploitability(self.engine, self.strategy(net))

    def strategy(self, net: NetFile) -> F64:
        """`float64[slots]`: how likely the network takes each act of each information set."""
        net.encoding(self.game)  # which refuses a network of another game
        if isinstance(self.expansion, CardExpansion):
            return self._by_batches(self.expansion, net)
        return self._by_moments(net)

    # -- the way to each information set

    @cached_property
    def _going(self) -> I64:
        """The nodes that have children."""
        return np.flatnonzero(self.tree.sets != LEAF)

    @cached_property
    def _examples(self) -> I64:
        """A node of each information set."""
        found = np.empty(len(self.tree.info), np.int64)
        nodes = np.flatnonzero(self.tree.sets >= 0)[::-1]
        found[self.tree.sets[nodes]] = nodes
        return found

    def _above(self, nodes: I64) -> I64:
        """The parents of nodes, by their places in `_going`."""
        return np.searchsorted(self.tree.children[self._going], nodes, side="right") - 1

    # -- games of single cards after one call: the environment's own tables, many sets at once

    def _by_batches(self, expansion: CardExpansion, net: NetFile) -> F64:
        info = self.tree.info
        actions = self._numbers(expansion)
        likes, env = np.empty(info.slots), BatchEnv(self.game, LANES, version=1)
        for sets, piles, acts in self._batches(expansion, actions):
            env.begin(piles, self.game.opening, acts)
            if not np.array_equal(env.mover[: len(sets)], info.seats[sets]):
                raise ValueError(f"{self.game.name}: the tables are not where the tree is")
            logits = net.logits(env.observation[: len(sets)])
            counts = np.diff(info.first_slots)[sets]
            within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
            slots = np.repeat(info.first_slots[sets], counts) + within
            likes[slots] = logits[np.repeat(np.arange(len(sets)), counts), actions[info.slot_acts[slots]]]
        first, counts = info.first_slots[:-1], np.diff(info.first_slots)
        chances = np.exp(likes - np.repeat(np.maximum.reduceat(likes, first), counts))
        return chances / np.repeat(np.add.reduceat(chances, first), counts)

    def _numbers(self, expansion: CardExpansion) -> I64:
        """The action of each act of the tree: a card, or the call that comes first."""
        names, start = list(self.game.deck.names), expansion.start(0)
        found = [names.index(act) if act in names else self.encoding.number(start, act) for act in expansion.acts]
        return np.array(found, np.int64)

    def _batches(self, expansion: CardExpansion, actions: I64) -> Iterator[tuple[I64, U64, I32]]:
        """Sets that lie equally deep, the cards of a deal that leads to each, and the actions on the way there."""
        info, deals = self.tree.info, self._deals()
        everything = np.uint64(self.game.deck.kinds)
        depth = self._depths()
        for length in np.unique(depth[info.histories]).tolist():
            deep = np.flatnonzero(depth[info.histories] == length)
            for first in range(0, len(deep), LANES):
                sets = deep[first : first + LANES]
                lanes = np.resize(sets, LANES)  # the last batch is filled up with sets that it has already
                hands = expansion.dealt[deals[lanes]].astype(np.uint64)
                piles = np.zeros((LANES, hands.shape[1] + 1, self.game.deck.layers), np.uint64)
                piles[:, :KITTY, 0] = hands
                piles[:, KITTY, 0] = everything & ~np.bitwise_or.reduce(hands, axis=1)
                yield sets, piles, actions[self._acts(info.histories[lanes], length)].astype(np.int32)

    def _deals(self) -> I64:
        """A deal in which each information set comes up."""
        at = self._examples.copy()
        deeper = np.flatnonzero(at >= self.tree.levels[1])
        while len(deeper):
            at[deeper] = self._going[self._above(at[deeper])]
            deeper = deeper[at[deeper] >= self.tree.levels[1]]
        return at

    def _depths(self) -> I64:
        """The acts of each history; a history stands behind the one that it goes on from."""
        parents = self.tree.info.history_parents
        depth, at = np.zeros(len(parents), np.int64), parents.astype(np.int64)
        while (at >= 0).any():
            depth += at >= 0
            at = np.where(at >= 0, parents[at], -1)
        return depth

    def _acts(self, histories: I32, length: int) -> I64:
        """`[n, length]`: the acts of histories that are so long."""
        info, at = self.tree.info, histories.astype(np.int64)
        columns: list[I64] = []
        for _ in range(length):
            columns.append(info.history_acts[at].astype(np.int64))
            at = info.history_parents[at].astype(np.int64)
        return np.stack(columns[::-1], axis=1) if columns else np.zeros((len(histories), 0), np.int64)

    # -- any game: position by position

    def _by_moments(self, net: NetFile) -> F64:
        info, chances = self.tree.info, np.zeros(self.tree.info.slots)
        starts = [start for start, _ in every_deal(self.game)]
        for number in range(len(info)):
            found: dict[str, float] = {}
            self._spread(net, self.moment(starts, number), 1.0, found)
            for slot in range(int(info.first_slots[number]), int(info.first_slots[number + 1])):
                chances[slot] = found.get(info.acts[int(info.slot_acts[slot])], 0.0)
            mine = slice(info.first_slots[number], info.first_slots[number + 1])
            chances[mine] /= chances[mine].sum()
        return chances

    def moment(self, starts: list[Position], number: int) -> Moment:
        """The table in an information set, all its cards told."""
        info, node, path = self.tree.info, int(self._examples[number]), list[int]()
        while node >= self.tree.levels[1]:
            parent = int(self._going[int(self._above(np.array([node]))[0])])
            place = node - int(self.tree.children[parent])
            chosen = int(self.tree.sets[parent])
            path.append(FORCED if chosen < 0 else int(info.slot_acts[info.first_slots[chosen] + place]))
            node = parent
        start = starts[node]
        moment = Moment(self.encoding, start, start, (), self.game.deck.none)
        for act in reversed(path):
            moment = moment.act(_what(moment.position, None if act == FORCED else info.acts[act]))
        return moment

    def _spread(self, net: NetFile, moment: Moment, chance: float, found: dict[str, float]) -> None:
        """How likely each whole act is, over all ways to pick its cards."""
        legal = list(moment.legal)
        likes = net.logits(moment.observe(moment.turn)[None])[0][legal].astype(np.float64)
        shares = np.exp(likes - likes.max())
        for action, share in zip(legal, (chance * shares / shares.sum()).tolist(), strict=True):
            after = moment.step(action)
            if isinstance(after, Moment):
                if share > LEAST:
                    self._spread(net, after, share, found)
                continue
            text = after if isinstance(after, str) else moment.position.spell(after)
            found[text] = found.get(text, 0.0) + share


def _what(position: Position, text: str | None) -> str | Play:
    """An act of the tree as it is done; the only one there is where none is named."""
    if text is None:
        return position.legal_calls[0] if position.talking else next(iter(position.legal_plays))
    if position.talking:
        return text
    assert position.order is not None
    return position.game.read_play(text, position.order)
