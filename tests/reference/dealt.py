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
    """The hands before a trump and a plain card changed places, for each two that it can have been."""
    gifts = [(seat, call.removeprefix("give ")) for seat, call in seen.calls if call.startswith("give ")]
    if not gifts:
        yield list(first)
        return
    (declarer, offered), (partner, returned) = gifts
    trumps = schafkopf.trumps("hochzeit", seen.short)
    for over in sorted(first[partner]) if offered == "a card" else [offered]:
        for back in sorted(first[declarer]) if returned == "a card" else [returned]:
            dealt = list(first)
            dealt[declarer] = first[declarer] - {back} | {over}
            dealt[partner] = first[partner] - {over} | {back}
            held = over in first[partner] and back in first[declarer]
            if held and over in trumps and back not in trumps:
                yield dealt


def _talk_was_right(seen: Seen, dealt: Sequence[frozenset[str]]) -> bool:
    return all(_call_was_right(call, sorted(dealt[seat]), seen.short) for seat, call in seen.calls)


def _call_was_right(call: str, hand: list[str], short: bool) -> bool:
    """Does the hand allow the call? Whose turn it was, and what goes before what, all have seen."""
    trumps = schafkopf.trumps("hochzeit", short)
    if call == "rufspiel":
        return bool(schafkopf.callable_suits(hand))
    if call.startswith("rufspiel "):
        return schafkopf.may_call(hand, call[-1])
    if call == "hochzeit":
        return sum(card in trumps for card in hand) == 1
    if call == "accept":
        return any(card not in trumps for card in hand)
    if call == "sie":
        return schafkopf.is_sie(hand, short)
    if call in ("old", "no"):
        return ("EO" in hand) == (call == "old")
    return True
