"""The counting problem: hidden kinds of cards, the hands that get them, and constraints (caps, groups, watches, picks).

A *kind* is a card of the deck with so many hidden copies; its *place* is its number in the order in which kinds are
dealt out. Caps say how many copies of a kind a hand may and must get. What caps cannot say (at most two pairs, no
tractor) is watched: a `Watch` reads the kinds of a hand as they are dealt, in order, as a finite automaton. A deal
may count more than once: a `Pick` counts it for each card that could have been picked, a `Group` by its weights.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from typing import TypeVar

from renege.core.cards import Card
from renege.core.facts import Fact

DEAD = 255  # in the table of a watch: this must not happen
MOST_HANDS = 10
MOST_KINDS = 64
MOST_COPIES = 6
MOST_CARDS = 127  # in a hand
MOST_WEIGHT = 1 << 16
MOST_WIDTH = 256  # of a row in the table of a watch

Moves = tuple[tuple[int, ...], ...]
"""[state][copies given to the hand] -> state, or `DEAD`; where several hands are read, [state][`digits` of what they
get]."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A condition on one hand, read kind by kind as they are dealt: a small automaton that begins in state 0."""

    hand: int
    first: int  # the place where it begins to read
    moves: tuple[Moves, ...]  # for each place that it reads
    accepts: tuple[bool, ...]  # by the state after the last place
    facts: tuple[Fact, ...] = ()  # what it stands for
    others: tuple[int, ...] = ()  # hands that it reads besides, each a higher number than the one before

    @property
    def hands(self) -> tuple[int, ...]:
        return (self.hand, *self.others)


@dataclass(frozen=True, slots=True)
class Group:
    """Copies of one kind that some hands get together."""

    place: int
    hands: int  # a mask: bit h for hand h
    least: int
    most: int
    facts: tuple[Fact, ...] = ()
    weights: tuple[int, ...] = ()
    """By the copies that they get together: how often a deal counts. Once, where nothing is said."""
    others: tuple[int, ...] = ()
    """Up to two more masks, which the weights go by too: `own + (copies + 1) * (first + (copies + 1) * second)`. Pools
    alone hold these."""


@dataclass(frozen=True, slots=True)
class Back:
    """For a card that was picked any other, or the same one, came back to this hand, which has one at most of those
    among which it was picked. If it has one, that came back, and so it may be the one that was picked. If it has none,
    any of its cards came back: a deal counts for each.
    """

    hand: int
    size: int  # its cards, those that it has shown included
    shown: bool = False  # is it known to have had such a card, which is no kind of the problem?


@dataclass(frozen=True, slots=True)
class Pick:
    """Out of what a hand has, one card is picked: a deal counts once for each that it can be."""

    hand: int
    places: tuple[int, ...]  # those among which it is picked; each has one copy
    known: tuple[Card, ...] = ()
    """Cards that the hand is known to have had, no kinds of the problem: it may be one of these as well."""
    back: Back | None = None  # what came back for it, where that makes deals count more than once


@dataclass(frozen=True, slots=True)
class Problem:
    """Hidden cards and the hands they are divided among. `ValueError` says what cannot be meant; a problem without
    any deal is none of that.
    """

    kinds: tuple[Card, ...]  # in the order in which they are dealt
    copies: tuple[int, ...]
    """By place. A kind may have none: then a watch only passes it, with what its hand is known to have of it."""
    sizes: tuple[int, ...]  # by hand; their sum is the sum of the copies
    most: tuple[tuple[int, ...], ...]  # [place][hand] at most so many copies
    least: tuple[tuple[int, ...], ...]  # [place][hand] at least so many: cards known to be there
    groups: tuple[Group, ...] = ()
    watches: tuple[Watch, ...] = ()
    picks: tuple[Pick, ...] = ()

    def __post_init__(self) -> None:
        if fault := next(faults(self), None):
            raise ValueError(fault)


