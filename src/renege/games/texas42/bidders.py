"""A model of how others bid: weights of hands given their bids, for many hands at once.

`losers` are those of the rulebook, worked out for whole arrays of hands. A bid is likely from a hand that has as few
losers as the rulebook would want for it, a pass from one that has more; others bid by other rules, so that a hand which
is somewhat off still counts for something.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Hidden
from renege.core.position import View
from renege.core.world import Drawn, piles_of
from renege.games.texas42.contract import partner
from renege.games.texas42.declare import Auction
from renege.games.texas42.order import CALLED, TILES, TRUMPS, order
from renege.games.texas42.rulebook import BARE_LOSERS, ENOUGH_TRUMPS, HIGHER_LOSES, USUAL, WORTH, higher
from renege.games.texas42.rules import DoublesTrump, Rules
from renege.native.arrays import F64

SPREAD = 0.8  # losers by which a bidder is off as often as not
UNUSUAL = 0.05  # how likely a bid is beside one that fits, whatever the hand: for nello, for sevens, on a whim
PLAIN_LOSES = 1 - 3.0 ** -np.arange(len(TILES))  # by the tiles out that are above a plain one
UNSEEN = Hidden(0)  # a hand that nobody has to show in order to bid


@cache
class _Tables:
    """For each declaration that is bid in points: which tiles are trumps, and which beat each tile, as masks."""

    def __init__(self, doubles: DoublesTrump) -> None:
        orders = [order(name, None, doubles) for name in USUAL]
        self.with_trumps = np.array([name in TRUMPS for name in USUAL])
        self.trumps = np.array(
            [table.follow[CALLED] if name in TRUMPS else 0 for name, table in zip(USUAL, orders, strict=True)],
            np.uint64,
        )
        # if the tile were led, and no trump were put on it
        self.higher = np.array(
            [[higher(table, tile, table.follow[table.led_suit[tile]]) for tile in TILES] for table in orders], np.uint64
        )
        self.points = np.array(orders[0].points) / 40


def losers(hands: NDArray[np.uint64], doubles: DoublesTrump = DoublesTrump.SIX_HIGH) -> F64:
    """`hands [n]`, as many tiles in each -> `[n, declarations]`: about how many tricks it loses, by the rulebook."""
    tables = _Tables(doubles)
    tiles = np.nonzero(hands[:, None] >> np.arange(len(TILES), dtype=np.uint64) & np.uint64(1))[1]
    tiles = tiles.reshape(len(hands), 1, -1)
    masks = tables.higher[np.arange(len(USUAL))[:, None], tiles]  # [n, declarations, tiles of the hand]
    above = np.bitwise_count(masks & hands[:, None, None])
    out = np.bitwise_count(masks) - above
    is_trump = (tables.trumps[:, None] >> tiles.astype(np.uint64) & np.uint64(1)).astype(bool)
    as_trump = np.minimum(1, HIGHER_LOSES * out / (above + 1))
    as_plain = PLAIN_LOSES[out] + tables.points[tiles] * (out > 0)
    short = np.maximum(0, ENOUGH_TRUMPS - np.bitwise_count(hands[:, None] & tables.trumps).astype(float))
    return np.where(is_trump, as_trump, as_plain).sum(axis=2) + np.where(tables.with_trumps, short, BARE_LOSERS)


@cache
def finished(talk: Auction, limits: tuple[int, ...]) -> Auction:
    """The auction to its end, if those still to bid go as high as this, by the rulebook."""
    for limit in limits:
        calls = [call for call in talk.calls(UNSEEN) if call == "pass" or call[0].isdigit()]
        high = talk.high
        if "pass" in calls and high is not None and talk.turn == partner(high[1]):
            talk = talk.after("pass")
            continue
        fair = [call for call in calls if call != "pass" and talk.bid(call).height <= limit]
        talk = talk.after((fair[0] if len(talk.said) == 3 else fair[-1]) if fair else calls[0])
    return talk


# -- what bids tell


def likely(view: View) -> Callable[[Drawn], F64] | None:
    """How likely the bids of the others are in each world; None where they have told nothing."""
    if not view.position.talking:
        return None
    talk = view.start.talk
    assert isinstance(talk, Auction)
    told: list[tuple[int, float, float]] = []  # of a seat: from how many losers on its call fits, and up to how many
    for act in view.acts[:4]:
        said = str(act.what)
        if act.seat != view.seat and (fits := _fits(talk, said)) is not None:
            told.append((act.seat, *fits))
        talk = talk.after(said)
    if not told:
        return None
    rules: Rules = view.game.rules

    def weights(worlds: Drawn) -> F64:
        hands, found = piles_of(worlds)[:, :, 0], np.ones(len(worlds))
        for seat, least, most in told:
            fewest = losers(hands[:, seat], rules.doubles_trump).min(axis=1)
            off = np.maximum(np.maximum(least - fewest, fewest - most), 0) / SPREAD
            found *= UNUSUAL + np.exp(-0.5 * off**2)
        return found

    return weights


def _fits(talk: Auction, said: str) -> tuple[float, float] | None:
    """The losers, from and to, with which the rulebook would say this; None where it would whatever the hand."""
    if said == "pass":
        if talk.high is not None and talk.turn == partner(talk.high[1]):
            return None
        least = min(talk.bid(call).height for call in talk.calls(UNSEEN) if call[0].isdigit())
        return next((most for bid, most in reversed(WORTH) if bid >= least), 0.0), np.inf
    if not said[0].isdigit() or talk.forced:
        return None
    height = talk.bid(said).height
    place = next((i for i, (bid, _) in enumerate(WORTH) if bid <= height), len(WORTH) - 1)
    last = len(talk.said) == 3  # who bids no more than is needed
    return 0.0 if last or not place else WORTH[place - 1][1], WORTH[place][1]
