"""What a player makes of one decision: what it would do, what its search has found, and what its network likes."""

import random
from dataclasses import dataclass
from typing import Protocol

from renege.core.position import View
from renege.games.strategy import Advice, Search
from renege.nets import Likes
from renege.search.pimc import Findings


@dataclass(frozen=True, slots=True)
class Study:
    """A decision as a player sees it. Without a search nothing was found, and without a network nothing is liked.

    `search` is how that was found, to try something else in the same way.
    """

    advice: Advice
    found: Findings | None = None
    search: Search | None = None
    likes: Likes | None = None


class Student(Protocol):
    """A player that can be asked what it makes of a decision."""

    def study(self, view: View, rng: random.Random) -> Study:
        """What it makes of the decision of the seat to move."""
        ...
