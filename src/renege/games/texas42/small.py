"""Small Texas 42: a smaller set of dominoes, small enough to be solved; the rules are those of the full game.

The tiles run to `pips` and not to the double six, each seat holds `hand` of them, and the rest sleep: nobody sees them.
There is no auction. The seat after the shaker has bid `bid` points, names trumps and leads; counters are the tiles
whose pips come to five or ten, as ever, and a trick is a point.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Hand
from renege.core.game import SEATS, Game, Standing
from renege.core.house_rules import asking
from renege.core.verdict import Objection
from renege.games.small import CardExpansion, seat_bytes, shrink
from renege.games.texas42.contract import Bid, Hand42, contract_of, declared_at, format_declaration, parse_declaration
from renege.games.texas42.declare import Auction
from renege.games.texas42.encoding import SmallEncoding42
from renege.games.texas42.order import COUNT, DECK, DECLARATIONS, TILES, TRUMPS, doubles_policy, pips
from renege.games.texas42.rules import DECLARE, ExposedTile, FollowMeDoubles, Rules, UnsaidTrump
from renege.native import cards as native
from renege.native.arrays import U32

FEWEST_PIPS, MOST_PIPS = 2, 4


@dataclass(frozen=True, slots=True)
class Small(Rules):
    """How small the game is; the house rules stay what they are."""

    follow_me_doubles: FollowMeDoubles = FollowMeDoubles.HIGH
    pips: int = asking("The highest pip: 3 makes a set of ten tiles.", 3)
    hand: int = asking("The tiles of a seat.", 2)
    bid: int = asking("The points that the declarers must take.", 6)

    def check(self) -> None:
        if self.unsaid_trump is not UnsaidTrump.NOT_ALLOWED:
            raise ValueError(f"unsaid_trump is {self.unsaid_trump.value}; in the shrunk game trumps are always named")
        if self.exposed_tile is not ExposedTile.OFF:
            raise ValueError(f"exposed_tile is {self.exposed_tile.value}; the shrunk game does not write them down")
        if not FEWEST_PIPS <= self.pips <= MOST_PIPS:
            raise ValueError(f"pips is {self.pips}; a shrunk set runs to {FEWEST_PIPS} to {MOST_PIPS}")
        tiles = DECK.kinds.bit_count() - self.left_out.bit_count()
        if not 1 <= self.hand <= tiles // len(SEATS):
            raise ValueError(f"hand is {self.hand}; {tiles} tiles are 1 to {tiles // len(SEATS)} for each seat")
        if self.bid not in self.bids:
            raise ValueError(f"bid is {self.bid}; there are {self.bids[-1]} points to take")

    @property
    def left_out(self) -> int:
        """The tiles that are not in the set."""
        return sum(1 << tile for tile in TILES if pips(tile)[0] > self.pips)

    @property
    def bids(self) -> range:
        counters = sum(count for tile, count in enumerate(COUNT) if pips(tile)[0] <= self.pips)
        return range(1, self.hand + counters + 1)


@dataclass(frozen=True)
class Naming(Auction):
    """All the talk there is: the seat after the shaker names trumps."""

    rules: Small

    @property
    def turn(self) -> int | None:
        return None if self.said else self._first

    @property
    def _first(self) -> int:
        return (self.dealer + 1) % len(SEATS)

    @property
    def high(self) -> tuple[Bid, int]:
        return Bid("bid", points=self.rules.bid), self._first

    @property
    def contract(self) -> Hand42 | None:
        if not self.said:
            return None
        name, doubles = parse_declaration(self.said[0])
        return contract_of(self.rules, name, doubles, *self.high, forced=False)

    def read(self, text: str) -> str:
        return format_declaration(*declared_at(self.rules, " ".join(text.lower().split())))

    def calls(self, hand: Hand) -> Iterator[str]:
        names = (format_declaration(name, doubles_policy(name)) for name in DECLARATIONS)
        return (call for call in names if self.objection(call, hand) is None)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        name, _ = parse_declaration(call)
        if name in TRUMPS[:-1] and int(name) > self.rules.pips:
            return Objection(DECLARE, f"no tile of this set has a {name}")
        return self._object_to_declaration(call, hand)


def _naming(rules: Small, standing: Standing) -> Naming:
    return Naming(rules, standing.dealer)


def shrunk(whole: Game) -> Game:
    """The shrunk game out of the whole one, whose rules are a `Small`."""
    deck, hand = DECK.stripped(whole.rules.left_out), whole.rules.hand
    kitty = len(deck) - len(SEATS) * hand
    facets = {"Encoding": SmallEncoding42, "Expansion": expansion}
    return shrink(whole, "texas42-small", deck, facets, talk=_naming, hand_size=hand, kitty_size=kitty)


def expansion(game: Game) -> CardExpansion:
    return CardExpansion(game, lambda contract: native.tables(game.order(game.rules, contract)), _taken, early=True)


def _taken(contract: Hand42, dealt: U32, states: U32) -> NDArray[np.int64]:
    """What each side has taken, and how many tiles are left: no more counts for the marks, or for the points."""
    points, tricks = seat_bytes(states[:, 6]).astype(np.int64), seat_bytes(states[:, 7]).astype(np.int64)
    left = np.bitwise_count(states[:, 0]).astype(np.int64)
    found = left
    for part in (points[:, 0] + points[:, 2], points[:, 1] + points[:, 3], tricks[:, 0] + tricks[:, 2]):
        found = found << 8 | part
    return found
