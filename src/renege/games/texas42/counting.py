"""What a player counts in an opening hand before the bid: trumps, the highest of them, other doubles, and offs."""

from renege.core.cards import kinds_in
from renege.core.order import Order
from renege.games.openings import Counted
from renege.games.texas42.order import ALL_DOUBLES, CALLED, DECK, TRUMPS, order
from renege.games.texas42.rulebook import losers
from renege.games.texas42.rules import Doubles, DoublesTrump

USUAL = (*TRUMPS, "follow-me")  # what a hand may be bid for in points


def count_hand(
    hand: int, declaration: str, doubles: Doubles | None = None, ranked: DoublesTrump = DoublesTrump.SIX_HIGH
) -> Counted:
    """What a hand of tiles, as a mask, has under a declaration; `ranked` says which double is the highest trump."""
    if declaration not in USUAL:
        raise ValueError(f"nothing is counted under {declaration!r}: {' '.join(USUAL)}")
    table = order(declaration, doubles, ranked)
    trumps = table.follow[CALLED] if declaration in TRUMPS else 0
    return Counted(
        (hand & trumps).bit_count(),
        _tops(table, trumps, hand),
        (hand & ~trumps & ALL_DOUBLES).bit_count(),
        sum(_beaten(table, card, hand) for card in kinds_in(hand & ~trumps)),
        sum(table.points[card] for card in kinds_in(hand)),
        losers(table, hand, DECK.kinds & ~hand, trumps=declaration in TRUMPS),
    )


def usual_call(hand: int, ranked: DoublesTrump = DoublesTrump.SIX_HIGH) -> str:
    """The declaration that the rulebook has in mind when it bids on this hand: the one with the fewest losers."""
    return min(USUAL, key=lambda call: count_hand(hand, call, None, ranked).losers)


def _beaten(table: Order, card: int, hand: int) -> bool:
    suit = table.led_suit[card]
    strength = table.strength[suit]
    return any(strength[other] > strength[card] for other in kinds_in(table.follow[suit] & ~hand))


def _tops(table: Order, trumps: int, hand: int) -> int:
    falling = sorted(kinds_in(trumps), key=lambda card: -table.strength[CALLED][card])
    return next((place for place, card in enumerate(falling) if not hand >> card & 1), len(falling))
