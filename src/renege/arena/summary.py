"""The summary of a match: the mean with its interval, the time per move, and a verdict in a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from renege.arena.match import terms
from renege.arena.roles import Part, Role, split_by_calls, split_by_role
from renege.arena.run import MatchPlan, Pair, luck_left, scores
from renege.arena.stats import FEWEST, PairEstimate, estimate, percentile
from renege.core.game import NUMBERS

LONG, HELD_UP = 1.0, 0.85  # milliseconds a move, and the share of a core, from which on a wait is worth telling


@dataclass(frozen=True, slots=True)
class Times:
    """How long an agent took over a move, in milliseconds."""

    moves: int
    mean: float
    p99: float
    longest: float
    core: float  # the share of the time that it had a core to itself; more than one if it used several

    @classmethod
    def of(cls, seconds: Sequence[float], core: float) -> "Times":
        if not seconds:
            return cls(0, 0.0, 0.0, 0.0, 1.0)
        return cls(
            len(seconds),
            1_000 * sum(seconds) / len(seconds),
            1_000 * percentile(seconds, 0.99),
            1_000 * max(seconds),
            core / max(sum(seconds), 1e-9),
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """A match, as far as it was played."""

    plan: MatchPlan
    pairs: int
    estimate: PairEstimate
    ahead: tuple[int, int, int]  # pairs that agent A won, that came out level, and that it lost
    times: tuple[Times, Times]
    luck_left: float | None
    plain: PairEstimate  # without any correction
    planned: int
    roles: dict[Role, Part]
    apart: tuple[PairEstimate, PairEstimate] | None  # what declaring and what defending are worth to A
    calls: tuple[Part, Part]  # pairs that both rounds called alike, and the others

    @property
    def unit(self) -> str:
        """What is counted, and per what: `marks a hand`."""
        found = terms(self.plan.table())
        return f"{found.unit} a {'game' if self.plan.whole_games else found.per}"

    @property
    def null(self) -> bool:
        return self.plan.a == self.plan.b

    @property
    def verdict(self) -> str:
        a, b, found = self.plan.a, self.plan.b, self.estimate
        if self.pairs < FEWEST:
            return f"Too few pairs to {'check the arena' if self.null else 'say which is stronger'}: {FEWEST} at least."
        if self.null and found.covers_zero:
            return f"{a} against itself: the interval covers zero, as it should."
        if self.null:
            return (
                f"{a} against itself, and the interval misses zero: chance does that once in twenty matches, "
                "so play another seed; if that misses too, something favours one side."
            )
        if found.covers_zero:
            return f"Which of {a} and {b} is stronger is open: the interval covers zero."
        best, other = (a, b) if found.mean > 0 else (b, a)
        return f"{best} is stronger than {other}: the interval lies wholly on its side of zero."

    def lines(self) -> Iterator[str]:
        plan = self.plan
        what = "whole games" if plan.whole_games else "deals"
        yield f"{plan.a} against {plan.b}, {plan.game}, {self.pairs} pairs of {what}, seed {plan.seed}"
        rules = ", ".join(f"{name}={choice}" for name, choice in plan.rules.items()) or "default"
        prices = terms(plan.table()).prices
        yield f"house rules: {rules}{f'; {prices}' if prices else ''}"
        if plan.talk_by or plan.play_by:
            seats = NUMBERS[plan.table().players]
            yield f"{plan.talk_by or plan.play_by} {'calls' if plan.talk_by else 'plays'} for all {seats} seats"
        yield f"{plan.a} over {plan.b}: {self.estimate} {self.unit}"
        yield "pairs won {}, level {}, lost {}".format(*self.ahead)
        yield from self._parts()
        if self.luck_left is not None:
            yield f"luck taken off, coefficients fitted on other pairs: {self.luck_left:.1%} of the variance is left"
            yield f"with the luck: {self.plain}"
        for name, times in zip((plan.a, plan.b), self.times, strict=True):
            yield (
                f"time per move of {name}: mean {_ms(times.mean)}, 99 % within {_ms(times.p99)}, "
                f"longest {_ms(times.longest)}, {times.moves} moves"
            )
            if times.mean > LONG and times.core < HELD_UP:
                yield f"the machine was busy: {name} had a core for {times.core:.0%} of its time"
        if self.pairs != self.planned:
            yield f"{self.planned} pairs were planned: an interval read at another number is a little too narrow"
        yield self.verdict

    def _parts(self) -> Iterator[str]:
        """The mean by what A's side was, and by whether both rounds were called alike; parts add up to the mean."""
        for role, part in self.roles.items():
            words = ROLES[role].format(a=self.plan.a, b=self.plan.b)
            yield f"{words}: {part.share:.0%} of deals, {part.lead:+.3f} each; adds {part.adds}"
        for words, found in zip(APART, self.apart or (), strict=False):
            yield f"{words} alone, the same contracts: {found}"
        for words, part in zip(("called alike", "called differently"), self.calls, strict=True):
            if part.share:
                yield f"{words} in both rounds: {part.share:.0%} of pairs, {part.lead:+.3f} each; adds {part.adds}"

    def answer(self) -> dict[str, Any]:
        """The same for programs."""
        plan, found = self.plan, self.estimate
        return {
            "game": plan.game,
            "rules": plan.rules,
            "agents": [plan.a, plan.b],
            "seed": plan.seed,
            "whole_games": plan.whole_games,
            "pairs": self.pairs,
            "planned": self.planned,
            "unit": self.unit,
            "mean": found.mean,
            "error": found.error if self.pairs > 1 else None,
            "interval": _interval(found),
            "won_level_lost": self.ahead,
            "talk_by": plan.talk_by or None,
            "play_by": plan.play_by or None,
            "roles": {role.value: _told(part) for role, part in self.roles.items()},
            "apart": self.apart
            and {
                name: {"mean": one.mean, "interval": _interval(one)}
                for name, one in zip(APART, self.apart, strict=True)
            },
            "calls": {name: _told(part) for name, part in zip(("alike", "different"), self.calls, strict=True)},
            "luck_left": self.luck_left,
            "plain": {"mean": self.plain.mean, "interval": _interval(self.plain)},
            "ms_per_move": {
                side: {"moves": t.moves, "mean": t.mean, "p99": t.p99, "longest": t.longest, "core": t.core}
                for side, t in zip("ab", self.times, strict=True)
            },
            "verdict": self.verdict,
        }


