"""Duties of a follower with more than enough cards of the led suit: the pairs and runs that it owes."""

from renege.core.cards import Cards
from renege.core.order import Order
from renege.games.tractor.rules import FollowDuty, Rules, ShorterRuns
from renege.games.tractor.units import Counts, Runs, Shape, best_match, counts, fullest_match


def owed(rules: Rules, order: Order, suit: int, held: Cards, led: Shape) -> tuple[int, Runs]:
    """The pairs that are owed in all, and what the runs among them must match."""
    if rules.follow_duty is FollowDuty.SUIT_ONLY or not led.led_pairs:
        return 0, ()
    pairs = counts(order, suit, held)
    runs = match(rules, pairs, led.runs)
    drawn = sum(runs) + lone(pairs) if rules.follow_duty is FollowDuty.TRACTORS_PROTECTED else sum(pairs)
    return min(led.led_pairs, drawn), runs


def match(rules: Rules, pairs: Counts, led: Runs) -> Runs:
    """What pairs can give to led runs; a follow owes as much as its hand can give."""
    if not led:
        return ()
    if rules.shorter_runs is ShorterRuns.ALL_OWED:
        return fullest_match(pairs, led)
    return best_match(pairs, led, shorter=rules.shorter_runs is ShorterRuns.OWED)


def lone(pairs: Counts) -> int:
    """The pairs that no tractor of the hand could have in it: there is none on the step below or above."""
    around = (0, *pairs, 0)
    return sum(around[i] for i in range(1, len(around) - 1) if not around[i - 1] and not around[i + 1])
