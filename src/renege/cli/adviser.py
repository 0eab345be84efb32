"""Whom a command asks what to do: the best player of a game, or one that is named."""

from typing import Annotated

from typer import Option

from renege.agents import check_agent, parse_agent
from renege.agents.best import Adviser, advised_by, best_player
from renege.core.game import Game
from renege.core.notation import NotationError

AgentOption = Annotated[
    str | None, Option(metavar="AGENT", help="ask this player instead of the best one: net, searcher:500ms, rulebook")
]


def adviser(agent: str | None, game: Game, ms: float | None, worlds: int | None = None, device: str = "cpu") -> Adviser:
    """Who is asked: the player of this name, else the best one, with so many milliseconds or worlds."""
    if agent is None:
        return best_player(game, None if worlds is not None else ms, worlds, device=device)
    try:
        player = parse_agent(agent)
        check_agent(player, game)
    except (ValueError, OSError) as wrong:
        raise NotationError(f"--agent: {wrong}") from None
    return advised_by(player)
