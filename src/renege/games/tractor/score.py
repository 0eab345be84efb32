"""Scoring of Tractor: the attackers' points with the kitty, the levels, the next banker."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from renege.core.cards import Cards
from renege.core.deal_state import seats_from
from renege.core.game import Result, Standing
from renege.core.position import Course, Position
from renege.core.trick import Trick
from renege.core.verdict import Breach
from renege.games.tractor.declare import Bank
from renege.games.tractor.friends import team
from renege.games.tractor.order import DECK, RANKS
from renege.games.tractor.rules import (
    ACE,
    NO_TRUMP_LEVEL,
    PACK_POINTS,
    KittyMultiplier,
    Mode,
    MustDefend,
    NothingTaken,
    RenegeFound,
    Rules,
    SmallTeam,
)

ENOUGH, STEP = 80, 40  # points that turn the bank over, and for each further level, with two packs
WHOLE = Rules()
FIRST, JACK = 2, 11  # levels; past the last one a side has won


@dataclass(frozen=True, slots=True)
class Outcome:
    """The attackers' points, the multiplier of the kitty, the new levels, the next banker, and who is past the last.

    Levels are those of both sides or, with friends, of every seat.
    """

    attackers: int
    multiplier: int
    levels: tuple[int, ...]
    gains: tuple[int, ...]  # past the last level is one more
    banker: int
    winners: tuple[int, ...] = ()

    @property
    def winner(self) -> int | None:
        """The side that won; with friends, the first seat of those that did, from the next banker on."""
        return _first(self.winners, self.banker, len(self.levels))


def _first(winners: Sequence[int], banker: int, many: int) -> int | None:
    return min(winners, key=lambda who: (who - banker) % many, default=None)


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
    """The points that turn the bank over: 40 a pack by default, or as large a part of a shrunk one."""
    return rules.turnover * rules.level_step * rules.points // PACK_POINTS


def step_of(rules: Rules) -> int:
    """The points of each further level: 20 a pack by default, or as large a part of a shrunk one."""
    return rules.level_step * rules.points // PACK_POINTS


def stops_of(rules: Rules) -> tuple[int, ...]:
    """The levels that must be defended."""
    last = (ACE, NO_TRUMP_LEVEL) if rules.last_level > ACE else (rules.last_level,)
    return {
        MustDefend.NONE: (),
        MustDefend.ACE: last,
        MustDefend.POINT_LEVELS: tuple(sorted({5, 10, 13, *last})),
        MustDefend.FROM_TWO: (2, 5, 10, 13),
    }[rules.must_defend]


def is_at_jack(levels: Sequence[int], banker: int) -> bool:
    """Is level J played, at which a jack may throw the banker's team back?"""
    return levels[banker % len(levels)] == JACK


