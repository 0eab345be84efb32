"""What does the published method answer? Its rank map, decomposition, matching and lead experiment.

The paper is "Deterministic Isomorphic Validation of Composite Card Structures in Non-Monotonic Rank Hierarchies"
(2026). Its pseudo-code (Algorithms 1 to 4) and the program published beside it differ, and **both err**: see `Source`,
the notes on each function and `tests/research/test_paper_method.py`. Nothing here judges a play: the study and the
tests compare it with the exact engine, and nobody else calls it.

Cards are written suit first, `HK`, `ST`; jokers are `LJ` and `BJ`. A play is a sequence of them **in the order
typed**, since the answers depend on it. Lengths of tractors are in cards, as in the paper: 4 is two pairs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

RANKS = "23456789TJQKA"
SUITS = "SHCD"
JOKERS = ("LJ", "BJ")


class Source(Enum):
    """Which of the two published forms of the method."""

    PRINTED = "printed"  # the paper's pseudo-code
    CODE = "code"  # the C++ program published with it


@dataclass(frozen=True, slots=True)
class Setting:
    """The level and the main suit of a round; a main suit of None is the paper's `O`, no trump suit."""

    level: str
    main: str | None

    def __post_init__(self) -> None:
        if len(self.level) != 1 or self.level not in RANKS:
            raise ValueError(f"{self.level!r} is no level: {' '.join(RANKS)}")
        if self.main is not None and (len(self.main) != 1 or self.main not in SUITS):
            raise ValueError(f"{self.main!r} is no main suit: {' '.join(SUITS)}, or None")


def cards_in(blob: str) -> tuple[str, ...]:
    """The cards of a play typed in one word.

    >>> cards_in("HAHALJ")
    ('HA', 'HA', 'LJ')
    """
    cards = tuple(blob[at : at + 2] for at in range(0, len(blob), 2))
    for card in cards:
        _check_card(card)
    return cards


def _check_card(card: str) -> None:
    if card not in JOKERS and (len(card) != 2 or card[0] not in SUITS or card[1] not in RANKS):
        raise ValueError(f"{card!r} is no card of this deck")


# --- Algorithm 1 --------------------------------------------------------------------------------------------


def phi(card: str, setting: Setting, source: Source = Source.CODE) -> int:
    """Algorithm 1: the number of a card, so that neighbours in one suit differ by 1.

    With a main suit: plain suits 1..12, main suit 13..24, the level off suit 25 and on suit 26, jokers 27 and 28.
    The lowest main card and every plain ace are neighbours as numbers (12, 13); only the suit tells them apart.
    Without a main suit the program has plain suits 1..12, level cards 14, jokers 15 and 16. The printed form has no
    such branch: a level card gets the number of the rank above it, and a joker, which has no rank, gets none.
    """
    _check_card(card)
    level = _precedence(setting.level)
    if setting.main is not None:
        if card in JOKERS:
            return 27 + JOKERS.index(card)
        if card[1] == setting.level:
            return 26 if card[0] == setting.main else 25
    elif source is Source.CODE:
        if card in JOKERS:
            return 15 + JOKERS.index(card)
        if card[1] == setting.level:
            return 14
    elif card in JOKERS:
        raise ValueError(f"Algorithm 1 as printed gives {card} no number without a main suit")
    rank = _precedence(card[1])
    return rank - (rank > level) + (12 if card[0] == setting.main else 0)


def _precedence(rank: str) -> int:
    return RANKS.index(rank) + 1


def is_trump(card: str, setting: Setting) -> bool:
    """Is it a joker, a level card or of the main suit?"""
    return card in JOKERS or card[1] == setting.level or card[0] == setting.main


# --- Algorithm 2 --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Structure:
    """What `get_structure` makes of a play: the paper's template B."""

    tractors: tuple[int, ...]  # cards in each, in the order found
    pairs: int
    singles: int

    @property
    def needs(self) -> tuple[int, ...]:
        """The blocks as card counts, one after another (the paper's Linearize)."""
        return self.tractors + (2,) * self.pairs + (1,) * self.singles

    @property
    def blocks(self) -> int:
        """The paper's n."""
        return len(self.tractors) + self.pairs + self.singles

    @property
    def longest(self) -> int:
        """Cards in the longest block: the kitty counts two to this power."""
        return max(self.needs, default=0)


