"""Reviews of a deal: what each call and play lost against the best, with open hands and given what its player knew.

With open hands the loss of a play is exact. Given what the seat knew, a call or play costs how far it is behind what
the reviewing player would do, on average over the worlds of its view in which both were tried. Where that player has a
network, it is said too what the network would have done, and how likely it makes what was done; that is all there is
where nothing is weighed.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from renege.belief.seen import NoWorldLeft
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.position import Position, View, solve
from renege.core.record import Record
from renege.core.solution import UNLIMITED, Limits, Solution, Value
from renege.core.trick import Play
from renege.games.strategy import Option, strategy_of
from renege.nets import Likes
from renege.search import ONLY, Estimate, Findings, weigh
from renege.search.study import Student, Study

UNWEIGHED = "the search does not weigh this"
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
    """By what the seat could know: what it gave away on average, what the reviewing player would have done, and the
    worlds that were tried."""

    cost: float
    best: str
    worlds: int


@dataclass(frozen=True, slots=True)
class Liked:
    """By a network, which knows what the seat knew: what it would have done, and the share of its likelihood that this
    has and that what was done has."""

    best: str
    share: float
    done: float | None  # None where it has no number for that


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One call or play of a deal; a text in place of what is missing says why."""

    number: int
    trick: int | None  # from 1; None in the talk
    seat: int
    what: str
    open: Open | str
    known: Known | str
    liked: Liked | None = None

    @property
    def cost_open(self) -> int:
        return self.open.cost or 0 if isinstance(self.open, Open) else 0

    @property
    def cost_known(self) -> float:
        return self.known.cost if isinstance(self.known, Known) else 0.0


def review(
    record: Record,
    by: Student | None = None,
    *,
    ms: float | None = None,
    seed: int = 0,
    limits: Limits = UNLIMITED,
) -> Iterator[ReviewedMove]:
    """Every call and play of a deal, in order, as a player judges it; without one by the open hands alone.

    What that player has not tried is held against its choice for so many milliseconds more.
    """
    for number, (act, position) in enumerate(record.steps()):
        trick = None if position.contract is None else position.tricks_played + 1
        by_knowledge: Known | str = "not asked for"
        liked: Liked | None = None
        if by is not None:
            view = replace(record, acts=record.acts[:number]).view(act.seat)
            by_knowledge, liked = _judged(by, view, act.what, ms, seed)
        said, by_hands = position.spell(act.what), _open(position, act, limits)
        yield ReviewedMove(number, trick, act.seat, said, by_hands, by_knowledge, liked)


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


def _judged(by: Student, view: View, done: Option, ms: float | None, seed: int) -> tuple[Known | str, Liked | None]:
    """What was done, beside what the player would do."""
    talk = view.position.talk
    if not view.my_turn:
        return "out of turn", None
    if view.position.talking and talk is not None and talk.on_kitty:
        return "nobody chooses now, for the kitty names trumps", None
    liked: Liked | None = None
    try:
        study = by.study(view, random.Random(seed))
        liked = _liked(view, done, study.likes)
        return _known(view, done, study, ms, seed), liked
    except NoWorldLeft:
        return "what was seen breaks the rules", liked
    except ValueError as cannot:
        return str(cannot), liked


def _liked(view: View, done: Option, likes: Likes | None) -> Liked | None:
    if likes is None:
        return None
    share = likes.of(likes.best)
    return None if share is None else Liked(view.position.spell(likes.best), share, likes.of(done))


def _known(view: View, done: Option, study: Study, ms: float | None, seed: int) -> Known | str:
    found, choice = study.found, study.advice.what
    if isinstance(done, str) != isinstance(choice, str):
        return "said beside the play"  # what to play is weighed then, not what to say
    if found is None:
        return "nothing is weighed by this player"
    if len(found.estimates) == 1 and found.stopped != ONLY and not _weighs_more(view, study):
        return found.stopped
    best = view.position.spell(choice)
    if same(choice, done):
        return Known(0.0, best, found.worlds) if found.worlds or len(found.estimates) == 1 else "no time for a world"
    if found.stopped == ONLY:
        return "it was the only one"
    mine, other = _tried(found, choice), _tried(found, done)
    if mine is not None and other is not None:
        return Known(max(0.0, other.behind - mine.behind), best, min(mine.worlds, other.worlds))
    return _held_against(view, (choice, done), study, ms, seed)


def _weighs_more(view: View, study: Study) -> bool:
    """Could what nobody thought of be weighed? On a network it can, where all have spoken in turn; a game's own search
    has its reasons where it tries one thing alone."""
    in_turn = all(act.seat == position.turn for act, position in view.steps())
    return in_turn and study.search != strategy_of(view.game).search


def _tried(found: Findings, option: Option) -> Estimate | None:
    tried = (one for one in found.estimates if same(one.option, option) and not math.isnan(one.mean))
    return next(tried, None)


def _held_against(view: View, options: tuple[Option, Option], study: Study, ms: float | None, seed: int) -> Known | str:
    """How far the second option is behind the first, where the search has passed over one of them."""
    assert study.search is not None and study.found is not None

    def both(_: View) -> tuple[Option, ...]:
        return options

    search, worlds = replace(study.search, options=both), min(COMPARED, study.found.worlds or COMPARED)
    try:
        found = weigh(view, ms=ms, worlds=worlds, seed=seed, search=search)
    except ValueError:  # as of a contract that it does not solve
        return UNWEIGHED
    mine, other = (_tried(found, option) for option in options)
    if mine is None or other is None:
        return UNWEIGHED if found.stopped == "no world can be weighed" else "no time for a world"
    cost = max(0.0, other.behind - mine.behind)
    return Known(cost, view.position.spell(options[0]), min(mine.worlds, other.worlds))


def same(one: Option, other: Option) -> bool:
    """Are these one call, or one play? How a lead was grouped does not matter."""
    if isinstance(one, Play) and isinstance(other, Play):
        return one.cards == other.cards and one.suit == other.suit
    return one == other
