"""What all tables of a server share."""

from collections.abc import Callable
from dataclasses import dataclass

from renege.server.messages import Level
from renege.server.store.store import Store
from renege.server.workers.pool import Workers


@dataclass(slots=True)
class Means:
    """Where events are kept, where bots think, where cards come from, and who is told how long bots took."""

    store: Store
    workers: Workers
    seed_for: Callable[[int, int], int]  # the table's ordinal, the number of the deal
    thought: Callable[[Level, float], None] | None = None
