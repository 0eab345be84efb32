"""Can a lead be beaten? Its units, and for each a proof that no other hand can, or what could and who may have it.

A proof is by the cards that are still out, as a player at the table counts them; where that does not do, by every deal
that fits what the seat has seen. In Tractor a unit is asked about in its own suit, as a throw is; in the other games
a trump beats a card as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from renege.belief import Belief
from renege.core.cards import Card, Cards, kinds_in
from renege.core.facts import Holds, NoRun
from renege.core.game import SEATS, Turn
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.position import Position
from renege.core.trick import Play
from renege.core.view import View
from renege.games.tractor.rules import THROW_STOPPED
from renege.games.tractor.throws import could_beat, top_of, unseen
from renege.games.tractor.units import cut, led_units, named_units, shape_of
from renege.server.messages import Unit
from renege.server.present.sentences import Speech

KINDS: dict[int, Literal["single", "pair"]] = {1: "single", 2: "pair"}
LEFT = {"single": "card", "pair": "pair", "run": "run"}


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether a unit is safe, and the sentence that says why."""

    safe: bool
    why: str


@lru_cache(maxsize=1)
def belief_of(view: View) -> Belief:
    """What the seat may believe; the last is kept, since one asks about several leads in turn."""
    return Belief(view)


def units_of(view: View, play: Play, speech: Speech) -> list[Unit]:
    """The units of a lead, each with its proof; none where the cards are of several suits."""
    turn = view.position.turn_to_play()
    suit = turn.order.suit_of(play.cards)
    if suit is None:
        return []
    if view.game.name != "tractor":
        card = play.cards.single()
        return [] if card is None else [_shown(play.cards, _single(view, turn, play, card), speech)]
    named = replace(play, units=()) if play.units and named_units(turn.order, play) is None else play
    return [_shown(unit, _in_suit(view, turn, suit, unit), speech) for unit in led_units(turn.order, named)]


def is_throw(position: Position, play: Play) -> bool:
    """Is this a lead of several units?"""
    order = position.order
    if position.game.name != "tractor" or order is None:
        return False
    suit = order.suit_of(play.cards)
    return suit is not None and len(play.units or cut(order, suit, play.cards)) > 1


def _shown(unit: Cards, proof: Proof, speech: Speech) -> Unit:
    names = unit.deck.names
    return Unit(
        cards=[names[card] for card in unit],
        kind=KINDS.get(len(unit), "run"),
        safe=proof.safe,
        why=speech.say(proof.why),
    )


# -- games of one card a play


def _single(view: View, turn: Turn, play: Play, card: Card) -> Proof:
    """Is there a card that beats this one, and may another hand that takes part have it?"""
    deck, strength = turn.order.deck, turn.order.strength[turn.order.led_suit[card]]
    after, belief = view.position.put(play), belief_of(view)
    answer = after.turn_to_play(play.cards)
    left = False
    for kind in sorted(_unseen_kinds(belief), key=strength.__getitem__):
        beat = Play(deck.of(1 << kind))
        seats = [seat for seat in answer.trick.seats[1:] if view.game.beats(replace(answer, seat=seat), play, beat)]
        odds = belief.odds(kind)
        left = left or bool(seats)
        if holders := [seat for seat in seats if odds[seat] > 0]:
            return Proof(False, may_have(holders, deck.names[kind]))
    if left:
        return Proof(True, f"what was seen leaves no other hand a {deck.noun} that beats it")
    return Proof(True, f"no {deck.noun} that beats it is left")


def _unseen_kinds(belief: Belief) -> list[Card]:
    problem = belief.compiled.problem
    return [kind for kind, copies in zip(problem.kinds, problem.copies, strict=True) if copies]


def may_have(seats: list[int], cards: str) -> str:
    """`seat 1 or seat 3 may have SK`."""
    *first, last = [f"seat {seat}" for seat in seats]
    who = f"{', '.join(first)} or {last}" if first else last
    return f"{who} may have {cards}"


