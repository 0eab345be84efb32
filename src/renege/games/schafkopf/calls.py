"""The calls of Schafkopf, in the order in which environments number them.

A kind of game has one number as a bid and as the game that is named (`wenz`). The kernel counts on this order
(`kernel/include/renege/schafkopf_table.hpp`).
"""

from renege.games.schafkopf.declare import LADDER
from renege.games.schafkopf.order import CALLED_SUITS, DECLARATIONS, PRINTED
from renege.games.schafkopf.stakes import WORDS

RAMSCH = "ramsch"  # which nobody names
NAMED = tuple(name for name in DECLARATIONS if name != RAMSCH)
CALLS = tuple(dict.fromkeys(("pass", "double", *LADDER, *NAMED, "accept", "no", "old", WORDS[0])))
SMALL_CALLS = ("pass", *(f"rufspiel {suit}" for suit in CALLED_SUITS), *(f"solo {suit}" for suit in PRINTED[::-1]))
