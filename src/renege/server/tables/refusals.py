"""Why something was not done, in English; the server translates it.

It quotes no hand but that of the seat which asked.
"""

from collections.abc import Sequence
from dataclasses import replace

from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.verdict import Verdict, WrongPhase
from renege.server.messages import Refusal
from renege.server.tables.events import Event, Refused
from renege.server.tables.live import LiveDeal


class Declined(Exception):
    """Something was not done; `refusal` says why. What is to be remembered of it has `happened` all the same."""

    def __init__(self, refusal: Refusal, happened: Sequence[Event] = ()) -> None:
        self.refusal = refusal
        self.happened = happened
        super().__init__(refusal.text)


def broken_rule(verdict: Verdict, happened: Sequence[Event] = ()) -> Declined:
    """The arbiter objects."""
    rule = verdict.rule
    return Declined(
        Refusal(
            code="illegal",
            text=verdict.why,
            rule="" if rule is None else rule.id,
            sentence="" if rule is None else rule.sentence,
            instead=verdict.instead or "",
        ),
        happened,
    )


def spoiled(verdict: Verdict, seat: int) -> Declined:
    """A claim does not hold, and was the only one."""
    said = replace(verdict, why=say("{what}; this seat cannot claim again in this deal", verdict.why))
    return broken_rule(said, (Refused(seat, "claim"),))


def not_now(text: str) -> Declined:
    """It is not the time for it, or not for this seat."""
    return Declined(Refusal(code="turn", text=text))


def no_play(text: str) -> Declined:
    return Declined(Refusal(code="notation", text=text))


def no_undo(text: str) -> Declined:
    return Declined(Refusal(code="undo", text=text))


def no_seat(text: str) -> Declined:
    return Declined(Refusal(code="seat", text=text))


def stale() -> Declined:
    return Declined(Refusal(code="stale", text="the table has moved on"))


def judged(deal: LiveDeal, seat: int, what: str) -> Sequence[Event]:
    """The event that a call or play is, or why it cannot be."""
    if not deal.position.talking and " of " in what:
        raise no_play("the other hands stop a throw, not its leader")
    try:
        verdict, happened = deal.attempt(seat, what)
    except NotationError as wrong:
        raise no_play(str(wrong)) from None
    except WrongPhase:  # its text may quote the position
        raise not_now(deal.position.whose_turn) from None
    if not verdict:
        raise broken_rule(verdict, happened)
    return happened