def get_structure(cards: Sequence[str], setting: Setting, source: Source = Source.CODE) -> Structure:
    """Algorithm 2: cut tractors, then pairs, then singles out of the sorted play, greedily.

    Known errors, in both forms:

    - Window lengths run n, n-2, ..., so in an odd number of cards **no even length is ever tried** and no tractor is
      found as such. The printed form then has pairs. The program's odd window borrows the card after it: three
      pairs in a row become a tractor of 5 cards and a single, two pairs in a row stay two pairs. (A window at the end
      of the play borrows what an earlier, longer trick left in memory, and may take it for a pair. Here nothing lies
      there.)
    - Cards are sorted by number alone and pairs are neighbours in that list, so level cards of two suits that were
      typed in turns hide each other's pairs. (From 17 cards on the program's sort need not even keep the order typed;
      what it answers then depends on the library it was built with. Here equal numbers stay as typed.)
    - A tractor must fill consecutive places, so of several pairs on the off-suit level step one at most chains down
      and one up, and a run through that step with another pair beside it is not found.
    """
    cards = _sorted_by_number(cards, setting, source)
    n = len(cards)
    used = [False] * n
    tractors: list[int] = []
    for length in range(n, 3, -2):
        for start in range(n - length + 1):
            # The program looks at the first card of each pair only.
            seen = used[start : start + length : 2 if source is Source.CODE else 1]
            if not any(seen) and _is_sequence_of_pairs(cards, start, length, setting, source):
                tractors.append(length)
                used[start : start + length] = [True] * length
    pairs = 0
    for at in range(n - 1):
        if not used[at] and not used[at + 1] and cards[at] == cards[at + 1]:
            pairs += 1
            used[at] = used[at + 1] = True
    return Structure(tuple(tractors), pairs, used.count(False))


def _sorted_by_number(cards: Sequence[str], setting: Setting, source: Source) -> list[str]:
    return sorted(cards, key=lambda card: phi(card, setting, source))


def _is_sequence_of_pairs(cards: Sequence[str], start: int, length: int, setting: Setting, source: Source) -> bool:
    if length % 2 and source is Source.PRINTED:
        return False
    for at in range(start, start + length, 2):
        if at + 1 >= len(cards) or cards[at] != cards[at + 1]:
            return False
        if at > start and not _is_next(cards[at - 2], cards[at], setting, source):
            return False
    return True


def _is_next(low: str, high: str, setting: Setting, source: Source) -> bool:
    one_suit = is_trump(high, setting) or low[0] == high[0]
    return one_suit and phi(high, setting, source) == phi(low, setting, source) + 1


# --- Algorithms 3 and 4 -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Match:
    """The answer of `same_structure`, and what it cost."""

    conforms: bool
    permutations: int  # orders of the lead's blocks that were tried
    placements: int  # blocks that were tried, over all orders


def same_structure(lead: Structure, follow: Structure, source: Source = Source.CODE) -> Match:
    """Algorithm 3: do the follower's blocks serve the lead's, in some order of the lead's?

    The printed form sorts the blocks in *descending* order and then asks for the next permutation. Descending order
    is the last one, so it tries a single order and refuses plays that fit (two 2-runs and a 3-run into a 4-run and a
    3-run). The program sorts in ascending order and does try every *distinct* order: `distinct_orders`, never n!.
    """
    needs = sorted(lead.needs, reverse=source is Source.PRINTED)
    permutations = placements = 0
    while True:
        permutations += 1
        served = _serve(needs, follow)
        placements += min(served + 1, len(needs))
        if served == len(needs):
            return Match(True, permutations, placements)
        if not next_permutation(needs):
            return Match(False, permutations, placements)


def _serve(needs: Sequence[int], follow: Structure) -> int:
    """How many blocks, taken in this order, are served before one is not."""
    tractors, pair_cards, singles = list(follow.tractors), 2 * follow.pairs, follow.singles
    for served, need in enumerate(needs):
        if need == 1 and singles > 0:
            singles -= 1
        elif need <= 2 and pair_cards > 0:
            pair_cards -= need  # may fall to -1: harmless, the card it lacks is always there in a run
        elif not consume_from_tractors(tractors, need):
            return served
    return len(needs)


def consume_from_tractors(tractors: list[int], need: int) -> bool:
    """Algorithm 4: cut `need` cards off the first tractor that is long enough."""
    for at, length in enumerate(tractors):
        if length >= need:
            tractors[at] = length - need
            return True
    return False


def next_permutation(needs: list[int]) -> bool:
    """Turn the list into the next order, as a dictionary would have it; False, and no change, after the last one."""
    rise = next((at for at in range(len(needs) - 2, -1, -1) if needs[at] < needs[at + 1]), None)
    if rise is None:
        return False
    other = next(at for at in range(len(needs) - 1, rise, -1) if needs[at] > needs[rise])
    needs[rise], needs[other] = needs[other], needs[rise]
    needs[rise + 1 :] = needs[:rise:-1]
    return True


