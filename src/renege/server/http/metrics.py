"""Prometheus metrics: tables, connections, acts, and latencies."""

import asyncio
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
LAG_EVERY = 0.25


class Metrics:
    """The counters of one server, in a registry of their own."""

    def __init__(self) -> None:
        own = self.registry = CollectorRegistry()
        self.tables = Gauge("renege_tables", "Tables in memory", registry=own)
        self.connections = Gauge("renege_connections", "Open WebSockets", registry=own)
        self.acts = Counter("renege_acts", "What seats sent", ("game", "outcome"), registry=own)
        self.act_seconds = Histogram(
            "renege_act_seconds", "From the receipt of an act until it is kept", registry=own, buckets=QUICK
        )
        self.bot_seconds = Histogram(
            "renege_bot_seconds", "How long bots think", ("level",), registry=own, buckets=SLOW
        )
        self.requests = Counter("renege_requests", "HTTP requests", ("route", "status"), registry=own)
        self.lag = Histogram("renege_loop_lag_seconds", "How late the event loop is", registry=own, buckets=QUICK)

    async def watch_loop(self) -> None:
        """Sleep, and see how much later than asked we wake up."""
        while True:
            start = time.perf_counter()
            await asyncio.sleep(LAG_EVERY)
            self.lag.observe(max(0.0, time.perf_counter() - start - LAG_EVERY))
