"""Tractor with many packs told twice: the same cards and house rules in the words of the brute force and of the engine.

Case `i` of a test has a declaration, packs, a gap and a least size of tractors that turn with `i`, and its own random
numbers, so that it can be had again by its number.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from reference import tractor_packs as reference
from reference.tractor_bombs import WITHOUT, House
from renege.core.cards import Cards, Hand
from renege.core.game import Contract, Turn
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import SUITS, deck_of, order_of
from renege.games.tractor.rules import Rules
from support.steering import SOAK

DECLARATIONS = [trump + level for trump in (*reference.SUITS, "NT") for level in reference.RANKS] + ["NT-"]
LEAST = [(2, 2), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)]


@dataclass(frozen=True)
class PackSetting:
    """A table in the reference's words: a declaration, house rules of units and of duties, and the packs."""

    table: reference.Table
    duty: reference.Duty
    packs: int
    house: House = WITHOUT

    @cached_property
    def rules(self) -> Rules:
        return _rules(self.table, self.duty, self.packs, self.house)

    @property
    def named(self) -> str:
        return "NT9" if self.table.declaration == "NT-" else self.table.declaration

    @cached_property
    def order(self) -> Order:
        return order_of(self.rules, self.named)

    @property
    def steps(self) -> dict[str, list[list[str]]]:
        """The kinds on each step of each suit."""
        return _steps(self.table)

    def cards(self, pile: Sequence[str] | str) -> Cards:
        return parse_cards(deck_of(self.packs), pile if isinstance(pile, str) else " ".join(pile))


# Thousands of cases have the same few house rules and declarations.


@cache
def _rules(table: reference.Table, duty: reference.Duty, packs: int, house: House) -> Rules:
    width, length = table.least
    return Rules(
        packs=packs,
        level_gap=table.gap,  # pyright: ignore[reportArgumentType] (choices are read by their names)
        no_trump="jokers-only" if table.declaration == "NT-" else "level-cards",  # pyright: ignore[reportArgumentType]
        duty_family=duty.family,  # pyright: ignore[reportArgumentType]
        follow_duty=duty.follow,  # pyright: ignore[reportArgumentType]
        shorter_runs=duty.shorter_runs,  # pyright: ignore[reportArgumentType]
        tractor_width=width,
        tractor_length=length,
        bombs=house.bombs,  # pyright: ignore[reportArgumentType]
        rainbows=house.rainbows,
    )


@cache
def _steps(table: reference.Table) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for suit in SUITS:
        kinds = [card for card in reference.CARDS if reference.suit(card, table) == suit]
        places = sorted({reference.step(card, table) for card in kinds})
        if kinds:
            found[suit] = [[c for c in kinds if reference.step(c, table) == at] for at in places]
    return found