def group_width(group: Group, copies: Sequence[int]) -> int:
    """How many weights a group may have."""
    return (copies[group.place] + 1) ** (1 + len(group.others))


def weight_of(group: Group, given: Sequence[int]) -> int:
    """How often a deal counts where the hands get so many copies of the group's kind; 0 if that must not be."""
    own, *others = (
        sum(n for hand, n in enumerate(given) if hands >> hand & 1) for hands in (group.hands, *group.others)
    )
    if not group.least <= own <= group.most:
        return 0
    return group.weights[digits((*reversed(others), own), sum(given))] if group.weights else 1


def faults(problem: Problem) -> Iterator[str]:
    """What is wrong with a description."""
    places, hands = len(problem.kinds), len(problem.sizes)
    if not 2 <= hands <= MOST_HANDS:
        yield f"2 to {MOST_HANDS} hands, not {hands}"
    if places > MOST_KINDS or any(not 0 <= kind < MOST_KINDS for kind in problem.kinds):
        yield f"kinds: at most {MOST_KINDS}, each 0..{MOST_KINDS - 1}"
    if len(set(problem.kinds)) < places:
        yield "kinds: one is named twice"
    for name in ("copies", "most", "least"):
        if len(getattr(problem, name)) != places:
            yield f"{name}: {len(getattr(problem, name))} places, kinds have {places}"
    for place, copies in enumerate(problem.copies):
        if not 0 <= copies <= MOST_COPIES:
            yield f"copies: place {place} has {copies}, not 0..{MOST_COPIES}"
    for hand, size in enumerate(problem.sizes):
        if not 0 <= size <= MOST_CARDS:
            yield f"sizes: hand {hand} gets {size} cards, not 0..{MOST_CARDS}"
    if sum(problem.sizes) != sum(problem.copies):
        yield f"sizes: the hands get {sum(problem.sizes)} cards, but {sum(problem.copies)} are hidden"
    for name in ("most", "least"):
        for place, row in enumerate(getattr(problem, name)):
            if len(row) != hands:
                yield f"{name}: place {place} has {len(row)} hands, sizes have {hands}"
            if row and not 0 <= min(row) <= max(row) <= problem.copies[place]:
                yield f"{name}: place {place} has {row}, not 0..{problem.copies[place]}"
    for number, group in enumerate(problem.groups):
        if not (0 <= group.place < places and 0 <= group.hands < 1 << hands):
            yield f"groups: number {number} names a place or a hand that is not there"
        elif not (0 <= group.least <= MOST_CARDS and 0 <= group.most <= MOST_CARDS):
            yield f"groups: number {number} wants {group.least} to {group.most} copies, not 0..{MOST_CARDS}"
        elif len(group.others) > 2 or any(not 0 <= others < 1 << hands for others in group.others):
            yield f"groups: number {number} has other hands that are not there, or more than two sets of them"
        elif group.weights and len(group.weights) != (wanted := group_width(group, problem.copies)):
            yield f"groups: number {number} has {len(group.weights)} weights, not {wanted}"
        elif any(not 0 <= weight <= MOST_WEIGHT for weight in group.weights):
            yield f"groups: number {number} has weights {group.weights}, not 0..{MOST_WEIGHT}"
    for number, watch in enumerate(problem.watches):
        yield from (f"watches: number {number} {fault}" for fault in watch_faults(watch, problem.copies, hands))
    if problem.picks and hands + len(problem.picks) > MOST_HANDS:
        yield f"picks: at most {MOST_HANDS - hands} beside {hands} hands, not {len(problem.picks)}"
    for number, pick in enumerate(problem.picks):
        if not (0 <= pick.hand < hands and all(0 <= place < places for place in pick.places)):
            yield f"picks: number {number} names a place or a hand that is not there"
        elif any(problem.copies[place] != 1 for place in pick.places):
            yield f"picks: number {number} is of kinds with several copies"
        elif set(pick.known) & set(problem.kinds):
            yield f"picks: number {number} knows kinds that are hidden"
        elif pick.back and (pick.back.hand == pick.hand or not 0 <= pick.back.hand < hands or pick.back.size < 1):
            yield f"picks: number {number} came back to no other hand, or to an empty one"
    more = (len(pick.known) + (1 + pick.back.size if pick.back else 0) for pick in problem.picks)  # for `with_picks`
    if places + sum(more) > MOST_KINDS:
        yield f"picks: they need more than {MOST_KINDS} kinds"