def steps_up(points: int, rules: Rules = WHOLE) -> tuple[int, int]:
    """The levels that the banker's side and the attackers rise."""
    turn_over, step = enough(rules), step_of(rules)
    if points < turn_over:
        more = points == 0 and rules.nothing_taken is NothingTaken.LEVEL_MORE
        return rules.turnover - points // step + more, 0
    return 0, max(0, (points - turn_over) // step + 1 - rules.dead_zone)


def outcome(
    rules: Rules,
    levels: tuple[int, ...],
    banker: int,
    points: int,
    kitty: int = 0,
    times: int = 1,
    team: Collection[int] = (),
    *,
    thrown_back: bool = False,
) -> Outcome:
    """What follows from the attackers' points: those of their tricks, and the kitty's if they took the last one.

    With friends the `team` is that of the banker as it is in the end. Thrown back, it rises from the first level.
    """
    total = points + kitty * times
    ours, theirs = steps_up(total, rules)
    held = total < enough(rules)
    if held and len(team) < rules.friend_count + 1 and rules.mode is Mode.FRIENDS:
        ours += rules.small_team is SmallTeam.LEVEL_MORE
    rising = {banker % 2} if rules.mode is Mode.TEAMS else team
    last, played, new = rules.last_level, levels[banker % len(levels)], list[int]()
    for who, level in enumerate(levels):
        from_here = rules.lowest_rank if thrown_back and who in rising else level
        defends = held and who in rising and (from_here <= ACE or played > ACE)  # no trumps must have been played
        new.append(_risen(rules, from_here, ours if who in rising else theirs, defends=defends))
    gains = tuple(min(there, last + 1) - level for there, level in zip(new, levels, strict=True))
    past = tuple(who for who, level in enumerate(new) if level > last)
    then = _next_banker(rules, banker, held, team)
    return Outcome(total, times, tuple(min(level, last) for level in new), gains, then, past)


def _next_banker(rules: Rules, banker: int, held: bool, team: Collection[int] = ()) -> int:
    """The next seat of the side that has the bank now: after one that held it alone, the same again."""
    if rules.mode is Mode.TEAMS:
        return (banker + (2 if held else 1)) % rules.seats
    return next(seat for i in range(1, rules.seats + 1) if ((seat := (banker + i) % rules.seats) in team) == held)


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
    ours = bankers_team(position)
    points = attackers_points(position, extra)
    last_taken = position.trick.leader not in ours  # who takes the last trick would lead the next
    kitty = position.order.worth(position.kitty) if last_taken and isinstance(position.kitty, Cards) else 0
    times = multiplier(rules, memory.last, memory.last_pairs, memory.last_lead) if last_taken else 1
    levels = position.standing.score[:-1]
    back = memory.jack and is_at_jack(levels, contract.declarer) and last_taken
    end = outcome(rules, levels, contract.declarer, points, kitty, times, ours, thrown_back=back)
    of = "" if rules.packs == DECK.copies and rules.is_counted_as_usual else f" of {enough(rules)}"
    team = f", team {_numbers(sorted(ours))}" if rules.mode is Mode.FRIENDS else ""
    ranks = " ".join(map(rank_name, end.levels))
    back_to = f", thrown back to {rank_name(rules.lowest_rank)}" if back else ""
    text = f"attackers {end.attackers}{of}{team}{back_to}, levels {ranks}, next banker {end.banker}"
    if end.winners:
        text += f", won by {_numbers(end.winners)}" if team else f", side {end.winner} has won"
    gains = tuple(end.gains[seat % len(end.gains)] for seat in position.game.all_seats)
    return Result(gains, end.attackers < enough(rules), text)


def _numbers(seats: Iterable[int]) -> str:
    return " ".join(map(str, seats))


def bankers_team(position: Position) -> set[int]:
    """The banker's side or, with friends, the banker and who has joined so far."""
    banker = _bank(position).declarer
    if position.game.rules.mode is Mode.FRIENDS:
        return team(banker, position.memory.joined)
    return set(range(banker % 2, position.game.players, 2))


def attackers_points(position: Position, extra: int = 0) -> int:
    """What the attackers have without the kitty: of their tricks, and by the fines for stopped throws.

    With friends they are those who have not joined so far.
    """
    stopped, ours = position.memory.stopped, bankers_team(position)
    failed = sum(times if who in ours else -times for who, times in enumerate(stopped))
    if position.game.rules.mode is Mode.TEAMS:  # counted by side
        failed = stopped[min(ours) % 2] - stopped[1 - min(ours) % 2]
    taken = sum(points for seat, points in enumerate(position.points) if seat not in ours)
    return max(0, taken + position.game.rules.throw_penalty * failed + extra)


def penalty(course: Course, breaches: tuple[Breach, ...]) -> Result | None:
    """What a deal in which somebody reneged comes to."""
    position = course.position
    found: RenegeFound = position.game.rules.renege_found
    if found is RenegeFound.REFUSED or not position.over:
        return None
    if found is RenegeFound.CANNOT_WIN:
        return score(_without_reneges(course, {(breach.trick, breach.seat) for breach in breaches}))
    return score(position, fine(found, attacks=breaches[0].seat not in bankers_team(position)))


def fine(found: RenegeFound, *, attacks: bool) -> int:
    """What the attackers gain by a renege, or lose by their own."""
    if found is not RenegeFound.PENALTY:
        return 0
    return -STEP if attacks else STEP


def _without_reneges(course: Course, reneges: set[tuple[int | None, int]]) -> Position:
    """The end of a deal where a follow that broke a duty won nothing; the leads stay where they were."""
    seats = course.game.players
    points, taker, best = [0] * seats, 0, None
    for act, position in course.steps():
        play, hand = act.what, position.hands[act.seat]
        if isinstance(play, str):
            continue
        turn = position.turn_to_play(hand if isinstance(hand, Cards) else play.cards)
        keeps = (turn.number, act.seat) not in reneges
        if best is None or turn.trick.lead is None or (keeps and position.game.beats(turn, best, play)):
            taker, best = act.seat, play
        if len(turn.trick.plays) + 1 == seats:
            points[taker] += turn.order.worth(turn.trick.cards + play.cards)
    last = course.position
    return replace(last, points=tuple(points), trick=Trick(seats_from(taker, last.active)))


def _bank(position: Position) -> Bank:
    assert isinstance(position.contract, Bank)
    return position.contract


def rank_name(level: int) -> str:
    """A level by its rank; the one after the ace, which has none, is `NT`."""
    return RANKS[level - FIRST] if level <= ACE else "NT"


def advance(position: Position, deal: Result | None) -> Standing:
    """The levels rise, and the bank passes to the next of the side if it held, else to the next seat.

    A deal that comes to nothing is dealt again: nothing moves.
    """
    *levels, deals = position.standing.score
    if deal is None or position.contract is None:
        return position.standing
    risen = (level + deal.score[who] for who, level in enumerate(levels))
    rules, banker = position.game.rules, _bank(position).declarer
    then = _next_banker(rules, banker, bool(deal.made), bankers_team(position))
    return Standing(then, (*risen, deals + 1))


def winner(rules: Rules, standing: Standing) -> int | None:
    """The side whose level is past the last; with friends, the first seat, from the next banker on."""
    past = [who for who, level in enumerate(standing.score[:-1]) if level > rules.last_level]
    return _first(past, standing.dealer, rules.sides)
