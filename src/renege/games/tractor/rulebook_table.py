"""What the rulebook of Tractor knows at the table: cards out, voids, card values and risks, as heuristics.

Everything here comes from one `Turn` of the player's own view. Worths and risks are thumb-sized: a worth is in card
points, a risk is a chance that takes every hand that may hold a card as equally likely to hold it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from renege.core.cards import Card, Cards, kinds_in
from renege.core.game import SEATS, Turn
from renege.core.order import Order
from renege.games.strategy import Advice
from renege.games.tractor.order import TRUMP
from renege.games.tractor.throws import unseen
from renege.games.tractor.units import Shape

# what a card is worth to its holder, in points: trumps by their step, a master of its suit, the next best, pairs, runs
LOW_TRUMP, TRUMP_STEP, TRUMP_PAIR = 1.0, 0.5, 1.0
MASTER, SECOND, PLAIN_STEP, PAIR, RUN = 3.0, 1.0, 0.06, 0.5, 0.8
SHORT = 0.5  # what a card of a short suit is worth less, since without it one may ruff
LAST_TRICK, NEAR_END = 5.0, 7  # the best trump is kept for the last trick, for the kitty, once so few cards are left
RUFF_PAIR = 0.4  # how likely one who has the trumps for it also has a pair that is asked for

Price = Callable[[Card], float]


@dataclass(frozen=True, slots=True)
class RulebookStep(Advice):
    """A play with the nodes of the flowchart that were asked, its strategy, and whether it can beat.

    The last node of the `path` decided it. A follow can beat if it is ahead of the trick so far; a lead, if nothing
    that may be in another hand beats it in its suit.
    """

    path: tuple[str, ...]
    strategy: str
    can_beat: bool


class TableKnowledge:
    """What the seat to play knows of the table."""

    def __init__(self, turn: Turn) -> None:
        self.order: Order = turn.order
        self.seat, self.hand = turn.seat, turn.hand
        self.partner = (turn.seat + 2) % len(SEATS)
        self.out = unseen(turn)
        self.voids: tuple[int, ...] = turn.memory.voids
        self.trumps = self.order.in_suit(turn.hand, TRUMP)
        self.worth = self._worths()

    # -- what cards are worth

    def _worths(self) -> dict[Card, float]:
        """What it costs to part with one card of each kind in the hand, its points left aside."""
        worths: dict[Card, float] = {}
        for suit in range(len(self.order.suits)):
            held = self.order.in_suit(self.hand, suit)
            if held:
                self._value(suit, held, worths)
        if self.trumps and len(self.hand) <= NEAR_END:
            worths[max(self.trumps, key=lambda card: self.order.strength[TRUMP][card])] += LAST_TRICK
        return worths

    def _value(self, suit: int, held: Cards, worths: dict[Card, float]) -> None:
        steps, out, pairs = self.order.steps[suit], self.out.kinds, held.at_least(2)
        short = SHORT if suit != TRUMP and len(held) <= 2 and self.trumps else 0.0
        paired = 0.0
        for i, step in enumerate(steps):
            for card in kinds_in(held.kinds & step):
                if suit == TRUMP:
                    worth = LOW_TRUMP + TRUMP_STEP * (i + 17 - len(steps))
                    paired = TRUMP_PAIR
                else:
                    above = sum((out & higher).bit_count() for higher in steps[i + 1 :])
                    worth = PLAIN_STEP * i + (MASTER if not above else SECOND if above == 1 else 0.0) - short
                    paired = PAIR
                if pairs >> card & 1:
                    beside = (steps[i - 1] if i else 0) | (steps[i + 1] if i + 1 < len(steps) else 0)
                    worth += paired + (RUN if pairs & beside else 0.0)
                worths[card] = worth

    def cost(self, cards: Cards) -> float:
        """What it costs to part with these cards, their points left aside."""
        return sum(self.worth[card] for card in cards)

    def points(self, cards: Cards) -> int:
        return self.order.worth(cards)

    def price(self, points: float) -> Price:
        """How dear each card is where a point given away is lost (1) or won (-1)."""
        worth, value = self.worth, self.order.points
        return lambda card: worth[card] + points * value[card]

    # -- who may hold what

    def may_hold(self, seat: int, suit: int) -> bool:
        return not self.voids[seat] >> suit & 1 and bool(self.out.kinds & self.order.follow[suit])

    def all_void(self, suit: int) -> bool:
        """Has every other seat shown that it has none of a suit, or is none of it left?"""
        return not any(self.may_hold(seat, suit) for seat in SEATS if seat != self.seat)

    def beatable(self, suit: int, unit: Cards) -> bool:
        """Could a unit be beaten in its suit, for all that the seat can prove?"""
        return not self.all_void(suit) and self.above(suit, unit)[0] > 0

    def above(self, suit: int, unit: Cards) -> tuple[int, int]:
        """How many units of the same kind may be out that beat this one, and of how many cards each is."""
        steps, top = self.order.steps[suit], self.top(suit, unit)
        if len(unit) == 1:
            higher = sum(steps[top + 1 :])
            return sum((layer & higher).bit_count() for layer in self.out.layers), 1
        length, pairs = len(unit) // 2, self.out.at_least(2)
        windows = [pairs & step for step in steps[top + 2 - length :]]
        return sum(all(windows[i : i + length]) for i in range(len(windows) - length + 1)), len(unit)

    def share(self, seat: int, suit: int) -> float:
        """The chance that a card of a suit that is out is in this hand, and not in another."""
        holders = sum(self.may_hold(other, suit) for other in SEATS if other != self.seat)
        return 1 / holders if self.may_hold(seat, suit) else 0.0

    def risk(self, foes: Sequence[int], suit: int, cards: Cards, shape: Shape, led: int) -> float:
        """The chance that one of these foes, who are to play, beats these cards, which are ahead."""
        shares = [self.share(foe, led) for foe in foes]
        left = self.left(led)
        ruffed = 1.0
        for foe, share in zip(foes, shares, strict=True):
            void = (1 - share) ** left if share else 1.0
            ruffed *= 1 - void * self._ruffs(foe, suit, cards, shape, led)
        if suit != led or shape.is_throw or not any(shares):
            return 1 - ruffed
        units, size = self.above(suit, cards)
        return 1 - ruffed * (1 - min(1.0, sum(share**size for share in shares))) ** units

    def _ruffs(self, foe: int, suit: int, cards: Cards, shape: Shape, led: int) -> float:
        """The chance that a foe without the led suit can ruff a lead of this shape, or ruff higher."""
        if led == TRUMP or not self.may_hold(foe, TRUMP):
            return 0.0
        some = min(1.0, self.share(foe, TRUMP) * self.left(TRUMP) / (shape.cards + 1)) * RUFF_PAIR**shape.led_pairs
        if suit != TRUMP:
            return some
        steps = self.order.steps[TRUMP]
        higher = sum(steps[self.top(TRUMP, cards) + 1 :])
        return some * (self.out.kinds & higher).bit_count() / (self.out.kinds & sum(steps)).bit_count()

    def left(self, suit: int) -> int:
        """How many cards of a suit are out."""
        return sum((layer & self.order.follow[suit]).bit_count() for layer in self.out.layers)

    def top(self, suit: int, cards: Cards) -> int:
        """The highest step that these cards reach."""
        steps, kinds = self.order.steps[suit], cards.kinds
        return next(i for i in range(len(steps) - 1, -1, -1) if steps[i] & kinds)
