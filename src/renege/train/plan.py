# PyTorch is an extra, and where it is not installed none of its types are known.
# pyright: basic, reportMissingImports=false
"""What a training is: the game and its house rules, the size of the networks, the numbers of the learner."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.registry import find_game
from renege.games.training import House, training_of
from renege.train.network import CRITIC, POLICY, Size


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """All that a training depends on; with the same plan, device and version it comes out the same, bit by bit."""

    game: str
    houses: tuple[House, ...]
    seed: int = 1
    rounds: int = 40
    """Rounds over which rates fall. Tables are dealt anew at the beginning of each, and a checkpoint ends it."""
    updates: int = 40
    """Updates of a round."""
    lanes: int = 16_384
    steps: int = 64
    """Actions on each lane between two updates."""
    batch: int = 65_536
    size: Size = POLICY
    critic: Size = CRITIC
    rate: tuple[float, float] = (5e-4, 5e-5)
    """The learning rate, at first and at last."""
    entropy: tuple[float, float] = (0.03, 0.002)
    call_entropy: tuple[float, float] = (0.06, 0.004)
    """The same for calls, so that nobody stops bidding before anybody can play."""
    trace: float = 0.95
    """GAE's lambda."""
    clip: float = 0.2
    gradient: float = 0.5
    """The largest norm of a gradient."""
    pool: float = 0.15
    """The share of lanes on which every other seat is played by an older policy."""
    pool_size: int = 3
    groups: int = 6
    """Of the tables of a house: their deals are at different points."""
    deal_length: int = 40
    """The actions of a deal, about."""
    teacher: str = "rulebook"
    lessons: int = 20_000
    """Deals of the teacher to begin from; 0 for none."""
    lesson_passes: int = 30
    """How often a lesson is played on every lane before the learning by itself begins."""
    against: str = ""
    """The digest of a frozen network that plays every other seat of every table, where an exploiter learns."""
    greedy: bool = True
    """Does the frozen network take what it likes best, as `net` does, or draw by its likelihoods?"""
    warm_up: float = 0.0
    """The share of the training in which the critic alone learns."""
    threads: int = 1
    """That step tables on the CPU."""

    def table(self, house: House) -> Game:
        """The game under one of the houses."""
        return find_game(self.game, dict(house.rules))

    def between(self, ends: tuple[float, float], done: float) -> float:
        """A number that falls from the first to the last as the training is done."""
        first, last = ends
        return first * (last / first) ** min(done, 1.0)

    def lanes_of(self) -> list[int]:
        """The lanes of each house."""
        whole = sum(house.share for house in self.houses)
        counts = [max(1, round(self.lanes * house.share / whole)) for house in self.houses]
        counts[0] += self.lanes - sum(counts)
        return counts

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def make_plan(name: str, rules: Mapping[str, str] | None = None, **asked: Any) -> TrainPlan:
    """The plan for a game, with these numbers in place of its own; `rules` hold in all its houses."""
    game = find_game(name, dict(rules or {}))
    found = training_of(game)
    groups = max(2, found.deal_length // 28)  # a deal that is longer than the steps between updates needs more of them
    houses = _houses(found.houses, write_rules(game.rules))
    plan = TrainPlan(game.name, houses, trace=found.trace, deal_length=found.deal_length, groups=groups)
    return replace(plan, **{key: value for key, value in asked.items() if value is not None})


def _houses(houses: tuple[House, ...], rules: dict[str, str]) -> tuple[House, ...]:
    """The houses of a game with these rules in all of them; those that are the same then are one."""
    found: dict[tuple[tuple[str, str], ...], House] = {}
    for house in houses:
        told = tuple({**dict(house.rules), **rules}.items())
        share = house.share + (found[told].share if told in found else 0.0)
        found[told] = House(told, share, found.get(told, house).unit)
    return tuple(found.values())


def make_exploiter_plan(name: str, digest: str, rules: Mapping[str, str] | None = None, **asked: Any) -> TrainPlan:
    """The plan of a best response to a frozen network, from which it begins.

    It learns under the first of the game's houses alone, which is how the arena plays, and wanders less than a learner
    that knows nothing.
    """
    usual = {"against": digest, "pool": 1.0, "lessons": 0, "rate": (3e-4, 3e-5)}
    usual |= {"entropy": (0.01, 0.001), "call_entropy": (0.02, 0.002)}
    plan = make_plan(name, rules, **{**usual, **{key: value for key, value in asked.items() if value is not None}})
    return replace(plan, houses=plan.houses[:1], warm_up=1 / plan.rounds)


def read_plan(told: dict[str, Any]) -> TrainPlan:
    """A plan that was written by `as_json`."""
    houses = tuple(House(tuple(map(tuple, house["rules"])), house["share"], house["unit"]) for house in told["houses"])
    pairs = {name: tuple(told[name]) for name in ("rate", "entropy", "call_entropy")}
    sizes = {name: Size(**told[name]) for name in ("size", "critic")}
    return TrainPlan(**{**told, **pairs, **sizes, "houses": houses})
