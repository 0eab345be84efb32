"""Do samplers of hidden hands deal only what can be, and everything that can be equally often?

Renege's beliefs and OpenSpiel's `resample_from_infostate` are asked for worlds where somebody is to play a card, in
deals that were called and played at random. All pass the same three tests:

- Replay. The sampled deal is played again from its start under the game's own rules. A world is *illegal* where a
  call or play that was made would have broken a rule there, and *different* where whoever asked would have seen
  something else.
- Chi-square. Where few worlds are left, all of them are found, and many are drawn. Illegal draws were counted already
  and are left out here. A sampler whose p is tiny does not draw what is left equally often; one that misses worlds
  never draws them at all. Renege lists the worlds itself (its tests compare that list with every deal of the hidden
  cards); for OpenSpiel every deal of the hidden cards is replayed.
- Speed, in the same run, the median of the points: ten worlds at a new point, what is prepared for them included;
  more worlds at the same point; and, for Renege alone, many as arrays.

Who is asked believes all deals equally likely, and hidden choices (a discard in euchre) too. OpenSpiel's hearts pass
no cards where worlds are listed, and its Oh Hell deals as many cards as it can there, since sets would else be large.
"""

import argparse
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from playouts import pin
from resample import OPENSPIEL, SILENT, arrangements, spiel_deals
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from renege.belief import Belief, World
from renege.belief.seen import NoWorldLeft
from renege.core.arbiter import judge
from renege.core.cards import Cards
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position
from renege.core.record import Record, new_record
from renege.core.registry import find_game
from renege.core.trick import Play

WORLDS = 10  # drawn and replayed at a point
PER_DEAL = 4  # points taken from one deal
SMALL = 24  # a set with more worlds is not tested by chi-square
EACH = 40  # draws a world of a small set is expected to get
MANY = 64  # worlds at one point, to measure speed
ARRAYS = 2000
TIMED = 12  # points where many are drawn
UNFAIR = 1e-6  # so small that no set of a fair sampler gets there


class Point(Protocol):
    """A decision, and a sampler of what is hidden from whoever decides."""

    @property
    def rejects(self) -> bool:
        """Are some drawn deals thrown away?"""
        ...

    def draw(self, n: int, seed: int) -> Sequence[Any]: ...

    def is_legal(self, world: Any) -> bool:
        """Could everything that was done be done in it?"""
        ...

    def looks_same(self, world: Any) -> bool: ...

    def key(self, world: Any) -> Hashable:
        """What tells worlds apart: who has which cards, not in what order they came."""
        ...

    def listed(self) -> Mapping[Hashable, int] | None:
        """Every world with its weight; None where they are more than a few."""
        ...

    def arrays(self, n: int, seed: int) -> bool:
        """Draws without making objects, where the sampler can."""
        ...

    def tell(self, world: Any) -> str:
        """An illegal world in a line."""
        ...


Deals = Iterator[Sequence[Callable[[], Point]]]  # each deal as its decisions, in order


@dataclass(frozen=True)
class Sampler:
    game: str
    program: str
    deals: Callable[[int], Deals]
    late: Callable[[int], Deals]  # deals in which small sets are looked for


@dataclass
class Finding:
    """What the tests found of one sampler."""

    game: str
    program: str
    points: int = 0
    unanswered: int = 0
    worlds: int = 0
    illegal: int = 0
    different: int = 0
    points_with_illegal: int = 0
    points_with_rejection: int = 0
    p_values: list[float] = field(default_factory=list[float])
    listed: int = 0
    missed: int = 0
    fresh_per_second: float = 0.0
    many_per_second: float = 0.0
    arrays_per_second: float | None = None
    rejecting_per_second: float | None = None
    example: str = ""

    @property
    def unfair(self) -> int:
        return sum(p < UNFAIR for p in self.p_values)


