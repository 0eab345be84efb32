"""`solve` on the wire: the last tricks of a round of Tractor with open hands."""

from dataclasses import replace

from renege.core.game import SEATS
from renege.core.notation import NotationError, parse_cards
from renege.core.position import Position, begin
from renege.games import tractor
from renege.games.solution import Limits
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import DECK
from renege.games.tractor.rules import BURIED
from renege.games.tractor.solve import MOST_HELD, solve
from renege.games.tractor.wire_table import set_table
from renege.games.wire import Answer, Seat, quote, read_cards
from renege.games.wire_solve import SolveQuestion, lay, parse_objective, read_open_hands

MOST_NODES = 100_000_000  # about half a minute


class SolveQuestionTractor(SolveQuestion, kw_only=True):
    banker: Seat
    kitty: str


def solved(question: SolveQuestionTractor) -> Answer:
    position = _open_hands(question)
    return solve(position, parse_objective(question.objective), Limits(MOST_NODES)).answer(position)


def _open_hands(question: SolveQuestionTractor) -> Position:
    """The position of a question."""
    table = set_table(bytes(question.rules), question.declaration)
    kitty = read_cards(DECK, question.kitty)
    if len(kitty) > BURIED:
        raise NotationError(f"'kitty' has at most {BURIED} cards, and {quote(question.kitty)} has {len(kitty)}")
    laid = read_open_hands(question, DECK, SEATS, MOST_HELD)
    hands = laid.before(question.leader, SEATS)
    try:
        parse_cards(DECK, " ".join(map(str, (*hands, kitty))))
    except NotationError as too_many:
        raise NotationError(f"'kitty': {too_many}") from None
    contract = Bank(table.contract.declaration, question.banker, question.banker)
    start = begin(tractor.game(table.rules), contract, hands, question.leader)
    return lay(replace(start, kitty=kitty), laid.plays)
