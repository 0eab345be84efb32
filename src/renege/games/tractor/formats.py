"""Foreign formats of Tractor: rounds of the SPOJ problem TRACTOR."""

from renege.games.formats import ContestProblem, Formats
from renege.games.tractor import spoj

# of each case there are its number, the points, and how the teams stand
FORMATS = Formats(
    problems={
        "spoj": ContestProblem(
            "a SPOJ file starts with the number of its cases",
            lambda text: text.lstrip("\ufeff \t\r\n")[:1].isdigit(),
            spoj.judge,
            lines=3,
        )
    }
)
