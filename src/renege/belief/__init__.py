"""What a seat can know of hidden cards: problems, and all deals that solve them."""

from renege.belief.problem import DEAD, Group, Problem, Watch, count_watch, pair_watch, run_watch
from renege.belief.worlds import TooManyStates, Worlds

__all__ = ["DEAD", "Group", "Problem", "TooManyStates", "Watch", "Worlds", "count_watch", "pair_watch", "run_watch"]
