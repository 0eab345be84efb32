"""Random leads, hands, ruffs and rounds in batches, for what is measured by the thousand.

`copies [n, 54]` says how many of each card (0, 1, 2; the cards of `renege.games.tractor`) a row holds. From it come the
piles of the kernel and the plays, card after card, that the published method reads. Spades are trumps at level 2
throughout: suits may be renamed and a plain suit closes up over any level, so no other round has other shapes.
"""

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from renege.games.tractor.order import DECK, RANKS, TRUMP, order
from renege.games.tractor.spoj import NAMES as PLAYERS
from renege.games.tractor.spoj import read_blob, winner_of
from study.compiled import BEYOND
from study.paper import COPIES, MOST_CARDS, TRUMP_LINE

Copies = NDArray[np.int8]  # [n, 54]
Piles = NDArray[np.uint64]  # [n, 2]
Typed = tuple[NDArray[np.uint8], NDArray[np.uint8]]  # cards [n, 25] in the order typed, sizes [n]
Sizes = NDArray[np.int64]

KINDS = len(DECK.names)
HAND = MOST_CARDS
ORDER = order("S2")
HEARTS, CLUBS, DIAMONDS = (ORDER.suits.index(suit) for suit in "HCD")
OWN = np.array([[led == suit for led in ORDER.led_suit] for suit in range(len(ORDER.suits))])  # [suit, 54]
_LINE = np.array([DECK.names.index(card) for card in TRUMP_LINE])


def piles(copies: Copies) -> Piles:
    """The kinds in each row and the kinds in it twice, a bit each."""
    found = np.zeros((len(copies), COPIES), np.uint64)
    for kind in range(copies.shape[1]):  # kind by kind, since all at once takes 8 bytes for every 0
        for copy in range(COPIES):
            found[:, copy] |= (copies[:, kind] > copy).astype(np.uint64) << np.uint64(kind)
    return found


def typed(copies: Copies) -> Typed:
    """Each row's cards in the order of the deck, copies side by side: the order that hides the fewest pairs."""
    cards = np.full((len(copies), HAND), BEYOND, np.uint8)
    sizes = np.zeros(len(copies), np.uint8)
    for kind in np.flatnonzero(copies.any(axis=0)).tolist():
        for copy in range(COPIES):
            rows = np.flatnonzero(copies[:, kind] > copy)
            cards[rows, sizes[rows]] = kind
            sizes[rows] += 1
    return cards, sizes


def shuffled(plays: Typed, rng: np.random.Generator) -> Typed:
    """The same plays, typed in any order."""
    cards, sizes = plays
    keys = np.where(np.arange(HAND) < sizes[:, None], rng.random(cards.shape), 2.0)
    return np.take_along_axis(cards, np.argsort(keys, axis=1), axis=1), sizes


def taken(source: Copies, wish: NDArray[np.float64], sizes: Sizes) -> Copies:
    """From each row its `sizes` cards of greatest `wish [n, 54, 2]`, a number for each copy."""
    there = _by_copy(source)
    ranked = np.where(there, wish, -1.0).reshape(len(source), -1)
    place = np.argsort(np.argsort(-ranked, axis=1), axis=1)
    return ((place < sizes[:, None]) & (ranked >= 0)).reshape(there.shape).sum(axis=2, dtype=np.int8)


def _by_copy(copies: Copies) -> NDArray[np.bool_]:
    return np.stack([copies >= 1, copies >= 2], axis=2)


def on_trumps(leads: NDArray[np.int8]) -> Copies:
    """The experiment's leads [n, 16] as cards of the trump suit; of the level cards off suit, hearts."""
    copies = np.zeros((len(leads), KINDS), np.int8)
    copies[:, _LINE] = leads
    return copies


def follows(leads: Copies, seed: int) -> tuple[Copies, Copies]:
    """A hand of 25 for each lead of trumps, with every trump that the lead leaves, and a play from it.

    Half of the plays keep pairs together, as a careful player would; the others are trumps at random.
    """
    rng = np.random.default_rng(seed)
    rows = len(leads)
    wish = rng.random((rows, KINDS, COPIES)) + OWN[TRUMP][:, None]
    hands = taken((COPIES - leads).astype(np.int8), wish, np.full(rows, HAND))
    together = (rng.random(rows) < 0.5)[:, None, None] & (hands == COPIES)[:, :, None]
    wish = np.where(together, 1 + rng.random((rows, KINDS, 1)), rng.random((rows, KINDS, COPIES)))
    return hands, taken(hands, wish + 2 * OWN[TRUMP][:, None], leads.sum(axis=1, dtype=np.int64))


def from_suit(suit: int, most: int, rows: int, seed: int) -> Copies:
    """The experiment on a real suit: 1 to `most` cards, each size as likely, from its kinds, two of each."""
    rng = np.random.default_rng(seed)
    whole = np.tile(COPIES * OWN[suit], (rows, 1)).astype(np.int8)
    return taken(whole, rng.random((rows, KINDS, COPIES)), rng.integers(1, most + 1, size=rows))


