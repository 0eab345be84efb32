"""What a follower owes, a rule each, in the order in which a referee would ask; and what beats what.

One with more than enough cards of the led suit owes pairs and runs too: `owed` says which.
"""

from itertools import zip_longest
from typing import TYPE_CHECKING

from renege.core.cards import Cards
from renege.core.game import Turn
from renege.core.message import say
from renege.core.order import Order
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.games.tractor import bombs, tuples
from renege.games.tractor.duties import follow_wide
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import (
    FOLLOW_LONGER_RUN,
    FOLLOW_PAIR,
    FOLLOW_RUN,
    FOLLOW_SUIT,
    LENGTH,
    FollowDuty,
    Rules,
    ShorterRuns,
    ThrowComparison,
)
from renege.games.tractor.tuples import WideShape
from renege.games.tractor.units import (
    Counts,
    Runs,
    Shape,
    best_match,
    counts,
    fullest_match,
    led_form,
    led_shape,
    only_suit,
    serve,
    top_step,
    tops,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def owed(rules: Rules, order: Order, suit: int, held: Cards, led: Shape) -> tuple[int, Runs]:
    """The pairs that are owed in all, and what the runs among them must match."""
    if rules.follow_duty is FollowDuty.SUIT_ONLY or not led.led_pairs:
        return 0, ()
    pairs = counts(order, suit, held)
    runs = match(rules, pairs, led.runs)
    drawn = sum(runs) + lone(pairs) if rules.pair_duty is FollowDuty.TRACTORS_PROTECTED else sum(pairs)
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


def _renege(rule: Rule, why: str, *fills: object) -> Objection:
    return Objection(rule, say(why, *fills), Ruling.RENEGE)


def _lead(turn: Turn) -> Play:
    assert turn.trick.lead is not None
    return turn.trick.lead


def length(turn: Turn, play: Play) -> Objection | None:
    led = len(_lead(turn).cards)
    if len(play.cards) == led:
        return None
    amount = "1 card" if len(play.cards) == 1 else say("{n} cards", len(play.cards))
    given = say("{cards} is {amount}", play.cards, amount) if play.cards else "no card is played"
    return Objection(LENGTH, say("{given}, and {n} was led" if led == 1 else "{given}, and {n} were led", given, led))


def follow_suit(turn: Turn, play: Play) -> Objection | None:
    if turn.led is None or not play.cards.kinds & ~turn.order.follow[turn.led]:
        return None
    held, noun = turn.order.in_suit(turn.hand, turn.led), turn.order.nouns[turn.led]
    others = play.cards.only(~turn.order.follow[turn.led])
    stay = len(held) - (len(play.cards) - len(others))
    if not stay:
        return None
    if len(held) > len(play.cards):
        return _renege(
            FOLLOW_SUIT, "{suit} were led, the hand has {n} of them, and {cards} is none", noun, len(held), others
        )
    left = held - turn.order.in_suit(play.cards, turn.led)
    return _renege(
        FOLLOW_SUIT, f"{{suit}} were led and {{cards}} {'stays' if stay == 1 else 'stay'} in hand", noun, left
    )


def follow_shape(turn: Turn, play: Play) -> Objection | None:
    """Pairs and then runs are owed where the hand has more than enough of the suit to choose from."""
    if turn.led is None or turn.rules.follow_duty is FollowDuty.SUIT_ONLY or not _lead(turn).cards.at_least(2):
        return None
    held = turn.order.in_suit(turn.hand, turn.led)
    if len(held) <= len(play.cards):
        return None  # all of it goes, whatever its shape
    shape = led_shape(turn.order, _lead(turn))
    pairs, runs = owed(turn.rules, turn.order, turn.led, held, shape)
    if play.cards.at_least(2).bit_count() < pairs:
        return _too_few_pairs(turn, play, turn.led, shape, held, pairs)
    given = match(turn.rules, counts(turn.order, turn.led, play.cards), shape.runs)
    return None if given == runs else _worse_runs(turn, play, turn.led, held, runs, given)


def _too_few_pairs(turn: Turn, play: Play, suit: int, shape: Shape, held: Cards, owed: int) -> Objection:
    pairs, given, noun = held.at_least(2), play.cards.at_least(2), turn.order.nouns[suit]
    led, got, left = shape.led_pairs, given.bit_count(), turn.hand.deck.of(pairs & ~given)
    if turn.rules.pair_duty is FollowDuty.TRACTORS_PROTECTED:
        if led == 1:
            return _renege(FOLLOW_PAIR, "a pair of {suit} was led and the hand holds one outside its tractors", noun)
        return _renege(
            FOLLOW_PAIR, "{n} pairs of {suit} were led, {n2} given, and the hand owes {n3}", led, noun, got, owed
        )
    if led == 1:
        number = "one" if pairs.bit_count() == 1 else str(pairs.bit_count())
        return _renege(FOLLOW_PAIR, "a pair of {suit} was led and the hand holds {n}", noun, number)
    return _renege(
        FOLLOW_PAIR, "{n} pairs of {suit} were led, {n2} given, and the hand has pairs of {cards}", led, noun, got, left
    )


def _worse_runs(turn: Turn, play: Play, suit: int, held: Cards, best: Runs, given: Runs) -> Objection:
    at, owed, got = next(
        (at, owed, got) for at, (owed, got) in enumerate(zip_longest(best, given, fillvalue=0)) if owed != got
    )
    served = serve(turn.order, suit, held, Shape(tuple(filter(None, best)), 0, 0))
    assert served is not None
    # cards that would serve the run that is owed, if possible other ones than were given
    run = min((run for run in served if len(run) == 2 * owed), key=lambda run: run <= play.cards)
    if got:
        return _renege(FOLLOW_LONGER_RUN, "a tractor of {n} pairs is given, and the hand holds {cards}", got, run)
    if any(given[:at]):
        return _renege(FOLLOW_RUN, "led pairs of tractors are still unanswered and the hand holds {cards}", run)
    return _renege(FOLLOW_RUN, "a tractor of {suit} was led and the hand holds {cards}", turn.order.nouns[suit], run)


FOLLOW = (length, follow_suit, follow_shape)
FOLLOW_ANY_WIDTH = (length, follow_suit, follow_wide)
FOLLOW_WITH_BOMBS = (
    length,
    bombs.follow_rainbow,
    bombs.bomb_in_suit,
    bombs.unless_bomb(follow_suit),
    bombs.unless_bomb(follow_wide),
)
USUAL = Rules()


def why_not(order: Order, lead: Play, play: Play, rules: Rules = USUAL) -> str | None:
    """Why a follow cannot win, whatever it meets; None if it could."""
    led, suit = order.suit_of(lead.cards), order.suit_of(play.cards)
    if bombs.is_rainbow(rules, order, lead.cards):
        return say("{cards} is not of one rank", play.cards) if bombs.rank_in(play.cards) is None else None
    if led is not None and bombs.is_bomb(rules, play.cards) and len(play.cards) == len(lead.cards):
        return None
    if led is None:
        return "nothing is compared with a lead of several suits"
    if suit is None:
        return say("{cards} is of several suits", play.cards)
    if suit not in (led, TRUMP):
        return say("{cards} does not follow {suit}", play.cards, order.nouns[led])
    shape = led_form(order, lead)
    if suit == led and shape.is_throw:
        return "a throw that stands is beaten by a ruff alone"
    if _top(order, suit, play.cards, shape) is None:
        return say("{cards} cannot be cut into the led units", play.cards)
    return None


def beats(turn: Turn, best: Play, play: Play) -> bool:
    """Does a follow beat the best play so far? Equals stay behind."""
    lead, order = _lead(turn), turn.order
    if why_not(order, lead, play, turn.rules) is not None:
        return False
    if bombs.leads_rainbow(turn):
        return bombs.is_higher_rank(best, play)
    if bombs.is_bomb(turn.rules, play.cards) or bombs.is_bomb(turn.rules, best.cards):
        return bombs.is_higher_bomb(turn.rules, order, best, play)
    suit, other = only_suit(order, play.cards), order.suit_of(best.cards)
    if other != suit:
        return suit == TRUMP
    shape = led_form(order, lead)
    if turn.rules.throw_comparison is ThrowComparison.HIGHEST_CARD:
        return _highest(order, suit, play) > _highest(order, suit, best)
    if turn.rules.throw_comparison is ThrowComparison.ALL_UNITS and shape.is_throw:
        # however the play that is ahead is cut, can the other be cut so that each unit beats its like?
        ways = _tops(order, suit, play.cards, shape)
        return all((ways > ahead).all(axis=1).any() for ahead in _tops(order, suit, best.cards, shape))
    ours, theirs = _top(order, suit, play.cards, shape), _top(order, suit, best.cards, shape)
    return ours is not None and (theirs is None or ours > theirs)


def _top(order: Order, suit: int, pile: Cards, shape: Shape | WideShape) -> int | None:
    """The highest step that one of the greatest led units can have."""
    if isinstance(shape, WideShape):
        return tuples.top_step(order, suit, pile, shape)
    return top_step(order, suit, pile, shape)


def _tops(order: Order, suit: int, pile: Cards, shape: Shape | WideShape) -> "NDArray[np.int8]":
    """The top steps of all units, for each way to cut a pile into the led shape."""
    if not isinstance(shape, WideShape):
        return tops(order, suit, pile, shape)
    import numpy as np  # here: rules alone do without it

    return np.array(list(tuples.all_tops(order, suit, pile, shape)), np.int8)


def _highest(order: Order, suit: int, play: Play) -> int:
    return max(order.strength[suit][card] for card in play.cards)
