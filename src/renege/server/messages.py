"""What the server and the page say to each other.

Everything a seat is sent is one of these. Cards are spelled as everywhere in Renege (`6-4`, `HK`, `EO`); a text is a
sentence in the language of the one who asked, with the names of the players in it.
"""

from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SkipValidation

from renege.core.fair import SALT, SECRET
from renege.core.game import FEWEST, MOST
from renege.games.words import Asks, Look
from renege.server.levels import Chair, Substitutes
from renege.server.names import GameName, Name
from renege.server.people import Back, Clock, Free, PeopleShown, Place, Reply, Seat, WantBot

Language = Literal["en", "de", "zh"]
What = Annotated[str, Field(min_length=1, max_length=400)]  # a call or a play as text: `pass`, `trump 5`, `HK HK`
Salt = Annotated[str, Field(pattern=SALT.pattern.join("^$"))]  # what a seat adds to a deal
Commitment = Annotated[str, Field(pattern=SECRET.pattern.join("^$"))]
Chairs = Annotated[list[Literal["me"] | Chair], Field(min_length=FEWEST, max_length=MOST)]
# waiting for people, before the first lead, tricks, the deal is over, the game is won
Phase = Literal["waiting", "talk", "play", "over", "won"]
RefusalCode = Literal["illegal", "notation", "turn", "stale", "undo", "limit", "form", "seat"]
EventKind = Literal[
    "made", "sat", "left", "filled", "dealt", "act", "undone", "refused",
    "bot_wanted", "played_for", "returned", "freed", "asked", "agreed", "declined",
]  # fmt: skip


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


# -- making a table, and sitting down


class Choice(Message):
    """One answer to a house rule."""

    value: str
    text: str  # what it means, in one sentence


class HouseRule(Message):
    """A house rule: its question, and either its answers or a number."""

    name: str
    question: str
    choices: list[Choice]  # empty for a number
    default: str


class GameCard(Message):
    """A game as the page that makes tables shows it."""

    game: GameName
    title: str
    about: str
    players: int  # the seats of its table; where there is a house rule `seats`, that says how many
    look: Look
    picture: list[str]  # the cards that stand for it
    rules: list[HouseRule]
    presets: dict[str, dict[str, str]]  # the house rules that each sets, by name


class NewTable(Message):
    """A table to be made. `seats` says for each seat who will have it; exactly one is `me`. Without it simple bots have
    all seats but the first.
    """

    game: GameName
    name: Name = "Guest"
    seats: Chairs | None = None
    preset: Annotated[str, Field(max_length=40)] = "default"
    rules: Annotated[dict[str, str], Field(max_length=60)] = {}
    pace: Annotated[int, Field(ge=0, le=5000, strict=True)] = 700  # milliseconds before a bot acts
    clock: Clock | None = None  # without it none where one person plays with bots, else a generous one
    substitutes: Substitutes = "between"
    promise: Commitment | None = None  # the commitment that was asked for, for the first deal
    salt: Salt | None = None  # what this seat adds to it


class WantedPromise(Message):
    """The table that somebody is about to make, as far as its first deal goes."""

    game: GameName
    preset: Annotated[str, Field(max_length=40)] = "default"
    rules: Annotated[dict[str, str], Field(max_length=60)] = {}


class Promise(Message):
    """The commitment to the secret of a first deal; empty where the server deals by a known seed."""

    commitment: str


class Sit(Message):
    """Taking a seat that is open, or that a bot holds."""

    name: Name = "Guest"


class Seated(Message):
    """A seat that was taken: its token opens that seat and no other."""

    table: str
    seat: Seat
    token: str
    link: str  # where others join


class Invitation(Message):
    """Where others join."""

    link: str
    local: bool  # does that work on the machine of the server alone?


class TableCard(Message):
    """A table as one sees it before sitting down."""

    table: str
    game: GameName
    title: str
    phase: Phase
    deal: int
    places: list[Place]
    mine: list[Seat]  # the seats of the one who asks
    rules: dict[str, str]  # that differ from the usual


# -- what a seat sees


class HandCard(Message):
    """A card in one's own hand, in the order in which hands are held."""

    card: str
    suit: str  # the suit it follows as things stand, as the order names it; cards of one suit stand together
    noun: str  # that suit in words
    trump: bool
    step: int  # its place in its suit; pairs on consecutive steps are a run
    points: int
    leads_as: list[str] = []  # suits that it may be led for besides its own
    playable: bool = True  # False: it is in no legal play
    why: str = ""  # then: the reason


class Call(Message):
    """Something the seat may say, in its group of buttons; cards or a suit show it where it has some."""

    what: str
    text: str
    group: str
    seldom: bool = False
    cards: list[str] = []
    suit: str = ""


class Choose(Message):
    """Cards of the hand that make up a call: `verb` and so many cards are the call, `bury H3 H4 ...`."""

    verb: str
    count: int
    text: str


class Compose(Message):
    """A call that is put together: `verb` and so many parts with commas between them, each one of the cards and which
    of its copies is meant, `friends HA 2, SK 1`."""

    verb: str
    count: int
    cards: list[str]
    copies: int
    text: str


class NamedShown(Message):
    """A card that was named, of which one copy is waited for."""

    card: str
    nth: int  # the copy
    played: int  # how many have come
    copies: int  # of how many
    seat: Seat | None  # who played it
    open: bool  # may it still come?


class PlayShown(Message):
    """Cards on the table."""

    seat: Seat
    cards: list[str]
    tried: list[str] = []  # where a throw was stopped: all that was shown


