"""The expansion of small Schafkopf by the kernel: all its deals."""

import numpy as np
from numpy.typing import NDArray

from renege.core.game import SEATS, Game
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.order import TRUMP, trumps
from renege.games.schafkopf.packed import called_ace
from renege.games.small import CardExpansion, seat_bytes
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native.arrays import U32


def expansion(game: Game) -> CardExpansion:
    """The expansion of the small game."""
    rules = game.rules

    def tables(contract: Bargain) -> native.Tables:
        order = game.order(rules, contract)
        return native_schafkopf.order(order, called_ace(contract.declaration, rules.deck), rules.run_from)

    def features(contract: Bargain, dealt: U32, states: U32) -> NDArray[np.int64]:
        """The points and tricks of the declarer's side, which seats it is, and the trumps it held from the top."""
        ace = called_ace(contract.declaration, rules.deck)
        member = np.zeros(dealt.shape, np.bool_)
        member[:, contract.declarer] = True
        if ace is not None:
            member |= (dealt >> np.uint32(ace) & np.uint32(1)).astype(np.bool_)
        found = (member << np.arange(len(SEATS))).sum(axis=1)
        for word, bits in ((6, 8), (7, 3)):
            found = found << bits | (seat_bytes(states[:, word]).astype(np.int64) * member).sum(axis=1)
        held = np.bitwise_or.reduce(np.where(member, dealt, 0), axis=1)
        return found << 6 | _row(contract, held)

    def _row(contract: Bargain, held: U32) -> NDArray[np.int64]:
        """Which of the trumps, the highest first, are held before one that differs from the first."""
        order = game.order(rules, contract)
        here = [card for card in trumps(contract.declaration, rules.deck) if order.deck.kinds >> card & 1]
        assert all(order.led_suit[card] == TRUMP for card in here)
        top = np.stack([(held >> np.uint32(card) & np.uint32(1)) for card in here], axis=1)
        same = np.minimum.accumulate((top == top[:, :1]).astype(np.int64), axis=1).sum(axis=1)
        return same << 1 | top[:, 0].astype(np.int64)

    return CardExpansion(game, tables, features, early=False)
