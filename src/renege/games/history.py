"""The plays of a deal, trick by trick."""

from collections.abc import Iterator, Sequence

from renege.core.deal_state import Act
from renege.core.trick import Play


def tricks_of(acts: Sequence[Act]) -> Iterator[list[tuple[Act, Play]]]:
    """The plays so far, a list for each trick."""
    plays = [(act, act.what) for act in acts if isinstance(act.what, Play)]
    size = len({act.seat for act, _ in plays})  # a seat may sit out
    return (plays[first : first + size] for first in range(0, len(plays), size or 1))
