"""Bombs and rainbows of Tractor as their rules are told at the table, beside the rules for any number of packs.

Cards, piles, tables and duties are those of `tractor_packs`, the other brute force; nothing is imported from what this
is compared with. `House` says what a table plays: bombs `off`, `any-suit` or `following-suit`, and rainbows from how
many cards on, or 0.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from reference.tractor_packs import (
    FREE,
    JOKERS,
    RANKS,
    Duty,
    Pile,
    Table,
    follow_duty,
    in_suit,
    led_forms,
    led_suit,
    step,
    suit,
    winner,
)


class House(NamedTuple):
    """The two house rules of a table."""

    bombs: str = "off"
    rainbows: int = 0


WITHOUT = House()


def is_bomb(cards: Sequence[str], house: House) -> bool:
    """Four or more cards, all equal."""
    return house.bombs != "off" and len(cards) >= 4 and len(set(cards)) == 1


def one_rank(cards: Sequence[str]) -> str | None:
    """The printed rank that all of these cards have; jokers have none."""
    if any(card in JOKERS for card in cards):
        return None
    ranks = {card[1] for card in cards}
    return ranks.pop() if len(ranks) == 1 else None


def is_rainbow(cards: Sequence[str], table: Table, house: House) -> bool:
    """One rank in four suits or more, and as many cards as the table asks for."""
    if not house.rainbows or len(cards) < house.rainbows or one_rank(cards) is None:
        return False
    return len({suit(card, table) for card in cards}) >= 4


def is_lead(cards: Sequence[str], table: Table, house: House) -> bool:
    return bool(cards) and (len({suit(card, table) for card in cards}) == 1 or is_rainbow(cards, table, house))


def broken(
    lead: Sequence[str],
    hand: Sequence[str],
    play: Sequence[str],
    table: Table,
    duty: Duty,
    house: House,
    grouping: Sequence[Sequence[str]] | None = None,
) -> str | None:
    """The first duty that a follow breaks; None if it keeps them all."""
    if len(play) != len(lead):
        return "length"
    if is_rainbow(lead, table, house):
        most = max(Counter(card[1] for card in hand if card not in JOKERS).values(), default=0)
        return "follow-rainbow" if one_rank(play) is None and most >= len(lead) else None
    led = led_suit(lead, table)
    if is_bomb(play, house):
        out = suit(play[0], table) != led
        return "bomb" if house.bombs == "following-suit" and out and in_suit(hand, led, table) else None
    return follow_duty(led, led_forms(lead, grouping, table), hand, play, table, duty)


def legal_follows(
    lead: Sequence[str],
    hand: Sequence[str],
    table: Table,
    house: House,
    duty: Duty = FREE,
    grouping: Sequence[Sequence[str]] | None = None,
) -> set[Pile]:
    """Of all subsets of a hand as large as the lead, those that may be played."""
    subsets = set(combinations(sorted(hand), len(lead)))
    return {play for play in subsets if broken(lead, hand, play, table, duty, house, grouping) is None}


def legal_leads(hand: Sequence[str], table: Table, house: House) -> set[Pile]:
    """All subsets of a hand that are a lead, where nothing restricts throws."""
    parts = {part for size in range(1, len(hand) + 1) for part in combinations(sorted(hand), size)}
    return {part for part in parts if is_lead(part, table, house)}


def taken_by(
    plays: Sequence[Sequence[str]],
    table: Table,
    house: House,
    comparison: str = "longest-unit",
    grouping: Sequence[Sequence[str]] | None = None,
) -> int:
    """Which play takes the trick: the first of the highest."""
    if is_rainbow(plays[0], table, house):
        ranks = [one_rank(play) for play in plays]
        heights = [-1 if rank is None else RANKS.index(rank) for rank in ranks]
        return heights.index(max(heights))
    bombs = [place for place, play in enumerate(plays) if is_bomb(play, house)]
    if not bombs:
        return winner(plays, table, comparison, grouping)[0]
    heights = [(suit(plays[place][0], table) == "T", step(plays[place][0], table)) for place in bombs]
    return bombs[heights.index(max(heights))]
