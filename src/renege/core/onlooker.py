"""One seat's view, kept up to date act by act while a deal is played."""

from dataclasses import dataclass, field

from renege.core.deal_state import Act
from renege.core.game import KITTY
from renege.core.position import Position, View
from renege.core.record import Record


@dataclass(slots=True)
class Onlooker:
    """One seat's view, updated act by act; reading it from the record would replay the deal each time."""

    record: Record
    seat: int
    view: View = field(init=False)

    def __post_init__(self) -> None:
        self.view = self.record.view(self.seat)

    def follow(self, before: Position, record: Record) -> None:
        """See the last act of a record; `before` is the position it was made in."""
        act = record.acts[-1]
        if isinstance(act.what, str):
            talk = before.floor(act.seat)
            if any(move.giver == KITTY and move.taker == self.seat for move in talk.moves(act.what)):
                self.view = record.view(self.seat)  # who takes up the kitty knows from now on what was in it
                return
            if act.seat != self.seat:
                act = Act(act.seat, talk.heard(act.what, self.seat))
        position = self.view.position.then(act)
        self.view = View(self.view.start, (*self.view.acts, act), self.seat)
        self.view.__dict__["position"] = position  # what the cached property would come to
