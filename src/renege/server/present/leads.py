"""Can a lead be beaten? Its units, and for each a proof that no other hand can, or what could and who may have it.

A proof is by the cards that are still out, as a player at the table counts them; where that does not do, by every deal
that fits what the seat has seen. Where leads have units, each is asked about in its own suit, as a throw is; elsewhere
a trump beats a card as well.
"""

from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from renege.belief import Belief
from renege.core.cards import Card, Cards, kinds_in
from renege.core.facts import Holds
from renege.core.game import Turn
from renege.core.notation import parse_cards
from renege.core.position import Position, View
from renege.core.trick import Play
from renege.games.units import Units, name_of
from renege.i18n import Speech, say
from renege.server.teaching import Unit

KINDS: dict[int, Literal["single", "pair"]] = {1: "single", 2: "pair"}


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
    units = view.game.facet(Units)
    if units is None:
        card = play.cards.single()
        return [] if card is None else [_shown(play.cards, _single(view, turn, play, card), speech)]
    return [_shown(unit, _in_suit(view, turn, units, unit), speech) for unit in units.cut(turn.order, play)]


def is_throw(position: Position, play: Play) -> bool:
    """Is this a lead of several units?"""
    order, units = position.order, position.game.facet(Units)
    if units is None or order is None or order.suit_of(play.cards) is None:
        return False
    return len(units.cut(order, play)) > 1


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
    unseen = zip(belief.compiled.problem.kinds, belief.compiled.problem.copies, strict=True)
    for kind in sorted((kind for kind, copies in unseen if copies), key=strength.__getitem__):
        beat = Play(deck.of(1 << kind))
        seats = [seat for seat in answer.trick.seats[1:] if view.game.beats(replace(answer, seat=seat), play, beat)]
        odds = belief.odds(kind)
        left = left or bool(seats)
        if holders := [seat for seat in seats if odds[seat] > 0]:
            return Proof(False, may_have(holders, deck.names[kind]))
    if left:
        return Proof(True, f"what was seen leaves no other hand a {deck.noun} that beats it")
    return Proof(True, f"no {deck.noun} that beats it is left")


def may_have(seats: list[int], cards: str) -> str:
    """`seat 1 or seat 3 may have SK`; of more than three, how many they are."""
    if len(seats) > 3:
        return say("{n} other hands may have {cards}", len(seats), cards)
    who = ("{seat}", "{seat} or {seat2}", "{seat}, {seat2} or {seat3}")[len(seats) - 1]
    return say("{hands} may have {cards}", say(who, *seats), cards)


# -- games of several units a play


def _in_suit(view: View, turn: Turn, units: Units, unit: Cards) -> Proof:
    """Can another hand beat a unit in its suit? First as one counts at the table, then by all deals that fit."""
    if counted := units.unbeaten(turn, unit):
        return Proof(True, counted)
    found = _beater(belief_of(view), turn, units, unit)
    if found is None:
        noun = turn.order.nouns[turn.order.led_suit[next(iter(unit))]]
        return Proof(True, say(f"what was seen leaves no other hand a higher {name_of(unit)} of {{suit}}", noun))
    return Proof(False, may_have(*found))


def _beater(belief: Belief, turn: Turn, units: Units, unit: Cards) -> tuple[list[int], str] | None:
    """The lowest unit that beats this one, and the seats that may have it; None if no deal has it there."""
    copies = min(len(unit), 2)
    may = {
        seat: _may_hold(belief, seat, copies) for seat in belief.view.game.all_seats if seat in belief.compiled.piles
    }
    if len(unit) > 2:
        may = {seat: kinds for seat, kinds in may.items() if _may_have_run(belief, turn, units, unit, seat)}
    found = [
        (seats, str(Cards(turn.order.deck, (kinds,) * copies)))
        for kinds in units.above(turn.order, unit, reduce(int.__or__, may.values(), 0))
        if (seats := [seat for seat, mask in may.items() if not kinds & ~mask])
    ]
    if len(unit) > 2:  # pairs that a seat may have one by one it may not have together
        together = [(held, run) for seats, run in found if (held := _may_hold_all(belief, turn, units, seats, run))]
        found = together or found
    return found[0] if found else None


def _may_hold(belief: Belief, seat: int, copies: int) -> int:
    """The kinds of which a seat may have so many copies."""
    hand, odds = belief.compiled.piles.index(seat), _odds(belief)
    kinds = belief.compiled.problem.kinds
    return sum(1 << kind for place, kind in enumerate(kinds) if odds[place, hand, copies:].any())


@lru_cache(maxsize=1)
def _odds(belief: Belief) -> NDArray[np.float64]:
    return belief.worlds.odds()


def _may_have_run(belief: Belief, turn: Turn, units: Units, unit: Cards, seat: int) -> bool:
    """May the seat have a run that beats this one? Not if all deals are left when it has none."""
    try:
        return belief.given(units.no_run(turn, unit, seat)).count() < belief.count()
    except ValueError:  # no deal is left, or it cannot be counted
        return True


def _may_hold_all(belief: Belief, turn: Turn, units: Units, seats: list[int], run: str) -> list[int]:
    """Of these seats, those that may have every pair of a run."""
    cards = parse_cards(turn.order.deck, run)
    pairs = [turn.order.deck.of(1 << kind) for kind in kinds_in(cards.kinds)]
    return [seat for seat in seats if belief.share(*(Holds(seat, turn.number, units.rule, p, 2) for p in pairs))]
