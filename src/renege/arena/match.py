"""Play one deal, or a game of several, between the agents of a table under the arbiter.

Every act is judged; an agent that breaks a rule ends the match, with its name, the rule and the seed of the deal. Who
sits where is for the caller: `Pair` in `renege.arena.run` plays the same deals twice with the sides swapped.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TypeVar

from renege.arena.open_hands import OpenHandPlayer, Player
from renege.core.arbiter import Arbiter
from renege.core.cards import known_cards
from renege.core.deal_state import Act
from renege.core.game import Game, Standing
from renege.core.position import Position
from renege.core.record import Record
from renege.core.view import Onlooker
from renege.games.strategy import Advice, Option
from renege.games.words import Terms, words_of

Answer = TypeVar("Answer")
MOST_BREAKS = 32  # calls out of turn before one act; the rules of each game allow fewer
MOST_DEALS = 1_000  # in one game


def terms(game: Game) -> Terms:
    """What a match at this game is played for, under its house rules."""
    return words_of(game).terms(game)


class AgentFault(ValueError):
    """An agent broke a rule, or failed to answer; the message says which agent, where, and how."""


class Half(Enum):
    """A half of a deal: all before the first lead, or the play with what is called beside it."""

    TALK = "talk"
    PLAY = "play"

    @classmethod
    def of(cls, position: Position) -> "Half":
        return cls.TALK if position.talking else cls.PLAY


@dataclass(frozen=True, slots=True)
class Shared:
    """One agent that answers for all seats in one half of a deal, so that the other half alone is measured.

    Its streams are the same in both rounds of a pair: what it does differs only where the agents have.
    """

    agent: Player
    half: Half
    streams: Sequence[random.Random]


@dataclass(frozen=True)
class PlayedDeal:
    """A deal that was played out, and how long each seat thought, move by move; a shared agent is not timed."""

    record: Record
    seconds: tuple[tuple[float, ...], ...]
    cores: tuple[float, ...]
    """Of that, how long each seat had a core: less, where the machine was busy with something else."""
    talk: tuple[Act, ...]
    """All that was called before there was a contract; what is called beside the play is not in it."""

    @property
    def gains(self) -> tuple[int, ...]:
        """What the deal was worth to each seat: nothing where it was thrown in."""
        result = self.record.position.result
        return (0,) * self.record.game.players if result is None else result.score

    @property
    def text(self) -> str:
        result = self.record.position.result
        return "thrown in" if result is None else result.text


def lead_of(gains: Sequence[int], side: int) -> float:
    """How far every other seat, from seat 0 or 1 on, is ahead of the others, a side's gain counted once.

    It is the mean gain of the ones less that of the others. Where partners share a score this is the one side's less
    the other's. In Schafkopf the four payouts sum to zero, and this is what the two seats win together.
    """
    ours, theirs = gains[side::2], gains[1 - side :: 2]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)


def play_deal(
    game: Game,
    agents: Sequence[Player],
    seed: int,
    streams: Sequence[random.Random],
    standing: Standing,
    shared: Shared | None = None,
) -> PlayedDeal:
    """Deal, talk and play to the end, each seat with its own agent and stream of random numbers."""
    table = _Table(game, agents, seed, streams, standing, shared)
    while table.position.turn is not None:
        table.step()
    return PlayedDeal(
        table.arbiter.record, tuple(tuple(spent) for spent in table.seconds), tuple(table.cores), tuple(table.talk)
    )


def play_game(
    game: Game,
    agents: Sequence[Player],
    seeds: Iterable[int],
    streams: Sequence[random.Random],
    dealer: int,
    shared: Shared | None = None,
) -> tuple[PlayedDeal, ...]:
    """Deal after deal until a side has won the game."""
    standing, deals = replace(game.opening, dealer=dealer), list[PlayedDeal]()
    for seed in seeds:
        deals.append(play_deal(game, agents, seed, streams, standing, shared))
        end = deals[-1].record.position
        standing = game.advance(end, end.result)
        if game.winner(game.rules, standing) is not None:
            return tuple(deals)
        if len(deals) == MOST_DEALS:
            raise ValueError(f"after {MOST_DEALS} deals nobody has won this game of {game.name}")
    raise ValueError("the deals ran out before the game was won")


class _Table:
    """The agents at the arbiter's table, each with what it has seen so far."""

    def __init__(
        self,
        game: Game,
        agents: Sequence[Player],
        seed: int,
        streams: Sequence[random.Random],
        standing: Standing,
        shared: Shared | None = None,
    ) -> None:
        self.arbiter = Arbiter(game, seed, standing)
        self.agents, self.streams, self.seed, self.shared = agents, streams, seed, shared
        self.seen = [Onlooker(self.arbiter.record, seat) for seat in game.all_seats]
        self.seconds: list[list[float]] = [[] for _ in game.all_seats]
        self.cores = [0.0] * game.players
        self.talk: list[Act] = []

    @property
    def position(self) -> Position:
        return self.arbiter.position

    @property
    def _is_shared(self) -> bool:
        """Does the shared agent answer for everybody now?"""
        return self.shared is not None and self.shared.half is Half.of(self.position)

    def _at(self, seat: int) -> tuple[Player, random.Random]:
        """The agent that answers for a seat now, and its stream."""
        if self.shared is not None and self._is_shared:
            return self.shared.agent, self.shared.streams[seat]
        return self.agents[seat], self.streams[seat]

    def step(self) -> None:
        """The next act of the seat to move, after all that others have to say before it."""
        for _ in range(MOST_BREAKS):
            if not self._break_in():
                break
        else:
            raise AgentFault(f"deal {self.seed}: too many interjections without a move")
        seat, talk = self.position.turn, self.position.talk
        if seat is None:  # a call may have ended the deal
            return
        if self.position.talking and talk is not None and talk.on_kitty:
            turned = talk.chance(known_cards(self.position.kitty), random.Random(f"{self.seed} kitty"))
            self._act(seat, turned, 0.0, 0.0)  # nobody's choice: the kitty decides
        else:
            advice, *spent = self._ask(seat, partial(self._choice, seat))
            self._act(seat, advice.what, *spent)

    def _break_in(self) -> bool:
        """Let one seat speak that may and wants to. Beside the play the seat to move may speak before it plays, too."""
        position = self.position
        for seat in position.speakers:
            if position.talking and seat == position.turn:
                continue
            advice, *spent = self._ask(seat, partial(self._interjection, seat))
            if advice is not None:
                self._act(seat, advice.what, *spent)
                return True
        return False

    def _choice(self, seat: int) -> Advice:
        player, stream = self._at(seat)
        if isinstance(player, OpenHandPlayer):
            return player.choose_seeing(self.position, self.seen[seat].view)
        return player.choose(self.seen[seat].view, stream)

    def _interjection(self, seat: int) -> Advice | None:
        player, stream = self._at(seat)
        if isinstance(player, OpenHandPlayer):
            return player.interject(self.seen[seat].view)
        return player.interject(self.seen[seat].view, stream)

    def _ask(self, seat: int, question: Callable[[], Answer]) -> tuple[Answer, float, float]:
        """An agent's answer, how long it took, and how long on a core; an agent that fails is named."""
        begun, core = time.perf_counter(), time.process_time()
        try:
            answer = question()
        except Exception as wrong:
            kind = "" if isinstance(wrong, ValueError) else f"{type(wrong).__name__}: "
            raise AgentFault(f"{self._who(seat)}: {kind}{wrong}") from wrong
        return answer, time.perf_counter() - begun, time.process_time() - core

    def _act(self, seat: int, what: Option, spent: float, core: float) -> None:
        """The arbiter's answer to an act; silence is no move, so only what was done has its time noted."""
        before = self.position
        if not self._is_shared:
            self.seconds[seat].append(spent)
            self.cores[seat] += core
        try:
            verdict = self.arbiter.act(seat, what)
        except ValueError as wrong:  # no play at all, or out of turn
            raise AgentFault(f"{self._who(seat)}: {wrong}") from None
        if not verdict:
            # what the seat saw, and no other hand: game, seed and agents play the rest again
            where = f"{before.game.name}, act {len(self.arbiter.record.acts) + 1}, holding {before.hands[seat]}"
            raise AgentFault(f"{self._who(seat)}: {verdict.said} breaks {verdict.rule}: {verdict.why} ({where})")
        if before.talking:
            self.talk.append(self.arbiter.record.acts[-1])
        for onlooker in self.seen:
            onlooker.follow(before, self.arbiter.record)

    def _who(self, seat: int) -> str:
        agent, _ = self._at(seat)
        return f"{agent.name}, seat {seat}, deal {self.seed}"