def watch_faults(watch: Watch, copies: Sequence[int], hands: int) -> Iterator[str]:
    rising = all(a < b for a, b in pairwise((-1, *watch.hands, hands)))
    if not (rising and 0 <= watch.first <= watch.first + len(watch.moves) <= len(copies)):
        yield "names a place or a hand that is not there"
        return
    heights = [*map(len, watch.moves), len(watch.accepts)]
    if not 1 <= min(heights) <= max(heights) <= DEAD:
        yield f"has a place with {min(heights)} to {max(heights)} states, not 1..{DEAD}"
    for place, (table, after) in enumerate(zip(watch.moves, heights[1:], strict=True), watch.first):
        width = (copies[place] + 1) ** len(watch.hands)
        for state, row in enumerate(table):
            if len(row) != width or width > MOST_WIDTH:
                yield f"has {len(row)} moves at place {place} in state {state}, not {min(width, MOST_WIDTH)}"
            if any(not 0 <= to < after and to != DEAD for to in row):
                yield f"moves at place {place} from state {state} to {row}, and there are {after} states"


# --- watches ------------------------------------------------------------------------------------------------


def tables(copies: Sequence[int], states: int, move: Callable[[int, int, int], int]) -> tuple[Moves, ...]:
    """The moves of a watch, `move(k, state, given)` for the k-th kind it reads."""
    return tuple(
        tuple(tuple(move(k, state, given) for given in range(n + 1)) for state in range(states))
        for k, n in enumerate(copies)
    )


def digits(given: Sequence[int], copies: int) -> int:
    """What a watch reads where its hands get so many copies of a kind: one number for them all."""
    number = 0
    for one in given:
        number = number * (copies + 1) + one
    return number


State = TypeVar("State", bound=Hashable)


def watch_by(
    hands: Sequence[int],
    first: int,
    copies: Sequence[int],
    start: State,
    move: Callable[[int, State, tuple[int, ...]], State | None],
    accepts: Callable[[State], bool],
    facts: tuple[Fact, ...] = (),
) -> Watch | None:
    """A watch over some hands by its rule: `move(k, state, given)` for the k-th kind it reads and what each hand gets,
    None if that must not be. States are what the rule likes; None if more of them are needed than a watch has, or more
    hands are read than a row of its table has room for.
    """
    if (max(copies, default=0) + 1) ** len(hands) > MOST_WIDTH:
        return None
    moves: list[Moves] = []
    layer = {start: 0}
    for k, n in enumerate(copies):
        after: dict[State, int] = {}
        rows: dict[int, tuple[int, ...]] = {}
        for state, number in layer.items():
            row: list[int] = []
            for given in product(range(n + 1), repeat=len(hands)):
                if sum(given) > n:
                    row.append(row[0])  # which cannot be, and so is no reason to tell states apart
                    continue
                to = move(k, state, given)
                row.append(DEAD if to is None else after.setdefault(to, len(after) + (len(after) >= DEAD)))
            rows[number] = tuple(row)
        if not after:
            return replace(never(hands[0], first, facts), others=tuple(hands[1:]))
        moves.append(tuple(rows.get(number, ()) for number in range(max(rows) + 1)))
        layer = after
    last = {number: accepts(state) for state, number in layer.items()}
    accepted = tuple(last.get(number, False) for number in range(max(last, default=0) + 1))
    try:
        return smallest(Watch(hands[0], first, tuple(moves), accepted, facts, tuple(hands[1:])))
    except OverflowError:
        return None


