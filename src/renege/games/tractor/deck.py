"""The cards of Tractor: packs of 54, as many as are played with."""

from functools import cache

from renege.core.cards import Deck

RANKS = "23456789TJQKA"
PRINTED = "CDHS"  # the suits, lowest id first
LITTLE, BIG = 52, 53
NAMES = (*(suit + rank for suit in PRINTED for rank in RANKS), "LJ", "BJ")
NUMBERS = ("two", "three", "four", "five", "six")


@cache
def deck_of(packs: int, lowest: int = 2, *, jokers: bool = True) -> Deck:
    """So many packs; they may lack the ranks below some other, or the jokers."""
    low = RANKS[: lowest - 2]
    missing = [card for card, name in enumerate(NAMES) if (name[1] in low if card < LITTLE else not jokers)]
    if missing:
        return deck_of(packs).stripped(sum(1 << card for card in missing))
    tens = ((name[0] + "10", card) for card, name in enumerate(NAMES) if name[1] == "T")
    aliases = (("小王", LITTLE), ("大王", BIG), *tens)
    return Deck(f"{NUMBERS[packs - 2]} packs", names=NAMES, copies=packs, aliases=aliases)


DECK = deck_of(2)
