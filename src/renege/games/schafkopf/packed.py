"""A position of Schafkopf in 256 bits, as the kernel plays it (`renege.native.schafkopf`).

The layout is that of `renege/core/cards.hpp`: four hands, the table, the terms, the points and the tricks. Of the
contract only the duty to the called ace is in there, and of what came before only who has led its suit: the order, and
the mask of the declarer's side, go beside it.
"""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Card, Cards
from renege.core.game import SEATS
from renege.core.position import Position
from renege.core.verdict import WrongPhase
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.memory import partners
from renege.games.schafkopf.order import DECKS, order, parse_declaration
from renege.games.schafkopf.rules import BettelOrder, PackSize, Rules
from renege.native import cards as native
from renege.native import schafkopf as native_schafkopf
from renege.native.schafkopf import RUN_FROM


def called_ace(declaration: str, deck: PackSize) -> Card | None:
    """The ace that a Rufspiel calls, or the ten."""
    called = parse_declaration(declaration).called
    return None if called is None else DECKS[deck].spellings[called]


@cache
def tables(
    declaration: str,
    deck: PackSize = PackSize.LONG,
    bettel: BettelOrder = BettelOrder.ACE_KING,
    run_from: int = RUN_FROM,
    *,
    tricks: bool = False,
) -> native.Tables:
    """The order of a declaration as the kernel keeps it. `tricks`: each trick counts one, and no card anything."""
    table = order(declaration, deck, bettel)
    if tricks:
        table = replace(table, points=(0,) * len(table.points), trick_points=1)
    return native_schafkopf.order(table, called_ace(declaration, deck), run_from)


def tables_of(rules: Rules, declaration: str, *, tricks: bool = False) -> native.Tables:
    """The same at a table."""
    return tables(declaration, rules.deck, rules.bettel_order, rules.run_from, tricks=tricks)


def pack(position: Position) -> NDArray[np.uint32]:
    """The position as a row of `states [8]`; every hand must be told."""
    contract, trick = position.contract, position.trick
    if not isinstance(contract, Bargain) or trick is None:
        raise WrongPhase("only play is packed, not the talk")
    if not all(isinstance(hand, Cards) for hand in position.hands):
        raise WrongPhase("a hand that is not told cannot be packed")
    calls = contract.named.kind == "rufspiel"
    state = native.state(
        [hand.kinds for hand in position.hands if isinstance(hand, Cards)],
        trick.leader,
        table=[card for play in trick.plays for card in play.cards],
        duty=native.Duty.CALLED_ACE if calls else native.Duty.FOLLOW_SUIT,
        points=position.points,
        tricks=position.tricks,
    )
    if calls:
        state[5] |= np.uint32(position.memory.leaders << native_schafkopf.LED_CALLED)
    return state


def takers(position: Position) -> int:
    """The declarer's side as a mask of seats, its partner being who has, or had, the called ace."""
    contract = position.contract
    if not isinstance(contract, Bargain) or contract.declarer is None:
        raise WrongPhase("there are no sides before a game is named, nor in a Ramsch")
    side = {contract.declarer, *partners(position)}
    if len(side) > 2:
        raise WrongPhase("who holds the called ace is not told")
    return sum(1 << seat for seat in SEATS if seat in side)
