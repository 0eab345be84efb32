"""Schafkopf in the C++ kernel, typed: what may be played, and first duties broken.

Python defines these (`renege.games.schafkopf`), the kernel repeats them, and the tests hold one against the other. The
game is that of `renege.native.cards`: an order is its `Tables`, a table its `states [B, 8]`, and `native.legal_masks`,
`winners`, `step`, `playouts`, `random_deals` and `claims` take them. What Schafkopf adds is the called ace. It belongs
to the order, and of what came before it needs one thing, `led_called`: a mask of the seats that have led its suit, with
another card than the ace (`Memory.leaders`). Where no ace is called that is 0, and nobody looks at it.

Who led the suit is all: a holder in the mask has run, anybody else in it has searched.
"""

from enum import IntEnum

import numpy as np

from renege import _kernel
from renege._kernel import Tables
from renege.native import cards as native
from renege.native.arrays import U8, U32
from renege.native.cards import MAX_CARDS, OrderTables, check_threads, checked_array

SEATS = 4
RUN_FROM = 4  # cards of the called suit that allow to lead from under its ace, at most tables
LED_CALLED = 24  # the lowest of its bits in word 5 of a state


class CardBreach(IntEnum):
    """The first duty that a card breaks, as a referee asks."""

    NONE = 0  # the card is legal
    FOLLOW_SUIT = 1
    ANSWER_SEARCH = 2
    ACE_STAYS = 3
    NO_RUNNING = 4


def order(order: OrderTables, called: int | None = None, run_from: int = RUN_FROM) -> Tables:
    """An order as the kernel keeps it; `called` is the ace that is called, if one is.

    Two Rufspiele have the same trumps and not the same ace, so each has an order of its own here. `run_from` cards of
    the called suit, the ace among them, allow to lead from under it.
    """
    return native.tables(order, called, run_from)


def legal(order: Tables, hands: U32, leads: U8, led_called: U8, seats: U8, threads: int = 1) -> U32:
    """`hands uint32[B]` and `leads`, `led_called`, `seats`, `uint8[B]` each -> `uint32[B]`: what may be played.

    A row is one seat and its hand; no other hand is needed. `leads` is the first card of the trick, 255 where this seat
    leads.
    """
    turns = _turns(hands, leads, led_called, seats, threads)
    out = np.empty(len(hands), np.uint32)
    _kernel.schafkopf_legal(order, *turns, out, threads)
    return out


def judge(order: Tables, hands: U32, leads: U8, led_called: U8, seats: U8, cards: U8, threads: int = 1) -> U8:
    """The same turns and `cards uint8[B]`, one out of each hand -> `uint8[B]`: its `CardBreach`, 0 if legal."""
    turns = _turns(hands, leads, led_called, seats, threads)
    cards = checked_array("cards", cards, np.uint8, (len(hands),))
    out = np.empty(len(hands), np.uint8)
    _kernel.schafkopf_judge(order, *turns, cards, out, threads)
    return out


def states(order: Tables, hands: U32, leaders: U8, led_called: U8 | None = None) -> U32:
    """`hands uint32[B, 4]`, `leaders uint8[B]`, `led_called uint8[B]` -> `states [B, 8]` of tables between two tricks.

    A leader is the seat that leads the next trick. Nothing is taken yet; the upper terms are 0, for the caller to use.
    """
    hands = checked_array("hands", hands, np.uint32, (None, SEATS))
    leaders = checked_array("leaders", leaders, np.uint8, (len(hands),))
    if (leaders >= SEATS).any():
        raise ValueError(f"leaders row {int((leaders >= SEATS).argmax())}: a seat is 0..{SEATS - 1}")
    out = np.zeros((len(hands), 8), np.uint32)
    out[:, :SEATS] = hands
    out[:, 4] = 0xFFFFFFFF
    out[:, 5] = leaders | np.uint32(native.FOUR_SEATS << 4 | native.duty_of(order) << 8)
    if led_called is not None:
        led_called = checked_array("led_called", led_called, np.uint8, (len(hands),))
        if (led_called >> SEATS).any():
            raise ValueError(f"led_called row {int((led_called >> SEATS != 0).argmax())}: a mask of four seats")
        out[:, 5] |= led_called.astype(np.uint32) << LED_CALLED
    return out


def taken(order: Tables, states: U32, plays: U8, threads: int = 1) -> U32:
    """`states [B, 8]`, `plays uint8[B, 32]` from there on, 255 after the last -> `uint32[B, 4]`: what each seat takes.

    Cards of a trick that nobody has taken at the end are in no seat's mask. Whether a play was legal is not asked.
    """
    states = checked_array("states", states, np.uint32, (None, 8))
    plays = checked_array("plays", plays, np.uint8, (len(states), MAX_CARDS))
    check_threads(threads)
    out = np.empty((len(states), SEATS), np.uint32)
    _kernel.schafkopf_taken(order, states, plays, out, threads)
    return out


def _turns(hands: U32, leads: U8, led_called: U8, seats: U8, threads: int) -> tuple[U32, U8, U8, U8]:
    hands = checked_array("hands", hands, np.uint32, (None,))
    rows = (len(hands),)
    check_threads(threads)
    return (
        hands,
        checked_array("leads", leads, np.uint8, rows),
        checked_array("led_called", led_called, np.uint8, rows),
        checked_array("seats", seats, np.uint8, rows),
    )
