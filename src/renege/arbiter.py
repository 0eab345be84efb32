"""The referee, twice: at a strict table it refuses what breaks a rule; as a judge it reads a finished record.

The judge accepts anything that was played, finds every breach, and says in which trick a renege was proved. It needs
no hands for that: a seat held at least the cards that it played later, and if those already break a rule about
following, nothing that stays hidden can mend it.
"""

from dataclasses import dataclass

from renege.cards import Cards
from renege.game import Game, Result, Standing
from renege.position import Act, Position
from renege.record import Record, new_record
from renege.trick import Play
from renege.verdict import Objection, Rule, Verdict, WrongPhase
from renege.view import Course, View


class Arbiter:
    """A strict table: it takes each act of each seat, and what it refuses changes nothing."""

    def __init__(self, game: Game, seed: int, standing: Standing | None = None) -> None:
        self.record = new_record(game, seed, standing)
        self.position = self.record.position

    @classmethod
    def resume(cls, record: Record) -> "Arbiter":
        """The table where a record leaves off; `IllegalPlay` if what it has so far breaks a rule."""
        table = cls.__new__(cls)
        *_, table.position = record.replay()
        table.record = record
        return table

    def act(self, seat: int, what: str | Cards | Play) -> Verdict:
        """A call or play by a seat, with the verdict; only a legal one happens."""
        if seat != self.position.turn:
            # without the position, which shows all hands: what a table says, every seat may hear
            turn = "the deal is over" if self.position.turn is None else f"it is the turn of seat {self.position.turn}"
            raise WrongPhase(f"seat {seat} cannot act: {turn}")
        verdict = self.position.judge(what)
        if verdict:
            self._do(self.position.read(what))
        return verdict

    def claim(self, seat: int) -> Verdict:
        """A seat lays down its hand and claims the rest; a good claim is played out, a bad one changes nothing."""
        check = self.position.game.claim
        if check is None:
            raise WrongPhase(f"{self.position.game.name} knows no claims")
        verdict, line = check(self.position, seat)
        if verdict:
            for act in line:
                if not self.position.over:
                    self._do(act)
        return verdict

    def view(self, seat: int) -> View:
        """What a seat has seen so far."""
        return self.record.view(seat)

    def _do(self, act: Act) -> None:
        self.position = self.position.then(act)
        self.record = self.record.with_act(act)


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that was broken: where, by whom, and the trick that proves it (None where the hand itself does)."""

    trick: int | None  # counted from 0; None in the talk
    seat: int
    said: str
    rule: Rule
    why: str
    proved_in: int | None = None

    def __str__(self) -> str:
        where = "in the talk" if self.trick is None else f"in trick {self.trick + 1}"
        proof = "" if self.proved_in is None else f" (proved in trick {self.proved_in + 1})"
        return f"seat {self.seat} {where}: {self.said} breaks {self.rule}: {self.why}{proof}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge says of a record: every breach in order, and what the deal comes to with its penalty."""

    breaches: tuple[Breach, ...]
    result: Result | None  # None where the deal is not over and no penalty ends it

    def __bool__(self) -> bool:
        return not self.breaches


def judge(course: Course) -> Judgement:
    """Judge a record, or what one seat saw of it."""
    positions = list(course.positions())
    breaches = [
        breach for i in range(len(course.acts)) if (breach := _breach(course.acts[i:], positions[i:])) is not None
    ]
    last = positions[-1]
    first = next((breach for breach in breaches if breach.trick is not None), None)
    if first is not None and last.game.penalty is not None:
        return Judgement(tuple(breaches), last.game.penalty(last, first.seat))
    return Judgement(tuple(breaches), last.result if last.over else None)


def _breach(acts: tuple[Act, ...], positions: list[Position]) -> Breach | None:
    """The breach in the first of these acts, if there is one; the others may prove it."""
    act, position = acts[0], positions[0]
    if isinstance(act.what, str):
        assert position.talk is not None
        objection = position.talk.objection(act.what, position.hands[act.seat])
        return None if objection is None else Breach(None, act.seat, act.what, objection.rule, objection.why)
    assert position.order is not None and position.trick is not None
    hand, leads = position.hands[act.seat], position.trick.lead is None
    shown = _shown(acts, positions)
    known = hand if isinstance(hand, Cards) else _pile(shown)
    if leads and len(known) < len(hand):
        return None  # more cards in hand can make a lead legal, so only the whole hand judges it
    objection = _object(position, act.what, known)
    if objection is None:
        return None
    said = position.game.write_play(act.what, position.order)
    proof = None if leads else _proof(position, act.what, shown)
    return Breach(sum(position.tricks), act.seat, said, objection.rule, objection.why, proof)


def _shown(acts: tuple[Act, ...], positions: list[Position]) -> list[tuple[int, Cards]]:
    """The trick and cards of this play and of all later ones by the same seat."""
    return [
        (sum(position.tricks), act.what.cards)
        for act, position in zip(acts, positions, strict=False)
        if isinstance(act.what, Play) and act.seat == acts[0].seat
    ]


def _pile(plays: list[tuple[int, Cards]]) -> Cards:
    pile = plays[0][1]
    for _, cards in plays[1:]:
        pile = pile + cards
    return pile


def _object(position: Position, play: Play, hand: Cards) -> Objection | None:
    return position.game.objection(position.turn_to_play(hand), play)


def _proof(position: Position, play: Play, shown: list[tuple[int, Cards]]) -> int | None:
    """The first trick by which the cards that the seat has shown prove the renege."""
    for count in range(1, len(shown) + 1):
        if _object(position, play, _pile(shown[:count])) is not None:
            return shown[count - 1][0]
    return None
