"""Orders made by hand, for tests of the kernel that must not lean on the games' own `order.py`."""

from dataclasses import dataclass

TILES = [(hi, lo) for hi in range(7) for lo in range(hi + 1)]
COUNT = {(5, 5): 10, (6, 4): 10, (5, 0): 5, (4, 1): 5, (3, 2): 5}


@dataclass(frozen=True)
class HandMade:
    led_suit: tuple[int, ...]
    follow: tuple[int, ...]
    strength: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    trick_points: int


def tile(hi: int, lo: int) -> int:
    return TILES.index((max(hi, lo), min(hi, lo)))


def mask(*cards: int) -> int:
    return sum(1 << card for card in cards)


def trump(pip: int | None) -> HandMade:
    """42 with one pip called, or with none; doubles high. Suit 7 is the called suit."""

    def suits(ends: tuple[int, int]) -> set[int]:
        return {7} if pip in ends else set(ends)

    def strength(suit: int, ends: tuple[int, int]) -> int:
        hi, lo = ends
        rank = lambda low: 7 if hi == lo else (lo if hi == low else hi)  # noqa: E731
        if pip in ends:
            return 10 + rank(pip)
        return 1 + rank(suit) if suit in ends else 0

    return HandMade(
        led_suit=tuple(7 if pip in ends else ends[0] for ends in TILES),
        follow=tuple(mask(*(c for c, ends in enumerate(TILES) if s in suits(ends))) for s in range(8)),
        strength=tuple(tuple(strength(s, ends) for ends in TILES) for s in range(8)),
        points=tuple(COUNT.get(ends, 0) for ends in TILES),
        trick_points=1,
    )


def nello() -> HandMade:
    """42 without trumps, doubles a suit of their own, 6-6 high."""

    def suits(ends: tuple[int, int]) -> set[int]:
        return {7} if ends[0] == ends[1] else set(ends)

    return HandMade(
        led_suit=tuple(7 if hi == lo else hi for hi, lo in TILES),
        follow=tuple(mask(*(c for c, ends in enumerate(TILES) if s in suits(ends))) for s in range(8)),
        strength=tuple(
            tuple(0 if s not in suits((hi, lo)) else 1 + (hi if s == 7 or lo == s else lo) for hi, lo in TILES)
            for s in range(8)
        ),
        points=tuple(COUNT.get(ends, 0) for ends in TILES),
        trick_points=1,
    )


def sevens() -> HandMade:
    """42 without suits: nearest to seven pips."""
    strength = tuple(8 - abs(hi + lo - 7) for hi, lo in TILES)
    nothing = (0,) * 28
    return HandMade(
        led_suit=(7,) * 28,
        follow=(0,) * 7 + ((1 << 28) - 1,),
        strength=(nothing,) * 7 + (strength,),
        points=tuple(COUNT.get(ends, 0) for ends in TILES),
        trick_points=1,
    )


def solo() -> HandMade:
    """32 cards like Schafkopf's: card = suit * 8 + rank, ranks 7 8 9 U O K 10 A; O over U over suit 2."""
    values = (0, 0, 0, 2, 3, 4, 10, 11)
    is_trump = [card // 8 == 2 or card % 8 in (3, 4) for card in range(32)]
    suit = [4 if is_trump[card] else card // 8 for card in range(32)]

    def strength(led: int, card: int) -> int:
        if is_trump[card]:
            face = {4: 30, 3: 20}.get(card % 8, 10)
            return face + (card // 8 if face > 10 else card % 8)
        return 1 + card % 8 if suit[card] == led else 0

    return HandMade(
        led_suit=tuple(suit),
        follow=tuple(mask(*(c for c in range(32) if suit[c] == s)) for s in range(5)),
        strength=tuple(tuple(strength(s, c) for c in range(32)) for s in range(5)),
        points=tuple(values[c % 8] for c in range(32)),
        trick_points=0,
    )
