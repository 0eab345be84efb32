"""Search: what each play is worth, over the worlds that a view allows."""

from renege.search.devices import NoGpuWarning, engine_named
from renege.search.pimc import ONLY, Estimate, Findings, search_of, weigh

__all__ = ["ONLY", "Estimate", "Findings", "NoGpuWarning", "engine_named", "search_of", "weigh"]