ROLES = {
    Role.DECLARER: "{a} declares",
    Role.DEFENDER: "{b} declares",
    Role.SPLIT: "a seat of each declares",
    Role.NOBODY: "nobody declares",
}


APART = ("declaring", "defending")


def _apart(pairs: Sequence[Pair]) -> tuple[PairEstimate, PairEstimate] | None:
    found = [pair.apart for pair in pairs if pair.apart is not None]
    return (estimate([one for one, _ in found]), estimate([other for _, other in found])) if found else None


def _told(part: Part) -> dict[str, Any]:
    return {"share": part.share, "lead": part.lead, "adds": part.adds.mean, "interval": _interval(part.adds)}


def _interval(found: PairEstimate) -> list[float] | None:
    return [found.low, found.high] if found.pairs > 1 else None


def _ms(time: float) -> str:
    return f"{time:.0f} ms" if time >= 100 else f"{time:.3g} ms"


def summarise(plan: MatchPlan, pairs: Sequence[Pair], planned: int) -> Summary:
    """Summarise these pairs; `planned` is the number of pairs planned when the match began."""
    plain = scores(pairs)
    won, lost = sum(score > 0 for score in plain), sum(score < 0 for score in plain)
    return Summary(
        plan,
        len(pairs),
        estimate(scores(pairs, plan.control)),
        (won, len(plain) - won - lost, lost),
        (
            Times.of([spent for pair in pairs for spent in pair.a], sum(pair.cores[0] for pair in pairs)),
            Times.of([spent for pair in pairs for spent in pair.b], sum(pair.cores[1] for pair in pairs)),
        ),
        luck_left(pairs) if plan.control else None,
        estimate(plain),
        planned,
        split_by_role(pair.told for pair in pairs),
        _apart(pairs),
        split_by_calls(pair.told for pair in pairs),
    )
