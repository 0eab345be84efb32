"""The question `solve` of `renege ask`, in what all games share: open hands, a trick, an objective."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from renege.core.cards import Cards, Deck
from renege.core.game import SEATS, Game
from renege.core.notation import NotationError
from renege.core.position import Position, seats_from
from renege.core.trick import Play
from renege.games.wire import Question, Seat, quote, read_cards

POINTS = "points"


def parse_objective(text: str) -> int | None:
    """`points`, or `make:30`: the points to get."""
    found = re.fullmatch(r"make:([0-9]{1,4})", text)
    if text == POINTS:
        return None
    if found is None:
        raise NotationError(f"'objective' is {POINTS} or make:N, like make:30; {quote(text)} is not")
    return int(found[1])


class SolveQuestion(Question, kw_only=True):
    """What the question `solve` has in every game."""

    declaration: str
    hands: list[str]
    leader: Seat
    trick: tuple[str, ...] = ()
    objective: str = POINTS


@dataclass(frozen=True, slots=True)
class OpenHands:
    """The hands of a question as they are now, and the plays on the table, which are no longer in them."""

    hands: tuple[Cards, ...]
    plays: tuple[Play, ...]

    def before(self, leader: int, seats: Sequence[int]) -> tuple[Cards, ...]:
        """The hands before the trick."""
        laid = dict(zip(seats_from(leader, tuple(seats)), self.plays, strict=False))
        return tuple(hand + laid[seat].cards if seat in laid else hand for seat, hand in enumerate(self.hands))


def read_open_hands(question: SolveQuestion, deck: Deck, seats: Sequence[int], most: int) -> OpenHands:
    """The hands and the trick of a question: of cards that are there, and of one size before the trick."""
    if len(question.hands) != len(SEATS):
        raise NotationError(f"'hands' are those of four seats, and there are {len(question.hands)}")
    hands = tuple(_pile(deck, text, "hands") for text in question.hands)
    plays = tuple(Play(_pile(deck, text, "trick")) for text in question.trick)
    if question.leader not in seats:
        raise NotationError(f"'leader': seat {question.leader} takes no part in {question.declaration}")
    if len(plays) >= len(seats):
        shown = quote(", ".join(question.trick))
        raise NotationError(f"'trick' has {len(plays)} plays, and it is over with {len(seats)}: {shown}")
    if odd := next((play for play in plays if len(play.cards) != len(plays[0].cards) or not play.cards), None):
        raise NotationError(f"'trick': {quote(str(odd))} cannot lie beside {quote(str(plays[0]))}")
    _pile(deck, " ".join(map(str, (*hands, *(play.cards for play in plays)))), "hands")  # none too often
    table = OpenHands(hands, plays)
    before = table.before(question.leader, seats)
    sizes = {len(before[seat]) for seat in seats}
    if len(sizes) > 1 or max(sizes) > most:
        told = ", ".join(f"seat {seat} {len(before[seat])}" for seat in seats)
        raise NotationError(f"'hands' must be of one size before the trick, at most {most} {deck.noun}s: {told}")
    for idle in (seat for seat in SEATS if seat not in seats and hands[seat]):
        raise NotationError(f"'hands': seat {idle} takes no part, so its hand is empty: {quote(str(hands[idle]))}")
    return table


def lay(position: Position, plays: Sequence[Play]) -> Position:
    """The position with these plays on the table; each must have been legal."""
    for play in plays:
        turn = position.turn_to_play()
        if no := position.game.objection(turn, play) or position.game.mislanded(turn, play):
            raise NotationError(f"'trick': seat {turn.seat} cannot have played {quote(str(play))}: {no.why}")
        position = position.put(play)
    return position


def tricks_before(game: Game, size: int) -> tuple[int, ...]:
    """Tricks taken when so many cards are left in a hand; who took them is nobody's business here."""
    return (game.hand_size - size, 0, 0, 0)


def _pile(deck: Deck, text: str, field: str) -> Cards:
    try:
        return read_cards(deck, text)
    except NotationError as wrong:
        raise NotationError(f"{field!r}: {wrong}") from None