def every(suit: int) -> Copies:
    """All holdings of a plain suit, the empty one included."""
    kinds = np.flatnonzero(OWN[suit]).tolist()
    numbers = np.arange(int(3 ** len(kinds)))  # in base three, a digit for each kind
    copies = np.zeros((len(numbers), KINDS), np.int8)
    for place, kind in enumerate(kinds):
        copies[:, kind] = numbers // 3**place % 3
    return copies


def hands(deals: int, seed: int) -> Copies:
    """Four hands of 25 for each deal of two packs; eight cards stay out."""
    rng = np.random.default_rng(seed)
    owner = rng.permuted(np.tile(np.repeat(np.arange(5), (HAND, HAND, HAND, HAND, 8)), (deals, 1)), axis=1)
    each = owner.reshape(deals, KINDS, COPIES)
    return np.concatenate([(each == seat).sum(axis=2, dtype=np.int8) for seat in range(4)])


def ruffs(rows: int, size: int, together: float, seed: int, ruffing: int = 3) -> NDArray[np.int8]:
    """Throws of hearts, one or three ruffs with trumps, and else clubs and diamonds: `int8[rows, 4, 54]`.

    Two copies of a card are drawn as one with probability `together`, and else each by itself. Leads of one unit are
    drawn again. The last pair of a play is cut where it does not fit.
    """
    if not 2 <= size < COPIES * OWN[HEARTS].sum():
        raise ValueError(f"a throw of hearts has 2 to 23 cards, not {size}")
    if not 0 <= together < 1:
        raise ValueError(f"{together} of the pairs together: with all of them there are sizes without a throw")
    rng = np.random.default_rng(seed)
    left = np.full((rows, KINDS), COPIES, np.int8)
    plays: list[Copies] = []
    for suit in (HEARTS, TRUMP, TRUMP, TRUMP) if ruffing == 3 else (HEARTS, TRUMP, CLUBS, DIAMONDS):
        source = (left * OWN[suit]).astype(np.int8)
        play = _drawn(source, size, together, rng)
        while not plays and (again := _one_unit(play)).any():
            play[again] = _drawn(source[again], size, together, rng)
        left = (left - play).astype(np.int8)
        plays.append(play)
    return np.stack(plays, axis=1)


def _drawn(source: Copies, size: int, together: float, rng: np.random.Generator) -> Copies:
    rows = len(source)
    wish = rng.random((rows, KINDS, COPIES))
    wish[:, :, 1] = np.where(rng.random((rows, KINDS)) < together, wish[:, :, 0], wish[:, :, 1])
    return taken(source, wish, np.full(rows, size))


def _one_unit(hearts: Copies) -> NDArray[np.bool_]:
    """Which leads of two hearts and more are a pair or a tractor? At level 2 all hearts are consecutive."""
    own = hearts[:, OWN[HEARTS]]
    first, last = (own > 0).argmax(axis=1), own.shape[1] - 1 - (own[:, ::-1] > 0).argmax(axis=1)
    return (own != 1).all(axis=1) & (last - first + 1 == (own == COPIES).sum(axis=1))


def rounds(count: int, seed: int) -> Iterator[str]:
    """Lines for the contest judge: whole rounds, leads of up to six cards, follows that keep to the suit."""
    rng = random.Random(seed)
    yield str(count)
    for _ in range(count):
        trump, levels = rng.choice("SHCD"), (rng.choice(RANKS), rng.choice(RANKS))
        leader = seat = rng.randrange(4)
        yield f"{trump} {PLAYERS[leader]} {levels[0]} {levels[1]}"
        table = order(trump + levels[leader % 2])
        pack = [card for card in range(KINDS) for _ in range(COPIES)]
        rng.shuffle(pack)
        held = [sorted(pack[HAND * i : HAND * (i + 1)]) for i in range(4)]
        while held[0]:
            led = table.led_suit[rng.choice(held[seat])]
            size = rng.choice((1, 1, 2, 2, 3, 4, 6))
            blobs: list[str] = []
            for i in range(4):
                hand = held[(seat + i) % 4]
                hand.sort(key=lambda card: (table.led_suit[card] != led, card))
                own = sum(table.led_suit[card] == led for card in hand)
                size = min(size, own) if i == 0 else size
                start = rng.randint(0, max(0, own - size))
                blobs.append("".join(_contest_name(card) for card in hand[start : start + size]))
                del hand[start : start + size]
            yield " ".join(blobs)
            seat = (seat + winner_of(table, [read_blob(blob) for blob in blobs])) % 4


def _contest_name(card: int) -> str:
    return {"LJ": "BJ", "BJ": "RJ"}.get(DECK.names[card], DECK.names[card])
