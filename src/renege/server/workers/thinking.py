"""What bots are asked and what they say to it, and claims. This runs in workers, so it imports little."""

import random
from collections.abc import Sequence

from renege.agents import Agent, Random, Rulebook, Searcher
from renege.core.arbiter import Arbiter
from renege.core.deal_state import Act
from renege.core.game import Game
from renege.core.position import Position, View
from renege.core.record import Record
from renege.core.verdict import Verdict
from renege.games.strategy import strategy_of

STRONG_MS = 200


def think(breaking: Sequence[View], moving: View | None, strong: bool) -> tuple[int, str] | None:
    """What bots do after an event, some of whom may break in, and then one may be to move: the seat, and its act.

    None where nobody has anything to say.
    """
    rng = random.Random()
    for view in breaking:
        advice = _bot(view.game, strong=strong).interject(view, rng)
        if advice is not None:
            return view.seat, view.position.spell(advice.what)
    if moving is None:
        return None
    bot = _bot(moving.game, strong=strong)
    return moving.seat, moving.position.spell(bot.choose(moving, rng).what)


def _bot(game: Game, *, strong: bool) -> Agent:
    """The best that a game has: one that was added may have no search, or no rules of thumb."""
    if strong and strategy_of(game).search is not None:
        return Searcher(ms=STRONG_MS)
    return Random() if strategy_of(game).policy is None else Rulebook()


def lay_down(position: Position, seat: int) -> tuple[Verdict, tuple[Act, ...]]:
    """Does a claim of the rest hold, and how is it played out?"""
    table = Arbiter.resume(Record(position))
    return table.claim(seat), table.record.acts
