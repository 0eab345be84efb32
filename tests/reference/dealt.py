"""What a seat can know in Schafkopf, by trying everything: each deal of the hidden cards, each dealt hand behind it.

The hands as they lie now are one thing, the dealt hands another: in a Hochzeit two cards have changed hands since. A
deal of the hidden cards is as likely as there are dealt hands, and cards given, that lead to it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from reference import schafkopf

Hands = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Seen:
    """What a seat has seen: its own cards and the size of the other hands, every call as it heard it, every play."""

    seat: int
    own: frozenset[str]
    sizes: tuple[int, ...]
    calls: tuple[tuple[int, str], ...]
    plays: tuple[tuple[int, str], ...]
    declaration: str
    leader: int
    short: bool
    any_back: bool = False  # may a trump be given back in a Hochzeit?


def deals(seen: Seen) -> Counter[Hands]:
    """Each way in which the cards may lie now, with the number of dealt hands behind it."""
    hidden = sorted(set(schafkopf.deck(seen.short)) - seen.own - {card for _, card in seen.plays})
    found: Counter[Hands] = Counter()
    for hands in _ways(hidden, [0 if seat == seen.seat else size for seat, size in enumerate(seen.sizes)]):
        now = tuple(seen.own if seat == seen.seat else hand for seat, hand in enumerate(hands))
        if behind := _dealt_behind(seen, now):
            found[now] = behind
    return found


def odds(found: Counter[Hands], card: str, seat: int) -> Fraction:
    """How likely a seat has a card."""
    return Fraction(sum(n for hands, n in found.items() if card in hands[seat]), found.total())


def _ways(cards: Sequence[str], sizes: Sequence[int]) -> Iterator[Hands]:
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        yield from ((frozenset(hand), *others) for others in _ways(rest, sizes[1:]))


def _dealt_behind(seen: Seen, now: Hands) -> int:
    """The number of dealt hands from which all that was done was right."""
    first = [now[seat] | {card for who, card in seen.plays if who == seat} for seat in range(4)]
    cards = [card for _, card in seen.plays]
    tricks = [cards[i : i + 4] for i in range(0, len(cards), 4)]
    if schafkopf.first_renege([sorted(hand) for hand in first], seen.leader, tricks, seen.declaration) is not None:
        return 0
    return sum(_talk_was_right(seen, dealt) for dealt in _before_the_gifts(seen, first))


def _before_the_gifts(seen: Seen, first: Sequence[frozenset[str]]) -> Iterator[list[frozenset[str]]]:
    """The hands before cards changed places, for all that it can have been: each two who swapped give theirs back."""
    gifts = [(seat, call.removeprefix("give ")) for seat, call in seen.calls if call.startswith("give ")]
    yield from _taken_back(seen, list(first), [gifts[i : i + 2] for i in range(0, len(gifts), 2)])


def _taken_back(
    seen: Seen, hands: list[frozenset[str]], couples: list[list[tuple[int, str]]]
) -> Iterator[list[frozenset[str]]]:
    """The last two first: what was given for the trump goes back to who gave it, and then the trump does."""
    if not couples:
        yield hands
        return
    *before, ((one, offered), (other, returned)) = couples
    trumps = schafkopf.trumps("hochzeit", seen.short)
    for back in sorted(hands[one]) if returned == "a card" else [returned]:
        if back not in hands[one] or (back in trumps and not seen.any_back):
            continue
        kept = _moved(hands, back, one, other)
        for over in sorted(kept[other]) if offered == "a card" else [offered]:
            if over in kept[other] and over in trumps:
                yield from _taken_back(seen, _moved(kept, over, other, one), before)


def _moved(hands: Sequence[frozenset[str]], card: str, giver: int, taker: int) -> list[frozenset[str]]:
    return [
        hand - {card} if seat == giver else hand | {card} if seat == taker else hand for seat, hand in enumerate(hands)
    ]


def _talk_was_right(seen: Seen, dealt: Sequence[frozenset[str]]) -> bool:
    return all(_call_was_right(seen, call, sorted(dealt[seat])) for seat, call in seen.calls)


def _call_was_right(seen: Seen, call: str, hand: list[str]) -> bool:
    """Does the hand allow the call? Whose turn it was, and what goes before what, all have seen."""
    trumps = schafkopf.trumps("hochzeit", seen.short)
    if call == "rufspiel":
        return bool(schafkopf.callable_suits(hand))
    if call.startswith("rufspiel "):
        return schafkopf.may_call(hand, call[-1])
    if call in ("hochzeit", "offer"):
        return sum(card in trumps for card in hand) == 1
    if call == "accept":
        return seen.any_back or any(card not in trumps for card in hand)
    if call == "sie":
        return schafkopf.is_sie(hand, seen.short)
    if call in ("old", "no"):
        return ("EO" in hand) == (call == "old")
    return True
