"""What an agent's side was in a deal, and what it won in each role: the mean of a match, split.

Who declared is in the contract, and who was with the declarer the game says (`Game.side`). Parts add up to the mean of
the match: a deal counts in the part of its role, and as nothing in the others.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from renege.arena.stats import PairEstimate, estimate
from renege.core.position import Position


class Role(Enum):
    """What agent A's seats were in a deal."""

    DECLARER = "declarer"
    DEFENDER = "defender"
    SPLIT = "split"  # a seat of each agent with the declarer: what they win together is nobody's lead
    NOBODY = "nobody"  # there was no contract, or everybody played for himself


def role_of(position: Position, seats: Sequence[int]) -> Role:
    """What these seats were in a deal that is over."""
    contract, side = position.contract, position.game.side
    if contract is None or contract.declarer is None:
        return Role.NOBODY
    declaring = side(position, contract.declarer)
    seats_here = position.game.all_seats
    with_declarer = {seat for seat in seats_here if seat == contract.declarer or side(position, seat) == declaring}
    ours, theirs = with_declarer.intersection(seats), with_declarer.difference(seats)
    if ours and theirs:
        return Role.SPLIT
    return Role.DECLARER if ours else Role.DEFENDER


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a match: how often it came up, A's lead there, and what it adds to the mean of the match."""

    share: float
    lead: float
    adds: PairEstimate


Told = tuple[float, bool, Sequence[tuple[Role, float]]]
"""A pair as it is split: its score, whether both rounds were called alike, and each deal's role and lead."""


def split_by_role(pairs: Iterable[Told]) -> dict[Role, Part]:
    """The parts of each role that came up; what they add sums to the mean of the match."""
    found = list(pairs)
    parts = {role: _role_part([deals for _, _, deals in found], role) for role in Role}
    return {role: part for role, part in parts.items() if part.share}


def _role_part(pairs: Sequence[Sequence[tuple[Role, float]]], role: Role) -> Part:
    leads = [[lead for here, lead in deals if here is role] for deals in pairs]
    deals, count = sum(map(len, pairs)), sum(map(len, leads))
    # a pair's score is the mean of two rounds, whatever the number of deals in them
    adds = estimate([sum(each) / 2 for each in leads])
    return Part(count / deals, sum(map(sum, leads)) / count if count else 0.0, adds)


def split_by_calls(pairs: Iterable[Told]) -> tuple[Part, Part]:
    """The pairs that were called alike in both rounds, where only the play differs, and those that were not."""
    found = list(pairs)
    return _pair_part(found, lambda alike: alike), _pair_part(found, lambda alike: not alike)


def roles_apart(even: bool, ab: float, ba: float, alone: tuple[float, float]) -> tuple[float, float]:
    """What declaring and what defending are worth to A in a deal that was played four times under one contract.

    `even`: does the declarer sit at an even seat? `ab` is what the even seats lead by when A has those, `ba` when B
    has, `alone` when A or B has all. Both sum to the score of the pair.
    """
    mixed = (ab, ba) if even else (-ba, -ab)
    (a_declares, b_declares), (both_a, both_b) = mixed, (each if even else -each for each in alone)
    declaring = (a_declares + both_a - b_declares - both_b) / 4
    return declaring, (a_declares - b_declares) / 2 - declaring


def _pair_part(pairs: Sequence[Told], wanted: Callable[[bool], bool]) -> Part:
    scores = [score if wanted(alike) else None for score, alike, _ in pairs]
    count = sum(score is not None for score in scores)
    adds = estimate([score or 0.0 for score in scores])
    return Part(count / len(scores), adds.mean * len(scores) / count if count else 0.0, adds)
