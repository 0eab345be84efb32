"""Rounds of the kernel at larger tables against the rules of Python: every play is legal, and ends are scored alike."""

import numpy as np
import pytest

from renege.core.trick import Play
from renege.core.verdict import Ruling
from renege.games.tractor.rollouts_wide import points_of
from renege.games.tractor.score import bankers_team
from support.steering import SOAK
from support.tractor_wide import WideRound

ROUNDS = 150 * SOAK


@pytest.mark.parametrize("part", range(5))
def test_the_kernel_plays_by_the_rules_and_scores_like_python(part: int) -> None:
    for number in range(part, ROUNDS, 5):
        one = WideRound(number)
        plays, ends = one.played()
        position = one.start
        for cards in plays:
            verdict = position.judge(Play(cards))
            assert verdict.ruling is Ruling.LEGAL, (number, str(position), str(cards), verdict)
            position = position.put(Play(cards))
        assert position.over, number
        assert ends.points[0, 0] == points_of(position), number
        assert ends.teams[0, 0] == sum(1 << seat for seat in bankers_team(position)), number
