"""Whole deals of Tractor at random, told in the words of the brute force."""

import random
from dataclasses import dataclass

from reference import tractor as reference
from reference import tractor_round
from reference.tractor import Pile


@dataclass(frozen=True)
class Round:
    """A deal that was played out; seat 0 is the first of side 0."""

    declaration: str
    leader: int
    levels: tuple[str, str]
    kitty: Pile
    tricks: list[list[Pile]]

    @property
    def score(self) -> tractor_round.Score:
        return tractor_round.score(self.declaration, self.leader, self.levels, self.kitty, self.leader, self.tricks)


def play_round(rng: random.Random, most: int = 6) -> Round:
    """Leads of at most so many cards of one suit; follows keep to the suit, though not always to their other duties."""
    leader = seat = rng.randrange(4)
    levels = rng.choice(reference.RANKS), rng.choice(reference.RANKS)
    declaration = rng.choice([*reference.SUITS, "NT"]) + levels[leader % 2]
    pack = [card for card in reference.CARDS for _ in range(2)]
    rng.shuffle(pack)
    hands = [pack[i * 25 : i * 25 + 25] for i in range(4)]
    tricks: list[list[Pile]] = []
    while hands[0]:
        plays: list[Pile] = []
        for i in range(4):
            hand = hands[(seat + i) % 4]
            plays.append(_follow(rng, hand, plays[0], declaration) if plays else _lead(rng, hand, declaration, most))
            for card in plays[-1]:
                hand.remove(card)
        tricks.append(plays)
        seat = (seat + _place(plays, declaration)) % 4
    return Round(declaration, leader, levels, tuple(pack[100:]), tricks)


def _lead(rng: random.Random, hand: list[str], declaration: str, most: int) -> Pile:
    own = reference.in_suit(hand, reference.suit(rng.choice(hand), declaration), declaration)
    size = min(rng.choice([1, 1, 2, 3, 4, 6]), len(own), most)
    start = rng.randint(0, len(own) - size)
    return own[start : start + size]


def _follow(rng: random.Random, hand: list[str], lead: Pile, declaration: str) -> Pile:
    own = reference.in_suit(hand, reference.led_suit(lead, declaration), declaration)
    trumps = reference.in_suit(hand, "T", declaration)
    if not own and len(lead) <= len(trumps):
        own = trumps
    start = rng.randint(0, max(0, len(own) - len(lead)))
    return tuple(sorted([*own[start : start + len(lead)], *reference.without(hand, own)][: len(lead)]))


def _place(plays: list[Pile], declaration: str) -> int:
    if len(plays[0]) > 1:
        return reference.winner(plays, declaration)[0]
    best, led = 0, reference.led_suit(plays[0], declaration)
    for i in range(1, 4):
        if reference.beats_card(plays[i][0], plays[best][0], led, declaration):
            best = i
    return best
