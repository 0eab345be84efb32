"""What the server says of a call or play that somebody thinks about: verdicts, hints, and what a seat may believe."""

from typing import Literal

from pydantic import Field

from renege.server.messages import Message, Refusal, Seat, What


class Asked(Message):
    """A call or play that somebody thinks about."""

    what: What


class Unit(Message):
    """A single, pair or run of what is chosen, and whether it can be beaten."""

    cards: list[str]
    kind: Literal["single", "pair", "run"]
    safe: bool  # proved: no other hand can have what beats it in its suit
    why: str  # the proof, or what could beat it


class Check(Message):
    """What the arbiter would say of a call or play."""

    legal: bool | None  # None: the other hands decide
    text: str
    why: Refusal | None
    units: list[Unit]
    stands: float | None  # how likely a throw is to stand


class Estimate(Message):
    """What an option is worth on average, with a 95 % interval, and how likely the network would take it."""

    what: str
    text: str
    mean: float | None  # None: it was not tried
    low: float | None
    high: float | None
    worlds: int
    share: float | None = None  # of the network's likelihood; None: there is no network, or it has no number for it


class Liked(Message):
    """What the network would do by itself, or would have done, and the share of its likelihood that has."""

    what: str
    text: str
    share: float
    done: float | None = None  # in a review: the share of what was done


class Hint(Message):
    """Advice in two steps: first the group of cards or calls it comes from, then the play itself."""

    step: Literal[1, 2]
    group: str  # in words: "a trump", "a heart", "a bid"
    cards: list[str]  # step 1: all cards of that group; step 2: those to play
    what: str = ""
    text: str = ""
    why: str = ""  # the rule of thumb behind it
    alone: str = ""  # where nothing else was weighed: why not
    unit: str = ""
    estimates: list[Estimate] = Field(default=[])  # the best first
    network: Liked | None = None
    by: str = ""  # how the player plays who advises


class Whereabouts(Message):
    """Where an unseen card may be."""

    card: str
    suit: str
    unseen: int  # copies that are not seen
    odds: dict[str, float]  # expected copies by pile: "0", "1" and so on, and "kitty"
    why: list[str] = Field(default=[])  # the evidence, in words


class FriendSought(Message):
    """Who may become a friend by one of the cards that the banker named."""

    name: str  # as the banker named it: "HA 2"
    card: str
    holds: dict[str, float]  # by seat: how likely it has a copy in hand
    takes: dict[str, float]  # by seat: how likely it becomes the friend
    nobody: float


class BeliefShown(Message):
    """What a seat may believe."""

    seat: Seat
    piles: list[str]  # the piles that are not seen
    sizes: dict[str, int]
    deals: str  # how many deals fit, exactly, as a number of any length
    exact: bool
    cards: list[Whereabouts]
    facts: list[str]  # all that was proved, in order
    friends: list[FriendSought] = Field(default=[])  # places in the banker's team that are open
    team: dict[str, float] = Field(default={})  # while some are: by seat, how likely it plays with the banker
