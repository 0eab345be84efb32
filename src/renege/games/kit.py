"""Parts for simple trick games: one seat names something, and everybody follows suit if able.

A game that is no more than that takes these and gives them its own calls and rules; `docs/add-a-game.md` does.
"""

import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renege.core.cards import Cards, Hand
from renege.core.facts import Fact, Void
from renege.core.game import Check, Contract, Talk, Turn
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.position import Course, Position, View
from renege.core.solution import UNLIMITED, Bounds, Limits, Solution
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling, WrongPhase
from renege.core.world import World
from renege.games.strategy import Advice, Option, Search, Worth
from renege.native import cards as native
from renege.native.cards import KERNEL_SEATS
from renege.native.engine import CPU, Engine
from renege.native.solve import SolveQuery, solve_plays

# -- the talk: one seat names something


@dataclass(frozen=True)
class Naming(Talk):
    """All the talk there is: a seat makes one of these calls, and leads."""

    seat: int
    named: tuple[str, ...]
    made: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        return self.made

    @property
    def turn(self) -> int | None:
        return None if self.made else self.seat

    @property
    def contract(self) -> Contract | None:
        return Contract(self.made[0], self.seat, self.seat) if self.made else None

    def read(self, text: str) -> str:
        return _one_of(self.named, text)

    def calls(self, hand: Hand) -> Iterator[str]:
        return iter(self.named)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        return None

    def after(self, call: str) -> "Naming":
        return replace(self, made=(call,))


def read_contract(calls: tuple[str, ...], players: int = 4) -> Callable[[Any, str], Contract]:
    """Reads `spades by 1`, by one of so many seats; without a seat, by seat 0."""

    def read(rules: Any, text: str) -> Contract:
        found = re.fullmatch(rf"(.+?)(?: by ([0-{players - 1}]))?", text)
        seat = 0 if found is None else int(found[2] or 0)
        return Contract(_one_of(calls, text if found is None else found[1]), seat, seat)

    return read


def write_contract(contract: Contract) -> str:
    return f"{contract.declaration} by {contract.declarer}"


def _one_of(calls: tuple[str, ...], text: str) -> str:
    words = " ".join(text.split()).lower()
    found = next((call for call in calls if call.lower() == words), None)
    if found is None:
        raise NotationError(say("{quoted} is no call here: {rest}", repr(text.strip()), ", ".join(calls)))
    return found


# -- the play


def one_card(rule: Rule) -> Check:
    """A play is a single card."""

    def check(turn: Turn, play: Play) -> Objection | None:
        if play.cards.single() is not None:
            return None
        return Objection(rule, say(f"{{cards}} is not one {turn.hand.deck.noun}", play.cards or "nothing"))

    return check


def follow_suit(rule: Rule) -> Check:
    """Who holds cards of the led suit plays one."""

    def check(turn: Turn, play: Play) -> Objection | None:
        held = None if turn.led is None else turn.order.in_suit(turn.hand, turn.led)
        if turn.led is None or not held or play.cards <= held:
            return None
        why = say("{cards} does not follow {suit}, and the hand holds {cards2}", play, turn.order.nouns[turn.led], held)
        return Objection(rule, why, Ruling.RENEGE)

    return check


def voids(rule: Rule) -> Callable[[Course], Iterator[Fact]]:
    """What everybody learns where `follow_suit` is the only rule: who did not follow has nothing of the suit."""

    def evidence(course: Course) -> Iterator[Fact]:
        for act, position in course.steps():
            if not isinstance(act.what, Play):
                continue
            turn = position.turn_to_play(act.what.cards)
            if turn.led is not None and act.what.cards.kinds & ~turn.order.follow[turn.led]:
                yield Void(act.seat, turn.number, rule, turn.led)

    return evidence


# -- open hands: games of single cards in which the led suit is followed, the strongest wins and partners sit opposite

SIDE_OF_0 = 0b0101  # of the four seats that the kernel plays
tables = cache(native.tables)  # an order as the kernel keeps it


