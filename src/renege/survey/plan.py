"""What a survey is of: which hands, how many worlds of each, which declarations, under which house rules.

Everything follows from the plan and the number of a hand, so that hands may be solved in any order, on any machine, in
pieces of any size, and a survey that was interrupted goes on where it stopped.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.notation import NotationError, parse_cards
from renege.core.registry import find_game
from renege.core.version import version
from renege.games.texas42.declare import declared_at, format_declaration
from renege.games.texas42.order import DECK, DECLARATIONS, order
from renege.games.texas42.packed import tables
from renege.games.texas42.rules import Doubles, DoublesTrump, OpeningLead, Rules, SevensTie
from renege.jobs.plan import Plan as JobPlan
from renege.native import cards as native
from renege.native.cards import U32

FORMAT = "renege survey 1"
HAND = 7
MOST_WORLDS = 1 << 20
MOST_HANDS = 1 << 30
WORLD_LANES = 24  # bits: hand i has the lanes from i << 24 on for its worlds
HAND_LANES = 1 << 62  # and hands themselves are drawn on lanes that no world has
SIDE, OTHERS = 0b0101, 0b1010  # the declarer is seat 0 and leads


@dataclass(frozen=True, slots=True)
class Call:
    """A declaration as it is solved: its name, the kernel's tables, and whose points are counted."""

    text: str
    name: str
    doubles: Doubles | None
    tables: native.Tables
    seats: int
    takers: int
    maximisers: int
    duty: int

    @property
    def in_marks(self) -> bool:
        """Is it bid in marks alone? Then it is made whole or not at all."""
        return self.name in ("nello", "sevens")

    @property
    def made(self) -> int:
        """The points with which a bid in marks is made: all, or in nello none."""
        return 0 if self.name == "nello" else 42


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(JobPlan):
    """All that is needed to solve any hand of a survey again. It is kept with the survey."""

    A: ClassVar[str] = "a survey"
    OTHER: ClassVar[str] = "another survey"

    format: str = FORMAT
    version: int
    """The game's own version: it rises when a rule of play changes."""
    rules: dict[str, str]
    declarations: tuple[str, ...]
    worlds: int
    seed: int
    piece: int
    """Hands that are solved, and written, together."""
    given: str | None = None
    """A hash of the hands, where they were given and not drawn."""

    def __post_init__(self) -> None:
        if not 1 <= self.worlds <= MOST_WORLDS:
            raise ValueError(f"worlds is {self.worlds}; it must be 1..{MOST_WORLDS}")
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"seed is {self.seed}; it must be 0..2**64-1")
        if not 1 <= self.piece <= MOST_HANDS:
            raise ValueError(f"piece is {self.piece}; it must be 1..{MOST_HANDS}")

    @property
    def table(self) -> Rules:
        rules = find_game("texas42", self.rules).rules
        assert isinstance(rules, Rules)
        return rules

    @property
    def ranked(self) -> DoublesTrump:
        """Which double is the highest when doubles are trumps."""
        return self.table.doubles_trump

    def calls(self) -> list[Call]:
        """The declarations, ready to be solved."""
        return [make_call(self.table, text) for text in self.declarations]

    def difference(self, name: str, there: Any, here: Any) -> str:
        return "of other hands" if name == "given" else JobPlan.difference(self, name, there, here)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.write()).hexdigest()


def make_plan(
    game: Game,
    *,
    worlds: int,
    seed: int,
    piece: int = 64,
    declarations: Sequence[str] | None = None,
    given: Sequence[int] | None = None,
) -> Plan:
    """The plan of a survey; declarations that the table does not have, or that cannot be solved, are refused."""
    rules = game.rules
    if game.name != "texas42" or not isinstance(rules, Rules):
        raise NotationError(f"there is no survey of {game.name}, only of texas42")
    if rules.opening_lead is not OpeningLead.ANY:
        raise NotationError(f"opening_lead={rules.opening_lead.value} cannot be solved: here the first lead is free")
    texts = list(dict.fromkeys(make_call(rules, text).text for text in declarations or DECLARATIONS))
    return Plan(
        renege=version(),
        version=game.version,
        rules=write_rules(rules),
        declarations=tuple(texts),
        worlds=worlds,
        seed=seed,
        piece=piece,
        given=None if given is None else hashlib.sha256(np.array(given, "<u4").tobytes()).hexdigest(),
    )


def make_call(rules: Rules, text: str) -> Call:
    """A declaration at a table: `5`, `trump 5`, `doubles`, `follow-me doubles low`, `nello`, `sevens`."""
    name, doubles = declared_at(rules, text)
    if name == "sevens" and rules.sevens_tie is SevensTie.DECLARERS:
        raise NotationError("sevens with ties to the declarers cannot be solved; name other declarations")
    policy = doubles if name in ("nello", "follow-me") else None
    nello = name == "nello"
    return Call(
        format_declaration(name, doubles),
        name,
        policy,
        tables(order(name, policy, rules.doubles_trump)),
        seats=0b1011 if nello else native.FOUR_SEATS,  # the partner lays the hand face down
        takers=0b0001 if nello else SIDE,
        maximisers=OTHERS if nello else SIDE,
        duty=native.Duty.STRONGEST if name == "sevens" else native.Duty.FOLLOW_SUIT,
    )


def read_hand(text: str) -> int:
    """Seven tiles, as a mask."""
    cards = parse_cards(DECK, text)
    if len(cards) != HAND:
        raise NotationError(f"an opening hand has {HAND} tiles, and {text.strip()!r} has {len(cards)}")
    return cards.kinds


def draw_hands(seed: int, first: int, n: int) -> list[int]:
    """Opening hands `first` to `first + n` of all that a seed draws, each as a mask."""
    return native.deals(DECK.kinds, [HAND], n, seed, HAND_LANES + first)[:, 0].tolist()


def draw_worlds(plan: Plan, number: int, hand: int) -> U32:
    """`uint32[worlds, 4]`: how the other tiles may lie, all ways equally likely; the hand itself is seat 0's."""
    out = np.empty((plan.worlds, 4), np.uint32)
    out[:, 0] = hand
    out[:, 1:] = native.deals(DECK.kinds & ~hand, [HAND] * 3, plan.worlds, plan.seed, number << WORLD_LANES)
    return out


def make_states(call: Call, worlds: U32) -> U32:
    """`uint32[B, 4]` hands -> `states [B, 8]`: seat 0 has declared and is to lead."""
    states = np.tile(native.state([0] * 4, 0, seats=call.seats, duty=call.duty), (len(worlds), 1))
    playing = np.array([0xFFFFFFFF if call.seats >> seat & 1 else 0 for seat in range(4)], np.uint32)
    states[:, :4] = worlds & playing
    return states
