"""A position of Tractor as the kernel's solver takes it, where the kernel plays by the same rules."""

import numpy as np

from renege import native_tractor
from renege.cards import Cards
from renege.games.tractor.declare import Bank
from renege.games.tractor.rules import (
    FollowDuty,
    KittyMultiplier,
    Rules,
    ShorterRuns,
    StoppedThrow,
    ThrowComparison,
    ThrowTest,
    TrumpThrows,
)
from renege.native_tractor_solve import House, Kitty, Rounds
from renege.position import Position
from renege.verdict import WrongPhase

KITTIES = {
    KittyMultiplier.TWO_TO_CARDS: Kitty.TWO_TO_CARDS,
    KittyMultiplier.TWICE_CARDS: Kitty.TWICE_CARDS,
    KittyMultiplier.TWO_TO_PAIRS_PLUS_1: Kitty.TWO_TO_PAIRS_PLUS_1,
}


def house(rules: Rules) -> House:
    """The house rules as the kernel has them; `ValueError` names one that it does not play."""
    for name, played in (
        ("throw_comparison", ThrowComparison.LONGEST_UNIT),
        ("follow_duty", FollowDuty.SHAPE),
        ("throw_test", ThrowTest.TRUE_HANDS),
        ("stopped_throw", StoppedThrow.LEAD_SMALLEST),
        ("throw_penalty", 0),
    ):
        if getattr(rules, name) != played:
            raise ValueError(f"the kernel does not play {name}={getattr(rules, name)}")
    return House(
        shorter_runs=rules.shorter_runs is ShorterRuns.OWED,
        trump_throws=rules.trump_throws is TrumpThrows.ALLOWED,
        kitty=KITTIES[rules.kitty_multiplier],
    )


def pack(*positions: Position) -> Rounds:
    """Positions in the play, a row each; every hand must be told, and the kitty, or it counts as worth nothing."""
    rows = [_row(position) for position in positions]
    return Rounds(
        np.array([row[0] for row in rows], np.uint64).reshape(-1, 4, 2),
        np.array([row[1] for row in rows], np.uint64).reshape(-1, 4, 2),
        np.array([row[2] for row in rows], np.uint8),
        np.array([row[3] for row in rows], np.uint8),
        np.array([row[4] for row in rows], np.uint16),
    )


Words = list[list[int]]


def _row(position: Position) -> tuple[Words, Words, int, int, int]:
    contract, trick, order = position.contract, position.trick, position.order
    if not isinstance(contract, Bank) or trick is None or order is None:
        raise WrongPhase("only play is packed, not the naming of trumps")
    house(position.game.rules)
    if trick.lead is not None and trick.lead.units and trick.lead.tried is None:
        raise WrongPhase("a trick whose leader grouped the lead must be over first")
    if trick.lead is not None and order.suit_of(trick.lead.cards) is None:
        raise WrongPhase("a trick led with several suits must be over first")
    hands: Words = []
    for seat, hand in enumerate(position.hands):
        if not isinstance(hand, Cards):
            raise WrongPhase(f"the hand of seat {seat} is not told")
        hands.append(_words(hand))
    table = [_words(play.cards) for play in trick.plays]
    table += [[0, 0]] * (4 - len(table))
    kitty = order.worth(position.kitty) if isinstance(position.kitty, Cards) else 0
    return hands, table, trick.leader, contract.declarer, kitty


def _words(pile: Cards) -> list[int]:
    return native_tractor.pile(list(pile)).tolist()
