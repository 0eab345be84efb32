"""What a follower owes where units are of any width: by the graded duty, or by the first format that fits.

Graded: each led tractor, the greatest first, is answered by the best tractor of the hand that is no wider and no
longer; then every led tuple, and every tuple of a led tractor that is left unanswered, by the widest tuple that is no
wider. Of all ways to give this the lexicographically greatest is owed, and a follow that gives as much is legal. What
is protected owes nothing and may be given: so a play is measured by all its cards, and the hand by those that owe.

First format: of the led format and its chain of weaker ones the first that the hand can give is owed (`formats`).

Either way a follow is legal if it can be cut into one of a few lists of units, found once for a hand and a lead.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from renege.core.cards import Cards, kinds_in
from renege.core.game import Turn
from renege.core.message import say
from renege.core.order import Order
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.games.tractor.formats import Format, chain
from renege.games.tractor.rules import (
    FOLLOW_FORMAT,
    FOLLOW_LONGER_RUN,
    FOLLOW_RUN,
    FOLLOW_TUPLE,
    DutyFamily,
    FollowDuty,
    Rules,
    ShorterRuns,
)
from renege.games.tractor.tuples import (
    ANY,
    Columns,
    Form,
    Unit,
    WideShape,
    can_cut,
    columns,
    fits,
    rank,
    serve,
    unit_of,
)
from renege.games.tractor.units import led_form

NOTHING: Form = 0, 0


@dataclass(frozen=True, slots=True)
class Duty:
    """The house rules on which duties depend."""

    least: Form
    family: DutyFamily
    shorter_runs: ShorterRuns
    tuples_protected: bool = False
    tractors_protected: bool = False

    def free(self) -> "Duty":
        """The same with nothing protected: so what a play gives is measured."""
        return Duty(self.least, self.family, self.shorter_runs)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a pile can give: to each led tractor that was asked for one, and to each tuple, the widest first."""

    asked: tuple[Form, ...]
    runs: tuple[Form, ...]
    widths: tuple[int, ...]
    tuples: tuple[int, ...]

    @property
    def value(self) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        return tuple(map(rank, self.runs)), self.tuples

    def units(self, duty: Duty) -> tuple[Unit, ...]:
        """The units that are given, of kinds that owe them."""
        runs = zip(self.runs, (form[0] for form in self.asked), strict=True)
        tuples = zip(((width, 1) for width in self.tuples), self.widths, strict=True)
        return tuple(
            unit_of(form, width if duty.tuples_protected else ANY) for form, width in (*runs, *tuples) if form[0]
        )


@dataclass(frozen=True, slots=True)
class Owed:
    """The lists of units one of which a follow must give; where it is `strict`, by the first that it gives."""

    ways: tuple[tuple[Unit, ...], ...]
    strict: bool = False

    def allows(self, order: Order, suit: int, held: Cards, play: Cards) -> bool:
        """Does a play of the suit give what is owed?"""
        pile = columns(order, suit, play)
        given = next((units for units in self.ways if fits(pile, units)), None)
        if given is None or not self.strict:
            return given is not None
        return not dodges(given, copies_of(play), copies_of(held - play))


def duty_of(rules: Rules) -> Duty:
    follow = rules.follow_duty
    return Duty(
        rules.least,
        rules.duty_family,
        rules.shorter_runs,
        follow in (FollowDuty.TUPLES_PROTECTED, FollowDuty.BOTH_PROTECTED),
        follow in (FollowDuty.TRACTORS_PROTECTED, FollowDuty.BOTH_PROTECTED),
    )


def owed_by(rules: Rules, order: Order, suit: int, held: Cards, led: WideShape) -> Owed:
    """What a hand owes that has more cards of the suit than were led."""
    if rules.follow_duty is FollowDuty.SUIT_ONLY or not led.units:
        return Owed(((),))
    return _owed(columns(order, suit, held), led.forms, duty_of(rules), _lone_cards(held))


def _lone_cards(held: Cards) -> int:
    """How many kinds come just once."""
    return (held.kinds & ~held.at_least(2)).bit_count()


@lru_cache(maxsize=1 << 12)
def _owed(pile: Columns, led: tuple[Form, ...], duty: Duty, singles: int) -> Owed:
    if duty.family is DutyFamily.FIRST_FORMAT:
        return _first_format(pile, led, duty, singles)
    best = answer(pile, led, duty)
    ways = [best.units(duty.free())]
    if duty.tuples_protected or duty.tractors_protected:
        ways += [way for way in _better(best, duty) if can_cut(pile, way)]
    return Owed(tuple(tuple(sorted(way)) for way in ways))


# -- graded


