"""The calls of Schafkopf, in the order in which environments number them.

A kind of game has one number as a bid and as the game that is named (`wenz`); a Tout is bid under the number of the
first game that the bid may become (`solo tout` under `solo E tout`). A Renonce is named under the number of the
Rufspiel in its suit. The kernel counts on this order (`kernel/include/renege/schafkopf/table.hpp`).
"""

from renege.games.schafkopf.declare import LADDER, RAISED
from renege.games.schafkopf.order import CALLED_SUITS, DECLARATIONS, PRINTED, RENONCES
from renege.games.schafkopf.rules import Precedence, Rules
from renege.games.schafkopf.stakes import WORDS

RAMSCH = "ramsch"  # which nobody names
UNNAMED = "tout"  # a number that is free: Touts were once bid without their name
BIDS = ("rufspiel", "hochzeit", "bettel", "farbgeier", "geier", "farbwenz", "wenz", "solo", UNNAMED, "sie")
NAMED = tuple(name for name in DECLARATIONS if name != RAMSCH)
CALLS = tuple(dict.fromkeys(("pass", "double", *BIDS, *NAMED, "accept", "no", "old", WORDS[0])))
SMALL_CALLS = ("pass", *(f"rufspiel {suit}" for suit in CALLED_SUITS), *(f"solo {suit}" for suit in PRINTED[::-1]))

# the names under which a bid, and a Renonce, are numbered
BID_NAMES = {bid: bid if bid in CALLS else bid.replace(" tout", " E tout") for bid in LADDER}
RENONCE_NAMES = {name: name.removesuffix(" renonce").removesuffix("Z") for name in RENONCES}


def calls_of(rules: Rules) -> tuple[str, ...]:
    """The calls of a table: raised bids, where there are any, come after all others."""
    return (*CALLS, *(RAISED if rules.precedence is Precedence.RAISING else ()))
