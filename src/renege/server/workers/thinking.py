"""What bots are asked and what they say to it, and claims. This runs in workers, so it imports little."""

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from renege.agents import Agent, Net, Random, Rulebook, Searcher
from renege.agents.best import best_player, stand_ins
from renege.core.arbiter import Arbiter
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.verdict import Verdict
from renege.games.strategy import strategy_of
from renege.server.levels import Level

THINKING_MS = 200  # of a bot that searches


def think(breaking: Sequence[View], moving: View | None, level: Level) -> tuple[int, str] | None:
    """What bots do after an event, some of whom may break in, and then one may be to move: the seat, and its act.

    None where nobody has anything to say.
    """
    rng = random.Random()
    for view in breaking:
        advice = bot(view.game, level).interject(view, rng)
        if advice is not None:
            return view.seat, view.position.spell(advice.what)
    if moving is None:
        return None
    return moving.seat, moving.position.spell(bot(moving.game, level).choose(moving, rng).what)


def stand_in(moving: View) -> tuple[str, Literal["network", "rulebook"]]:
    """What is done for a bot that has no time to search, and who says so: the network, else the rules of thumb."""
    *better, plain = stand_ins(moving.game)
    for player in better:
        with suppress(Exception):  # the rules of thumb say something in any case
            return _said(player, moving), "network" if isinstance(player, Net) else "rulebook"
    return _said(plain, moving), "rulebook"


def _said(player: Agent, moving: View) -> str:
    return moving.position.spell(player.choose(moving, random.Random()).what)


def bot(game: Game, level: Level) -> Agent:
    """How a bot of a level plays; a game that was added may have no search, or no rules of thumb."""
    if level == "strong":
        return best_player(game, THINKING_MS).agent
    if level == "middle" and strategy_of(game).search is not None:
        return Searcher(ms=THINKING_MS)
    return Random() if strategy_of(game).policy is None else Rulebook()


def lay_down(position: Position, seat: int) -> tuple[Verdict, tuple[Act, ...]]:
    """Does a claim of the rest hold, and how is it played out?"""
    table = Arbiter.resume(Record(position))
    return table.claim(seat), table.record.acts
