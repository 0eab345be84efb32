"""Picks rewritten for a table without them: picked cards, and cards given back, become hands and kinds of their own."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from renege.belief.problem import MOST_KINDS, Back, Group, Moves, Pick, Problem, Watch, digits, watch_by


def with_picks(problem: Problem) -> Problem:
    """The same deals for a table that knows no picks: what is picked is a hand of its own, which gets one card.

    Known cards that it may be are kinds that go there or to the hand that had them. What is known of the hand is known
    of both together. Where a card came back there are more kinds, which are no cards: `_back_watch` says which.
    """
    if not problem.picks:
        return problem
    hands = len(problem.sizes)
    kinds, copies, sizes = list(problem.kinds), list(problem.copies), list(problem.sizes)
    most, least = [list(row) for row in problem.most], [list(row) for row in problem.least]
    groups, watches = list(problem.groups), list(problem.watches)
    for picked, pick in enumerate(problem.picks, hands):
        sizes[pick.hand] += len(pick.known) - 1
        sizes.append(1)
        for place, row in enumerate(most):
            row.append(min(row[pick.hand], int(place in pick.places)))
            if row[picked] and least[place][pick.hand]:
                groups.append(Group(place, 1 << pick.hand | 1 << picked, 1, 1))
                least[place][pick.hand] = 0
        for row in least:
            row.append(0)
        for kind in pick.known:
            kinds.append(kind)
            copies.append(1)
            most.append([int(hand in (pick.hand, picked)) for hand in range(picked + 1)])
            least.append([0] * (picked + 1))
        groups = [_read_group(group, pick.hand, picked) for group in groups]
        watches = [_read_too(watch, pick.hand, picked, copies) for watch in watches]
        if pick.back is not None:
            known = {kind for other in problem.picks for kind in other.known}
            spare = [kind for kind in range(MOST_KINDS) if kind not in (*kinds, *known)][: 1 + pick.back.size]
            kinds += spare
            copies += [1] * len(spare)
            most.append([int(hand in (pick.hand, picked)) for hand in range(picked + 1)])
            most += [[int(hand in (pick.hand, pick.back.hand)) for hand in range(picked + 1)] for _ in spare[1:]]
            least += [[0] * (picked + 1) for _ in spare]
            sizes[pick.hand] += pick.back.size
            sizes[pick.back.hand] += 1
            watches.append(_back_watch(pick, pick.back, picked, copies))
    return Problem(
        tuple(kinds),
        tuple(copies),
        tuple(sizes),
        tuple(map(tuple, most)),
        tuple(map(tuple, least)),
        tuple(groups),
        tuple(watches),
    )


def _back_watch(pick: Pick, back: Back, picked: int, copies: Sequence[int]) -> Watch:
    """What ties the last kinds, which are no cards, to what the hand has that something came back to.

    The first of them stands for the card that came back: it may be what was picked if the hand has such a card. Of the
    others, one for each card that may have come back, the hand gets one; only the first, if it has such a card.
    """
    same = len(copies) - back.size - 1
    start = min((*pick.places, same))

    def move(k: int, state: tuple[int, int], given: tuple[int, ...]) -> tuple[int, int] | None:
        place, (has, got), (own, out) = start + k, state, given
        if place in pick.places:
            return (has + own, got) if has + own <= 1 else None
        if place < same:
            return state
        if place == same:
            return None if out and not has else state
        return None if own and (got or (has and place > same + 1)) else (has, got + own)

    begun = (int(back.shown), 0)
    watch = watch_by((back.hand, picked), start, copies[start:], begun, move, lambda state: state[1] == 1)
    assert watch is not None  # four states
    return watch


def _read_group(group: Group, hand: int, picked: int) -> Group:
    """The group with what was picked as if it were still in the hand."""
    own, *others = (hands | (hands >> hand & 1) << picked for hands in (group.hands, *group.others))
    return replace(group, hands=own, others=tuple(others))


def _read_too(watch: Watch, hand: int, picked: int, copies: Sequence[int]) -> Watch:
    """The watch reading what was picked as if it were still in the hand."""
    if hand not in watch.hands:
        return watch
    at = watch.hands.index(hand)
    moves: list[Moves] = []
    for place, table in enumerate(watch.moves, watch.first):
        n = copies[place]
        places: list[int] = []
        for *given, more in product(range(n + 1), repeat=len(watch.hands) + 1):
            given[at] = min(given[at] + more, n)
            places.append(digits(given, n))
        moves.append(tuple(tuple(row[i] for i in places) for row in table))
    return replace(watch, moves=tuple(moves), others=(*watch.others, picked))
