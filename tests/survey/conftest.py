"""Small surveys that take no time: sevens leaves a hand hardly a choice."""

from collections.abc import Callable
from pathlib import Path

import pytest

from renege.games import texas42
from renege.survey.plan import SurveyPlan, make_plan
from renege.survey.run import find_solver, run


@pytest.fixture
def quick() -> SurveyPlan:
    return make_plan(texas42.game(), worlds=6, seed=5, piece=4, declarations=["sevens", "follow-me"])


@pytest.fixture
def solved(tmp_path: Path, quick: SurveyPlan) -> Callable[[int], Path]:
    """The folder of the quick survey with so many hands."""

    def make(hands: int) -> Path:
        folder = tmp_path / f"of-{hands}"
        run(quick, folder, hands, find_solver("cpu"))
        return folder

    return make
