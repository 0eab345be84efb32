"""What plain trick games have in common: one seat names something, and who can follows suit.

A game that is no more than that takes these and gives them its own calls and rules; `docs/add-a-game.md` does.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from renege.core.cards import Hand
from renege.core.facts import Fact, Void
from renege.core.game import Check, Contract, Talk, Turn
from renege.core.notation import NotationError
from renege.core.trick import Play
from renege.core.verdict import Objection, Rule, Ruling
from renege.core.view import Course

# -- the talk: one seat names something


@dataclass(frozen=True)
class Naming(Talk):
    """All the talk there is: a seat makes one of these calls, and leads."""

    seat: int
    named: tuple[str, ...]
    made: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[str, ...]:
        return self.made

    @property
    def turn(self) -> int | None:
        return None if self.made else self.seat

    @property
    def contract(self) -> Contract | None:
        return Contract(self.made[0], self.seat, self.seat) if self.made else None

    def read(self, text: str) -> str:
        return _one_of(self.named, text)

    def calls(self, hand: Hand) -> Iterator[str]:
        return iter(self.named)

    def objection(self, call: str, hand: Hand) -> Objection | None:
        return None

    def after(self, call: str) -> "Naming":
        return replace(self, made=(call,))


def read_contract(calls: tuple[str, ...]) -> Callable[[Any, str], Contract]:
    """Reads `spades by 1`; without a seat, by seat 0."""

    def read(rules: Any, text: str) -> Contract:
        found = re.fullmatch(r"(.+?)(?: by ([0-3]))?", text)
        seat = 0 if found is None else int(found[2] or 0)
        return Contract(_one_of(calls, text if found is None else found[1]), seat, seat)

    return read


def write_contract(contract: Contract) -> str:
    return f"{contract.declaration} by {contract.declarer}"


def _one_of(calls: tuple[str, ...], text: str) -> str:
    words = " ".join(text.split()).lower()
    found = next((call for call in calls if call.lower() == words), None)
    if found is None:
        raise NotationError(f"{text.strip()!r} is no call here: {', '.join(calls)}")
    return found


# -- the play


def one_card(rule: Rule) -> Check:
    """A play is a single card."""

    def check(turn: Turn, play: Play) -> Objection | None:
        if play.cards.single() is not None:
            return None
        return Objection(rule, f"{play.cards or 'nothing'} is not one {turn.hand.deck.noun}")

    return check


def follow_suit(rule: Rule) -> Check:
    """Who holds cards of the led suit plays one."""

    def check(turn: Turn, play: Play) -> Objection | None:
        held = None if turn.led is None else turn.order.in_suit(turn.hand, turn.led)
        if turn.led is None or not held or play.cards <= held:
            return None
        why = f"{play} does not follow {turn.order.nouns[turn.led]}, and the hand holds {held}"
        return Objection(rule, why, Ruling.RENEGE)

    return check


def voids(rule: Rule) -> Callable[[Course], Iterator[Fact]]:
    """What everybody learns where `follow_suit` is the only rule: who did not follow has nothing of the suit."""

    def evidence(course: Course) -> Iterator[Fact]:
        for act, position in course.steps():
            if not isinstance(act.what, Play):
                continue
            turn = position.turn_to_play(act.what.cards)
            if turn.led is not None and act.what.cards.kinds & ~turn.order.follow[turn.led]:
                yield Void(act.seat, turn.number, rule, turn.led)

    return evidence
