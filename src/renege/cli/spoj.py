"""The command `renege spoj`: rounds of Tractor, judged as the SPOJ problem asks."""

from renege.cli.arguments import FileArgument, opened
from renege.core.registry import find_game
from renege.games.formats import ContestProblem, Formats


def spoj(file: FileArgument = "-") -> None:
    """Judge rounds of Tractor in the text of the SPOJ problem TRACTOR: points, levels and the next leader.

    Every play is taken as legal, as the problem says. Text that cannot be read is refused with its line and column.

    \b
    Example:
      renege spoj rounds.txt
    """
    with opened(file) as source:
        for line in _problem().judge(row.decode(errors="replace") for row in source):
            print(line)


def _problem(name: str = "spoj", game: str = "tractor") -> ContestProblem:
    """The problem, of the one game that is imported for it."""
    offered = find_game(game).facet(Formats)
    assert offered is not None
    return offered.problems[name]
