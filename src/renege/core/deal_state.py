"""Where a deal stands: whose turn it is, what lies where, and what an act makes of it. Nothing is judged here.

A state is immutable; `say` and `put` return the next one, whatever the call or play was. Hands that we are not told are
`Hidden`. `renege.core.position` says what may be done.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from renege.core.cards import Cards, Hand, Hidden
from renege.core.game import KITTY, MOST, Contract, Game, Move, Result, Standing, Talk, Turn, no_memory
from renege.core.message import say
from renege.core.notation import NotationError
from renege.core.order import Order
from renege.core.trick import Play, Trick
from renege.core.verdict import WrongPhase


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a seat did: a call, which is a text, or a play."""

    seat: int
    what: str | Play


@dataclass(frozen=True)
class DealState:
    """A deal in progress. Either the seats still talk, or there is a contract and cards are played."""

    game: Game
    standing: Standing
    hands: tuple[Hand, ...]
    kitty: Hand
    talk: Talk | None = None
    contract: Contract | None = None
    order: Order | None = None
    trick: Trick | None = None
    points: tuple[int, ...] = ()  # taken by each seat; nothing by any where it is not said
    tricks: tuple[int, ...] = ()
    memory: Any = None

    def __post_init__(self) -> None:
        if not self.points or not self.tricks:
            nothing = (0,) * self.game.players
            object.__setattr__(self, "points", self.points or nothing)
            object.__setattr__(self, "tricks", self.tricks or nothing)

    # -- where we are

    @property
    def active(self) -> tuple[int, ...]:
        """The seats that take part in the tricks."""
        return tuple(self.game.all_seats) if self.contract is None else self.game.seats(self.contract)

    @cached_property
    def turn(self) -> int | None:
        """The seat to call or play; None when the deal is over."""
        if self.trick is None:
            return None if self.talk is None else self.talk.turn
        return None if self.over else self.trick.turn

    @property
    def whose_turn(self) -> str:
        """The turn, in words."""
        return "the deal is over" if self.turn is None else say("it is the turn of {seat}", self.turn)

    @property
    def talking(self) -> bool:
        """Are the seats still calling?"""
        return self.contract is None and self.turn is not None

    @property
    def over(self) -> bool:
        """Is the deal at its end: played out, decided, or thrown in?"""
        if self.contract is None:
            return self.talk is None or self.talk.turn is None
        assert self.trick is not None
        return not self.trick.plays and self.game.over(self)

    @property
    def tricks_played(self) -> int:
        """How many tricks have been taken."""
        return sum(self.tricks)

    @property
    def hand(self) -> Hand:
        """The hand of the seat whose turn it is."""
        if self.turn is None:
            raise WrongPhase("the deal is over", self)
        return self.hands[self.turn]

    @property
    def result(self) -> Result | None:
        """What the deal is worth once it is over; None if it was thrown in."""
        if not self.over:
            raise WrongPhase("the deal is not over", self)
        return None if self.contract is None else self.game.score(self)

    def side(self, seat: int) -> int | None:
        """The side of a seat, or None where this position does not show it."""
        return self.game.side(self, seat)

    @property
    def speakers(self) -> tuple[int, ...]:
        """The seats that may call now: often one, in some talks all, and in some games beside the play."""
        talk = self._open_talk
        return () if talk is None else talk.speakers

    def floor(self, seat: int) -> Talk:
        """The talk with a seat to speak, whether or not it has anything lawful to say."""
        talk = self._open_talk
        if talk is None:
            raise WrongPhase("nobody is to call", self)
        return talk.by(seat)

    def turn_to_play(self, hand: Cards | None = None) -> Turn:
        """What the rules look at; with a hand that is told here, if the position does not have it."""
        return self._own_turn if hand is None else self._turn_with(hand)

    def spell(self, what: str | Play) -> str:
        """A call or play as it is written here."""
        if isinstance(what, str):
            return what
        assert self.order is not None
        return self.game.write_play(what, self.order)

    # -- what an act makes of it

    def say(self, call: str, seat: int | None = None) -> Self:
        """The position after a call that nobody judged: for records with anything in them."""
        talk, position = self._talk(seat), self
        for move in talk.moves(call):
            position = position._move(move)
        talk = talk.after(call)
        if self.contract is not None:
            return replace(position, contract=talk.contract)
        return replace(position, talk=talk) if talk.contract is None else position.begun(talk.contract)

    def then(self, act: Act) -> Self:
        """The position after an act from a record, taken as it is: only its turn is checked."""
        beside = isinstance(act.what, str) and self.contract is not None and self._open_talk is not None
        if act.seat != self.turn and act.seat not in self.speakers and not beside:
            raise WrongPhase(say("{seat} acts, but {why}", act.seat, self.whose_turn), self)
        if isinstance(act.what, str):
            return self.say(act.what, act.seat)
        self._check_turn(act.seat)
        return self.put(act.what)

    def put(self, play: Play) -> Self:
        """The position after a play that nobody judged: for records with anything in them."""
        order, trick, seat = self._order(), self.trick, self.turn
        assert trick is not None and seat is not None
        hand = self.hands[seat]
        if play.tried is not None and isinstance(hand, Cards) and not play.tried <= hand:
            raise NotationError(say("{cards} is not in the hand {cards2}", play.tried, hand))
        turn = self.turn_to_play(hand if isinstance(hand, Cards) else play.cards)
        ahead = trick.lead is None or self.game.beats(turn, trick.plays[trick.best], play)
        trick, points, tricks = trick.with_play(play, ahead=ahead), self.points, self.tricks
        hands = replaced(self.hands, seat, self._less(hand, play.cards))
        memory = self.game.remember(turn, play)
        if trick.turn is None:
            winner, won = trick.winner, order.worth(trick.cards) + order.trick_points
            trick = Trick(seats_from(winner, self.active))
            points = replaced(points, winner, points[winner] + won)
            tricks = replaced(tricks, winner, tricks[winner] + 1)
        return self._later(hands, trick, points, tricks, memory)

    def begun(self, contract: Contract, leader: int | None = None) -> Self:
        """The position at a lead under a contract: by its own leader, or by another later in the deal."""
        first = contract.leader if leader is None else leader
        return replace(
            self,
            talk=None,
            contract=contract,
            order=self.game.order(self.game.rules, contract),
            trick=Trick(seats_from(first, self.game.seats(contract))),
            memory=self.game.memory,
        )

    def resume(
        self,
        plays: tuple[Play, ...] = (),
        hands: Mapping[int, Hand] | None = None,
        points: tuple[int, ...] = (),
        tricks: tuple[int, ...] = (),
        memory: Any = None,
    ) -> Self:
        """The deal later: with this on the table (no longer in hand), and this taken before.

        Where hands are told here, by seat, the others are hidden, each of the size that it must have. What the game
        remembers is what the plays on the table add to this position's memory, unless it is told.
        """
        trick, known = self.laid(plays, sum(tricks), memory)
        held = self.hands if hands is None else self._told(hands, trick, sum(tricks))
        return self._later(held, trick, points, tricks, known)

    def _later(
        self, hands: tuple[Hand, ...], trick: Trick, points: tuple[int, ...], tricks: tuple[int, ...], memory: Any
    ) -> Self:
        """The deal under the same contract, the talk behind it; `replace` takes twice the time."""
        first = self.game, self.standing, hands, self.kitty, None, self.contract, self.order
        return type(self)(*first, trick, points, tricks, memory)

    def laid(self, plays: tuple[Play, ...], number: int = 0, memory: Any = None) -> tuple[Trick, Any]:
        """The trick with more plays on it, and what the game then remembers: this, if it is told."""
        order, trick, known = self.order, self.trick, self.memory if memory is None else memory
        rules, hands, remembers = self.game.rules, self.hands, memory is None and self.game.remember is not no_memory
        assert order is not None and trick is not None
        for play in plays:
            ahead = not trick.plays
            if not ahead or remembers:
                seat = trick.seats[len(trick.plays)]
                turn = Turn(rules, self.contract, order, seat, play.cards, trick, number, known, hands, self.kitty)
                ahead = ahead or self.game.beats(turn, trick.plays[trick.best], play)
                known = self.game.remember(turn, play) if remembers else known
            trick = trick.with_play(play, ahead=ahead)
        return trick, known

    # -- how it is done

    @cached_property
    def _own_turn(self) -> Turn:
        """Made once, for a verdict, a reason and the list of plays."""
        self._order()  # somebody is to play
        if isinstance(self.hand, Hidden):
            raise WrongPhase(say("the hand of {seat} is not told", self.turn), self)
        return self._turn_with(self.hand)

    def _turn_with(self, hand: Cards) -> Turn:
        order, trick, seat = self._order(), self.trick, self.turn
        assert trick is not None and seat is not None
        rules, number = self.game.rules, self.tricks_played
        return Turn(rules, self.contract, order, seat, hand, trick, number, self.memory, self.hands, self.kitty)

    @property
    def _open_talk(self) -> Talk | None:
        """The talk that goes on: before there is a contract, or beside the play."""
        if self.contract is None:
            return self.talk if self.talking else None
        return None if self.game.aside is None or self.over else self.game.aside(self)

    def _talk(self, seat: int | None = None) -> Talk:
        """The talk with its speaker: the seat that is named, else the one whose turn it is."""
        talk = self._open_talk
        if talk is None or self.turn is None:
            raise WrongPhase("nobody is to call", self)
        if self.talking and seat is not None and seat not in talk.speakers:
            raise WrongPhase(say("{seat} is not to call", seat), self)
        return talk.by(self.turn if seat is None else seat)

    def _check_turn(self, seat: int | None) -> None:
        if seat not in (None, self.turn):
            raise WrongPhase(say("{seat} plays out of turn", seat), self)

    def _order(self) -> Order:
        if self.order is None or self.turn is None:
            raise WrongPhase("nobody is to play", self)
        return self.order

    def _told(self, hands: Mapping[int, Hand], trick: Trick, done: int) -> tuple[Hand, ...]:
        """All hands, those that are not told hidden, at the size that the told ones and the trick imply."""
        size, gone = self.game.hand_size, trick.seats[: len(trick.plays)]
        laid = len(trick.plays[0].cards) if gone else 0
        sizes = [len(hand) + laid * (seat in gone) for seat, hand in hands.items() if seat in trick.seats]
        full, hidden = sizes[0] if sizes else max(0, size - done), self.game.deck.hidden
        held = [hidden(max(0, full - laid) if seat in gone else full) for seat in self.game.all_seats]
        if len(trick.seats) < len(held):
            held = [pile if seat in trick.seats else hidden(size) for seat, pile in enumerate(held)]
        for seat, hand in hands.items():
            held[seat] = hand
        return tuple(held)

    def _move(self, move: Move) -> Self:
        piles: list[Hand] = [*self.hands, self.kitty]
        cards = piles[move.giver] if move.cards is None else move.cards
        piles[move.giver] = self._less(piles[move.giver], cards)
        piles[move.taker] = self._more(piles[move.taker], cards)
        return replace(self, hands=tuple(piles[:KITTY]), kitty=piles[KITTY])

    def _less(self, hand: Hand, cards: Hand) -> Hand:
        if isinstance(hand, Cards) and isinstance(cards, Cards):
            if not cards <= hand:
                raise NotationError(say("{cards} is not in the hand {cards2}", cards, hand))
            return hand - cards
        if len(cards) > len(hand):
            raise NotationError(say("{n} cards cannot come from a hand of {n2}", len(cards), len(hand)))
        return self.game.deck.hidden(len(hand) - len(cards))

    def _more(self, hand: Hand, cards: Hand) -> Hand:
        if isinstance(hand, Cards) and isinstance(cards, Cards):
            return hand + cards
        return self.game.deck.hidden(len(hand) + len(cards))

    def __str__(self) -> str:
        return format_position(self)


