"""Players: each is given a view and says what it would call or play, and why."""

import re

from renege.agents.net import Net
from renege.agents.regret import Regret
from renege.agents.searcher import Searcher
from renege.agents.simple import Agent, Random, Rulebook
from renege.core.game import Game
from renege.games.strategy import strategy_of
from renege.search import search_of

__all__ = ["Agent", "Net", "Random", "Regret", "Rulebook", "Searcher", "check_agent", "parse_agent"]


def parse_agent(text: str) -> Agent:
    """`random`, `rulebook`, `net`, `searcher:50ms`, `searcher:30w`, both limits as `searcher:50ms,30w`.

    `searcher:net,50ms` is the search that stands on the network, `searcher:net:FILE,50ms` on one's own; settings of
    that search follow as `searcher:net,50ms,ahead=8` (see `renege.search.on_network`).
    `net:FILE` plays by a file of one's own. `searcher:50ms,gpu` works on a GPU. `regret:FILE` plays a shrunk game.
    """
    if text == "random":
        return Random()
    if text == "rulebook":
        return Rulebook()
    kind, _, file = text.partition(":")
    if kind == "net" and (file or ":" not in text):
        return Net(file or None)
    if kind == "regret" and file:
        return Regret(file)
    found = _parse_searcher(text.removeprefix("searcher:")) if text.startswith("searcher:") else None
    if found is None:
        kinds = (
            "random, rulebook, net, searcher:50ms, searcher:30w, searcher:net,50ms, searcher:50ms,gpu, regret:FILE "
            "or net:FILE"
        )
        raise ValueError(f"{text!r} is no agent: {kinds}")
    return found


LIMITS = re.compile(r"net(?P<net>:.+)?|(?P<ms>[0-9]+(\.[0-9]+)?)ms|(?P<worlds>[0-9]+)w|gpu|(?P<setting>[a-z]+=[^,]+)")


def _parse_searcher(text: str) -> Searcher | None:
    """A searcher by what stands behind its name, parted by commas, each of it once; None if it is none."""
    told: dict[str, str | None] = {}
    settings = list[tuple[str, str]]()
    for part in text.split(","):
        found = LIMITS.fullmatch(part)
        kind = "" if found is None else found.lastgroup or part
        if found is not None and kind == "setting":
            name, _, value = part.partition("=")
            settings.append((name, value))
            continue
        if found is None or kind in told:
            return None
        told[kind] = found[kind] if found.lastgroup else ""
    ms, worlds, net = told.get("ms"), told.get("worlds"), told.get("net")
    if ms is None and worlds is None:
        return None
    return Searcher(
        None if ms is None else float(ms),
        None if worlds is None else int(worlds),
        device="gpu" if "gpu" in told else "cpu",
        net=None if net is None else net.removeprefix(":"),
        settings=tuple(settings),
    )


def check_agent(agent: Agent, game: Game) -> None:
    """Refuse an agent that does not play this game, or not under its house rules, before it takes a seat."""
    if isinstance(agent, Searcher) and agent.net is not None:
        agent.network(game).net.encoding(game)
    elif isinstance(agent, Searcher):
        search_of(game)
    elif isinstance(agent, Rulebook) and strategy_of(game).policy is None:
        raise ValueError(f"{game.name} has no policy: no such agent plays it")
    elif isinstance(agent, Net):
        agent.network(game.name).encoding(game)
