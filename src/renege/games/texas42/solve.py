"""Open hands of Texas 42: what each play is worth."""

from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.solution import UNLIMITED, Limits, OpenHands, Solution
from renege.core.verdict import WrongPhase
from renege.games.kit import SIDE_OF_0, solve_cards
from renege.games.texas42.contract import Hand42, Kind
from renege.games.texas42.packed import pack_open


def solve(position: Position, target: int | None = None, limits: Limits = UNLIMITED) -> Solution:
    """What each play brings the side of seat 0; in nello, whether the declarer then loses every trick.

    The hand is played to its last trick, also where the bid is decided before.
    """
    contract = position.contract
    if not isinstance(contract, Hand42) or position.order is None:
        raise WrongPhase("nobody is to play yet", position)
    order, state = pack_open(position)
    if contract.kind is not Kind.NELLO:
        return solve_cards(position, order, state, SIDE_OF_0, SIDE_OF_0, target=target, limits=limits)
    if target is not None:
        raise NotationError("'objective': in nello no points are made; the declarer is to lose every trick")
    takers = 1 << contract.declarer
    others = sum(1 << seat for seat in contract.seats) & ~takers
    return solve_cards(position, order, state, takers, others, target=None, limits=limits, loses=True)


OPEN_HANDS = OpenHands(solve)
