"""Rules of thumb for Tractor: a player after the published flowcharts, who keeps to the rules where those do not.

It sees a `View` and nothing else, remembers what was played and who showed a void, and looks one trick ahead. Each
play names the node of the flowchart that decided it (`docs/rules/tractor.md` explains them). The weights are round
numbers: played against itself with others it did worse, or no better that could be measured. The searcher is the strong
player, this one is quick and easy to follow.
"""

from renege.core.position import View
from renege.games.strategy import Advice
from renege.games.tractor.rulebook_follow import follow
from renege.games.tractor.rulebook_lead import lead
from renege.games.tractor.rulebook_table import RulebookStep
from renege.games.tractor.rulebook_talk import talk

__all__ = ["RulebookStep", "rulebook"]


def rulebook(view: View) -> Advice:
    """What this seat would call or play; a play is a `RulebookStep`."""
    if view.position.talking:
        return talk(view)
    turn = view.position.turn_to_play()
    return lead(turn) if turn.trick.lead is None else follow(turn)
