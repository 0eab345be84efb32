"""A trick: the lead, the follows, and who is winning.

What beats what is the game's business (`Game.beats`); a trick remembers which play is ahead, so the question is asked
once a play.
"""

from dataclasses import dataclass

from renege.core.cards import Cards


@dataclass(frozen=True, slots=True, repr=False)
class Play:
    """The cards one seat puts down in one turn.

    A leader may say more than the cards do: how they group into units, or that a tile is led for its other suit. Where
    a throw was stopped, `tried` is what the leader showed, `units` how that was grouped, `cards` what was really led.
    """

    cards: Cards
    tried: Cards | None = None
    units: tuple[Cards, ...] = ()
    suit: int | None = None

    def __str__(self) -> str:
        return str(self.cards)

    def __repr__(self) -> str:
        said = "" if self.tried is None else f" of {self.tried}"
        return f"<Play {' + '.join(map(str, self.units)) if self.units and not said else self.cards}{said}>"


@dataclass(frozen=True, slots=True)
class Trick:
    """One lead and its follows. `seats` take part, in the order in which they play."""

    seats: tuple[int, ...]
    plays: tuple[Play, ...] = ()
    best: int = 0

    @property
    def leader(self) -> int:
        return self.seats[0]

    @property
    def lead(self) -> Play | None:
        return self.plays[0] if self.plays else None

    @property
    def turn(self) -> int | None:
        """The seat to play, or None when all have played."""
        return self.seats[len(self.plays)] if len(self.plays) < len(self.seats) else None

    @property
    def winner(self) -> int:
        """The seat that is winning so far."""
        return self.seats[self.best]

    @property
    def cards(self) -> Cards:
        """All cards on the table."""
        pile = self.plays[0].cards
        for play in self.plays[1:]:
            pile = pile + play.cards
        return pile

    def with_play(self, play: Play, *, ahead: bool) -> "Trick":
        """The trick after one more play, which is now ahead or not."""
        return Trick(self.seats, (*self.plays, play), len(self.plays) if ahead else self.best)
