"""Rows of the kernel's states read back as positions of Texas 42."""

from collections.abc import Iterable

from renege.core.game import SEATS, Game
from renege.core.position import Position, begin
from renege.core.trick import Play
from renege.games.texas42.contract import Bid, Hand42, Kind, contract_of
from renege.games.texas42.order import DECK, DECLARATIONS
from renege.games.texas42.packed import KINDS, POLICIES


def unpack(game: Game, state: Iterable[int]) -> Position:
    """The position of a row; what came before it (the auction, earlier tricks) is not in there."""
    *hands, table, terms, points, tricks = (int(word) for word in state)
    position = begin(game, _contract(game, terms), tuple(DECK.of(mask) for mask in hands), leader=terms & 3)
    tiles = [table >> 8 * place & 0xFF for place in range(terms >> 2 & 3)]
    return position.resume(
        plays=tuple(Play(DECK.of(1 << tile)) for tile in tiles),
        points=tuple(points >> 8 * seat & 0xFF for seat in SEATS),
        tricks=tuple(tricks >> 8 * seat & 0xFF for seat in SEATS),
    )


def _contract(game: Game, terms: int) -> Hand42:
    kind, amount = KINDS[terms >> 24 & 7], terms >> 27 & 15
    word = kind.value if kind in (Kind.PLUNGE, Kind.SPLASH) else "bid"
    bid = Bid("bid", points=30 + amount) if kind is Kind.POINTS else Bid(word, marks=amount)
    name, doubles = DECLARATIONS[terms >> 16 & 0xFF], POLICIES[terms >> 14 & 3]
    return contract_of(game.rules, name, doubles, bid, terms >> 12 & 3, forced=bool(terms >> 31))
