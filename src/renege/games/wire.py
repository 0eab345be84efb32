"""What a game supplies to `renege ask`: its questions, typed, each with the function that answers it.

A question is a `msgspec` struct, so that a field that is unknown, missing or of the wrong type is refused before
anyone looks at it. What every game answers alike (a verdict on a play, the list of plays) is written here once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from renege.core.cards import Cards, Deck
from renege.core.game import Game, Turn
from renege.core.notation import NotationError, parse_cards
from renege.core.order import Order
from renege.core.trick import Play

Answer = dict[str, Any]
Limit = Annotated[int, msgspec.Meta(ge=0)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
NOTHING = msgspec.Raw(b"{}")


class Question(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What all questions about a game have: which one it is, the game, its house rules, and an id to repeat.

    House rules stay as they were written: the text is the key under which a table that was set up is kept.
    """

    ask: str
    game: str
    id: msgspec.Raw = NOTHING
    rules: msgspec.Raw = NOTHING


@dataclass(frozen=True, slots=True)
class Wire:
    """A game on the wire: its questions by name, and what `rules` takes besides the house rules."""

    questions: dict[str, tuple[type[Question], Callable[[Any], Answer]]]
    order: Callable[[bytes, str], Order]  # by house rules, as they were written, and declaration
    deck: Callable[[bytes], Deck]
    extras: dict[str, str] = field(default_factory=dict[str, str])


def read_choices(rules: bytes) -> dict[str, Any]:
    """The house rules of a question, by name, still as text."""
    try:
        return msgspec.json.decode(rules, type=dict[str, Any])
    except msgspec.ValidationError:
        raise NotationError(f"rules should be an object of house rules: {quote(rules.decode())}") from None


@lru_cache(maxsize=1 << 14)
def read_cards(deck: Deck, text: str) -> Cards:
    """A pile of cards; the same text comes again and again."""
    return parse_cards(deck, text)


def read_hand(deck: Deck, text: str, size: int, *, on_table: Cards) -> Cards:
    """A hand before its play: something, not too much, and nothing that already lies on the table."""
    hand = read_cards(deck, text)
    if not 0 < len(hand) <= size:
        raise NotationError(f"a hand before its play has 1 to {size} {deck.noun}s, and {quote(text)} has {len(hand)}")
    if hand.kinds & on_table.kinds:
        parse_cards(deck, f"{on_table} {hand}")  # refuses more copies than there are
    return hand


def judged(game: Game, turn: Turn, play: Play, fine: Callable[[Turn, Play], str]) -> Answer:
    """The answer to `legal`; `fine` says in table talk why a legal play is one."""
    if not play.cards <= turn.hand:
        raise NotationError(f"{quote(str(play))} is not in the hand {quote(str(turn.hand))}")
    verdict = game.judge(turn, play)
    rule = verdict.rule.id if verdict.rule else None
    answer: Answer = {"legal": verdict.legal, "rule": rule, "why": verdict.why or fine(turn, play)}
    return answer if verdict.instead is None else answer | {"instead": verdict.instead}


def listed(game: Game, turn: Turn, limit: int) -> Answer:
    """The answer to `legal_plays`."""
    plays = sorted(game.write_play(play, turn.order) for play in game.legal(game, turn))
    return {"count": len(plays), "plays": plays[:limit]}


def quote(text: str) -> str:
    """A text in quotes, the middle left out if it is long."""
    return repr(text if len(text) <= 100 else f"{text[:70]} ... {text[-20:]}")