class TrickShown(Message):
    """A trick: who led, what lies there, and who is winning it or has won it."""

    number: int  # from 1
    leader: Seat
    plays: list[PlayShown]
    winner: Seat | None
    points: int = 0  # what it is worth so far


class SeatShown(Message):
    """A seat during the deal."""

    place: Place
    cards: int  # how many it holds
    tricks: int
    points: int
    side: int | None  # those on one side have one number; None where it is not known
    role: str = ""  # "declarer", "dealer" ... in words
    said: str = ""  # its last call of this deal, in words
    out: bool = False  # takes no part in the tricks


class ContractShown(Message):
    """What is played."""

    what: str  # as a record writes it
    text: str
    trump: str  # the suit or set that is trump, as a word: "fives", "hearts"; empty if there is none
    declarer: Seat | None


class SheetLine(Message):
    """A finished deal on the score sheet."""

    deal: int
    text: str
    score: list[int]  # after it
    gained: list[int]  # by seat


class Score(Message):
    """The score sheet."""

    form: Literal["marks", "points", "levels", "money"]
    dealer: Seat
    score: list[int]  # two sides, or each seat (and the stock) where it is money
    target: int | None
    lines: list[SheetLine]  # the last 60


class ResultShown(Message):
    """How a deal ended."""

    text: str
    gained: list[int]  # by seat
    hands: list[list[str]]  # all hands as they were dealt
    kitty: list[str]  # in Tractor what was buried
    kitty_text: str = ""  # what it was worth, in words
    attackers: int | None  # in Tractor their points, with what the kitty and fines have brought them
    winner: int | None  # the side that has won the game with it


class FairShown(Message):
    """What a table has committed itself to: the SHA-256 of the secret of this deal, and that of the next one's."""

    commitment: str  # empty before the first deal, or where it came from a known seed
    next: str
    added: list[Seat]  # the seats that have added to this deal


class State(Message):
    """All that a seat is shown of a table; a spectator's `me` is None and the hand empty."""

    table: str
    game: GameName
    title: str
    number: int  # of the last event
    deal: int  # from 1
    me: Seat | None
    phase: Phase
    turn: Seat | None
    asked: bool  # is this seat to act?
    may_call: bool  # may it say something, in or out of turn?
    seats: list[SeatShown]
    hand: list[HandCard]
    kitty: int  # how many cards lie there
    kitty_cards: list[str] = []  # where this seat knows them; until it has buried, those that it took up
    calls: list[Call]
    asks: Asks | None = None  # what the calls are for
    choose: Choose | None
    compose: Compose | None = None
    so_far: str = ""  # in Tractor, before there is a contract: the level, and what was shown last, in words
    contract: ContractShown | None
    named: list[NamedShown] = []  # the cards that were named with it
    trick: TrickShown | None
    last_trick: TrickShown | None
    attackers: int | None  # in Tractor their points so far, fines included, at the end with the kitty
    enough: int | None = None  # the points with which they win
    score: Score
    result: ResultShown | None
    may_undo: bool
    may_claim: bool
    rules: dict[str, str]
    look: Look
    fair: FairShown | None = None  # None where deals come from a known seed
    people: PeopleShown = PeopleShown()
    bots: str = ""  # how the strong bots play, where there are some: by a network, by search, and why by no network
    hurried: str = ""  # that bots had no time in this deal, in words

    @cached_property
    def text(self) -> str:
        """As JSON, written once for all who are sent the same."""
        return self.model_dump_json()


class Event(Message):
    """Something that happened at a table, as this seat saw it."""

    number: int
    deal: int
    kind: EventKind
    seat: Seat | None
    what: str = ""  # the call or play as this seat saw it
    text: str = ""  # in words
    trick: int | None = None  # of a play: the trick that it belongs to, from 1


# -- over the WebSocket, from the page


class Act(Message):
    """A call or play. `at` is the number of the last event the page has seen; what it was not made for is refused."""

    type: Literal["act"]
    what: What
    at: int


class Undo(Message):
    """Take back one's last act; where other people sit, ask them for it."""

    type: Literal["undo"]
    at: int


class Claim(Message):
    """Lay down the hand and claim the rest."""

    type: Literal["claim"]
    at: int


class Next(Message):
    """Deal again."""

    type: Literal["next"]
    at: int


class Fill(Message):
    """Let bots take the open seats."""

    type: Literal["fill"]
    at: int


class AddSalt(Message):
    """Add to a deal that is still to come; what comes too late for it is passed over."""

    type: Literal["salt"]
    deal: int
    salt: Salt


class Ping(Message):
    type: Literal["ping"]


FromPage = Annotated[
    Act | Undo | Claim | Next | Fill | WantBot | Back | Free | Reply | AddSalt | Ping, Field(discriminator="type")
]


# -- over the WebSocket, to the page


class Moved(Message):
    """What has happened since, and how things stand now. Sent on connecting and after every event."""

    type: Literal["moved"] = "moved"
    now: float  # the moment at which it is sent, by the server's watch
    events: list[Event]
    state: State


class Refusal(Message):
    """Why something was not done. Where a rule forbids it: the rule, its sentence, the reason, and what would do."""

    code: RefusalCode
    text: SkipValidation[str]  # which would make plain text of what is still to be translated
    rule: str = ""
    sentence: str = ""
    instead: str = ""


class Refused(Message):
    type: Literal["refused"] = "refused"
    why: Refusal
    number: int  # of the last event


class Pong(Message):
    type: Literal["pong"] = "pong"


ToPage = Annotated[Moved | Refused | Pong, Field(discriminator="type")]


class Trouble(Message):
    """What went wrong, for a person to read."""

    detail: str
    why: Refusal | None = None