def answer(pile: Columns, led: tuple[Form, ...], duty: Duty) -> Answer:
    """The best that a pile can give to led units."""
    stretches = [form for form in led if form[1] > 1]
    widths = [width for width, length in led if length == 1 < width]
    asked: list[Form] = []
    runs: list[Form] = []
    given: list[Unit] = []
    while stretch := max(filter(lambda form: _long_enough(form, duty), stretches), key=rank, default=None):
        stretches.remove(stretch)
        width, length = stretch
        most = width if duty.tuples_protected else ANY
        run = next((form for form in _answers(stretch, duty) if can_cut(pile, [*given, unit_of(form, most)])), NOTHING)
        asked.append(stretch)
        runs.append(run)
        if run is not NOTHING:
            given.append(unit_of(run, most))
        if run is not NOTHING and duty.shorter_runs is ShorterRuns.ALL_OWED and length > run[1]:
            stretches.append((width, length - run[1]))
        else:
            widths += [width] * (length - run[1])
    widths += [width for width, length in stretches for _ in range(length)]
    widths.sort(reverse=True)
    return Answer(tuple(asked), tuple(runs), tuple(widths), _tuples(pile, widths, given, duty))


def _long_enough(form: Form, duty: Duty) -> bool:
    return form[0] >= duty.least[0] and form[1] >= duty.least[1]


def _answers(asked: Form, duty: Duty) -> Iterator[Form]:
    """The tractors that answer a led one, the best first."""
    if duty.shorter_runs is ShorterRuns.NOT_OWED:
        yield asked
        return
    width, length = asked
    forms = list(product(range(duty.least[0], width + 1), range(duty.least[1], length + 1)))
    yield from sorted(forms, key=rank, reverse=True)


def _tuples(pile: Columns, widths: list[int], given: list[Unit], duty: Duty) -> tuple[int, ...]:
    """What is given to tuples once the best tractors are: of kinds in no tractor, where those are protected."""
    if duty.tractors_protected:
        pile, given = outside_tractors(pile, duty.least), []
    found: list[int] = []
    taken = list(given)
    for width in widths:
        most = width if duty.tuples_protected else ANY
        best = next((w for w in range(width, 1, -1) if can_cut(pile, [*taken, unit_of((w, 1), most)])), 0)
        found.append(best)
        if best:
            taken.append(unit_of((best, 1), most))
    return tuple(found)


def outside_tractors(pile: Columns, least: Form) -> Columns:
    """The kinds that no tractor of a pile could have in it."""
    wide = [bool(column) and column[0] >= least[0] for column in pile]
    found: list[tuple[int, ...]] = []
    for i, column in enumerate(pile):
        low, high = i, i
        while wide[i] and low and wide[low - 1]:
            low -= 1
        while wide[i] and high + 1 < len(pile) and wide[high + 1]:
            high += 1
        inside = wide[i] and high - low + 1 >= max(least[1], 2)
        found.append(tuple(copies for copies in column if copies < least[0]) if inside else column)
    return tuple(found)


def _better(best: Answer, duty: Duty) -> Iterator[tuple[Unit, ...]]:
    """The lists of units that are more than is owed, by the first in which they are."""
    units: list[Unit] = []
    for stretch, run in zip(best.asked, best.runs, strict=True):
        yield from ((*units, unit_of(form)) for form in _answers(stretch, duty) if rank(form) > rank(run))
        units += [unit_of(run)] if run[0] else []
    for width, given in zip(best.widths, best.tuples, strict=True):
        yield from ((*units, unit_of((more, 1))) for more in range(max(given + 1, 2), width + 1))
        units += [unit_of((given, 1))] if given else []


# -- the first format that fits


def _first_format(pile: Columns, led: tuple[Form, ...], duty: Duty, singles: int) -> Owed:
    """The formats that a play may match: the first that the hand can give and, with what is protected, any before."""
    cards = sum(width * length for width, length in led)
    ways: list[tuple[Unit, ...]] = []
    for wanted in chain(led, new_tractors=not duty.tractors_protected):
        units = _as_units(wanted)
        if not fits(pile, units):
            continue
        ways.append(units)
        if not duty.tuples_protected:
            break
        exact = tuple(sorted(tuple((width, width) for width in group) for group in wanted))
        if fits(pile, exact) and singles >= cards - sum(map(sum, wanted)):
            break  # a single that is asked for comes of a kind that comes once
    return Owed(tuple(dict.fromkeys(ways)), strict=duty.tuples_protected)


def _as_units(wanted: Format) -> tuple[Unit, ...]:
    return tuple(sorted(tuple((width, ANY) for width in group) for group in wanted))


def copies_of(pile: Cards) -> Counter[int]:
    """How many kinds of a pile come how often."""
    return Counter(pile.count(card) for card in kinds_in(pile.kinds))


