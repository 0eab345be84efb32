"""The cards of Tractor: packs of 54, as many as are played with."""

from functools import cache

from renege.core.cards import Deck

RANKS = "23456789TJQKA"
PRINTED = "CDHS"  # the suits, lowest id first
LITTLE, BIG = 52, 53
NAMES = (*(suit + rank for suit in PRINTED for rank in RANKS), "LJ", "BJ")
NUMBERS = ("two", "three", "four", "five", "six")


@cache
def deck_of(packs: int) -> Deck:
    """So many packs."""
    tens = ((name[0] + "10", card) for card, name in enumerate(NAMES) if name[1] == "T")
    aliases = (("小王", LITTLE), ("大王", BIG), *tens)
    return Deck(f"{NUMBERS[packs - 2]} packs", names=NAMES, copies=packs, aliases=aliases)


DECK = deck_of(2)
