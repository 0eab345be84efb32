"""Renege: the arbiter, the belief engine and the player for trick-taking games whose trumps move.

>>> from renege import Arbiter, texas42
>>> texas42.position("trump 5 | led 6-4 | hand 6-6 6-5 3-1").judge("6-5")
<Verdict renege texas42.follow-suit: 6-5 is a trump, sixes were led; play 6-6>
>>> Arbiter("42", seed=1).position.legal_calls[:3]
('pass', '30', '31')

What stands here is imported when it is first used; everything else has its own module.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renege.agents.searcher import Searcher
    from renege.belief.belief import Belief
    from renege.belief.seen import NoWorldLeft
    from renege.core.arbiter import Arbiter
    from renege.core.judge import judge
    from renege.core.notation import NotationError
    from renege.core.position import Position, View, solve
    from renege.core.position_text import parse_position
    from renege.core.record import Record
    from renege.core.registry import find_game, parse_game_record, parse_record
    from renege.core.verdict import IllegalPlay, WrongPhase
    from renege.games import schafkopf, texas42, tractor

__version__: str
__all__ = [
    "Arbiter", "Belief", "IllegalPlay", "NoWorldLeft", "NotationError", "Position", "Record", "Searcher", "View",
    "WrongPhase", "find_game", "judge", "parse_game_record", "parse_position", "parse_record", "schafkopf", "solve",
    "texas42", "tractor",
]  # fmt: skip
_GAMES = ("schafkopf", "texas42", "tractor")
_HOME = {  # the modules of all the others
    "Arbiter": "core.arbiter", "Belief": "belief.belief", "IllegalPlay": "core.verdict",
    "NoWorldLeft": "belief.seen", "NotationError": "core.notation", "Position": "core.position",
    "Record": "core.record", "Searcher": "agents.searcher", "View": "core.position", "WrongPhase": "core.verdict",
    "find_game": "core.registry", "judge": "core.judge", "parse_game_record": "core.registry",
    "parse_position": "core.position_text", "parse_record": "core.registry", "solve": "core.position",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("renege")
    elif name in _GAMES:
        found = import_module(f"renege.games.{name}")
    elif name in _HOME:
        found = getattr(import_module(f"renege.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"renege has no {name!r}; it has {', '.join(__all__)}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
