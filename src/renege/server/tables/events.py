"""What can happen at a table: fifteen kinds of events, of which everything else follows.

An event is kept as JSON with its kind. Names and guests stand in events only; a deal is kept by its cards as well as by
its seed, so that a log reads the same whatever becomes of the shuffle.
"""

import zlib
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

import msgspec

from renege.server.levels import Chair, ClockKind, Level, RequestKind, Substitutes


class _Event(msgspec.Struct, frozen=True, tag_field="kind", tag=str.lower):
    pass


class Made(_Event, frozen=True):
    """The table: its game, its house rules that differ from the usual, who has the seats, how fast bots act."""

    game: str
    version: int
    rules: dict[str, str]
    chairs: tuple[Chair, ...]
    pace: int  # milliseconds
    guest: str  # who made it
    ordinal: int = 0  # which table of its server it was, for deals that are derived from one seed
    promised: str = ""  # the secret of the first deal
    clock: ClockKind = "none"
    seconds: int = 0  # of the clock
    substitutes: Substitutes = "between"


class Sat(_Event, frozen=True):
    """Somebody took a seat that was open or a bot's."""

    seat: int
    guest: str
    name: str


class Left(_Event, frozen=True):
    """Somebody stood up. Before the first deal the seat is open again, later a bot goes on."""

    seat: int
    guest: str
    name: str


class Filled(_Event, frozen=True):
    """Bots took the open seats."""


class Dealt(_Event, frozen=True):
    """Cards were dealt. The standing begins a new game where it is the game's opening."""

    deal: int  # from 1
    seed: int
    dealer: int
    score: tuple[int, ...]
    hands: tuple[str, ...]
    kitty: str
    opens: bool  # the first deal of a game
    secret: str = ""  # what it was drawn from, where not from a seed; kept to oneself until the deal is over
    salts: tuple[tuple[int, str], ...] = ()  # what seats have added to that
    promised: str = ""  # the secret of the next deal


StandIn: TypeAlias = Literal["", "network", "rulebook", "first"]  # who chose for a bot that had no time, or failed


class ActEvent(_Event, frozen=True, tag="act", omit_defaults=True):
    """A call or a play, as a record spells it."""

    seat: int
    what: str
    took: float = 0.0  # seconds, where the clock counts those of a deal
    chosen: StandIn = ""


class Undone(_Event, frozen=True):
    """Somebody took back an act: the deal is as it was after event `to`."""

    seat: int
    to: int


class Refused(_Event, frozen=True):
    """A claim did not hold, or other hands stopped a throw that only they could: each is asked once, so it is kept."""

    seat: int
    what: Literal["claim", "throw"]
    rule: str = ""  # the id of the rule by which a throw was stopped


class BotWanted(_Event, frozen=True, tag="bot_wanted"):
    """Somebody asks that a bot play for who does not act."""

    seat: int
    by: int


class PlayedFor(_Event, frozen=True, tag="played_for", omit_defaults=True):
    """A bot plays for somebody from here on: the clock has run out, or the others have agreed. The seat stays."""

    seat: int
    level: Level
    why: Literal["clock", "others"]
    took: float = 0.0  # seconds, where the clock counts those of a deal


class Returned(_Event, frozen=True):
    """Somebody is back: no bot plays for them any more, and nobody asks for one."""

    seat: int


class Freed(_Event, frozen=True):
    """The host has freed a seat. Before the first deal it is open again, later a bot goes on."""

    seat: int
    guest: str
    name: str
    level: Level


class Asked(_Event, frozen=True, omit_defaults=True):
    """Somebody asks the others: to take back an act up to event `to`, or for a seat in the middle of a deal."""

    what: RequestKind
    seat: int
    to: int = 0
    guest: str | None = None
    name: str = ""


class Agreed(_Event, frozen=True):
    """Somebody agrees to what is asked for."""

    what: RequestKind
    seat: int


class Unwilling(_Event, frozen=True, tag="declined"):
    """Somebody does not agree, or (no seat) not all have answered in time: nothing comes of the request."""

    what: RequestKind
    seat: int | None = None


Event: TypeAlias = (
    Made
    | Sat
    | Left
    | Filled
    | Dealt
    | ActEvent
    | Undone
    | Refused
    | BotWanted
    | PlayedFor
    | Returned
    | Freed
    | Asked
    | Agreed
    | Unwilling
)
_EVENT = msgspec.json.Decoder(cast("type[Event]", Event))
_EVENTS = msgspec.json.Decoder(list[Event])
LIGHTLY = 1  # they are packed while people play


def read_event(text: str) -> Event:
    """An event from the JSON that is kept of it."""
    return _EVENT.decode(text)


def write_event(event: Event) -> dict[str, Any]:
    return msgspec.to_builtins(event)


def in_place_of(happened: Sequence[Event], chosen: StandIn) -> Sequence[Event]:
    """The same, with who chose it for a bot."""
    if not chosen:
        return happened
    return [msgspec.structs.replace(one, chosen=chosen) if isinstance(one, ActEvent) else one for one in happened]


def pack(events: Sequence[Event]) -> bytes:
    """Events in little room, for those that are hardly ever asked for."""
    return zlib.compress(msgspec.json.encode(events), LIGHTLY)


def unpack(packed: bytes) -> list[Event]:
    return _EVENTS.decode(zlib.decompress(packed))