def distinct_orders(needs: Sequence[int]) -> int:
    """Orders of the blocks that differ: the most that the program can try. The paper counts n! instead."""
    return factorial(len(needs)) // prod(factorial(copies) for copies in Counter(needs).values())


# --- the winner, as the program finds it --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """A trick as the program settles it."""

    winner: int  # 0 the leader, then 1 to 3 in the order of play
    lead: Structure
    permutations: int  # tried for all followers together


def settle(plays: Sequence[Sequence[str]], setting: Setting) -> Outcome:
    """Who wins a trick, by the published program; the leader's play comes first.

    A trump throw wins at once. A follower counts when all its cards are trumps or when, the lead being one block, its
    printed suits are those of the lead; it must match the lead's structure, and then the highest `honor` wins, ties
    to the earlier. The leader's own is its lowest card. Hands are no input: nothing is ever found illegal.
    """
    lead = _sorted_by_number(plays[0], setting, Source.CODE)
    structure = get_structure(lead, setting)
    all_trumps = all(is_trump(card, setting) for card in lead)
    is_throw = structure.blocks > 1
    winner, best, permutations = 0, phi(lead[0], setting), 0
    if all_trumps and is_throw:
        return Outcome(0, structure, 0)
    for seat, play in enumerate(plays[1:], start=1):
        if not all(is_trump(card, setting) for card in play):
            same_suits = _printed_suits(play) == _printed_suits(lead)
            if is_throw or not same_suits or phi(play[0], setting) > 13:
                continue
        match = same_structure(structure, get_structure(play, setting))
        permutations += match.permutations
        if match.conforms and (value := honor(structure, play, setting)) > best:
            winner, best = seat, value
    return Outcome(winner, structure, permutations)


def _printed_suits(cards: Sequence[str]) -> Counter[str]:
    return Counter(card[0] for card in cards if card not in JOKERS)


def honor(lead: Structure, play: Sequence[str], setting: Setting) -> int:
    """The number that a ruff is compared by: the top of what serves the lead's longest block.

    Blocks take the *lowest* cards that serve, longest block first. Where the lead has several of the longest kind the
    best of them counts, else a higher one left over is not seen. -1 if nothing was placed.
    """
    cards = _sorted_by_number(play, setting, Source.CODE)
    numbers = [phi(card, setting) for card in cards]
    used = [False] * len(cards)
    best = (0, -1)  # length, number

    def place(length: int) -> bool:
        nonlocal best
        for start in range(len(cards) - length + 1):
            last = start + length - 1
            if any(used[start : last + 1 + length % 2]) if length > 1 else used[start]:
                continue
            if length > 1 and not _is_sequence_of_pairs(cards, start, length, setting, Source.CODE):
                continue
            best = max(best, (length, numbers[max(last - 1, start)]))
            used[start : last + 1] = [True] * length
            return True
        return False

    for length in lead.tractors:
        if not place(length):
            break
    for length in (2,) * lead.pairs + (1,) * lead.singles:
        place(length)
    return best[1]


# --- the experiment: 20,000 random leads --------------------------------------------------------------------

STEPS, COPIES, MOST_CARDS = 16, 2, 25
MOST_TRACTORS = (STEPS + 1) // 3
# One card for each of the experiment's 16 ranks: the trumps of a round, with one suit for the off-suit level.
ROUND = Setting("2", "S")
TRUMP_LINE = (*(f"S{rank}" for rank in RANKS[1:]), "H2", "S2", *JOKERS)
# The paper's zones, by number of blocks: its "real-time", "latency" and "limit" zones.
ZONES = ((1, 9), (10, 12), (13, STEPS))


