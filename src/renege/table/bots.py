"""Whom of the bots to ask, and what is done without asking anybody."""

from renege.position import Position
from renege.table.live import LiveDeal
from renege.table.messages import Level
from renege.table.thinking import Question, spelled


def question(deal: LiveDeal, bots: dict[int, Level]) -> Question | None:
    """What there is to ask the bots in these seats; None if they have nothing to do."""
    turn = deal.position.turn
    breaking = tuple(deal.view(seat) for seat in _may_break_in(deal.position) if seat in bots)
    moving = deal.view(turn) if turn is not None and turn in bots else None
    if moving is None and not breaking:
        return None
    return Question(breaking, moving, strong=moving is not None and bots[moving.seat] == "strong")


def _may_break_in(position: Position) -> list[int]:
    """The seats that have something lawful to say out of turn; beside the play also the one to move."""
    if position.game.interject is None:
        return []
    others = [seat for seat in position.speakers if not (position.talking and seat == position.turn)]
    return [seat for seat in others if any(True for _ in position.floor(seat).calls(position.hands[seat]))]


def first_legal(position: Position) -> str:
    """What is done for a bot that fails, so that the table plays on: the first thing that is legal."""
    return position.legal_calls[0] if position.talking else spelled(position, next(iter(position.legal_plays)))


def kitty_call(position: Position) -> str | None:
    """The call that is nobody's choice, since the kitty decides it; the table makes it."""
    talk = position.talk
    return position.legal_calls[0] if position.talking and talk is not None and talk.on_kitty else None
