"""Players: each is given a view and says what it would call or play, and why."""

import re

from renege.agents.net import Net
from renege.agents.regret import Regret, RegretPlayer, Taking
from renege.agents.searcher import Searcher
from renege.agents.simple import Agent, Random, Rulebook
from renege.core.game import Game
from renege.games.abstraction import abstraction_of
from renege.games.strategy import strategy_of
from renege.search import search_of

__all__ = ["Agent", "Net", "Random", "Regret", "RegretPlayer", "Rulebook", "Searcher", "check_agent", "parse_agent"]

REGRET = {"regret42": Taking.BY_SHARES, "regret42-pure": Taking.LIKELIEST}


def parse_agent(text: str) -> Agent:
    """`random`, `rulebook`, `net`, `searcher:50ms`, `searcher:30w`, both limits as `searcher:50ms,30w`.

    `net:FILE` and `regret42:FILE` play by a file of one's own. `searcher:50ms,gpu` works on a GPU, and
    `searcher:4w,remember` goes by what the game remembers too. `regret42-pure` takes the likeliest way always.
    `regret:FILE` plays a shrunk game.
    """
    if text == "random":
        return Random()
    if text == "rulebook":
        return Rulebook()
    kind, _, file = text.partition(":")
    if kind == "net" and (file or ":" not in text):
        return Net(file or None)
    if kind in REGRET and (file or ":" not in text):
        return RegretPlayer(file or None, REGRET[kind])
    if kind == "regret" and file:
        return Regret(file)
    found = re.fullmatch(
        r"searcher:(?=[0-9])(?:([0-9]+(?:\.[0-9]+)?)ms(?:,(?=[0-9])|(?=,)|$))?(?:([0-9]+)w)?(,gpu)?(,remember)?", text
    )
    if found is None:
        kinds = (
            "random, rulebook, net, searcher:50ms, searcher:30w, searcher:50ms,gpu, regret42, regret42-pure, "
            "regret:FILE or net:FILE"
        )
        raise ValueError(f"{text!r} is no agent: {kinds}")
    ms, worlds, gpu, remember = found.groups()
    limits = None if ms is None else float(ms), None if worlds is None else int(worlds)
    return Searcher(*limits, device="cpu" if gpu is None else "gpu", remember=remember is not None)


def check_agent(agent: Agent, game: Game) -> None:
    """Refuse an agent that does not play this game, or not under its house rules, before it takes a seat."""
    if isinstance(agent, Searcher):
        search_of(game)
    elif isinstance(agent, Rulebook) and strategy_of(game).policy is None:
        raise ValueError(f"{game.name} has no policy: no such agent plays it")
    elif isinstance(agent, RegretPlayer):
        abstraction_of(game)
    elif isinstance(agent, Net):
        agent.network(game.name).encoding(game)
