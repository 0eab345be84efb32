"""Conflicts: why a problem has no deal. `violator` names the hands that cannot be filled and the cards they can take.

The smallest set of hands is sought. Where no set of hands shows it, the facts that clash are named, as few as will do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import product

from renege.belief.problem import DEAD, Group, Problem, Watch, digits
from renege.belief.worlds import TooManyStates, Worlds
from renege.core.cards import Card
from renege.core.facts import Fact
from renege.core.message import say

Name = Callable[[Card], str]


class Clash(Enum):
    """What is wrong with a problem that has no deal."""

    SHORT = "short"  # the hands can take fewer cards than they need
    FULL = "full"  # the hands must hold more cards than they have room for
    KNOWN = "known"  # a card is known to lie in more places than it can
    FACTS = "facts"  # no set of hands shows it: only all these facts together do


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why there is no deal.

    SHORT: the sizes of `hands` sum to `need`, and `cards` is the largest pile, of `have`, that they can take together.
    FULL: they must take `cards`, `need` of them, and their sizes sum to `have`. KNOWN: `need` copies in `cards` are
    known to lie in them and there is room for `have`. FACTS: the hands need `need` cards, and as some clash of the
    facts leaves one of them unfilled they get at most `have`, one less; `cards` are those that are known or barred in
    the clash. No fact or card of such a clash can be left out.
    """

    clash: Clash
    hands: tuple[int, ...]
    cards: tuple[Card, ...]
    need: int
    have: int
    facts: tuple[Fact, ...] = ()

    def tell(self, name: Name = str) -> str:
        who, cards = name_hands(self.hands), " ".join(map(name, self.cards)) or "none"
        one = len(self.hands) == 1
        match self.clash:
            case Clash.SHORT:
                needs = "{hands} needs {n} cards and can take only {n2}: {cards}"
                need = "{hands} need {n} cards and can take only {n2}: {cards}"
                return say(needs if one else need, who, self.need, self.have, cards)
            case Clash.FULL:
                has = "{hands} must take {n} cards, say {cards}, and has room for {n2}"
                have = "{hands} must take {n} cards, say {cards}, and have room for {n2}"
                return say(has if one else have, who, self.need, cards, self.have)
            case Clash.KNOWN:
                it = "{hands} must hold {cards} and can get only {n} of it"
                them = "{hands} must hold {cards} and can get only {n} of them"
                return say(it if self.need == 1 else them, who, cards, self.have)
            case Clash.FACTS:
                clash = "{hands} cannot be filled, though no set of hands is short: what is known clashes"
                over = "{hands} cannot be filled, though no set of hands is short: what is known clashes over {cards}"
                return say(over, who, cards) if self.cards else say(clash, who)

    __str__ = tell


def violator(problem: Problem) -> Conflict | None:
    """Why a problem has no deal, with as few hands as show it; None if it has one."""
    if conflict := known_clash(problem):
        return conflict
    if Worlds(problem).count():
        return None
    return _short_or_full(problem) or _impossible(problem)


def known_clash(problem: Problem) -> Conflict | None:
    """Cards that are known to lie where they cannot all lie."""
    if not any(map(any, problem.least)):
        return None
    for kind, copies, most, least in zip(problem.kinds, problem.copies, problem.most, problem.least, strict=True):
        for hand, known in enumerate(least):
            if known > most[hand]:
                return Conflict(Clash.KNOWN, (hand,), (kind,) * known, known, most[hand])
        if sum(least) > copies:
            holders = tuple(hand for hand, known in enumerate(least) if known)
            return Conflict(Clash.KNOWN, holders, (kind,) * sum(least), sum(least), copies)
    for hand, size in enumerate(problem.sizes):
        cards = tuple(
            kind for kind, least in zip(problem.kinds, problem.least, strict=True) for _ in range(least[hand])
        )
        if len(cards) > size:
            return Conflict(Clash.FULL, (hand,), cards, len(cards), size)
    return None


