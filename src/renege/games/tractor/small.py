"""Small Tractor: one short suit and the jokers, small enough to be solved; the rules are those of the full game.

The pack has the spades of some ranks and the jokers, two of each. Nobody shows: there is no trump suit at level 2, so
that the jokers are trumps, with the twos where there are any. Each seat has `hand` cards, the kitty has what is left,
and the banker, seat 0, takes it up and buries as many. A level is a fifth of the points in the pack, as 40 is of 200.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from renege.core.cards import Cards, Hand
from renege.core.game import SEATS, Game, Standing
from renege.core.house_rules import asking
from renege.games.tractor.declare import Bank, Drawing
from renege.games.tractor.legal import choices
from renege.games.tractor.order import DECK, LITTLE, NAMES, POINTS, RANKS
from renege.games.tractor.rules import Rules

JOKERS = 2


@dataclass(frozen=True, slots=True)
class Small(Rules):
    """How small the game is; the house rules stay what they are."""

    ranks: str = asking("The ranks of the spades in the pack.", "5TK")
    hand: int = asking("The cards of a seat; the kitty has what is left.", 2)

    def check(self) -> None:
        if not self.is_usual or self.kitty or self.seats != len(SEATS):
            raise ValueError("small Tractor is played by four with two packs, and its kitty has what is left")
        if len(set(self.ranks)) < len(self.ranks) or not set(self.ranks) <= set(RANKS):
            raise ValueError(f"ranks is {self.ranks!r}; each comes once and is one of {RANKS}")
        if not self.points:
            raise ValueError(f"ranks is {self.ranks!r}, and there are no points to play for: 5, T and K have some")
        if self.hand < 1 or self.buried < 2:
            dealt = 2 * (len(self.ranks) + JOKERS)
            raise ValueError(f"hand is {self.hand}; {dealt} cards make 1 to {(dealt - 2) // len(SEATS)} and a kitty")

    @property
    def buried(self) -> int:
        return 2 * (len(self.ranks) + JOKERS) - len(SEATS) * self.hand

    @property
    def left_out(self) -> int:
        """The cards that are not in the pack."""
        spades = {f"S{rank}" for rank in self.ranks}
        return sum(1 << card for card, name in enumerate(NAMES) if card < LITTLE and name not in spades)

    @property
    def points(self) -> int:
        return DECK.copies * sum(POINTS[NAMES.index(f"S{rank}")] for rank in self.ranks)


@dataclass(frozen=True)
class Burying(Drawing):
    """All the talk there is: the banker takes up the kitty and buries."""

    @cached_property
    def _stage(self) -> str:
        return ("take", "bury", "done")[len(self.calls_made)]

    @property
    def contract(self) -> Bank | None:
        return Bank(f"NT{self.level}", self.banker, self.banker) if self._stage == "done" else None

    def calls(self, hand: Hand) -> Iterator[str]:
        if self._stage == "bury" and isinstance(hand, Cards):
            return (f"bury {pile}" for pile in choices(hand, self.rules.buried))
        return super().calls(hand)


def _burying(rules: Small, standing: Standing) -> Burying:
    low, high, _ = standing.score
    return Burying(rules, standing.dealer, (low, high), first=False)


def shrunk(whole: Game) -> Game:
    """The shrunk game out of the whole one, whose rules are a `Small`."""
    from renege.games.small import shrink  # here: rules alone do without numpy

    rules = whole.rules
    facets = {"Evidence": whole.facets["Evidence"], "Encoding": "renege.games.tractor.encoding:small_encoding"}
    sizes = {"hand_size": rules.hand, "kitty_size": rules.buried}
    return shrink(whole, "tractor-small", DECK.stripped(rules.left_out), facets, talk=_burying, **sizes)
