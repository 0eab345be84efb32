"""Small Schafkopf: a smaller pack, small enough to be solved; the rules are those of the full game.

The pack has some suits and ranks, dealt out to the last card. There is no bidding and no Stoss: forehand names a game
that the table plays. A hand that can play none is thrown in, and so is one that passes where that is allowed. Who
plays needs more than half of the points in the pack, and more than a quarter to escape Schneider, as 61 and 31 are of
120.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Hand, Hidden
from renege.core.game import SEATS, Game, Standing
from renege.core.house_rules import asking
from renege.core.verdict import Objection
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.declare import LADDER, Bidding, from_forehand
from renege.games.schafkopf.encoding import SmallEncoding
from renege.games.schafkopf.order import CALLED_SUITS, LONG, PRINTED, RANKS, TRUMP, trumps
from renege.games.schafkopf.packed import called_ace
from renege.games.schafkopf.rules import DECLARE, PackSize, Played, Rules
from renege.games.small import CardExpansion, seat_bytes, shrink
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native.arrays import U32

MOST_CARDS = 20


@dataclass(frozen=True, slots=True)
class Small(Rules):
    """How small the game is; the house rules stay what they are."""

    stoss_limit: int = asking("How often the stakes may be raised against a contract: never.", 0)
    suits: str = asking("The suits in the pack.", "EGH")
    ranks: str = asking("The ranks in the pack.", "OKZA")
    called: str = asking("The suits whose ace forehand may call.", "E")
    solos: str = asking("The suits that forehand may play a solo in.", "")
    passing: Played = asking("Whether forehand may pass a hand that it could play.", Played.NO)

    def check(self) -> None:
        for name, given, known in (
            ("suits", self.suits, PRINTED),
            ("ranks", self.ranks, RANKS),
            ("called", self.called, [suit for suit in CALLED_SUITS if suit in self.suits]),
            ("solos", self.solos, self.suits),
        ):
            if len(set(given)) < len(given) or not set(given) <= set(known):
                raise ValueError(f"{name} is {given!r}; each letter comes once and is one of {''.join(known)}")
        cards = len(self.suits) * len(self.ranks)
        if not cards or cards % len(SEATS) or cards > MOST_CARDS:
            raise ValueError(f"suits and ranks make {cards} cards; four seats get as many each, {MOST_CARDS} in all")
        if self.called and "A" not in self.ranks:
            raise ValueError("an ace is called, and the pack has none")
        if not self.declarations:
            raise ValueError("forehand has no game to name: give 'called' or 'solos' a suit")
        if self.deck is not PackSize.LONG or self.stoss_limit:
            raise ValueError("a shrunk pack is cut from the long one, and nobody raises the stakes")

    @property
    def left_out(self) -> int:
        kept = {suit + rank for suit in self.suits for rank in self.ranks}
        return sum(1 << card for card, name in enumerate(LONG.names) if name not in kept)

    @property
    def declarations(self) -> tuple[str, ...]:
        """The games that forehand may name."""
        return (*(f"rufspiel {suit}" for suit in self.called), *(f"solo {suit}" for suit in self.solos))


@dataclass(frozen=True)
class Naming(Bidding):
    """All the talk there is: forehand names a game, or passes."""

    rules: Small

    def _candidates(self, hand: Hand) -> Iterator[str]:
        yield from ("pass", *self.rules.declarations)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        if call == "pass":
            must = self.rules.passing is Played.NO and not isinstance(hand, Hidden)
            games = (name for name in self.rules.declarations if not super(Naming, self).objection(name, hand))
            game = next(games, None)
            return Objection(DECLARE, f"the hand can play {game}, and forehand must") if must and game else None
        if call not in self.rules.declarations:
            return Objection(DECLARE, f"this table does not play {call}")
        return super().objection(call, hand)

    def after(self, call: str) -> "Naming":
        if call == "pass":
            return replace(self, calls_made=(*self.calls_made, call), queue=(), step="thrown in")
        named = super().after(call)
        assert isinstance(named, Naming)
        return named


def _naming(rules: Small, standing: Standing) -> Naming:
    forehand = from_forehand(standing.dealer)[0]
    return Naming(rules, standing.dealer, "declare", (forehand,), high=(LADDER[0], forehand))


def shrunk(whole: Game) -> Game:
    """The shrunk game out of the whole one, whose rules are a `Small`."""
    deck = LONG.stripped(whole.rules.left_out)
    facets = {"Encoding": SmallEncoding, "Expansion": expansion}
    size = len(deck) // len(SEATS)
    return shrink(whole, "schafkopf-small", deck, facets, version=1, hand_size=size, talk=_naming)


def expansion(game: Game) -> CardExpansion:
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
