"""Who plays with whom, as far as it shows: the called ace's holder is the declarer's partner, and says nothing."""

from enum import Enum

from renege.core.cards import Cards
from renege.core.game import SEATS
from renege.core.position import Position
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.memory import Memory


class Team(Enum):
    """What is known of a seat's side."""

    DECLARERS = "declarers"
    DEFENDERS = "defenders"
    POSSIBLE = "possible"  # it may be the declarer's partner, or not
    NONE = "none"  # there are no sides: no contract yet, or a Ramsch


def partners(position: Position) -> tuple[int, ...]:
    """The seats that may be the declarer's partner, for all that this position tells; one, when it is known."""
    contract = position.contract
    if not isinstance(contract, Bargain) or contract.declarer is None:
        return ()
    called = contract.named.called
    if called is None or position.memory.ace is not None:
        return public_partners(contract, position.memory)
    ace = position.game.deck.spellings[called]
    told = {seat: ace in hand for seat, hand in enumerate(position.hands) if isinstance(hand, Cards)}
    holder = tuple(seat for seat, holds in told.items() if holds)  # before what only lawful play would show
    return holder or tuple(seat for seat in public_partners(contract, position.memory) if seat not in told)


def public_partners(contract: Bargain, memory: Memory) -> tuple[int, ...]:
    """The same, for all that everybody has seen."""
    if contract.named.kind != "rufspiel":
        return () if contract.partner is None else (contract.partner,)
    shown = [seat for seat in (memory.ace, memory.ran, contract.answered) if seat is not None]
    if shown:
        return (shown[0],)
    out = {contract.declarer, *contract.raised[::2]}
    return tuple(seat for seat in SEATS if seat not in out and not memory.without >> seat & 1)


def team(position: Position, seat: int) -> Team:
    """The side of a seat, as far as this position tells."""
    contract = position.contract
    if contract is None or contract.declarer is None:
        return Team.NONE
    could = partners(position)
    if seat == contract.declarer or could == (seat,):
        return Team.DECLARERS
    return Team.POSSIBLE if seat in could else Team.DEFENDERS


def side(position: Position, seat: int) -> int | None:
    """0 with the declarer, 1 against; None while it does not show. In a Ramsch everybody is a side."""
    known = team(position, seat)
    if known is Team.NONE:
        return None if position.contract is None else seat
    return {Team.DECLARERS: 0, Team.DEFENDERS: 1, Team.POSSIBLE: None}[known]
