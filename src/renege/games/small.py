"""Small games: a game with a reduced deck, and the expansion of all its deals level by level.

`renege.search.regret.trees` builds a game tree from an expansion. A game of one card a play is a `CardExpansion`: the
kernel says what may be played, and the game's own positions say when a deal is over and what it is worth. Any other
game is expanded from its positions alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, prod
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Deck
from renege.core.game import Game
from renege.core.order import Order
from renege.core.position import Evidence, Position, deal_position, evidence_of
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native.arrays import F64, I32, I64, U8, U32, U64

OVER = -1
BITS = 21
"""What one pile takes in a seat's private code: its hand, the kitty if it saw it, what it laid there face down."""
MOST_MARKS = 1 << 26  # keys below this are marked in a table and not sorted
MOST_DEALS = 2_000_000
MOST_KINDS, MOST_PLAYS = 16, 16  # of a `CardExpansion`: the plays of a row are kept in 64 bits


def shrink(whole: Game, name: str, deck: Deck, facets: Mapping[str, object], **changes: Any) -> Game:
    """A game played with a part of its deck. What plays the whole game well, strategies and solvers, is left out."""

    def order(rules: Any, contract: Any) -> Order:
        return replace(whole.order(rules, contract), deck=deck)

    proved = evidence_of(whole)
    kept = {"Words": whole.facets["Words"], "Evidence": Evidence(proved.facts, proved.recall, stands=proved.stands)}
    return replace(
        whole, name=name, deck=deck, order=order, facets={**kept, **facets}, aside=None, claim=None, **changes
    )


@dataclass(frozen=True, slots=True)
class Options:
    """The legal acts of each row: whose turn it is (`OVER` at the end), how many acts, and all acts, row by row."""

    seats: NDArray[np.int8]
    counts: I32
    acts: I32


@runtime_checkable
class Expansion(Protocol):
    """All deals of a small game, a row each; what a row holds is up to the expansion."""

    @property
    def acts(self) -> Sequence[str]:
        """Every act by its number, as text; the list may grow while a tree is built."""
        ...

    def deals(self) -> tuple[Any, F64]:
        """A row for every deal, and how likely each is."""
        ...

    def take(self, rows: Any, which: I64) -> Any:
        """Some of the rows."""
        ...

    def options(self, rows: Any) -> Options: ...

    def private(self, rows: Any, seats: NDArray[np.int8]) -> U64:
        """What one seat of each row knows that not all do, as a code (`private_code`)."""
        ...

    def after(self, rows: Any, parents: I64, acts: I32) -> tuple[Any, I32]:
        """The rows after act i in row `parents[i]`, and what all seats learn of each act.

        That is the act itself, unless cards went over face down or the other hands made something else of it.
        """
        ...

    def payoffs(self, rows: Any) -> F64:
        """`[B, seats]`: what each seat wins in rows that are over."""
        ...


def gains(score: Sequence[int], *, sides: bool = True) -> tuple[float, ...]:
    """What a deal is worth to each seat, the others' counted against it.

    Payouts that sum to zero are that already; where every other seat shares a score it is theirs less that of the other
    side, and else it is what a seat has above the mean of the others. Without fixed `sides` it is always that mean: who
    sits where makes no difference then.
    """
    if sum(score) == 0:
        return tuple(map(float, score))
    if sides and len(score) % 2 == 0 and all(own == score[seat % 2] for seat, own in enumerate(score)):
        return tuple(float(own - score[1 - seat % 2]) for seat, own in enumerate(score))
    return tuple(own - (sum(score) - own) / (len(score) - 1) for own in score)


def pile_code(game: Game, pile: Cards) -> int:
    """A pile as a small number: the copies of each kind in the pack."""
    kinds = _kinds(game)
    code, copies = 0, game.deck.copies
    for place, kind in enumerate(kinds):
        code |= ((1 << pile.count(kind)) - 1) << place * copies
    return code


