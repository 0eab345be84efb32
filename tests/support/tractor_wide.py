"""Random rounds at larger tables of Tractor: house rules, cards, trumps, banker and friends, by a number."""

import random
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from renege import tractor
from renege.core.cards import Cards
from renege.core.position import Position, deal_position
from renege.games.tractor.declare import Bank
from renege.games.tractor.friends import Friend, open_to
from renege.games.tractor.order import order_of
from renege.games.tractor.rollouts_wide import kernel_order, layers, scene_of
from renege.games.tractor.rules import Rules
from renege.native.arrays import U64
from renege.native.tractor_wide import wide_choices

DUTIES = ["shape", "shape", "tuples-protected", "tractors-protected", "both-protected", "suit-only"]
LEAST = [(2, 2), (2, 2), (2, 3), (3, 2)]


@dataclass(frozen=True)
class WideRound:
    """Round number `number`: 4 to 8 seats, two to `most` packs, each house rule that the kernel plays."""

    number: int
    most: int = 4

    @cached_property
    def rules(self) -> Rules:
        rng, seats = random.Random(f"rules {self.number}"), 4 + self.number % 5
        mode = "friends" if seats % 2 or self.number // 5 % 2 else "teams"
        packs = 2 + self.number // 10 % (self.most - 1)
        width, length = rng.choice(LEAST)
        return tractor.game(
            seats=seats,
            packs=packs,
            mode=mode,
            follow_duty=rng.choice(DUTIES),
            shorter_runs=rng.choice(["owed", "not-owed", "all-owed"]),
            kitty_multiplier=rng.choice(["two-to-cards", "twice-cards", "two-to-pairs-plus-1", "twice-lead"]),
            throw_comparison=rng.choice(["longest-unit", "highest-card"]),
            double_friend=rng.choice(["allowed", "not"]) if mode == "friends" else "allowed",
            friend_cards=rng.choice(["no-trumps", "trumps-too"]) if mode == "friends" else "no-trumps",
            tractor_width=width,
            tractor_length=length,
            level_gap=rng.choice(["closes", "breaks"]),
        ).rules

    @cached_property
    def bank(self) -> Bank:
        rng, rules = random.Random(f"bank {self.number}"), self.rules
        declaration = rng.choice(["S", "H", "C", "D", "NT"]) + rng.choice("23456789TJQKA")
        order = order_of(rules, declaration)
        cards = [card for card in range(54) if open_to(rules, order, card)]
        every = [Friend(card, nth) for card in rng.sample(cards, 4) for nth in range(1, rules.packs + 1)]
        friends = tuple(sorted(rng.sample(every, rules.friend_count)))
        banker = rng.randrange(rules.seats)
        return Bank(declaration, banker, banker, friends)

    @cached_property
    def piles(self) -> list[Cards]:
        """The hands, and the kitty last; some deals have suits that lie together, so that units are many."""
        rules, rng = self.rules, random.Random(f"cards {self.number}")
        pack = sorted(rules.deck.all)
        rng.shuffle(pack)
        if self.number % 3 == 0:  # runs of neighbours stay together
            order = order_of(rules, self.bank.declaration)
            pack.sort(key=lambda card: (order.led_suit[card] * 40 + order.strength[0][card]) // 3 + rng.random() * 6)
        size = rules.hand_size
        cuts = [pack[i * size : (i + 1) * size] for i in range(rules.seats)]
        return [rules.deck.cards(cut) for cut in (*cuts, pack[rules.seats * size :])]

    @cached_property
    def start(self) -> Position:
        """The first lead, all cards told."""
        game = tractor.game(self.rules)
        *hands, kitty = self.piles
        return deal_position(game, game.opening, tuple(hands), kitty).begun(self.bank)


def kernel_play(position: Position) -> Cards:
    """What the kernel's rules of thumb play."""
    assert position.order is not None
    row = wide_choices(kernel_order(position.order), scene_of(position), world_of(position))[0].tolist()
    return Cards(position.game.deck, tuple(layer for layer in row if layer))


def world_of(position: Position) -> U64:
    """`uint64[1, seats + 1, packs]`: where the cards lie."""
    piles = [pile for pile in (*position.hands, position.kitty) if isinstance(pile, Cards)]
    return np.array([[layers(pile, position.game.rules.packs) for pile in piles]], np.uint64)