def dodges(given: tuple[Unit, ...], played: Counter[int], stays: Counter[int]) -> bool:
    """Is a wider tuple torn for one that is asked for, while just such a tuple stays in the hand?"""
    asked = Counter(unit[0][0] for unit in given if len(unit) == 1)
    return any(0 < count - played[width] <= stays[width] for width, count in asked.items())


# -- the verdict


def follow_wide(turn: Turn, play: Play) -> Objection | None:
    """Units are owed where the hand has more than enough of the suit to choose from."""
    lead = turn.trick.lead
    assert lead is not None
    if turn.led is None or turn.rules.follow_duty is FollowDuty.SUIT_ONLY or not lead.cards.at_least(2):
        return None
    held = turn.order.in_suit(turn.hand, turn.led)
    if len(held) <= len(play.cards):
        return None  # all of it goes, whatever its shape
    led = wide_shape(turn.order, lead)
    owed = owed_by(turn.rules, turn.order, turn.led, held, led)
    if owed.allows(turn.order, turn.led, held, play.cards):
        return None
    if turn.rules.duty_family is DutyFamily.FIRST_FORMAT:
        return _other_format(turn, turn.led, held, play, owed)
    return _less(turn, turn.led, held, play, led)


def wide_shape(order: Order, lead: Play) -> WideShape:
    """The shape that a lead asks for: as its leader grouped it, else the greatest."""
    shape = led_form(order, lead)
    assert isinstance(shape, WideShape)
    return shape


def _renege(rule: Rule, why: str, *fills: object) -> Objection:
    return Objection(rule, say(why, *fills), Ruling.RENEGE)


def _less(turn: Turn, suit: int, held: Cards, play: Play, led: WideShape) -> Objection:
    """What the first unit is that was owed and did not come."""
    duty, noun = duty_of(turn.rules), turn.order.nouns[suit]
    owed = answer(columns(turn.order, suit, held), led.forms, duty)
    given = answer(columns(turn.order, suit, play.cards), led.forms, duty.free())
    for ours, due in zip(given.runs, owed.runs, strict=False):
        if ours == due:
            continue
        cards = _held_for(turn.order, suit, held, owed, due, duty)
        if ours[0]:
            why = "a tractor of {n} cards is given, and the hand holds {cards}"
            return _renege(FOLLOW_LONGER_RUN, why, ours[0] * ours[1], cards)
        return _renege(FOLLOW_RUN, "a tractor of {suit} was led and the hand holds {cards}", noun, cards)
    at = next(i for i, due in enumerate(owed.tuples) if given.tuples[i] < due)
    cards = _held_for(turn.order, suit, held, owed, (owed.tuples[at], 1), duty)
    if given.tuples[at]:
        why = "{n} equal cards of {suit} were led, {n2} alike are given, and the hand holds {cards}"
        return _renege(FOLLOW_TUPLE, why, owed.widths[at], noun, given.tuples[at], cards)
    why = "{n} equal cards of {suit} were led, none alike are given, and the hand holds {cards}"
    return _renege(FOLLOW_TUPLE, why, owed.widths[at], noun, cards)


def _held_for(order: Order, suit: int, held: Cards, owed: Answer, due: Form, duty: Duty) -> Cards:
    """Cards of the hand that would serve a unit that is owed."""
    units = owed.units(duty)
    if duty.tractors_protected and due[1] == 1:
        held, units = held.only(_lone_kinds(order, suit, held, duty.least)), tuple(u for u in units if len(u) == 1)
    served = serve(order, suit, held, units)
    assert served is not None
    return next(unit for unit in served if len(unit) == due[0] * due[1] and unit.at_least(due[0]))


def _lone_kinds(order: Order, suit: int, held: Cards, least: Form) -> int:
    outside = outside_tractors(columns(order, suit, held), least)
    return sum(
        1 << card
        for step, there in zip(order.steps[suit], outside, strict=True)
        for card in kinds_in(held.at_least(2) & step)
        if held.count(card) in there
    )


def _other_format(turn: Turn, suit: int, held: Cards, play: Play, owed: Owed) -> Objection:
    units = owed.ways[-1]
    served = serve(turn.order, suit, held, tuple(sorted(units, key=_size, reverse=True)))
    cards = " + ".join(map(str, served or ()))
    if not cards or any(fits(columns(turn.order, suit, play.cards), way) for way in owed.ways):
        why = "{cards} tears up more equal cards than were led, while as many as were led stay in hand"
        return _renege(FOLLOW_FORMAT, why, play.cards)
    why = "the first format of {suit} that the hand can give is {cards}, and {cards2} cannot be cut so"
    return _renege(FOLLOW_FORMAT, why, turn.order.nouns[suit], cards, play.cards)


def _size(unit: Unit) -> tuple[int, int]:
    return sum(width for width, _ in unit), len(unit)