def any_watch(watches: Sequence[Watch], copies: Sequence[int]) -> Watch | None:
    """At least one of these holds, each of another hand; `copies` are those of all places."""
    ends = [watch.first + len(watch.moves) for watch in watches]
    first, last = min(watch.first for watch in watches), max(ends)

    def move(k: int, states: tuple[int, ...], given: tuple[int, ...]) -> tuple[int, ...]:
        after = list(states)
        for i, watch in enumerate(watches):
            if states[i] != DEAD and watch.first <= first + k < ends[i]:
                after[i] = watch.moves[first + k - watch.first][states[i]][given[i]]
        return tuple(after)

    def accepts(states: tuple[int, ...]) -> bool:
        rows = zip(watches, states, strict=True)
        return any(state != DEAD and watch.accepts[state] for watch, state in rows)

    facts = tuple(dict.fromkeys(fact for watch in watches for fact in watch.facts))
    hands = [watch.hand for watch in watches]
    return watch_by(hands, first, copies[first:last], (0,) * len(watches), move, accepts, facts)


@lru_cache(maxsize=4096)
def ways_watch(
    first: int, copies: tuple[int, ...], ways: tuple[tuple[tuple[int, ...], tuple[int, ...], int], ...]
) -> Watch | None:
    """One of these ways is so of hand 0: places of which it has nothing, and so many cards at others."""

    def move(k: int, left: tuple[int, ...], given: tuple[int, ...]) -> tuple[int, ...] | None:
        place, (n,) = first + k, given
        if not n:
            return left
        after = tuple(
            missing if missing < 0 else -1 if place in lacks else max(0, missing - n * (place in holds))
            for missing, (lacks, holds, _) in zip(left, ways, strict=True)
        )
        return after if max(after) >= 0 else None

    return watch_by((0,), first, copies, tuple(missing for *_, missing in ways), move, lambda left: 0 in left)


def has_steps(held: Sequence[int], length: int, above: int) -> bool:
    """Are there so many consecutive steps whose top is above this one?"""
    run = 0
    for step, here in enumerate(held):
        run = run + 1 if here else 0
        if run >= length and step > above:
            return True
    return False


def same_lengths(*columns: Sequence[object]) -> None:
    if len({len(column) for column in columns}) > 1:
        raise ValueError(f"a watch needs one entry for each place it reads, not {[len(c) for c in columns]}")


def count_watch(
    hand: int,
    first: int,
    counted: Sequence[bool],
    copies: Sequence[int],
    least: int = 0,
    most: int | None = None,
    facts: tuple[Fact, ...] = (),
) -> Watch:
    """At least and at most so many cards of these kinds. `counted` and `copies` are by place, from `first` on."""
    same_lengths(counted, copies)
    least = max(least, 0)
    if (most is not None and most < least) or least >= DEAD:
        return never(hand, first, facts)
    top = least if most is None else most  # beyond it nothing more is asked, or nothing is allowed
    if top >= DEAD - 1:
        most, top = None, least  # no hand has so many

    def move(k: int, state: int, given: int) -> int:
        now = state + given * counted[k]
        return now if now <= top else top if most is None else DEAD

    accepts = tuple(state >= least for state in range(top + 1))
    return smallest(Watch(hand, first, tables(copies, top + 1, move), accepts, facts))


def pair_watch(
    hand: int,
    first: int,
    known: Sequence[int],
    counted: Sequence[bool],
    copies: Sequence[int],
    most: int,
    facts: tuple[Fact, ...] = (),
    width: int = 2,
) -> Watch:
    """At most so many pairs among these kinds. A pair is two copies or more, those that are `known` to be in the hand
    besides the hidden ones included; with another `width` it is so many copies or more, a triple or a quadruple.
    """
    same_lengths(known, counted, copies)
    if most < 0:
        return never(hand, first, facts)
    most = min(most, len(copies))

    def move(k: int, state: int, given: int) -> int:
        now = state + (counted[k] and known[k] + given >= width)
        return now if now <= most else DEAD

    return smallest(Watch(hand, first, tables(copies, most + 1, move), (True,) * (most + 1), facts))


