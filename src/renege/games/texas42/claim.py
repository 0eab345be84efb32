"""Claims (laydowns): whether a seat that shows its hand wins all the rest, and if not, the line that refutes it.

The claimer may play as well as possible; the others, the partner included, play whatever the rules allow that spoils
the claim. So a claim is good only if no legal line beats it. In nello the declarer claims to lose every trick.
"""

from dataclasses import replace

import numpy as np

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import SEATS
from renege.core.message import say
from renege.core.position import Position
from renege.core.verdict import Ruling, Verdict, WrongPhase
from renege.games.texas42.contract import Hand42, Kind
from renege.games.texas42.packed import lies_open, pack_open
from renege.games.texas42.rules import CLAIM, EarlyEnd, OpeningLead
from renege.native import cards as native


def claim(position: Position, seat: int) -> tuple[Verdict, tuple[Act, ...]]:
    """The verdict on a claim by a seat, and the play that bears it out: to the end, or to the trick it loses.

    The play shows every hand, so it is for the arbiter; the verdict, which the table hears, says nothing of it.
    """
    contract = position.contract
    if not isinstance(contract, Hand42) or position.over:
        raise WrongPhase("there is nothing to claim now")
    if seat not in contract.seats or (contract.kind is Kind.NELLO and seat != contract.declarer):
        raise WrongPhase(say("{seat} has nothing to claim in this contract", seat))
    if not all(isinstance(position.hands[other], Cards) for other in contract.seats):
        return Verdict(Ruling.PENDING, "claim", CLAIM, "the other hands decide, and they are not told"), ()
    if lies_open(position):
        raise WrongPhase("nothing is claimed while a tile lies face up")
    # every trick counts, also those that a table would not play once the hand is decided
    to_the_end = replace(position.game, rules=replace(position.game.rules, early_end=EarlyEnd.PLAY_ON))
    position = replace(position, game=to_the_end)
    nello = contract.kind is Kind.NELLO
    takers = sum(1 << taker for taker in SEATS if (taker % 2 == seat % 2) is not nello)
    try:
        good = _holds(position, seat, takers)
        line = _line(position, seat, takers, good)
    except native.ClaimLeftOpen:
        return Verdict(Ruling.PENDING, "claim", CLAIM, "the claim is too much to work out"), ()
    if good:
        return Verdict(Ruling.LEGAL, "claim"), line
    undertaken = "lose every trick" if nello else "take every trick"
    why = say(f"{{seat}} says that it will {undertaken}, and the others can spoil that", seat)
    return Verdict(Ruling.ILLEGAL, "claim", CLAIM, why), line


def _holds(position: Position, seat: int, takers: int) -> bool:
    assert position.trick is not None and isinstance(position.contract, Hand42)
    first = not position.tricks_played and position.trick.lead is None
    unsaid = position.contract.opening is not None
    if first and (unsaid or position.game.rules.opening_lead is not OpeningLead.ANY):
        # it has a rule of its own, and the kernel knows leads that are free, and no others
        kept = (_stays(position, after, seat, takers) for _, after in _next(position))
        return any(kept) if position.turn == seat else all(kept)
    tables, state = pack_open(position)
    row = (state[None], np.array([seat], np.uint8), np.array([takers], np.uint8))
    return bool(native.claims(tables, *row)[0])


def _line(position: Position, seat: int, takers: int, good: bool) -> tuple[Act, ...]:
    """A line of play on which the claim stays good to the end, or stays bad to the trick that it loses."""
    line: list[Act] = []
    lost = False
    while not (position.over or lost):
        act, after = next(
            (act, after) for act, after in _next(position) if _stays(position, after, seat, takers) is good
        )
        lost = after.tricks_played > position.tricks_played and not _kept(after, takers)
        line.append(act)
        position = after
    return tuple(line)


def _next(position: Position) -> list[tuple[Act, Position]]:
    acts = [Act(position.turn or 0, play) for play in position.legal_plays]
    return [(act, position.then(act)) for act in acts]


def _stays(before: Position, after: Position, seat: int, takers: int) -> bool:
    if after.tricks_played > before.tricks_played and not _kept(after, takers):
        return False
    return after.over or _holds(after, seat, takers)


def _kept(position: Position, takers: int) -> bool:
    """Did a seat that the claim names take the trick that has just ended? It leads now."""
    return position.trick is not None and bool(takers >> position.trick.leader & 1)
