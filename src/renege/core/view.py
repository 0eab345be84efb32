"""What is seen of a deal whose record is told: by one seat, or by all."""

from renege.core.cards import Hand
from renege.core.deal_state import Act
from renege.core.game import KITTY, SEATS
from renege.core.position import Course, Position, View


def view_of(course: Course, seat: int) -> View:
    """The course of a deal with all that a seat did not see taken out."""
    start = course.start
    heard: list[Act] = []
    saw_kitty = False
    for act, position in course.steps():
        what = act.what
        if isinstance(what, str):
            talk = position.floor(act.seat)
            saw_kitty |= any(
                move.giver == KITTY and move.taker == seat and move.cards is None for move in talk.moves(what)
            )
            what = what if seat == act.seat else talk.heard(what, seat, over=course.position.over)
        heard.append(Act(act.seat, what))
    hidden = start.game.deck.hidden
    hands: tuple[Hand, ...] = tuple(hand if i == seat else hidden(len(hand)) for i, hand in enumerate(start.hands))
    kitty = start.kitty if saw_kitty else hidden(len(start.kitty))
    masked = Position(start.game, start.standing, hands, kitty, talk=start.talk)
    return View(masked, tuple(heard), seat)


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
    heard = (talk.heard(call, listener, over=over) for listener in SEATS if listener != speaker)
    return next((less for less in heard if less != call), call)
