"""Services that all tables of a server share: the store, the worker pool, seeds, and a hook for metrics."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from renege.server.messages import Level
from renege.server.store.store import Store
from renege.server.workers.pool import Workers

Thought: TypeAlias = Callable[[Level, float], None]  # a bot's level, and its seconds


@dataclass(slots=True)
class TableServices:
    """The event store, the workers in which bots think, the seed of each deal, and who hears how long a bot thinks."""

    store: Store
    workers: Workers
    seed_for: Callable[[int, int], int]  # the table's ordinal, the number of the deal
    thought: Thought | None = None
