"""Open hands of Schafkopf: what each play is worth."""

from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.solution import UNLIMITED, Limits, OpenHands, Solution
from renege.core.verdict import WrongPhase
from renege.games.kit import solve_cards
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.follow import heads
from renege.games.schafkopf.packed import pack, tables_of, takers

FOUR = 0b1111


def solve(position: Position, target: int | None = None, limits: Limits = UNLIMITED) -> Solution:
    """What each play brings the declarer's side; in a Bettel, whether the declarer then loses every trick."""
    contract = position.contract
    if not isinstance(contract, Bargain):
        raise WrongPhase("nobody is to play yet", position)
    if contract.declarer is None:
        raise WrongPhase("a Ramsch has no sides whose points could be worked out")
    if heads(position.game.rules, contract.declaration):
        rule = position.game.rules.head_trick.value
        raise WrongPhase(say("this is not solved or rolled out under {name}={rest}", "head_trick", rule))
    loses = contract.named.kind == "bettel"
    if loses and target is not None:
        raise NotationError("'objective': in a Bettel no points are made; the declarer is to lose every trick")
    side = takers(position)
    return solve_cards(
        position,
        tables_of(position.game.rules, contract.declaration, tricks=loses),
        pack(position),
        side,
        FOUR & ~side if loses else side,
        target=target,
        limits=limits,
        loses=loses,
    )


OPEN_HANDS = OpenHands(solve)
