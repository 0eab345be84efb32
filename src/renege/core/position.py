"""What may be done in a deal, and what each seat has seen of it.

A position is immutable; `call()` and `play()` return the next one and refuse what breaks a rule, `judge()` says why.
Hands that we are not told are `Hidden`: a play from one is taken on trust, since nothing here decides it. The text of
a position is one line, which `renege.core.position_text` reads back.

`Course` is the course of a deal, its start and what was done since, as someone saw it. A `View` is the course as seen
from one seat: its own hand, the size of the others, every play, and of each call what could be heard. It is all that
belief, search and agents are ever given.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Self

from renege.core.cards import Card, Cards, Hand, Hidden, known_cards
from renege.core.deal_state import Act, DealState
from renege.core.facts import Fact
from renege.core.game import Contract, Game, LegalPlays, Standing, Talk
from renege.core.message import say
from renege.core.notation import NotationError, format_play
from renege.core.solution import UNLIMITED, Limits, OpenHands, Solution
from renege.core.trick import Play, Trick
from renege.core.verdict import IllegalPlay, Ruling, Verdict, WrongPhase


@dataclass(frozen=True)
class Position(DealState):
    """A deal in progress, and what may be done in it: calls and plays are judged, and refused if they break a rule."""

    @property
    def legal_calls(self) -> tuple[str, ...]:
        """The calls open to the seat whose turn it is."""
        talk = self._talk()
        return tuple(talk.calls(self._pile(talk)))

    @property
    def legal_plays(self) -> LegalPlays:
        """The plays open to the seat whose turn it is."""
        return self.game.legal(self.game, self.turn_to_play())

    def judge(self, what: str | Cards | Play, seat: int | None = None) -> Verdict:
        """The verdict on a call or a play: a value, never an error, unless it is no play at all.

        It is by the seat whose turn it is; where others may break in, a call is by the seat that is named.
        """
        if (self.contract is None or isinstance(what, str)) and self._is_call(what):
            return self.judge_call(str(what), seat)
        self._check_turn(seat)
        play, hand = self._read(what), self.hand
        if isinstance(hand, Hidden):
            said = self.game.write_play(play, self._order())
            return Verdict(Ruling.PENDING, said, why=say("the hand of {seat} is not told", self.turn))
        shown = play.tried or play.cards
        if not shown <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", shown, hand))
        return self.game.judge(self._own_turn, play)

    def solve(self, target: int | None = None, limits: Limits = UNLIMITED) -> Solution:
        """Return the value of every legal play with all hands known, under best play by everybody.

        With a `target` it says only whether the counted seats reach so many points, which is faster.
        """
        open_hands = self.game.facet(OpenHands)
        if open_hands is None:
            raise WrongPhase(f"open hands of {self.game.name} cannot be solved")
        return open_hands.solve(self, target, limits)

    def view(self, seat: int) -> "View":
        """What a seat sees of a position that no record leads to.

        The calls of the talk and the trick on the table are seen; of the tricks before only what the rules remember,
        so that their cards may be any that are not seen elsewhere.
        """
        if seat not in self.game.all_seats:
            raise WrongPhase(say("seat {n} is none of 0 to {n2}", seat, self.game.players - 1))
        if not isinstance(own := self.hands[seat], Cards):
            raise WrongPhase(say("the hand of {seat} is not told", seat), self)
        hidden, contract = self.game.deck.hidden, self.contract
        buried = contract is not None and contract.knows_kitty == seat
        masked = replace(
            self,
            hands=tuple(own if i == seat else hidden(len(hand)) for i, hand in enumerate(self.hands)),
            kitty=self.kitty if buried else hidden(len(self.kitty)),
        )
        start, acts = _talked(masked, seat) if contract is None else _before_trick(masked)
        view = View(start, acts, seat)
        view.__dict__["position"] = masked  # what the cached property would come to, with the memory as it is told
        return view

    def act(self, what: str | Cards | Play, seat: int | None = None) -> "Position":
        """Call or play, whichever it is time for."""
        if self._is_call(what):
            return self.call(str(what), seat)
        self._check_turn(seat)
        return self.play(what)

    def read(self, what: str | Cards | Play, seat: int | None = None) -> Act:
        """What a seat, if not named the one whose turn it is, would do, in its one spelling."""
        who = self.turn if seat is None else seat
        if self.turn is None or who is None:
            raise WrongPhase("the deal is over", self)
        if self._is_call(what):
            return Act(who, self._talk(seat).read(str(what)))
        self._check_turn(seat)
        return Act(who, self._landed(self._read(what)))

    def call(self, text: str, seat: int | None = None) -> "Position":
        """The position after a call; `IllegalPlay` if it breaks a rule."""
        verdict = self.judge_call(text, seat)
        if verdict.legal is False:
            raise IllegalPlay(verdict, self)
        return self.say(verdict.said, seat)

    def play(self, what: str | Cards | Play) -> "Position":
        """The position after a play; `IllegalPlay` if it breaks a rule."""
        play = self._read(what)
        verdict = self.judge(play)
        if verdict.legal is False:
            raise IllegalPlay(verdict, self)
        return self.put(self._landed(play))

    # -- how it is done

    def _pile(self, talk: Talk) -> Hand:
        """The cards that a call is about."""
        if talk.on_kitty:
            return self.kitty
        assert talk.turn is not None
        return self.hands[talk.turn]

    def _is_call(self, what: str | Cards | Play) -> bool:
        if self.talking or not isinstance(what, str):
            return self.talking
        talk = self._open_talk
        try:
            return talk is not None and bool(talk.read(what))
        except NotationError:
            return False

    def _read(self, what: str | Cards | Play) -> Play:
        order = self._order()
        if isinstance(what, str):
            return self.game.read_play(what, order)
        return Play(what) if isinstance(what, Cards) else what

    def judge_call(self, text: str, seat: int | None = None) -> Verdict:
        """The verdict on a call; `WrongPhase` where nobody is to call."""
        talk = self._talk(seat)
        hand = self._pile(talk)
        call = talk.read(text)
        objection = talk.objection(call, hand)
        if objection is None:
            return Verdict(Ruling.LEGAL, call)
        instead = next(talk.calls(hand), None)
        if instead is None and self.order is not None and talk.turn == self.turn and isinstance(hand, Cards):
            instead = self.game.write_play(next(iter(self.legal_plays)), self.order)  # nothing to say beside the play
        return Verdict(objection.ruling, call, objection.rule, objection.why, instead)

    def _landed(self, play: Play) -> Play:
        """What a lead comes to, where the hands decide it: a throw may be stopped."""
        if self.trick is None or self.trick.lead is not None or not isinstance(self.hand, Cards):
            return play
        return self.game.lands(self.turn_to_play(), play) or play

    def __repr__(self) -> str:
        return f"<Position {self}>"


solve = Position.solve


def begin(game: Game, contract: Contract, hands: tuple[Hand, ...], leader: int | None = None) -> Position:
    """The position at a lead under a contract, without the talk that led to it."""
    return Position(game, game.opening, hands, game.deck.none).begun(contract, leader)


def deal_position(game: Game, standing: Standing, hands: tuple[Hand, ...], kitty: Hand | None = None) -> Position:
    """The position before the first call."""
    pile = game.deck.none if kitty is None else kitty
    return Position(game, standing, hands, pile, talk=game.talk(game.rules, standing))


# -- the course of a deal, and views of it


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the rules' memory tells of the tricks before the one on the table: the memory as it was then, cards that
    were played, the kinds that were not, and what is proved of the hands."""

    memory: Any
    gone: Cards
    facts: tuple[Fact, ...] = ()
    unplayed: int = 0  # a mask


