"""Every size of table that Tractor is played at, deals by bots there, and what must hold of a seat's belief in them."""

import random
from collections import Counter
from collections.abc import Iterator
from math import factorial, prod
from typing import NamedTuple

from renege.belief import DEAD, Belief, Problem
from renege.core.arbiter import Arbiter
from renege.core.cards import Cards, known_cards
from renege.core.game import KITTY, Game, Standing
from renege.core.position import Position
from renege.core.view import Onlooker
from renege.core.world import World
from renege.games import tractor
from renege.games.strategy import policy_of
from support.tractor_tables import choose


class Size(NamedTuple):
    """A table: who plays with whom, how many sit there, how many packs."""

    mode: str
    seats: int
    packs: int

    def __str__(self) -> str:
        return f"{self.mode} {self.seats} seats {self.packs} packs"


class Duty(NamedTuple):
    family: str
    follow: str

    def __str__(self) -> str:
        return f"{self.family} {self.follow}"


SIZES = [Size("teams", seats, packs) for seats in (4, 6, 8) for packs in (2, 3, 4)]
SIZES += [Size("friends", seats, packs) for seats in (4, 5, 6, 7, 8) for packs in (2, 3, 4)]
PROTECTIONS = ("shape", "tractors-protected", "tuples-protected", "both-protected", "suit-only")
DUTIES = [Duty(family, follow) for follow in PROTECTIONS for family in ("graded", "first-format")]


def game_of(size: Size, duty: Duty = DUTIES[0]) -> Game:
    mode, seats, packs = size
    return tractor.game(mode=mode, seats=seats, packs=packs, duty_family=duty.family, follow_duty=duty.follow)


def any_standing(game: Game, rng: random.Random) -> Standing:
    """Any levels, in the first deal of a game or a later one."""
    levels = [rng.randint(2, 14) for _ in range(game.rules.sides)]
    return Standing(rng.randrange(game.players), (*levels, rng.choice([0, 3])))


def bots_moments(game: Game, seed: int) -> Iterator[tuple[Arbiter, list[Onlooker]]]:
    """A deal in which some seats play by the rulebook and the others anything, before each act and at its end; nothing
    is refused.
    """
    rng = random.Random(f"bots {seed}")
    table, rulebook = Arbiter(game, seed, any_standing(game, rng)), policy_of(game)
    clever = {seat for seat in game.all_seats if rng.random() < (1, 0.7, 0.4)[seed % 3]}
    onlookers = [Onlooker(table.record, seat) for seat in game.all_seats]
    while (seat := table.position.turn) is not None:
        yield table, onlookers
        position = table.position
        what = rulebook(onlookers[seat].view).what if seat in clever else choose(position, rng)
        verdict = table.act(seat, what)
        assert verdict, f"seed {seed}, {position}: {verdict}"
        for onlooker in onlookers:
            onlooker.follow(position, table.record)
    yield table, onlookers


def bots_deal(game: Game, seed: int) -> Arbiter:
    """The same deal, played to its end."""
    *_, (table, _) = bots_moments(game, seed)
    return table


def true_world(position: Position) -> World:
    return World(tuple(map(known_cards, position.hands)), known_cards(position.kitty))


def copies_in(belief: Belief, world: World) -> list[list[int]]:
    """Of each hidden kind how many copies each hidden hand has in a world."""
    held = {KITTY: world.kitty, **dict(enumerate(world.hands))}
    piles = [held.get(pile, belief.view.game.deck.none) for pile in belief.compiled.piles]  # one may be nobody's
    return [[pile.count(kind) for pile in piles] for kind in belief.compiled.problem.kinds]


def broken(problem: Problem, rows: list[list[int]]) -> str | None:
    """The first condition of a problem that a deal breaks, read literally; None if it keeps them all."""
    for place, row in enumerate(rows):
        if sum(row) != problem.copies[place]:
            return f"place {place} has {row}, and {problem.copies[place]} copies"
        for hand, copies in enumerate(row):
            if not problem.least[place][hand] <= copies <= problem.most[place][hand]:
                return f"hand {hand} has {copies} at place {place}"
    for group in problem.groups:
        together = sum(n for hand, n in enumerate(rows[group.place]) if group.hands >> hand & 1)
        if not group.least <= together <= group.most or (group.weights and not group.weights[together]):
            return f"{group.facts}: {together} copies"
    for watch in problem.watches:
        state = 0
        for place, table in enumerate(watch.moves, watch.first):
            number = 0
            for hand in watch.hands:
                number = number * (problem.copies[place] + 1) + rows[place][hand]
            state = table[state][number]
            if state == DEAD:
                return f"{watch.facts}: place {place}"
        if not watch.accepts[state]:
            return f"{watch.facts}"
    return None


def splits(copies: list[int], sizes: list[int]) -> Iterator[list[list[int]]]:
    """All ways to give copies of kinds to hands of these sizes, by trying."""
    if not copies:
        yield []
        return

    def rows(left: int, hands: list[int]) -> Iterator[list[int]]:
        if len(hands) == 1:
            if left <= hands[0]:
                yield [left]
            return
        for n in range(min(left, hands[0]) + 1):
            yield from ([n, *rest] for rest in rows(left - n, hands[1:]))

    for row in rows(copies[0], sizes):
        rest = [size - n for size, n in zip(sizes, row, strict=True)]
        yield from ([row, *others] for others in splits(copies[1:], rest))


def labelled(copies: list[int], rows: list[list[int]]) -> int:
    """In how many ways a deal comes about, two copies being two cards."""
    return prod(factorial(n) // prod(map(factorial, row)) for n, row in zip(copies, rows, strict=True))


def world_of(belief: Belief, rows: list[list[int]]) -> World:
    """The world in which the hidden hands have these copies."""
    position, deck = belief.view.position, belief.view.game.deck
    piles = {pile: Counter[int]() for pile in belief.compiled.piles}
    for kind, row in zip(belief.compiled.problem.kinds, rows, strict=True):
        for pile, copies in zip(belief.compiled.piles, row, strict=True):
            piles[pile][kind] = copies
    made = {pile: deck.cards(list(counts.elements())) for pile, counts in piles.items()}
    hands = tuple(hand if isinstance(hand, Cards) else made[seat] for seat, hand in enumerate(position.hands))
    return World(hands, position.kitty if isinstance(position.kitty, Cards) else made[KITTY])


def is_follow(position: Position) -> bool:
    return not position.talking and position.trick is not None and bool(position.trick.plays)
