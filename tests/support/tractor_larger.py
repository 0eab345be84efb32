"""House rules of larger tables of Tractor by chance, and deals in which equal cards and neighbours lie together."""

import random
from dataclasses import fields, replace

from renege.core.cards import Cards
from renege.core.game import Game
from renege.core.house_rules import Choice
from renege.games.tractor.deck import LITTLE, RANKS
from renege.games.tractor.encoding_wide import NOT_FELT, TOLD, has_usual_rows
from renege.games.tractor.rules import (
    PRESETS,
    DutyFamily,
    FollowDuty,
    Mode,
    NoCall,
    Rules,
    StoppedThrow,
    ThrowTest,
)

TABLES = [name for name, rules in PRESETS.items() if not has_usual_rows(rules) and rules.no_call is NoCall.NO_TRUMP]
SIZES = [(4, 2), (4, 3), (5, 2), (5, 3), (6, 2), (6, 3), (7, 3), (8, 3), (8, 4)]  # seats and packs
SIZE = {"seats", "packs", "mode", "kitty"}
CHOICES = [rule.name for rule in fields(Rules) if rule.name in (TOLD | NOT_FELT) - SIZE]
NUMBERS = {
    "throw_penalty": [0, 10], "few_points": [0, 15], "few_trumps": [0, 3, 9], "level_step": [20, 15],
    "turnover": [2, 1], "dead_zone": [1, 0], "tractor_width": [2, 3], "tractor_length": [2, 3], "friends": [0, 1],
    "rainbows": [0, 4],
}  # fmt: skip


def any_house(rng: random.Random) -> Rules:
    """The rules of a larger table that has rows."""
    while True:
        seats, packs = rng.choice(SIZES)
        friends = seats % 2 == 1 or rng.random() < 0.5
        base = Rules(seats=seats, packs=packs, mode=Mode.FRIENDS if friends else Mode.TEAMS)
        changed = rng.sample(CHOICES, rng.choice([0, 2, 6, 12]))
        try:
            rules = replace(base, **{name: _any_answer(name, rng) for name in changed})
        except ValueError:
            continue
        refused = rules.stopped_throw is StoppedThrow.REFUSED and rules.throw_test is not ThrowTest.PUBLIC_INFO
        # a chain of formats whose tuples are protected is weighed for seconds
        slow = rules.duty_family is DutyFamily.FIRST_FORMAT and rules.follow_duty is not FollowDuty.SHAPE
        if not refused and rules.no_call in (NoCall.NO_TRUMP, NoCall.REDEAL) and not slow and not has_usual_rows(rules):
            return rules


def _any_answer(name: str, rng: random.Random) -> object:
    default = next(rule.default for rule in fields(Rules) if rule.name == name)
    return rng.choice(list(type(default))) if isinstance(default, Choice) else rng.choice(NUMBERS[name])


def rigged(game: Game, rng: random.Random) -> tuple[tuple[Cards, ...], Cards]:
    """A deal in which neighbours lie together with all their copies: hands are full of tuples and tractors."""
    deck = game.deck
    kinds = list(range(len(deck.names)))
    if rng.random() < 0.5:  # by rank, so that the level cards lie together
        kinds.sort(key=lambda card: (card >= LITTLE, card % len(RANKS), card))
    chunks: list[list[int]] = []
    while kinds:
        size = rng.choice([1, 2, 3])
        chunks.append([card for card in kinds[:size] for _ in range(deck.copies)])
        kinds = kinds[size:]
    rng.shuffle(chunks)
    pack = [card for chunk in chunks for card in chunk]
    for _ in range(rng.choice([0, 6, 20])):
        i, j = rng.randrange(len(pack)), rng.randrange(len(pack))
        pack[i], pack[j] = pack[j], pack[i]
    size = game.hand_size
    hands = tuple(deck.cards(pack[size * seat : size * seat + size]) for seat in game.all_seats)
    return hands, deck.cards(pack[size * game.players :])
