"""The whole study, step by step."""

from collections.abc import Callable
from dataclasses import dataclass

from study import claims, compare, measure, timing
from study.compare import Errors, Real
from study.measure import Experiment, Lead, Matching, Packing
from study.paper import draw_leads
from study.timing import Latency, Phases, Runs, Worst

MOST_LEADS = 1_000_000
STEPS = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured. A quick study draws as many leads, and times and compares fewer."""

    leads: int = claims.LEADS
    seed: int = 2026
    quick: bool = False

    def __post_init__(self) -> None:
        if not 1_000 <= self.leads <= MOST_LEADS:
            raise ValueError(f"{self.leads} leads are too few or too many: 1000 to {MOST_LEADS}")
        if self.seed < 0:
            raise ValueError(f"the seed is {self.seed}, and must be 0 or more")

    @property
    def timed(self) -> int:
        return 250 if self.quick else min(self.leads, 20_000)

    @property
    def tricks(self) -> int:
        """Tricks of each size that are compared."""
        return 500 if self.quick else self.leads

    @property
    def timed_tricks(self) -> int:
        return 10 if self.quick else 500

    @property
    def runs(self) -> int:
        return 2 if self.quick else claims.RUNS

    @property
    def rounds(self) -> int:
        return 5 if self.quick else 100


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """All that was measured."""

    plan: Plan
    experiment: Experiment
    matching: Matching
    packing: Packing
    table_three: tuple[Lead, ...]
    real: Real
    errors: tuple[Errors, ...]
    matches: Latency  # the experiment's leads
    tricks: Latency  # throws ruffed three times
    worst: Worst
    phases: Phases
    runs: Runs


def run(plan: Plan, told: Callable[[str], None] = lambda _: None) -> Study:
    """Measure everything; `told` hears of each of `STEPS` steps before it begins."""
    told("the leads of the experiment")
    experiment = measure.experiment(plan.leads, plan.seed)
    told("the orders that the matcher tries")
    rows = measure.match_rows(plan.leads, plan.seed)
    matching = measure.matching(rows, draw_leads(plan.leads, plan.seed))
    told("real suits and real hands")
    real = compare.real(plan.leads, plan.seed)
    told("ruffed throws, against the exact winner")
    errors = compare.errors(plan.tricks, plan.seed)
    told("the time of each match")
    matches = timing.match_latency(rows, matching.visited, plan.timed)
    told("the time of each trick")
    tricks = timing.trick_latency(plan.timed_tricks, range(2, 13), plan.seed)
    told("the time of each phase")
    phases = timing.phases((2, 4, 8, 12, 16, 20, 24), 5_000, plan.seed, 5 if plan.quick else 60)
    told("runs of renege spoj")
    runs = timing.spoj_runs(plan.rounds, plan.seed, plan.runs)
    return Study(
        plan,
        experiment,
        matching,
        measure.packing(),
        measure.table_three(matching),
        real,
        errors,
        matches,
        tricks,
        timing.worst(),
        phases,
        runs,
    )
