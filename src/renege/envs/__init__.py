"""Environments for reinforcement learning: many tables of a game stepped at once, or one, by versioned ids."""

from renege.envs.batch import BatchEnv, lane_seeds, make
from renege.envs.registry import find, ids
from renege.envs.single import Env

__all__ = ["BatchEnv", "Env", "find", "ids", "lane_seeds", "make"]
