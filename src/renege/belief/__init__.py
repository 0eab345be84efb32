"""What a seat can know of hidden cards: problems, all deals that solve them, and what follows from a view."""

from renege.belief.belief import Belief, Count
from renege.belief.problem import DEAD, Back, Group, Pick, Problem, Run, Watch, count_watch, pair_watch, run_watch
from renege.belief.seen import NoWorldLeft
from renege.belief.worlds import TooManyStates, Worlds
from renege.core.world import World

__all__ = [
    "DEAD", "Back", "Belief", "Count", "Group", "NoWorldLeft", "Pick", "Problem", "Run", "TooManyStates", "Watch",
    "World", "Worlds", "count_watch", "pair_watch", "run_watch",
]  # fmt: skip
