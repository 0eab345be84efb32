"""What is to be dealt, and under which conditions: hidden kinds, hands that get them, caps and watches.

A *kind* is a card of the deck with so many hidden copies; its *place* is its number in the order in which kinds are
dealt out. Caps say how many copies of a kind a hand may and must get. What caps cannot say (at most two pairs, no
tractor) is watched: a `Watch` reads the kinds of one hand as they are dealt, in order, like a finger on a list.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from renege.cards import Card
from renege.facts import Fact

DEAD = 255
"""In the table of a watch: this must not happen."""
MOST_HANDS = 5
MOST_KINDS = 64
MOST_COPIES = 4
MOST_CARDS = 127
"""In a hand."""

Moves = tuple[tuple[int, ...], ...]
"""[state][copies given to the hand] -> state, or `DEAD`."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A condition on one hand, read kind by kind as they are dealt: a small automaton that begins in state 0."""

    hand: int
    first: int
    """The place where it begins to read."""
    moves: tuple[Moves, ...]
    """For each place that it reads."""
    accepts: tuple[bool, ...]
    """By the state after the last place."""
    facts: tuple[Fact, ...] = ()
    """What it stands for."""


@dataclass(frozen=True, slots=True)
class Group:
    """Copies of one kind that some hands get together."""

    place: int
    hands: int
    """A mask: bit h for hand h."""
    least: int
    most: int
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Hidden cards and the hands they are divided among. `ValueError` says what cannot be meant; a problem without
    any deal is none of that.
    """

    kinds: tuple[Card, ...]
    """In the order in which they are dealt."""
    copies: tuple[int, ...]
    """By place. A kind may have none: then a watch only passes it, with what its hand is known to have of it."""
    sizes: tuple[int, ...]
    """By hand; their sum is the sum of the copies."""
    most: tuple[tuple[int, ...], ...]
    """[place][hand] at most so many copies."""
    least: tuple[tuple[int, ...], ...]
    """[place][hand] at least so many: cards known to be there."""
    groups: tuple[Group, ...] = ()
    watches: tuple[Watch, ...] = ()

    def __post_init__(self) -> None:
        if fault := next(faults(self), None):
            raise ValueError(fault)


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
    for number, watch in enumerate(problem.watches):
        yield from (f"watches: number {number} {fault}" for fault in watch_faults(watch, problem.copies, hands))


def watch_faults(watch: Watch, copies: Sequence[int], hands: int) -> Iterator[str]:
    if not (0 <= watch.hand < hands and 0 <= watch.first <= watch.first + len(watch.moves) <= len(copies)):
        yield "names a place or a hand that is not there"
        return
    heights = [*map(len, watch.moves), len(watch.accepts)]
    if not 1 <= min(heights) <= max(heights) <= DEAD:
        yield f"has a place with {min(heights)} to {max(heights)} states, not 1..{DEAD}"
    for place, (table, after) in enumerate(zip(watch.moves, heights[1:], strict=True), watch.first):
        for state, row in enumerate(table):
            if len(row) != copies[place] + 1:
                yield f"has {len(row)} moves at place {place} in state {state}, not {copies[place] + 1}"
            if any(not 0 <= to < after and to != DEAD for to in row):
                yield f"moves at place {place} from state {state} to {row}, and there are {after} states"


# --- watches ------------------------------------------------------------------------------------------------


def tables(copies: Sequence[int], states: int, move: Callable[[int, int, int], int]) -> tuple[Moves, ...]:
    """The moves of a watch, `move(k, state, given)` for the k-th kind it reads."""
    return tuple(
        tuple(tuple(move(k, state, given) for given in range(n + 1)) for state in range(states))
        for k, n in enumerate(copies)
    )


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
) -> Watch:
    """At most so many pairs among these kinds. A pair is two copies, those that are `known` to be in the hand besides
    the hidden ones included.
    """
    same_lengths(known, counted, copies)
    if most < 0:
        return never(hand, first, facts)
    most = min(most, len(copies))

    def move(k: int, state: int, given: int) -> int:
        now = state + (counted[k] and known[k] + given >= 2)
        return now if now <= most else DEAD

    return smallest(Watch(hand, first, tables(copies, most + 1, move), (True,) * (most + 1), facts))


def run_watch(
    hand: int,
    first: int,
    known: Sequence[int],
    step_of: Sequence[int],
    copies: Sequence[int],
    length: int,
    above: int,
    forbidden: bool,
    facts: tuple[Fact, ...] = (),
    *,
    each: int = 2,
) -> Watch:
    """A run of pairs on so many consecutive steps, its top step higher than `above`: forbidden, or required.

    Steps never fall from place to place; several kinds may share one, and a kind whose step is negative is passed
    over. With `each=1` a step needs a single card and not a pair, so that `length=1` is any card above a step.
    """
    same_lengths(known, step_of, copies)
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
        here = here or known[k] + given >= each
        if here and run == length - 1 and step_of[k] > above:
            return DEAD if forbidden else found
        return run + length * here

    accepts = tuple(forbidden or state == found for state in range(found + 1))
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
        number = {state: states.get(row, DEAD) for state, row in rows.items()}
        moves.insert(0, tuple(states))
    if number[0] == DEAD:
        return never(watch.hand, watch.first, watch.facts)
    first = watch.first
    while moves and moves[-1] == ((0,) * len(moves[-1][0]),):
        moves.pop()
    while len(moves) > 1 and len(set(moves[0][0])) == 1 and moves[0][0][0] != DEAD:
        first += 1
        moves[:2] = [(moves[1][moves[0][0][0]],)]
    return Watch(watch.hand, first, tuple(moves), (True,), watch.facts)


def never(hand: int, first: int, facts: tuple[Fact, ...]) -> Watch:
    """What no hand satisfies."""
    return Watch(hand, first, (), (False,), facts)