def seats_from(leader: int, active: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that take part, in turn order from the leader on; the largest table will do to count round."""
    return tuple(sorted(active, key=lambda seat: (seat - leader) % MOST))


def replaced(items: tuple[Any, ...], index: int, item: Any) -> tuple[Any, ...]:
    found = list(items)
    found[index] = item
    return tuple(found)


# -- text: `trump 5 bid 31 by 2 | led 6-4, 6-2 | hand 6-6 6-5 3-1 | 0 leads | points 0 11 0 0 | tricks 0 1 0 0`


def format_position(position: DealState) -> str:
    """A position as one line; hands that are not told are left out, or given by their size."""
    game, order, trick, standing = position.game, position.order, position.trick, position.standing
    score = [f"dealer {standing.dealer}", "score " + " ".join(map(str, standing.score))]
    piles = [f"{seat}: {hand}".rstrip() for seat, hand in enumerate(position.hands)]
    if position.kitty or game.kitty_size:
        piles.append(f"kitty {position.kitty}".rstrip())
    if position.contract is None or order is None or trick is None:
        said = () if position.talk is None else position.talk.said
        return " | ".join([*score, *(["said " + ", ".join(said)] if said else []), *piles])
    parts = [game.write_contract(position.contract), *(score if standing != game.opening else [])]
    if trick.plays:
        parts.append("led " + ", ".join(game.write_play(play, order) for play in trick.plays))
    parts += [*piles, f"{trick.leader} leads"]
    if any(position.tricks):
        parts.append("points " + " ".join(map(str, position.points)))
        parts.append("tricks " + " ".join(map(str, position.tricks)))
    if position.memory is not None:
        parts.append(f"memory {position.memory}")
    return " | ".join(parts)
