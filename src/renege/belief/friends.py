"""Who will join a team that cards decide (Finding Friends): odds by seat, from the exact belief.

Who holds a card is counted. Which of its holders plays the copy that matters depends on how they play, and of that one
thing is assumed: the copies of a card that lie in hands come to the table in any order, each as likely as another,
those of different cards independently. Copies in the kitty never come.

In a deal where m copies of a card lie in hands, n of them with a seat, the k-th copy to come is the seat's with chance
n / m, if there are so many. Where nobody of the team may take a place, the first copy from the k-th on decides that is
of somebody else: n of the b copies that the others hold, if one of them comes so late. So each deal has its chances;
as weights of the deals (`Group`) they go into the table, and what comes out is the mean over all deals.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, lcm

from renege.belief.compile import Compiled
from renege.belief.problem import Group, Problem
from renege.belief.worlds import Table, TooManyStates, Worlds
from renege.core.cards import Card, Cards
from renege.core.position import Position, Seeking, Sought
from renege.native.arrays import F64

ZERO = Fraction(0)
Chance = Callable[[int, int, int], Fraction]
"""Of a deal, by the copies of a card that a seat has, that the team has, and that lie in hands altogether."""


@dataclass(frozen=True, slots=True)
class PlaceOdds:
    """Who may take one place of a team."""

    place: Sought
    holds: dict[int, float]  # by seat: how likely it has a copy of the card in hand
    takes: dict[int, float]  # by seat: how likely it takes the place
    nobody: float  # how likely it stays empty


@dataclass(frozen=True, slots=True)
class FriendOdds:
    """Who may join a team: place by place, and by seat how likely it is or will be in it.

    Not `exact` where the table does not hold all that is known, as with counts.
    """

    places: tuple[PlaceOdds, ...]
    team: dict[int, float]
    exact: bool


def friend_odds(compiled: Compiled, worlds: Worlds, position: Position, seeking: Seeking) -> FriendOdds:
    """The odds of everyone to join, for whoever saw what is compiled, of which there is the table."""
    while True:
        try:
            return _Odds(compiled, worlds, position, seeking).all()
        except TooManyStates:  # with the weights
            if (fewer := compiled.loosened()) is None:
                raise
            compiled, worlds = fewer, Worlds(fewer.problem)


class _Odds:
    def __init__(self, compiled: Compiled, worlds: Worlds, position: Position, seeking: Seeking) -> None:
        self.compiled, self.worlds, self.position, self.seeking = compiled, worlds, position, seeking
        self.problem: Problem = compiled.problem
        self.seats = range(len(position.hands))
        self.barred = () if seeking.twice else seeking.team  # who cannot take a place
        # piles whose cards never come to the table: the kitty, nobody's, those of tricks that were not seen
        self.away = self._mask(pile for pile in compiled.piles if pile not in self.seats)

    def all(self) -> FriendOdds:
        places = tuple(self._place(place) for place in self.seeking.places)
        team = {seat: 1.0 if seat in self.seeking.team else self._joins(seat) for seat in self.seats}
        return FriendOdds(places, team, not self.compiled.loose)

    @cached_property
    def _chances(self) -> F64:
        return self.worlds.odds()

    def _mask(self, piles: Iterable[int]) -> int:
        wanted = set(piles)
        return sum(1 << hand for hand, pile in enumerate(self.compiled.piles) if pile in wanted)

    def _told(self, card: Card, seats: Sequence[int]) -> int:
        """Copies that seats are seen to hold."""
        hands = [self.position.hands[seat] for seat in seats]
        return sum(hand.count(card) for hand in hands if isinstance(hand, Cards))

    def _hidden(self, card: Card) -> int:
        return self.problem.copies[self.problem.kinds.index(card)] if card in self.problem.kinds else 0

    # -- one place

    def _place(self, place: Sought) -> PlaceOdds:
        card, number = place.card, place.number

        def late(_: int, barred: int, out: int) -> Fraction:
            """How likely a copy of the others decides, for each of theirs."""
            free = out - barred
            early = Fraction(comb(min(number - 1, out), free), comb(out, free))  # all of them come too early
            return (1 - early) / free if free else ZERO

        groups, scale = self._weighed({card: late}, None)
        share, expected = self._mean(groups, scale)
        takes = dict.fromkeys(self.seats, 0.0)
        for seat in self.seats:
            if seat not in self.barred:
                takes[seat] = share * (self._told(card, [seat]) or expected.get((card, seat), 0.0))
        return PlaceOdds(place, self._holds(card), takes, max(0.0, 1 - sum(takes.values())))

    def _holds(self, card: Card) -> dict[int, float]:
        holds = {seat: float(self._told(card, [seat]) > 0) for seat in self.seats}
        if self._hidden(card):
            row = self._chances[self.problem.kinds.index(card)]
            for hand, pile in enumerate(self.compiled.piles):
                if pile in self.seats:
                    holds[pile] = 1 - float(row[hand, 0])
        return holds

    # -- one seat

    def _joins(self, seat: int) -> float:
        """How likely a seat takes a place, or several."""
        misses: dict[Card, Chance] = {}
        for card in dict.fromkeys(place.card for place in self.seeking.places):
            numbers = [place.number for place in self.seeking.places if place.card == card]

            def miss(own: int, barred: int, out: int, numbers: Sequence[int] = numbers) -> Fraction:
                return _missed(own, barred, out, numbers)

            misses[card] = miss
        groups, scale = self._weighed(misses, seat)
        return 1 - self._mean(groups, scale)[0]

    # -- deals that count by weights

    def _weighed(self, chances: dict[Card, Chance], seat: int | None) -> tuple[list[Group], Fraction]:
        """Groups that make deals count in proportion to the product of these chances, and what to multiply by."""
        groups, scale = list[Group](), Fraction(1)
        own = 0 if seat is None else self._mask([seat])
        others = self._mask(self.barred), self.away
        for card, chance in chances.items():
            hidden = self._hidden(card)
            held, barred = 0 if seat is None else self._told(card, [seat]), self._told(card, self.barred)
            out = self._told(card, self.seats) + hidden
            weights = [
                chance(held + more, barred + theirs, out - away)
                if held + more + barred + theirs <= out - away
                else ZERO
                for away, theirs, more in product(range(hidden + 1), repeat=3)
            ]
            if not hidden:
                scale *= weights[0]
                continue
            common = lcm(*(one.denominator for one in weights))
            place = self.problem.kinds.index(card)
            groups.append(Group(place, own, 0, hidden, (), tuple(int(one * common) for one in weights), others))
            scale /= common
        return groups, scale

    def _mean(self, groups: Sequence[Group], scale: Fraction) -> tuple[float, dict[tuple[Card, int], float]]:
        """The mean of what the groups weigh, and under these weights the expected copies of their cards by seat."""
        if not groups:
            return float(scale), {}
        worlds = Worlds(replace(self.problem, groups=(*self.problem.groups, *groups)), table=Table.POOLS)
        if not worlds.count() or not scale:
            return 0.0, {}
        mean, rows = float(Fraction(worlds.count(), self.worlds.count()) * scale), worlds.expected()
        piles = [(hand, pile) for hand, pile in enumerate(self.compiled.piles) if pile in self.seats]
        kinds = [(group.place, self.problem.kinds[group.place]) for group in groups]
        return mean, {(card, pile): float(rows[place, hand]) for place, card in kinds for hand, pile in piles}


def _missed(own: int, barred: int, out: int, numbers: Sequence[int]) -> Fraction:
    """How likely a seat takes no place of a card, if it has so many of the copies in hands.

    A place with a number goes to the first copy from there on that is of nobody who is barred.
    """
    free = out - barred
    if not own:
        return Fraction(1)
    total = ZERO
    for others in combinations(range(1, out + 1), free):  # when the copies come that are of nobody who is barred
        deciding = {next((at for at in others if at >= number), 0) for number in numbers} - {0}
        total += Fraction(comb(free - len(deciding), own), comb(free, own))
    return total / comb(out, free)
