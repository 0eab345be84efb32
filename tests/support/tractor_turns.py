"""Tractor told twice: the same cards and house rules in the words of the brute force and as the engine takes them.

Case `i` of a test has a declaration, a gap and a duty that turn with `i`, so that a few hundred cases meet every level
with every trump setting, and its own random numbers, so that it can be had again by its number.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from reference import tractor as reference
from renege.core.cards import Cards, Hand
from renege.core.game import Contract, Turn
from renege.core.notation import parse_cards
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.games.tractor.memory import Memory
from renege.games.tractor.order import DECK, SUITS, order
from renege.games.tractor.rules import FollowDuty, LevelGap, NoTrump, Rules, ShorterRuns
from renege.games.tractor.units import Shape
from support.steering import SOAK

DECLARATIONS = [*reference.DECLARATIONS, "NT-"]


@dataclass(frozen=True)
class Setting:
    """A declaration and the house rules that shapes depend on, in the reference's words."""

    declaration: str
    gap: str = "closes"
    shorter_runs: str = "owed"
    follow: str = "shape"

    @cached_property
    def rules(self) -> Rules:
        return Rules(
            level_gap=LevelGap(self.gap),
            follow_duty=FollowDuty(self.follow),
            shorter_runs=ShorterRuns(self.shorter_runs),
            no_trump=NoTrump.JOKERS_ONLY if self.declaration == "NT-" else NoTrump.LEVEL_CARDS,
        )

    @property
    def order(self) -> Order:
        rules = self.rules
        return order(self.named, rules.level_gap, rules.no_trump)

    @property
    def named(self) -> str:
        """The declaration as the engine reads it: where only jokers are trumps any level will do."""
        return "NT9" if self.declaration == "NT-" else self.declaration

    def steps(self, suit: str) -> tuple[tuple[str, ...], ...]:
        """The kinds on each step of a suit; none on a step that the gap leaves empty."""
        return _steps(self.declaration, self.gap, suit)

    def suits(self) -> list[str]:
        return [suit for suit in reference.EFFECTIVE_SUITS if self.steps(suit)]


@cache
def _steps(declaration: str, gap: str, suit: str) -> tuple[tuple[str, ...], ...]:
    kinds = [card for card in reference.CARDS if reference.suit(card, declaration) == suit]
    if not kinds:
        return ()
    places = {card: reference.step(card, declaration, gap) for card in kinds}
    return tuple(tuple(card for card in kinds if places[card] == at) for at in range(max(places.values()) + 1))


