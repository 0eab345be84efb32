"""Is there a deal at all? `any_deal` finds one and shows each step to it, or says why there is none.

Hidden cards can be dealt just when every set of hands can take, together, as many cards as it needs: Hall's theorem,
with a clone of a hand for each card that it needs. `docs/beliefs.md` has the proof, of which `any_deal` is the program.
The deals it finds are not equally likely; `Worlds.draw` is there for that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from renege.belief.conflict import Clash, Conflict, known_clash, members, name_hands, violator
from renege.belief.problem import Problem
from renege.core.cards import Card

__all__ = ["Chosen", "Clash", "Conflict", "Deal", "Forced", "Split", "Step", "any_deal", "violator"]

Name = Callable[[Card], str]
Sort = tuple[int, tuple[int, ...]]  # kinds that are alike: copies still to be dealt, and the most for each hand
Piles = dict[Sort, list[int]]  # the places in Problem.kinds of each sort


def verb(hands: tuple[int, ...], one: str, many: str) -> str:
    return one if len(hands) == 1 else many


@dataclass(frozen=True, slots=True)
class Forced:
    """Cards that had to go to one hand."""

    hand: int
    cards: tuple[Card, ...]
    why: str

    def tell(self, name: Name = str) -> str:
        return f"{' '.join(map(name, self.cards))} to hand {self.hand}: {self.why}"

    __str__ = tell


@dataclass(frozen=True, slots=True)
class Split:
    """These hands need all the cards that they can take: they get those, and the others divide the rest."""

    hands: tuple[int, ...]
    cards: tuple[Card, ...]
    others: tuple[int, ...]
    rest: tuple[Card, ...]

    def tell(self, name: Name = str) -> str:
        cards, rest = " ".join(map(name, self.cards)), " ".join(map(name, self.rest))
        if not rest:
            return (
                f"{name_hands(self.others)} {verb(self.others, 'is', 'are')} full: {cards} to {name_hands(self.hands)}"
            )
        if not cards:
            return f"{name_hands(self.hands)} {verb(self.hands, 'is', 'are')} full: {rest} to {name_hands(self.others)}"
        needs = f"{name_hands(self.hands)} {verb(self.hands, 'needs', 'need')} all that can come there, {cards}"
        return f"{needs}: {rest} to {name_hands(self.others)}"

    __str__ = tell


@dataclass(frozen=True, slots=True)
class Chosen:
    """A card that might as well have gone to another hand."""

    hand: int
    card: Card

    def tell(self, name: Name = str) -> str:
        return f"{name(self.card)} to hand {self.hand}, freely"

    __str__ = tell


Step = Forced | Split | Chosen


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal that the problem allows, and how it was found."""

    hands: tuple[tuple[Card, ...], ...]
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))


def any_deal(problem: Problem, rng: Random) -> Deal | Conflict:
    """Some deal that keeps to the caps of a problem, or why there is none.

    Only caps and known cards: a problem with watches or groups is a ValueError, and `Worlds.draw` deals it.
    """
    if problem.watches or problem.groups:
        raise ValueError("any_deal knows caps and known cards only; Worlds.draw deals a problem with watches or groups")
    if conflict := known_clash(problem):
        return conflict
    dealer = _Dealer(problem, rng)
    if not dealer.deal() and (conflict := violator(problem)):
        return conflict
    return Deal(tuple(tuple(sorted(hand)) for hand in dealer.hands), tuple(dealer.steps))