@dataclass(frozen=True, slots=True)
class KittyTaken:
    """What was seen of a kitty that a seat took up: cards that lay in it, cards that the seat held before, and which
    kinds may have lain in it."""

    seat: int
    seen: Cards
    held: Cards
    kinds: int  # a mask


@dataclass(frozen=True, slots=True)
class Sought:
    """A place in a team that goes to whoever plays a card: of its copies that are still to come, the one with this
    number, 1 being the next."""

    name: str
    card: Card
    number: int


@dataclass(frozen=True, slots=True)
class Seeking:
    """A team that is not known yet: who is in it, and the places that are open.

    Where one of the team cannot take a place (`twice` is False), it goes to the first other that plays that copy or a
    later one.
    """

    team: tuple[int, ...]
    places: tuple[Sought, ...]
    twice: bool = True


@dataclass(frozen=True, slots=True)
class Evidence:
    """The facet of a game that says what calls and plays prove of the hands.

    `facts` is what everybody learns, in order. `recall` is what the rules' memory tells where no record does.
    `leaning` is what bids make likelier, by seat and card. `stands` is what must be so for a throw to stand. `unwind`
    makes the whole deal where cards changed hands face down: from what was seen, the hands at the first lead, and the
    kitty. `taken` is what was seen of a kitty that somebody took up and laid away anew; nothing where nobody did.
    `seeking` is the team that cards decide, where there is one and it may still grow.
    """

    facts: Callable[["Course"], Iterator[Fact]]
    recall: Callable[[Position], Recalled] | None = None
    leaning: Callable[["Course"], dict[tuple[int, Card], float]] | None = None
    stands: Callable[[Position, Play], tuple[Fact, ...]] | None = None
    unwind: "Callable[[Course, tuple[Cards, ...], Cards], Course] | None" = None
    taken: "Callable[[Course], KittyTaken | None] | None" = None
    seeking: Callable[[Position], Seeking | None] | None = None


