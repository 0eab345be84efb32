"""Players: each is given a view and says what it would call or play, and why."""

from renege.agents.agent import Agent
from renege.agents.simple import Random, Rulebook

__all__ = ["Agent", "Random", "Rulebook"]
