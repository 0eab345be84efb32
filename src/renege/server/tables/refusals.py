"""Why something was not done, in English; the server translates it.

It quotes no hand but that of the seat which asked.
"""

from collections.abc import Sequence

from renege.core.notation import NotationError
from renege.core.verdict import Verdict, WrongPhase
from renege.server.messages import Refusal, RefusalCode
from renege.server.tables.events import Event
from renege.server.tables.live import LiveDeal


class Declined(Exception):
    """Something was not done; `refusal` says why. What is to be remembered of it has `happened` all the same."""

    def __init__(
        self, code: RefusalCode, text: str, verdict: Verdict | None = None, happened: Sequence[Event] = ()
    ) -> None:
        rule, instead = (None, None) if verdict is None else (verdict.rule, verdict.instead)
        self.refusal = Refusal(
            code=code,
            text=text,
            rule="" if rule is None else rule.id,
            sentence="" if rule is None else rule.sentence,
            instead=instead or "",
        )
        self.happened = happened
        super().__init__(text)


def stale() -> Declined:
    return Declined("stale", "the table has moved on")


def judged(deal: LiveDeal, seat: int, what: str) -> Sequence[Event]:
    """The event that a call or play is, or why it cannot be."""
    if not deal.position.talking and " of " in what:
        raise Declined("notation", "the other hands stop a throw, not its leader")
    try:
        verdict, happened = deal.attempt(seat, what)
    except NotationError as wrong:
        raise Declined("notation", str(wrong)) from None
    except WrongPhase:  # its text may quote the position
        raise Declined("turn", deal.position.whose_turn) from None
    if not verdict:
        raise Declined("illegal", verdict.why, verdict, happened)
    return happened
