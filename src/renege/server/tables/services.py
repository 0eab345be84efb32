"""Services that all tables of a server share: the store, the worker pool, seeds, and a hook for metrics."""

from collections.abc import Callable
from dataclasses import dataclass

from renege.server.messages import Level
from renege.server.store.store import Store
from renege.server.workers.pool import Workers


@dataclass(slots=True)
class TableServices:
    """The event store, the workers in which bots think, the seed of each deal, and a callback with a bot's seconds."""

    store: Store
    workers: Workers
    seed_for: Callable[[int, int], int]  # the table's ordinal, the number of the deal
    thought: Callable[[Level, float], None] | None = None
