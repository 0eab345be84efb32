"""The names that the page may send: of a game, and of a player."""

import unicodedata
from typing import Annotated

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from renege.core.registry import GAMES

TURNING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # the direction of what follows


# Letters and symbols by their kind that yet leave the paper white: fillers, and a pattern of no dots.
BLANK = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"


def look_of(name: str) -> str:
    """A name as the eye takes it: no case, no width, no space, nothing that leaves no mark."""
    folded = unicodedata.normalize("NFKC", "".join(c for c in name if _marks(c))).casefold()
    return "".join(c for c in folded if _marks(c))


def _marks(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPSM" and character not in BLANK


def _known(name: str) -> str:
    if name not in GAMES:
        raise PydanticCustomError("game", "there is no such game here: {games}", {"games": " ".join(GAMES)})
    return name


def _seen(name: str) -> str:
    """A name that can be read: no character in it that moves or breaks a line, and one at least that shows."""
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in TURNING for c in name):
        raise PydanticCustomError("name", "a name has no control characters in it")
    if not any(unicodedata.category(c)[0] in "LNPS" and c not in BLANK for c in name):
        raise PydanticCustomError("name", "a name has a character that can be seen")
    return name


GameName = Annotated[str, AfterValidator(_known)]
"""One of `renege.core.registry.GAMES`: ours, and those that were added."""
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=24), AfterValidator(_seen)]