class _Share(Enum):
    """Which shares of a kind count when a set of hands takes its pile."""

    ALONE = "by what is known of these hands; what they leave may lie anywhere"
    LEFT = "less the cards that are known to lie elsewhere"
    WHOLE = "and all the rest must lie with the other hands"


def _short_or_full(problem: Problem) -> Conflict | None:
    """The smallest set of hands that can take fewer cards than it needs, if possible by what is known of it alone; or
    else that must take more than it has room for.
    """
    for share in _Share:
        for hands in sorted(range(1, 1 << len(problem.sizes)), key=int.bit_count):  # small sets first
            room, found = _room(problem, hands), _pile(problem, hands, share)
            if found is None:
                continue
            if share is not _Share.WHOLE and len(found) < room:
                facts = _facts_behind(problem, hands, share, len(found))
                return Conflict(Clash.SHORT, members(hands), found, room, len(found), facts)
            if share is _Share.WHOLE and len(found) > room:
                facts = _facts_behind(problem, hands, share, len(found))
                return Conflict(Clash.FULL, members(hands), found, len(found), room, facts)
    return None


def _facts_behind(problem: Problem, hands: int, share: _Share, size: int) -> tuple[Fact, ...]:
    """What the watches and groups stand for without which the pile would have another size."""
    behind: list[Watch | Group] = []
    for source in (*problem.watches, *problem.groups):
        less = replace(
            problem,
            watches=tuple(watch for watch in problem.watches if watch is not source),
            groups=tuple(group for group in problem.groups if group is not source),
        )
        pile = _pile(less, hands, share)
        if pile is not None and len(pile) == size:
            problem = less
        else:
            behind.append(source)
    return _facts(behind)


def _facts(sources: list[Watch | Group]) -> tuple[Fact, ...]:
    return tuple(dict.fromkeys(fact for source in sources for fact in source.facts))


def _shares(problem: Problem, place: int, hands: int, share: _Share) -> Iterator[tuple[int, ...]]:
    """[hand] copies of one kind."""
    copies, most, least = problem.copies[place], problem.most[place], problem.least[place]
    alone = share is _Share.ALONE
    ranges = [
        range(1) if alone and not hands >> hand & 1 else range(least[hand], min(most[hand], copies) + 1)
        for hand in range(len(most))
    ]
    groups = [g for g in problem.groups if g.place == place and not (alone and g.hands & ~hands)]
    for split in product(*ranges):
        dealt = sum(split)
        if (dealt == copies or (dealt < copies and share is not _Share.WHOLE)) and all(
            g.least <= sum(split[hand] for hand in members(g.hands)) <= g.most for g in groups
        ):
            yield split


def _pile(problem: Problem, hands: int, share: _Share) -> tuple[Card, ...] | None:
    """The most cards that these hands can take (the fewest of whole shares), sizes aside; None if no pile will do.

    The kinds are gone through once. For each joint state of the watches on these hands the best pile so far is kept.
    """
    fewest = share is _Share.WHOLE
    inside = members(hands)
    watches = [watch for watch in problem.watches if all(hands >> hand & 1 for hand in watch.hands)]
    if not all(watch.accepts[0] for watch in watches if not watch.moves):
        return None  # one that reads nothing has decided already
    best: dict[tuple[int, ...], int] = {(0,) * len(watches): 0}
    trail: list[dict[tuple[int, ...], tuple[int, tuple[int, ...]]]] = []
    for place in range(len(problem.kinds)):
        reading = [(i, w) for i, w in enumerate(watches) if w.first <= place < w.first + len(w.moves)]
        options: dict[tuple[int, ...], int] = {}  # what the watches read -> copies that the hands take
        for split in _shares(problem, place, hands, share):
            read = tuple(digits([split[hand] for hand in watch.hands], problem.copies[place]) for _, watch in reading)
            taken = sum(split[hand] for hand in inside)
            options[read] = (min if fewest else max)(options.get(read, taken), taken)
        after: dict[tuple[int, ...], int] = {}
        came: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
        for state, number in best.items():
            for read, taken in options.items():
                following = list(state)
                for (i, watch), copies in zip(reading, read, strict=True):
                    following[i] = watch.moves[place - watch.first][state[i]][copies]
                    if following[i] != DEAD and place + 1 == watch.first + len(watch.moves):
                        following[i] = 0 if watch.accepts[following[i]] else DEAD
                    if following[i] == DEAD:
                        break
                else:
                    key, total = tuple(following), number + taken
                    if key not in after or (total < after[key] if fewest else total > after[key]):
                        after[key], came[key] = total, (taken, state)
        best = after
        trail.append(came)
    if not best:
        return None
    state = (min if fewest else max)(best, key=best.__getitem__)
    cards: list[Card] = []
    for kind, came in zip(reversed(problem.kinds), reversed(trail), strict=True):
        taken, state = came[state]
        cards += [kind] * taken
    return tuple(reversed(cards))