_NO_EVIDENCE = Evidence(lambda course: iter(()))


def evidence_of(game: Game) -> Evidence:
    """The evidence of a game; where it offers none, nothing is ever proved."""
    return game.facet(Evidence) or _NO_EVIDENCE


@dataclass(frozen=True)
class Course:
    """A deal from before its first call on: where it started, and every act since."""

    start: Position
    acts: tuple[Act, ...] = ()

    @property
    def game(self) -> Game:
        return self.start.game

    def with_act(self, act: Act) -> Self:
        """The course with one more act; where it stands then follows from that act alone."""
        longer = replace(self, acts=(*self.acts, act))
        longer.__dict__["position"] = self.position.then(act)  # what the cached property would come to
        return longer

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
        recall = evidence_of(self.game).recall
        return None if self.start.contract is None or recall is None else recall(self.start)

    def facts(self) -> tuple[Fact, ...]:
        """What the talk and the plays have proved of the hands, in order."""
        remembered = () if self.recalled is None else self.recalled.facts
        return tuple(dict.fromkeys((*remembered, *evidence_of(self.game).facts(self))))

    def __str__(self) -> str:
        return format_course(self)


@dataclass(frozen=True)
class View(Course):
    """The course of a deal as one seat saw it."""

    seat: int = 0

    @cached_property
    def _passed(self) -> list[Position | None]:
        return [self.start, *(None for _ in self.acts)]

    def positions(self) -> Iterator[Position]:
        """Every position from the start on, each found once: rules of thumb, evidence and beliefs all ask for them."""
        position, passed = self.start, self._passed
        yield position
        for number, act in enumerate(self.acts, 1):
            position = passed[number] or position.then(act)
            passed[number] = position
            yield position

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: not the way here, which is found again if somebody asks."""
        return {name: value for name, value in self.__dict__.items() if name != "_passed"}

    @property
    def hand(self) -> Cards:
        """The cards this seat holds now."""
        return known_cards(self.position.hands[self.seat])

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
            raise WrongPhase(say("it is not the turn of {seat}", self.seat), self.position)
        return self.position


def _talked(position: Position, seat: int) -> tuple[Position, tuple[Act, ...]]:
    """Where a talk began, and its calls as a seat heard them. If cards changed hands since, nobody's hand is known as
    it was dealt."""
    game, said = position.game, () if position.talk is None else position.talk.said
    sizes = [game.hand_size] * game.players
    start = now = deal_position(
        game, position.standing, tuple(map(game.deck.hidden, sizes)), game.deck.hidden(game.kitty_size)
    )
    acts, moved = list[Act](), False
    for call in said:
        named = re.fullmatch(rf"({game.seat_digits}): ?(.*)", call)  # where several may speak
        who, what = (int(named[1]), named[2]) if named else (now.turn, call)
        assert who is not None
        moved |= bool(now.floor(who).moves(what))
        what = what if who == seat else now.floor(who).heard(what, seat)
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
    recall = evidence_of(game).recall
    memory = position.memory if recall is None else recall(position).memory
    return replace(position, hands=tuple(hands), trick=Trick(trick.seats), memory=memory), tuple(acts)


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