def cases(name: str, count: int) -> Iterator[tuple[random.Random, Setting]]:
    """So many cases, a hundred times as many where `RENEGE_SOAK=100`."""
    for i in range(count * SOAK):
        gap, shorter = ("closes", "breaks")[i // 66 % 2], ("owed", "not-owed", "all-owed")[(i + i // 66) % 3]
        follow = ("shape", "shape", "tractors-protected")[(i // 3 + i // 66) % 3]
        yield random.Random(f"{name} {i}"), Setting(DECLARATIONS[i % 66], gap, shorter, follow)


# --- the same cards, twice ------------------------------------------------------------------------


def cards(pile: Sequence[str] | str) -> Cards:
    return parse_cards(DECK, pile if isinstance(pile, str) else " ".join(pile))


def pile(cards: Cards) -> reference.Pile:
    return tuple(sorted(str(cards).split()))


def suit_id(suit: str) -> int:
    return SUITS.index(suit)


def shape(told: reference.Shape) -> Shape:
    return Shape(told.runs, told.pairs, told.singles)


def turn(
    setting: Setting,
    hand: Sequence[str] | str,
    plays: Iterable[Play] = (),
    *,
    rules: Rules | None = None,
    hands: tuple[Hand, ...] | None = None,
    memory: Memory | None = None,
    kitty: Hand | None = None,
    banker: int = 0,
) -> Turn:
    """Seat 0 leads; the seat after the last play is to play."""
    plays = tuple(plays)
    mine, seat = cards(hand), len(plays)
    return Turn(
        rules=rules or setting.rules,
        contract=Contract(setting.named, banker, 0),
        order=setting.order,
        seat=seat,
        hand=mine,
        trick=Trick((0, 1, 2, 3), plays),
        number=0,
        memory=memory or Memory(),
        hands=hands or tuple(mine if at == seat else DECK.hidden(25) for at in range(4)),
        kitty=DECK.hidden(8) if kitty is None else kitty,
    )


def lowest_step(setting: Setting, suit: str) -> int:
    """The step on which the lowest cards of a suit stand, which the engine counts as the first."""
    return next(i for i, kinds in enumerate(setting.steps(suit)) if kinds)


def with_rules(setting: Setting, **choices: object) -> Rules:
    return replace(setting.rules, **choices)


# --- random cards ---------------------------------------------------------------------------------


def random_pile(
    rng: random.Random, setting: Setting, suit: str, most: int, taken: Sequence[str] = ()
) -> reference.Pile:
    """Cards of one suit near each other, with many pairs; of trumps often those around the level step."""
    gone = Counter(taken)
    steps = setting.steps(suit)
    if suit == "T" and rng.random() < 0.6:
        start, length = max(0, len(steps) - rng.randint(4, 7)), 7
    else:
        start, length = rng.randrange(len(steps)), rng.randint(2, 7)
    near = [card for step in steps[start : start + length] for card in step]
    found = [card for card in near for _ in range(min(rng.choice([0, 1, 2, 2]), 2 - gone[card]))]
    rng.shuffle(found)
    return reference.pile(found[:most])


def fitting(rng: random.Random, setting: Setting, suit: str, led: reference.Shape) -> reference.Pile | None:
    """Cards of a suit laid out unit by unit as a shape asks, if they fall so."""
    left = {card: 2 for step in setting.steps(suit) for card in step}
    steps = setting.steps(suit)
    found: list[str] = []
    for length in (*led.runs, *[1] * led.pairs):
        if len(steps) < length:
            return None
        start = rng.randrange(len(steps) - length + 1)
        for step in steps[start : start + length]:
            kinds = [card for card in step if left[card] == 2]
            if not kinds:
                return None
            kind = rng.choice(kinds)
            left[kind] = 0
            found += [kind] * 2
    spare = [card for card, copies in left.items() for _ in range(copies)]
    if len(spare) < led.singles:
        return None
    return reference.pile([*found, *rng.sample(spare, led.singles)])


def random_lead(rng: random.Random, setting: Setting, most: int = 8) -> reference.Pile:
    """A lead, oftener than not with pairs that run."""
    suit = rng.choice(["T", "T", *setting.suits()])
    while True:
        lead = random_pile(rng, setting, suit, most)
        if not lead:
            continue
        led = reference.shape(lead, setting.declaration, setting.gap)
        if led.runs or rng.random() < 0.3:
            return lead


def random_grouping(rng: random.Random, setting: Setting, lead: reference.Pile) -> reference.Cutting | None:
    """Now and then a leader names how the cards are grouped."""
    if rng.random() < 0.75 or len(lead) > 8:
        return None
    return rng.choice(sorted(reference.cuttings(lead, setting.declaration, setting.gap)))


def random_hand(rng: random.Random, setting: Setting, lead: reference.Pile, most: int) -> reference.Pile:
    """A hand for a lead, at least as long and mostly of its suit. They may share cards: only shapes meet."""
    suit = reference.led_suit(lead, setting.declaration)
    held = random_pile(rng, setting, suit, rng.randint(0, most))
    if rng.random() < 0.6:
        led = reference.shape(lead, setting.declaration, setting.gap)
        held = fitting(rng, setting, suit, led) or held
        more = [*random_pile(rng, setting, suit, 6), *random_pile(rng, setting, suit, 6)]
        held = reference.pile(
            [*held, *(kind for kind in dict.fromkeys(more) for _ in range(2 - held.count(kind)))][:most]
        )
    others = [c for c in reference.CARDS for _ in range(2) if reference.suit(c, setting.declaration) != suit]
    return reference.pile([*held, *rng.sample(others, max(rng.randint(0, 2), len(lead) - len(held)))])


def random_play(rng: random.Random, setting: Setting, lead: reference.Pile, hand: reference.Pile) -> reference.Pile:
    """As many cards as were led: of the suit if that is there, pairs first or not."""
    if rng.random() < 0.02:
        return reference.pile(rng.sample(hand, rng.randint(1, len(hand))))
    if rng.random() < 0.1:
        return reference.pile(rng.sample(hand, len(lead)))
    led = reference.led_suit(lead, setting.declaration)
    held = list(reference.in_suit(hand, led, setting.declaration))
    rest = list(reference.without(hand, held))
    rng.shuffle(held)
    rng.shuffle(rest)
    twins = reference.pair_kinds(held)
    rng.shuffle(twins)
    if twins and rng.random() < 0.6:
        paired = [card for kind in twins for card in (kind, kind)]
        held = [*paired, *reference.without(held, paired)]
    return reference.pile([*held, *rest][: len(lead)])
