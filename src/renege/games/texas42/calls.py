"""The calls of Texas 42 in the order of their numbers: bids, then declarations."""

from renege.games.texas42.contract import format_declaration
from renege.games.texas42.order import DECLARATIONS, doubles_policy
from renege.games.texas42.rules import Doubles

MOST_MARKS = 10  # a plunge of four, raised three times by two
_FREE = ("follow-me", "nello")  # how doubles stand is said with these

DECLARED = tuple(
    dict.fromkeys(
        format_declaration(name, doubles)
        for name in DECLARATIONS
        for doubles in ((doubles_policy(name), *Doubles) if name in _FREE else (doubles_policy(name),))
    )
)
BIDS = (
    "pass",
    *(str(points) for points in range(30, 42)),
    *(f"{marks} mark{'s' * (marks > 1)}" for marks in range(1, MOST_MARKS + 1)),
    "splash",
    "plunge",
)