@dataclass(frozen=True, slots=True, eq=False)
class Leads:
    """Leads sorted by size, blocks and tractors; weights are counts of leads drawn, or exact probabilities."""

    weight: NDArray[np.float64]  # [cards 0..25, blocks 0..16, tractors 0..5]

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    @property
    def by_blocks(self) -> tuple[float, ...]:
        """Figure 5: leads with 0, 1, ..., 16 blocks."""
        return tuple(float(x) for x in self.weight.sum(axis=(0, 2)))

    @property
    def zones(self) -> tuple[float, ...]:
        """Table IV: the share of leads in each of the three zones."""
        return tuple(sum(self.by_blocks[low : high + 1]) / self.total for low, high in ZONES)

    @property
    def most_blocks(self) -> int:
        return max(blocks for blocks, weight in enumerate(self.by_blocks) if weight)

    @property
    def tractors_by_blocks(self) -> tuple[float, ...]:
        """Figure 6: mean number of tractors in a lead of 0, 1, ..., 16 blocks."""
        leads = self.weight.sum(axis=0)
        tractors = leads @ np.arange(MOST_TRACTORS + 1)
        return tuple(float(t / n) if n else 0.0 for t, n in zip(tractors, leads.sum(axis=1), strict=True))

    @property
    def blocks_by_size(self) -> tuple[float, ...]:
        """Mean number of blocks in a lead of 0, 1, ..., 25 cards."""
        leads = self.weight.sum(axis=2)
        blocks = leads @ np.arange(STEPS + 1)
        return tuple(float(b / n) if n else 0.0 for b, n in zip(blocks, leads.sum(axis=1), strict=True))

    def tractor_share(self, low: int = 1, high: int = STEPS) -> float:
        """The mean over leads of `low` to `high` blocks of each lead's share of tractors: a lead counts as one."""
        return self._share_moment(1, low, high)

    def pooled_tractor_share(self, low: int = 1, high: int = STEPS) -> float:
        """Tractors among all blocks of those leads, put together: a block counts as one, so long leads count more."""
        leads = self.weight.sum(axis=0)[low : high + 1]
        tractors = (leads @ np.arange(MOST_TRACTORS + 1)).sum()
        return float(tractors / (leads.sum(axis=1) @ np.arange(low, high + 1)))

    def tractor_share_deviation(self, low: int = 1, high: int = STEPS) -> float:
        """How much that share differs from lead to lead (standard deviation)."""
        return (self._share_moment(2, low, high) - self._share_moment(1, low, high) ** 2) ** 0.5

    def _share_moment(self, power: int, low: int, high: int) -> float:
        leads = self.weight.sum(axis=0)[low : high + 1]
        shares = np.arange(MOST_TRACTORS + 1)[None, :] / np.arange(low, high + 1)[:, None]
        return float((leads * shares**power).sum() / leads.sum())


def draw_leads(n: int, seed: int) -> NDArray[np.int8]:
    """Random leads as the paper draws them: copies of each rank, [n, 16].

    A size from 1 to 25, each as likely, then so many cards of 16 ranks with two copies each, without return. No hand
    is dealt and no lead is tested: nearly all of these throws would be stopped at a table.
    """
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, MOST_CARDS + 1, size=n)
    places = rng.permuted(np.tile(np.arange(STEPS * COPIES), (n, 1)), axis=1)
    return (places < sizes[:, None]).reshape(n, STEPS, COPIES).sum(axis=2, dtype=np.int8)


def lead_cards(copies: Sequence[int] | NDArray[np.int8]) -> tuple[str, ...]:
    """A lead of the experiment as cards of a trump suit (`ROUND`), for the matchers."""
    return tuple(card for card, count in zip(TRUMP_LINE, copies, strict=True) for _ in range(count))


def leads_experiment(n: int = 20_000, seed: int = 2026) -> Leads:
    """The paper's experiment: draw leads, cut each into longest runs of pairs, other pairs and singles, and count.

    That is how the paper's notebook counts blocks. It is not `get_structure`, which finds no tractor in an odd lead.
    """
    copies = draw_leads(n, seed)
    weight = np.zeros((MOST_CARDS + 1, STEPS + 1, MOST_TRACTORS + 1))
    np.add.at(weight, (copies.sum(axis=1), *count_blocks(copies)), 1.0)
    return Leads(weight)


def count_blocks(copies: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The blocks and the tractors among them, for each of many leads [n, 16]."""
    pair = np.zeros((len(copies), STEPS + 2), np.bool_)
    pair[:, 1:-1] = copies == COPIES
    starts = pair[:, 1:-1] & ~pair[:, :-2]
    blocks = starts.sum(axis=1) + (copies == 1).sum(axis=1)
    return blocks, (starts & pair[:, 2:]).sum(axis=1)


def leads_exactly() -> Leads:
    """The same experiment without chance: the probability of every size, number of blocks and of tractors."""
    ways: Counter[tuple[int, int, int, int]] = Counter({(0, 0, 0, 0): 1})  # cards, blocks, tractors, pairs in the run
    for _ in range(STEPS):
        after: Counter[tuple[int, int, int, int]] = Counter()
        for (cards, blocks, tractors, run), count in ways.items():
            after[cards, blocks, tractors, 0] += count
            after[cards + 1, blocks + 1, tractors, 0] += COPIES * count
            after[cards + 2, blocks + (run == 0), tractors + (run == 1), min(run + 1, 2)] += count
        ways = after
    weight = np.zeros((MOST_CARDS + 1, STEPS + 1, MOST_TRACTORS + 1))
    for (cards, blocks, tractors, _), count in ways.items():
        if 1 <= cards <= MOST_CARDS:
            weight[cards, blocks, tractors] += count / comb(STEPS * COPIES, cards) / MOST_CARDS
    return Leads(weight)
