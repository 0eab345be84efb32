"""The plan of a self-play data set: the game, the agent, the deals, and the columns."""

import random
from dataclasses import dataclass
from typing import ClassVar

from renege.agents import Searcher, check_agent, parse_agent
from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.registry import find_game
from renege.games.encoding import encoding_of
from renege.games.strategy import strategy_of
from renege.jobs.folder import Plan
from renege.search import search_of

FORMAT = "renege selfplay 2"
MOST_DEALS = 1 << 26


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfplayPlan(Plan):
    """The plan of a data set: all that is needed to play any of its deals again. It is stored with it."""

    A: ClassVar[str] = "self-play"
    OTHER: ClassVar[str] = "other self-play"

    format: str = FORMAT
    game: str
    version: int  # the game's own version: it rises when a verdict changes
    rules: dict[str, str]
    agent: str
    seed: int
    piece: int  # deals that are played, and written, together
    odds: bool  # is it told where each card may be?
    values: int | None  # in how many worlds every option is tried, where it is told what each is worth

    def table(self) -> Game:
        return find_game(self.game, self.rules)


def make_plan(
    game: Game, agent: str, *, seed: int, piece: int = 64, odds: bool = False, values: int | None = None
) -> SelfplayPlan:
    """The plan of a data set; what cannot be played, or not be played again, is refused."""
    player = parse_agent(agent)
    if isinstance(player, Searcher) and player.ms is not None:
        raise ValueError(f"{agent} plays as the machine has time, and never the same twice: limit it by worlds, 30w")
    if agent == "rulebook" and strategy_of(game).policy is None:
        raise ValueError(f"{game.name} has no rulebook: another agent may play it")
    check_agent(player, game)
    if values is not None:
        search_of(game)  # it says what an option is worth
    if values is not None and values < 1:
        raise ValueError(f"values over {values} worlds are none; it must be 1 or more")
    if piece < 1:
        raise ValueError(f"piece is {piece}; it must be 1 or more")
    try:
        moment = encoding_of(game).deal(0)
        assert moment.legal
        moment.observe(moment.turn)
    except (ValueError, AssertionError) as wrong:
        raise ValueError(f"{game.name} is not put into numbers yet, and a data set needs them: {wrong}") from None
    return SelfplayPlan(
        game=game.name,
        version=game.version,
        rules=write_rules(game.rules),
        agent=agent,
        seed=seed,
        piece=piece,
        odds=odds,
        values=values,
    )


def deal_seed(plan: SelfplayPlan, deal: int) -> int:
    """The seed that a deal is shuffled by: the same whoever plays it."""
    return random.Random(f"selfplay:{plan.seed}:{deal}").getrandbits(40)