def pack_cases(
    name: str, count: int, duty: reference.Duty = reference.FREE, packs: Sequence[int] = (2, 3, 4)
) -> Iterator[tuple[random.Random, PackSetting]]:
    """So many cases, a hundred times as many where `RENEGE_SOAK=100`."""
    for i in range(count * SOAK):
        gap, runs = ("closes", "closes", "breaks")[i // 66 % 3], ("owed", "all-owed", "not-owed")[(i + i // 66) % 3]
        table = reference.Table(DECLARATIONS[i % 66], gap, LEAST[(i // 5) % len(LEAST)])
        yield random.Random(f"{name} {i}"), PackSetting(table, duty._replace(shorter_runs=runs), packs[i % len(packs)])


def pile(cards: Cards) -> reference.Pile:
    return tuple(sorted(str(cards).split()))


def suit_id(suit: str) -> int:
    return SUITS.index(suit)


def turn(
    at: PackSetting,
    hand: Sequence[str],
    plays: Iterable[Play] = (),
    *,
    rules: Rules | None = None,
    hands: tuple[Hand, ...] | None = None,
    memory: Memory | None = None,
) -> Turn:
    """Seat 0 leads; the seat after the last play is to play."""
    plays = tuple(plays)
    mine, seat, deck = at.cards(hand), len(plays), deck_of(at.packs)
    return Turn(
        rules=rules or at.rules,
        contract=Contract(at.named, 0, 0),
        order=at.order,
        seat=seat,
        hand=mine,
        trick=Trick((0, 1, 2, 3), plays),
        number=0,
        memory=memory or Memory(deck.none),
        hands=hands or tuple(mine if one == seat else deck.hidden(at.rules.hand_size) for one in range(4)),
        kitty=deck.hidden(at.rules.buried),
    )


# --- random cards ---------------------------------------------------------------------------------


def some_suit(rng: random.Random, at: PackSetting) -> str:
    return rng.choice(["T", "T", *at.steps])


def random_pile(rng: random.Random, at: PackSetting, suit: str, most: int) -> reference.Pile:
    """Cards of one suit near each other, many of them alike; of trumps often those around the level step."""
    steps = at.steps[suit]
    start = rng.randrange(len(steps))
    if suit == "T" and rng.random() < 0.6:
        start = max(0, len(steps) - rng.randint(3, 6))
    near = [card for step in steps[start : start + rng.randint(2, 5)] for card in step]
    found = [card for card in near for _ in range(rng.choice([0, 1, *range(2, at.packs + 1), at.packs]))]
    if len(found) > most and rng.random() < 0.7:  # what is alike stays together
        found = [card for kind in rng.sample(near, len(near)) for card in found if card == kind]
    else:
        rng.shuffle(found)
    return reference.pile(found[:most])


def random_lead(rng: random.Random, at: PackSetting, most: int) -> reference.Pile:
    """A lead, oftener than not with equal cards."""
    while True:
        lead = random_pile(rng, at, some_suit(rng, at), most)
        if lead and (max(Counter(lead).values()) > 1 or rng.random() < 0.2):
            return lead


def random_grouping(rng: random.Random, at: PackSetting, lead: reference.Pile) -> reference.Cutting | None:
    """Now and then a leader names how the cards are grouped."""
    if rng.random() < 0.8 or len(lead) > 7:
        return None
    return rng.choice(sorted(set(reference.cut(lead, at.table))))


def random_hand(rng: random.Random, at: PackSetting, lead: reference.Pile, most: int) -> reference.Pile:
    """A hand for a lead, at least as long and mostly of its suit; they may share cards, since only shapes meet."""
    suit = reference.led_suit(lead, at.table)
    held: reference.Pile = ()
    for _ in range(3):
        more = Counter(random_pile(rng, at, suit, most))
        kept = {card: max(copies, held.count(card)) for card, copies in more.items()}
        held = reference.pile([*(c for c in held if c not in kept), *(c for c, n in kept.items() for _ in range(n))])
        if len(held) > len(lead) and rng.random() < 0.7:
            break
    held = reference.pile(rng.sample(held, min(len(held), most)))
    others = [card for card in reference.CARDS if reference.suit(card, at.table) != suit]
    return reference.pile([*held, *rng.sample(others, max(rng.randint(0, 1), len(lead) - len(held)))])


def random_play(rng: random.Random, at: PackSetting, lead: reference.Pile, hand: reference.Pile) -> reference.Pile:
    """As many cards as were led: of the suit if that is there, what is alike together or not."""
    if rng.random() < 0.05:
        return reference.pile(rng.sample(hand, len(lead)))
    held = list(reference.in_suit(hand, reference.led_suit(lead, at.table), at.table))
    rest = list(reference.without(hand, held))
    rng.shuffle(held)
    rng.shuffle(rest)
    if rng.random() < 0.6:
        kinds = sorted(set(held), key=lambda card: -held.count(card) + rng.random() * 2.5)
        held = [card for kind in kinds for card in held if card == kind]
    return reference.pile([*held, *rest][: len(lead)])


def fitting(rng: random.Random, at: PackSetting, suit: str, forms: Sequence[reference.Form]) -> reference.Pile | None:
    """Cards of a suit laid out unit by unit as a shape asks, if they fall so."""
    steps = at.steps[suit]
    left = {card: at.packs for step in steps for card in step}
    found: list[str] = []
    for width, length in forms:
        if len(steps) < length:
            return None
        start = rng.randrange(len(steps) - length + 1)
        for step in steps[start : start + length]:
            kinds = [card for card in step if left[card] >= width]
            if not kinds:
                return None
            kind = rng.choice(kinds)
            left[kind] -= width
            found += [kind] * width
    return reference.pile(found)
