"""The plan of a survey: the hands, the worlds of each, the declarations and the house rules."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from renege.core.game import Game
from renege.core.house_rules import write_rules
from renege.core.notation import NotationError, parse_cards
from renege.core.registry import find_game
from renege.games.openings import Call, openings_of
from renege.jobs.folder import Plan
from renege.native import cards as native
from renege.native.arrays import U32

FORMAT = "renege survey 1"
GAME = "texas42"
DECK, HAND = find_game(GAME).deck, find_game(GAME).hand_size
MOST_WORLDS = 1 << 20
MOST_HANDS = 1 << 30
WORLD_LANES = 24  # bits: hand i has the lanes from i << 24 on for its worlds
HAND_LANES = 1 << 62  # and hands themselves are drawn on lanes that no world has


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyPlan(Plan):
    """The plan of a survey: all that is needed to solve any of its hands again. It is stored with it."""

    A: ClassVar[str] = "a survey"
    OTHER: ClassVar[str] = "another survey"

    format: str = FORMAT
    version: int  # the game's own version: it rises when a rule of play changes
    rules: dict[str, str]
    declarations: tuple[str, ...]
    worlds: int
    seed: int
    piece: int  # hands that are solved, and written, together
    given: str | None = None  # a hash of the hands, where they were given and not drawn

    def __post_init__(self) -> None:
        if not 1 <= self.worlds <= MOST_WORLDS:
            raise ValueError(f"worlds is {self.worlds}; it must be 1..{MOST_WORLDS}")
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"seed is {self.seed}; it must be 0..2**64-1")
        if not 1 <= self.piece <= MOST_HANDS:
            raise ValueError(f"piece is {self.piece}; it must be 1..{MOST_HANDS}")

    @property
    def game(self) -> Game:
        return find_game(GAME, self.rules)

    def calls(self) -> list[Call]:
        """The declarations, ready to be solved."""
        call = openings_of(self.game).call
        return [call(self.game.rules, text) for text in self.declarations]

    def difference(self, name: str, there: Any, here: Any) -> str:
        return "of other hands" if name == "given" else Plan.difference(self, name, there, here)

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
) -> SurveyPlan:
    """The plan of a survey; declarations that the table does not have, or that cannot be solved, are refused."""
    openings = openings_of(game)
    texts = list(dict.fromkeys(openings.call(game.rules, text).text for text in declarations or openings.declarations))
    return SurveyPlan(
        version=game.version,
        rules=write_rules(game.rules),
        declarations=tuple(texts),
        worlds=worlds,
        seed=seed,
        piece=piece,
        given=None if given is None else hashlib.sha256(np.array(given, "<u4").tobytes()).hexdigest(),
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


def draw_worlds(plan: SurveyPlan, number: int, hand: int) -> U32:
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
