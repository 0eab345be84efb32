"""What the server and the page say about the people at a table: who is there, their clock, what they ask each other.

A moment is a number of seconds as `time.time()` counts them; `Moved.now` says what the server's watch shows.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from renege.core.game import MOST
from renege.server.levels import ClockKind, Level, RequestKind, Substitutes
from renege.server.names import Name

Seat = Annotated[int, Field(ge=0, le=MOST - 1)]
Secret = Annotated[str, Field(min_length=1, max_length=400)]

# what becomes of a table of several people where nobody says otherwise
USUAL_SECONDS = 120
FEWEST_SECONDS, MOST_SECONDS = 2, 3600


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Clock(_Message):
    """How long somebody may take: for each act, or for all acts of a deal together; then a bot plays."""

    kind: ClockKind = "none"
    seconds: Annotated[int, Field(ge=FEWEST_SECONDS, le=MOST_SECONDS, strict=True)] = USUAL_SECONDS


class Place(_Message):
    """One of the seats as everybody sees it."""

    seat: Seat
    name: str
    kind: Literal["person", "bot", "open"]
    level: Level | None = None
    online: bool = False
    away_since: float | None = None  # the moment since which nobody has been connected there
    stand_in: Level | None = None  # how the bot plays that plays for this person
    wanted_by: list[Seat] = []  # who asks that a bot play for this person


class ClockShown(_Message):
    """The clock of a table while a deal is played: whose time runs, since when, and until when."""

    kind: ClockKind
    seconds: int
    seat: Seat | None = None  # the person for whom the table waits
    since: float | None = None
    until: float | None = None  # None where it stands still
    left: float | None = None  # seconds, where it stands still
    patience: float  # seconds until the others may ask for a bot for who is connected and does not act


class Request(_Message):
    """What somebody asks the others for: to take back an act, or to sit down in the middle of a deal."""

    number: int  # of its event; an answer names it
    what: RequestKind
    seat: Seat  # whose act it is, or the seat that is asked for
    name: str  # of who asks
    left: str = ""  # of who had the seat that is asked for
    agreed: list[Seat]
    missing: list[Seat]  # who is still to answer


class PeopleShown(_Message):
    """How the people of a table stand to each other, as everybody sees it."""

    host: Seat | None = None  # who may free seats
    clock: ClockShown | None = None
    request: Request | None = None
    substitutes: Substitutes = "between"
    vacant: list[Seat] = []  # seats that somebody left in this deal, for which a substitute may ask


# -- over the WebSocket, from the page


class WantBot(_Message):
    """Ask that a bot play for somebody who does not act; it does once all others who are there ask for it."""

    type: Literal["want_bot"]
    seat: Seat


class Back(_Message):
    """Take one's own play back from the bot."""

    type: Literal["back"]


class Free(_Message):
    """The host frees a seat."""

    type: Literal["free"]
    seat: Seat


class Reply(_Message):
    """Agree to what somebody asks for, or not; who asks takes it back by saying no."""

    type: Literal["reply"]
    to: int  # the number of the request
    yes: bool


# -- one's own identity


class AskForSeat(_Message):
    """Asking to sit down in the middle of a deal, for somebody who has left."""

    name: Name = "Guest"


class Recovery(_Message):
    """Has this guest a recovery link, and since when?"""

    guest: bool  # is this browser known at all?
    made: float | None = None


class RecoveryLink(_Message):
    """A recovery link. It is shown once: the server keeps only what it needs to know it again."""

    link: str


class Recover(_Message):
    """The secret of a recovery link."""

    secret: Secret
