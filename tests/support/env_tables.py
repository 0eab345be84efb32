"""What each number of an environment stands for, as tables of markdown: the docs have them, and a test compares."""

from renege.core.game import SEATS
from renege.games.encoding import Encoding

_SAYS = {
    "hand": "copies of each card in its own hand",
    "chosen": "of these, picked for the play or call under way",
    "gave": "what it has given away face down",
    "table": "the trick on the table",
    "played": "what each seat has played to the tricks before it",
    "returned": "shown by a throw that was stopped, and taken back",
    "trumps": "1 for each card that wins tricks of suits it does not follow",
    "said": "how often each seat has made each call",
    "turn": "1 for the seat to act",
    "leader": "1 for the leader of the trick",
    "dealer": "1 for the dealer",
    "points": "taken by each seat",
    "tricks": "taken by each seat",
    "voids": "1 for each suit that a seat has shown to be out of",
    "led": "1 for each suit that a seat has led",
    "rules": "the house rules in force",
    "history": "where it is asked for: every action so far, and who did it",
}
_BY_SEAT = ("table", "played", "returned", "said", "voids", "led")


def observation_table(old: Encoding, new: Encoding) -> str:
    """Where in a row each section is, in version 0 and in version 1 with the history."""
    lines = ["| section | version 0 | version 1 | shape | what stands there |", "|---|---|---|---|---|"]
    for name, part in new.sections.items():
        where = [_span(encoding.sections.get(name)) for encoding in (old, new)]
        lines.append(f"| `{name}` | {where[0]} | {where[1]} | `{_shape(name, part)}` | {_SAYS[name]} |")
    return "\n".join(lines)


def _shape(name: str, part: slice) -> str:
    size = part.stop - part.start
    if name == "history":
        return f"[{size // 2}, 2]"
    return f"[{len(SEATS)}, {size // len(SEATS)}]" if name in _BY_SEAT else f"[{size}]"


def action_table(encoding: Encoding) -> str:
    """What each action is called, in order."""
    lines = ["| action | is |", "|---|---|"]
    return "\n".join([*lines, *(f"| {number} | {name} |" for number, name in enumerate(encoding.actions))])


def _span(part: slice | None) -> str:
    return "" if part is None else f"{part.start}..{part.stop - 1}"