class _Dealer:
    """The cards given so far, and what each hand still needs."""

    def __init__(self, problem: Problem, rng: Random) -> None:
        self.kinds = problem.kinds
        self.rng = rng
        self.need = list(problem.sizes)
        self.hands: list[list[Card]] = [[] for _ in problem.sizes]
        self.steps: list[Step] = []
        self.piles = self._give_known(problem)

    def deal(self) -> bool:
        """Deal everything; False, before any choice is made, if some set of hands can take too few cards."""
        parts = [((1 << len(self.need)) - 1, self.piles)]
        while parts:
            part, piles = parts.pop()
            piles = self._give_forced(piles)
            slack = self._slack(part, piles)
            if min(slack) < 0:  # never after the first time: neither steps nor splits make a set short
                return False
            if tight := self._give_freely(part, piles, slack):
                inside, outside = _cut_piles(piles, tight)
                there, rest = self._cards(inside), self._cards(outside)
                self.steps.append(Split(members(tight), there, members(part ^ tight), rest))
                parts += [(part ^ tight, outside), (tight, inside)]
        return True

    def _give_known(self, problem: Problem) -> Piles:
        piles: Piles = {}
        for place, (copies, most, least) in enumerate(zip(problem.copies, problem.most, problem.least, strict=True)):
            if any(least):
                for hand, known in enumerate(least):
                    if known:
                        self._force(hand, (self.kinds[place],) * known, "known to be there")
                copies -= sum(least)
                most = tuple(a - b for a, b in zip(most, least, strict=True))
            if copies:
                piles.setdefault((copies, most), []).append(place)
        return piles

    def _give_forced(self, piles: Piles) -> Piles:
        """Give each hand the copies that no other hand may take; what is left is still to be divided."""
        left: Piles = {}
        for sort, places in piles.items():
            forced, rest = _forced(sort)
            if rest:
                left.setdefault(rest, []).extend(places)
            for hand, copies in forced:
                cards = tuple(self.kinds[place] for place in places for _ in range(copies))
                self._force(hand, cards, "no other hand may take " + ("it" if len(cards) == 1 else "them"))
        return left

    def _give_freely(self, part: int, piles: Piles, slack: list[int]) -> int:
        """Give cards freely until some set of hands, not all of the part, is tight; that set, or 0 once all is dealt.

        While no set is tight any card may go to any hand that may take it: of the sets without that hand, those that
        could have taken every copy lose one card of a slack of at least one, and no other slack changes.
        """
        if not piles:
            return 0
        need = self.need
        tight = next((hands for hands in subsets(part) if hands != part and not slack[hands]), 0)
        while piles and not tight:
            sort, places = next(iter(piles.items()))
            takers = _takers(sort)
            while places and not tight:
                place = places.pop()
                # A hand that needs more is likelier to get it: where nothing is known all deals are equally likely.
                wanted = 0
                for taker in takers:
                    wanted += need[taker]
                at, hand = self.rng.random() * wanted, takers[0]
                for hand in takers:
                    at -= need[hand]
                    if at < 0:
                        break
                card = self.kinds[place]
                self.hands[hand].append(card)
                need[hand] -= 1
                self.steps.append(Chosen(hand, card))
                for rivals in _rivals(sort, part, hand):
                    slack[rivals] -= 1
                    if not slack[rivals]:
                        tight = rivals
                if sort[0] > 1:  # perhaps only one hand may take the copy that is left
                    for rest, there in self._give_forced({_less(sort, hand, 1): [place]}).items():
                        piles.setdefault(rest, []).extend(there)
            if not places:
                del piles[sort]
        return tight if piles else 0

    def _slack(self, part: int, piles: Piles) -> list[int]:
        """[set of hands] how many cards more than it needs the set can take; 0 for a set not inside the part."""
        slack = [0] * (1 << len(self.need))
        counted = [(len(places), _takes(sort)) for sort, places in piles.items()]
        for hands in subsets(part):
            slack[hands] = -sum([self.need[hand] for hand in members(hands)])
            for number, takes in counted:
                slack[hands] += number * takes[hands]
        return slack

    def _force(self, hand: int, cards: tuple[Card, ...], why: str) -> None:
        self.hands[hand] += cards
        self.need[hand] -= len(cards)
        self.steps.append(Forced(hand, cards, why))

    def _cards(self, piles: Piles) -> tuple[Card, ...]:
        return tuple(
            sorted([self.kinds[place] for sort, places in piles.items() for place in places for _ in range(sort[0])])
        )


def _cut_piles(piles: Piles, tight: int) -> tuple[Piles, Piles]:
    """What goes to the hands of a tight set, and what to the others."""
    inside: Piles = {}
    outside: Piles = {}
    for sort, places in piles.items():
        for piles_of, part in zip((inside, outside), _cut(sort, tight), strict=True):
            if part[0]:
                piles_of.setdefault(part, []).extend(places)
    return inside, outside


# A problem has few sorts, and the same ones come back in every position of a game: what follows from a sort is kept.


@lru_cache
def subsets(part: int) -> tuple[int, ...]:
    """The sets of hands inside a set, itself among them, without the empty one."""
    return tuple(hands for hands in range(1, part + 1) if not hands & ~part)


@lru_cache(maxsize=1 << 14)
def _takes(sort: Sort) -> tuple[int, ...]:
    """[set of hands] the most copies that it can take together."""
    copies, most = sort
    return tuple(min(copies, sum(most[hand] for hand in members(hands))) for hands in range(1 << len(most)))


@lru_cache(maxsize=1 << 14)
def _takers(sort: Sort) -> tuple[int, ...]:
    return tuple(hand for hand, most in enumerate(sort[1]) if most)


@lru_cache(maxsize=1 << 14)
def _rivals(sort: Sort, part: int, hand: int) -> tuple[int, ...]:
    """The sets of hands of the part that lose a card if this hand gets it: they could have taken every copy."""
    takes = _takes(sort)
    return tuple(hands for hands in subsets(part) if not hands >> hand & 1 and takes[hands] == sort[0])


@lru_cache(maxsize=1 << 14)
def _forced(sort: Sort) -> tuple[tuple[tuple[int, int], ...], Sort | None]:
    """(hand, copies) for the copies that only this hand may take, and the sort that is left."""
    forced: list[tuple[int, int]] = []
    for hand in range(len(sort[1])):
        others = sum(sort[1]) - sort[1][hand]
        if sort[0] > others:
            forced.append((hand, sort[0] - others))
            sort = _less(sort, hand, sort[0] - others)
    return tuple(forced), sort if sort[0] else None


@lru_cache(maxsize=1 << 14)
def _less(sort: Sort, hand: int, copies: int) -> Sort:
    """The sort once the hand has got so many copies."""
    return sort[0] - copies, tuple(most - copies * (i == hand) for i, most in enumerate(sort[1]))


@lru_cache(maxsize=1 << 14)
def _cut(sort: Sort, tight: int) -> tuple[Sort, Sort]:
    """The copies for the hands of a tight set, which takes all it can, and those for the others."""
    copies, most = sort
    taken = _takes(sort)[tight]
    inside = tuple(number * (tight >> hand & 1) for hand, number in enumerate(most))
    outside = tuple(number * (~tight >> hand & 1) for hand, number in enumerate(most))
    return (taken, inside), (copies - taken, outside)
