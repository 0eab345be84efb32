"""Search: perfect-information Monte Carlo over sampled worlds, reviews, and regret minimisation."""

from renege.search.devices import NoGpuWarning, engine_named
from renege.search.pimc import ONLY, Estimate, Findings, search_of, weigh

__all__ = ["ONLY", "Estimate", "Findings", "NoGpuWarning", "engine_named", "search_of", "weigh"]
