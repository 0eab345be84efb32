"""The order of Tractor: what is trump at a level, and the steps of every suit.

Trumps are the jokers, the cards of the level and the trump suit; every other card follows its own suit, which closes up
where the level is missing. The steps of the trump suit run from its low cards to the ace, then the level cards of the
other suits (three kinds on *one* step), the level card of the trump suit, the little joker, the big joker. Without a
trump suit the four level cards share the lowest step. A pair on one step and a pair on the next make a tractor; two
pairs on the same step never do. With more packs than two, or tractors of another least width or length, the order is a
`WideOrder`: what its units are is told in `tuples`.
"""

from dataclasses import dataclass, fields, replace
from functools import cache

from renege.core.cards import Card
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.games.tractor.deck import BIG, DECK, LITTLE, NAMES, PRINTED, RANKS, deck_of
from renege.games.tractor.rules import LevelGap, NoTrump, Rules

SUITS = ("T", "S", "H", "C", "D")  # the effective suits
NOUNS = ("trumps", "spades", "hearts", "clubs", "diamonds")
TRUMP = 0
POINTS = tuple({"5": 5, "T": 10, "K": 10}.get(name[1], 0) if name[0] in PRINTED else 0 for name in NAMES)
RUFF = 32  # added to the strength of a trump, so that it beats every card of another suit


def parse_declaration(text: str) -> tuple[str | None, str]:
    """`S2`: spades are trump at level 2; `NT2`: no trump suit. The suit, or None, and the level.

    `NT` alone is the level after the ace, which has neither: the level is then empty.
    """
    words = text.strip().upper().removeprefix("TRUMP ").strip().replace("10", "T")
    suit, level = (None, words[2:]) if words.startswith("NT") else (words[:1], words[1:])
    if words == "NT":
        return None, ""
    if (suit is not None and suit not in PRINTED) or level not in RANKS or len(level) != 1:
        why = "{quoted} is no declaration; write it like S2, or NT2 where there is no trump suit"
        raise NotationError(say(why, repr(text.strip())))
    return suit, level


def rank_of(card: Card) -> str | None:
    """The printed rank; None for a joker."""
    return RANKS[card % len(RANKS)] if card < LITTLE else None


def printed_suit(card: Card) -> str | None:
    return PRINTED[card // len(RANKS)] if card < LITTLE else None


def _is_trump(card: Card, suit: str | None, level: str, no_trump: NoTrump) -> bool:
    if card >= LITTLE or (suit is not None and printed_suit(card) == suit):
        return True
    return rank_of(card) == level and not (suit is None and no_trump is NoTrump.JOKERS_ONLY)


def _step(card: Card, suit: str | None, level: str, gap: LevelGap, no_trump: NoTrump) -> int:
    """The place of a card in its effective suit, from 1; consecutive steps are neighbours."""
    low, at = RANKS.index(rank_of(card) or "2"), RANKS.index(level)
    plain = low + 1 - (1 if low > at and gap is LevelGap.CLOSES else 0)
    if not _is_trump(card, suit, level, no_trump):
        return low + 1 if suit is None and no_trump is NoTrump.JOKERS_ONLY else plain
    if suit is None:
        top = 1 if no_trump is NoTrump.LEVEL_CARDS else 0
        return {LITTLE: top + 1, BIG: top + 2}.get(card, 1)
    top = len(RANKS) if gap is LevelGap.BREAKS and level != "A" else len(RANKS) - 1  # the highest of the trump suit
    if card in (LITTLE, BIG):
        return top + 3 + (card - LITTLE)
    if rank_of(card) == level:
        return top + (2 if printed_suit(card) == suit else 1)
    return plain


@dataclass(frozen=True)
class WideOrder(Order):
    """An order with units of any width: of three packs and more, or where tractors have another least size."""

    least: tuple[int, int] = (2, 2)  # width and length of a tractor


def order_of(rules: Rules, declaration: str) -> Order:
    """The order under a declaration at a table."""
    return _order_of(rules, declaration) if rules.is_whole else _order_of_part(rules, declaration)


def _order_of(rules: Rules, declaration: str) -> Order:
    if rules.is_usual:
        return order(declaration, rules.level_gap, rules.no_trump)
    return wide_order(declaration, rules.level_gap, rules.no_trump, rules.packs, rules.least)


@cache
def _order_of_part(rules: Rules, declaration: str) -> Order:
    """The same order with packs that lack some kinds, which nobody then waits for."""
    return replace(_order_of(rules, declaration), deck=rules.deck)


@cache
def wide_order(declaration: str, gap: LevelGap, no_trump: NoTrump, packs: int, least: tuple[int, int]) -> WideOrder:
    """The order under a declaration where units may be of any width."""
    usual = replace(order(declaration, gap, no_trump), deck=deck_of(packs))
    return WideOrder(**{one.name: getattr(usual, one.name) for one in fields(usual)}, least=least)


@cache
def order(declaration: str, gap: LevelGap = LevelGap.CLOSES, no_trump: NoTrump = NoTrump.LEVEL_CARDS) -> Order:
    """The order under a declaration, with two packs."""
    suit, level = parse_declaration(declaration)
    if not level:  # no rank is trump, so that all of them stay in their suits
        level, no_trump = RANKS[0], NoTrump.JOKERS_ONLY
    trump = [_is_trump(card, suit, level, no_trump) for card in range(len(NAMES))]
    led = tuple(TRUMP if trump[card] else SUITS.index(NAMES[card][0]) for card in range(len(NAMES)))
    steps = [_step(card, suit, level, gap, no_trump) for card in range(len(NAMES))]
    return Order(
        deck=DECK,
        suits=SUITS,
        nouns=NOUNS,
        led_suit=led,
        follow=tuple(sum(1 << card for card in range(len(NAMES)) if led[card] == s) for s in range(len(SUITS))),
        strength=tuple(
            tuple(
                steps[card] + (RUFF if trump[card] else 0) if led[card] in (s, TRUMP) else 0
                for card in range(len(NAMES))
            )
            for s in range(len(SUITS))
        ),
        points=POINTS,
    )


def phi(card: Card, declaration: str) -> int:
    """The number that the published rank map gives a card: 1..28 with a main suit, 1..16 without one.

    Its printed form leaves the level cards and jokers undefined where there is no main suit; its program gives them 14,
    15 and 16, and so do we. The engine does not use these numbers: with one integer a step it cannot tell the three
    level pairs of the other suits apart.
    """
    suit, level = parse_declaration(declaration)
    if not level:
        raise NotationError(say("the published rank map knows no level without trumps"))
    step = _step(card, suit, level, LevelGap.CLOSES, NoTrump.LEVEL_CARDS)
    if not _is_trump(card, suit, level, NoTrump.LEVEL_CARDS):
        return step
    return step + (13 if suit is None else 12)