# -- Tractor


def _in_suit(view: View, turn: Turn, suit: int, unit: Cards) -> Proof:
    """Can another hand beat a unit in its suit? First as one counts at the table, then by all deals that fit."""
    noun, kind = turn.order.nouns[suit], LEFT[KINDS.get(len(unit), "run")]
    voids = [void for seat, void in enumerate(turn.memory.voids) if seat != turn.seat]
    if all(void >> suit & 1 for void in voids):
        return Proof(True, f"no other seat has {noun}")
    if not could_beat(turn.order, suit, unit, unseen(turn), voids):
        return Proof(True, f"no higher {kind} of {noun} is left")
    found = _beater(belief_of(view), turn, suit, unit)
    if found is None:
        return Proof(True, f"what was seen leaves no other hand a higher {kind} of {noun}")
    return Proof(False, may_have(*found))


def _beater(belief: Belief, turn: Turn, suit: int, unit: Cards) -> tuple[list[int], str] | None:
    """The lowest unit that beats this one, and the seats that may have it; None if no deal has it there."""
    copies = min(len(unit), 2)
    may = {seat: _may_hold(belief, seat, copies) for seat in SEATS if seat in belief.compiled.piles}
    if len(unit) > 2:
        may = {seat: kinds for seat, kinds in may.items() if _may_run(belief, turn, suit, unit, seat)}
    found = [
        (seats, str(Cards(turn.order.deck, (kinds,) * copies)))
        for kinds in _alike_above(turn.order, suit, unit, _any_of(may.values()))
        if (seats := [seat for seat, mask in may.items() if not kinds & ~mask])
    ]
    if len(unit) > 2:  # pairs that a seat may have one by one it may not have together
        together = [(held, run) for seats, run in found if (held := _may_hold_all(belief, turn, seats, run))]
        found = together or found
    return found[0] if found else None


def _may_hold(belief: Belief, seat: int, copies: int) -> int:
    """The kinds of which a seat may have so many copies."""
    hand, odds = belief.compiled.piles.index(seat), _odds(belief)
    kinds = belief.compiled.problem.kinds
    return sum(1 << kind for place, kind in enumerate(kinds) if odds[place, hand, copies:].any())


def _any_of(masks: Iterable[int]) -> int:
    """The kinds that are in one of these masks."""
    found = 0
    for mask in masks:
        found |= mask
    return found


@lru_cache(maxsize=1)
def _odds(belief: Belief) -> NDArray[np.float64]:
    return belief.worlds.odds()


def _alike_above(order: Order, suit: int, unit: Cards, out: int) -> Iterator[int]:
    """The kinds of every unit like this one that beats it, of kinds that are out; the lowest first."""
    steps, top = order.steps[suit], top_of(order, suit, unit)
    length = shape_of(order, suit, unit).longest or 1
    for step in range(top + 1, len(steps)):
        for kinds in product(*(kinds_in(out & steps[i]) for i in range(step - length + 1, step + 1))):
            yield sum(1 << kind for kind in kinds)


def _may_run(belief: Belief, turn: Turn, suit: int, unit: Cards, seat: int) -> bool:
    """May the seat have a run that beats this one? Not if all deals are left when it has none."""
    none = NoRun(seat, turn.number, THROW_STOPPED, suit, len(unit) // 2, above=top_of(turn.order, suit, unit))
    try:
        return belief.given(none).count() < belief.count()
    except ValueError:  # no deal is left, or it cannot be counted
        return True


def _may_hold_all(belief: Belief, turn: Turn, seats: list[int], run: str) -> list[int]:
    """Of these seats, those that may have every pair of a run."""
    cards = parse_cards(turn.order.deck, run)
    pairs = [turn.order.deck.of(1 << kind) for kind in kinds_in(cards.kinds)]
    return [seat for seat in seats if belief.share(*(Holds(seat, turn.number, THROW_STOPPED, p, 2) for p in pairs))]
