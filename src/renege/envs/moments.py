"""Environments of games that the kernel does not step: the same arrays, filled by the Python rules."""

import json
import random
from contextlib import suppress

import numpy as np

from renege.core.cards import Cards, known_cards
from renege.core.game import SEATS
from renege.core.house_rules import write_rules
from renege.core.notation import NotationError
from renege.core.world import World, piles_of
from renege.games.encoding import Encoding, Moment
from renege.native.arrays import F32, I32, U8, U64


def deal(encoding: Encoding, seed: int, number: int) -> Moment:
    """Deal `number` of a lane with this seed."""
    return encoding.deal(random.Random(f"deal {seed} {number}").getrandbits(62))


def dealt_piles(moment: Moment) -> U64:
    """`uint64[5, 2]`: the piles before anybody has acted."""
    return piles_of([World(tuple(map(known_cards, moment.start.hands)), known_cards(moment.start.kitty))])[0]


class MomentEnv:
    """What an `Env` of the kernel does, over `Moment`s."""

    def __init__(self, encoding: Encoding, lanes: int) -> None:
        self.encoding, self.lanes = encoding, lanes
        self.seeds: list[int] = []
        self.deals = [0] * lanes
        self.steps = [0] * lanes
        self.taken: list[list[int]] = []  # the actions of the deal under way
        self.moments: list[Moment] = []

    def one(self) -> "MomentTable":
        return MomentTable(self.encoding)

    def reset(self, seeds: U64, observation: U8 | None, mask: U8, mover: U8, threads: int) -> None:
        self.seeds = [int(seed) for seed in seeds]
        self.deals, self.steps = [0] * self.lanes, [0] * self.lanes
        self.taken = [[] for _ in range(self.lanes)]
        self.moments = [self._dealt(lane) for lane in range(self.lanes)]
        for lane in range(self.lanes):
            self._show(lane, observation, mask, mover)

    def step(
        self, actions: I32, observation: U8 | None, mask: U8, mover: U8, reward: F32, done: U8, threads: int
    ) -> None:
        piles = np.zeros((self.lanes, 2), np.uint64)
        self.play(piles, actions, observation, mask, mover, reward, done, threads)

    def play(
        self, piles: U64, actions: I32, observation: U8 | None, mask: U8, mover: U8, reward: F32, done: U8, threads: int
    ) -> None:
        self._must_have_begun()
        wholes = [self._whole(lane, pile) if any(pile) else None for lane, pile in enumerate(piles.tolist())]
        for lane, (action, whole) in enumerate(zip(actions.tolist(), wholes, strict=True)):
            if whole is None and action not in self.moments[lane].legal:
                raise ValueError(f"lane {lane}: action {action} is not open")
        asked = list(zip(self.moments, actions.tolist(), wholes, strict=True))
        after = [moment.after(action) if whole is None else moment.act(whole) for moment, action, whole in asked]
        reward[:] = 0
        done[:] = 0
        for lane, (moment, action, whole) in enumerate(asked):
            taken = self.taken[lane]
            if whole is None:
                taken.append(action)
            else:  # what was picked before is put back
                del taken[len(taken) - len(moment.chosen) :]
                taken.extend(moment.numbers(whole))
            self._settle(lane, after[lane], observation, mask, mover, reward, done)

    def _whole(self, lane: int, layers: list[int]) -> str | Cards:
        """A whole play, or what is buried; `ValueError` if it is neither."""
        position, deck = self.moments[lane].position, self.encoding.game.deck
        once, twice = layers
        if not (twice & ~once or once & ~deck.kinds):
            cards = Cards(deck, (once, twice) if twice else (once,))
            asked = self.encoding.asked(position) if position.talking else None
            fits = asked is not None and len(cards) == asked[1] if position.talking else True
            whole = cards if asked is None else f"{asked[0]} {cards}"
            with suppress(NotationError):  # it is not in the hand
                if fits and position.judge(whole):
                    return whole
        raise ValueError(f"lane {lane}: these cards are no legal play")

    def _settle(
        self, lane: int, moment: Moment, observation: U8 | None, mask: U8, mover: U8, reward: F32, done: U8
    ) -> None:
        """What follows from a step that was made."""
        self.steps[lane] += 1
        if moment.over:
            reward[lane], done[lane] = moment.rewards, 1
            moment = self._dealt(lane)
        self.moments[lane] = moment
        self._show(lane, observation, mask, mover)

    def observe(self, seats: U8, rows: U8) -> None:
        self._must_have_begun()
        for lane, seat in enumerate(seats.tolist()):
            rows[lane] = self.moments[lane].observe(seat)

    def dealt(self, piles: U64) -> None:
        self._must_have_begun()
        for lane, moment in enumerate(self.moments):
            piles[lane] = dealt_piles(moment)

    def choose(self, mask: U8, actions: I32, salt: int, threads: int) -> None:
        self._must_have_begun()
        for lane, row in enumerate(mask):
            (is_open,) = row.nonzero()
            rng = random.Random(f"choice {self.seeds[lane]} {salt} {self.steps[lane]}")
            actions[lane] = rng.choice(is_open.tolist()) if len(is_open) else -1

    def run(
        self, steps: int, salt: int, observation: U8 | None, mask: U8, mover: U8, reward: F32, done: U8, threads: int
    ) -> int:
        self._must_have_begun()
        over = 0
        actions = np.empty(self.lanes, np.int32)
        for _ in range(steps):
            for lane, moment in enumerate(self.moments):
                mask[lane] = moment.mask
            self.choose(mask, actions, salt, threads)
            self.step(actions, observation, mask, mover, reward, done, threads)
            over += int(done.sum())
        return over

    def save(self) -> bytes:
        self._must_have_begun()
        lanes = [list(lane) for lane in zip(self.seeds, self.deals, self.steps, self.taken, strict=True)]
        return json.dumps([*self._name, lanes]).encode()

    def load(self, saved: bytes, observation: U8 | None, mask: U8, mover: U8) -> None:
        try:
            *name, lanes = json.loads(saved)
        except ValueError:
            raise ValueError("saved: these bytes were changed, or saved by another kind of environment") from None
        if name != self._name:
            raise ValueError("saved: another game, or other rules")
        if len(lanes) != self.lanes:
            raise ValueError(f"saved: {len(lanes)} lanes, and there are {self.lanes}")
        self.moments = [self._replayed(seed, deals, taken) for seed, deals, _, taken in lanes]
        self.seeds, self.deals, self.steps, self.taken = (list(part) for part in zip(*lanes, strict=True))
        for lane in range(self.lanes):
            self._show(lane, observation, mask, mover)

    @property
    def _name(self) -> list[object]:
        return [self.encoding.game.name, write_rules(self.encoding.game.rules)]

    def _replayed(self, seed: int, deals: int, taken: list[int]) -> Moment:
        moment = deal(self.encoding, seed, deals - 1)
        for action in taken:
            moment = moment.after(action)
        return moment

    def _must_have_begun(self) -> None:
        if not self.moments:
            raise ValueError("nothing is dealt yet: reset first")

    def _dealt(self, lane: int) -> Moment:
        moment = deal(self.encoding, self.seeds[lane], self.deals[lane])
        self.deals[lane] += 1
        self.taken[lane] = []
        return moment

    def _show(self, lane: int, observation: U8 | None, mask: U8, mover: U8) -> None:
        moment = self.moments[lane]
        assert moment.turn is not None
        mask[lane], mover[lane] = moment.mask, moment.turn
        if observation is not None:
            observation[lane] = moment.observe(moment.turn)


class MomentTable:
    """What an `EnvOne` of the kernel does, over a `Moment`."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.moment = deal(encoding, 0, 0)

    @property
    def turn(self) -> int:
        return len(SEATS) if self.moment.turn is None else self.moment.turn

    def deal(self, seed: int, number: int) -> None:
        self.moment = deal(self.encoding, seed, number)

    def legal(self) -> list[int]:
        return list(self.moment.legal)

    def act(self, action: int) -> None:
        if action not in self.moment.legal:
            raise ValueError(f"action {action} is not open")
        self.moment = self.moment.after(action)

    def observe(self, seat: int) -> bytes:
        return self.moment.observe(seat).tobytes()

    def rewards(self) -> tuple[float, float, float, float]:
        one, two, three, four = self.moment.rewards
        return one, two, three, four

    def dealt(self, piles: U64) -> None:
        piles[:] = dealt_piles(self.moment)

    def copy(self) -> "MomentTable":
        other = MomentTable.__new__(MomentTable)
        other.encoding, other.moment = self.encoding, self.moment
        return other
