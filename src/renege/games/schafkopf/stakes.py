"""Raising the stakes while cards are already played: Stoss (Kontra) by the other side, then turn about."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from renege.core.cards import Cards, Hand
from renege.core.game import SEATS, Talk
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.position import Position
from renege.core.verdict import Objection
from renege.games.schafkopf.contract import Bargain
from renege.games.schafkopf.memory import public_partners
from renege.games.schafkopf.rules import STOSS, Rules, StossDeadline

WORDS = ("stoss", "kontra", "retour")  # all mean the same: once more


@dataclass(frozen=True)
class Stakes(Talk):
    """What may still be said beside the play. Every seat that is in time may speak; nobody has to."""

    rules: Rules
    bargain: Bargain
    played: tuple[int, ...]  # cards that each seat has played
    tricks: int
    partners: tuple[int, ...] = ()  # the seats that may be the declarer's partner, as far as all know
    floor: int | None = None

    @property
    def said(self) -> tuple[str, ...]:
        return ()

    @property
    def turn(self) -> int | None:
        return self.floor

    @property
    def contract(self) -> Bargain:
        return self.bargain

    @property
    def speakers(self) -> tuple[int, ...]:
        """The seats that are in time and whose side it could be to raise."""
        return tuple(seat for seat in SEATS if self._objection(seat, None) is None)

    def by(self, seat: int) -> "Stakes":
        return replace(self, floor=seat)

    def read(self, text: str) -> str:
        if text.strip().lower() not in WORDS:
            why = say("{quoted} is no call; once the game is named there is only 'stoss'", repr(text.strip()))
            raise NotationError(why)
        return WORDS[0]

    def calls(self, hand: Hand) -> Iterator[str]:
        if self.objection(WORDS[0], hand) is None:
            yield WORDS[0]

    def objection(self, call: str, hand: Hand) -> Objection | None:
        assert self.floor is not None
        return self._objection(self.floor, hand if isinstance(hand, Cards) else None)

    def _objection(self, seat: int, hand: Cards | None) -> Objection | None:
        raised, declarer = len(self.bargain.raised), self.bargain.declarer
        if declarer is None:
            return Objection(STOSS, "nobody plays a Ramsch, so nobody is doubled")
        if raised >= self.rules.stoss_limit:
            limit = self.rules.stoss_limit
            why = say("the stakes were raised {n} of the {n2} times that this table allows", raised, limit)
            return Objection(STOSS, why)
        if not self._in_time(seat, raised):
            return Objection(STOSS, say("{seat} is too late to raise the stakes", seat))
        side = self._side(seat, hand)
        if side is not None and side != 1 - raised % 2:
            return Objection(STOSS, say("it is not for the side of {seat} to raise the stakes now", seat))
        return None

    def _in_time(self, seat: int, raised: int) -> bool:
        late = 1 if raised else 0  # an answer has one card more
        if self.rules.stoss_deadline is StossDeadline.OWN_CARD:
            return self.played[seat] <= late
        if self.rules.stoss_deadline is StossDeadline.FIRST_CARD:
            return sum(self.played) <= late
        return self.tricks == 0

    def _side(self, seat: int, hand: Cards | None) -> int | None:
        """0 with the declarer, 1 against; None where only the hand would tell, and it is not told."""
        if seat == self.bargain.declarer or self.partners == (seat,):
            return 0
        if seat not in self.partners:
            return 1
        return None if hand is None else 1 - (hand.deck.spellings[str(self.bargain.named.called)] in hand)

    def after(self, call: str) -> "Stakes":
        assert self.floor is not None
        raised = (*self.bargain.raised, self.floor)
        return replace(self, bargain=replace(self.bargain, raised=raised), floor=None)


def stakes(position: Position) -> Stakes | None:
    """The talk beside the play of a position; None before there is a contract."""
    contract, trick = position.contract, position.trick
    if not isinstance(contract, Bargain) or trick is None:
        return None
    done = position.tricks_played
    on_table = trick.seats[: len(trick.plays)]
    played = tuple(done + (seat in on_table) for seat in SEATS)
    return Stakes(position.game.rules, contract, played, done, public_partners(contract, position.memory))
