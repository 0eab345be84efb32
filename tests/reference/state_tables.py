"""Every state between two tricks that a deal of 42 can come to, and its value: all tricks played card by card.

Hands are sets of tiles, and every rule is read straight from the order's tables.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

SEVENS_SUIT = 7
Hands = tuple[frozenset[int], ...]
State = tuple[Hands, int]  # and who leads


@dataclass
class Deal:
    """Who plays what for whom; `order` has `led_suit`, `follow`, `strength`, `points` and `trick_points`."""

    order: Any
    seats: list[int]
    takers: int
    maximisers: int
    sevens: bool = False
    values: dict[State, int] = field(default_factory=dict)
    transitions: int = 0

    def value(self, state: State) -> int:
        """The points that the takers still win; what was found for a state is kept in `values`."""
        hands, leader = state
        if not any(hands[seat] for seat in self.seats):
            return 0
        if state not in self.values:
            self.values[state] = self._best(hands, leader, [])
        return self.values[state]

    def _best(self, hands: Hands, leader: int, plays: list[tuple[int, int]]) -> int:
        turn = self.seats.index(leader) + len(plays)
        seat = self.seats[turn % len(self.seats)]
        if len(plays) == len(self.seats):
            self.transitions += 1
            return self._gathered(hands, plays)
        found: list[int] = []
        for tile in self._legal(hands[seat], plays):
            left = tuple(hand - {tile} if at == seat else hand for at, hand in enumerate(hands))
            found.append(self._best(left, leader, [*plays, (seat, tile)]))
        return max(found) if self.maximisers >> seat & 1 else min(found)

    def _gathered(self, hands: Hands, plays: list[tuple[int, int]]) -> int:
        strength = self.order.strength[self.order.led_suit[plays[0][1]]]
        best = max(strength[tile] for _, tile in plays)
        winner = next((seat for seat, tile in plays if strength[tile] == best))
        points = self.order.trick_points + sum(self.order.points[tile] for _, tile in plays)
        return points * (self.takers >> winner & 1) + self.value((hands, winner))

    def _legal(self, hand: frozenset[int], plays: list[tuple[int, int]]) -> Iterator[int]:
        if self.sevens:
            strength = self.order.strength[SEVENS_SUIT]
            return (tile for tile in hand if strength[tile] == max(strength[other] for other in hand))
        if not plays:
            return iter(hand)
        suit = self.order.led_suit[plays[0][1]]
        same = [tile for tile in hand if self.order.follow[suit] >> tile & 1]
        return iter(same or hand)


def key(state: State) -> int:
    """The tiles held, and the leader above them."""
    hands, leader = state
    return sum(1 << tile for hand in hands for tile in hand) | leader << 28
