"""Results of a survey: by hand and declaration the distribution of points, and the chance of each bid."""

from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from renege.games.openings import Call, Counted, openings_of
from renege.native.arrays import F64, I64
from renege.survey.plan import SurveyPlan

POINTS = 43  # 0 to 42
BIDS = range(30, 43)  # 42 is a mark, and so are 84 and more
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Survey:
    """`numbers [H]`, `hands [H]` as masks, and `counts [H, declarations, 43]`: worlds by the points of the takers.

    The takers are the declarer's side or, in nello, the declarer, who is not to take any.
    """

    plan: SurveyPlan
    numbers: I64
    hands: I64
    counts: I64

    def __len__(self) -> int:
        return len(self.hands)

    @cached_property
    def calls(self) -> list[Call]:
        return self.plan.calls()

    @cached_property
    def usual(self) -> I64:
        """`[H]`: which of the declarations the rulebook would name, -1 where the survey has it not.

        It was chosen without a look at the worlds, so its chances are not flattered by the choice.
        """
        names = {call.name: i for i, call in enumerate(self.calls) if call.usual}
        game = self.plan.game
        chosen = [openings_of(game).usual(game.rules, hand) for hand in self.hands.tolist()]
        return np.array([names.get(name, -1) for name in chosen], np.int64)

    def by_usual(self) -> "Usual":
        """The hands whose usual declaration was solved, each under that one."""
        rows = np.flatnonzero(self.usual >= 0)
        if not len(rows):
            raise ValueError("no hand was solved under the declaration that the rulebook names for it")
        chosen = self.usual[rows]
        calls = [self.calls[int(i)] for i in chosen]
        return Usual([int(hand) for hand in self.hands[rows]], calls, self.counts[rows, chosen])


@dataclass(frozen=True, slots=True)
class Usual:
    """Hands as masks, the one declaration of each, and `counts [H, 43]` of that."""

    hands: list[int]
    calls: list[Call]
    counts: I64

    def counted(self) -> list[Counted]:
        pairs = zip(self.hands, self.calls, strict=True)
        return [call.count(hand) for hand, call in pairs if call.count is not None]


def made(counts: I64, bid: int, call: Call | None = None) -> I64:
    """`counts [..., 43]` -> in how many worlds a bid is made; without a call, one for points."""
    if call is not None and call.in_marks:
        if bid != BIDS[-1]:
            raise ValueError(f"{call.text} is bid in marks, not for {bid}")
        return counts[..., call.made]
    return counts[..., bid:].sum(axis=-1)


def mean_points(counts: I64) -> F64:
    """`counts [..., 43]` -> the points of the takers on average."""
    return counts @ np.arange(POINTS) / counts.sum(axis=-1)


def wilson(hits: I64, n: I64 | int) -> tuple[F64, F64]:
    """Wilson's 95 % interval for a chance that came up `hits` times in `n` independent worlds."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    n = np.asarray(n, np.int64)
    share = hits / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return np.clip(middle - reach, 0, share), np.clip(middle + reach, share, 1)  # what was seen is always within


def best_call(survey: Survey, row: int) -> int | None:
    """The declaration of a hand that makes 30 most often, of equals the one with more points; None if none is bid so.

    It is chosen by the worlds that tell its chance, and so a little flattered where there are few.
    """
    for_points = [i for i, call in enumerate(survey.calls) if not call.in_marks]
    counts = survey.counts[row]
    return max(for_points, key=lambda i: (made(counts[i], BIDS[0]), mean_points(counts[i])), default=None)
