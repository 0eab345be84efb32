"""The suit algebra of Texas 42: which suit a tile is of, and what beats what.

Calling a set of tiles takes them out of their own suits and makes them an eighth, with power (trumps) or without
(nello's doubles). All else is four small tables, under the names of the paper that proposed them
(`docs/rules/texas42.md` says where ours differ from its own, and why). Sevens has no suits: every tile is in the
called one and the nearest to seven pips is strongest.
"""

from functools import cache

import numpy as np

from renege.core.cards import Card, Deck
from renege.core.message import say
from renege.core.order import Order
from renege.games.texas42.rules import Doubles, DoublesTrump, Rules

PIPS = range(7)
CALLED = 7  # the suit of called tiles; 0..6 are the pips
DOUBLES, NOTHING = 7, 8  # what may be called besides a pip
PLURALS = ("blanks", "aces", "deuces", "treys", "fours", "fives", "sixes")


def tile(high: int, low: int) -> Card:
    """The tile with these ends, in either order."""
    high, low = max(high, low), min(high, low)
    return high * (high + 1) // 2 + low


_ENDS = tuple((high, low) for high in PIPS for low in range(high + 1))


def pips(card: Card) -> tuple[int, int]:
    """The ends of a tile, the higher first."""
    return _ENDS[card]


DECK = Deck(
    "double-six",
    names=tuple(f"{high}-{low}" for high, low in _ENDS),
    noun="tile",
    aliases=tuple((f"{low}-{high}", tile(high, low)) for high, low in _ENDS if low < high),
)
TILES = range(len(DECK.names))
COUNT = tuple({tile(5, 5): 10, tile(6, 4): 10, tile(5, 0): 5, tile(4, 1): 5, tile(3, 2): 5}.get(t, 0) for t in TILES)
IS_DOUBLE = tuple(high == low for high, low in _ENDS)
ALL_DOUBLES = sum(1 << t for t in TILES if IS_DOUBLE[t])
_SUMS = tuple(high + low for high, low in _ENDS)


def _rank(card: Card, doubles: Doubles) -> int:
    if not IS_DOUBLE[card]:
        return _SUMS[card]
    pip = pips(card)[0]
    return {Doubles.HIGH: 14, Doubles.LOW: 0, Doubles.OWN: pip, Doubles.OWN_INVERTED: 6 - pip}[doubles]


_CALLED_SETS = [*(sum(1 << t for t in TILES if pip in pips(t)) for pip in PIPS), ALL_DOUBLES, 0]

# [tile, called]: the suit a tile leads. [called, suit]: the tiles that follow it. [called]: the tiles with power.
# [doubles policy, tile]: how high it stands in its suit; doubles that are called rank among themselves.
EFFECTIVE_SUIT = np.array([[CALLED if mask >> t & 1 else pips(t)[0] for mask in _CALLED_SETS] for t in TILES], np.uint8)
SUIT_MASK = np.array(
    [
        [sum(1 << t for t in TILES if p in pips(t)) & ~called_set for p in PIPS] + [called_set]
        for called_set in _CALLED_SETS
    ],
    np.uint32,
)
HAS_POWER = np.array(_CALLED_SETS, np.uint32)
RANK = np.array([[_rank(t, doubles) for t in TILES] for doubles in Doubles], np.uint8)

# bytes: ours, and as the seed claims them
TABLE_BYTES = {
    "EFFECTIVE_SUIT": (EFFECTIVE_SUIT.nbytes, 252),
    "SUIT_MASK": (SUIT_MASK.nbytes, 288),
    "HAS_POWER": (HAS_POWER.nbytes, 252),
    "RANK": (RANK.nbytes, 252),
}

DECLARATIONS = (*(str(pip) for pip in PIPS), "doubles", "follow-me", "nello", "sevens")
TRUMPS = DECLARATIONS[:8]  # the declarations with power
# how doubles may stand, where that is a choice
CHOICES = {"follow-me": (Doubles.HIGH, Doubles.LOW, Doubles.OWN), "nello": tuple(Doubles)}


def doubles_policy(declaration: str, doubles: Doubles | None = None) -> Doubles:
    """How doubles stand under a declaration; only nello and follow-me leave a choice."""
    if declaration not in DECLARATIONS:
        raise ValueError(say("{quoted} is no declaration: {rest}", repr(declaration), " ".join(DECLARATIONS)))
    if doubles is None:
        return Doubles.OWN if declaration in ("nello", "doubles") else Doubles.HIGH
    if declaration not in CHOICES:
        why = say("how doubles stand is no choice under {quoted}, only in nello and follow-me", repr(declaration))
        raise ValueError(why)
    if doubles not in CHOICES[declaration]:
        raise ValueError("doubles are not own-inverted in follow-me; that order is known in nello alone")
    return doubles


def _called(declaration: str, doubles: Doubles) -> int:
    if declaration in TRUMPS:
        return TRUMPS.index(declaration)
    return DOUBLES if doubles in (Doubles.OWN, Doubles.OWN_INVERTED) else NOTHING


def tau(card: Card, led: int, declaration: str, doubles: Doubles | None = None) -> int:
    """The trick ranking of a tile once a suit is led: the tier (2 trump, 1 follows) over four bits of rank."""
    policy = doubles_policy(declaration, doubles)
    called = _called(declaration, policy)
    if declaration in TRUMPS and int(HAS_POWER[called]) >> card & 1:
        tier = 2
    elif int(SUIT_MASK[called, led]) >> card & 1:
        tier = 1
    else:
        return 0
    return tier << 4 | int(RANK[list(Doubles).index(policy), card])


@cache
def order(
    declaration: str, doubles: Doubles | None = None, doubles_trump: DoublesTrump = DoublesTrump.SIX_HIGH
) -> Order:
    """The order under a declaration."""
    policy = doubles_policy(declaration, doubles)
    if declaration == "sevens":
        return _sevens()
    called = _called(declaration, policy)
    noun = "trumps" if declaration in TRUMPS else "doubles"
    strength = [[tau(t, led, declaration, doubles) for t in TILES] for led in range(8)]
    if declaration == "doubles" and doubles_trump is DoublesTrump.INVERTED:
        inverted = RANK[list(Doubles).index(Doubles.OWN_INVERTED)]
        strength = [[2 << 4 | int(inverted[t]) if IS_DOUBLE[t] else row[t] for t in TILES] for row in strength]
    return Order(
        deck=DECK,
        suits=(*map(str, PIPS), "called"),
        nouns=(*PLURALS, noun),
        led_suit=tuple(int(suit) for suit in EFFECTIVE_SUIT[:, called]),
        follow=tuple(int(mask) for mask in SUIT_MASK[called]),
        strength=tuple(tuple(row) for row in strength),
        points=COUNT,
        trick_points=1,
        last_suit_first=True,
    )


def order_of(rules: Rules, declaration: str, doubles: Doubles) -> Order:
    """The order of a declaration at a table; how doubles stand matters where the declaration leaves it open."""
    return order(declaration, doubles if declaration in CHOICES else None, rules.doubles_trump)


def _sevens() -> Order:
    nearness = tuple(8 - abs(_SUMS[t] - 7) for t in TILES)
    return Order(
        deck=DECK,
        suits=(*map(str, PIPS), "called"),
        nouns=(*PLURALS, "tiles"),
        led_suit=(CALLED,) * len(TILES),
        follow=(*(0 for _ in PIPS), DECK.kinds),
        strength=(*((0,) * len(TILES) for _ in PIPS), nearness),
        points=COUNT,
        trick_points=1,
        last_suit_first=True,
    )
