"""The kernel's generator, dealing and playout once more, word for word and slowly.

Hands are sorted lists of cards and every rule is read straight from the order's tables. Nothing here knows of
masks, threads or closed-up seats, so that what the kernel does to be fast is what gets tested.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

WORD = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
DEAL, PLAYOUT = 0, 1
FOLLOW_SUIT, STRONGEST, CALLED_ACE = 0, 1, 2
DRAWS_PER_FRACTION = 5


def mix64(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


class Stream:
    """The words of one lane."""

    def __init__(self, seed: int, purpose: int, lane: int) -> None:
        family = mix64((seed + GOLDEN * (purpose + 1)) & WORD)
        self.key = mix64((family + GOLDEN * (lane + 1)) & WORD)
        self.used = 0

    def next(self) -> int:
        self.used += 1
        return mix64((self.key + GOLDEN * self.used) & WORD)


def draws(fraction: int, bounds: Sequence[int], bits: int = 32) -> list[int] | None:
    """A draw below each bound out of one fraction; None where the fraction must be thrown away."""
    drawn: list[int] = []
    product = 1
    for bound in bounds:
        drawn.append(fraction * bound >> bits)
        fraction = fraction * bound % (1 << bits)
        product *= bound
    return None if fraction < (1 << bits) % product else drawn


def halves(stream: Stream):
    while True:
        word = stream.next()
        yield word >> 32
        yield word & 0xFFFFFFFF


def deal(cards: Sequence[int], sizes: Sequence[int], seed: int, lane: int) -> list[list[int]]:
    """Hands in order, each card drawn out of those left; a last hand that takes all the rest needs no draw."""
    left = sorted(cards)
    wanted = sum(sizes) if sum(sizes) < len(left) else sum(sizes[:-1])
    fractions = halves(Stream(seed, DEAL, lane))
    picks: list[int] = []
    while len(picks) < wanted:
        size = min(DRAWS_PER_FRACTION, wanted - len(picks))
        bounds = [len(left) - len(picks) - i for i in range(size)]
        picks += draws(next(fractions), bounds) or []
    picks += [0] * (sum(sizes) - wanted)
    taken = iter([left.pop(pick) for pick in picks])
    return [sorted(next(taken) for _ in range(size)) for size in sizes]


@dataclass
class Table:
    """A table between two plays."""

    hands: list[list[int]]
    leader: int
    lying: list[int] = field(default_factory=list[int])
    playing: list[int] = field(default_factory=lambda: [0, 1, 2, 3])
    duty: int = FOLLOW_SUIT
    points: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    tricks: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    called: int | None = None  # the called ace
    led_called: list[int] = field(default_factory=list[int])  # seats that led its suit

    @staticmethod
    def unpack(words: Sequence[int], called: int | None = None) -> "Table":
        terms = int(words[5])
        lying = [int(words[4]) >> 8 * i & 0xFF for i in range(terms >> 2 & 3)]
        return Table(
            hands=[[card for card in range(32) if int(hand) >> card & 1] for hand in words[:4]],
            leader=terms & 3,
            lying=lying,
            playing=[seat for seat in range(4) if terms >> 4 + seat & 1],
            duty=terms >> 8 & 15,
            points=[int(words[6]) >> 8 * seat & 0xFF for seat in range(4)],
            tricks=[int(words[7]) >> 8 * seat & 0xFF for seat in range(4)],
            called=called,
            led_called=[seat for seat in range(4) if called is not None and terms >> 24 + seat & 1],
        )

    def pack(self, terms: int) -> list[int]:
        """The 8 words; the upper terms (declarer, declaration, contract, bid) are passed in."""
        if self.called is not None:
            terms = terms & ~(15 << 24) | sum(1 << 24 + seat for seat in self.led_called)
        lying = self.lying + [0xFF] * (4 - len(self.lying))
        seats = sum(1 << seat for seat in self.playing)
        low = self.leader | len(self.lying) << 2 | seats << 4 | self.duty << 8
        words = [sum(1 << card for card in hand) for hand in self.hands]
        words += [sum(card << 8 * i for i, card in enumerate(lying)), terms & ~0xFFF | low]
        return words + [sum(n << 8 * i for i, n in enumerate(taken)) for taken in (self.points, self.tricks)]

    def turns(self) -> list[int]:
        """The seats in the order they play to this trick."""
        around = [(self.leader + i) % 4 for i in range(4)]
        return [seat for seat in around if seat in self.playing]

    def is_over(self) -> bool:
        return not self.lying and not any(self.hands[seat] for seat in self.playing)


def legal(order: Any, table: Table, seat: int) -> list[int]:
    """The cards a seat that has not yet played to this trick may play to it."""
    hand = table.hands[seat]
    if table.duty == STRONGEST:
        top = max((order.strength[7][card] for card in hand), default=0)
        return [card for card in hand if order.strength[7][card] == top]
    cards = list(hand)
    if table.lying:
        led = order.led_suit[table.lying[0]]
        cards = [card for card in hand if order.follow[led] >> card & 1] or cards
    return [card for card in cards if table.duty != CALLED_ACE or keeps_ace(order, table, seat, card)]


def keeps_ace(order: Any, table: Table, seat: int, card: int) -> bool:
    """Does a card that follows suit keep what the holder of the called ace owes?"""
    hand, ace = table.hands[seat], table.called
    if ace is None or ace not in hand:
        return True
    suit = order.led_suit[ace]
    if not table.lying:
        many = len([held for held in hand if order.led_suit[held] == suit]) >= 4
        return card == ace or order.led_suit[card] != suit or many or table.led_called != []
    if order.led_suit[table.lying[0]] == suit:
        return card == ace or seat in table.led_called
    return card != ace or table.led_called != [] or hand == [ace]


def winner(order: Any, plays: Sequence[int]) -> int:
    strengths = [order.strength[order.led_suit[plays[0]]][card] for card in plays]
    return strengths.index(max(strengths))


def play(order: Any, table: Table, card: int) -> None:
    seat = table.turns()[len(table.lying)]
    if table.called is not None and not table.lying and card != table.called and seat not in table.led_called:
        table.led_called += [seat] if order.led_suit[card] == order.led_suit[table.called] else []
    table.hands[seat].remove(card)
    table.lying.append(card)
    if len(table.lying) == len(table.playing):
        winning = table.turns()[winner(order, table.lying)]
        table.points[winning] += sum(order.points[card] for card in table.lying) + order.trick_points
        table.tricks[winning] += 1
        table.leader, table.lying = winning, []


def playout(order: Any, table: Table, seed: int, lane: int) -> list[int]:
    """Plays the table to its end and returns the cards in the order they fell."""
    stream = Stream(seed, PLAYOUT, lane)
    fallen: list[int] = []
    while not table.is_over():
        word = stream.next()
        if not table.lying:
            cards = legal(order, table, table.leader)
            drawn = draws(word >> 32, [len(cards)])
            while drawn is None:
                drawn = draws(stream.next() >> 32, [len(cards)])
            fallen.append(cards[drawn[0]])
            play(order, table, fallen[-1])
        choices = [legal(order, table, seat) for seat in table.turns()[len(table.lying) :]]
        bounds = [len(cards) for cards in choices]
        drawn = draws(word & 0xFFFFFFFF, bounds)
        while drawn is None:
            drawn = draws(stream.next() & 0xFFFFFFFF, bounds)
        for cards, index in zip(choices, drawn, strict=True):
            fallen.append(cards[index])
            play(order, table, fallen[-1])
    return fallen
