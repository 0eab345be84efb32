"""Tiles shown too early. No table of ours shows one by accident; a record of another may have to say so.

`expose 6-4` is said beside the play, by the seat whose tile it is; before the first lead, if the tile fell in the
auction. Nobody is asked for it, so no seat is among the speakers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from renege.core.cards import Card, Cards, Hand
from renege.core.game import Talk
from renege.core.message import say
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position
from renege.core.verdict import Objection
from renege.games.texas42.contract import Hand42
from renege.games.texas42.order import DECK

SAYS = "expose "


@dataclass(frozen=True)
class Exposing(Talk):
    """What may be written beside the play: that a seat has shown a tile."""

    terms: Hand42
    hands: tuple[Hand, ...]
    seat: int | None = None

    @property
    def said(self) -> tuple[str, ...]:
        return ()

    @property
    def turn(self) -> int | None:
        return self.seat

    @property
    def contract(self) -> Hand42:
        return self.terms

    @property
    def speakers(self) -> tuple[int, ...]:
        return ()

    def by(self, seat: int) -> "Exposing":
        return replace(self, seat=seat)

    def read(self, text: str) -> str:
        tile = exposed_in(" ".join(text.lower().split()))
        hand = None if self.seat is None else self.hands[self.seat]
        if isinstance(hand, Cards) and tile not in hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", DECK.names[tile], hand))
        return f"{SAYS}{DECK.names[tile]}"

    def calls(self, hand: Hand) -> Iterator[str]:
        return iter(())

    def objection(self, call: str, hand: Hand) -> Objection | None:
        return None

    def after(self, call: str) -> "Exposing":
        assert self.seat is not None
        shown = (self.seat, exposed_in(call))
        return replace(self, terms=replace(self.terms, exposed=(*self.terms.exposed, shown)))


def exposed_in(call: str) -> Card:
    """The tile that a call exposes."""
    tile = parse_cards(DECK, call.removeprefix(SAYS)).single() if call.startswith(SAYS) else None
    if tile is None:
        raise NotationError(say("{quoted} exposes no tile; write it like 'expose 6-4'", repr(call)))
    return tile


def exposing(position: Position) -> Exposing | None:
    """The talk beside the play, where exposed tiles are written down."""
    return Exposing(position.contract, position.hands) if isinstance(position.contract, Hand42) else None