@lru_cache
def _kinds(game: Game) -> tuple[int, ...]:
    kinds = tuple(kind for kind in range(len(game.deck.names)) if game.deck.kinds >> kind & 1)
    if len(kinds) * game.deck.copies > BITS:
        raise ValueError(f"{game.name} has {len(game.deck)} {game.deck.noun}s: too many to lay out, {BITS} at most")
    return kinds


@dataclass(frozen=True, slots=True)
class CardRows:
    """Rows of a `CardExpansion`: the deal, the contract (by number; none yet, or thrown in), the table, the plays."""

    deals: I32
    contracts: NDArray[np.int8]
    states: U32
    plays: U64


UNSAID, THROWN_IN = -1, -2


class CardExpansion:
    """A game of one card a play after one call by one seat, as the kernel plays it.

    `tables` is a contract's order for the kernel, called ace included. `features(contract, dealt, states)` are numbers,
    one a row, that say all that counts when a deal is over, or may be: rows with equal ones are worth the same.
    `early`: a deal may be over before the last card.
    """

    def __init__(
        self,
        game: Game,
        tables: Callable[[Any], native.Tables],
        features: Callable[[Any, U32, U32], I64],
        *,
        early: bool,
    ) -> None:
        self.game, self.features, self.early = game, features, early
        self._kinds = _kinds(game)
        if game.players != native.KERNEL_SEATS:
            why = f"{game.players} seats, and the kernel lays out games of {native.KERNEL_SEATS}"
            raise ValueError(f"{game.name} has {why}; without an Expansion its tree is grown from positions")
        if len(self._kinds) > MOST_KINDS or game.players * game.hand_size > MOST_PLAYS:
            raise ValueError(f"{game.name} is too large to lay out: {MOST_PLAYS} plays of {MOST_KINDS} kinds at most")
        self._talk = game.talk(game.rules, game.opening)
        assert self._talk.turn is not None
        self._speaker = self._talk.turn
        holdings = combinations(self._kinds, game.hand_size)
        hands = (sum(1 << kind for kind in held) for held in holdings)
        self._calls = list(dict.fromkeys(call for hand in hands for call in self._calls_from(hand)))
        self.acts: list[str] = [*self._calls, *(game.deck.names[kind] for kind in self._kinds)]
        self._contracts = [self._talk.after(call).contract for call in self._calls]
        self._tables = [None if contract is None else tables(contract) for contract in self._contracts]
        self._settled: dict[tuple[int, int], tuple[float, ...] | None] = {}

    def _calls_from(self, hand: int) -> list[str]:
        return list(self._talk.calls(self.game.deck.of(hand)))

    # -- the deals

    @cached_property
    def dealt(self) -> U32:
        """`[D, 4]`: every way to deal the hands; what is left over sleeps."""
        cards, size = len(self._kinds), self.game.hand_size
        count = prod(comb(cards - seat * size, size) for seat in self.game.all_seats)
        if count > MOST_DEALS:
            raise ValueError(f"{self.game.name} has {count:,} deals: too many to lay out, {MOST_DEALS:,} at most")
        hands = np.array(
            [sum(1 << kind for kind in held) for held in combinations(self._kinds, self.game.hand_size)], np.uint32
        )
        found = hands[:, None]
        for _ in range(self.game.players - 1):
            used = np.bitwise_or.reduce(found, axis=1)
            row, hand = np.nonzero((used[:, None] & hands[None]) == 0)
            found = np.concatenate([found[row], hands[hand][:, None]], axis=1)
        return found

    def deals(self) -> tuple[CardRows, F64]:
        count = len(self.dealt)
        rows = CardRows(
            np.arange(count, dtype=np.int32),
            np.full(count, UNSAID, np.int8),
            np.zeros((count, 8), np.uint32),
            np.zeros(count, np.uint64),
        )
        return rows, np.full(count, 1 / count)

    def take(self, rows: CardRows, which: I64) -> CardRows:
        return CardRows(rows.deals[which], rows.contracts[which], rows.states[which], rows.plays[which])

    def start(self, deal: int) -> Position:
        """The position before the call."""
        deck = self.game.deck
        hands = tuple(deck.of(int(mask)) for mask in self.dealt[deal])
        asleep = deck.of(deck.kinds & ~int(np.bitwise_or.reduce(self.dealt[deal])))
        return deal_position(self.game, self.game.opening, hands, asleep)

    # -- what may be done

    def options(self, rows: CardRows) -> Options:
        seats = np.full(len(rows.deals), OVER, np.int8)
        masks = np.zeros(len(rows.deals), np.uint64)  # bit i for act i
        unsaid = rows.contracts == UNSAID
        seats[unsaid] = self._speaker
        masks[unsaid] = self._call_masks(self.dealt[rows.deals[unsaid], self._speaker])
        for number, tables in enumerate(self._tables):
            here = np.flatnonzero(rows.contracts == number)
            if tables is None or not len(here):
                continue
            legal = native.legal_masks(tables, rows.states[here])
            open_still = ~self._over(number, rows, here)
            here, legal = here[open_still], legal[open_still]
            terms = rows.states[here, 5]
            seats[here] = ((terms & 3) + (terms >> 2 & 3)) & 3
            masks[here] = self._coded(legal) << np.uint64(len(self._calls))
        counts = np.bitwise_count(masks).astype(np.int32)
        return Options(seats, counts, _bits(masks, int(counts.sum())))

    def _call_masks(self, hands: U32) -> U64:
        known, which = np.unique(hands, return_inverse=True)
        masks = [sum(1 << self._calls.index(call) for call in self._calls_from(int(hand))) for hand in known]
        return np.array(masks, np.uint64)[which]

    def _coded(self, cards: U32) -> U64:
        """Bit i for the kind i of the pack."""
        codes = np.zeros(len(cards), np.uint64)
        for place, kind in enumerate(self._kinds):
            codes |= (cards >> np.uint32(kind) & np.uint32(1)).astype(np.uint64) << np.uint64(place)
        return codes

    def _over(self, number: int, rows: CardRows, here: I64) -> NDArray[np.bool_]:
        """At the last trick nothing is left to choose; before it, where a deal may be decided early, positions tell."""
        states = rows.states[here]
        lying = states[:, 5] >> 2 & 3
        last = (lying == 0) & (np.bitwise_count(states[:, :4]).max(axis=1) <= 1)
        between = np.flatnonzero((lying == 0) & ~last & (states[:, 7] != 0))
        if self.early and len(between):
            last[between], _ = self._settle(number, self.take(rows, here[between]))
        return last

    def private(self, rows: CardRows, seats: NDArray[np.int8]) -> U64:
        return self._coded(self.dealt[rows.deals, seats])

    # -- what comes of it

    def after(self, rows: CardRows, parents: I64, acts: I32) -> tuple[CardRows, I32]:
        contracts, states = rows.contracts[parents], np.empty((len(parents), 8), np.uint32)
        plays, deals = rows.plays[parents], rows.deals[parents]
        said = contracts == UNSAID
        kinds = np.array([0] * len(self._calls) + list(self._kinds), np.uint8)[acts]
        for number, contract in enumerate(self._contracts):
            tables = self._tables[number]
            named = np.flatnonzero(said & (acts == number))
            if contract is None or tables is None:
                contracts[named] = THROWN_IN
                continue
            played = np.flatnonzero(contracts == number)
            states[played] = native.step(tables, rows.states[parents[played]], kinds[played])
            contracts[named] = number
            leaders = np.full(len(named), contract.leader, np.uint8)
            states[named] = native_schafkopf.states(tables, np.ascontiguousarray(self.dealt[deals[named]]), leaders)
        length = self._length(rows, parents)
        place = np.where(said, 0, acts - len(self._calls)).astype(np.uint64)
        plays |= np.where(said, np.uint64(0), place << (np.uint64(4) * length))
        return CardRows(deals, contracts, states, plays), acts

    def _length(self, rows: CardRows, which: I64) -> U64:
        """The cards played so far."""
        held = np.bitwise_count(rows.states[which, :4]).sum(axis=1)
        begun = rows.contracts[which] >= 0
        return np.where(begun, self.game.players * self.game.hand_size - held, 0).astype(np.uint64)

    # -- what it is worth

    def payoffs(self, rows: CardRows) -> F64:
        out = np.zeros((len(rows.deals), self.game.players))
        for number, contract in enumerate(self._contracts):
            here = np.flatnonzero(rows.contracts == number)
            if contract is None or not len(here):
                continue
            over, out[here] = self._settle(number, self.take(rows, here))
            assert over.all()
        return out

    def _settle(self, number: int, rows: CardRows) -> tuple[NDArray[np.bool_], F64]:
        """Are rows between two tricks over, and what are they worth? One row of each kind is asked about."""
        states = self._played_out(number, rows.states)
        features = self.features(self._contracts[number], self.dealt[rows.deals], states)
        known, first, which = numbered(features)
        worth: list[tuple[float, ...] | None] = []
        for feature, row in zip(known.tolist(), first.tolist(), strict=True):
            key = number, feature
            if key not in self._settled:
                self._settled[key] = self._ask(number, rows, row)
            worth.append(self._settled[key])
        over = np.array([value is not None for value in worth])
        return over[which], np.array([value or (0.0,) * self.game.players for value in worth])[which]

    def _played_out(self, number: int, states: U32) -> U32:
        """The last trick, which plays itself, is played."""
        tables = self._tables[number]
        assert tables is not None
        last = np.flatnonzero(np.bitwise_count(states[:, :4]).max(axis=1) == 1)
        states = states.copy()
        for _ in self.game.all_seats:
            cards = np.bitwise_count(native.legal_masks(tables, states[last]) - np.uint32(1)).astype(np.uint8)
            states[last] = native.step(tables, states[last], cards)
        return states

    def _ask(self, number: int, rows: CardRows, row: int) -> tuple[float, ...] | None:
        position = self.start(int(rows.deals[row])).call(self._calls[number])
        plays = int(rows.plays[row])
        for i in range(int(self._length(rows, np.array([row]))[0])):
            position = position.play(self.game.deck.names[self._kinds[plays >> 4 * i & 15]])
        while not position.over and len(position.hand) == 1:
            position = position.play(next(iter(position.legal_plays)))
        if not position.over:
            return None
        assert position.result is not None
        return gains(position.result.score)


