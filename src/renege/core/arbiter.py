"""The referee at the table: `Arbiter` runs one deal and refuses what breaks a rule. `judge` reads finished records."""

from dataclasses import replace

from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.judge import Judgement, judge
from renege.core.message import say
from renege.core.position import Position, View
from renege.core.record import Record, new_record
from renege.core.registry import find_game
from renege.core.trick import Play
from renege.core.verdict import Breach, Verdict, WrongPhase
from renege.core.view import view_of

__all__ = ["Arbiter", "Breach", "Judgement", "judge"]


class Arbiter:
    """A table with a strict referee: it takes each act of each seat, and an act that it refuses changes nothing.

    `game` is a `Game` or its name, `seed` decides the deal, `standing` is the score before it (default: a new game).
    `position` is where the deal stands, `record` what was done so far.
    """

    def __init__(self, game: Game | str, seed: int, standing: Standing | None = None) -> None:
        self.record = new_record(find_game(game) if isinstance(game, str) else game, seed, standing)
        # every position so far, so that a view need not replay the deal
        self._passed: tuple[Position, ...] = (self.record.start,)

    @classmethod
    def resume(cls, record: Record) -> "Arbiter":
        """Take up a deal where its record ends; `IllegalPlay` if something in the record breaks a rule."""
        table = cls.__new__(cls)
        table.record, table._passed = record, tuple(record.replay())
        return table

    @property
    def position(self) -> Position:
        return self._passed[-1]

    def act(self, seat: int, what: str | Cards | Play) -> Verdict:
        """Judge a call or play by a seat, and carry it out if it is legal; `WrongPhase` if the seat may not act now."""
        if seat != self.position.turn and seat not in self.position.speakers:
            # without the position, which shows all hands: what a table says, every seat may hear
            raise WrongPhase(say("{seat} cannot act: {why}", seat, self.position.whose_turn))
        verdict = self.position.judge(what, seat)
        if verdict:
            self._do(self.position.read(what, seat))
        return verdict

    def claim(self, seat: int) -> Verdict:
        """Judge the claim of a seat to all that is left: a good claim is played out, a bad one changes nothing."""
        if seat != self.position.turn:
            raise WrongPhase(say("{seat} claims out of turn", seat))
        check = self.position.game.claim
        if check is None:
            raise WrongPhase(f"{self.position.game.name} knows no claims")
        verdict, line = check(self.position, seat)
        if verdict:
            for act in line:
                if not self.position.over:
                    self._do(act)
        return verdict

    def undo(self) -> Act:
        """Take back the last act, whoever made it, and return it."""
        if not self.record.acts:
            raise WrongPhase("nothing has been done that could be taken back")
        act = self.record.acts[-1]
        self.record = replace(self.record, acts=self.record.acts[:-1])
        self._passed = self._passed[:-1]
        return act

    def view(self, seat: int) -> View:
        """Return what a seat has seen so far."""
        return view_of(self.record, seat, self._passed)

    def _do(self, act: Act) -> None:
        self.record = self.record.with_act(act)
        self._passed = (*self._passed, self.record.position)