def solve_partners(position: Position, target: int | None = None, limits: Limits = UNLIMITED) -> Solution:
    """What each play brings the side of seat 0."""
    order, row = _packed(position)
    return solve_cards(position, order, row, SIDE_OF_0, SIDE_OF_0, target=target, limits=limits)


def search_partners(rulebook: Callable[[View], Advice]) -> Search:
    """Plays are weighed by the points that a side still wins with open hands; calls are left to the rulebook."""

    def options(view: View) -> tuple[Option, ...]:
        usual = rulebook(view).what
        others = () if view.position.talking or view.game.players != KERNEL_SEATS else view.legal_plays
        return (usual, *(play for play in others if play != usual))

    def weigh(
        view: View, worlds: Sequence[World], options: Sequence[Option], until: float, engine: Engine = CPU, /
    ) -> Worth:
        packed = [_packed(replace(view.position, hands=world.hands)) for world in worlds]
        left = None if until == math.inf else max(0.0, until - time.perf_counter())
        states, side = np.stack([row for _, row in packed]), SIDE_OF_0 << view.seat % 2
        found = engine.run(solve_plays, SolveQuery(packed[0][0], states, side, side, most_seconds=left))
        cards = [next(iter(option.cards)) for option in options if isinstance(option, Play)]
        paid = found.lower[:, cards].astype(np.float64)
        paid[(found.lower < found.upper)[:, cards].any(axis=1)] = np.nan
        return Worth(paid, np.zeros_like(paid))

    return Search("points", options, weigh, unweighed=_unweighed)


def _unweighed(view: View) -> str:
    if view.position.talking or view.game.players == KERNEL_SEATS:
        return "calls are not weighed"
    return say("plays are weighed at tables of {n}, and this one has {n2} seats", KERNEL_SEATS, view.game.players)


def _packed(position: Position) -> tuple[native.Tables, native.U32]:
    """A position with open hands as the kernel plays it: its order, and a row of `states [8]`."""
    trick, hands = position.trick, [hand for hand in position.hands if isinstance(hand, Cards)]
    if position.order is None or trick is None:
        raise WrongPhase("nobody is to play yet", position)
    if position.game.players != KERNEL_SEATS:
        why = "open hands are worked out at tables of {n}, and this one has {n2} seats"
        raise WrongPhase(say(why, KERNEL_SEATS, position.game.players))
    if len(hands) < len(position.hands):
        raise WrongPhase("a hand that is not told cannot be packed")
    return tables(position.order), native.state(
        [hand.kinds for hand in hands],
        trick.leader,
        table=[card for play in trick.plays for card in play.cards],
        points=position.points,
        tricks=position.tricks,
    )


MOST_TARGET = 255


def solve_cards(
    position: Position,
    tables: native.Tables,
    state: NDArray[np.uint32],
    takers: int,
    maximisers: int,
    *,
    target: int | None,
    limits: Limits,
    loses: bool = False,
) -> Solution:
    """Every legal play of a game of single cards, by the kernel; seats are masks."""
    seats = tuple(seat for seat in position.game.all_seats if takers >> seat & 1)
    if position.turn is None or not any(map(len, position.hands)):
        return Solution(seats, (), wants_more=True, target=target, loses=loses)
    wants = bool(maximisers >> position.turn & 1)
    asked = 1 if loses else None if target is None else min(target, MOST_TARGET)
    query = SolveQuery(tables, state[None], takers, maximisers, targets=asked or None)
    found = solve_plays(replace(query, most_nodes=limits.nodes, most_seconds=limits.seconds))
    plays: list[tuple[Play, Bounds]] = []
    for play in position.legal_plays:
        card = play.cards.single()
        if card is None or play.suit is not None:
            raise WrongPhase(say("a lead of {play} cannot be worked out yet", position.spell(play)))
        plays.append((play, Bounds(int(found.lower[0, card]), int(found.upper[0, card]))))
    return Solution(seats, tuple(plays), wants, int(found.nodes[0]), target, loses)
