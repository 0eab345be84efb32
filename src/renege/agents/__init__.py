"""Players: each is given a view and says what it would call or play, and why."""

import re

from renege.agents.agent import Agent
from renege.agents.learnt import Regret
from renege.agents.regret import RegretPlayer, Taking
from renege.agents.searcher import Searcher
from renege.agents.simple import Random, Rulebook

__all__ = ["Agent", "Random", "Regret", "RegretPlayer", "Rulebook", "Searcher", "parse_agent"]

REGRET = {"regret42": Taking.BY_SHARES, "regret42-pure": Taking.LIKELIEST}


def parse_agent(text: str) -> Agent:
    """`random`, `rulebook`, `searcher:50ms`, `searcher:30w`, both limits as `searcher:50ms,30w`; `regret42:FILE`.

    `searcher:50ms,gpu` works on a GPU. `regret:FILE` plays a shrunk game.
    """
    if text == "random":
        return Random()
    if text == "rulebook":
        return Rulebook()
    kind, _, file = text.partition(":")
    if kind in REGRET and (file or ":" not in text):
        return RegretPlayer(file or None, REGRET[kind])
    if kind == "regret" and file:
        return Regret(file)
    limits = text.removesuffix(",gpu")
    found = re.fullmatch(r"searcher:(?=[0-9])(?:([0-9]+(?:\.[0-9]+)?)ms(?:,(?=[0-9])|$))?(?:([0-9]+)w)?", limits)
    if found is None:
        kinds = "random, rulebook, regret42, regret:FILE, searcher:50ms, searcher:30w or searcher:50ms,gpu"
        raise ValueError(f"{text!r} is no agent: {kinds}")
    ms, worlds = found.groups()
    device = "cpu" if limits == text else "gpu"
    return Searcher(None if ms is None else float(ms), None if worlds is None else int(worlds), device)
