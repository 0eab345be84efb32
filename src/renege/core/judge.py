"""The judge of finished records: every breach of a rule, and the result with penalties.

The judge accepts anything that was played, finds every breach, and says in which trick a renege was proved. It needs
no hands for that: a seat held at least the cards that it showed later, and if those already break a rule, nothing
that stays hidden can mend it (unless the rule says that more cards would).
"""

from dataclasses import dataclass

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Result
from renege.core.position import Course, Position
from renege.core.trick import Play
from renege.core.verdict import Breach


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judge's findings: every breach in order, and the result with penalties. True if there is no breach."""

    breaches: tuple[Breach, ...]
    result: Result | None  # None where the deal is not over and no penalty ends it

    def __bool__(self) -> bool:
        return not self.breaches


def judge(course: Course) -> Judgement:
    """Find every breach in a record, or in what one seat saw of it."""
    positions = list(course.positions())
    breaches = [
        breach for i in range(len(course.acts)) if (breach := _breach(course.acts[i:], positions[i:])) is not None
    ]
    last = positions[-1]
    in_tricks = tuple(breach for breach in breaches if breach.trick is not None)
    if in_tricks and last.game.penalty is not None:
        return Judgement(tuple(breaches), last.game.penalty(course, in_tricks))
    return Judgement(tuple(breaches), last.result if last.over else None)


def _breach(acts: tuple[Act, ...], positions: list[Position]) -> Breach | None:
    """The breach in the first of these acts, if there is one; the others may prove it."""
    act, position = acts[0], positions[0]
    if isinstance(act.what, str):
        talk = position.floor(act.seat)
        objection = talk.objection(act.what, position.kitty if talk.on_kitty else position.hands[act.seat])
        return None if objection is None else Breach(None, act.seat, act.what, objection.rule, objection.why)
    assert position.order is not None and position.trick is not None
    hand = position.hands[act.seat]
    shown = _shown(acts, positions)
    known = hand if isinstance(hand, Cards) else _held(shown)
    objection = position.game.objection(position.turn_to_play(known), act.what)
    if objection is None and isinstance(hand, Cards):
        objection = position.game.mislanded(position.turn_to_play(hand), act.what)
    if objection is None or (objection.rule.excusable and len(known) < len(hand)):
        return None
    proof = _proof(position, act.what, shown, len(hand))
    return Breach(position.tricks_played, act.seat, position.spell(act.what), objection.rule, objection.why, proof)


def _shown(acts: tuple[Act, ...], positions: list[Position]) -> list[tuple[int, Play]]:
    """This play and all later ones by the same seat, each with its trick."""
    return [
        (position.tricks_played, act.what)
        for act, position in zip(acts, positions, strict=False)
        if isinstance(act.what, Play) and act.seat == acts[0].seat
    ]


def _held(shown: list[tuple[int, Play]]) -> Cards:
    """The least that a hand held before these plays: what it played, and what it showed and took back."""
    held = shown[0][1].cards.deck.none
    for _, play in reversed(shown):
        held = held + play.cards
        held = held if play.tried is None else held | play.tried
    return held


def _proof(position: Position, play: Play, shown: list[tuple[int, Play]], size: int) -> int | None:
    """The first trick by which the cards that the seat has shown prove the breach."""
    for count in range(1, len(shown) + 1):
        held = _held(shown[:count])
        objection = position.game.objection(position.turn_to_play(held), play)
        if objection is not None and not (objection.rule.excusable and len(held) < size):
            return shown[count - 1][0]
    return None
