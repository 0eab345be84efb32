"""What a follower owes, a rule each, in the order in which a referee would ask; and what beats what."""

from collections.abc import Iterator

from renege.cards import Cards, kinds_in
from renege.game import Turn
from renege.games.tractor.order import TRUMP
from renege.games.tractor.rules import (
    FOLLOW_LONGER_RUN,
    FOLLOW_PAIR,
    FOLLOW_RUN,
    FOLLOW_SUIT,
    LENGTH,
    FollowDuty,
    ShorterRuns,
    ThrowComparison,
)
from renege.games.tractor.units import Runs, Shape, best_match, counts, led_shape, serve, top_step
from renege.order import Order
from renege.trick import Play
from renege.verdict import Objection, Rule, Ruling


def _renege(rule: Rule, why: str) -> Objection:
    return Objection(rule, why, Ruling.RENEGE)


def _lead(turn: Turn) -> Play:
    assert turn.trick.lead is not None
    return turn.trick.lead


def length(turn: Turn, play: Play) -> Objection | None:
    led = len(_lead(turn).cards)
    if len(play.cards) == led:
        return None
    given = f"{play.cards} is {_cards(len(play.cards))}" if play.cards else "no card is played"
    return Objection(LENGTH, f"{given}, and {led} {'was' if led == 1 else 'were'} led")


def follow_suit(turn: Turn, play: Play) -> Objection | None:
    if turn.led is None or not play.cards.kinds & ~turn.order.follow[turn.led]:
        return None
    held, noun = turn.order.in_suit(turn.hand, turn.led), turn.order.nouns[turn.led]
    others = play.cards.only(~turn.order.follow[turn.led])
    stay = len(held) - (len(play.cards) - len(others))
    if not stay:
        return None
    if len(held) > len(play.cards):
        return _renege(FOLLOW_SUIT, f"{noun} were led, the hand has {len(held)} of them, and {others} is none")
    left = held - turn.order.in_suit(play.cards, turn.led)
    return _renege(FOLLOW_SUIT, f"{noun} were led and {left} {'stays' if stay == 1 else 'stay'} in hand")


def follow_shape(turn: Turn, play: Play) -> Objection | None:
    """Pairs and then runs are owed where the hand has more than enough of the suit to choose from."""
    if turn.led is None or turn.rules.follow_duty is FollowDuty.SUIT_ONLY or not _lead(turn).cards.at_least(2):
        return None
    held = turn.order.in_suit(turn.hand, turn.led)
    if len(held) <= len(play.cards):
        return None  # all of it goes, whatever its shape
    shape = led_shape(turn.order, _lead(turn))
    objection = _pairs(turn, play, turn.led, shape, held)
    return _runs(turn, play, turn.led, shape, held) if objection is None and shape.runs else objection


def _pairs(turn: Turn, play: Play, suit: int, shape: Shape, held: Cards) -> Objection | None:
    pairs = held.at_least(2).bit_count()
    owed, given = min(shape.led_pairs, pairs), play.cards.at_least(2).bit_count()
    if given >= owed:
        return None
    hidden = turn.hand.deck.of(held.at_least(2) & ~play.cards.at_least(2))
    noun = turn.order.nouns[suit]
    if shape.led_pairs == 1:
        return _renege(FOLLOW_PAIR, f"a pair of {noun} was led and the hand holds {_number(pairs)}")
    return _renege(
        FOLLOW_PAIR, f"{shape.led_pairs} pairs of {noun} were led, {given} given, and the hand has pairs of {hidden}"
    )


def _runs(turn: Turn, play: Play, suit: int, shape: Shape, held: Cards) -> Objection | None:
    shorter = turn.rules.shorter_runs is ShorterRuns.OWED
    best = best_match(counts(turn.order, suit, held), shape.runs, shorter=shorter)
    given = best_match(counts(turn.order, suit, play.cards), shape.runs, shorter=shorter)
    if given == best:
        return None
    owed, got = next((owed, got) for owed, got in zip(best, given, strict=True) if owed != got)
    run = _run(turn.order, suit, held, best, owed)
    if got == 0:
        return _renege(FOLLOW_RUN, f"a tractor of {turn.order.nouns[suit]} was led and the hand holds {run}")
    return _renege(FOLLOW_LONGER_RUN, f"a tractor of {got} pairs is given, and the hand holds {run}")


