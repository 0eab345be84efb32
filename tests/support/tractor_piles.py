"""Random cards of Tractor for the reference: of one suit, near each other, with many pairs."""

import random

from reference import tractor


def plain_suit(declaration: str) -> str:
    return next(suit for suit in "DCHS" if suit != declaration[0])


def random_pile(rng: random.Random, declaration: str, suit: str, most: int, taken: tractor.Pile = ()) -> tractor.Pile:
    """Cards of one suit, near each other and with many pairs, of kinds not taken."""
    kinds = sorted(
        (card for card in tractor.CARDS if tractor.suit(card, declaration) == suit and card not in taken),
        key=lambda card: tractor.step(card, declaration),
    )
    if not kinds:
        return ()
    start = rng.randrange(len(kinds))
    near = kinds[start : start + rng.randint(2, 7)] if rng.random() < 0.6 else kinds[-7:]
    cards = [card for card in near for _ in range(rng.choice([0, 1, 2, 2]))]
    rng.shuffle(cards)
    return tractor.pile(cards[:most])