@dataclass(frozen=True, slots=True)
class Run:
    """A run of pairs on so many consecutive steps, its top step higher than `above`: forbidden, or required.

    A step needs `each` copies of a kind: with `each=1` a single card, so that `length=1` is any card above a step.
    """

    length: int
    above: int
    forbidden: bool
    each: int = 2


def run_watch(
    hand: int,
    first: int,
    known: Sequence[int],
    step_of: Sequence[int],
    copies: Sequence[int],
    wanted: Run,
    facts: tuple[Fact, ...] = (),
) -> Watch:
    """A watch for a run: by place what the hand is known to hold, the step of the kind, and its hidden copies.

    Steps never fall from place to place; several kinds may share one, and a kind whose step is negative is passed over.
    """
    same_lengths(known, step_of, copies)
    length = wanted.length
    if length < 1:
        raise ValueError(f"a run has at least 1 step, not {length}")
    own = [k for k, step in enumerate(step_of) if step >= 0]
    if any(step_of[a] > step_of[b] for a, b in pairwise(own)):
        raise ValueError(f"the steps of a run must not fall: {list(step_of)}")
    if 2 * length + 1 > DEAD:
        raise ValueError(f"a run has at most {(DEAD - 1) // 2} steps, not {length}")
    before = {b: a for a, b in pairwise(own)}
    found = 2 * length  # states below: a run of so many steps up to the last step, and the same with one in this step

    def move(k: int, state: int, given: int) -> int:
        if k not in before and k != (own[0] if own else None):
            return state
        if state == found:
            return found
        run, here = state % length, state >= length
        last = step_of[before[k]] if k in before else step_of[k]
        if step_of[k] != last:
            run = min(run + 1, length - 1) if here and step_of[k] == last + 1 else 0
            here = False
        here = here or known[k] + given >= wanted.each
        if here and run == length - 1 and step_of[k] > wanted.above:
            return DEAD if wanted.forbidden else found
        return run + length * here

    accepts = tuple(wanted.forbidden or state == found for state in range(found + 1))
    return smallest(Watch(hand, first, tables(copies, found + 1, move), accepts, facts))


def smallest(watch: Watch) -> Watch:
    """The same watch with as few states as will do, for they multiply with those of other watches: what comes to the
    same later is one state, and places where nothing is decided are not read.
    """
    reached = [{0}]
    for table in watch.moves:
        reached.append({to for state in reached[-1] for to in table[state]} - {DEAD})
    number = {state: 0 if watch.accepts[state] else DEAD for state in reached.pop()}
    moves: list[Moves] = []
    for table in reversed(watch.moves):
        rows = {state: tuple(number.get(to, DEAD) for to in table[state]) for state in sorted(reached.pop())}
        states = {row: n for n, row in enumerate(dict.fromkeys(row for row in rows.values() if min(row) < DEAD))}
        if len(states) > DEAD:
            raise OverflowError(f"a watch needs {len(states)} states at a place, and {DEAD} can be told apart")
        number = {state: states.get(row, DEAD) for state, row in rows.items()}
        moves.insert(0, tuple(states))
    if number[0] == DEAD:
        return replace(never(watch.hand, watch.first, watch.facts), others=watch.others)
    first = watch.first
    while moves and moves[-1] == ((0,) * len(moves[-1][0]),):
        moves.pop()
    while len(moves) > 1 and len(set(moves[0][0])) == 1 and moves[0][0][0] != DEAD:
        first += 1
        moves[:2] = [(moves[1][moves[0][0][0]],)]
    return Watch(watch.hand, first, tuple(moves), (True,), watch.facts, watch.others)


def never(hand: int, first: int, facts: tuple[Fact, ...]) -> Watch:
    """What no hand satisfies."""
    return Watch(hand, first, (), (False,), facts)
