"""What a player makes of one decision: what it would do, what its search has found, and what its network likes."""

import random
from dataclasses import dataclass
from typing import Protocol

from renege.core.position import View
from renege.games.strategy import Advice
from renege.nets import Likes
from renege.search.pimc import Findings


@dataclass(frozen=True, slots=True)
class Study:
    """A decision as a player sees it. What was found or is liked is None where it has no search, or no network."""

    advice: Advice
    found: Findings | None = None
    likes: Likes | None = None


class Student(Protocol):
    """A player that can be asked what it makes of a decision."""

    def study(self, view: View, rng: random.Random) -> Study:
        """What it makes of the decision of the seat to move."""
        ...