def chi_square_p(statistic: float, freedom: int) -> float:
    """How likely chi-square with so many degrees of freedom is at least this."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    # Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1), up from Q(0, x) = 0 or Q(1/2, x) = erfc √x.
    a, p = (0.5, math.erfc(math.sqrt(half))) if freedom % 2 else (0.0, 0.0)
    while a < freedom / 2:
        p += math.exp(a * math.log(half) - half - math.lgamma(a + 1))
        a += 1
    return min(p, 1.0)


def fit(counts: Mapping[Hashable, int], weights: Mapping[Hashable, int]) -> float:
    """The p-value of counts that should be proportional to the weights."""
    draws, total = sum(counts.values()), sum(weights.values())
    expected = {key: draws * weight / total for key, weight in weights.items()}
    statistic = sum((counts.get(key, 0) - due) ** 2 / due for key, due in expected.items())
    return chi_square_p(statistic, len(weights) - 1)


def small_set(point: Point, weights: Mapping[Hashable, int], seed: int) -> tuple[float, int] | None:
    """The p-value of a sampler at a point and how many worlds it missed; None if too few of its draws are legal."""
    counts: Counter[Hashable] = Counter()
    enough = EACH * len(weights)
    for batch in range(10):
        for world in point.draw(enough, seed + batch):
            key = point.key(world)
            if key in weights:
                counts[key] += 1
        if counts.total() >= enough:
            break
    if counts.total() < enough / 4:
        return None
    return fit(counts, weights), sum(key not in counts for key in weights)


def replay(point: Point, found: Finding, seed: int) -> float:
    """Draws some worlds at a point and judges each. Returns the seconds that a world took."""
    began = time.perf_counter()
    drawn = point.draw(WORLDS, seed)
    taken = time.perf_counter() - began
    illegal = [world for world in drawn if not point.is_legal(world)]
    found.points += 1
    found.worlds += len(drawn)
    found.illegal += len(illegal)
    found.points_with_illegal += bool(illegal)
    found.points_with_rejection += point.rejects
    found.different += sum(not point.looks_same(world) for world in drawn)
    if illegal and not found.example:
        found.example = point.tell(illegal[0])
    return taken / len(drawn)


def audit(sampler: Sampler, points: int, sets: int, seed: int, patience: float = 10.0) -> Finding:
    """All tests of one sampler. Small sets are rare in some games, so that the search for them has an end."""
    found = Finding(sampler.game, sampler.program)
    rng = random.Random(f"audit {seed}")
    answered: list[Point] = []
    seconds: list[float] = []
    in_vain: list[float] = []
    for deal in sampler.deals(seed):
        for make in rng.sample(deal, min(PER_DEAL, len(deal))):
            point = make()
            try:
                seconds.append(replay(point, found, rng.randrange(1 << 32)))
            except (NoWorldLeft, RuntimeError):  # pyspiel's errors are of the second kind
                found.unanswered += 1
            else:
                answered.append(point)
                if point.rejects:
                    in_vain.append(seconds[-1])
            if found.points + found.unanswered >= points:
                break
        if found.points + found.unanswered >= points:
            break
    found.fresh_per_second = 1 / median(seconds)
    found.rejecting_per_second = 1 / median(in_vain) if in_vain else None
    measure(found, rng.sample(answered, min(TIMED, len(answered))))

    ends = time.monotonic() + patience
    for deal in sampler.late(seed + 1):
        last = deal[-len(deal) // 3 :]
        for make in rng.sample(last, min(6, len(last))):
            point = make()
            weights = point.listed()
            if weights is None or not 2 <= len(weights) <= SMALL:
                continue
            tested = small_set(point, weights, rng.randrange(1 << 32))
            if tested is not None:
                found.p_values.append(tested[0])
                found.listed += len(weights)
                found.missed += tested[1]
                break  # one set a deal: those of the same deal are alike
        if len(found.p_values) >= sets or time.monotonic() > ends:
            break
    return found


def measure(found: Finding, points: Sequence[Point]) -> None:
    """Worlds a second where a point has been asked before."""
    objects: list[float] = []
    arrays: list[float] = []
    for number, point in enumerate(points):
        began = time.perf_counter()
        point.draw(MANY, number)
        objects.append(time.perf_counter() - began)
        began = time.perf_counter()
        if point.arrays(ARRAYS, number):
            arrays.append(time.perf_counter() - began)
    found.many_per_second = MANY / median(objects)
    found.arrays_per_second = ARRAYS / median(arrays) if arrays else None


# Renege


class RenegePoint:
    def __init__(self, start: Position, acts: tuple[Act, ...], seat: int) -> None:
        self.view = Record(start, acts).view(seat)

    @cached_property
    def belief(self) -> Belief:
        return Belief(self.view)

    @property
    def rejects(self) -> bool:
        return not self.belief.exact

    def draw(self, n: int, seed: int) -> list[World]:
        return self.belief.draw(n, seed)

    def is_legal(self, world: World) -> bool:
        try:
            return bool(judge(self.belief.record(world)))
        except ValueError:  # cards that are known to have gone elsewhere
            return False

    def looks_same(self, world: World) -> bool:
        return self.belief.record(world).view(self.view.seat) == self.view

    def key(self, world: World) -> Hashable:
        return world

    def listed(self) -> dict[Hashable, int] | None:
        if self.belief.distinct() > SMALL:
            return None
        weights: dict[Hashable, int] = {world: self._ways(world) for world in self.belief.listed()}
        assert not self.belief.exact or sum(weights.values()) == self.belief.count()
        return weights

    def _ways(self, world: World) -> int:
        """Two copies of a card are two cards to the shuffler, so deals that split them are dealt more often."""
        piles = (*world.hands, world.kitty)
        hands = [piles[pile] for pile in self.belief.compiled.piles if pile >= 0]
        kinds = {card for hand in hands for card in hand}
        return math.prod(arrangements([hand.count(kind) for hand in hands]) for kind in kinds)

    def arrays(self, n: int, seed: int) -> bool:
        """Only where every drawn row is a world."""
        if not self.rejects:
            self.belief.worlds.draw(n, seed)
        return not self.rejects

    def tell(self, world: World) -> str:
        return f"{self.view}: {world}"


def anything(position: Position, rng: random.Random) -> str | Play:
    """Any legal call or play; in Tractor mostly leads of one kind, so that there are many tricks."""
    hand = position.hand
    assert isinstance(hand, Cards)
    if position.talking:
        calls = position.legal_calls
        if calls[0].startswith("bury"):
            return "bury " + str(position.game.deck.cards(rng.sample(list(hand), 8)))
        return rng.choice(calls)
    assert position.trick is not None
    if position.game.name == "tractor" and position.trick.lead is None and rng.random() < 0.8:
        return Play(hand.only(1 << rng.choice(list(hand))))
    return position.legal_plays.choose(rng)


def renege_deals(game: Game, seed: int) -> Deals:
    rng = random.Random(f"deals {seed}")
    while True:
        start = new_record(game, rng.randrange(1 << 32)).start
        position, acts = start, list[Act]()
        deal: list[Callable[[], Point]] = []
        while (seat := position.turn) is not None:
            if not position.talking:
                deal.append(partial(RenegePoint, start, tuple(acts), seat))
            acts.append(position.read(anything(position, rng)))
            position = position.then(acts[-1])
        if deal:
            yield deal


# All of them


def samplers() -> list[Sampler]:
    found: list[Sampler] = []
    for name in ("texas42", "schafkopf", "tractor"):
        deals = partial(renege_deals, find_game(name, {}))
        found.append(Sampler(name, "Renege", deals, deals))
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel (the [bench] extra)", file=sys.stderr)
        return found
    for name, layout, audited, small in OPENSPIEL:
        deals, late = (partial(spiel_deals, pyspiel.load_game(text), layout) for text in (audited, small))
        found.append(Sampler(name, "OpenSpiel", deals, late))
    return found


def show(findings: Sequence[Finding], console: Console) -> None:
    columns = ["points", "worlds", "illegal\n%", "points\nhit %", "differ\n%", "unfair\nsets", "least p", "missed\n%"]
    truth = new_table("Samplers of hidden hands", columns)
    speed = new_table("Worlds a second", [f"{WORLDS} at a new point", "many at one", "as arrays"])
    for found in findings:
        truth.add_row(
            found.game,
            found.program,
            str(found.points),
            f"{found.worlds:,}",
            share(found.illegal, found.worlds),
            share(found.points_with_illegal, found.points),
            share(found.different, found.worlds),
            f"{found.unfair}/{len(found.p_values)}",
            f"{min(found.p_values):.1g}" if found.p_values else "",
            share(found.missed, found.listed),
        )
        speeds = (found.fresh_per_second, found.many_per_second, found.arrays_per_second)
        speed.add_row(found.game, found.program, *map(thousands, speeds))
    console.print(truth)
    console.print(
        f"Points hit: with an illegal world among {WORLDS}. Unfair sets: p < {UNFAIR:g}.\n"
        "Missed: of the worlds in all sets, those never drawn.\n"
        f"OpenSpiel cannot resample {', '.join(SILENT)}.\n",
        highlight=False,
    )
    console.print(speed)
    for found in findings:
        if found.points_with_rejection:
            points, pace = found.points_with_rejection, thousands(found.rejecting_per_second)
            console.print(f"{found.game}: at {points} points deals are drawn in vain; {pace} worlds a second there.")
        if found.unanswered:
            console.print(f"{found.game}: no answer at {found.unanswered} points.")
        if found.example:
            console.print(f"Illegal: {found.example}", highlight=False, soft_wrap=True)


def new_table(title: str, columns: Sequence[str]) -> Table:
    table = Table(title=title, box=SIMPLE, padding=0, show_edge=False)
    for column in ("game", "program"):
        table.add_column(column, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else ""


def thousands(speed: float | None) -> str:
    if speed is None:
        return ""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if speed >= size:
            return f"{speed / size:.3g} {unit}"
    return f"{speed:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--points", type=int, default=80, help="points of each sampler, 10 worlds each")
    parser.add_argument("--sets", type=int, default=20, help="small sets of each sampler")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="*", metavar="GAME", help="only these")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
    asked = parser.parse_args()
    core = pin()
    findings: list[Finding] = []
    for sampler in samplers():
        if asked.games and sampler.game not in asked.games:
            continue
        began = time.monotonic()
        print(f"{sampler.program}, {sampler.game} ...", end=" ", file=sys.stderr, flush=True)
        findings.append(audit(sampler, asked.points, asked.sets, asked.seed))
        print(f"{time.monotonic() - began:.1f} s", file=sys.stderr)
    console = Console()
    show(findings, console)
    console.print("not pinned" if core is None else f"pinned to core {core}")
    if asked.json:
        report = [asdict(found) | {"unfair": found.unfair} for found in findings]
        asked.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
