"""Reviews of a deal: what each play lost against the best, with open hands and given what its player knew.

With open hands the loss is exact. Given what the seat knew it is how far the option is behind the best one, on average
over the worlds of its view in which both were tried.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from renege.belief.belief import Belief
from renege.belief.seen import NoWorldLeft
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.position import Position, View, solve
from renege.core.record import Record
from renege.core.solution import UNLIMITED, Limits, Solution, Value
from renege.core.trick import Play
from renege.games.strategy import Option, strategy_of
from renege.search import ONLY, Findings, weigh

COMPARED = 40  # worlds in which an option that the search passed over is held against the best


@dataclass(frozen=True, slots=True)
class Open:
    """By the open hands: the value before and after, what that gave away, and the plays that would not have."""

    before: Value
    after: Value
    cost: int | None
    best: tuple[str, ...]
    taken: int  # points of the same seats in the tricks before
    solution: Solution


@dataclass(frozen=True, slots=True)
class Known:
    """By what the seat could know: what it gave away on average, the best option, and the worlds that were tried."""

    cost: float
    best: str
    worlds: int


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One call or play of a deal; a text in place of what is missing says why."""

    number: int
    trick: int | None  # from 1; None in the talk
    seat: int
    what: str
    open: Open | str
    known: Known | str

    @property
    def cost_open(self) -> int:
        return self.open.cost or 0 if isinstance(self.open, Open) else 0

    @property
    def cost_known(self) -> float:
        return self.known.cost if isinstance(self.known, Known) else 0.0


def review(
    record: Record,
    *,
    ms: float | None = None,
    worlds: int | None = None,
    seed: int = 0,
    limits: Limits = UNLIMITED,
) -> Iterator[ReviewedMove]:
    """Every call and play of a deal, in order; each takes so many milliseconds or worlds, or none of either."""
    for number, (act, position) in enumerate(record.steps()):
        trick = None if position.contract is None else position.tricks_played + 1
        by_knowledge: Known | str = "not asked for"
        if ms is not None or worlds is not None:
            view = replace(record, acts=record.acts[:number]).view(act.seat)
            by_knowledge = _known(view, act, ms, worlds, seed)
        said, by_hands = position.spell(act.what), _open(position, act, limits)
        yield ReviewedMove(number, trick, act.seat, said, by_hands, by_knowledge)


def _open(position: Position, act: Act, limits: Limits) -> Open | str:
    if isinstance(act.what, str):
        return "a call"
    if not all(isinstance(position.hands[seat], Cards) for seat in position.active):
        return "not all hands are told"
    try:
        solution = solve(position, None, limits)
    except ValueError as cannot:
        return str(cannot)
    found = next((bounds for play, bounds in solution.plays if same(play, act.what)), None)
    if found is None:
        return "against the rules"
    best = tuple(map(position.spell, solution.best))
    taken = sum(position.points[seat] for seat in solution.takers)
    return Open(solution.value, solution.say(found), solution.cost(found), best, taken, solution)


def _known(view: View, act: Act, ms: float | None, worlds: int | None, seed: int) -> Known | str:
    if not view.my_turn:
        return "out of turn"
    try:
        found = weigh(view, ms=ms, worlds=worlds, seed=seed)
        return _held_against(view, act.what, found, ms, seed)
    except NoWorldLeft:
        return "what was seen breaks the rules"
    except ValueError as cannot:
        return str(cannot)


def _held_against(view: View, done: Option, found: Findings, ms: float | None, seed: int) -> Known | str:
    """What was done beside the best option."""
    best = view.position.spell(found.best.option)
    if isinstance(done, str) != isinstance(found.best.option, str):
        return "said beside the play"  # the search weighs what to play then, not what to say
    if len(found.estimates) == 1 and found.stopped != ONLY:
        return found.stopped
    if same(found.best.option, done):
        return Known(0.0, best, found.worlds)
    if math.isnan(found.best.mean):
        return "it was the only one" if len(found.estimates) == 1 else "no time for a world"
    mine = next((estimate for estimate in found.estimates if same(estimate.option, done)), None)
    if mine is not None and not math.isnan(mine.mean):
        return Known(max(0.0, mine.behind), best, mine.worlds)
    search = strategy_of(view.game).search
    assert search is not None
    until = math.inf if ms is None else time.perf_counter() + ms / 1e3
    drawn = Belief(view).draw(min(COMPARED, max(found.worlds, 1)), seed)
    rows = search.weigh(view, drawn, [found.best.option, done], until).paid
    rows = rows[~np.isnan(rows).any(axis=1)]
    if not len(rows):
        return "no time for a world"
    return Known(max(0.0, float((rows[:, 0] - rows[:, 1]).mean())), best, len(rows))


def same(one: Option, other: Option) -> bool:
    """Are these one call, or one play? How a lead was grouped does not matter."""
    if isinstance(one, Play) and isinstance(other, Play):
        return one.cards == other.cards and one.suit == other.suit
    return one == other