def _run(order: Order, suit: int, held: Cards, best: Runs, owed: int) -> Cards:
    """Cards that would serve the run that is owed."""
    served = serve(order, suit, held, Shape(tuple(filter(None, best)), 0, 0))
    assert served is not None
    return served[[length for length in best if length].index(owed)]


FOLLOW = (length, follow_suit, follow_shape)


def why_not(order: Order, lead: Play, play: Play) -> str | None:
    """Why a follow cannot win, whatever it meets; None if it could."""
    led, suit = order.suit_of(lead.cards), order.suit_of(play.cards)
    if led is None:
        return "nothing is compared with a lead of several suits"
    if suit is None:
        return f"{play.cards} is of several suits"
    if suit not in (led, TRUMP):
        return f"{play.cards} does not follow {order.nouns[led]}"
    shape = led_shape(order, lead)
    if suit == led and shape.is_throw:
        return "a throw that stands is beaten by a ruff alone"
    if top_step(order, suit, play.cards, shape) is None:
        return f"{play.cards} cannot be cut into the led units"
    return None


def beats(turn: Turn, best: Play, play: Play) -> bool:
    """Does a follow beat the best play so far? Equals stay behind."""
    lead, order = _lead(turn), turn.order
    if why_not(order, lead, play) is not None:
        return False
    suit, other = order.suit_of(play.cards), order.suit_of(best.cards)
    assert suit is not None
    if other != suit:
        return suit == TRUMP
    shape = led_shape(order, lead)
    if turn.rules.throw_comparison is ThrowComparison.HIGHEST_CARD:
        return _highest(order, suit, play) > _highest(order, suit, best)
    if turn.rules.throw_comparison is ThrowComparison.ALL_UNITS:
        return beats_all(order, suit, best.cards, play.cards, shape)
    ours, theirs = top_step(order, suit, play.cards, shape), top_step(order, suit, best.cards, shape)
    return ours is not None and (theirs is None or ours > theirs)


def _highest(order: Order, suit: int, play: Play) -> int:
    return max(order.strength[suit][card] for card in play.cards)


def beats_all(order: Order, suit: int, best: Cards, play: Cards, shape: Shape) -> bool:
    """Can a play be cut so that each unit beats its like in the best so far, which is cut highest first?"""
    served = serve(order, suit, best, shape)
    assert served is not None
    to_beat = [max(_step(order, suit, card) for card in kinds_in(unit.kinds)) for unit in served]
    return any(True for _ in _beating(order, suit, play, shape.units, to_beat))


def _beating(order: Order, suit: int, left: Cards, units: Runs, to_beat: list[int]) -> Iterator[None]:
    """Every way to cut units from a pile, each above the step it must beat; singles come last."""
    if not units:
        tops = sorted((_step(order, suit, card) for card in left), reverse=True)
        if all(ours > theirs for ours, theirs in zip(tops, sorted(to_beat, reverse=True), strict=False)):
            yield None
        return
    steps, length = order.steps[suit], units[0]
    for top in range(to_beat[0] + 1, len(steps)):
        window = [left.at_least(2) & steps[step] for step in range(top - length + 1, top + 1)]
        if top - length + 1 >= 0 and all(window):
            mask = sum(1 << next(kinds_in(kinds)) for kinds in window)
            yield from _beating(order, suit, left - Cards(left.deck, (mask, mask)), units[1:], to_beat[1:])


def _step(order: Order, suit: int, card: int) -> int:
    return next(i for i, step in enumerate(order.steps[suit]) if step >> card & 1)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _number(count: int) -> str:
    return "one" if count == 1 else str(count)
