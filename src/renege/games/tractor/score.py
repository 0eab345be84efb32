"""Scoring of Tractor: the attackers' points with the kitty, the levels, the next banker."""

from dataclasses import dataclass, replace

from renege.core.cards import Cards
from renege.core.deal_state import seats_from
from renege.core.game import SEATS, Result, Standing
from renege.core.position import Course, Position
from renege.core.trick import Trick
from renege.core.verdict import Breach
from renege.games.tractor.declare import Bank
from renege.games.tractor.order import RANKS
from renege.games.tractor.rules import ALL_POINTS, KittyMultiplier, MustDefend, RenegeFound, Rules

ENOUGH, STEP = 80, 40  # points that turn the bank over, and for each further level, of the 200 in the pack
WHOLE = Rules()
ACE = 14  # levels are 2..14; past the ace a side has won


@dataclass(frozen=True, slots=True)
class Outcome:
    """The attackers' points, the multiplier of the kitty, the new levels, the next banker, and the side that won."""

    attackers: int
    multiplier: int
    levels: tuple[int, int]
    banker: int
    winner: int | None


def multiplier(rules: Rules, cards: int, pairs: int, lead: int) -> int:
    """What the kitty counts for: by the longest unit of the last lead, in cards, by all its pairs, or all its cards."""
    return {
        KittyMultiplier.TWO_TO_CARDS: 2**cards,
        KittyMultiplier.TWICE_CARDS: 2 * cards,
        KittyMultiplier.TWICE_LEAD: 2 * lead,
        KittyMultiplier.TWO_OR_FOUR: 4 if pairs else 2,
        KittyMultiplier.TWO_TO_PAIRS_PLUS_1: 2 ** (pairs + 1),
    }[rules.kitty_multiplier]


def enough(rules: Rules) -> int:
    """The points that turn the bank over: 40 a pack, or as large a part of a shrunk one."""
    return ENOUGH * rules.points // ALL_POINTS


def step_of(rules: Rules) -> int:
    """The points of each further level: 20 a pack, or as large a part of a shrunk one."""
    return STEP * rules.points // ALL_POINTS


def stops_of(rules: Rules) -> tuple[int, ...]:
    """The levels that must be defended."""
    return {
        MustDefend.NONE: (),
        MustDefend.ACE: (14,),
        MustDefend.POINT_LEVELS: (5, 10, 13, 14),
        MustDefend.FROM_TWO: (2, 5, 10, 13),
    }[rules.must_defend]


def steps_up(points: int, rules: Rules = WHOLE) -> tuple[int, int]:
    """The levels that the banker's side and the attackers rise."""
    turn_over, step = enough(rules), step_of(rules)
    if points == 0:
        return 3, 0
    if points < turn_over:
        return (2, 0) if points < step else (1, 0)
    return 0, (points - turn_over) // step


def outcome(rules: Rules, levels: tuple[int, int], banker: int, points: int, kitty: int, times: int) -> Outcome:
    """What follows from the attackers' points: those of their tricks, and the kitty's if they took the last one."""
    total = points + kitty * times
    ours, theirs = steps_up(total, rules)
    held = total < enough(rules)
    rises = [0, 0]
    rises[banker % 2], rises[1 - banker % 2] = ours, theirs
    new = [
        _risen(rules, level, rise, defends=held and side == banker % 2)
        for side, (level, rise) in enumerate(zip(levels, rises, strict=True))
    ]
    winner = next((side for side in (0, 1) if new[side] > ACE), None)
    return Outcome(total, times, (min(new[0], ACE), min(new[1], ACE)), _next_banker(banker, held), winner)


def _next_banker(banker: int, held: bool) -> int:
    return (banker + (2 if held else 1)) % len(SEATS)


def _risen(rules: Rules, level: int, rise: int, *, defends: bool) -> int:
    """The level after a rise; a level that must be defended stops a side that did not just hold the bank there."""
    for stop in stops_of(rules):
        here = level == stop and not defends
        passes = level < stop < level + rise
        if here or passes:
            return stop
    return level + rise


