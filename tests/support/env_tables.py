"""What each number of an environment stands for, as tables of markdown: the docs have them, and a test compares."""

from collections.abc import Iterator

from renege.core.game import SEATS
from renege.games.encoding import Encoding

_SAYS = {
    "hand": "copies of each card in its own hand",
    "chosen": "of these, picked for the play or call under way",
    "gave": "what it has given away face down",
    "table": "the trick on the table",
    "played": "played to the tricks before it",
    "returned": "shown by a throw that was stopped, and taken back",
    "trumps": "1 for each card that wins tricks of suits it does not follow",
    "said": "how often it has made each call",
    "turn": "1 for the seat to act",
    "leader": "1 for the leader of the trick",
    "dealer": "1 for the dealer",
    "points": "taken by it",
    "tricks": "taken by it",
}
_BY_CARD = ("hand", "chosen", "gave", "table", "played", "returned", "trumps")
_BY_SEAT = ("table", "played", "returned", "said", "turn", "leader", "dealer", "points", "tricks")


def observation_table(encoding: Encoding) -> str:
    """Where in a row each thing is: one line a section, and within it a part a seat where each seat has one."""
    lines = ["| index | section | what stands there |", "|---|---|---|"]
    for name, part in encoding.sections.items():
        lines += [f"| {_span(first, last)} | {name} | {text} |" for first, last, text in _parts(encoding, name, part)]
    return "\n".join(lines)


def _parts(encoding: Encoding, name: str, part: slice) -> Iterator[tuple[int, int, str]]:
    says = _SAYS.get(name, "as the game says")
    each = ", by card" if name in _BY_CARD else ", by call" if name == "said" else ""
    if name not in _BY_SEAT:
        yield part.start, part.stop, says + each
        return
    size = (part.stop - part.start) // len(SEATS)
    for seat in SEATS:
        who = "itself" if seat == 0 else f"the seat {seat} after it"
        yield part.start + seat * size, part.start + (seat + 1) * size, f"{who}: {says}{each}"


def action_table(encoding: Encoding) -> str:
    """What each action is called, in order."""
    lines = ["| action | is |", "|---|---|"]
    return "\n".join([*lines, *(f"| {number} | {name} |" for number, name in enumerate(encoding.actions))])


def _span(first: int, last: int) -> str:
    return str(first) if last == first + 1 else f"{first} - {last - 1}"
