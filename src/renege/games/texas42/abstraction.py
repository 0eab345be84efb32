"""The abstraction of straight 42: a view as one integer key, and six ways (abstract actions) of choosing a tile.

Seats with equal keys share one strategy: that makes regret minimisation on the full game possible, and costs strength.
Everything is read from a `View`, so nothing hidden can be in a key. The kernel's `texas42/abstraction.hpp` says the
same for tables whose hands all lie open, and a test holds the two together; `docs/regret42.md` explains the fields.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from renege.core.cards import Card, kinds_in
from renege.core.game import SEATS
from renege.core.position import View
from renege.core.trick import Play
from renege.games.abstraction import Abstraction, AbstractView
from renege.games.strategy import Advice
from renege.games.texas42.contract import Hand42, Kind
from renege.games.texas42.order import CALLED, DECK, DECLARATIONS, IS_DOUBLE, TRUMPS, order
from renege.games.texas42.packed import tables
from renege.games.texas42.rules import OpeningLead
from renege.games.texas42.score import ALL_POINTS
from renege.native import abstraction42 as native

ALL = DECK.kinds
STRAIGHT = (Kind.POINTS, Kind.MARKS)
LEADS = ("the top trump", "a low trump", "a master", "count", "the next highest", "the least")
FOLLOWS = ("cheap to win", "count that wins", "the top", "count for the others", "out of the way")
WAYS = len(LEADS)
NOTHING, A_RUFF, A_SURE_RUFF, ITS_SUIT = range(4)  # how a tile may be beaten, from the least to the most likely
# from how many points on a margin, or a need, is a step higher
MARGINS, NEEDS = (1, 3, 6, 11), (4, 9, 19)


def see(view: View) -> AbstractView | None:
    """The key of the seat to move and the plays it chooses among; None outside the abstraction.

    That is in nello, sevens, plunge and splash, where the first lead is bound by a house rule, and where there is
    nothing to choose.
    """
    contract = view.position.contract
    if view.position.talking or not isinstance(contract, Hand42) or contract.kind not in STRAIGHT:
        return None
    if view.game.rules.opening_lead is not OpeningLead.ANY or contract.opening is not None:
        return None
    key, tiles = _Seat(view).look()
    if key is None:
        return None
    names = FOLLOWS if view.position.trick is not None and view.position.trick.plays else LEADS
    ways = {way: Advice(Play(DECK.of(1 << tile)), names[way]) for way, tile in tiles.items()}
    return AbstractView(key, ways)


def voids(view: View) -> dict[int, set[int]]:
    """The suits that each seat could not follow."""
    found: dict[int, set[int]] = {seat: set() for seat in SEATS}
    for act, before in view.steps():
        if not isinstance(act.what, Play) or before.trick is None or before.order is None or not before.trick.plays:
            continue
        led = before.order.suit_of(before.trick.plays[0].cards)
        if led is not None and not act.what.cards <= before.order.in_suit(act.what.cards, led):
            found[act.seat].add(led)
    return found


class _Seat:
    """A seat that is to play, and all that it has seen."""

    def __init__(self, view: View) -> None:
        position = view.position
        assert position.order is not None and position.trick is not None and isinstance(position.contract, Hand42)
        self.position, self.order, self.contract = position, position.order, position.contract
        self.me, self.hand = view.seat, set(kinds_in(view.hand.kinds))
        gone = {card for act in view.acts if isinstance(act.what, Play) for card in act.what.cards}
        self.unseen = set(kinds_in(ALL)) - self.hand - gone
        self.voids = voids(view)
        self.may = [next(iter(play.cards)) for play in view.legal_plays]
        self.trumps = set(kinds_in(self.order.follow[CALLED])) if self.contract.declaration in TRUMPS else set[Card]()
        self.lying = [next(iter(play.cards)) for play in position.trick.plays]

    def look(self) -> tuple[int | None, dict[int, Card]]:
        """The key, None where there is no choice, and the tile of each open way."""
        if len(self.may) == 1:
            return None, {0: self.may[0]}
        fields, offers = self._follow() if self.lying else self._lead()
        tiles: dict[int, Card] = {}
        for way, tile in offers:
            if tile is not None and tile not in tiles.values():
                tiles[way] = tile
        if len(tiles) == 1:
            return None, tiles
        fields += [(sum(1 << way for way in tiles), WAYS)]
        key = shift = 0
        for value, width in self._common() + fields:
            key |= value << shift
            shift += width
        return key + 1, tiles

    # -- what others may hold

    def holdable(self, seat: int) -> set[Card]:
        """The unseen tiles that a seat has not shown to lack."""
        shown = {card for suit in self.voids[seat] for card in kinds_in(self.order.follow[suit])}
        return self.unseen - shown

    def higher(self, tile: Card, led: int | None = None) -> set[Card]:
        """The tiles that beat one when its own suit is led, or another."""
        strength = self.order.strength[self.order.led_suit[tile] if led is None else led]
        return {other for other in kinds_in(ALL) if strength[other] > strength[tile]}

    def threat(self, tile: Card, led: int, seats: Iterable[int]) -> int:
        """How the likeliest of these seats may beat a tile."""
        return max((self._threat_by(seat, tile, led) for seat in seats), default=NOTHING)

    def _threat_by(self, seat: int, tile: Card, led: int) -> int:
        beats = self.higher(tile, led) & self.holdable(seat)
        if any(self.order.follow[led] >> other & 1 for other in beats):
            return ITS_SUIT
        if not beats:
            return NOTHING
        return A_SURE_RUFF if led in self.voids[seat] else A_RUFF

    def keep(self, tile: Card) -> tuple[int, ...]:
        """Throw away first what is no trump, no count, no double and low."""
        strength = self.order.strength[self.order.led_suit[tile]][tile]
        return tile in self.trumps, self.order.points[tile] + 4 * IS_DOUBLE[tile], strength, tile

    # -- the fields of a key, each with its width in bits

    def _common(self) -> list[tuple[int, int]]:
        declarer, bid = self.contract.declarer, self.contract.bid.points or ALL_POINTS
        taken, against = (sum(self.position.points[(declarer + side) % 2 :: 2]) for side in (0, 1))
        theirs = self.trumps & (self.holdable((self.me + 1) % 4) | self.holdable((self.me + 3) % 4))
        return [
            (len(self.lying), 2),
            ((0, 2, 1, 2)[(self.me - declarer) % 4], 2),
            (self.position.tricks_played, 3),
            (sum(ALL_POINTS - bid - against >= step for step in MARGINS), 3),
            (sum(bid - taken >= step for step in NEEDS), 2),
            (min(3, len(self.hand & self.trumps)), 2),
            (min(3, len(theirs)), 2),
        ]

    def _lead(self) -> tuple[list[tuple[int, int]], list[tuple[int, Card | None]]]:
        order, points = self.order, self.order.points
        mine = self.hand & self.trumps
        masters = {tile for tile in self.hand - mine if not self.higher(tile) & self.unseen - self.trumps}
        others = self.hand - mine - masters
        foes = ((self.me + 1) % 4, (self.me + 3) % 4)

        def danger(tile: Card) -> int:
            return self.threat(tile, order.led_suit[tile], foes)

        def above(tile: Card) -> int:
            return len(self.higher(tile) & self.unseen - self.trumps)

        top = _best(mine, lambda tile: (-order.strength[CALLED][tile],))
        low = _best(mine, lambda tile: (points[tile], order.strength[CALLED][tile]))
        master = _best(masters, lambda tile: (danger(tile), not IS_DOUBLE[tile], -points[tile], tile))
        exposed = sum(points[tile] for tile in others)
        count = _best(others, lambda tile: (-points[tile], tile)) if exposed else None
        high = _best(others, lambda tile: (above(tile), points[tile], tile))
        fields = [
            (int(top is not None and not self.higher(top) & self.unseen), 1),
            (int(bool(self.trumps & self.holdable((self.me + 2) % 4))), 1),
            (min(3, len(masters)), 2),
            (0 if master is None else danger(master), 2),
            (0 if master is None else points[master] // 5, 2),
            (min(3, exposed // 5), 2),
            (0 if high is None else min(3, above(high)), 2),
        ]
        return fields, list(enumerate((top, low, master, count, high, _best(self.hand, self.keep))))

    def _follow(self) -> tuple[list[tuple[int, int]], list[tuple[int, Card | None]]]:
        order, points, trick = self.order, self.order.points, self.position.trick
        assert trick is not None
        led = order.led_suit[self.lying[0]]
        strength = order.strength[led]
        ahead = self.lying[trick.best]
        later = [(self.me + i) % 4 for i in range(1, 4 - len(self.lying)) if i % 2]

        def threat(tile: Card) -> int:
            return self.threat(tile, led, later)

        wins = {tile for tile in self.may if strength[tile] > strength[ahead]}
        loses = set(self.may) - wins
        if order.follow[led] & sum(1 << tile for tile in self.may):
            kind = int(led == CALLED and bool(self.trumps))
        else:
            kind = 2 if self.trumps & set(self.may) else 3
        cheap = _best(wins, lambda tile: (points[tile], strength[tile]))
        dear = _best(wins, lambda tile: (-points[tile], strength[tile]))
        top = _best(wins, lambda tile: (-strength[tile],))
        give = _best(loses, lambda tile: (-points[tile], *self.keep(tile)))
        give = None if give is None or not points[give] else give
        duck = _best(loses or wins, self.keep)
        assert duck is not None
        fields = [
            (int(trick.winner % 2 == self.me % 2), 1),
            (threat(ahead), 2),
            (kind, 2),
            (min(3, sum(points[tile] for tile in self.lying) // 5), 2),
            (0 if top is None else {NOTHING: 3, ITS_SUIT: 1}.get(threat(top), 2), 2),
            (int(cheap is not None and top is not None and threat(cheap) == threat(top)), 1),
            (0 if dear is None else points[dear] // 5, 2),
            (0 if give is None else points[give] // 5, 2),
            (points[duck] // 5, 2),
        ]
        return fields, list(enumerate((cheap, dear, top, give, duck)))


def _best(tiles: Iterable[Card], rank: Callable[[Card], tuple[int, ...]]) -> Card | None:
    return min(tiles, key=rank, default=None)


def sheets() -> native.Sheets42:
    """The nine declarations of straight 42."""
    return native.sheets([tables(order(name)) for name in DECLARATIONS[: native.DECLARATIONS]])


ABSTRACTION = Abstraction(see, sheets, Path(__file__).with_name("regret42.npz"))