def score(position: Position, extra: int = 0) -> Result:
    """The result of a deal that is played out; `extra` is what the attackers gain besides."""
    contract, memory, rules = _bank(position), position.memory, position.game.rules
    assert position.order is not None and position.trick is not None
    points = attackers_points(position, extra)
    attackers = 1 - contract.declarer % 2
    last_taken = position.trick.leader % 2 == attackers  # who takes the last trick would lead the next
    kitty = position.order.worth(position.kitty) if last_taken and isinstance(position.kitty, Cards) else 0
    times = multiplier(rules, memory.last, memory.last_pairs, memory.last_lead) if last_taken else 1
    levels = position.standing.score[0], position.standing.score[1]
    end = outcome(rules, levels, contract.declarer, points, kitty, times)
    gains = [end.levels[side] - levels[side] for side in (0, 1)]
    of = f" of {enough(rules)}" if rules.packs > 2 else ""
    ranks = f"{_rank(end.levels[0])} {_rank(end.levels[1])}"
    text = f"attackers {end.attackers}{of}, levels {ranks}, next banker {end.banker}"
    if end.winner is not None:
        text += f", side {end.winner} has won"
        gains[end.winner] += 1  # past the ace
    return Result(tuple(gains[seat % 2] for seat in SEATS), end.attackers < enough(rules), text)


def attackers_points(position: Position, extra: int = 0) -> int:
    """What the attackers have without the kitty: of their tricks, and by the fines for stopped throws."""
    stopped, attackers = position.memory.stopped, 1 - _bank(position).declarer % 2
    fines = position.game.rules.throw_penalty * (stopped[1 - attackers] - stopped[attackers])
    return max(0, sum(position.points[attackers::2]) + fines + extra)


def penalty(course: Course, breaches: tuple[Breach, ...]) -> Result | None:
    """What a deal in which somebody reneged comes to."""
    position = course.position
    found: RenegeFound = position.game.rules.renege_found
    if found is RenegeFound.REFUSED or not position.over:
        return None
    if found is RenegeFound.CANNOT_WIN:
        return score(_without_reneges(course, {(breach.trick, breach.seat) for breach in breaches}))
    return score(position, fine(found, breaches[0].seat, _bank(position).declarer))


def fine(found: RenegeFound, offender: int, banker: int) -> int:
    """What the attackers gain by a renege, or lose by their own."""
    if found is not RenegeFound.PENALTY:
        return 0
    return STEP if offender % 2 == banker % 2 else -STEP


def _without_reneges(course: Course, reneges: set[tuple[int | None, int]]) -> Position:
    """The end of a deal where a follow that broke a duty won nothing; the leads stay where they were."""
    points, taker, best = [0] * len(SEATS), 0, None
    for act, position in course.steps():
        play, hand = act.what, position.hands[act.seat]
        if isinstance(play, str):
            continue
        turn = position.turn_to_play(hand if isinstance(hand, Cards) else play.cards)
        keeps = (turn.number, act.seat) not in reneges
        if best is None or turn.trick.lead is None or (keeps and position.game.beats(turn, best, play)):
            taker, best = act.seat, play
        if len(turn.trick.plays) + 1 == len(SEATS):
            points[taker] += turn.order.worth(turn.trick.cards + play.cards)
    last = course.position
    return replace(last, points=tuple(points), trick=Trick(seats_from(taker, last.active)))


def _bank(position: Position) -> Bank:
    assert isinstance(position.contract, Bank)
    return position.contract


def _rank(level: int) -> str:
    return RANKS[level - 2]


def advance(position: Position, deal: Result | None) -> Standing:
    """The levels rise, and the bank passes to the partner if it held, else to the next seat.

    A deal that comes to nothing is dealt again: nothing moves.
    """
    low, high, deals = position.standing.score
    if deal is None or position.contract is None:
        return position.standing
    levels = low + deal.score[0], high + deal.score[1]
    return Standing(_next_banker(_bank(position).declarer, held=bool(deal.made)), (*levels, deals + 1))


def winner(rules: Rules, standing: Standing) -> int | None:
    """The side whose level is past the ace."""
    return next((side for side in (0, 1) if standing.score[side] > ACE), None)