def numbered(keys: I64) -> tuple[I64, I64, I64]:
    """`np.unique` with the first place of each key and the number of each row, without sorting where keys are small."""
    most = int(keys.max(initial=0)) + 1
    if most > MOST_MARKS or (len(keys) and keys.min() < 0):
        return np.unique(keys, return_index=True, return_inverse=True)
    there = np.zeros(most, np.bool_)
    there[keys] = True
    known = np.flatnonzero(there)
    number = np.empty(most, np.int64)
    number[known] = np.arange(len(known))
    which = number[keys]
    first = np.empty(len(known), np.int64)
    first[which[::-1]] = np.arange(len(keys))[::-1]  # what is written last stays
    return known, first, which


def _bits(masks: U64, total: int) -> I32:
    """The places of the bits in each mask, mask after mask, the lowest first."""
    out, at, rest = np.empty(total, np.int32), np.zeros(len(masks), np.int64), masks.copy()
    np.cumsum(np.bitwise_count(masks[:-1]), out=at[1:])
    while len(busy := np.flatnonzero(rest)):
        lowest = rest[busy] & (~rest[busy] + np.uint64(1))
        out[at[busy]] = np.bitwise_count(lowest - np.uint64(1))
        rest[busy] ^= lowest
        at[busy] += 1
    return out


def seat_bytes(words: U32) -> U8:
    """`[B, 4]`: the four bytes of each word, seat 0 lowest."""
    return np.stack([(words >> np.uint32(8 * seat)) & np.uint32(0xFF) for seat in range(4)], axis=-1).astype(np.uint8)
