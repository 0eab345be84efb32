"""Facts proved by talk and plays of Tractor: cards that were shown, voids, pairs and runs that were owed and did
not come, and what would have stopped a throw.

Together they are the whole of what a play says of the hands; `evidence_wide` has those of follows
where units are of any width.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from renege.core.cards import Cards, kinds_in
from renege.core.deal_state import Act
from renege.core.facts import TALK, Allows, Beats, Fact, FewPairs, Holds, Lacks, NoRun, Permits, Stopped, Unproved, Void
from renege.core.game import Turn
from renege.core.message import say
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.position import Course, Position
from renege.core.trick import Play
from renege.core.verdict import Rule, WrongPhase
from renege.games.tractor.declare import Drawing, beside
from renege.games.tractor.evidence_wide import follow_facts
from renege.games.tractor.follow import match
from renege.games.tractor.order import WideOrder
from renege.games.tractor.rules import (
    FOLLOW_LONGER_RUN,
    FOLLOW_PAIR,
    FOLLOW_RUN,
    FOLLOW_SUIT,
    SHOW,
    THROW_STOPPED,
    TURN_UP,
    FollowDuty,
    Rules,
    ShorterRuns,
    StoppedThrow,
    ThrowTest,
)
from renege.games.tractor.throws import beater, could_beat, rivals, smallness, top_of, width_of
from renege.games.tractor.units import Runs, Shape, counts, led_form, led_shape, led_units, unanswered, units_of


def evidence(course: Course) -> Iterator[Fact]:
    """What everybody learns of the hands, in order."""
    for i, (act, position) in enumerate(course.steps()):
        if isinstance(act.what, str):
            assert isinstance(position.talk, Drawing)
            yield from _call(position.talk, act.seat, act.what)
            continue
        turn = position.turn_to_play(act.what.cards)
        if turn.trick.lead is not None:
            yield from _follow(turn, turn.trick.lead, act.what)
        elif (suit := turn.order.suit_of(act.what.cards)) is not None:
            yield from _lead(turn, suit, act.what, course.acts[i + 1 :])


def _holds(seat: int, trick: int, rule: Rule, cards: Cards, *, or_buried: bool = False) -> Iterator[Fact]:
    """A seat has these cards."""
    for card in kinds_in(cards.kinds):
        yield Holds(seat, trick, rule, cards.deck.of(1 << card), cards.count(card), or_buried)


# -- the talk


def _call(talk: Drawing, seat: int, call: str) -> Iterator[Fact]:
    verb, _, named = call.partition(" ")
    if verb == "show":
        yield from _holds(seat, TALK, SHOW, parse_cards(talk.deck, named))
    elif verb == "turn":
        # the kitty that the banker took up had this card and, if it is not of the level, none that goes before it
        turned = parse_cards(talk.deck, named)
        yield from _holds(seat, 0, TURN_UP, turned, or_buried=True)
        kinds = beside(turned, talk.level)
        if kinds != talk.deck.kinds:
            yield Holds(seat, 0, TURN_UP, talk.deck.of(kinds), talk.rules.buried, or_buried=True)


# -- following


def _follow(turn: Turn, lead: Play, play: Play) -> Iterator[Fact]:
    suit = turn.led
    if suit is None:  # in a record, where anything may lie
        return
    if len(turn.order.in_suit(play.cards, suit)) < len(lead.cards):
        yield Void(turn.seat, turn.number + 1, FOLLOW_SUIT, suit)  # what came of it was all there was
    elif turn.rules.follow_duty is FollowDuty.SUIT_ONLY:
        return
    elif isinstance(turn.order, WideOrder):
        yield from follow_facts(turn, suit, lead, play)
    else:
        yield from _shape(turn, suit, led_shape(turn.order, lead), play)


def _shape(turn: Turn, suit: int, shape: Shape, play: Play) -> Iterator[Fact]:
    """What pairs and runs a hand does not have, since they did not come.

    A hand that had just as many cards of the suit as were led owed no shape, but it is the play: what would be proved
    of a longer one is true of it by itself.
    """
    given = play.cards.at_least(2).bit_count()
    if given < shape.led_pairs and turn.rules.pair_duty is FollowDuty.SHAPE:
        # these were all its pairs, and so its runs are known as well
        kinds = play.cards.deck.of(turn.order.follow[suit])
        yield FewPairs(turn.seat, turn.number, FOLLOW_PAIR, kinds, given)
        return
    yield from _runs(turn, suit, shape.runs, match(turn.rules, counts(turn.order, suit, play.cards), shape.runs))
    if given < shape.led_pairs:
        yield Unproved(turn.seat, turn.number, FOLLOW_PAIR)  # pairs outside tractors were owed, and no others


def _runs(turn: Turn, suit: int, led: Runs, match: Runs) -> Iterator[Fact]:
    """What runs a hand does not have, since its best match to the led ones is this."""
    steps = list(_steps(turn.rules, led, match))
    short = [(sum(match[:i]) + least, given) for i, (least, given) in enumerate(steps) if least]
    if not short:
        return
    length = min(length for length, _ in short)  # cut, such a run gives all that was given before and a little more
    rule = FOLLOW_LONGER_RUN if short[0][1] else FOLLOW_RUN
    yield NoRun(turn.seat, turn.number, rule, suit, length)
    if match != _most(turn.rules, led, length - 1):
        kinds = turn.order.deck.of(turn.order.follow[suit])
        yield Allows(turn.seat, turn.number, rule, kinds, 2, Matched(turn.rules, turn.order.steps[suit], led, match))


@dataclass(frozen=True, slots=True)
class Matched:
    """Can pairs give led runs no more than was given?"""

    rules: Rules
    steps: tuple[int, ...]
    led: Runs
    given: Runs

    def __call__(self, pairs: int) -> bool:
        held = tuple((pairs & step).bit_count() for step in self.steps)
        return match(self.rules, held, self.led) == self.given


def _steps(rules: Rules, led: Runs, match: Runs) -> Iterator[tuple[int, int]]:
    """For each run that was asked for the least length that would have been better than the one given (0: none), and
    the one given."""
    if rules.shorter_runs is ShorterRuns.ALL_OWED:
        for i, given in enumerate((*match, 0)):
            longer = max(given + 1, 2)
            yield longer if longer <= unanswered(led, match[:i]) else 0, given
        return
    for length, given in zip(led, match, strict=True):
        longer = max(given + 1, 2) if rules.shorter_runs is ShorterRuns.OWED else length
        yield longer if given < length else 0, given


def _most(rules: Rules, led: Runs, longest: int) -> Runs:
    """The best match that any hand can make whose runs are no longer than this."""
    if rules.shorter_runs is ShorterRuns.ALL_OWED:
        given: Runs = ()
        while (run := min(unanswered(led, given), longest)) > 1:
            given = (*given, run)
        return given
    if longest < 2:
        return (0,) * len(led)
    shorter = rules.shorter_runs is ShorterRuns.OWED
    return tuple(length if length <= longest else longest if shorter else 0 for length in led)


# -- leading


def _lead(turn: Turn, suit: int, play: Play, later: tuple[Act, ...]) -> Iterator[Fact]:
    if play.tried is not None:
        yield from _stopped(turn, suit, play, play.tried, later)
    elif led_form(turn.order, play).is_throw:
        units = led_units(turn.order, play)
        if turn.rules.throw_test is ThrowTest.PUBLIC_INFO:
            yield from _proved_safe(turn, suit, units, play)
        else:
            for seat in rivals(turn):
                yield from _unbeaten(turn, suit, units, seat)


def standing(position: Position, play: Play) -> tuple[Fact, ...]:
    """What must be so of the other hands for a lead to stand as it is."""
    turn = position.turn_to_play(play.cards)
    suit = turn.order.suit_of(play.cards)
    if suit is None or turn.trick.lead is not None:
        raise WrongPhase(say("{cards} is no lead here", play.cards or "nothing"), position)
    units = led_units(turn.order, play)
    if len(units) == 1:
        return ()
    return tuple(fact for seat in rivals(turn) for fact in _unbeaten(turn, suit, units, seat))


def _unbeaten(turn: Turn, suit: int, units: Iterable[Cards], seat: int) -> Iterator[Fact]:
    """A seat beats none of these units. Of units alike the lowest says it for all."""
    order, number = turn.order, turn.number
    falling = sorted(units, key=lambda unit: smallness(order, suit, unit), reverse=True)
    for (width, length), unit in {_form(order, suit, unit): unit for unit in falling}.items():
        top = top_of(order, suit, unit)
        above = order.deck.of(sum(order.steps[suit][top + 1 :]))
        if not above:
            continue
        if width == 1:
            yield Lacks(seat, number, THROW_STOPPED, above)
        elif length == 1:
            yield FewPairs(seat, number, THROW_STOPPED, above, 0, width=width)
        else:
            yield NoRun(seat, number, THROW_STOPPED, suit, length, above=top, width=width)


def _stopped(turn: Turn, suit: int, play: Play, tried: Cards, later: tuple[Act, ...]) -> Iterator[Fact]:
    """The leader had what he showed, smaller units were not beaten, and somebody beats the one that was led."""
    back = (tried - play.cards).kinds
    yield from _holds(turn.seat, turn.number, THROW_STOPPED, tried.only(back))
    asked = rivals(turn)
    if turn.rules.stopped_throw is StoppedThrow.FIRST_FOUND:
        asked = asked[:1]  # the next seat beats nothing, or the led unit first; those after it may not have been asked
    led = smallness(turn.order, suit, play.cards)
    units = play.units or units_of(turn.order, suit, tried)
    smaller = [unit for unit in units if smallness(turn.order, suit, unit) < led]
    for seat in asked:
        yield from _unbeaten(turn, suit, smaller, seat)
    if any(beater(turn.order, suit, play.cards, _shown(turn, seat, later)) is not None for seat in asked):
        return
    seats, unit = tuple(rivals(turn)), _measured(turn, suit, play.cards)
    yield Beats(turn.seat, turn.number, THROW_STOPPED, seats, suit, *unit)
    if len(asked) < len(seats):
        below = tuple(_measured(turn, suit, one) for one in smaller)
        above = tuple(_measured(turn, suit, one) for one in units if smallness(turn.order, suit, one) > led)
        yield Stopped(turn.seat, turn.number, THROW_STOPPED, seats, suit, unit, below, above)


def _measured(turn: Turn, suit: int, unit: Cards) -> tuple[int, int, int]:
    """The steps of a unit, its top step, and the cards on each."""
    width, length = _form(turn.order, suit, unit)
    return length, top_of(turn.order, suit, unit), width


def _form(order: Order, suit: int, unit: Cards) -> tuple[int, int]:
    """The width of a unit, and how many steps it has."""
    width = width_of(order, suit, unit)
    return width, len(unit) // width


def _shown(turn: Turn, seat: int, later: tuple[Act, ...]) -> Cards:
    """What a seat is known to have held at a lead, by its plays since."""
    held = turn.order.deck.none
    for act in reversed(later):
        if act.seat == seat and isinstance(act.what, Play):
            held = held + act.what.cards
            held = held if act.what.tried is None else held | act.what.tried
    return held


def _proved_safe(turn: Turn, suit: int, units: tuple[Cards, ...], play: Play) -> Iterator[Fact]:
    """Where a leader must know that a throw is safe: what could beat it and was not seen is his, or he buried it."""
    order, deck = turn.order, turn.order.deck
    voids = [turn.memory.voids[seat] for seat in rivals(turn)]
    if all(void >> suit & 1 for void in voids):
        return
    out = deck.all - turn.memory.seen
    his, forms = play.cards, [_form(order, suit, unit) for unit in units]
    for unit, (width, length) in zip(units, forms, strict=True):
        above = sum(order.steps[suit][top_of(order, suit, unit) + 1 :])
        if length == 1:  # of each kind so many that too few are left for such a tuple
            there = list(kinds_in(out.at_least(width) & above))
            his = his | deck.cards([kind for kind in there for _ in range(out.count(kind) - width + 1)])
    banker = turn.seat == turn.contract.declarer
    told = his.only((his - play.cards).kinds)
    yield from _holds(turn.seat, turn.number, THROW_STOPPED, told, or_buried=banker)
    doubtful = (could_beat(order, suit, unit, out - his, voids) for unit in units)
    runs = tuple(unit for unit, (_, length), doubt in zip(units, forms, doubtful, strict=True) if length > 1 and doubt)
    kinds = deck.of(order.follow[suit])
    if runs and isinstance(order, WideOrder):  # each is broken at one step or at another
        safe = SafeWide(order, suit, runs, out)
        yield Permits(turn.seat, turn.number, THROW_STOPPED, kinds, safe, or_buried=banker)
    elif runs:
        yield Allows(turn.seat, turn.number, THROW_STOPPED, kinds, 1, Safe(order, suit, runs, out), or_buried=banker)


@dataclass(frozen=True)
class SafeWide:
    """Does who holds these cards know that nobody can beat some runs? `out` is what the others had not seen either."""

    order: Order
    suit: int
    runs: tuple[Cards, ...]
    out: Cards

    def __call__(self, held: Cards) -> bool:
        rest = self.out - (self.out & held)
        return not any(could_beat(self.order, self.suit, run, rest, (0,)) for run in self.runs)


@dataclass(frozen=True)
class Safe:
    """Does who holds these kinds know that nobody can beat some runs? `out` is what the others had not seen either."""

    order: Order
    suit: int
    runs: tuple[Cards, ...]
    out: Cards

    def __call__(self, held: int) -> bool:
        rest = self.out - self.out.deck.of(held & self.out.kinds)
        return not any(could_beat(self.order, self.suit, run, rest, (0,)) for run in self.runs)
