"""What is seen of a deal whose record is told: by one seat, once or act by act while it is played, or by all."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from renege.core.cards import Hand
from renege.core.deal_state import Act
from renege.core.game import KITTY
from renege.core.message import say
from renege.core.position import Course, Position, View
from renege.core.verdict import WrongPhase


def view_of(course: Course, seat: int, positions: Sequence[Position] | None = None) -> View:
    """The course of a deal with all that a seat did not see taken out; its positions are given where they are known."""
    if seat not in course.game.all_seats:
        raise WrongPhase(say("seat {n} is none of 0 to {n2}", seat, course.game.players - 1))
    start, passed = course.start, list(course.positions()) if positions is None else positions
    heard: list[Act] = []
    saw_kitty, laid_away = False, None
    for number, (act, position) in enumerate(zip(course.acts, passed, strict=False)):
        what = act.what
        if isinstance(what, str):
            talk = position.floor(act.seat)
            moves = talk.moves(what)
            if any(move.giver == KITTY and move.taker == seat and move.cards is None for move in moves):
                if laid_away is None:
                    saw_kitty = True
                else:
                    heard[laid_away] = course.acts[laid_away]  # it takes up what another has laid there
            laid_away = number if any(move.taker == KITTY for move in moves) else laid_away
            what = what if seat == act.seat else talk.heard(what, seat, over=passed[-1].over)
        heard.append(Act(act.seat, what))
    hidden = start.game.deck.hidden
    hands: tuple[Hand, ...] = tuple(hand if i == seat else hidden(len(hand)) for i, hand in enumerate(start.hands))
    kitty = start.kitty if saw_kitty else hidden(len(start.kitty))
    masked = Position(start.game, start.standing, hands, kitty, talk=start.talk)
    return View(masked, tuple(heard), seat)


@dataclass(slots=True)
class Onlooker:
    """One seat's view, updated act by act; reading it from the record would replay the deal each time."""

    record: Course
    seat: int
    view: View = field(init=False)

    def __post_init__(self) -> None:
        self.view = view_of(self.record, self.seat)

    def follow(self, before: Position, record: Course) -> None:
        """See the last act of a record; `before` is the position it was made in."""
        act = record.acts[-1]
        if isinstance(act.what, str):
            talk = before.floor(act.seat)
            if any(move.giver == KITTY and move.taker == self.seat for move in talk.moves(act.what)):
                self.view = view_of(record, self.seat)  # who takes up the kitty knows from now on what was in it
                return
            if act.seat != self.seat:
                act = Act(act.seat, talk.heard(act.what, self.seat))
        self.view = self.view.with_act(act)


def seen_by_all(course: Course) -> Course:
    """The course of a deal as one sees it who sits in no seat: no hand, no kitty, and what all could hear."""
    start, hidden = course.start, course.game.deck.hidden
    heard = [
        Act(act.seat, heard_by_all(position, act.seat, act.what, over=course.position.over))
        if isinstance(act.what, str)
        else act
        for act, position in course.steps()
    ]
    hands = tuple(hidden(len(hand)) for hand in start.hands)
    masked = Position(start.game, start.standing, hands, hidden(len(start.kitty)), talk=start.talk)
    return Course(masked, tuple(heard))


def heard_by_all(position: Position, speaker: int, call: str, *, over: bool = False) -> str:
    """What every other seat could hear of a call that is made in this position: the least that one of them hears."""
    talk = position.floor(speaker)
    heard = (talk.heard(call, listener, over=over) for listener in position.game.all_seats if listener != speaker)
    return next((less for less in heard if less != call), call)
