"""Our games in OpenSpiel beside OpenSpiel's own: stepping through pyspiel, and drawing what a seat cannot see.

All games take turns in short slots, in one process on one core, so that a machine that slows down slows all of them.
A step is a decision of a player, chosen at random; the deal is paid for and not counted. Worlds are drawn by
`resample_from_infostate` where somebody is to decide, 10 at a point: each is then played again from the first card on
under the game's own rules, and is illegal where something that was done would have broken one.
"""

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pyspiel
from playouts import pin
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from renege.adapters.openspiel import NAMES

THEIRS = ["bridge(use_double_dummy_result=false)", "hearts", "euchre", "oh_hell(players=4)"]
WORLDS = 10  # at a point


@dataclass
class Measured:
    """What one game came to, slot by slot."""

    steps: list[float] = field(default_factory=list[float])
    with_tensor: list[float] = field(default_factory=list[float])
    clones: list[float] = field(default_factory=list[float])
    worlds: list[float] = field(default_factory=list[float])
    drawn: int = 0
    illegal: int = 0


def deal(game: Any, rng: random.Random, at_decision: Callable[[Any], None]) -> int:
    """One deal at random; how many decisions it had."""
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            at_decision(state)
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions


def stepped(game: Any, seconds: float, rng: random.Random, look: Callable[[Any], None]) -> float:
    """Decisions a second."""
    began, count = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        count += deal(game, rng, look)
    return count / spent


def points(game: Any, count: int, rng: random.Random) -> list[Any]:
    """States where somebody is to decide, by chance."""
    found: list[Any] = []
    while len(found) < count:
        states: list[Any] = []
        deal(game, rng, lambda state, kept=states: kept.append(state.clone()))
        found += rng.sample(states, min(4, len(states)))
    return found[:count]


def is_legal(game: Any, history: list[int]) -> bool:
    state = game.new_initial_state()
    for action in history:
        if action not in state.legal_actions():
            return False
        state.apply_action(action)
    return True


def measure(game: Any, found: Measured, seconds: float, rng: random.Random) -> None:
    """One slot of each kind."""
    found.steps.append(stepped(game, seconds, rng, lambda state: None))
    kind = game.get_type()
    tensor = "information_state_tensor" if kind.provides_information_state_tensor else "observation_tensor"
    found.with_tensor.append(stepped(game, seconds, rng, lambda state: getattr(state, tensor)(state.current_player())))
    states = points(game, 12, rng)
    began = time.perf_counter()
    for state in states * 20:
        state.clone()
    found.clones.append((time.perf_counter() - began) / 240 * 1e6)
    began = time.perf_counter()
    worlds = [
        state.resample_from_infostate(state.current_player(), rng.random) for state in states for _ in range(WORLDS)
    ]
    found.worlds.append(len(worlds) / (time.perf_counter() - began))
    found.drawn += len(worlds)
    found.illegal += sum(not is_legal(game, world.history()) for world in worlds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of a slot")
    given = parser.parse_args()
    pin()
    games = [*NAMES.values(), *THEIRS]
    found = {name: Measured() for name in games}
    for turn in range(given.rounds):
        for name in games:
            measure(pyspiel.load_game(name), found[name], given.seconds, random.Random(turn))
    table = Table(box=SIMPLE, min_width=100, title=f"through pyspiel, medians of {given.rounds} rounds")
    for column in ("game", "steps/s", "with tensor", "clone, us", "worlds/s", "drawn", "illegal"):
        table.add_column(column, justify="left" if column == "game" else "right", no_wrap=True)
    for name, one in found.items():
        speeds = [f"{median(numbers):,.0f}" for numbers in (one.steps, one.with_tensor)]
        rest = [f"{median(one.clones):.1f}", f"{median(one.worlds):,.0f}", f"{one.drawn:,}"]
        table.add_row(name, *speeds, *rest, f"{one.illegal / one.drawn:.1%}")
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
