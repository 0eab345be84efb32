"""What one seat has seen: all that belief, search and agents are ever given.

`Course` is the course of a deal, its start and what was done since, as someone saw it. A `View` is the course as
seen from one seat: its own hand, the size of the others, every play, and of each call what could be heard.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from renege.core.cards import Cards, Hand
from renege.core.facts import Fact
from renege.core.game import KITTY, SEATS, Game, LegalPlays, Recalled
from renege.core.notation import format_play
from renege.core.position import Act, Position, deal_position
from renege.core.trick import Trick
from renege.core.verdict import WrongPhase


@dataclass(frozen=True)
class Course:
    """A deal from before its first call on: where it started, and every act since."""

    start: Position
    acts: tuple[Act, ...] = ()

    @property
    def game(self) -> Game:
        return self.start.game

    def positions(self) -> Iterator[Position]:
        """Every position from the start on, taking the acts as they are: one more than there are acts."""
        position = self.start
        yield position
        for act in self.acts:
            position = position.then(act)
            yield position

    def steps(self) -> Iterator[tuple[Act, Position]]:
        """Every act with the position in which it was done."""
        return zip(self.acts, self.positions(), strict=False)

    @cached_property
    def position(self) -> Position:
        """Where the deal stands now."""
        *_, position = self.positions()
        return position

    @cached_property
    def recalled(self) -> Recalled | None:
        """What is remembered of tricks before the start, where the deal is told from a later one on."""
        if self.start.contract is None or self.game.recall is None:
            return None
        return self.game.recall(self.start)

    def facts(self) -> tuple[Fact, ...]:
        """What the talk and the plays have proved of the hands, in order."""
        remembered = () if self.recalled is None else self.recalled.facts
        proved = () if self.game.evidence is None else self.game.evidence(self)
        return tuple(dict.fromkeys((*remembered, *proved)))

    def __str__(self) -> str:
        return format_course(self)


@dataclass(frozen=True)
class View(Course):
    """The course of a deal as one seat saw it."""

    seat: int = 0

    @property
    def hand(self) -> Cards:
        """The cards this seat holds now."""
        hand = self.position.hands[self.seat]
        assert isinstance(hand, Cards)
        return hand

    @property
    def my_turn(self) -> bool:
        """Is this seat to call or play?"""
        return self.position.turn == self.seat

    @property
    def legal_plays(self) -> LegalPlays:
        """The plays open to this seat, when it is to play."""
        return self._mine().legal_plays

    @property
    def legal_calls(self) -> tuple[str, ...]:
        """The calls open to this seat, when it is to call or may break in."""
        if self.seat in self.position.speakers and not (talk := self.position.floor(self.seat)).on_kitty:
            return tuple(talk.calls(self.hand))
        return self._mine().legal_calls

    def _mine(self) -> Position:
        if not self.my_turn:
            raise WrongPhase(f"it is not the turn of seat {self.seat}: {self.position}")
        return self.position


def view_of(course: Course, seat: int) -> View:
    """The course of a deal with all that a seat did not see taken out."""
    start = course.start
    heard: list[Act] = []
    saw_kitty = False
    for act, position in course.steps():
        what = act.what
        if isinstance(what, str):
            talk = position.floor(act.seat)
            saw_kitty |= any(
                move.giver == KITTY and move.taker == seat and move.cards is None for move in talk.moves(what)
            )
            what = what if seat == act.seat else talk.heard(what, seat, over=course.position.over)
        heard.append(Act(act.seat, what))
    hidden = start.game.deck.hidden
    hands: tuple[Hand, ...] = tuple(hand if i == seat else hidden(len(hand)) for i, hand in enumerate(start.hands))
    kitty = start.kitty if saw_kitty else hidden(len(start.kitty))
    masked = Position(start.game, start.standing, hands, kitty, talk=start.talk)
    return View(masked, tuple(heard), seat)


def view_at(position: Position, seat: int) -> View:
    """What a seat sees of a position that no record leads to.

    The calls of the talk and the trick on the table are seen; of the tricks before only what the rules remember, so
    that their cards may be any that are not seen elsewhere.
    """
    own = position.hands[seat]
    if not isinstance(own, Cards):
        raise WrongPhase(f"the hand of seat {seat} is not told: {position}")
    hidden, contract = position.game.deck.hidden, position.contract
    buried = contract is not None and contract.declarer == seat  # who buried the kitty knows it
    masked = replace(
        position,
        hands=tuple(own if i == seat else hidden(len(hand)) for i, hand in enumerate(position.hands)),
        kitty=position.kitty if buried else hidden(len(position.kitty)),
    )
    start, acts = _talked(masked, seat) if contract is None else _before_trick(masked)
    view = View(start, acts, seat)
    view.__dict__["position"] = masked  # what the cached property would come to, with the memory as it is told
    return view


def _talked(position: Position, seat: int) -> tuple[Position, tuple[Act, ...]]:
    """Where a talk began, and its calls. If cards changed hands since, nobody's hand is known as it was dealt."""
    game, said = position.game, () if position.talk is None else position.talk.said
    sizes = [game.hand_size] * len(SEATS)
    start = now = deal_position(
        game, position.standing, tuple(map(game.deck.hidden, sizes)), game.deck.hidden(game.kitty_size)
    )
    acts, moved = list[Act](), False
    for call in said:
        named = re.fullmatch(r"([0-3]): ?(.*)", call)  # where several may speak
        who, what = (int(named[1]), named[2]) if named else (now.turn, call)
        assert who is not None
        moved |= bool(now.floor(who).moves(what))
        acts.append(Act(who, what))
        now = now.say(what, who)
    return start if moved else replace(start, hands=position.hands, kitty=position.kitty), tuple(acts)


