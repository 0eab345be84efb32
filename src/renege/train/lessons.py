"""Deals played by a teacher, to begin from: a network that has never seen a sensible contract learns to pass.

A lesson is a deal and the actions that were taken in it; replayed at a table it shows every row that the teacher saw.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from renege.agents import Agent, parse_agent
from renege.core.arbiter import Arbiter
from renege.core.atomic_file import write_atomically
from renege.core.cards import known_cards
from renege.core.game import Game
from renege.core.registry import find_game
from renege.core.view import Onlooker
from renege.core.world import World, piles_of
from renege.games.encoding import Encoding, Moment, encoding_of
from renege.games.rows import Rows
from renege.games.small import gains
from renege.games.training import House
from renege.jobs import run_pieces
from renege.native.arrays import F32, I16, U8, U64

PIECE = 20  # deals that a process plays before it hands them over


@dataclass(frozen=True)
class Lessons:
    """Deals of one house: where each begins, its cards, the actions in it (ended by -1) and what it paid each seat."""

    standings: U8
    piles: U64
    actions: I16
    paid: F32

    def __len__(self) -> int:
        return len(self.standings)


def play_lessons(
    game: str, house: House, teacher: str, count: int, seed: int, workers: int | None, told: Callable[[int], None]
) -> Lessons:
    """So many deals, played by the teacher at all seats; the same for the same seed, however many work."""
    work = partial(_piece, game, house.rules, teacher, seed)
    pieces = run_pieces(work, range(-(-count // PIECE)), workers=workers, noun="lesson")
    found: dict[int, Lessons] = {}
    for number, lessons in pieces:
        found[number] = lessons
        told(min(count, sum(map(len, found.values()))))
    return _joined([found[number] for number in sorted(found)], count)


def _piece(game: str, rules: tuple[tuple[str, str], ...], teacher: str, seed: int, number: int) -> Lessons:
    table = find_game(game, dict(rules))
    encoding, agent = encoding_of(table, Rows(1)), parse_agent(teacher)
    deals = [_lesson(table, encoding, agent, random.Random(f"{seed} {number} {i}")) for i in range(PIECE)]
    return _joined(deals, PIECE)


def _lesson(game: Game, encoding: Encoding, agent: Agent, rng: random.Random) -> Lessons:
    """One deal. Whoever is to act says all that it has to say, as at the tables of the environments."""
    arbiter = Arbiter(game, rng.getrandbits(40), encoding.standing(rng))
    start = arbiter.position
    seen = [Onlooker(arbiter.record, seat) for seat in game.all_seats]
    actions: list[int] = []
    while (seat := arbiter.position.turn) is not None:
        view, before = seen[seat].view, arbiter.position
        said = agent.interject(view, rng) if seat in before.speakers and not before.talking else None
        what = (said or agent.choose(view, rng)).what
        actions += Moment(encoding, start, before, (), game.deck.none).numbers(what)
        arbiter.act(seat, what)
        for onlooker in seen:
            onlooker.follow(before, arbiter.record)
    result = arbiter.position.result
    paid = gains((0,) * game.players if result is None else result.score, sides=encoding.has_sides)
    piles = piles_of([World(tuple(map(known_cards, start.hands)), known_cards(start.kitty))])
    standing = np.array([encoding.told_standing(start.standing)], np.uint8)
    return Lessons(standing, piles, np.array([actions], np.int16), np.array([paid], np.float32))


def _joined(parts: list[Lessons], count: int) -> Lessons:
    longest = max(part.actions.shape[1] for part in parts)
    actions = [
        np.pad(part.actions, ((0, 0), (0, longest - part.actions.shape[1])), constant_values=-1) for part in parts
    ]
    rest = (np.concatenate([getattr(part, name) for part in parts])[:count] for name in ("standings", "piles", "paid"))
    standings, piles, paid = rest
    return Lessons(standings, piles, np.concatenate(actions)[:count], paid)


def padded(actions: I16, longest: int) -> I16:
    """Rows of actions made as long as this."""
    return np.pad(actions, ((0, 0), (0, longest - actions.shape[1])), constant_values=-1)


def save_lessons(path: Path, houses: list[Lessons]) -> None:
    arrays = {f"{name}{i}": getattr(part, name) for i, part in enumerate(houses) for name in NAMES}
    with write_atomically(path) as file:
        np.savez_compressed(file, **arrays)


def load_lessons(path: Path) -> list[Lessons]:
    with np.load(path) as found:
        houses = len(found.files) // len(NAMES)
        return [Lessons(*(found[f"{name}{i}"] for name in NAMES)) for i in range(houses)]


NAMES = ("standings", "piles", "actions", "paid")
