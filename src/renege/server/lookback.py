"""What the server sends of finished deals, and of texts that are pasted; as `messages`, in the same words."""

from typing import Annotated, Literal

from pydantic import Field

from renege.games.words import Look
from renege.server.messages import ContractShown, Message, Score, Seat, TrickShown
from renege.server.names import GameName
from renege.server.teaching import Liked

# -- a deal, step by step


class Step(Message):
    """A deal after so many acts, all cards open."""

    number: int  # acts so far
    seat: Seat | None  # who acted
    what: str
    text: str
    turn: Seat | None
    hands: list[list[str]]  # as they are held now
    kitty: list[str]
    trick: TrickShown | None
    last_trick: TrickShown | None
    contract: ContractShown | None
    points: list[int]
    tricks: list[int]


class Replay(Message):
    """A whole deal, to be stepped through."""

    game: GameName
    title: str
    names: list[str]
    rules: dict[str, str]
    look: Look
    record: str  # as text, to keep
    deal: int
    deals: int
    score: Score
    result: str  # in words; empty where the deal is not over
    steps: list[Step]


class Drawn(Message):
    """What a finished deal was drawn from; `docs/table.md` says how the hands come of it."""

    terms: str  # the lines that are hashed before the secret
    secret: str
    salts: dict[int, str]  # what seats have added
    commitment: str  # as it was published before the deal
    hands: list[list[str]]  # that come of it


class Judged(Message):
    """One act in a review, and what it cost. A line of `application/x-ndjson`."""

    number: int  # the act, from 0
    seat: Seat
    what: str
    trick: int | None
    text: str
    value: float | None  # by the open hands, for seats 0 and 2 (in Schafkopf the declarer's side): points still to come
    taken: float | None  # and taken before
    cost: float | None  # by the open hands: card points, or contracts where `value` is null
    best: list[str]
    known_cost: float | None  # by what the seat could know: how far it is behind what the best player would do
    known_best: str
    known_text: str  # the same in words, where it is a call
    network: Liked | None  # what the network would have done, by what the seat could know
    unit: str  # of `known_cost`
    note: str  # why something is missing


# -- pasted texts


class Pasted(Message):
    """A text that somebody pastes: a record, a SPOJ file, or protocol lines."""

    text: Annotated[str, Field(min_length=1, max_length=400_000)]


class Answer(Message):
    """One line of a pasted file and its answer."""

    asked: str
    answer: str


class Recognised(Message):
    """What a pasted text was."""

    kind: Literal["record", "spoj", "protocol"]
    record: str = ""  # for a record: the id under which it can be looked at
    deals: int = 0
    answers: list[Answer] = Field(default=[])