def _before_trick(position: Position) -> tuple[Position, tuple[Act, ...]]:
    """Where the trick on the table began, and its plays."""
    trick, game = position.trick, position.game
    assert trick is not None
    hands, acts = list(position.hands), list[Act]()
    for seat, play in zip(trick.seats, trick.plays, strict=False):
        hand = hands[seat]
        hands[seat] = hand + play.cards if isinstance(hand, Cards) else game.deck.hidden(len(hand) + len(play.cards))
        acts.append(Act(seat, play))
    memory = position.memory if game.recall is None else game.recall(position).memory
    return replace(position, hands=tuple(hands), trick=Trick(trick.seats), memory=memory), tuple(acts)


def seen_by_all(course: Course) -> Course:
    """The course of a deal as one sees it who sits in no seat: no hand, no kitty, and what all could hear."""
    start, hidden = course.start, course.game.deck.hidden
    heard = [
        Act(act.seat, heard_by_all(position, act.seat, act.what, over=course.position.over))
        if isinstance(act.what, str)
        else act
        for act, position in course.steps()
    ]
    hands = tuple(hidden(len(hand)) for hand in start.hands)
    masked = Position(start.game, start.standing, hands, hidden(len(start.kitty)), talk=start.talk)
    return Course(masked, tuple(heard))


def heard_by_all(position: Position, speaker: int, call: str, *, over: bool = False) -> str:
    """What every other seat could hear of a call that is made in this position: the least that one of them hears."""
    talk = position.floor(speaker)
    heard = (talk.heard(call, listener, over=over) for listener in SEATS if listener != speaker)
    return next((less for less in heard if less != call), call)


# -- text: the deal, the talk, and a line a trick


def format_course(course: Course) -> str:
    """The course of a deal as lines that a player can follow."""
    start = course.start
    lines = [f"deal dealer {start.standing.dealer} score {' '.join(map(str, start.standing.score))}"]
    lines += [f"{seat}: {hand}".rstrip() for seat, hand in enumerate(start.hands)]
    if len(start.kitty):
        lines.append(f"kitty {start.kitty}")
    said = [
        f"{act.seat} {act.what}" for act, position in course.steps() if isinstance(act.what, str) and position.talking
    ]
    if said:
        lines.append("talk " + " | ".join(said))
    lines += _format_tricks(course)
    if course.position.over:
        result = course.position.result
        lines.append(f"result {result.text if result else 'thrown in'}")
    return "\n".join(lines)


def _format_tricks(course: Course) -> Iterator[str]:
    plays: list[str] = []
    leader = number = 0
    for act, (before, after) in zip(course.acts, pairwise(course.positions()), strict=True):
        if before.order is None or before.trick is None:
            continue
        leader = before.trick.leader
        if isinstance(act.what, str):
            if plays:
                plays.append(f"{act.seat} says {act.what}")
            else:
                yield f"{act.seat} says {act.what}"
            continue
        plays.append(format_play(act.what, before.order.suits))
        if after.tricks_played > before.tricks_played:
            number += 1
            assert after.trick is not None
            winner = after.trick.leader
            won = after.points[winner] - before.points[winner]
            yield f"trick {number}: {leader} leads {', '.join(plays)} -> {winner} takes {won}"
            plays = []
    if plays:
        yield f"trick {number + 1}: {leader} leads {', '.join(plays)}"