@dataclass(frozen=True, slots=True)
class _Said:
    """One thing that a problem says: a cap, known copies, or the group or watch with this number."""

    what: str
    number: int
    hand: int = 0


def _impossible(problem: Problem) -> Conflict:
    """For a problem without a deal in which no set of hands is short or full: facts of which none can be left out."""
    parts = [
        *(_Said("watch", number) for number in range(len(problem.watches))),
        *(_Said("group", number) for number in range(len(problem.groups))),
    ]
    for place, copies in enumerate(problem.copies):
        parts += [_Said("most", place, hand) for hand, most in enumerate(problem.most[place]) if most < copies]
        parts += [_Said("least", place, hand) for hand, least in enumerate(problem.least[place]) if least]
    block = len(parts)
    while block:  # ever smaller blocks, for most of what is known has no part in it
        start = 0
        while start < len(parts):
            fewer = parts[:start] + parts[start + block :]
            if _may_have_deal(_only(problem, fewer)):
                start += block
            else:
                parts = fewer
        block //= 2
    caps = [part for part in parts if part.what in ("most", "least")]
    watches = [problem.watches[part.number] for part in parts if part.what == "watch"]
    groups = [problem.groups[part.number] for part in parts if part.what == "group"]
    hands = 0
    for hand in (*(cap.hand for cap in caps), *(hand for watch in watches for hand in watch.hands)):
        hands |= 1 << hand
    for group in groups:
        hands |= group.hands
    cards = tuple(problem.kinds[place] for place in sorted({cap.number for cap in caps}))
    need = _room(problem, hands)
    return Conflict(Clash.FACTS, members(hands), cards, need, need - 1, _facts([*watches, *groups]))


def _may_have_deal(problem: Problem) -> bool:
    try:
        return Worlds(problem).count() > 0
    except TooManyStates:  # then what was left out stays in: the clash is named, perhaps with a fact too many
        return True


def _only(problem: Problem, parts: list[_Said]) -> Problem:
    """The problem if nothing else were known."""
    said = set(parts)
    seats = range(len(problem.sizes))
    return replace(
        problem,
        most=tuple(
            tuple(row[hand] if _Said("most", place, hand) in said else problem.copies[place] for hand in seats)
            for place, row in enumerate(problem.most)
        ),
        least=tuple(
            tuple(row[hand] if _Said("least", place, hand) in said else 0 for hand in seats)
            for place, row in enumerate(problem.least)
        ),
        groups=tuple(group for number, group in enumerate(problem.groups) if _Said("group", number) in said),
        watches=tuple(watch for number, watch in enumerate(problem.watches) if _Said("watch", number) in said),
    )


def _room(problem: Problem, hands: int) -> int:
    return sum(problem.sizes[hand] for hand in members(hands))


@lru_cache
def members(hands: int) -> tuple[int, ...]:
    return tuple(hand for hand in range(hands.bit_length()) if hands >> hand & 1)


def name_hands(hands: tuple[int, ...]) -> str:
    if len(hands) == 1:
        return say("hand {n}", hands[0])
    return say("hands {numbers} and {n}", ", ".join(map(str, hands[:-1])), hands[-1]) if hands else "no hand"
